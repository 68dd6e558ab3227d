// Every argument of a Cartesian problem that cannot be worked with is named.
#include <cmath>
#include <functional>
#include <vector>

#include "beam.hpp"
#include "check.hpp"

using namespace fixture;

namespace {

using P = longrun_cartesian_problem;
using R = longrun_rate_table;

/// A problem with everything that one can have.
struct Whole {
    Whole() : beam(32, 64, 3, 12, 10, 6) {
        absorb(beam);
        beam.rates = &rates;
        rates.struct_size = sizeof(rates);
        rates.first_field_v_m = 10;
        rates.step_v_m = 1;
        rates.cells = 2;
        rates.coefficients = cubics.data();
        rates.ionisation_energy_j = 1;
    }
    Whole(const Whole&) = delete;
    Whole& operator=(const Whole&) = delete;

    std::vector<double> cubics = std::vector<double>(8, 1.0);
    longrun_rate_table rates{};
    Beam beam;
};

struct Refusal {
    const char* named;
    std::function<void(P&, R&)> spoil;
};

const double kNotANumber[128] = {NAN};
const double kNegative[128] = {-1};
const double kZero[128] = {};
const double kTwo[128] = {2};

void refuses(const Refusal& refusal) {
    Whole whole;
    P view = whole.beam.view();
    refusal.spoil(view, whole.rates);
    const longrun_stepper stepper = controlled(1);
    longrun_propagation* handle = nullptr;
    check::equal(refusal.named, LONGRUN_INVALID_ARGUMENT,
                 longrun_cartesian_create(&view, &stepper, 1, nullptr, &handle));
    check::contains("sentence", refusal.named, longrun_last_error());
    check::equal("no handle", 1, handle == nullptr ? 1 : 0);
}

void what_is_refused_of_a_problem() {
    const Refusal refusals[] = {
        {"longrun_cartesian_problem", [](P& p, R&) { p.struct_size -= 8; }},
        {"points", [](P& p, R&) { p.points = 31; }},
        {"points", [](P& p, R&) { p.points = 2; }},
        {"fine_points", [](P& p, R&) { p.fine_points = 30; }},
        {"fine_points", [](P& p, R&) { p.fine_points = 65; }},
        {"first_bin", [](P& p, R&) { p.first_bin = 0; }},
        {"first_bin", [](P& p, R&) { p.first_bin = 16; }},
        {"bins", [](P& p, R&) { p.bins = 0; }},
        {"bins", [](P& p, R&) { p.bins = 14; }},
        {"columns_x", [](P& p, R&) { p.columns_x = 9; }},
        {"columns_x", [](P& p, R&) { p.columns_x = 2; }},
        {"columns_y", [](P& p, R&) { p.columns_y = 5; }},
        {"columns_y", [](P& p, R&) { p.columns_y = 20000; }},
        {"268435456 values", [](P& p, R&) { p.columns_x = p.columns_y = 16384; }},
        {"time_step_s", [](P& p, R&) { p.time_step_s = 0; }},
        {"energy_scale", [](P& p, R&) { p.energy_scale = -1; }},
        {"frame_s_per_m", [](P& p, R&) { p.frame_s_per_m = NAN; }},
        {"evanescent_max_per_m", [](P& p, R&) { p.evanescent_max_per_m = 0; }},
        {"grazing", [](P& p, R&) { p.grazing = 0; }},
        {"grazing", [](P& p, R&) { p.grazing = 1.5; }},
        {"density", [](P& p, R&) { p.density = -1; }},
        {"kerr", [](P& p, R&) { p.kerr = INFINITY; }},
        {"omega", [](P& p, R&) { p.omega = nullptr; }},
        {"omega", [](P& p, R&) { p.omega = kZero; }},
        {"wavenumber", [](P& p, R&) { p.wavenumber = kNegative; }},
        {"strength", [](P& p, R&) { p.strength = kNegative; }},
        {"k_x", [](P& p, R&) { p.k_x = kNotANumber; }},
        {"k_y", [](P& p, R&) { p.k_y = nullptr; }},
        {"cells", [](P&, R& r) { r.cells = 0; }},
        {"coefficients", [](P&, R& r) { r.coefficients = kNotANumber; }},
        {"absorb_spectral", [](P& p, R&) { p.absorb_spectral = nullptr; }},
        {"absorb_temporal", [](P& p, R&) { p.absorb_temporal = kTwo; }},
        {"absorb_x", [](P& p, R&) { p.absorb_x = kNegative; }},
        {"absorb_y", [](P& p, R&) { p.absorb_y = nullptr; }},
        {"time_window", [](P& p, R&) { p.time_window = kNotANumber; }},
        {"absorb_length_m", [](P& p, R&) { p.absorb_length_m = 0; }},
    };
    for (const Refusal& refusal : refusals)
        refuses(refusal);
}

void what_is_missing_is_named() {
    const Whole whole;
    const P view = whole.beam.view();
    const longrun_stepper stepper = controlled(1);
    longrun_propagation* handle = nullptr;
    check::equal("problem", LONGRUN_INVALID_ARGUMENT,
                 longrun_cartesian_create(nullptr, &stepper, 1, nullptr, &handle));
    check::contains("sentence", "problem", longrun_last_error());
    check::equal("place for the handle", LONGRUN_INVALID_ARGUMENT,
                 longrun_cartesian_create(&view, &stepper, 1, nullptr, nullptr));
    check::contains("sentence", "propagation", longrun_last_error());
    check::equal("threads", LONGRUN_INVALID_ARGUMENT,
                 longrun_cartesian_create(&view, &stepper, 0, nullptr, &handle));
    check::contains("sentence", "threads", longrun_last_error());
    check::equal("nodes of nothing", 0, longrun_propagation_nodes(nullptr));
    check::equal("observing nothing", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_observe_nodes(nullptr, 0, nullptr, nullptr));
    check::equal("edge of nothing", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_get_edge_energy(nullptr, nullptr));
    Engine soliton(soliton_problem(), stepper);
    soliton.set(soliton_launch(soliton_problem(), 1));
    check::equal("nodes of an envelope", 0, longrun_propagation_nodes(soliton.handle));
    check::equal("its cross-section", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_observe_nodes(soliton.handle, 0, nullptr, nullptr));
    check::contains("sentence", "no cross-section", longrun_last_error());
    check::equal("place for the energy", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_get_edge_energy(soliton.handle, nullptr));
    double energy = -1;
    require(longrun_propagation_get_edge_energy(soliton.handle, &energy));
    check::near("its edge", 0, energy, 0);
}

}  // namespace

int main() {
    what_is_refused_of_a_problem();
    what_is_missing_is_named();
    return check::finish();
}
