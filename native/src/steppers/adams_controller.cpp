#include "steppers/adams_controller.hpp"

#include <algorithm>
#include <cmath>

namespace longrun {
namespace {

constexpr double kSafety = 0.9;
constexpr double kSafetyRejected = 0.85;
constexpr double kShrinkMax = 0.2;
constexpr double kGrowthMax = 2.0;
// Factors between these two leave the step as it is.
constexpr double kKeepFrom = 0.95;
constexpr double kKeepTo = 1.15;

}  // namespace

double AdamsController::after_acceptance(double error, int order, int rejections) noexcept {
    // An error of 0 gives infinity, and so the largest growth.
    const double wanted = kSafety * std::pow(error, -1.0 / (order + 1));
    // What was just rejected is not to be tried again at once.
    const double growth_max = rejections > 0 ? 1.0 : kGrowthMax;
    const double factor = std::clamp(wanted, kShrinkMax, growth_max);
    return factor >= kKeepFrom && factor <= kKeepTo ? 1.0 : factor;
}

double AdamsController::after_rejection(double error, int order) const noexcept {
    return std::max(kShrinkMax, kSafetyRejected * std::pow(error, -1.0 / (order + 1)));
}

}  // namespace longrun
