#include "steppers/rk4ip.hpp"

#include <algorithm>

namespace longrun {

Rk4ip::Rk4ip(Arena& arena, Team& team, Source& source, const Diagonal& diagonal,
             const ActiveSet& active, int64_t points)
    : Stepper(arena, team, source, diagonal, active, points),
      half_(stage_array(arena)),
      first_(stage_array(arena)),
      middle_(stage_array(arena)),
      last_(stage_array(arena)),
      scratch_(arena.take<Complex>(points)) {}

Attempt Rk4ip::attempt(double z_m, double h_m) noexcept {
    team_.run([&](const Worker& worker) noexcept { work(worker, z_m, h_m); });
    exponent_h_ = h_m;
    return {0, finish_norm(), 4, 4};
}

void Rk4ip::accept() noexcept {
    std::swap(y_, next_);
}

void Rk4ip::work(const Worker& worker, double z, double h) noexcept {
    carry(worker);
    source_.evaluate(worker, z, y_);
    worker.share(inside_, [&](Range range, int64_t) { first_stage(range, h); });
    source_.evaluate(worker, z + h / 2, next_);
    worker.share(inside_, [&](Range range, int64_t) { second_stage(range, h); });
    source_.evaluate(worker, z + h / 2, next_);
    worker.share(inside_, [&](Range range, int64_t) { third_stage(range, h); });
    source_.evaluate(worker, z + h, next_);
    worker.share(inside_, [&](Range range, int64_t index) {
        last_stage(range, h);
        norm_sums_[index] = sum_squares(next_ + range.begin, range.end - range.begin);
    });
}

/// k_1 and the input of stage 2. 22 FLOP, 64 B read and 32 B written per element; for a new h 39
/// FLOP (lossless) and 16 B written more.
void Rk4ip::first_stage(Range range, double h) noexcept {
    if (exponent_h_ != h)
        diagonal_.exponentials(h / 2, range, half_ + range.begin);
    const Complex* output = source_.output();
    const Complex* weight = source_.weight();
    const Complex* y = y_;
    const Complex* half = half_;
    Complex* stored = first_;
    Complex* next = next_;
    for_elements(range, [=]<class V>(int64_t i) noexcept {
        const V turn = load<V>(half, i);
        const V slope = turn * (load<V>(weight, i) * load<V>(output, i));
        store(stored, i, slope);
        store(next, i, turn * load<V>(y, i) + (h / 2) * slope);
    });
}

/// k_2 and the input of stage 3. 16 FLOP, 64 B read and 32 B written per element.
void Rk4ip::second_stage(Range range, double h) noexcept {
    const Complex* output = source_.output();
    const Complex* weight = source_.weight();
    const Complex* y = y_;
    const Complex* half = half_;
    Complex* stored = middle_;
    Complex* next = next_;
    for_elements(range, [=]<class V>(int64_t i) noexcept {
        const V slope = load<V>(weight, i) * load<V>(output, i);
        store(stored, i, slope);
        store(next, i, load<V>(half, i) * load<V>(y, i) + (h / 2) * slope);
    });
}

/// k_2 + k_3 and the input of stage 4. 24 FLOP, 80 B read and 32 B written per element.
void Rk4ip::third_stage(Range range, double h) noexcept {
    const Complex* output = source_.output();
    const Complex* weight = source_.weight();
    const Complex* y = y_;
    const Complex* half = half_;
    Complex* stored = middle_;
    Complex* next = next_;
    for_elements(range, [=]<class V>(int64_t i) noexcept {
        const V turn = load<V>(half, i);
        const V slope = load<V>(weight, i) * load<V>(output, i);
        store(stored, i, load<V>(stored, i) + slope);
        store(next, i, turn * (turn * load<V>(y, i) + h * slope));
    });
}

/// k_4 and the new state. 30 FLOP, 96 B read and 32 B written per element.
void Rk4ip::last_stage(Range range, double h) noexcept {
    const Complex* output = source_.output();
    const Complex* weight = source_.weight();
    const Complex* y = y_;
    const Complex* half = half_;
    const Complex* first = first_;
    const Complex* middle = middle_;
    Complex* stored = last_;
    Complex* next = next_;
    for_elements(range, [=]<class V>(int64_t i) noexcept {
        const V turn = load<V>(half, i);
        const V slope = load<V>(weight, i) * load<V>(output, i);
        V sum = turn * load<V>(y, i) + (h / 6) * load<V>(first, i);
        sum = sum + (h / 3) * load<V>(middle, i);
        store(stored, i, slope);
        store(next, i, turn * sum + (h / 6) * slope);
    });
}

void Rk4ip::interpolate(const Worker& worker, double theta, Complex* out) const noexcept {
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

/// e^{L (theta - 1/2) h} (e^{Lh/2} y + h sum b_i(theta) k_i), k_4 brought to the middle first.
/// About 80 FLOP, 80 B read and 16 B written per element.
template <bool Lossless>
void Rk4ip::dense_sum(Range range, double theta, Complex* out) const noexcept {
    const double h = exponent_h_;
    const std::array<double, 3> b = rk4_dense_weights(theta);
    std::array<Complex, Blocks::kLength> turn;
    diagonal_.exponentials((theta - 0.5) * h, range, turn.data());
    // After `accept` the two states have changed places.
    const Complex* start = next_;
    const Complex* half = half_;
    const Complex* first = first_;
    const Complex* middle = middle_;
    const Complex* last = last_;
    const int64_t offset = range.begin;
    for_elements(range, [=]<class V>(int64_t i) noexcept {
        const V half_turn = load<V>(half, i);
        V sum = half_turn * load<V>(start, i) + (h * b[0]) * load<V>(first, i);
        sum = sum + (h * b[1]) * load<V>(middle, i);
        sum = sum + (h * b[2]) * undo<Lossless>(half_turn, load<V>(last, i));
        store(out, i, load<V>(turn.data(), i - offset) * sum);
    });
}

}  // namespace longrun
