// Between modes and nodes: what the field is at each node, and what each mode gets back of what is
// there.
//
// Few modes are summed in registers (`sums.hpp`), a few nodes at a time. With many, as in free
// space, both directions are products of matrices (`blas/product.hpp`).
#pragma once

#include <cstdint>

#include "core/arena.hpp"
#include "core/blocks.hpp"
#include "core/complex.hpp"
#include "core/spectra.hpp"
#include "core/team.hpp"
#include "longrun/optics.h"

namespace longrun::guided {

class CrossSection {
 public:
    /// Copies the factors of a checked problem. `projected` are the bins on which any mode has a
    /// source.
    CrossSection(Arena& arena, const longrun_guided_problem& problem, Blocks projected);

    /// Whether both directions are products of matrices, which count as transforms.
    bool dense() const noexcept { return dense_; }

    /// The spectra of the nodes from `first` to `end`, `kTile` at most, to the beginning of
    /// `spectra`, each divided by the number of samples; of all bins of the state. Not dense and
    /// not collective.
    void synthesise(const Complex* state, int64_t first, int64_t end,
                    Spectra spectra) const noexcept;

    /// The same of all nodes, dense. Collective; does not wait for the team.
    void synthesise(const Worker& worker, const Complex* state, Spectra nodes) const noexcept;

    /// What each mode gets of the spectra at all nodes, in the projected bins of `output`, modes x
    /// bins. Collective; does not wait for the team.
    void project(const Worker& worker, Spectra nodes, Complex* output) const noexcept;

 private:
    int64_t modes_;
    int64_t nodes_;
    int64_t bins_;
    bool dense_;
    const double* synthesis_;  /* nodes x modes, with the 1/n of the inverse transform */
    const double* projection_; /* modes x nodes */
    Blocks projected_;
};

}  // namespace longrun::guided
