// Order conditions of the coefficients, up to the order that each set claims.
#include <cstddef>

#include "check.hpp"
#include "steppers/dormand_prince_tableau.hpp"
#include "steppers/rk4ip.hpp"

using namespace longrun::dormand_prince;

namespace {

constexpr auto kCount = static_cast<std::size_t>(kStages);

double power(double x, int exponent) {
    double result = 1;
    for (int i = 0; i < exponent; ++i)
        result *= x;
    return result;
}

/// (A v)_i.
double row(std::size_t i, const std::array<double, kCount>& v) {
    double sum = 0;
    for (std::size_t j = 0; j < i; ++j)
        sum += kRows[i][j] * v[j];
    return sum;
}

std::array<double, kCount> node_powers(int exponent) {
    std::array<double, kCount> v{};
    for (std::size_t i = 0; i < kCount; ++i)
        v[i] = power(kNodes[i], exponent);
    return v;
}

/// Conditions of `order` at the fraction theta: the quadratures, and the trees of order 4 that
/// are not.
void conditions(const std::array<double, kCount>& b, double theta, int order) {
    for (int k = 0; k < order; ++k) {
        double sum = 0;
        for (std::size_t i = 0; i < kCount; ++i)
            sum += b[i] * power(kNodes[i], k);
        check::near("quadrature condition", power(theta, k + 1) / (k + 1), sum, 1e-14);
    }
    double ac = 0;
    double cac = 0;
    double acc = 0;
    double aac = 0;
    std::array<double, kCount> inner{};
    for (std::size_t i = 0; i < kCount; ++i)
        inner[i] = row(i, node_powers(1));
    for (std::size_t i = 0; i < kCount; ++i) {
        ac += b[i] * row(i, node_powers(1));
        cac += b[i] * kNodes[i] * row(i, node_powers(1));
        acc += b[i] * row(i, node_powers(2));
        aac += b[i] * row(i, inner);
    }
    check::near("condition b A c", power(theta, 3) / 6, ac, 1e-14);
    check::near("condition b c A c", power(theta, 4) / 8, cac, 1e-14);
    check::near("condition b A c²", power(theta, 4) / 12, acc, 1e-14);
    check::near("condition b A A c", power(theta, 4) / 24, aac, 1e-14);
}

}  // namespace

int main() {
    for (std::size_t i = 0; i < kCount; ++i)
        check::near("a row sums to its node", kNodes[i], row(i, node_powers(0)), 1e-14);
    std::array<double, kCount> fifth{};
    for (std::size_t i = 0; i + 1 < kCount; ++i)
        fifth[i] = kRows[kCount - 1][i];
    conditions(fifth, 1, 5);
    std::array<double, kCount> fourth = fifth;
    for (std::size_t i = 0; i < kCount; ++i)
        fourth[i] -= kError[i];
    conditions(fourth, 1, 4);
    for (const double theta : {0.0, 0.1, 0.25, 0.5, 0.9, 1.0})
        conditions(dense_weights(theta), theta, 4);
    for (std::size_t i = 0; i < kCount; ++i)
        check::near("the extension ends in the solution", fifth[i], dense_weights(1)[i], 1e-15);

    for (const double theta : {0.0, 0.3, 0.5, 1.0}) {
        const auto b = longrun::rk4_dense_weights(theta);
        check::near("RK4 extension, order 1", theta, b[0] + 2 * b[1] + b[2], 1e-15);
        check::near("RK4 extension, order 2", power(theta, 2) / 2, b[1] + b[2], 1e-15);
        check::near("RK4 extension, order 3", power(theta, 3) / 3, b[1] / 2 + b[2], 1e-15);
        check::near("RK4 extension, b A c", power(theta, 3) / 6, b[1] / 4 + b[2] / 2, 1e-15);
    }
    return check::finish();
}
