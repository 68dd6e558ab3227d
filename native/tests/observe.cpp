// Planes: statistics of known pulses, interpolation in a controlled run, and absorption.
#include <vector>

#include "check.hpp"
#include "fixture.hpp"

using namespace fixture;

namespace {

void statistics_of_a_shifted_gaussian() {
    Problem problem(512, 64);
    problem.disperse(-1);
    problem.carrier = 40;
    const double width = 1.5;
    const double centre = 3.0;
    const double offset = 2 * kPi * 10 / 64;
    const Field start = launch(problem, [&](double t) {
        return std::polar(5 * std::exp(-(t - centre) * (t - centre) / (4 * width * width)),
                          offset * t);
    });
    Engine engine(problem, controlled(1));
    engine.set(start);
    std::vector<double> intensity;
    const auto plane = engine.observe(0, &intensity);
    const double energy = 25 * width * std::sqrt(2 * kPi);
    check::near("energy", energy, plane.energy_j, 1e-12 * energy);
    check::near("peak power", 25, plane.peak_power_w, 1e-12);
    check::near("time of the peak", centre, plane.peak_time_s, 1e-12);
    check::near("mean frequency", 40 + offset, plane.mean_omega_rad_s, 1e-11);
    check::near("duration", width, plane.rms_duration_s, 1e-10);
    check::near("position", 0, plane.z_m, 0);
    // <1/w> of a Gaussian spectrum of standard deviation s: (1 + (s/w)² + 3 (s/w)⁴ + ...) / w.
    const double mean = 40 + offset;
    const double s = 1 / (2 * width * mean);
    const double inverse = (1 + s * s + 3 * s * s * s * s + 15 * std::pow(s, 6)) / mean;
    check::near("photon number", energy * inverse / 1.0545718e-34, plane.photon_number,
                1e-9 * plane.photon_number);
    for (std::size_t i = 0; i < start.size(); i += 37)
        check::near("intensity", std::norm(start[i]), intensity[i], 1e-12 * intensity[0] + 1e-20);
}

void negative_frequencies_carry_no_photons() {
    Problem problem(64, 16);
    problem.carrier = problem.offset(5);
    Field start(64);
    start[64 - 10] = 1;  // at carrier - 10 spacings, below zero
    start[1] = 1;
    Engine engine(problem, controlled(1));
    engine.set(start);
    const auto plane = engine.observe(0);
    const double expected = problem.dt / 64 / (problem.offset(6) * 1.0545718e-34);
    check::near("photon number", expected, plane.photon_number, 1e-12 * expected);
}

/// In a controlled run the planes lie anywhere in steps of any length; a run of tight tolerance
/// to each plane says what they should be.
void planes_within_steps_agree_with_a_refined_run(int32_t kind) {
    const Problem problem = soliton_problem();
    const Field start = soliton_launch(problem, 2);
    Engine coarse(problem, controlled(0.6, 1e-8, kind));
    coarse.set(start);
    Engine fine(problem, controlled(0.6, 1e-12));
    fine.set(start);
    double worst = 0;
    double norm = 0;
    for (int i = 0; i <= 30; ++i) {
        const double plane = 0.6 * i / 30;
        std::vector<double> expected;
        std::vector<double> obtained;
        coarse.advance(plane);
        fine.advance(plane);
        check::near("position", plane, coarse.observe(plane, &obtained).z_m, 0);
        fine.observe(plane, &expected);
        for (std::size_t k = 0; k < expected.size(); ++k) {
            worst = std::fmax(worst, std::fabs(obtained[k] - expected[k]));
            norm = std::fmax(norm, expected[k]);
        }
    }
    check::at_most("intensity at 31 planes", 1e-6, worst / norm);
}

void absorption_is_two_windows_after_each_step() {
    Problem problem(96, 24);
    problem.disperse(-1);  // no source: what a step does is known exactly
    for (std::size_t i = 0; i < 96; ++i) {
        problem.absorb_spectral.push_back(std::fabs(problem.offset(i)) < 6 ? 0.9 : 0);
        problem.absorb_temporal.push_back(std::exp(-0.01 * problem.time(i) * problem.time(i)));
    }
    const Field start = soliton_launch(problem, 1);
    const std::vector<double> steps = {0.25, 0.5, 0.25};
    for (const int32_t kind : {LONGRUN_STEPPER_RK, LONGRUN_STEPPER_RK4IP, LONGRUN_STEPPER_MULTISTEP,
                               LONGRUN_STEPPER_MULTISTEP_INTERACTION}) {
        Engine engine(problem, scheduled(kind, steps));
        engine.set(start);
        Field expected = start;
        double z = 0;
        for (const double step : steps) {
            std::vector<double> inside;
            const Field before = expected;
            for (std::size_t i = 0; i < expected.size(); ++i)
                expected[i] *= problem.absorb_spectral[i] * std::exp(problem.linear[i] * step);
            Field time = to_time(expected);
            for (std::size_t i = 0; i < time.size(); ++i)
                time[i] *= problem.absorb_temporal[i];
            expected = dft(time, -1);
            engine.advance(z + step);
            check::at_most("absorbed state", 1e-13, distance(engine.get(), expected));
            // A plane within the step knows nothing of the absorption at its end.
            engine.observe(z + step / 2, &inside);
            double worst = 0;
            for (std::size_t i = 0; i < inside.size(); ++i)
                worst = std::fmax(worst, std::fabs(inside[i] - std::norm(before[i])));
            check::at_most("plane before absorption", 1e-10, worst);
            z += step;
        }
        check::equal("absorptions", 3, engine.counts().absorptions);
        check::at_least("time of absorption is positive", 1,
                        static_cast<double>(engine.counts().absorb_ns));
        check::at_least("time of observation is positive", 1,
                        static_cast<double>(engine.counts().observe_ns));
    }
}

}  // namespace

int main() {
    statistics_of_a_shifted_gaussian();
    negative_frequencies_carry_no_photons();
    for (const int32_t kind : kControlled)
        planes_within_steps_agree_with_a_refined_run(kind);
    absorption_is_two_windows_after_each_step();
    return check::finish();
}
