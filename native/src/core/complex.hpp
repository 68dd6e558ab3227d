// Complex numbers as a plain pair of doubles.
//
// The layout is that of the ABI and of FFTW. `std::complex` is avoided on purpose: its product
// recovers from NaN by a library call, which keeps loops from vectorising.
#pragma once

namespace longrun {

struct Complex {
    double re;
    double im;
};

inline Complex operator+(Complex a, Complex b) noexcept {
    return {a.re + b.re, a.im + b.im};
}

inline Complex operator-(Complex a, Complex b) noexcept {
    return {a.re - b.re, a.im - b.im};
}

inline Complex operator*(Complex a, Complex b) noexcept {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

inline Complex operator*(double a, Complex b) noexcept {
    return {a * b.re, a * b.im};
}

inline Complex conjugate(Complex a) noexcept {
    return {a.re, -a.im};
}

/// |a|², without the square root.
inline double squared(Complex a) noexcept {
    return a.re * a.re + a.im * a.im;
}

}  // namespace longrun
