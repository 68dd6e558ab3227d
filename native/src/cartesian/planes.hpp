// Transforms over x and y, plane after plane of the state.
//
// A plane is one bin of the spectrum in time: contiguous, and small enough for a cache where the
// state is not. Each thread takes whole planes.
#pragma once

#include <cstdint>
#include <string>

#include "cartesian/shape.hpp"
#include "core/team.hpp"
#include "fft/plan.hpp"
#include "optics/parts.hpp"

namespace longrun::cartesian {

class Planes {
 public:
    /// Plans on the first plane of `sample`, which is overwritten.
    Planes(const Planner& planner, const Shape& shape, Complex* sample);

    /// Waves become columns: the unnormalised inverse transform of each plane of `in`, into `out`,
    /// which may be `in`. Collective; does not wait for the team.
    void to_columns(const Worker& worker, PartClock& clock, const Complex* in,
                    Complex* out) const noexcept;

    /// The same with a factor for each plane.
    void to_columns(const Worker& worker, PartClock& clock, const double* factors,
                    Complex* planes) const noexcept;

    /// Columns become waves: the unnormalised transform of each plane, in place. Collective; does
    /// not wait for the team.
    void to_waves(const Worker& worker, PartClock& clock, Complex* planes) const noexcept;

    /// One line for each FFT plan.
    std::string plans() const { return backward_.text() + "\n" + forward_.text() + "\n"; }

 private:
    template <class Body>
    void for_planes(const Worker& worker, const Body& body) const noexcept {
        worker.divide(bins_, 1, [&](int64_t bin, int64_t) { body(bin, bin * area_); });
    }

    int64_t bins_;
    int64_t area_;
    PlanePlan backward_;
    PlanePlan forward_;
};

}  // namespace longrun::cartesian
