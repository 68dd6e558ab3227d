// Statistics of the field at one plane: sums over modes, from their spectra and their envelopes.
//
// The envelope of a real field is its analytic signal, without the bins 0 and n/2, which stand for
// no pair of frequencies and carry no energy. Planes are few: one thread does all of it.
#pragma once

#include <cstdint>
#include <string>

#include "core/arena.hpp"
#include "core/blocks.hpp"
#include "core/complex.hpp"
#include "fft/plan.hpp"
#include "longrun/optics.h"

namespace longrun::guided {

class ModalObserver {
 public:
    /// Copies what it needs of the problem, which must have been checked. Plans.
    ModalObserver(Arena& arena, const Planner& planner, const longrun_guided_problem& problem);

    /// The state at the plane, modes x bins.
    Complex* plane() noexcept { return plane_; }

    /// One line for its FFT plan.
    std::string plans() const { return backward_.text() + "\n"; }

    /// Reads the state at the plane. `intensity` receives its squared moduli unless null. Fills
    /// everything but `struct_size` and `z_m`.
    void observe(longrun_plane_statistics& statistics, double* intensity) noexcept;

    /// The same, of the field at each node: the integral of |E|² dt, and the largest |E|². Either
    /// may be null.
    void observe_nodes(double* fluence, double* peak) noexcept;

 private:
    void add_power(const Complex* mode) noexcept;
    void observe_spectrum(longrun_plane_statistics& statistics) noexcept;
    void observe_power(longrun_plane_statistics& statistics) noexcept;
    template <class Value>
    double sum(const Blocks& blocks, const Value& value) noexcept;
    double time(int64_t index) const noexcept;

    bool real_field_;
    int64_t points_;
    int64_t modes_;
    int64_t nodes_;
    int64_t bins_;
    double time_step_s_;
    double energy_scale_;
    Blocks counted_; /* bins that carry energy */
    Blocks samples_;
    const double* omega_;
    const double* synthesis_; /* nodes x modes */
    Complex* plane_;
    Complex* node_;     /* bins: spectrum at a node */
    Complex* spectrum_; /* n */
    Complex* field_;    /* n */
    double* density_;   /* bins: squared moduli, summed over modes */
    double* power_;     /* n, in W */
    double* sums_;      /* block sums */
    BackwardPlan backward_;
};

}  // namespace longrun::guided
