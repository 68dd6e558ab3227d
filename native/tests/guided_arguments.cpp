// Every argument of a guided problem that cannot be worked with is named.
#include <cmath>
#include <functional>
#include <vector>

#include "check.hpp"
#include "guide.hpp"

using namespace fixture;

namespace {

/// A problem with everything that one can have, and what it points to.
struct Whole {
    Whole() : guide(LONGRUN_FIELD_REAL, 64, 128, 2, 3, 16) {
        guide.set_source(1);
        guide.raman_points = 256;
        guide.raman.resize(129, 0.5);
        guide.absorb_spectral.resize(33, 1.0);
        guide.absorb_temporal.resize(64, 1.0);
        guide.time_window.resize(128, 1.0);
        guide.harmonic.resize(33, 1.0);
        guide.rates = &rates;
        guide.gradient = &gradient;
        guide.density_follows = true;
        rates.struct_size = sizeof(rates);
        rates.first_field_v_m = 10;
        rates.step_v_m = 1;
        rates.cells = 2;
        rates.coefficients = cubics.data();
        rates.ionisation_energy_j = 1;
        gradient.struct_size = sizeof(gradient);
        gradient.inlet_pa = 1e5;
        gradient.length_m = 1;
        gradient.temperature_k = 300;
        gradient.susceptibility = guide.omega.data();
        gradient.waveguide = raw(guide.linear);
        gradient.index_min = 1e-3;
        gradient.max_loss_per_m = 3000;
    }
    Whole(const Whole&) = delete;
    Whole& operator=(const Whole&) = delete;

    std::vector<double> cubics = std::vector<double>(8, 1.0);
    longrun_rate_table rates{};
    longrun_gradient gradient{};
    Guide guide;
};

using P = longrun_guided_problem;
using G = longrun_gradient;
using R = longrun_rate_table;

struct Refusal {
    const char* named;
    std::function<void(P&, G&, R&)> spoil;
};

void refuses(const Refusal& refusal) {
    Whole whole;
    longrun_guided_problem view = whole.guide.view();
    refusal.spoil(view, whole.gradient, whole.rates);
    const longrun_stepper stepper = controlled(1);
    longrun_propagation* handle = nullptr;
    check::equal(refusal.named, LONGRUN_INVALID_ARGUMENT,
                 longrun_guided_create(&view, &stepper, 1, nullptr, &handle));
    check::contains("sentence", refusal.named, longrun_last_error());
    check::equal("no handle", 1, handle == nullptr ? 1 : 0);
}

const double kNotANumber[512] = {NAN};
const double kNegative[512] = {-1};

void what_is_refused_of_a_problem() {
    const Refusal refusals[] = {
        {"longrun_guided_problem", [](P& p, G&, R&) { p.struct_size -= 8; }},
        {"field", [](P& p, G&, R&) { p.field = 3; }},
        {"points", [](P& p, G&, R&) { p.points = 63; }},
        {"points", [](P& p, G&, R&) { p.points = 2; }},
        {"points", [](P& p, G&, R&) { p.points = int64_t{1} << 40; }},
        {"fine_points", [](P& p, G&, R&) { p.fine_points = 62; }},
        {"fine_points", [](P& p, G&, R&) { p.fine_points = 129; }},
        {"fine_points", [](P& p, G&, R&) { p.field = LONGRUN_FIELD_ENVELOPE; }},
        {"modes", [](P& p, G&, R&) { p.modes = 0; }},
        {"modes", [](P& p, G&, R&) { p.modes = 1025; }},
        {"nodes", [](P& p, G&, R&) { p.nodes = -1; }},
        {"time_step_s", [](P& p, G&, R&) { p.time_step_s = 0; }},
        {"carrier_rad_s", [](P& p, G&, R&) { p.carrier_rad_s = INFINITY; }},
        {"energy_scale", [](P& p, G&, R&) { p.energy_scale = -1; }},
        {"density_follows", [](P& p, G&, R&) { p.density_follows = 2; }},
        {"density", [](P& p, G&, R&) { p.density = -1; }},
        {"kerr", [](P& p, G&, R&) { p.kerr = NAN; }},
        {"omega", [](P& p, G&, R&) { p.omega = nullptr; }},
        {"omega", [](P& p, G&, R&) { p.omega = kNegative; }},
        {"synthesis", [](P& p, G&, R&) { p.synthesis = kNotANumber; }},
        {"projection", [](P& p, G&, R&) { p.projection = nullptr; }},
        {"source", [](P& p, G&, R&) { p.source = kNotANumber; }},
        {"linear", [](P& p, G&, R&) { p.gradient = nullptr; }},
        {"linear", [](P& p, G&, R&) { p.linear = kNegative; }},
        {"linear",
         [](P& p, G&, R&) {
             p.gradient = nullptr;
             p.density_follows = 0;
             p.linear = kNotANumber;
         }},
        {"density_follows",
         [](P& p, G&, R&) {
             p.gradient = nullptr;
             p.linear = kNegative;
         }},
        {"raman_points", [](P& p, G&, R&) { p.raman_points = 64; }},
        {"raman", [](P& p, G&, R&) { p.raman = kNotANumber; }},
        {"absorb_spectral", [](P& p, G&, R&) { p.absorb_spectral = nullptr; }},
        {"absorb_temporal", [](P& p, G&, R&) { p.absorb_temporal = nullptr; }},
        {"absorb_spectral", [](P& p, G&, R&) { p.absorb_spectral = kNegative; }},
        {"absorb_length_m", [](P& p, G&, R&) { p.absorb_length_m = 0; }},
        {"time_window", [](P& p, G&, R&) { p.time_window = nullptr; }},
        {"carrier_bin", [](P& p, G&, R&) { p.carrier_bin = 33; }},
        {"harmonic", [](P& p, G&, R&) { p.harmonic = kNotANumber; }},
    };
    for (const Refusal& refusal : refusals)
        refuses(refusal);
}

void what_is_refused_of_a_gradient_and_of_rates() {
    const Refusal refusals[] = {
        {"longrun_gradient", [](P&, G& g, R&) { g.struct_size += 8; }},
        {"susceptibility", [](P&, G& g, R&) { g.susceptibility = nullptr; }},
        {"waveguide", [](P&, G& g, R&) { g.waveguide = kNotANumber; }},
        {"carrier_waveguide", [](P&, G& g, R&) { g.carrier_waveguide[1] = NAN; }},
        {"waveguide_slope", [](P&, G& g, R&) { g.waveguide_slope[0] = NAN; }},
        {"inlet_pa", [](P&, G& g, R&) { g.inlet_pa = -1; }},
        {"outlet_pa", [](P&, G& g, R&) { g.outlet_pa = NAN; }},
        {"length_m", [](P&, G& g, R&) { g.length_m = 0; }},
        {"temperature_k", [](P&, G& g, R&) { g.temperature_k = 0; }},
        {"virial_m3", [](P&, G& g, R&) { g.virial_m3 = -1; }},
        {"carrier_susceptibility", [](P&, G& g, R&) { g.carrier_susceptibility = NAN; }},
        {"susceptibility_slope", [](P&, G& g, R&) { g.susceptibility_slope = INFINITY; }},
        {"index_min", [](P&, G& g, R&) { g.index_min = 0; }},
        {"max_loss_per_m", [](P&, G& g, R&) { g.max_loss_per_m = -1; }},
        {"loss", [](P&, G& g, R&) { g.loss = 2; }},
        {"over_index", [](P&, G& g, R&) { g.over_index = -1; }},
        {"longrun_rate_table", [](P&, G&, R& r) { r.struct_size = 0; }},
        {"first_field_v_m", [](P&, G&, R& r) { r.first_field_v_m = -1; }},
        {"step_v_m", [](P&, G&, R& r) { r.step_v_m = 0; }},
        {"cells", [](P&, G&, R& r) { r.cells = 0; }},
        {"coefficients", [](P&, G&, R& r) { r.coefficients = nullptr; }},
        {"coefficients", [](P&, G&, R& r) { r.coefficients = kNotANumber; }},
        {"ionisation_energy_j", [](P&, G&, R& r) { r.ionisation_energy_j = NAN; }},
    };
    for (const Refusal& refusal : refusals)
        refuses(refusal);
}

void pointers_stepper_and_threads_are_those_of_every_propagation() {
    Whole whole;
    const longrun_guided_problem view = whole.guide.view();
    longrun_stepper stepper = controlled(1);
    longrun_propagation* handle = nullptr;
    check::equal("no problem", LONGRUN_INVALID_ARGUMENT,
                 longrun_guided_create(nullptr, &stepper, 1, nullptr, &handle));
    check::contains("sentence", "`problem` is null", longrun_last_error());
    check::equal("no stepper", LONGRUN_INVALID_ARGUMENT,
                 longrun_guided_create(&view, nullptr, 1, nullptr, &handle));
    check::equal("no place for the handle", LONGRUN_INVALID_ARGUMENT,
                 longrun_guided_create(&view, &stepper, 1, nullptr, nullptr));
    check::equal("no threads", LONGRUN_INVALID_ARGUMENT,
                 longrun_guided_create(&view, &stepper, 0, nullptr, &handle));
    stepper.rtol = 0;
    check::equal("no tolerance", LONGRUN_INVALID_ARGUMENT,
                 longrun_guided_create(&view, &stepper, 1, nullptr, &handle));
    check::contains("sentence", "rtol", longrun_last_error());
    stepper.rtol = 1e-6;
    require(longrun_guided_create(&view, &stepper, 1, nullptr, &handle));
    check::equal("values of the state", 2 * 33, longrun_propagation_size(handle));
    longrun_propagation_destroy(handle);
}

}  // namespace

int main() {
    what_is_refused_of_a_problem();
    what_is_refused_of_a_gradient_and_of_rates();
    pointers_stepper_and_threads_are_those_of_every_propagation();
    return check::finish();
}
