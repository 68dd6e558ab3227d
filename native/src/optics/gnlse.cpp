#include "optics/gnlse.hpp"

#include <algorithm>

namespace longrun {
namespace {

/// 1/n³: |A|² A is formed from transforms that lack their 1/n.
double cubic_scale(int64_t points) noexcept {
    const double scale = 1.0 / static_cast<double>(points);
    return scale * scale * scale;
}

}  // namespace

GnlseSource::Raman::Raman(Arena& arena, const Planner& planner,
                          const longrun_gnlse_problem& problem)
    : points(problem.raman_points),
      real(arena.take<double>(points)),
      spectrum(arena.take<Complex>(points / 2 + 1)),
      table(arena.take<Complex>(points / 2 + 1)),
      half(points / 2 + 1),
      forward(planner, points, real, spectrum),
      backward(planner, points, spectrum, real) {
    const double scale =
        problem.raman_fraction * cubic_scale(problem.points) / static_cast<double>(points);
    for (int64_t i = 0; i <= points / 2; ++i)
        table[i] = scale * Complex{problem.raman[2 * i], problem.raman[2 * i + 1]};
    // Planning has left values of its own behind.
    std::fill_n(real, points, 0.0);
}

GnlseSource::GnlseSource(Arena& arena, const Planner& planner, const longrun_gnlse_problem& problem,
                         Transforms& transforms, int64_t active, int64_t share_from)
    : transforms_(transforms),
      whole_(problem.points),
      active_(active),
      share_from_(share_from),
      kerr_(problem.kerr_fraction * cubic_scale(problem.points)),
      weight_(arena.take<Complex>(problem.points)),
      window_(problem.time_window == nullptr ? nullptr : arena.take<double>(problem.points)) {
    if (problem.raman_fraction != 0)
        raman_.emplace(arena, planner, problem);
    for (int64_t i = 0; i < problem.points; ++i) {
        weight_[i] = {problem.source[2 * i], problem.source[2 * i + 1]};
        if (window_ != nullptr)
            window_[i] = problem.time_window[i];
    }
}

void GnlseSource::evaluate(const Worker& worker, double, const Complex* state) noexcept {
    evaluate(worker, state, Field::kOfState);
}

void GnlseSource::evaluate_absorbed(const Worker& worker, double, const Complex* state) noexcept {
    evaluate(worker, state, Field::kLeftByAbsorber);
}

void GnlseSource::evaluate(const Worker& worker, const Complex* state, Field field) noexcept {
    worker.barrier();
    if (whole_.elements() < share_from_)
        worker.lead([&] { work(worker.alone(), state, field); });
    else
        work(worker, state, field);
    worker.barrier();
}

void GnlseSource::work(const Worker& worker, const Complex* state, Field field) noexcept {
    if (field == Field::kOfState)
        worker.lead([&] { transforms_.backward.execute(state, transforms_.time); });
    worker.barrier();
    if (raman_)
        convolve(worker);
    worker.share(whole_, [&](Range range, int64_t) { polarise(range); });
    worker.barrier();
    worker.lead([&] { transforms_.forward.execute(transforms_.time, transforms_.spectrum); });
}

void GnlseSource::convolve(const Worker& worker) noexcept {
    worker.share(whole_, [&](Range range, int64_t) { drive(range); });
    worker.barrier();
    worker.lead([&] { raman_->forward.execute(raman_->real, raman_->spectrum); });
    worker.barrier();
    worker.share(raman_->half, [&](Range range, int64_t) { respond(range); });
    worker.barrier();
    worker.lead([&] { raman_->backward.execute(raman_->spectrum, raman_->real); });
    worker.barrier();
}

/// |A|² and the padding. 3 FLOP, 16 B read and 8 m/n B written per element.
void GnlseSource::drive(Range range) noexcept {
    const Complex* field = transforms_.time;
    double* out = raman_->real;
#pragma omp simd
    for (int64_t i = range.begin; i < range.end; ++i)
        out[i] = squared(field[i]);
    // The response of the last evaluation stands where the padding belongs.
    if (raman_->points > transforms_.points)
        std::fill_n(out + transforms_.points + range.begin, range.end - range.begin, 0.0);
}

/// Times the transform of h. 6 FLOP, 32 B read and 16 B written per element of the half spectrum.
void GnlseSource::respond(Range range) noexcept {
    Complex* out = raman_->spectrum;
    const Complex* table = raman_->table;
#pragma omp simd
    for (int64_t i = range.begin; i < range.end; ++i)
        out[i] = table[i] * out[i];
}

/// T A (kerr |A|² + response). 8 FLOP, 16 to 32 B read and 16 B written per element.
void GnlseSource::polarise(Range range) noexcept {
    Complex* field = transforms_.time;
    const double* response = raman_ ? raman_->real : nullptr;
    const double kerr = kerr_;
    if (response != nullptr) {
#pragma omp simd
        for (int64_t i = range.begin; i < range.end; ++i)
            field[i] = (kerr * squared(field[i]) + response[i]) * field[i];
    } else {
#pragma omp simd
        for (int64_t i = range.begin; i < range.end; ++i)
            field[i] = (kerr * squared(field[i])) * field[i];
    }
    if (window_ == nullptr)
        return;
    const double* window = window_;
#pragma omp simd
    for (int64_t i = range.begin; i < range.end; ++i)
        field[i] = window[i] * field[i];
}

void GnlseSource::transforms(const Complex* state) noexcept {
    transforms_.backward.execute(state, transforms_.time);
    if (raman_) {
        raman_->forward.execute(raman_->real, raman_->spectrum);
        raman_->backward.execute(raman_->spectrum, raman_->real);
    }
    transforms_.forward.execute(transforms_.time, transforms_.spectrum);
}

std::string GnlseSource::plans() const {
    std::string text = transforms_.backward.text() + "\n" + transforms_.forward.text() + "\n";
    if (raman_)
        text += raman_->forward.text() + "\n" + raman_->backward.text() + "\n";
    return text;
}

int64_t GnlseSource::bytes() const noexcept {
    const int64_t points = transforms_.points;
    int64_t bytes = (16 + 16) * points;  // the field, in and out of the polarisation
    bytes += (16 + 16 + 16) * active_;   // output, weight, slope
    if (window_ != nullptr)
        bytes += 8 * points;
    if (raman_) {
        bytes += 16 * points + 8 * raman_->points;          // field in, drive and padding out
        bytes += (16 + 16 + 16) * raman_->half.elements();  // spectrum, table, spectrum
        bytes += 8 * points;                                // response
    }
    return bytes;
}

}  // namespace longrun
