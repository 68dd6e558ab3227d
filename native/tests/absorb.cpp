// The windows after a step: equal for any team that shares them, and for a leader alone.
#include "optics/absorb.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "check.hpp"
#include "core/arena.hpp"
#include "core/team.hpp"
#include "optics/transforms.hpp"

namespace {

constexpr int64_t kPoints = 1024;

struct Absorbed {
    std::vector<longrun::Complex> state;
    double norm;
};

Absorbed absorbed(int threads, int64_t share_from) {
    std::vector<double> spectral(kPoints);
    std::vector<double> temporal(kPoints);
    for (std::size_t i = 0; i < spectral.size(); ++i) {
        spectral[i] = 0.5 + 0.5 * std::cos(static_cast<double>(i));
        temporal[i] = 0.5 + 0.5 * std::sin(static_cast<double>(i));
    }
    longrun::Arena arena;
    longrun::Team team(threads);
    longrun::Transforms transforms(arena, longrun::Planner(), kPoints);
    longrun::Absorber absorber(arena, transforms, spectral.data(), temporal.data(), share_from);
    auto* state = arena.take<longrun::Complex>(kPoints);
    for (int64_t i = 0; i < kPoints; ++i)
        state[i] = {std::sin(static_cast<double>(3 * i)), std::cos(static_cast<double>(7 * i))};
    team.run([&](const longrun::Worker& worker) noexcept { absorber.apply(worker, state, state); });
    auto* field = arena.take<longrun::Complex>(kPoints);
    transforms.backward.execute(state, field);
    double astray = 0;
    for (int64_t i = 0; i < kPoints; ++i)
        astray = std::max({astray, std::abs(field[i].re - transforms.time[i].re),
                           std::abs(field[i].im - transforms.time[i].im)});
    check::near("the field that is left is that of the new state", 0, astray, 1e-11);
    return {std::vector<longrun::Complex>(state, state + kPoints), absorber.norm()};
}

double difference(const Absorbed& a, const Absorbed& b) {
    double sum = std::abs(a.norm - b.norm);
    for (std::size_t i = 0; i < a.state.size(); ++i)
        sum += std::abs(a.state[i].re - b.state[i].re) + std::abs(a.state[i].im - b.state[i].im);
    return sum;
}

}  // namespace

int main() {
    const Absorbed one = absorbed(1, longrun::Team::kShareFrom);
    check::at_most("what is left is less than what was there", std::sqrt(1.0 * kPoints), one.norm);
    for (const int threads : {1, 2, 3})
        for (const int64_t share_from : {int64_t{0}, longrun::Team::kShareFrom})
            check::near("teams against one thread", 0,
                        difference(one, absorbed(threads, share_from)), 1e-12);
    return check::finish();
}
