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

/// Columns of a product: enough for the BLAS to be near its speed, few enough that blocks go round
/// in a team.
constexpr int64_t kColumns = 16;

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

int64_t CrossSection::at_once() const noexcept {
    return std::min(dense_ ? kColumns : kTile, std::max(nodes_, modes_));
}

void CrossSection::synthesise(const Complex* state, int64_t first, int64_t end,
                              Spectra spectra) const noexcept {
    const double* rows = synthesis_ + first * modes_;
    if (dense_) {
        multiply({bins_, modes_, end - first, state, bins_, rows, spectra.first, spectra.stride});
        return;
    }
    guided::synthesise({rows, modes_, state, bins_, spectra}, end - first);
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
    divide(worker, modes_, [&](int64_t first, int64_t last) {
        multiply({end - begin, nodes_, last - first, nodes.first + begin, nodes.stride,
                  projection_ + first * nodes_, output + first * bins_ + begin, bins_});
    });
}

}  // namespace longrun::guided
