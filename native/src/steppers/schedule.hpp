// Steps laid down in advance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace longrun {

class Schedule {
 public:
    Schedule() = default;

    /// Copies `count` checked steps that end at `length`, all in metres.
    Schedule(const double* steps, int64_t count, double length)
        : steps_(steps, steps + count), boundaries_(1, 0.0) {
        boundaries_.reserve(steps_.size() + 1);
        for (const double step : steps_)
            boundaries_.push_back(boundaries_.back() + step);
        boundaries_.back() = length;
    }

    bool empty() const noexcept { return steps_.empty(); }

    /// Index of the step that starts at `z`, the number of steps at the end, -1 elsewhere.
    /// A boundary is met within 1e-9 of the length.
    int64_t find(double z) const noexcept {
        const double tolerance = 1e-9 * boundaries_.back();
        for (std::size_t i = 0; i < boundaries_.size(); ++i)
            if (z >= boundaries_[i] - tolerance && z <= boundaries_[i] + tolerance)
                return static_cast<int64_t>(i);
        return -1;
    }

    double step(int64_t index) const noexcept { return steps_[static_cast<std::size_t>(index)]; }
    double boundary(int64_t index) const noexcept {
        return boundaries_[static_cast<std::size_t>(index)];
    }

 private:
    std::vector<double> steps_;
    std::vector<double> boundaries_;
};

}  // namespace longrun
