// What is counted, and what the steps do not depend on: planes, threads, restarts, replays.
#include <vector>

#include "check.hpp"
#include "fixture.hpp"

using namespace fixture;

namespace {

constexpr double kLength = 0.8;

/// A problem with everything on: Raman, loss, windows, absorption and a cut in frequency.
Problem full_problem() {
    Problem problem(512, 48);
    problem.disperse(-1, 0.05);
    problem.kerr(1);
    problem.kerr_fraction = 0.82;
    problem.raman_fraction = 0.18;
    problem.raman_points = 1024;
    problem.raman.resize(513);
    for (std::size_t i = 0; i < problem.raman.size(); ++i) {
        const double w = 2 * kPi * static_cast<double>(i) / (1024 * problem.dt);
        problem.raman[i] = 1.0 / std::complex<double>(1 - w * w / 4, 0.5 * w);
    }
    for (std::size_t i = 0; i < 512; ++i) {
        const bool valid = std::fabs(problem.offset(i)) < 20;
        problem.linear[i] = valid ? problem.linear[i] : 0;
        problem.source[i] = valid ? problem.source[i] : 0;
        problem.absorb_spectral.push_back(valid ? 1 : 0);
        problem.absorb_temporal.push_back(std::fabs(problem.time(i)) < 20 ? 1 : 0.5);
        problem.time_window.push_back(1);
    }
    return problem;
}

void evaluations_follow_from_the_steps() {
    const Problem problem = soliton_problem();
    const Field start = soliton_launch(problem, 3);
    for (const int32_t kind : kControlled) {
        longrun_stepper stepper = controlled(kLength, 1e-8, kind);
        stepper.initial_step_m = 0.3;  // too long: some attempts are rejected
        Engine engine(problem, stepper);
        engine.set(start);
        check::equal("evaluations before the first step", 0, engine.counts().evaluations);
        engine.advance(kLength);
        const auto counts = engine.counts();
        check::equal("evaluations", evaluations(kind, counts.accepted, counts.rejected),
                     counts.evaluations);
        check::at_least("some attempts were rejected", 1, static_cast<double>(counts.rejected));
        check::equal("recorded steps", counts.accepted,
                     static_cast<int64_t>(engine.steps().size()));
        check::equal("nothing absorbs", 0, counts.absorptions);
    }
    // A fixed step of this length is too long for N = 3 at its compression.
    const Field gentle = soliton_launch(problem, 1);
    const std::vector<double> fixed(20, kLength / 20);
    for (const int32_t kind : {LONGRUN_STEPPER_RK, LONGRUN_STEPPER_RK4IP, LONGRUN_STEPPER_MULTISTEP,
                               LONGRUN_STEPPER_MULTISTEP_INTERACTION}) {
        Engine engine(problem, scheduled(kind, fixed));
        engine.run(gentle);
        check::equal("evaluations of 20 scheduled steps", evaluations(kind, 20, 0),
                     engine.counts().evaluations);
        check::equal("rejected", 0, engine.counts().rejected);
        check::equal("accepted", 20, engine.counts().accepted);
    }
}

void the_last_step_ends_exactly_at_the_end() {
    const Problem problem = soliton_problem();
    for (const int32_t kind : kControlled) {
        Engine engine(problem, controlled(kLength, 1e-8, kind));
        engine.set(soliton_launch(problem, 2));
        check::near("position at the end", kLength, engine.advance(10), 0);
        check::near("nothing is left to do", kLength, engine.advance(10), 0);
        double sum = 0;
        for (const double step : engine.steps())
            sum += step;
        check::near("sum of the steps", kLength, sum, 1e-14);
    }
}

void planes_do_not_change_the_steps(int32_t kind) {
    const Problem problem = full_problem();
    const Field start = soliton_launch(problem, 3);
    Engine few(problem, controlled(kLength, 1e-8, kind));
    const Field end = few.run(start);
    Engine many(problem, controlled(kLength, 1e-8, kind));
    many.set(start);
    int64_t observed = 0;
    for (int i = 0; i <= 200; ++i) {
        const double plane = kLength * i / 200;
        double z = many.advance(0);
        while (z < plane)
            z = many.advance(plane, 3);
        many.observe(plane);
        ++observed;
    }
    check::equal("equal steps", 1, same_bits(few.steps(), many.steps()) ? 1 : 0);
    check::equal("equal fields", 1, same_bits(end, many.get()) ? 1 : 0);
    check::equal("observations", observed, many.counts().observations);
    check::equal("absorptions", many.counts().accepted, many.counts().absorptions);
    const auto counts = many.counts();
    check::equal("evaluations", evaluations(kind, counts.accepted, counts.rejected),
                 counts.evaluations);
}

void steps_grow_to_at_most_twice_their_length() {
    const Problem problem = full_problem();
    for (const int32_t kind : {LONGRUN_STEPPER_MULTISTEP, LONGRUN_STEPPER_MULTISTEP_INTERACTION}) {
        Engine engine(problem, controlled(kLength, 1e-6, kind));
        engine.run(soliton_launch(problem, 3));
        double largest = 0;
        const std::vector<double> steps = engine.steps();
        for (std::size_t i = 1; i < steps.size(); ++i)
            largest = std::fmax(largest, steps[i] / steps[i - 1]);
        check::near("largest growth", 2, largest, 1e-12);
    }
}

void threads_change_no_bit(int32_t kind) {
    const Problem problem = full_problem();
    const Field start = soliton_launch(problem, 3);
    const std::vector<double> fixed(100, kLength / 100);
    const longrun_stepper stepper =
        kind == LONGRUN_STEPPER_RK4IP ? scheduled(kind, fixed) : controlled(kLength, 1e-8, kind);
    Engine one(problem, stepper, 1);
    const Field end = one.run(start);
    check::equal("one thread works", 1, one.counts().threads_observed);
    // Inside the last step, so that the interpolation is part of it.
    const double plane = one.length - one.steps().back() / 3;
    std::vector<double> expected;
    const auto a = one.observe(plane, &expected);
    for (const int64_t threads : {2, 3}) {
        Engine several(problem, stepper, threads);
        check::equal("field", 1, same_bits(end, several.run(start)) ? 1 : 0);
        check::equal("steps", 1, same_bits(one.steps(), several.steps()) ? 1 : 0);
        // 513 values of the drive are three blocks: one for each thread.
        check::equal("threads that worked", threads, several.counts().threads_observed);
        std::vector<double> obtained;
        const auto b = several.observe(plane, &obtained);
        check::equal("intensity", 1, same_bits(expected, obtained) ? 1 : 0);
        check::near("duration", a.rms_duration_s, b.rms_duration_s, 0);
        check::near("photon number", a.photon_number, b.photon_number, 0);
    }
}

void a_thread_without_work_is_not_counted() {
    // 64 points are one block in time and one for each half of the spectrum: of eight threads two
    // get a block, and the leader executes the transforms.
    const Problem problem = soliton_problem(64, 16);
    Engine engine(problem, controlled(0.1), 8);
    engine.set(soliton_launch(problem, 1));
    check::equal("nobody has worked yet", 0, engine.counts().threads_observed);
    engine.advance(0.1);
    check::equal("threads that worked", 3, engine.counts().threads_observed);
}

void a_restart_repeats_bit_by_bit(int32_t kind) {
    const Problem problem = full_problem();
    const Field start = soliton_launch(problem, 3);
    Engine engine(problem, controlled(kLength, 1e-8, kind));
    const Field first = engine.run(start);
    const std::vector<double> steps = engine.steps();
    const auto counts = engine.counts();
    check::equal("field", 1, same_bits(first, engine.run(start)) ? 1 : 0);
    check::equal("steps", 1, same_bits(steps, engine.steps()) ? 1 : 0);
    check::equal("evaluations", counts.evaluations, engine.counts().evaluations);
    // From the middle: two engines agree, whatever they did before.
    engine.set(start);
    const double middle = engine.advance(kLength / 2);
    const Field checkpoint = engine.get();
    engine.set(checkpoint, middle);
    engine.advance(kLength);
    Engine other(problem, controlled(kLength, 1e-8, kind));
    other.set(checkpoint, middle);
    other.advance(kLength);
    check::equal("field from a checkpoint", 1, same_bits(engine.get(), other.get()) ? 1 : 0);
    check::equal("steps from a checkpoint", 1, same_bits(engine.steps(), other.steps()) ? 1 : 0);
    // Not closer than what is absorbed at a step: the steps are others.
    check::at_most("field from a checkpoint against the whole run", 1e-3,
                   distance(other.get(), first));
}

void a_replay_of_recorded_steps_gives_the_same_field(int32_t kind) {
    const Problem problem = full_problem();
    const Field start = soliton_launch(problem, 3);
    longrun_stepper stepper = controlled(kLength, 1e-8, kind);
    stepper.initial_step_m = 0.3;
    Engine engine(problem, stepper);
    const Field end = engine.run(start);
    const std::vector<double> steps = engine.steps();
    longrun_stepper replay = scheduled(kind, steps);
    replay.length_m = kLength;
    Engine again(problem, replay);
    check::equal("field", 1, same_bits(end, again.run(start)) ? 1 : 0);
    check::equal("accepted", static_cast<int64_t>(steps.size()), again.counts().accepted);
    check::equal("evaluations", evaluations(kind, again.counts().accepted, 0),
                 again.counts().evaluations);
}

void measurements_leave_the_run_alone(int32_t kind) {
    const Problem problem = full_problem();
    const Field start = soliton_launch(problem, 3);
    for (const int64_t threads : {1, 2}) {
        Engine engine(problem, controlled(kLength, 1e-8, kind), threads);
        const Field expected = engine.run(start);
        engine.set(start);
        const double z = engine.advance(kLength / 2);
        const double inside = z - engine.steps().back() / 3;
        const double before = engine.observe(inside).energy_j;
        const auto counts = engine.counts();
        int64_t elapsed = -1;
        require(longrun_propagation_bare_evaluations(engine.handle, 5, &elapsed));
        check::at_least("time of bare evaluations is positive", 1, static_cast<double>(elapsed));
        elapsed = -1;
        require(longrun_propagation_bare_transforms(engine.handle, 5, &elapsed));
        check::at_least("time of bare transforms is positive", 1, static_cast<double>(elapsed));
        check::equal("evaluations", counts.evaluations, engine.counts().evaluations);
        check::near("plane inside the last step", before, engine.observe(inside).energy_j, 0);
        engine.advance(kLength);
        check::equal("field", 1, same_bits(expected, engine.get()) ? 1 : 0);
    }
    // 512 points, 1024 for the response; 20 / (2 pi / 48) = 152.8: 305 values are valid.
    const int64_t field = 512 * (16 + 16 + 8) + 305 * 48;
    const int64_t raman = 512 * (16 + 8) + 1024 * 8 + 513 * 48;
    Engine engine(problem, controlled(kLength, 1e-8, kind));
    check::equal("bytes of an evaluation", field + raman,
                 longrun_propagation_source_bytes(engine.handle));
}

}  // namespace

int main() {
    evaluations_follow_from_the_steps();
    the_last_step_ends_exactly_at_the_end();
    steps_grow_to_at_most_twice_their_length();
    a_thread_without_work_is_not_counted();
    threads_change_no_bit(LONGRUN_STEPPER_RK4IP);
    for (const int32_t kind : kControlled) {
        planes_do_not_change_the_steps(kind);
        threads_change_no_bit(kind);
        a_restart_repeats_bit_by_bit(kind);
        a_replay_of_recorded_steps_gives_the_same_field(kind);
        measurements_leave_the_run_alone(kind);
    }
    return check::finish();
}
