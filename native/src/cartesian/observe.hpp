// Statistics of a field over a plane: sums over its waves, and what is in each of its columns.
//
// The envelope is the analytic signal.
#pragma once

#include <string>
#include <vector>

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

class CartesianObserver {
 public:
    /// Copies what it needs of a checked problem. Plans. `planes` must outlive this.
    CartesianObserver(Arena& arena, const Planner& planner,
                      const longrun_cartesian_problem& problem, const Planes& planes, int threads);

    /// Reads the state at the plane. `intensity` receives its squared moduli unless null. Fills
    /// everything but `struct_size` and `z_m`.
    void observe(Team& team, const Complex* state, longrun_plane_statistics& statistics,
                 double* intensity) noexcept;

    /// For each column the integral of |E|² dt and the largest |E|²; either may be null. Destroys
    /// the state.
    void observe_columns(Team& team, Complex* state, double* fluence, double* peak) noexcept;

    /// One line for its FFT plan.
    std::string plans() const { return backward_.text() + "\n"; }

 private:
    /// Tiles whose powers are summed one after the other.
    static constexpr int64_t kTilesTogether = 64;

    void observe_spectrum(Team& team, const Complex* state, longrun_plane_statistics& statistics,
                          double* intensity) noexcept;
    void observe_power(Team& team, const Complex* state,
                       longrun_plane_statistics& statistics) noexcept;
    void analytic(Complex* spectrum, Complex* time) const noexcept;
    double time_s(int64_t index) const noexcept;
    template <class Value>
    double sum_samples(const Value& value) noexcept;

    Shape shape_;
    const Planes& planes_;
    PartClock untimed_; /* observation is a part of its own */
    double time_step_s_;
    double energy_scale_;
    const double* omega_;
    Tiles tiles_;
    Blocks samples_;
    double* plane_sums_;          /* of each bin: squared moduli */
    double* group_powers_;        /* of each group of tiles: n */
    double* power_;               /* n, in W */
    double* sums_;                /* block sums of the samples */
    std::vector<Complex*> times_; /* of each thread: n values */
    BackwardPlan backward_;
};

}  // namespace longrun::cartesian
