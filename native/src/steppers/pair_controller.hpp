// Control of an embedded Runge-Kutta pair: proportional and integral.
//
// Constants of Luna.jl, and a cap on growth of our own, because a source that starts from nothing
// (error near 0) would otherwise jump to the longest step at once.
#pragma once

#include "steppers/controller.hpp"

namespace longrun {

class PairController final : public Controller {
 public:
    explicit PairController(const Tolerances& tolerances) noexcept;

 private:
    void forget() noexcept override;
    double after_acceptance(double error, int order, int rejections) noexcept override;
    double after_rejection(double error, int order) const noexcept override;

    double previous_error_ = 0;
};

}  // namespace longrun
