// A controller is a function of the errors it has seen.
#include "steppers/controller.hpp"

#include <cmath>
#include <initializer_list>

#include "check.hpp"
#include "steppers/adams_controller.hpp"
#include "steppers/pair_controller.hpp"

using longrun::AdamsController;
using longrun::PairController;

namespace {

constexpr int kPairOrder = 4;
constexpr longrun::Tolerances kTolerances = {1e-6, 1e-10, 0.01, 0.5};

PairController fresh() {
    return PairController(kTolerances);
}

/// The step proposed after an attempt of 0.01 with this error.
double after(double error) {
    PairController controller = fresh();
    controller.judge(0.01, error, kPairOrder);
    return controller.propose(0, 100).step;
}

/// The same of a multistep method of this order, after `rejections` of attempts of 0.01.
double after_adams(double error, int order, int rejections = 0) {
    AdamsController controller(kTolerances);
    for (int i = 0; i < rejections; ++i)
        controller.judge(0.01, 2, order);
    controller.judge(0.01, error, order);
    return controller.propose(0, 100).step;
}

void a_multistep_method_keeps_its_step_unless_much_is_to_be_won() {
    for (const int order : {1, 3, 5}) {
        const double power = 1.0 / (order + 1);
        check::near("just above what is kept", 0.01 * 1.16,
                    after_adams(std::pow(0.9 / 1.16, order + 1), order), 1e-16);
        check::near("just below what is kept", 0.01 * 0.94,
                    after_adams(std::pow(0.9 / 0.94, order + 1), order), 1e-16);
        for (const double factor : {0.951, 1.0, 1.149})
            check::near("kept", 0.01, after_adams(std::pow(0.9 / factor, order + 1), order), 0);
        check::near("error 0 doubles", 0.02, after_adams(0, order), 1e-17);
        check::near("growth is at most 2", 0.02, after_adams(1e-20, order), 1e-17);
        check::near("no growth after a rejection", 0.01, after_adams(1e-20, order, 1), 0);
        check::near("shrinking after one is allowed", 0.009, after_adams(1, order, 1), 1e-17);
        check::near("rejected", 0.01 * 0.85 * std::pow(1.5, -power), after_adams(1.5, order),
                    1e-16);
        check::near("large error meets the floor", 0.002, after_adams(1e20, order), 1e-17);
        check::near("no number halves", 0.005, after_adams(NAN, order), 1e-17);
    }
    AdamsController controller(kTolerances);
    controller.judge(0.4, 0, 5);
    check::near("longest step", 0.5, controller.propose(0, 100).step, 0);
    controller.restart();
    check::near("a restart forgets", 0.01, controller.propose(0, 100).step, 0);
}

void a_first_attempt_sets_the_next_step() {
    check::near("error 0 grows by 1.5", 0.015, after(0), 1e-17);
    check::near("error on target", 0.009, after(0.8), 1e-17);
    check::near("tiny error meets the cap", 0.05, after(1e-12), 1e-17);
    check::near("error of 1 is accepted", 0.01 * 0.9 * std::pow(0.8, 0.12), after(1), 1e-17);
    check::near("error of 32 shrinks by 0.9 / 2", 0.0045, after(32), 1e-17);
    check::near("large error meets the floor", 0.001, after(1e9), 1e-17);
    check::near("no number halves", 0.005, after(NAN), 1e-17);
    check::near("infinity halves", 0.005, after(INFINITY), 1e-17);
}

void the_previous_error_counts_only_after_acceptance() {
    PairController controller = fresh();
    controller.judge(0.01, 0.1, kPairOrder);
    controller.judge(0.01, 5, kPairOrder);
    controller.judge(0.01, 0.4, kPairOrder);
    const double factor = 0.9 * std::pow(0.8 / 0.4, 0.12) * std::pow(0.8 / 0.1, -0.04);
    check::near("two errors", 0.01 * factor, controller.propose(0, 100).step, 1e-16);
    controller.restart();
    check::near("a restart forgets", 0.01, controller.propose(0, 100).step, 0);
}

void steps_are_clipped_to_the_end_and_to_the_longest() {
    PairController controller = fresh();
    check::near("a step within the guide", 0.01, controller.propose(0, 1).step, 0);
    check::near("clipped", 0.004, controller.propose(0.996, 1).step, 1e-15);
    check::near("clipped is last", 1, controller.propose(0.996, 1).last ? 1 : 0, 0);
    check::near("no sliver is left", 0.0100005, controller.propose(0, 0.0100005).step, 0);
    check::near("more than a sliver is left", 0, controller.propose(0, 0.01001).last ? 1 : 0, 0);
    controller.judge(0.4, 1e-12, kPairOrder);
    check::near("longest step", 0.5, controller.propose(0, 100).step, 0);
}

void it_gives_up_after_more_than_ten_rejections_in_a_row() {
    PairController controller = fresh();
    for (int i = 0; i < longrun::kRejectionsMax; ++i)
        controller.judge(0.01, 2, kPairOrder);
    check::near("ten are allowed", 0, controller.gave_up() ? 1 : 0, 0);
    controller.judge(0.01, 0.5, kPairOrder);
    for (int i = 0; i <= longrun::kRejectionsMax; ++i)
        controller.judge(0.01, 2, kPairOrder);
    check::near("eleven are not", 1, controller.gave_up() ? 1 : 0, 0);
}

void the_error_is_relative_to_the_larger_norm() {
    const PairController controller = fresh();
    check::near("norm before", 0.5, controller.relative_error(1e-6, 2, 1), 1e-15);
    check::near("norm after", 0.25, controller.relative_error(1e-6, 2, 4), 1e-15);
    check::near("floor", 1e4, controller.relative_error(1e-12, 0, 0), 1e-9);
    check::near("a norm that is no number comes through", 1,
                std::isnan(controller.relative_error(1e-6, 1, NAN)) ? 1 : 0, 0);
}

}  // namespace

int main() {
    a_first_attempt_sets_the_next_step();
    the_previous_error_counts_only_after_acceptance();
    steps_are_clipped_to_the_end_and_to_the_longest();
    it_gives_up_after_more_than_ten_rejections_in_a_row();
    the_error_is_relative_to_the_larger_norm();
    a_multistep_method_keeps_its_step_unless_much_is_to_be_won();
    return check::finish();
}
