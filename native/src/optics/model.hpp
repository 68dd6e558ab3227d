// A family of problems as a propagation sees it: an equation, what is done after a step, and what
// is seen at a plane.
//
// A state is an array of complex values whose meaning only its model knows.
#pragma once

#include <cstdint>
#include <string>

#include "core/complex.hpp"
#include "core/team.hpp"
#include "longrun/optics.h"
#include "steppers/carrier_shift.hpp"
#include "steppers/diagonal.hpp"
#include "steppers/multistep.hpp"
#include "steppers/source.hpp"

namespace longrun {

/// A field beyond the table of ionisation rates, V/m.
struct Excess {
    double field; /* the largest one; 0: none */
    double limit; /* where the table ends */
};

class Model {
 public:
    virtual ~Model() = default;

    /// Complex values of the state.
    virtual int64_t size() const noexcept = 0;

    virtual const ActiveSet& active() const noexcept = 0;
    virtual Diagonal& diagonal() noexcept = 0;
    virtual Source& source() noexcept = 0;

    /// Whether a step has enough in it for a team. Otherwise its leader takes the steps alone.
    virtual bool shares() const noexcept { return true; }

    /// One line for each FFT plan, of whatever part of the model.
    virtual std::string plans() const = 0;

    /// What `multistep` takes out of the slopes; null: nothing.
    virtual const CarrierShift* shift() const noexcept { return nullptr; }

    /// What `multistep` and `multistep-interaction` take for the error of a step.
    virtual Multistep::Estimate estimate() const noexcept = 0;

    /// What evaluations have met since it was last asked for.
    virtual Excess take_excess() noexcept { return {0, 0}; }

    /// Whether windows are to be applied after each step.
    virtual bool absorbs() const noexcept = 0;

    /// From now on they are those of a step of `h_m`, where they depend on it.
    virtual void absorb_over(double) noexcept {}

    /// Applies them to `state`. Collective; waits for the team at its start.
    virtual void absorb(const Worker& worker, Complex* state) noexcept = 0;

    /// L2 norm of what they have left.
    virtual double absorbed_norm() const noexcept = 0;

    /// What the window over the cross-section took by the last `absorb`, J.
    virtual double edge_energy_j() const noexcept { return 0; }

    /// Where the state at a plane is to be written to before `observe`.
    virtual Complex* plane() noexcept = 0;

    /// Fills everything but `struct_size` and `z_m`; `intensity` receives the squared moduli of the
    /// state unless null. Destroys the state at the plane.
    virtual void observe(Team& team, longrun_plane_statistics& statistics,
                         double* intensity) noexcept = 0;

    /// Points of the cross-section at which fields are polarised; 0: none.
    virtual int64_t nodes() const noexcept { return 0; }

    /// Of the envelope or the analytic signal E at each node: `fluence` receives the integral of
    /// |E|² dt, `peak` the largest |E|². Either may be null. Destroys the state at the plane.
    virtual void observe_nodes(Team&, double*, double*) noexcept {}
};

}  // namespace longrun
