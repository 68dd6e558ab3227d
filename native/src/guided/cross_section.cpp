#include "guided/cross_section.hpp"

#include <utility>

#include "blas/product.hpp"
#include "guided/problem.hpp"
#include "guided/sums.hpp"

namespace longrun::guided {
namespace {

/// Modes from which products of matrices are faster than sums in registers, which read the state
/// once for every `kTile` nodes.
constexpr int64_t kDenseFrom = 16;

/// E with the factor that the inverse transform leaves out.
const double* scaled_synthesis(Arena& arena, const longrun_guided_problem& problem) {
    const int64_t count = problem.nodes * problem.modes;
    double* values = arena.take<double>(count);
    for (int64_t i = 0; i < count; ++i)
        values[i] = problem.synthesis[i] / static_cast<double>(problem.points);
    return values;
}

}  // namespace

CrossSection::CrossSection(Arena& arena, const longrun_guided_problem& problem, Blocks projected)
    : modes_(problem.modes),
      nodes_(problem.nodes),
      bins_(bins_of(problem)),
      dense_(modes_ >= kDenseFrom),
      synthesis_(scaled_synthesis(arena, problem)),
      projection_(arena.copy(problem.projection, modes_ * nodes_)),
      projected_(std::move(projected)) {
    if (dense_)
        hold_blas();
}

void CrossSection::synthesise(const Complex* state, int64_t first, int64_t end,
                              Spectra spectra) const noexcept {
    guided::synthesise({synthesis_ + first * modes_, modes_, state, bins_, spectra}, end - first);
}

void CrossSection::synthesise(const Worker& worker, const Complex* state,
                              Spectra nodes) const noexcept {
    multiply(worker, {bins_, modes_, nodes_, state, bins_, synthesis_, nodes.first, nodes.stride});
}

void CrossSection::project(const Worker& worker, Spectra nodes, Complex* output) const noexcept {
    if (projected_.count() == 0)
        return;
    if (!dense_) {
        const Projection projection{projection_, nodes_, nodes, modes_, bins_, output};
        worker.share(projected_, [&](Range range, int64_t) { guided::project(projection, range); });
        return;
    }
    const int64_t begin = projected_[0].begin;
    const int64_t end = projected_[projected_.count() - 1].end;
    multiply(worker, {end - begin, nodes_, modes_, nodes.first + begin, nodes.stride, projection_,
                      output + begin, bins_});
}

}  // namespace longrun::guided
