/* Longrun native library, area `core`: what every library of every backend answers.
 *
 * Conventions of the whole ABI
 *   - Plain C. Opaque handles, plain arrays, scalars. No exception crosses it.
 *   - A function that can fail returns a status; `longrun_last_error` then holds the sentence.
 *   - Sizes and counts are `int64_t`, flags and enumerations `int32_t`, reals `double`.
 *   - Complex arrays are interleaved (re, im) pairs of `double`.
 *   - SI units throughout; angular frequencies in rad/s.
 *   - Every structure begins with `struct_size`, set by the caller to `sizeof` its own view;
 *     a library refuses a size that is not its own. `longrun_layouts` lists sizes and offsets.
 *   - A handle is used by one thread at a time. There is no global state of ours.
 */
#ifndef LONGRUN_CORE_H
#define LONGRUN_CORE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define LONGRUN_API __declspec(dllexport)
#else
#define LONGRUN_API __attribute__((visibility("default")))
#endif

/* Version of this area. It changes whenever a signature or a structure of the area changes. */
#define LONGRUN_CORE_ABI 1

/* Status of a call. */
enum {
    LONGRUN_OK = 0,
    LONGRUN_INVALID_ARGUMENT = 1, /* the caller gave what the function cannot work with */
    LONGRUN_OUT_OF_MEMORY = 2,
    LONGRUN_NOT_FINITE = 3,  /* the state is no longer a number */
    LONGRUN_STEP_FAILED = 4, /* the controller gave up */
    LONGRUN_INTERNAL = 5     /* a defect of the library */
};

/* Areas. */
enum {
    LONGRUN_AREA_CORE = 0,
    LONGRUN_AREA_OPTICS = 1,
    LONGRUN_AREA_FFT = 2,
    LONGRUN_AREA_KERNELS = 3
};

/* What a library carries, in one fixed-length section `.longrun_identity`. */
typedef struct longrun_identity {
    char magic[16];     /* "longrun-identity", not terminated */
    char build_key[72]; /* hexadecimal, zero-padded */
    int32_t abi[16];    /* version by area; 0 where the library has no such area */
} longrun_identity;

/* One field of one structure, so that a caller can check its own view of it. */
typedef struct longrun_layout {
    const char* structure;
    const char* field; /* empty: the structure itself */
    int64_t offset;
    int64_t size;
} longrun_layout;

/* The identity of this library; never null. */
LONGRUN_API const longrun_identity* longrun_get_identity(void);

/* All layouts; `*count` receives their number. Never null. */
LONGRUN_API const longrun_layout* longrun_layouts(int64_t* count);

/* The sentence of the last failure in the calling thread; empty if there was none. */
LONGRUN_API const char* longrun_last_error(void);

/* FFT provider and version in one line, for example "FFTW 3.3.10 (sse2 avx)". Never null. */
LONGRUN_API const char* longrun_fft_provider(void);

#ifdef __cplusplus
}
#endif

#endif
