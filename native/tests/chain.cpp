// Kernels are the code of a propagation: in a chain they give its results, bit by bit.
#include <vector>

#include "check.hpp"
#include "core/arena.hpp"
#include "core/team.hpp"
#include "fixture.hpp"
#include "kernel.hpp"
#include "kernels/kinds.hpp"
#include "optics/absorb.hpp"
#include "optics/gnlse.hpp"

using namespace fixture;

namespace {

constexpr int64_t kPoints = 300;
constexpr std::size_t kCount = 300;

Values outcome(int32_t kind, int64_t raman_points, const Values& input) {
    Kernel kernel(kernel_of(kind, kPoints, 0, raman_points));
    kernel.set(input);
    kernel.run();
    return kernel.get();
}

Values doubles(const longrun::Complex* values) {
    Values all;
    for (int64_t i = 0; i < kPoints; ++i) {
        all.push_back(values[i].re);
        all.push_back(values[i].im);
    }
    return all;
}

/// Values between a half and one and a half.
Values around_one(std::size_t count, double pace) {
    Values values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = 1 + 0.5 * std::sin(pace * static_cast<double>(i));
    return values;
}

longrun::Complex* placed(longrun::Arena& arena, const Values& values) {
    auto* array = arena.take<longrun::Complex>(kPoints);
    std::memcpy(array, values.data(), values.size() * sizeof(double));
    return array;
}

void a_source_evaluation(int64_t raman_points) {
    Problem problem = soliton_problem(kPoints, 20);
    problem.kerr_fraction = 0.75;
    problem.raman_fraction = 0.25;
    problem.raman_points = raman_points;
    for (int64_t i = 0; i <= raman_points / 2; ++i)
        problem.raman.emplace_back(1.0 / (1 + static_cast<double>(i)), i % 3 == 1 ? 0.1 : 0.0);
    problem.time_window = around_one(kCount, 0.3);
    const Values state = around_one(2 * kCount, 1.7);

    longrun::Arena arena;
    longrun::Team team(1);
    longrun::Transforms transforms(arena, longrun::Planner(), kPoints);
    longrun::PartClock clock;
    longrun::GnlseSource source(arena, longrun::Planner(), problem.view(), transforms, kPoints,
                                clock);
    const longrun::Complex* start = placed(arena, state);
    team.run([&](const longrun::Worker& worker) noexcept { source.evaluate(worker, 0, start); });

    // What is left out of the transforms, 1/n, comes in with the factors of the polarisation.
    const double once = 1.0 / static_cast<double>(kPoints);
    const double cubed = once * once * once;
    const double scale = problem.raman_fraction * cubed / static_cast<double>(raman_points);
    Values table;
    for (const std::complex<double>& value : problem.raman) {
        table.push_back(scale * value.real());
        table.push_back(scale * value.imag());
    }
    const Values field = outcome(LONGRUN_KERNEL_FFT_INVERSE, 0, state);
    Values response =
        outcome(LONGRUN_KERNEL_RAMAN_CONVOLUTION, raman_points, joined({table, field}));
    response.resize(kCount);
    const Values polarisation =
        outcome(LONGRUN_KERNEL_POLARISE, 0,
                joined({{problem.kerr_fraction * cubed}, field, response, problem.time_window}));
    const Values output = outcome(LONGRUN_KERNEL_FFT_FORWARD, 0, polarisation);
    check::equal("a source evaluation", 1, same_bits(output, doubles(source.output())) ? 1 : 0);

    // The convolution is itself a chain of kernels.
    const Values drive = outcome(LONGRUN_KERNEL_INTENSITY, raman_points, field);
    Kernel forward(kernel_of(LONGRUN_KERNEL_RFFT_FORWARD, raman_points));
    forward.set(drive);
    forward.run();
    Kernel backward(kernel_of(LONGRUN_KERNEL_RFFT_INVERSE, raman_points));
    backward.set(
        outcome(LONGRUN_KERNEL_RAMAN_PRODUCT, raman_points, joined({table, forward.get()})));
    backward.run();
    Values convolved = backward.get();
    convolved.resize(kCount);
    check::equal("a convolution", 1, same_bits(convolved, response) ? 1 : 0);
}

void an_absorption() {
    const Values spectral = around_one(kCount, 0.2);
    const Values temporal = around_one(kCount, 0.5);
    const Values state = around_one(2 * kCount, 1.3);
    longrun::Arena arena;
    longrun::Team team(1);
    longrun::Transforms transforms(arena, longrun::Planner(), kPoints);
    longrun::Absorber absorber(arena, transforms, spectral.data(), temporal.data());
    longrun::Complex* absorbed = placed(arena, state);
    team.run([&](const longrun::Worker& worker) noexcept {
        absorber.apply(worker, absorbed, absorbed);
    });
    const Values expected = joined({{absorber.norm()}, doubles(absorbed)});
    const Values obtained = outcome(LONGRUN_KERNEL_ABSORB, 0, joined({spectral, temporal, state}));
    check::equal("an absorption", 1, same_bits(expected, obtained) ? 1 : 0);
}

/// The output of an operation that a team of this size is given, whatever the number of points.
Values with_team(const longrun_kernel_problem& problem, int threads) {
    longrun::Arena arena;
    longrun::Team team(threads);
    const auto operation =
        longrun::kernels::find_kind(problem.kind)->make(problem, arena, longrun::Planner());
    operation->set_input(around_one(static_cast<std::size_t>(operation->inputs()), 0.9).data());
    // Twice, as blocks do it: what is left behind must not matter to any of the team.
    team.run([&](const longrun::Worker& worker) noexcept {
        for (int i = 0; i < 2; ++i) {
            operation->apply(worker);
            worker.barrier();
        }
    });
    Values output(static_cast<std::size_t>(operation->outputs()));
    operation->get_output(output.data());
    return output;
}

void teams_change_no_bit_even_where_they_would_not_pay() {
    for (const longrun_kernel_problem& each : all_kernels(1990)) {
        const Values one = with_team(each, 1);
        for (const int threads : {2, 3})
            check::equal(name_of(each).c_str(), 1,
                         same_bits(one, with_team(each, threads)) ? 1 : 0);
    }
}

}  // namespace

int main() {
    teams_change_no_bit_even_where_they_would_not_pay();
    a_source_evaluation(kPoints);
    a_source_evaluation(2 * kPoints);
    an_absorption();
    return check::finish();
}
