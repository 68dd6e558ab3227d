// What of a problem matters where fields are polarised: its grids, and what the medium does.
#pragma once

#include <cstdint>

#include "core/blocks.hpp"
#include "longrun/optics.h"

namespace longrun::polarisation {

/// Pointers are to arrays of the problem and need only live while nodes are made.
struct Setting {
    int32_t field;        /* LONGRUN_FIELD_... */
    Range bins;           /* of a spectrum that comes in: of the half spectrum of a real field */
    int64_t fine_points;  /* samples at which the medium answers */
    double step_s;        /* between them */
    const double* omega;  /* of an envelope: w of each bin, 0 outside the valid set */
    double kerr;          /* factor of E |E|² */
    int64_t raman_points; /* length of the convolution */
    const double* raman;  /* its transform, or null */
    const longrun_rate_table* rates; /* or null */
    const double* time_window;       /* fine_points, or null: 1 everywhere */
};

/// Values of a spectrum on the fine grid.
inline int64_t spectrum_size(const Setting& setting) noexcept {
    return setting.field == LONGRUN_FIELD_REAL ? setting.fine_points / 2 + 1 : setting.fine_points;
}

}  // namespace longrun::polarisation
