#include "cartesian/planes.hpp"

#include <algorithm>

namespace longrun::cartesian {

Planes::Planes(const Planner& planner, const Shape& shape, Complex* sample)
    : bins_(shape.bins),
      area_(shape.area()),
      backward_(planner, PlanePlan::Direction::kBackward, shape.columns_y, shape.columns_x, sample),
      forward_(planner, PlanePlan::Direction::kForward, shape.columns_y, shape.columns_x, sample) {}

void Planes::to_columns(const Worker& worker, PartClock& clock, const Complex* in,
                        Complex* out) const noexcept {
    own_transform(worker, clock, [&] {
        for_planes(worker, [&](int64_t, int64_t first) {
            if (in != out)
                std::copy_n(in + first, area_, out + first);
            backward_.execute(out + first);
        });
    });
}

void Planes::to_columns(const Worker& worker, PartClock& clock, const double* factors,
                        Complex* planes) const noexcept {
    own_transform(worker, clock, [&] {
        for_planes(worker, [&](int64_t bin, int64_t first) {
            for (int64_t i = first; i < first + area_; ++i)
                planes[i] = factors[bin] * planes[i];
            backward_.execute(planes + first);
        });
    });
}

void Planes::to_waves(const Worker& worker, PartClock& clock, Complex* planes) const noexcept {
    own_transform(worker, clock, [&] {
        for_planes(worker, [&](int64_t, int64_t first) { forward_.execute(planes + first); });
    });
}

}  // namespace longrun::cartesian
