#include "core/team.hpp"

#include <algorithm>

namespace longrun {

Team::Team(int threads)
    : threads_(threads), slots_(static_cast<std::size_t>(threads) * kSlotStride, 0) {
    // The OpenMP runtime allocates in the first region of a size and keeps that team for the next.
    for (int i = 0; i < 2; ++i)
        run([](const Worker& worker) noexcept { worker.barrier(); });
}

void Team::forget() noexcept {
    std::fill(slots_.begin(), slots_.end(), 0);
}

int64_t Team::observed() const noexcept {
    int64_t distinct = 0;
    for (auto slot = slots_.begin(); slot != slots_.end(); ++slot) {
        const bool first = std::find(slots_.begin(), slot, *slot) == slot;
        if (*slot != 0 && first)
            ++distinct;
    }
    return distinct;
}

}  // namespace longrun
