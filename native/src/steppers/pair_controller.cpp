#include "steppers/pair_controller.hpp"

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

}  // namespace

PairController::PairController(const Tolerances& tolerances) noexcept : Controller(tolerances) {
    forget();
}

void PairController::forget() noexcept {
    // Without a past, the previous error counts as on target: its factor is 1.
    previous_error_ = kTarget;
}

double PairController::after_acceptance(double error, int, int) noexcept {
    // An error of 0 says nothing about the next step, so it does not become the previous one.
    if (error <= 0)
        return kGrowthWithoutError;
    const double factor = kSafety * std::pow(kTarget / error, kProportional) *
                          std::pow(kTarget / previous_error_, kIntegral);
    previous_error_ = error;
    return std::min(factor, kGrowthMax);
}

double PairController::after_rejection(double error, int order) const noexcept {
    return std::max(kShrinkMax, kSafety * std::pow(error, -1.0 / (order + 1)));
}

}  // namespace longrun
