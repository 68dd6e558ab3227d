// Modes in a guide, in normalised units: problems, launches, and the source by its formula.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

#include "fixture.hpp"

namespace fixture {

/// The arrays of `longrun_guided_problem`. Every node sees every mode, nothing else acts.
struct Guide {
    Guide(int32_t kind, int64_t points, int64_t fine_points, std::size_t mode_count,
          std::size_t node_count, double window)
        : field(kind),
          n(points),
          fine(fine_points),
          bins(static_cast<std::size_t>(kind == LONGRUN_FIELD_REAL ? points / 2 + 1 : points)),
          modes(mode_count),
          nodes(node_count),
          dt(window / static_cast<double>(points)),
          omega(bins),
          synthesis(node_count * mode_count, 1.0),
          projection(node_count * mode_count, 1.0),
          linear(mode_count * bins),
          source(mode_count * bins) {
        for (std::size_t k = 0; k < bins; ++k)
            omega[k] = std::fmax(carrier() + offset(k), 0.0);
    }

    double carrier() const {
        return field == LONGRUN_FIELD_REAL ? 12 * spacing() : 2000 * spacing();
    }
    double spacing() const { return 2 * kPi / (static_cast<double>(n) * dt); }

    /// Of a bin from the carrier.
    double offset(std::size_t k) const {
        const auto bin = static_cast<int64_t>(k);
        if (field == LONGRUN_FIELD_REAL)
            return static_cast<double>(bin) * spacing() - carrier();
        return static_cast<double>(bin < n / 2 ? bin : bin - n) * spacing();
    }
    double time(std::size_t i) const {
        return (static_cast<double>(i) - static_cast<double>(n) / 2) * dt;
    }

    /// L of each mode from its offset and number, on the bins of the valid set.
    template <class Operator>
    void set_linear(const Operator& value) {
        for (std::size_t mode = 0; mode < modes; ++mode)
            for (std::size_t k = 0; k < bins; ++k)
                if (omega[k] > 0)
                    linear[mode * bins + k] = value(offset(k), static_cast<double>(mode));
    }
    /// -i strength times w over the carrier.
    void set_source(double strength) {
        for (std::size_t i = 0; i < source.size(); ++i)
            source[i] = std::complex<double>(0, -strength * omega[i % bins] / carrier());
    }
    /// Nothing acts from here up, nor below.
    void band(std::size_t first, std::size_t end) {
        for (std::size_t i = 0; i < source.size(); ++i)
            if (i % bins < first || i % bins >= end) {
                omega[i % bins] = 0;
                linear[i] = source[i] = 0;
            }
    }

    longrun_guided_problem view() const {
        longrun_guided_problem problem{};
        problem.struct_size = sizeof(problem);
        problem.field = field;
        problem.points = n;
        problem.fine_points = fine;
        problem.modes = static_cast<int64_t>(modes);
        problem.nodes = static_cast<int64_t>(nodes);
        problem.time_step_s = dt;
        problem.carrier_rad_s = carrier();
        problem.energy_scale = (field == LONGRUN_FIELD_REAL ? 4 : 1) * dt / static_cast<double>(n);
        problem.omega = raw(omega);
        problem.synthesis = raw(synthesis);
        problem.projection = raw(projection);
        problem.linear = gradient == nullptr ? raw(linear) : nullptr;
        problem.gradient = gradient;
        problem.density_follows = gradient != nullptr && density_follows ? 1 : 0;
        problem.source = raw(source);
        problem.density = density;
        problem.kerr = kerr;
        problem.raman_points = raman_points;
        problem.raman = raw(raman);
        problem.rates = rates;
        problem.absorb_spectral = raw(absorb_spectral);
        problem.absorb_temporal = raw(absorb_temporal);
        problem.time_window = raw(time_window);
        problem.absorb_length_m = absorb_length;
        problem.carrier_bin = 12;
        problem.harmonic = raw(harmonic);
        return problem;
    }

    int32_t field;
    int64_t n;
    int64_t fine;
    std::size_t bins;
    std::size_t modes;
    std::size_t nodes;
    double dt;
    double density = 1;
    double kerr = 0;
    std::vector<double> omega;
    std::vector<double> synthesis;
    std::vector<double> projection;
    Field linear;
    Field source;
    const longrun_gradient* gradient = nullptr;
    bool density_follows = false;
    int64_t raman_points = 0;
    Field raman;
    const longrun_rate_table* rates = nullptr;
    std::vector<double> absorb_spectral;
    std::vector<double> absorb_temporal;
    std::vector<double> time_window;
    double absorb_length = 0.1;
    std::vector<double> harmonic;
};

/// The spectra of the modes, given in time as function of time and mode; of a real field its real
/// part is taken. Nothing is launched where nothing acts, as in the cases: the first absorption
/// would cut it, and `rk` takes that for an error of its second step (`dormand_prince.hpp`).
template <class Amplitude>
Field launch(const Guide& guide, const Amplitude& amplitude) {
    Field state;
    for (std::size_t mode = 0; mode < guide.modes; ++mode) {
        Field time(static_cast<std::size_t>(guide.n));
        for (std::size_t i = 0; i < time.size(); ++i) {
            time[i] = amplitude(guide.time(i), static_cast<double>(mode));
            if (guide.field == LONGRUN_FIELD_REAL)
                time[i] = time[i].real();
        }
        const Field spectrum = dft(time, -1);
        for (std::size_t k = 0; k < guide.bins; ++k)
            state.push_back(guide.omega[k] > 0 ? spectrum[k] : 0);
    }
    return state;
}

/// A sech of unit width around a carrier, weaker in higher modes.
inline Field pulses(const Guide& guide, double peak) {
    const double turn = guide.field == LONGRUN_FIELD_REAL ? guide.carrier() : 0.0;
    return launch(guide, [&](double t, double mode) {
        return std::polar(peak / (1 + mode) / std::cosh(t), turn * t + 0.4 * mode);
    });
}

/// The field on the fine grid whose bins are the first ones of `spectrum`: E of a node.
inline Field fine_field(const Guide& guide, const Field& spectrum) {
    const auto samples = static_cast<std::size_t>(guide.fine);
    Field whole(samples);
    for (std::size_t k = 0; k < guide.bins; ++k) {
        whole[k] = spectrum[k];
        if (guide.field == LONGRUN_FIELD_REAL && k > 0 && 2 * k < samples)
            whole[samples - k] = std::conj(spectrum[k]);
    }
    Field time = dft(whole, 1);
    for (auto& value : time)
        value /= static_cast<double>(guide.n);
    return time;
}

/// The bins of the state of what is given on the fine grid.
inline Field coarse_spectrum(const Guide& guide, const Field& time) {
    Field spectrum = dft(time, -1);
    spectrum.resize(guide.bins);
    for (auto& value : spectrum)
        value *= static_cast<double>(guide.n) / static_cast<double>(guide.fine);
    return spectrum;
}

}  // namespace fixture
