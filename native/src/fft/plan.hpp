// FFT plans in double precision, single-threaded, on arrays that the caller owns.
//
// A plan is made once on the real arrays, which planning overwrites. It may then be executed on any
// arrays of equal alignment, which all arrays of an `Arena` have. Executing needs no lock.
#pragma once

#include <fftw3.h>

#include <cstdint>
#include <string>

#include "core/complex.hpp"
#include "fft/planner.hpp"

namespace longrun {

/// What the library was linked to, in one line: "FFTW 3.3.10 (sse2 avx)".
const char* fft_provider() noexcept;

/// Owner of one plan.
class Plan {
 public:
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;
    ~Plan();

    /// The plan as FFTW describes it, in one line.
    std::string text() const;

 protected:
    /// Plans `points` values of a transform of this kind; `make` as for `Planner::plan`. Throws
    /// `std::runtime_error` where FFTW makes no plan.
    template <class Make>
    Plan(const Planner& planner, const std::string& kind, int64_t points, const Make& make)
        : transform_(named(kind, points)), plan_(made(planner.plan(transform_, points, make))) {}

 private:
    static std::string named(const std::string& kind, int64_t points);
    static fftw_plan made(fftw_plan plan);

    std::string transform_; /* kind and points: its name in the wisdom */

 protected:
    fftw_plan plan_;
};

/// Complex to complex, unnormalised, kernel exp(+i w t). Keeps its input.
class BackwardPlan : public Plan {
 public:
    BackwardPlan(const Planner& planner, int64_t points, Complex* in, Complex* out);
    void execute(const Complex* in, Complex* out) const noexcept;
};

/// Complex to complex, unnormalised, kernel exp(-i w t). Keeps its input.
class ForwardPlan : public Plan {
 public:
    ForwardPlan(const Planner& planner, int64_t points, Complex* in, Complex* out);
    void execute(const Complex* in, Complex* out) const noexcept;
};

/// Real to complex, unnormalised: `points` values to `points / 2 + 1`. May destroy its input.
class RealForwardPlan : public Plan {
 public:
    RealForwardPlan(const Planner& planner, int64_t points, double* in, Complex* out);
    void execute(double* in, Complex* out) const noexcept;
};

/// Complex to complex over a plane of `rows` times `columns` values, columns contiguous;
/// unnormalised, kernel exp(-i w t) or exp(+i w t). In place.
class PlanePlan : public Plan {
 public:
    enum class Direction { kForward, kBackward };

    PlanePlan(const Planner& planner, Direction direction, int64_t rows, int64_t columns,
              Complex* plane);
    void execute(Complex* plane) const noexcept;
};

/// Complex to real, unnormalised: `points / 2 + 1` values to `points`. Destroys its input.
class RealBackwardPlan : public Plan {
 public:
    RealBackwardPlan(const Planner& planner, int64_t points, Complex* in, double* out);
    void execute(Complex* in, double* out) const noexcept;
};

}  // namespace longrun
