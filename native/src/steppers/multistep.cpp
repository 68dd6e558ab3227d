#include "steppers/multistep.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/counts.hpp"

namespace longrun {
namespace {

constexpr std::size_t index(int value) noexcept {
    return static_cast<std::size_t>(value);
}

/// Σ coefficients[m] values[m] over the first `Count` values.
template <std::size_t Count, class V>
inline V combination(const Polynomial& coefficients, const std::array<V, Count>& values) noexcept {
    V sum = coefficients[0] * values[0];
    for (std::size_t m = 1; m < Count; ++m)
        sum = sum + coefficients[m] * values[m];
    return sum;
}

Polynomial times(double factor, Polynomial polynomial) noexcept {
    for (double& coefficient : polynomial)
        coefficient *= factor;
    return polynomial;
}

/// values <- phase values. 6 FLOP, 16 B read and written per element.
void turn_by(Complex phase, Complex* values, Range range) noexcept {
    for_elements(
        range, [=]<class V>(int64_t i) noexcept { store(values, i, phase * load<V>(values, i)); });
}

}  // namespace

Multistep::Multistep(Arena& arena, Team& team, Source& source, const Diagonal& diagonal,
                     const ActiveSet& active, int64_t points, int order, Frame frame,
                     Estimate estimate, const CarrierShift* shift)
    : Stepper(arena, team, source, diagonal, active, points),
      order_max_(order),
      frame_(frame),
      estimate_(estimate),
      shift_(shift),
      factors_(shift == nullptr ? 0 : shift->harmonics.size()),
      history_([&] {
          std::vector<Complex*> arrays;
          for (int j = 0; j <= order; ++j)
              arrays.push_back(stage_array(arena));
          return arrays;
      }()),
      turn_(stage_array(arena)),
      correction_(frame == Frame::kNone ? stage_array(arena) : nullptr),
      expected_(stage_array(arena)),
      surplus_(stage_array(arena)),
      error_sums_(arena.take<double>(active.inside.count())) {
    for (std::size_t j = 0; j < index(order); ++j)
        weights_[j] = stage_array(arena);
    // Not a stage: a step that finds its weights ready does not read them.
    for (std::size_t m = 0; frame == Frame::kNone && m <= index(order); ++m)
        moments_[m] = arena.take<Complex>(points);
}

void Multistep::restart() noexcept {
    Stepper::restart();
    history_.forget();
}

Attempt Multistep::attempt(double z_m, double h_m) noexcept {
    const bool begins = history_.known() == 0;
    if (begins) {
        team_.run([&](const Worker& worker) noexcept {
            source_.evaluate(worker, z_m, y_);
            worker.share(inside_, [&](Range range, int64_t) { keep_slope(range); });
        });
        history_.push(0);
    }
    start_m_ = z_m;
    prepare(h_m);
    const PredictionArrays prediction = prediction_arrays();
    team_.run([&](const Worker& worker) noexcept {
        carry(worker);
        worker.share(inside_, [&](Range range, int64_t block) {
            if (renew_)
                renew(range, block);
            if (combine_)
                combine(range, block);
            if (frame_ == Frame::kLinear)
                predict_turned(order_, prediction, range);
            else if (shift_ == nullptr)
                predict(order_, prediction, range);
            else
                predict_shifted(order_, prediction, factors(block)->ends, range);
        });
        source_.evaluate(worker, z_m + h_m, next_);
        const CorrectionArrays correction = correction_arrays();
        worker.share(inside_, [&](Range range, int64_t block) {
            const CorrectionSums sums = correct(correction, range);
            error_sums_[block] = sums.error;
            norm_sums_[block] = sums.norm;
        });
    });
    Attempt result{};
    result.error = std::sqrt(sum_pairwise(error_sums_, inside_.count()));
    if (estimate_ == Estimate::kLowerCorrector)
        result.error *= step_.lower;
    result.norm = finish_norm();
    result.evaluations = begins ? 2 : 1;
    result.order = order_;
    return result;
}

void Multistep::accept() noexcept {
    std::swap(y_, next_);
}

int64_t Multistep::settle(Since since) noexcept {
    team_.run([&](const Worker& worker) noexcept {
        if (since == Since::kAbsorbed)
            source_.evaluate_absorbed(worker, start_m_ + h_m_, y_);
        else
            source_.evaluate(worker, start_m_ + h_m_, y_);
        worker.share(inside_, [&](Range range, int64_t) { keep_slope(range); });
    });
    history_.push(h_m_);
    return 1;
}

/// Scalars of an attempt, and what of the tables it finds ready.
void Multistep::prepare(double h_m) noexcept {
    const int order = std::min(history_.known(), order_max_);
    const Nodes nodes = history_.positions(h_m);
    renew_ = h_m_ != h_m;
    combine_ = renew_ || order_ != order || nodes_ != nodes;
    h_m_ = h_m;
    order_ = order;
    nodes_ = nodes;
    step_ = adams_step(nodes, order);
    if (combine_ && shift_ != nullptr)
        turn_shift();
}

/// What the shift turns in the step of the attempt.
void Multistep::turn_shift() noexcept {
    const Complex carrier = diagonal_.value(shift_->reference);
    for (std::size_t i = 0; i < factors_.size(); ++i)
        factors_[i] = shift_factors(shift_->harmonics[i] * carrier, h_m_, nodes_, step_, order_);
}

/// Those of a block of the active set, or null where nothing is shifted.
const ShiftFactors* Multistep::factors(int64_t block) const noexcept {
    if (shift_ == nullptr)
        return nullptr;
    return &factors_[shift_->group[static_cast<std::size_t>(block)]];
}

/// e^{Lh} and, unless K = L, the moments of e^{(L - K) h} up to the order of the stepper;
/// `core/moments.hpp` counts.
void Multistep::renew(Range range, int64_t block) noexcept {
    if (frame_ == Frame::kLinear) {
        diagonal_.exponentials(h_m_, range, turn_ + range.begin);
        return;
    }
    MomentTables tables{turn_ + range.begin, {}, order_max_};
    for (std::size_t m = 0; m <= index(order_max_); ++m)
        tables.moments[m] = moments_[m] + range.begin;
    const ShiftFactors* shifted = factors(block);
    if (shifted == nullptr) {
        diagonal_.moments(h_m_, range, tables);
        return;
    }
    diagonal_.moments(h_m_, shifted->shift, range, tables);
    turn_by(shifted->end, turn_, range);
}

void Multistep::combine(Range range, int64_t block) noexcept {
    if (frame_ == Frame::kLinear)
        combine_phases(range);
    else
        for_count<kAdamsOrderMax>(
            order_, [&]<int Order>() noexcept { combine_moments<Order>(range, block); });
}

/// Unless K = L: weights of the slopes and of the surplus, from the moments. 4 k² + 6 k + 2 FLOP
/// for order k, 6 k more with a shift, 16 (k + 1) B read and written per element.
template <int Order>
void Multistep::combine_moments(Range range, int64_t block) noexcept {
    constexpr auto kOrder = index(Order);
    std::array<Polynomial, kOrder> basis;
    for (std::size_t j = 0; j < kOrder; ++j)
        basis[j] = times(h_m_, step_.basis[j]);
    const Polynomial last = times(h_m_, step_.correction);
    const auto moments = moments_;
    const auto weights = weights_;
    Complex* correction = correction_;
    const ShiftFactors* shifted = factors(block);
    for_elements(range, [&]<class V>(int64_t i) noexcept {
        std::array<V, kOrder> values;
        for (std::size_t m = 0; m < kOrder; ++m)
            values[m] = load<V>(moments[m], i);
        for (std::size_t j = 0; j < kOrder; ++j)
            store(weights[j], i, combination(basis[j], values));
        for (std::size_t j = 0; shifted != nullptr && j < kOrder; ++j)
            store(weights[j], i, shifted->phases[j] * load<V>(weights[j], i));
        const V highest = last[kOrder] * load<V>(moments[kOrder], i);
        store(correction, i, combination(last, values) + highest);
    });
}

/// K = L: e^{L d} with the distance d from each slope to the end of the step. 39 FLOP
/// (lossless) and 16 B written per element and slope.
void Multistep::combine_phases(Range range) noexcept {
    for (std::size_t j = 0; j < index(order_); ++j)
        diagonal_.exponentials((1 - nodes_[j]) * h_m_, range, weights_[j] + range.begin);
}

/// What is predicted from, and where to.
PredictionArrays Multistep::prediction_arrays() const noexcept {
    PredictionArrays prediction{y_, turn_, {}, {}, {}, step_.end, next_, expected_};
    for (std::size_t j = 0; j < index(order_); ++j) {
        prediction.weights[j] = weights_[j];
        prediction.slopes[j] = history_.slope(static_cast<int>(j));
        prediction.parts[j] = h_m_ * integral_to(step_.basis[j], 1);
    }
    return prediction;
}

/// After the evaluation at the predicted state: what it is corrected with, where it is.
CorrectionArrays Multistep::correction_arrays() const noexcept {
    return {source_.output(),
            source_.weight(),
            expected_,
            correction_,
            h_m_ * integral_to(step_.correction, 1),
            next_,
            surplus_,
            next_};
}

/// N of the last evaluation. 6 FLOP, 32 B read and 16 B written per element.
void Multistep::keep_slope(Range range) noexcept {
    const Complex* output = source_.output();
    const Complex* weight = source_.weight();
    Complex* slope = history_.vacant();
    for_elements(range, [=]<class V>(int64_t i) noexcept {
        store(slope, i, load<V>(weight, i) * load<V>(output, i));
    });
}

void Multistep::interpolate(const Worker& worker, double theta, Complex* out) const noexcept {
    worker.share(outside_, [&](Range range, int64_t) {
        std::copy_n(next_ + range.begin, range.end - range.begin, out + range.begin);
    });
    worker.share(inside_, [&](Range range, int64_t block) {
        if (frame_ == Frame::kLinear)
            dense_sum_turned(range, theta, out);
        else
            dense_sum(range, block, theta, out);
    });
}

/// K = 0: e^{L theta h} y_n + theta h sum theta^m psi_m(L theta h) a_m, where sum a_m theta^m is
/// the polynomial of the corrector: at theta = 1 this is the new state. With a shift, the moments
/// are those of L - K, and slope j is turned by K over its distance from theta. For order k 4 k² +
/// 18 k FLOP and the moments, 16 (k + 2) B read and 16 B written per element.
void Multistep::dense_sum(Range range, int64_t block, double theta, Complex* out) const noexcept {
    const std::size_t last = index(order_);
    const ShiftFactors* shifted = factors(block);
    const Complex shift = shifted == nullptr ? Complex{0, 0} : shifted->shift;
    std::array<Complex, kNodesMax> phases{};
    std::array<std::array<Complex, Blocks::kLength>, kMomentMax + 2> values;
    MomentTables tables{values.back().data(), {}, order_};
    Basis basis = step_.basis;
    basis[last] = step_.correction;
    std::array<const Complex*, kNodesMax> slopes{};
    for (std::size_t j = 0; j <= last; ++j) {
        tables.moments[j] = values[j].data();
        phases[j] = exponential(shift, (theta - (j < last ? nodes_[j] : 1.0)) * h_m_);
        slopes[j] = j < last ? history_.slope(static_cast<int>(j) + 1) : surplus_;
        double power = theta * h_m_;
        for (double& coefficient : basis[j]) {
            coefficient *= power;
            power *= theta;
        }
    }
    const Complex end = exponential(shift, theta * h_m_);
    diagonal_.moments(theta * h_m_, shift, range, tables);
    const Complex* start = next_;
    const int64_t offset = range.begin;
    for_elements(range, [&]<class V>(int64_t i) noexcept {
        V sum = end * (load<V>(tables.turn, i - offset) * load<V>(start, i));
        for (std::size_t j = 0; j <= last; ++j) {
            V weight = basis[j][0] * load<V>(tables.moments[0], i - offset);
            for (std::size_t m = 1; m <= last; ++m)
                weight = weight + basis[j][m] * load<V>(tables.moments[m], i - offset);
            sum = sum + phases[j] * (weight * load<V>(slopes[j], i));
        }
        store(out, i, sum);
    });
}

/// K = L: e^{L theta h} y_n + h sum b_j(theta) e^{L (theta - theta_j) h} N_j, the surplus among
/// them at the end. About 55 (k + 2) FLOP, 16 (k + 2) B read and 16 B written per element.
void Multistep::dense_sum_turned(Range range, double theta, Complex* out) const noexcept {
    const int64_t offset = range.begin;
    std::array<Complex, Blocks::kLength> turn;
    const Complex* start = next_;
    diagonal_.exponentials(theta * h_m_, range, turn.data());
    for_elements(range, [&]<class V>(int64_t i) noexcept {
        store(out, i, load<V>(turn.data(), i - offset) * load<V>(start, i));
    });
    const auto add = [&](const Complex* slope, const Polynomial& polynomial, double node) noexcept {
        const double part = h_m_ * integral_to(polynomial, theta);
        diagonal_.exponentials((theta - node) * h_m_, range, turn.data());
        for_elements(range, [&]<class V>(int64_t i) noexcept {
            const V turned = load<V>(turn.data(), i - offset) * load<V>(slope, i);
            store(out, i, load<V>(out, i) + part * turned);
        });
    };
    for (std::size_t j = 0; j < index(order_); ++j)
        add(history_.slope(static_cast<int>(j) + 1), step_.basis[j], nodes_[j]);
    add(surplus_, step_.correction, 1);
}

}  // namespace longrun
