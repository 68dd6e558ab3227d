// What checks of the arguments of a create function are made of.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/error.hpp"
#include "longrun/core.h"

namespace longrun {

inline int32_t refuse(const char* name, const char* wanted) noexcept {
    return fail(LONGRUN_INVALID_ARGUMENT, "creating a propagation failed: `%s` must be %s", name,
                wanted);
}

inline int32_t check_array(const char* name, const double* values, int64_t count) noexcept {
    if (values == nullptr)
        return refuse(name, "given");
    for (int64_t i = 0; i < count; ++i)
        if (!std::isfinite(values[i]))
            return fail(LONGRUN_INVALID_ARGUMENT,
                        "creating a propagation failed: `%s` is not finite at value %lld", name,
                        static_cast<long long>(i));
    return LONGRUN_OK;
}

inline int32_t check_finite(const char* name, double value) noexcept {
    return std::isfinite(value) ? LONGRUN_OK : refuse(name, "finite");
}

inline int32_t check_positive(const char* name, double value) noexcept {
    return value > 0 && std::isfinite(value) ? LONGRUN_OK : refuse(name, "positive and finite");
}

inline int32_t check_not_negative(const char* name, double value) noexcept {
    return value >= 0 && std::isfinite(value) ? LONGRUN_OK
                                              : refuse(name, "finite and not negative");
}

inline int32_t check_flag(const char* name, int32_t value) noexcept {
    return value == 0 || value == 1 ? LONGRUN_OK : refuse(name, "0 or 1");
}

/// From 1 to `limit`, of which the sentence says `wanted`.
inline int32_t check_count(const char* name, int64_t value, int64_t limit,
                           const char* wanted) noexcept {
    return value >= 1 && value <= limit ? int32_t{LONGRUN_OK} : refuse(name, wanted);
}

/// An array of numbers from 0 to 1.
inline int32_t check_fractions(const char* name, const double* values, int64_t count) noexcept {
    if (const int32_t status = check_array(name, values, count); status != LONGRUN_OK)
        return status;
    const auto outside = [](double value) { return value < 0 || value > 1; };
    return std::any_of(values, values + count, outside) ? refuse(name, "between 0 and 1")
                                                        : int32_t{LONGRUN_OK};
}

/// The first status of a list of checks that is not OK; the checks after it are not made.
template <class... Checks>
int32_t first_failure(const Checks&... checks) noexcept {
    int32_t status = LONGRUN_OK;
    ((status == LONGRUN_OK ? status = checks() : status), ...);
    return status;
}

}  // namespace longrun
