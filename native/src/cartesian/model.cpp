#include "cartesian/model.hpp"

#include "cartesian/waves.hpp"

namespace longrun {

CartesianModel::CartesianModel(Arena& arena, const Planner& planner,
                               const longrun_cartesian_problem& problem, int threads,
                               PartClock& clock)
    : shape_(problem),
      energy_scale_(problem.energy_scale),
      work_(arena.take<Complex>(shape_.size())),
      planes_(planner, shape_, work_),
      // The state has no bin on which nothing acts.
      active_(find_active({{0, shape_.size()}}, [](int64_t) { return true; })),
      diagonal_(arena, shape_.size(),
                [&](int64_t i) { return cartesian::Waves(problem).linear(i); }),
      source_(arena, planner, problem, planes_, work_, threads, clock),
      observer_(arena, planner, problem, planes_, threads) {
    if (problem.absorb_spectral != nullptr)
        absorber_.emplace(arena, planner, problem, planes_, threads);
}

std::string CartesianModel::plans() const {
    const std::string text = source_.plans() + observer_.plans();
    return absorber_ ? text + absorber_->plans() : text;
}

void CartesianModel::absorb(const Worker& worker, Complex* state) noexcept {
    absorber_->apply(worker, state);
}

void CartesianModel::observe(Team& team, longrun_plane_statistics& statistics,
                             double* intensity) noexcept {
    observer_.observe(team, work_, statistics, intensity);
}

void CartesianModel::observe_nodes(Team& team, double* fluence, double* peak) noexcept {
    observer_.observe_columns(team, work_, fluence, peak);
}

}  // namespace longrun
