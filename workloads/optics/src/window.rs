//! Smooth windows: the Planck taper.
//!
//! D. J. A. McKechan, C. Robinson and B. S. Sathyaprakash, Class. Quantum Grav. 27, 084020 (2010).

use crate::grid::Band;

/// A window that is 0 outside `[zero_left, zero_right]` and 1 within `[one_left, one_right]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanckTaper {
    /// Where the window begins to rise.
    pub zero_left: f64,
    /// Where it has reached 1.
    pub one_left: f64,
    /// Where it begins to fall.
    pub one_right: f64,
    /// Where it has reached 0.
    pub zero_right: f64,
}

impl PlanckTaper {
    /// The spectral window of a band: rises from half of the lowest frequency of interest, falls
    /// above the highest. Frequencies in rad/s.
    pub fn spectral(band: Band) -> Self {
        let (zero_left, zero_right) = band.edges();
        PlanckTaper {
            zero_left,
            one_left: band.low,
            one_right: band.high,
            zero_right,
        }
    }

    /// The time window of a grid of `whole_s` seconds: 1 over the `window_s` asked for, tapered
    /// over what the grid has beyond them.
    pub fn temporal(whole_s: f64, window_s: f64) -> Self {
        let half = whole_s / 2.0;
        PlanckTaper {
            zero_left: -half,
            one_left: -window_s / 2.0,
            one_right: window_s / 2.0,
            zero_right: half,
        }
    }

    /// The window at `x`.
    pub fn at(&self, x: f64) -> f64 {
        if x < self.one_left {
            rise(x, self.zero_left, self.one_left)
        } else if x > self.one_right {
            rise(-x, -self.zero_right, -self.one_right)
        } else {
            1.0
        }
    }
}

/// The rising edge from 0 at `zero` to 1 at `one`, for `x < one`.
fn rise(x: f64, zero: f64, one: f64) -> f64 {
    if x <= zero {
        return 0.0;
    }
    let width = one - zero;
    1.0 / (1.0 + (width / (x - zero) + width / (x - one)).exp())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp)]
    use super::*;

    const TAPER: PlanckTaper = PlanckTaper {
        zero_left: -4.0,
        one_left: -2.0,
        one_right: 3.0,
        zero_right: 5.0,
    };

    #[test]
    fn the_taper_is_zero_half_and_one_where_it_should_be() {
        for (x, expected) in [
            (-9.0, 0.0),
            (-4.0, 0.0),
            (-3.0, 0.5),
            (-2.0, 1.0),
            (0.0, 1.0),
            (3.0, 1.0),
            (4.0, 0.5),
            (5.0, 0.0),
            (9.0, 0.0),
        ] {
            assert!(
                (TAPER.at(x) - expected).abs() < 1e-15,
                "{x}: {}",
                TAPER.at(x)
            );
        }
    }

    #[test]
    fn the_edges_are_flat_to_every_order() {
        for (x, limit) in [
            (-4.0 + 0.02, 0.0),
            (-2.0 - 0.02, 1.0),
            (3.02, 1.0),
            (4.98, 0.0),
        ] {
            assert!(
                (TAPER.at(x) - limit).abs() < 1e-20_f64.max(f64::EPSILON),
                "{x}"
            );
        }
    }

    #[test]
    fn an_edge_of_no_width_is_a_step() {
        let step = PlanckTaper {
            zero_left: 0.0,
            one_left: 0.0,
            one_right: 1.0,
            zero_right: 1.0,
        };
        assert_eq!(
            [-0.1, 0.0, 1.0, 1.1].map(|x| step.at(x)),
            [0.0, 1.0, 1.0, 0.0]
        );
    }

    #[test]
    fn the_window_never_leaves_zero_to_one_and_rises_monotonically() {
        let mut last = 0.0;
        for j in 0..=2000 {
            let value = TAPER.at(-4.0 + f64::from(j) * 1e-3);
            assert!((last..=1.0).contains(&value));
            last = value;
        }
    }
}
