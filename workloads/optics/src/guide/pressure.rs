//! The pressure along a capillary between two gas cells.
//!
//! Viscous flow makes the square of the pressure linear in the position (J. C. Travers et al., Nat.
//! Photonics 13, 547 (2019), and references there).

/// Pressures in Pa at the ends of a length in m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PressureGradient {
    /// Where the light enters.
    pub inlet_pa: f64,
    /// At the other end.
    pub outlet_pa: f64,
    /// Length between the two.
    pub length_m: f64,
}

impl PressureGradient {
    /// The pressure in Pa at a position in m; beyond the ends it is that of the end.
    pub fn at(&self, z_m: f64) -> f64 {
        let share = (z_m / self.length_m).clamp(0.0, 1.0);
        let (first, last) = (self.inlet_pa.powi(2), self.outlet_pa.powi(2));
        (first + share * (last - first)).max(0.0).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FALLING: PressureGradient = PressureGradient {
        inlet_pa: 0.8e5,
        outlet_pa: 0.0,
        length_m: 1.5,
    };

    #[test]
    fn the_square_of_the_pressure_is_linear_in_the_position() {
        for (z_m, expected) in [
            (0.0, 0.8e5),
            (0.75, 0.8e5 * 0.5_f64.sqrt()),
            (1.125, 0.4e5),
            (1.5, 0.0),
        ] {
            let found = FALLING.at(z_m);
            assert!((found - expected).abs() < 1e-10 * 0.8e5, "{z_m}: {found}");
        }
    }

    #[test]
    fn beyond_the_ends_the_pressure_is_that_of_the_cells() {
        assert!((FALLING.at(-0.1) - 0.8e5).abs() < 1e-9);
        assert!(FALLING.at(2.0).abs() < 1e-9);
    }

    #[test]
    fn equal_pressures_make_a_constant_one() {
        let constant = PressureGradient {
            outlet_pa: 0.8e5,
            ..FALLING
        };
        for z_m in [0.0, 0.3, 1.5] {
            assert!((constant.at(z_m) - 0.8e5).abs() < 1e-10 * 0.8e5);
        }
    }
}
