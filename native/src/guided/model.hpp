// Modes in a guide: a capillary with gas in it, a graded-index fibre, or free space within a tube
// so wide that nothing reaches its wall.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/arena.hpp"
#include "fft/planner.hpp"
#include "guided/absorb.hpp"
#include "guided/gradient.hpp"
#include "guided/source.hpp"
#include "guided/statistics.hpp"
#include "longrun/optics.h"
#include "optics/model.hpp"
#include "optics/parts.hpp"

namespace longrun {

class GuidedModel final : public Model {
 public:
    /// Copies the arrays of the problem, which must have been checked, and the window over its
    /// nodes unless that is null; allocates and plans, for a team of `threads`. Arena and clock
    /// must outlive the model.
    GuidedModel(Arena& arena, const Planner& planner, const longrun_guided_problem& problem,
                const double* absorb_nodes, int threads, PartClock& clock);

    int64_t size() const noexcept override { return size_; }
    /// With one node all but the passes of the stepper is the leader's anyway.
    bool shares() const noexcept override { return nodes_ > 1 || size_ >= Team::kShareFrom; }
    const ActiveSet& active() const noexcept override { return active_; }
    Diagonal& diagonal() noexcept override { return diagonal_; }
    Source& source() noexcept override { return source_; }
    Multistep::Estimate estimate() const noexcept override {
        return Multistep::Estimate::kLowerCorrector;
    }
    std::string plans() const override;
    const CarrierShift* shift() const noexcept override { return shift_ ? &*shift_ : nullptr; }
    Excess take_excess() noexcept override { return source_.take_excess(); }
    bool absorbs() const noexcept override { return absorber_.has_value(); }
    void absorb_over(double h_m) noexcept override { absorber_->act_over(h_m); }
    void absorb(const Worker& worker, Complex* state) noexcept override;
    double absorbed_norm() const noexcept override { return absorber_->norm(); }
    double edge_energy_j() const noexcept override {
        return energy_scale_ * absorber_->taken_by_edge();
    }
    Complex* plane() noexcept override { return observer_.plane(); }
    void observe(Team& team, longrun_plane_statistics& statistics,
                 double* intensity) noexcept override;
    int64_t nodes() const noexcept override { return nodes_; }
    void observe_nodes(Team& team, double* fluence, double* peak) noexcept override;

 private:
    int64_t size_;
    int64_t nodes_;
    double energy_scale_;
    Complex* weight_;
    std::unique_ptr<guided::Gradient> gradient_; /* null: the operator is the same everywhere */
    ActiveSet active_;
    std::optional<CarrierShift> shift_;
    Diagonal diagonal_;
    guided::GuidedSource source_;
    guided::ModalObserver observer_;
    std::optional<guided::ModalAbsorber> absorber_;
};

}  // namespace longrun
