// The passes of a source evaluation over a block, as functions of arrays.
//
// Input and output may be the same array, and are in a propagation wherever that saves one.
#pragma once

#include <cstdint>

#include "core/blocks.hpp"
#include "core/complex.hpp"

namespace longrun {

/// out = |field|². 3 FLOP, 16 B read and 8 B written per element.
void intensity(const Complex* field, double* out, Range range) noexcept;

/// Zeros behind the first `points` values of `out`, of which there are `padded` in all: either as
/// many or twice as many. `range` is of the first ones. 8 (padded / points - 1) B written per
/// element.
void pad(int64_t points, int64_t padded, double* out, Range range) noexcept;

/// out = table in. 6 FLOP, 32 B read and 16 B written per element.
void multiply(const Complex* table, const Complex* in, Complex* out, Range range) noexcept;

/// What makes a polarisation of a field.
struct Polarisation {
    double kerr;            /* factor of |A|² */
    const double* response; /* added to it, or null */
    const double* window;   /* T(t), or null */
};

/// out = T A (kerr |A|² + response). 6 FLOP, 16 B read and 16 B written per element; 1 FLOP and
/// 8 B read more for the response, 2 FLOP and 8 B read more for the window.
void polarise(const Polarisation& polarisation, const Complex* field, Complex* out,
              Range range) noexcept;

}  // namespace longrun
