//! The probability that a Brownian motion is beyond a boundary at any of several looks.
//!
//! The recursion of P. Armitage, C. K. McPherson and B. C. Rowe, J. R. Stat. Soc. A 132, 235 (1969):
//! the density of what has not crossed yet is integrated from look to look.

use super::student::normal_tail;

/// Intervals of the half line below a boundary: the probability is then good to 1e-3 of itself, less
/// than the noise of the simulation that checks it.
const INTERVALS: usize = 64;

/// Probability that a Brownian motion over its standard deviation is farther than `bounds` from 0 at
/// one of the `times`, which ascend from above 0.
pub fn crossing(times: &[f64], bounds: &[f64]) -> f64 {
    let mut looks = times.iter().copied().zip(bounds.iter().copied());
    let Some((first, z)) = looks.next() else {
        return 0.0;
    };
    let mut crossed = normal_tail(z);
    let mut bound = z * first.sqrt();
    let scale = first.sqrt();
    let mut density: Vec<f64> = grid(bound).map(|at| bell(at / scale) / scale).collect();
    let mut before = first;
    for (time, z) in looks {
        let step = (time - before).sqrt();
        let next = z * time.sqrt();
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
    /// The density beyond is 1e-18: nothing beside what is summed, and half of the work.
    const NEGLIGIBLE: f64 = 9.0;
    if z > NEGLIGIBLE {
        return 0.0;
    }
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
