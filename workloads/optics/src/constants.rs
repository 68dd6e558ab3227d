//! Physical constants, CODATA 2014, SI.

/// Speed of light in vacuum, m/s (exact).
pub const SPEED_OF_LIGHT: f64 = 299_792_458.0;

/// Reduced Planck constant, J s.
pub const HBAR: f64 = 1.054_571_800e-34;

/// Angular frequency of light of a vacuum wavelength: rad/s from metres.
pub fn angular_frequency(wavelength_m: f64) -> f64 {
    std::f64::consts::TAU * SPEED_OF_LIGHT / wavelength_m
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_of_835_nm_oscillates_at_359_thz() {
        let frequency = angular_frequency(835e-9) / std::f64::consts::TAU;
        assert!((frequency - 359.032e12).abs() < 1e9, "{frequency}");
    }
}
