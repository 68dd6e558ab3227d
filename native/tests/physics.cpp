// Solutions that are known in closed form, for every stepper.
#include <vector>

#include "check.hpp"
#include "fixture.hpp"

using namespace fixture;

namespace {

/// Every way of stepping over `length`; the schedules live as long as the object.
struct Steppers {
    explicit Steppers(double length)
        : steps(400, length / 400),
          all{scheduled(LONGRUN_STEPPER_RK, steps), scheduled(LONGRUN_STEPPER_RK4IP, steps)} {
        for (const int32_t kind : kControlled)
            all.push_back(controlled(length, 1e-11, kind));
        // The sum of 400 steps is the length up to rounding; the exact one is what is compared.
        for (auto& stepper : all)
            stepper.length_m = length;
    }
    std::vector<double> steps;
    std::vector<longrun_stepper> all;
};

void self_phase_modulation_turns_each_sample_by_its_power() {
    Problem problem(128, 16);
    problem.kerr(0.7);
    const Field start = soliton_launch(problem, 1.5);
    const Steppers steppers(2.0);
    Field expected = to_time(start);
    for (auto& value : expected)
        value *= std::polar(1.0, -0.7 * std::norm(value) * 2.0);
    for (const auto& stepper : steppers.all) {
        Engine engine(problem, stepper);
        check::at_most("self-phase modulation", 1e-9,
                       distance(to_time(engine.run(start)), expected));
    }
}

void without_a_source_the_state_follows_the_exponential() {
    Problem problem(256, 40);
    problem.disperse(0.3, 0.8);
    const Field start = soliton_launch(problem, 1);
    const double length = 1.5;
    Field expected = start;
    for (std::size_t i = 0; i < expected.size(); ++i)
        expected[i] *= std::exp(problem.linear[i] * length);
    const std::vector<double> steps = {0.5, 0.25, 0.75};
    std::vector<longrun_stepper> all = {scheduled(LONGRUN_STEPPER_RK4IP, steps)};
    for (const int32_t kind : kControlled) {
        all.push_back(controlled(length, 1e-8, kind));
        all.push_back(scheduled(kind, steps));
    }
    for (const auto& stepper : all) {
        Engine engine(problem, stepper);
        check::at_most("y = e^{Lz} y0 with loss", 1e-13, distance(engine.run(start), expected));
    }
    problem.disperse(0.3);
    for (std::size_t i = 0; i < expected.size(); ++i)
        expected[i] = start[i] * std::exp(problem.linear[i] * length);
    for (const auto& stepper : all) {
        Engine engine(problem, stepper);
        check::at_most("y = e^{Lz} y0 without loss", 1e-13, distance(engine.run(start), expected));
    }
}

void a_gaussian_broadens_by_dispersion() {
    Problem problem(512, 80);
    problem.disperse(-0.5);
    const double width = 1.3;  // of |A|², standard deviation
    const double length = 3;
    const Field start = launch(problem, [&](double t) {
        return std::complex<double>(std::exp(-t * t / (4 * width * width)), 0);
    });
    const Steppers steppers(length);
    const double ratio = -0.5 * length / (2 * width * width);
    for (const auto& stepper : steppers.all) {
        Engine engine(problem, stepper);
        engine.run(start);
        check::near("width of a dispersed Gaussian", width * std::sqrt(1 + ratio * ratio),
                    engine.observe(length).rms_duration_s, 1e-6);
    }
}

void the_fundamental_soliton_keeps_its_shape() {
    const Problem problem = soliton_problem(256, 40);
    const Field start = soliton_launch(problem, 1);
    Engine engine(problem, controlled(kPi / 2, 1e-10));
    Field expected = start;
    for (auto& value : expected)
        value *= std::polar(1.0, -kPi / 4);
    check::at_most("fundamental soliton", 1e-8, distance(engine.run(start), expected));
}

void loss_takes_energy_and_kerr_does_not() {
    Problem problem = soliton_problem();
    const Field start = soliton_launch(problem, 2);
    Engine lossless(problem, controlled(1.0, 1e-10));
    lossless.set(start);
    const double energy = lossless.observe(0).energy_j;
    lossless.advance(1.0);
    check::near("energy without loss", energy, lossless.observe(1.0).energy_j, 1e-9 * energy);
    problem.disperse(-1, 0.4);
    Engine lossy(problem, controlled(1.0, 1e-10));
    lossy.run(start);
    check::near("energy with loss", energy * std::exp(-0.4), lossy.observe(1.0).energy_j,
                1e-9 * energy);
}

void what_is_outside_the_valid_set_is_carried() {
    // The operator and the source act on the middle of the band only; a line far outside must
    // come out as it went in, and still modulate the rest.
    Problem problem = soliton_problem(128, 16);
    Field start = soliton_launch(problem, 1);
    Problem narrow = problem;
    for (std::size_t i = 20; i < 108; ++i)
        narrow.linear[i] = narrow.source[i] = 0;
    start[60] = {3, -2};
    const Steppers steppers(0.5);
    std::vector<Field> ends;
    for (const auto& stepper : steppers.all) {
        Engine engine(narrow, stepper);
        ends.push_back(engine.run(start));
        for (std::size_t i = 20; i < 108; ++i)
            check::near("carried value", 0, std::abs(ends.back()[i] - start[i]), 0);
    }
    start[60] = 0;
    Engine engine(narrow, steppers.all[0]);
    const Field without = engine.run(start);
    check::at_least("the carried line modulates the rest", 1e-4, std::abs(without[0] - ends[0][0]));
    for (const Field& end : ends)
        check::at_most("steppers agree", 1e-8, distance(end, ends[0]));
}

}  // namespace

int main() {
    self_phase_modulation_turns_each_sample_by_its_power();
    without_a_source_the_state_follows_the_exponential();
    a_gaussian_broadens_by_dispersion();
    the_fundamental_soliton_keeps_its_shape();
    loss_takes_energy_and_kerr_does_not();
    what_is_outside_the_valid_set_is_carried();
    return check::finish();
}
