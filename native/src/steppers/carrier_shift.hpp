// What turns in the source of a real field, and is taken out before the source is interpolated.
//
// The common phase of an envelope can be dropped; that of a real field cannot. Its source turns
// with L(w0) in the band of the pulse, with 3 L(w0) in that of the third harmonic, and so on. The
// shift K(w) = harmonic(w) L(w0) follows it. Any K has the same solution (`multistep.hpp`).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/complex.hpp"
#include "steppers/adams.hpp"

namespace longrun {

/// K as a multiple of the operator at one index; within a block of the active set it is one value.
struct CarrierShift {
    int64_t reference;              /* index of w0 */
    std::vector<double> harmonics;  /* the multiples */
    std::vector<std::size_t> group; /* of each block: index of its multiple */
};

/// What one value of K turns over a step of length h.
struct ShiftFactors {
    Complex shift;                              /* K, 1/m */
    Complex end;                                /* e^{Kh} */
    std::array<Complex, kAdamsOrderMax> phases; /* e^{K d}, d from slope j to the end of the step */
    std::array<Complex, kAdamsOrderMax> ends;   /* phases times what slope j says of the end */
};

/// e^{rate length}, `rate` in 1/m and `length` in m.
Complex exponential(Complex rate, double length) noexcept;

/// Factors of K = `shift` for a step of `h_m`, from its first `count` nodes.
ShiftFactors shift_factors(Complex shift, double h_m, const Nodes& nodes, const AdamsStep& step,
                           int count) noexcept;

}  // namespace longrun
