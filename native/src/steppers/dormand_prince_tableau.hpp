// Coefficients of Dormand-Prince 5(4) and of its continuous extension.
//
// J. R. Dormand and P. J. Prince, J. Comput. Appl. Math. 6, 19 (1980). The extension, of order 4,
// is that of E. Hairer, S. P. Nørsett and G. Wanner, Solving Ordinary Differential Equations I,
// section II.6 (their code DOPRI5). Indices count from 0: stage 0 is at the start of the step.
#pragma once

#include <array>

namespace longrun::dormand_prince {

constexpr int kStages = 7;

constexpr std::array<double, kStages> kNodes = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};

/// Row i gives the state of stage i; row 6 is also the solution of order 5.
constexpr std::array<std::array<double, kStages - 1>, kStages> kRows = {{
    {0, 0, 0, 0, 0, 0},
    {1.0 / 5, 0, 0, 0, 0, 0},
    {3.0 / 40, 9.0 / 40, 0, 0, 0, 0},
    {44.0 / 45, -56.0 / 15, 32.0 / 9, 0, 0, 0},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729, 0, 0},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656, 0},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
}};

/// Weights of order 5 minus those of order 4.
constexpr std::array<double, kStages> kError = {
    71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

/// Weights of the continuous extension at the fraction `theta` of the step.
constexpr std::array<double, kStages> dense_weights(double theta) noexcept {
    constexpr std::array<double, kStages> kCorrection = {
        -12715105075.0 / 11282082432,  0,
        87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
        701980252875.0 / 199316789632, -1453857185.0 / 822651844,
        69997945.0 / 29380423};
    const double rest = 1 - theta;
    const double smooth = theta * theta * (3 - 2 * theta);
    const double bump = theta * theta * rest * rest;
    std::array<double, kStages> weights{};
    for (std::size_t i = 0; i + 1 < weights.size(); ++i)
        weights[i] = smooth * kRows[kStages - 1][i] + bump * kCorrection[i];
    weights[0] += theta * rest * rest;
    weights[kStages - 1] = bump * kCorrection[kStages - 1] - theta * theta * rest;
    return weights;
}

}  // namespace longrun::dormand_prince
