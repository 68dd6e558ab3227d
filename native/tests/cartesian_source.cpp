// The source of a field over a plane against its formula, written with sums instead of transforms.
#include "cartesian/source.hpp"

#include <cstring>
#include <vector>

#include "beam.hpp"
#include "cartesian/planes.hpp"
#include "check.hpp"
#include "core/arena.hpp"
#include "core/team.hpp"

using fixture::Beam;
using fixture::Field;

namespace {

/// Bins 5 to 12 of 17, more columns than one tile and not a multiple of it.
Beam make_beam() {
    Beam beam(32, 64, 5, 8, 10, 6);
    beam.kerr = 0.8;
    fixture::absorb(beam);
    return beam;
}

Field expected_source(const Beam& beam, const Field& state) {
    Field fields = fixture::signals(beam, state, beam.fine);
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const double e = fields[i].real();
        const std::size_t sample = i % static_cast<std::size_t>(beam.fine);
        fields[i] = beam.density * beam.time_window[sample] * beam.kerr * e * e * e;
    }
    Field source = fixture::state_of(beam, fields, beam.fine);
    for (std::size_t i = 0; i < source.size(); ++i)
        source[i] *= beam.factor(i);
    return source;
}

Field obtained_source(const Beam& beam, const Field& state, int threads) {
    const auto size = static_cast<int64_t>(state.size());
    const longrun_cartesian_problem view = beam.view();
    longrun::Arena arena;
    longrun::Team team(threads);
    longrun::PartClock clock;
    auto* input = arena.take<longrun::Complex>(size);
    auto* work = arena.take<longrun::Complex>(size);
    const longrun::cartesian::Planes planes(longrun::Planner(), longrun::cartesian::Shape(view),
                                            work);
    std::memcpy(input, state.data(), state.size() * sizeof(state[0]));
    longrun::cartesian::CartesianSource source(arena, longrun::Planner(), view, planes, work,
                                               threads, clock);
    // Twice, with bare transforms between: nothing that they leave behind matters.
    for (int i = 0; i < 2; ++i)
        team.run([&](const longrun::Worker& worker) noexcept {
            source.evaluate(worker, 0, input);
            worker.barrier();
            if (i == 0) {
                source.transforms(worker, input);
                source.rescale(worker);
            }
        });
    check::equal("the state is kept", 0,
                 std::memcmp(input, state.data(), state.size() * sizeof(state[0])));
    Field obtained(state.size());
    for (int64_t i = 0; i < size; ++i) {
        const longrun::Complex slope = source.weight()[i] * source.output()[i];
        obtained[static_cast<std::size_t>(i)] = {slope.re, slope.im};
    }
    return obtained;
}

/// The corners of the lowest planes are evanescent, and some waves graze.
void all_kinds_of_waves_are_among_them(const Beam& beam) {
    int evanescent = 0;
    int grazing = 0;
    for (std::size_t i = 0; i < beam.size(); ++i) {
        const double least = beam.grazing * beam.wavenumber[i / beam.area()];
        evanescent += beam.square(i) < 0 ? 1 : 0;
        grazing += beam.square(i) >= 0 && beam.square(i) < least * least ? 1 : 0;
    }
    check::at_least("evanescent waves", 1, evanescent);
    check::at_least("grazing waves", 1, grazing);
}

}  // namespace

int main() {
    const Beam beam = make_beam();
    all_kinds_of_waves_are_among_them(beam);
    const Field state = fixture::beam_launch(beam, 1.3);
    const Field obtained = obtained_source(beam, state, 1);
    const Field expected = expected_source(beam, state);
    check::at_most("source against its formula", 1e-12, fixture::distance(obtained, expected));
    for (const int threads : {2, 3}) {
        const Field shared = obtained_source(beam, state, threads);
        check::equal("bits of a team", 1, fixture::same_bits(obtained, shared) ? 1 : 0);
    }
    return check::finish();
}
