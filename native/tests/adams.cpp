// Weights of the Adams formulas against the published ones and against polynomials.
#include "steppers/adams.hpp"

#include <cmath>
#include <vector>

#include "check.hpp"
#include "steppers/slope_history.hpp"

using namespace longrun;

namespace {

const Nodes kEven = {0, -1, -2, -3, -4, -5, 0};
const Nodes kUneven = {0, -0.7, -1.9, -2.3, -4.1, -4.4, 0};

/// Σ over the nodes of weight and power m of the node.
double moment(const Nodes& weights, const Nodes& nodes, int count, int m) {
    double sum = 0;
    for (std::size_t j = 0; j < static_cast<std::size_t>(count); ++j)
        sum += weights[j] * std::pow(nodes[j], m);
    return sum;
}

Nodes predictor(const Nodes& nodes, int count) {
    const AdamsStep step = adams_step(nodes, count);
    Nodes weights{};
    for (std::size_t j = 0; j < static_cast<std::size_t>(count); ++j)
        weights[j] = integral_to(step.basis[j], 1);
    return weights;
}

/// Adams-Bashforth and Adams-Moulton of five and six points (Hairer, Nørsett and Wanner, table
/// III.1.1 and III.1.2).
void even_steps_give_the_published_weights() {
    const double bashforth[] = {1901.0, -2774.0, 2616.0, -1274.0, 251.0};
    const Nodes weights = predictor(kEven, 5);
    for (std::size_t j = 0; j < 5; ++j)
        check::near("Adams-Bashforth 5", bashforth[j] / 720, weights[j], 1e-13);
    const AdamsStep step = adams_step(kEven, 4);
    check::near("Adams-Moulton 5, newest", 251.0 / 720, integral_to(step.correction, 1), 1e-14);
    check::near("Adams-Moulton 5, next", 646.0 / 720,
                integral_to(step.basis[0], 1) - step.end[0] * 251.0 / 720, 1e-13);
    check::near("Euler", 1, predictor(kEven, 1)[0], 0);
    // Adams-Moulton over Adams-Bashforth constants of the highest difference.
    const double ratios[] = {1.0, 1.0 / 5, 1.0 / 9, 19.0 / 251, 27.0 / 475};
    for (int count = 1; count <= 5; ++count)
        check::near("lower corrector", ratios[count - 1], adams_step(kEven, count).lower, 1e-13);
}

void any_steps_are_exact_for_polynomials() {
    for (int count = 1; count <= kAdamsOrderMax; ++count) {
        const Nodes weights = predictor(kUneven, count);
        const AdamsStep step = adams_step(kUneven, count);
        for (int m = 0; m < count; ++m) {
            check::near("integral", 1.0 / (m + 1), moment(weights, kUneven, count, m), 1e-11);
            check::near("value at the end", 1, moment(step.end, kUneven, count, m), 1e-10);
        }
        // One power more needs the slope at the end: 1^m beyond what the history expects.
        const double beyond = 1 - moment(step.end, kUneven, count, count);
        check::near(
            "corrected integral", 1.0 / (count + 1),
            moment(weights, kUneven, count, count) + beyond * integral_to(step.correction, 1),
            1e-10);
        check::near("correction at the end", 1, value_at(step.correction, 1), 1e-12);
        for (std::size_t j = 0; j < static_cast<std::size_t>(count); ++j)
            check::near("correction at a slope", 0, value_at(step.correction, kUneven[j]), 1e-10);
    }
}

/// Values of z^k at the history and at the end: the correctors of orders k + 1 and k part by what
/// the lower one, exact to z^(k-1), makes of it.
void the_lower_corrector_leaves_out_the_oldest_slope() {
    for (int count = 1; count <= kAdamsOrderMax; ++count) {
        const AdamsStep step = adams_step(kUneven, count);
        Nodes nodes{};
        nodes[0] = 1;
        for (int j = 0; j + 1 < count; ++j)
            nodes[static_cast<std::size_t>(j) + 1] = kUneven[static_cast<std::size_t>(j)];
        const Basis basis = lagrange_basis(nodes, count);
        double lower = 0;
        for (std::size_t j = 0; j < static_cast<std::size_t>(count); ++j)
            lower += std::pow(nodes[j], count) * integral_to(basis[j], 1);
        const double surplus = 1 - moment(step.end, kUneven, count, count);
        const double corrected = surplus * integral_to(step.correction, 1);
        check::near("distance of the correctors", std::fabs(1.0 / (count + 1) - lower),
                    step.lower * std::fabs(corrected), 1e-11);
    }
}

void a_history_keeps_the_newest_slopes_and_their_distances() {
    std::vector<Complex> slots(4);
    SlopeHistory history({&slots[0], &slots[1], &slots[2], &slots[3]});
    check::equal("nothing is known", 0, history.known());
    const double steps[] = {0, 0.5, 0.25, 1.0, 2.0, 4.0};
    for (std::size_t i = 0; i < 6; ++i) {
        history.vacant()->re = static_cast<double>(i);
        history.push(steps[i]);
    }
    check::equal("as many as there are arrays", 4, history.known());
    for (int j = 0; j < 4; ++j)
        check::near("newest first", 5.0 - j, history.slope(j)->re, 0);
    const double expected[] = {0, -2, -3, -3.5};
    const Nodes positions = history.positions(2.0);
    for (std::size_t j = 0; j < 4; ++j)
        check::near("position in units of the step", expected[j], positions[j], 0);
    history.forget();
    check::equal("forgotten", 0, history.known());
}

}  // namespace

int main() {
    even_steps_give_the_published_weights();
    any_steps_are_exact_for_polynomials();
    the_lower_corrector_leaves_out_the_oldest_slope();
    a_history_keeps_the_newest_slopes_and_their_distances();
    return check::finish();
}
