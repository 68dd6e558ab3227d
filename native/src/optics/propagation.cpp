#include "optics/propagation.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/reduce.hpp"
#include "optics/adams_controller.hpp"
#include "optics/checks.hpp"
#include "optics/dormand_prince.hpp"
#include "optics/multistep.hpp"
#include "optics/pair_controller.hpp"
#include "optics/rk4ip.hpp"

namespace longrun {
namespace {

std::vector<Complex> pairs(const double* interleaved, int64_t count) {
    std::vector<Complex> values(static_cast<std::size_t>(count));
    std::memcpy(values.data(), interleaved, values.size() * sizeof(Complex));
    return values;
}

ActiveSet active_set(const longrun_gnlse_problem& problem) {
    return find_active(pairs(problem.linear, problem.points).data(),
                       pairs(problem.source, problem.points).data(), problem.absorb_spectral,
                       problem.points);
}

/// Order of the Adams steppers where the caller leaves it to them.
constexpr int kAdamsOrderDefault = 5;

std::unique_ptr<Stepper> make_stepper(const longrun_stepper& stepper, Arena& arena, Team& team,
                                      Source& source, const Diagonal& diagonal,
                                      const ActiveSet& active, int64_t points) {
    const int order = stepper.order == 0 ? kAdamsOrderDefault : stepper.order;
    switch (stepper.kind) {
        case LONGRUN_STEPPER_RK4IP:
            return std::make_unique<Rk4ip>(arena, team, source, diagonal, active, points);
        case LONGRUN_STEPPER_MULTISTEP:
            return std::make_unique<Multistep>(arena, team, source, diagonal, active, points, order,
                                               Multistep::Frame::kNone);
        case LONGRUN_STEPPER_MULTISTEP_INTERACTION:
            return std::make_unique<Multistep>(arena, team, source, diagonal, active, points, order,
                                               Multistep::Frame::kLinear);
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

Propagation::Propagation(const longrun_gnlse_problem& problem, const longrun_stepper& stepper,
                         int threads, Wisdom* wisdom)
    : team_(threads),
      points_(problem.points),
      length_m_(stepper.length_m),
      transforms_(arena_, Planner(wisdom), problem.points),
      active_(active_set(problem)),
      diagonal_(arena_, pairs(problem.linear, problem.points).data(), problem.points),
      source_(std::make_unique<GnlseSource>(arena_, Planner(wisdom), problem, transforms_,
                                            active_.inside.elements(), parts_)),
      stepper_(make_stepper(stepper, arena_, team_, *source_, diagonal_, active_, problem.points)),
      observer_(arena_, transforms_, problem.time_step_s, problem.carrier_rad_s),
      controller_(make_controller(stepper)),
      plans_(source_->plans()) {
    if (problem.absorb_spectral != nullptr) {
        const double* spectral = arena_.copy(problem.absorb_spectral, problem.points);
        const double* temporal = arena_.copy(problem.absorb_temporal, problem.points);
        absorber_.emplace(arena_, transforms_, spectral, temporal);
    }
    if (stepper.schedule_m != nullptr)
        schedule_ = Schedule(stepper.schedule_m, stepper.schedule_count, stepper.length_m);
    steps_.reserve(static_cast<std::size_t>(kStepsMax));
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
    std::memcpy(stepper_->state(), state, static_cast<std::size_t>(points_) * sizeof(Complex));
    norm_ = norm_of(stepper_->state(), points_);
    if (!std::isfinite(norm_))
        return fail(LONGRUN_NOT_FINITE,
                    "setting the state failed: its norm is not finite at z = %.17g m; check the "
                    "launched field",
                    z_m);
    stepper_->restart();
    controller_->restart();
    team_.forget();
    counts_ = {};
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
    for (;;) {
        const Proposal proposal = controller_->propose(z_m_, length_m_);
        const double z_next = proposal.last ? length_m_ : z_m_ + proposal.step;
        if (!(z_next > z_m_))
            return fail(LONGRUN_STEP_FAILED,
                        "advancing failed at z = %.17g m: a step of %.3g m no longer moves the "
                        "position; loosen the tolerance",
                        z_m_, proposal.step);
        const Attempt attempt = try_step(proposal.step);
        const double error = controller_->relative_error(attempt.error, norm_, attempt.norm);
        if (controller_->judge(proposal.step, error, attempt.order))
            return accepted(proposal.step, z_next, attempt.norm);
        ++counts_.rejected;
        if (controller_->gave_up())
            return fail(LONGRUN_STEP_FAILED,
                        "advancing failed at z = %.17g m: more than %d attempts in a row were "
                        "rejected, the last with a step of %.3g m and a relative error of %.3g; "
                        "check the launched field or loosen the tolerance",
                        z_m_, kRejectionsMax, proposal.step, error);
    }
}

int32_t Propagation::scheduled_step() noexcept {
    const double h = schedule_.step(schedule_next_);
    const Attempt attempt = try_step(h);
    ++schedule_next_;
    return accepted(h, schedule_.boundary(schedule_next_), attempt.norm);
}

Attempt Propagation::try_step(double h) noexcept {
    const Timed timed(parts_, Part::kStepper);
    const Attempt attempt = stepper_->attempt(z_m_, h);
    counts_.evaluations += attempt.evaluations;
    return attempt;
}

int32_t Propagation::accepted(double h, double z_next, double norm) noexcept {
    stepper_->accept();
    ++counts_.accepted;
    steps_.push_back(h);  // within the reserved capacity
    previous_m_ = z_m_;
    z_m_ = z_next;
    norm_ = norm;
    if (absorber_)
        absorb();
    settle();
    if (!std::isfinite(norm_))
        return fail(LONGRUN_NOT_FINITE,
                    "advancing failed: the state is not finite at z = %.17g m; shorten the steps "
                    "or check the launched field",
                    z_m_);
    return LONGRUN_OK;
}

void Propagation::settle() noexcept {
    const Timed timed(parts_, Part::kStepper);
    const auto since = absorber_ ? Stepper::Since::kAbsorbed : Stepper::Since::kNothing;
    counts_.evaluations += stepper_->settle(since);
}

void Propagation::absorb() noexcept {
    const Timed timed(parts_, Part::kAbsorb);
    const int64_t start = now_ns();
    Complex* state = stepper_->state();
    team_.run([&](const Worker& worker) noexcept { absorber_->apply(worker, state, state); });
    norm_ = absorber_->norm();
    stepper_->disturbed();
    ++counts_.absorptions;
    counts_.absorb_ns += now_ns() - start;
}

int32_t Propagation::observe(double plane_m, longrun_plane_statistics& statistics,
                             double* intensity) noexcept {
    if (const int32_t status = require_state("observing"); status != LONGRUN_OK)
        return status;
    if (!(plane_m >= previous_m_ && plane_m <= z_m_))
        return fail(LONGRUN_INVALID_ARGUMENT,
                    "observing failed: the plane at %.17g m is not within the last step, %.17g m "
                    "to %.17g m; advance to it first",
                    plane_m, previous_m_, z_m_);
    const Timed timed(parts_, Part::kObserve);
    const int64_t start = now_ns();
    // The spectrum of an evaluation is used up by the pass that follows it: its array is free.
    Complex* spectrum = transforms_.spectrum;
    if (plane_m == z_m_) {
        std::copy_n(stepper_->state(), points_, spectrum);
    } else {
        const double theta = (plane_m - previous_m_) / (z_m_ - previous_m_);
        team_.run(
            [&](const Worker& worker) noexcept { stepper_->interpolate(worker, theta, spectrum); });
    }
    observer_.observe(team_, statistics, intensity);
    statistics.z_m = plane_m;
    ++counts_.observations;
    counts_.observe_ns += now_ns() - start;
    return LONGRUN_OK;
}

int32_t Propagation::get_state(double* state) const noexcept {
    if (const int32_t status = require_state("reading the state"); status != LONGRUN_OK)
        return status;
    const Stepper& stepper = *stepper_;
    std::memcpy(state, stepper.state(), static_cast<std::size_t>(points_) * sizeof(Complex));
    return LONGRUN_OK;
}

int32_t Propagation::bare_evaluations(int64_t count, int64_t* elapsed_ns) noexcept {
    if (const int32_t status = require_state("measuring"); status != LONGRUN_OK)
        return status;
    const Complex* state = stepper_->state();
    const Complex* output = source_->output();
    const Complex* weight = source_->weight();
    Complex* slope = stepper_->scratch();
    int64_t elapsed = 0;
    volatile double touched = 0;
    const Untimed untimed(parts_);
    team_.run([&](const Worker& worker) noexcept {
        for (int64_t i = 0; i < count; ++i) {
            const double sum = stepper_->touch(worker);
            worker.barrier();
            int64_t start = 0;
            if (worker.leads()) {
                touched = sum;
                start = now_ns();
            }
            source_->evaluate(worker, z_m_, state);
            // 6 FLOP, 32 B read and 16 B written per element.
            worker.share(active_.inside, [&](Range range, int64_t) {
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
    return LONGRUN_OK;
}

int32_t Propagation::bare_transforms(int64_t count, int64_t* elapsed_ns) noexcept {
    if (const int32_t status = require_state("measuring"); status != LONGRUN_OK)
        return status;
    const Complex* state = stepper_->state();
    int64_t elapsed = 0;
    for (int64_t i = 0; i < count; ++i) {
        const int64_t start = now_ns();
        source_->transforms(state);
        elapsed += now_ns() - start;
        source_->rescale();
    }
    *elapsed_ns = elapsed;
    return LONGRUN_OK;
}

longrun_propagation_counts Propagation::counts() const noexcept {
    longrun_propagation_counts counts = counts_;
    counts.struct_size = static_cast<int64_t>(sizeof(counts));
    counts.threads_observed = team_.observed();
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
