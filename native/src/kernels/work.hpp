// What one operation of a kernel does, counted by hand: the formulas of the header.
#pragma once

#include "longrun/kernels.h"

namespace longrun::kernels {

struct Work {
    double flops;
    double bytes; /* of the arrays that each pass reads and writes, once each */
};

Work complex_transform(const longrun_kernel_problem& problem) noexcept;
Work real_forward(const longrun_kernel_problem& problem) noexcept;
Work real_backward(const longrun_kernel_problem& problem) noexcept;
Work intensity_and_padding(const longrun_kernel_problem& problem) noexcept;
Work raman_convolution(const longrun_kernel_problem& problem) noexcept;
Work raman_product(const longrun_kernel_problem& problem) noexcept;
Work polarisation(const longrun_kernel_problem& problem) noexcept;
Work exponentials(const longrun_kernel_problem& problem) noexcept;
Work moments(const longrun_kernel_problem& problem) noexcept;
Work sum_of_squares(const longrun_kernel_problem& problem) noexcept;
Work rk_stage(const longrun_kernel_problem& problem) noexcept;
Work rk_error(const longrun_kernel_problem& problem) noexcept;
Work adams_prediction(const longrun_kernel_problem& problem) noexcept;
Work adams_correction(const longrun_kernel_problem& problem) noexcept;
Work absorption(const longrun_kernel_problem& problem) noexcept;

}  // namespace longrun::kernels
