// What the library says of itself: identity, layouts, plans.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

#include "check.hpp"
#include "fixture.hpp"
#include "longrun/kernels.h"

using namespace fixture;

namespace {

int64_t offset_of(const char* structure, const char* field) {
    int64_t count = 0;
    const longrun_layout* layouts = longrun_layouts(&count);
    for (int64_t i = 0; i < count; ++i)
        if (std::strcmp(layouts[i].structure, structure) == 0 &&
            std::strcmp(layouts[i].field, field) == 0)
            return layouts[i].offset;
    return -1;
}

}  // namespace

int main() {
    const longrun_identity* identity = longrun_get_identity();
    check::equal("magic", 0, std::memcmp(identity->magic, "longrun-identity", 16));
    check::contains("build key", LONGRUN_EXPECTED_KEY, identity->build_key);
    check::equal("version of core", LONGRUN_CORE_ABI, identity->abi[LONGRUN_AREA_CORE]);
    check::equal("version of optics", LONGRUN_OPTICS_ABI, identity->abi[LONGRUN_AREA_OPTICS]);
    check::equal("version of fft", LONGRUN_FFT_ABI, identity->abi[LONGRUN_AREA_FFT]);
    check::equal("version of kernels", LONGRUN_KERNELS_ABI, identity->abi[LONGRUN_AREA_KERNELS]);
    for (int area = 4; area < 16; ++area)
        check::equal("version of an area that is not there", 0, identity->abi[area]);

    // For each structure the fields follow each other without a hole, and end at its size.
    int64_t count = 0;
    const longrun_layout* layouts = longrun_layouts(&count);
    int64_t structures = 0;
    for (int64_t i = 0; i < count;) {
        ++structures;
        const longrun_layout& whole = layouts[i++];
        check::equal("an entry for the structure comes first", 0,
                     static_cast<int64_t>(std::strlen(whole.field)));
        int64_t end = 0;
        for (; i < count && std::strcmp(layouts[i].structure, whole.structure) == 0; ++i) {
            check::equal(layouts[i].field, end, layouts[i].offset);
            end += layouts[i].size;
        }
        check::equal(whole.structure, whole.size, end);
    }
    check::equal("structures", 14, structures);
    check::equal("a known offset", offsetof(longrun_gnlse_problem, raman_points),
                 offset_of("longrun_gnlse_problem", "raman_points"));
    check::equal("null count is allowed", 1, longrun_layouts(nullptr) == layouts ? 1 : 0);

    Problem problem = soliton_problem(64, 16);
    Engine kerr(problem, controlled(1));
    const std::string two = longrun_propagation_fft_plans(kerr.handle);
    check::equal("plans without Raman", 2, std::count(two.begin(), two.end(), '\n'));
    problem.raman_fraction = 0.18;
    problem.raman_points = 128;
    problem.raman.resize(65, 1.0);
    Engine raman(problem, controlled(1));
    const std::string four = longrun_propagation_fft_plans(raman.handle);
    check::equal("plans with Raman", 4, std::count(four.begin(), four.end(), '\n'));
    check::contains("a plan names its kind and length", "r2c 128: ", four.c_str());
    return check::finish();
}
