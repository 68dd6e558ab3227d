// What all steppers share: the state, its successor, and how one attempt at a step is described.
//
// A stepper advances y' = L y + N(z, y) and treats L exactly. It knows a source, a diagonal and a
// length, and nothing about optics. It decides nothing: whether an attempt is accepted is the
// caller's business.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/arena.hpp"
#include "core/reduce.hpp"
#include "core/team.hpp"
#include "steppers/diagonal.hpp"
#include "steppers/source.hpp"

namespace longrun {

/// Outcome of one attempt.
struct Attempt {
    double error; /* L2 norm of the error estimate; 0 where the stepper has none */
    double norm;  /* L2 norm of the new state */
    int64_t evaluations;
    int order; /* of the estimate: it shrinks with the step to the power order + 1 */
};

class Stepper {
 public:
    virtual ~Stepper() = default;

    /// The state at the position; `points` values.
    Complex* state() noexcept { return y_; }
    const Complex* state() const noexcept { return y_; }

    /// The state was replaced from outside: nothing of the past may be used.
    virtual void restart() noexcept { carried_ = false; }

    /// The state was changed slightly after a step: what follows starts from the changed one.
    void disturbed() noexcept { carried_ = false; }

    /// The values of the diagonal were replaced: nothing made from them before may be used, and the
    /// last step can no longer be interpolated.
    virtual void operator_changed() noexcept = 0;

    /// Computes the state at z + h, both in m, without moving there.
    virtual Attempt attempt(double z_m, double h_m) noexcept = 0;

    /// Moves to the state of the last attempt.
    virtual void accept() noexcept = 0;

    /// What was done to the state after `accept`.
    enum class Since { kNothing, kAbsorbed };

    /// After `accept` and what was then done to the state, with nothing in between: what the
    /// stepper has to know of it before the next step. Returns the source evaluations that this
    /// took.
    virtual int64_t settle(Since) noexcept { return 0; }

    /// The state at the fraction `theta` (0 to 1) of the last accepted step, before anything that
    /// was done to it afterwards. Collective; does not wait for the team.
    virtual void interpolate(const Worker& worker, double theta, Complex* out) const noexcept = 0;

    /// An array that holds nothing between attempts; `points` values.
    virtual Complex* scratch() noexcept = 0;

    /// Reads all arrays once, as a step would; the sum keeps the compiler from leaving it out.
    /// 4 FLOP and 16 B read per element and array.
    double touch(const Worker& worker) const noexcept;

 protected:
    /// `team`, `source`, `diagonal` and `active` must outlive the stepper.
    Stepper(Arena& arena, Team& team, Source& source, const Diagonal& diagonal,
            const ActiveSet& active, int64_t points);

    /// A further array of the state's size.
    Complex* stage_array(Arena& arena);

    /// Copies what no stage touches into the successor, if it is not there yet. Collective.
    void carry(const Worker& worker) noexcept;

    /// After an attempt: L2 norm of the new state from the block sums of its active part.
    double finish_norm() noexcept;

    Team& team_;
    Source& source_;
    const Diagonal& diagonal_;
    const Blocks& inside_;
    const Blocks& outside_;
    Complex* y_;    /* state at the position */
    Complex* next_; /* input of each stage, then the new state; after `accept`, the old state */
    double* norm_sums_;

 private:
    int64_t points_;
    double* carried_sums_;
    bool carried_ = false;
    std::vector<const Complex*> arrays_;
};

}  // namespace longrun
