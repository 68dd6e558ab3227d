//! Rates for engines: cubics of the logarithm over a uniform grid of fields.
//!
//! A cell is found by one multiplication and evaluated without a search. Each cubic goes through
//! four points of its own cell, ends included. So the table is continuous, and where the rate of
//! [`super::ppt`] has a channel closing, with its infinite slope, the error stays in that cell; a
//! spline would carry it into the neighbours.

use super::IonisationError;

/// Cells of a table of [`RateTable::up_to`]: 128 KiB.
///
/// A rate without closings is within 1e-6 of its table. Closings are in some 40 cells of argon and
/// 230 of helium at 800 nm. There the error goes with the root of the width, so that four times as
/// many cells would only halve it: some tenths of a rate that is negligible in weak fields, less
/// than a hundredth near the end, where many channels are open.
pub const CELLS: usize = 4096;

/// End of a table over its beginning. Below, an atom of helium or argon in light of 800 nm, or a
/// molecule of hydrogen, would wait for more than ten thousand years.
pub const SPAN: f64 = 64.0;

/// Points of a cubic.
const POINTS: usize = 4;

/// A rate over the modulus of the field.
#[derive(Clone, Debug, PartialEq)]
pub struct RateTable {
    /// Lowest field, V/m. Below it the rate is 0.
    pub first_field: f64,
    /// Width of a cell, V/m.
    pub step: f64,
    /// Cell j is for fields from `first_field + j step` on. With t from 0 to 1 over the cell, the
    /// logarithm of the rate in 1/s is `c[0] + c[1] t + c[2] t² + c[3] t³`.
    pub cells: Vec<[f64; POINTS]>,
}

impl RateTable {
    /// A table of [`CELLS`] cells that ends at `last_field` in V/m and begins [`SPAN`] times lower.
    pub fn up_to(
        last_field: f64,
        ln_rate: impl Fn(f64) -> Result<f64, IonisationError>,
    ) -> Result<Self, IonisationError> {
        RateTable::new([last_field / SPAN, last_field], CELLS, ln_rate)
    }

    /// A table of `cells` cells between two fields in V/m. `ln_rate` gives the logarithm of the
    /// rate in 1/s at a field in V/m.
    pub fn new(
        range_v_m: [f64; 2],
        cells: usize,
        ln_rate: impl Fn(f64) -> Result<f64, IonisationError>,
    ) -> Result<Self, IonisationError> {
        let [first_field, last_field] = range_v_m;
        let in_order = 0.0 < first_field && first_field < last_field && last_field.is_finite();
        if !in_order || cells == 0 {
            return Err(IonisationError::Fields { range_v_m, cells });
        }
        // Neighbours share the point between them.
        let parts = POINTS - 1;
        let spacing = (last_field - first_field) / (parts * cells) as f64;
        let at = |index: usize| {
            let field_v_m = first_field + index as f64 * spacing;
            let value = ln_rate(field_v_m)?;
            if value.is_finite() {
                Ok(value)
            } else {
                Err(IonisationError::NoRate { field_v_m })
            }
        };
        let values: Result<Vec<f64>, IonisationError> = (0..=parts * cells).map(at).collect();
        let values = values?;
        let cubics = values.windows(POINTS).step_by(parts).map(cubic);
        Ok(RateTable {
            first_field,
            step: parts as f64 * spacing,
            cells: cubics.collect(),
        })
    }

    /// Highest field, V/m.
    pub fn last_field(&self) -> f64 {
        self.first_field + self.cells.len() as f64 * self.step
    }

    /// The rate in 1/s at a field in V/m of either sign. Allocates nothing.
    pub fn rate(&self, field_v_m: f64) -> Result<f64, IonisationError> {
        let modulus = field_v_m.abs();
        if modulus < self.first_field {
            return Ok(0.0);
        }
        let position = (modulus - self.first_field) / self.step;
        // The conversion saturates. The end belongs to the last cell.
        let index = (position as usize).min(self.cells.len().saturating_sub(1));
        match self.cells.get(index) {
            Some([c0, c1, c2, c3]) if modulus <= self.last_field() => {
                let t = position - index as f64;
                Ok((((c3 * t + c2) * t + c1) * t + c0).exp())
            }
            _ => Err(IonisationError::AboveTable {
                field_v_m,
                last_v_m: self.last_field(),
            }),
        }
    }
}

/// Coefficients of the cubic through four values at t = 0, 1/3, 2/3 and 1.
fn cubic(values: &[f64]) -> [f64; POINTS] {
    let [a, b, c, d]: [f64; POINTS] = std::array::from_fn(|index| values[index]);
    // Newton's forward differences in 3t, sorted by powers of t.
    let first = b - a;
    let second = c - 2.0 * b + a;
    let third = d - 3.0 * c + 3.0 * b - a;
    [
        a,
        3.0 * first - 1.5 * second + third,
        4.5 * (second - third),
        4.5 * third,
    ]
}

#[cfg(test)]
mod tests;
