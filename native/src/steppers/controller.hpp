// Step-length control: a pure function of the errors seen so far.
//
// What is common: a relative error of at most 1 is accepted, one that is no number halves the
// step, too many rejections in a row end the run, and the last step hits the end of the guide.
// How an error becomes the next step is the part of `PairController` (Runge-Kutta pairs) and
// `AdamsController` (multistep methods).
#pragma once

#include <cstdint>

namespace longrun {

/// Consecutive rejections after which a controller gives up.
constexpr int kRejectionsMax = 10;

/// What a controller works to; lengths in metres.
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
    virtual ~Controller() = default;

    /// Forgets the past: a restart.
    void restart() noexcept;

    /// The step to try at `z`; clipped to end at `length`, without a sliver left for one more.
    Proposal propose(double z, double length) const noexcept;

    /// Error relative to the tolerance from L2 norms of the estimate and of the states before and
    /// after; acceptable up to 1.
    double relative_error(double estimate, double before, double after) const noexcept;

    /// Judges an attempt of length `step`, whose error shrinks with the step to the power
    /// `order` + 1, and sets the next one. True: accepted.
    bool judge(double step, double relative_error, int order) noexcept;

    /// Whether more than `kRejectionsMax` attempts in a row were rejected.
    bool gave_up() const noexcept { return rejections_ > kRejectionsMax; }

 protected:
    explicit Controller(const Tolerances& tolerances) noexcept;

    /// What a restart forgets beside the step and the rejections.
    virtual void forget() noexcept = 0;

    /// Factor from an accepted step to the next; `error` of 0 to 1, `rejections` attempts before
    /// it in a row were rejected.
    virtual double after_acceptance(double error, int order, int rejections) noexcept = 0;

    /// Factor from a rejected step to the next attempt; `error` above 1.
    virtual double after_rejection(double error, int order) const noexcept = 0;

 private:
    Tolerances tolerances_;
    double step_;
    int rejections_ = 0;
};

}  // namespace longrun
