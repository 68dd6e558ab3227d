// Statistics of the field at one plane, from its spectrum and its envelope.
#pragma once

#include "core/arena.hpp"
#include "core/blocks.hpp"
#include "core/team.hpp"
#include "longrun/optics.h"
#include "optics/transforms.hpp"

namespace longrun {

class PlaneObserver {
 public:
    /// Time between samples in s, carrier in rad/s.
    PlaneObserver(Arena& arena, Transforms& transforms, double time_step_s, double carrier_rad_s);

    /// Reads the spectrum in the work array of the transforms and destroys both work arrays.
    /// `intensity` receives |Y|² unless null. Fills everything but `struct_size` and `z_m`.
    void observe(Team& team, longrun_plane_statistics& statistics, double* intensity) noexcept;

 private:
    struct SpectralSums {
        double energy;
        double photons;
        double frequency;
    };
    struct TemporalSums {
        double energy;
        double time;
        double peak;
        int64_t peak_index;
    };

    SpectralSums spectral_sums(Range range, double* intensity) const noexcept;
    TemporalSums temporal_sums(Range range) const noexcept;
    double spread(Range range, double mean) const noexcept;
    double sum_column(int64_t column) const noexcept;
    double omega(int64_t index) const noexcept;
    double time(int64_t index) const noexcept;

    Transforms& transforms_;
    Blocks whole_;
    double time_step_s_;
    double carrier_rad_s_;
    double* columns_; /* kColumns block sums each */
    int64_t* peaks_;
};

}  // namespace longrun
