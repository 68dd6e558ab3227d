//! How a state of a case is looked at: as energy over wavelength, and as power over time.

use std::f64::consts::TAU;

use crate::case::Case;
use crate::constants::{SPEED_OF_LIGHT, wavelength_m};
use crate::fourier::Complex64;
use crate::grid::TimeGrid;

/// Where a case has no wavelength limits: the carrier's wavelength times and divided by this, as
/// far as the grid reaches.
const AROUND_CARRIER: f64 = 3.0;

/// A bin of a spectrum.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Line {
    bin: usize,
    wavelength_m: f64,
    /// Joules per metre of wavelength for `|A|²` of the bin.
    scale: f64,
}

/// How the values of a state are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// One spectrum after the other.
    Modes,
    /// One frequency after the other, from this bin on, each with so many values.
    Planes { first_bin: usize, values: usize },
}

/// What turns the states of one case into what can be drawn.
#[derive(Clone, Debug)]
pub struct Lens {
    grid: TimeGrid,
    limits_m: [f64; 2],
    /// How the values of a state are ordered.
    order: Order,
    /// Where light is, by ascending wavelength.
    lines: Vec<Line>,
}

impl Lens {
    /// The lens of a case.
    pub fn of(case: &Case) -> Self {
        let (grid, limits_m) = match case {
            Case::Gnlse(case) => {
                let limits_m = case.parameters().wavelength_limits_m;
                (TimeGrid::Envelope(case.grid.clone()), limits_m)
            }
            Case::Guided(case) => {
                let limits_m = case.parameters().common.wavelength_limits_m;
                (case.grid.clone(), Some(limits_m))
            }
            Case::Cartesian(case) => {
                let limits_m = case.parameters().wavelength_limits_m;
                (TimeGrid::Field(case.grid.clone()), Some(limits_m))
            }
        };
        let (order, energy_scale) = match case {
            Case::Cartesian(case) => {
                let problem = case.problem();
                let order = Order::Planes {
                    first_bin: problem.first_bin,
                    values: problem.columns(),
                };
                (order, problem.energy_scale)
            }
            Case::Gnlse(_) | Case::Guided(_) => (Order::Modes, grid.energy_scale()),
        };
        let lines = lines(&grid, energy_scale);
        let limits_m = limits_m.unwrap_or_else(|| around_carrier(&grid, &lines));
        Lens {
            grid,
            limits_m,
            order,
            lines,
        }
    }

    /// The wavelengths that are of interest: the shortest and the longest, m.
    pub fn limits_m(&self) -> [f64; 2] {
        self.limits_m
    }

    /// The wavelengths of [`Lens::spectrum`] in metres, ascending.
    pub fn wavelengths_m(&self) -> Vec<f64> {
        self.lines.iter().map(|line| line.wavelength_m).collect()
    }

    /// Times of [`Lens::power`] in seconds, ascending.
    pub fn times_s(&self) -> Vec<f64> {
        self.grid.times()
    }

    /// The spectrum of each mode of a state; none of a field over a plane.
    pub fn modes<'a>(&self, state: &'a [Complex64]) -> impl Iterator<Item = &'a [Complex64]> {
        let modes = match self.order {
            Order::Modes => state,
            Order::Planes { .. } => &[],
        };
        modes.chunks_exact(self.grid.bins())
    }

    /// Energy per wavelength of one mode, J/m.
    pub fn spectrum_of_mode(&self, mode: &[Complex64]) -> Vec<f64> {
        let of = |line: &Line| line.scale * mode[line.bin].norm_sqr();
        self.lines.iter().map(of).collect()
    }

    /// Energy per wavelength of all modes together, or of all of a plane, J/m.
    pub fn spectrum(&self, state: &[Complex64]) -> Vec<f64> {
        if let Order::Planes { first_bin, values } = self.order {
            let plane = |line: &Line| {
                let index = line.bin.checked_sub(first_bin)?;
                state.chunks_exact(values).nth(index)
            };
            let squares = |line: &Line| -> f64 {
                let plane = plane(line).unwrap_or_default();
                line.scale * plane.iter().map(Complex64::norm_sqr).sum::<f64>()
            };
            return self.lines.iter().map(squares).collect();
        }
        let modes = self.modes(state).map(|mode| self.spectrum_of_mode(mode));
        sum(modes, self.lines.len())
    }

    /// Power of all modes together, W: of a real field that of its analytic signal.
    pub fn power(&self, state: &[Complex64]) -> Vec<f64> {
        let of_mode = |mode| -> Vec<f64> {
            let amplitude = self.grid.amplitude(mode);
            amplitude.iter().map(Complex64::norm_sqr).collect()
        };
        sum(self.modes(state).map(of_mode), self.grid.points())
    }
}

fn lines(grid: &TimeGrid, energy_scale: f64) -> Vec<Line> {
    let step = TAU / grid.window_s();
    let line = |(bin, omega): (usize, f64)| {
        // dE/dlambda = dE/domega · omega² / (2 pi c).
        let per_wavelength = omega * omega / (TAU * SPEED_OF_LIGHT);
        Line {
            bin,
            wavelength_m: wavelength_m(omega),
            scale: energy_scale / step * per_wavelength,
        }
    };
    let bins = grid.frequencies().into_iter().enumerate();
    let light = bins
        .filter(|(bin, omega)| *omega > 0.0 && grid.inner().contains(bin) && grid.is_valid(*omega));
    let mut lines: Vec<Line> = light.map(line).collect();
    lines.sort_by(|a, b| a.wavelength_m.total_cmp(&b.wavelength_m));
    lines
}

fn around_carrier(grid: &TimeGrid, lines: &[Line]) -> [f64; 2] {
    let carrier_m = wavelength_m(grid.carrier());
    let (short, long) = (carrier_m / AROUND_CARRIER, carrier_m * AROUND_CARRIER);
    let first = lines.first().map_or(short, |line| line.wavelength_m);
    let last = lines.last().map_or(long, |line| line.wavelength_m);
    [short.max(first), long.min(last)]
}

fn sum(modes: impl Iterator<Item = Vec<f64>>, length: usize) -> Vec<f64> {
    modes.fold(vec![0.0; length], |mut sum, mode| {
        sum.iter_mut()
            .zip(mode)
            .for_each(|(sum, value)| *sum += value);
        sum
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::plot::testing::{case, two_modes};

    /// Energy under a spectrum, J.
    fn energy_j(lens: &Lens, spectrum: &[f64]) -> f64 {
        let wavelengths = lens.wavelengths_m();
        let pairs = wavelengths.windows(2).zip(spectrum.windows(2));
        pairs
            .map(|(x, y)| (x[1] - x[0]) * (y[0] + y[1]) / 2.0)
            .sum()
    }

    #[test]
    fn the_energy_under_spectrum_and_power_is_that_of_the_state() {
        for case in [case(), two_modes()] {
            let lens = Lens::of(&case);
            let energy = case.energy_j(case.launch());
            let spectral = energy_j(&lens, &lens.spectrum(case.launch()));
            assert!(
                (spectral / energy - 1.0).abs() < 1e-2,
                "{spectral:e} {energy:e}"
            );
            let times = lens.times_s();
            let temporal: f64 =
                lens.power(case.launch()).iter().sum::<f64>() * (times[1] - times[0]);
            assert!(
                (temporal / energy - 1.0).abs() < 1e-3,
                "{temporal:e} {energy:e}"
            );
        }
    }

    #[test]
    fn wavelengths_ascend_and_the_launch_is_brightest_at_its_carrier() {
        let case = case();
        let lens = Lens::of(&case);
        let wavelengths = lens.wavelengths_m();
        assert!(wavelengths.is_sorted_by(|a, b| a < b));
        let spectrum = lens.spectrum(case.launch());
        let brightest = (0..spectrum.len()).max_by(|a, b| spectrum[*a].total_cmp(&spectrum[*b]));
        let brightest = wavelengths[brightest.unwrap()];
        assert!((brightest - 835e-9).abs() < 5e-9, "{brightest:e}");
    }

    #[test]
    fn modes_are_added_up() {
        let case = two_modes();
        let lens = Lens::of(&case);
        let modes: Vec<Vec<f64>> = lens
            .modes(case.launch())
            .map(|mode| lens.spectrum_of_mode(mode))
            .collect();
        assert_eq!(modes.len(), 2);
        let both = lens.spectrum(case.launch());
        for (k, sum) in both.iter().enumerate() {
            assert!((modes[0][k] + modes[1][k] - sum).abs() <= 1e-12 * sum);
        }
    }
}
