// The handle of area `fft` as the other areas see it.
#pragma once

#include <string>
#include <string_view>

#include "fft/wisdom.hpp"
#include "longrun/fft.h"

struct longrun_fft_wisdom {
    longrun_fft_wisdom(std::string_view text, longrun::Effort effort) : known(text, effort) {}

    longrun::Wisdom known;
    std::string exported;
};
