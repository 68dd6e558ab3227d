// FFT plans in double precision, single-threaded, on arrays that the caller owns.
//
// A plan is made once on the real arrays with FFTW_MEASURE, which overwrites them. It may then be
// executed on any arrays of equal alignment, which all arrays of an `Arena` have. FFTW's planner
// is not thread-safe, so planning is serialised; executing needs no lock.
#pragma once

#include <fftw3.h>

#include <cstdint>
#include <string>

#include "core/complex.hpp"

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
    /// Takes the plan over; throws `std::runtime_error` where it is null.
    Plan(fftw_plan plan, const char* kind, int64_t points);

    fftw_plan plan_;

 private:
    const char* kind_;
    int64_t points_;
};

/// Complex to complex, unnormalised, kernel exp(+i w t). Keeps its input.
class BackwardPlan : public Plan {
 public:
    BackwardPlan(int64_t points, Complex* in, Complex* out);
    void execute(const Complex* in, Complex* out) const noexcept;
};

/// Complex to complex, unnormalised, kernel exp(-i w t). May destroy its input.
class ForwardPlan : public Plan {
 public:
    ForwardPlan(int64_t points, Complex* in, Complex* out);
    void execute(Complex* in, Complex* out) const noexcept;
};

/// Real to complex, unnormalised: `points` values to `points / 2 + 1`. May destroy its input.
class RealForwardPlan : public Plan {
 public:
    RealForwardPlan(int64_t points, double* in, Complex* out);
    void execute(double* in, Complex* out) const noexcept;
};

/// Complex to real, unnormalised: `points / 2 + 1` values to `points`. Destroys its input.
class RealBackwardPlan : public Plan {
 public:
    RealBackwardPlan(int64_t points, Complex* in, double* out);
    void execute(Complex* in, double* out) const noexcept;
};

}  // namespace longrun
