// Propagation of a field over a plane through the C ABI: what is known of it in closed form.
#include <cmath>
#include <numeric>
#include <vector>

#include "beam.hpp"
#include "check.hpp"

using namespace fixture;

namespace {

constexpr double kLength = 0.2;

Beam make_beam() {
    return Beam(32, 64, 3, 12, 10, 6);
}

class BeamEngine {
 public:
    BeamEngine(const Beam& beam, const longrun_stepper& stepper, int64_t threads = 1)
        : engine(create(beam, stepper, threads), stepper) {}

    /// What each column has received, and its brightest moment.
    void columns(double plane, std::vector<double>& fluence, std::vector<double>& peak) const {
        const auto count = static_cast<std::size_t>(longrun_propagation_nodes(engine.handle));
        fluence.assign(count, -1);
        peak.assign(count, -1);
        require(
            longrun_propagation_observe_nodes(engine.handle, plane, fluence.data(), peak.data()));
    }
    double edge_energy() const {
        double energy = -1;
        require(longrun_propagation_get_edge_energy(engine.handle, &energy));
        return energy;
    }

    Engine engine;

 private:
    static longrun_propagation* create(const Beam& beam, const longrun_stepper& stepper,
                                       int64_t threads) {
        const longrun_cartesian_problem view = beam.view();
        longrun_propagation* handle = nullptr;
        require(longrun_cartesian_create(&view, &stepper, threads, nullptr, &handle));
        return handle;
    }
};

std::vector<double> equal_steps(std::size_t count) {
    return std::vector<double>(count, kLength / static_cast<double>(count));
}

void without_a_source_each_wave_follows_its_exponential() {
    const Beam beam = make_beam();
    const Field start = beam_launch(beam, 1);
    Field expected = start;
    for (std::size_t i = 0; i < expected.size(); ++i)
        expected[i] *= std::exp(beam.linear(i) * kLength);
    const std::vector<double> steps = equal_steps(3);
    std::vector<longrun_stepper> all = {scheduled(LONGRUN_STEPPER_RK4IP, steps)};
    for (const int32_t kind : kControlled)
        all.push_back(controlled(kLength, 1e-8, kind));
    for (const longrun_stepper& stepper : all) {
        BeamEngine beams(beam, stepper);
        check::at_most("y = e^{Lz} y0", 1e-13, distance(beams.engine.run(start), expected));
    }
}

void the_error_of_a_schedule_falls_with_the_fourth_power() {
    Beam beam = make_beam();
    beam.kerr = 0.9;
    const Field start = beam_launch(beam, 1);
    Field ends[3];
    for (std::size_t i = 0; i < 3; ++i) {
        const std::vector<double> steps = equal_steps(std::size_t{4} << i);
        BeamEngine beams(beam, scheduled(LONGRUN_STEPPER_RK4IP, steps));
        ends[i] = beams.engine.run(start);
        check::equal("evaluations", 4 * static_cast<int64_t>(steps.size()),
                     beams.engine.counts().evaluations);
    }
    const double ratio = distance(ends[0], ends[1]) / distance(ends[1], ends[2]);
    check::near("order", 4, std::log2(ratio), 0.2);
    for (const int32_t kind : kControlled) {
        BeamEngine beams(beam, controlled(kLength, 1e-9, kind));
        check::at_most("steppers agree", 1e-6, distance(beams.engine.run(start), ends[2]));
    }
}

void threads_change_no_bit() {
    Beam beam = make_beam();
    beam.kerr = 0.9;
    absorb(beam);
    const Field start = beam_launch(beam, 1);
    const std::vector<double> steps = equal_steps(3);
    BeamEngine one(beam, scheduled(LONGRUN_STEPPER_RK4IP, steps));
    const Field end = one.engine.run(start);
    std::vector<double> fluence;
    std::vector<double> peak;
    const double plane = kLength - steps[0] / 3;
    const auto expected = one.engine.observe(plane);
    one.columns(plane, fluence, peak);
    for (const int64_t threads : {2, 3, 7}) {
        BeamEngine several(beam, scheduled(LONGRUN_STEPPER_RK4IP, steps), threads);
        check::equal("field", 1, same_bits(end, several.engine.run(start)) ? 1 : 0);
        const auto obtained = several.engine.observe(plane);
        check::near("peak power", expected.peak_power_w, obtained.peak_power_w, 0);
        check::near("energy", expected.energy_j, obtained.energy_j, 0);
        check::near("edge energy", one.edge_energy(), several.edge_energy(), 0);
        std::vector<double> shared_fluence;
        std::vector<double> shared_peak;
        several.columns(plane, shared_fluence, shared_peak);
        check::equal("fluence", 1, same_bits(fluence, shared_fluence) ? 1 : 0);
        check::equal("peak", 1, same_bits(peak, shared_peak) ? 1 : 0);
        check::at_least("threads that worked", 2,
                        static_cast<double>(several.engine.counts().threads_observed));
    }
}

/// One step without a source, then all windows to the power of the step over their length.
void windows_act_along_the_way() {
    Beam beam = make_beam();
    absorb(beam);
    const Field start = beam_launch(beam, 1);
    const std::vector<double> steps = {kLength};
    BeamEngine beams(beam, scheduled(LONGRUN_STEPPER_RK4IP, steps));
    const Field obtained = beams.engine.run(start);
    const double power = kLength / beam.absorb_length;
    Field state = start;
    for (std::size_t i = 0; i < state.size(); ++i)
        state[i] *= std::exp(beam.linear(i) * kLength) *
                    std::pow(beam.absorb_spectral[i / beam.area()], power);
    Field fields = signals(beam, state, beam.n);
    const auto samples = static_cast<std::size_t>(beam.n);
    double before = 0;
    double after = 0;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const std::size_t column = i / samples;
        const double edge =
            std::pow(beam.absorb_x[column % beam.nx] * beam.absorb_y[column / beam.nx], power);
        const double inside = std::pow(beam.absorb_temporal[i % samples], power) * fields[i].real();
        before += inside * inside;
        fields[i] = edge * inside;
        after += std::norm(fields[i]);
    }
    check::at_most("windows against their formula", 1e-13,
                   distance(obtained, state_of(beam, fields, beam.n)));
    const double scale =
        beam.energy_scale * static_cast<double>(beam.area()) * static_cast<double>(beam.n) / 2;
    check::near("edge energy", scale * (before - after), beams.edge_energy(),
                1e-12 * scale * before);
    check::at_least("edge energy is some", 1e-3, 1 - after / before);
    check::equal("absorptions", 1, beams.engine.counts().absorptions);
    beams.engine.set(start);
    check::near("a restart forgets it", 0, beams.edge_energy(), 0);
}

void planes_show_what_is_there() {
    const Beam beam = make_beam();
    const Field start = beam_launch(beam, 1.2);
    const std::vector<double> steps = equal_steps(2);
    BeamEngine beams(beam, scheduled(LONGRUN_STEPPER_RK4IP, steps));
    beams.engine.run(start);
    const double plane = 0.7 * kLength;
    Field state = start;
    double energy = 0;
    double photons = 0;
    double frequency = 0;
    for (std::size_t i = 0; i < state.size(); ++i) {
        state[i] *= std::exp(beam.linear(i) * plane);
        energy += std::norm(state[i]);
        photons += std::norm(state[i]) / beam.omega[i / beam.area()];
        frequency += std::norm(state[i]) * beam.omega[i / beam.area()];
    }
    std::vector<double> intensity;
    const auto statistics = beams.engine.observe(plane, &intensity);
    check::near("energy", beam.energy_scale * energy, statistics.energy_j, 1e-12 * energy);
    check::near("photons", beam.energy_scale / 1.0545718e-34 * photons, statistics.photon_number,
                1e-12 * statistics.photon_number);
    check::near("frequency", frequency / energy, statistics.mean_omega_rad_s, 1e-12);
    double apart = 0;
    for (std::size_t i = 0; i < state.size(); ++i)
        apart = std::fmax(apart, std::fabs(intensity[i] - std::norm(state[i])));
    check::at_most("intensity", 1e-12 * energy, apart);

    const Field fields = signals(beam, state, beam.n);
    const auto samples = static_cast<std::size_t>(beam.n);
    std::vector<double> power(samples);
    std::vector<double> fluence;
    std::vector<double> peak;
    beams.columns(plane, fluence, peak);
    check::equal("columns", static_cast<int64_t>(beam.area()),
                 static_cast<int64_t>(fluence.size()));
    for (std::size_t column = 0; column < beam.area(); ++column) {
        double sum = 0;
        double largest = 0;
        for (std::size_t i = 0; i < samples; ++i) {
            const double square = std::norm(fields[column * samples + i]);
            power[i] += square;
            sum += square;
            largest = std::fmax(largest, square);
        }
        check::near("fluence", beam.dt * sum, fluence[column], 1e-12);
        check::near("peak", largest, peak[column], 1e-12);
    }
    double total = 0;
    double mean = 0;
    double highest = 0;
    for (std::size_t i = 0; i < samples; ++i) {
        total += power[i];
        mean += power[i] * beam.time(i, beam.n);
        highest = std::fmax(highest, power[i]);
    }
    mean /= total;
    double spread = 0;
    for (std::size_t i = 0; i < samples; ++i)
        spread += power[i] * std::pow(beam.time(i, beam.n) - mean, 2);
    check::near("peak power", statistics.energy_j * highest / (total * beam.dt),
                statistics.peak_power_w, 1e-12 * statistics.peak_power_w);
    check::near("duration", std::sqrt(spread / total), statistics.rms_duration_s, 1e-12);
    check::equal("observations", 1, beams.engine.counts().observations);
    check::equal("a plane before the last step", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_observe_nodes(beams.engine.handle, 0.1 * kLength,
                                                   fluence.data(), nullptr));
    check::contains("sentence", "last step", longrun_last_error());
}

/// A beam that is the same along x and y, on a square, stays so.
void symmetry_is_kept() {
    Beam beam(32, 64, 3, 12, 8, 8);
    beam.k_y = beam.k_x;
    beam.kerr = 0.9;
    Field fields;
    for (std::size_t y = 0; y < 8; ++y)
        for (std::size_t x = 0; x < 8; ++x)
            for (std::size_t i = 0; i < 32; ++i) {
                const double far =
                    std::pow(Beam::place(x, 8, 12), 2) + std::pow(Beam::place(y, 8, 12), 2);
                const double t = beam.time(i, 32);
                fields.emplace_back(std::exp(-far / 8 - t * t / 8) *
                                    std::cos(8 * beam.spacing() * t));
            }
    const std::vector<double> steps = equal_steps(3);
    BeamEngine beams(beam, scheduled(LONGRUN_STEPPER_RK4IP, steps));
    beams.engine.run(state_of(beam, fields, 32));
    std::vector<double> fluence;
    std::vector<double> peak;
    beams.columns(kLength, fluence, peak);
    for (std::size_t y = 1; y < 8; ++y)
        for (std::size_t x = 1; x < 8; ++x) {
            check::near("x and y", fluence[8 * y + x], fluence[8 * x + y], 1e-12);
            check::near("left and right", fluence[8 * y + x], fluence[8 * y + 8 - x], 1e-12);
        }
}

}  // namespace

int main() {
    without_a_source_each_wave_follows_its_exponential();
    the_error_of_a_schedule_falls_with_the_fourth_power();
    threads_change_no_bit();
    windows_act_along_the_way();
    planes_show_what_is_there();
    symmetry_is_kept();
    return check::finish();
}
