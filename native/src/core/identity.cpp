// The identity of the build, in a section of its own.
//
// The build key enters no other translation unit, so two builds that differ in the key alone have
// equal code. A tool reads the section from the file without loading the library.
#include <cstring>

#include "longrun/core.h"
#include "longrun/fft.h"
#include "longrun/kernels.h"
#include "longrun/optics.h"

namespace {

constexpr char kMagic[] = "longrun-identity";
constexpr char kBuildKey[] = LONGRUN_BUILD_KEY;
static_assert(sizeof(kMagic) - 1 == sizeof(longrun_identity::magic));
static_assert(sizeof(kBuildKey) - 1 <= sizeof(longrun_identity::build_key),
              "the build key is longer than its field");

constexpr longrun_identity make_identity() {
    longrun_identity identity{};
    for (std::size_t i = 0; i < sizeof(identity.magic); ++i)
        identity.magic[i] = kMagic[i];
    for (std::size_t i = 0; i + 1 < sizeof(kBuildKey); ++i)
        identity.build_key[i] = kBuildKey[i];
    identity.abi[LONGRUN_AREA_CORE] = LONGRUN_CORE_ABI;
    identity.abi[LONGRUN_AREA_OPTICS] = LONGRUN_OPTICS_ABI;
    identity.abi[LONGRUN_AREA_FFT] = LONGRUN_FFT_ABI;
    identity.abi[LONGRUN_AREA_KERNELS] = LONGRUN_KERNELS_ABI;
    return identity;
}

[[gnu::used, gnu::retain, gnu::section(".longrun_identity")]] constexpr longrun_identity kIdentity =
    make_identity();

}  // namespace

extern "C" const longrun_identity* longrun_get_identity(void) {
    return &kIdentity;
}
