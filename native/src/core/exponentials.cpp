#include "core/exponentials.hpp"

#include <bit>
#include <cstdint>

namespace longrun {
namespace {

// Adding and subtracting 1.5 * 2^52 rounds to the nearest integer, whose low bits then stand in
// the mantissa. Valid for moduli below 2^51.
constexpr double kRound = 0x1.8p52;

// Argument reduction and minimax polynomials of fdlibm (k_sin.c, k_cos.c, e_rem_pio2.c; freely
// redistributable). Each part of pi/2 has 33 bits, so products with quadrants below 2^20 are exact.
constexpr double kQuadrantsPerRadian = 6.36619772367581382433e-01;
constexpr double kHalfPi1 = 1.57079632673412561417e+00;
constexpr double kHalfPi2 = 6.07710050630396597660e-11;
constexpr double kHalfPi3 = 2.02226624879595063154e-21;

inline Complex unit_exponential(double x) noexcept {
    const double shifted = x * kQuadrantsPerRadian + kRound;
    const double quadrant = shifted - kRound;
    const auto bits = std::bit_cast<std::uint64_t>(shifted);
    const double r = ((x - quadrant * kHalfPi1) - quadrant * kHalfPi2) - quadrant * kHalfPi3;
    const double z = r * r;
    double sine = 1.58969099521155010221e-10;
    sine = sine * z - 2.50507602534068634195e-08;
    sine = sine * z + 2.75573137070700676789e-06;
    sine = sine * z - 1.98412698298579493134e-04;
    sine = sine * z + 8.33333333332248946124e-03;
    sine = sine * z - 1.66666666666666324348e-01;
    sine = sine * (z * r) + r;
    double cosine = -1.13596475577881948265e-11;
    cosine = cosine * z + 2.08757232129817482790e-09;
    cosine = cosine * z - 2.75573143513906633035e-07;
    cosine = cosine * z + 2.48015872894767294178e-05;
    cosine = cosine * z - 1.38888888888741095749e-03;
    cosine = cosine * z + 4.16666666666666019037e-02;
    cosine = cosine * (z * z) + (1.0 - 0.5 * z);
    // Odd quadrants exchange the two; masks instead of branches keep the loop straight.
    const std::uint64_t odd = 0 - (bits & 1);
    const auto sine_bits = std::bit_cast<std::uint64_t>(sine);
    const auto cosine_bits = std::bit_cast<std::uint64_t>(cosine);
    const std::uint64_t exchange = (sine_bits ^ cosine_bits) & odd;
    const std::uint64_t sine_sign = (bits & 2) << 62;
    const std::uint64_t cosine_sign = ((bits + 1) & 2) << 62;
    return {std::bit_cast<double>(cosine_bits ^ exchange ^ cosine_sign),
            std::bit_cast<double>(sine_bits ^ exchange ^ sine_sign)};
}

constexpr double kLargest = 708.0;  // e^708 and its inverse are normal numbers

inline double real_exponential(double x) noexcept {
    constexpr double kLog2E = 1.44269504088896338700e+00;
    // ln 2 in two parts (fdlibm e_exp.c); the first has 32 bits.
    constexpr double kLn2High = 6.93147180369123816490e-01;
    constexpr double kLn2Low = 1.90821492927058770002e-10;
    x = x > kLargest ? kLargest : x;
    x = x < -kLargest ? -kLargest : x;
    const double shifted = x * kLog2E + kRound;
    const double power = shifted - kRound;
    const double r = (x - power * kLn2High) - power * kLn2Low;
    // Taylor to r^13: |r| <= ln(2)/2, so the first term left out is below 5e-18.
    double sum = 1.0 / 6227020800;
    sum = sum * r + 1.0 / 479001600;
    sum = sum * r + 1.0 / 39916800;
    sum = sum * r + 1.0 / 3628800;
    sum = sum * r + 1.0 / 362880;
    sum = sum * r + 1.0 / 40320;
    sum = sum * r + 1.0 / 5040;
    sum = sum * r + 1.0 / 720;
    sum = sum * r + 1.0 / 120;
    sum = sum * r + 1.0 / 24;
    sum = sum * r + 1.0 / 6;
    sum = sum * r + 0.5;
    sum = sum * (r * r) + r + 1.0;
    const std::uint64_t exponent = (std::bit_cast<std::uint64_t>(shifted) + 1023) << 52;
    return sum * std::bit_cast<double>(exponent);
}

}  // namespace

void unit_exponentials(const double* rate, double length, Complex* out, int64_t count) noexcept {
#pragma omp simd
    for (int64_t i = 0; i < count; ++i)
        out[i] = unit_exponential(rate[i] * length);
}

void damped_exponentials(const double* gain, const double* rate, double length, Complex* out,
                         int64_t count) noexcept {
#pragma omp simd
    for (int64_t i = 0; i < count; ++i)
        out[i] = real_exponential(gain[i] * length) * unit_exponential(rate[i] * length);
}

void real_exponentials(const double* x, double* out, int64_t count) noexcept {
#pragma omp simd
    for (int64_t i = 0; i < count; ++i)
        out[i] = real_exponential(x[i]);
}

}  // namespace longrun
