// Propagation of modes in a guide through the C ABI: what is known of it in closed form.
#include <vector>

#include "check.hpp"
#include "guide.hpp"

using namespace fixture;

namespace {

constexpr double kLength = 0.3;
constexpr int32_t kFields[] = {LONGRUN_FIELD_REAL, LONGRUN_FIELD_ENVELOPE};

/// L of pulses that disperse and walk off each other, without the common phase of an envelope.
std::complex<double> dispersion(const Guide& guide, double offset, double mode) {
    const double common = guide.field == LONGRUN_FIELD_REAL ? 20 : 0;
    return {-0.02 * mode, -common + 0.5 * offset * offset * 0.02 - 0.1 * mode * offset};
}

/// Three modes and five nodes, dispersion, Kerr effect, windows, and the shift of a real field.
Guide full_guide(int32_t field) {
    const bool real = field == LONGRUN_FIELD_REAL;
    Guide guide(field, 128, real ? 256 : 128, 3, 5, 24);
    guide.set_linear([&](double offset, double mode) { return dispersion(guide, offset, mode); });
    guide.set_source(1);
    guide.band(2, real ? 60 : 126);
    guide.kerr = 0.4;
    for (std::size_t i = 0; i < guide.synthesis.size(); ++i) {
        guide.synthesis[i] = 0.5 + 0.2 * std::cos(static_cast<double>(i));
        guide.projection[i] = 0.2 + 0.1 * std::sin(static_cast<double>(i));
    }
    for (std::size_t k = 0; k < guide.bins; ++k) {
        guide.absorb_spectral.push_back(guide.omega[k] > 0 ? 1 : 0);
        if (real)
            guide.harmonic.push_back(k < 24 ? 1 : 3);
    }
    for (std::size_t i = 0; i < 128; ++i)
        guide.absorb_temporal.push_back(1 - 1e-4 * std::pow(guide.time(i) / 12, 8));
    guide.time_window.resize(static_cast<std::size_t>(guide.fine), 1.0);
    return guide;
}

void evaluations_follow_from_the_steps(int32_t field, int32_t kind) {
    const Guide guide = full_guide(field);
    longrun_stepper stepper = controlled(kLength, 1e-9, kind);
    // Too long: attempts are rejected, but not so many that the run is given up.
    stepper.initial_step_m = kind == LONGRUN_STEPPER_RK ? 0.15 : 0.01;
    Engine engine(guide.view(), stepper);
    engine.run(pulses(guide, 2));
    const auto counts = engine.counts();
    check::at_least("rejected", 1, static_cast<double>(counts.rejected));
    check::equal("evaluations", evaluations(kind, counts.accepted, counts.rejected),
                 counts.evaluations);
    check::equal("absorptions", counts.accepted, counts.absorptions);
    check::equal("one thread works", 1, counts.threads_observed);
}

void threads_change_no_bit(int32_t field, int32_t kind) {
    const Guide guide = full_guide(field);
    const Field start = pulses(guide, 2);
    const longrun_stepper stepper = controlled(kLength, 1e-6, kind);
    Engine one(guide.view(), stepper, 1);
    const Field end = one.run(start);
    const double plane = kLength - one.steps().back() / 3;
    std::vector<double> expected;
    const auto a = one.observe(plane, &expected);
    for (const int64_t threads : {2, 3, 7}) {
        Engine several(guide.view(), stepper, threads);
        check::equal("field", 1, same_bits(end, several.run(start)) ? 1 : 0);
        check::equal("steps", 1, same_bits(one.steps(), several.steps()) ? 1 : 0);
        std::vector<double> obtained;
        const auto b = several.observe(plane, &obtained);
        check::equal("intensity", 1, same_bits(expected, obtained) ? 1 : 0);
        check::near("peak power", a.peak_power_w, b.peak_power_w, 0);
        check::at_least("threads that worked", 2,
                        static_cast<double>(several.counts().threads_observed));
    }
}

/// One node and a small state: the leader takes the steps, and the team shares the planes.
void small_states_at_one_node_are_the_leaders() {
    Guide guide(LONGRUN_FIELD_REAL, 2048, 2048, 1, 1, 24);
    guide.set_linear([&](double offset, double mode) { return dispersion(guide, offset, mode); });
    guide.set_source(1);
    guide.band(2, 1000);
    guide.kerr = 0.4;
    Engine engine(guide.view(), controlled(kLength, 1e-6, LONGRUN_STEPPER_MULTISTEP), 2);
    engine.run(pulses(guide, 2));
    check::equal("threads that took steps", 1, engine.counts().threads_observed);
    engine.observe(kLength - engine.steps().back() / 3, nullptr);
    check::equal("threads that worked on a plane", 2, engine.counts().threads_observed);
}

void without_a_source_each_mode_follows_its_exponential(int32_t field) {
    Guide guide(field, 128, 128, 2, 1, 16);
    guide.set_linear([&](double offset, double mode) { return dispersion(guide, offset, mode); });
    if (field == LONGRUN_FIELD_REAL)
        for (std::size_t k = 0; k < guide.bins; ++k)
            guide.harmonic.push_back(k < 24 ? 1 : 3);
    const Field start = pulses(guide, 1);
    Field expected = start;
    for (std::size_t i = 0; i < expected.size(); ++i)
        expected[i] *= std::exp(guide.linear[i] * 1.5);
    const std::vector<double> steps = {0.5, 0.25, 0.75};
    std::vector<longrun_stepper> all = {scheduled(LONGRUN_STEPPER_RK4IP, steps)};
    for (const int32_t kind : kControlled) {
        all.push_back(controlled(1.5, 1e-8, kind));
        all.push_back(scheduled(kind, steps));
    }
    for (const auto& stepper : all) {
        Engine engine(guide.view(), stepper);
        check::at_most("y = e^{Lz} y0", 1e-13, distance(engine.run(start), expected));
    }
}

/// dA/dz = -i g W E^3 kerr |A|² A: each sample of an envelope turns by its power.
void self_phase_modulation_of_one_mode_at_one_node() {
    Guide guide(LONGRUN_FIELD_ENVELOPE, 128, 128, 1, 1, 16);
    guide.synthesis = {1.3};
    guide.projection = {0.6};
    guide.kerr = 0.9;
    guide.density = 0.5;
    for (auto& value : guide.source)
        value = std::complex<double>(0, -0.7);
    const Field start = pulses(guide, 1.5);
    const double rate = 0.7 * 0.6 * 0.5 * 0.9 * 1.3 * 1.3 * 1.3;
    Field expected = to_time(start);
    for (auto& value : expected)
        value *= std::polar(1.0, -rate * std::norm(value) * 2.0);
    for (const int32_t kind : kControlled) {
        Engine engine(guide.view(), controlled(2, 1e-11, kind));
        check::at_most("self-phase modulation", 1e-9,
                       distance(to_time(engine.run(start)), expected));
    }
}

/// In one mode, at one node, with unit factors it is the equation of the other family.
void an_envelope_in_one_mode_is_that_of_the_gnlse() {
    Problem problem = soliton_problem(128, 24);
    problem.kerr_fraction = 0.8;
    problem.raman_fraction = 0.2;
    problem.raman_points = 256;
    for (std::size_t i = 0; i <= 128; ++i)
        problem.raman.emplace_back(1 / (1 + 0.01 * static_cast<double>(i * i)), 0);
    Guide guide(LONGRUN_FIELD_ENVELOPE, 128, 128, 1, 1, 24);
    guide.linear = problem.linear;
    guide.source = problem.source;
    guide.kerr = 0.8;
    guide.raman_points = 256;
    for (const auto& value : problem.raman)
        guide.raman.push_back(0.2 * value);
    const Field start = soliton_launch(problem, 2);
    const std::vector<double> steps(50, 0.01);
    for (const int32_t kind : {LONGRUN_STEPPER_RK, LONGRUN_STEPPER_MULTISTEP}) {
        Engine gnlse(problem, scheduled(kind, steps));
        Engine guided(guide.view(), scheduled(kind, steps));
        check::at_most("field", 1e-11, distance(guided.run(start), gnlse.run(start)));
        const double plane = gnlse.length - 0.004;
        const auto a = gnlse.observe(plane);
        const auto b = guided.observe(plane);
        check::near("energy", a.energy_j, b.energy_j, 1e-12 * a.energy_j);
        check::near("peak power", a.peak_power_w, b.peak_power_w, 1e-10 * a.peak_power_w);
        check::near("time of the peak", a.peak_time_s, b.peak_time_s, 1e-12);
        check::near("duration", a.rms_duration_s, b.rms_duration_s, 1e-10);
    }
}

/// Two Gaussian pulses around the carrier, in two modes: sums of what is known of each.
void statistics_are_sums_over_modes(int32_t field) {
    Guide guide(field, 256, 256, 2, 1, 20);
    const double turn = field == LONGRUN_FIELD_REAL ? guide.carrier() : 0.0;
    const double width = 1;
    const Field start = launch(guide, [&](double t, double mode) {
        const double late = t - 2;
        return std::polar((5 - 2 * mode) * std::exp(-late * late / (4 * width * width)), turn * t);
    });
    Engine engine(guide.view(), controlled(1));
    engine.set(start);
    std::vector<double> intensity;
    const auto plane = engine.observe(0, &intensity);
    const double energy = (25 + 9) * width * std::sqrt(2 * kPi);
    check::near("energy", energy, plane.energy_j, 1e-8 * energy);
    // The time of the peak lies between samples.
    check::near("peak power", 34, plane.peak_power_w, 0.1);
    check::near("time of the peak", 2, plane.peak_time_s, guide.dt);
    check::near("mean frequency", guide.carrier(), plane.mean_omega_rad_s, 1e-6 * guide.carrier());
    check::near("duration", width, plane.rms_duration_s, 1e-7);
    const double s = 1 / (2 * width * guide.carrier());
    const double inverse = (1 + s * s + 3 * std::pow(s, 4) + 15 * std::pow(s, 6)) / guide.carrier();
    check::near("photon number", energy * inverse / 1.0545718e-34, plane.photon_number,
                1e-4 * plane.photon_number);
    for (std::size_t i = 0; i < start.size(); i += 37)
        check::near("intensity", std::norm(start[i]), intensity[i], 1e-12 * std::norm(start[i]));
}

void absorption_is_two_windows_over_the_length_of_each_step(int32_t field) {
    Guide guide(field, 96, 96, 2, 1, 24);
    guide.set_linear([](double offset, double mode) {
        return std::complex<double>(0, -0.1 * offset * offset - mode);
    });
    for (std::size_t k = 0; k < guide.bins; ++k)
        guide.absorb_spectral.push_back(std::fabs(guide.offset(k)) < 3 ? 0.9 : 0);
    for (std::size_t i = 0; i < 96; ++i)
        guide.absorb_temporal.push_back(std::exp(-0.01 * guide.time(i) * guide.time(i)));
    guide.time_window.resize(96, 1.0);
    const Field start = pulses(guide, 1);
    const std::vector<double> steps = {0.25, 0.5, 0.25};
    for (const int32_t kind : {LONGRUN_STEPPER_RK, LONGRUN_STEPPER_MULTISTEP}) {
        Engine engine(guide.view(), scheduled(kind, steps), 2);
        engine.set(start);
        Field expected = start;
        double z = 0;
        for (const double step : steps) {
            for (std::size_t mode = 0; mode < 2; ++mode) {
                Field values(guide.bins);
                for (std::size_t k = 0; k < guide.bins; ++k) {
                    const std::size_t i = mode * guide.bins + k;
                    values[k] = std::pow(guide.absorb_spectral[k], step / guide.absorb_length) *
                                std::exp(guide.linear[i] * step) * expected[i];
                }
                Field time = fine_field(guide, values);
                for (std::size_t i = 0; i < time.size(); ++i)
                    time[i] *= std::pow(guide.absorb_temporal[i], step / guide.absorb_length);
                const Field after = coarse_spectrum(guide, time);
                for (std::size_t k = 0; k < guide.bins; ++k)
                    expected[mode * guide.bins + k] = after[k];
            }
            engine.advance(z + step);
            check::at_most("absorbed state", 1e-13, distance(engine.get(), expected));
            z += step;
        }
        check::equal("absorptions", 3, engine.counts().absorptions);
    }
}

/// A table that ends below the field.
void a_field_beyond_the_table_ends_the_run_with_its_place() {
    const std::vector<double> cubics = {0, 1, 0, 0, 1, 1, 0, 0};
    longrun_rate_table rates{};
    rates.struct_size = sizeof(rates);
    rates.first_field_v_m = 0.5;
    rates.step_v_m = 0.5;
    rates.cells = 2;
    rates.coefficients = cubics.data();
    rates.ionisation_energy_j = 1e-6;
    const std::vector<double> steps(10, 0.01);
    for (const int32_t field : kFields) {
        Guide guide(field, 128, 128, 1, 1, 16);
        guide.set_source(1);
        guide.rates = &rates;
        for (const int32_t kind : kControlled)
            for (const auto& stepper : {controlled(0.1, 1e-6, kind), scheduled(kind, steps)}) {
                Engine engine(guide.view(), stepper);
                double z = -1;
                engine.set(pulses(guide, 1.4));
                engine.advance(0.1);  // just below the end of the table
                engine.set(pulses(guide, 1.8));
                check::equal("status", LONGRUN_STEP_FAILED,
                             longrun_propagation_advance(engine.handle, 0.1, 100, &z));
                check::contains("sentence", "the ionisation table ends at 1.5 V/m",
                                longrun_last_error());
                check::contains("position", "at z = 0 m", longrun_last_error());
                // A state that is within the table goes on.
                engine.set(pulses(guide, 1));
                engine.advance(0.1);
            }
    }
}

void a_run_that_diverges_ends_with_place_step_and_norm() {
    Guide guide(LONGRUN_FIELD_REAL, 128, 128, 1, 1, 16);
    guide.set_source(1);
    guide.kerr = 1e200;
    Engine engine(guide.view(), controlled(1, 1e-6));
    engine.set(pulses(guide, 1e60));
    double z = -1;
    check::equal("status", LONGRUN_STEP_FAILED,
                 longrun_propagation_advance(engine.handle, 1, 100, &z));
    check::contains("sentence", "more than 10 attempts in a row were rejected",
                    longrun_last_error());
    check::contains("position", "at z = 0 m", longrun_last_error());
    check::contains("norm", "has the norm", longrun_last_error());
}

void every_part_is_timed(int64_t threads) {
    const Guide guide = full_guide(LONGRUN_FIELD_REAL);
    Engine engine(guide.view(), controlled(kLength, 1e-6), threads);
    require(longrun_propagation_time_parts(engine.handle, 1));
    engine.run(pulses(guide, 2));
    engine.observe(kLength);
    longrun_propagation_parts parts{};
    parts.struct_size = sizeof(parts);
    require(longrun_propagation_get_parts(engine.handle, &parts));
    check::at_least("transforms", 1, static_cast<double>(parts.fft_ns));
    check::at_least("pointwise work", 1, static_cast<double>(parts.pointwise_ns));
    check::at_least("stepper", 1, static_cast<double>(parts.stepper_ns));
    check::at_least("absorb", 1, static_cast<double>(parts.absorb_ns));
    check::at_least("observe", 1, static_cast<double>(parts.observe_ns));
}

void measurements_leave_the_run_alone(int64_t threads) {
    const Guide guide = full_guide(LONGRUN_FIELD_REAL);
    const Field start = pulses(guide, 2);
    Engine engine(guide.view(), controlled(kLength, 1e-6), threads);
    const Field expected = engine.run(start);
    engine.set(start);
    engine.advance(kLength / 2);
    const auto counts = engine.counts();
    int64_t elapsed = -1;
    require(longrun_propagation_bare_evaluations(engine.handle, 5, &elapsed));
    check::at_least("time of bare evaluations is positive", 1, static_cast<double>(elapsed));
    require(longrun_propagation_bare_transforms(engine.handle, 5, &elapsed));
    check::at_least("time of bare transforms is positive", 1, static_cast<double>(elapsed));
    check::equal("evaluations", counts.evaluations, engine.counts().evaluations);
    engine.advance(kLength);
    check::equal("field", 1, same_bits(expected, engine.get()) ? 1 : 0);
    // 65 bins of 128 samples, of which 2 to 59 are valid; 129 of 256; 3 modes, 5 nodes.
    const int64_t nodes = 5 * (16 * (129 - 65) + 24 * 256);
    const int64_t sums = 16 * 65 * (3 + 5) + 16 * 58 * (3 + 5);
    check::equal("bytes of an evaluation", nodes + sums + 48 * 3 * 58,
                 longrun_propagation_source_bytes(engine.handle));
}

}  // namespace

int main() {
    for (const int32_t field : kFields) {
        for (const int32_t kind : kControlled) {
            evaluations_follow_from_the_steps(field, kind);
            threads_change_no_bit(field, kind);
        }
        without_a_source_each_mode_follows_its_exponential(field);
        statistics_are_sums_over_modes(field);
        absorption_is_two_windows_over_the_length_of_each_step(field);
    }
    small_states_at_one_node_are_the_leaders();
    self_phase_modulation_of_one_mode_at_one_node();
    an_envelope_in_one_mode_is_that_of_the_gnlse();
    a_field_beyond_the_table_ends_the_run_with_its_place();
    a_run_that_diverges_ends_with_place_step_and_norm();
    for (const int64_t threads : {1, 2}) {
        every_part_is_timed(threads);
        measurements_leave_the_run_alone(threads);
    }
    return check::finish();
}
