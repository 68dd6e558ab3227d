#include "guided/real_nodes.hpp"

#include <algorithm>

#include "guided/pointwise.hpp"
#include "guided/window.hpp"

namespace longrun::guided {

RealNodes::RealNodes(Arena& arena, const Planner& planner, const longrun_guided_problem& problem,
                     int threads, PartClock& clock, Complex* spectrum, Complex* out)
    : clock_(clock),
      bins_(bins_of(problem)),
      fine_(problem.fine_points),
      step_s_(fine_step_s(problem)),
      kerr_(problem.kerr),
      window_(time_window(arena, problem)),
      lanes_([&] {
          std::vector<Lane> lanes;
          for (int rank = 0; rank < threads; ++rank) {
              Lane lane{arena.take<double>(fine_), nullptr, nullptr};
              if (problem.rates != nullptr) {
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
    if (problem.raman != nullptr)
        response_.emplace(arena, planner, fine_, problem.raman_points, problem.raman, threads);
    if (problem.rates != nullptr)
        ionisation_.emplace(arena, *problem.rates, step_s_);
}

void RealNodes::polarise(const Worker& worker, double scale, Complex* spectrum,
                         Complex* out) noexcept {
    const Lane& mine = lane(worker);
    // The transform destroys what it reads, so the bins that the state does not have are emptied
    // each time.
    std::fill(spectrum + bins_, spectrum + spectrum_size(), Complex{0, 0});
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
    guided::polarise(bound, mine.growth, stretches, mine.field, fine_);
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
    int64_t bytes = 16 * (spectrum_size() - bins_);  // emptied bins
    bytes += (8 + 8 + 8) * fine_;                    // field in and out, window
    if (response_)
        bytes += 8 * fine_ + response_->bytes();
    if (ionisation_)
        bytes += (8 + 8 + 8) * fine_ + (8 + 8 + 8) * fine_ + 8 * fine_;
    return bytes;
}

}  // namespace longrun::guided
