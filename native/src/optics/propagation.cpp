#include "optics/propagation.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "cartesian/model.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/reduce.hpp"
#include "guided/model.hpp"
#include "optics/checks.hpp"
#include "optics/gnlse_model.hpp"
#include "steppers/adams_controller.hpp"
#include "steppers/dormand_prince.hpp"
#include "steppers/multistep.hpp"
#include "steppers/pair_controller.hpp"
#include "steppers/rk4ip.hpp"

namespace longrun {
namespace {

/// Order of the Adams steppers where the caller leaves it to them.
constexpr int kAdamsOrderDefault = 5;

std::unique_ptr<Stepper> make_stepper(const longrun_stepper& stepper, Arena& arena, Team& team,
                                      Model& model) {
    const int order = stepper.order == 0 ? kAdamsOrderDefault : stepper.order;
    Source& source = model.source();
    const Diagonal& diagonal = model.diagonal();
    const ActiveSet& active = model.active();
    const int64_t points = model.size();
    switch (stepper.kind) {
        case LONGRUN_STEPPER_RK4IP:
            return std::make_unique<Rk4ip>(arena, team, source, diagonal, active, points);
        case LONGRUN_STEPPER_MULTISTEP:
            return std::make_unique<Multistep>(arena, team, source, diagonal, active, points, order,
                                               Multistep::Frame::kNone, model.estimate(),
                                               model.shift());
        case LONGRUN_STEPPER_MULTISTEP_INTERACTION:
            return std::make_unique<Multistep>(arena, team, source, diagonal, active, points, order,
                                               Multistep::Frame::kLinear, model.estimate());
        default:
            return std::make_unique<DormandPrince>(arena, team, source, diagonal, active, points);
    }
}

std::unique_ptr<Controller> make_controller(const longrun_stepper& stepper) {
    const Tolerances tolerances{stepper.rtol, stepper.atol, stepper.initial_step_m,
                                stepper.max_step_m};
    if (takes_order(stepper.kind))
        return std::make_unique<AdamsController>(tolerances);
    return std::make_unique<PairController>(tolerances);
}

double norm_of(const Complex* state, int64_t points) noexcept {
    return std::sqrt(sum_squares(state, points));
}

}  // namespace

Propagation::Propagation(const longrun_stepper& stepper, int threads)
    : team_(threads),
      laps_ns_(static_cast<std::size_t>(threads), 0),
      length_m_(stepper.length_m),
      controller_(make_controller(stepper)) {
    if (stepper.schedule_m != nullptr)
        schedule_ = Schedule(stepper.schedule_m, stepper.schedule_count, stepper.length_m);
    steps_.reserve(static_cast<std::size_t>(kStepsMax));
}

Propagation::Propagation(const longrun_gnlse_problem& problem, const longrun_stepper& stepper,
                         int threads, Wisdom* wisdom)
    : Propagation(stepper, threads) {
    begin(std::make_unique<GnlseModel>(arena_, Planner(wisdom), problem, parts_), stepper);
}

Propagation::Propagation(const longrun_guided_problem& problem, const longrun_stepper& stepper,
                         int threads, Wisdom* wisdom)
    : Propagation(problem, nullptr, stepper, threads, wisdom) {}

Propagation::Propagation(const longrun_guided_problem& problem, const double* absorb_nodes,
                         const longrun_stepper& stepper, int threads, Wisdom* wisdom)
    : Propagation(stepper, threads) {
    begin(std::make_unique<GuidedModel>(arena_, Planner(wisdom), problem, absorb_nodes, threads,
                                        parts_),
          stepper);
}

Propagation::Propagation(const longrun_cartesian_problem& problem, const longrun_stepper& stepper,
                         int threads, Wisdom* wisdom)
    : Propagation(stepper, threads) {
    begin(std::make_unique<CartesianModel>(arena_, Planner(wisdom), problem, threads, parts_),
          stepper);
}

void Propagation::begin(std::unique_ptr<Model> model, const longrun_stepper& stepper) {
    model_ = std::move(model);
    stepper_ = make_stepper(stepper, arena_, steps_team(), *model_);
    plans_ = model_->plans();
}

int32_t Propagation::require_state(const char* attempt) const noexcept {
    if (ready_)
        return LONGRUN_OK;
    return fail(LONGRUN_INVALID_ARGUMENT,
                "%s failed: no state is set, or the last step failed; call "
                "`longrun_propagation_set_state` first",
                attempt);
}

int32_t Propagation::set_state(double z_m, const double* state) noexcept {
    ready_ = false;
    if (!(z_m >= 0 && z_m <= length_m_))
        return fail(LONGRUN_INVALID_ARGUMENT,
                    "setting the state failed: z = %.17g m is not within the guide of %.17g m", z_m,
                    length_m_);
    if (!schedule_.empty()) {
        schedule_next_ = schedule_.find(z_m);
        if (schedule_next_ < 0)
            return fail(LONGRUN_INVALID_ARGUMENT,
                        "setting the state failed: z = %.17g m is not a boundary of the schedule; "
                        "restart where a step ends",
                        z_m);
        z_m = schedule_.boundary(schedule_next_);
    }
    std::memcpy(stepper_->state(), state, static_cast<std::size_t>(size()) * sizeof(Complex));
    norm_ = norm_of(stepper_->state(), size());
    if (!std::isfinite(norm_))
        return fail(LONGRUN_NOT_FINITE,
                    "setting the state failed: its norm is not finite at z = %.17g m; check the "
                    "launched field",
                    z_m);
    freeze(z_m);
    stepper_->restart();
    controller_->restart();
    shortened_by_ = {};
    team_.forget();
    alone_.forget();
    counts_ = {};
    edge_energy_j_ = 0;
    parts_.reset();
    steps_.clear();
    z_m_ = z_m;
    previous_m_ = z_m;
    ready_ = true;
    return LONGRUN_OK;
}

int32_t Propagation::advance(double plane_m, int64_t steps_max, double* z_m) noexcept {
    *z_m = z_m_;
    if (const int32_t status = require_state("advancing"); status != LONGRUN_OK)
        return status;
    const double target = std::min(plane_m, length_m_);
    for (int64_t taken = 0; taken < steps_max && z_m_ < target; ++taken) {
        const int32_t status = step();
        *z_m = z_m_;
        if (status != LONGRUN_OK) {
            ready_ = false;
            return status;
        }
    }
    return LONGRUN_OK;
}

int32_t Propagation::step() noexcept {
    if (static_cast<int64_t>(steps_.size()) >= kStepsMax)
        return fail(LONGRUN_STEP_FAILED,
                    "advancing failed at z = %.17g m: %lld steps are recorded and no more can be; "
                    "loosen the tolerance or shorten the guide",
                    z_m_, static_cast<long long>(kStepsMax));
    return schedule_.empty() ? controlled_step() : scheduled_step();
}

int32_t Propagation::controlled_step() noexcept {
    Excess met{};
    for (;;) {
        const Proposal proposal = controller_->propose(z_m_, length_m_);
        const double z_next = proposal.last ? length_m_ : z_m_ + proposal.step;
        if (!(z_next > z_m_)) {
            // Steps that only just stay below the end of the table become shorter and shorter.
            excess_ = met.field > 0 ? met : shortened_by_;
            if (excess_.field > 0)
                return fail_beyond_table();
            return fail(LONGRUN_STEP_FAILED,
                        "advancing failed at z = %.17g m: a step of %.3g m no longer moves the "
                        "position, where the state has the norm %.3g; loosen the tolerance",
                        z_m_, proposal.step, norm_);
        }
        const Attempt attempt = try_step(proposal.step);
        if (excess_.field > 0)
            met = excess_;
        const double error = controller_->relative_error(attempt.error, norm_, attempt.norm);
        if (controller_->judge(proposal.step, error, attempt.order)) {
            shortened_by_ = met;
            return accepted(proposal.step, z_next, attempt.norm);
        }
        ++counts_.rejected;
        if (controller_->gave_up())
            return give_up(proposal.step, error);
    }
}

int32_t Propagation::give_up(double h, double error) const noexcept {
    if (excess_.field > 0)
        return fail_beyond_table();
    return fail(LONGRUN_STEP_FAILED,
                "advancing failed at z = %.17g m: more than %d attempts in a row were rejected, "
                "the last with a step of %.3g m and a relative error of %.3g, where the state has "
                "the norm %.3g; check the launched field or loosen the tolerance",
                z_m_, kRejectionsMax, h, error, norm_);
}

int32_t Propagation::fail_beyond_table() const noexcept {
    return fail(LONGRUN_STEP_FAILED,
                "advancing failed at z = %.17g m: the ionisation table ends at %.6g V/m and the "
                "field reaches %.6g V/m; launch a weaker pulse or extend the table",
                z_m_, excess_.limit, excess_.field);
}

int32_t Propagation::scheduled_step() noexcept {
    const double h = schedule_.step(schedule_next_);
    const Attempt attempt = try_step(h);
    if (excess_.field > 0)
        return fail_beyond_table();
    ++schedule_next_;
    return accepted(h, schedule_.boundary(schedule_next_), attempt.norm);
}

Attempt Propagation::try_step(double h) noexcept {
    const Timed timed(parts_, Part::kStepper);
    freeze(z_m_ + h / 2);
    Attempt attempt = stepper_->attempt(z_m_, h);
    counts_.evaluations += attempt.evaluations;
    // No rate is known for a field beyond the table. A stage of a step that is too long may have
    // one where the state at its start has not: such a step is tried again, half as long.
    excess_ = model_->take_excess();
    if (excess_.field > 0)
        attempt.norm = NAN;
    return attempt;
}

/// The equation is that of the middle of a step throughout the step: the operator is exact to the
/// second order in the step where it changes along the guide.
void Propagation::freeze(double z_m) noexcept {
    Diagonal& diagonal = model_->diagonal();
    if (!diagonal.varies())
        return;
    const Blocks& inside = model_->active().inside;
    steps_team().run([&](const Worker& worker) noexcept {
        worker.share(inside, [&](Range range, int64_t) { diagonal.freeze(z_m, range); });
    });
    stepper_->operator_changed();
}

int32_t Propagation::accepted(double h, double z_next, double norm) noexcept {
    stepper_->accept();
    ++counts_.accepted;
    steps_.push_back(h);  // within the reserved capacity
    previous_m_ = z_m_;
    z_m_ = z_next;
    norm_ = norm;
    if (model_->absorbs())
        absorb(h);
    settle();
    if (!std::isfinite(norm_))
        return fail(LONGRUN_NOT_FINITE,
                    "advancing failed: the state is not finite at z = %.17g m, after a step of "
                    "%.3g m; shorten the steps or check the launched field",
                    z_m_, h);
    return excess_.field > 0 ? fail_beyond_table() : int32_t{LONGRUN_OK};
}

void Propagation::settle() noexcept {
    const Timed timed(parts_, Part::kStepper);
    const auto since = model_->absorbs() ? Stepper::Since::kAbsorbed : Stepper::Since::kNothing;
    counts_.evaluations += stepper_->settle(since);
    excess_ = model_->take_excess();
}

void Propagation::absorb(double h) noexcept {
    const Timed timed(parts_, Part::kAbsorb);
    const int64_t start = now_ns();
    Complex* state = stepper_->state();
    model_->absorb_over(h);
    steps_team().run([&](const Worker& worker) noexcept { model_->absorb(worker, state); });
    norm_ = model_->absorbed_norm();
    edge_energy_j_ += model_->edge_energy_j();
    stepper_->disturbed();
    ++counts_.absorptions;
    counts_.absorb_ns += now_ns() - start;
}

int32_t Propagation::require_plane(double plane_m) const noexcept {
    if (const int32_t status = require_state("observing"); status != LONGRUN_OK)
        return status;
    if (plane_m >= previous_m_ && plane_m <= z_m_)
        return LONGRUN_OK;
    return fail(LONGRUN_INVALID_ARGUMENT,
                "observing failed: the plane at %.17g m is not within the last step, %.17g m "
                "to %.17g m; advance to it first",
                plane_m, previous_m_, z_m_);
}

/// Leaves the state at a plane within the last step where the model observes it.
void Propagation::place_plane(double plane_m) noexcept {
    Complex* spectrum = model_->plane();
    if (plane_m == z_m_) {
        std::copy_n(stepper_->state(), size(), spectrum);
        return;
    }
    const double theta = (plane_m - previous_m_) / (z_m_ - previous_m_);
    team_.run(
        [&](const Worker& worker) noexcept { stepper_->interpolate(worker, theta, spectrum); });
}

int32_t Propagation::observe(double plane_m, longrun_plane_statistics& statistics,
                             double* intensity) noexcept {
    if (const int32_t status = require_plane(plane_m); status != LONGRUN_OK)
        return status;
    const Timed timed(parts_, Part::kObserve);
    const int64_t start = now_ns();
    place_plane(plane_m);
    model_->observe(team_, statistics, intensity);
    statistics.z_m = plane_m;
    ++counts_.observations;
    counts_.observe_ns += now_ns() - start;
    return LONGRUN_OK;
}

int32_t Propagation::observe_nodes(double plane_m, double* fluence, double* peak) noexcept {
    if (const int32_t status = require_plane(plane_m); status != LONGRUN_OK)
        return status;
    if (nodes() == 0)
        return fail(LONGRUN_INVALID_ARGUMENT,
                    "observing failed: this problem has no cross-section");
    const Untimed untimed(parts_);
    place_plane(plane_m);
    model_->observe_nodes(team_, fluence, peak);
    return LONGRUN_OK;
}

int32_t Propagation::get_state(double* state) const noexcept {
    if (const int32_t status = require_state("reading the state"); status != LONGRUN_OK)
        return status;
    const Stepper& stepper = *stepper_;
    std::memcpy(state, stepper.state(), static_cast<std::size_t>(size()) * sizeof(Complex));
    return LONGRUN_OK;
}

int32_t Propagation::bare_evaluations(int64_t count, int64_t* elapsed_ns) noexcept {
    if (const int32_t status = require_state("measuring"); status != LONGRUN_OK)
        return status;
    Source& source = model_->source();
    const Blocks& inside = model_->active().inside;
    const Complex* state = stepper_->state();
    const Complex* output = source.output();
    const Complex* weight = source.weight();
    Complex* slope = stepper_->scratch();
    int64_t elapsed = 0;
    volatile double touched = 0;
    const Untimed untimed(parts_);
    steps_team().run([&](const Worker& worker) noexcept {
        for (int64_t i = 0; i < count; ++i) {
            const double sum = stepper_->touch(worker);
            worker.barrier();
            int64_t start = 0;
            if (worker.leads()) {
                touched = sum;
                start = now_ns();
            }
            source.evaluate(worker, z_m_, state);
            // 6 FLOP, 32 B read and 16 B written per element.
            worker.share(inside, [&](Range range, int64_t) {
                for_elements(range, [=]<class V>(int64_t j) noexcept {
                    store(slope, j, load<V>(weight, j) * load<V>(output, j));
                });
            });
            worker.barrier();
            if (worker.leads())
                elapsed += now_ns() - start;
        }
    });
    *elapsed_ns = elapsed;
    model_->take_excess();  // of a state that a step has already been judged by
    return LONGRUN_OK;
}

int32_t Propagation::bare_transforms(int64_t count, int64_t* elapsed_ns) noexcept {
    if (const int32_t status = require_state("measuring"); status != LONGRUN_OK)
        return status;
    Source& source = model_->source();
    const Complex* state = stepper_->state();
    int64_t elapsed = 0;
    steps_team().run([&](const Worker& worker) noexcept {
        for (int64_t i = 0; i < count; ++i) {
            worker.barrier();
            const int64_t start = now_ns();
            source.transforms(worker, state);
            laps_ns_[static_cast<std::size_t>(worker.rank())] = now_ns() - start;
            worker.barrier();
            // They take as long as the thread that takes longest; waiting is no part of them.
            if (worker.leads())
                elapsed += *std::max_element(laps_ns_.begin(), laps_ns_.end());
            source.rescale(worker);
        }
    });
    *elapsed_ns = elapsed;
    return LONGRUN_OK;
}

longrun_propagation_counts Propagation::counts() const noexcept {
    longrun_propagation_counts counts = counts_;
    counts.struct_size = static_cast<int64_t>(sizeof(counts));
    counts.threads_observed = std::max(team_.observed(), alone_.observed());
    return counts;
}

void Propagation::time_parts(bool on) noexcept {
    parts_.switch_on(on);
}

longrun_propagation_parts Propagation::parts() const noexcept {
    longrun_propagation_parts parts{};
    parts.struct_size = static_cast<int64_t>(sizeof(parts));
    parts.fft_ns = parts_.spent_ns(Part::kFft);
    parts.pointwise_ns = parts_.spent_ns(Part::kPointwise);
    parts.stepper_ns = parts_.spent_ns(Part::kStepper);
    parts.absorb_ns = parts_.spent_ns(Part::kAbsorb);
    parts.observe_ns = parts_.spent_ns(Part::kObserve);
    return parts;
}

}  // namespace longrun
