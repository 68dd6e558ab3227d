// Products of many complex values with a dense real matrix, by the BLAS.
//
// Complex values are pairs of reals, so a product with real factors is one of real matrices with
// twice the rows. The BLAS is held at one thread: a team shares a product by blocks of rows and
// columns, whose borders depend on nothing but the sizes.
#pragma once

#include <cstdint>

#include "core/complex.hpp"
#include "core/team.hpp"

namespace longrun {

/// What a product reads and writes. Vectors are contiguous and lie `stride` values apart.
struct Product {
    int64_t length; /* of a vector: complex values */
    int64_t inner;  /* vectors that are summed over */
    int64_t count;  /* vectors that come out */
    const Complex* in;
    int64_t in_stride;
    const double* factors; /* of the first result: `inner` of them; those of the next follow */
    Complex* out;
    int64_t out_stride;
};

/// Holds the BLAS at one thread. Called by whatever uses products, before any of them.
void hold_blas() noexcept;

/// out_c = sum over i of factors_ci in_i. Collective; does not wait for the team. 4 FLOP per value,
/// result and vector summed over.
void multiply(const Worker& worker, const Product& product) noexcept;

/// out_c = out_c - sum over i of factors_ci in_i. The same.
void subtract(const Worker& worker, const Product& product) noexcept;

}  // namespace longrun
