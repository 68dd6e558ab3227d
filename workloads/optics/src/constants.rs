//! Physical constants, CODATA 2014, SI.

/// Speed of light in vacuum, m/s (exact).
pub const SPEED_OF_LIGHT: f64 = 299_792_458.0;

/// Electric constant, F/m.
pub const VACUUM_PERMITTIVITY: f64 = 8.854_187_817_620_389e-12;

/// Reduced Planck constant, J s.
pub const HBAR: f64 = 1.054_571_800e-34;

/// Elementary charge, C.
pub const ELEMENTARY_CHARGE: f64 = 1.602_176_620_8e-19;

/// Mass of the electron, kg.
pub const ELECTRON_MASS: f64 = 9.109_383_56e-31;

/// Boltzmann constant, J/K.
pub const BOLTZMANN: f64 = 1.380_648_52e-23;

/// Avogadro constant, 1/mol.
pub const AVOGADRO: f64 = 6.022_140_857e23;

/// Atomic mass constant, kg.
pub const ATOMIC_MASS: f64 = 1.660_539_040e-27;

/// Atomic unit of energy, J.
pub const HARTREE: f64 = 4.359_744_650e-18;

/// Atomic unit of time, s.
pub const ATOMIC_TIME: f64 = 2.418_884e-17;

/// Atomic unit of the electric field, V/m.
pub const ATOMIC_FIELD: f64 = 5.142_207e11;

/// Density of an ideal gas at 273.15 K and one atmosphere, 1/m³.
pub const AMAGAT: f64 = 101_325.0 / (BOLTZMANN * 273.15);

/// Angular frequency of light of a vacuum wavelength: rad/s from metres.
pub fn angular_frequency(wavelength_m: f64) -> f64 {
    std::f64::consts::TAU * SPEED_OF_LIGHT / wavelength_m
}

/// Vacuum wavelength of light of an angular frequency: metres from rad/s.
pub fn wavelength_m(omega: f64) -> f64 {
    std::f64::consts::TAU * SPEED_OF_LIGHT / omega
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_of_835_nm_oscillates_at_359_thz() {
        let frequency = angular_frequency(835e-9) / std::f64::consts::TAU;
        assert!((frequency - 359.032e12).abs() < 1e9, "{frequency}");
        assert!((wavelength_m(angular_frequency(835e-9)) / 835e-9 - 1.0).abs() < 1e-15);
    }

    #[test]
    fn atomic_units_follow_from_the_constants() {
        // hbar / E_h, and E_h / (e a_0) with a_0 = hbar / sqrt(m_e E_h). Both are listed to seven
        // digits.
        let time = HBAR / HARTREE;
        assert!((time / ATOMIC_TIME - 1.0).abs() < 2e-7, "{time:e}");
        let length = HBAR / (ELECTRON_MASS * HARTREE).sqrt();
        let field = HARTREE / (ELEMENTARY_CHARGE * length);
        assert!((field / ATOMIC_FIELD - 1.0).abs() < 1e-7, "{field:e}");
    }

    #[test]
    fn an_amagat_has_the_listed_density() {
        // As listed, to six digits.
        assert!((AMAGAT - 2.686_78e25).abs() < 1e20, "{AMAGAT:e}");
    }
}
