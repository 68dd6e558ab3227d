#include "polarisation/pointwise.hpp"

#include <cstdint>

namespace longrun::polarisation {
namespace {

/// What one stretch of a real field reads and writes: pointers to its first sample.
struct Pieces {
    double* field;
    const double* window;
    const double* response;
    const double* plasma;
};

template <bool Delayed, bool Ionised>
void polarise_stretch(const Bound& bound, const Pieces& pieces, const Stretch& stretch) noexcept {
    const double scale = bound.scale;
    const double kerr = bound.kerr;
    const double offset = stretch.offset;
    const double slope = stretch.slope;
    double* field = pieces.field;
    const double* window = pieces.window;
    const double* response = pieces.response;
    const double* plasma = pieces.plasma;
    // Instruction sets before AVX-512 turn no integer of 64 bits into a double.
    const auto count = static_cast<int32_t>(stretch.end - stretch.begin);
#pragma omp simd
    for (int32_t i = 0; i < count; ++i) {
        const double e = field[i];
        double factor = kerr * (e * e);
        if constexpr (Delayed)
            factor += response[i];
        double sum = factor * e;
        if constexpr (Ionised)
            sum += plasma[i] + (offset + slope * static_cast<double>(i));
        field[i] = (scale * window[i]) * sum;
    }
}

template <bool Delayed>
void polarise_all(const Bound& bound, const double* plasma, const Stretches& stretches,
                  double* field, int64_t count) noexcept {
    const auto at = [&](int64_t begin) -> Pieces {
        return {field + begin, bound.window + begin, Delayed ? bound.response + begin : nullptr,
                plasma == nullptr ? nullptr : plasma + begin};
    };
    if (plasma == nullptr) {
        polarise_stretch<Delayed, false>(bound, at(0), {0, count, 0, 0});
        return;
    }
    for (const Stretch& stretch : stretches)
        polarise_stretch<Delayed, true>(bound, at(stretch.begin), stretch);
}

}  // namespace

void square(const double* field, double* out, int64_t count) noexcept {
#pragma omp simd
    for (int64_t i = 0; i < count; ++i)
        out[i] = field[i] * field[i];
}

void square(const Complex* field, double* out, int64_t count) noexcept {
#pragma omp simd
    for (int64_t i = 0; i < count; ++i)
        out[i] = squared(field[i]);
}

void polarise(const Bound& bound, Complex* field, int64_t count) noexcept {
    const double scale = bound.scale;
    const double kerr = bound.kerr;
    const double* window = bound.window;
    const double* response = bound.response;
    if (response != nullptr) {
#pragma omp simd
        for (int64_t i = 0; i < count; ++i)
            field[i] = ((scale * window[i]) * (kerr * squared(field[i]) + response[i])) * field[i];
    } else {
#pragma omp simd
        for (int64_t i = 0; i < count; ++i)
            field[i] = ((scale * window[i]) * (kerr * squared(field[i]))) * field[i];
    }
}

void polarise(const Bound& bound, const double* plasma, const Stretches& stretches, double* field,
              int64_t count) noexcept {
    if (bound.response != nullptr)
        polarise_all<true>(bound, plasma, stretches, field, count);
    else
        polarise_all<false>(bound, plasma, stretches, field, count);
}

void weigh(double scale, const double* window, Complex* values, int64_t count) noexcept {
#pragma omp simd
    for (int64_t i = 0; i < count; ++i)
        values[i] = (scale * window[i]) * values[i];
}

void add_real(const double* factor, const Complex* values, Complex* out, int64_t count) noexcept {
#pragma omp simd
    for (int64_t i = 0; i < count; ++i)
        out[i] = out[i] + factor[i] * values[i];
}

void add_turned(const double* factor, const Complex* values, Complex* out, int64_t count) noexcept {
#pragma omp simd
    for (int64_t i = 0; i < count; ++i)
        out[i] = out[i] + factor[i] * Complex{values[i].im, -values[i].re};
}

}  // namespace longrun::polarisation
