#include "polarisation/real_nodes.hpp"

#include <algorithm>

#include "polarisation/pointwise.hpp"
#include "polarisation/window.hpp"

namespace longrun::polarisation {

RealNodes::RealNodes(Arena& arena, const Planner& planner, const Setting& setting, int threads,
                     PartClock& clock, Complex* spectrum, Complex* out)
    : clock_(clock),
      bins_(setting.bins),
      fine_(setting.fine_points),
      step_s_(setting.step_s),
      kerr_(setting.kerr),
      window_(time_window(arena, setting)),
      lanes_([&] {
          std::vector<Lane> lanes;
          for (int rank = 0; rank < threads; ++rank) {
              Lane lane{arena.take<double>(fine_), nullptr, nullptr};
              if (setting.rates != nullptr) {
                  lane.growth = arena.take<double>(fine_);
                  lane.release = arena.take<double>(fine_);
              }
              lanes.push_back(lane);
          }
          return lanes;
      }()),
      backward_(planner, fine_, spectrum, lanes_[0].field),
      forward_(planner, fine_, lanes_[0].field, out),
      excesses_(threads) {
    if (setting.raman != nullptr)
        response_.emplace(arena, planner, fine_, setting.raman_points, setting.raman, threads);
    if (setting.rates != nullptr)
        ionisation_.emplace(arena, *setting.rates, step_s_);
}

void RealNodes::polarise(const Worker& worker, double scale, Complex* spectrum,
                         Complex* out) noexcept {
    const Lane& mine = lane(worker);
    // The transform destroys what it reads, so the bins that nothing comes in by are emptied each
    // time.
    std::fill(spectrum, spectrum + bins_.begin, Complex{0, 0});
    std::fill(spectrum + bins_.end, spectrum + spectrum_size(), Complex{0, 0});
    own_transform(worker, clock_, [&] { backward_.execute(spectrum, mine.field); });
    Bound bound{scale, kerr_, nullptr, window_};
    if (response_) {
        square(mine.field, response_->drive(worker), fine_);
        bound.response = response_->respond(worker, clock_);
    }
    Stretches stretches{};
    if (ionisation_) {
        const double excess = ionisation_->react(mine.field, mine.growth, mine.release, fine_);
        excesses_.note(worker, excess);
        stretches = integrate_twice(mine.growth, mine.release, step_s_, fine_);
    }
    polarisation::polarise(bound, mine.growth, stretches, mine.field, fine_);
    own_transform(worker, clock_, [&] { forward_.execute(mine.field, out); });
}

void RealNodes::transforms(const Worker& worker, Complex* spectrum, Complex* out) noexcept {
    const Lane& mine = lane(worker);
    backward_.execute(spectrum, mine.field);
    if (response_)
        response_->transforms(worker);
    forward_.execute(mine.field, out);
}

void RealNodes::refresh(const Worker& worker, Complex* spectrum) noexcept {
    std::fill_n(spectrum, spectrum_size(), Complex{1, 0});
    if (response_)
        response_->refresh(worker);
}

Excess RealNodes::take_excess() noexcept {
    return {excesses_.take(), ionisation_ ? ionisation_->limit() : 0.0};
}

std::string RealNodes::plans() const {
    const std::string text = backward_.text() + "\n" + forward_.text() + "\n";
    return response_ ? text + response_->plans() : text;
}

int64_t RealNodes::bytes() const noexcept {
    int64_t bytes = 16 * (spectrum_size() - (bins_.end - bins_.begin));  // emptied bins
    bytes += (8 + 8 + 8) * fine_;                                        // field in and out, window
    if (response_)
        bytes += 8 * fine_ + response_->bytes();
    if (ionisation_)
        bytes += (8 + 8 + 8) * fine_ + (8 + 8 + 8) * fine_ + 8 * fine_;
    return bytes;
}

}  // namespace longrun::polarisation
