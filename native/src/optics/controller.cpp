#include "optics/controller.hpp"

#include <algorithm>
#include <cmath>

namespace longrun {
namespace {

constexpr double kSafety = 0.9;
constexpr double kTarget = 0.8;
constexpr double kProportional = 3.0 / 25;
constexpr double kIntegral = -1.0 / 25;
constexpr double kGrowthMax = 5.0;
constexpr double kGrowthWithoutError = 1.5;
constexpr double kShrinkMax = 0.1;
// A remainder that exceeds the step by less than this is taken whole.
constexpr double kSliver = 1.0001;

}  // namespace

Controller::Controller(const Tolerances& tolerances) noexcept : tolerances_(tolerances) {
    restart();
}

void Controller::restart() noexcept {
    step_ = std::min(tolerances_.initial_step, tolerances_.max_step);
    // Without a past, the previous error counts as on target: its factor is 1.
    previous_error_ = kTarget;
    rejections_ = 0;
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

bool Controller::judge(double step, double error) noexcept {
    if (!std::isfinite(error)) {
        step_ = step / 2;
        ++rejections_;
        return false;
    }
    if (error > 1) {
        step_ = step * std::max(kShrinkMax, kSafety * std::pow(error, -1.0 / 5));
        ++rejections_;
        return false;
    }
    double factor = kGrowthWithoutError;
    // An error of 0 says nothing about the next step, so it does not become the previous one.
    if (error > 0) {
        factor = kSafety * std::pow(kTarget / error, kProportional) *
                 std::pow(kTarget / previous_error_, kIntegral);
        previous_error_ = error;
    }
    step_ = std::min(step * std::min(factor, kGrowthMax), tolerances_.max_step);
    rejections_ = 0;
    return true;
}

}  // namespace longrun
