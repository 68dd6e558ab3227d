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

const char* last_error() noexcept {
    return sentence;
}

}  // namespace longrun

extern "C" const char* longrun_last_error(void) {
    return longrun::last_error();
}
