#include "cartesian/observe.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "core/reduce.hpp"

namespace longrun::cartesian {
namespace {

int64_t groups_of(int64_t tiles, int64_t together) noexcept {
    return (tiles + together - 1) / together;
}

/// Σ|x|², row by row of a fixed length.
double sum_plane(const Complex* plane, int64_t count) noexcept {
    double sum = 0;
    for (int64_t first = 0; first < count; first += Blocks::kLength)
        sum += sum_squares(plane + first, std::min(Blocks::kLength, count - first));
    return sum;
}

}  // namespace

CartesianObserver::CartesianObserver(Arena& arena, const Planner& planner,
                                     const longrun_cartesian_problem& problem, const Planes& planes,
                                     int threads)
    : shape_(problem),
      planes_(planes),
      time_step_s_(problem.time_step_s),
      energy_scale_(problem.energy_scale),
      omega_(arena.copy(problem.omega, problem.bins)),
      tiles_(arena, shape_, shape_.points, threads),
      samples_(shape_.points),
      plane_sums_(arena.take<double>(shape_.bins)),
      group_powers_(arena.take<double>(groups_of(tiles_.count(), kTilesTogether) * shape_.points)),
      power_(arena.take<double>(shape_.points)),
      sums_(arena.take<double>(samples_.count())),
      times_([&] {
          std::vector<Complex*> times;
          for (int rank = 0; rank < threads; ++rank)
              times.push_back(arena.take<Complex>(shape_.points));
          return times;
      }()),
      backward_(planner, shape_.points, tiles_.sample(), times_[0]) {}

void CartesianObserver::observe(Team& team, const Complex* state,
                                longrun_plane_statistics& statistics, double* intensity) noexcept {
    observe_spectrum(team, state, statistics, intensity);
    observe_power(team, state, statistics);
}

void CartesianObserver::observe_spectrum(Team& team, const Complex* state,
                                         longrun_plane_statistics& statistics,
                                         double* intensity) noexcept {
    const int64_t area = shape_.area();
    team.run([&](const Worker& worker) noexcept {
        worker.divide(shape_.bins, 1, [&](int64_t bin, int64_t) {
            const Complex* plane = state + bin * area;
            plane_sums_[bin] = sum_plane(plane, area);
            if (intensity != nullptr)
                for (int64_t i = 0; i < area; ++i)
                    intensity[bin * area + i] = squared(plane[i]);
        });
    });
    double energy = 0;
    double photons = 0;
    double frequency = 0;
    for (int64_t bin = 0; bin < shape_.bins; ++bin) {
        energy += plane_sums_[bin];
        photons += plane_sums_[bin] / omega_[bin];
        frequency += plane_sums_[bin] * omega_[bin];
    }
    statistics.energy_j = energy_scale_ * energy;
    statistics.photon_number = energy_scale_ / kHbar * photons;
    statistics.mean_omega_rad_s = frequency / energy;
}

/// P(t) = energy_scale n / (4 dt) Σ |E_k(t)|² over the waves, E_k with the 2/n of an analytic
/// signal.
void CartesianObserver::observe_power(Team& team, const Complex* state,
                                      longrun_plane_statistics& statistics) noexcept {
    const int64_t points = shape_.points;
    const int64_t groups = groups_of(tiles_.count(), kTilesTogether);
    const double scale = 2 / static_cast<double>(points);
    team.run([&](const Worker& worker) noexcept {
        Complex* time = times_[static_cast<std::size_t>(worker.rank())];
        worker.divide(groups, 1, [&](int64_t group, int64_t) {
            double* powers = group_powers_ + group * points;
            std::fill_n(powers, points, 0.0);
            const Range tiles{group * kTilesTogether,
                              std::min((group + 1) * kTilesTogether, tiles_.count())};
            tiles_.read(worker, tiles, state, scale,
                        [&](int64_t, int64_t columns, Spectra spectra) {
                            for (int64_t column = 0; column < columns; ++column) {
                                analytic(spectra[column], time);
                                for (int64_t i = 0; i < points; ++i)
                                    powers[i] += squared(time[i]);
                            }
                        });
        });
    });
    const double watts = energy_scale_ * static_cast<double>(points) / (4 * time_step_s_);
    for (int64_t i = 0; i < points; ++i) {
        power_[i] = 0;
        for (int64_t group = 0; group < groups; ++group)
            power_[i] += group_powers_[group * points + i];
        power_[i] *= watts;
    }
    const double* highest = std::max_element(power_, power_ + points);
    const double total = sum_samples([&](int64_t i) { return power_[i]; });
    const double mean = sum_samples([&](int64_t i) { return power_[i] * time_s(i); }) / total;
    // A second pass, so that nothing cancels.
    const double spread =
        sum_samples([&](int64_t i) { return power_[i] * (time_s(i) - mean) * (time_s(i) - mean); });
    statistics.peak_power_w = *highest;
    statistics.peak_time_s = time_s(highest - power_);
    statistics.rms_duration_s = std::sqrt(spread / total);
}

void CartesianObserver::observe_columns(Team& team, Complex* state, double* fluence,
                                        double* peak) noexcept {
    const int64_t points = shape_.points;
    const double scale = 2 * shape_.inverse();
    team.run([&](const Worker& worker) noexcept {
        worker.barrier();
        planes_.to_columns(worker, untimed_, state, state);
        worker.barrier();
        Complex* time = times_[static_cast<std::size_t>(worker.rank())];
        tiles_.read(worker, state, scale, [&](int64_t first, int64_t columns, Spectra spectra) {
            for (int64_t column = 0; column < columns; ++column) {
                analytic(spectra[column], time);
                double sum = 0;
                double largest = 0;
                for (int64_t i = 0; i < points; ++i) {
                    sum += squared(time[i]);
                    largest = std::max(largest, squared(time[i]));
                }
                if (fluence != nullptr)
                    fluence[first + column] = time_step_s_ * sum;
                if (peak != nullptr)
                    peak[first + column] = largest;
            }
        });
    });
}

/// The signal of the bins of the state in `spectrum`, whose other bins are emptied.
void CartesianObserver::analytic(Complex* spectrum, Complex* time) const noexcept {
    const Range bins = shape_.range();
    std::fill(spectrum, spectrum + bins.begin, Complex{0, 0});
    std::fill(spectrum + bins.end, spectrum + shape_.points, Complex{0, 0});
    backward_.execute(spectrum, time);
}

/// Σ value(index) over blocks of the samples, pairwise.
template <class Value>
double CartesianObserver::sum_samples(const Value& value) noexcept {
    for (int64_t block = 0; block < samples_.count(); ++block) {
        double here = 0;
        for (int64_t i = samples_[block].begin; i < samples_[block].end; ++i)
            here += value(i);
        sums_[block] = here;
    }
    return sum_pairwise(sums_, samples_.count());
}

double CartesianObserver::time_s(int64_t index) const noexcept {
    return static_cast<double>(index - shape_.points / 2) * time_step_s_;
}

}  // namespace longrun::cartesian
