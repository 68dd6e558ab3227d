// Storage of one engine: zeroed arrays that live as long as the arena.
//
// Every array starts on a cache line, and successive arrays start in different sets of the
// first-level cache. Arrays of 2^k bytes on equal page offsets would compete for the same eight
// ways as soon as a loop walks through more than eight of them, and the stage sums do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

namespace longrun {

class Arena {
 public:
    /// `count` zeroed values, at least one. Throws `std::bad_alloc`.
    template <class T>
    T* take(int64_t count) {
        static_assert(std::is_trivially_copyable_v<T>, "arrays hold plain values");
        const auto wanted = static_cast<std::size_t>(count > 0 ? count : 1);
        if (wanted > (SIZE_MAX - kPage) / sizeof(T))
            throw std::bad_alloc();
        const std::size_t offset = (blocks_.size() * kStride) % kPage;
        const std::size_t bytes = wanted * sizeof(T) + offset;
        blocks_.reserve(blocks_.size() + 1);
        blocks_.emplace_back(static_cast<std::byte*>(::operator new(bytes, kAlignment)));
        std::byte* start = blocks_.back().get() + offset;
        std::memset(start, 0, wanted * sizeof(T));
        return reinterpret_cast<T*>(start);
    }

    /// A copy of `count` values, at least one.
    template <class T>
    T* copy(const T* values, int64_t count) {
        T* array = take<T>(count);
        std::memcpy(array, values, static_cast<std::size_t>(count) * sizeof(T));
        return array;
    }

 private:
    static constexpr std::size_t kPage = 4096;
    static constexpr std::align_val_t kAlignment{kPage};
    // An odd multiple of 256 B: sixteen successive arrays get sixteen offsets.
    static constexpr std::size_t kStride = 5 * 256;

    struct Release {
        void operator()(std::byte* block) const noexcept { ::operator delete(block, kAlignment); }
    };

    std::vector<std::unique_ptr<std::byte, Release>> blocks_;
};

}  // namespace longrun
