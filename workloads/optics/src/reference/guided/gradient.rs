//! A capillary whose pressure changes along it, from the closed forms of `crate::guided`.
//!
//! Indices are counted from the vacuum: of a propagation constant less its frame ten digits would
//! be gone.

use crate::constants::{BOLTZMANN, SPEED_OF_LIGHT};
use crate::fourier::Complex64;
use crate::guided::{FieldKind, Gradient, Problem};

/// Pressure at `z_m`, Pa: that of a steady viscous flow.
fn pressure_pa(gradient: &Gradient, z_m: f64) -> f64 {
    let (inlet, outlet) = (gradient.inlet_pa.powi(2), gradient.outlet_pa.powi(2));
    let square = inlet + z_m / gradient.length_m * (outlet - inlet);
    // Rounding may leave less than nothing at the end of a guide that ends in vacuum.
    square.max(0.0).sqrt()
}

/// Density at `z_m`, 1/m³: the root of `p = rho k T (1 + B rho)` that is p / (k T) for B = 0.
pub fn density_per_m3(gradient: &Gradient, z_m: f64) -> f64 {
    let ideal = pressure_pa(gradient, z_m) / (BOLTZMANN * gradient.temperature_k);
    2.0 * ideal / (1.0 + (1.0 + 4.0 * gradient.virial_m3 * ideal).sqrt())
}

/// Effective index less 1 of every mode at every bin, at `z_m`.
pub fn excesses(gradient: &Gradient, z_m: f64) -> Vec<Complex64> {
    let density = density_per_m3(gradient, z_m);
    let chi = gradient.susceptibility.iter().cycle();
    let at = |(waveguide, chi): (&Complex64, &f64)| {
        let excess = root_less_one(density * chi - waveguide);
        Complex64::new(excess.re.max(Gradient::INDEX_MIN - 1.0), excess.im)
    };
    gradient.waveguide.iter().zip(chi).map(at).collect()
}

/// `sqrt(1 + x) - 1`.
fn root_less_one(x: Complex64) -> Complex64 {
    x / ((1.0 + x).sqrt() + 1.0)
}

/// L of every mode at every bin, at `z_m`, where the indices less 1 are `excesses`.
pub fn linear(
    problem: &Problem,
    gradient: &Gradient,
    excesses: &[Complex64],
    z_m: f64,
) -> Vec<Complex64> {
    let carrier = problem.carrier_rad_s;
    let frame = Frame::of(gradient, carrier, z_m);
    let omegas = problem.omega.iter().cycle();
    let at = |(excess, omega): (&Complex64, &f64)| {
        if *omega <= 0.0 {
            return Complex64::default();
        }
        let loss = match gradient.loss {
            true => 2.0 * omega / SPEED_OF_LIGHT * excess.im,
            false => 0.0,
        };
        let loss = loss.clamp(0.0, gradient.max_loss_per_m);
        // What belongs to the vacuum is the same in both and drops out.
        let moving = match problem.field {
            FieldKind::Real => frame.group * omega,
            FieldKind::Envelope => frame.group * (omega - carrier) + frame.phase * carrier,
        };
        let phase = (omega * excess.re - moving) / SPEED_OF_LIGHT;
        Complex64::new(-loss / 2.0, -phase)
    };
    excesses.iter().zip(omegas).map(at).collect()
}

/// The frame, which moves with mode 0 at the carrier: `c beta_0 / w0` and `c beta_1`, less 1.
struct Frame {
    phase: f64,
    group: f64,
}

impl Frame {
    /// `beta = (w/c) n`, and from `n² = 1 + rho chi - waveguide` follows `2 n n' = rho chi' -
    /// waveguide'`.
    fn of(gradient: &Gradient, carrier: f64, z_m: f64) -> Self {
        let density = density_per_m3(gradient, z_m);
        let gas = density * gradient.carrier_susceptibility;
        let excess = root_less_one(gas - gradient.carrier_waveguide);
        let slope = density * gradient.susceptibility_slope - gradient.waveguide_slope;
        let derivative = slope / (2.0 * (1.0 + excess));
        Frame {
            phase: excess.re,
            group: excess.re + carrier * derivative.re,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half a bar that flows into vacuum over two metres.
    fn flow() -> Gradient {
        Gradient {
            inlet_pa: 5e4,
            outlet_pa: 0.0,
            length_m: 2.0,
            temperature_k: 293.15,
            virial_m3: 2e-29,
            susceptibility: vec![2.6e-30; 2],
            waveguide: vec![Complex64::new(2e-6, -1e-9); 2],
            carrier_susceptibility: 2.6e-30,
            carrier_waveguide: Complex64::new(2e-6, -1e-9),
            susceptibility_slope: 1e-47,
            waveguide_slope: Complex64::new(-2e-21, 1e-24),
            loss: true,
            max_loss_per_m: 3000.0,
            over_index: false,
        }
    }

    #[test]
    fn the_square_of_the_pressure_falls_evenly() {
        for (z_m, expected) in [(0.0, 5e4), (1.5, 2.5e4), (2.0, 0.0)] {
            let found = pressure_pa(&flow(), z_m);
            assert!((found - expected).abs() < 1e-9, "{z_m} m: {found}");
        }
        let mut rising = flow();
        (rising.inlet_pa, rising.outlet_pa) = (0.0, 5e4);
        assert!((pressure_pa(&rising, 0.5) - 2.5e4).abs() < 1e-9);
    }

    #[test]
    fn the_density_solves_the_equation_of_state() {
        for virial_m3 in [2e-29, 0.0, -3e-29] {
            let mut gas = flow();
            gas.virial_m3 = virial_m3;
            let density = density_per_m3(&gas, 1.5);
            let pressure = density * BOLTZMANN * 293.15 * (1.0 + virial_m3 * density);
            assert!((pressure / 2.5e4 - 1.0).abs() < 1e-14, "{virial_m3:e}");
        }
        assert!(density_per_m3(&flow(), 2.0).abs() < 1e-300);
    }

    #[test]
    fn the_index_has_gas_and_waveguide_in_it_and_a_least_real_part() {
        let mut guide = flow();
        guide.waveguide[1] = Complex64::from(2.0);
        let excess = excesses(&guide, 0.0);
        let density = density_per_m3(&guide, 0.0);
        let square = 1.0 + density * 2.6e-30 - Complex64::new(2e-6, -1e-9);
        let index = 1.0 + excess[0];
        assert!((index * index - square).norm() < 1e-15);
        assert!(index.im > 0.0, "a loss");
        let least = 1.0 + excess[1].re;
        assert!((least - Gradient::INDEX_MIN).abs() < 1e-15, "cut off");
    }

    #[test]
    fn the_frame_moves_with_the_slope_of_the_propagation_constant() {
        let (guide, carrier) = (flow(), 2.35e15);
        let density = density_per_m3(&guide, 0.7);
        // c beta - w of mode 0 near the carrier, with the square of the index to first order.
        let beyond_vacuum = |omega: f64| {
            let offset = omega - carrier;
            let chi = guide.carrier_susceptibility + offset * guide.susceptibility_slope;
            let waveguide = guide.carrier_waveguide + offset * guide.waveguide_slope;
            omega * root_less_one(density * chi - waveguide).re
        };
        let frame = Frame::of(&guide, carrier, 0.7);
        let phase = beyond_vacuum(carrier) / carrier;
        assert!((frame.phase / phase - 1.0).abs() < 1e-14);
        let h = 1e12;
        let group = (beyond_vacuum(carrier + h) - beyond_vacuum(carrier - h)) / (2.0 * h);
        assert!((frame.group / group - 1.0).abs() < 1e-7, "{group:e}");
        assert!((frame.group / frame.phase - 1.0).abs() > 1e-3);
    }
}
