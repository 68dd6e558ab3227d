// Checks that print the quantity, what was expected and what was obtained.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace check {

inline int failures = 0;
inline int checks = 0;

/// |obtained - expected| <= tolerance; a value that is no number fails.
inline void near(const char* what, double expected, double obtained, double tolerance) {
    ++checks;
    if (std::fabs(obtained - expected) <= tolerance)
        return;
    ++failures;
    std::printf("FAILED %s: expected %.17g within %.3g, obtained %.17g\n", what, expected,
                tolerance, obtained);
}

inline void at_most(const char* what, double limit, double obtained) {
    ++checks;
    if (obtained <= limit)
        return;
    ++failures;
    std::printf("FAILED %s: expected at most %.3g, obtained %.17g\n", what, limit, obtained);
}

inline void at_least(const char* what, double limit, double obtained) {
    ++checks;
    if (obtained >= limit)
        return;
    ++failures;
    std::printf("FAILED %s: expected at least %.3g, obtained %.17g\n", what, limit, obtained);
}

inline void equal(const char* what, int64_t expected, int64_t obtained) {
    ++checks;
    if (obtained == expected)
        return;
    ++failures;
    std::printf("FAILED %s: expected %lld, obtained %lld\n", what, static_cast<long long>(expected),
                static_cast<long long>(obtained));
}

/// Out of line: gcc 12 warns of a null text where it is inlined, and no caller passes one.
[[gnu::noinline]] inline void contains(const char* what, const char* expected,
                                       const char* obtained) {
    ++checks;
    if (std::strstr(obtained, expected) != nullptr)
        return;
    ++failures;
    std::printf("FAILED %s: expected text with \"%s\", obtained \"%s\"\n", what, expected,
                obtained);
}

/// The exit status of the program. One without checks has failed.
inline int finish() {
    std::printf("%d checks, %d failed\n", checks, failures);
    return failures == 0 && checks > 0 ? 0 : 1;
}

}  // namespace check
