#include "absorb/power_window.hpp"

#include <cmath>
#include <vector>

#include "core/exponentials.hpp"

namespace longrun {
namespace {

Blocks find_between(const double* window, int64_t count) {
    std::vector<Range> runs;
    for (int64_t i = 0; i < count; ++i) {
        if (!(window[i] > 0 && window[i] < 1))
            continue;
        if (runs.empty() || runs.back().end < i)
            runs.push_back({i, i});
        runs.back().end = i + 1;
    }
    return Blocks(runs);
}

}  // namespace

PowerWindow::PowerWindow(Arena& arena, const double* window, int64_t count, double length_m,
                         double scale)
    : logarithms_(arena.take<double>(count)),
      values_(arena.take<double>(count)),
      between_(find_between(window, count)),
      length_m_(length_m),
      scale_(scale) {
    for (int64_t i = 0; i < count; ++i) {
        logarithms_[i] = window[i] > 0 ? std::log(window[i]) : 0.0;
        values_[i] = scale * window[i];
    }
}

bool PowerWindow::turns_to(double h_m) noexcept {
    const bool ready = h_m_ == h_m;
    h_m_ = h_m;
    return ready;
}

/// 42 FLOP, 8 B read and 16 B written per element.
void PowerWindow::renew(const Worker& worker) noexcept {
    const double power = h_m_ / length_m_;
    worker.share(between_, [&](Range range, int64_t) {
        const double* logarithms = logarithms_ + range.begin;
        double* values = values_ + range.begin;
        const int64_t count = range.end - range.begin;
#pragma omp simd
        for (int64_t i = 0; i < count; ++i)
            values[i] = power * logarithms[i];
        real_exponentials(values, values, count);
#pragma omp simd
        for (int64_t i = 0; i < count; ++i)
            values[i] *= scale_;
    });
}

}  // namespace longrun
