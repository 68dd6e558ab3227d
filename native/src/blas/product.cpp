#include "blas/product.hpp"

#include <cblas.h>

#include <algorithm>

namespace longrun {
namespace {

/// About as many values and vectors of a block: with 256 vectors summed over, the BLAS is within a
/// tenth of its speed, and a team of sixteen has work.
constexpr int64_t kRows = 128;
constexpr int64_t kColumns = 64;

/// Equal blocks of about `length` of `count`.
struct Cut {
    Cut(int64_t whole, int64_t length) noexcept
        : count(whole),
          blocks(std::max<int64_t>(1, (whole + length / 2) / length)),
          size((whole + blocks - 1) / blocks) {}

    Range operator[](int64_t block) const noexcept {
        return {std::min(block * size, count), std::min((block + 1) * size, count)};
    }

    int64_t count;
    int64_t blocks;
    int64_t size;
};

/// Column-major: a vector is a column.
void gemm(const Product& product, double alpha, double beta) noexcept {
    const auto size = [](int64_t value) noexcept { return static_cast<blasint>(value); };
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, size(2 * product.length),
                size(product.count), size(product.inner), alpha,
                reinterpret_cast<const double*>(product.in), size(2 * product.in_stride),
                product.factors, size(product.inner), beta, reinterpret_cast<double*>(product.out),
                size(2 * product.out_stride));
}

void share(const Worker& worker, const Product& product, double alpha, double beta) noexcept {
    const Cut rows(product.length, kRows);
    const Cut columns(product.count, kColumns);
    worker.divide(rows.blocks * columns.blocks, 1, [&](int64_t unit, int64_t) {
        const Range values = rows[unit / columns.blocks];
        const Range results = columns[unit % columns.blocks];
        Product part = product;
        part.length = values.end - values.begin;
        part.count = results.end - results.begin;
        part.in += values.begin;
        part.factors += results.begin * product.inner;
        part.out += results.begin * product.out_stride + values.begin;
        if (part.length > 0 && part.count > 0)
            gemm(part, alpha, beta);
    });
}

}  // namespace

void hold_blas() noexcept {
    openblas_set_num_threads(1);
}

void multiply(const Worker& worker, const Product& product) noexcept {
    share(worker, product, 1, 0);
}

void subtract(const Worker& worker, const Product& product) noexcept {
    share(worker, product, -1, 1);
}

}  // namespace longrun
