// What each kernel computes, against values worked out by hand from the formulas of the header.
#include <array>
#include <cmath>
#include <vector>

#include "check.hpp"
#include "kernel.hpp"

using namespace fixture;

namespace {

/// Runs a kernel on `input` and compares its output, value by value.
void gives(const longrun_kernel_problem& what, const Values& input, const Values& expected,
           double tolerance) {
    Kernel kernel(what);
    const std::string name = name_of(what);
    check::equal(name.c_str(), static_cast<int64_t>(input.size()),
                 longrun_kernel_inputs(kernel.handle));
    kernel.set(input);
    kernel.run();
    const Values obtained = kernel.get();
    check::equal(name.c_str(), static_cast<int64_t>(expected.size()),
                 static_cast<int64_t>(obtained.size()));
    for (std::size_t i = 0; i < expected.size() && i < obtained.size(); ++i)
        check::near((name + ", value " + std::to_string(i)).c_str(), expected[i], obtained[i],
                    tolerance);
}

void append(Values& values, const std::vector<std::complex<double>>& added) {
    for (const std::complex<double>& value : added) {
        values.push_back(value.real());
        values.push_back(value.imag());
    }
}

void transforms() {
    // 1, i, 2 and 3 - i.
    const Values in = {1, 0, 0, 1, 2, 0, 3, -1};
    gives(kernel_of(LONGRUN_KERNEL_FFT_FORWARD, 4), in, {6, 0, 1, 3, 0, 0, -3, -3}, 1e-14);
    gives(kernel_of(LONGRUN_KERNEL_FFT_INVERSE, 4), in, {6, 0, -3, -3, 0, 0, 1, 3}, 1e-14);
    gives(kernel_of(LONGRUN_KERNEL_RFFT_FORWARD, 4), {1, 2, 3, 5}, {11, 0, -2, 3, -3, 0}, 1e-14);
    gives(kernel_of(LONGRUN_KERNEL_RFFT_INVERSE, 4), {11, 0, -2, 3, -3, 0}, {4, 8, 12, 20}, 1e-13);
}

void the_work_of_a_source() {
    // 1 + 2i, -3, i/2 and 2 - 2i: their |A|² are 5, 9, 1/4 and 8.
    const Values field = {1, 2, -3, 0, 0, 0.5, 2, -2};
    gives(kernel_of(LONGRUN_KERNEL_INTENSITY, 4, 0, 4), field, {5, 9, 0.25, 8}, 0);
    gives(kernel_of(LONGRUN_KERNEL_INTENSITY, 4, 0, 8), field, {5, 9, 0.25, 8, 0, 0, 0, 0}, 0);

    // A table of e^{-2 pi i j / m} / m is a delay by one sample.
    const Values periodic = {0.25, 0, 0, -0.25, -0.25, 0};
    gives(kernel_of(LONGRUN_KERNEL_RAMAN_CONVOLUTION, 4, 0, 4), joined({periodic, field}),
          {8, 5, 9, 0.25}, 1e-14);
    const double r = std::sqrt(0.5) / 8;
    const Values padded = {0.125, 0, r, -r, 0, -0.125, -r, -r, -0.125, 0};
    gives(kernel_of(LONGRUN_KERNEL_RAMAN_CONVOLUTION, 4, 0, 8), joined({padded, field}),
          {0, 5, 9, 0.25, 8, 0, 0, 0}, 1e-14);

    // (1 + 2i) (3 - i), -i (2 + 4i) and -2 (3/2 - i).
    gives(kernel_of(LONGRUN_KERNEL_RAMAN_PRODUCT, 4, 0, 4),
          {1, 2, 0, -1, -2, 0, 3, -1, 2, 4, 1.5, -1}, {5, 5, 4, -2, -3, 2}, 0);

    // kerr 1/2; then responses 1, -2, 1/4 and 3, and windows 1, 1/2, 2 and 0.
    const Values response = {1, -2, 0.25, 3};
    const Values window = {1, 0.5, 2, 0};
    gives(kernel_of(LONGRUN_KERNEL_POLARISE, 4), joined({{0.5}, field, response, window}),
          {3.5, 7, -3.75, 0, 0, 0.375, 0, 0}, 0);
}

void the_tables_of_a_new_step() {
    const double s = std::sqrt(3.0) / 2;
    gives(kernel_of(LONGRUN_KERNEL_EXPONENTIALS, 4), {2, 0, kPi / 4, -kPi / 2, kPi / 12},
          {1, 0, 0, 1, -1, 0, s, 0.5}, 4e-16);

    // x = 0, 2 pi i, -i pi and -2 pi i, by the recurrence psi_q = (q psi_{q-1} - 1) / x.
    const double p = 1 / kPi;
    const Values turn = {1, 0, 1, 0, -1, 0, 1, 0};
    const Values psi_0 = {1, 0, 0, 0, 0, -2 * p, 0, 0};
    const Values psi_1 = {0.5, 0, 0, p / 2, 2 * p * p, -p, 0, -p / 2};
    const Values psi_2 = {1.0 / 3,           0,         p * p / 2, p / 2, 2 * p * p,
                          4 * p * p * p - p, p * p / 2, -p / 2};
    gives(kernel_of(LONGRUN_KERNEL_MOMENTS, 4, 2), {0.5, 0, 4 * kPi, -2 * kPi, -4 * kPi},
          joined({turn, psi_0, psi_1, psi_2}), 1e-15);
    // psi_q(0) = 1 / (q + 1), and e^0.
    for (int32_t order = 1; order <= 6; ++order) {
        Values at_zero(8, 0.0);
        for (std::size_t i = 0; i < 8; i += 2)
            at_zero[i] = 1;
        for (int32_t q = 0; q <= order; ++q)
            for (int i = 0; i < 4; ++i) {
                at_zero.push_back(1.0 / (q + 1));
                at_zero.push_back(0);
            }
        gives(kernel_of(LONGRUN_KERNEL_MOMENTS, 4, order), {0.5, 0, 0, 0, 0}, at_zero, 2e-16);
    }
}

void sums_over_several_blocks() {
    gives(kernel_of(LONGRUN_KERNEL_SUM_SQUARES, 4), {1, 2, -3, 0, 0, 0.5, 2, -2}, {22.25}, 0);
    // i modulo 7, and 1: 85 whole periods of 91 + 7, then 0, 1, 4, 9, 16 and 5 times 1.
    Values values;
    for (int i = 0; i < 600; ++i) {
        values.push_back(i % 7);
        values.push_back(1);
    }
    gives(kernel_of(LONGRUN_KERNEL_SUM_SQUARES, 600), values, {85 * 98 + 30 + 5}, 0);
}

/// J. R. Dormand and P. J. Prince, J. Comput. Appl. Math. 6, 19 (1980): rows 2 to 6, and the
/// weights of order 5 minus those of order 4.
constexpr std::array<std::array<double, 6>, 5> kRows = {{
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
}};
constexpr std::array<double, 6> kError = {71.0 / 57600,      0,         -71.0 / 16695, 71.0 / 1920,
                                          -17253.0 / 339200, 22.0 / 525};

/// Element j has slope j alone, so that the output shows one coefficient after the other. The
/// phases are powers of i: x = i and v = -i.
void a_stage(int32_t stage) {
    const std::complex<double> i(0, 1);
    const std::complex<double> phase_at[] = {1, -1, -i, 1, -i, -1, -1};
    const std::complex<double> here = phase_at[stage];
    const std::complex<double> next = phase_at[stage + 1];
    const double h = 0.5;
    const auto s = static_cast<std::size_t>(stage);
    constexpr std::size_t kPoints = 6;
    std::vector<std::complex<double>> output(kPoints);
    std::vector<std::complex<double>> y(kPoints);
    std::vector<std::complex<double>> slope(kPoints);
    std::vector<std::complex<double>> sum(kPoints);
    std::vector<std::complex<double>> error(kPoints);
    for (std::size_t j = 0; j < kPoints; ++j) {
        y[j] = {1.0 + static_cast<double>(j), -2};
        // Times the weight of 2i, this is the phase of the stage at element s and 0 elsewhere.
        output[j] = j == s ? here / (2.0 * i) : 0;
        slope[j] = j == s ? 1 : 0;
        sum[j] = next * (y[j] + (j <= s ? h * kRows[s - 1][j] : 0.0));
        error[j] = next * h * kError[j];
    }
    Values input = {h};
    append(input, output);
    append(input, std::vector(kPoints, 2.0 * i));
    append(input, y);
    append(input, std::vector(kPoints, i));
    append(input, std::vector(kPoints, -i));
    for (std::size_t j = 0; j < s; ++j) {
        std::vector<std::complex<double>> earlier(kPoints);
        earlier[j] = 1;
        append(input, earlier);
    }
    Values expected;
    append(expected, slope);
    append(expected, sum);
    if (stage == 5)
        append(expected, error);
    gives(kernel_of(LONGRUN_KERNEL_RK_STAGE, kPoints, stage), input, expected, 5e-15);
}

void the_end_of_a_step() {
    const Values output = {1, 0, 0, 10, 5, 0, 0, 0};
    const Values weight = {10, 0, 1, 0, 0, 2, 3, 0};
    const Values partial = {3, 0, 0, 1, 0, 0, 2, -1};
    // Slopes 10, 10i, 10i and 0. With a step of 4 a tenth of them is taken off.
    const Values slope = {10, 0, 0, 10, 0, 10, 0, 0};
    const Values error = {2, 0, 0, 0, 0, -1, 2, -1};
    gives(kernel_of(LONGRUN_KERNEL_RK_ERROR, 4), joined({{4}, output, weight, partial}),
          joined({{10}, slope, error}), 1e-14);
}

/// Element j has slope j alone.
void a_prediction(int32_t order) {
    constexpr std::size_t kPoints = 8;
    const std::complex<double> turn(0, 1);
    const std::complex<double> y(3, -4);
    const auto p = static_cast<std::size_t>(order);
    Values input;
    for (std::size_t j = 0; j < p; ++j)
        input.push_back(static_cast<double>(j) - 2);
    append(input, std::vector(kPoints, y));
    append(input, std::vector(kPoints, turn));
    std::vector<std::complex<double>> next(kPoints, y * turn);
    std::vector<std::complex<double>> expected(kPoints);
    for (std::size_t j = 0; j < p; ++j) {
        const std::complex<double> weight(static_cast<double>(j) + 1, 2);
        append(input, std::vector(kPoints, weight));
        // Times 2, which is the slope.
        next[j] += 2.0 * weight;
        expected[j] = 2.0 * (static_cast<double>(j) - 2);
    }
    for (std::size_t j = 0; j < p; ++j) {
        std::vector<std::complex<double>> slope(kPoints);
        slope[j] = 2;
        append(input, slope);
    }
    Values output;
    append(output, next);
    append(output, expected);
    gives(kernel_of(LONGRUN_KERNEL_ADAMS_PREDICT, kPoints, order), input, output, 0);
}

void a_correction() {
    // Output, weight, expected source, weight of the surplus and prediction of four elements.
    const Values input = {
        1,  1, 0, 0, 3, 0,  0, 0,   // N
        2,  0, 0, 0, 0, 1,  5, 0,   // w
        1,  0, 0, 0, 0, 0,  1, -1,  // M
        0,  1, 0, 0, 2, 0,  1, 0,   // C
        10, 0, 0, 0, 0, -6, 1, 0    // Y
    };
    // Surpluses 1 + 2i, 0, 3i and -1 + i change the state by -2 + i, 0, 6i and -1 + i.
    const Values expected = {
        43, 66,                     // 5 + 36 + 2, and 65 + 0 + 1
        1,  2,  0, 0, 0, 3, -1, 1,  // surplus
        8,  1,  0, 0, 0, 0, 0,  1   // corrected state
    };
    gives(kernel_of(LONGRUN_KERNEL_ADAMS_CORRECT, 4), input, expected, 0);
}

void the_windows() {
    // A window in time that is 1/2 everywhere leaves the spectrum as it is, halved.
    gives(kernel_of(LONGRUN_KERNEL_ABSORB, 4),
          {1, 0.5, 0, 2, 0.5, 0.5, 0.5, 0.5, 4, 0, 0, 8, 3, 1, 1, -2},
          {std::sqrt(13.0), 2, 0, 0, 2, 0, 0, 1, -2}, 1e-14);
    // One that keeps the first sample alone spreads the mean of the spectrum, 2 + i, over it.
    gives(kernel_of(LONGRUN_KERNEL_ABSORB, 4), {1, 1, 1, 1, 1, 0, 0, 0, 4, 0, 0, 8, 3, 1, 1, -5},
          {std::sqrt(20.0), 2, 1, 2, 1, 2, 1, 2, 1}, 1e-14);
}

}  // namespace

int main() {
    transforms();
    the_work_of_a_source();
    the_tables_of_a_new_step();
    sums_over_several_blocks();
    for (int32_t stage = 1; stage <= 5; ++stage)
        a_stage(stage);
    the_end_of_a_step();
    for (int32_t order = 1; order <= 6; ++order)
        a_prediction(order);
    a_correction();
    the_windows();
    return check::finish();
}
