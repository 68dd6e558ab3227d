// Moments of the exponential flow against their definition, in long double.
#include "core/moments.hpp"

#include <complex>
#include <vector>

#include "check.hpp"

using longrun::Complex;
using longrun::kMomentMax;
using Wide = std::complex<long double>;

namespace {

/// Integral of e^{(1-s) x} s^m over s from 0 to 1: its series where that converges quickly, and
/// the recurrence, in 64 bits of mantissa, beyond.
Wide exact(Wide x, int m) {
    if (std::abs(x) < 3) {
        Wide sum = 0;
        Wide term = 1.0L / (m + 1);
        for (int j = 1; j < 200; ++j) {
            sum += term;
            term *= x / static_cast<long double>(m + 1 + j);
        }
        return sum;
    }
    Wide value = (std::exp(x) - 1.0L) / x;
    for (int i = 1; i <= m; ++i)
        value = (static_cast<long double>(i) * value - 1.0L) / x;
    return value;
}

struct Computed {
    explicit Computed(std::size_t count) : turn(count) {
        for (auto& table : moments)
            table.resize(count);
    }
    std::vector<Complex> turn;
    std::array<std::vector<Complex>, kMomentMax + 1> moments;
};

Computed compute(const std::vector<double>* gain, const std::vector<double>& rate, double length,
                 int order) {
    Computed computed(rate.size());
    longrun::MomentTables tables{computed.turn.data(), {}, order};
    for (std::size_t m = 0; m <= static_cast<std::size_t>(order); ++m)
        tables.moments[m] = computed.moments[m].data();
    longrun::exponential_moments(gain == nullptr ? nullptr : gain->data(), rate.data(), length,
                                 static_cast<int64_t>(rate.size()), tables);
    return computed;
}

double error(Complex value, Wide expected) {
    return static_cast<double>(std::abs(Wide(value.re, value.im) - expected));
}

/// Largest errors of e^x and of the moments, for rates up to `largest` in modulus.
void compare(double largest, bool lossy, int order) {
    // Odd, so that the last elements are no whole pack; 0 is among the rates.
    std::vector<double> rate(201);
    std::vector<double> gain(rate.size());
    for (std::size_t i = 0; i < rate.size(); ++i) {
        rate[i] = largest * (static_cast<double>(i) - 100) / 100;
        gain[i] = -0.3 * std::fabs(rate[i]) - 0.01;
    }
    const double length = 0.5;
    const Computed computed = compute(lossy ? &gain : nullptr, rate, length, order);
    double turn = 0;
    double moments = 0;
    for (std::size_t i = 0; i < rate.size(); ++i) {
        const Wide x(lossy ? gain[i] * length : 0, rate[i] * length);
        turn = std::fmax(turn, error(computed.turn[i], std::exp(x)));
        for (int m = 0; m <= order; ++m)
            moments = std::fmax(
                moments, error(computed.moments[static_cast<std::size_t>(m)][i], exact(x, m)));
    }
    check::at_most("error of e^x", 2e-15, turn);
    check::at_most("error of the moments", 4e-15, moments);
}

}  // namespace

int main() {
    for (int order = 1; order <= kMomentMax; ++order)
        for (const bool lossy : {false, true})
            for (const double largest : {1e-9, 0.5, 3.9, 4.0, 4.1, 60.0, 1e5})
                compare(largest, lossy, order);
    return check::finish();
}
