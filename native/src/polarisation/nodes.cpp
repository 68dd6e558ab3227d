#include "polarisation/nodes.hpp"

#include "polarisation/envelope_nodes.hpp"
#include "polarisation/real_nodes.hpp"

namespace longrun::polarisation {

std::unique_ptr<Nodes> make_nodes(Arena& arena, const Planner& planner, const Setting& setting,
                                  int threads, PartClock& clock, Complex* spectrum, Complex* out) {
    if (setting.field == LONGRUN_FIELD_REAL)
        return std::make_unique<RealNodes>(arena, planner, setting, threads, clock, spectrum, out);
    return std::make_unique<EnvelopeNodes>(arena, planner, setting, threads, clock, spectrum, out);
}

}  // namespace longrun::polarisation
