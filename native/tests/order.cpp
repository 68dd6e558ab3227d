// Observed order of both steppers and of their interpolation, on an N = 2 soliton.
#include <vector>

#include "check.hpp"
#include "fixture.hpp"

using namespace fixture;

namespace {

// Past the compression of the soliton at pi/4. On 64 points the fastest phase turns by less than
// 0.3 in the coarsest of these steps: above 1 the interaction picture meets resonances, and the
// order observed is irregular.
constexpr double kLength = 0.8;

Field end_of(const Problem& problem, const Field& start, int32_t kind, std::size_t count) {
    const std::vector<double> steps(count, kLength / static_cast<double>(count));
    Engine engine(problem, scheduled(kind, steps));
    return engine.run(start);
}

void global_order(const Problem& problem, const Field& start, int32_t kind, double order) {
    const Field reference = end_of(problem, start, LONGRUN_STEPPER_RK, 3200);
    double before = 0;
    for (const std::size_t count : {64, 128, 256}) {
        const double error = distance(end_of(problem, start, kind, count), reference);
        if (before > 0)
            check::near("order of the stepper", order, std::log2(before / error), 0.2);
        before = error;
    }
}

/// Largest error of the interpolated intensity inside one step of `h`, against a run of small
/// steps to the same planes.
double dense_error(const Problem& problem, const Field& start, int32_t kind, double h) {
    double worst = 0;
    const std::vector<double> one = {h};
    Engine engine(problem, scheduled(kind, one));
    engine.set(start);
    engine.advance(h);
    for (const double theta : {0.25, 0.5, 0.8}) {
        const std::vector<double> fine(64, theta * h / 64);
        Engine refined(problem, scheduled(LONGRUN_STEPPER_RK, fine));
        std::vector<double> expected;
        std::vector<double> obtained;
        refined.run(start);
        refined.observe(refined.length, &expected);
        engine.observe(theta * h, &obtained);
        for (std::size_t i = 0; i < expected.size(); ++i)
            worst = std::fmax(worst, std::fabs(obtained[i] - expected[i]));
    }
    return worst;
}

void dense_order(const Problem& problem, const Field& start, int32_t kind, double order) {
    // Within one step the local error counts: one order more than the extension has.
    const double coarse = dense_error(problem, start, kind, 0.02);
    const double fine = dense_error(problem, start, kind, 0.01);
    check::near("local order of the interpolation", order, std::log2(coarse / fine), 0.35);
    check::at_most("error of the interpolation", 1e-3, fine);
}

}  // namespace

int main() {
    const Problem problem = soliton_problem(64, 32);
    const Field start = soliton_launch(problem, 2);
    global_order(problem, start, LONGRUN_STEPPER_RK, 5);
    global_order(problem, start, LONGRUN_STEPPER_RK4IP, 4);
    Problem lossy = problem;
    lossy.disperse(-1, 0.5);
    global_order(lossy, start, LONGRUN_STEPPER_RK, 5);
    global_order(lossy, start, LONGRUN_STEPPER_RK4IP, 4);
    // A chirped pulse: the intensity of an unchirped one has no odd derivatives to interpolate.
    const Field chirped = launch(problem, [](double t) { return std::polar(2 / std::cosh(t), t); });
    for (const Problem& each : {problem, lossy}) {
        dense_order(each, chirped, LONGRUN_STEPPER_RK, 5);
        dense_order(each, chirped, LONGRUN_STEPPER_RK4IP, 4);
    }
    return check::finish();
}
