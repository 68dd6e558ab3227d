#include "optics/absorb.hpp"

#include <cmath>

#include "core/reduce.hpp"

namespace longrun {
namespace {

/// values <- scale values. 2 FLOP, 16 B read and written per element.
void rescale(double scale, Complex* values, Range range) noexcept {
#pragma omp simd
    for (int64_t i = range.begin; i < range.end; ++i)
        values[i] = scale * values[i];
}

/// out = window in. 2 FLOP, 24 B read and 16 B written per element.
void apply_window(const double* window, const Complex* in, Complex* out, Range range) noexcept {
#pragma omp simd
    for (int64_t i = range.begin; i < range.end; ++i)
        out[i] = window[i] * in[i];
}

}  // namespace

Absorber::Absorber(Arena& arena, Transforms& transforms, const double* spectral,
                   const double* temporal, int64_t share_from)
    : transforms_(transforms),
      whole_(transforms.points),
      share_from_(share_from),
      spectral_(spectral),
      temporal_(temporal),
      sums_(arena.take<double>(whole_.count())) {}

void Absorber::apply(const Worker& worker, const Complex* state, Complex* out) noexcept {
    worker.barrier();
    if (whole_.elements() < share_from_)
        worker.lead([&] { work(worker.alone(), state, out); });
    else
        work(worker, state, out);
}

void Absorber::work(const Worker& worker, const Complex* state, Complex* out) noexcept {
    Complex* spectrum = transforms_.spectrum;
    Complex* time = transforms_.time;
    worker.share(whole_,
                 [&](Range range, int64_t) { apply_window(spectral_, state, spectrum, range); });
    worker.barrier();
    worker.lead([&] { transforms_.backward.execute(spectrum, time); });
    worker.barrier();
    worker.share(whole_, [&](Range range, int64_t) { apply_window(temporal_, time, time, range); });
    worker.barrier();
    worker.lead([&] { transforms_.forward.execute(time, out); });
    worker.barrier();
    const double scale = 1.0 / static_cast<double>(transforms_.points);
    worker.share(whole_, [&](Range range, int64_t index) {
        rescale(scale, out, range);
        sums_[index] = sum_squares(out + range.begin, range.end - range.begin);
    });
}

double Absorber::norm() const noexcept {
    return std::sqrt(sum_pairwise(sums_, whole_.count()));
}

}  // namespace longrun
