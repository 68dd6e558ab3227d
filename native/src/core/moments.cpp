#include "core/moments.hpp"

#include "core/blocks.hpp"
#include "core/exponentials.hpp"
#include "core/pack.hpp"

namespace longrun {
namespace {

/// Terms of the series of the highest moment: at |x| = 2 the first one left out is below 1e-17.
constexpr std::size_t kTerms = 24;
using Coefficients = std::array<double, kTerms>;

/// Coefficients of x^j in psi_order: order! / (order + 1 + j)!.
Coefficients series_coefficients(int order) noexcept {
    Coefficients coefficients{};
    double value = 1.0;
    double divisor = order + 1;
    for (double& coefficient : coefficients) {
        value /= divisor;
        divisor += 1;
        coefficient = value;
    }
    return coefficients;
}

/// value + real, for real and complex numbers and packs of them.
template <class V>
inline V plus(V value, double real) noexcept {
    if constexpr (requires { value.re; })
        value.re = value.re + real;
    else
        value = value + real;
    return value;
}

/// The even (`First` = 0) or odd terms of the series in powers of `square` = x², real without
/// loss.
template <std::size_t First, class S>
inline S half_series(const Coefficients& coefficients, S square) noexcept {
    S sum = plus(S{}, coefficients[kTerms - 2 + First]);
    for (std::size_t j = kTerms - 2; j > 0; j -= 2)
        sum = plus(sum * square, coefficients[j - 2 + First]);
    return sum;
}

template <bool Lossless, class V>
inline V highest_moment(V x, const Coefficients& coefficients) noexcept {
    if constexpr (Lossless) {
        const auto square = -(x.im * x.im);
        return {half_series<0>(coefficients, square), x.im * half_series<1>(coefficients, square)};
    } else {
        const V square = x * x;
        return half_series<0>(coefficients, square) + x * half_series<1>(coefficients, square);
    }
}

/// Small |x|: the highest moment from its series, the others by psi_{m-1} = (x psi_m + 1) / m.
template <bool Lossless>
void from_series(const Complex* x, Range range, const MomentTables& tables) noexcept {
    const Coefficients coefficients = series_coefficients(tables.order);
    for_elements(range, [&]<class V>(int64_t i) noexcept {
        const V argument = load<V>(x, i);
        V moment = highest_moment<Lossless>(argument, coefficients);
        for (int m = tables.order; m > 0; --m) {
            store(tables.moments[static_cast<std::size_t>(m)], i, moment);
            moment = (1.0 / m) * plus(argument * moment, 1.0);
        }
        store(tables.moments[0], i, moment);
        store(tables.turn, i, plus(argument * moment, 1.0));
    });
}

/// Large |x|: psi_m = (m psi_{m-1} - 1) / x, beginning with psi_0 = (e^x - 1) / x.
void from_exponential(const Complex* x, Range range, const MomentTables& tables) noexcept {
    for_elements(range, [&]<class V>(int64_t i) noexcept {
        const V argument = load<V>(x, i);
        const V inverse = (1.0 / squared(argument)) * conjugate(argument);
        V moment = inverse * plus(load<V>(tables.turn, i), -1.0);
        store(tables.moments[0], i, moment);
        for (int m = 1; m <= tables.order; ++m) {
            moment = inverse * plus(static_cast<double>(m) * moment, -1.0);
            store(tables.moments[static_cast<std::size_t>(m)], i, moment);
        }
    });
}

}  // namespace

void exponential_moments(const double* gain, const double* rate, double length, int64_t count,
                         const MomentTables& tables) noexcept {
    std::array<Complex, Blocks::kLength> x;
    for (int64_t i = 0; i < count; ++i)
        x[static_cast<std::size_t>(i)] = {gain == nullptr ? 0.0 : gain[i] * length,
                                          rate[i] * length};
    const auto small = [&](int64_t i) {
        return squared(x[static_cast<std::size_t>(i)]) < kSeriesBelow * kSeriesBelow;
    };
    // The operator is smooth, so the two kinds lie in a few long runs.
    for (Range run{0, 0}; run.begin < count; run.begin = run.end) {
        const bool series = small(run.begin);
        while (run.end < count && small(run.end) == series)
            ++run.end;
        if (series) {
            gain == nullptr ? from_series<true>(x.data(), run, tables)
                            : from_series<false>(x.data(), run, tables);
            continue;
        }
        const int64_t length_of_run = run.end - run.begin;
        Complex* turn = tables.turn + run.begin;
        if (gain == nullptr)
            unit_exponentials(rate + run.begin, length, turn, length_of_run);
        else
            damped_exponentials(gain + run.begin, rate + run.begin, length, turn, length_of_run);
        from_exponential(x.data(), run, tables);
    }
}

}  // namespace longrun
