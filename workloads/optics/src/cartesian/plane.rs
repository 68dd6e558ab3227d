//! The transverse grid: the same along x and y.

use std::f64::consts::TAU;

use crate::window::PlanckTaper;

/// How much wider the grid is than what is looked at, where light is absorbed. (Luna.jl)
const EXTENSION: f64 = 1.1;

/// Columns over both sides of the axis. Sample `i` is at `(i - columns / 2)` steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaneGrid {
    columns: usize,
    inner_m: f64,
}

impl PlaneGrid {
    /// A grid of an even number of columns around an inner half-width, in metres.
    pub fn new(columns: usize, inner_m: f64) -> Self {
        PlaneGrid { columns, inner_m }
    }

    /// Columns of an axis.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Half-width within which nothing is absorbed, m.
    pub fn inner_m(&self) -> f64 {
        self.inner_m
    }

    /// Half-width of the grid, m.
    pub fn half_width_m(&self) -> f64 {
        EXTENSION * self.inner_m
    }

    /// Distance of columns, m.
    pub fn step_m(&self) -> f64 {
        2.0 * self.half_width_m() / self.columns as f64
    }

    /// Where the columns are, m, ascending.
    pub fn positions_m(&self) -> Vec<f64> {
        let offset = |i: usize| i as f64 - (self.columns / 2) as f64;
        let positions = (0..self.columns).map(|i| offset(i) * self.step_m());
        positions.collect()
    }

    /// Transverse wavenumbers in FFT order, rad/m.
    pub fn wavenumbers_per_m(&self) -> Vec<f64> {
        let spacing = TAU / (2.0 * self.half_width_m());
        let signed = |i: usize| match 2 * i < self.columns {
            true => i as f64,
            false => i as f64 - self.columns as f64,
        };
        (0..self.columns).map(|i| signed(i) * spacing).collect()
    }

    /// Window over the columns: from 1 at the inner half-width to 0 where the grid ends.
    pub fn edge(&self) -> Vec<f64> {
        let (begins, ends) = (self.inner_m, self.half_width_m());
        let taper = PlanckTaper {
            zero_left: -ends,
            one_left: -begins,
            one_right: begins,
            zero_right: ends,
        };
        self.positions_m().iter().map(|x| taper.at(*x)).collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp)]
    use super::*;

    #[test]
    fn the_axis_is_a_sample_and_the_first_one_is_where_the_grid_ends() {
        let grid = PlaneGrid::new(48, 200e-6);
        let positions = grid.positions_m();
        assert_eq!((positions.len(), positions[24]), (48, 0.0));
        assert!((positions[0] + 220e-6).abs() < 1e-18);
        assert!((positions[25] - grid.step_m()).abs() < 1e-18);
    }

    #[test]
    fn wavenumbers_are_those_of_the_transform() {
        let grid = PlaneGrid::new(8, 1e-3);
        let wavenumbers = grid.wavenumbers_per_m();
        let spacing = TAU / 2.2e-3;
        let in_spacings: Vec<f64> = wavenumbers.iter().map(|k| (k / spacing).round()).collect();
        assert_eq!(in_spacings, [0.0, 1.0, 2.0, 3.0, -4.0, -3.0, -2.0, -1.0]);
        assert!((wavenumbers[3] / (3.0 * spacing) - 1.0).abs() < 1e-14);
    }

    #[test]
    fn the_edge_leaves_the_inner_half_width_alone_and_ends_in_nothing() {
        let grid = PlaneGrid::new(192, 200e-6);
        let edge = grid.edge();
        assert_eq!(edge[0], 0.0);
        for (x, window) in grid.positions_m().iter().zip(&edge) {
            assert_eq!(*window == 1.0, x.abs() <= 200e-6, "{x:e}: {window}");
        }
    }
}
