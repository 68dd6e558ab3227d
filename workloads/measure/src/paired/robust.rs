//! Spread that one disturbed observation does not move, and what it lets one plan.

use super::trimmed::ascending;
use crate::statistics::quantile;

/// Standard deviation of a normal distribution with a median absolute deviation of 1.
const PER_MAD: f64 = 1.482_602_218_505_602;

/// Robust standard deviation: the median absolute deviation, scaled to that of a normal
/// distribution. None without values, or if one is not finite.
pub fn robust_sd(values: &[f64]) -> Option<f64> {
    let centre = quantile(&ascending(values)?, 0.5)?;
    let deviations: Vec<f64> = values.iter().map(|value| (value - centre).abs()).collect();
    Some(PER_MAD * quantile(&ascending(&deviations)?, 0.5)?)
}

/// Observations that it takes to call a change of `effect` (a log-ratio) where one observation has a
/// robust standard deviation of `sd`: `(4.5 sd / effect)^2`, rounded up, and 6 at least. None where
/// either is not a positive number.
pub fn observations_needed(sd: f64, effect: f64) -> Option<usize> {
    let effect = effect.abs();
    let known = sd.is_finite() && sd >= 0.0 && effect.is_finite() && effect > 0.0;
    let needed = (4.5 * sd / effect) * (4.5 * sd / effect);
    // Saturates: a change that cannot be seen needs more observations than there will ever be.
    known.then(|| (needed.ceil() as usize).max(super::looks::FIRST_LOOK))
}
