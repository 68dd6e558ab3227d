// What happens at the nodes of the cross-section: from the spectrum of the field at a node to that
// of the polarisation there.
//
// A thread takes one node after another from end to end, with work arrays of its own. Nothing in
// here waits for another thread, and what comes out does not depend on which thread it was.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/arena.hpp"
#include "core/complex.hpp"
#include "core/team.hpp"
#include "fft/planner.hpp"
#include "optics/model.hpp"
#include "optics/parts.hpp"
#include "polarisation/setting.hpp"

namespace longrun::polarisation {

class Nodes {
 public:
    virtual ~Nodes() = default;

    /// Values of a spectrum in here: the fine grid's.
    virtual int64_t spectrum_size() const noexcept = 0;

    /// out = the unnormalised transform, on the fine grid, of scale T P(E) / rho, where E is the
    /// unnormalised inverse transform of the bins of the setting in `spectrum`, whatever its other
    /// bins are. `spectrum` is destroyed, and may be `out`. Both are aligned as the arrays that the
    /// plans were made on and have `spectrum_size` values.
    virtual void polarise(const Worker& worker, double scale, Complex* spectrum,
                          Complex* out) noexcept = 0;

    /// Executes the transforms of one node and nothing else.
    virtual void transforms(const Worker& worker, Complex* spectrum, Complex* out) noexcept = 0;

    /// Puts ordinary numbers in the place of what `transforms` have left in `spectrum` and in the
    /// work arrays of the thread, so that they do not grow from one to the next.
    virtual void refresh(const Worker& worker, Complex* spectrum) noexcept = 0;

    /// The largest field beyond the table of rates since it was last asked for, or none.
    virtual Excess take_excess() noexcept = 0;

    /// One line for each FFT plan.
    virtual std::string plans() const = 0;

    /// Bytes that one node reads and writes beside its transforms, from spectrum to spectrum.
    virtual int64_t bytes() const noexcept = 0;
};

/// The nodes of a checked problem, for `threads` threads. Copies, allocates and plans, on
/// `spectrum` and `out`, which are overwritten. `clock` must outlive what is made.
std::unique_ptr<Nodes> make_nodes(Arena& arena, const Planner& planner, const Setting& setting,
                                  int threads, PartClock& clock, Complex* spectrum, Complex* out);

}  // namespace longrun::polarisation
