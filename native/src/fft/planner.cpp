#include "fft/planner.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>

namespace longrun {
namespace {

std::mutex planning;

// FFTW_PATIENT took 0.4 ms of one core for each point of a complex transform, from 4096 to 65536
// points, and half of that for a real one. A planner that runs out of time has wasted it. So each
// size has more than twice the time it needs, up to a size whose planning is still bearable, and
// larger ones do not try.
constexpr int64_t kPatientPointsMax = 65536;
constexpr double kSecondsPerPoint = 1e-3;
constexpr double kSecondsMin = 2;
constexpr double kSecondsMax = 40;

unsigned effort_flags(int64_t points) noexcept {
    return points <= kPatientPointsMax ? FFTW_PATIENT : FFTW_MEASURE;
}

double effort_limit_s(int64_t points) noexcept {
    return std::clamp(kSecondsPerPoint * static_cast<double>(points), kSecondsMin, kSecondsMax);
}

/// All that FFTW has learnt since it was last emptied.
std::string exported_wisdom() {
    const std::unique_ptr<char, decltype(&std::free)> text(fftw_export_wisdom_to_string(),
                                                           &std::free);
    if (text == nullptr)
        throw std::bad_alloc();
    return text.get();
}

/// While it lives, FFTW knows nothing but what it is told; afterwards, what it knew before.
class Emptied {
 public:
    Emptied() : before_(exported_wisdom()) { fftw_forget_wisdom(); }
    ~Emptied() {
        fftw_forget_wisdom();
        fftw_import_wisdom_from_string(before_.c_str());
    }
    Emptied(const Emptied&) = delete;
    Emptied& operator=(const Emptied&) = delete;

 private:
    std::string before_;
};

}  // namespace

fftw_plan Planner::known_plan(const std::string& transform, Call planned, const void* make) const {
    const std::string* piece = wisdom_->find(transform);
    if (piece == nullptr)
        return nullptr;
    const Emptied emptied;
    if (fftw_import_wisdom_from_string(piece->c_str()) == 0)
        return nullptr;
    return planned(make, FFTW_MEASURE | FFTW_WISDOM_ONLY);
}

bool Planner::learn(const std::string& transform, Attempt attempt, Call planned,
                    const void* make) const {
    const Emptied emptied;
    fftw_set_timelimit(attempt.limit_s);
    const fftw_plan plan = planned(make, attempt.flags);
    fftw_set_timelimit(FFTW_NO_TIMELIMIT);
    if (plan == nullptr)
        return false;
    fftw_destroy_plan(plan);
    wisdom_->keep(transform, exported_wisdom());
    return true;
}

fftw_plan Planner::prepared_plan(const std::string& transform, int64_t points, Call planned,
                                 const void* make) const {
    // Wisdom from a planner that ran out of time serves planners with that limit only, and so no
    // run: what counts is that the plan is found as a run will look for it.
    const Attempt attempts[] = {{effort_flags(points), patience_ * effort_limit_s(points)},
                                {FFTW_MEASURE, FFTW_NO_TIMELIMIT}};
    for (const Attempt& attempt : attempts)
        if (learn(transform, attempt, planned, make))
            if (const fftw_plan plan = known_plan(transform, planned, make); plan != nullptr)
                return plan;
    return nullptr;
}

fftw_plan Planner::plan_with(const std::string& transform, int64_t points, Call planned,
                             const void* make) const {
    const std::lock_guard<std::mutex> lock(planning);
    if (wisdom_ == nullptr)
        return planned(make, FFTW_MEASURE);
    if (const fftw_plan plan = known_plan(transform, planned, make); plan != nullptr) {
        wisdom_->count(false);
        return plan;
    }
    wisdom_->count(true);
    if (wisdom_->effort() == Effort::kPrepare)
        return prepared_plan(transform, points, planned, make);
    return planned(make, FFTW_MEASURE);
}

void Planner::destroy(fftw_plan plan) noexcept {
    const std::lock_guard<std::mutex> lock(planning);
    fftw_destroy_plan(plan);
}

}  // namespace longrun
