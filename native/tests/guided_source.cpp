// The source of modes in a guide against its formula, written with sums instead of transforms.
#include "guided/source.hpp"

#include <cstring>
#include <vector>

#include "check.hpp"
#include "core/arena.hpp"
#include "core/constants.hpp"
#include "core/team.hpp"
#include "guide.hpp"

using fixture::Field;
using fixture::Guide;
using longrun::kElectronCharge;
using longrun::kElectronMass;

namespace {

constexpr double kEnergy = 3e-8;

/// ln W from -2 to 2 over fields of 0.5 to 2.5, in normalised units.
struct Rates {
    Rates() {
        view.struct_size = sizeof(view);
        view.first_field_v_m = 0.5;
        view.step_v_m = 0.25;
        view.cells = 8;
        view.ionisation_energy_j = kEnergy;
        for (int cell = 0; cell < 8; ++cell)
            for (const double value : {-2 + 0.5 * cell, 0.4, 0.2, -0.1})
                coefficients.push_back(value);
        view.coefficients = coefficients.data();
    }
    Rates(const Rates&) = delete;
    Rates& operator=(const Rates&) = delete;

    double of(double field) const {
        const double position = (field - 0.5) / 0.25;
        if (position < 0)
            return 0;
        const auto cell = static_cast<std::size_t>(position);
        const double t = position - static_cast<double>(cell);
        const double* c = &coefficients[4 * cell];
        return std::exp(c[0] + t * (c[1] + t * (c[2] + t * c[3])));
    }

    std::vector<double> coefficients;
    longrun_rate_table view{};
};

enum class Terms { kKerr, kDelayed, kIonised, kAll };

double response_at(double t) {
    return 1e-8 * std::exp(-0.3 * t) * std::sin(2 * t);
}

double fine_step(const Guide& guide) {
    return guide.dt * static_cast<double>(guide.n) / static_cast<double>(guide.fine);
}

/// All factors of each node and mode differ; plasma and Kerr are of one size (e²/m_e is 2.8e-8).
Guide make_guide(int32_t field, std::size_t modes, std::size_t nodes, Terms terms,
                 const Rates& rates) {
    const bool real = field == LONGRUN_FIELD_REAL;
    Guide guide(field, 64, real ? 128 : 64, modes, nodes, 12);
    for (std::size_t i = 0; i < guide.synthesis.size(); ++i) {
        guide.synthesis[i] = 0.6 + 0.3 * std::cos(1.3 * static_cast<double>(i));
        guide.projection[i] = std::sin(0.7 + 2.1 * static_cast<double>(i));
    }
    guide.set_source(0.8);
    guide.band(3, real ? 31 : 60);
    guide.density = 0.7;
    guide.kerr = 2e-8;
    for (int64_t i = 0; i < guide.fine; ++i)
        guide.time_window.push_back(0.6 + 0.4 * std::cos(0.05 * static_cast<double>(i)));
    guide.absorb_spectral.resize(guide.bins, 1.0);
    guide.absorb_temporal.resize(64, 1.0);
    if (terms == Terms::kIonised || terms == Terms::kAll)
        guide.rates = &rates.view;
    if (terms != Terms::kDelayed && terms != Terms::kAll)
        return guide;
    // Padded for a real field, periodic for an envelope.
    guide.raman_points = real ? 2 * guide.fine : guide.fine;
    Field response(static_cast<std::size_t>(guide.raman_points));
    for (std::size_t i = 0; i < static_cast<std::size_t>(guide.fine); ++i) {
        const double t = static_cast<double>(i) * fine_step(guide);
        response[i] = fine_step(guide) * response_at(t);
    }
    guide.raman = fixture::dft(response, -1);
    guide.raman.resize(static_cast<std::size_t>(guide.raman_points / 2 + 1));
    return guide;
}

Field integral(const Field& values, double step) {
    Field sums(values.size());
    for (std::size_t i = 1; i < values.size(); ++i)
        sums[i] = sums[i - 1] + step / 2 * (values[i - 1] + values[i]);
    return sums;
}

Field windowed(const Guide& guide, Field values) {
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] *= guide.time_window[i];
    return fixture::coarse_spectrum(guide, values);
}

/// What is free: its growth e²/m_e f E, and the current of setting free.
struct Ionised {
    Field growth;
    Field release;
};

Ionised ionised(const Guide& guide, const Rates& rates, const Field& field) {
    using namespace longrun::guided;
    const double drift = kElectronCharge * kElectronCharge / kElectronMass;
    Field rate;
    for (const auto& value : field)
        rate.emplace_back(rates.of(std::abs(value)), 0.0);
    const Field exponent = integral(rate, fine_step(guide));
    Ionised result;
    for (std::size_t i = 0; i < field.size(); ++i) {
        const double bound = std::exp(-exponent[i].real());
        const double power = kEnergy * rate[i].real() * bound;
        const double twice = guide.field == LONGRUN_FIELD_REAL ? 1.0 : 2.0;
        result.growth.push_back((1 - bound) * drift * field[i]);
        result.release.push_back(field[i] == 0.0 ? std::complex<double>(0)
                                                 : twice * power / std::norm(field[i]) * field[i]);
    }
    return result;
}

double delayed(const Guide& guide, const Field& field, std::size_t i) {
    double sum = 0;
    for (std::size_t j = 0; j < field.size(); ++j) {
        if (j > i && guide.raman_points != guide.fine)
            continue;
        const std::size_t lag = j <= i ? i - j : field.size() + i - j;
        sum += fine_step(guide) * response_at(static_cast<double>(lag) * fine_step(guide)) *
               std::norm(field[j]);
    }
    return sum;
}

/// The bins of the polarisation of a field over the density.
Field polarisation(const Guide& guide, const Rates& rates, const Field& field) {
    Field bound(field.size());
    for (std::size_t i = 0; i < field.size(); ++i) {
        const double later = guide.raman.empty() ? 0 : delayed(guide, field, i);
        bound[i] = field[i] * (guide.kerr * std::norm(field[i]) + later);
    }
    if (guide.rates == nullptr)
        return windowed(guide, bound);
    const Ionised plasma = ionised(guide, rates, field);
    if (guide.field == LONGRUN_FIELD_REAL) {
        Field current = integral(plasma.growth, fine_step(guide));
        for (std::size_t i = 0; i < current.size(); ++i)
            current[i] += plasma.release[i];
        const Field twice = integral(current, fine_step(guide));
        for (std::size_t i = 0; i < bound.size(); ++i)
            bound[i] += twice[i];
        return windowed(guide, bound);
    }
    Field spectrum = windowed(guide, bound);
    const Field growth = windowed(guide, plasma.growth);
    const Field release = windowed(guide, plasma.release);
    for (std::size_t k = 0; k < spectrum.size(); ++k) {
        if (guide.omega[k] == 0)
            continue;
        const std::complex<double> once = 1.0 / std::complex<double>(0, guide.omega[k]);
        spectrum[k] += once * (once * growth[k] + release[k]);
    }
    return spectrum;
}

Field expected_source(const Guide& guide, const Rates& rates, const Field& state) {
    Field sums(state.size());
    for (std::size_t node = 0; node < guide.nodes; ++node) {
        Field spectrum(guide.bins);
        for (std::size_t i = 0; i < state.size(); ++i)
            spectrum[i % guide.bins] +=
                guide.synthesis[node * guide.modes + i / guide.bins] * state[i];
        const Field of_node = polarisation(guide, rates, fixture::fine_field(guide, spectrum));
        for (std::size_t i = 0; i < state.size(); ++i)
            sums[i] +=
                guide.projection[i / guide.bins * guide.nodes + node] * of_node[i % guide.bins];
    }
    for (std::size_t i = 0; i < state.size(); ++i)
        sums[i] *= guide.density * guide.source[i];
    return sums;
}

Field obtained_source(const Guide& guide, const Field& state, int threads) {
    const auto size = static_cast<int64_t>(state.size());
    longrun::Arena arena;
    longrun::Team team(threads);
    longrun::PartClock clock;
    auto* weight = arena.take<longrun::Complex>(size);
    std::memcpy(weight, guide.source.data(), state.size() * sizeof(state[0]));
    auto* input = arena.take<longrun::Complex>(size);
    std::memcpy(input, state.data(), state.size() * sizeof(state[0]));
    longrun::guided::GuidedSource source(arena, longrun::Planner(), guide.view(), weight,
                                         {guide.density, nullptr}, size, threads, clock);
    // Twice, with bare transforms between: nothing that they leave behind matters.
    for (int i = 0; i < 2; ++i)
        team.run([&](const longrun::Worker& worker) noexcept {
            source.evaluate(worker, 0, input);
            worker.barrier();
            if (i == 0) {
                source.transforms(worker, input);
                source.rescale(worker);
            }
        });
    check::near("no field is beyond the table", 0, source.take_excess().field, 0);
    Field obtained(state.size());
    for (int64_t i = 0; i < size; ++i) {
        const longrun::Complex slope = source.weight()[i] * source.output()[i];
        obtained[static_cast<std::size_t>(i)] = {slope.re, slope.im};
    }
    return obtained;
}

void compare(int32_t field, std::size_t modes, std::size_t nodes, Terms terms, double peak = 1.6) {
    const Rates rates;
    const Guide guide = make_guide(field, modes, nodes, terms, rates);
    const Field state = fixture::pulses(guide, peak);
    const Field obtained = obtained_source(guide, state, 1);
    check::at_most("source against its formula", 1e-11,
                   fixture::distance(obtained, expected_source(guide, rates, state)));
    for (const int threads : {2, 3}) {
        const Field shared = obtained_source(guide, state, threads);
        check::equal("bits of a team", 1, fixture::same_bits(obtained, shared) ? 1 : 0);
    }
}

}  // namespace

int main() {
    for (const int32_t field : {LONGRUN_FIELD_REAL, LONGRUN_FIELD_ENVELOPE})
        for (const Terms terms : {Terms::kKerr, Terms::kDelayed, Terms::kIonised, Terms::kAll}) {
            compare(field, 1, 1, terms);
            // More and fewer than are summed side by side, and than the team has threads.
            compare(field, 2, 6, terms);
            compare(field, 5, 2, terms);
            // So many that both directions are products of matrices, in more than one block.
            compare(field, 18, 35, terms, 0.7);
        }
    return check::finish();
}
