// The diagonal linear operator L, and the indices on which anything happens.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/arena.hpp"
#include "core/blocks.hpp"
#include "core/complex.hpp"
#include "core/moments.hpp"
#include "core/pack.hpp"

namespace longrun {

/// Where a state changes, as one contiguous run of indices in each part of it.
struct ActiveSet {
    Blocks inside;  /* linear operator or source not zero */
    Blocks outside; /* the rest: values are carried, never changed by a step */
};

/// Of each part the smallest run with all of its active indices.
ActiveSet find_active(const std::vector<Range>& parts, const std::function<bool(int64_t)>& active);

/// Of a spectrum in FFT order: at most two runs. `absorb` may be null; where it keeps something, an
/// index counts as inside.
ActiveSet find_active(const Complex* linear, const Complex* weight, const double* absorb,
                      int64_t points);

/// An operator that changes along the guide.
class Profile {
 public:
    virtual ~Profile() = default;

    /// Writes real and imaginary part of L at `z_m`, in 1/m, for the indices of `range`, which is a
    /// block of the active set; and whatever else of the equation is to be of the same place.
    virtual void at(double z_m, Range range, double* gain, double* rate) noexcept = 0;
};

class Diagonal {
 public:
    /// Copies `linear`, in 1/m. Lossless if no real part is different from zero.
    Diagonal(Arena& arena, const Complex* linear, int64_t points);

    /// Of an operator given by its values, in 1/m, which are not kept as a whole array beside it.
    Diagonal(Arena& arena, int64_t points, const std::function<Complex(int64_t)>& value);

    /// Of an operator that changes along the guide; `profile` must outlive this. 0 until it is
    /// frozen somewhere.
    Diagonal(Arena& arena, Profile& profile, bool lossless, int64_t points);

    bool lossless() const noexcept { return lossless_; }
    bool varies() const noexcept { return profile_ != nullptr; }

    /// From now on L is what it is at `z_m` for the indices of `range`, a block of the active set.
    /// Only of an operator that varies.
    void freeze(double z_m, Range range) noexcept { profile_->at(z_m, range, gain_, rate_); }

    /// L at an index, in 1/m.
    Complex value(int64_t index) const noexcept { return {gain_[index], rate_[index]}; }

    /// Writes e^{L length} for the indices of `range` to `out[0..]`. `length` in m.
    void exponentials(double length, Range range, Complex* out) const noexcept;

    /// Writes e^{L length} and its moments for the indices of `range`, a block at most, to the
    /// beginning of each table. `length` in m.
    void moments(double length, Range range, const MomentTables& tables) const noexcept;

    /// The same of L - shift, `shift` in 1/m. 2 FLOP and 16 B written per element more.
    void moments(double length, Complex shift, Range range,
                 const MomentTables& tables) const noexcept;

 private:
    double* gain_; /* Re L; 0 if lossless */
    double* rate_; /* Im L */
    bool lossless_ = true;
    Profile* profile_ = nullptr;
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
