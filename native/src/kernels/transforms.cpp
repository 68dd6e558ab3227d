// The transforms of a propagation, each by itself.
#include <algorithm>

#include "fft/plan.hpp"
#include "kernels/operations.hpp"

namespace longrun::kernels {
namespace {

/// A transform that keeps its input: complex to complex.
template <class Transform>
class Keeping final : public Operation {
 public:
    Keeping(const Problem& problem, Arena& arena, const Planner& planner)
        : Operation(arena),
          in_(complex_input(problem.points)),
          out_(complex_output(problem.points)),
          plan_(planner, problem.points, in_, out_) {}

    void apply(const Worker& worker) noexcept override {
        worker.lead([&] { plan_.execute(in_, out_); });
    }
    std::string plans() const override { return plan_.text() + "\n"; }

 private:
    Complex* in_;
    Complex* out_;
    Transform plan_;
};

/// Real to half a spectrum. A propagation writes the reals anew before each of these transforms,
/// which destroy them: here they are copied.
class RealForward final : public Operation {
 public:
    RealForward(const Problem& problem, Arena& arena, const Planner& planner)
        : Operation(arena),
          points_(problem.points),
          kept_(real_input(points_)),
          in_(arena.take<double>(points_)),
          out_(complex_output(points_ / 2 + 1)),
          plan_(planner, points_, in_, out_) {}

    void apply(const Worker& worker) noexcept override {
        worker.lead([&] {
            std::copy_n(kept_, points_, in_);
            plan_.execute(in_, out_);
        });
    }
    std::string plans() const override { return plan_.text() + "\n"; }

 private:
    int64_t points_;
    double* kept_;
    double* in_;
    Complex* out_;
    RealForwardPlan plan_;
};

/// Half a spectrum to real, from a copy as well.
class RealBackward final : public Operation {
 public:
    RealBackward(const Problem& problem, Arena& arena, const Planner& planner)
        : Operation(arena),
          half_(problem.points / 2 + 1),
          kept_(complex_input(half_)),
          in_(arena.take<Complex>(half_)),
          out_(real_output(problem.points)),
          plan_(planner, problem.points, in_, out_) {}

    void apply(const Worker& worker) noexcept override {
        worker.lead([&] {
            std::copy_n(kept_, half_, in_);
            plan_.execute(in_, out_);
        });
    }
    std::string plans() const override { return plan_.text() + "\n"; }

 private:
    int64_t half_;
    Complex* kept_;
    Complex* in_;
    double* out_;
    RealBackwardPlan plan_;
};

}  // namespace

Made make_fft_forward(const Problem& problem, Arena& arena, const Planner& planner) {
    return std::make_unique<Keeping<ForwardPlan>>(problem, arena, planner);
}

Made make_fft_inverse(const Problem& problem, Arena& arena, const Planner& planner) {
    return std::make_unique<Keeping<BackwardPlan>>(problem, arena, planner);
}

Made make_rfft_forward(const Problem& problem, Arena& arena, const Planner& planner) {
    return std::make_unique<RealForward>(problem, arena, planner);
}

Made make_rfft_inverse(const Problem& problem, Arena& arena, const Planner& planner) {
    return std::make_unique<RealBackward>(problem, arena, planner);
}

}  // namespace longrun::kernels
