// What is known of good FFT plans, from a text and into one, for each transform by itself.
//
// FFTW's own store of wisdom is one for the process, and it is not additive: planning one
// transform with more effort may replace what another one's plan is made of, which would change
// the plans of cases that were prepared before. So each transform has its own piece of wisdom
// here, made by a planner that knew nothing else, and is planned from that piece alone. FFTW's
// store is emptied for it, and filled again with what it held.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace longrun {

/// What is done for a transform that the wisdom does not hold.
enum class Effort {
    kRun,     /* planned as without wisdom, and not kept */
    kPrepare, /* planned with more effort, and added */
};

class Wisdom {
 public:
    /// Largest text that is read. A piece has about 1 kB.
    static constexpr int64_t kTextMax = int64_t{16} << 20;

    /// Reads a text that `text` wrote; empty: nothing is known. Throws `std::invalid_argument`
    /// with the reason where it is no such text.
    Wisdom(std::string_view text, Effort effort);

    Effort effort() const noexcept { return effort_; }

    /// The piece of FFTW's wisdom for a transform, or null.
    const std::string* find(std::string_view transform) const noexcept;

    /// Puts a piece in the place of what was known of the transform: nothing, or something that
    /// FFTW could not use.
    void keep(const std::string& transform, std::string piece);

    /// Everything that is known, as a text. Sorted by transform.
    std::string text() const;

    /// Counts a plan that was made.
    void count(bool was_missing) noexcept;

    int64_t plans() const noexcept { return plans_; }
    int64_t missing() const noexcept { return missing_; }
    int64_t added() const noexcept { return added_; }

 private:
    struct Piece {
        std::string transform;
        std::string wisdom;
    };

    Effort effort_;
    std::vector<Piece> pieces_; /* sorted by transform */
    int64_t plans_ = 0;
    int64_t missing_ = 0;
    int64_t added_ = 0;
};

}  // namespace longrun
