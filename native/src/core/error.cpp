#include "core/error.hpp"

#include <cstdarg>
#include <cstdio>

namespace longrun {
namespace {

constexpr int kLength = 512;
thread_local char sentence[kLength] = "";

}  // namespace

int32_t fail(int32_t status, const char* format, ...) noexcept {
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(sentence, kLength, format, arguments);
    va_end(arguments);
    return status;
}

int32_t missing(const char* attempt, const char* argument) noexcept {
    return fail(LONGRUN_INVALID_ARGUMENT, "%s failed: `%s` is null", attempt, argument);
}

int32_t check_size(const char* structure, int64_t given, std::size_t expected) noexcept {
    if (given == static_cast<int64_t>(expected))
        return LONGRUN_OK;
    return fail(LONGRUN_INVALID_ARGUMENT,
                "the caller's `%s` has %lld bytes and this library's has %zu; build both from the "
                "same headers",
                structure, static_cast<long long>(given), expected);
}

const char* last_error() noexcept {
    return sentence;
}

}  // namespace longrun

extern "C" const char* longrun_last_error(void) {
    return longrun::last_error();
}
