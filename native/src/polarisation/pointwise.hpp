// The passes over the samples of one node, as functions of arrays.
#pragma once

#include <cstdint>

#include "core/complex.hpp"
#include "polarisation/double_integral.hpp"

namespace longrun::polarisation {

/// out = |field|², or the square of a real field. 1 FLOP and 8 B read per element of a real field,
/// 3 and 16 of an envelope; 8 B written.
void square(const double* field, double* out, int64_t count) noexcept;
void square(const Complex* field, double* out, int64_t count) noexcept;

/// What makes a polarisation of a field.
struct Bound {
    double scale;
    double kerr;            /* factor of |E|² */
    const double* response; /* added to it, or null */
    const double* window;   /* T(t) */
};

/// E <- scale T E (kerr |E|² + response) of an envelope. 9 FLOP, 24 B read and 16 B written per
/// element; 1 FLOP and 8 B read more for the response.
void polarise(const Bound& bound, Complex* field, int64_t count) noexcept;

/// The same of a real field, with `plasma` added to the polarisation before window and scale: what
/// the stretches lack is added here. `plasma` may be null. 5 FLOP, 16 B read and 8 B written per
/// element; 1 FLOP and 8 B read more for the response, 3 FLOP and 8 B read more for the plasma.
void polarise(const Bound& bound, const double* plasma, const Stretches& stretches, double* field,
              int64_t count) noexcept;

/// values <- scale window values. 3 FLOP, 24 B read and 16 B written per element.
void weigh(double scale, const double* window, Complex* values, int64_t count) noexcept;

/// out <- out + factor[i] values. 4 FLOP, 40 B read and 16 B written per element.
void add_real(const double* factor, const Complex* values, Complex* out, int64_t count) noexcept;

/// out <- out - i factor[i] values, in the same way.
void add_turned(const double* factor, const Complex* values, Complex* out, int64_t count) noexcept;

}  // namespace longrun::polarisation
