// What leaves the windows in frequency and time is absorbed after every accepted step, by mode: as
// much as over the length of that step.
//
// The team shares the modes; a thread has work arrays of its own. In free space light is absorbed
// where it nears the wall as well (`edge.hpp`).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absorb/power_window.hpp"
#include "core/arena.hpp"
#include "core/blocks.hpp"
#include "core/team.hpp"
#include "fft/plan.hpp"
#include "guided/edge.hpp"
#include "longrun/optics.h"

namespace longrun::guided {

class ModalAbsorber {
 public:
    /// Copies the windows of the problem, which must have been checked and have some, and the one
    /// over its nodes unless that is null. Plans.
    ModalAbsorber(Arena& arena, const Planner& planner, const longrun_guided_problem& problem,
                  const double* absorb_nodes, int threads);

    /// From now on the windows are those of a step of `h_m`.
    void act_over(double h_m) noexcept;

    /// state <- F{ temporal F^-1{ spectral state } } for each mode, and then the edge. Collective;
    /// waits for the team at its start, and where there is an edge.
    void apply(const Worker& worker, Complex* state) noexcept;

    /// One line for each FFT plan.
    std::string plans() const;

    /// L2 norm of what `apply` has left.
    double norm() const noexcept;

    /// What the edge took of the sum of squares, by the last `apply`.
    double taken_by_edge() const noexcept;

 private:
    struct Lane {
        Complex* spectrum; /* bins */
        double* time;      /* n reals, or n complex values */
    };

    void absorb_mode(const Lane& lane, Complex* state) const noexcept;
    void sum_mode(const Complex* state, double* sums) const noexcept;
    double total(const double* sums) const noexcept;

    int64_t points_;
    int64_t modes_;
    Blocks bins_;
    PowerWindow spectral_;
    PowerWindow temporal_; /* with the 1/n of the inverse transform */
    bool renew_ = false;
    double* sums_; /* of each block of each mode */
    std::optional<Edge> edge_;
    double* sums_before_edge_; /* null without one */
    std::vector<Lane> lanes_;
    std::optional<RealBackwardPlan> real_backward_;
    std::optional<RealForwardPlan> real_forward_;
    std::optional<BackwardPlan> backward_;
    std::optional<ForwardPlan> forward_;
};

}  // namespace longrun::guided
