/* Longrun native library, area `fft`: plans that outlive a process.
 *
 * What FFTW learns while it plans is its wisdom. A handle of this area holds wisdom for any number
 * of transforms, each apart from the others, so that adding one never changes the plan of another.
 * An engine that is created with the handle takes the plans that it holds, exactly.
 *
 * FFTW's planner is global to the process. Calls that plan are serialised within a library, and
 * must not be made through two libraries at once.
 */
#ifndef LONGRUN_FFT_H
#define LONGRUN_FFT_H

#include "longrun/core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this area. */
#define LONGRUN_FFT_ABI 1

/* Wisdom for some transforms. Must not be in use by two calls at once. */
typedef struct longrun_fft_wisdom longrun_fft_wisdom;

/* What is done for a transform that the wisdom does not hold. */
enum {
    LONGRUN_FFT_RUN = 0,    /* planned as without wisdom; the wisdom stays as it is */
    LONGRUN_FFT_PREPARE = 1 /* planned with more effort, up to 40 s, and added */
};

/* What has been planned with a handle. */
typedef struct longrun_fft_counts {
    int64_t struct_size;
    int64_t plans;   /* made with it */
    int64_t missing; /* of these, how many it did not hold */
    int64_t added;   /* transforms that it holds more than when it was imported */
} longrun_fft_counts;

/* Wisdom from the text of an earlier export; length 0: nothing is known. A text that is no such
 * export is refused. `effort` is LONGRUN_FFT_... */
LONGRUN_API int32_t longrun_fft_wisdom_import(const char* text, int64_t length, int32_t effort,
                                              longrun_fft_wisdom** wisdom);

/* Everything that is known, as a text. It is valid until the next export or destroy. */
LONGRUN_API int32_t longrun_fft_wisdom_export(longrun_fft_wisdom* wisdom, const char** text,
                                              int64_t* length);

/* What has been planned since the import. */
LONGRUN_API int32_t longrun_fft_wisdom_counts(const longrun_fft_wisdom* wisdom,
                                              longrun_fft_counts* counts);

/* Frees the handle; null is allowed. Engines that were created with it stay. */
LONGRUN_API void longrun_fft_wisdom_destroy(longrun_fft_wisdom* wisdom);

#ifdef __cplusplus
}
#endif

#endif
