// Arguments of `longrun_cartesian_create`: everything that an engine cannot work with is refused
// here, so that nothing behind has to ask again.
#pragma once

#include <cstdint>

#include "longrun/optics.h"

namespace longrun::cartesian {

/// `LONGRUN_OK`, or the status with the sentence stored.
int32_t check_problem(const longrun_cartesian_problem& problem) noexcept;

}  // namespace longrun::cartesian
