// The sentence of the last failure in the calling thread, and the border that no exception passes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>

#include "longrun/core.h"

namespace longrun {

/// Stores the sentence and returns `status`. Allocates nothing; long sentences are cut.
[[gnu::format(printf, 2, 3)]] int32_t fail(int32_t status, const char* format, ...) noexcept;

/// The stored sentence; empty if there was no failure.
const char* last_error() noexcept;

/// The refusal of an argument that must not be null.
int32_t missing(const char* attempt, const char* argument) noexcept;

/// For every structure of the ABI: `given` must be the size that this library knows.
int32_t check_size(const char* structure, int64_t given, std::size_t expected) noexcept;

/// Runs the body of an ABI function and turns exceptions into a status.
template <class Body>
int32_t guarded(const char* attempt, const Body& body) noexcept {
    try {
        return body();
    } catch (const std::bad_alloc&) {
        return fail(LONGRUN_OUT_OF_MEMORY,
                    "%s failed: not enough memory; use fewer points or free memory", attempt);
    } catch (const std::exception& error) {
        return fail(LONGRUN_INTERNAL, "%s failed: %s; this is a defect of the native library",
                    attempt, error.what());
    } catch (...) {
        return fail(LONGRUN_INTERNAL,
                    "%s failed: unknown exception; this is a defect of the native library",
                    attempt);
    }
}

}  // namespace longrun
