// The operations, by the file that they are in.
#pragma once

#include <memory>

#include "core/arena.hpp"
#include "fft/planner.hpp"
#include "kernels/operation.hpp"
#include "longrun/kernels.h"

namespace longrun::kernels {

using Made = std::unique_ptr<Operation>;
using Problem = longrun_kernel_problem;

// transforms.cpp
Made make_fft_forward(const Problem& problem, Arena& arena, const Planner& planner);
Made make_fft_inverse(const Problem& problem, Arena& arena, const Planner& planner);
Made make_rfft_forward(const Problem& problem, Arena& arena, const Planner& planner);
Made make_rfft_inverse(const Problem& problem, Arena& arena, const Planner& planner);

// source.cpp
Made make_intensity(const Problem& problem, Arena& arena, const Planner& planner);
Made make_raman_convolution(const Problem& problem, Arena& arena, const Planner& planner);
Made make_raman_product(const Problem& problem, Arena& arena, const Planner& planner);
Made make_polarise(const Problem& problem, Arena& arena, const Planner& planner);

// linear.cpp
Made make_exponentials(const Problem& problem, Arena& arena, const Planner& planner);
Made make_moments(const Problem& problem, Arena& arena, const Planner& planner);

// stepper.cpp
Made make_sum_squares(const Problem& problem, Arena& arena, const Planner& planner);
Made make_rk_stage(const Problem& problem, Arena& arena, const Planner& planner);
Made make_rk_error(const Problem& problem, Arena& arena, const Planner& planner);
Made make_adams_predict(const Problem& problem, Arena& arena, const Planner& planner);
Made make_adams_correct(const Problem& problem, Arena& arena, const Planner& planner);
Made make_absorb(const Problem& problem, Arena& arena, const Planner& planner);

}  // namespace longrun::kernels
