#include "guided/edge.hpp"

#include <algorithm>
#include <vector>

#include "blas/product.hpp"
#include "guided/problem.hpp"

namespace longrun::guided {
namespace {

std::vector<int64_t> nodes_inside(const double* window, int64_t count) {
    std::vector<int64_t> nodes;
    for (int64_t node = 0; node < count; ++node)
        if (window[node] < 1)
            nodes.push_back(node);
    return nodes;
}

std::vector<double> values_at(const double* window, const std::vector<int64_t>& nodes) {
    std::vector<double> values;
    for (const int64_t node : nodes)
        values.push_back(window[node]);
    return values;
}

/// The factor s of W E = s: modes are of unit power, not of unit norm.
double overlap_of(const longrun_guided_problem& problem) noexcept {
    double sum = 0;
    for (int64_t node = 0; node < problem.nodes; ++node)
        sum += problem.projection[node] * problem.synthesis[node * problem.modes];
    return sum;
}

const double* rows_at(Arena& arena, const longrun_guided_problem& problem,
                      const std::vector<int64_t>& nodes) {
    double* rows = arena.take<double>(static_cast<int64_t>(nodes.size()) * problem.modes);
    double* row = rows;
    for (const int64_t node : nodes) {
        std::copy_n(problem.synthesis + node * problem.modes, problem.modes, row);
        row += problem.modes;
    }
    return rows;
}

const double* columns_at(Arena& arena, const longrun_guided_problem& problem,
                         const std::vector<int64_t>& nodes) {
    double* columns = arena.take<double>(static_cast<int64_t>(nodes.size()) * problem.modes);
    double* value = columns;
    for (int64_t mode = 0; mode < problem.modes; ++mode)
        for (const int64_t node : nodes)
            *value++ = problem.projection[mode * problem.nodes + node];
    return columns;
}

}  // namespace

Edge::Edge(Arena& arena, const longrun_guided_problem& problem, const double* window)
    : Edge(arena, problem, window, nodes_inside(window, problem.nodes)) {}

Edge::Edge(Arena& arena, const longrun_guided_problem& problem, const double* window,
           const std::vector<int64_t>& nodes)
    : modes_(problem.modes),
      bins_(bins_of(problem)),
      nodes_(static_cast<int64_t>(nodes.size())),
      synthesis_(rows_at(arena, problem, nodes)),
      projection_(columns_at(arena, problem, nodes)),
      window_(arena, values_at(window, nodes).data(), nodes_, problem.absorb_length_m, 1),
      overlap_(overlap_of(problem)),
      fields_{nullptr, spectra_stride(bins_)} {
    fields_.first = arena.take<Complex>(nodes_ * fields_.stride);
    hold_blas();
}

/// 8 FLOP per bin, mode and node inside, 2 per bin and node.
void Edge::apply(const Worker& worker, Complex* state) noexcept {
    if (nodes_ == 0)
        return;
    if (renew_)
        window_.renew(worker);
    worker.barrier();
    multiply(worker,
             {bins_, modes_, nodes_, state, bins_, synthesis_, fields_.first, fields_.stride});
    worker.barrier();
    worker.deal(nodes_, [&](int64_t node) {
        scale((1 - window_.values()[node]) / overlap_, fields_[node]);
    });
    worker.barrier();
    subtract(worker,
             {bins_, nodes_, modes_, fields_.first, fields_.stride, projection_, state, bins_});
}

void Edge::scale(double factor, Complex* spectrum) const noexcept {
#pragma omp simd
    for (int64_t i = 0; i < bins_; ++i)
        spectrum[i] = factor * spectrum[i];
}

}  // namespace longrun::guided
