// Index ranges cut into blocks whose shape depends on nothing but the range.
//
// A block is the unit of work of a thread and of a reduction. Because its borders do not move
// with the number of threads, neither does the vector code that an element goes through, and
// results are equal bit by bit for every number of threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace longrun {

/// Indices `begin` to `end - 1`.
struct Range {
    int64_t begin;
    int64_t end;
};

class Blocks {
 public:
    /// Elements of a block: ten complex arrays of one block fill the first-level cache.
    static constexpr int64_t kLength = 256;

    Blocks() = default;

    explicit Blocks(const std::vector<Range>& ranges) {
        for (const Range& range : ranges) {
            for (int64_t i = range.begin; i < range.end; i += kLength)
                blocks_.push_back({i, std::min(i + kLength, range.end)});
            elements_ += range.end - range.begin;
        }
    }

    explicit Blocks(int64_t points) : Blocks(std::vector<Range>{{0, points}}) {}

    int64_t count() const noexcept { return static_cast<int64_t>(blocks_.size()); }
    int64_t elements() const noexcept { return elements_; }
    const Range& operator[](int64_t index) const noexcept {
        return blocks_[static_cast<std::size_t>(index)];
    }

 private:
    std::vector<Range> blocks_;
    int64_t elements_ = 0;
};

}  // namespace longrun
