// The sizes of a Cartesian problem, and what follows from them alone.
#pragma once

#include <cstdint>

#include "core/blocks.hpp"
#include "longrun/optics.h"
#include "polarisation/setting.hpp"

namespace longrun::cartesian {

struct Shape {
    explicit Shape(const longrun_cartesian_problem& problem) noexcept
        : points(problem.points),
          fine_points(problem.fine_points),
          first_bin(problem.first_bin),
          bins(problem.bins),
          columns_x(problem.columns_x),
          columns_y(problem.columns_y) {}

    /// Columns: values of a plane.
    int64_t area() const noexcept { return columns_x * columns_y; }
    /// Values of the state.
    int64_t size() const noexcept { return bins * area(); }
    /// Bins of the state in a half spectrum.
    Range range() const noexcept { return {first_bin, first_bin + bins}; }
    /// What the inverse transforms of time and plane leave out.
    double inverse() const noexcept {
        return 1 / (static_cast<double>(points) * static_cast<double>(area()));
    }

    int64_t points;
    int64_t fine_points;
    int64_t first_bin;
    int64_t bins;
    int64_t columns_x;
    int64_t columns_y;
};

/// What the medium does in each column.
inline polarisation::Setting setting_of(const longrun_cartesian_problem& problem) noexcept {
    const double step_s = problem.time_step_s * static_cast<double>(problem.points) /
                          static_cast<double>(problem.fine_points);
    return {LONGRUN_FIELD_REAL,
            Shape(problem).range(),
            problem.fine_points,
            step_s,
            nullptr,
            problem.kerr,
            0,
            nullptr,
            problem.rates,
            problem.time_window};
}

}  // namespace longrun::cartesian
