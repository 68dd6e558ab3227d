// Sums of a fixed shape.
//
// A block is summed in eight lanes, the blocks pairwise in index order. The shape depends only on
// the number of elements, so the result depends on neither thread count nor timing.
#pragma once

#include <cstdint>

#include "core/complex.hpp"

namespace longrun {

/// Σ|x|² of one block. 4 FLOP and 16 B read per element.
double sum_squares(const Complex* x, int64_t count) noexcept;

/// Pairwise sum of `count` values; 0 for none.
double sum_pairwise(const double* x, int64_t count) noexcept;

}  // namespace longrun
