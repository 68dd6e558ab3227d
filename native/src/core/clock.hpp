// Wall time.
#pragma once

#include <cstdint>
#include <ctime>

namespace longrun {

/// Nanoseconds of the monotonic clock.
inline int64_t now_ns() noexcept {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<int64_t>(time.tv_sec) * 1'000'000'000 + static_cast<int64_t>(time.tv_nsec);
}

}  // namespace longrun
