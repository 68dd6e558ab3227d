// The fine grid of a problem: its step, and the window over it.
#pragma once

#include <algorithm>

#include "core/arena.hpp"
#include "longrun/optics.h"

namespace longrun::guided {

inline double fine_step_s(const longrun_guided_problem& problem) noexcept {
    return problem.time_step_s * static_cast<double>(problem.points) /
           static_cast<double>(problem.fine_points);
}

/// T(t) on the fine grid; 1 everywhere where the problem has none.
inline const double* time_window(Arena& arena, const longrun_guided_problem& problem) {
    if (problem.time_window != nullptr)
        return arena.copy(problem.time_window, problem.fine_points);
    double* window = arena.take<double>(problem.fine_points);
    std::fill_n(window, problem.fine_points, 1.0);
    return window;
}

}  // namespace longrun::guided
