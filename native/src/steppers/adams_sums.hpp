// The passes of an Adams step over a block, as functions of arrays.
//
// K is what is taken out of the slopes before they are interpolated: 0, a multiple of L(w0), or L
// (`multistep.hpp`).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/blocks.hpp"
#include "core/complex.hpp"
#include "steppers/adams.hpp"

namespace longrun {

/// What a prediction reads and writes: as many weights and slopes as its order, newest first.
struct PredictionArrays {
    const Complex* y;
    const Complex* turn; /* e^{Lh} */
    std::array<const Complex*, kAdamsOrderMax> weights;
    std::array<const Complex*, kAdamsOrderMax> slopes;
    Nodes parts;       /* K = L only: factors beside the weights, which are phases then */
    Nodes end;         /* what the slopes say of the source at the end of the step */
    Complex* next;     /* the predicted state */
    Complex* expected; /* the source that the slopes expect there */
};

/// K = 0. 12 k + 4 FLOP for order k, 16 (2 k + 2) B read and 32 B written per element.
void predict(int order, const PredictionArrays& prediction, Range range) noexcept;

/// `end` turned by the shift, where K is a multiple of L(w0).
using TurnedEnds = std::array<Complex, kAdamsOrderMax>;

/// K = a multiple of L(w0): as for 0, with `ends` for `end`. 16 k + 4 FLOP for order k,
/// 16 (2 k + 2) B read and 32 B written per element.
void predict_shifted(int order, const PredictionArrays& prediction, const TurnedEnds& ends,
                     Range range) noexcept;

/// K = L. 14 k + 4 FLOP for order k, 16 (2 k + 2) B read and 32 B written per element.
void predict_turned(int order, const PredictionArrays& prediction, Range range) noexcept;

/// What a correction reads and writes.
struct CorrectionArrays {
    const Complex* output; /* of the source at the predicted state */
    const Complex* weight;
    const Complex* expected;
    const Complex* correction; /* weight of the surplus in the new state; null for K = L */
    double part;               /* the same, where `correction` is null */
    const Complex* predicted;
    Complex* surplus; /* of the source over what was expected */
    Complex* next;    /* the corrected state; may be the array of the predicted one */
};

/// Sums over a block: of the square of what was corrected, and of the corrected state.
struct CorrectionSums {
    double error;
    double norm;
};

/// Surplus and corrected state, for a block of at most 256 elements. 24 FLOP (20 for K = L), 80 B
/// (64) read and 32 B written per element.
CorrectionSums correct(const CorrectionArrays& correction, Range range) noexcept;

}  // namespace longrun
