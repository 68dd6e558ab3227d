#include "steppers/adams.hpp"

#include <cmath>

namespace longrun {
namespace {

constexpr std::size_t index(int value) noexcept {
    return static_cast<std::size_t>(value);
}

/// polynomial (position - root) / scale; the highest power must be free.
Polynomial times_factor(const Polynomial& polynomial, double root, double scale) noexcept {
    Polynomial product{};
    for (std::size_t m = 0; m < product.size(); ++m) {
        const double raised = m > 0 ? polynomial[m - 1] : 0.0;
        product[m] = (raised - root * polynomial[m]) / scale;
    }
    return product;
}

}  // namespace

Basis lagrange_basis(const Nodes& nodes, int count) noexcept {
    Basis basis{};
    for (std::size_t j = 0; j < index(count); ++j) {
        basis[j][0] = 1;
        for (std::size_t i = 0; i < index(count); ++i)
            if (i != j)
                basis[j] = times_factor(basis[j], nodes[i], nodes[j] - nodes[i]);
    }
    return basis;
}

double value_at(const Polynomial& polynomial, double position) noexcept {
    double value = 0;
    for (std::size_t m = polynomial.size(); m > 0; --m)
        value = value * position + polynomial[m - 1];
    return value;
}

double integral_to(const Polynomial& polynomial, double position) noexcept {
    double value = 0;
    for (std::size_t m = polynomial.size(); m > 0; --m)
        value = value * position + polynomial[m - 1] / static_cast<double>(m);
    return value * position;
}

AdamsStep adams_step(const Nodes& nodes, int count) noexcept {
    AdamsStep step{};
    step.basis = lagrange_basis(nodes, count);
    step.correction[0] = 1;
    double shorter = 0;
    for (std::size_t j = 0; j < index(count); ++j) {
        step.end[j] = value_at(step.basis[j], 1);
        shorter = integral_to(step.correction, 1);  // at last that without the oldest slope
        step.correction = times_factor(step.correction, nodes[j], 1 - nodes[j]);
    }
    step.lower = std::abs(1 - shorter / integral_to(step.correction, 1));
    return step;
}

}  // namespace longrun
