// What leaves the windows in frequency, in time and at the edges of the plane is absorbed after
// every accepted step: as much as over the length of that step. In place, plane after plane and
// tile after tile, as the source does it.
#pragma once

#include <string>
#include <vector>

#include "absorb/power_window.hpp"
#include "cartesian/planes.hpp"
#include "cartesian/shape.hpp"
#include "cartesian/tiles.hpp"
#include "core/arena.hpp"
#include "core/blocks.hpp"
#include "core/team.hpp"
#include "fft/plan.hpp"
#include "longrun/optics.h"
#include "optics/parts.hpp"

namespace longrun::cartesian {

class CartesianAbsorber {
 public:
    /// Copies the windows of a checked problem, which must have some. Plans. `planes` must outlive
    /// this.
    CartesianAbsorber(Arena& arena, const Planner& planner,
                      const longrun_cartesian_problem& problem, const Planes& planes, int threads);

    /// From now on the windows are those of a step of `h_m`.
    void act_over(double h_m) noexcept;

    /// state <- F{ x(x) y(y) temporal F^-1{ spectral state } }. Collective; waits for the team at
    /// its start.
    void apply(const Worker& worker, Complex* state) noexcept;

    /// One line for each FFT plan that is not that of the planes.
    std::string plans() const { return backward_.text() + "\n" + forward_.text() + "\n"; }

    /// L2 norm of what `apply` has left.
    double norm() const noexcept;

    /// What the edges took of the sum of squares, by the last `apply`.
    double taken_by_edges() const noexcept;

 private:
    double absorb_column(int64_t column, Complex* spectrum, double* time) const noexcept;

    Shape shape_;
    const Planes& planes_;
    PartClock untimed_; /* absorption is a part of its own */
    Tiles tiles_;
    PowerWindow spectral_; /* with what the inverse transforms leave out */
    PowerWindow temporal_;
    PowerWindow x_;
    PowerWindow y_;
    bool renew_ = false;
    Blocks whole_;
    double* sums_;               /* of each block of the state */
    double* taken_;              /* of each tile */
    std::vector<double*> times_; /* of each thread: n samples */
    RealBackwardPlan backward_;
    RealForwardPlan forward_;
};

}  // namespace longrun::cartesian
