#include "guided/checks.hpp"

#include <algorithm>

#include "core/constants.hpp"
#include "core/error.hpp"
#include "core/limits.hpp"
#include "guided/problem.hpp"
#include "optics/arguments.hpp"
#include "polarisation/checks.hpp"

namespace longrun::guided {
namespace {

/// Most modes, most nodes: more is a mistake.
constexpr int64_t kModesMax = 1024;
constexpr int64_t kNodesMax = 65536;

using Problem = longrun_guided_problem;

int32_t check_grids(const Problem& problem) noexcept {
    if (problem.field != LONGRUN_FIELD_REAL && problem.field != LONGRUN_FIELD_ENVELOPE)
        return refuse("field", "one of `LONGRUN_FIELD_...`");
    if (problem.points < 4 || problem.points > kPointsMax || problem.points % 2 != 0)
        return refuse("points", "even, at least 4 and at most 268435456");
    if (problem.field == LONGRUN_FIELD_ENVELOPE && problem.fine_points != problem.points)
        return refuse("fine_points", "`points` for an envelope");
    if (problem.fine_points < problem.points || problem.fine_points > kPointsMax ||
        problem.fine_points % 2 != 0)
        return refuse("fine_points", "even, at least `points` and at most 268435456");
    return first_failure(
        [&] { return check_count("modes", problem.modes, kModesMax, "between 1 and 1024"); },
        [&] { return check_count("nodes", problem.nodes, kNodesMax, "between 1 and 65536"); },
        [&] {
            return check_count("modes", problem.modes, kPointsMax / bins_of(problem),
                               "so few that the state has at most 268435456 values");
        });
}

int32_t check_scalars(const Problem& problem) noexcept {
    return first_failure([&] { return check_positive("time_step_s", problem.time_step_s); },
                         [&] { return check_positive("carrier_rad_s", problem.carrier_rad_s); },
                         [&] { return check_positive("energy_scale", problem.energy_scale); },
                         [&] { return check_flag("density_follows", problem.density_follows); },
                         [&] { return check_not_negative("density", problem.density); },
                         [&] { return check_finite("kerr", problem.kerr); });
}

int32_t check_omega(const Problem& problem) noexcept {
    const int64_t bins = bins_of(problem);
    if (const int32_t status = check_array("omega", problem.omega, bins); status != LONGRUN_OK)
        return status;
    const bool negative =
        std::any_of(problem.omega, problem.omega + bins, [](double w) { return w < 0; });
    return negative ? refuse("omega", "positive, or 0 outside the valid set") : int32_t{LONGRUN_OK};
}

int32_t check_sums(const Problem& problem) noexcept {
    const int64_t factors = problem.modes * problem.nodes;
    const int64_t size = problem.modes * bins_of(problem);
    return first_failure([&] { return check_omega(problem); },
                         [&] { return check_array("synthesis", problem.synthesis, factors); },
                         [&] { return check_array("projection", problem.projection, factors); },
                         [&] { return check_array("source", problem.source, 2 * size); });
}

/// Where 1 + 4 B p / (k T) is negative the equation of state has no root. If it has one at the
/// highest pressure, it has one at all of them.
int32_t check_state_equation(const longrun_gradient& gradient) noexcept {
    const double pressure = std::max(gradient.inlet_pa, gradient.outlet_pa);
    const double ideal = pressure / (kBoltzmann * gradient.temperature_k);
    return 1 + 4 * gradient.virial_m3 * ideal >= 0
               ? int32_t{LONGRUN_OK}
               : refuse("virial_m3", "such that the gas exists at this pressure");
}

int32_t check_gradient(const Problem& problem) noexcept {
    const longrun_gradient& gradient = *problem.gradient;
    const int64_t bins = bins_of(problem);
    const int64_t size = problem.modes * bins;
    const int32_t arrays = first_failure(
        [&] {
            return check_size("longrun_gradient", gradient.struct_size, sizeof(longrun_gradient));
        },
        [&] { return check_array("susceptibility", gradient.susceptibility, bins); },
        [&] { return check_array("waveguide", gradient.waveguide, 2 * size); },
        [&] { return check_array("carrier_waveguide", gradient.carrier_waveguide, 2); },
        [&] { return check_array("waveguide_slope", gradient.waveguide_slope, 2); });
    if (arrays != LONGRUN_OK)
        return arrays;
    return first_failure(
        [&] { return check_not_negative("inlet_pa", gradient.inlet_pa); },
        [&] { return check_not_negative("outlet_pa", gradient.outlet_pa); },
        [&] { return check_positive("length_m", gradient.length_m); },
        [&] { return check_positive("temperature_k", gradient.temperature_k); },
        [&] { return check_finite("virial_m3", gradient.virial_m3); },
        [&] { return check_state_equation(gradient); },
        [&] { return check_finite("carrier_susceptibility", gradient.carrier_susceptibility); },
        [&] { return check_finite("susceptibility_slope", gradient.susceptibility_slope); },
        [&] { return check_positive("index_min", gradient.index_min); },
        [&] { return check_not_negative("max_loss_per_m", gradient.max_loss_per_m); },
        [&] { return check_flag("loss", gradient.loss); },
        [&] { return check_flag("over_index", gradient.over_index); });
}

int32_t check_linear(const Problem& problem) noexcept {
    if ((problem.linear == nullptr) == (problem.gradient == nullptr))
        return refuse("linear", "given, or `gradient`, and not both");
    if (problem.gradient != nullptr)
        return check_gradient(problem);
    if (problem.density_follows != 0)
        return refuse("density_follows", "0 without a gradient");
    return check_array("linear", problem.linear, 2 * problem.modes * bins_of(problem));
}

int32_t check_raman(const Problem& problem) noexcept {
    if (problem.raman == nullptr)
        return LONGRUN_OK;
    if (problem.raman_points != problem.fine_points &&
        problem.raman_points != 2 * problem.fine_points)
        return refuse("raman_points", "`fine_points` or twice `fine_points`");
    return check_array("raman", problem.raman, 2 * (problem.raman_points / 2 + 1));
}

int32_t check_windows(const Problem& problem) noexcept {
    if (problem.absorb_spectral == nullptr && problem.absorb_temporal == nullptr &&
        problem.time_window == nullptr)
        return LONGRUN_OK;
    return first_failure(
        [&] {
            return check_fractions("absorb_spectral", problem.absorb_spectral, bins_of(problem));
        },
        [&] { return check_fractions("absorb_temporal", problem.absorb_temporal, problem.points); },
        [&] { return check_array("time_window", problem.time_window, problem.fine_points); },
        [&] { return check_positive("absorb_length_m", problem.absorb_length_m); });
}

int32_t check_shift(const Problem& problem) noexcept {
    if (problem.harmonic == nullptr)
        return LONGRUN_OK;
    const int64_t bins = bins_of(problem);
    if (problem.carrier_bin < 0 || problem.carrier_bin >= bins)
        return refuse("carrier_bin", "one of the bins");
    return check_array("harmonic", problem.harmonic, bins);
}

}  // namespace

int32_t check_problem(const longrun_guided_problem& problem) noexcept {
    return first_failure(
        [&] {
            return check_size("longrun_guided_problem", problem.struct_size,
                              sizeof(longrun_guided_problem));
        },
        [&] { return check_grids(problem); }, [&] { return check_scalars(problem); },
        [&] { return check_sums(problem); }, [&] { return check_linear(problem); },
        [&] { return check_raman(problem); },
        [&] { return polarisation::check_rates(problem.rates); },
        [&] { return check_windows(problem); }, [&] { return check_shift(problem); });
}

int32_t check_edge(const longrun_guided_problem& problem, const double* absorb_nodes) noexcept {
    if (problem.absorb_spectral == nullptr)
        return refuse("absorb_spectral", "given, and the other windows, for an edge");
    return check_fractions("absorb_nodes", absorb_nodes, problem.nodes);
}

}  // namespace longrun::guided
