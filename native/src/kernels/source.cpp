// The work of a source evaluation between its transforms.
#include "core/blocks.hpp"
#include "kernels/operations.hpp"
#include "optics/parts.hpp"
#include "optics/pointwise.hpp"
#include "optics/raman.hpp"

namespace longrun::kernels {
namespace {

/// |A|² and the padding.
class Intensity final : public Operation {
 public:
    Intensity(const Problem& problem, Arena& arena)
        : Operation(arena),
          points_(problem.points),
          padded_(problem.raman_points),
          field_(complex_input(points_)),
          out_(real_output(padded_)),
          whole_(points_) {}

    void apply(const Worker& worker) noexcept override {
        worker.share(whole_, [&](Range range, int64_t) {
            intensity(field_, out_, range);
            pad(points_, padded_, out_, range);
        });
    }

 private:
    int64_t points_;
    int64_t padded_;
    Complex* field_;
    double* out_;
    Blocks whole_;
};

/// The delayed response to a field.
class Convolution final : public Operation {
 public:
    Convolution(const Problem& problem, Arena& arena, const Planner& planner)
        : Operation(arena),
          table_(complex_input(problem.raman_points / 2 + 1)),
          field_(complex_input(problem.points)),
          raman_(arena, planner, problem.points, problem.raman_points, table_) {
        real_output_at(raman_.response(), problem.raman_points);
    }

    void apply(const Worker& worker) noexcept override { raman_.convolve(worker, clock_, field_); }
    std::string plans() const override { return raman_.plans(); }

 private:
    Complex* table_;
    Complex* field_;
    Raman raman_;
    PartClock clock_; /* never switched on */
};

/// Half a spectrum times the transform of the response.
class Product final : public Operation {
 public:
    Product(const Problem& problem, Arena& arena)
        : Operation(arena),
          half_(problem.raman_points / 2 + 1),
          table_(complex_input(half_.elements())),
          drive_(complex_input(half_.elements())),
          out_(complex_output(half_.elements())) {}

    void apply(const Worker& worker) noexcept override {
        worker.share(half_, [&](Range range, int64_t) { multiply(table_, drive_, out_, range); });
    }

 private:
    Blocks half_;
    Complex* table_;
    Complex* drive_;
    Complex* out_;
};

/// The polarisation, with a response and a window.
class Polarise final : public Operation {
 public:
    Polarise(const Problem& problem, Arena& arena)
        : Operation(arena),
          kerr_(real_input(1)),
          field_(complex_input(problem.points)),
          response_(real_input(problem.points)),
          window_(real_input(problem.points)),
          out_(complex_output(problem.points)),
          whole_(problem.points) {}

    void apply(const Worker& worker) noexcept override {
        const Polarisation polarisation{*kerr_, response_, window_};
        worker.share(whole_,
                     [&](Range range, int64_t) { polarise(polarisation, field_, out_, range); });
    }

 private:
    double* kerr_;
    Complex* field_;
    double* response_;
    double* window_;
    Complex* out_;
    Blocks whole_;
};

}  // namespace

Made make_intensity(const Problem& problem, Arena& arena, const Planner&) {
    return std::make_unique<Intensity>(problem, arena);
}

Made make_raman_convolution(const Problem& problem, Arena& arena, const Planner& planner) {
    return std::make_unique<Convolution>(problem, arena, planner);
}

Made make_raman_product(const Problem& problem, Arena& arena, const Planner&) {
    return std::make_unique<Product>(problem, arena);
}

Made make_polarise(const Problem& problem, Arena& arena, const Planner&) {
    return std::make_unique<Polarise>(problem, arena);
}

}  // namespace longrun::kernels
