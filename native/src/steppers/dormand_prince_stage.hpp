// The passes of the Dormand-Prince stages over a block, as functions of arrays.
#pragma once

#include <array>
#include <cstddef>

#include "core/blocks.hpp"
#include "core/complex.hpp"
#include "steppers/dormand_prince_tableau.hpp"

namespace longrun::dormand_prince {

/// The last stage with a pass of this kind: its sum is the new state.
constexpr int kLastSum = kStages - 2;

/// e^{L c h} at the node of a stage, from x = e^{L h/10} and v = e^{8 L h/9}.
template <int Stage, class V>
inline V at_node(V x, V v) noexcept {
    static_assert(Stage >= 1 && Stage < kStages);
    const V two = x * x;
    if constexpr (Stage == 1)
        return two;
    if constexpr (Stage == 2)
        return two * x;
    const V four = two * two;
    const V eight = four * four;
    if constexpr (Stage == 3)
        return eight;
    if constexpr (Stage == 4)
        return v;
    return eight * two;
}

/// What a stage reads and writes.
template <int Stage>
struct StageArrays {
    static_assert(Stage >= 1 && Stage <= kLastSum);

    /// Of the source at the stage; their product is N.
    const Complex* output;
    const Complex* weight;
    const Complex* y;
    /// e^{L h/10} and e^{8 L h/9}.
    const Complex* tenth;
    const Complex* ninths;
    /// k_0 to k_{s-1}.
    std::array<const Complex*, Stage> slopes;
    /// k_s.
    Complex* stored;
    /// Input of stage s + 1; after the last, the new state.
    Complex* next;
    /// After the last, the error estimate without the slope at the end; else null. May be the array
    /// of slope 1, which that stage does not read.
    Complex* error;
};

/// Stores k_s (s = Stage) and writes the input of stage s + 1; after stage 5 that is the new
/// state, and the error estimate without its last term is written too. `h` in m.
/// 38, 54, 52, 62 and 86 FLOP for s = 1 to 5 (lossless). Reads output, weight, y, e^{Lh/10} (near
/// 8/9 also e^{8Lh/9}) and k_0 to k_{s-1}, writes k_s and the input: (6 + s) 16 B per element, 16 B
/// more for s = 3 and 4; what stage 5 writes more, the estimate, it reads less, k_1.
template <int Stage, bool Lossless>
void stage_sums(const StageArrays<Stage>& arrays, double h, Range range) noexcept;

/// What the end of a step reads and writes.
struct EndArrays {
    /// Of the source at the new state; their product is N.
    const Complex* output;
    const Complex* weight;
    /// The error estimate without its last term.
    const Complex* partial;
    /// k_6, in the frame of the end.
    Complex* stored;
    /// The error estimate, in the frame of the end. May be the array of the partial one.
    Complex* error;
};

/// Stores k_6 and the error estimate, and returns the sum of its squares over the block. `h` in m.
/// 14 FLOP, 48 B read and 32 B written per element.
double end_sums(const EndArrays& arrays, double h, Range range) noexcept;

}  // namespace longrun::dormand_prince
