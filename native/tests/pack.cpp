// A kernel gives the same on packs and on single numbers.
#include "core/pack.hpp"

#include <vector>

#include "check.hpp"

using longrun::Complex;

namespace {

/// Out of line, as kernels are: the compiler must not know the range.
[[gnu::noinline]] void kernel(longrun::Range range, const Complex* a, const Complex* b,
                              Complex* out) {
    longrun::for_elements(range, [=]<class V>(int64_t i) noexcept {
        const V x = longrun::load<V>(a, i);
        const V y = longrun::load<V>(b, i);
        longrun::store(out, i, 2.0 * (x * conjugate(y)) + squared(y) * x);
    });
}

}  // namespace

int main() {
    constexpr int64_t kCount = 3 * longrun::kLanes + 1;
    std::vector<Complex> a;
    std::vector<Complex> b;
    for (int64_t i = 0; i < kCount; ++i) {
        const auto x = static_cast<double>(i);
        a.push_back({1 + x, 2 - 3 * x});
        b.push_back({0.5 * x, 7 - x});
    }
    std::vector<Complex> out(a.size(), Complex{-1, -1});
    // Starts at 1: packs need not be aligned. All values are exact, so no rounding can differ.
    kernel({1, kCount}, a.data(), b.data(), out.data());
    check::near("an element before the range is left alone", -1, out[0].re, 0);
    for (std::size_t i = 1; i < out.size(); ++i) {
        const Complex expected = 2.0 * (a[i] * conjugate(b[i])) + squared(b[i]) * a[i];
        check::near("real part", expected.re, out[i].re, 0);
        check::near("imaginary part", expected.im, out[i].im, 0);
    }
    return check::finish();
}
