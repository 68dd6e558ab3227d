#include "kernels/work.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace longrun::kernels {
namespace {

double points(const longrun_kernel_problem& problem) noexcept {
    return static_cast<double>(problem.points);
}

double padded(const longrun_kernel_problem& problem) noexcept {
    return static_cast<double>(problem.raman_points);
}

double order(const longrun_kernel_problem& problem) noexcept {
    return problem.order;
}

/// Values of half a spectrum of so many reals.
double half(double reals) noexcept {
    return reals / 2 + 1;
}

/// FLOP of a transform of so many complex values; one of reals is counted as half of it.
double transform(double values) noexcept {
    return 5 * values * std::log2(values);
}

/// The same work for each of `count` elements.
Work each(double count, double flops, double bytes) noexcept {
    return {flops * count, bytes * count};
}

}  // namespace

Work complex_transform(const longrun_kernel_problem& problem) noexcept {
    const double n = points(problem);
    return {transform(n), 32 * n};
}

Work real_forward(const longrun_kernel_problem& problem) noexcept {
    const double n = points(problem);
    return {transform(n) / 2, 16 * n + 8 * n + 16 * half(n)};
}

Work real_backward(const longrun_kernel_problem& problem) noexcept {
    const double n = points(problem);
    return {transform(n) / 2, 32 * half(n) + 16 * half(n) + 8 * n};
}

Work intensity_and_padding(const longrun_kernel_problem& problem) noexcept {
    return {3 * points(problem), 16 * points(problem) + 8 * padded(problem)};
}

Work raman_convolution(const longrun_kernel_problem& problem) noexcept {
    const double m = padded(problem);
    const Work intensity = intensity_and_padding(problem);
    const Work product = raman_product(problem);
    const double transforms = 2 * (8 * m + 16 * half(m));
    return {intensity.flops + product.flops + 2 * (transform(m) / 2),
            intensity.bytes + product.bytes + transforms};
}

Work raman_product(const longrun_kernel_problem& problem) noexcept {
    return each(half(padded(problem)), 6, 32 + 16);
}

Work polarisation(const longrun_kernel_problem& problem) noexcept {
    return each(points(problem), 9, 32 + 16);
}

Work exponentials(const longrun_kernel_problem& problem) noexcept {
    return each(points(problem), 39, 8 + 16);
}

Work moments(const longrun_kernel_problem& problem) noexcept {
    const double p = order(problem);
    return each(points(problem), 56 + 9 * p, 8 + 16 * (p + 2));
}

Work sum_of_squares(const longrun_kernel_problem& problem) noexcept {
    return each(points(problem), 4, 16);
}

Work rk_stage(const longrun_kernel_problem& problem) noexcept {
    constexpr std::array<double, 5> kFlops = {38, 54, 52, 62, 86};
    constexpr std::array<double, 5> kArrays = {7, 8, 10, 11, 11};
    const auto stage = static_cast<std::size_t>(problem.order - 1);
    return each(points(problem), kFlops[stage], 16 * kArrays[stage]);
}

Work rk_error(const longrun_kernel_problem& problem) noexcept {
    return each(points(problem), 14, 48 + 32);
}

Work adams_prediction(const longrun_kernel_problem& problem) noexcept {
    const double p = order(problem);
    return each(points(problem), 12 * p + 4, 16 * (2 * p + 2) + 32);
}

Work adams_correction(const longrun_kernel_problem& problem) noexcept {
    return each(points(problem), 24, 80 + 32);
}

Work absorption(const longrun_kernel_problem& problem) noexcept {
    const double n = points(problem);
    // Two windows, the 1/n with the sum of squares, and two transforms.
    const Work passes = each(n, 2 * 2 + 2 + 4, 2 * (24 + 16) + 32);
    return {passes.flops + 2 * transform(n), passes.bytes + 2 * (32 * n)};
}

}  // namespace longrun::kernels
