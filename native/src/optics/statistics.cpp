#include "optics/statistics.hpp"

#include <cmath>
#include <numbers>

#include "core/constants.hpp"
#include "core/reduce.hpp"

namespace longrun {
namespace {

// Columns of block values.
enum : int64_t { kEnergy, kPhotons, kFrequency, kPower, kTime, kPeak, kSpread, kColumns };

}  // namespace

PlaneObserver::PlaneObserver(Arena& arena, Transforms& transforms, double time_step_s,
                             double carrier_rad_s)
    : transforms_(transforms),
      whole_(transforms.points),
      time_step_s_(time_step_s),
      carrier_rad_s_(carrier_rad_s),
      columns_(arena.take<double>(kColumns * whole_.count())),
      peaks_(arena.take<int64_t>(whole_.count())) {}

void PlaneObserver::observe(Team& team, longrun_plane_statistics& statistics,
                            double* intensity) noexcept {
    const int64_t blocks = whole_.count();
    team.run([&](const Worker& worker) noexcept {
        worker.share(whole_, [&](Range range, int64_t index) {
            const SpectralSums sums = spectral_sums(range, intensity);
            columns_[kEnergy * blocks + index] = sums.energy;
            columns_[kPhotons * blocks + index] = sums.photons;
            columns_[kFrequency * blocks + index] = sums.frequency;
        });
        worker.barrier();
        worker.lead([&] { transforms_.backward.execute(transforms_.spectrum, transforms_.time); });
        worker.barrier();
        worker.share(whole_, [&](Range range, int64_t index) {
            const TemporalSums sums = temporal_sums(range);
            columns_[kPower * blocks + index] = sums.energy;
            columns_[kTime * blocks + index] = sums.time;
            columns_[kPeak * blocks + index] = sums.peak;
            peaks_[index] = sums.peak_index;
        });
    });
    int64_t highest = 0;
    for (int64_t index = 1; index < blocks; ++index)
        if (columns_[kPeak * blocks + index] > columns_[kPeak * blocks + highest])
            highest = index;
    const double power = sum_column(kPower);
    const double mean_time = sum_column(kTime) / power;
    team.run([&](const Worker& worker) noexcept {
        worker.share(whole_, [&](Range range, int64_t index) {
            columns_[kSpread * blocks + index] = spread(range, mean_time);
        });
    });
    const auto points = static_cast<double>(transforms_.points);
    const double energy = sum_column(kEnergy);
    const double joules = time_step_s_ / points;
    statistics.energy_j = joules * energy;
    statistics.photon_number = joules / kHbar * sum_column(kPhotons);
    statistics.mean_omega_rad_s = sum_column(kFrequency) / energy;
    statistics.peak_power_w = columns_[kPeak * blocks + highest] / (points * points);
    statistics.peak_time_s = time(peaks_[highest]);
    statistics.rms_duration_s = std::sqrt(sum_column(kSpread) / power);
}

/// Sums of |Y|², |Y|²/w for w > 0 and |Y|² w. 10 FLOP, 16 B read and up to 8 B written per
/// element.
PlaneObserver::SpectralSums PlaneObserver::spectral_sums(Range range,
                                                         double* intensity) const noexcept {
    SpectralSums sums{};
    for (int64_t i = range.begin; i < range.end; ++i) {
        const double density = squared(transforms_.spectrum[i]);
        const double w = omega(i);
        sums.energy += density;
        sums.frequency += density * w;
        if (w > 0)
            sums.photons += density / w;
        if (intensity != nullptr)
            intensity[i] = density;
    }
    return sums;
}

/// Sums of |A|² and |A|² t, and the largest |A|². 8 FLOP and 16 B read per element.
PlaneObserver::TemporalSums PlaneObserver::temporal_sums(Range range) const noexcept {
    TemporalSums sums{0, 0, -1, range.begin};
    for (int64_t i = range.begin; i < range.end; ++i) {
        const double power = squared(transforms_.time[i]);
        sums.energy += power;
        sums.time += power * time(i);
        if (power > sums.peak) {
            sums.peak = power;
            sums.peak_index = i;
        }
    }
    return sums;
}

/// Sum of |A|² (t - mean)²; a second pass, so that nothing cancels. 8 FLOP and 16 B read.
double PlaneObserver::spread(Range range, double mean) const noexcept {
    double sum = 0;
    for (int64_t i = range.begin; i < range.end; ++i) {
        const double distance = time(i) - mean;
        sum += squared(transforms_.time[i]) * distance * distance;
    }
    return sum;
}

double PlaneObserver::sum_column(int64_t column) const noexcept {
    return sum_pairwise(columns_ + column * whole_.count(), whole_.count());
}

double PlaneObserver::omega(int64_t index) const noexcept {
    const int64_t points = transforms_.points;
    const int64_t signed_index = index < points / 2 ? index : index - points;
    const double spacing = 2 * std::numbers::pi / (static_cast<double>(points) * time_step_s_);
    return carrier_rad_s_ + static_cast<double>(signed_index) * spacing;
}

double PlaneObserver::time(int64_t index) const noexcept {
    return static_cast<double>(index - transforms_.points / 2) * time_step_s_;
}

}  // namespace longrun
