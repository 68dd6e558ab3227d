// Spectra in time of a few columns at once, taken from the planes and put back.
//
// The field on its grid in time exists for a tile of columns only, never as a whole: it would be
// several times as large as the state. Values of one plane that are neighbours in x lie together,
// so a tile is a run of them; its spectra fit into a cache.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cartesian/shape.hpp"
#include "core/arena.hpp"
#include "core/blocks.hpp"
#include "core/spectra.hpp"
#include "core/team.hpp"

namespace longrun::cartesian {

class Tiles {
 public:
    /// Columns of a tile: 512 B of each plane.
    static constexpr int64_t kWidth = 32;

    /// Spectra of `spectrum_size` values, for a team of `threads`.
    Tiles(Arena& arena, const Shape& shape, int64_t spectrum_size, int threads);

    /// Tiles of all columns.
    int64_t count() const noexcept { return (area_ + kWidth - 1) / kWidth; }

    /// Calls `body(first, columns, spectra)` for each tile of this worker, with its first column
    /// and their number; the bins of the state are in the spectra, times `scale`, and nothing is
    /// said of the others. Collective; does not wait for the team.
    template <class Body>
    void read(const Worker& worker, const Complex* planes, double scale,
              const Body& body) const noexcept {
        for_tiles(worker, [&](int64_t first, int64_t columns, Spectra spectra) {
            gather(planes, scale, first, columns, spectra);
            body(first, columns, spectra);
        });
    }

    /// The same for the tiles of `range`, which are all for this worker.
    template <class Body>
    void read(const Worker& worker, Range range, const Complex* planes, double scale,
              const Body& body) const noexcept {
        for (int64_t tile = range.begin; tile < range.end; ++tile)
            visit(worker, tile, [&](int64_t first, int64_t columns, Spectra spectra) {
                gather(planes, scale, first, columns, spectra);
                body(first, columns, spectra);
            });
    }

    /// The same for its tiles of all, and what `body` leaves in the bins of the state goes back to
    /// the planes.
    template <class Body>
    void change(const Worker& worker, Complex* planes, double scale,
                const Body& body) const noexcept {
        for_tiles(worker, [&](int64_t first, int64_t columns, Spectra spectra) {
            gather(planes, scale, first, columns, spectra);
            body(first, columns, spectra);
            scatter(spectra, first, columns, planes);
        });
    }

    /// The same with whatever is in the spectra, which are not read from anywhere.
    template <class Body>
    void for_tiles(const Worker& worker, const Body& body) const noexcept {
        worker.divide(count(), 1, [&](int64_t tile, int64_t) { visit(worker, tile, body); });
    }

    /// Spectrum of the first thread to plan on.
    Complex* sample() const noexcept { return buffers_[0]; }

    /// Zeros in the spectra of this worker.
    void clear(const Worker& worker) const noexcept;

 private:
    template <class Body>
    void visit(const Worker& worker, int64_t tile, const Body& body) const noexcept {
        const int64_t first = tile * kWidth;
        body(first, std::min(kWidth, area_ - first),
             Spectra{buffers_[static_cast<std::size_t>(worker.rank())], stride_});
    }

    /// 2 FLOP, 16 B read and 16 B written per value.
    void gather(const Complex* planes, double scale, int64_t first, int64_t columns,
                Spectra spectra) const noexcept;
    /// 16 B read and 16 B written per value.
    void scatter(Spectra spectra, int64_t first, int64_t columns, Complex* planes) const noexcept;

    int64_t area_;
    int64_t bins_;
    int64_t first_bin_;
    int64_t stride_;
    std::vector<Complex*> buffers_; /* of each thread */
};

}  // namespace longrun::cartesian
