// Moments of the exponential flow over a step, written for packs.
//
//   psi_m(x) = m! phi_{m+1}(x) = integral of e^{(1 - s) x} s^m over s from 0 to 1
//
// The phi functions are those of exponential integrators: M. Hochbruck and A. Ostermann, Acta
// Numerica 19, 209 (2010), section 2.1. With the factorial taken in, a polynomial source
// sum a_m s^m adds h sum a_m psi_m(h L) to the state at the end of a step of length h.
#pragma once

#include <array>
#include <cstdint>

#include "core/complex.hpp"

namespace longrun {

/// Highest moment that is ever asked for.
constexpr int kMomentMax = 6;

/// |x| below which the series is used. Just above it the recurrence loses a factor of 40 of
/// relative accuracy until psi_6; from 1 on it would lose 5000.
constexpr double kSeriesBelow = 2.0;

/// |x| below which a short series is enough: most of the elements where the operator changes along
/// the guide, and its moments with every step.
constexpr double kShortBelow = 0.5;

/// Where e^x and psi_0 to psi_order go, one array each; `order` of 1 to `kMomentMax`.
struct MomentTables {
    Complex* turn;
    std::array<Complex*, kMomentMax + 1> moments;
    int order;
};

/// Fills the first `count` values, at most 256, of every table for x = (gain + i rate) length.
/// `gain` null: 0 everywhere. Rates in 1/m, `length` in m; gains are not to be so large that e^x
/// overflows. About 56 + 9 order FLOP per element without loss; with it 110 + 9 order below
/// |x| = 0.5, 180 + 9 order below 2 and 95 + 9 order above. 8 or 16 B read, 16 (order + 2) B
/// written.
void exponential_moments(const double* gain, const double* rate, double length, int64_t count,
                         const MomentTables& tables) noexcept;

}  // namespace longrun
