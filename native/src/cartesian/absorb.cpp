#include "cartesian/absorb.hpp"

#include <algorithm>
#include <cmath>

#include "core/reduce.hpp"

namespace longrun::cartesian {

CartesianAbsorber::CartesianAbsorber(Arena& arena, const Planner& planner,
                                     const longrun_cartesian_problem& problem, const Planes& planes,
                                     int threads)
    : shape_(problem),
      planes_(planes),
      tiles_(arena, shape_, shape_.points / 2 + 1, threads),
      spectral_(arena, problem.absorb_spectral, shape_.bins, problem.absorb_length_m,
                shape_.inverse()),
      temporal_(arena, problem.absorb_temporal, shape_.points, problem.absorb_length_m, 1),
      x_(arena, problem.absorb_x, shape_.columns_x, problem.absorb_length_m, 1),
      y_(arena, problem.absorb_y, shape_.columns_y, problem.absorb_length_m, 1),
      whole_(shape_.size()),
      sums_(arena.take<double>(whole_.count())),
      taken_(arena.take<double>(tiles_.count())),
      times_([&] {
          std::vector<double*> times;
          for (int rank = 0; rank < threads; ++rank)
              times.push_back(arena.take<double>(shape_.points));
          return times;
      }()),
      backward_(planner, shape_.points, tiles_.sample(), times_[0]),
      forward_(planner, shape_.points, times_[0], tiles_.sample()) {}

void CartesianAbsorber::act_over(double h_m) noexcept {
    bool ready = true;
    for (PowerWindow* window : {&spectral_, &temporal_, &x_, &y_})
        ready = window->turns_to(h_m) && ready;
    renew_ = !ready;
}

void CartesianAbsorber::apply(const Worker& worker, Complex* state) noexcept {
    if (renew_) {
        for (PowerWindow* window : {&spectral_, &temporal_, &x_, &y_})
            window->renew(worker);
    }
    worker.barrier();
    planes_.to_columns(worker, untimed_, spectral_.values(), state);
    worker.barrier();
    double* time = times_[static_cast<std::size_t>(worker.rank())];
    tiles_.change(worker, state, 1, [&](int64_t first, int64_t columns, Spectra spectra) {
        double taken = 0;
        for (int64_t column = 0; column < columns; ++column)
            taken += absorb_column(first + column, spectra[column], time);
        taken_[first / Tiles::kWidth] = taken;
    });
    worker.barrier();
    planes_.to_waves(worker, untimed_, state);
    worker.barrier();
    worker.share(whole_, [&](Range range, int64_t index) {
        sums_[index] = sum_squares(state + range.begin, range.end - range.begin);
    });
}

/// Returns what the edges take of the squares of the samples.
double CartesianAbsorber::absorb_column(int64_t column, Complex* spectrum,
                                        double* time) const noexcept {
    const Range bins = shape_.range();
    std::fill(spectrum, spectrum + bins.begin, Complex{0, 0});
    std::fill(spectrum + bins.end, spectrum + shape_.points / 2 + 1, Complex{0, 0});
    backward_.execute(spectrum, time);
    const double edge =
        x_.values()[column % shape_.columns_x] * y_.values()[column / shape_.columns_x];
    const double* temporal = temporal_.values();
    double squares = 0;
#pragma omp simd reduction(+ : squares)
    for (int64_t i = 0; i < shape_.points; ++i) {
        const double inside = temporal[i] * time[i];
        squares += inside * inside;
        time[i] = edge * inside;
    }
    forward_.execute(time, spectrum);
    return (1 - edge * edge) * squares;
}

double CartesianAbsorber::norm() const noexcept {
    return std::sqrt(sum_pairwise(sums_, whole_.count()));
}

/// Σ |Y|² over half a spectrum without its ends and over the waves is n/2 times the columns times
/// the sum of squares over samples and columns.
double CartesianAbsorber::taken_by_edges() const noexcept {
    return static_cast<double>(shape_.points) / 2 * static_cast<double>(shape_.area()) *
           sum_pairwise(taken_, tiles_.count());
}

}  // namespace longrun::cartesian
