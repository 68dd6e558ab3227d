// The passes of a step: sums, a stage, its end, a prediction, a correction, the windows after it.
#include <array>
#include <cstddef>

#include "core/blocks.hpp"
#include "core/reduce.hpp"
#include "kernels/operations.hpp"
#include "optics/absorb.hpp"
#include "optics/transforms.hpp"
#include "steppers/adams_sums.hpp"
#include "steppers/dormand_prince_stage.hpp"

namespace longrun::kernels {
namespace {

class SumSquares final : public Operation {
 public:
    SumSquares(const Problem& problem, Arena& arena)
        : Operation(arena),
          values_(complex_input(problem.points)),
          sum_(real_output(1)),
          whole_(problem.points),
          sums_(arena.take<double>(whole_.count())) {}

    void apply(const Worker& worker) noexcept override {
        worker.share(whole_, [&](Range range, int64_t block) {
            sums_[block] = sum_squares(values_ + range.begin, range.end - range.begin);
        });
        worker.barrier();
        worker.lead([&] { *sum_ = sum_pairwise(sums_, whole_.count()); });
    }

 private:
    Complex* values_;
    double* sum_;
    Blocks whole_;
    double* sums_;
};

/// A stage of Dormand-Prince, without loss.
template <int Stage>
class RkStage final : public Operation {
 public:
    RkStage(const Problem& problem, Arena& arena)
        : Operation(arena), step_(real_input(1)), whole_(problem.points) {
        const int64_t points = problem.points;
        for (const Complex** in :
             {&arrays_.output, &arrays_.weight, &arrays_.y, &arrays_.tenth, &arrays_.ninths})
            *in = complex_input(points);
        for (const Complex*& slope : arrays_.slopes)
            slope = complex_input(points);
        arrays_.stored = complex_output(points);
        arrays_.next = complex_output(points);
        if constexpr (Stage == dormand_prince::kLastSum)
            arrays_.error = complex_output(points);
    }

    void apply(const Worker& worker) noexcept override {
        const double h = *step_;
        worker.share(whole_, [&](Range range, int64_t) {
            dormand_prince::stage_sums<Stage, true>(arrays_, h, range);
        });
    }

 private:
    double* step_;
    Blocks whole_;
    dormand_prince::StageArrays<Stage> arrays_{};
};

/// The end of a step of Dormand-Prince, and the sum of its error.
class RkError final : public Operation {
 public:
    RkError(const Problem& problem, Arena& arena)
        : Operation(arena),
          step_(real_input(1)),
          sum_(real_output(1)),
          whole_(problem.points),
          sums_(arena.take<double>(whole_.count())) {
        const int64_t points = problem.points;
        for (const Complex** in : {&arrays_.output, &arrays_.weight, &arrays_.partial})
            *in = complex_input(points);
        arrays_.stored = complex_output(points);
        arrays_.error = complex_output(points);
    }

    void apply(const Worker& worker) noexcept override {
        const double h = *step_;
        worker.share(whole_, [&](Range range, int64_t block) {
            sums_[block] = dormand_prince::end_sums(arrays_, h, range);
        });
        worker.barrier();
        worker.lead([&] { *sum_ = sum_pairwise(sums_, whole_.count()); });
    }

 private:
    double* step_;
    double* sum_;
    Blocks whole_;
    double* sums_;
    dormand_prince::EndArrays arrays_{};
};

/// A prediction with K = 0.
class Predict final : public Operation {
 public:
    Predict(const Problem& problem, Arena& arena)
        : Operation(arena),
          order_(problem.order),
          end_(real_input(order_)),
          whole_(problem.points) {
        const int64_t points = problem.points;
        arrays_.y = complex_input(points);
        arrays_.turn = complex_input(points);
        for (std::size_t j = 0; j < count(); ++j)
            arrays_.weights[j] = complex_input(points);
        for (std::size_t j = 0; j < count(); ++j)
            arrays_.slopes[j] = complex_input(points);
        arrays_.next = complex_output(points);
        arrays_.expected = complex_output(points);
    }

    void apply(const Worker& worker) noexcept override {
        PredictionArrays arrays = arrays_;
        for (std::size_t j = 0; j < count(); ++j)
            arrays.end[j] = end_[j];
        worker.share(whole_, [&](Range range, int64_t) { predict(order_, arrays, range); });
    }

 private:
    std::size_t count() const noexcept { return static_cast<std::size_t>(order_); }

    int order_;
    double* end_;
    Blocks whole_;
    PredictionArrays arrays_{};
};

/// A correction with K = 0, and its sums.
class Correct final : public Operation {
 public:
    Correct(const Problem& problem, Arena& arena)
        : Operation(arena),
          error_(real_output(1)),
          norm_(real_output(1)),
          whole_(problem.points),
          error_sums_(arena.take<double>(whole_.count())),
          norm_sums_(arena.take<double>(whole_.count())) {
        const int64_t points = problem.points;
        for (const Complex** in : {&arrays_.output, &arrays_.weight, &arrays_.expected,
                                   &arrays_.correction, &arrays_.predicted})
            *in = complex_input(points);
        arrays_.surplus = complex_output(points);
        arrays_.next = complex_output(points);
    }

    void apply(const Worker& worker) noexcept override {
        worker.share(whole_, [&](Range range, int64_t block) {
            const CorrectionSums sums = correct(arrays_, range);
            error_sums_[block] = sums.error;
            norm_sums_[block] = sums.norm;
        });
        worker.barrier();
        worker.lead([&] {
            *error_ = sum_pairwise(error_sums_, whole_.count());
            *norm_ = sum_pairwise(norm_sums_, whole_.count());
        });
    }

 private:
    double* error_;
    double* norm_;
    Blocks whole_;
    double* error_sums_;
    double* norm_sums_;
    CorrectionArrays arrays_{};
};

/// The windows after a step.
class Absorb final : public Operation {
 public:
    Absorb(const Problem& problem, Arena& arena, const Planner& planner)
        : Operation(arena),
          spectral_(real_input(problem.points)),
          temporal_(real_input(problem.points)),
          state_(complex_input(problem.points)),
          norm_(real_output(1)),
          out_(complex_output(problem.points)),
          transforms_(arena, planner, problem.points),
          absorber_(arena, transforms_, spectral_, temporal_) {}

    void apply(const Worker& worker) noexcept override {
        absorber_.apply(worker, state_, out_);
        worker.barrier();
        worker.lead([&] { *norm_ = absorber_.norm(); });
    }
    std::string plans() const override {
        return transforms_.backward.text() + "\n" + transforms_.forward.text() + "\n";
    }

 private:
    double* spectral_;
    double* temporal_;
    Complex* state_;
    double* norm_;
    Complex* out_;
    Transforms transforms_;
    Absorber absorber_;
};

}  // namespace

Made make_sum_squares(const Problem& problem, Arena& arena, const Planner&) {
    return std::make_unique<SumSquares>(problem, arena);
}

Made make_rk_stage(const Problem& problem, Arena& arena, const Planner&) {
    switch (problem.order) {
        case 1:
            return std::make_unique<RkStage<1>>(problem, arena);
        case 2:
            return std::make_unique<RkStage<2>>(problem, arena);
        case 3:
            return std::make_unique<RkStage<3>>(problem, arena);
        case 4:
            return std::make_unique<RkStage<4>>(problem, arena);
        default:
            static_assert(dormand_prince::kLastSum == 5);
            return std::make_unique<RkStage<5>>(problem, arena);
    }
}

Made make_rk_error(const Problem& problem, Arena& arena, const Planner&) {
    return std::make_unique<RkError>(problem, arena);
}

Made make_adams_predict(const Problem& problem, Arena& arena, const Planner&) {
    return std::make_unique<Predict>(problem, arena);
}

Made make_adams_correct(const Problem& problem, Arena& arena, const Planner&) {
    return std::make_unique<Correct>(problem, arena);
}

Made make_absorb(const Problem& problem, Arena& arena, const Planner& planner) {
    return std::make_unique<Absorb>(problem, arena, planner);
}

}  // namespace longrun::kernels
