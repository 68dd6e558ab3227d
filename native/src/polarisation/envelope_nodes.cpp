#include "polarisation/envelope_nodes.hpp"

#include <cmath>

#include "polarisation/pointwise.hpp"
#include "polarisation/window.hpp"

namespace longrun::polarisation {
namespace {

/// sign w^power over the bins; 0 where w is.
const double* powers(Arena& arena, const Setting& setting, double sign, int power) {
    double* values = arena.take<double>(setting.fine_points);
    for (int64_t i = 0; i < setting.fine_points; ++i)
        values[i] = setting.omega[i] > 0 ? sign * std::pow(setting.omega[i], power) : 0.0;
    return values;
}

}  // namespace

EnvelopeNodes::EnvelopeNodes(Arena& arena, const Planner& planner, const Setting& setting,
                             int threads, PartClock& clock, Complex* spectrum, Complex* out)
    : clock_(clock),
      points_(setting.fine_points),
      kerr_(setting.kerr),
      window_(time_window(arena, setting)),
      once_(powers(arena, setting, 1, -1)),
      twice_(powers(arena, setting, -1, -2)),
      lanes_([&] {
          std::vector<Lane> lanes;
          for (int rank = 0; rank < threads; ++rank) {
              Lane lane{arena.take<Complex>(points_), nullptr, nullptr, nullptr};
              if (setting.rates != nullptr)
                  for (Complex** array : {&lane.growth, &lane.release, &lane.spectrum})
                      *array = arena.take<Complex>(points_);
              lanes.push_back(lane);
          }
          return lanes;
      }()),
      backward_(planner, points_, spectrum, lanes_[0].field),
      forward_(planner, points_, lanes_[0].field, out),
      excesses_(threads) {
    if (setting.raman != nullptr)
        response_.emplace(arena, planner, points_, setting.raman_points, setting.raman, threads);
    if (setting.rates != nullptr)
        ionisation_.emplace(arena, *setting.rates, setting.step_s);
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
    polarisation::polarise(bound, mine.field, points_);
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

}  // namespace longrun::polarisation
