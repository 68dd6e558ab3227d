#include "optics/gnlse.hpp"

namespace longrun {
namespace {

/// 1/n³: |A|² A is formed from transforms that lack their 1/n.
double cubic_scale(int64_t points) noexcept {
    const double scale = 1.0 / static_cast<double>(points);
    return scale * scale * scale;
}

/// The transform of h, with f_R and every normalisation.
Complex* response_table(Arena& arena, const longrun_gnlse_problem& problem) {
    const int64_t padded = problem.raman_points;
    const double scale =
        problem.raman_fraction * cubic_scale(problem.points) / static_cast<double>(padded);
    Complex* table = arena.take<Complex>(padded / 2 + 1);
    for (int64_t i = 0; i <= padded / 2; ++i)
        table[i] = scale * Complex{problem.raman[2 * i], problem.raman[2 * i + 1]};
    return table;
}

}  // namespace

GnlseSource::GnlseSource(Arena& arena, const Planner& planner, const longrun_gnlse_problem& problem,
                         Transforms& transforms, int64_t active, PartClock& clock,
                         int64_t share_from)
    : transforms_(transforms),
      clock_(clock),
      whole_(problem.points),
      active_(active),
      share_from_(share_from),
      weight_(arena.take<Complex>(problem.points)),
      polarisation_{problem.kerr_fraction * cubic_scale(problem.points), nullptr,
                    problem.time_window == nullptr
                        ? nullptr
                        : arena.copy(problem.time_window, problem.points)} {
    for (int64_t i = 0; i < problem.points; ++i)
        weight_[i] = {problem.source[2 * i], problem.source[2 * i + 1]};
    if (problem.raman_fraction == 0)
        return;
    raman_.emplace(arena, planner, problem.points, problem.raman_points,
                   response_table(arena, problem));
    polarisation_.response = raman_->response();
}

void GnlseSource::evaluate(const Worker& worker, double, const Complex* state) noexcept {
    evaluate(worker, state, Field::kOfState);
}

void GnlseSource::evaluate_absorbed(const Worker& worker, double, const Complex* state) noexcept {
    evaluate(worker, state, Field::kLeftByAbsorber);
}

void GnlseSource::evaluate(const Worker& worker, const Complex* state, Field field) noexcept {
    worker.barrier();
    const Part outer = clock_.enter(worker, Part::kPointwise);
    if (whole_.elements() < share_from_)
        worker.lead([&] { work(worker.alone(), state, field); });
    else
        work(worker, state, field);
    worker.barrier();
    clock_.enter(worker, outer);
}

void GnlseSource::work(const Worker& worker, const Complex* state, Field field) noexcept {
    Complex* time = transforms_.time;
    if (field == Field::kOfState)
        lead_transform(worker, clock_, [&] { transforms_.backward.execute(state, time); });
    worker.barrier();
    if (raman_)
        raman_->convolve(worker, clock_, time);
    worker.share(whole_, [&](Range range, int64_t) { polarise(polarisation_, time, time, range); });
    worker.barrier();
    lead_transform(worker, clock_,
                   [&] { transforms_.forward.execute(time, transforms_.spectrum); });
}

void GnlseSource::transforms(const Worker& worker, const Complex* state) noexcept {
    worker.lead([&] {
        transforms_.backward.execute(state, transforms_.time);
        if (raman_)
            raman_->transforms();
        transforms_.forward.execute(transforms_.time, transforms_.spectrum);
    });
}

void GnlseSource::rescale(const Worker& worker) noexcept {
    worker.lead([&] {
        if (raman_)
            raman_->rescale();
    });
}

std::string GnlseSource::plans() const {
    std::string text = transforms_.backward.text() + "\n" + transforms_.forward.text() + "\n";
    if (raman_)
        text += raman_->plans();
    return text;
}

int64_t GnlseSource::bytes() const noexcept {
    const int64_t points = transforms_.points;
    int64_t bytes = (16 + 16) * points;  // the field, in and out of the polarisation
    bytes += (16 + 16 + 16) * active_;   // output, weight, slope
    if (polarisation_.window != nullptr)
        bytes += 8 * points;
    if (raman_)
        bytes += raman_->bytes();
    return bytes;
}

}  // namespace longrun
