// Constants of nature in SI units, CODATA 2014: those of the callers.
#pragma once

namespace longrun {

constexpr double kSpeedOfLight = 299792458.0;
constexpr double kBoltzmann = 1.38064852e-23;
constexpr double kHbar = 1.0545718e-34;
constexpr double kElectronCharge = 1.6021766208e-19;
constexpr double kElectronMass = 9.10938356e-31;

}  // namespace longrun
