// The pair of transforms between the stored spectrum and the envelope in time, with the two work
// arrays that they were planned on.
//
// The work arrays belong to whoever is running: the source during an evaluation, absorb and
// observe between steps. Nothing may be kept in them across a call, but for what absorb leaves in
// `time` for the evaluation that follows at once.
#pragma once

#include <cstdint>

#include "core/arena.hpp"
#include "fft/plan.hpp"

namespace longrun {

struct Transforms {
    Transforms(Arena& arena, const Planner& planner, int64_t size)
        : points(size),
          spectrum(arena.take<Complex>(size)),
          time(arena.take<Complex>(size)),
          backward(planner, size, spectrum, time),
          forward(planner, size, time, spectrum) {}

    int64_t points;
    Complex* spectrum;
    Complex* time;
    BackwardPlan backward; /* spectrum to time, without 1/n */
    ForwardPlan forward;   /* time to spectrum */
};

}  // namespace longrun
