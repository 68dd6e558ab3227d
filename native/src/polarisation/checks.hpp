// Arguments that say what a medium does.
#pragma once

#include <cstdint>

#include "longrun/optics.h"

namespace longrun::polarisation {

/// `LONGRUN_OK`, or the status with the sentence stored. Null is no plasma.
int32_t check_rates(const longrun_rate_table* rates) noexcept;

}  // namespace longrun::polarisation
