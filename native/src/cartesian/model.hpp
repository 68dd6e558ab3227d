// A field over a plane, sampled in x, y and time.
#pragma once

#include <optional>
#include <string>

#include "cartesian/absorb.hpp"
#include "cartesian/observe.hpp"
#include "cartesian/planes.hpp"
#include "cartesian/shape.hpp"
#include "cartesian/source.hpp"
#include "core/arena.hpp"
#include "fft/planner.hpp"
#include "longrun/optics.h"
#include "optics/model.hpp"
#include "optics/parts.hpp"

namespace longrun {

class CartesianModel final : public Model {
 public:
    /// Copies the arrays of the problem, which must have been checked, allocates and plans, for a
    /// team of `threads`. Arena and clock must outlive the model.
    CartesianModel(Arena& arena, const Planner& planner, const longrun_cartesian_problem& problem,
                   int threads, PartClock& clock);

    int64_t size() const noexcept override { return shape_.size(); }
    const ActiveSet& active() const noexcept override { return active_; }
    Diagonal& diagonal() noexcept override { return diagonal_; }
    Source& source() noexcept override { return source_; }
    Multistep::Estimate estimate() const noexcept override {
        return Multistep::Estimate::kLowerCorrector;
    }
    std::string plans() const override;
    Excess take_excess() noexcept override { return source_.take_excess(); }
    bool absorbs() const noexcept override { return absorber_.has_value(); }
    void absorb_over(double h_m) noexcept override { absorber_->act_over(h_m); }
    void absorb(const Worker& worker, Complex* state) noexcept override;
    double absorbed_norm() const noexcept override { return absorber_->norm(); }
    double edge_energy_j() const noexcept override {
        return energy_scale_ * absorber_->taken_by_edges();
    }
    /// Used up by the pass that follows an evaluation, so free between steps.
    Complex* plane() noexcept override { return work_; }
    void observe(Team& team, longrun_plane_statistics& statistics,
                 double* intensity) noexcept override;
    int64_t nodes() const noexcept override { return shape_.area(); }
    void observe_nodes(Team& team, double* fluence, double* peak) noexcept override;

 private:
    cartesian::Shape shape_;
    double energy_scale_;
    Complex* work_;
    cartesian::Planes planes_;
    ActiveSet active_;
    Diagonal diagonal_;
    cartesian::CartesianSource source_;
    cartesian::CartesianObserver observer_;
    std::optional<cartesian::CartesianAbsorber> absorber_;
};

}  // namespace longrun
