// Between modes and nodes: products of a small real matrix with many complex values.
//
// The order of a sum is that of modes or of nodes, whoever forms it and however many are formed
// side by side: each begins with zero, so that product and sum are always fused in the same way.
#pragma once

#include <cstdint>

#include "core/blocks.hpp"
#include "core/complex.hpp"
#include "core/spectra.hpp"

namespace longrun::guided {

/// Most sums that are formed side by side: their values stay in registers, and what they are of is
/// read once.
constexpr int64_t kTile = 4;

/// Spectra of the fields at up to `kTile` successive nodes, from those of the modes.
struct Synthesis {
    const double* rows; /* of the first node: `modes` factors, those of the next node follow */
    int64_t modes;
    const Complex* state;
    int64_t bins;
    Spectra spectra;
};

/// Fills the bins of the first `nodes` spectra. 4 FLOP per bin, node and mode; the state is read
/// once (16 B per bin and mode) and 16 B written per bin and node.
void synthesise(const Synthesis& synthesis, int64_t nodes) noexcept;

/// Source of each mode, from the polarisations at the nodes.
struct Projection {
    const double* rows; /* of the first mode: `nodes` factors, those of the next mode follow */
    int64_t nodes;
    Spectra polarisations;
    int64_t modes;
    int64_t bins;
    Complex* output; /* modes x bins */
};

/// Fills the bins of `range` for all modes. 4 FLOP per bin, node and mode; each polarisation is
/// read once for `kTile` modes (16 B per bin), 16 B written per bin and mode.
void project(const Projection& projection, Range range) noexcept;

}  // namespace longrun::guided
