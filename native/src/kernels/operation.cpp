#include "kernels/operation.hpp"

#include <cstring>

namespace longrun::kernels {

void Operation::set_input(const double* values) noexcept {
    for (const auto& piece : inputs_) {
        std::memcpy(piece.values, values, piece.bytes);
        values += piece.bytes / sizeof(double);
    }
}

void Operation::get_output(double* values) const noexcept {
    for (const auto& piece : outputs_) {
        std::memcpy(values, piece.values, piece.bytes);
        values += piece.bytes / sizeof(double);
    }
}

}  // namespace longrun::kernels
