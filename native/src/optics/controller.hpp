// Step-length control of an embedded pair: a pure function of the errors seen so far.
//
// PI controller with the constants of Luna.jl, and a cap on growth of our own, because a source
// that starts from nothing (err near 0) would otherwise jump to the longest step at once.
#pragma once

#include <cstdint>

namespace longrun {

/// Consecutive rejections after which the controller gives up.
constexpr int kRejectionsMax = 10;

/// What the controller works to; lengths in metres.
struct Tolerances {
    double rtol;
    double atol;
    double initial_step;
    double max_step;
};

/// The next attempt.
struct Proposal {
    double step;
    bool last; /* ends at the end of the guide */
};

class Controller {
 public:
    explicit Controller(const Tolerances& tolerances) noexcept;

    /// Forgets the past: a restart.
    void restart() noexcept;

    /// The step to try at `z`; clipped to end at `length`, without a sliver left for one more.
    Proposal propose(double z, double length) const noexcept;

    /// Error relative to the tolerance from L2 norms of the estimate and of the states before and
    /// after; acceptable up to 1.
    double relative_error(double estimate, double before, double after) const noexcept;

    /// Judges an attempt of length `step` and sets the next one. True: accepted.
    bool judge(double step, double relative_error) noexcept;

    /// Whether more than `kRejectionsMax` attempts in a row were rejected.
    bool gave_up() const noexcept { return rejections_ > kRejectionsMax; }

 private:
    Tolerances tolerances_;
    double step_;
    double previous_error_;
    int rejections_;
};

}  // namespace longrun
