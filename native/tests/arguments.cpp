// Every argument that cannot be worked with gives its status and a sentence that names it.
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "check.hpp"
#include "fixture.hpp"

using namespace fixture;

namespace {

const std::vector<double> kSteps = {0.25, 0.75};

Problem good_problem() {
    Problem problem = soliton_problem(64, 16);
    problem.raman_fraction = 0.18;
    problem.raman_points = 128;
    problem.raman.resize(65, 1.0);
    problem.time_window.resize(64, 1.0);
    problem.absorb_spectral.resize(64, 1.0);
    problem.absorb_temporal.resize(64, 1.0);
    return problem;
}

struct Refusal {
    const char* named;
    std::function<void(longrun_gnlse_problem&, longrun_stepper&, int64_t&)> spoil;
};

void refuses(const Refusal& refusal) {
    const Problem problem = good_problem();
    longrun_gnlse_problem view = problem.view();
    longrun_stepper stepper = controlled(1);
    int64_t threads = 1;
    refusal.spoil(view, stepper, threads);
    longrun_propagation* handle = nullptr;
    check::equal(refusal.named, LONGRUN_INVALID_ARGUMENT,
                 longrun_gnlse_create(&view, &stepper, threads, nullptr, &handle));
    check::contains("sentence", refusal.named, longrun_last_error());
    check::equal("no handle", 1, handle == nullptr ? 1 : 0);
}

void creation_refuses_a_problem_or_step_control_it_cannot_work_with() {
    using P = longrun_gnlse_problem;
    using S = longrun_stepper;
    static const double not_a_number[256] = {NAN};
    static const double backwards[2] = {1.25, -0.25};
    static const double too_short[2] = {0.25, 0.5};
    const Refusal refusals[] = {
        {"longrun_gnlse_problem", [](P& p, S&, int64_t&) { p.struct_size -= 8; }},
        {"longrun_stepper", [](P&, S& s, int64_t&) { s.struct_size += 8; }},
        {"points", [](P& p, S&, int64_t&) { p.points = 63; }},
        {"points", [](P& p, S&, int64_t&) { p.points = 2; }},
        {"points", [](P& p, S&, int64_t&) { p.points = int64_t{1} << 40; }},
        {"time_step_s", [](P& p, S&, int64_t&) { p.time_step_s = 0; }},
        {"carrier_rad_s", [](P& p, S&, int64_t&) { p.carrier_rad_s = INFINITY; }},
        {"linear", [](P& p, S&, int64_t&) { p.linear = nullptr; }},
        {"linear", [](P& p, S&, int64_t&) { p.linear = not_a_number; }},
        {"source", [](P& p, S&, int64_t&) { p.source = nullptr; }},
        {"source", [](P& p, S&, int64_t&) { p.source = not_a_number; }},
        {"time_window", [](P& p, S&, int64_t&) { p.time_window = not_a_number; }},
        {"kerr_fraction", [](P& p, S&, int64_t&) { p.kerr_fraction = NAN; }},
        {"raman_fraction", [](P& p, S&, int64_t&) { p.raman_fraction = -0.1; }},
        {"raman_points", [](P& p, S&, int64_t&) { p.raman_points = 96; }},
        {"raman", [](P& p, S&, int64_t&) { p.raman = nullptr; }},
        {"raman", [](P& p, S&, int64_t&) { p.raman = not_a_number; }},
        {"absorb_temporal", [](P& p, S&, int64_t&) { p.absorb_temporal = nullptr; }},
        {"absorb_spectral", [](P& p, S&, int64_t&) { p.absorb_spectral = nullptr; }},
        {"length_m", [](P&, S& s, int64_t&) { s.length_m = -1; }},
        {"rtol", [](P&, S& s, int64_t&) { s.rtol = 0; }},
        {"atol", [](P&, S& s, int64_t&) { s.atol = NAN; }},
        {"initial_step_m", [](P&, S& s, int64_t&) { s.initial_step_m = 0; }},
        {"max_step_m", [](P&, S& s, int64_t&) { s.max_step_m = INFINITY; }},
        {"schedule_m", [](P&, S& s, int64_t&) { s.kind = LONGRUN_STEPPER_RK4IP; }},
        {"schedule_count", [](P&, S& s, int64_t&) { s.schedule_count = 2; }},
        {"schedule_count", [](P&, S& s, int64_t&) { s.schedule_m = kSteps.data(); }},
        {"step 1",
         [](P&, S& s, int64_t&) {
             s.schedule_m = backwards;
             s.schedule_count = 2;
         }},
        {"ends at",
         [](P&, S& s, int64_t&) {
             s.schedule_m = too_short;
             s.schedule_count = 2;
         }},
        {"threads", [](P&, S&, int64_t& threads) { threads = 0; }},
        {"threads", [](P&, S&, int64_t& threads) { threads = 100000; }},
    };
    for (const Refusal& refusal : refusals)
        refuses(refusal);
    const Problem problem = good_problem();
    const longrun_gnlse_problem view = problem.view();
    const longrun_stepper stepper = controlled(1);
    longrun_propagation* handle = nullptr;
    check::equal("null", LONGRUN_INVALID_ARGUMENT,
                 longrun_gnlse_create(nullptr, &stepper, 1, nullptr, &handle));
    check::equal("null", LONGRUN_INVALID_ARGUMENT,
                 longrun_gnlse_create(&view, nullptr, 1, nullptr, &handle));
    check::equal("null", LONGRUN_INVALID_ARGUMENT,
                 longrun_gnlse_create(&view, &stepper, 1, nullptr, nullptr));
    longrun_propagation_destroy(nullptr);
}

void creation_refuses_a_stepper_it_does_not_have() {
    using P = longrun_gnlse_problem;
    using S = longrun_stepper;
    const Refusal refusals[] = {
        {"kind", [](P&, S& s, int64_t&) { s.kind = 7; }},
        {"kind", [](P&, S& s, int64_t&) { s.kind = 0; }},
        {"order", [](P&, S& s, int64_t&) { s.order = 5; }},
        {"order",
         [](P&, S& s, int64_t&) {
             s.kind = LONGRUN_STEPPER_MULTISTEP;
             s.order = 7;
         }},
        {"order",
         [](P&, S& s, int64_t&) {
             s.kind = LONGRUN_STEPPER_MULTISTEP_INTERACTION;
             s.order = -1;
         }},
    };
    for (const Refusal& refusal : refusals)
        refuses(refusal);
}

void calls_refuse_null() {
    double z = 0;
    int64_t count = 0;
    longrun_plane_statistics plane{};
    longrun_propagation_counts counts{};
    check::equal("set_state", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_set_state(nullptr, 0, &z));
    check::equal("advance", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_advance(nullptr, 1, 1, &z));
    check::equal("observe", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_observe(nullptr, 1, &plane, nullptr));
    check::equal("get_state", LONGRUN_INVALID_ARGUMENT, longrun_propagation_get_state(nullptr, &z));
    check::equal("get_counts", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_get_counts(nullptr, &counts));
    check::equal("get_steps", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_get_steps(nullptr, nullptr, 0, &count));
    check::equal("bare_evaluations", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_bare_evaluations(nullptr, 1, &count));
    check::equal("bare_transforms", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_bare_transforms(nullptr, 1, &count));
    check::contains("sentence", "`propagation` is null", longrun_last_error());
    check::equal("size", 0, longrun_propagation_size(nullptr));
    check::equal("source_bytes", 0, longrun_propagation_source_bytes(nullptr));
    check::contains("plans", "", longrun_propagation_fft_plans(nullptr));
}

void calls_refuse_bad_values() {
    Engine engine(good_problem(), scheduled(LONGRUN_STEPPER_RK, kSteps));
    const Field start = soliton_launch(good_problem(), 1);
    double z = 0;
    int64_t count = 0;
    longrun_plane_statistics plane{};
    longrun_propagation_counts counts{};
    check::equal("advance without a state", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_advance(engine.handle, 1, 1, &z));
    check::contains("sentence", "longrun_propagation_set_state", longrun_last_error());
    check::equal("z outside the guide", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_set_state(engine.handle, 1.5, raw(start)));
    check::equal("z is no number", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_set_state(engine.handle, NAN, raw(start)));
    check::equal("z is no boundary", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_set_state(engine.handle, 0.5, raw(start)));
    check::contains("sentence", "not a boundary", longrun_last_error());
    engine.set(start, 0.25);
    check::equal("plane is no number", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_advance(engine.handle, NAN, 1, &z));
    check::equal("no steps allowed", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_advance(engine.handle, 1, 0, &z));
    check::equal("size of the statistics", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_observe(engine.handle, 0.25, &plane, nullptr));
    check::equal("size of the counters", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_get_counts(engine.handle, &counts));
    plane.struct_size = sizeof(plane);
    check::equal("plane ahead", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_observe(engine.handle, 0.5, &plane, nullptr));
    check::contains("sentence", "not within the last step", longrun_last_error());
    engine.advance(1);
    check::equal("plane behind the last step", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_observe(engine.handle, 0.1, &plane, nullptr));
    check::equal("no array for the steps", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_get_steps(engine.handle, nullptr, 3, &count));
    check::equal("no evaluations", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_bare_evaluations(engine.handle, 0, &count));
}

void what_is_not_finite_is_named_with_its_position() {
    const Problem problem = soliton_problem(64, 16);
    Field start = soliton_launch(problem, 1);
    start[3] = {NAN, 0};
    double z = 0;
    Engine engine(problem, controlled(1));
    check::equal("a state that is no number", LONGRUN_NOT_FINITE,
                 longrun_propagation_set_state(engine.handle, 0, raw(start)));
    check::contains("sentence", "not finite", longrun_last_error());

    const std::vector<double> steps = {0.5, 0.5};
    const Field huge = soliton_launch(problem, 1e120);  // its cube overflows
    for (const int32_t kind : {LONGRUN_STEPPER_RK, LONGRUN_STEPPER_RK4IP, LONGRUN_STEPPER_MULTISTEP,
                               LONGRUN_STEPPER_MULTISTEP_INTERACTION}) {
        Engine fixed(problem, scheduled(kind, steps));
        fixed.set(huge);
        check::equal("overflow on a schedule", LONGRUN_NOT_FINITE,
                     longrun_propagation_advance(fixed.handle, 1, 9, &z));
        check::contains("sentence", "not finite at z = 0.5", longrun_last_error());
        check::equal("a failed state is not read", LONGRUN_INVALID_ARGUMENT,
                     longrun_propagation_get_state(fixed.handle, raw(start)));
    }
    for (const int32_t kind : kControlled) {
        Engine controlled_run(problem, controlled(1, 1e-8, kind));
        controlled_run.set(huge);
        check::equal("the controller gives up", LONGRUN_STEP_FAILED,
                     longrun_propagation_advance(controlled_run.handle, 1, 9, &z));
        check::contains("sentence", "advancing failed at z = 0 m", longrun_last_error());
        check::equal("attempts", 11, controlled_run.counts().rejected);
    }
}

}  // namespace

int main() {
    creation_refuses_a_problem_or_step_control_it_cannot_work_with();
    creation_refuses_a_stepper_it_does_not_have();
    calls_refuse_null();
    calls_refuse_bad_values();
    what_is_not_finite_is_named_with_its_position();
    return check::finish();
}
