#include "optics/checks.hpp"

#include <cmath>
#include <cstddef>

#include "core/error.hpp"
#include "core/limits.hpp"
#include "optics/arguments.hpp"
#include "optics/propagation.hpp"
#include "steppers/adams.hpp"

namespace longrun {
namespace {

int32_t check_raman(const longrun_gnlse_problem& problem) noexcept {
    if (problem.raman_fraction == 0)
        return LONGRUN_OK;
    if (problem.raman_points != problem.points && problem.raman_points != 2 * problem.points)
        return refuse("raman_points", "`points` or twice `points`");
    return check_array("raman", problem.raman, 2 * (problem.raman_points / 2 + 1));
}

int32_t check_absorb(const longrun_gnlse_problem& problem) noexcept {
    if (problem.absorb_spectral == nullptr && problem.absorb_temporal == nullptr)
        return LONGRUN_OK;
    return first_failure(
        [&] { return check_array("absorb_spectral", problem.absorb_spectral, problem.points); },
        [&] { return check_array("absorb_temporal", problem.absorb_temporal, problem.points); });
}

int32_t check_schedule(const longrun_stepper& stepper) noexcept {
    if (stepper.schedule_count < 1 || stepper.schedule_count > kStepsMax)
        return refuse("schedule_count", "between 1 and 1000000 when `schedule_m` is given");
    double end = 0;
    for (int64_t i = 0; i < stepper.schedule_count; ++i) {
        const double step = stepper.schedule_m[i];
        if (!(step > 0 && std::isfinite(step)))
            return fail(LONGRUN_INVALID_ARGUMENT,
                        "creating a propagation failed: step %lld of `schedule_m` is %.17g m; "
                        "steps must be positive and finite",
                        static_cast<long long>(i), step);
        end += step;
    }
    if (!(std::fabs(end - stepper.length_m) <= 1e-9 * stepper.length_m))
        return fail(LONGRUN_INVALID_ARGUMENT,
                    "creating a propagation failed: `schedule_m` ends at %.17g m and the guide at "
                    "%.17g m; record the steps of a run of this length",
                    end, stepper.length_m);
    return LONGRUN_OK;
}

int32_t check_order(const longrun_stepper& stepper) noexcept {
    static_assert(kAdamsOrderMax == 6, "the sentence below names the highest order");
    if (!takes_order(stepper.kind) && stepper.order != 0)
        return refuse("order", "0 for a stepper of one order only");
    if (stepper.order < 0 || stepper.order > kAdamsOrderMax)
        return refuse("order", "0 or from 1 to 6");
    return LONGRUN_OK;
}

int32_t check_control(const longrun_stepper& stepper) noexcept {
    if (stepper.schedule_count != 0)
        return refuse("schedule_count", "0 when `schedule_m` is null");
    if (stepper.kind == LONGRUN_STEPPER_RK4IP)
        return refuse("schedule_m", "given for RK4IP, which does not control the error");
    return first_failure([&] { return check_positive("rtol", stepper.rtol); },
                         [&] { return check_not_negative("atol", stepper.atol); },
                         [&] { return check_positive("initial_step_m", stepper.initial_step_m); },
                         [&] { return check_positive("max_step_m", stepper.max_step_m); });
}

}  // namespace

bool takes_order(int32_t kind) noexcept {
    return kind == LONGRUN_STEPPER_MULTISTEP || kind == LONGRUN_STEPPER_MULTISTEP_INTERACTION;
}

int32_t check_threads(int64_t threads) noexcept {
    return threads >= 1 && threads <= kThreadsMax ? LONGRUN_OK
                                                  : refuse("threads", "between 1 and 1024");
}

int32_t check_problem(const longrun_gnlse_problem& problem) noexcept {
    const int32_t size =
        check_size("longrun_gnlse_problem", problem.struct_size, sizeof(longrun_gnlse_problem));
    if (size != LONGRUN_OK)
        return size;
    const int64_t points = problem.points;
    if (points < 4 || points > kPointsMax || points % 2 != 0)
        return refuse("points", "even, at least 4 and at most 268435456");
    if (!std::isfinite(problem.carrier_rad_s))
        return refuse("carrier_rad_s", "finite");
    return first_failure(
        [&] { return check_positive("time_step_s", problem.time_step_s); },
        [&] { return check_not_negative("kerr_fraction", problem.kerr_fraction); },
        [&] { return check_not_negative("raman_fraction", problem.raman_fraction); },
        [&] { return check_array("linear", problem.linear, 2 * points); },
        [&] { return check_array("source", problem.source, 2 * points); },
        [&] {
            return problem.time_window == nullptr
                       ? int32_t{LONGRUN_OK}
                       : check_array("time_window", problem.time_window, points);
        },
        [&] { return check_raman(problem); }, [&] { return check_absorb(problem); });
}

int32_t check_stepper(const longrun_stepper& stepper) noexcept {
    const int32_t size =
        check_size("longrun_stepper", stepper.struct_size, sizeof(longrun_stepper));
    if (size != LONGRUN_OK)
        return size;
    if (stepper.kind < LONGRUN_STEPPER_RK || stepper.kind > LONGRUN_STEPPER_MULTISTEP_INTERACTION)
        return refuse("kind", "one of `LONGRUN_STEPPER_...`");
    const int32_t order = check_order(stepper);
    if (order != LONGRUN_OK)
        return order;
    const int32_t length = check_positive("length_m", stepper.length_m);
    if (length != LONGRUN_OK)
        return length;
    return stepper.schedule_m == nullptr ? check_control(stepper) : check_schedule(stepper);
}

}  // namespace longrun
