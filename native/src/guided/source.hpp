// Source of modes that meet in the polarisation at nodes of the cross-section,
//
//   N_m(Y) = s_m(w) sum_j W_mj F{ T(t) P( sum_n E_jn F^-1{Y_n} ) }.
//
// Each thread takes whole nodes from end to end, a tile of them at a time: it forms the spectra of
// a tile from the modes, and then transforms, polarises and transforms back node after node.
// What comes out stays in an array of the node, and the team then forms the sources of all modes,
// bin by bin, in the order of the nodes: no sum depends on who took which node. With many modes, as
// in free space, both are products of matrices (`cross_section.hpp`), of all nodes at once and in
// place.
//
// With one node the leader does everything: its transforms are one thread's, and threads that sleep
// while they wait take longer to meet than the passes between them need (`core/team.hpp`). With one
// mode beside it there is nothing to add up, and the array of the node is the output.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/arena.hpp"
#include "core/blocks.hpp"
#include "core/spectra.hpp"
#include "guided/cross_section.hpp"
#include "guided/gradient.hpp"
#include "longrun/optics.h"
#include "optics/parts.hpp"
#include "polarisation/nodes.hpp"
#include "steppers/source.hpp"

namespace longrun::guided {

/// Density of what polarises, per m³, along the guide.
struct Density {
    double constant;
    const Gradient* gradient; /* null: the constant is all there is */

    double at(double z_m) const noexcept {
        return gradient == nullptr ? constant : gradient->density(z_m);
    }
};

class GuidedSource final : public Source {
 public:
    /// Copies the arrays of the problem, which must have been checked, and plans. `weight`, modes x
    /// bins, is s_m(w); it, what `density` points to and `clock` must outlive the source. `active`
    /// is the number of values that the weight is applied to.
    GuidedSource(Arena& arena, const Planner& planner, const longrun_guided_problem& problem,
                 const Complex* weight, Density density, int64_t active, int threads,
                 PartClock& clock);

    void evaluate(const Worker& worker, double z_m, const Complex* state) noexcept override;
    void transforms(const Worker& worker, const Complex* state) noexcept override;
    void rescale(const Worker& worker) noexcept override;
    std::string plans() const override { return work_->plans(); }
    int64_t bytes() const noexcept override;
    const Complex* output() const noexcept override { return output_; }
    const Complex* weight() const noexcept override { return weight_; }

    /// The largest field beyond the table of rates since it was last asked for, or none.
    Excess take_excess() noexcept { return work_->take_excess(); }

 private:
    bool summed() const noexcept { return nodes_ > 1 || modes_ > 1; }
    Spectra tile(const Worker& worker) const noexcept {
        return {tiles_[static_cast<std::size_t>(worker.rank())], polarised_.stride};
    }
    void polarise_tiles(const Worker& worker, double scale, const Complex* state) noexcept;
    void polarise_dense(const Worker& worker, double scale, const Complex* state) noexcept;

    int64_t bins_;
    int64_t modes_;
    int64_t nodes_;
    int64_t active_;
    const Complex* weight_;
    Density density_;
    PartClock& clock_;
    Blocks projected_; /* bins on which any mode has a source */
    CrossSection section_;
    double coarser_;              /* n over the fine samples; times W where nothing is summed */
    std::vector<Complex*> tiles_; /* of each thread: spectra of fields; not dense */
    Spectra polarised_;           /* of each node */
    std::unique_ptr<polarisation::Nodes> work_;
    Complex* output_;
};

}  // namespace longrun::guided
