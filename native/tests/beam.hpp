// A field over a plane, in normalised units: problems, launches, transforms by their definition.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fixture.hpp"

namespace fixture {

/// The arrays of `longrun_cartesian_problem`, with waves of all kinds: at the lowest frequencies
/// those of the corners are evanescent.
struct Beam {
    Beam(int64_t points, int64_t fine_points, int64_t first, int64_t count, int64_t columns_x,
         int64_t columns_y)
        : n(points),
          fine(fine_points),
          first_bin(first),
          bins(static_cast<std::size_t>(count)),
          nx(static_cast<std::size_t>(columns_x)),
          ny(static_cast<std::size_t>(columns_y)) {
        for (std::size_t bin = 0; bin < bins; ++bin) {
            omega.push_back(static_cast<double>(first_bin + static_cast<int64_t>(bin)) * spacing());
            wavenumber.push_back(1.5 * omega.back());
            strength.push_back(0.5 * omega.back() * omega.back());
        }
        k_x = waves(nx, 12);
        k_y = waves(ny, 10);
    }

    double spacing() const { return 2 * kPi / (static_cast<double>(n) * dt); }
    std::size_t area() const { return nx * ny; }
    std::size_t size() const { return bins * area(); }
    double time(std::size_t i, int64_t samples) const {
        const double step = dt * static_cast<double>(n) / static_cast<double>(samples);
        return (static_cast<double>(i) - static_cast<double>(samples) / 2) * step;
    }
    /// Position of a column along an axis of this width.
    static double place(std::size_t i, std::size_t count, double width) {
        return (static_cast<double>(i) / static_cast<double>(count) - 0.5) * width;
    }

    /// k_z² of a value of the state.
    double square(std::size_t i) const {
        const double k = wavenumber[i / area()];
        const double x = k_x[i % nx];
        const double y = k_y[i / nx % ny];
        return k * k - x * x - y * y;
    }
    std::complex<double> linear(std::size_t i) const {
        const double w = omega[i / area()];
        if (square(i) >= 0)
            return {0, frame * w - std::sqrt(square(i))};
        return {-std::fmin(std::sqrt(-square(i)), evanescent_max), frame * w};
    }
    std::complex<double> factor(std::size_t i) const {
        if (square(i) < 0)
            return 0;
        const double least = grazing * wavenumber[i / area()];
        return {0, -strength[i / area()] / std::fmax(std::sqrt(square(i)), least)};
    }

    longrun_cartesian_problem view() const {
        longrun_cartesian_problem problem{};
        problem.struct_size = sizeof(problem);
        problem.points = n;
        problem.fine_points = fine;
        problem.first_bin = first_bin;
        problem.bins = static_cast<int64_t>(bins);
        problem.columns_x = static_cast<int64_t>(nx);
        problem.columns_y = static_cast<int64_t>(ny);
        problem.time_step_s = dt;
        problem.energy_scale = energy_scale;
        problem.frame_s_per_m = frame;
        problem.evanescent_max_per_m = evanescent_max;
        problem.grazing = grazing;
        problem.omega = raw(omega);
        problem.wavenumber = raw(wavenumber);
        problem.strength = raw(strength);
        problem.k_x = raw(k_x);
        problem.k_y = raw(k_y);
        problem.density = density;
        problem.kerr = kerr;
        problem.rates = rates;
        problem.absorb_spectral = raw(absorb_spectral);
        problem.absorb_temporal = raw(absorb_temporal);
        problem.absorb_x = raw(absorb_x);
        problem.absorb_y = raw(absorb_y);
        problem.time_window = raw(time_window);
        problem.absorb_length_m = absorb_length;
        return problem;
    }

    int64_t n;
    int64_t fine;
    int64_t first_bin;
    std::size_t bins;
    std::size_t nx;
    std::size_t ny;
    double dt = 0.5;
    double energy_scale = 3;
    double frame = 1.4;
    double evanescent_max = 2;
    double grazing = 0.3;
    double density = 0.7;
    double kerr = 0;
    double absorb_length = 0.1;
    std::vector<double> omega;
    std::vector<double> wavenumber;
    std::vector<double> strength;
    std::vector<double> k_x;
    std::vector<double> k_y;
    const longrun_rate_table* rates = nullptr;
    std::vector<double> absorb_spectral;
    std::vector<double> absorb_temporal;
    std::vector<double> absorb_x;
    std::vector<double> absorb_y;
    std::vector<double> time_window;

 private:
    static std::vector<double> waves(std::size_t count, double width) {
        std::vector<double> values;
        for (std::size_t i = 0; i < count; ++i) {
            const double wave =
                static_cast<double>(i) - (2 * i < count ? 0.0 : static_cast<double>(count));
            values.push_back(2 * kPi / width * wave);
        }
        return values;
    }
};

/// Transforms over x and y of each plane, by definition.
inline Field over_planes(const Beam& beam, const Field& values, int sign) {
    Field out(values.size());
    for (std::size_t first = 0; first < values.size(); first += beam.area()) {
        Field rows(beam.area());
        for (std::size_t y = 0; y < beam.ny; ++y) {
            const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first + y * beam.nx);
            const Field row = dft(Field(begin, begin + static_cast<std::ptrdiff_t>(beam.nx)), sign);
            std::copy(row.begin(), row.end(),
                      rows.begin() + static_cast<std::ptrdiff_t>(y * beam.nx));
        }
        for (std::size_t x = 0; x < beam.nx; ++x) {
            Field column(beam.ny);
            for (std::size_t y = 0; y < beam.ny; ++y)
                column[y] = rows[y * beam.nx + x];
            column = dft(column, sign);
            for (std::size_t y = 0; y < beam.ny; ++y)
                out[first + y * beam.nx + x] = column[y];
        }
    }
    return out;
}

/// The analytic signal of each column on a grid of so many samples, columns outermost. Its real
/// part is the field.
inline Field signals(const Beam& beam, const Field& state, int64_t samples) {
    const Field planes = over_planes(beam, state, 1);
    const auto count = static_cast<std::size_t>(samples);
    const double scale = 2 / (static_cast<double>(beam.n) * static_cast<double>(beam.area()));
    Field out;
    for (std::size_t column = 0; column < beam.area(); ++column) {
        Field spectrum(count);
        for (std::size_t bin = 0; bin < beam.bins; ++bin)
            spectrum[static_cast<std::size_t>(beam.first_bin) + bin] =
                scale * planes[bin * beam.area() + column];
        const Field time = dft(spectrum, 1);
        out.insert(out.end(), time.begin(), time.end());
    }
    return out;
}

/// The state of a real field given on such a grid, columns outermost.
inline Field state_of(const Beam& beam, const Field& fields, int64_t samples) {
    const auto count = static_cast<std::size_t>(samples);
    const double scale = static_cast<double>(beam.n) / static_cast<double>(samples);
    Field planes(beam.size());
    for (std::size_t column = 0; column < beam.area(); ++column) {
        const auto begin = fields.begin() + static_cast<std::ptrdiff_t>(column * count);
        const Field spectrum = dft(Field(begin, begin + samples), -1);
        for (std::size_t bin = 0; bin < beam.bins; ++bin)
            planes[bin * beam.area() + column] =
                scale * spectrum[static_cast<std::size_t>(beam.first_bin) + bin];
    }
    return over_planes(beam, planes, -1);
}

/// A pulse with a carrier, of Gaussian profile, off the axis.
inline Field beam_launch(const Beam& beam, double peak) {
    Field fields;
    for (std::size_t y = 0; y < beam.ny; ++y)
        for (std::size_t x = 0; x < beam.nx; ++x) {
            const double far = std::pow(Beam::place(x, beam.nx, 12) - 0.4, 2) / 6 +
                               std::pow(Beam::place(y, beam.ny, 10) + 0.3, 2) / 5;
            for (std::size_t i = 0; i < static_cast<std::size_t>(beam.n); ++i) {
                const double t = beam.time(i, beam.n);
                fields.emplace_back(peak * std::exp(-far - t * t / 8) *
                                    std::cos(8 * beam.spacing() * t));
            }
        }
    return state_of(beam, fields, beam.n);
}

/// Real windows over all five axes.
inline void absorb(Beam& beam) {
    const auto edge = [](double u) { return 1 - 0.3 * std::pow(std::fabs(u), 3); };
    for (std::size_t bin = 0; bin < beam.bins; ++bin)
        beam.absorb_spectral.push_back(edge(Beam::place(bin, beam.bins, 2)));
    for (std::size_t i = 0; i < static_cast<std::size_t>(beam.n); ++i)
        beam.absorb_temporal.push_back(edge(Beam::place(i, static_cast<std::size_t>(beam.n), 2)));
    for (std::size_t x = 0; x < beam.nx; ++x)
        beam.absorb_x.push_back(edge(Beam::place(x, beam.nx, 2)));
    for (std::size_t y = 0; y < beam.ny; ++y)
        beam.absorb_y.push_back(edge(Beam::place(y, beam.ny, 1.8)));
    for (std::size_t i = 0; i < static_cast<std::size_t>(beam.fine); ++i)
        beam.time_window.push_back(edge(Beam::place(i, static_cast<std::size_t>(beam.fine), 2)));
}

}  // namespace fixture
