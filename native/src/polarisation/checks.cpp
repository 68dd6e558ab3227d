#include "polarisation/checks.hpp"

#include "core/error.hpp"
#include "optics/arguments.hpp"

namespace longrun::polarisation {
namespace {

/// Most cells of a table: more is a mistake.
constexpr int64_t kCellsMax = int64_t{1} << 24;

}  // namespace

int32_t check_rates(const longrun_rate_table* rates) noexcept {
    if (rates == nullptr)
        return LONGRUN_OK;
    return first_failure(
        [&] {
            return check_size("longrun_rate_table", rates->struct_size, sizeof(longrun_rate_table));
        },
        [&] { return check_not_negative("first_field_v_m", rates->first_field_v_m); },
        [&] { return check_positive("step_v_m", rates->step_v_m); },
        [&] { return check_count("cells", rates->cells, kCellsMax, "between 1 and 16777216"); },
        [&] { return check_array("coefficients", rates->coefficients, 4 * rates->cells); },
        [&] { return check_positive("ionisation_energy_j", rates->ionisation_energy_j); });
}

}  // namespace longrun::polarisation
