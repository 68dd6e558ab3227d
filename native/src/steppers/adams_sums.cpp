#include "steppers/adams_sums.hpp"

#include "core/counts.hpp"
#include "core/pack.hpp"
#include "core/reduce.hpp"

namespace longrun {
namespace {

/// `end` says of each slope what it means for the end of the step: a number, or one that turns.
template <int Order, class Ends>
void predict_with(const PredictionArrays& prediction, const Ends& ends, Range range) noexcept {
    constexpr auto kOrder = static_cast<std::size_t>(Order);
    const auto slopes = prediction.slopes;
    const auto weights = prediction.weights;
    const Ends end = ends;
    const Complex* y = prediction.y;
    const Complex* turn = prediction.turn;
    Complex* next = prediction.next;
    Complex* expected = prediction.expected;
    for_elements(range, [&]<class V>(int64_t i) noexcept {
        const V newest = load<V>(slopes[0], i);
        V sum = load<V>(turn, i) * load<V>(y, i) + load<V>(weights[0], i) * newest;
        V there = end[0] * newest;
        for (std::size_t j = 1; j < kOrder; ++j) {
            const V slope = load<V>(slopes[j], i);
            sum = sum + load<V>(weights[j], i) * slope;
            there = there + end[j] * slope;
        }
        store(next, i, sum);
        store(expected, i, there);
    });
}

template <int Order>
void predict_turned_with(const PredictionArrays& prediction, Range range) noexcept {
    constexpr auto kOrder = static_cast<std::size_t>(Order);
    const auto slopes = prediction.slopes;
    const auto weights = prediction.weights;
    const Nodes parts = prediction.parts;
    const Nodes end = prediction.end;
    const Complex* y = prediction.y;
    const Complex* turn = prediction.turn;
    Complex* next = prediction.next;
    Complex* expected = prediction.expected;
    for_elements(range, [&]<class V>(int64_t i) noexcept {
        const V newest = load<V>(weights[0], i) * load<V>(slopes[0], i);
        V sum = load<V>(turn, i) * load<V>(y, i) + parts[0] * newest;
        V there = end[0] * newest;
        for (std::size_t j = 1; j < kOrder; ++j) {
            const V slope = load<V>(weights[j], i) * load<V>(slopes[j], i);
            sum = sum + parts[j] * slope;
            there = there + end[j] * slope;
        }
        store(next, i, sum);
        store(expected, i, there);
    });
}

/// Surplus, corrected state, and by how much it was corrected, from the beginning of `difference`.
void correct_into(const CorrectionArrays& arrays, Range range, Complex* difference) noexcept {
    const Complex* output = arrays.output;
    const Complex* weight = arrays.weight;
    const Complex* expected = arrays.expected;
    const Complex* correction = arrays.correction;
    const double part = arrays.part;
    const Complex* predicted = arrays.predicted;
    Complex* surplus = arrays.surplus;
    Complex* next = arrays.next;
    const int64_t offset = range.begin;
    for_elements(range, [=]<class V>(int64_t i) noexcept {
        const V beyond = load<V>(weight, i) * load<V>(output, i) - load<V>(expected, i);
        const V change = correction == nullptr ? part * beyond : load<V>(correction, i) * beyond;
        store(surplus, i, beyond);
        store(difference, i - offset, change);
        store(next, i, load<V>(predicted, i) + change);
    });
}

}  // namespace

void predict(int order, const PredictionArrays& prediction, Range range) noexcept {
    for_count<kAdamsOrderMax>(order, [&]<int Order>() noexcept {
        predict_with<Order>(prediction, prediction.end, range);
    });
}

void predict_shifted(int order, const PredictionArrays& prediction, const TurnedEnds& ends,
                     Range range) noexcept {
    for_count<kAdamsOrderMax>(
        order, [&]<int Order>() noexcept { predict_with<Order>(prediction, ends, range); });
}

void predict_turned(int order, const PredictionArrays& prediction, Range range) noexcept {
    for_count<kAdamsOrderMax>(
        order, [&]<int Order>() noexcept { predict_turned_with<Order>(prediction, range); });
}

CorrectionSums correct(const CorrectionArrays& correction, Range range) noexcept {
    std::array<Complex, Blocks::kLength> difference;
    const int64_t count = range.end - range.begin;
    correct_into(correction, range, difference.data());
    return {sum_squares(difference.data(), count),
            sum_squares(correction.next + range.begin, count)};
}

}  // namespace longrun
