// Where the time of a run goes, as the leader of the team sees it.
//
// Time belongs to one part at a time. Switched off, which it is from the start, a change of the
// part is one branch that always goes the same way; switched on, it reads the clock once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/clock.hpp"
#include "core/team.hpp"

namespace longrun {

enum class Part : std::size_t { kNone, kFft, kPointwise, kStepper, kAbsorb, kObserve };

class PartClock {
 public:
    bool on() const noexcept { return on_; }
    void switch_on(bool on) noexcept { on_ = on; }

    /// Forgets what was spent.
    void reset() noexcept { spent_ns_ = {}; }

    /// Wall time of a part since `reset`, while the clock was switched on.
    int64_t spent_ns(Part part) const noexcept { return spent_ns_[static_cast<std::size_t>(part)]; }

    /// From now on time belongs to `part`. Returns what it belonged to.
    Part enter(Part part) noexcept {
        if (!on_)
            return Part::kNone;
        return change(part);
    }

    /// The same inside a collective function, of which the leader's call counts.
    Part enter(const Worker& worker, Part part) noexcept {
        return worker.leads() ? enter(part) : Part::kNone;
    }

 private:
    Part change(Part part) noexcept {
        const int64_t now = now_ns();
        // What kNone collects, all time before the first change among it, nobody asks for.
        spent_ns_[static_cast<std::size_t>(current_)] += now - since_ns_;
        since_ns_ = now;
        return std::exchange(current_, part);
    }

    static constexpr std::size_t kParts = static_cast<std::size_t>(Part::kObserve) + 1;

    bool on_ = false;
    Part current_ = Part::kNone;
    int64_t since_ns_ = 0;
    std::array<int64_t, kParts> spent_ns_{};
};

/// As long as it lives, time belongs to one part; then again to what it belonged to before.
class Timed {
 public:
    Timed(PartClock& clock, Part part) noexcept : clock_(clock), outer_(clock.enter(part)) {}
    ~Timed() { clock_.enter(outer_); }
    Timed(const Timed&) = delete;
    Timed& operator=(const Timed&) = delete;

 private:
    PartClock& clock_;
    Part outer_;
};

/// As long as it lives, the clock is switched off.
class Untimed {
 public:
    explicit Untimed(PartClock& clock) noexcept : clock_(clock), on_(clock.on()) {
        clock_.switch_on(false);
    }
    ~Untimed() { clock_.switch_on(on_); }
    Untimed(const Untimed&) = delete;
    Untimed& operator=(const Untimed&) = delete;

 private:
    PartClock& clock_;
    bool on_;
};

/// Calls `execute()` on the thread that is asked, as time of transforms where it is the leader.
template <class Execute>
void own_transform(const Worker& worker, PartClock& clock, const Execute& execute) noexcept {
    const Part outer = clock.enter(worker, Part::kFft);
    execute();
    clock.enter(worker, outer);
}

/// Calls `execute()` on the leader, as time of transforms. Does not wait for the others.
template <class Execute>
void lead_transform(const Worker& worker, PartClock& clock, const Execute& execute) noexcept {
    worker.lead([&] {
        const Timed timed(clock, Part::kFft);
        execute();
    });
}

}  // namespace longrun
