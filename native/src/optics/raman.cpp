#include "optics/raman.hpp"

#include <algorithm>

#include "optics/pointwise.hpp"

namespace longrun {

Raman::Raman(Arena& arena, const Planner& planner, int64_t points, int64_t padded,
             const Complex* table)
    : points_(points),
      padded_(padded),
      real_(arena.take<double>(padded)),
      spectrum_(arena.take<Complex>(padded / 2 + 1)),
      table_(table),
      whole_(points),
      half_(padded / 2 + 1),
      forward_(planner, padded, real_, spectrum_),
      backward_(planner, padded, spectrum_, real_) {
    // Planning has left values of its own behind.
    std::fill_n(real_, padded, 0.0);
}

void Raman::convolve(const Worker& worker, PartClock& clock, const Complex* field) noexcept {
    worker.share(whole_, [&](Range range, int64_t) {
        intensity(field, real_, range);
        // The response of the last time stands where the padding belongs.
        pad(points_, padded_, real_, range);
    });
    worker.barrier();
    lead_transform(worker, clock, [&] { forward_.execute(real_, spectrum_); });
    worker.barrier();
    worker.share(half_,
                 [&](Range range, int64_t) { multiply(table_, spectrum_, spectrum_, range); });
    worker.barrier();
    lead_transform(worker, clock, [&] { backward_.execute(spectrum_, real_); });
    worker.barrier();
}

void Raman::transforms() noexcept {
    forward_.execute(real_, spectrum_);
    backward_.execute(spectrum_, real_);
}

void Raman::rescale() noexcept {
    const double scale = 1.0 / static_cast<double>(padded_);
    for (int64_t i = 0; i < padded_; ++i)
        real_[i] *= scale;
}

std::string Raman::plans() const {
    return forward_.text() + "\n" + backward_.text() + "\n";
}

int64_t Raman::bytes() const noexcept {
    int64_t bytes = 16 * points_ + 8 * padded_;  // field in, |A|² and padding out
    bytes += (16 + 16 + 16) * half_.elements();  // spectrum, table, spectrum
    return bytes + 8 * points_;                  // response
}

}  // namespace longrun
