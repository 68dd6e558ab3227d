#include "guided/model.hpp"

#include <algorithm>
#include <vector>

#include "guided/problem.hpp"

namespace longrun {
namespace {

using guided::bins_of;

std::vector<Complex> pairs(const double* interleaved, int64_t count) {
    std::vector<Complex> values;
    values.reserve(static_cast<std::size_t>(count));
    for (int64_t i = 0; i < count; ++i)
        values.push_back({interleaved[2 * i], interleaved[2 * i + 1]});
    return values;
}

/// The bins of one mode, cut where two halves of a spectrum in FFT order meet and where the
/// harmonic changes.
std::vector<Range> parts_of_mode(const longrun_guided_problem& problem) {
    const int64_t bins = bins_of(problem);
    const auto cut = [&](int64_t bin) {
        if (problem.field == LONGRUN_FIELD_ENVELOPE && bin == bins / 2)
            return true;
        return problem.harmonic != nullptr && problem.harmonic[bin] != problem.harmonic[bin - 1];
    };
    std::vector<Range> parts;
    int64_t begin = 0;
    for (int64_t bin = 1; bin <= bins; ++bin) {
        if (bin < bins && !cut(bin))
            continue;
        parts.push_back({begin, bin});
        begin = bin;
    }
    return parts;
}

ActiveSet active_set(const longrun_guided_problem& problem) {
    const int64_t bins = bins_of(problem);
    std::vector<Range> parts;
    for (int64_t mode = 0; mode < problem.modes; ++mode)
        for (const Range& part : parts_of_mode(problem))
            parts.push_back({mode * bins + part.begin, mode * bins + part.end});
    const auto pair = [](const double* values, int64_t i) {
        return Complex{values[2 * i], values[2 * i + 1]};
    };
    return find_active(parts, [&](int64_t i) {
        const int64_t bin = i % bins;
        return problem.omega[bin] != 0 || squared(pair(problem.source, i)) != 0 ||
               (problem.linear != nullptr && squared(pair(problem.linear, i)) != 0) ||
               (problem.absorb_spectral != nullptr && problem.absorb_spectral[bin] != 0);
    });
}

/// Where the problem asks for it; blocks of the active set lie within one harmonic.
std::optional<CarrierShift> carrier_shift(const longrun_guided_problem& problem,
                                          const ActiveSet& active) {
    if (problem.harmonic == nullptr)
        return std::nullopt;
    const int64_t bins = bins_of(problem);
    CarrierShift shift{problem.carrier_bin, {}, {}};
    for (int64_t block = 0; block < active.inside.count(); ++block) {
        const double harmonic = problem.harmonic[active.inside[block].begin % bins];
        auto& known = shift.harmonics;
        const auto place = std::find(known.begin(), known.end(), harmonic);
        shift.group.push_back(static_cast<std::size_t>(place - known.begin()));
        if (place == known.end())
            known.push_back(harmonic);
    }
    return shift;
}

Diagonal make_diagonal(Arena& arena, const longrun_guided_problem& problem,
                       guided::Gradient* gradient, int64_t size) {
    if (gradient == nullptr)
        return Diagonal(arena, pairs(problem.linear, size).data(), size);
    return Diagonal(arena, *gradient, gradient->lossless(), size);
}

}  // namespace

GuidedModel::GuidedModel(Arena& arena, const Planner& planner,
                         const longrun_guided_problem& problem, const double* absorb_nodes,
                         int threads, PartClock& clock)
    : size_(problem.modes * bins_of(problem)),
      nodes_(problem.nodes),
      energy_scale_(problem.energy_scale),
      weight_(arena.copy(pairs(problem.source, size_).data(), size_)),
      gradient_(problem.gradient == nullptr ? nullptr
                                            : std::make_unique<guided::Gradient>(
                                                  arena, problem, bins_of(problem), weight_)),
      active_(active_set(problem)),
      shift_(carrier_shift(problem, active_)),
      diagonal_(make_diagonal(arena, problem, gradient_.get(), size_)),
      source_(arena, planner, problem, weight_,
              {problem.density, problem.density_follows != 0 ? gradient_.get() : nullptr},
              active_.inside.elements(), threads, clock),
      observer_(arena, planner, problem) {
    if (problem.absorb_spectral != nullptr)
        absorber_.emplace(arena, planner, problem, absorb_nodes, threads);
}

std::string GuidedModel::plans() const {
    const std::string text = source_.plans() + observer_.plans();
    return absorber_ ? text + absorber_->plans() : text;
}

void GuidedModel::absorb(const Worker& worker, Complex* state) noexcept {
    absorber_->apply(worker, state);
}

void GuidedModel::observe(Team&, longrun_plane_statistics& statistics, double* intensity) noexcept {
    observer_.observe(statistics, intensity);
}

void GuidedModel::observe_nodes(Team&, double* fluence, double* peak) noexcept {
    observer_.observe_nodes(fluence, peak);
}

}  // namespace longrun
