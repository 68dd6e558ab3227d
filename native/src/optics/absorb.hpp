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
    /// The team shares the passes from `share_from` points on; below, the leader makes them.
    Absorber(Arena& arena, Transforms& transforms, const double* spectral, const double* temporal,
             int64_t share_from = Team::kShareFrom);

    /// Y <- F{ temporal F^-1{ spectral Y } }. Collective; waits for the team at its start. The
    /// field in time of the new state, without 1/n, is left in the work array of the transforms.
    void apply(const Worker& worker, Complex* state) noexcept;

    /// L2 norm of the state after `apply`.
    double norm() const noexcept;

 private:
    void work(const Worker& worker, Complex* state) noexcept;

    Transforms& transforms_;
    Blocks whole_;
    int64_t share_from_;
    double* spectral_;
    double* temporal_;
    double* sums_;
};

}  // namespace longrun
