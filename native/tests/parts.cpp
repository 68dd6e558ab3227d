// Where the time of a run went: each part where its work is done, none where it is not asked for.
#include <chrono>
#include <vector>

#include "check.hpp"
#include "fixture.hpp"

using namespace fixture;

namespace {

constexpr double kLength = 0.4;

Problem full_problem(bool absorbing) {
    Problem problem = soliton_problem(512, 32);
    problem.kerr_fraction = 0.82;
    problem.raman_fraction = 0.18;
    problem.raman_points = 1024;
    problem.raman.resize(513, 0.5);
    if (absorbing) {
        problem.absorb_spectral.resize(512, 1.0);
        problem.absorb_temporal.resize(512, 1.0);
    }
    return problem;
}

longrun_propagation_parts parts_of(const Engine& engine) {
    longrun_propagation_parts parts{};
    parts.struct_size = sizeof(parts);
    require(longrun_propagation_get_parts(engine.handle, &parts));
    check::equal("size of the structure", sizeof(parts), parts.struct_size);
    return parts;
}

int64_t sum(const longrun_propagation_parts& parts) {
    return parts.fft_ns + parts.pointwise_ns + parts.stepper_ns + parts.absorb_ns +
           parts.observe_ns;
}

/// Wall time of a run with five planes, ns.
int64_t run_with_planes(Engine& engine, const Field& start) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    engine.set(start);
    for (int i = 1; i <= 5; ++i) {
        const double plane = i < 5 ? engine.length * i / 5 : engine.length;
        engine.advance(plane);
        engine.observe(plane);
    }
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
}

void every_part_is_timed_and_all_fit_into_the_run(const longrun_stepper& stepper, int64_t threads) {
    const Problem problem = full_problem(true);
    const Field start = soliton_launch(problem, 2);
    Engine engine(problem, stepper, threads);
    require(longrun_propagation_time_parts(engine.handle, 1));
    const int64_t run_ns = run_with_planes(engine, start);
    const longrun_propagation_parts parts = parts_of(engine);
    check::at_least("transforms", 1, static_cast<double>(parts.fft_ns));
    check::at_least("pointwise work", 1, static_cast<double>(parts.pointwise_ns));
    check::at_least("stepper", 1, static_cast<double>(parts.stepper_ns));
    check::at_least("absorb", 1, static_cast<double>(parts.absorb_ns));
    check::at_least("observe", 1, static_cast<double>(parts.observe_ns));
    check::at_most("all parts", static_cast<double>(run_ns), static_cast<double>(sum(parts)));
    // The counters are always timed, inside the same calls.
    check::at_least("absorb against its counter", static_cast<double>(engine.counts().absorb_ns),
                    static_cast<double>(parts.absorb_ns));
    check::at_least("observe against its counter", static_cast<double>(engine.counts().observe_ns),
                    static_cast<double>(parts.observe_ns));

    // Measurements are no part of the run.
    int64_t elapsed = 0;
    require(longrun_propagation_bare_evaluations(engine.handle, 3, &elapsed));
    require(longrun_propagation_bare_transforms(engine.handle, 3, &elapsed));
    check::equal("parts after measurements", sum(parts), sum(parts_of(engine)));

    // After them the parts are timed on.
    engine.observe(engine.length);
    check::at_least("observe after another plane", static_cast<double>(parts.observe_ns) + 1,
                    static_cast<double>(parts_of(engine).observe_ns));
    engine.set(start);
    check::equal("parts after a restart", 0, sum(parts_of(engine)));
    engine.advance(kLength / 5);
    check::at_least("parts of the next run", 1, static_cast<double>(parts_of(engine).fft_ns));
}

void what_is_not_done_takes_no_time() {
    const Problem problem = full_problem(false);
    Engine engine(problem, controlled(kLength));
    require(longrun_propagation_time_parts(engine.handle, 1));
    engine.run(soliton_launch(problem, 2));
    const longrun_propagation_parts parts = parts_of(engine);
    check::equal("absorb without windows", 0, parts.absorb_ns);
    check::equal("observe without planes", 0, parts.observe_ns);
    check::at_least("transforms", 1, static_cast<double>(parts.fft_ns));
}

void nothing_is_timed_unless_asked_for() {
    const Problem problem = full_problem(true);
    const Field start = soliton_launch(problem, 2);
    Engine engine(problem, controlled(kLength));
    run_with_planes(engine, start);
    check::equal("as after create", 0, sum(parts_of(engine)));
    require(longrun_propagation_time_parts(engine.handle, 1));
    check::equal("of a run before it was asked for", 0, sum(parts_of(engine)));
    run_with_planes(engine, start);
    require(longrun_propagation_time_parts(engine.handle, 0));
    const int64_t timed = sum(parts_of(engine));
    check::at_least("what was timed before", 1, static_cast<double>(timed));
    engine.observe(engine.length);
    check::equal("is kept, and nothing is added", timed, sum(parts_of(engine)));
    run_with_planes(engine, start);
    check::equal("switched off again", 0, sum(parts_of(engine)));
}

void timing_changes_no_bit() {
    const Problem problem = full_problem(true);
    const Field start = soliton_launch(problem, 3);
    for (const int32_t kind : kControlled) {
        Engine plain(problem, controlled(kLength, 1e-8, kind));
        Engine timed(problem, controlled(kLength, 1e-8, kind));
        require(longrun_propagation_time_parts(timed.handle, 1));
        check::equal("field", 1, same_bits(plain.run(start), timed.run(start)) ? 1 : 0);
        check::equal("steps", 1, same_bits(plain.steps(), timed.steps()) ? 1 : 0);
        check::equal("evaluations", plain.counts().evaluations, timed.counts().evaluations);
    }
}

void arguments_are_checked() {
    longrun_propagation_parts parts{};
    parts.struct_size = sizeof(parts);
    check::equal("timing of null", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_time_parts(nullptr, 1));
    check::equal("parts of null", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_get_parts(nullptr, &parts));
    check::contains("sentence", "`propagation` is null", longrun_last_error());
    const Engine engine(full_problem(false), controlled(kLength));
    for (const int32_t on : {-1, 2})
        check::equal("neither on nor off", LONGRUN_INVALID_ARGUMENT,
                     longrun_propagation_time_parts(engine.handle, on));
    check::contains("sentence", "`on` must be 0 or 1", longrun_last_error());
    check::equal("no place for the parts", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_get_parts(engine.handle, nullptr));
    parts.struct_size += 8;
    check::equal("another structure", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_get_parts(engine.handle, &parts));
    check::contains("sentence", "longrun_propagation_parts", longrun_last_error());
}

}  // namespace

int main() {
    const std::vector<double> steps(20, kLength / 20);
    for (const int64_t threads : {1, 2}) {
        for (const int32_t kind : kControlled)
            every_part_is_timed_and_all_fit_into_the_run(controlled(kLength, 1e-8, kind), threads);
        every_part_is_timed_and_all_fit_into_the_run(scheduled(LONGRUN_STEPPER_RK4IP, steps),
                                                     threads);
    }
    what_is_not_done_takes_no_time();
    nothing_is_timed_unless_asked_for();
    timing_changes_no_bit();
    arguments_are_checked();
    return check::finish();
}
