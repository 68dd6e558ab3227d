#include "fft/wisdom.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace longrun {
namespace {

constexpr std::string_view kHeader = "longrun fft wisdom 1\n";

/// Takes a line off the front of `text`, without its end.
std::string_view take_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos)
        throw std::invalid_argument("it ends within a line");
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    return line;
}

/// The number of bytes at the end of a line `<bytes> <transform>`, which is taken off it.
std::size_t take_size(std::string_view& line) {
    std::size_t size = 0;
    const char* end = line.data() + line.size();
    const auto [rest, error] = std::from_chars(line.data(), end, size);
    if (error != std::errc() || rest == end || *rest != ' ')
        throw std::invalid_argument("a line does not name a transform and its size");
    line.remove_prefix(static_cast<std::size_t>(rest + 1 - line.data()));
    return size;
}

}  // namespace

Wisdom::Wisdom(std::string_view text, Effort effort) : effort_(effort) {
    if (text.empty())
        return;
    if (text.size() > static_cast<std::size_t>(kTextMax))
        throw std::invalid_argument("it is too long");
    if (!text.starts_with(kHeader))
        throw std::invalid_argument("it does not begin with the name of the format");
    text.remove_prefix(kHeader.size());
    while (!text.empty()) {
        std::string_view transform = take_line(text);
        const std::size_t size = take_size(transform);
        if (size >= text.size() || text[size] != '\n')
            throw std::invalid_argument("a piece does not end where it should");
        if (!pieces_.empty() && !(pieces_.back().transform < transform))
            throw std::invalid_argument("its transforms are not in order");
        pieces_.push_back({std::string(transform), std::string(text.substr(0, size))});
        text.remove_prefix(size + 1);
    }
}

const std::string* Wisdom::find(std::string_view transform) const noexcept {
    for (const Piece& piece : pieces_)
        if (piece.transform == transform)
            return &piece.wisdom;
    return nullptr;
}

void Wisdom::keep(const std::string& transform, std::string piece) {
    const auto place = std::lower_bound(
        pieces_.begin(), pieces_.end(), transform,
        [](const Piece& known, const std::string& name) { return known.transform < name; });
    if (place != pieces_.end() && place->transform == transform) {
        place->wisdom = std::move(piece);
        return;
    }
    pieces_.insert(place, {transform, std::move(piece)});
    ++added_;
}

std::string Wisdom::text() const {
    std::string text(kHeader);
    for (const Piece& piece : pieces_) {
        text += std::to_string(piece.wisdom.size()) + " " + piece.transform + "\n";
        text += piece.wisdom + "\n";
    }
    return text;
}

void Wisdom::count(bool was_missing) noexcept {
    ++plans_;
    missing_ += was_missing ? 1 : 0;
}

}  // namespace longrun
