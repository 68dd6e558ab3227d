//! A frame that turns along the guide.

use super::fields::Field;
use crate::fourier::Complex64;

/// `e^{rates distance} values`, element by element; rates in 1/m.
pub fn turned(rates: &[Complex64], distance: f64, values: &[Complex64]) -> Field {
    let turn = |(rate, value): (&Complex64, &Complex64)| (rate * distance).exp() * value;
    rates.iter().zip(values).map(turn).collect()
}
