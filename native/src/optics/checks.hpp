// Arguments of `longrun_gnlse_create`: everything that an engine cannot work with is refused here,
// so that nothing behind has to ask again.
#pragma once

#include <cstdint>

#include "longrun/optics.h"

namespace longrun {

/// `LONGRUN_OK`, or the status with the sentence stored.
int32_t check_problem(const longrun_gnlse_problem& problem) noexcept;
int32_t check_stepper(const longrun_stepper& stepper) noexcept;
int32_t check_threads(int64_t threads) noexcept;

/// Whether `order` means something to a stepper of this kind.
bool takes_order(int32_t kind) noexcept;

}  // namespace longrun
