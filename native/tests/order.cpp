// Observed order of the steppers and of their interpolation, on an N = 2 soliton.
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

/// Orders observed by halving the steps twice.
std::vector<double> global_orders(const Problem& problem, const Field& start, int32_t kind) {
    const Field reference = end_of(problem, start, LONGRUN_STEPPER_RK, 3200);
    std::vector<double> errors;
    for (const std::size_t count : {64U, 128U, 256U})
        errors.push_back(distance(end_of(problem, start, kind, count), reference));
    return {std::log2(errors[0] / errors[1]), std::log2(errors[1] / errors[2])};
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

/// Observed order in h of the interpolation within one step: one more than the extension has.
double dense_order(const Problem& problem, const Field& start, int32_t kind) {
    const double coarse = dense_error(problem, start, kind, 0.08);
    const double fine = dense_error(problem, start, kind, 0.02);
    return std::log2(coarse / fine) / 2;
}

/// Order observed of a multistep method, whose predictor has order `order`, between `count` steps
/// and twice as many.
double multistep_order(const Problem& problem, const Field& start, int32_t kind, int32_t order,
                       std::size_t count) {
    const Field reference = end_of(problem, start, LONGRUN_STEPPER_RK, 3200);
    std::vector<double> lengths;
    std::vector<double> errors;
    for (const std::size_t each : {count, 2 * count}) {
        const std::vector<double> steps = started(kLength, each);
        longrun_stepper stepper = scheduled(kind, steps);
        stepper.order = order;
        Engine engine(problem, stepper);
        lengths.push_back(steps.back());
        errors.push_back(distance(engine.run(start), reference));
    }
    return std::log(errors[0] / errors[1]) / std::log(lengths[0] / lengths[1]);
}

}  // namespace

int main() {
    const Problem problem = soliton_problem(64, 32);
    const Field start = soliton_launch(problem, 2);
    for (const double order : global_orders(problem, start, LONGRUN_STEPPER_RK))
        check::near("order of rk", 5, order, 0.2);
    for (const double order : global_orders(problem, start, LONGRUN_STEPPER_RK4IP))
        check::near("order of rk4ip", 4, order, 0.2);
    Problem lossy = problem;
    lossy.disperse(-1, 0.5);
    // With loss the leading error of rk is so small that the next order still shows.
    for (const double order : global_orders(lossy, start, LONGRUN_STEPPER_RK))
        check::at_least("order of rk with loss", 4.8, order);
    for (const double order : global_orders(lossy, start, LONGRUN_STEPPER_RK4IP))
        check::near("order of rk4ip with loss", 4, order, 0.2);
    // A chirped pulse: the intensity of an unchirped one has no odd derivatives to interpolate.
    const Field chirped = launch(problem, [](double t) { return std::polar(2 / std::cosh(t), t); });
    for (const Problem& each : {problem, lossy}) {
        check::at_least("local order of the extension of rk", 4.8,
                        dense_order(each, chirped, LONGRUN_STEPPER_RK));
        check::near("local order of the extension of rk4ip", 4,
                    dense_order(each, chirped, LONGRUN_STEPPER_RK4IP), 0.2);
        check::at_most("error of the extension of rk", 1e-6,
                       dense_error(each, chirped, LONGRUN_STEPPER_RK, 0.02));
    }
    for (const int32_t kind : {LONGRUN_STEPPER_MULTISTEP, LONGRUN_STEPPER_MULTISTEP_INTERACTION}) {
        for (int32_t order = 1; order <= 4; ++order)
            for (const Problem& each : {problem, lossy})
                check::near("order of a multistep method", order + 1,
                            multistep_order(each, start, kind, order, 256), 0.2);
        // Steps half as long would meet the rounding of the reference.
        check::near("order of a multistep method", 6, multistep_order(problem, start, kind, 0, 128),
                    0.2);
    }
    return check::finish();
}
