#include "guided/source.hpp"

#include <algorithm>

#include "guided/problem.hpp"
#include "guided/sums.hpp"
#include "steppers/diagonal.hpp"

namespace longrun::guided {
namespace {

/// In FFT order the positive and the negative frequencies are each contiguous; half a spectrum is
/// contiguous anyway.
Blocks bins_with_source(const longrun_guided_problem& problem, const Complex* weight) {
    const int64_t bins = bins_of(problem);
    const auto has_source = [&](int64_t bin) {
        for (int64_t mode = 0; mode < problem.modes; ++mode)
            if (squared(weight[mode * bins + bin]) != 0)
                return true;
        return false;
    };
    return find_active({{0, bins / 2}, {bins / 2, bins}}, has_source).inside;
}

}  // namespace

GuidedSource::GuidedSource(Arena& arena, const Planner& planner,
                           const longrun_guided_problem& problem, const Complex* weight,
                           Density density, int64_t active, int threads, PartClock& clock)
    : bins_(bins_of(problem)),
      modes_(problem.modes),
      nodes_(problem.nodes),
      active_(active),
      weight_(weight),
      density_(density),
      clock_(clock),
      projected_(bins_with_source(problem, weight)),
      section_(arena, problem, projected_),
      coarser_(static_cast<double>(problem.points) / static_cast<double>(problem.fine_points)),
      polarised_{nullptr, spectra_stride(spectrum_size(setting_of(problem)))} {
    const int64_t at_once = section_.dense() ? 0 : std::min(kTile, nodes_);
    for (int rank = 0; rank < threads; ++rank)
        tiles_.push_back(arena.take<Complex>(at_once * polarised_.stride));
    polarised_.first = arena.take<Complex>(nodes_ * polarised_.stride);
    Complex* spectrum = section_.dense() ? polarised_.first : tiles_[0];
    work_ = polarisation::make_nodes(arena, planner, setting_of(problem), threads, clock, spectrum,
                                     polarised_.first);
    if (!summed())
        coarser_ *= problem.projection[0];
    output_ = summed() ? arena.take<Complex>(modes_ * bins_) : polarised_.first;
}

void GuidedSource::evaluate(const Worker& worker, double z_m, const Complex* state) noexcept {
    worker.barrier();
    const Part outer = clock_.enter(worker, Part::kPointwise);
    const double scale = coarser_ * density_.at(z_m);
    if (section_.dense())
        polarise_dense(worker, scale, state);
    else
        polarise_tiles(worker, scale, state);
    worker.barrier();
    if (section_.dense())
        own_transform(worker, clock_, [&] { section_.project(worker, polarised_, output_); });
    else if (summed())
        section_.project(worker, polarised_, output_);
    if (summed())
        worker.barrier();
    clock_.enter(worker, outer);
}

void GuidedSource::polarise_tiles(const Worker& worker, double scale,
                                  const Complex* state) noexcept {
    worker.divide(nodes_, kTile, [&](int64_t first, int64_t end) {
        section_.synthesise(state, first, end, tile(worker));
        for (int64_t node = first; node < end; ++node)
            work_->polarise(worker, scale, tile(worker)[node - first], polarised_[node]);
    });
}

/// Nodes are dealt out: those near the axis are ionised, and cost more.
void GuidedSource::polarise_dense(const Worker& worker, double scale,
                                  const Complex* state) noexcept {
    own_transform(worker, clock_, [&] { section_.synthesise(worker, state, polarised_); });
    worker.barrier();
    worker.deal(nodes_, [&](int64_t node) {
        work_->polarise(worker, scale, polarised_[node], polarised_[node]);
    });
}

void GuidedSource::transforms(const Worker& worker, const Complex* state) noexcept {
    if (!section_.dense()) {
        worker.divide(nodes_, kTile, [&](int64_t first, int64_t end) {
            for (int64_t node = first; node < end; ++node)
                work_->transforms(worker, tile(worker)[node - first], polarised_[node]);
        });
        return;
    }
    section_.synthesise(worker, state, polarised_);
    worker.barrier();
    worker.deal(nodes_, [&](int64_t node) {
        work_->transforms(worker, polarised_[node], polarised_[node]);
    });
    worker.barrier();
    section_.project(worker, polarised_, output_);
}

/// Products of matrices begin anew each time.
void GuidedSource::rescale(const Worker& worker) noexcept {
    if (section_.dense())
        return;
    for (int64_t i = 0; i < std::min(kTile, nodes_); ++i)
        work_->refresh(worker, tile(worker)[i]);
}

int64_t GuidedSource::bytes() const noexcept {
    int64_t bytes = nodes_ * work_->bytes();
    // State, spectra at the nodes, polarisations, output; of products of matrices, which are
    // transforms, only what comes after.
    if (!section_.dense())
        bytes += 16 * bins_ * (modes_ + nodes_);
    if (summed() && !section_.dense())
        bytes += 16 * projected_.elements() * (nodes_ + modes_);
    return bytes + (16 + 16 + 16) * active_;  // output, weight, slope
}

}  // namespace longrun::guided
