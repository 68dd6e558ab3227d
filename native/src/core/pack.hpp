// Several complex numbers at once, for the loops that compilers do not vectorise by themselves.
//
// gcc 12 leaves sums of many interleaved complex products scalar. A kernel is therefore written
// once for a value type `V` and called with `Pack` for whole packs and with `Complex` for the rest
// of a block. Blocks have fixed borders, so an element always goes through the same one.
#pragma once

#include <cstdint>
#include <cstring>

#include "core/blocks.hpp"
#include "core/complex.hpp"

namespace longrun {

// The widest register of the instruction set that the build asks for.
#if defined(__AVX512F__)
constexpr int64_t kLanes = 8;
#elif defined(__AVX__)
constexpr int64_t kLanes = 4;
#else
constexpr int64_t kLanes = 2;
#endif

using Lanes [[gnu::vector_size(kLanes * sizeof(double))]] = double;

/// `kLanes` complex numbers, real and imaginary parts apart. The order of the lanes is that of
/// one unpack instruction and means nothing outside `load` and `store`.
struct Pack {
    Lanes re;
    Lanes im;
};

/// Even lanes of a and b in turn: a0 b0 a2 b2 ...
template <class L>
inline L even_lanes(L a, L b) noexcept {
    if constexpr (kLanes == 8)
        return __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
    else if constexpr (kLanes == 4)
        return __builtin_shufflevector(a, b, 0, 4, 2, 6);
    else
        return __builtin_shufflevector(a, b, 0, 2);
}

/// Odd lanes of a and b in turn: a1 b1 a3 b3 ...
template <class L>
inline L odd_lanes(L a, L b) noexcept {
    if constexpr (kLanes == 8)
        return __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
    else if constexpr (kLanes == 4)
        return __builtin_shufflevector(a, b, 1, 5, 3, 7);
    else
        return __builtin_shufflevector(a, b, 1, 3);
}

/// Reads the elements that start at `i`.
template <class V>
inline V load(const Complex* array, int64_t i) noexcept {
    return array[i];
}
template <>
inline Pack load<Pack>(const Complex* array, int64_t i) noexcept {
    Lanes a;
    Lanes b;
    std::memcpy(&a, array + i, sizeof(a));
    std::memcpy(&b, array + i + kLanes / 2, sizeof(b));
    return {even_lanes(a, b), odd_lanes(a, b)};
}

/// Writes the elements that start at `i`.
inline void store(Complex* array, int64_t i, Complex value) noexcept {
    array[i] = value;
}
inline void store(Complex* array, int64_t i, Pack value) noexcept {
    const Lanes a = even_lanes(value.re, value.im);
    const Lanes b = odd_lanes(value.re, value.im);
    std::memcpy(array + i, &a, sizeof(a));
    std::memcpy(array + i + kLanes / 2, &b, sizeof(b));
}

inline Pack operator+(Pack a, Pack b) noexcept {
    return {a.re + b.re, a.im + b.im};
}

inline Pack operator-(Pack a, Pack b) noexcept {
    return {a.re - b.re, a.im - b.im};
}

inline Pack operator*(Pack a, Pack b) noexcept {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

inline Pack operator*(double a, Pack b) noexcept {
    return {a * b.re, a * b.im};
}

inline Pack operator*(Complex a, Pack b) noexcept {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

inline Pack operator*(Lanes a, Pack b) noexcept {
    return {a * b.re, a * b.im};
}

inline Pack conjugate(Pack a) noexcept {
    return {a.re, -a.im};
}

inline Lanes squared(Pack a) noexcept {
    return a.re * a.re + a.im * a.im;
}

/// Calls `body.template operator()<V>(i)` until all elements of the range are done.
template <class Body>
inline void for_elements(Range range, const Body& body) noexcept {
    int64_t i = range.begin;
    for (; i + kLanes <= range.end; i += kLanes)
        body.template operator()<Pack>(i);
    for (; i < range.end; ++i)
        body.template operator()<Complex>(i);
}

}  // namespace longrun
