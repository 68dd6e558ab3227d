// How a team divides what is not cut into blocks.
#include "core/team.hpp"

#include <algorithm>
#include <vector>

#include "check.hpp"

namespace {

void every_index_is_taken_once(int threads, int64_t count, int64_t length) {
    std::vector<int> taken(static_cast<std::size_t>(count), 0);
    std::vector<int> owner(static_cast<std::size_t>(count), -1);
    std::vector<int64_t> longest(static_cast<std::size_t>(threads), 0);
    longrun::Team team(threads);
    team.run([&](const longrun::Worker& worker) noexcept {
        worker.divide(count, length, [&](int64_t first, int64_t end) {
            int64_t& mine = longest[static_cast<std::size_t>(worker.rank())];
            mine = std::max(mine, end - first);
            for (int64_t i = first; i < end; ++i) {
                ++taken[static_cast<std::size_t>(i)];
                owner[static_cast<std::size_t>(i)] = worker.rank();
            }
        });
    });
    for (const int times : taken)
        check::equal("times that an index is taken", 1, times);
    check::equal("runs in the order of the workers", 1,
                 std::is_sorted(owner.begin(), owner.end()) ? 1 : 0);
    for (const int64_t run : longest)
        check::at_most("length of a run", static_cast<double>(length), static_cast<double>(run));
    if (count > 0)
        check::equal("the leader has the first", 0, owner[0]);
    // None has two where another has none.
    check::equal("workers with something to do", std::min<int64_t>(count, threads),
                 team.observed());
}

}  // namespace

int main() {
    for (int threads = 1; threads <= 5; ++threads)
        for (int64_t count = 0; count <= 12; ++count)
            for (int64_t length = 1; length <= 4; ++length)
                every_index_is_taken_once(threads, count, length);
    return check::finish();
}
