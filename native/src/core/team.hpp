// One team of threads, and how it shares work.
//
// A collective function is called by every worker of the team with the same arguments. Work is
// handed out in whole blocks; what only one worker may do (an FFT) is done by the leader while the
// others wait at the next barrier. A team of one enters no parallel region.
#pragma once

#include <omp.h>
#include <pthread.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/blocks.hpp"

namespace longrun {

/// One member of the team inside a parallel region.
class Worker {
 public:
    Worker(int rank, int size, std::uintptr_t* presence) noexcept
        : rank_(rank), size_(size), presence_(presence) {}

    /// Waits for the whole team. Collective.
    void barrier() const noexcept {
        if (size_ > 1) {
#pragma omp barrier
        }
    }

    /// This worker as a team of its own: it shares with nobody and waits for nobody.
    Worker alone() const noexcept {
        return {0, 1, presence_};
    }

    bool leads() const noexcept {
        return rank_ == 0;
    }

    /// From 0 to one less than the size of the team.
    int rank() const noexcept {
        return rank_;
    }

    /// Calls `body(range, index)` for the blocks of this worker. Does not wait for the others.
    template <class Body>
    void share(const Blocks& blocks, const Body& body) const noexcept {
        const int64_t first = blocks.count() * rank_ / size_;
        const int64_t last = blocks.count() * (rank_ + 1) / size_;
        for (int64_t index = first; index < last; ++index)
            body(blocks[index], index);
        if (first < last)
            mark();
    }

    /// Calls `body(first, end)` for runs of at most `length` of the indices below `count` that are
    /// for this worker. Where there are fewer indices than workers, some have one each, the leader
    /// among them. Does not wait for the others.
    template <class Body>
    void divide(int64_t count, int64_t length, const Body& body) const noexcept {
        const int64_t first = (count * rank_ + size_ - 1) / size_;
        const int64_t last = (count * (rank_ + 1) + size_ - 1) / size_;
        for (int64_t begin = first; begin < last; begin += length)
            body(begin, std::min(begin + length, last));
        if (first < last)
            mark();
    }

    /// Calls `body(index)` for those of the indices below `count` that are dealt to this worker,
    /// one to each in turn: for work whose cost changes along the indices. Does not wait for the
    /// others.
    template <class Body>
    void deal(int64_t count, const Body& body) const noexcept {
        for (int64_t index = rank_; index < count; index += size_)
            body(index);
        if (rank_ < count)
            mark();
    }

    /// Calls `body()` on the leader only. Does not wait for the others.
    template <class Body>
    void lead(const Body& body) const noexcept {
        if (!leads())
            return;
        body();
        mark();
    }

 private:
    // Written by the thread that did the work, with its own identity: what is counted is who
    // worked, not who was asked to.
    void mark() const noexcept {
        *presence_ = static_cast<std::uintptr_t>(pthread_self());
    }

    int rank_;
    int size_;
    std::uintptr_t* presence_;
};

class Team {
 public:
    /// Elements from which passes between two transforms are shared. A pass over fewer takes less
    /// time than threads that sleep while they wait (the default policy) need to meet, which was
    /// seen to be 50 us and more on a virtual machine.
    static constexpr int64_t kShareFrom = int64_t{1} << 17;

    /// `threads` >= 1. Starts the threads, so that later regions allocate nothing.
    explicit Team(int threads);

    /// Runs the collective function `body(worker)`, which must not throw.
    template <class Body>
    void run(const Body& body) noexcept {
        if (threads_ == 1) {
            body(Worker(0, 1, slots_.data()));
            return;
        }
        std::uintptr_t* slots = slots_.data();
#pragma omp parallel num_threads(threads_) default(none) shared(body, slots)
        {
            const int rank = omp_get_thread_num();
            body(Worker(rank, omp_get_num_threads(), slots + rank * kSlotStride));
        }
    }

    /// Forgets who worked.
    void forget() noexcept;

    /// Distinct threads that did work since `forget`.
    int64_t observed() const noexcept;

 private:
    // One slot a cache line: neighbours must not slow each other down.
    static constexpr int kSlotStride = 8;

    int threads_;
    std::vector<std::uintptr_t> slots_;
};

}  // namespace longrun
