// Plane waves: what L and the factor of the source are for each value of the state.
//
//   k_z² = K(w)² - k_x² - k_y²
//   L = -i (k_z - frame w)                        where k_z is real
//   L = -min(|k_z|, evanescent_max) + i frame w   elsewhere, without a source
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/complex.hpp"
#include "longrun/optics.h"

namespace longrun::cartesian {

class Waves {
 public:
    /// `problem` must outlive this.
    explicit Waves(const longrun_cartesian_problem& problem) noexcept : problem_(problem) {}

    /// L in 1/m.
    Complex linear(int64_t index) const noexcept {
        const Wave wave = at(index);
        const double frame = problem_.frame_s_per_m * problem_.omega[wave.bin];
        if (wave.square >= 0)
            return {0, frame - std::sqrt(wave.square)};
        return {-std::min(std::sqrt(-wave.square), problem_.evanescent_max_per_m), frame};
    }

    /// Between the transform of the polarisation and the source.
    Complex weight(int64_t index) const noexcept {
        const Wave wave = at(index);
        if (wave.square < 0)
            return {0, 0};
        const double least = problem_.grazing * problem_.wavenumber[wave.bin];
        return {0, -problem_.strength[wave.bin] / std::max(std::sqrt(wave.square), least)};
    }

 private:
    struct Wave {
        int64_t bin;
        double square; /* k_z² */
    };

    Wave at(int64_t index) const noexcept {
        const int64_t columns = problem_.columns_x;
        const int64_t row = index / columns;
        const int64_t bin = row / problem_.columns_y;
        const double k = problem_.wavenumber[bin];
        const double x = problem_.k_x[index % columns];
        const double y = problem_.k_y[row % problem_.columns_y];
        return {bin, k * k - (x * x + y * y)};
    }

    const longrun_cartesian_problem& problem_;
};

}  // namespace longrun::cartesian
