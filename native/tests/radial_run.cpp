// Free space around an axis through the C ABI: modes that are orthogonal on their nodes, and a
// window over those.
#include <cmath>
#include <vector>

#include "check.hpp"
#include "guide.hpp"

using namespace fixture;

namespace {

constexpr double kLength = 0.3;
constexpr std::size_t kModes = 20;
/// W E = s.
constexpr double kOverlap = 1.7;

/// Cosines on the midpoints of as many intervals as there are modes: W is s times the inverse of E.
Guide make_guide(std::size_t modes = kModes) {
    Guide guide(LONGRUN_FIELD_REAL, 64, 128, modes, modes, 20);
    const auto count = static_cast<double>(modes);
    for (std::size_t node = 0; node < modes; ++node)
        for (std::size_t mode = 0; mode < modes; ++mode) {
            const double phase =
                kPi * static_cast<double>(mode) * (static_cast<double>(node) + 0.5) / count;
            const double norm = std::sqrt((mode == 0 ? 1 : 2) / count);
            guide.synthesis[node * modes + mode] = 2 * norm * std::cos(phase);
            guide.projection[mode * modes + node] = kOverlap / 2 * norm * std::cos(phase);
        }
    guide.set_linear([](double offset, double mode) {
        return std::complex<double>(0, 0.3 * offset - 0.02 * mode * mode);
    });
    guide.set_source(1);
    guide.band(3, 30);
    guide.absorb_spectral.resize(guide.bins, 1.0);
    guide.absorb_temporal.resize(64, 1.0);
    guide.time_window.resize(128, 1.0);
    return guide;
}

/// 1 at most nodes; at the last ones it falls.
std::vector<double> window(std::size_t nodes) {
    std::vector<double> values(nodes, 1.0);
    for (std::size_t i = 0; i < 4; ++i)
        values[nodes - 1 - i] = 0.2 + 0.2 * static_cast<double>(i);
    return values;
}

class Radial {
 public:
    Radial(const Guide& guide, const std::vector<double>& edge, const longrun_stepper& stepper,
           int64_t threads = 1)
        : engine(create(guide, edge, stepper, threads), stepper) {}

    double edge_energy() const {
        double energy = -1;
        require(longrun_propagation_get_edge_energy(engine.handle, &energy));
        return energy;
    }

    Engine engine;

 private:
    static longrun_propagation* create(const Guide& guide, const std::vector<double>& edge,
                                       const longrun_stepper& stepper, int64_t threads) {
        const longrun_guided_problem view = guide.view();
        longrun_propagation* handle = nullptr;
        require(longrun_radial_create(&view, edge.data(), &stepper, threads, nullptr, &handle));
        return handle;
    }
};

double squares(const Field& values) {
    double sum = 0;
    for (const auto& value : values)
        sum += std::norm(value);
    return sum;
}

/// Each spectrum at the nodes, from those of the modes.
Field at_nodes(const Guide& guide, const Field& state) {
    Field nodes(state.size());
    for (std::size_t node = 0; node < guide.nodes; ++node)
        for (std::size_t i = 0; i < state.size(); ++i)
            nodes[node * guide.bins + i % guide.bins] +=
                guide.synthesis[node * guide.modes + i / guide.bins] * state[i];
    return nodes;
}

void the_window_acts_on_the_nodes(std::size_t modes) {
    const Guide guide = make_guide(modes);
    const std::vector<double> edge = window(modes);
    const Field start = pulses(guide, 1);
    const std::vector<double> steps = {kLength};
    Radial radial(guide, edge, scheduled(LONGRUN_STEPPER_RK4IP, steps));
    const Field obtained = radial.engine.run(start);
    Field state = start;
    for (std::size_t i = 0; i < state.size(); ++i)
        state[i] *= std::exp(guide.linear[i] * kLength);
    Field nodes = at_nodes(guide, state);
    for (std::size_t i = 0; i < nodes.size(); ++i)
        nodes[i] *= std::pow(edge[i / guide.bins], kLength / guide.absorb_length);
    Field expected(state.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        for (std::size_t node = 0; node < guide.nodes; ++node)
            expected[i] += guide.projection[i / guide.bins * guide.nodes + node] / kOverlap *
                           nodes[node * guide.bins + i % guide.bins];
    check::at_most("window against its formula", 1e-13, distance(obtained, expected));
    const double scale = guide.view().energy_scale;
    check::near("edge energy", scale * (squares(state) - squares(expected)), radial.edge_energy(),
                1e-12 * scale * squares(state));
    check::at_least("edge energy is some", 1e-2, 1 - squares(expected) / squares(state));
}

void the_field_at_the_nodes_is_seen() {
    const Guide guide = make_guide();
    const Field start = pulses(guide, 1);
    const std::vector<double> steps = {kLength / 2, kLength / 2};
    Radial radial(guide, window(kModes), scheduled(LONGRUN_STEPPER_RK4IP, steps));
    radial.engine.set(start);
    std::vector<double> fluence(kModes, -1.0);
    std::vector<double> peak(kModes, -1.0);
    check::equal("nodes", kModes, longrun_propagation_nodes(radial.engine.handle));
    require(
        longrun_propagation_observe_nodes(radial.engine.handle, 0, fluence.data(), peak.data()));
    const Field nodes = at_nodes(guide, start);
    for (std::size_t node = 0; node < kModes; ++node) {
        Field spectrum(64);
        for (std::size_t bin = 1; bin < 32; ++bin)
            spectrum[bin] = 2.0 / 64 * nodes[node * guide.bins + bin];
        const Field signal = dft(spectrum, 1);
        double largest = 0;
        for (const auto& value : signal)
            largest = std::fmax(largest, std::norm(value));
        check::near("fluence", guide.dt * squares(signal), fluence[node], 1e-12);
        check::near("peak", largest, peak[node], 1e-12);
    }
    check::near("nothing absorbed yet", 0, radial.edge_energy(), 0);
}

void threads_change_no_bit() {
    Guide guide = make_guide();
    guide.kerr = 0.02;
    const Field start = pulses(guide, 1);
    const std::vector<double> edge = window(kModes);
    for (const int32_t kind : kControlled) {
        const longrun_stepper stepper = controlled(kLength, 1e-7, kind);
        Radial one(guide, edge, stepper);
        const Field end = one.engine.run(start);
        for (const int64_t threads : {2, 3, 7}) {
            Radial several(guide, edge, stepper, threads);
            check::equal("field", 1, same_bits(end, several.engine.run(start)) ? 1 : 0);
            check::equal("steps", 1, same_bits(one.engine.steps(), several.engine.steps()) ? 1 : 0);
            check::near("edge energy", one.edge_energy(), several.edge_energy(), 0);
        }
    }
}

void what_is_refused() {
    const Guide guide = make_guide();
    const longrun_stepper stepper = controlled(kLength);
    longrun_propagation* handle = nullptr;
    longrun_guided_problem view = guide.view();
    const auto refuse = [&](const char* named, const double* edge) {
        check::equal(named, LONGRUN_INVALID_ARGUMENT,
                     longrun_radial_create(&view, edge, &stepper, 1, nullptr, &handle));
        check::contains("sentence", named, longrun_last_error());
        check::equal("no handle", 1, handle == nullptr ? 1 : 0);
    };
    refuse("absorb_nodes", nullptr);
    const std::vector<double> beyond(kModes, 1.5);
    refuse("absorb_nodes", beyond.data());
    view.absorb_spectral = view.absorb_temporal = view.time_window = nullptr;
    const std::vector<double> edge = window(kModes);
    refuse("absorb_spectral", edge.data());
    view = guide.view();
    view.kerr = NAN;
    refuse("kerr", edge.data());
}

}  // namespace

int main() {
    the_window_acts_on_the_nodes(kModes);
    // More than one block of columns at the edge and among the modes; and few modes.
    the_window_acts_on_the_nodes(40);
    the_window_acts_on_the_nodes(5);
    the_field_at_the_nodes_is_seen();
    threads_change_no_bit();
    what_is_refused();
    return check::finish();
}
