#include "cartesian/checks.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/limits.hpp"
#include "optics/arguments.hpp"
#include "polarisation/checks.hpp"

namespace longrun::cartesian {
namespace {

/// Most columns of an axis: more is a mistake.
constexpr int64_t kColumnsMax = 16384;

using Problem = longrun_cartesian_problem;

int32_t check_columns(const char* name, int64_t count) noexcept {
    return count >= 4 && count <= kColumnsMax && count % 2 == 0
               ? int32_t{LONGRUN_OK}
               : refuse(name, "even, at least 4 and at most 16384");
}

int32_t check_grids(const Problem& problem) noexcept {
    if (problem.points < 4 || problem.points > kPointsMax || problem.points % 2 != 0)
        return refuse("points", "even, at least 4 and at most 268435456");
    if (problem.fine_points < problem.points || problem.fine_points > kPointsMax ||
        problem.fine_points % 2 != 0)
        return refuse("fine_points", "even, at least `points` and at most 268435456");
    // Bins 0 and n/2 of a half spectrum stand for no pair of frequencies.
    if (problem.first_bin < 1 || problem.first_bin >= problem.points / 2)
        return refuse("first_bin", "at least 1 and below `points` / 2");
    return first_failure(
        [&] {
            return check_count("bins", problem.bins, problem.points / 2 - problem.first_bin,
                               "at least 1, and with `first_bin` at most `points` / 2");
        },
        [&] { return check_columns("columns_x", problem.columns_x); },
        [&] { return check_columns("columns_y", problem.columns_y); },
        [&] {
            return check_count("bins", problem.bins,
                               kPointsMax / (problem.columns_x * problem.columns_y),
                               "so few that the state has at most 268435456 values");
        });
}

int32_t check_scalars(const Problem& problem) noexcept {
    if (!(problem.grazing > 0 && problem.grazing <= 1))
        return refuse("grazing", "above 0 and at most 1");
    return first_failure(
        [&] { return check_positive("time_step_s", problem.time_step_s); },
        [&] { return check_positive("energy_scale", problem.energy_scale); },
        [&] { return check_finite("frame_s_per_m", problem.frame_s_per_m); },
        [&] { return check_positive("evanescent_max_per_m", problem.evanescent_max_per_m); },
        [&] { return check_not_negative("density", problem.density); },
        [&] { return check_finite("kerr", problem.kerr); });
}

/// Values above 0, or not below it.
int32_t check_above(const char* name, const double* values, int64_t count, bool zero) noexcept {
    if (const int32_t status = check_array(name, values, count); status != LONGRUN_OK)
        return status;
    const auto wrong = [zero](double value) { return value < 0 || (value == 0 && !zero); };
    return std::any_of(values, values + count, wrong)
               ? refuse(name, zero ? "not negative" : "positive")
               : int32_t{LONGRUN_OK};
}

int32_t check_waves(const Problem& problem) noexcept {
    return first_failure(
        [&] { return check_above("omega", problem.omega, problem.bins, false); },
        [&] { return check_above("wavenumber", problem.wavenumber, problem.bins, false); },
        [&] { return check_above("strength", problem.strength, problem.bins, true); },
        [&] { return check_array("k_x", problem.k_x, problem.columns_x); },
        [&] { return check_array("k_y", problem.k_y, problem.columns_y); });
}

int32_t check_windows(const Problem& problem) noexcept {
    if (problem.absorb_spectral == nullptr && problem.absorb_temporal == nullptr &&
        problem.absorb_x == nullptr && problem.absorb_y == nullptr &&
        problem.time_window == nullptr)
        return LONGRUN_OK;
    return first_failure(
        [&] { return check_fractions("absorb_spectral", problem.absorb_spectral, problem.bins); },
        [&] { return check_fractions("absorb_temporal", problem.absorb_temporal, problem.points); },
        [&] { return check_fractions("absorb_x", problem.absorb_x, problem.columns_x); },
        [&] { return check_fractions("absorb_y", problem.absorb_y, problem.columns_y); },
        [&] { return check_array("time_window", problem.time_window, problem.fine_points); },
        [&] { return check_positive("absorb_length_m", problem.absorb_length_m); });
}

}  // namespace

int32_t check_problem(const longrun_cartesian_problem& problem) noexcept {
    return first_failure(
        [&] {
            return check_size("longrun_cartesian_problem", problem.struct_size,
                              sizeof(longrun_cartesian_problem));
        },
        [&] { return check_grids(problem); }, [&] { return check_scalars(problem); },
        [&] { return check_waves(problem); },
        [&] { return polarisation::check_rates(problem.rates); },
        [&] { return check_windows(problem); });
}

}  // namespace longrun::cartesian
