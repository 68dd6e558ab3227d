// What changes along the guide, and what turns in a real field, through the C ABI.
#include <vector>

#include "check.hpp"
#include "guide.hpp"

using namespace fixture;

namespace {

constexpr double kLight = 299792458.0;
constexpr double kBoltzmann = 1.38064852e-23;
constexpr double kCarrier = 2.4e15;

/// A capillary in SI units: two modes, a carrier on bin 12.
struct Capillary {
    explicit Capillary(int32_t field, double inlet_pa, double outlet_pa)
        : guide(field, 128, field == LONGRUN_FIELD_REAL ? 256 : 128, 2, 3,
                field == LONGRUN_FIELD_REAL ? 24 * kPi / kCarrier : 4000 * kPi / kCarrier) {
        gradient.struct_size = sizeof(gradient);
        gradient.inlet_pa = inlet_pa;
        gradient.outlet_pa = outlet_pa;
        gradient.length_m = 0.4;
        gradient.temperature_k = 293.15;
        gradient.virial_m3 = -2.7e-29;
        limit();
        for (const double w : guide.omega)
            susceptibility.push_back(w > 0 ? chi(w) : 0);
        for (int mode = 0; mode < 2; ++mode)
            for (const double w : guide.omega)
                waveguide.push_back(w > 0 ? term(mode, w) : std::complex<double>(0));
        gradient.susceptibility = raw(susceptibility);
        gradient.waveguide = raw(waveguide);
        gradient.carrier_susceptibility = chi(guide.carrier());
        gradient.susceptibility_slope = 2 * kCurvature * guide.carrier();
        gradient.carrier_waveguide[0] = term(0, guide.carrier()).real();
        gradient.carrier_waveguide[1] = term(0, guide.carrier()).imag();
        gradient.waveguide_slope[0] = -2 * term(0, guide.carrier()).real() / guide.carrier();
        gradient.waveguide_slope[1] = -3 * term(0, guide.carrier()).imag() / guide.carrier();
        gradient.index_min = 1e-3;
        gradient.max_loss_per_m = 3000;
        gradient.loss = 1;
        for (std::size_t i = 0; i < guide.synthesis.size(); ++i) {
            guide.synthesis[i] = 0.5 + 0.2 * std::cos(static_cast<double>(i));
            guide.projection[i] = 0.2 + 0.1 * std::sin(static_cast<double>(i));
        }
        if (field == LONGRUN_FIELD_REAL)
            for (std::size_t k = 0; k < guide.bins; ++k)
                guide.harmonic.push_back(k < 24 ? 1 : 3);
    }
    Capillary(const Capillary&) = delete;
    Capillary& operator=(const Capillary&) = delete;

    /// The valid set of a real field.
    void limit() {
        if (guide.field == LONGRUN_FIELD_REAL)
            guide.band(4, 40);
    }

    static double chi(double w) { return 1.07e-29 + kCurvature * w * w; }
    static std::complex<double> term(int mode, double w) {
        const double scale = (1 + 4.3 * mode) * (kCarrier / w) * (kCarrier / w);
        return {1e-5 * scale, -2e-8 * scale * kCarrier / w};
    }

    double density(double pressure) const {
        const double ideal = pressure / (kBoltzmann * gradient.temperature_k);
        return 2 * ideal / (1 + std::sqrt(1 + 4 * gradient.virial_m3 * ideal));
    }
    double pressure(double z) const {
        const double inlet = gradient.inlet_pa * gradient.inlet_pa;
        const double outlet = gradient.outlet_pa * gradient.outlet_pa;
        return std::sqrt(inlet + z / gradient.length_m * (outlet - inlet));
    }

    /// L as its definition says, at one density.
    Field linear(double rho) const {
        using Wide = std::complex<long double>;
        const auto index = [&](long double square_beyond, Wide waveguide_term) {
            return std::sqrt(Wide(1.0L + square_beyond) - waveguide_term);
        };
        const long double w0 = guide.carrier();
        const Wide n0 = index(rho * chi(guide.carrier()), Wide(term(0, guide.carrier())));
        const Wide slope = Wide(rho * gradient.susceptibility_slope) -
                           Wide(gradient.waveguide_slope[0], gradient.waveguide_slope[1]);
        const long double light = kLight;
        const long double beta1 = (n0.real() + w0 * (slope / (2.0L * n0)).real()) / light;
        Field values(guide.linear.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            const long double w = guide.omega[i % guide.bins];
            if (w == 0)
                continue;
            const Wide n = index(rho * susceptibility[i % guide.bins], Wide(waveguide[i]));
            const long double moving = guide.field == LONGRUN_FIELD_REAL
                                           ? beta1 * w
                                           : beta1 * (w - w0) + w0 / light * n0.real();
            values[i] = {static_cast<double>(-w / light * n.imag()),
                         static_cast<double>(moving - w / light * n.real())};
        }
        return values;
    }

    static constexpr double kCurvature = 1.5e-62;
    Guide guide;
    longrun_gradient gradient{};
    std::vector<double> susceptibility;
    Field waveguide;
};

/// Pulses of a few cycles, as `pulses` makes them in units of the guide's step.
Field few_cycles(const Guide& guide) {
    const double turn = guide.field == LONGRUN_FIELD_REAL ? guide.carrier() : 0.0;
    return launch(guide, [&](double t, double mode) {
        const double scaled = t / (6 * guide.dt);
        return std::polar(1 / (1 + mode) / std::cosh(scaled), turn * t + 0.4 * mode);
    });
}

void a_constant_pressure_is_no_gradient(int32_t field, int32_t kind) {
    Capillary capillary(field, 1.7e5, 1.7e5);
    Guide& guide = capillary.guide;
    const double rho = capillary.density(1.7e5);
    guide.set_source(8);
    guide.kerr = 1 / rho;
    guide.density = rho;
    capillary.limit();
    guide.linear = capillary.linear(rho);
    const Field start = few_cycles(guide);
    const std::vector<double> steps(200, 0.001);
    Engine fixed(guide.view(), scheduled(kind, steps));
    const Field expected = fixed.run(start);
    const Field source = guide.source;
    for (const bool over_index : {false, true}) {
        guide.gradient = &capillary.gradient;
        guide.density_follows = true;
        capillary.gradient.over_index = over_index ? 1 : 0;
        // Where the engine divides, the source is given without the quotient.
        for (std::size_t i = 0; over_index && i < source.size(); ++i) {
            const double gas = rho * capillary.susceptibility[i % guide.bins];
            guide.source[i] = source[i] * std::sqrt(1 + gas - capillary.waveguide[i]).real();
        }
        Engine graded(guide.view(), scheduled(kind, steps), over_index ? 2 : 1);
        check::at_most("field", 1e-10, distance(graded.run(start), expected));
        check::equal("evaluations", fixed.counts().evaluations, graded.counts().evaluations);
    }
}

/// Without a source the solution is the exponential of the integral of L, here by Simpson's rule;
/// steps that freeze L in their middle are exact to second order.
void the_operator_is_frozen_in_the_middle_of_a_step(int32_t kind) {
    Capillary capillary(LONGRUN_FIELD_REAL, 3e5, 0);
    Guide& guide = capillary.guide;
    guide.gradient = &capillary.gradient;
    guide.density_follows = true;
    const Field start = few_cycles(guide);
    const double length = 0.2;
    const int pieces = 2000;
    Field phase(start.size());
    for (int i = 0; i <= pieces; ++i) {
        const double weight = i == 0 || i == pieces ? 1 : i % 2 == 1 ? 4 : 2;
        const double z = length * i / pieces;
        const Field linear = capillary.linear(capillary.density(capillary.pressure(z)));
        for (std::size_t k = 0; k < phase.size(); ++k)
            phase[k] += weight * length / pieces / 3 * linear[k];
    }
    Field expected = start;
    for (std::size_t k = 0; k < expected.size(); ++k)
        expected[k] *= std::exp(phase[k]);
    std::vector<double> errors;
    for (const std::size_t count : {8U, 16U, 32U}) {
        const std::vector<double> steps(count, length / static_cast<double>(count));
        Engine engine(guide.view(), scheduled(kind, steps));
        errors.push_back(distance(engine.run(start), expected));
    }
    check::near("order of freezing", 2, std::log2(errors[0] / errors[1]), 0.2);
    check::near("order of freezing", 2, std::log2(errors[1] / errors[2]), 0.2);
}

/// The density is that of the place of each evaluation, so no order of a stepper is lost to it.
void the_density_follows_the_gradient() {
    Capillary capillary(LONGRUN_FIELD_REAL, 2e5, 5e4);
    Guide& guide = capillary.guide;
    guide.set_source(1000);
    capillary.limit();
    const Field start = few_cycles(guide);
    const double rho = capillary.density(capillary.pressure(0.2));
    guide.kerr = 1 / rho;
    guide.density = rho;
    guide.gradient = &capillary.gradient;
    std::vector<Field> changes;
    // One short step in the middle: what it adds is proportional to the density there.
    const std::vector<double> steps = {0.2, 1e-6};
    for (const bool follows : {false, true}) {
        guide.density_follows = follows;
        Engine engine(guide.view(), scheduled(LONGRUN_STEPPER_RK4IP, steps));
        engine.set(start, 0.2);
        engine.advance(1);
        changes.push_back(engine.get());
    }
    check::at_most("density in the middle", 1e-9, distance(changes[1], changes[0]));
    guide.density = 0;
    guide.density_follows = false;
    Engine empty(guide.view(), scheduled(LONGRUN_STEPPER_RK4IP, steps));
    empty.set(start, 0.2);
    empty.advance(1);
    check::at_least("it does something", 1e-6, distance(empty.get(), changes[0]));
}

void restarts_and_threads_change_no_bit() {
    Capillary capillary(LONGRUN_FIELD_REAL, 2e5, 5e4);
    Guide& guide = capillary.guide;
    guide.set_source(5);
    capillary.limit();
    guide.kerr = 1 / capillary.density(1e5);
    guide.gradient = &capillary.gradient;
    guide.density_follows = true;
    capillary.gradient.over_index = 1;
    const Field start = few_cycles(guide);
    for (const int32_t kind : kControlled) {
        const longrun_stepper stepper = controlled(0.02, 1e-6, kind);
        Engine one(guide.view(), stepper);
        const Field end = one.run(start);
        const std::vector<double> steps = one.steps();
        check::equal("field of a restart", 1, same_bits(end, one.run(start)) ? 1 : 0);
        check::equal("steps of a restart", 1, same_bits(steps, one.steps()) ? 1 : 0);
        Engine two(guide.view(), stepper, 2);
        check::equal("field of a team", 1, same_bits(end, two.run(start)) ? 1 : 0);
        longrun_stepper replay = scheduled(kind, steps);
        replay.length_m = 0.02;
        Engine again(guide.view(), replay);
        if (one.counts().rejected == 0)
            check::equal("field of a replay", 1, same_bits(end, again.run(start)) ? 1 : 0);
        else
            check::at_most("field of a replay", 1e-9, distance(again.run(start), end));
    }
}

/// A source that turns as the carrier does: followed without the shift, taken out with it.
void a_shift_takes_longer_steps_to_the_same_field() {
    Guide guide(LONGRUN_FIELD_REAL, 128, 256, 1, 1, 24);
    guide.set_linear([](double offset, double) {
        return std::complex<double>(0, -60 + 0.01 * offset * offset);
    });
    guide.set_source(1);
    guide.band(2, 60);
    guide.kerr = 0.2;
    const Field start = pulses(guide, 1.5);
    std::vector<Field> ends;
    std::vector<int64_t> counted;
    for (const bool shifted : {false, true}) {
        for (std::size_t k = 0; shifted && k < guide.bins; ++k)
            guide.harmonic.push_back(k < 24 ? 1 : 3);
        Engine engine(guide.view(), controlled(0.2, 1e-9, LONGRUN_STEPPER_MULTISTEP));
        ends.push_back(engine.run(start));
        counted.push_back(engine.counts().evaluations);
    }
    check::at_most("field", 1e-6, distance(ends[1], ends[0]));
    check::at_most("evaluations with a shift", 0.7 * static_cast<double>(counted[0]),
                   static_cast<double>(counted[1]));
    Engine reference(guide.view(), controlled(0.2, 1e-11));
    check::at_most("field against rk", 1e-6, distance(ends[1], reference.run(start)));
}

}  // namespace

int main() {
    for (const int32_t field : {LONGRUN_FIELD_REAL, LONGRUN_FIELD_ENVELOPE})
        for (const int32_t kind :
             {LONGRUN_STEPPER_RK, LONGRUN_STEPPER_RK4IP, LONGRUN_STEPPER_MULTISTEP,
              LONGRUN_STEPPER_MULTISTEP_INTERACTION})
            a_constant_pressure_is_no_gradient(field, kind);
    for (const int32_t kind :
         {LONGRUN_STEPPER_RK, LONGRUN_STEPPER_RK4IP, LONGRUN_STEPPER_MULTISTEP})
        the_operator_is_frozen_in_the_middle_of_a_step(kind);
    the_density_follows_the_gradient();
    restarts_and_threads_change_no_bit();
    a_shift_takes_longer_steps_to_the_same_field();
    return check::finish();
}
