#include "steppers/dormand_prince_stage.hpp"

#include <cstdint>
#include <utility>

#include "core/pack.hpp"
#include "core/reduce.hpp"
#include "steppers/diagonal.hpp"

namespace longrun::dormand_prince {
namespace {

/// sum + Σ weights[s] slopes[s][i] over the slopes before `Stage`. In the last stage slope 1 is
/// left out: it has weight 0 in the solution and in the estimate.
template <int Stage, class V, std::size_t... S>
inline V combine(V sum, const std::array<double, Stage + 1>& weights,
                 const std::array<const Complex*, Stage>& slopes, int64_t i,
                 std::index_sequence<S...>) noexcept {
    const auto add = [&]<std::size_t s>() noexcept {
        if constexpr (Stage < kLastSum || s != 1)
            sum = sum + weights[s] * load<V>(slopes[s], i);
    };
    (add.template operator()<S>(), ...);
    return sum;
}

}  // namespace

template <int Stage, bool Lossless>
void stage_sums(const StageArrays<Stage>& arrays, double h, Range range) noexcept {
    constexpr bool kLast = Stage == kLastSum;
    constexpr bool kNinths = Stage == 3 || Stage == 4;
    const auto earlier = std::make_index_sequence<Stage>();
    const std::array<const Complex*, Stage> slopes = arrays.slopes;
    std::array<double, Stage + 1> a{};
    std::array<double, Stage + 1> e{};
    for (std::size_t s = 0; s <= Stage; ++s) {
        a[s] = h * kRows[Stage + 1][s];
        e[s] = h * kError[s];
    }
    const Complex* output = arrays.output;
    const Complex* weight = arrays.weight;
    const Complex* y = arrays.y;
    const Complex* tenth = arrays.tenth;
    const Complex* ninths = arrays.ninths;
    Complex* stored = arrays.stored;
    Complex* next = arrays.next;
    Complex* error = arrays.error;
    for_elements(range, [=]<class V>(int64_t i) noexcept {
        const V x = load<V>(tenth, i);
        const V v = kNinths ? load<V>(ninths, i) : V{};
        const V product = load<V>(weight, i) * load<V>(output, i);
        const V slope = undo<Lossless>(at_node<Stage>(x, v), product);
        const V turn = at_node<Stage + 1>(x, v);
        const V sum = load<V>(y, i) + a[Stage] * slope;
        store(stored, i, slope);
        store(next, i, turn * combine<Stage>(sum, a, slopes, i, earlier));
        if constexpr (kLast)
            store(error, i, turn * combine<Stage>(e[Stage] * slope, e, slopes, i, earlier));
    });
}

template void stage_sums<1, false>(const StageArrays<1>&, double, Range) noexcept;
template void stage_sums<1, true>(const StageArrays<1>&, double, Range) noexcept;
template void stage_sums<2, false>(const StageArrays<2>&, double, Range) noexcept;
template void stage_sums<2, true>(const StageArrays<2>&, double, Range) noexcept;
template void stage_sums<3, false>(const StageArrays<3>&, double, Range) noexcept;
template void stage_sums<3, true>(const StageArrays<3>&, double, Range) noexcept;
template void stage_sums<4, false>(const StageArrays<4>&, double, Range) noexcept;
template void stage_sums<4, true>(const StageArrays<4>&, double, Range) noexcept;
template void stage_sums<5, false>(const StageArrays<5>&, double, Range) noexcept;
template void stage_sums<5, true>(const StageArrays<5>&, double, Range) noexcept;

double end_sums(const EndArrays& arrays, double h, Range range) noexcept {
    const double e = h * kError[kStages - 1];
    const Complex* output = arrays.output;
    const Complex* weight = arrays.weight;
    const Complex* partial = arrays.partial;
    Complex* stored = arrays.stored;
    Complex* error = arrays.error;
    for_elements(range, [=]<class V>(int64_t i) noexcept {
        const V slope = load<V>(weight, i) * load<V>(output, i);
        store(stored, i, slope);
        store(error, i, load<V>(partial, i) + e * slope);
    });
    return sum_squares(error + range.begin, range.end - range.begin);
}

}  // namespace longrun::dormand_prince
