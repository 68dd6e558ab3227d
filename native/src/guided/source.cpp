#include "guided/source.hpp"

#include <algorithm>

#include "guided/problem.hpp"
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
    const int64_t at_once = std::min(section_.at_once(), nodes_);
    for (int rank = 0; rank < threads; ++rank)
        tiles_.push_back(arena.take<Complex>(at_once * polarised_.stride));
    polarised_.first = arena.take<Complex>(nodes_ * polarised_.stride);
    work_ = polarisation::make_nodes(arena, planner, setting_of(problem), threads, clock, tiles_[0],
                                     polarised_.first);
    if (!summed())
        coarser_ *= problem.projection[0];
    output_ = summed() ? arena.take<Complex>(modes_ * bins_) : polarised_.first;
}

void GuidedSource::evaluate(const Worker& worker, double z_m, const Complex* state) noexcept {
    worker.barrier();
    const Part outer = clock_.enter(worker, Part::kPointwise);
    const double scale = coarser_ * density_.at(z_m);
    section_.divide_nodes(worker, [&](int64_t first, int64_t end) {
        synthesise(worker, state, first, end);
        for (int64_t node = first; node < end; ++node)
            work_->polarise(worker, scale, tile(worker)[node - first], polarised_[node]);
    });
    worker.barrier();
    if (summed()) {
        project(worker);
        worker.barrier();
    }
    clock_.enter(worker, outer);
}

/// Products of matrices are the transform over the cross-section, and count as such.
void GuidedSource::synthesise(const Worker& worker, const Complex* state, int64_t first,
                              int64_t end) const noexcept {
    const auto products = [&] { section_.synthesise(state, first, end, tile(worker)); };
    if (section_.dense())
        own_transform(worker, clock_, products);
    else
        products();
}

void GuidedSource::project(const Worker& worker) const noexcept {
    const auto products = [&] { section_.project(worker, polarised_, output_); };
    if (section_.dense())
        own_transform(worker, clock_, products);
    else
        products();
}

void GuidedSource::transforms(const Worker& worker, const Complex* state) noexcept {
    section_.divide_nodes(worker, [&](int64_t first, int64_t end) {
        if (section_.dense())
            section_.synthesise(state, first, end, tile(worker));
        for (int64_t node = first; node < end; ++node)
            work_->transforms(worker, tile(worker)[node - first], polarised_[node]);
    });
    if (!section_.dense())
        return;
    worker.barrier();
    section_.project(worker, polarised_, output_);
}

void GuidedSource::rescale(const Worker& worker) noexcept {
    for (int64_t i = 0; i < std::min(section_.at_once(), nodes_); ++i)
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
