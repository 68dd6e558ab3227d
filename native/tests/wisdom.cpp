// Wisdom through the ABI: what it holds is used exactly, and adding changes nothing.
#include <string>

#include "check.hpp"
#include "fixture.hpp"
#include "longrun/fft.h"

using namespace fixture;

namespace {

class Known {
 public:
    Known(const std::string& text, int32_t effort) {
        require(longrun_fft_wisdom_import(text.data(), static_cast<int64_t>(text.size()), effort,
                                          &handle));
    }
    ~Known() { longrun_fft_wisdom_destroy(handle); }
    Known(const Known&) = delete;
    Known& operator=(const Known&) = delete;

    std::string text() {
        const char* text = nullptr;
        int64_t length = 0;
        require(longrun_fft_wisdom_export(handle, &text, &length));
        return {text, static_cast<std::size_t>(length)};
    }
    longrun_fft_counts counts() const {
        longrun_fft_counts counts{};
        counts.struct_size = sizeof(counts);
        require(longrun_fft_wisdom_counts(handle, &counts));
        return counts;
    }

    longrun_fft_wisdom* handle = nullptr;
};

/// The plans of an engine over so many points, with a convolution of twice as many.
std::string plans(int64_t points, longrun_fft_wisdom* wisdom) {
    Problem problem = soliton_problem(points, 16);
    problem.raman_fraction = 0.18;
    problem.raman_points = 2 * points;
    problem.raman.resize(static_cast<std::size_t>(points + 1), 1.0);
    const Engine engine(problem, controlled(1), 1, wisdom);
    return longrun_propagation_fft_plans(engine.handle);
}

void counts(const char* what, const Known& wisdom, int64_t made, int64_t missing, int64_t added) {
    const longrun_fft_counts counts = wisdom.counts();
    check::equal(what, made, counts.plans);
    check::equal(what, missing, counts.missing);
    check::equal(what, added, counts.added);
}

void a_run_uses_what_was_prepared_and_adds_nothing() {
    Known first("", LONGRUN_FFT_PREPARE);
    const std::string made = plans(256, first.handle);
    counts("prepared", first, 4, 4, 4);
    const std::string text = first.text();
    Known run(text, LONGRUN_FFT_RUN);
    check::equal("the plans are those that were prepared", 1,
                 plans(256, run.handle) == made ? 1 : 0);
    counts("found", run, 4, 0, 0);
    // 128 points share no transform with 256 except the real ones over 256.
    plans(128, run.handle);
    counts("made for the run", run, 8, 4, 0);
    check::equal("a run keeps nothing", 1, run.text() == text ? 1 : 0);
    Known empty("", LONGRUN_FFT_RUN);
    plans(256, empty.handle);
    counts("nothing was known", empty, 4, 4, 0);
}

void adding_leaves_what_is_there() {
    Known first("", LONGRUN_FFT_PREPARE);
    const std::string made = plans(128, first.handle);
    const std::string before = first.text();
    Known second(before, LONGRUN_FFT_PREPARE);
    plans(512, second.handle);
    plans(64, second.handle);
    // 512 and 1024 are new, and of 64 all but nothing: 64 complex, 128 real.
    counts("added", second, 8, 8, 8);
    check::equal("its plans are the same", 1, plans(128, second.handle) == made ? 1 : 0);
    counts("found", second, 12, 8, 8);
    Known again(second.text(), LONGRUN_FFT_RUN);
    check::equal("and from the text", 1, plans(128, again.handle) == made ? 1 : 0);
    counts("found again", again, 4, 0, 0);
    check::equal("a text is read as it was written", 1, again.text() == second.text() ? 1 : 0);
    // Line by line, nothing of the first text is missing from the second.
    std::size_t start = 0;
    while (start < before.size()) {
        const std::size_t end = before.find('\n', start) + 1;
        check::contains("line", before.substr(start, end - start).c_str(), second.text().c_str());
        start = end;
    }
}

/// Offered to the importer, which must refuse it with a sentence.
void refused(const std::string& text, const char* sentence) {
    longrun_fft_wisdom* handle = nullptr;
    check::equal(sentence, LONGRUN_INVALID_ARGUMENT,
                 longrun_fft_wisdom_import(text.data(), static_cast<int64_t>(text.size()),
                                           LONGRUN_FFT_RUN, &handle));
    check::contains("sentence", sentence, longrun_last_error());
    check::equal("no handle", 1, handle == nullptr ? 1 : 0);
}

void damage_is_refused_or_planned_around() {
    Known whole("", LONGRUN_FFT_PREPARE);
    const std::string made = plans(64, whole.handle);
    const std::string text = whole.text();
    for (std::size_t length = 1; length < text.size(); length += 7) {
        // Cut between two pieces it is whole, and only knows less.
        longrun_fft_wisdom* handle = nullptr;
        if (longrun_fft_wisdom_import(text.data(), static_cast<int64_t>(length), LONGRUN_FFT_RUN,
                                      &handle) == LONGRUN_OK)
            check::contains("a piece ends", "\n", text.substr(length - 1, 1).c_str());
        longrun_fft_wisdom_destroy(handle);
    }
    refused("(fftw-3.3.10 fftw_wisdom)", "name of the format");
    refused("longrun fft wisdom 1\nx r2c 64\n", "does not name");
    refused("longrun fft wisdom 1\n99 r2c 64\nshort\n", "does not end");
    refused("longrun fft wisdom 1\n1 r2c 8\nx\n1 c2r 8\nx\n", "not in order");
    refused("longrun fft wisdom 1\n1 r2c 8", "ends within a line");
    // What FFTW does not accept is as good as missing: planned anew, and replaced when preparing.
    const std::string foreign = "longrun fft wisdom 1\n5 c2c forward, input kept 64\n(abc)\n";
    Known run(foreign, LONGRUN_FFT_RUN);
    plans(64, run.handle);
    counts("planned around", run, 4, 4, 0);
    Known prepared(foreign, LONGRUN_FFT_PREPARE);
    plans(64, prepared.handle);
    counts("replaced", prepared, 4, 4, 3);
    Known mended(prepared.text(), LONGRUN_FFT_RUN);
    plans(64, mended.handle);
    counts("mended", mended, 4, 0, 0);
}

void arguments_are_checked() {
    longrun_fft_wisdom* handle = nullptr;
    const char* text = nullptr;
    int64_t length = 0;
    longrun_fft_counts counts{};
    Known known("", LONGRUN_FFT_RUN);
    check::equal("no place for the handle", LONGRUN_INVALID_ARGUMENT,
                 longrun_fft_wisdom_import("", 0, LONGRUN_FFT_RUN, nullptr));
    check::equal("no text", LONGRUN_INVALID_ARGUMENT,
                 longrun_fft_wisdom_import(nullptr, 1, LONGRUN_FFT_RUN, &handle));
    check::equal("negative length", LONGRUN_INVALID_ARGUMENT,
                 longrun_fft_wisdom_import("", -1, LONGRUN_FFT_RUN, &handle));
    check::equal("unknown effort", LONGRUN_INVALID_ARGUMENT,
                 longrun_fft_wisdom_import("", 0, 2, &handle));
    check::equal("export of null", LONGRUN_INVALID_ARGUMENT,
                 longrun_fft_wisdom_export(nullptr, &text, &length));
    check::equal("export to null", LONGRUN_INVALID_ARGUMENT,
                 longrun_fft_wisdom_export(known.handle, nullptr, &length));
    check::equal("export to null", LONGRUN_INVALID_ARGUMENT,
                 longrun_fft_wisdom_export(known.handle, &text, nullptr));
    check::equal("counts of null", LONGRUN_INVALID_ARGUMENT,
                 longrun_fft_wisdom_counts(nullptr, &counts));
    check::equal("counts to null", LONGRUN_INVALID_ARGUMENT,
                 longrun_fft_wisdom_counts(known.handle, nullptr));
    check::equal("size of the counts", LONGRUN_INVALID_ARGUMENT,
                 longrun_fft_wisdom_counts(known.handle, &counts));
    longrun_fft_wisdom_destroy(nullptr);
}

}  // namespace

int main() {
    a_run_uses_what_was_prepared_and_adds_nothing();
    adding_leaves_what_is_there();
    damage_is_refused_or_planned_around();
    arguments_are_checked();
    return check::finish();
}
