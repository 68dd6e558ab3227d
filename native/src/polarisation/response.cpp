#include "polarisation/response.hpp"

#include <algorithm>

#include "optics/pointwise.hpp"

namespace longrun::polarisation {
namespace {

/// The transform of h with the 1/m that the plans leave out.
const Complex* scaled(Arena& arena, const double* table, int64_t padded) {
    Complex* values = arena.take<Complex>(padded / 2 + 1);
    const double scale = 1.0 / static_cast<double>(padded);
    for (int64_t i = 0; i <= padded / 2; ++i)
        values[i] = scale * Complex{table[2 * i], table[2 * i + 1]};
    return values;
}

}  // namespace

Response::Response(Arena& arena, const Planner& planner, int64_t samples, int64_t padded,
                   const double* table, int threads)
    : samples_(samples),
      padded_(padded),
      table_(scaled(arena, table, padded)),
      lanes_([&] {
          std::vector<Lane> lanes;
          for (int rank = 0; rank < threads; ++rank)
              lanes.push_back({arena.take<double>(padded), arena.take<Complex>(padded / 2 + 1)});
          return lanes;
      }()),
      forward_(planner, padded, lanes_[0].real, lanes_[0].spectrum),
      backward_(planner, padded, lanes_[0].spectrum, lanes_[0].real) {}

const double* Response::respond(const Worker& worker, PartClock& clock) const noexcept {
    const Lane& mine = lane(worker);
    // The response of the last time stands where the padding belongs.
    std::fill(mine.real + samples_, mine.real + padded_, 0.0);
    own_transform(worker, clock, [&] { forward_.execute(mine.real, mine.spectrum); });
    multiply(table_, mine.spectrum, mine.spectrum, {0, padded_ / 2 + 1});
    own_transform(worker, clock, [&] { backward_.execute(mine.spectrum, mine.real); });
    return mine.real;
}

void Response::transforms(const Worker& worker) const noexcept {
    const Lane& mine = lane(worker);
    forward_.execute(mine.real, mine.spectrum);
    backward_.execute(mine.spectrum, mine.real);
}

void Response::refresh(const Worker& worker) const noexcept {
    std::fill_n(lane(worker).real, padded_, 1.0);
}

std::string Response::plans() const {
    return forward_.text() + "\n" + backward_.text() + "\n";
}

int64_t Response::bytes() const noexcept {
    const int64_t half = padded_ / 2 + 1;
    return 8 * padded_ + (16 + 16 + 16) * half + 8 * samples_;
}

}  // namespace longrun::polarisation
