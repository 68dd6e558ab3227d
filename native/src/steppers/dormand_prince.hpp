// Dormand-Prince 5(4) in the interaction picture, first same as last.
//
// Slopes are kept in the frame of the start of the step: k_i = e^{-L c_i h} N(y_i). All arrays
// are walked once per stage: the pass after an evaluation stores the slope, forms the sum of the
// next stage and turns it into that stage's frame. Exponentials at all nodes are products of the
// two that are stored, e^{L h/10} and e^{8 L h/9}.
#pragma once

#include <array>

#include "steppers/dormand_prince_tableau.hpp"
#include "steppers/stepper.hpp"

namespace longrun {

class DormandPrince final : public Stepper {
 public:
    DormandPrince(Arena& arena, Team& team, Source& source, const Diagonal& diagonal,
                  const ActiveSet& active, int64_t points);

    void restart() noexcept override;
    void operator_changed() noexcept override { exponent_h_ = 0; }
    Attempt attempt(double z_m, double h_m) noexcept override;
    void accept() noexcept override;
    void interpolate(const Worker& worker, double theta, Complex* out) const noexcept override;
    Complex* scratch() noexcept override { return slopes_[1]; }

 private:
    template <bool Lossless>
    void work(const Worker& worker, double z, double h) noexcept;
    template <int Stage, bool Lossless>
    void stage(const Worker& worker, double z, double h) noexcept;
    void slope_at_start(Range range) noexcept;
    void first_sum(Range range, double h) noexcept;
    template <bool Lossless>
    void dense_sum(Range range, double theta, Complex* out) const noexcept;

    // k_0 to k_5; once k_1 has been used for the last time, the error estimate is collected in its
    // place. k_6 is k_0 of the next step and kept apart until the step is accepted.
    std::array<Complex*, dormand_prince::kStages - 1> slopes_{};
    Complex* last_slope_; /* N(y_{n+1}), in the frame of the end; after `accept`, old k_0 */
    Complex* tenth_;      /* e^{L h/10} */
    Complex* ninths_;     /* e^{8 L h/9} */
    double* error_sums_;
    double exponent_h_ = 0; /* step that the exponentials belong to; 0: none */
    bool start_known_ = false;
};

}  // namespace longrun
