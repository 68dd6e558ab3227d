#include "steppers/carrier_shift.hpp"

#include "core/exponentials.hpp"

namespace longrun {

Complex exponential(Complex rate, double length) noexcept {
    Complex out;
    damped_exponentials(&rate.re, &rate.im, length, &out, 1);
    return out;
}

ShiftFactors shift_factors(Complex shift, double h_m, const Nodes& nodes, const AdamsStep& step,
                           int count) noexcept {
    ShiftFactors factors{};
    factors.shift = shift;
    factors.end = exponential(shift, h_m);
    for (std::size_t j = 0; j < static_cast<std::size_t>(count); ++j) {
        factors.phases[j] = exponential(shift, (1 - nodes[j]) * h_m);
        factors.ends[j] = step.end[j] * factors.phases[j];
    }
    return factors;
}

}  // namespace longrun
