#include "steppers/dormand_prince.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "steppers/dormand_prince_stage.hpp"

namespace longrun {
using namespace dormand_prince;

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
    const EndArrays end{source_.output(), source_.weight(), slopes_[1], last_slope_, slopes_[1]};
    worker.share(inside_,
                 [&](Range range, int64_t index) { error_sums_[index] = end_sums(end, h, range); });
}

template <int Stage, bool Lossless>
void DormandPrince::stage(const Worker& worker, double z, double h) noexcept {
    source_.evaluate(worker, z + kNodes[Stage] * h, next_);
    StageArrays<Stage> arrays{
        source_.output(), source_.weight(), y_, tenth_, ninths_, {}, slopes_[Stage], next_,
        nullptr};
    std::copy_n(slopes_.begin(), Stage, arrays.slopes.begin());
    // Slot 1 is free once k_1 has been used for the last time.
    if constexpr (Stage == kLastSum)
        arrays.error = slopes_[1];
    worker.share(inside_,
                 [&](Range range, int64_t) { stage_sums<Stage, Lossless>(arrays, h, range); });
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
/// 16 FLOP, 48 B read and 16 B written per element; for a new h 78 FLOP (lossless) and
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
