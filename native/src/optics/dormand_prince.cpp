#include "optics/dormand_prince.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace longrun {
namespace {

using namespace dormand_prince;

/// e^{L c h} at the node of a stage, from x = e^{L h/10} and w = e^{8 L h/9}.
template <int Stage, class V>
inline V at_node(V x, V w) noexcept {
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
        return w;
    return eight * two;
}

/// sum + Σ weights[s] slopes[s][i] over the slopes before `Stage`. In the last stage slope 1 is
/// left out: it has weight 0 in the solution and in the estimate.
template <int Stage, class V, std::size_t... S>
inline V combine(V sum, const std::array<double, Stage + 1>& weights,
                 const std::array<const Complex*, Stage>& slopes, int64_t i,
                 std::index_sequence<S...>) noexcept {
    const auto add = [&]<std::size_t s>() noexcept {
        if constexpr (Stage < kStages - 2 || s != 1)
            sum = sum + weights[s] * load<V>(slopes[s], i);
    };
    (add.template operator()<S>(), ...);
    return sum;
}

}  // namespace

DormandPrince::DormandPrince(Arena& arena, Team& team, Source& source, const Diagonal& diagonal,
                             const ActiveSet& active, int64_t points)
    : Stepper(arena, team, source, diagonal, active, points),
      last_slope_(stage_array(arena)),
      tenth_(stage_array(arena)),
      ninths_(stage_array(arena)),
      error_sums_(arena.take<double>(active.inside.count())) {
    for (Complex*& slope : slopes_)
        slope = stage_array(arena);
}

void DormandPrince::restart() noexcept {
    Stepper::restart();
    start_known_ = false;
}

Attempt DormandPrince::attempt(double z_m, double h_m) noexcept {
    if (diagonal_.lossless())
        team_.run([&](const Worker& worker) noexcept { work<true>(worker, z_m, h_m); });
    else
        team_.run([&](const Worker& worker) noexcept { work<false>(worker, z_m, h_m); });
    Attempt result{};
    result.error = std::sqrt(sum_pairwise(error_sums_, inside_.count()));
    result.norm = finish_norm();
    result.evaluations = start_known_ ? kStages - 1 : kStages;
    result.order = 4;
    exponent_h_ = h_m;
    start_known_ = true;
    return result;
}

void DormandPrince::accept() noexcept {
    std::swap(y_, next_);
    std::swap(slopes_[0], last_slope_);
}

template <bool Lossless>
void DormandPrince::work(const Worker& worker, double z, double h) noexcept {
    carry(worker);
    if (!start_known_) {
        source_.evaluate(worker, z, y_);
        worker.share(inside_, [&](Range range, int64_t) { slope_at_start(range); });
    }
    worker.share(inside_, [&](Range range, int64_t) { first_sum(range, h); });
    stage<1, Lossless>(worker, z, h);
    stage<2, Lossless>(worker, z, h);
    stage<3, Lossless>(worker, z, h);
    stage<4, Lossless>(worker, z, h);
    stage<5, Lossless>(worker, z, h);
    worker.share(inside_, [&](Range range, int64_t index) {
        norm_sums_[index] = sum_squares(next_ + range.begin, range.end - range.begin);
    });
    source_.evaluate(worker, z + h, next_);
    worker.share(inside_, [&](Range range, int64_t index) {
        error_sum(range, h);
        error_sums_[index] = sum_squares(slopes_[1] + range.begin, range.end - range.begin);
    });
}

template <int Stage, bool Lossless>
void DormandPrince::stage(const Worker& worker, double z, double h) noexcept {
    source_.evaluate(worker, z + kNodes[Stage] * h, next_);
    worker.share(inside_, [&](Range range, int64_t) { next_sum<Stage, Lossless>(range, h); });
}

/// k_0 = N(y_n). 6 FLOP, 32 B read and 16 B written per element, once per restart.
void DormandPrince::slope_at_start(Range range) noexcept {
    const Complex* output = source_.output();
    const Complex* weight = source_.weight();
    Complex* slope = slopes_[0];
    for_elements(range, [=]<class V>(int64_t i) noexcept {
        store(slope, i, load<V>(weight, i) * load<V>(output, i));
    });
}

/// Exponentials of a new step, and the input of stage 1: e^{Lh/5} (y + h a_10 k_0).
/// 16 FLOP, 48 B read and 16 B written per element; for a new h about 90 FLOP (lossless) and
/// 32 B written more.
void DormandPrince::first_sum(Range range, double h) noexcept {
    if (exponent_h_ != h) {
        diagonal_.exponentials(h / 10, range, tenth_ + range.begin);
        diagonal_.exponentials(h * kNodes[4], range, ninths_ + range.begin);
    }
    const double a = h * kRows[1][0];
    const Complex* y = y_;
    const Complex* slope = slopes_[0];
    const Complex* tenth = tenth_;
    Complex* next = next_;
    for_elements(range, [=]<class V>(int64_t i) noexcept {
        store(next, i,
              at_node<1>(load<V>(tenth, i), V{}) * (load<V>(y, i) + a * load<V>(slope, i)));
    });
}

/// Stores k_s (s = Stage) and writes the input of stage s + 1; after stage 5 that is the new
/// state, and the error estimate without its last term goes to slot 1.
/// 4 s + 40 FLOP; reads output, weight, y, e^{Lh/10} (near 8/9 also e^{8Lh/9}) and k_0 to k_{s-1},
/// writes k_s and the input: (6 + s) 16 B per element, 16 B more for s = 3 and 4.
template <int Stage, bool Lossless>
void DormandPrince::next_sum(Range range, double h) noexcept {
    constexpr bool kLast = Stage == kStages - 2;
    constexpr bool kNinths = Stage == 3 || Stage == 4;
    const auto earlier = std::make_index_sequence<Stage>();
    std::array<const Complex*, Stage> slopes{};
    std::array<double, Stage + 1> a{};
    std::array<double, Stage + 1> e{};
    for (std::size_t s = 0; s <= Stage; ++s) {
        a[s] = h * kRows[Stage + 1][s];
        e[s] = h * kError[s];
        if (s < Stage)
            slopes[s] = slopes_[s];
    }
    const Complex* output = source_.output();
    const Complex* weight = source_.weight();
    const Complex* y = y_;
    const Complex* tenth = tenth_;
    const Complex* ninths = ninths_;
    Complex* stored = slopes_[Stage];
    Complex* next = next_;
    Complex* error = slopes_[1];
    for_elements(range, [=]<class V>(int64_t i) noexcept {
        const V x = load<V>(tenth, i);
        const V w = kNinths ? load<V>(ninths, i) : V{};
        const V product = load<V>(weight, i) * load<V>(output, i);
        const V slope = undo<Lossless>(at_node<Stage>(x, w), product);
        const V turn = at_node<Stage + 1>(x, w);
        const V sum = load<V>(y, i) + a[Stage] * slope;
        store(stored, i, slope);
        store(next, i, turn * combine<Stage>(sum, a, slopes, i, earlier));
        if constexpr (kLast)
            store(error, i, turn * combine<Stage>(e[Stage] * slope, e, slopes, i, earlier));
    });
}

/// N(y_{n+1}), and the error estimate in the frame of the end of the step.
/// 14 FLOP, 48 B read and 32 B written per element.
void DormandPrince::error_sum(Range range, double h) noexcept {
    const double e = h * kError[kStages - 1];
    const Complex* output = source_.output();
    const Complex* weight = source_.weight();
    Complex* stored = last_slope_;
    Complex* error = slopes_[1];
    for_elements(range, [=]<class V>(int64_t i) noexcept {
        const V slope = load<V>(weight, i) * load<V>(output, i);
        store(stored, i, slope);
        store(error, i, load<V>(error, i) + e * slope);
    });
}

void DormandPrince::interpolate(const Worker& worker, double theta, Complex* out) const noexcept {
    worker.share(outside_, [&](Range range, int64_t) {
        std::copy_n(next_ + range.begin, range.end - range.begin, out + range.begin);
    });
    worker.share(inside_, [&](Range range, int64_t) {
        if (diagonal_.lossless())
            dense_sum<true>(range, theta, out);
        else
            dense_sum<false>(range, theta, out);
    });
}

/// e^{L theta h} (y_n + h sum b_i(theta) k_i). About 110 FLOP, 128 B read, 16 B written.
template <bool Lossless>
void DormandPrince::dense_sum(Range range, double theta, Complex* out) const noexcept {
    const double h = exponent_h_;
    std::array<double, kStages> b = dense_weights(theta);
    for (double& weight : b)
        weight *= h;
    std::array<Complex, Blocks::kLength> turn;
    diagonal_.exponentials(theta * h, range, turn.data());
    // After `accept` the arrays have changed places: `next_` is y_n, slot 0 is k_6.
    const Complex* start = next_;
    const Complex* first = last_slope_;
    const Complex* last = slopes_[0];
    const Complex* tenth = tenth_;
    const Complex* third = slopes_[2];
    const Complex* fourth = slopes_[3];
    const Complex* fifth = slopes_[4];
    const Complex* sixth = slopes_[5];
    const int64_t offset = range.begin;
    for_elements(range, [=]<class V>(int64_t i) noexcept {
        V sum = load<V>(start, i) + b[0] * load<V>(first, i);
        sum = sum + b[2] * load<V>(third, i) + b[3] * load<V>(fourth, i);
        sum = sum + b[4] * load<V>(fifth, i) + b[5] * load<V>(sixth, i);
        sum = sum + b[6] * undo<Lossless>(at_node<6>(load<V>(tenth, i), V{}), load<V>(last, i));
        store(out, i, load<V>(turn.data(), i - offset) * sum);
    });
}

}  // namespace longrun
