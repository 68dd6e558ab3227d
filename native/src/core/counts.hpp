// Small counts that a loop is compiled for.
#pragma once

namespace longrun {

/// Calls `body.template operator()<count>()`, with a count of 1 to `Max`.
template <auto Max, auto Count = decltype(Max){1}, class Body>
void for_count(decltype(Max) count, const Body& body) noexcept {
    if (count == Count)
        body.template operator()<Count>();
    else if constexpr (Count < Max)
        for_count<Max, Count + 1>(count, body);
}

}  // namespace longrun
