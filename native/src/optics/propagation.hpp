// A propagation in progress: position, counters, record of steps; who steps and who observes.
//
// Everything is allocated and planned by the constructor. No other function allocates.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/arena.hpp"
#include "core/team.hpp"
#include "fft/wisdom.hpp"
#include "longrun/optics.h"
#include "optics/model.hpp"
#include "optics/parts.hpp"
#include "steppers/controller.hpp"
#include "steppers/schedule.hpp"
#include "steppers/stepper.hpp"

namespace longrun {

/// Accepted steps that one run can record (8 MB). The record never grows while stepping.
constexpr int64_t kStepsMax = 1'000'000;

class Propagation {
 public:
    /// `problem` and `stepper` must have been checked; `wisdom` may be null and is not kept. Throws
    /// where memory or a plan is missing.
    Propagation(const longrun_gnlse_problem& problem, const longrun_stepper& stepper, int threads,
                Wisdom* wisdom);
    Propagation(const longrun_guided_problem& problem, const longrun_stepper& stepper, int threads,
                Wisdom* wisdom);
    Propagation(const longrun_cartesian_problem& problem, const longrun_stepper& stepper,
                int threads, Wisdom* wisdom);
    /// With a window over the nodes unless `absorb_nodes` is null.
    Propagation(const longrun_guided_problem& problem, const double* absorb_nodes,
                const longrun_stepper& stepper, int threads, Wisdom* wisdom);

    int64_t size() const noexcept { return model_->size(); }
    const char* plans() const noexcept { return plans_.c_str(); }
    int64_t source_bytes() const noexcept { return model_->source().bytes(); }
    int64_t nodes() const noexcept { return model_->nodes(); }
    double edge_energy_j() const noexcept { return edge_energy_j_; }

    /// The functions of the ABI with checked pointers; they return a status.
    int32_t set_state(double z_m, const double* state) noexcept;
    int32_t advance(double plane_m, int64_t steps_max, double* z_m) noexcept;
    int32_t observe(double plane_m, longrun_plane_statistics& statistics,
                    double* intensity) noexcept;
    int32_t observe_nodes(double plane_m, double* fluence, double* peak) noexcept;
    int32_t get_state(double* state) const noexcept;
    int32_t bare_evaluations(int64_t count, int64_t* elapsed_ns) noexcept;
    int32_t bare_transforms(int64_t count, int64_t* elapsed_ns) noexcept;

    longrun_propagation_counts counts() const noexcept;
    void time_parts(bool on) noexcept;
    longrun_propagation_parts parts() const noexcept;
    const std::vector<double>& steps() const noexcept { return steps_; }

 private:
    /// What does not depend on the model.
    Propagation(const longrun_stepper& stepper, int threads);

    void begin(std::unique_ptr<Model> model, const longrun_stepper& stepper);
    int32_t step() noexcept;
    int32_t controlled_step() noexcept;
    int32_t scheduled_step() noexcept;
    Attempt try_step(double h) noexcept;
    int32_t accepted(double h, double z_next, double norm) noexcept;
    /// Who takes steps. Planes are shared by the whole team whatever the model says.
    Team& steps_team() noexcept { return model_->shares() ? team_ : alone_; }
    void freeze(double z_m) noexcept;
    void settle() noexcept;
    void absorb(double h) noexcept;
    int32_t give_up(double h, double error) const noexcept;
    int32_t fail_beyond_table() const noexcept;
    int32_t require_state(const char* attempt) const noexcept;
    int32_t require_plane(double plane_m) const noexcept;
    void place_plane(double plane_m) noexcept;

    Arena arena_;
    Team team_;
    Team alone_{1};
    std::vector<int64_t> laps_ns_; /* of each thread, for measurement */
    double length_m_;
    PartClock parts_;
    std::unique_ptr<Model> model_;
    std::unique_ptr<Stepper> stepper_;
    std::unique_ptr<Controller> controller_;
    Schedule schedule_;
    int64_t schedule_next_ = 0;
    std::string plans_;

    bool ready_ = false; /* a state is set and has not failed since */
    double z_m_ = 0;
    double previous_m_ = 0;    /* start of the last step; the position if there was none */
    double norm_ = 0;          /* L2 norm of the state */
    double edge_energy_j_ = 0; /* absorbed over the cross-section */
    Excess excess_{};          /* of the last attempt, or of what followed it */
    Excess shortened_by_{};    /* of attempts at the last accepted step */
    longrun_propagation_counts counts_{};
    std::vector<double> steps_;
};

}  // namespace longrun
