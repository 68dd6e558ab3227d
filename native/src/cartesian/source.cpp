#include "cartesian/source.hpp"

#include "cartesian/waves.hpp"

namespace longrun::cartesian {
namespace {

Complex* weights(Arena& arena, const longrun_cartesian_problem& problem, int64_t size) {
    Complex* values = arena.take<Complex>(size);
    const Waves waves(problem);
    for (int64_t i = 0; i < size; ++i)
        values[i] = waves.weight(i);
    return values;
}

}  // namespace

CartesianSource::CartesianSource(Arena& arena, const Planner& planner,
                                 const longrun_cartesian_problem& problem, const Planes& planes,
                                 Complex* work, int threads, PartClock& clock)
    : shape_(problem),
      planes_(planes),
      clock_(clock),
      tiles_(arena, shape_, spectrum_size(setting_of(problem)), threads),
      inverse_(shape_.inverse()),
      scale_(problem.density * static_cast<double>(shape_.points) /
             static_cast<double>(shape_.fine_points)),
      work_(work),
      weight_(weights(arena, problem, shape_.size())),
      nodes_(polarisation::make_nodes(arena, planner, setting_of(problem), threads, clock,
                                      tiles_.sample(), tiles_.sample())) {}

void CartesianSource::evaluate(const Worker& worker, double, const Complex* state) noexcept {
    worker.barrier();
    const Part outer = clock_.enter(worker, Part::kPointwise);
    planes_.to_columns(worker, clock_, state, work_);
    worker.barrier();
    tiles_.change(worker, work_, inverse_, [&](int64_t, int64_t columns, Spectra spectra) {
        for (int64_t column = 0; column < columns; ++column)
            nodes_->polarise(worker, scale_, spectra[column], spectra[column]);
    });
    worker.barrier();
    planes_.to_waves(worker, clock_, work_);
    worker.barrier();
    clock_.enter(worker, outer);
}

/// Of zeros: what the transforms multiply never grows.
void CartesianSource::transforms(const Worker& worker, const Complex* state) noexcept {
    PartClock untimed;
    planes_.to_columns(worker, untimed, state, work_);
    worker.barrier();
    tiles_.clear(worker);
    tiles_.for_tiles(worker, [&](int64_t, int64_t columns, Spectra spectra) {
        for (int64_t column = 0; column < columns; ++column)
            nodes_->transforms(worker, spectra[column], spectra[column]);
    });
    worker.barrier();
    planes_.to_waves(worker, untimed, work_);
}

/// What goes through memory: columns into tiles and back, output, weight and slope. A tile stays in
/// a cache.
int64_t CartesianSource::bytes() const noexcept {
    return (16 + 16 + 16 + 16 + 16) * shape_.size();
}

}  // namespace longrun::cartesian
