#include "blas/product.hpp"

#include <cblas.h>

namespace longrun {
namespace {

/// Column-major: a vector is a column.
void gemm(const Product& product, double alpha, double beta) noexcept {
    const auto size = [](int64_t value) noexcept { return static_cast<blasint>(value); };
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, size(2 * product.length),
                size(product.count), size(product.inner), alpha,
                reinterpret_cast<const double*>(product.in), size(2 * product.in_stride),
                product.factors, size(product.inner), beta, reinterpret_cast<double*>(product.out),
                size(2 * product.out_stride));
}

}  // namespace

void hold_blas() noexcept {
    openblas_set_num_threads(1);
}

void multiply(const Product& product) noexcept {
    gemm(product, 1, 0);
}

void subtract(const Product& product) noexcept {
    gemm(product, -1, 1);
}

}  // namespace longrun
