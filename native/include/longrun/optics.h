/* Longrun native library, area `optics`: propagation of ultrashort pulses along z.
 *
 * A propagation integrates dY/dz = L Y + N(Y) for the stored spectrum Y, the unnormalised
 * forward FFT (kernel exp(-i w t)) of the field; L is diagonal. The caller sets up the physics
 * (materials, grids, launch) and hands over plain arrays; the library takes the steps.
 *
 * Life of a handle: create, then any number of { set_state, advance/observe ..., get_state },
 * then destroy. Between create and destroy nothing is allocated and nothing is planned.
 */
#ifndef LONGRUN_OPTICS_H
#define LONGRUN_OPTICS_H

#include "longrun/core.h"
#include "longrun/fft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this area. */
#define LONGRUN_OPTICS_ABI 2

/* A propagation in progress. */
typedef struct longrun_propagation longrun_propagation;

/* Integrators. */
enum {
    /* Dormand-Prince 5(4) in the interaction picture, error-controlled.
     * J. R. Dormand and P. J. Prince, J. Comput. Appl. Math. 6, 19 (1980). */
    LONGRUN_STEPPER_RK = 1,
    /* Fourth-order Runge-Kutta in the interaction picture, on a schedule of steps.
     * J. Hult, J. Lightwave Technol. 25, 3770 (2007). */
    LONGRUN_STEPPER_RK4IP = 2,
    /* Exponential Adams predictor-corrector (ETD) of variable step, error-controlled.
     * S. M. Cox and P. C. Matthews, J. Comput. Phys. 176, 430 (2002). */
    LONGRUN_STEPPER_MULTISTEP = 3,
    /* Adams predictor-corrector of variable step in the interaction picture, error-controlled.
     * J. D. Lawson, SIAM J. Numer. Anal. 4, 372 (1967). */
    LONGRUN_STEPPER_MULTISTEP_INTERACTION = 4
};

/* How the steps are taken. */
typedef struct longrun_stepper {
    int64_t struct_size;
    int32_t kind;    /* LONGRUN_STEPPER_... */
    int32_t order;   /* order of the predictor of the multistep kinds, 1 to 6; 0: the stepper's
                      * default, 5, and the only value for other kinds */
    double length_m; /* end of the guide: the last step is clipped to hit it exactly */
    double rtol;     /* relative tolerance of one step, L2 norm of the whole state */
    double atol;     /* absolute floor of that norm */
    double initial_step_m;
    double max_step_m;
    /* Steps to take instead of controlling the error (m), or null. A fixed schedule is one of
     * equal steps; a replayed run is one of recorded steps. Required for RK4IP. Copied. */
    const double* schedule_m;
    int64_t schedule_count;
} longrun_stepper;

/* The generalised nonlinear Schrödinger equation on an envelope grid (docs/cases.md):
 *
 *   dY/dz = L Y + s(w) F{ T(t) A [ kerr |A|^2 + raman (h * |A|^2) ] },   A = F^-1{Y}
 *
 * with F the unnormalised forward FFT. */
typedef struct longrun_gnlse_problem {
    int64_t struct_size;
    int64_t points;                /* n: samples of the time grid; even, at least 4 */
    double time_step_s;            /* dt */
    double carrier_rad_s;          /* w0 */
    const double* linear;          /* complex, n: L(w) in 1/m; 0 outside the valid set */
    const double* source;          /* complex, n: s(w) in 1/(W m), windows and -i gamma included;
                                    * 0 outside the valid set */
    const double* time_window;     /* real, n: T(t); null: 1 everywhere */
    double kerr_fraction;          /* 1 - f_R */
    double raman_fraction;         /* f_R; 0: no Raman response, `raman` is not read */
    int64_t raman_points;          /* m: length of the convolution, n or 2 n (zero-padded) */
    const double* raman;           /* complex, m/2 + 1: dt times the FFT of h on the m-point grid */
    const double* absorb_spectral; /* real, n: applied after every accepted step; null: none */
    const double* absorb_temporal; /* real, n: the same in time; null: none.
                                    * Both or neither. */
} longrun_gnlse_problem;

/* What the samples in time are. */
enum {
    LONGRUN_FIELD_REAL = 1,    /* the real field; its spectrum has the bins 0 to points/2 */
    LONGRUN_FIELD_ENVELOPE = 2 /* the complex envelope; `points` bins in FFT order */
};

/* A capillary whose pressure changes along it: closed forms, nothing tabulated in z.
 *
 *   p(z) = sqrt(p0^2 + (z / length) (p1^2 - p0^2)),    p = rho k T (1 + virial rho)
 *   n_m^2 = 1 + rho(z) chi(w) - waveguide_m(w),  beta = (w/c) Re n,  alpha = 2 (w/c) Im n
 *   L_m = -i (beta_m - beta_1 w) - alpha_m / 2                   of a real field
 *   L_m = -i (beta_m - beta_1 (w - w0) - beta_0) - alpha_m / 2   of an envelope
 *
 * with beta_0 and beta_1 of mode 0 at the carrier w0 and at z, and L = 0 where `omega` is 0. L and
 * the index are those of the middle of a step throughout the step. */
typedef struct longrun_gradient {
    int64_t struct_size;
    double inlet_pa;               /* p0 */
    double outlet_pa;              /* p1 */
    double length_m;               /* over which the pressure changes */
    double temperature_k;          /* T */
    double virial_m3;              /* second virial coefficient per molecule */
    const double* susceptibility;  /* real, bins: chi over density, m^3 */
    const double* waveguide;       /* complex, modes x bins: what is subtracted */
    double carrier_susceptibility; /* chi over density at the carrier, m^3 */
    double susceptibility_slope;   /* its derivative there, m^3 s */
    double carrier_waveguide[2];   /* complex: waveguide term of mode 0 at the carrier */
    double waveguide_slope[2];     /* complex: its derivative there, s */
    double index_min;              /* Re n is at least this; above 0 */
    double max_loss_per_m;         /* alpha is at most this, and at least 0 */
    int32_t loss;                  /* 1: alpha acts; 0: it is 0 */
    int32_t over_index;            /* 1: the source of each mode is divided by Re n; 0: not */
} longrun_gradient;

/* Rates of ionisation over the modulus of the field, as a cubic of ln W in each cell:
 *
 *   W = exp(c0 + t (c1 + t (c2 + t c3)))  in 1/s, where t is the fraction of the cell
 *
 * Below the first cell W is 0. A field beyond the last one ends a run. */
typedef struct longrun_rate_table {
    int64_t struct_size;
    double first_field_v_m;
    double step_v_m;
    int64_t cells;
    const double* coefficients; /* cells x 4 */
    double ionisation_energy_j; /* I */
} longrun_rate_table;

/* Modes that meet in the polarisation at nodes of the cross-section (docs/cases.md):
 *
 *   dY_m/dz = L_m Y_m + s_m(w) sum_j W_mj F{ T(t) P( sum_n E_jn F^-1{Y_n} ) }
 *
 * The state is mode-major: `modes` spectra of as many bins as the field has. P is evaluated on
 * `fine_points` samples over the same window:
 *
 *   P(E) = rho(z) [ E (kerr |E|^2 + (h * |E|^2)) + plasma ]
 *
 * The plasma term of a real field is the time integral of J = integral f e^2/m_e E dt + I W (1 - f)
 * / E, in cumulative trapezoids, with f = 1 - exp(-integral W dt); that of an envelope is
 * -e^2/(m_e w^2) F{T f E} + F{T 2 I W (1 - f) E / |E|^2} / (i w). */
typedef struct longrun_guided_problem {
    int64_t struct_size;
    int32_t field;           /* LONGRUN_FIELD_... */
    int32_t density_follows; /* 1: rho is that of the gradient; 0: it is `density` */
    int64_t points;          /* n: samples of the grid of the state; even, at least 4 */
    int64_t fine_points;     /* even; at least n of a real field, n of an envelope */
    int64_t modes;
    int64_t nodes;
    double time_step_s;               /* dt of the grid of the state */
    double carrier_rad_s;             /* w0 */
    double energy_scale;              /* energy of a mode in J over the sum of |Y|^2, without the
                                       * bins 0 and n/2 of a real field */
    const double* omega;              /* real, bins: w; 0 outside the valid set */
    const double* synthesis;          /* real, nodes x modes: E */
    const double* projection;         /* real, modes x nodes: W */
    const double* linear;             /* complex, modes x bins: L; null with `gradient` */
    const longrun_gradient* gradient; /* null with `linear` */
    const double* source;             /* complex, modes x bins: s with the spectral window, 0
                                       * outside the valid set; without 1 / Re n where the
                                       * gradient divides by it */
    double density;                   /* rho, where it does not follow the gradient */
    double kerr;
    int64_t raman_points;            /* m: length of the convolution, `fine_points` or twice */
    const double* raman;             /* complex, m/2 + 1: dt times the FFT of h; null: none */
    const longrun_rate_table* rates; /* null: no plasma */
    const double* absorb_spectral;   /* real, bins, 0 to 1: after every accepted step, to the power
                                      * of its length over `absorb_length_m` */
    const double* absorb_temporal;   /* real, n: the same in time */
    const double* time_window;       /* real, fine_points: T. All three windows, or null for all */
    double absorb_length_m;          /* read with the windows; above 0 */
    int64_t carrier_bin;             /* whose L of mode 0 `multistep` turns the source back by */
    const double* harmonic;          /* real, bins: how many times it; null: it does not */
} longrun_guided_problem;

/* A real field over a plane, sampled in x, y and time (docs/cases.md):
 *
 *   dY/dz = L Y - i strength(w) / max(k_z, grazing K) F{ T(t) P( F^-1{Y} ) }
 *   k_z^2 = K(w)^2 - k_x^2 - k_y^2
 *   L = -i (k_z - frame w)                                      where k_z is real
 *   L = -min(|k_z|, evanescent_max) + i frame w, and no source  elsewhere
 *
 * with F the unnormalised forward FFT over x, y and t, and P as in a guided problem. The state has
 * the bins `first_bin` to `first_bin + bins - 1` of half a spectrum, plane after plane: value
 * (bin columns_y + iy) columns_x + ix, with k_y and k_x in FFT order. On the other bins the field
 * is 0. Sample i of an axis is at (i - columns / 2) of its step. */
typedef struct longrun_cartesian_problem {
    int64_t struct_size;
    int64_t points;      /* n: samples of the time grid of the state; even, at least 4 */
    int64_t fine_points; /* on which P is evaluated; even, at least n */
    int64_t first_bin;   /* at least 1 */
    int64_t bins;        /* at least 1; first_bin + bins is at most n/2 */
    int64_t columns_x;   /* even, at least 4 */
    int64_t columns_y;   /* even, at least 4 */
    double time_step_s;
    double energy_scale;             /* energy in J over the sum of |Y|^2 */
    double frame_s_per_m;            /* 1 over the speed of the frame */
    double evanescent_max_per_m;     /* above 0 */
    double grazing;                  /* above 0, at most 1 */
    const double* omega;             /* real, bins: w in rad/s; positive */
    const double* wavenumber;        /* real, bins: K = n w / c in rad/m; positive */
    const double* strength;          /* real, bins: mu_0 w^2 / 2 with the spectral window */
    const double* k_x;               /* real, columns_x, rad/m */
    const double* k_y;               /* real, columns_y, rad/m */
    double density;                  /* rho, 1/m^3; 1 where `kerr` is that of a solid */
    double kerr;                     /* rho kerr = eps_0 chi_3, C m/V^3 */
    const longrun_rate_table* rates; /* null: no plasma */
    const double* absorb_spectral;   /* real, bins, 0 to 1: after every accepted step, to the power
                                      * of its length over `absorb_length_m` */
    const double* absorb_temporal;   /* real, n: the same in time */
    const double* absorb_x;          /* real, columns_x: the same over x */
    const double* absorb_y;          /* real, columns_y: the same over y */
    const double* time_window;       /* real, fine_points: T. All five windows, or null for all */
    double absorb_length_m;          /* read with the windows; above 0 */
} longrun_cartesian_problem;

/* What has been counted since the last `longrun_propagation_set_state`. */
typedef struct longrun_propagation_counts {
    int64_t struct_size;
    int64_t accepted;
    int64_t rejected;
    int64_t evaluations; /* calls of N, rejected and start-up ones included */
    int64_t absorptions;
    int64_t observations;
    int64_t absorb_ns;        /* wall time inside absorb */
    int64_t observe_ns;       /* wall time inside observe */
    int64_t threads_observed; /* distinct threads that did work */
} longrun_propagation_counts;

/* Where the wall time went, as the leader of the team sees it, waiting for the others included,
 * since the last `longrun_propagation_set_state` and only while it was asked for: otherwise zeros.
 * Bookkeeping between steps is in none of the parts. */
typedef struct longrun_propagation_parts {
    int64_t struct_size;
    int64_t fft_ns;       /* transforms of source evaluations */
    int64_t pointwise_ns; /* the rest of source evaluations */
    int64_t stepper_ns;   /* the rest of attempts and of what follows an accepted one */
    int64_t absorb_ns;    /* absorb, its transforms included */
    int64_t observe_ns;   /* observe, its transforms included */
} longrun_propagation_parts;

/* Statistics of the field at one plane; of several modes, sums over them. Of a real field A is the
 * analytic signal. */
typedef struct longrun_plane_statistics {
    int64_t struct_size;
    double z_m;
    double energy_j;         /* dt / n * sum |Y|^2; of a guided problem `energy_scale` times it */
    double photon_number;    /* energy-weighted sum over 1 / (hbar w), w > 0 only */
    double peak_power_w;     /* max |A|^2 */
    double peak_time_s;      /* where; sample n/2 is t = 0 */
    double mean_omega_rad_s; /* energy-weighted mean of w */
    double rms_duration_s;   /* energy-weighted standard deviation of t */
} longrun_plane_statistics;

/* Builds an engine: copies every array, allocates everything and plans the FFTs, from `wisdom`
 * unless that is null. `threads` >= 1 is the size of the one team that works on a source
 * evaluation. */
LONGRUN_API int32_t longrun_gnlse_create(const longrun_gnlse_problem* problem,
                                         const longrun_stepper* stepper, int64_t threads,
                                         longrun_fft_wisdom* wisdom,
                                         longrun_propagation** propagation);

/* The same for modes in a guide. A library of this version may lack it and its structures: they
 * were added to it. */
LONGRUN_API int32_t longrun_guided_create(const longrun_guided_problem* problem,
                                          const longrun_stepper* stepper, int64_t threads,
                                          longrun_fft_wisdom* wisdom,
                                          longrun_propagation** propagation);

/* The same in free space around an axis: modes of a tube so wide that nothing is to reach its wall,
 * on the nodes of a quasi-discrete Hankel transform. `absorb_nodes`, real, nodes, 0 to 1, is a
 * window over the field at the nodes, which acts like those of the problem and needs them. A
 * library of this version may lack it: it was added to it. */
LONGRUN_API int32_t longrun_radial_create(const longrun_guided_problem* problem,
                                          const double* absorb_nodes,
                                          const longrun_stepper* stepper, int64_t threads,
                                          longrun_fft_wisdom* wisdom,
                                          longrun_propagation** propagation);

/* The same for a field over a plane. A library of this version may lack it and its structure. */
LONGRUN_API int32_t longrun_cartesian_create(const longrun_cartesian_problem* problem,
                                             const longrun_stepper* stepper, int64_t threads,
                                             longrun_fft_wisdom* wisdom,
                                             longrun_propagation** propagation);

/* Frees the engine; null is allowed. */
LONGRUN_API void longrun_propagation_destroy(longrun_propagation* propagation);

/* Number of complex values of the state. */
LONGRUN_API int64_t longrun_propagation_size(const longrun_propagation* propagation);

/* Puts the state at z and resets counters, controller and schedule: a restart.
 * `state` is complex with `longrun_propagation_size` values. On a schedule, z must be one of its
 * step boundaries. */
LONGRUN_API int32_t longrun_propagation_set_state(longrun_propagation* propagation, double z_m,
                                                  const double* state);

/* Takes accepted steps until the position has reached or passed `plane_m`, the end of the guide,
 * or `steps_max` accepted steps have been taken in this call. `*z_m` receives the position. The
 * steps do not depend on the planes asked for. */
LONGRUN_API int32_t longrun_propagation_advance(longrun_propagation* propagation, double plane_m,
                                                int64_t steps_max, double* z_m);

/* The field at a plane within the last step taken, by the stepper's own interpolation; at the
 * position itself it is the state. `intensity` receives |Y|^2 (real, size values) unless null. */
LONGRUN_API int32_t longrun_propagation_observe(longrun_propagation* propagation, double plane_m,
                                                longrun_plane_statistics* statistics,
                                                double* intensity);

/* Points of the cross-section at which the field is polarised: nodes of a guided problem, columns
 * of a Cartesian one, x fastest; 0 where there are none. A library of this version may lack this
 * function and the next two: they were added to it. */
LONGRUN_API int64_t longrun_propagation_nodes(const longrun_propagation* propagation);

/* The field at these points at a plane within the last step taken, as in `observe`, and counted as
 * no observation. With E the envelope, or the analytic signal of a real field: `fluence` receives
 * the integral of |E|^2 dt, `peak` the largest |E|^2; both real, nodes, and either may be null. */
LONGRUN_API int32_t longrun_propagation_observe_nodes(longrun_propagation* propagation,
                                                      double plane_m, double* fluence,
                                                      double* peak);

/* Energy in J that the windows over the cross-section have absorbed since the last restart. */
LONGRUN_API int32_t longrun_propagation_get_edge_energy(const longrun_propagation* propagation,
                                                        double* energy_j);

/* The state at the position. */
LONGRUN_API int32_t longrun_propagation_get_state(const longrun_propagation* propagation,
                                                  double* state);

/* What has been counted since the last restart. */
LONGRUN_API int32_t longrun_propagation_get_counts(const longrun_propagation* propagation,
                                                   longrun_propagation_counts* counts);

/* The step lengths accepted since the last restart, in metres: writes at most `capacity` of them
 * and puts their number into `*count`, which may be larger. */
LONGRUN_API int32_t longrun_propagation_get_steps(const longrun_propagation* propagation,
                                                  double* steps_m, int64_t capacity,
                                                  int64_t* count);

/* One line for each FFT plan in use, for digests. Valid until destroy; never null. */
LONGRUN_API const char* longrun_propagation_fft_plans(const longrun_propagation* propagation);

/* For measurement (docs/native.md): `count` source evaluations of the current state, which they
 * leave unchanged and do not count; the stepper's arrays are touched between them.
 * `*elapsed_ns` receives the wall time of the evaluations alone. */
LONGRUN_API int32_t longrun_propagation_bare_evaluations(longrun_propagation* propagation,
                                                         int64_t count, int64_t* elapsed_ns);

/* For measurement: the transforms of `count` source evaluations, executed alone. */
LONGRUN_API int32_t longrun_propagation_bare_transforms(longrun_propagation* propagation,
                                                        int64_t count, int64_t* elapsed_ns);

/* For measurement: from now on the parts of a run are timed (`on` 1) or not (`on` 0, as after
 * create). It changes no result. Timing reads the clock before and after each transform, each
 * evaluation and each part of a step. A library of this version may lack this function and the
 * next: both were added to it. */
LONGRUN_API int32_t longrun_propagation_time_parts(longrun_propagation* propagation, int32_t on);

/* Where the time went. Bare evaluations and transforms are left out. */
LONGRUN_API int32_t longrun_propagation_get_parts(const longrun_propagation* propagation,
                                                  longrun_propagation_parts* parts);

/* Bytes that one source evaluation must read and write once, its transforms aside. */
LONGRUN_API int64_t longrun_propagation_source_bytes(const longrun_propagation* propagation);

#ifdef __cplusplus
}
#endif

#endif
