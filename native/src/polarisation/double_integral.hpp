// The time integral of the time integral, in cumulative trapezoids, several stretches at once.
//
// A running sum waits for each of its additions. So as many stretches of the samples as a register
// has lanes are summed side by side, each as if nothing had been before it. What was before adds a
// constant to the inner sum of a stretch, and with it a constant and a slope to the outer one.
#pragma once

#include <array>
#include <cstdint>

#include "core/pack.hpp"

namespace longrun::polarisation {

/// Samples of one running sum: what is stored there lacks `offset` + `slope` (i - begin).
struct Stretch {
    int64_t begin;
    int64_t end;
    double offset;
    double slope;
};

/// One for each lane, and the rest of the samples.
using Stretches = std::array<Stretch, static_cast<std::size_t>(kLanes) + 1>;

/// values <- integral of ( integral of values + extra ), both from the first sample, but for what
/// the stretches that it returns still lack. `step` is between the `count` samples. 7 FLOP, 16 B
/// read and 8 B written per element.
Stretches integrate_twice(double* values, const double* extra, double step, int64_t count) noexcept;

}  // namespace longrun::polarisation
