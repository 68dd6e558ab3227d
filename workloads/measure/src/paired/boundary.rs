//! The probability that a Brownian motion is beyond a boundary at any of several looks.
//!
//! The recursion of P. Armitage, C. K. McPherson and B. C. Rowe, J. R. Stat. Soc. A 132, 235
//! (1969): the density of what has not crossed yet is integrated from look to look.

use super::student::normal_tail;

/// Intervals of the half line below a boundary. With eight times as many, critical values move by
/// less than 1e-5, and by 1e-3 where the last two looks are one observation apart.
const INTERVALS: usize = 32;

/// Probability that a Brownian motion over its standard deviation is farther than `bounds` from 0
/// at one of the `times`, which ascend from above 0.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_look_crosses_with_its_own_tail() {
        assert!((crossing(&[1.0], &[2.575_829_303_548_901]) - 0.01).abs() < 1e-12);
    }

    #[test]
    fn printed_boundaries_cross_with_the_probability_that_they_are_printed_for() {
        // C. Jennison and B. W. Turnbull, Group Sequential Methods, tables 2.1 and 2.3: Pocock and
        // O'Brien-Fleming, five looks, 5 % and 1 %.
        let times = [0.2, 0.4, 0.6, 0.8, 1.0];
        let falling = |last: f64| times.map(|time: f64| last / time.sqrt());
        let table = [
            ([2.413; 5], 0.05),
            ([2.986; 5], 0.01),
            (falling(2.040), 0.05),
            (falling(2.621), 0.01),
        ];
        for (bounds, alpha) in table {
            let found = crossing(&times, &bounds);
            // Printed to three digits after the point.
            assert!((found / alpha - 1.0).abs() < 3e-3, "{found} is not {alpha}");
        }
    }

    #[test]
    fn a_second_look_right_after_the_first_adds_next_to_nothing() {
        let alone = crossing(&[1.0], &[2.0]);
        let twice = crossing(&[0.999, 1.0], &[2.0, 2.0]);
        assert!(twice > alone && twice < 1.1 * alone, "{twice}");
    }

    #[test]
    fn no_look_crosses_nothing() {
        assert!(crossing(&[], &[]) <= 0.0);
    }
}
