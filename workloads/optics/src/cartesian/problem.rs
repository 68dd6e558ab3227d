//! One Cartesian problem as arrays: all that an engine is told.
//!
//! The state has the bins of the half spectrum at which physics is evaluated, plane after plane:
//! value `(bin columns_y + iy) columns_x + ix`, both wavenumbers in FFT order, stored as everywhere
//! (sign of the forward FFT, unnormalised over x, y and time). For each value
//!
//! ```text
//! dY/dz = L Y - i (strength(w) / max(k_z, grazing K)) F{ T(t) kerr E³ },   E = F^-1{Y}
//! k_z² = K(w)² - k_x² - k_y²
//! L = -i (k_z - frame w)                                   where k_z is real
//! L = -min(|k_z|, evanescent_max) + i frame w, no source   elsewhere
//! ```
//!
//! No array of it is as large as the state: L and the source have these closed forms.

use crate::arrays::{check_grids, check_length as length};
use crate::fourier::Complex64;

/// The arrays and scalars of one problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Samples of the time grid that the state is of; even.
    pub points: usize,
    /// Samples of the fine grid over the same window, on which E³ is evaluated; even.
    pub fine_points: usize,
    /// The bin of the half spectrum that the state begins with.
    pub first_bin: usize,
    /// Time between samples of the coarse grid, s.
    pub time_step_s: f64,
    /// Energy in joules over the sum of |Y|².
    pub energy_scale: f64,
    /// One over the speed of the frame, s/m.
    pub frame_s_per_m: f64,
    /// Most loss of what does not travel, 1/m.
    pub evanescent_max_per_m: f64,
    /// Least k_z of a source over K.
    pub grazing: f64,
    /// w of each bin, rad/s.
    pub omega: Vec<f64>,
    /// K = n w / c of each bin, rad/m.
    pub wavenumber: Vec<f64>,
    /// mu0 w² / 2 of each bin, with the spectral window in it.
    pub strength: Vec<f64>,
    /// Wavenumbers along x, rad/m.
    pub k_x: Vec<f64>,
    /// Wavenumbers along y, rad/m.
    pub k_y: Vec<f64>,
    /// P over E³.
    pub kerr: f64,
    /// The windows.
    pub windows: Option<Windows>,
}

/// What is absorbed after every accepted step, to the power of its length over `length_m`.
#[derive(Clone, Debug, PartialEq)]
pub struct Windows {
    /// Over the bins.
    pub spectral: Vec<f64>,
    /// Over the coarse samples.
    pub temporal: Vec<f64>,
    /// Over the columns along x.
    pub x: Vec<f64>,
    /// Over the columns along y.
    pub y: Vec<f64>,
    /// T, over the fine samples: it acts on every source.
    pub fine: Vec<f64>,
    /// Length over which they act in full, m.
    pub length_m: f64,
}

impl Problem {
    /// Bins of the state.
    pub fn bins(&self) -> usize {
        self.omega.len()
    }

    /// Points of the plane.
    pub fn columns(&self) -> usize {
        self.k_x.len() * self.k_y.len()
    }

    /// Values of the state.
    pub fn state_len(&self) -> usize {
        self.bins() * self.columns()
    }

    /// `k_z²` of a plane wave, rad²/m²; below 0 where it does not travel.
    pub fn square_along(&self, bin: usize, (iy, ix): (usize, usize)) -> f64 {
        self.wavenumber[bin].powi(2) - self.k_x[ix].powi(2) - self.k_y[iy].powi(2)
    }

    /// The sum of `|Y|² k_z / w` over what travels: proportional to the flux of energy, which a
    /// glass that answers at once conserves.
    pub fn flux(&self, state: &[Complex64]) -> f64 {
        let (wide, high) = (self.k_x.len(), self.k_y.len());
        let rows = state.chunks_exact(wide).enumerate();
        let of_row = |(row, values): (usize, &[Complex64])| -> f64 {
            let (bin, iy) = (row / high, row % high);
            let along = |ix: usize| self.square_along(bin, (iy, ix)).max(0.0).sqrt();
            let values = values.iter().enumerate();
            let sum: f64 = values.map(|(ix, y)| along(ix) * y.norm_sqr()).sum();
            sum / self.omega[bin]
        };
        rows.map(of_row).sum()
    }

    /// Whether every array has the length that the sizes imply; the first that has not.
    pub fn check_lengths(&self) -> Result<(), String> {
        self.check_sizes()?;
        let bins = self.bins();
        length("wavenumber", self.wavenumber.len(), bins)?;
        length("strength", self.strength.len(), bins)?;
        let Some(windows) = &self.windows else {
            return Ok(());
        };
        length("windows.spectral", windows.spectral.len(), bins)?;
        length("windows.temporal", windows.temporal.len(), self.points)?;
        length("windows.x", windows.x.len(), self.k_x.len())?;
        length("windows.y", windows.y.len(), self.k_y.len())?;
        length("windows.fine", windows.fine.len(), self.fine_points)
    }

    fn check_sizes(&self) -> Result<(), String> {
        check_grids(self.points, self.fine_points)?;
        let end = self.first_bin.saturating_add(self.bins());
        if self.first_bin == 0 || self.bins() == 0 || end > self.points / 2 {
            return Err(format!(
                "bins {} to {end} are not inside the half spectrum of {} points",
                self.first_bin, self.points
            ));
        }
        for (name, columns) in [("k_x", self.k_x.len()), ("k_y", self.k_y.len())] {
            if columns < 4 || !columns.is_multiple_of(2) {
                return Err(format!(
                    "array `{name}` has {columns} values instead of an even number of at least 4"
                ));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::testing::small;
    use super::*;

    #[test]
    fn arrays_of_the_implied_lengths_are_accepted() {
        let case = small();
        assert_eq!(case.problem().check_lengths(), Ok(()));
        assert_eq!(case.problem().state_len(), case.launch.len());
    }

    #[test]
    fn an_array_of_another_length_is_named() {
        type Change = fn(&mut Problem);
        let table: [(Change, &str); 9] = [
            (|p| p.wavenumber.push(1.0), "`wavenumber`"),
            (|p| p.strength.truncate(2), "`strength`"),
            (|p| p.k_x.truncate(15), "`k_x` has 15"),
            (|p| p.k_y.truncate(2), "`k_y` has 2"),
            (|p| p.windows.as_mut().unwrap().x.truncate(3), "windows.x"),
            (|p| p.windows.as_mut().unwrap().fine.truncate(3), "fine"),
            (|p| p.first_bin = 0, "bins 0 to"),
            (|p| p.first_bin = p.points / 2, "half spectrum"),
            (|p| p.fine_points = p.points - 2, "does not go with"),
        ];
        for (change, named) in table {
            let mut changed = small().problem().clone();
            change(&mut changed);
            let cause = changed.check_lengths().unwrap_err();
            assert!(cause.contains(named), "{named}: {cause}");
        }
    }
}
