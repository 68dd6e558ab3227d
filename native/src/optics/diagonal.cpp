#include "optics/diagonal.hpp"

#include <vector>

#include "core/exponentials.hpp"

namespace longrun {

ActiveSet find_active(const Complex* linear, const Complex* weight, const double* absorb,
                      int64_t points) {
    const auto active = [&](int64_t i) {
        return squared(linear[i]) != 0 || squared(weight[i]) != 0 ||
               (absorb != nullptr && absorb[i] != 0);
    };
    std::vector<Range> inside;
    std::vector<Range> outside;
    // In FFT order the positive and the negative frequencies are each contiguous.
    for (const Range half : {Range{0, points / 2}, Range{points / 2, points}}) {
        Range run = half;
        while (run.begin < run.end && !active(run.begin))
            ++run.begin;
        while (run.end > run.begin && !active(run.end - 1))
            --run.end;
        inside.push_back(run);
        outside.push_back({half.begin, run.begin});
        outside.push_back({run.end, half.end});
    }
    return {Blocks(inside), Blocks(outside)};
}

Diagonal::Diagonal(Arena& arena, const Complex* linear, int64_t points)
    : gain_(arena.take<double>(points)), rate_(arena.take<double>(points)) {
    for (int64_t i = 0; i < points; ++i) {
        gain_[i] = linear[i].re;
        rate_[i] = linear[i].im;
        lossless_ = lossless_ && linear[i].re == 0;
    }
}

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

}  // namespace longrun
