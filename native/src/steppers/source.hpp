// What a stepper knows about the nonlinearity: N(z, y) = weight .* output, element by element.
//
// The last product is left to the stepper, which fuses it into the pass that stores the slope.
// A stepper must know nothing else about a source, so that every model shares the steppers.
#pragma once

#include <cstdint>
#include <string>

#include "core/complex.hpp"
#include "core/team.hpp"

namespace longrun {

class Source {
 public:
    virtual ~Source() = default;

    /// Computes `output` for `state` at `z_m`. Collective; waits for the team at both ends.
    /// `state` is kept.
    virtual void evaluate(const Worker& worker, double z_m, const Complex* state) noexcept = 0;

    /// The same for the state that the absorber has written last, before anything else ran: a
    /// source that shares its transforms with the absorber finds the field in time already there.
    virtual void evaluate_absorbed(const Worker& worker, double z_m,
                                   const Complex* state) noexcept {
        evaluate(worker, z_m, state);
    }

    /// Executes the transforms of one evaluation and nothing else, shared by the team as an
    /// evaluation shares them. `state` is kept. Collective; does not wait for the team.
    virtual void transforms(const Worker& worker, const Complex* state) noexcept = 0;

    /// After each `transforms`: brings the arrays that they have changed back to numbers of an
    /// ordinary size, however often they are executed. Collective; does not wait for the team.
    virtual void rescale(const Worker&) noexcept {}

    /// One line for each FFT plan.
    virtual std::string plans() const = 0;

    /// Bytes that the pointwise work of one evaluation must read and write once.
    virtual int64_t bytes() const noexcept = 0;

    /// Result of the last evaluation, before the weight.
    virtual const Complex* output() const noexcept = 0;

    /// Diagonal factor between `output` and N; 0 outside the valid set.
    virtual const Complex* weight() const noexcept = 0;
};

}  // namespace longrun
