// Light that nears the wall is absorbed after every accepted step, at the nodes there: as much as
// over the length of that step.
//
// The window is 1 at most nodes. What it takes is formed at the others alone, E_j for each of them,
// and subtracted from the modes: Y_m <- Y_m - sum_j W_mj (1 - w_j) E_j / s. This is the window over
// all nodes as far as W E = s, which the rule of nodes decides.
#pragma once

#include <cstdint>
#include <vector>

#include "absorb/power_window.hpp"
#include "core/arena.hpp"
#include "core/blocks.hpp"
#include "core/spectra.hpp"
#include "core/team.hpp"
#include "longrun/optics.h"

namespace longrun::guided {

class Edge {
 public:
    /// Copies what it needs of a checked problem with windows. `window`, nodes values from 0 to 1.
    Edge(Arena& arena, const longrun_guided_problem& problem, const double* window);

    /// From now on the window is that of a step of `h_m`.
    void act_over(double h_m) noexcept { renew_ = !window_.turns_to(h_m); }

    /// Applies it to `state`. Collective; waits for the team at its start.
    void apply(const Worker& worker, Complex* state) noexcept;

 private:
    Edge(Arena& arena, const longrun_guided_problem& problem, const double* window,
         const std::vector<int64_t>& nodes);
    void scale(double factor, Complex* spectrum) const noexcept;

    int64_t modes_;
    int64_t bins_;
    int64_t nodes_;            /* at which the window is not 1 */
    const double* synthesis_;  /* nodes_ x modes */
    const double* projection_; /* modes x nodes_ */
    PowerWindow window_;       /* over nodes_ */
    double overlap_;           /* s */
    Spectra fields_;           /* nodes_ */
    bool renew_ = false;
};

}  // namespace longrun::guided
