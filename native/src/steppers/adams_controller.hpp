// Control of a variable-step multistep method: few changes of the step, none of them large.
//
// A step that stays keeps the tables of the stepper, so small changes are not made at all. Growth
// is limited: variable-step Adams formulas lose their stability where steps grow quickly (E.
// Hairer, S. P. Nørsett and G. Wanner, Solving Ordinary Differential Equations I, section III.5).
#pragma once

#include "steppers/controller.hpp"

namespace longrun {

class AdamsController final : public Controller {
 public:
    explicit AdamsController(const Tolerances& tolerances) noexcept : Controller(tolerances) {}

 private:
    void forget() noexcept override {}
    double after_acceptance(double error, int order, int rejections) noexcept override;
    double after_rejection(double error, int order) const noexcept override;
};

}  // namespace longrun
