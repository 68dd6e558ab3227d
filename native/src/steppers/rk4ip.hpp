// Fourth-order Runge-Kutta in the interaction picture.
//
// J. Hult, J. Lightwave Technol. 25, 3770 (2007). The frame is that of the middle of the step, so
// that one exponential e^{L h/2}, computed anew when h changes, serves all stages. States may be as
// large as memory allows, so as few arrays are kept as stages and continuous extension need: the
// turned state is formed anew in each stage, and the two middle slopes are kept as their sum.
#pragma once

#include <array>

#include "steppers/stepper.hpp"

namespace longrun {

/// Weights of the continuous extension of order 3 at the fraction `theta` of the step; the second
/// serves both middle stages.
constexpr std::array<double, 3> rk4_dense_weights(double theta) noexcept {
    const double square = theta * theta;
    const double cube = 2 * square * theta / 3;
    return {theta - 1.5 * square + cube, square - cube, cube - 0.5 * square};
}

class Rk4ip final : public Stepper {
 public:
    Rk4ip(Arena& arena, Team& team, Source& source, const Diagonal& diagonal,
          const ActiveSet& active, int64_t points);

    void operator_changed() noexcept override { exponent_h_ = 0; }
    Attempt attempt(double z_m, double h_m) noexcept override;
    void accept() noexcept override;
    void interpolate(const Worker& worker, double theta, Complex* out) const noexcept override;
    Complex* scratch() noexcept override { return scratch_; }

 private:
    void work(const Worker& worker, double z, double h) noexcept;
    void first_stage(Range range, double h) noexcept;
    void second_stage(Range range, double h) noexcept;
    void third_stage(Range range, double h) noexcept;
    void last_stage(Range range, double h) noexcept;
    template <bool Lossless>
    void dense_sum(Range range, double theta, Complex* out) const noexcept;

    Complex* half_; /* e^{L h/2} */
    // Slopes: the first and the sum of the next two in the frame of the middle, the last in that of
    // the end.
    Complex* first_;
    Complex* middle_;
    Complex* last_;
    Complex* scratch_;
    double exponent_h_ = 0; /* step that the exponential belongs to; 0: none */
};

}  // namespace longrun
