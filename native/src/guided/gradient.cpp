#include "guided/gradient.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"

namespace longrun::guided {
namespace {

const Complex* copy_pairs(Arena& arena, const double* interleaved, int64_t count) {
    Complex* values = arena.take<Complex>(count);
    for (int64_t i = 0; i < count; ++i)
        values[i] = {interleaved[2 * i], interleaved[2 * i + 1]};
    return values;
}

/// The root with a real part that is not negative. Of two halves of the same number it forms the
/// larger one by a root and the smaller one by a quotient, so that nothing cancels.
inline Complex principal_root(Complex square) noexcept {
    const double modulus = std::sqrt(square.re * square.re + square.im * square.im);
    const double larger = std::sqrt(0.5 * (modulus + std::fabs(square.re)));
    const double smaller = 0.5 * std::fabs(square.im) / larger;
    const double im = square.re >= 0 ? smaller : larger;
    return {square.re >= 0 ? larger : smaller, square.im >= 0 ? im : -im};
}

/// n - 1 from n² - 1, without the loss of digits of a difference.
inline Complex beyond_one(Complex beyond_one_squared, Complex index) noexcept {
    const Complex sum{index.re + 1, index.im};
    return (1 / squared(sum)) * (beyond_one_squared * conjugate(sum));
}

}  // namespace

Gradient::Gradient(Arena& arena, const longrun_guided_problem& problem, int64_t bins,
                   Complex* weight)
    : real_field_(problem.field == LONGRUN_FIELD_REAL),
      loss_(problem.gradient->loss != 0),
      bins_(bins),
      carrier_(problem.carrier_rad_s),
      omega_(arena.copy(problem.omega, bins)),
      susceptibility_(arena.copy(problem.gradient->susceptibility, bins)),
      waveguide_(copy_pairs(arena, problem.gradient->waveguide, problem.modes * bins)),
      source_(nullptr),
      weight_(weight) {
    const longrun_gradient& gradient = *problem.gradient;
    inlet_square_ = gradient.inlet_pa * gradient.inlet_pa;
    square_per_m_ = (gradient.outlet_pa * gradient.outlet_pa - inlet_square_) / gradient.length_m;
    thermal_ = kBoltzmann * gradient.temperature_k;
    virial_ = gradient.virial_m3;
    carrier_susceptibility_ = gradient.carrier_susceptibility;
    susceptibility_slope_ = gradient.susceptibility_slope;
    carrier_waveguide_ = {gradient.carrier_waveguide[0], gradient.carrier_waveguide[1]};
    waveguide_slope_ = {gradient.waveguide_slope[0], gradient.waveguide_slope[1]};
    index_min_ = gradient.index_min;
    max_loss_ = gradient.max_loss_per_m;
    if (gradient.over_index != 0)
        source_ = copy_pairs(arena, problem.source, problem.modes * bins);
}

double Gradient::density(double z_m) const noexcept {
    // Rounding may leave less than nothing at the end of a guide that ends in vacuum.
    const double square = std::max(inlet_square_ + z_m * square_per_m_, 0.0);
    const double ideal = std::sqrt(square) / thermal_;
    return 2 * ideal / (1 + std::sqrt(1 + 4 * virial_ * ideal));
}

/// From n² follows 2 n n' = rho chi' - waveguide'.
Gradient::Frame Gradient::frame(double density) const noexcept {
    const Complex beyond{density * carrier_susceptibility_ - carrier_waveguide_.re,
                         0.0 - carrier_waveguide_.im};
    const Complex index = principal_root({1 + beyond.re, beyond.im});
    const Complex slope{density * susceptibility_slope_ - waveguide_slope_.re,
                        0.0 - waveguide_slope_.im};
    const double derivative = 0.5 / squared(index) * (slope * conjugate(index)).re;
    const double beyond_vacuum = beyond_one(beyond, index).re;
    const double constant = real_field_ ? 0.0 : carrier_ / kSpeedOfLight * beyond_vacuum;
    return {beyond_vacuum + carrier_ * derivative, constant};
}

void Gradient::at(double z_m, Range range, double* gain, double* rate) noexcept {
    const double density = this->density(z_m);
    const Frame frame = this->frame(density);
    const double reference = real_field_ ? 0.0 : carrier_;
    const double loss_limit = loss_ ? max_loss_ : 0.0;
    const double index_min = index_min_;
    // A block lies within one mode.
    const int64_t offset = range.begin / bins_ * bins_;
    const double* omega = omega_ - offset;
    const double* susceptibility = susceptibility_ - offset;
    const Complex* waveguide = waveguide_;
    const Complex* source = source_;
    Complex* weight = weight_;
#pragma omp simd
    for (int64_t i = range.begin; i < range.end; ++i) {
        const double w = omega[i];
        const Complex beyond{density * susceptibility[i] - waveguide[i].re, 0.0 - waveguide[i].im};
        const Complex root = principal_root({1 + beyond.re, beyond.im});
        const bool guided = root.re >= index_min;
        const double past = guided ? beyond_one(beyond, root).re : index_min - 1;
        double alpha = 2 * (w / kSpeedOfLight) * root.im;
        alpha = alpha > 0 ? alpha : 0.0;
        alpha = alpha < loss_limit ? alpha : loss_limit;
        const double moving = (w - reference) / kSpeedOfLight * frame.per_omega + frame.constant;
        const bool valid = w > 0;
        gain[i] = valid ? -0.5 * alpha : 0.0;
        rate[i] = valid ? moving - w / kSpeedOfLight * past : 0.0;
        if (source != nullptr)
            weight[i] = (1 / (past + 1)) * source[i];
    }
}

}  // namespace longrun::guided
