// The C ABI of the area `optics`: checks pointers and sizes, then calls the engine.
#include <cmath>
#include <cstddef>
#include <memory>

#include "cartesian/checks.hpp"
#include "core/error.hpp"
#include "fft/abi.hpp"
#include "guided/checks.hpp"
#include "longrun/optics.h"
#include "optics/checks.hpp"
#include "optics/propagation.hpp"

struct longrun_propagation final : longrun::Propagation {
    using Propagation::Propagation;
};

namespace {

using longrun::fail;
using longrun::missing;

int32_t check_problem(const longrun_gnlse_problem& problem) noexcept {
    return longrun::check_problem(problem);
}
int32_t check_problem(const longrun_guided_problem& problem) noexcept {
    return longrun::guided::check_problem(problem);
}
int32_t check_problem(const longrun_guided_problem& problem, const double* absorb_nodes) noexcept {
    const int32_t status = longrun::guided::check_problem(problem);
    return status == LONGRUN_OK ? longrun::guided::check_edge(problem, absorb_nodes) : status;
}
int32_t check_problem(const longrun_cartesian_problem& problem) noexcept {
    return longrun::cartesian::check_problem(problem);
}

/// A propagation of any family; `more` is what it is told beside its problem.
template <class Problem, class... More>
int32_t create(const longrun_stepper* stepper, int64_t threads, longrun_fft_wisdom* wisdom,
               longrun_propagation** propagation, const Problem* problem, More... more) noexcept {
    constexpr const char* kAttempt = "creating a propagation";
    if (propagation == nullptr)
        return missing(kAttempt, "propagation");
    *propagation = nullptr;
    if (problem == nullptr)
        return missing(kAttempt, "problem");
    if (stepper == nullptr)
        return missing(kAttempt, "stepper");
    if (const int32_t status = longrun::check_threads(threads); status != LONGRUN_OK)
        return status;
    if (const int32_t status = check_problem(*problem, more...); status != LONGRUN_OK)
        return status;
    if (const int32_t status = longrun::check_stepper(*stepper); status != LONGRUN_OK)
        return status;
    return longrun::guarded(kAttempt, [&] {
        *propagation = std::make_unique<longrun_propagation>(
                           *problem, more..., *stepper, static_cast<int>(threads),
                           wisdom == nullptr ? nullptr : &wisdom->known)
                           .release();
        return int32_t{LONGRUN_OK};
    });
}

}  // namespace

int32_t longrun_gnlse_create(const longrun_gnlse_problem* problem, const longrun_stepper* stepper,
                             int64_t threads, longrun_fft_wisdom* wisdom,
                             longrun_propagation** propagation) {
    return create(stepper, threads, wisdom, propagation, problem);
}

int32_t longrun_guided_create(const longrun_guided_problem* problem, const longrun_stepper* stepper,
                              int64_t threads, longrun_fft_wisdom* wisdom,
                              longrun_propagation** propagation) {
    return create(stepper, threads, wisdom, propagation, problem);
}

int32_t longrun_radial_create(const longrun_guided_problem* problem, const double* absorb_nodes,
                              const longrun_stepper* stepper, int64_t threads,
                              longrun_fft_wisdom* wisdom, longrun_propagation** propagation) {
    return create(stepper, threads, wisdom, propagation, problem, absorb_nodes);
}

int32_t longrun_cartesian_create(const longrun_cartesian_problem* problem,
                                 const longrun_stepper* stepper, int64_t threads,
                                 longrun_fft_wisdom* wisdom, longrun_propagation** propagation) {
    return create(stepper, threads, wisdom, propagation, problem);
}

void longrun_propagation_destroy(longrun_propagation* propagation) {
    delete propagation;
}

int64_t longrun_propagation_size(const longrun_propagation* propagation) {
    return propagation == nullptr ? 0 : propagation->size();
}

int32_t longrun_propagation_set_state(longrun_propagation* propagation, double z_m,
                                      const double* state) {
    constexpr const char* kAttempt = "setting the state";
    if (propagation == nullptr)
        return missing(kAttempt, "propagation");
    if (state == nullptr)
        return missing(kAttempt, "state");
    return propagation->set_state(z_m, state);
}

int32_t longrun_propagation_advance(longrun_propagation* propagation, double plane_m,
                                    int64_t steps_max, double* z_m) {
    constexpr const char* kAttempt = "advancing";
    if (propagation == nullptr)
        return missing(kAttempt, "propagation");
    if (z_m == nullptr)
        return missing(kAttempt, "z_m");
    if (!std::isfinite(plane_m))
        return fail(LONGRUN_INVALID_ARGUMENT, "advancing failed: `plane_m` must be finite");
    if (steps_max < 1)
        return fail(LONGRUN_INVALID_ARGUMENT, "advancing failed: `steps_max` must be at least 1");
    return propagation->advance(plane_m, steps_max, z_m);
}

int32_t longrun_propagation_observe(longrun_propagation* propagation, double plane_m,
                                    longrun_plane_statistics* statistics, double* intensity) {
    constexpr const char* kAttempt = "observing";
    if (propagation == nullptr)
        return missing(kAttempt, "propagation");
    if (statistics == nullptr)
        return missing(kAttempt, "statistics");
    if (const int32_t status = longrun::check_size("longrun_plane_statistics",
                                                   statistics->struct_size, sizeof(*statistics));
        status != LONGRUN_OK)
        return status;
    return propagation->observe(plane_m, *statistics, intensity);
}

int64_t longrun_propagation_nodes(const longrun_propagation* propagation) {
    return propagation == nullptr ? 0 : propagation->nodes();
}

int32_t longrun_propagation_observe_nodes(longrun_propagation* propagation, double plane_m,
                                          double* fluence, double* peak) {
    if (propagation == nullptr)
        return missing("observing", "propagation");
    return propagation->observe_nodes(plane_m, fluence, peak);
}

int32_t longrun_propagation_get_edge_energy(const longrun_propagation* propagation,
                                            double* energy_j) {
    constexpr const char* kAttempt = "reading what the edges absorbed";
    if (propagation == nullptr)
        return missing(kAttempt, "propagation");
    if (energy_j == nullptr)
        return missing(kAttempt, "energy_j");
    *energy_j = propagation->edge_energy_j();
    return LONGRUN_OK;
}

int32_t longrun_propagation_get_state(const longrun_propagation* propagation, double* state) {
    constexpr const char* kAttempt = "reading the state";
    if (propagation == nullptr)
        return missing(kAttempt, "propagation");
    if (state == nullptr)
        return missing(kAttempt, "state");
    return propagation->get_state(state);
}

int32_t longrun_propagation_get_counts(const longrun_propagation* propagation,
                                       longrun_propagation_counts* counts) {
    constexpr const char* kAttempt = "reading the counters";
    if (propagation == nullptr)
        return missing(kAttempt, "propagation");
    if (counts == nullptr)
        return missing(kAttempt, "counts");
    if (const int32_t status =
            longrun::check_size("longrun_propagation_counts", counts->struct_size, sizeof(*counts));
        status != LONGRUN_OK)
        return status;
    *counts = propagation->counts();
    return LONGRUN_OK;
}

int32_t longrun_propagation_get_steps(const longrun_propagation* propagation, double* steps_m,
                                      int64_t capacity, int64_t* count) {
    constexpr const char* kAttempt = "reading the steps";
    if (propagation == nullptr)
        return missing(kAttempt, "propagation");
    if (count == nullptr)
        return missing(kAttempt, "count");
    if (capacity < 0 || (capacity > 0 && steps_m == nullptr))
        return fail(LONGRUN_INVALID_ARGUMENT,
                    "reading the steps failed: `steps_m` must hold `capacity` values");
    const auto& steps = propagation->steps();
    *count = static_cast<int64_t>(steps.size());
    for (int64_t i = 0; i < capacity && i < *count; ++i)
        steps_m[i] = steps[static_cast<std::size_t>(i)];
    return LONGRUN_OK;
}

const char* longrun_propagation_fft_plans(const longrun_propagation* propagation) {
    return propagation == nullptr ? "" : propagation->plans();
}

int32_t longrun_propagation_bare_evaluations(longrun_propagation* propagation, int64_t count,
                                             int64_t* elapsed_ns) {
    constexpr const char* kAttempt = "measuring";
    if (propagation == nullptr)
        return missing(kAttempt, "propagation");
    if (elapsed_ns == nullptr)
        return missing(kAttempt, "elapsed_ns");
    if (count < 1)
        return fail(LONGRUN_INVALID_ARGUMENT, "measuring failed: `count` must be at least 1");
    return propagation->bare_evaluations(count, elapsed_ns);
}

int32_t longrun_propagation_bare_transforms(longrun_propagation* propagation, int64_t count,
                                            int64_t* elapsed_ns) {
    constexpr const char* kAttempt = "measuring";
    if (propagation == nullptr)
        return missing(kAttempt, "propagation");
    if (elapsed_ns == nullptr)
        return missing(kAttempt, "elapsed_ns");
    if (count < 1)
        return fail(LONGRUN_INVALID_ARGUMENT, "measuring failed: `count` must be at least 1");
    return propagation->bare_transforms(count, elapsed_ns);
}

int32_t longrun_propagation_time_parts(longrun_propagation* propagation, int32_t on) {
    constexpr const char* kAttempt = "timing the parts of a run";
    if (propagation == nullptr)
        return missing(kAttempt, "propagation");
    if (on != 0 && on != 1)
        return fail(LONGRUN_INVALID_ARGUMENT, "%s failed: `on` must be 0 or 1", kAttempt);
    propagation->time_parts(on == 1);
    return LONGRUN_OK;
}

int32_t longrun_propagation_get_parts(const longrun_propagation* propagation,
                                      longrun_propagation_parts* parts) {
    constexpr const char* kAttempt = "reading the parts of a run";
    if (propagation == nullptr)
        return missing(kAttempt, "propagation");
    if (parts == nullptr)
        return missing(kAttempt, "parts");
    if (const int32_t status =
            longrun::check_size("longrun_propagation_parts", parts->struct_size, sizeof(*parts));
        status != LONGRUN_OK)
        return status;
    *parts = propagation->parts();
    return LONGRUN_OK;
}

int64_t longrun_propagation_source_bytes(const longrun_propagation* propagation) {
    return propagation == nullptr ? 0 : propagation->source_bytes();
}
