// Exponentials against long double, over the arguments that propagations reach.
#include "core/exponentials.hpp"

#include <cmath>
#include <vector>

#include "check.hpp"

using longrun::Complex;

namespace {

constexpr int64_t kCount = 200003;  // odd: the rest of the last vector is covered

std::vector<double> arguments(double largest) {
    std::vector<double> x(kCount);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double position = 2 * static_cast<double>(i) / static_cast<double>(kCount - 1) - 1;
        // Dense near 0 as well: a cube spreads the exponents.
        x[i] = largest * (i % 2 == 0 ? position : position * position * position);
    }
    x[0] = 0.0;
    x[1] = std::acos(-1.0) / 4;
    x[2] = std::acos(-1.0) / 2;
    x[3] = -std::acos(-1.0);
    return x;
}

double worst_phase(double largest) {
    const std::vector<double> x = arguments(largest);
    std::vector<Complex> out(x.size());
    longrun::unit_exponentials(x.data(), 1.0, out.data(), kCount);
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const long double exact = x[i];
        const double re = static_cast<double>(std::fabs(std::cos(exact) - out[i].re));
        const double im = static_cast<double>(std::fabs(std::sin(exact) - out[i].im));
        worst = std::fmax(worst, std::fmax(re, im));
    }
    return worst;
}

double worst_decay() {
    const std::vector<double> gain = arguments(700);
    const std::vector<double> rate = arguments(1e5);
    std::vector<Complex> out(gain.size());
    longrun::damped_exponentials(gain.data(), rate.data(), 1.0, out.data(), kCount);
    double worst = 0;
    for (std::size_t i = 0; i < gain.size(); ++i) {
        const long double size = std::exp(static_cast<long double>(gain[i]));
        const long double re = size * std::cos(static_cast<long double>(rate[i])) - out[i].re;
        const long double im = size * std::sin(static_cast<long double>(rate[i])) - out[i].im;
        worst = std::fmax(worst, static_cast<double>(std::hypot(re, im) / size));
    }
    return worst;
}

double worst_real() {
    const std::vector<double> x = arguments(700);
    std::vector<double> out(x);
    longrun::real_exponentials(out.data(), out.data(), kCount);
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const long double exact = std::exp(static_cast<long double>(x[i]));
        worst = std::fmax(worst, static_cast<double>(std::fabs(out[i] - exact) / exact));
    }
    return worst;
}

}  // namespace

int main() {
    check::at_most("error of e^{ix} for |x| <= 10", 2.5e-16, worst_phase(10));
    check::at_most("error of e^{ix} for |x| <= 1e5", 2.5e-16, worst_phase(1e5));
    check::at_most("error of e^{ix} for |x| <= 1.6e6", 2.5e-16, worst_phase(1.6e6));
    check::at_most("relative error of e^{a+ix}", 1e-15, worst_decay());

    check::at_most("relative error of e^x", 1e-15, worst_real());

    const double beyond[] = {-1e4, 1e4};
    const double still[] = {0, 0};
    Complex out[2];
    longrun::damped_exponentials(beyond, still, 1.0, out, 2);
    check::at_most("e^{-10000} is clamped to something tiny", 1e-300, out[0].re);
    check::near("e^{10000} is clamped to something finite", 1, std::isfinite(out[1].re) ? 1 : 0, 0);
    return check::finish();
}
