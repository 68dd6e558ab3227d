// The window over the fine grid.
#pragma once

#include <algorithm>

#include "core/arena.hpp"
#include "polarisation/setting.hpp"

namespace longrun::polarisation {

/// T(t) on the fine grid; 1 everywhere where the problem has none.
inline const double* time_window(Arena& arena, const Setting& setting) {
    if (setting.time_window != nullptr)
        return arena.copy(setting.time_window, setting.fine_points);
    double* window = arena.take<double>(setting.fine_points);
    std::fill_n(window, setting.fine_points, 1.0);
    return window;
}

}  // namespace longrun::polarisation
