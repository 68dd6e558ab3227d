// Arguments of `longrun_guided_create` and `longrun_radial_create`: everything that an engine
// cannot work with is refused here, so that nothing behind has to ask again.
#pragma once

#include <cstdint>

#include "longrun/optics.h"

namespace longrun::guided {

/// `LONGRUN_OK`, or the status with the sentence stored.
int32_t check_problem(const longrun_guided_problem& problem) noexcept;

/// The same of the window over the nodes, for a problem that has been checked.
int32_t check_edge(const longrun_guided_problem& problem, const double* absorb_nodes) noexcept;

}  // namespace longrun::guided
