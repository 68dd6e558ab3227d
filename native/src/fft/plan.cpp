#include "fft/plan.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>

#include "longrun/core.h"

namespace longrun {
namespace {

fftw_complex* raw(Complex* array) noexcept {
    return reinterpret_cast<fftw_complex*>(array);
}

/// "fftw-3.3.10-sse2-avx" becomes "FFTW 3.3.10 (sse2 avx)".
std::array<char, 128> describe_provider() noexcept {
    std::array<char, 128> text{};
    const char* version = std::strchr(fftw_version, '-');
    version = version == nullptr ? fftw_version : version + 1;
    const char* features = std::strchr(version, '-');
    if (features == nullptr) {
        std::snprintf(text.data(), text.size(), "FFTW %s", version);
        return text;
    }
    std::snprintf(text.data(), text.size(), "FFTW %.*s (%s)", static_cast<int>(features - version),
                  version, features + 1);
    for (char* c = std::strchr(text.data(), '('); c != nullptr && *c != '\0'; ++c)
        if (*c == '-')
            *c = ' ';
    return text;
}

}  // namespace

const char* fft_provider() noexcept {
    static const std::array<char, 128> text = describe_provider();
    return text.data();
}

std::string Plan::named(const std::string& kind, int64_t points) {
    if (points < 1 || points > std::numeric_limits<int>::max())
        throw std::runtime_error("the FFT length is outside what FFTW can plan");
    return kind + " " + std::to_string(points);
}

fftw_plan Plan::made(fftw_plan plan) {
    if (plan == nullptr)
        throw std::runtime_error("FFTW made no plan");
    return plan;
}

Plan::~Plan() {
    Planner::destroy(plan_);
}

std::string Plan::text() const {
    const std::unique_ptr<char, decltype(&std::free)> raw_text(fftw_sprint_plan(plan_), &std::free);
    if (raw_text == nullptr)
        throw std::bad_alloc();
    std::string line = transform_ + ": ";
    bool space = true;
    for (const char* c = raw_text.get(); *c != '\0'; ++c) {
        const bool blank = *c == '\n' || *c == ' ' || *c == '\t';
        if (!blank)
            line += *c;
        else if (!space)
            line += ' ';
        space = blank;
    }
    return line;
}

BackwardPlan::BackwardPlan(const Planner& planner, int64_t points, Complex* in, Complex* out)
    : Plan(planner, "c2c backward", points, [=](unsigned flags) {
          return fftw_plan_dft_1d(static_cast<int>(points), raw(in), raw(out), FFTW_BACKWARD,
                                  flags | FFTW_PRESERVE_INPUT);
      }) {}

void BackwardPlan::execute(const Complex* in, Complex* out) const noexcept {
    // FFTW takes no pointer to const; FFTW_PRESERVE_INPUT promises not to write.
    fftw_execute_dft(plan_, raw(const_cast<Complex*>(in)), raw(out));
}

ForwardPlan::ForwardPlan(const Planner& planner, int64_t points, Complex* in, Complex* out)
    : Plan(planner, "c2c forward, input kept", points, [=](unsigned flags) {
          return fftw_plan_dft_1d(static_cast<int>(points), raw(in), raw(out), FFTW_FORWARD,
                                  flags | FFTW_PRESERVE_INPUT);
      }) {}

void ForwardPlan::execute(const Complex* in, Complex* out) const noexcept {
    // As above.
    fftw_execute_dft(plan_, raw(const_cast<Complex*>(in)), raw(out));
}

RealForwardPlan::RealForwardPlan(const Planner& planner, int64_t points, double* in, Complex* out)
    : Plan(planner, "r2c", points, [=](unsigned flags) {
          return fftw_plan_dft_r2c_1d(static_cast<int>(points), in, raw(out),
                                      flags | FFTW_DESTROY_INPUT);
      }) {}

void RealForwardPlan::execute(double* in, Complex* out) const noexcept {
    fftw_execute_dft_r2c(plan_, in, raw(out));
}

RealBackwardPlan::RealBackwardPlan(const Planner& planner, int64_t points, Complex* in, double* out)
    : Plan(planner, "c2r", points, [=](unsigned flags) {
          return fftw_plan_dft_c2r_1d(static_cast<int>(points), raw(in), out,
                                      flags | FFTW_DESTROY_INPUT);
      }) {}

void RealBackwardPlan::execute(Complex* in, double* out) const noexcept {
    fftw_execute_dft_c2r(plan_, raw(in), out);
}

PlanePlan::PlanePlan(const Planner& planner, Direction direction, int64_t rows, int64_t columns,
                     Complex* plane)
    : Plan(planner,
           std::string(direction == Direction::kForward ? "c2c forward" : "c2c backward") + " of " +
               std::to_string(rows) + " rows in place,",
           rows * columns, [=](unsigned flags) {
               return fftw_plan_dft_2d(
                   static_cast<int>(rows), static_cast<int>(columns), raw(plane), raw(plane),
                   direction == Direction::kForward ? FFTW_FORWARD : FFTW_BACKWARD, flags);
           }) {}

void PlanePlan::execute(Complex* plane) const noexcept {
    fftw_execute_dft(plan_, raw(plane), raw(plane));
}

}  // namespace longrun

extern "C" const char* longrun_fft_provider(void) {
    return longrun::fft_provider();
}
