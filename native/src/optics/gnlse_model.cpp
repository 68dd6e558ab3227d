#include "optics/gnlse_model.hpp"

#include <cstring>
#include <vector>

namespace longrun {
namespace {

std::vector<Complex> pairs(const double* interleaved, int64_t count) {
    std::vector<Complex> values(static_cast<std::size_t>(count));
    std::memcpy(values.data(), interleaved, values.size() * sizeof(Complex));
    return values;
}

ActiveSet active_set(const longrun_gnlse_problem& problem) {
    return find_active(pairs(problem.linear, problem.points).data(),
                       pairs(problem.source, problem.points).data(), problem.absorb_spectral,
                       problem.points);
}

}  // namespace

GnlseModel::GnlseModel(Arena& arena, const Planner& planner, const longrun_gnlse_problem& problem,
                       PartClock& clock)
    : transforms_(arena, planner, problem.points),
      active_(active_set(problem)),
      diagonal_(arena, pairs(problem.linear, problem.points).data(), problem.points),
      source_(arena, planner, problem, transforms_, active_.inside.elements(), clock),
      observer_(arena, transforms_, problem.time_step_s, problem.carrier_rad_s) {
    if (problem.absorb_spectral == nullptr)
        return;
    const double* spectral = arena.copy(problem.absorb_spectral, problem.points);
    const double* temporal = arena.copy(problem.absorb_temporal, problem.points);
    absorber_.emplace(arena, transforms_, spectral, temporal);
}

void GnlseModel::absorb(const Worker& worker, Complex* state) noexcept {
    absorber_->apply(worker, state, state);
}

void GnlseModel::observe(Team& team, longrun_plane_statistics& statistics,
                         double* intensity) noexcept {
    observer_.observe(team, statistics, intensity);
}

}  // namespace longrun
