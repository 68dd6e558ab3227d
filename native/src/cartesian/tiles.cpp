#include "cartesian/tiles.hpp"

namespace longrun::cartesian {

Tiles::Tiles(Arena& arena, const Shape& shape, int64_t spectrum_size, int threads)
    : area_(shape.area()),
      bins_(shape.bins),
      first_bin_(shape.first_bin),
      stride_(spectra_stride(spectrum_size)) {
    for (int rank = 0; rank < threads; ++rank)
        buffers_.push_back(arena.take<Complex>(kWidth * stride_));
}

void Tiles::clear(const Worker& worker) const noexcept {
    std::fill_n(buffers_[static_cast<std::size_t>(worker.rank())], kWidth * stride_, Complex{0, 0});
}

void Tiles::gather(const Complex* planes, double scale, int64_t first, int64_t columns,
                   Spectra spectra) const noexcept {
    for (int64_t bin = 0; bin < bins_; ++bin) {
        const Complex* row = planes + bin * area_ + first;
        Complex* out = spectra.first + first_bin_ + bin;
        for (int64_t column = 0; column < columns; ++column)
            out[column * spectra.stride] = scale * row[column];
    }
}

void Tiles::scatter(Spectra spectra, int64_t first, int64_t columns,
                    Complex* planes) const noexcept {
    for (int64_t bin = 0; bin < bins_; ++bin) {
        const Complex* in = spectra.first + first_bin_ + bin;
        Complex* row = planes + bin * area_ + first;
        for (int64_t column = 0; column < columns; ++column)
            row[column] = in[column * spectra.stride];
    }
}

}  // namespace longrun::cartesian
