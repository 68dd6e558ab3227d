// How an FFT plan is made: from wisdom where there is some, anew where there is not.
//
// FFTW's planner and its wisdom are global to the process and not thread-safe. All planning of
// this library goes through one lock. Another library in the process that links the same FFTW has
// a lock of its own: whoever loads two must not plan in both at once. A plan from wisdom depends
// on its own piece alone. A plan made anew is that of any other engine of the process that was made
// anew: FFTW remembers.
#pragma once

#include <fftw3.h>

#include <cstdint>
#include <string>

#include "fft/wisdom.hpp"

namespace longrun {

class Planner {
 public:
    /// `wisdom` may be null; otherwise it must outlive the planner. `patience` scales the limits of
    /// time.
    explicit Planner(Wisdom* wisdom = nullptr, double patience = 1) noexcept
        : wisdom_(wisdom), patience_(patience) {}

    /// A plan for `transform`, its name in the wisdom, over `points`; `make(flags)` calls FFTW with
    /// the planner's flags added to those of the transform. Null where FFTW makes none.
    template <class Make>
    fftw_plan plan(const std::string& transform, int64_t points, const Make& make) const {
        return plan_with(transform, points, &call<Make>, &make);
    }

    static void destroy(fftw_plan plan) noexcept;

 private:
    using Call = fftw_plan (*)(const void* make, unsigned flags);

    template <class Make>
    static fftw_plan call(const void* make, unsigned flags) {
        return (*static_cast<const Make*>(make))(flags);
    }

    fftw_plan plan_with(const std::string& transform, int64_t points, Call planned,
                        const void* make) const;

    /// The plan that the wisdom holds, or null.
    fftw_plan known_plan(const std::string& transform, Call planned, const void* make) const;

    /// How hard, and how long at most, FFTW searches.
    struct Attempt {
        unsigned flags;
        double limit_s;
    };

    /// Plans with nothing known and adds what was learnt; false where FFTW makes no plan.
    bool learn(const std::string& transform, Attempt attempt, Call planned, const void* make) const;

    /// The plan that a run will find, after more effort was spent on it and added.
    fftw_plan prepared_plan(const std::string& transform, int64_t points, Call planned,
                            const void* make) const;

    Wisdom* wisdom_;
    double patience_;
};

}  // namespace longrun
