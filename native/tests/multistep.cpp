// Single steps of the multistep method on sources whose integral is known.
#include "steppers/multistep.hpp"

#include <array>
#include <complex>
#include <memory>
#include <vector>

#include "check.hpp"
#include "core/arena.hpp"
#include "core/team.hpp"

using namespace longrun;

namespace {

constexpr int64_t kPoints = 12;
// From well below to well above the phase at which the moments change their formula.
constexpr double kRates[kPoints] = {0, 0.5, -3, 7, 20, -50, 90, 4, -11, 160, 1, -1};
// Index of the operator whose multiples a shift is.
constexpr int64_t kReference = 4;

/// N = z^power e^{K z} (2 + i), whatever the state: what a step adds is a known integral.
class PowerSource final : public Source {
 public:
    PowerSource(Arena& arena, int power)
        : power_(power),
          output_(arena.take<Complex>(kPoints)),
          weight_(arena.take<Complex>(kPoints)) {
        std::fill_n(weight_, kPoints, Complex{2, 1});
    }
    void evaluate(const Worker& worker, double z, const Complex*) noexcept override {
        worker.barrier();
        worker.lead([&] {
            for (std::size_t i = 0; i < kPoints; ++i) {
                const std::complex<double> value = std::pow(z, power_) * std::exp(turns[i] * z);
                output_[i] = {value.real(), value.imag()};
            }
        });
        worker.barrier();
    }
    void transforms(const Worker&, const Complex*) noexcept override {}
    std::string plans() const override { return ""; }
    int64_t bytes() const noexcept override { return 0; }
    const Complex* output() const noexcept override { return output_; }
    const Complex* weight() const noexcept override { return weight_; }

    std::array<std::complex<double>, kPoints> turns{}; /* K */

 private:
    int power_;
    Complex* output_;
    Complex* weight_;
};

/// Integral of e^{l (b - s)} s^power e^{k s} from a to b by Gauss-Legendre of 3 points on 4000
/// pieces.
std::complex<double> integral(std::complex<double> l, std::complex<double> k, int power, double a,
                              double b) {
    const double root = std::sqrt(0.6);
    std::complex<double> sum = 0;
    const int pieces = 4000;
    const double half = (b - a) / pieces / 2;
    for (int i = 0; i < pieces; ++i) {
        const double middle = a + (2 * i + 1) * half;
        for (const auto& [x, w] : {std::pair{-root, 5.0 / 9}, {0.0, 8.0 / 9}, {root, 5.0 / 9}}) {
            const double s = middle + x * half;
            sum += w * half * std::exp(l * (b - s) + k * s) * std::pow(s, power);
        }
    }
    return sum;
}

/// Whether the source turns, and the stepper takes the turning out.
enum class Turning { kNone, kTakenOut, kLeftIn };

struct Bench {
    Bench(int order, int power, double loss, Multistep::Frame frame,
          Turning turning = Turning::kNone,
          Multistep::Estimate estimate = Multistep::Estimate::kPredictor)
        : source(arena, power) {
        std::vector<Complex> linear(kPoints);
        for (std::size_t i = 0; i < kPoints; ++i)
            linear[i] = {-loss, kRates[i]};
        active = find_active(linear.data(), source.weight(), nullptr, kPoints);
        diagonal = std::make_unique<Diagonal>(arena, linear.data(), kPoints);
        // The two halves of the indices are a block each.
        shift = {kReference, {1, 3}, {0, 1}};
        for (std::size_t i = 0; turning != Turning::kNone && i < kPoints; ++i)
            source.turns[i] =
                (i < kPoints / 2 ? 1.0 : 3.0) * std::complex<double>(-loss, kRates[kReference]);
        stepper = std::make_unique<Multistep>(arena, team, source, *diagonal, active, kPoints,
                                              order, frame, estimate,
                                              turning == Turning::kTakenOut ? &shift : nullptr);
        stepper->restart();
        for (int64_t i = 0; i < kPoints; ++i)
            stepper->state()[i] = {1, -1};
    }

    Attempt take(double z, double h) {
        const Attempt attempt = stepper->attempt(z, h);
        stepper->accept();
        check::equal("evaluations after a step", 1,
                     stepper->settle(longrun::Stepper::Since::kNothing));
        return attempt;
    }

    std::vector<std::complex<double>> at(double theta) {
        std::vector<Complex> out(kPoints);
        team.run([&](const Worker& worker) noexcept {
            stepper->interpolate(worker, theta, out.data());
        });
        std::vector<std::complex<double>> values;
        for (const Complex& value : out)
            values.emplace_back(value.re, value.im);
        return values;
    }

    Arena arena;
    Team team{1};
    PowerSource source;
    ActiveSet active;
    std::unique_ptr<Diagonal> diagonal;
    CarrierShift shift;
    std::unique_ptr<Stepper> stepper;
};

/// Largest error of what the last of several uneven steps added, at its end and inside.
struct Errors {
    double end;
    double inside;
    double estimate;
};

Errors last_step(int order, int power, double loss, Multistep::Frame frame,
                 Turning turning = Turning::kNone) {
    Bench bench(order, power, loss, frame, turning);
    const double steps[] = {0.03, 0.05, 0.04, 0.06, 0.05, 0.04, 0.05};
    double z = 0.2;
    Errors errors{};
    for (const double h : steps) {
        errors = {0, 0, bench.take(z, h).error};
        for (const double theta : {0.35, 1.0}) {
            const auto start = bench.at(0);
            const auto obtained = bench.at(theta);
            for (std::size_t i = 0; i < kPoints; ++i) {
                const std::complex<double> l(-loss, kRates[i]);
                const std::complex<double> expected =
                    start[i] * std::exp(l * theta * h) +
                    std::complex<double>(2, 1) *
                        integral(l, bench.source.turns[i], power, z, z + theta * h);
                double& worst = theta < 1 ? errors.inside : errors.end;
                worst = std::fmax(worst, std::abs(obtained[i] - expected));
            }
        }
        const auto end = bench.at(1);
        for (std::size_t i = 0; i < kPoints; ++i)
            check::at_most("the interpolation ends in the new state", 1e-14,
                           std::hypot(bench.stepper->state()[i].re - end[i].real(),
                                      bench.stepper->state()[i].im - end[i].imag()));
        z += h;
    }
    return errors;
}

void etd_is_exact_for_polynomials_up_to_its_order() {
    for (int order = 1; order <= kAdamsOrderMax; ++order) {
        for (const double loss : {0.0, 3.0}) {
            for (int power = 0; power <= order; ++power) {
                const Errors errors = last_step(order, power, loss, Multistep::Frame::kNone);
                check::at_most("error at the end of a step", 1e-13, errors.end);
                check::at_most("error inside a step", 1e-13, errors.inside);
                if (power < order)
                    check::at_most("estimate where the predictor is exact", 1e-13, errors.estimate);
            }
            const Errors errors = last_step(order, order + 1, loss, Multistep::Frame::kNone);
            check::at_least("one power more is not exact", 1e-11, errors.end);
            check::at_least("and is seen by the estimate", errors.end, errors.estimate);
        }
    }
}

void a_shift_makes_what_turns_with_it_exact() {
    constexpr auto kFrame = Multistep::Frame::kNone;
    for (int order = 1; order <= kAdamsOrderMax; ++order) {
        for (const double loss : {0.0, 3.0}) {
            for (int power = 0; power <= order; ++power) {
                const Errors errors = last_step(order, power, loss, kFrame, Turning::kTakenOut);
                check::at_most("error at the end of a step", 1e-12, errors.end);
                check::at_most("error inside a step", 1e-12, errors.inside);
                if (power < order)
                    check::at_most("estimate where the predictor is exact", 1e-12, errors.estimate);
            }
        }
    }
    const Errors errors = last_step(4, 2, 0, kFrame, Turning::kLeftIn);
    check::at_least("left in, it is not", 1e-6, errors.end);
}

void a_shift_makes_no_difference_to_what_both_resolve() {
    Bench shifted(4, 2, 1, Multistep::Frame::kNone, Turning::kTakenOut);
    Bench plain(4, 2, 1, Multistep::Frame::kNone, Turning::kLeftIn);
    for (int i = 0; i < 200; ++i) {
        shifted.take(0.0005 * i, 0.0005);
        plain.take(0.0005 * i, 0.0005);
    }
    const Complex* a = shifted.stepper->state();
    const Complex* b = plain.stepper->state();
    double worst = 0;
    for (std::size_t i = 0; i < kPoints; ++i)
        worst = std::fmax(worst, std::hypot(a[i].re - b[i].re, a[i].im - b[i].im));
    check::at_most("difference of the two", 1e-8, worst);
}

/// Of equal steps 1/9 of the distance from the predictor, and the same state.
void the_lower_corrector_makes_a_smaller_estimate() {
    for (const auto frame : {Multistep::Frame::kNone, Multistep::Frame::kLinear}) {
        Bench predictor(3, 4, 0.5, frame);
        Bench corrector(3, 4, 0.5, frame, Turning::kNone, Multistep::Estimate::kLowerCorrector);
        for (int i = 0; i < 6; ++i) {
            const double expected = predictor.take(0.05 * i, 0.05).error;
            const double obtained = corrector.take(0.05 * i, 0.05).error;
            if (i > 2)
                check::near("ratio", 1.0 / 9, obtained / expected, 1e-12);
        }
        const auto* a = predictor.stepper->state();
        const auto* b = corrector.stepper->state();
        for (std::size_t i = 0; i < kPoints; ++i)
            check::equal("state", 1, a[i].re == b[i].re && a[i].im == b[i].im ? 1 : 0);
    }
}

/// L that is no longer what tables were made from.
void a_changed_operator_is_noticed_at_an_equal_step() {
    Bench bench(3, 1, 0.5, Multistep::Frame::kNone);
    for (int i = 0; i < 6; ++i)
        bench.take(0.05 * i, 0.05);
    std::vector<Complex> linear(kPoints, Complex{-2, 3});
    const auto before = bench.at(1);
    *bench.diagonal = Diagonal(bench.arena, linear.data(), kPoints);
    bench.stepper->operator_changed();
    bench.take(0.3, 0.05);
    const std::complex<double> l(-2, 3);
    for (std::size_t i = 0; i < kPoints; ++i) {
        const std::complex<double> expected =
            before[i] * std::exp(l * 0.05) +
            std::complex<double>(2, 1) * integral(l, 0, 1, 0.3, 0.35);
        check::at_most("error with the new operator", 1e-13,
                       std::hypot(bench.stepper->state()[i].re - expected.real(),
                                  bench.stepper->state()[i].im - expected.imag()));
    }
}

void both_frames_agree_where_both_resolve_the_source() {
    const Errors errors = last_step(6, 1, 0, Multistep::Frame::kLinear);
    // At the largest rate a step turns the source by 8 rad: only the interpolation suffers.
    check::at_least("the interaction picture must follow the phase of the operator", 1e-9,
                    errors.end);
    Bench etd(5, 2, 1, Multistep::Frame::kNone);
    Bench lawson(5, 2, 1, Multistep::Frame::kLinear);
    for (int i = 0; i < 40; ++i) {
        etd.take(0.001 * i, 0.001);
        lawson.take(0.001 * i, 0.001);
    }
    double worst = 0;
    for (std::size_t i = 0; i < kPoints; ++i)
        worst = std::fmax(worst,
                          std::hypot(etd.stepper->state()[i].re - lawson.stepper->state()[i].re,
                                     etd.stepper->state()[i].im - lawson.stepper->state()[i].im));
    check::at_most("difference of the frames", 1e-6, worst);
}

void a_rejected_attempt_leaves_no_trace() {
    for (const auto frame : {Multistep::Frame::kNone, Multistep::Frame::kLinear}) {
        Bench plain(4, 3, 0.5, frame);
        Bench tried(4, 3, 0.5, frame);
        for (int i = 0; i < 8; ++i) {
            const double z = 0.05 * i;
            plain.take(z, 0.05);
            tried.stepper->attempt(z, 0.11);
            const Attempt attempt = tried.take(z, 0.05);
            check::equal("evaluations of an attempt", 1, attempt.evaluations);
            check::equal("the order grows with the history", std::min(i + 1, 4), attempt.order);
        }
        for (std::size_t i = 0; i < kPoints; ++i) {
            check::near("real part", plain.stepper->state()[i].re, tried.stepper->state()[i].re, 0);
            check::near("imaginary part", plain.stepper->state()[i].im,
                        tried.stepper->state()[i].im, 0);
        }
    }
}

}  // namespace

int main() {
    etd_is_exact_for_polynomials_up_to_its_order();
    a_shift_makes_what_turns_with_it_exact();
    a_shift_makes_no_difference_to_what_both_resolve();
    the_lower_corrector_makes_a_smaller_estimate();
    a_changed_operator_is_noticed_at_an_equal_step();
    both_frames_agree_where_both_resolve_the_source();
    a_rejected_attempt_leaves_no_trace();
    return check::finish();
}
