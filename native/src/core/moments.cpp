#include "core/moments.hpp"

#include "core/blocks.hpp"
#include "core/exponentials.hpp"
#include "core/pack.hpp"

namespace longrun {
namespace {

/// Terms of the series of the highest moment: at |x| = 2, or 0.5 of the short one, the first one
/// left out is below 1e-17.
constexpr std::size_t kTerms = 24;
constexpr std::size_t kShortTerms = 14;

enum class Size { kShort, kSmall, kLarge }; /* of |x| */

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
template <std::size_t Terms, std::size_t First, class S>
inline S half_series(const Coefficients& coefficients, S square) noexcept {
    S sum = plus(S{}, coefficients[Terms - 2 + First]);
    for (std::size_t j = Terms - 2; j > 0; j -= 2)
        sum = plus(sum * square, coefficients[j - 2 + First]);
    return sum;
}

template <std::size_t Terms, bool Lossless, class V>
inline V highest_moment(V x, const Coefficients& coefficients) noexcept {
    if constexpr (Lossless) {
        const auto square = -(x.im * x.im);
        return {half_series<Terms, 0>(coefficients, square),
                x.im * half_series<Terms, 1>(coefficients, square)};
    } else {
        const V square = x * x;
        return half_series<Terms, 0>(coefficients, square) +
               x * half_series<Terms, 1>(coefficients, square);
    }
}

/// Small |x|: the highest moment from its series, the others by psi_{m-1} = (x psi_m + 1) / m.
template <std::size_t Terms, bool Lossless>
void from_series(const Complex* x, Range range, const MomentTables& tables) noexcept {
    const Coefficients coefficients = series_coefficients(tables.order);
    for_elements(range, [&]<class V>(int64_t i) noexcept {
        const V argument = load<V>(x, i);
        V moment = highest_moment<Terms, Lossless>(argument, coefficients);
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
    const auto size_of = [&](int64_t i) {
        const double square = squared(x[static_cast<std::size_t>(i)]);
        if (square < kShortBelow * kShortBelow)
            return Size::kShort;
        return square < kSeriesBelow * kSeriesBelow ? Size::kSmall : Size::kLarge;
    };
    const bool lossless = gain == nullptr;
    // The operator is smooth, so the kinds lie in a few long runs.
    for (Range run{0, 0}; run.begin < count; run.begin = run.end) {
        const Size size = size_of(run.begin);
        while (run.end < count && size_of(run.end) == size)
            ++run.end;
        if (size == Size::kShort) {
            lossless ? from_series<kShortTerms, true>(x.data(), run, tables)
                     : from_series<kShortTerms, false>(x.data(), run, tables);
            continue;
        }
        if (size == Size::kSmall) {
            lossless ? from_series<kTerms, true>(x.data(), run, tables)
                     : from_series<kTerms, false>(x.data(), run, tables);
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
