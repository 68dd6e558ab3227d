#include "steppers/controller.hpp"

#include <algorithm>
#include <cmath>

namespace longrun {
namespace {

// A remainder that exceeds the step by less than this is taken whole.
constexpr double kSliver = 1.0001;

}  // namespace

Controller::Controller(const Tolerances& tolerances) noexcept
    : tolerances_(tolerances), step_(std::min(tolerances.initial_step, tolerances.max_step)) {}

void Controller::restart() noexcept {
    step_ = std::min(tolerances_.initial_step, tolerances_.max_step);
    rejections_ = 0;
    forget();
}

Proposal Controller::propose(double z, double length) const noexcept {
    const double rest = length - z;
    if (rest <= kSliver * step_)
        return {rest, true};
    return {step_, false};
}

double Controller::relative_error(double estimate, double before, double after) const noexcept {
    // A norm that is no number must come through; `std::max` could drop it.
    if (!std::isfinite(before) || !std::isfinite(after))
        return NAN;
    return estimate / (tolerances_.rtol * std::max({before, after, tolerances_.atol}));
}

bool Controller::judge(double step, double error, int order) noexcept {
    if (!(error <= 1)) {
        step_ = std::isfinite(error) ? step * after_rejection(error, order) : step / 2;
        ++rejections_;
        return false;
    }
    step_ = std::min(step * after_acceptance(error, order, rejections_), tolerances_.max_step);
    rejections_ = 0;
    return true;
}

}  // namespace longrun
