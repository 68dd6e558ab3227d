#include "core/reduce.hpp"

namespace longrun {

double sum_squares(const Complex* x, int64_t count) noexcept {
    constexpr int64_t kPairs = 4;
    double re[kPairs] = {};
    double im[kPairs] = {};
    int64_t i = 0;
    for (; i + kPairs <= count; i += kPairs) {
        for (int64_t lane = 0; lane < kPairs; ++lane) {
            re[lane] += x[i + lane].re * x[i + lane].re;
            im[lane] += x[i + lane].im * x[i + lane].im;
        }
    }
    for (int64_t lane = 0; i < count; ++i, ++lane) {
        re[lane] += x[i].re * x[i].re;
        im[lane] += x[i].im * x[i].im;
    }
    return ((re[0] + im[0]) + (re[1] + im[1])) + ((re[2] + im[2]) + (re[3] + im[3]));
}

double sum_pairwise(const double* x, int64_t count) noexcept {
    if (count <= 0)
        return 0;
    if (count == 1)
        return x[0];
    const int64_t half = count / 2;
    return sum_pairwise(x, half) + sum_pairwise(x + half, count - half);
}

}  // namespace longrun
