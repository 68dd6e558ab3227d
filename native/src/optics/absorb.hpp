// What leaves the windows in frequency and time is absorbed after every accepted step.
#pragma once

#include "core/arena.hpp"
#include "core/blocks.hpp"
#include "core/team.hpp"
#include "optics/transforms.hpp"

namespace longrun {

class Absorber {
 public:
    /// Both windows are real, of the length of the transforms, and must outlive this.
    /// The team shares the passes from `share_from` points on; below, the leader makes them.
    Absorber(Arena& arena, Transforms& transforms, const double* spectral, const double* temporal,
             int64_t share_from = Team::kShareFrom);

    /// out = F{ temporal F^-1{ spectral state } }, which may be the same array. Collective; waits
    /// for the team at its start. The field in time of `out`, without 1/n, is left in the work
    /// array of the transforms.
    void apply(const Worker& worker, const Complex* state, Complex* out) noexcept;

    /// L2 norm of the output of `apply`.
    double norm() const noexcept;

 private:
    void work(const Worker& worker, const Complex* state, Complex* out) noexcept;

    Transforms& transforms_;
    Blocks whole_;
    int64_t share_from_;
    const double* spectral_;
    const double* temporal_;
    double* sums_;
};

}  // namespace longrun
