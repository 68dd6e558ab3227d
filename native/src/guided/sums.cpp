#include "guided/sums.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/counts.hpp"
#include "core/pack.hpp"

namespace longrun::guided {
namespace {

template <int64_t Nodes>
void synthesise_tile(const Synthesis& synthesis) noexcept {
    constexpr auto kNodes = static_cast<std::size_t>(Nodes);
    const double* rows = synthesis.rows;
    const int64_t modes = synthesis.modes;
    const int64_t bins = synthesis.bins;
    const Complex* state = synthesis.state;
    const Spectra spectra = synthesis.spectra;
    for_elements({0, bins}, [&]<class V>(int64_t i) noexcept {
        std::array<V, kNodes> sums{};
        for (int64_t mode = 0; mode < modes; ++mode) {
            const V value = load<V>(state + mode * bins, i);
            for (std::size_t node = 0; node < kNodes; ++node)
                sums[node] = sums[node] + rows[static_cast<int64_t>(node) * modes + mode] * value;
        }
        for (std::size_t node = 0; node < kNodes; ++node)
            store(spectra[static_cast<int64_t>(node)], i, sums[node]);
    });
}

template <int64_t Modes>
void project_tile(const Projection& projection, int64_t first, Range range) noexcept {
    constexpr auto kModes = static_cast<std::size_t>(Modes);
    const int64_t nodes = projection.nodes;
    const double* rows = projection.rows + first * nodes;
    const Spectra polarisations = projection.polarisations;
    const int64_t bins = projection.bins;
    Complex* output = projection.output + first * bins;
    for_elements(range, [&]<class V>(int64_t i) noexcept {
        std::array<V, kModes> sums{};
        for (int64_t node = 0; node < nodes; ++node) {
            const V value = load<V>(polarisations[node], i);
            for (std::size_t mode = 0; mode < kModes; ++mode)
                sums[mode] = sums[mode] + rows[static_cast<int64_t>(mode) * nodes + node] * value;
        }
        for (std::size_t mode = 0; mode < kModes; ++mode)
            store(output + static_cast<int64_t>(mode) * bins, i, sums[mode]);
    });
}

}  // namespace

void synthesise(const Synthesis& synthesis, int64_t nodes) noexcept {
    for_count<kTile>(nodes, [&]<int64_t Nodes>() noexcept { synthesise_tile<Nodes>(synthesis); });
}

void project(const Projection& projection, Range range) noexcept {
    for (int64_t first = 0; first < projection.modes; first += kTile) {
        const int64_t modes = std::min(kTile, projection.modes - first);
        for_count<kTile>(modes, [&]<int64_t Modes>() noexcept {
            project_tile<Modes>(projection, first, range);
        });
    }
}

}  // namespace longrun::guided
