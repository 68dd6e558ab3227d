#include "guided/envelope_nodes.hpp"

#include <cmath>

#include "guided/pointwise.hpp"
#include "guided/window.hpp"

namespace longrun::guided {
namespace {

/// sign w^power over the bins; 0 where w is.
const double* powers(Arena& arena, const longrun_guided_problem& problem, double sign, int power) {
    double* values = arena.take<double>(problem.points);
    for (int64_t i = 0; i < problem.points; ++i)
        values[i] = problem.omega[i] > 0 ? sign * std::pow(problem.omega[i], power) : 0.0;
    return values;
}

}  // namespace

EnvelopeNodes::EnvelopeNodes(Arena& arena, const Planner& planner,
                             const longrun_guided_problem& problem, int threads, PartClock& clock,
                             Complex* spectrum, Complex* out)
    : clock_(clock),
      points_(problem.points),
      kerr_(problem.kerr),
      window_(time_window(arena, problem)),
      once_(powers(arena, problem, 1, -1)),
      twice_(powers(arena, problem, -1, -2)),
      lanes_([&] {
          std::vector<Lane> lanes;
          for (int rank = 0; rank < threads; ++rank) {
              Lane lane{arena.take<Complex>(points_), nullptr, nullptr, nullptr};
              if (problem.rates != nullptr)
                  for (Complex** array : {&lane.growth, &lane.release, &lane.spectrum})
                      *array = arena.take<Complex>(points_);
              lanes.push_back(lane);
          }
          return lanes;
      }()),
      backward_(planner, points_, spectrum, lanes_[0].field),
      forward_(planner, points_, lanes_[0].field, out),
      excesses_(threads) {
    if (problem.raman != nullptr)
        response_.emplace(arena, planner, points_, problem.raman_points, problem.raman, threads);
    if (problem.rates != nullptr)
        ionisation_.emplace(arena, *problem.rates, fine_step_s(problem));
}

void EnvelopeNodes::polarise(const Worker& worker, double scale, Complex* spectrum,
                             Complex* out) noexcept {
    const Lane& mine = lane(worker);
    own_transform(worker, clock_, [&] { backward_.execute(spectrum, mine.field); });
    Bound bound{scale, kerr_, nullptr, window_};
    if (response_) {
        square(mine.field, response_->drive(worker), points_);
        bound.response = response_->respond(worker, clock_);
    }
    if (ionisation_) {
        const double excess = ionisation_->react(mine.field, mine.growth, mine.release, points_);
        excesses_.note(worker, excess);
        weigh(scale, window_, mine.growth, points_);
        weigh(scale, window_, mine.release, points_);
    }
    guided::polarise(bound, mine.field, points_);
    own_transform(worker, clock_, [&] { forward_.execute(mine.field, out); });
    if (!ionisation_)
        return;
    own_transform(worker, clock_, [&] { forward_.execute(mine.growth, mine.spectrum); });
    add_real(twice_, mine.spectrum, out, points_);
    own_transform(worker, clock_, [&] { forward_.execute(mine.release, mine.spectrum); });
    add_turned(once_, mine.spectrum, out, points_);
}

void EnvelopeNodes::transforms(const Worker& worker, Complex* spectrum, Complex* out) noexcept {
    const Lane& mine = lane(worker);
    backward_.execute(spectrum, mine.field);
    if (response_)
        response_->transforms(worker);
    forward_.execute(mine.field, out);
    if (!ionisation_)
        return;
    forward_.execute(mine.growth, mine.spectrum);
    forward_.execute(mine.release, mine.spectrum);
}

/// The other transforms keep what they read.
void EnvelopeNodes::refresh(const Worker& worker, Complex*) noexcept {
    if (response_)
        response_->refresh(worker);
}

Excess EnvelopeNodes::take_excess() noexcept {
    return {excesses_.take(), ionisation_ ? ionisation_->limit() : 0.0};
}

std::string EnvelopeNodes::plans() const {
    const std::string text = backward_.text() + "\n" + forward_.text() + "\n";
    return response_ ? text + response_->plans() : text;
}

int64_t EnvelopeNodes::bytes() const noexcept {
    int64_t bytes = (16 + 16 + 8) * points_;  // field in and out, window
    if (response_)
        bytes += 16 * points_ + response_->bytes();
    if (ionisation_)
        bytes += (16 + 32) * points_ + 2 * (24 + 16) * points_ + 2 * (40 + 16) * points_;
    return bytes;
}

}  // namespace longrun::guided
