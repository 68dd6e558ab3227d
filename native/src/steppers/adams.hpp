// Polynomials behind the Adams steppers: pure functions of where the slopes are known.
//
// Positions are in units of the step to be taken and counted from its start: 0 is the state, 1 the
// end of the step, and what lies behind is negative. E. Hairer, S. P. Nørsett and G. Wanner,
// Solving Ordinary Differential Equations I, section III.5 (variable steps).
#pragma once

#include <array>
#include <cstddef>

#include "core/moments.hpp"

namespace longrun {

/// Highest order of the predictor. More history than this does not pay (docs/native.md).
constexpr int kAdamsOrderMax = kMomentMax;

/// The history of the highest order and the end of the step.
constexpr int kNodesMax = kAdamsOrderMax + 1;

using Nodes = std::array<double, kNodesMax>;

/// Coefficients in powers of the position: `[m]` belongs to power m.
using Polynomial = std::array<double, kNodesMax>;

/// `[j]` is 1 at node j and 0 at the other nodes.
using Basis = std::array<Polynomial, kNodesMax>;

/// The Lagrange basis of the first `count` nodes, which must differ.
Basis lagrange_basis(const Nodes& nodes, int count) noexcept;

double value_at(const Polynomial& polynomial, double position) noexcept;

/// Integral from 0 to `position`.
double integral_to(const Polynomial& polynomial, double position) noexcept;

/// What one step of predictor order k needs of its `count` = k nodes.
struct AdamsStep {
    Basis basis;           /* of the history */
    Nodes end;             /* values of that basis at the end of the step */
    Polynomial correction; /* 1 at the end of the step, 0 at the history: degree k */
    double lower; /* what the corrector of order k + 1 adds to that of order k, over what it
                   * adds to the predictor: 1, 1/5, 1/9, 19/251, 27/475 for equal steps */
};

AdamsStep adams_step(const Nodes& nodes, int count) noexcept;

}  // namespace longrun
