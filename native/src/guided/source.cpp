#include "guided/source.hpp"

#include <algorithm>

#include "steppers/diagonal.hpp"

namespace longrun::guided {
namespace {

/// E with the factor that the inverse transform leaves out.
const double* synthesis(Arena& arena, const longrun_guided_problem& problem) {
    const int64_t count = problem.nodes * problem.modes;
    double* values = arena.take<double>(count);
    for (int64_t i = 0; i < count; ++i)
        values[i] = problem.synthesis[i] / static_cast<double>(problem.points);
    return values;
}

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
      synthesis_(synthesis(arena, problem)),
      projection_(arena.copy(problem.projection, problem.modes * problem.nodes)),
      coarser_(static_cast<double>(problem.points) / static_cast<double>(problem.fine_points)),
      projected_(bins_with_source(problem, weight)) {
    const int64_t size = spectrum_size(problem);
    const auto at_once = static_cast<std::size_t>(std::min(kTile, nodes_));
    tiles_.resize(static_cast<std::size_t>(threads), Tile{});
    for (Tile& tile : tiles_)
        for (std::size_t i = 0; i < at_once; ++i)
            tile[i] = arena.take<Complex>(size);
    for (int64_t node = 0; node < nodes_; ++node)
        polarised_.push_back(arena.take<Complex>(size));
    work_ = make_nodes(arena, planner, problem, threads, clock, tiles_[0][0], polarised_[0]);
    if (!summed())
        coarser_ *= projection_[0];
    output_ = summed() ? arena.take<Complex>(modes_ * bins_) : polarised_[0];
}

void GuidedSource::evaluate(const Worker& worker, double z_m, const Complex* state) noexcept {
    worker.barrier();
    const Part outer = clock_.enter(worker, Part::kPointwise);
    const double scale = coarser_ * density_.at(z_m);
    worker.divide(nodes_, kTile, [&](int64_t first, int64_t end) {
        const Tile& spectra = tile(worker);
        synthesise({synthesis_ + first * modes_, modes_, state, bins_, spectra}, end - first);
        for (int64_t node = first; node < end; ++node)
            work_->polarise(worker, scale, spectra[static_cast<std::size_t>(node - first)],
                            polarised_[static_cast<std::size_t>(node)]);
    });
    worker.barrier();
    if (summed()) {
        const Projection projection{projection_, nodes_, polarised_.data(), modes_, bins_, output_};
        worker.share(projected_, [&](Range range, int64_t) { project(projection, range); });
        worker.barrier();
    }
    clock_.enter(worker, outer);
}

void GuidedSource::transforms(const Worker& worker, const Complex*) noexcept {
    worker.divide(nodes_, kTile, [&](int64_t first, int64_t end) {
        for (int64_t node = first; node < end; ++node)
            work_->transforms(worker, tile(worker)[static_cast<std::size_t>(node - first)],
                              polarised_[static_cast<std::size_t>(node)]);
    });
}

void GuidedSource::rescale(const Worker& worker) noexcept {
    for (Complex* spectrum : tile(worker))
        if (spectrum != nullptr)
            work_->refresh(worker, spectrum);
}

int64_t GuidedSource::bytes() const noexcept {
    int64_t bytes = nodes_ * work_->bytes();
    bytes += 16 * bins_ * (modes_ + nodes_);  // state, and the spectra at the nodes
    if (summed())
        bytes += 16 * projected_.elements() * (nodes_ + modes_);
    return bytes + (16 + 16 + 16) * active_;  // output, weight, slope
}

}  // namespace longrun::guided
