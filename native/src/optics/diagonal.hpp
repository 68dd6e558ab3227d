// The diagonal linear operator L, and the indices on which anything happens.
#pragma once

#include <cstdint>

#include "core/arena.hpp"
#include "core/blocks.hpp"
#include "core/complex.hpp"
#include "core/moments.hpp"
#include "core/pack.hpp"

namespace longrun {

/// Where a state changes, as at most two contiguous runs of indices in FFT order.
struct ActiveSet {
    Blocks inside;  /* linear operator or source not zero */
    Blocks outside; /* the rest: values are carried, never changed by a step */
};

/// `absorb` may be null; where it keeps something, an index counts as inside.
ActiveSet find_active(const Complex* linear, const Complex* weight, const double* absorb,
                      int64_t points);

class Diagonal {
 public:
    /// Copies `linear`, in 1/m. Lossless if no real part is different from zero.
    Diagonal(Arena& arena, const Complex* linear, int64_t points);

    bool lossless() const noexcept { return lossless_; }

    /// Writes e^{L length} for the indices of `range` to `out[0..]`. `length` in m.
    void exponentials(double length, Range range, Complex* out) const noexcept;

    /// Writes e^{L length} and its moments for the indices of `range`, a block at most, to the
    /// beginning of each table. `length` in m.
    void moments(double length, Range range, const MomentTables& tables) const noexcept;

 private:
    double* gain_; /* Re L; not read if lossless */
    double* rate_; /* Im L */
    bool lossless_ = true;
};

/// e^{-1} value, for an exponential e of the operator. Without loss the inverse is the conjugate.
template <bool Lossless, class V>
inline V undo(V e, V value) noexcept {
    const V turned = conjugate(e) * value;
    if constexpr (Lossless)
        return turned;
    else
        return (1.0 / squared(e)) * turned;
}

}  // namespace longrun
