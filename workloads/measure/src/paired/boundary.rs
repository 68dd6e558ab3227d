//! How far out each look must decide, so that all looks together err with one probability.
//!
//! The shape is that of S. K. Wang and A. A. Tsiatis, Biometrics 43, 193 (1987), with exponent 0.35:
//! at look `k` a standard normal statistic crosses at `z_k = C (n_k / n_max)^(-0.15)`. `C` is found
//! by the recursion of P. Armitage, C. K. McPherson and B. C. Rowe, J. R. Stat. Soc. A 132, 235
//! (1969), which integrates a Brownian motion from look to look.

use super::student::normal_tail;

/// Wang and Tsiatis' exponent less one half.
const SHAPE: f64 = 0.35 - 0.5;

/// Intervals of the half line below a boundary: the crossing probability is then good to 1e-3 of
/// itself, less than the noise of the simulation that checks it.
const INTERVALS: usize = 64;

/// No boundary is farther out: a look that errs less often than this one (1e-15) never errs.
const FARTHEST: f64 = 8.0;

/// The nominal two-sided probability of each look, for looks at `n` observations in ascending
/// order, such that a Brownian motion crosses at any of them with probability `alpha`.
pub fn nominal(n: &[usize], alpha: f64) -> Vec<f64> {
    let times = times(n);
    let constant = constant(&times, alpha);
    times
        .iter()
        .map(|&time| normal_tail(critical(constant, time)))
        .collect()
}

/// Share of the last look's observations that each look has.
fn times(n: &[usize]) -> Vec<f64> {
    let last = n.last().copied().unwrap_or(1) as f64;
    n.iter().map(|&n| n as f64 / last).collect()
}

fn critical(constant: f64, time: f64) -> f64 {
    (constant * libm::pow(time, SHAPE)).min(FARTHEST)
}

/// The constant `C`: the logarithm of the crossing probability is nearly linear in `C^2`, so a
/// secant needs a handful of steps.
fn constant(times: &[f64], alpha: f64) -> f64 {
    const STEPS_MAX: u32 = 12;
    let wanted = libm::log(alpha);
    let error = |square: f64| libm::log(crossing(times, square.sqrt())) - wanted;
    let (mut before, mut now) = (4.0, 9.0);
    let mut error_before = error(before);
    for _ in 0..STEPS_MAX {
        let error_now = error(now);
        let slope = (error_now - error_before) / (now - before);
        if error_now.abs() < 1e-9 || slope >= 0.0 || !slope.is_finite() {
            break;
        }
        (before, error_before) = (now, error_now);
        now = (now - error_now / slope).clamp(0.01, FARTHEST * FARTHEST);
    }
    now.sqrt()
}

/// Probability that a Brownian motion is beyond the boundary at one of the looks.
fn crossing(times: &[f64], constant: f64) -> f64 {
    let Some((&first, later)) = times.split_first() else {
        return 0.0;
    };
    let mut bound = critical(constant, first) * first.sqrt();
    let mut crossed = normal_tail(bound / first.sqrt());
    let mut density: Vec<f64> = grid(bound)
        .map(|at| bell(at / first.sqrt()) / first.sqrt())
        .collect();
    let mut before = first;
    for &time in later {
        let step = (time - before).sqrt();
        let next = critical(constant, time) * time.sqrt();
        crossed += leaving(&density, bound, next, step);
        density = moved(&density, bound, next, step);
        (bound, before) = (next, time);
    }
    crossed
}

/// Points of Simpson's rule from 0 to `bound`.
fn grid(bound: f64) -> impl Iterator<Item = f64> {
    (0..=INTERVALS).map(move |index| bound * index as f64 / INTERVALS as f64)
}

/// Weights of Simpson's rule on [`grid`].
fn weight(index: usize, bound: f64) -> f64 {
    let third = bound / INTERVALS as f64 / 3.0;
    match index {
        0 | INTERVALS => third,
        odd if odd % 2 == 1 => 4.0 * third,
        _ => 2.0 * third,
    }
}

/// Standard normal density.
fn bell(z: f64) -> f64 {
    const SCALE: f64 = 0.398_942_280_401_432_7;
    SCALE * libm::exp(-0.5 * z * z)
}

/// Probability of having been within `bound` and of being outside `next` one step later. The
/// density is even, so half of the line stands for all of it.
fn leaving(density: &[f64], bound: f64, next: f64, step: f64) -> f64 {
    let outside = |at: f64| {
        let above = libm::erfc((next - at) / step / std::f64::consts::SQRT_2);
        let below = libm::erfc((next + at) / step / std::f64::consts::SQRT_2);
        0.5 * (above + below)
    };
    let terms = grid(bound).zip(density).enumerate();
    2.0 * terms.fold(0.0, |sum, (index, (at, density))| {
        sum + weight(index, bound) * density * outside(at)
    })
}

/// Density of those that stayed within `bound`, one step later, on the grid of `next`.
fn moved(density: &[f64], bound: f64, next: f64, step: f64) -> Vec<f64> {
    let from: Vec<(f64, f64)> = grid(bound)
        .zip(density)
        .enumerate()
        .map(|(index, (at, density))| (at / step, weight(index, bound) * density / step))
        .collect();
    let kernel = |to: f64| {
        from.iter().fold(0.0, |sum, &(at, mass)| {
            sum + mass * (bell(to - at) + bell(to + at))
        })
    };
    grid(next).map(|to| kernel(to / step)).collect()
}
