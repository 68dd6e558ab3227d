// The largest sizes that the library takes: a larger request is a mistake of units.
#pragma once

#include <cstdint>

namespace longrun {

/// Most points of a grid: 4 GiB for each complex array.
constexpr int64_t kPointsMax = int64_t{1} << 28;

/// Most threads of a team.
constexpr int64_t kThreadsMax = 1024;

}  // namespace longrun
