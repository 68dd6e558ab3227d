// Arrays of exponentials, written so that the compiler vectorises them.
//
// Absolute error of the phases: about 1e-16 for arguments up to 1.6e6 rad, and never much more
// than the rounding of the argument itself beyond that.
#pragma once

#include <cstdint>

#include "core/complex.hpp"

namespace longrun {

/// out = e^{i rate length}. `rate` in 1/m, `length` in m.
/// 39 FLOP, 8 B read and 16 B written per element.
void unit_exponentials(const double* rate, double length, Complex* out, int64_t count) noexcept;

/// out = e^{(gain + i rate) length}; exponents of modulus up to 708, clamped beyond.
/// About 80 FLOP, 16 B read and 16 B written per element.
void damped_exponentials(const double* gain, const double* rate, double length, Complex* out,
                         int64_t count) noexcept;

/// out = e^x, with a relative error of about 1e-15; arguments of modulus up to 708, clamped beyond.
/// The arrays may be the same. 40 FLOP, 8 B read and 8 B written per element.
void real_exponentials(const double* x, double* out, int64_t count) noexcept;

}  // namespace longrun
