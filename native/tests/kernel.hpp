// A kernel driven through the C ABI.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "fixture.hpp"
#include "longrun/kernels.h"

namespace fixture {

using Values = std::vector<double>;

/// The arrays of an input, one after the other.
inline Values joined(const std::vector<Values>& arrays) {
    Values all;
    for (const Values& array : arrays)
        all.insert(all.end(), array.begin(), array.end());
    return all;
}

inline longrun_kernel_problem kernel_of(int32_t kind, int64_t points, int32_t order = 0,
                                        int64_t raman_points = 0) {
    return {sizeof(longrun_kernel_problem), kind, order, points, raman_points};
}

/// Every kind with every order that it takes, at `points`, the convolution both unpadded and
/// padded.
inline std::vector<longrun_kernel_problem> all_kernels(int64_t points) {
    std::vector<longrun_kernel_problem> all;
    const auto add = [&](int32_t kind, int32_t order, int64_t raman_points) {
        all.push_back(kernel_of(kind, points, order, raman_points));
    };
    for (int32_t kind = LONGRUN_KERNEL_FFT_FORWARD; kind <= LONGRUN_KERNEL_RK_ERROR; ++kind) {
        switch (kind) {
            case LONGRUN_KERNEL_INTENSITY:
            case LONGRUN_KERNEL_RAMAN_CONVOLUTION:
            case LONGRUN_KERNEL_RAMAN_PRODUCT:
                add(kind, 0, points);
                add(kind, 0, 2 * points);
                break;
            case LONGRUN_KERNEL_MOMENTS:
            case LONGRUN_KERNEL_ADAMS_PREDICT:
                for (int32_t order = 1; order <= 6; ++order)
                    add(kind, order, 0);
                break;
            case LONGRUN_KERNEL_RK_STAGE:
                for (int32_t order = 1; order <= 5; ++order)
                    add(kind, order, 0);
                break;
            default:
                add(kind, 0, 0);
        }
    }
    return all;
}

/// "kind 12, order 3", for the sentences of checks.
inline std::string name_of(const longrun_kernel_problem& problem) {
    return "kind " + std::to_string(problem.kind) + ", order " + std::to_string(problem.order) +
           ", " + std::to_string(problem.points) + " and " + std::to_string(problem.raman_points) +
           " points";
}

class Kernel {
 public:
    explicit Kernel(const longrun_kernel_problem& problem, int64_t threads = 1,
                    longrun_fft_wisdom* wisdom = nullptr) {
        require(longrun_kernel_create(&problem, threads, wisdom, &handle));
    }
    ~Kernel() { longrun_kernel_destroy(handle); }
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;

    void set(const Values& input) {
        require(longrun_kernel_set_input(handle, input.data(), static_cast<int64_t>(input.size())));
    }
    void run(int64_t ops = 1) { require(longrun_kernel_run(handle, ops)); }
    Values get() const {
        Values output(static_cast<std::size_t>(longrun_kernel_outputs(handle)));
        require(
            longrun_kernel_get_output(handle, output.data(), static_cast<int64_t>(output.size())));
        return output;
    }
    longrun_kernel_work work() const {
        longrun_kernel_work work{};
        work.struct_size = sizeof(work);
        require(longrun_kernel_get_work(handle, &work));
        return work;
    }
    /// As many values as the input has, below 1 in modulus.
    Values sample(double seed = 1) const {
        Values input(static_cast<std::size_t>(longrun_kernel_inputs(handle)));
        for (std::size_t i = 0; i < input.size(); ++i)
            input[i] = 0.9 * std::sin(seed + 0.7 * static_cast<double>(i));
        return input;
    }

    longrun_kernel* handle = nullptr;
};

}  // namespace fixture
