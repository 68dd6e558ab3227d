// What follows from the sizes of a guided problem.
#pragma once

#include <cstdint>

#include "longrun/optics.h"
#include "polarisation/setting.hpp"

namespace longrun::guided {

/// Bins of one mode of the state.
inline int64_t bins_of(const longrun_guided_problem& problem) noexcept {
    return problem.field == LONGRUN_FIELD_REAL ? problem.points / 2 + 1 : problem.points;
}

/// What the medium does at each node.
inline polarisation::Setting setting_of(const longrun_guided_problem& problem) noexcept {
    const double step_s = problem.time_step_s * static_cast<double>(problem.points) /
                          static_cast<double>(problem.fine_points);
    return {problem.field, {0, bins_of(problem)}, problem.fine_points,  step_s,
            problem.omega, problem.kerr,          problem.raman_points, problem.raman,
            problem.rates, problem.time_window};
}

}  // namespace longrun::guided
