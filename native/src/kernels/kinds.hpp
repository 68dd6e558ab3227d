// The kinds of kernels, as one table: what each takes, who does its work, and how much that is.
#pragma once

#include <cstdint>
#include <memory>

#include "core/arena.hpp"
#include "fft/planner.hpp"
#include "kernels/operation.hpp"
#include "kernels/work.hpp"
#include "longrun/kernels.h"

namespace longrun::kernels {

/// Which operations the team shares.
enum class Sharing {
    kNever,     /* one thread does everything */
    kLargeOnes, /* from `Team::kShareFrom` points on, as in a source evaluation */
    kAlways,    /* as a stepper does */
};

struct Kind {
    int32_t kind;
    int32_t order_max; /* the lowest is 1; 0: the kind takes no order */
    bool convolves;    /* whether it takes `raman_points` */
    Sharing sharing;
    Work (*work)(const longrun_kernel_problem& problem) noexcept;
    /// Allocates and plans; the problem must have been checked. Throws where memory or a plan is
    /// missing.
    std::unique_ptr<Operation> (*make)(const longrun_kernel_problem& problem, Arena& arena,
                                       const Planner& planner);
};

/// The kind with this number, or null.
const Kind* find_kind(int32_t kind) noexcept;

/// `LONGRUN_OK`, or the status with the sentence stored.
int32_t check_problem(const longrun_kernel_problem& problem) noexcept;
int32_t check_threads(int64_t threads) noexcept;

/// Threads that have work: all of them where the team shares the operation, else one.
int team_size(const Kind& kind, int64_t points, int threads) noexcept;

}  // namespace longrun::kernels
