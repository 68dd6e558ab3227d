#include "guided/absorb.hpp"

#include <algorithm>
#include <cmath>

#include "core/reduce.hpp"
#include "guided/problem.hpp"

namespace longrun::guided {
namespace {

/// out = window in. 2 FLOP, 24 B read and 16 B written per complex element, half of it per real
/// one.
template <class Value>
void apply_window(const double* window, const Value* in, Value* out, int64_t count) noexcept {
#pragma omp simd
    for (int64_t i = 0; i < count; ++i)
        out[i] = window[i] * in[i];
}

}  // namespace

ModalAbsorber::ModalAbsorber(Arena& arena, const Planner& planner,
                             const longrun_guided_problem& problem, const double* absorb_nodes,
                             int threads)
    : points_(problem.points),
      modes_(problem.modes),
      bins_(bins_of(problem)),
      spectral_(arena, problem.absorb_spectral, bins_.elements(), problem.absorb_length_m, 1),
      temporal_(arena, problem.absorb_temporal, problem.points, problem.absorb_length_m,
                1 / static_cast<double>(problem.points)),
      sums_(arena.take<double>(modes_ * bins_.count())),
      sums_before_edge_(nullptr) {
    if (absorb_nodes != nullptr) {
        edge_.emplace(arena, problem, absorb_nodes);
        sums_before_edge_ = arena.take<double>(modes_ * bins_.count());
    }
    const bool real = problem.field == LONGRUN_FIELD_REAL;
    for (int rank = 0; rank < threads; ++rank)
        lanes_.push_back({arena.take<Complex>(bins_.elements()),
                          arena.take<double>(real ? points_ : 2 * points_)});
    const Lane& first = lanes_[0];
    if (real) {
        real_backward_.emplace(planner, points_, first.spectrum, first.time);
        real_forward_.emplace(planner, points_, first.time, first.spectrum);
        return;
    }
    auto* time = reinterpret_cast<Complex*>(first.time);
    backward_.emplace(planner, points_, first.spectrum, time);
    forward_.emplace(planner, points_, time, first.spectrum);
}

void ModalAbsorber::act_over(double h_m) noexcept {
    const bool spectral = spectral_.turns_to(h_m);
    const bool temporal = temporal_.turns_to(h_m);
    renew_ = !(spectral && temporal);
    if (edge_)
        edge_->act_over(h_m);
}

void ModalAbsorber::apply(const Worker& worker, Complex* state) noexcept {
    if (renew_) {
        spectral_.renew(worker);
        temporal_.renew(worker);
    }
    worker.barrier();
    const int64_t bins = bins_.elements();
    const Lane& lane = lanes_[static_cast<std::size_t>(worker.rank())];
    double* sums = edge_ ? sums_before_edge_ : sums_;
    const auto for_modes = [&](const auto& body) {
        worker.divide(modes_, modes_, [&](int64_t first, int64_t end) {
            for (int64_t mode = first; mode < end; ++mode)
                body(mode, state + mode * bins);
        });
    };
    for_modes([&](int64_t mode, Complex* values) {
        absorb_mode(lane, values);
        sum_mode(values, sums + mode * bins_.count());
    });
    if (!edge_)
        return;
    edge_->apply(worker, state);
    worker.barrier();
    for_modes([&](int64_t mode, const Complex* values) {
        sum_mode(values, sums_ + mode * bins_.count());
    });
}

/// The result is copied to its mode: transforms need arrays that are aligned alike.
void ModalAbsorber::absorb_mode(const Lane& lane, Complex* state) const noexcept {
    const int64_t bins = bins_.elements();
    apply_window(spectral_.values(), state, lane.spectrum, bins);
    if (real_backward_) {
        real_backward_->execute(lane.spectrum, lane.time);
        apply_window(temporal_.values(), lane.time, lane.time, points_);
        real_forward_->execute(lane.time, lane.spectrum);
    } else {
        auto* time = reinterpret_cast<Complex*>(lane.time);
        backward_->execute(lane.spectrum, time);
        apply_window(temporal_.values(), time, time, points_);
        forward_->execute(time, lane.spectrum);
    }
    std::copy_n(lane.spectrum, bins, state);
}

void ModalAbsorber::sum_mode(const Complex* state, double* sums) const noexcept {
    for (int64_t block = 0; block < bins_.count(); ++block) {
        const Range range = bins_[block];
        sums[block] = sum_squares(state + range.begin, range.end - range.begin);
    }
}

std::string ModalAbsorber::plans() const {
    if (real_backward_)
        return real_backward_->text() + "\n" + real_forward_->text() + "\n";
    return backward_->text() + "\n" + forward_->text() + "\n";
}

double ModalAbsorber::norm() const noexcept {
    return std::sqrt(total(sums_));
}

double ModalAbsorber::taken_by_edge() const noexcept {
    return edge_ ? total(sums_before_edge_) - total(sums_) : 0.0;
}

double ModalAbsorber::total(const double* sums) const noexcept {
    return sum_pairwise(sums, modes_ * bins_.count());
}

}  // namespace longrun::guided
