// The slopes behind a multistep method, and how far apart they lie.
//
// A ring of order + 1 arrays: after a step it holds the newest slope and those that the step was
// taken from, which interpolation needs, and the oldest is given up for the slope of the next end.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "core/complex.hpp"
#include "steppers/adams.hpp"

namespace longrun {

class SlopeHistory {
 public:
    /// Takes over order + 1 arrays, at most `kNodesMax`.
    explicit SlopeHistory(std::vector<Complex*> arrays) : arrays_(std::move(arrays)) {}

    void forget() noexcept { known_ = 0; }

    /// Slopes that are known.
    int known() const noexcept { return known_; }

    /// The j-th slope backwards; 0 is the newest.
    Complex* slope(int j) const noexcept { return arrays_[slot(j + 1)]; }

    /// The array that the next slope is to be written to.
    Complex* vacant() const noexcept { return arrays_[slot(0)]; }

    /// The vacant array now holds the newest slope, `h_m` after the one before it.
    void push(double h_m) noexcept {
        next_ = (next_ + 1) % arrays_.size();
        for (std::size_t j = steps_.size() - 1; j > 0; --j)
            steps_[j] = steps_[j - 1];
        steps_[0] = h_m;
        if (known_ < static_cast<int>(arrays_.size()))
            ++known_;
    }

    /// Positions of the slopes, in units of a step of `h_m` that starts at the newest.
    Nodes positions(double h_m) const noexcept {
        Nodes nodes{};
        double position = 0;
        for (std::size_t j = 0; j < nodes.size() && static_cast<int>(j) < known_; ++j) {
            nodes[j] = position / h_m;
            position -= steps_[j];
        }
        return nodes;
    }

 private:
    std::size_t slot(int back) const noexcept {
        return (next_ + arrays_.size() - static_cast<std::size_t>(back)) % arrays_.size();
    }

    std::vector<Complex*> arrays_;
    Nodes steps_{}; /* m; [j] lies between slopes j and j + 1 */
    std::size_t next_ = 0;
    int known_ = 0;
};

}  // namespace longrun
