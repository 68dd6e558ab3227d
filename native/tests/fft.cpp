// Plans against the definition of the transform, and what they say of themselves.
#include <complex>
#include <string>

#include "check.hpp"
#include "core/arena.hpp"
#include "fft/plan.hpp"
#include "fft/wisdom.hpp"
#include "fixture.hpp"

using fixture::Field;
using longrun::Complex;

namespace {

Field sample(std::size_t n) {
    Field x(n);
    for (std::size_t i = 0; i < n; ++i)
        x[i] = {std::sin(1.0 + static_cast<double>(i * i)), std::cos(5.0 * static_cast<double>(i))};
    return x;
}

void fill(Complex* array, const Field& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
        array[i] = {values[i].real(), values[i].imag()};
}

Field copy(const Complex* array, std::size_t n) {
    Field values(n);
    for (std::size_t i = 0; i < n; ++i)
        values[i] = {array[i].re, array[i].im};
    return values;
}

void complex_plans(std::size_t n) {
    longrun::Arena arena;
    const auto points = static_cast<int64_t>(n);
    Complex* spectrum = arena.take<Complex>(points);
    Complex* time = arena.take<Complex>(points);
    const longrun::BackwardPlan backward(longrun::Planner(), points, spectrum, time);
    const longrun::ForwardPlan forward(longrun::Planner(), points, time, spectrum);
    const Field x = sample(n);
    fill(spectrum, x);
    backward.execute(spectrum, time);
    check::at_most("c2c backward", 1e-14, fixture::distance(copy(time, n), fixture::dft(x, 1)));
    check::near("c2c backward keeps its input", 0, fixture::distance(copy(spectrum, n), x), 0);
    forward.execute(time, spectrum);
    Field back = copy(spectrum, n);
    for (auto& value : back)
        value /= static_cast<double>(n);
    check::at_most("c2c round trip", 1e-15 * std::log2(n), fixture::distance(back, x));
    check::contains("text of a plan", "c2c forward", forward.text().c_str());
    check::equal("lines of the text of a plan", -1,
                 forward.text().find('\n') == std::string::npos ? -1 : 0);
}

void real_plans(std::size_t m) {
    longrun::Arena arena;
    const auto points = static_cast<int64_t>(m);
    double* real = arena.take<double>(points);
    Complex* half = arena.take<Complex>(points / 2 + 1);
    const longrun::RealForwardPlan forward(longrun::Planner(), points, real, half);
    const longrun::RealBackwardPlan backward(longrun::Planner(), points, half, real);
    Field x = sample(m);
    for (std::size_t i = 0; i < m; ++i) {
        x[i] = x[i].real();
        real[i] = x[i].real();
    }
    forward.execute(real, half);
    Field expected = fixture::dft(x, -1);
    expected.resize(m / 2 + 1);
    check::at_most("r2c", 1e-14, fixture::distance(copy(half, m / 2 + 1), expected));
    backward.execute(half, real);
    Field back(m);
    for (std::size_t i = 0; i < m; ++i)
        back[i] = real[i] / static_cast<double>(m);
    check::at_most("r2c and c2r round trip", 1e-14, fixture::distance(back, x));
}

/// A transform that was prepared is found, also where there was no time to prepare it well.
void prepared_plans_are_found(double patience) {
    longrun::Arena arena;
    Complex* spectrum = arena.take<Complex>(4096);
    Complex* time = arena.take<Complex>(4096);
    longrun::Wisdom prepared("", longrun::Effort::kPrepare);
    const longrun::Planner thorough(&prepared, patience);
    const longrun::BackwardPlan backward(thorough, 4096, spectrum, time);
    check::equal("missing when preparing", 1, prepared.missing());
    check::equal("added", 1, prepared.added());
    longrun::Wisdom known(prepared.text(), longrun::Effort::kRun);
    const longrun::BackwardPlan again(longrun::Planner(&known), 4096, spectrum, time);
    check::equal("missing when running", 0, known.missing());
    check::equal("the same plan", 1, again.text() == backward.text() ? 1 : 0);
}

}  // namespace

int main() {
    for (const std::size_t n : {4U, 6U, 96U, 256U})
        complex_plans(n);
    for (const std::size_t m : {4U, 12U, 512U})
        real_plans(m);
    prepared_plans_are_found(1e-4);
    check::contains("provider", "FFTW 3.", longrun_fft_provider());
    return check::finish();
}
