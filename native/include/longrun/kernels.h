/* Longrun native library, area `kernels`: the inner loops of a propagation, one at a time.
 *
 * A kernel is a loop or a transform that a propagation spends its time in: the same code, on arrays
 * of its own, called as often as is wanted. It is there to be timed, and to be checked against
 * another implementation; every formula is below.
 *
 * Life of a handle: create, then any number of { set_input, run ..., get_output }, then destroy.
 * Between create and destroy nothing is allocated and nothing is planned.
 *
 * An operation reads the input, which it keeps, and writes the output: any number of operations
 * give the output of one, bit by bit. The real transforms destroy what they read, so their
 * operation begins with a copy of the input, which is counted in its bytes.
 *
 * Results do not depend on the number of threads, bit by bit. A team shares an operation where it
 * would do so in a propagation. One thread alone makes transforms, and, of fewer than 131072
 * points, what belongs to a source evaluation or to the windows: kinds 5 to 8 and 15.
 */
#ifndef LONGRUN_KERNELS_H
#define LONGRUN_KERNELS_H

#include "longrun/core.h"
#include "longrun/fft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this area. */
#define LONGRUN_KERNELS_ABI 1

/* A kernel with its arrays. */
typedef struct longrun_kernel longrun_kernel;

/* Kinds, with their input and output: arrays that follow each other without a gap, in the order
 * given, scalars first. A complex value is two doubles, (re, im). Indices are element by element
 * unless a sum says otherwise; n is `points`, m `raman_points`, p `order`.
 *
 * FLOP are the additions, subtractions, multiplications and divisions of the source, counted by
 * hand; a transform of n complex values counts as 5 n log2 n, one of n real values as half of that.
 * Bytes are those of the arrays that each pass of an operation reads and writes, once each; what
 * stays in a block of 256 elements is not counted.
 * `order` and `raman_points` are 0 for a kind that does not name them. */
enum {
    /* X_j = sum over l of x_l exp(-2 pi i j l / n), not normalised.
     * Input: complex x[n]. Output: complex X[n]. 5 n log2 n FLOP, 32 n bytes. */
    LONGRUN_KERNEL_FFT_FORWARD = 1,

    /* x_l = sum over j of X_j exp(+2 pi i j l / n), not normalised.
     * Input: complex X[n]. Output: complex x[n]. 5 n log2 n FLOP, 32 n bytes. */
    LONGRUN_KERNEL_FFT_INVERSE = 2,

    /* The first n/2 + 1 values of FFT_FORWARD for a real input.
     * Input: real x[n]. Output: complex X[n/2 + 1].
     * 2.5 n log2 n FLOP, 24 n + 16 (n/2 + 1) bytes. */
    LONGRUN_KERNEL_RFFT_FORWARD = 3,

    /* FFT_INVERSE of X continued by X_{n-j} = conj X_j; X_0 and X_{n/2} must be real.
     * Input: complex X[n/2 + 1]. Output: real x[n].
     * 2.5 n log2 n FLOP, 8 n + 48 (n/2 + 1) bytes. */
    LONGRUN_KERNEL_RFFT_INVERSE = 4,

    /* |A|^2, and 0 from n to m; m is n or 2 n.
     * Input: complex A[n]. Output: real D[m]. 3 n FLOP, 16 n + 8 m bytes. */
    LONGRUN_KERNEL_INTENSITY = 5,

    /* RFFT_INVERSE of H times RFFT_FORWARD of D, all of m values, with D from INTENSITY; m is n or
     * 2 n, H_0 and H_{m/2} must be real.
     * Input: complex H[m/2 + 1], A[n]. Output: real R[m].
     * 3 n + 6 (m/2 + 1) + 5 m log2 m FLOP, 16 n + 24 m + 80 (m/2 + 1) bytes. */
    LONGRUN_KERNEL_RAMAN_CONVOLUTION = 6,

    /* H D, of the half spectrum; m is n or 2 n.
     * Input: complex H[m/2 + 1], D[m/2 + 1]. Output: complex P[m/2 + 1].
     * 6 (m/2 + 1) FLOP, 48 (m/2 + 1) bytes. */
    LONGRUN_KERNEL_RAMAN_PRODUCT = 7,

    /* T A (kerr |A|^2 + R).
     * Input: kerr; complex A[n]; real R[n], T[n]. Output: complex P[n]. 9 n FLOP, 48 n bytes. */
    LONGRUN_KERNEL_POLARISE = 8,

    /* e^{i r h}: the exponentials of a new step, without loss.
     * Input: h; real r[n]. Output: complex E[n]. 39 n FLOP, 24 n bytes. */
    LONGRUN_KERNEL_EXPONENTIALS = 9,

    /* e^x and, for q = 0 to p, psi_q(x) = integral of e^{(1 - s) x} s^q over s from 0 to 1, with
     * x = i r h; p is 1 to 6.
     * Input: h; real r[n]. Output: complex E[n], psi_0[n], ... psi_p[n].
     * (56 + 9 p) n FLOP, where |x| < 2 one more each; (8 + 16 (p + 2)) n bytes. */
    LONGRUN_KERNEL_MOMENTS = 10,

    /* Sum over all l of |x_l|^2, in an order that only n decides.
     * Input: complex x[n]. Output: real S. 4 n FLOP, 16 n bytes. */
    LONGRUN_KERNEL_SUM_SQUARES = 11,

    /* Stage p of Dormand-Prince 5(4) in the interaction picture, without loss; p is 1 to 5: stage 0
     * is stage 6 of the step before, and stage 6 is RK_ERROR, which has no sum to form. With
     * E_1 = x^2, E_2 = x^3, E_3 = x^8, E_4 = v, E_5 = E_6 = x^10:
     *   k_p = conj(E_p) w N,  Y = E_{p+1} (y + h sum over j from 0 to p of a_{p+1,j} k_j)
     * and for p = 5 also Z = E_6 h sum over j from 0 to 5 of e_j k_j. The coefficients are
     *   a_2 = (3/40, 9/40),  a_3 = (44/45, -56/15, 32/9),
     *   a_4 = (19372/6561, -25360/2187, 64448/6561, -212/729),
     *   a_5 = (9017/3168, -355/33, 46732/5247, 49/176, -5103/18656),
     *   a_6 = (35/384, 0, 500/1113, 125/192, -2187/6784, 11/84),
     *   e = (71/57600, 0, -71/16695, 71/1920, -17253/339200, 22/525).
     * v is read for p = 3 and 4 only, k_1 not for p = 5.
     * Input: h; complex N[n], w[n], y[n], x[n], v[n], k_0[n], ... k_{p-1}[n].
     * Output: complex k_p[n], Y[n], and for p = 5 Z[n].
     * (38, 54, 52, 62, 86) n FLOP and 16 (7, 8, 10, 11, 11) n bytes for p = 1 to 5. */
    LONGRUN_KERNEL_RK_STAGE = 12,

    /* Prediction of `multistep` with p slopes; p is 1 to 6. Sums over j from 0 to p - 1:
     *   Y = E y + sum W_j N_j,  M = sum b_j N_j.
     * Input: b_0, ... b_{p-1}; complex y[n], E[n], W_0[n], ... W_{p-1}[n], N_0[n], ... N_{p-1}[n].
     * Output: complex Y[n], M[n]. (12 p + 4) n FLOP, 16 (2 p + 4) n bytes. */
    LONGRUN_KERNEL_ADAMS_PREDICT = 13,

    /* Correction of `multistep`, with the sums of the error and of the norm:
     *   G = w N - M,  Z = Y + C G,  S = sum over all l of |C_l G_l|^2,  Q = the same of |Z_l|^2.
     * Input: complex N[n], w[n], M[n], C[n], Y[n]. Output: S, Q; complex G[n], Z[n].
     * 24 n FLOP, 112 n bytes. */
    LONGRUN_KERNEL_ADAMS_CORRECT = 14,

    /* The windows after a step: Z = FFT_FORWARD{ t FFT_INVERSE{ s Y } } / n, and the norm of it.
     * Input: real s[n], t[n]; complex Y[n]. Output: sqrt(sum over all l of |Z_l|^2); complex Z[n].
     * 10 n + 10 n log2 n FLOP, 176 n bytes. */
    LONGRUN_KERNEL_ABSORB = 15,

    /* Stage 6 of Dormand-Prince 5(4), which ends a step: its slope, the error with its last term,
     * and the sum of that, for Z of RK_STAGE with p = 5 and e_6 = -1/40:
     *   k = w N,  E = Z + h e_6 k,  S = sum over all l of |E_l|^2.
     * Input: h; complex N[n], w[n], Z[n]. Output: S; complex k[n], E[n].
     * 14 n FLOP, 80 n bytes. */
    LONGRUN_KERNEL_RK_ERROR = 16
};

/* A kernel. */
typedef struct longrun_kernel_problem {
    int64_t struct_size;
    int32_t kind;         /* LONGRUN_KERNEL_... */
    int32_t order;        /* p */
    int64_t points;       /* n: even, at least 4 */
    int64_t raman_points; /* m */
} longrun_kernel_problem;

/* What one operation does. */
typedef struct longrun_kernel_work {
    int64_t struct_size;
    double flops;             /* as above */
    double bytes;             /* as above */
    int64_t threads_observed; /* distinct threads that did work since the last set_input */
} longrun_kernel_work;

/* Allocates everything and plans the FFTs, from `wisdom` unless that is null. `threads` >= 1 is
 * the size of the team where one is at work. */
LONGRUN_API int32_t longrun_kernel_create(const longrun_kernel_problem* problem, int64_t threads,
                                          longrun_fft_wisdom* wisdom, longrun_kernel** kernel);

/* Frees the kernel; null is allowed. */
LONGRUN_API void longrun_kernel_destroy(longrun_kernel* kernel);

/* Number of doubles of the input; 0 for null. */
LONGRUN_API int64_t longrun_kernel_inputs(const longrun_kernel* kernel);

/* Number of doubles of the output; 0 for null. */
LONGRUN_API int64_t longrun_kernel_outputs(const longrun_kernel* kernel);

/* Copies the input. `count` must be `longrun_kernel_inputs`, and every value finite; otherwise the
 * kernel stays as it was. */
LONGRUN_API int32_t longrun_kernel_set_input(longrun_kernel* kernel, const double* input,
                                             int64_t count);

/* Does the operation `ops` times, at least once, each time from the same input. */
LONGRUN_API int32_t longrun_kernel_run(longrun_kernel* kernel, int64_t ops);

/* The output of the operations since the last set_input, of which there must be one. `count` must
 * be `longrun_kernel_outputs`. What is not finite is not looked for. */
LONGRUN_API int32_t longrun_kernel_get_output(const longrun_kernel* kernel, double* output,
                                              int64_t count);

/* What one operation does. */
LONGRUN_API int32_t longrun_kernel_get_work(const longrun_kernel* kernel,
                                            longrun_kernel_work* work);

/* One line for each FFT plan in use, for digests; empty without one. Valid until destroy; never
 * null. */
LONGRUN_API const char* longrun_kernel_fft_plans(const longrun_kernel* kernel);

#ifdef __cplusplus
}
#endif

#endif
