// Many spectra in one array.
#pragma once

#include <cstdint>

#include "core/complex.hpp"

namespace longrun {

/// Spectra that follow each other, `stride` values from one to the next.
struct Spectra {
    Complex* first;
    int64_t stride;

    Complex* operator[](int64_t index) const noexcept { return first + index * stride; }
};

/// Distance of spectra of `size` values: successive ones start in different sets of the first-level
/// cache, and all are aligned as the first.
inline int64_t spectra_stride(int64_t size) noexcept {
    // Whole pages, and as much beyond as lies between the arrays of an arena.
    constexpr int64_t kPage = 4096 / sizeof(Complex);
    constexpr int64_t kBeyond = 5 * 256 / sizeof(Complex);
    return (size + kPage - 1) / kPage * kPage + kBeyond;
}

}  // namespace longrun
