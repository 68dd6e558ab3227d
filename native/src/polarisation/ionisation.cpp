#include "polarisation/ionisation.hpp"

#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "core/exponentials.hpp"

namespace longrun::polarisation {
namespace {

constexpr double kDrift = kElectronCharge * kElectronCharge / kElectronMass;

inline double magnitude_of(double field) noexcept {
    return std::fabs(field);
}
inline double magnitude_of(Complex field) noexcept {
    return std::sqrt(squared(field));
}

/// Current that takes `power` from the field; 0 where there is no power or nothing to take it from.
inline double release_of(double power, double field, double magnitude) noexcept {
    return power > 0 && magnitude > 0 ? power / field : 0.0;
}
inline Complex release_of(double power, Complex field, double magnitude) noexcept {
    const bool acts = power > 0 && magnitude > 0;
    return (acts ? 2 * power / (magnitude * magnitude) : 0.0) * field;
}

}  // namespace

Ionisation::Ionisation(Arena& arena, const longrun_rate_table& rates, double step_s)
    : first_(rates.first_field_v_m),
      inverse_step_(1 / rates.step_v_m),
      cells_(rates.cells),
      limit_(rates.first_field_v_m + static_cast<double>(rates.cells) * rates.step_v_m),
      coefficients_(arena.copy(rates.coefficients, 4 * rates.cells)),
      energy_(rates.ionisation_energy_j),
      half_step_s_(step_s / 2) {}

double Ionisation::react(const double* field, double* growth, double* release,
                         int64_t count) const noexcept {
    return react_to(field, growth, release, count);
}

double Ionisation::react(const Complex* field, Complex* growth, Complex* release,
                         int64_t count) const noexcept {
    return react_to(field, growth, release, count);
}

template <class Value>
double Ionisation::react_to(const Value* field, Value* growth, Value* release,
                            int64_t count) const noexcept {
    Past past;
    double largest = 0;
    Piece magnitude;
    Piece rate;
    Piece bound;
    for (int64_t begin = 0; begin < count; begin += kPiece) {
        const int64_t here = std::min(kPiece, count - begin);
        double peak = 0;
#pragma omp simd reduction(max : peak)
        for (int64_t i = 0; i < here; ++i) {
            const double value = magnitude_of(field[begin + i]);
            magnitude[static_cast<std::size_t>(i)] = value;
            peak = value > peak ? value : peak;
        }
        if (peak < first_) {
            pass_over(past);
            const double factor = kDrift * past.fraction;
#pragma omp simd
            for (int64_t i = begin; i < begin + here; ++i) {
                growth[i] = factor * field[i];
                release[i] = Value{};
            }
            continue;
        }
        largest = std::max(largest, peak);
        follow(magnitude, here, past, rate, bound);
#pragma omp simd
        for (int64_t i = 0; i < here; ++i) {
            const auto j = static_cast<std::size_t>(i);
            const Value value = field[begin + i];
            growth[begin + i] = (kDrift * (1 - bound[j])) * value;
            release[begin + i] = release_of(energy_ * rate[j] * bound[j], value, magnitude[j]);
        }
    }
    return largest > limit_ ? largest : 0.0;
}

/// A piece in which nothing is set free: what is left is half a trapezoid at its beginning.
void Ionisation::pass_over(Past& past) const noexcept {
    past.begun = true;
    if (past.rate == 0)
        return;
    past.exponent += half_step_s_ * past.rate;
    past.rate = 0;
    const double exponent = -past.exponent;
    double bound = 1;
    real_exponentials(&exponent, &bound, 1);
    past.fraction = 1 - bound;
}

/// Rates, and what is still bound: 1 - f.
void Ionisation::follow(const Piece& magnitude, int64_t count, Past& past, Piece& rate,
                        Piece& bound) const noexcept {
    const auto last = static_cast<double>(cells_);
    const auto size = static_cast<std::size_t>(count);
    for (std::size_t i = 0; i < size; ++i) {
        // Written so that what is no number is taken for the first cell.
        double position = (magnitude[i] - first_) * inverse_step_;
        position = position > 0 ? position : 0.0;
        position = position < last ? position : last;
        const int64_t cell = std::min(static_cast<int64_t>(position), cells_ - 1);
        const double t = position - static_cast<double>(cell);
        const double* c = coefficients_ + 4 * cell;
        rate[i] = c[0] + t * (c[1] + t * (c[2] + t * c[3]));
    }
    real_exponentials(rate.data(), rate.data(), count);
    for (std::size_t i = 0; i < size; ++i) {
        rate[i] = magnitude[i] >= first_ ? rate[i] : 0.0;
        if (past.begun)
            past.exponent += half_step_s_ * (past.rate + rate[i]);
        past.begun = true;
        past.rate = rate[i];
        bound[i] = -past.exponent;
    }
    real_exponentials(bound.data(), bound.data(), count);
    past.fraction = 1 - bound[size - 1];
}

}  // namespace longrun::polarisation
