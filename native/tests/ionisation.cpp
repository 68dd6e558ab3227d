// Ionisation against plain loops, and the energy that it takes.
#include "polarisation/ionisation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "check.hpp"
#include "core/arena.hpp"
#include "core/constants.hpp"
#include "polarisation/double_integral.hpp"

using namespace longrun;
using namespace longrun::polarisation;

namespace {

constexpr double kEnergy = 2.5e-18;

/// Rates from `first` in steps of `step`; each cell is a cubic of its own.
struct Table {
    Table(double first, double step, std::vector<double> cubics) : coefficients(std::move(cubics)) {
        view.struct_size = sizeof(view);
        view.first_field_v_m = first;
        view.step_v_m = step;
        view.cells = static_cast<int64_t>(coefficients.size() / 4);
        view.coefficients = coefficients.data();
        view.ionisation_energy_j = kEnergy;
    }
    std::vector<double> coefficients;
    longrun_rate_table view{};
};

/// The rate by its definition; 0 below the table.
double rate_of(const Table& table, double field) {
    const double position = (std::fabs(field) - table.view.first_field_v_m) / table.view.step_v_m;
    if (position < 0)
        return 0;
    const auto cell = std::min(static_cast<std::size_t>(position),
                               static_cast<std::size_t>(table.view.cells - 1));
    const double t = position - static_cast<double>(cell);
    const double* c = &table.coefficients[4 * cell];
    return std::exp(c[0] + c[1] * t + c[2] * t * t + c[3] * t * t * t);
}

/// ln W rises from 20 to 32 over twelve cells, with some curvature in each.
Table rising() {
    std::vector<double> cubics;
    for (int cell = 0; cell < 12; ++cell)
        for (const double value : {20.0 + cell, 1.1, -0.2, 0.1})
            cubics.push_back(value);
    return Table(1e9, 2e8, cubics);
}

/// A pulse with its carrier, in V/m; most of it below the table.
std::vector<double> pulse(std::size_t count, double step) {
    std::vector<double> field(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double t = (static_cast<double>(i) - static_cast<double>(count) / 2) * step;
        field[i] = 3.2e9 * std::exp(-t * t / 2e-29) * std::cos(2.35e15 * t + 0.3);
    }
    return field;
}

struct Reaction {
    std::vector<double> growth;
    std::vector<double> release;
};

/// The same sample by sample, nothing passed over.
Reaction plain(const Table& table, const std::vector<double>& field, double step) {
    constexpr double kDrift = kElectronCharge * kElectronCharge / kElectronMass;
    Reaction reaction;
    double exponent = 0;
    double before = 0;
    for (std::size_t i = 0; i < field.size(); ++i) {
        const double rate = rate_of(table, field[i]);
        if (i > 0)
            exponent += step * (before + rate) / 2;
        before = rate;
        reaction.growth.push_back(-std::expm1(-exponent) * kDrift * field[i]);
        reaction.release.push_back(field[i] == 0 ? 0
                                                 : kEnergy * rate * std::exp(-exponent) / field[i]);
    }
    return reaction;
}

double largest(const std::vector<double>& values) {
    double most = 0;
    for (const double value : values)
        most = std::fmax(most, std::fabs(value));
    return most;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        most = std::fmax(most, std::fabs(a[i] - b[i]));
    return most;
}

void a_pulse_against_plain_loops(std::size_t count) {
    const double step = 6e-17;
    const Table table = rising();
    const std::vector<double> field = pulse(count, step);
    const Reaction expected = plain(table, field, step);
    Arena arena;
    const Ionisation ionisation(arena, table.view, step);
    Reaction obtained{std::vector<double>(count), std::vector<double>(count)};
    const double excess = ionisation.react(field.data(), obtained.growth.data(),
                                           obtained.release.data(), static_cast<int64_t>(count));
    check::near("no field is beyond the table", 0, excess, 0);
    check::at_most("growth of the current", 1e-12 * largest(expected.growth),
                   largest_difference(expected.growth, obtained.growth));
    check::at_most("current of setting free", 1e-12 * largest(expected.release),
                   largest_difference(expected.release, obtained.release));

    // An envelope of the same moduli has the same fraction, and twice the release along its phase.
    std::vector<Complex> envelope;
    for (const double value : field)
        envelope.push_back({0.6 * value, 0.8 * value});
    std::vector<Complex> growth(count);
    std::vector<Complex> release(count);
    ionisation.react(envelope.data(), growth.data(), release.data(), static_cast<int64_t>(count));
    double astray = 0;
    double unaligned = 0;
    for (std::size_t i = 0; i < count; ++i) {
        astray = std::fmax(astray, std::fabs(growth[i].im - 0.8 * expected.growth[i]));
        unaligned = std::fmax(unaligned, std::fabs(release[i].re - 1.2 * expected.release[i]));
    }
    check::at_most("growth of an envelope", 1e-12 * largest(expected.growth), astray);
    check::at_most("its release", 1e-12 * largest(expected.release), unaligned);
}

/// A field that is there at once and stays, with a rate of W: f = 1 - e^{-W t}, and what is taken
/// from the field is I f.
void a_constant_rate_has_a_closed_form() {
    constexpr std::size_t kCount = 4000;
    const double step = 1e-16;
    const double rate = 5e12;
    const Table table(1e9, 1e9, {std::log(rate), 0, 0, 0});
    const std::vector<double> field(kCount, -1.5e9);
    Arena arena;
    const Ionisation ionisation(arena, table.view, step);
    std::vector<double> growth(kCount);
    std::vector<double> release(kCount);
    ionisation.react(field.data(), growth.data(), release.data(), kCount);
    const double drift = kElectronCharge * kElectronCharge / kElectronMass * field[0];
    double worst = 0;
    double taken = 0;
    for (std::size_t i = 0; i < kCount; ++i) {
        const double expected = -std::expm1(-rate * step * static_cast<double>(i));
        worst = std::fmax(worst, std::fabs(growth[i] / drift - expected));
        const bool ends = i == 0 || i + 1 == kCount;
        taken += (ends ? 0.5 : 1.0) * step * release[i] * field[i];
    }
    check::at_most("fraction set free", 1e-12, worst);
    const double fraction = -std::expm1(-rate * step * (kCount - 1));
    // Trapezoids of an exponential miss (W dt)² / 12 of it.
    check::near("energy taken over I", fraction, taken / kEnergy, 1e-7);
}

void what_is_outside_the_table() {
    const Table table = rising();
    Arena arena;
    const Ionisation ionisation(arena, table.view, 1e-17);
    check::near("end of the table", 1e9 + 12 * 2e8, ionisation.limit(), 1);
    std::vector<double> field = {0, 9.99e8, -5e8, 0};
    std::vector<double> growth(4, 1.0);
    std::vector<double> release(4, 1.0);
    check::near("below", 0, ionisation.react(field.data(), growth.data(), release.data(), 4), 0);
    check::near("nothing grows", 0, largest(growth), 0);
    check::near("nothing is set free", 0, largest(release), 0);
    field[2] = -3.5e9;
    check::near("beyond", 3.5e9, ionisation.react(field.data(), growth.data(), release.data(), 4),
                0);
    check::equal("the rate at the end is taken", 1, std::isfinite(release[2]) ? 1 : 0);
    field[2] = NAN;
    ionisation.react(field.data(), growth.data(), release.data(), 4);
    check::equal("what is no number stays none", 1, std::isnan(growth[2]) ? 1 : 0);
}

void integrals_in_stretches_are_those_of_plain_sums() {
    for (const std::size_t count : {1U, 2U, 5U, 7U, 8U, 9U, 16U, 61U, 64U, 1000U, 4099U}) {
        std::vector<double> values(count);
        std::vector<double> extra(count);
        for (std::size_t i = 0; i < count; ++i) {
            values[i] = std::cos(0.7 * static_cast<double>(i)) + 0.3;
            extra[i] = std::sin(1.9 * static_cast<double>(i)) - 0.1;
        }
        const double step = 0.25;
        std::vector<double> expected(count);
        double inner = 0;
        for (std::size_t i = 1; i < count; ++i) {
            const double before = inner + extra[i - 1];
            inner += step * (values[i - 1] + values[i]) / 2;
            expected[i] = expected[i - 1] + step * (before + inner + extra[i]) / 2;
        }
        const Stretches stretches =
            integrate_twice(values.data(), extra.data(), step, static_cast<int64_t>(count));
        std::vector<double> obtained(count, NAN);
        for (const Stretch& stretch : stretches)
            for (int64_t i = stretch.begin; i < stretch.end; ++i)
                obtained[static_cast<std::size_t>(i)] =
                    values[static_cast<std::size_t>(i)] + stretch.offset +
                    stretch.slope * static_cast<double>(i - stretch.begin);
        check::at_most("double integral", 1e-12 * (1 + largest(expected)),
                       largest_difference(expected, obtained));
        for (const double value : obtained)
            check::equal("every sample is in a stretch", 1, std::isfinite(value) ? 1 : 0);
    }
}

}  // namespace

int main() {
    // A whole number of pieces, and not; a pulse shorter than a piece.
    for (const std::size_t count : {2048U, 2050U, 50U})
        a_pulse_against_plain_loops(count);
    a_constant_rate_has_a_closed_form();
    what_is_outside_the_table();
    integrals_in_stretches_are_those_of_plain_sums();
    return check::finish();
}
