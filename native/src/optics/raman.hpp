// The delayed response h * |A|², from the field in time.
//
// The convolution is done with real transforms of length m = n (periodic) or m = 2 n
// (zero-padded), in one array of reals and one of half a spectrum.
#pragma once

#include <cstdint>
#include <string>

#include "core/arena.hpp"
#include "core/blocks.hpp"
#include "core/team.hpp"
#include "fft/plan.hpp"
#include "optics/parts.hpp"

namespace longrun {

class Raman {
 public:
    /// Plans for `points` values of the field and `padded` of the convolution. `table`, padded / 2
    /// + 1 values, is the transform of h with all factors; it must outlive this.
    Raman(Arena& arena, const Planner& planner, int64_t points, int64_t padded,
          const Complex* table);

    /// Leaves the response to `field` in `response`. Collective; waits for the team between its
    /// passes and at its end. The transforms count as such on `clock`.
    void convolve(const Worker& worker, PartClock& clock, const Complex* field) noexcept;

    /// Executes the transforms of a convolution and nothing else, which multiply the response by
    /// `padded`.
    void transforms() noexcept;

    /// Divides the response by `padded`. Without it, a few dozen `transforms` in a row overflow.
    void rescale() noexcept;

    /// `padded` values.
    const double* response() const noexcept { return real_; }

    /// One line for each FFT plan.
    std::string plans() const;

    /// Bytes that the passes beside the transforms read and write, and that it takes to read the
    /// response.
    int64_t bytes() const noexcept;

 private:
    int64_t points_; /* n */
    int64_t padded_; /* m */
    double* real_;   /* |A|², then the response */
    Complex* spectrum_;
    const Complex* table_;
    Blocks whole_; /* indices of the field */
    Blocks half_;  /* indices of the spectrum */
    RealForwardPlan forward_;
    RealBackwardPlan backward_;
};

}  // namespace longrun
