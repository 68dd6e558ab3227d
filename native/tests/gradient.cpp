// The operator of a capillary with a pressure gradient against its closed form in long double.
#include "guided/gradient.hpp"

#include <cmath>
#include <complex>
#include <vector>

#include "check.hpp"
#include "core/arena.hpp"
#include "core/constants.hpp"

using namespace longrun;
using namespace longrun::guided;

namespace {

using Wide = std::complex<long double>;

constexpr int64_t kBins = 40;
constexpr int64_t kModes = 2;
constexpr std::size_t kSize = kBins * kModes;

/// Half a bar to nothing over two metres; frequencies from the infrared to the far ultraviolet,
/// with a gap at both ends.
struct Guide {
    explicit Guide(int32_t field) {
        gradient.struct_size = sizeof(gradient);
        gradient.inlet_pa = 5e4;
        gradient.length_m = 2;
        gradient.temperature_k = 293.15;
        gradient.virial_m3 = 2e-29;
        gradient.carrier_susceptibility = chi(kCarrier);
        gradient.susceptibility_slope = 2 * kCurvature * kCarrier;
        gradient.carrier_waveguide[0] = guide(0, kCarrier).real();
        gradient.carrier_waveguide[1] = guide(0, kCarrier).imag();
        // w^-2 and w^-3.
        gradient.waveguide_slope[0] = -2 * guide(0, kCarrier).real() / kCarrier;
        gradient.waveguide_slope[1] = -3 * guide(0, kCarrier).imag() / kCarrier;
        gradient.index_min = 1e-3;
        gradient.max_loss_per_m = 3000;
        gradient.loss = 1;
        problem.field = field;
        problem.modes = kModes;
        problem.carrier_rad_s = kCarrier;
        problem.gradient = &gradient;
        for (std::size_t i = 0; i < kBins; ++i) {
            const double w = i < 2 || i > 37 ? 0 : 3e14 * static_cast<double>(i);
            omega.push_back(w);
            susceptibility.push_back(w > 0 ? chi(w) : 0);
        }
        for (int mode = 0; mode < kModes; ++mode)
            for (const double w : omega) {
                waveguide.push_back(w > 0 ? guide(mode, w) : std::complex<double>(0));
                source.emplace_back(1 + mode, w);
            }
        gradient.susceptibility = susceptibility.data();
        gradient.waveguide = reinterpret_cast<const double*>(waveguide.data());
        problem.omega = omega.data();
        problem.source = reinterpret_cast<const double*>(source.data());
    }

    static double chi(double w) { return 2.6e-30 + kCurvature * w * w; }
    static std::complex<double> guide(int mode, double w) {
        const double scale = (1 + 4.3 * mode) * (kCarrier / w) * (kCarrier / w);
        return {6e-6 * scale, -3e-9 * scale * kCarrier / w};
    }

    static constexpr double kCarrier = 2.35e15;
    static constexpr double kCurvature = 3e-64;
    longrun_gradient gradient{};
    longrun_guided_problem problem{};
    std::vector<double> omega;
    std::vector<double> susceptibility;
    std::vector<std::complex<double>> waveguide;
    std::vector<std::complex<double>> source;
};

/// beta and alpha / 2 of a mode, where the density is `rho`.
Wide propagation(const Guide& guide, double rho, std::size_t index) {
    const std::size_t bin = index % kBins;
    const long double w = guide.omega[bin];
    const Wide square = Wide(1.0L + static_cast<long double>(rho) * guide.susceptibility[bin]) -
                        Wide(guide.waveguide[index]);
    return w / static_cast<long double>(kSpeedOfLight) * std::sqrt(square);
}

/// beta of mode 0 near the carrier.
long double beta_near_carrier(double rho, double w) {
    const Wide square =
        Wide(1.0L + static_cast<long double>(rho) * Guide::chi(w)) - Wide(Guide::guide(0, w));
    return static_cast<long double>(w) / static_cast<long double>(kSpeedOfLight) *
           std::sqrt(square).real();
}

void the_operator_is_that_of_the_place(int32_t field, double z) {
    Guide guide(field);
    guide.gradient.over_index = 1;
    Arena arena;
    auto* weight = arena.take<Complex>(kSize);
    Gradient gradient(arena, guide.problem, kBins, weight);
    std::vector<double> gain(kSize, NAN);
    std::vector<double> rate(kSize, NAN);
    // Blocks that do not begin with a mode.
    for (const Range range : {Range{0, 15}, Range{15, kBins}, Range{kBins, kBins + 25},
                              Range{kBins + 25, kBins * kModes}})
        gradient.at(z, range, gain.data(), rate.data());

    const double rho = gradient.density(z);
    const double h = 3e12;
    const auto beta = [&](int places) {
        return beta_near_carrier(rho, Guide::kCarrier + places * h);
    };
    const long double beta0 = beta(0);
    const long double beta1 = (8 * (beta(1) - beta(-1)) - (beta(2) - beta(-2))) / (12.0L * h);
    for (std::size_t i = 0; i < kSize; ++i) {
        const double w = guide.omega[i % kBins];
        if (w == 0) {
            check::near("nothing happens outside the valid set", 0,
                        std::fabs(gain[i]) + std::fabs(rate[i]), 0);
            continue;
        }
        const Wide wide = propagation(guide, rho, i);
        const long double moving =
            field == LONGRUN_FIELD_REAL ? beta1 * w : beta1 * (w - Guide::kCarrier) + beta0;
        check::near("rate", static_cast<double>(moving - wide.real()), rate[i], 1e-7);
        check::near("gain", static_cast<double>(-wide.imag()), gain[i], 1e-12 * std::fabs(gain[i]));
        const double index = static_cast<double>(wide.real()) * kSpeedOfLight / w;
        check::near("source over the index", guide.source[i].real() / index, weight[i].re, 1e-14);
    }
}

void without_loss_and_beyond_the_limits() {
    Guide guide(LONGRUN_FIELD_REAL);
    guide.gradient.loss = 0;
    guide.waveguide[5] = 3;                                // cut off
    guide.waveguide[6] = std::complex<double>(1.5, -0.5);  // a loss beyond the limit
    Arena arena;
    std::vector<double> gain(kSize);
    std::vector<double> rate(kSize);
    Gradient lossless(arena, guide.problem, kBins, nullptr);
    lossless.at(0.5, {0, kBins}, gain.data(), rate.data());
    check::equal("lossless", 1, lossless.lossless() ? 1 : 0);
    for (std::size_t i = 0; i < kBins; ++i)
        check::near("gain without loss", 0, gain[i], 0);
    const double allowed = rate[5];
    guide.gradient.loss = 1;
    Gradient lossy(arena, guide.problem, kBins, nullptr);
    lossy.at(0.5, {0, kBins}, gain.data(), rate.data());
    check::near("largest loss", -1500, gain[6], 0);
    check::near("loss does not move the phase", allowed, rate[5], 0);
    // The index at its least value: beta is next to nothing, and the frame all that is left.
    const double w = guide.omega[5];
    const double frame = rate[5] + 1e-3 * w / kSpeedOfLight;
    check::near("phase of a mode that is cut off", w / kSpeedOfLight, frame,
                1e-4 * w / kSpeedOfLight);
}

void pressure_and_density() {
    Guide guide(LONGRUN_FIELD_REAL);
    for (const double virial : {2e-29, 0.0, -3e-29}) {
        guide.gradient.virial_m3 = virial;
        Arena arena;
        const Gradient gradient(arena, guide.problem, kBins, nullptr);
        const double rho = gradient.density(1.5);
        const double pressure = rho * kBoltzmann * 293.15 * (1 + virial * rho);
        check::near("pressure at three quarters", 2.5e4, pressure, 1e-9);
        check::near("vacuum at the end", 0, gradient.density(2), 1e-300);
    }
}

}  // namespace

int main() {
    for (const double z : {0.0, 0.7, 1.9999}) {
        the_operator_is_that_of_the_place(LONGRUN_FIELD_REAL, z);
        the_operator_is_that_of_the_place(LONGRUN_FIELD_ENVELOPE, z);
    }
    without_loss_and_beyond_the_limits();
    pressure_and_density();
    return check::finish();
}
