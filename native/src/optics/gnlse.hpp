// Source of the generalised nonlinear Schrödinger equation on an envelope grid,
//
//   N(Y) = s(w) F{ T(t) A [ kerr |A|^2 + raman (h * |A|^2) ] },   A = F^-1{Y}.
//
// J. M. Dudley, G. Genty and S. Coen, Rev. Mod. Phys. 78, 1135 (2006), eq. (3).
#pragma once

#include <optional>

#include "core/arena.hpp"
#include "core/blocks.hpp"
#include "longrun/optics.h"
#include "optics/parts.hpp"
#include "optics/pointwise.hpp"
#include "optics/raman.hpp"
#include "optics/transforms.hpp"
#include "steppers/source.hpp"

namespace longrun {

class GnlseSource final : public Source {
 public:
    /// Copies the arrays of the problem, which must have been checked, and plans.
    /// `active` is the number of values that the weight is applied to. Evaluations are on `clock`
    /// as transforms and as pointwise work; it must outlive the source. The team shares the
    /// pointwise passes from `share_from` points on; below, the leader makes all of them.
    GnlseSource(Arena& arena, const Planner& planner, const longrun_gnlse_problem& problem,
                Transforms& transforms, int64_t active, PartClock& clock,
                int64_t share_from = Team::kShareFrom);

    void evaluate(const Worker& worker, double z_m, const Complex* state) noexcept override;
    void evaluate_absorbed(const Worker& worker, double z_m,
                           const Complex* state) noexcept override;
    void transforms(const Worker& worker, const Complex* state) noexcept override;
    void rescale(const Worker& worker) noexcept override;
    std::string plans() const override;
    int64_t bytes() const noexcept override;
    const Complex* output() const noexcept override { return transforms_.spectrum; }
    const Complex* weight() const noexcept override { return weight_; }

 private:
    /// Where the field in time is from.
    enum class Field { kOfState, kLeftByAbsorber };

    void evaluate(const Worker& worker, const Complex* state, Field field) noexcept;
    void work(const Worker& worker, const Complex* state, Field field) noexcept;

    Transforms& transforms_;
    PartClock& clock_;
    Blocks whole_;
    int64_t active_;
    int64_t share_from_;
    Complex* weight_; /* s(w) */
    std::optional<Raman> raman_;
    Polarisation polarisation_; /* of A without its 1/n */
};

}  // namespace longrun
