// A kernel in use: an operation, the team that does it, and whether there is input and output.
//
// Everything is allocated and planned by the constructor. No other function allocates.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/arena.hpp"
#include "core/team.hpp"
#include "fft/wisdom.hpp"
#include "kernels/kinds.hpp"
#include "longrun/kernels.h"

namespace longrun::kernels {

class Kernel {
 public:
    /// `problem` must have been checked; `wisdom` may be null and is not kept. Throws where memory
    /// or a plan is missing.
    Kernel(const longrun_kernel_problem& problem, int threads, Wisdom* wisdom);

    int64_t inputs() const noexcept { return operation_->inputs(); }
    int64_t outputs() const noexcept { return operation_->outputs(); }
    const char* plans() const noexcept { return plans_.c_str(); }

    /// The functions of the ABI with checked pointers; they return a status.
    int32_t set_input(const double* input, int64_t count) noexcept;
    int32_t run(int64_t ops) noexcept;
    int32_t get_output(double* output, int64_t count) const noexcept;

    longrun_kernel_work work() const noexcept;

 private:
    const longrun_kernel_problem problem_;
    const Kind& kind_;
    Arena arena_;
    Team team_;
    std::unique_ptr<Operation> operation_;
    std::string plans_;
    bool ready_ = false; /* there is an input */
    bool done_ = false;  /* and an output that belongs to it */
};

}  // namespace longrun::kernels
