// Sums: right, and independent of how many threads share the blocks.
#include "core/reduce.hpp"

#include <cmath>
#include <vector>

#include "check.hpp"
#include "core/blocks.hpp"
#include "core/team.hpp"

using longrun::Complex;

namespace {

std::vector<Complex> values(std::size_t count) {
    std::vector<Complex> x(count);
    for (std::size_t i = 0; i < count; ++i)
        x[i] = {std::sin(static_cast<double>(i)) * 1e3, std::cos(3.0 * static_cast<double>(i))};
    return x;
}

double shared_sum(const std::vector<Complex>& x, const longrun::Blocks& blocks, int threads) {
    longrun::Team team(threads);
    std::vector<double> sums(static_cast<std::size_t>(blocks.count()));
    team.run([&](const longrun::Worker& worker) noexcept {
        worker.share(blocks, [&](longrun::Range range, int64_t index) {
            sums[static_cast<std::size_t>(index)] =
                longrun::sum_squares(x.data() + range.begin, range.end - range.begin);
        });
    });
    return longrun::sum_pairwise(sums.data(), blocks.count());
}

}  // namespace

int main() {
    for (const std::size_t count : {0U, 1U, 2U, 3U, 4U, 5U, 7U, 255U, 256U, 257U, 10007U}) {
        const std::vector<Complex> x = values(count);
        long double exact = 0;
        for (const Complex& value : x)
            exact += static_cast<long double>(value.re) * value.re +
                     static_cast<long double>(value.im) * value.im;
        const auto expected = static_cast<double>(exact);
        const longrun::Blocks blocks(static_cast<int64_t>(count));
        const double alone = shared_sum(x, blocks, 1);
        check::near("sum of squares", expected, alone, 1e-14 * expected);
        for (const int threads : {2, 3, 5})
            check::near("the sum of several threads has the bits of one", alone,
                        shared_sum(x, blocks, threads), 0);
    }
    // Blocks cover two runs, once each, and never cross a border.
    const longrun::Blocks runs({{3, 700}, {700, 700}, {900, 1000}});
    int64_t covered = 0;
    for (int64_t i = 0; i < runs.count(); ++i)
        covered += runs[i].end - runs[i].begin;
    check::equal("elements of two runs", 797, covered);
    check::equal("elements as reported", 797, runs.elements());
    check::equal("blocks of two runs", 4, runs.count());
    return check::finish();
}
