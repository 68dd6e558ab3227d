// One operation on arrays of its own: what a kernel of the ABI repeats.
//
// An operation holds no loop of its own. It lays out the arrays, and calls what a propagation
// calls with its arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/arena.hpp"
#include "core/complex.hpp"
#include "core/team.hpp"

namespace longrun::kernels {

class Operation {
 public:
    virtual ~Operation() = default;
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;

    /// Does the work once: reads the input, which it keeps, and writes the output. Collective; the
    /// caller waits for the team afterwards.
    virtual void apply(const Worker& worker) noexcept = 0;

    /// One line for each FFT plan.
    virtual std::string plans() const { return ""; }

    /// Number of doubles of the input and of the output.
    int64_t inputs() const noexcept { return doubles(inputs_); }
    int64_t outputs() const noexcept { return doubles(outputs_); }

    /// Copies all of the input, and all of the output.
    void set_input(const double* values) noexcept;
    void get_output(double* values) const noexcept;

 protected:
    /// The arena must outlive the operation.
    explicit Operation(Arena& arena) noexcept : arena_(arena) {}

    /// Arrays of the input and of the output, in the order in which they are taken.
    double* real_input(int64_t count) { return keep(inputs_, arena_.take<double>(count), count); }
    Complex* complex_input(int64_t count) {
        return keep(inputs_, arena_.take<Complex>(count), count);
    }
    double* real_output(int64_t count) { return keep(outputs_, arena_.take<double>(count), count); }
    Complex* complex_output(int64_t count) {
        return keep(outputs_, arena_.take<Complex>(count), count);
    }

    /// An array that something else owns, as the next of the output.
    void real_output_at(const double* values, int64_t count) { keep(outputs_, values, count); }

 private:
    /// An array as bytes; `Values` is void, or const void.
    template <class Values>
    struct Piece {
        Values* values;
        std::size_t bytes;
    };

    template <class Values, class T>
    static T* keep(std::vector<Piece<Values>>& pieces, T* values, int64_t count) {
        pieces.push_back({values, static_cast<std::size_t>(count) * sizeof(T)});
        return values;
    }

    template <class Values>
    static int64_t doubles(const std::vector<Piece<Values>>& pieces) noexcept {
        std::size_t bytes = 0;
        for (const Piece<Values>& piece : pieces)
            bytes += piece.bytes;
        return static_cast<int64_t>(bytes / sizeof(double));
    }

    Arena& arena_;
    std::vector<Piece<void>> inputs_;
    std::vector<Piece<const void>> outputs_;
};

}  // namespace longrun::kernels
