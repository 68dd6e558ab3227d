// The source against its formula, written with sums instead of transforms.
#include "check.hpp"
#include "core/arena.hpp"
#include "core/team.hpp"
#include "fixture.hpp"
#include "optics/gnlse.hpp"

using fixture::Field;
using fixture::Problem;

namespace {

Problem make_problem(int64_t n, int64_t m, bool window) {
    Problem problem(n, 12);
    problem.kerr_fraction = 0.75;
    for (std::size_t i = 0; i < problem.source.size(); ++i)
        problem.source[i] = {0.1 * std::sin(static_cast<double>(i)), -1 - 0.01 * problem.offset(i)};
    if (window)
        for (std::size_t i = 0; i < problem.source.size(); ++i)
            problem.time_window.push_back(0.5 + 0.5 * std::cos(0.2 * problem.time(i)));
    if (m == 0)
        return problem;
    problem.raman_fraction = 0.25;
    problem.raman_points = m;
    // dt h(t), causal and damped; its transform on m points is what the library is given.
    Field response(static_cast<std::size_t>(m));
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
        const double t = static_cast<double>(i) * problem.dt;
        response[i] = problem.dt * std::exp(-0.3 * t) * std::sin(2 * t);
    }
    problem.raman = fixture::dft(response, -1);
    problem.raman.resize(static_cast<std::size_t>(m / 2 + 1));
    return problem;
}

Field expected_source(const Problem& problem, const Field& state) {
    const auto n = static_cast<std::size_t>(problem.n);
    const Field time = fixture::to_time(state);
    Field polarisation(n);
    for (std::size_t i = 0; i < n; ++i) {
        double response = 0;
        // Periodic where the convolution is not padded.
        for (std::size_t j = 0; problem.raman_fraction != 0 && j < n; ++j) {
            if (j > i && problem.raman_points != problem.n)
                continue;
            const double t = static_cast<double>(j <= i ? i - j : n + i - j) * problem.dt;
            response += problem.dt * std::exp(-0.3 * t) * std::sin(2 * t) * std::norm(time[j]);
        }
        const double window = problem.time_window.empty() ? 1 : problem.time_window[i];
        polarisation[i] =
            window * time[i] *
            (problem.kerr_fraction * std::norm(time[i]) + problem.raman_fraction * response);
    }
    Field source = fixture::dft(polarisation, -1);
    for (std::size_t i = 0; i < n; ++i)
        source[i] *= problem.source[i];
    return source;
}

void compare(int64_t n, int64_t m, bool window, int threads, int64_t share_from) {
    const Problem problem = make_problem(n, m, window);
    const Field state = fixture::launch(
        problem, [](double t) { return std::polar(2 / std::cosh(t - 1), 0.7 * t); });
    longrun::Arena arena;
    longrun::Team team(threads);
    longrun::Transforms transforms(arena, longrun::Planner(), n);
    longrun::PartClock clock;
    longrun::GnlseSource source(arena, longrun::Planner(), problem.view(), transforms, n, clock,
                                share_from);
    auto* input = arena.take<longrun::Complex>(n);
    std::memcpy(input, state.data(), state.size() * sizeof(state[0]));
    // Twice: the second evaluation finds the arrays as the first has left them.
    for (int i = 0; i < 2; ++i)
        team.run(
            [&](const longrun::Worker& worker) noexcept { source.evaluate(worker, 0, input); });
    Field obtained(state.size());
    for (int64_t i = 0; i < n; ++i) {
        const longrun::Complex slope = source.weight()[i] * source.output()[i];
        obtained[static_cast<std::size_t>(i)] = {slope.re, slope.im};
    }
    check::at_most("source against its formula", 1e-13,
                   fixture::distance(obtained, expected_source(problem, state)));
}

/// A real transform and its inverse multiply by their length: 200 of them by 10^602.
void transforms_alone_work_on_numbers_however_often() {
    constexpr int64_t kPoints = 512;
    constexpr int64_t kPadded = 1024;
    longrun::Arena arena;
    longrun::Team team(1);
    auto* table = arena.take<longrun::Complex>(kPadded / 2 + 1);
    for (int64_t i = 0; i <= kPadded / 2; ++i)
        table[i] = {1, 0};
    auto* field = arena.take<longrun::Complex>(kPoints);
    for (int64_t i = 0; i < kPoints; ++i)
        field[i] = {std::cos(0.1 * static_cast<double>(i)), 1};
    longrun::Raman raman(arena, longrun::Planner(), kPoints, kPadded, table);
    longrun::PartClock clock;
    team.run([&](const longrun::Worker& worker) noexcept { raman.convolve(worker, clock, field); });
    const std::vector<double> before(raman.response(), raman.response() + kPadded);
    for (int i = 0; i < 200; ++i) {
        raman.transforms();
        raman.rescale();
    }
    double difference = 0;
    double norm = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const double distance = raman.response()[i] - before[i];
        difference += distance * distance;
        norm += before[i] * before[i];
    }
    check::at_most("response after 200 pairs of transforms", 1e-12, std::sqrt(difference / norm));
}

}  // namespace

int main() {
    transforms_alone_work_on_numbers_however_often();
    // Shared by the team, and made by the leader alone.
    for (const int64_t share_from : {int64_t{0}, longrun::Team::kShareFrom})
        for (const int threads : {1, 2})
            for (const bool window : {false, true}) {
                compare(96, 0, window, threads, share_from);
                compare(96, 96, window, threads, share_from);
                compare(96, 192, window, threads, share_from);
                compare(512, 1024, window, threads, share_from);
            }
    return check::finish();
}
