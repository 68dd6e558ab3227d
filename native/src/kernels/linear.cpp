// The tables of a new step, without loss.
#include "core/blocks.hpp"
#include "core/exponentials.hpp"
#include "core/moments.hpp"
#include "kernels/operations.hpp"

namespace longrun::kernels {
namespace {

class Exponentials final : public Operation {
 public:
    Exponentials(const Problem& problem, Arena& arena)
        : Operation(arena),
          length_(real_input(1)),
          rate_(real_input(problem.points)),
          out_(complex_output(problem.points)),
          whole_(problem.points) {}

    void apply(const Worker& worker) noexcept override {
        const double length = *length_;
        worker.share(whole_, [&](Range range, int64_t) {
            unit_exponentials(rate_ + range.begin, length, out_ + range.begin,
                              range.end - range.begin);
        });
    }

 private:
    double* length_;
    double* rate_;
    Complex* out_;
    Blocks whole_;
};

class Moments final : public Operation {
 public:
    Moments(const Problem& problem, Arena& arena)
        : Operation(arena),
          length_(real_input(1)),
          rate_(real_input(problem.points)),
          tables_{complex_output(problem.points), {}, problem.order},
          whole_(problem.points) {
        for (std::size_t m = 0; m <= last(); ++m)
            tables_.moments[m] = complex_output(problem.points);
    }

    void apply(const Worker& worker) noexcept override {
        const double length = *length_;
        worker.share(whole_, [&](Range range, int64_t) {
            MomentTables block = tables_;
            block.turn += range.begin;
            for (std::size_t m = 0; m <= last(); ++m)
                block.moments[m] += range.begin;
            exponential_moments(nullptr, rate_ + range.begin, length, range.end - range.begin,
                                block);
        });
    }

 private:
    std::size_t last() const noexcept { return static_cast<std::size_t>(tables_.order); }

    double* length_;
    double* rate_;
    MomentTables tables_;
    Blocks whole_;
};

}  // namespace

Made make_exponentials(const Problem& problem, Arena& arena, const Planner&) {
    return std::make_unique<Exponentials>(problem, arena);
}

Made make_moments(const Problem& problem, Arena& arena, const Planner&) {
    return std::make_unique<Moments>(problem, arena);
}

}  // namespace longrun::kernels
