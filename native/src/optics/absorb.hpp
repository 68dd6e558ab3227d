// What leaves the windows in frequency and time is absorbed after every accepted step.
#pragma once

#include "core/arena.hpp"
#include "core/blocks.hpp"
#include "core/team.hpp"
#include "optics/transforms.hpp"

namespace longrun {

class Absorber {
 public:
    /// Copies both windows, real and of the length of the transforms.
    Absorber(Arena& arena, Transforms& transforms, const double* spectral, const double* temporal);

    /// Y <- F{ temporal F^-1{ spectral Y } }. Collective; waits for the team at its start.
    void apply(const Worker& worker, Complex* state) noexcept;

    /// L2 norm of the state after `apply`.
    double norm() const noexcept;

 private:
    Transforms& transforms_;
    Blocks whole_;
    double* spectral_;
    double* temporal_; /* with the 1/n of the pair of transforms */
    double* sums_;
};

}  // namespace longrun
