#include "kernels/kernel.hpp"

#include <cmath>

#include "core/error.hpp"

namespace longrun::kernels {
namespace {

constexpr const char* kSetting = "setting the input of a kernel";
constexpr const char* kReading = "reading the output of a kernel";

int32_t check_count(const char* attempt, int64_t wanted, int64_t given) noexcept {
    if (given == wanted)
        return LONGRUN_OK;
    return fail(LONGRUN_INVALID_ARGUMENT, "%s failed: `count` is %lld and must be %lld", attempt,
                static_cast<long long>(given), static_cast<long long>(wanted));
}

}  // namespace

Kernel::Kernel(const longrun_kernel_problem& problem, int threads, Wisdom* wisdom)
    : problem_(problem),
      kind_(*find_kind(problem.kind)),
      team_(team_size(kind_, problem.points, threads)),
      operation_(kind_.make(problem, arena_, Planner(wisdom))),
      plans_(operation_->plans()) {}

int32_t Kernel::set_input(const double* input, int64_t count) noexcept {
    if (const int32_t status = check_count(kSetting, inputs(), count); status != LONGRUN_OK)
        return status;
    for (int64_t i = 0; i < count; ++i)
        if (!std::isfinite(input[i]))
            return fail(LONGRUN_NOT_FINITE,
                        "%s failed: value %lld is not finite; the input before it is kept",
                        kSetting, static_cast<long long>(i));
    operation_->set_input(input);
    team_.forget();
    ready_ = true;
    done_ = false;
    return LONGRUN_OK;
}

int32_t Kernel::run(int64_t ops) noexcept {
    if (!ready_)
        return fail(LONGRUN_INVALID_ARGUMENT,
                    "running a kernel failed: it has no input; call `longrun_kernel_set_input` "
                    "first");
    if (ops < 1)
        return fail(LONGRUN_INVALID_ARGUMENT, "running a kernel failed: `ops` must be at least 1");
    Operation& operation = *operation_;
    team_.run([&](const Worker& worker) noexcept {
        for (int64_t i = 0; i < ops; ++i) {
            operation.apply(worker);
            worker.barrier();
        }
    });
    done_ = true;
    return LONGRUN_OK;
}

int32_t Kernel::get_output(double* output, int64_t count) const noexcept {
    if (const int32_t status = check_count(kReading, outputs(), count); status != LONGRUN_OK)
        return status;
    if (!done_)
        return fail(LONGRUN_INVALID_ARGUMENT,
                    "%s failed: there is none of this input; call `longrun_kernel_run` first",
                    kReading);
    operation_->get_output(output);
    return LONGRUN_OK;
}

longrun_kernel_work Kernel::work() const noexcept {
    const Work done = kind_.work(problem_);
    longrun_kernel_work work{};
    work.struct_size = static_cast<int64_t>(sizeof(work));
    work.flops = done.flops;
    work.bytes = done.bytes;
    work.threads_observed = team_.observed();
    return work;
}

}  // namespace longrun::kernels
