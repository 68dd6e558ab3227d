// Problems in normalised units and an engine driven through the C ABI.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numbers>
#include <vector>

#include "longrun/optics.h"

namespace fixture {

using Field = std::vector<std::complex<double>>;
inline constexpr double kPi = std::numbers::pi;
inline constexpr std::complex<double> kI{0, 1};

inline const double* raw(const Field& field) {
    return field.empty() ? nullptr : reinterpret_cast<const double*>(field.data());
}
inline double* raw(Field& field) {
    return reinterpret_cast<double*>(field.data());
}
inline const double* raw(const std::vector<double>& values) {
    return values.empty() ? nullptr : values.data();
}

/// Unnormalised DFT by its definition; `sign` -1 is forward.
inline Field dft(const Field& in, int sign) {
    const auto n = in.size();
    Field out(n);
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t j = 0; j < n; ++j) {
            const double angle =
                2 * kPi * static_cast<double>((j * k) % n) / static_cast<double>(n);
            out[k] += in[j] * std::polar(1.0, sign * angle);
        }
    return out;
}

/// The arrays of `longrun_gnlse_problem`.
struct Problem {
    Problem(int64_t points, double window)
        : n(points),
          dt(window / static_cast<double>(points)),
          linear(static_cast<std::size_t>(points)),
          source(static_cast<std::size_t>(points)) {}

    double time(std::size_t i) const {
        return (static_cast<double>(i) - static_cast<double>(n) / 2) * dt;
    }
    /// Offset from the carrier, in FFT order.
    double offset(std::size_t i) const {
        const auto k = static_cast<int64_t>(i);
        return 2 * kPi * static_cast<double>(k < n / 2 ? k : k - n) / (static_cast<double>(n) * dt);
    }

    /// L = -i beta2 w^2 / 2 - loss / 2, in the sign of the stored spectrum.
    void disperse(double beta2, double loss = 0) {
        for (std::size_t i = 0; i < linear.size(); ++i)
            linear[i] = {-loss / 2, -beta2 / 2 * offset(i) * offset(i)};
    }
    void kerr(double gamma) {
        for (auto& value : source)
            value = {0, -gamma};
    }

    longrun_gnlse_problem view() const {
        longrun_gnlse_problem problem{};
        problem.struct_size = sizeof(problem);
        problem.points = n;
        problem.time_step_s = dt;
        problem.carrier_rad_s = carrier;
        problem.linear = raw(linear);
        problem.source = raw(source);
        problem.time_window = raw(time_window);
        problem.kerr_fraction = kerr_fraction;
        problem.raman_fraction = raman_fraction;
        problem.raman_points = raman_points;
        problem.raman = raw(raman);
        problem.absorb_spectral = raw(absorb_spectral);
        problem.absorb_temporal = raw(absorb_temporal);
        return problem;
    }

    int64_t n;
    double dt;
    double carrier = 1000;
    Field linear;
    Field source;
    std::vector<double> time_window;
    double kerr_fraction = 1;
    double raman_fraction = 0;
    int64_t raman_points = 0;
    Field raman;
    std::vector<double> absorb_spectral;
    std::vector<double> absorb_temporal;
};

/// The spectrum of an envelope given in time.
template <class Envelope>
Field launch(const Problem& problem, const Envelope& envelope) {
    Field time(static_cast<std::size_t>(problem.n));
    for (std::size_t i = 0; i < time.size(); ++i)
        time[i] = envelope(problem.time(i));
    return dft(time, -1);
}

inline Field to_time(const Field& spectrum) {
    Field time = dft(spectrum, 1);
    for (auto& value : time)
        value /= static_cast<double>(time.size());
    return time;
}

/// The soliton of order N: beta2 = -1, gamma = 1, sech of unit width.
inline Problem soliton_problem(int64_t points = 256, double window = 32) {
    Problem problem(points, window);
    problem.disperse(-1);
    problem.kerr(1);
    return problem;
}
inline Field soliton_launch(const Problem& problem, double order) {
    return launch(problem, [&](double t) { return std::complex<double>(order / std::cosh(t), 0); });
}

/// The steppers that control their error.
inline constexpr int32_t kControlled[] = {LONGRUN_STEPPER_RK, LONGRUN_STEPPER_MULTISTEP,
                                          LONGRUN_STEPPER_MULTISTEP_INTERACTION};

inline longrun_stepper controlled(double length, double rtol = 1e-8,
                                  int32_t kind = LONGRUN_STEPPER_RK) {
    longrun_stepper stepper{};
    stepper.struct_size = sizeof(stepper);
    stepper.kind = kind;
    stepper.length_m = length;
    stepper.rtol = rtol;
    stepper.atol = 1e-10;
    stepper.initial_step_m = 1e-4;
    stepper.max_step_m = length / 2;
    return stepper;
}
inline longrun_stepper scheduled(int32_t kind, const std::vector<double>& steps) {
    longrun_stepper stepper{};
    stepper.struct_size = sizeof(stepper);
    stepper.kind = kind;
    for (const double step : steps)
        stepper.length_m += step;
    stepper.schedule_m = steps.data();
    stepper.schedule_count = static_cast<int64_t>(steps.size());
    return stepper;
}

/// Steps that double from h / 512 to h, so that the low orders of the first steps do not show, and
/// then `count` of h: together the length.
inline std::vector<double> started(double length, std::size_t count) {
    constexpr int kDoublings = 9;
    std::vector<double> steps;
    double sum = static_cast<double>(count);
    for (int i = kDoublings; i > 0; --i) {
        steps.push_back(std::ldexp(1.0, -i));
        sum += steps.back();
    }
    steps.resize(steps.size() + count, 1.0);
    for (double& step : steps)
        step *= length / sum;
    return steps;
}

/// Source evaluations that a stepper makes in so many steps.
inline int64_t evaluations(int32_t kind, int64_t accepted, int64_t rejected) {
    if (kind == LONGRUN_STEPPER_RK)
        return 1 + 6 * (accepted + rejected);
    if (kind == LONGRUN_STEPPER_RK4IP)
        return 4 * accepted;
    return 1 + 2 * accepted + rejected;
}

/// Ends the test where a call fails that must not.
inline void require(int32_t status) {
    if (status == LONGRUN_OK)
        return;
    std::printf("FAILED unexpected status %d: %s\n", status, longrun_last_error());
    std::exit(1);
}

class Engine {
 public:
    Engine(const Problem& problem, const longrun_stepper& stepper, int64_t threads = 1,
           longrun_fft_wisdom* wisdom = nullptr) {
        const longrun_gnlse_problem view = problem.view();
        require(longrun_gnlse_create(&view, &stepper, threads, wisdom, &handle));
        begin(stepper);
    }
    Engine(const longrun_guided_problem& view, const longrun_stepper& stepper, int64_t threads = 1,
           longrun_fft_wisdom* wisdom = nullptr) {
        require(longrun_guided_create(&view, &stepper, threads, wisdom, &handle));
        begin(stepper);
    }
    /// Of whatever family: takes the handle over.
    Engine(longrun_propagation* created, const longrun_stepper& stepper) : handle(created) {
        begin(stepper);
    }
    ~Engine() { longrun_propagation_destroy(handle); }
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    void set(const Field& state, double z = 0) {
        require(longrun_propagation_set_state(handle, z, raw(state)));
    }
    double advance(double plane, int64_t steps_max = 1'000'000) {
        double z = -1;
        require(longrun_propagation_advance(handle, plane, steps_max, &z));
        return z;
    }
    Field run(const Field& state) {
        set(state);
        advance(length);
        return get();
    }
    Field get() const {
        Field state(size);
        require(longrun_propagation_get_state(handle, raw(state)));
        return state;
    }
    longrun_plane_statistics observe(double plane, std::vector<double>* intensity = nullptr) {
        longrun_plane_statistics statistics{};
        statistics.struct_size = sizeof(statistics);
        if (intensity != nullptr)
            intensity->resize(size);
        require(longrun_propagation_observe(handle, plane, &statistics,
                                            intensity == nullptr ? nullptr : intensity->data()));
        return statistics;
    }
    longrun_propagation_counts counts() const {
        longrun_propagation_counts counts{};
        counts.struct_size = sizeof(counts);
        require(longrun_propagation_get_counts(handle, &counts));
        return counts;
    }
    std::vector<double> steps() const {
        int64_t count = 0;
        require(longrun_propagation_get_steps(handle, nullptr, 0, &count));
        std::vector<double> steps(static_cast<std::size_t>(count));
        require(longrun_propagation_get_steps(handle, steps.data(), count, &count));
        return steps;
    }

    longrun_propagation* handle = nullptr;
    std::size_t size = 0;
    double length = 0;

 private:
    void begin(const longrun_stepper& stepper) {
        size = static_cast<std::size_t>(longrun_propagation_size(handle));
        length = stepper.length_m;
    }
};

/// ‖a - b‖ / ‖b‖.
inline double distance(const Field& a, const Field& b) {
    double difference = 0;
    double norm = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        difference += std::norm(a[i] - b[i]);
        norm += std::norm(b[i]);
    }
    return std::sqrt(difference / norm);
}

/// Whether two arrays are equal bit by bit.
template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

}  // namespace fixture
