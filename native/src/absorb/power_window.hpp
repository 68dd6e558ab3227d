// A window that acts along a length: over a step h it is the power h / length of what is given.
//
// A window that acts in full once a step makes a field depend on how many steps were taken, at
// whatever tolerance. This one has a limit.
#pragma once

#include <cstdint>

#include "core/arena.hpp"
#include "core/blocks.hpp"
#include "core/team.hpp"

namespace longrun {

class PowerWindow {
 public:
    /// Copies `count` checked values from 0 to 1. `scale` multiplies the powers.
    PowerWindow(Arena& arena, const double* window, int64_t count, double length_m, double scale);

    /// Whether the values are those of a step of `h_m`; from now on they are to be.
    bool turns_to(double h_m) noexcept;

    /// After `turns_to` has said no: writes the values. Collective; does not wait for the team.
    void renew(const Worker& worker) noexcept;

    const double* values() const noexcept { return values_; }

 private:
    double* logarithms_; /* 0 where the window is 0 */
    double* values_;
    Blocks between_; /* where the window is neither 0 nor 1: the other values are the same always */
    double length_m_;
    double scale_;
    double h_m_ = 0; /* of the values; 0: none */
};

}  // namespace longrun
