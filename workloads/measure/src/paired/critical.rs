//! How far out each look must be to decide, so that all looks together err with one probability.
//!
//! The shape is that of S. K. Wang and A. A. Tsiatis, Biometrics 43, 193 (1987), with exponent
//! 0.35: at look `k` a normal statistic would cross at `z_k = C (n_k / n_max)^(-0.15)`. The
//! critical value of the trimmed t is the quantile of Student's distribution with the same tail.
//! `C` is chosen such that the trimmed t of normal values, whose tails are heavier, crosses at any
//! look with the wanted probability.

use super::boundary::crossing;
use super::student::{normal_quantile, normal_tail, student_quantile, student_tail};
use super::trimmed::degrees;
use super::trimmed_t::trimmed_t_tail;

/// Wang and Tsiatis' exponent less one half.
const SHAPE: f64 = 0.35 - 0.5;

/// No boundary is farther out: a look that errs less often than this one (1e-15) never errs.
const FARTHEST: f64 = 8.0;

/// Critical values of the absolute trimmed t at looks at `n` observations, which ascend from two.
pub fn critical_values(n: &[usize], alpha: f64) -> Vec<f64> {
    values(n, constant(n, alpha))
}

/// The values that belong to a constant `C`.
pub fn values(n: &[usize], constant: f64) -> Vec<f64> {
    let times = times(n);
    n.iter()
        .zip(times)
        .map(|(&n, time)| {
            let z = (constant * libm::pow(time, SHAPE)).min(FARTHEST);
            student_quantile(normal_tail(z), degrees(n) as f64)
        })
        .collect()
}

/// The constant `C` whose critical value at look `k` would be exactly `t`: the inverse of
/// [`values`], by which a simulation finds the constant of a level.
pub fn constant_of(t: f64, n: usize, observations_max: usize) -> f64 {
    let z = normal_quantile(student_tail(t, degrees(n) as f64));
    z / libm::pow(n as f64 / observations_max as f64, SHAPE)
}

/// Share of the last look's observations that each look has.
fn times(n: &[usize]) -> Vec<f64> {
    let last = n.last().copied().unwrap_or(1) as f64;
    n.iter().map(|&n| n as f64 / last).collect()
}

/// The constant `C`: the logarithm of the crossing probability is nearly linear in `C^2`, so a
/// secant needs a handful of steps.
fn constant(n: &[usize], alpha: f64) -> f64 {
    const STEPS_MAX: u32 = 12;
    let wanted = libm::log(alpha);
    let error = |square: f64| libm::log(trimmed_crossing(n, square.sqrt())) - wanted;
    let (mut before, mut now) = (4.0, 9.0);
    let mut error_before = error(before);
    for _ in 0..STEPS_MAX {
        let error_now = error(now);
        let slope = (error_now - error_before) / (now - before);
        if error_now.abs() < 1e-6 || slope >= 0.0 || !slope.is_finite() {
            break;
        }
        (before, error_before) = (now, error_now);
        now = (now - error_now / slope).clamp(0.01, FARTHEST * FARTHEST);
    }
    now.sqrt()
}

/// Probability that the trimmed t of normal values is beyond its critical value at one of the
/// looks: that of a Brownian motion with the same tail at each look, and a little more.
fn trimmed_crossing(n: &[usize], constant: f64) -> f64 {
    let bounds: Vec<f64> = n
        .iter()
        .zip(values(n, constant))
        .map(|(&n, value)| normal_quantile(trimmed_t_tail(value, n)))
        .collect();
    excess(n) * crossing(&times(n), &bounds)
}

/// How much more often the trimmed t crosses at any of several looks than a Brownian motion does:
/// standard errors of few values differ from look to look, so the looks are less alike. Found by
/// simulation.
fn excess(n: &[usize]) -> f64 {
    const FEW: f64 = 21.0;
    match n {
        [_, .., last] => 1.0 + 0.14 * (FEW / FEW.max(*last as f64)).sqrt(),
        _ => 1.0,
    }
}
