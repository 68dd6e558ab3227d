// The C ABI of the area `kernels`: checks pointers and sizes, then calls the kernel.
#include <memory>

#include "core/error.hpp"
#include "fft/abi.hpp"
#include "kernels/kernel.hpp"
#include "kernels/kinds.hpp"
#include "longrun/kernels.h"

struct longrun_kernel final : longrun::kernels::Kernel {
    using Kernel::Kernel;
};

using longrun::missing;

int32_t longrun_kernel_create(const longrun_kernel_problem* problem, int64_t threads,
                              longrun_fft_wisdom* wisdom, longrun_kernel** kernel) {
    constexpr const char* kAttempt = "creating a kernel";
    if (kernel == nullptr)
        return missing(kAttempt, "kernel");
    *kernel = nullptr;
    if (problem == nullptr)
        return missing(kAttempt, "problem");
    if (const int32_t status = longrun::kernels::check_threads(threads); status != LONGRUN_OK)
        return status;
    if (const int32_t status = longrun::kernels::check_problem(*problem); status != LONGRUN_OK)
        return status;
    return longrun::guarded(kAttempt, [&] {
        *kernel = std::make_unique<longrun_kernel>(*problem, static_cast<int>(threads),
                                                   wisdom == nullptr ? nullptr : &wisdom->known)
                      .release();
        return int32_t{LONGRUN_OK};
    });
}

void longrun_kernel_destroy(longrun_kernel* kernel) {
    delete kernel;
}

int64_t longrun_kernel_inputs(const longrun_kernel* kernel) {
    return kernel == nullptr ? 0 : kernel->inputs();
}

int64_t longrun_kernel_outputs(const longrun_kernel* kernel) {
    return kernel == nullptr ? 0 : kernel->outputs();
}

int32_t longrun_kernel_set_input(longrun_kernel* kernel, const double* input, int64_t count) {
    constexpr const char* kAttempt = "setting the input of a kernel";
    if (kernel == nullptr)
        return missing(kAttempt, "kernel");
    if (input == nullptr)
        return missing(kAttempt, "input");
    return kernel->set_input(input, count);
}

int32_t longrun_kernel_run(longrun_kernel* kernel, int64_t ops) {
    if (kernel == nullptr)
        return missing("running a kernel", "kernel");
    return kernel->run(ops);
}

int32_t longrun_kernel_get_output(const longrun_kernel* kernel, double* output, int64_t count) {
    constexpr const char* kAttempt = "reading the output of a kernel";
    if (kernel == nullptr)
        return missing(kAttempt, "kernel");
    if (output == nullptr)
        return missing(kAttempt, "output");
    return kernel->get_output(output, count);
}

int32_t longrun_kernel_get_work(const longrun_kernel* kernel, longrun_kernel_work* work) {
    constexpr const char* kAttempt = "reading the work of a kernel";
    if (kernel == nullptr)
        return missing(kAttempt, "kernel");
    if (work == nullptr)
        return missing(kAttempt, "work");
    if (const int32_t status =
            longrun::check_size("longrun_kernel_work", work->struct_size, sizeof(*work));
        status != LONGRUN_OK)
        return status;
    *work = kernel->work();
    return LONGRUN_OK;
}

const char* longrun_kernel_fft_plans(const longrun_kernel* kernel) {
    return kernel == nullptr ? "" : kernel->plans();
}
