// The largest field beyond a table that each thread of a team has met.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/team.hpp"

namespace longrun::polarisation {

class Excesses {
 public:
    explicit Excesses(int threads) : largest_(static_cast<std::size_t>(threads) * kStride, 0.0) {}

    /// `field` in V/m; 0 is none.
    void note(const Worker& worker, double field) noexcept {
        double& largest = largest_[static_cast<std::size_t>(worker.rank()) * kStride];
        largest = std::max(largest, field);
    }

    /// The largest of all since it was last asked for; outside of a parallel region.
    double take() noexcept {
        const double largest = *std::max_element(largest_.begin(), largest_.end());
        std::fill(largest_.begin(), largest_.end(), 0.0);
        return largest;
    }

 private:
    // One slot a cache line, as the team does.
    static constexpr std::size_t kStride = 8;

    std::vector<double> largest_;
};

}  // namespace longrun::polarisation
