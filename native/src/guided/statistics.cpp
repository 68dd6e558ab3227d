#include "guided/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/constants.hpp"
#include "core/reduce.hpp"
#include "guided/problem.hpp"

namespace longrun::guided {
namespace {

Range counted_bins(const longrun_guided_problem& problem) noexcept {
    if (problem.field == LONGRUN_FIELD_REAL)
        return {1, problem.points / 2};
    return {0, problem.points};
}

}  // namespace

ModalObserver::ModalObserver(Arena& arena, const Planner& planner,
                             const longrun_guided_problem& problem)
    : real_field_(problem.field == LONGRUN_FIELD_REAL),
      points_(problem.points),
      modes_(problem.modes),
      nodes_(problem.nodes),
      bins_(bins_of(problem)),
      time_step_s_(problem.time_step_s),
      energy_scale_(problem.energy_scale),
      counted_(std::vector<Range>{counted_bins(problem)}),
      samples_(points_),
      omega_(arena.copy(problem.omega, bins_)),
      synthesis_(arena.copy(problem.synthesis, nodes_ * modes_)),
      plane_(arena.take<Complex>(modes_ * bins_)),
      node_(arena.take<Complex>(bins_)),
      spectrum_(arena.take<Complex>(points_)),
      field_(arena.take<Complex>(points_)),
      density_(arena.take<double>(bins_)),
      power_(arena.take<double>(points_)),
      sums_(arena.take<double>(samples_.count() + counted_.count())),
      backward_(planner, points_, spectrum_, field_) {}

void ModalObserver::observe(longrun_plane_statistics& statistics, double* intensity) noexcept {
    std::fill_n(density_, bins_, 0.0);
    std::fill_n(power_, points_, 0.0);
    for (int64_t mode = 0; mode < modes_; ++mode) {
        const Complex* values = plane_ + mode * bins_;
        for (int64_t bin = 0; bin < bins_; ++bin) {
            const double square = squared(values[bin]);
            density_[bin] += square;
            if (intensity != nullptr)
                intensity[mode * bins_ + bin] = square;
        }
        add_power(values);
    }
    observe_spectrum(statistics);
    observe_power(statistics);
}

void ModalObserver::observe_nodes(double* fluence, double* peak) noexcept {
    for (int64_t node = 0; node < nodes_; ++node) {
        std::fill_n(node_, bins_, Complex{0, 0});
        for (int64_t mode = 0; mode < modes_; ++mode)
            for (int64_t bin = 0; bin < bins_; ++bin)
                node_[bin] =
                    node_[bin] + synthesis_[node * modes_ + mode] * plane_[mode * bins_ + bin];
        std::fill_n(power_, points_, 0.0);
        add_power(node_);
        if (fluence != nullptr)
            fluence[node] = time_step_s_ * sum(samples_, [&](int64_t i) { return power_[i]; });
        if (peak != nullptr)
            peak[node] = *std::max_element(power_, power_ + points_);
    }
}

void ModalObserver::observe_spectrum(longrun_plane_statistics& statistics) noexcept {
    const double energy = sum(counted_, [&](int64_t i) { return density_[i]; });
    const double photons =
        sum(counted_, [&](int64_t i) { return omega_[i] > 0 ? density_[i] / omega_[i] : 0.0; });
    const double frequency = sum(counted_, [&](int64_t i) { return density_[i] * omega_[i]; });
    statistics.energy_j = energy_scale_ * energy;
    statistics.photon_number = energy_scale_ / kHbar * photons;
    statistics.mean_omega_rad_s = frequency / energy;
}

/// Adds |A|² of a spectrum to the power.
void ModalObserver::add_power(const Complex* mode) noexcept {
    const double scale = (real_field_ ? 2.0 : 1.0) / static_cast<double>(points_);
    std::fill_n(spectrum_, points_, Complex{0, 0});
    for (int64_t block = 0; block < counted_.count(); ++block)
        for (int64_t i = counted_[block].begin; i < counted_[block].end; ++i)
            spectrum_[i] = scale * mode[i];
    backward_.execute(spectrum_, field_);
    for (int64_t i = 0; i < points_; ++i)
        power_[i] += squared(field_[i]);
}

void ModalObserver::observe_power(longrun_plane_statistics& statistics) noexcept {
    const double* highest = std::max_element(power_, power_ + points_);
    const double total = sum(samples_, [&](int64_t i) { return power_[i]; });
    const double first = sum(samples_, [&](int64_t i) { return power_[i] * time(i); });
    const double mean = first / total;
    // A second pass, so that nothing cancels.
    const double spread =
        sum(samples_, [&](int64_t i) { return power_[i] * (time(i) - mean) * (time(i) - mean); });
    statistics.peak_power_w = *highest;
    statistics.peak_time_s = time(highest - power_);
    statistics.rms_duration_s = std::sqrt(spread / total);
}

/// Σ value(index) over blocks, pairwise.
template <class Value>
double ModalObserver::sum(const Blocks& blocks, const Value& value) noexcept {
    for (int64_t block = 0; block < blocks.count(); ++block) {
        double here = 0;
        for (int64_t i = blocks[block].begin; i < blocks[block].end; ++i)
            here += value(i);
        sums_[block] = here;
    }
    return sum_pairwise(sums_, blocks.count());
}

double ModalObserver::time(int64_t index) const noexcept {
    return static_cast<double>(index - points_ / 2) * time_step_s_;
}

}  // namespace longrun::guided
