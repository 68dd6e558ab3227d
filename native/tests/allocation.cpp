// Between create and destroy nothing is allocated: by us, by the FFT library or by OpenMP.
//
// The program's own malloc counts, and takes the place of the C library's in every shared library
// of the process.
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "beam.hpp"
#include "check.hpp"
#include "fixture.hpp"
#include "guide.hpp"
#include "kernel.hpp"

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

long allocations = 0;

void count() {
    __atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED);
}

long counted() {
    return __atomic_load_n(&allocations, __ATOMIC_RELAXED);
}

}  // namespace

extern "C" {
void* malloc(std::size_t size) {
    count();
    return __libc_malloc(size);
}
void* calloc(std::size_t items, std::size_t size) {
    count();
    return __libc_calloc(items, size);
}
void* realloc(void* block, std::size_t size) {
    count();
    return __libc_realloc(block, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
    count();
    return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
    count();
    return __libc_memalign(alignment, size);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
    count();
    *block = __libc_memalign(alignment, size);
    return *block == nullptr ? ENOMEM : 0;
}
}

namespace {

using namespace fixture;

/// What a run calls, on arrays made beforehand.
void drive(Engine& engine, const Field& start, Field& end, std::vector<double>& intensity) {
    longrun_plane_statistics plane{};
    plane.struct_size = sizeof(plane);
    longrun_propagation_counts counts{};
    counts.struct_size = sizeof(counts);
    double z = 0;
    int64_t number = 0;
    longrun_propagation_parts parts{};
    parts.struct_size = sizeof(parts);
    require(longrun_propagation_time_parts(engine.handle, 1));
    require(longrun_propagation_set_state(engine.handle, 0, raw(start)));
    for (int i = 0; i <= 20; ++i) {
        require(longrun_propagation_advance(engine.handle, 0.5 * i / 20, 1000, &z));
        require(longrun_propagation_observe(engine.handle, 0.5 * i / 20, &plane, intensity.data()));
    }
    require(longrun_propagation_get_state(engine.handle, raw(end)));
    require(longrun_propagation_get_counts(engine.handle, &counts));
    require(longrun_propagation_get_steps(engine.handle, intensity.data(), 10, &number));
    require(longrun_propagation_bare_evaluations(engine.handle, 2, &number));
    require(longrun_propagation_bare_transforms(engine.handle, 2, &number));
    require(longrun_propagation_get_parts(engine.handle, &parts));
    require(longrun_propagation_time_parts(engine.handle, 0));
}

void operations_of_kernels_allocate_nothing(const longrun_kernel_problem& problem,
                                            int64_t threads) {
    Kernel kernel(problem, threads);
    const Values input = kernel.sample();
    Values output(static_cast<std::size_t>(longrun_kernel_outputs(kernel.handle)));
    longrun_kernel_work work{};
    work.struct_size = sizeof(work);
    const std::string name = name_of(problem);
    const auto size = [](const Values& values) { return static_cast<int64_t>(values.size()); };
    const long before = counted();
    for (int i = 0; i < 2; ++i) {
        require(longrun_kernel_set_input(kernel.handle, input.data(), size(input)));
        require(longrun_kernel_run(kernel.handle, 3));
        require(longrun_kernel_get_output(kernel.handle, output.data(), size(output)));
        require(longrun_kernel_get_work(kernel.handle, &work));
    }
    check::equal(name.c_str(), 0, counted() - before);
}

/// Plasma, delayed response, windows, a shift and a gradient: everything that a guide can have.
void guides_allocate_nothing(int32_t field, int64_t threads) {
    const bool real = field == LONGRUN_FIELD_REAL;
    Guide guide(field, 128, real ? 256 : 128, 2, 5, 24);
    guide.set_source(1);
    guide.kerr = 1e-3;
    guide.raman_points = 2 * guide.fine;
    guide.raman.resize(static_cast<std::size_t>(guide.fine + 1), 1e-3);
    guide.absorb_spectral.resize(guide.bins, 1.0);
    guide.absorb_temporal.resize(128, 1.0);
    guide.time_window.resize(static_cast<std::size_t>(guide.fine), 1.0);
    if (real)
        guide.harmonic.resize(guide.bins, 1.0);
    const std::vector<double> cubics(400, 0.0);
    longrun_rate_table rates{};
    rates.struct_size = sizeof(rates);
    rates.first_field_v_m = 0.1;
    rates.step_v_m = 0.5;
    rates.cells = 100;
    rates.coefficients = cubics.data();
    rates.ionisation_energy_j = 1e-6;
    guide.rates = &rates;
    const std::vector<double> susceptibility(guide.bins, 0.0);
    longrun_gradient gradient{};
    gradient.struct_size = sizeof(gradient);
    gradient.inlet_pa = 1e-18;
    gradient.length_m = 1;
    gradient.temperature_k = 300;
    gradient.susceptibility = raw(susceptibility);
    gradient.waveguide = raw(guide.linear);
    gradient.index_min = 1e-3;
    gradient.over_index = 1;
    guide.gradient = &gradient;
    const Field start = pulses(guide, 1);
    Field end(start.size());
    std::vector<double> intensity(start.size());
    for (const int32_t kind : kControlled) {
        Engine engine(guide.view(), controlled(0.5, 1e-6, kind), threads);
        const long before = counted();
        drive(engine, start, end, intensity);
        drive(engine, start, end, intensity);
        check::equal("allocations of a guide", 0, counted() - before);
    }
}

/// The same, and the field over the cross-section.
void drive_nodes(Engine& engine, const Field& start, const char* what) {
    Field end(start.size());
    std::vector<double> intensity(start.size());
    std::vector<double> fluence(static_cast<std::size_t>(longrun_propagation_nodes(engine.handle)));
    std::vector<double> peak(fluence.size());
    double energy = 0;
    const long before = counted();
    for (int i = 0; i < 2; ++i) {
        drive(engine, start, end, intensity);
        require(longrun_propagation_observe_nodes(engine.handle, engine.length, fluence.data(),
                                                  peak.data()));
        require(longrun_propagation_get_edge_energy(engine.handle, &energy));
    }
    check::equal(what, 0, counted() - before);
}

/// As many modes as make products of matrices, and an edge.
void radial_problems_allocate_nothing(int64_t threads) {
    Guide guide(LONGRUN_FIELD_REAL, 64, 128, 20, 20, 24);
    guide.set_source(1);
    guide.kerr = 1e-3;
    guide.absorb_spectral.resize(guide.bins, 1.0);
    guide.absorb_temporal.resize(64, 1.0);
    guide.time_window.resize(128, 1.0);
    const std::vector<double> edge(20, 0.9);
    const longrun_guided_problem view = guide.view();
    const longrun_stepper stepper = controlled(0.5, 1e-6);
    longrun_propagation* handle = nullptr;
    require(longrun_radial_create(&view, edge.data(), &stepper, threads, nullptr, &handle));
    Engine engine(handle, stepper);
    drive_nodes(engine, pulses(guide, 0.1), "allocations in free space around an axis");
}

void beams_allocate_nothing(int64_t threads) {
    Beam beam(32, 64, 3, 12, 10, 6);
    beam.kerr = 0.1;
    absorb(beam);
    const longrun_cartesian_problem view = beam.view();
    const std::vector<double> steps(5, 0.1);
    const longrun_stepper stepper = scheduled(LONGRUN_STEPPER_RK4IP, steps);
    longrun_propagation* handle = nullptr;
    require(longrun_cartesian_create(&view, &stepper, threads, nullptr, &handle));
    Engine engine(handle, stepper);
    drive_nodes(engine, beam_launch(beam, 1), "allocations of a beam");
}

}  // namespace

int main() {
    long before = counted();
    const auto planted = std::make_unique<std::vector<double>>(1000);
    check::equal("a planted allocation is seen", 2, counted() - before);
    check::equal("and used", 1000, static_cast<int64_t>(planted->size()));

    Problem problem = soliton_problem(512, 32);
    problem.raman_fraction = 0.18;
    problem.raman_points = 1024;
    problem.raman.resize(513, 0.5);
    problem.absorb_spectral.resize(512, 1.0);
    problem.absorb_temporal.resize(512, 1.0);
    const Field start = soliton_launch(problem, 2);
    Field end(512);
    std::vector<double> intensity(512);
    const std::vector<double> steps(25, 0.02);
    for (const int64_t threads : {1, 2}) {
        std::vector<longrun_stepper> all = {scheduled(LONGRUN_STEPPER_RK4IP, steps)};
        for (const int32_t kind : kControlled) {
            all.push_back(controlled(0.5, 1e-8, kind));
            all.push_back(scheduled(kind, steps));
        }
        for (const longrun_stepper& stepper : all) {
            Engine engine(problem, stepper, threads);
            before = counted();
            drive(engine, start, end, intensity);
            drive(engine, start, end, intensity);
            check::equal("allocations between create and destroy", 0, counted() - before);
        }
    }
    for (const int32_t field : {LONGRUN_FIELD_REAL, LONGRUN_FIELD_ENVELOPE})
        for (const int64_t threads : {1, 2})
            guides_allocate_nothing(field, threads);
    for (const int64_t threads : {1, 2}) {
        radial_problems_allocate_nothing(threads);
        beams_allocate_nothing(threads);
    }
    for (const longrun_kernel_problem& each : all_kernels(1000))
        for (const int64_t threads : {1, 2})
            operations_of_kernels_allocate_nothing(each, threads);
    // A failure must not allocate either: its sentence has a fixed place.
    Engine engine(problem, controlled(0.5));
    double z = 0;
    before = counted();
    check::equal("advance without a state", LONGRUN_INVALID_ARGUMENT,
                 longrun_propagation_advance(engine.handle, 1, 1, &z));
    check::equal("allocations of a failure", 0, counted() - before);
    return check::finish();
}
