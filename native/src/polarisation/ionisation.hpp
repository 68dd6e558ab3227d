// How a field sets electrons free, sample after sample, at one node.
//
//   f = 1 - exp(-integral W dt),   W the rate at |E|, integrals in cumulative trapezoids
//
// M. Geissler et al., Phys. Rev. Lett. 83, 2930 (1999). Of what is free the field drives a current
// that grows by f e²/m_e E; setting free takes I W (1 - f) from the field, which is a current of
// I W (1 - f) / E, and of 2 I W (1 - f) E / |E|² for an envelope, whose rate is averaged over the
// cycle.
//
// Most samples set nothing free. A piece of them whose largest field is below the table is passed
// over with one comparison; the exponentials of the others are made a piece at a time.
#pragma once

#include <array>
#include <cstdint>

#include "core/arena.hpp"
#include "core/complex.hpp"
#include "longrun/optics.h"

namespace longrun::polarisation {

class Ionisation {
 public:
    /// Copies the table, which must have been checked. `step_s` is between samples.
    Ionisation(Arena& arena, const longrun_rate_table& rates, double step_s);

    /// V/m, where the table ends.
    double limit() const noexcept { return limit_; }

    /// Growth of the current and the current of setting free, both over the density, for `count`
    /// samples of a real field in V/m. Returns the largest field beyond the table, or 0; the rate
    /// at its end is taken there. About 10 FLOP, 8 B read and 16 B written per element, 110 FLOP
    /// more where a piece is not passed over.
    double react(const double* field, double* growth, double* release,
                 int64_t count) const noexcept;

    /// The same of an envelope. 16 B read and 32 B written per element.
    double react(const Complex* field, Complex* growth, Complex* release,
                 int64_t count) const noexcept;

 private:
    /// Samples of a piece: about a cycle of the field on the grids of the tracked cases.
    static constexpr int64_t kPiece = 64;
    using Piece = std::array<double, static_cast<std::size_t>(kPiece)>;

    /// What the samples so far have done.
    struct Past {
        double exponent = 0; /* integral of the rate */
        double rate = 0;     /* of the last sample */
        double fraction = 0; /* f */
        bool begun = false;
    };

    template <class Value>
    double react_to(const Value* field, Value* growth, Value* release,
                    int64_t count) const noexcept;
    void pass_over(Past& past) const noexcept;
    void follow(const Piece& magnitude, int64_t count, Past& past, Piece& rate,
                Piece& bound) const noexcept;

    double first_;
    double inverse_step_;
    int64_t cells_;
    double limit_;
    const double* coefficients_;
    double energy_;      /* I, J */
    double half_step_s_; /* dt / 2 */
};

}  // namespace longrun::polarisation
