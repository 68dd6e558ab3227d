#include "polarisation/double_integral.hpp"

namespace longrun::polarisation {
namespace {

/// The values that start at `values`, `stride` apart.
inline Lanes gather(const double* values, int64_t stride) noexcept {
    Lanes lanes{};
    for (int64_t lane = 0; lane < kLanes; ++lane)
        lanes[lane] = values[lane * stride];
    return lanes;
}

inline void scatter(Lanes lanes, double* values, int64_t stride) noexcept {
    for (int64_t lane = 0; lane < kLanes; ++lane)
        values[lane * stride] = lanes[lane];
}

/// The running sums at one sample, of one stretch or of several.
template <class V>
struct Sums {
    V value;   /* the integrand */
    V current; /* the inner integral, and what is added to it */
    V inner;
    V outer;

    void step(V next, V extra, double half) noexcept {
        inner = inner + half * (value + next);
        const V after = inner + extra;
        outer = outer + half * (current + after);
        value = next;
        current = after;
    }
};

/// What a stretch hands to the next: the constant and the slope of the outer sum.
struct Carry {
    double offset = 0;
    double inner = 0;
};

/// The samples that do not fill a stretch, one by one.
void integrate_rest(double* values, const double* extra, double step, Range rest) noexcept {
    if (rest.begin >= rest.end)
        return;
    Sums<double> sums{values[rest.begin], extra[rest.begin], 0, 0};
    values[rest.begin] = 0;
    for (int64_t i = rest.begin + 1; i < rest.end; ++i) {
        sums.step(values[i], extra[i], step / 2);
        values[i] = sums.outer;
    }
}

}  // namespace

Stretches integrate_twice(double* values, const double* extra, double step,
                          int64_t count) noexcept {
    const int64_t length = count / kLanes;
    const int64_t whole = length * kLanes;
    Stretches stretches{};
    stretches.back() = {whole, count, 0, 0};
    if (length == 0) {
        integrate_rest(values, extra, step, {0, count});
        return stretches;
    }
    const double half = step / 2;
    const Lanes first = gather(values, length);
    const Lanes first_extra = gather(extra, length);
    Sums<Lanes> sums{first, first_extra, Lanes{}, Lanes{}};
    scatter(sums.outer, values, length);
    for (int64_t i = 1; i < length; ++i) {
        sums.step(gather(values + i, length), gather(extra + i, length), half);
        scatter(sums.outer, values + i, length);
    }
    Carry carry;
    for (int64_t lane = 0; lane < kLanes; ++lane) {
        const int64_t begin = lane * length;
        stretches[static_cast<std::size_t>(lane)] = {begin, begin + length, carry.offset,
                                                     carry.inner * step};
        // The trapezoids between this stretch and the next.
        const bool last = lane + 1 == kLanes;
        if (last && whole == count)
            break;
        const double next = last ? values[whole] : first[lane + 1];
        const double next_extra = last ? extra[whole] : first_extra[lane + 1];
        const double inner = sums.inner[lane] + half * (sums.value[lane] + next);
        const double outer = sums.outer[lane] + half * (sums.current[lane] + (inner + next_extra));
        carry.offset += carry.inner * step * static_cast<double>(length) + outer;
        carry.inner += inner;
    }
    stretches.back() = {whole, count, carry.offset, carry.inner * step};
    integrate_rest(values, extra, step, {whole, count});
    return stretches;
}

}  // namespace longrun::polarisation
