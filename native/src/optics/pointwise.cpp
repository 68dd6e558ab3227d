#include "optics/pointwise.hpp"

#include <algorithm>

namespace longrun {

void intensity(const Complex* field, double* out, Range range) noexcept {
#pragma omp simd
    for (int64_t i = range.begin; i < range.end; ++i)
        out[i] = squared(field[i]);
}

void pad(int64_t points, int64_t padded, double* out, Range range) noexcept {
    if (padded > points)
        std::fill_n(out + points + range.begin, range.end - range.begin, 0.0);
}

void multiply(const Complex* table, const Complex* in, Complex* out, Range range) noexcept {
#pragma omp simd
    for (int64_t i = range.begin; i < range.end; ++i)
        out[i] = table[i] * in[i];
}

void polarise(const Polarisation& polarisation, const Complex* field, Complex* out,
              Range range) noexcept {
    const double kerr = polarisation.kerr;
    const double* response = polarisation.response;
    if (response != nullptr) {
#pragma omp simd
        for (int64_t i = range.begin; i < range.end; ++i)
            out[i] = (kerr * squared(field[i]) + response[i]) * field[i];
    } else {
#pragma omp simd
        for (int64_t i = range.begin; i < range.end; ++i)
            out[i] = (kerr * squared(field[i])) * field[i];
    }
    const double* window = polarisation.window;
    if (window == nullptr)
        return;
#pragma omp simd
    for (int64_t i = range.begin; i < range.end; ++i)
        out[i] = window[i] * out[i];
}

}  // namespace longrun
