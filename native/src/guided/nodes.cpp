#include "guided/nodes.hpp"

#include "guided/envelope_nodes.hpp"
#include "guided/real_nodes.hpp"

namespace longrun::guided {

std::unique_ptr<Nodes> make_nodes(Arena& arena, const Planner& planner,
                                  const longrun_guided_problem& problem, int threads,
                                  PartClock& clock, Complex* spectrum, Complex* out) {
    if (problem.field == LONGRUN_FIELD_REAL)
        return std::make_unique<RealNodes>(arena, planner, problem, threads, clock, spectrum, out);
    return std::make_unique<EnvelopeNodes>(arena, planner, problem, threads, clock, spectrum, out);
}

int64_t spectrum_size(const longrun_guided_problem& problem) noexcept {
    return problem.field == LONGRUN_FIELD_REAL ? problem.fine_points / 2 + 1 : problem.points;
}

int64_t bins_of(const longrun_guided_problem& problem) noexcept {
    return problem.field == LONGRUN_FIELD_REAL ? problem.points / 2 + 1 : problem.points;
}

}  // namespace longrun::guided
