// The C ABI of the area `fft`: checks pointers and sizes, then calls the wisdom.
#include "fft/abi.hpp"

#include <memory>
#include <stdexcept>

#include "core/error.hpp"

namespace {

using longrun::fail;
using longrun::missing;

constexpr const char* kImport = "importing FFT wisdom";
constexpr const char* kExport = "exporting FFT wisdom";
constexpr const char* kCounts = "reading the counts of FFT wisdom";

int32_t check_import(const char* text, int64_t length, int32_t effort) noexcept {
    if (length < 0 || length > longrun::Wisdom::kTextMax)
        return fail(LONGRUN_INVALID_ARGUMENT, "%s failed: `length` must be from 0 to %lld", kImport,
                    static_cast<long long>(longrun::Wisdom::kTextMax));
    if (text == nullptr && length > 0)
        return missing(kImport, "text");
    if (effort != LONGRUN_FFT_RUN && effort != LONGRUN_FFT_PREPARE)
        return fail(LONGRUN_INVALID_ARGUMENT, "%s failed: `effort` must be one of LONGRUN_FFT_...",
                    kImport);
    return LONGRUN_OK;
}

}  // namespace

int32_t longrun_fft_wisdom_import(const char* text, int64_t length, int32_t effort,
                                  longrun_fft_wisdom** wisdom) {
    if (wisdom == nullptr)
        return missing(kImport, "wisdom");
    *wisdom = nullptr;
    if (const int32_t status = check_import(text, length, effort); status != LONGRUN_OK)
        return status;
    return longrun::guarded(kImport, [&] {
        const std::string_view given(length == 0 ? "" : text, static_cast<std::size_t>(length));
        const auto chosen =
            effort == LONGRUN_FFT_PREPARE ? longrun::Effort::kPrepare : longrun::Effort::kRun;
        try {
            *wisdom = std::make_unique<longrun_fft_wisdom>(given, chosen).release();
        } catch (const std::invalid_argument& error) {
            return fail(LONGRUN_INVALID_ARGUMENT,
                        "%s failed: the text is no wisdom of this library: %s; remove it and "
                        "prepare the plans anew",
                        kImport, error.what());
        }
        return int32_t{LONGRUN_OK};
    });
}

int32_t longrun_fft_wisdom_export(longrun_fft_wisdom* wisdom, const char** text, int64_t* length) {
    if (wisdom == nullptr)
        return missing(kExport, "wisdom");
    if (text == nullptr)
        return missing(kExport, "text");
    if (length == nullptr)
        return missing(kExport, "length");
    return longrun::guarded(kExport, [&] {
        wisdom->exported = wisdom->known.text();
        *text = wisdom->exported.c_str();
        *length = static_cast<int64_t>(wisdom->exported.size());
        return int32_t{LONGRUN_OK};
    });
}

int32_t longrun_fft_wisdom_counts(const longrun_fft_wisdom* wisdom, longrun_fft_counts* counts) {
    if (wisdom == nullptr)
        return missing(kCounts, "wisdom");
    if (counts == nullptr)
        return missing(kCounts, "counts");
    if (const int32_t status =
            longrun::check_size("longrun_fft_counts", counts->struct_size, sizeof(*counts));
        status != LONGRUN_OK)
        return status;
    counts->plans = wisdom->known.plans();
    counts->missing = wisdom->known.missing();
    counts->added = wisdom->known.added();
    return LONGRUN_OK;
}

void longrun_fft_wisdom_destroy(longrun_fft_wisdom* wisdom) {
    delete wisdom;
}
