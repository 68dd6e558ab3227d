// The delayed response h * drive at one node, for each thread of a team by itself.
//
// The convolution is done with real transforms of length m = n or m = 2 n (zero-padded), where n is
// the number of samples of the fine grid. Plans and table are shared, work arrays are each
// thread's own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/arena.hpp"
#include "core/team.hpp"
#include "fft/plan.hpp"
#include "optics/parts.hpp"

namespace longrun::polarisation {

class Response {
 public:
    /// Of `padded` points with the transform `table` of h, padded / 2 + 1 interleaved complex
    /// values; for `samples` of the drive and `threads` threads. Plans.
    Response(Arena& arena, const Planner& planner, int64_t samples, int64_t padded,
             const double* table, int threads);

    /// Where a thread writes the `samples` values of its drive.
    double* drive(const Worker& worker) const noexcept { return lane(worker).real; }

    /// Puts the response in the place of the drive. Not collective: the calling thread works alone.
    /// The transforms count as such on `clock`. Beside them 6 FLOP, 32 B read and 16 B written per
    /// element of the spectrum, and the padding.
    const double* respond(const Worker& worker, PartClock& clock) const noexcept;

    /// Executes the transforms of one response and nothing else.
    void transforms(const Worker& worker) const noexcept;

    /// Puts ordinary numbers in the place of what `transforms` multiply by their length.
    void refresh(const Worker& worker) const noexcept;

    /// One line for each FFT plan.
    std::string plans() const;

    /// Bytes that a response reads and writes beside its transforms: drive, padding, product and
    /// result.
    int64_t bytes() const noexcept;

 private:
    struct Lane {
        double* real;
        Complex* spectrum;
    };

    const Lane& lane(const Worker& worker) const noexcept {
        return lanes_[static_cast<std::size_t>(worker.rank())];
    }

    int64_t samples_;
    int64_t padded_;
    const Complex* table_;
    std::vector<Lane> lanes_;
    RealForwardPlan forward_;
    RealBackwardPlan backward_;
};

}  // namespace longrun::polarisation
