//! Axes: a range, where its ticks are and what they say. Pure.

/// Fewest intervals between ticks of a linear axis.
const INTERVALS_MIN: f64 = 4.0;

/// How far apart ticks of a logarithmic axis must be, as a part of the axis.
const APART: f64 = 0.085;

/// A mark with its label.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Where it is, in the units of the axis.
    pub at: f64,
    /// What it says.
    pub label: String,
}

/// An axis. What is drawn along it is in the same units: on a logarithmic axis the decimal
/// logarithm of what its ticks say.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it measures, with the unit.
    pub title: String,
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// Its marks, ascending.
    pub ticks: Vec<Tick>,
}

impl Axis {
    /// A linear axis with ticks at round numbers.
    pub fn linear(title: impl Into<String>, low: f64, high: f64) -> Self {
        let step = round_below((high - low) / INTERVALS_MIN);
        let decimals = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
        let (first, last) = ((low / step).ceil(), (high / step).floor());
        // A range of at least four and at most ten steps.
        let count = (last - first).clamp(0.0, 20.0) as u32;
        let tick = |index: u32| {
            // Adding zero makes the zero of a negative range a plain one.
            let at = (first + f64::from(index)) * step + 0.0;
            Tick {
                at,
                label: format!("{at:.decimals$}"),
            }
        };
        Axis {
            title: title.into(),
            low,
            high,
            ticks: (0..=count).map(tick).collect(),
        }
    }

    /// A logarithmic axis from `low` to `high`, which are above 0: ticks at 1, 2, 3, 5 and 7 times
    /// powers of ten, as many as have room.
    pub fn logarithmic(title: impl Into<String>, low: f64, high: f64) -> Self {
        let (low, high) = (low.log10(), high.log10());
        let mut ticks: Vec<Tick> = Vec::new();
        // A coarser series is taken first, and what does not fit between is left out.
        for series in [&[1.0][..], &[2.0, 5.0], &[3.0, 7.0], &[1.5, 4.0]] {
            for decade in decades(low, high) {
                for factor in series {
                    let value = factor * 10_f64.powi(decade);
                    let at = value.log10();
                    let near = |tick: &Tick| (tick.at - at).abs() < APART * (high - low);
                    if (low..=high).contains(&at) && !ticks.iter().any(near) {
                        let label = value.to_string();
                        ticks.push(Tick { at, label });
                    }
                }
            }
        }
        ticks.sort_by(|a, b| a.at.total_cmp(&b.at));
        Axis {
            title: title.into(),
            low,
            high,
            ticks,
        }
    }

    /// Both ends.
    pub fn range(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// What the tick at `at` says; nothing where there is none.
    pub fn label(&self, at: f64) -> String {
        let nearness = 1e-9 * (self.high - self.low);
        let mut ticks = self.ticks.iter();
        let tick = ticks.find(|tick| (tick.at - at).abs() <= nearness);
        tick.map_or_else(String::new, |tick| tick.label.clone())
    }
}

/// The decades that a range of logarithms touches.
fn decades(low: f64, high: f64) -> std::ops::RangeInclusive<i32> {
    // Logarithms of positive numbers are between -324 and 309.
    low.floor() as i32..=high.floor() as i32
}

/// The largest of 1, 2 and 5 times a power of ten that is not above `value`.
fn round_below(value: f64) -> f64 {
    let power = 10_f64.powf(value.log10().floor());
    let factors = [5.0, 2.0, 1.0].into_iter();
    let fits = |factor: &f64| factor * power <= value * (1.0 + 1e-12);
    factors.clone().find(fits).unwrap_or(1.0) * power
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp)]
    use super::*;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn linear_ticks_are_at_round_numbers_within_the_range() {
        let table = [
            (
                (-60.0, 0.0),
                vec!["-60", "-50", "-40", "-30", "-20", "-10", "0"],
            ),
            (
                (0.0, 0.15),
                vec![
                    "0.00", "0.02", "0.04", "0.06", "0.08", "0.10", "0.12", "0.14",
                ],
            ),
            ((0.0, 2.0), vec!["0.0", "0.5", "1.0", "1.5", "2.0"]),
            ((-130.0, 290.0), vec!["-100", "0", "100", "200"]),
            ((0.0, 8.3), vec!["0", "2", "4", "6", "8"]),
            (
                (0.0, 3e-3),
                vec![
                    "0.0000", "0.0005", "0.0010", "0.0015", "0.0020", "0.0025", "0.0030",
                ],
            ),
        ];
        for ((low, high), expected) in table {
            assert_eq!(labels(&Axis::linear("t", low, high)), expected);
        }
    }

    #[test]
    fn logarithmic_ticks_are_few_round_and_apart() {
        let table = [
            (
                (90.0, 4000.0),
                vec!["100", "200", "300", "500", "700", "1000", "2000", "3000"],
            ),
            (
                (450.0, 8000.0),
                vec!["500", "700", "1000", "1500", "2000", "3000", "5000", "7000"],
            ),
        ];
        for ((low, high), expected) in table {
            let axis = Axis::logarithmic("t", low, high);
            assert_eq!(labels(&axis), expected);
            assert_eq!(axis.low, f64::log10(low));
            assert!(axis.ticks.is_sorted_by(|a, b| a.at < b.at));
        }
    }

    #[test]
    fn a_tick_is_found_by_its_place() {
        let axis = Axis::logarithmic("t", 90.0, 4000.0);
        assert_eq!(axis.label(2.0), "100");
        assert_eq!(axis.label(2.1), "");
    }
}
