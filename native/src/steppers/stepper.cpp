#include "steppers/stepper.hpp"

#include <algorithm>
#include <cmath>

namespace longrun {

Stepper::Stepper(Arena& arena, Team& team, Source& source, const Diagonal& diagonal,
                 const ActiveSet& active, int64_t points)
    : team_(team),
      source_(source),
      diagonal_(diagonal),
      inside_(active.inside),
      outside_(active.outside),
      y_(nullptr),
      next_(nullptr),
      norm_sums_(arena.take<double>(active.inside.count())),
      points_(points),
      carried_sums_(arena.take<double>(active.outside.count())) {
    y_ = stage_array(arena);
    next_ = stage_array(arena);
}

Complex* Stepper::stage_array(Arena& arena) {
    Complex* array = arena.take<Complex>(points_);
    arrays_.push_back(array);
    return array;
}

void Stepper::carry(const Worker& worker) noexcept {
    if (carried_)
        return;
    worker.share(outside_, [&](Range range, int64_t index) {
        const int64_t count = range.end - range.begin;
        std::copy_n(y_ + range.begin, count, next_ + range.begin);
        carried_sums_[index] = sum_squares(y_ + range.begin, count);
    });
}

double Stepper::finish_norm() noexcept {
    carried_ = true;
    return std::sqrt(sum_pairwise(norm_sums_, inside_.count()) +
                     sum_pairwise(carried_sums_, outside_.count()));
}

double Stepper::touch(const Worker& worker) const noexcept {
    double sum = 0;
    for (const Complex* array : arrays_)
        worker.share(inside_, [&](Range range, int64_t) {
            sum += sum_squares(array + range.begin, range.end - range.begin);
        });
    return sum;
}

}  // namespace longrun
