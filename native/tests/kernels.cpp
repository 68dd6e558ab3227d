// Kernels as a caller uses them: what is repeated, shared, counted, refused.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "check.hpp"
#include "kernel.hpp"

using namespace fixture;

namespace {

/// From here on a team shares what belongs to a source evaluation or to the windows.
constexpr int64_t kShareFrom = 131072;

bool is_transform(int32_t kind) {
    return kind <= LONGRUN_KERNEL_RFFT_INVERSE;
}

bool is_shared_when_large(int32_t kind) {
    return (kind >= LONGRUN_KERNEL_INTENSITY && kind <= LONGRUN_KERNEL_POLARISE) ||
           kind == LONGRUN_KERNEL_ABSORB;
}

void any_number_of_operations_gives_the_output_of_one() {
    for (const longrun_kernel_problem& each : all_kernels(1000)) {
        const std::string name = name_of(each);
        Kernel kernel(each);
        const Values input = kernel.sample();
        kernel.set(input);
        kernel.run();
        const Values once = kernel.get();
        kernel.run(5);
        check::equal(name.c_str(), 1, same_bits(once, kernel.get()) ? 1 : 0);
        // Something else in between leaves nothing behind.
        kernel.set(kernel.sample(2));
        kernel.run(2);
        check::equal(name.c_str(), 0, same_bits(once, kernel.get()) ? 1 : 0);
        kernel.set(input);
        kernel.run(3);
        check::equal(name.c_str(), 1, same_bits(once, kernel.get()) ? 1 : 0);
    }
}

/// The output with so many threads, of which `workers` do something.
Values shared(const longrun_kernel_problem& what, int64_t threads, int64_t workers) {
    Kernel kernel(what, threads);
    kernel.set(kernel.sample());
    check::equal("threads before an operation", 0, kernel.work().threads_observed);
    kernel.run(3);
    check::equal(name_of(what).c_str(), workers, kernel.work().threads_observed);
    const Values output = kernel.get();
    kernel.set(kernel.sample());
    check::equal("threads after another input", 0, kernel.work().threads_observed);
    return output;
}

void threads_change_no_bit() {
    // Some blocks more than threads, and a last one that is no whole pack.
    for (const longrun_kernel_problem& each : all_kernels(1990)) {
        const bool alone = is_transform(each.kind) || is_shared_when_large(each.kind);
        const Values one = shared(each, 1, 1);
        for (const int64_t threads : {2, 3})
            check::equal(name_of(each).c_str(), 1,
                         same_bits(one, shared(each, threads, alone ? 1 : threads)) ? 1 : 0);
    }
    // Planning is slow at this size; `chain` and `absorb` share the kinds with transforms.
    for (const longrun_kernel_problem& each :
         {kernel_of(LONGRUN_KERNEL_INTENSITY, kShareFrom, 0, 2 * kShareFrom),
          kernel_of(LONGRUN_KERNEL_RAMAN_PRODUCT, kShareFrom, 0, kShareFrom),
          kernel_of(LONGRUN_KERNEL_POLARISE, kShareFrom)}) {
        const Values one = shared(each, 1, 1);
        check::equal(name_of(each).c_str(), 1, same_bits(one, shared(each, 2, 2)) ? 1 : 0);
    }
    shared(kernel_of(LONGRUN_KERNEL_POLARISE, kShareFrom - 2), 2, 1);
}

void works(const longrun_kernel_problem& what, double flops, double bytes) {
    Kernel kernel(what);
    const longrun_kernel_work work = kernel.work();
    check::near((name_of(what) + ", FLOP").c_str(), flops, work.flops, 0);
    check::near((name_of(what) + ", bytes").c_str(), bytes, work.bytes, 0);
}

/// n = 1024 and m = 2048, whose half spectrum has 1025 values: counted by hand.
void work_follows_the_formulas_of_the_header() {
    works(kernel_of(LONGRUN_KERNEL_FFT_FORWARD, 1024), 51200, 32768);
    works(kernel_of(LONGRUN_KERNEL_FFT_INVERSE, 1024), 51200, 32768);
    works(kernel_of(LONGRUN_KERNEL_RFFT_FORWARD, 2048), 56320, 24 * 2048 + 16 * 1025);
    works(kernel_of(LONGRUN_KERNEL_RFFT_INVERSE, 2048), 56320, 8 * 2048 + 48 * 1025);
    works(kernel_of(LONGRUN_KERNEL_INTENSITY, 1024, 0, 2048), 3072, 16 * 1024 + 8 * 2048);
    works(kernel_of(LONGRUN_KERNEL_INTENSITY, 1024, 0, 1024), 3072, 24 * 1024);
    works(kernel_of(LONGRUN_KERNEL_RAMAN_CONVOLUTION, 1024, 0, 2048), 3072 + 6 * 1025 + 112640,
          16 * 1024 + 24 * 2048 + 80 * 1025);
    works(kernel_of(LONGRUN_KERNEL_RAMAN_PRODUCT, 1024, 0, 2048), 6 * 1025, 48 * 1025);
    works(kernel_of(LONGRUN_KERNEL_POLARISE, 1024), 9 * 1024, 48 * 1024);
    works(kernel_of(LONGRUN_KERNEL_EXPONENTIALS, 1024), 39 * 1024, 24 * 1024);
    works(kernel_of(LONGRUN_KERNEL_MOMENTS, 1024, 5), 101 * 1024, 120 * 1024);
    works(kernel_of(LONGRUN_KERNEL_SUM_SQUARES, 1024), 4 * 1024, 16 * 1024);
    const double flops[] = {38, 54, 52, 62, 86};
    const double arrays[] = {7, 8, 10, 11, 11};
    for (int32_t stage = 1; stage <= 5; ++stage)
        works(kernel_of(LONGRUN_KERNEL_RK_STAGE, 1024, stage), flops[stage - 1] * 1024,
              arrays[stage - 1] * 16 * 1024);
    works(kernel_of(LONGRUN_KERNEL_RK_ERROR, 1024), 14 * 1024, 80 * 1024);
    works(kernel_of(LONGRUN_KERNEL_ADAMS_PREDICT, 1024, 5), 64 * 1024, 14 * 16 * 1024);
    works(kernel_of(LONGRUN_KERNEL_ADAMS_CORRECT, 1024), 24 * 1024, 112 * 1024);
    works(kernel_of(LONGRUN_KERNEL_ABSORB, 1024), 10 * 1024 + 102400, 176 * 1024);
}

void plans_are_named_and_come_from_wisdom() {
    for (const longrun_kernel_problem& each : all_kernels(96)) {
        Kernel kernel(each);
        const std::string plans = longrun_kernel_fft_plans(kernel.handle);
        const bool two =
            each.kind == LONGRUN_KERNEL_RAMAN_CONVOLUTION || each.kind == LONGRUN_KERNEL_ABSORB;
        const int64_t lines = two ? 2 : is_transform(each.kind) ? 1 : 0;
        check::equal(name_of(each).c_str(), lines, std::count(plans.begin(), plans.end(), '\n'));
    }
    longrun_fft_wisdom* wisdom = nullptr;
    require(longrun_fft_wisdom_import("", 0, LONGRUN_FFT_PREPARE, &wisdom));
    {
        const Kernel first(kernel_of(LONGRUN_KERNEL_RFFT_FORWARD, 128), 1, wisdom);
        const Kernel second(kernel_of(LONGRUN_KERNEL_RAMAN_CONVOLUTION, 64, 0, 128), 1, wisdom);
        check::contains("a plan names its kind and length",
                        "r2c 128: ", longrun_kernel_fft_plans(first.handle));
        check::contains("the convolution has the same plan", longrun_kernel_fft_plans(first.handle),
                        longrun_kernel_fft_plans(second.handle));
    }
    longrun_fft_counts counts{};
    counts.struct_size = sizeof(counts);
    require(longrun_fft_wisdom_counts(wisdom, &counts));
    check::equal("plans", 3, counts.plans);
    check::equal("of which one was found", 2, counts.missing);
    check::equal("transforms that were added", 2, counts.added);
    longrun_fft_wisdom_destroy(wisdom);
}

void refused(const char* named, longrun_kernel_problem what, int64_t threads = 1) {
    longrun_kernel* handle = nullptr;
    check::equal(named, LONGRUN_INVALID_ARGUMENT,
                 longrun_kernel_create(&what, threads, nullptr, &handle));
    check::contains("sentence", "creating a kernel failed", longrun_last_error());
    check::contains("sentence", named, longrun_last_error());
    check::equal("no handle", 1, handle == nullptr ? 1 : 0);
}

void creation_refuses_what_it_cannot_work_with() {
    for (const int32_t kind : {0, 17, -1})
        refused("`kind`", kernel_of(kind, 64));
    for (const longrun_kernel_problem& each : all_kernels(64)) {
        for (const int64_t points : {int64_t{63}, int64_t{2}, int64_t{0}, int64_t{1} << 40}) {
            longrun_kernel_problem other = each;
            other.points = points;
            refused("`points`", other);
        }
        longrun_kernel_problem other = each;
        other.order = each.kind == LONGRUN_KERNEL_RK_STAGE ? 6 : 7;
        refused("`order`", other);
        other.order = each.order == 0 ? 1 : 0;
        refused("`order`", other);
        other = each;
        other.raman_points = each.raman_points == 0 ? each.points : each.points + 2;
        refused("`raman_points`", other);
        other.raman_points = each.raman_points == 0 ? 2 * each.points : 0;
        refused("`raman_points`", other);
    }
    longrun_kernel_problem good = kernel_of(LONGRUN_KERNEL_SUM_SQUARES, 64);
    refused("`threads`", good, 0);
    refused("`threads`", good, 100000);
    longrun_kernel* handle = nullptr;
    check::equal("no problem", LONGRUN_INVALID_ARGUMENT,
                 longrun_kernel_create(nullptr, 1, nullptr, &handle));
    check::contains("sentence", "`problem` is null", longrun_last_error());
    check::equal("no place for the handle", LONGRUN_INVALID_ARGUMENT,
                 longrun_kernel_create(&good, 1, nullptr, nullptr));
    check::contains("sentence", "`kernel` is null", longrun_last_error());
    good.struct_size -= 8;
    check::equal("another structure", LONGRUN_INVALID_ARGUMENT,
                 longrun_kernel_create(&good, 1, nullptr, &handle));
    check::contains("sentence", "longrun_kernel_problem", longrun_last_error());
}

void calls_refuse_null() {
    double value = 0;
    longrun_kernel_work work{};
    work.struct_size = sizeof(work);
    check::equal("set_input", LONGRUN_INVALID_ARGUMENT,
                 longrun_kernel_set_input(nullptr, &value, 1));
    check::equal("run", LONGRUN_INVALID_ARGUMENT, longrun_kernel_run(nullptr, 1));
    check::equal("get_output", LONGRUN_INVALID_ARGUMENT,
                 longrun_kernel_get_output(nullptr, &value, 1));
    check::equal("get_work", LONGRUN_INVALID_ARGUMENT, longrun_kernel_get_work(nullptr, &work));
    check::contains("sentence", "`kernel` is null", longrun_last_error());
    check::equal("inputs", 0, longrun_kernel_inputs(nullptr));
    check::equal("outputs", 0, longrun_kernel_outputs(nullptr));
    check::equal("plans", 0,
                 static_cast<int64_t>(std::string(longrun_kernel_fft_plans(nullptr)).size()));
    longrun_kernel_destroy(nullptr);

    Kernel kernel(kernel_of(LONGRUN_KERNEL_SUM_SQUARES, 4));
    check::equal("no input", LONGRUN_INVALID_ARGUMENT,
                 longrun_kernel_set_input(kernel.handle, nullptr, 8));
    kernel.set(Values(8, 1.0));
    kernel.run();
    check::equal("no place for the output", LONGRUN_INVALID_ARGUMENT,
                 longrun_kernel_get_output(kernel.handle, nullptr, 1));
    check::equal("no place for the work", LONGRUN_INVALID_ARGUMENT,
                 longrun_kernel_get_work(kernel.handle, nullptr));
    work.struct_size = 8;
    check::equal("another structure", LONGRUN_INVALID_ARGUMENT,
                 longrun_kernel_get_work(kernel.handle, &work));
    check::contains("sentence", "longrun_kernel_work", longrun_last_error());
}

void input_and_output_are_complete_or_refused() {
    Kernel kernel(kernel_of(LONGRUN_KERNEL_SUM_SQUARES, 4));
    double sum = -1;
    check::equal("run without input", LONGRUN_INVALID_ARGUMENT,
                 longrun_kernel_run(kernel.handle, 1));
    check::contains("sentence", "longrun_kernel_set_input", longrun_last_error());
    Values input(8, 1.0);
    for (const int64_t count : {0, 7, 9})
        check::equal("count of the input", LONGRUN_INVALID_ARGUMENT,
                     longrun_kernel_set_input(kernel.handle, input.data(), count));
    check::contains("sentence", "`count` is 9 and must be 8", longrun_last_error());
    kernel.set(input);
    check::equal("output before a run", LONGRUN_INVALID_ARGUMENT,
                 longrun_kernel_get_output(kernel.handle, &sum, 1));
    check::contains("sentence", "longrun_kernel_run", longrun_last_error());
    for (const int64_t ops : {0, -1})
        check::equal("number of operations", LONGRUN_INVALID_ARGUMENT,
                     longrun_kernel_run(kernel.handle, ops));
    check::contains("sentence", "`ops`", longrun_last_error());
    kernel.run();
    for (const int64_t count : {0, 2})
        check::equal("count of the output", LONGRUN_INVALID_ARGUMENT,
                     longrun_kernel_get_output(kernel.handle, &sum, count));
    check::contains("sentence", "`count` is 2 and must be 1", longrun_last_error());
    check::near("nothing is written by a refusal", -1, sum, 0);

    // A refused input leaves the one before it, and its output.
    input[5] = NAN;
    check::equal("an input that is no number", LONGRUN_NOT_FINITE,
                 longrun_kernel_set_input(kernel.handle, input.data(), 8));
    check::contains("sentence", "value 5 is not finite", longrun_last_error());
    input[5] = std::numeric_limits<double>::infinity();
    check::equal("an infinite input", LONGRUN_NOT_FINITE,
                 longrun_kernel_set_input(kernel.handle, input.data(), 8));
    check::near("the output is still there", 8, kernel.get()[0], 0);
    kernel.run();
    check::near("and so is the input", 8, kernel.get()[0], 0);
    input[5] = 3;
    kernel.set(input);
    check::equal("an output belongs to its input", LONGRUN_INVALID_ARGUMENT,
                 longrun_kernel_get_output(kernel.handle, &sum, 1));
    // An output that is not finite is given as it is.
    input[5] = 1e200;
    kernel.set(input);
    kernel.run();
    check::equal("an overflow is handed out", 1, std::isinf(kernel.get()[0]) ? 1 : 0);
}

}  // namespace

int main() {
    any_number_of_operations_gives_the_output_of_one();
    threads_change_no_bit();
    work_follows_the_formulas_of_the_header();
    plans_are_named_and_come_from_wisdom();
    creation_refuses_what_it_cannot_work_with();
    calls_refuse_null();
    input_and_output_are_complete_or_refused();
    return check::finish();
}
