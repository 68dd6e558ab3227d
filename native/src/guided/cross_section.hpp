// Between modes and nodes: what the field is at each node, and what each mode gets back of what is
// there.
//
// Few modes are summed in registers (`sums.hpp`). With many, as in free space, both directions are
// products of matrices and left to the BLAS, in blocks of nodes and of modes whose borders depend
// on nothing but their numbers.
#pragma once

#include <algorithm>
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

    /// Most nodes that are synthesised together.
    int64_t at_once() const noexcept;

    /// Whether both directions are products by the BLAS, which count as transforms.
    bool dense() const noexcept { return dense_; }

    /// Calls `body(first, end)` for runs of at most `at_once` nodes that are for this worker. Does
    /// not wait for the others.
    template <class Body>
    void divide_nodes(const Worker& worker, const Body& body) const noexcept {
        divide(worker, nodes_, body);
    }

    /// The spectra of the nodes from `first` to `end`, to the beginning of `spectra`, each divided
    /// by the number of samples; of all bins of the state. Not collective.
    void synthesise(const Complex* state, int64_t first, int64_t end,
                    Spectra spectra) const noexcept;

    /// What each mode gets of the spectra at all nodes, in the projected bins of `output`, modes x
    /// bins. Collective; waits for the team at neither end.
    void project(const Worker& worker, Spectra nodes, Complex* output) const noexcept;

 private:
    template <class Body>
    void divide(const Worker& worker, int64_t count, const Body& body) const noexcept {
        if (!dense_) {
            worker.divide(count, at_once(), body);
            return;
        }
        const int64_t length = at_once();
        worker.divide((count + length - 1) / length, 1, [&](int64_t block, int64_t) {
            body(block * length, std::min((block + 1) * length, count));
        });
    }

    int64_t modes_;
    int64_t nodes_;
    int64_t bins_;
    bool dense_;
    const double* synthesis_;  /* nodes x modes, with the 1/n of the inverse transform */
    const double* projection_; /* modes x nodes */
    Blocks projected_;
};

}  // namespace longrun::guided
