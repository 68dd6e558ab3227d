// Observed order of the steppers on two modes of a real field, with and without a shift.
#include <cmath>
#include <utility>
#include <vector>

#include "check.hpp"
#include "guide.hpp"

using namespace fixture;

namespace {

constexpr double kLength = 0.8;

// Errors between what is asymptotic and 100 times what rounding leaves, which is 1e-12 here.
constexpr std::size_t kReference = 400;
constexpr std::size_t kCounts[] = {8, 16, 32};            /* of the Runge-Kutta methods */
constexpr std::size_t kCoarse[] = {0, 256, 256, 128, 64}; /* of the others, by order */

Guide problem(bool shifted, double loss) {
    Guide guide(LONGRUN_FIELD_REAL, 64, 128, 2, 2, 32);
    guide.set_linear([=](double offset, double mode) {
        return std::complex<double>(-loss * (1 + mode),
                                    -3 + 0.05 * offset * offset - 0.1 * mode * offset);
    });
    guide.set_source(1);
    guide.band(2, 31);
    guide.kerr = 0.5;
    guide.synthesis = {0.7, 0.5, 0.4, -0.6};
    guide.projection = {0.8, 0.5, 0.4, -0.7};
    for (std::size_t k = 0; shifted && k < guide.bins; ++k)
        guide.harmonic.push_back(k < 24 ? 1 : 3);
    return guide;
}

Field end_of(const Guide& guide, int32_t kind, std::size_t count) {
    const std::vector<double> steps(count, kLength / static_cast<double>(count));
    Engine engine(guide.view(), scheduled(kind, steps));
    return engine.run(pulses(guide, 2));
}

void runge_kutta(double loss) {
    const Guide guide = problem(false, loss);
    const Field reference = end_of(guide, LONGRUN_STEPPER_RK, kReference);
    const std::pair<int32_t, double> methods[] = {{LONGRUN_STEPPER_RK, 5},
                                                  {LONGRUN_STEPPER_RK4IP, 4}};
    for (const auto& [kind, order] : methods) {
        std::vector<double> errors;
        for (const std::size_t count : kCounts)
            errors.push_back(distance(end_of(guide, kind, count), reference));
        check::at_least("order", order - 0.3, std::log2(errors[0] / errors[1]));
        check::at_least("order", order - 0.3, std::log2(errors[1] / errors[2]));
    }
}

void multistep(int32_t kind, bool shifted, double loss) {
    const Guide guide = problem(shifted, loss);
    const Field reference = end_of(guide, LONGRUN_STEPPER_RK, kReference);
    for (int32_t order = 1; order <= 4; ++order) {
        std::vector<double> lengths;
        std::vector<double> errors;
        for (const std::size_t count : {kCoarse[order], 2 * kCoarse[order]}) {
            const std::vector<double> steps = started(kLength, count);
            longrun_stepper stepper = scheduled(kind, steps);
            stepper.order = order;
            Engine engine(guide.view(), stepper);
            lengths.push_back(steps.back());
            errors.push_back(distance(engine.run(pulses(guide, 2)), reference));
        }
        check::near("order of a multistep method", order + 1,
                    std::log(errors[0] / errors[1]) / std::log(lengths[0] / lengths[1]), 0.3);
    }
}

}  // namespace

int main() {
    for (const double loss : {0.0, 0.2}) {
        runge_kutta(loss);
        multistep(LONGRUN_STEPPER_MULTISTEP, false, loss);
        multistep(LONGRUN_STEPPER_MULTISTEP, true, loss);
        multistep(LONGRUN_STEPPER_MULTISTEP_INTERACTION, false, loss);
    }
    return check::finish();
}
