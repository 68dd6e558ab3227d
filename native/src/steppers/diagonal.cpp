#include "steppers/diagonal.hpp"

#include <array>

#include "core/exponentials.hpp"

namespace longrun {

ActiveSet find_active(const std::vector<Range>& parts, const std::function<bool(int64_t)>& active) {
    std::vector<Range> inside;
    std::vector<Range> outside;
    for (const Range& part : parts) {
        Range run = part;
        while (run.begin < run.end && !active(run.begin))
            ++run.begin;
        while (run.end > run.begin && !active(run.end - 1))
            --run.end;
        inside.push_back(run);
        outside.push_back({part.begin, run.begin});
        outside.push_back({run.end, part.end});
    }
    return {Blocks(inside), Blocks(outside)};
}

ActiveSet find_active(const Complex* linear, const Complex* weight, const double* absorb,
                      int64_t points) {
    // In FFT order the positive and the negative frequencies are each contiguous.
    return find_active({{0, points / 2}, {points / 2, points}}, [=](int64_t i) {
        return squared(linear[i]) != 0 || squared(weight[i]) != 0 ||
               (absorb != nullptr && absorb[i] != 0);
    });
}

Diagonal::Diagonal(Arena& arena, const Complex* linear, int64_t points)
    : Diagonal(arena, points, [=](int64_t i) { return linear[i]; }) {}

Diagonal::Diagonal(Arena& arena, int64_t points, const std::function<Complex(int64_t)>& value)
    : gain_(arena.take<double>(points)), rate_(arena.take<double>(points)) {
    for (int64_t i = 0; i < points; ++i) {
        const Complex linear = value(i);
        gain_[i] = linear.re;
        rate_[i] = linear.im;
        lossless_ = lossless_ && linear.re == 0;
    }
}

Diagonal::Diagonal(Arena& arena, Profile& profile, bool lossless, int64_t points)
    : gain_(arena.take<double>(points)),
      rate_(arena.take<double>(points)),
      lossless_(lossless),
      profile_(&profile) {}

void Diagonal::exponentials(double length, Range range, Complex* out) const noexcept {
    const int64_t count = range.end - range.begin;
    if (lossless_)
        unit_exponentials(rate_ + range.begin, length, out, count);
    else
        damped_exponentials(gain_ + range.begin, rate_ + range.begin, length, out, count);
}

void Diagonal::moments(double length, Range range, const MomentTables& tables) const noexcept {
    exponential_moments(lossless_ ? nullptr : gain_ + range.begin, rate_ + range.begin, length,
                        range.end - range.begin, tables);
}

void Diagonal::moments(double length, Complex shift, Range range,
                       const MomentTables& tables) const noexcept {
    std::array<double, Blocks::kLength> gain;
    std::array<double, Blocks::kLength> rate;
    const int64_t count = range.end - range.begin;
    for (int64_t i = 0; i < count; ++i) {
        gain[static_cast<std::size_t>(i)] = gain_[range.begin + i] - shift.re;
        rate[static_cast<std::size_t>(i)] = rate_[range.begin + i] - shift.im;
    }
    const bool lossless = lossless_ && shift.re == 0;
    exponential_moments(lossless ? nullptr : gain.data(), rate.data(), length, count, tables);
}

}  // namespace longrun
