// The generalised nonlinear Schrödinger equation on an envelope grid.
#pragma once

#include <optional>
#include <string>

#include "core/arena.hpp"
#include "fft/planner.hpp"
#include "longrun/optics.h"
#include "optics/absorb.hpp"
#include "optics/gnlse.hpp"
#include "optics/model.hpp"
#include "optics/parts.hpp"
#include "optics/statistics.hpp"
#include "optics/transforms.hpp"

namespace longrun {

class GnlseModel final : public Model {
 public:
    /// Copies the arrays of the problem, which must have been checked, allocates and plans. Arena
    /// and clock must outlive the model.
    GnlseModel(Arena& arena, const Planner& planner, const longrun_gnlse_problem& problem,
               PartClock& clock);

    int64_t size() const noexcept override { return transforms_.points; }
    const ActiveSet& active() const noexcept override { return active_; }
    Diagonal& diagonal() noexcept override { return diagonal_; }
    Source& source() noexcept override { return source_; }
    /// The tolerance of the interface was chosen with it.
    Multistep::Estimate estimate() const noexcept override {
        return Multistep::Estimate::kPredictor;
    }
    /// Windows and planes use those of the source.
    std::string plans() const override { return source_.plans(); }
    bool absorbs() const noexcept override { return absorber_.has_value(); }
    void absorb(const Worker& worker, Complex* state) noexcept override;
    double absorbed_norm() const noexcept override { return absorber_->norm(); }
    /// Used up by the pass that follows an evaluation, so free between steps.
    Complex* plane() noexcept override { return transforms_.spectrum; }
    void observe(Team& team, longrun_plane_statistics& statistics,
                 double* intensity) noexcept override;

 private:
    Transforms transforms_;
    ActiveSet active_;
    Diagonal diagonal_;
    GnlseSource source_;
    PlaneObserver observer_;
    std::optional<Absorber> absorber_;
};

}  // namespace longrun
