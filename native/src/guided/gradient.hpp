// A capillary whose pressure changes along it.
//
//   p(z) = sqrt(p0² + (z / length) (p1² - p0²)),   p = rho k T (1 + virial rho)
//   n_m² = 1 + rho(z) chi(w) - waveguide_m(w)
//
// E. A. J. Marcatili and R. A. Schmeltzer, Bell Syst. Tech. J. 43, 1783 (1964), for the waveguide
// term; the square of the pressure of a steady viscous flow falls evenly.
//
// beta and beta_1 w are equal to four digits and more, so their difference is not formed from them:
// both are counted from the vacuum, where it is known exactly.
#pragma once

#include <cstdint>

#include "core/arena.hpp"
#include "core/blocks.hpp"
#include "core/complex.hpp"
#include "longrun/optics.h"
#include "steppers/diagonal.hpp"

namespace longrun::guided {

class Gradient final : public Profile {
 public:
    /// Copies the arrays of the problem, which must have been checked and have a gradient. Where
    /// the source is to be divided by the index, `weight`, which must outlive this, becomes the
    /// quotient whenever the operator becomes that of a place.
    Gradient(Arena& arena, const longrun_guided_problem& problem, int64_t bins, Complex* weight);

    /// Density at `z_m`, per m³: the root of the equation of state that is p / (k T) where the
    /// virial coefficient is 0.
    double density(double z_m) const noexcept;

    bool lossless() const noexcept { return !loss_; }

    /// About 60 FLOP, 2 roots and 3 divisions among them; 32 B read and 16 B written per element,
    /// 16 B more of each where the source is divided.
    void at(double z_m, Range range, double* gain, double* rate) noexcept override;

 private:
    /// What the frame takes away at a place, over the phase of vacuum.
    struct Frame {
        double per_omega; /* factor of w / c; of (w - w0) / c for an envelope */
        double constant;  /* 1/m */
    };

    Frame frame(double density) const noexcept;

    bool real_field_;
    bool loss_;
    int64_t bins_;
    double inlet_square_;
    double square_per_m_; /* change of the square of the pressure */
    double thermal_;      /* k T */
    double virial_;
    double carrier_;
    double carrier_susceptibility_;
    double susceptibility_slope_;
    Complex carrier_waveguide_;
    Complex waveguide_slope_;
    double index_min_;
    double max_loss_;
    const double* omega_;          /* bins */
    const double* susceptibility_; /* bins */
    const Complex* waveguide_;     /* modes x bins */
    const Complex* source_;        /* modes x bins; null: it is not divided */
    Complex* weight_;
};

}  // namespace longrun::guided
