// Source of a field over a plane,
//
//   N(Y) = -i strength(w) / k_z F{ T(t) P( F^-1{Y} ) },
//
// F over x, y and t. Whole planes go to columns, a tile of columns at a time goes to time, is
// polarised and comes back, and whole planes go back to waves, all in one array of the state's
// size: what comes out of an evaluation.
#pragma once

#include <memory>
#include <string>

#include "cartesian/planes.hpp"
#include "cartesian/shape.hpp"
#include "cartesian/tiles.hpp"
#include "core/arena.hpp"
#include "longrun/optics.h"
#include "optics/parts.hpp"
#include "polarisation/nodes.hpp"
#include "steppers/source.hpp"

namespace longrun::cartesian {

class CartesianSource final : public Source {
 public:
    /// Copies what it needs of a checked problem and plans, on `work`, which is the state's size.
    /// `planes`, `work` and `clock` must outlive the source.
    CartesianSource(Arena& arena, const Planner& planner, const longrun_cartesian_problem& problem,
                    const Planes& planes, Complex* work, int threads, PartClock& clock);

    void evaluate(const Worker& worker, double z_m, const Complex* state) noexcept override;
    void transforms(const Worker& worker, const Complex* state) noexcept override;
    std::string plans() const override { return planes_.plans() + nodes_->plans(); }
    int64_t bytes() const noexcept override;
    const Complex* output() const noexcept override { return work_; }
    const Complex* weight() const noexcept override { return weight_; }

    /// The largest field beyond the table of rates since it was last asked for, or none.
    Excess take_excess() noexcept { return nodes_->take_excess(); }

 private:
    Shape shape_;
    const Planes& planes_;
    PartClock& clock_;
    Tiles tiles_;
    double inverse_; /* of the transforms to columns and to time */
    double scale_;   /* density, and the coarse over the fine samples */
    Complex* work_;
    Complex* weight_;
    std::unique_ptr<polarisation::Nodes> nodes_;
};

}  // namespace longrun::cartesian
