//! Whether a new row stands out of the rows before it. Pure.
//!
//! Rows of one configuration and one hardware set are compared over equal identities. Runs that
//! lie days apart differ by more than the repeats of one run show, so one row can never prove a
//! change: at most it is suspect, and `ab` decides. Rules and figures: `docs/manual.md`, `history`.
//!
//! With y the logarithm of a median time, over the w rows before:
//!
//! ```text
//! within   = median(ln max - ln min) / 1.693 * 0.67     what three repeats show
//! between  = median |y(k) - y(k-1)| / 0.6745 / sqrt 2   what successive runs show
//! scatter  = 1.4826 c(w) median |y - median y|          what all of them show
//! s        = the largest of the three
//! z        = |y_new - median y| / (s sqrt(1 + 1.57/w))
//! suspect  where z > t(0.995, 0.64 (w - 1)) and the step is larger than 2 %
//! ```
//!
//! 1.693 and 0.67 are, in standard deviations, the mean range of three normal numbers and the
//! standard deviation of their median (more repeats make `within` larger than need be, never
//! smaller, and of more than nine it is not taken); 1.57 is the variance of a median of w numbers
//! times w; 0.64 is the efficiency of the median. c(w) makes the median deviation of few numbers
//! unbiased: C. Croux and P. J. Rousseeuw, Computational Statistics 1, 411 (1992).

#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

use longrun_measure::paired::student::student_quantile;
use serde::Serialize;

use super::rows::Row;

/// Rows without which nothing is claimed. Of four rows, every rule has missed a change of 5 % on a
/// quiet machine.
pub const ROWS_MIN: usize = 8;

/// Rows that are looked back at: what lies further back is another time.
pub const ROWS_MAX: usize = 16;

/// Smallest step that is called anything, as a fraction.
const STEP_MIN: f64 = 0.02;

/// New rows that, all beyond all rows before them, confirm a step: two-sided, 2 in C(11, 3) by
/// chance.
const CONFIRMING: usize = 3;

/// Repeats whose extremes are taken for noise. The longest of many samples tells how much something
/// disturbed it once, and not how sure their median is.
const RANGE_REPEATS: RangeInclusive<u32> = 3..=9;

/// Probability of Student's distribution beyond the threshold, both tails together: 0.995 lie below
/// the upper one.
const TAIL: f64 = 0.01;

/// What can be said of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// There are fewer than [`ROWS_MIN`] comparable rows before it: nothing.
    TooFewRows,
    /// The rows before it show no noise at all, so nothing can be held against it.
    UnknownNoise,
    /// It is within the noise.
    WithinNoise,
    /// It stands out; only `ab` can say whether the code is the reason.
    Suspect,
    /// It and the two rows before stand out on one side of all earlier ones.
    Confirmed,
}

/// A row against the rows before it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Suspicion {
    /// What can be said.
    pub standing: Standing,
    /// Comparable rows before it that were looked at.
    pub rows: usize,
    /// What it was judged by; `None` where it was not judged.
    pub judged: Option<Judged>,
}

impl Suspicion {
    /// Whether the row is more than noise explains.
    pub fn stands_out(&self) -> bool {
        matches!(self.standing, Standing::Suspect | Standing::Confirmed)
    }
}

/// The figures that a row was judged by; noise in logarithms of time, that is as fractions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Judged {
    /// Its median time over the median of the rows before it.
    pub step: f64,
    /// Noise that the repeats within runs show; `None` where the extremes of no row say so.
    pub floor_within: Option<f64>,
    /// Noise that successive runs show.
    pub floor_between: f64,
    /// Noise that the spread of all rows shows.
    pub scatter: f64,
    /// The largest of the three, by which it was judged.
    pub noise: f64,
    /// Distance from the rows before it, in units of the noise.
    pub z: f64,
    /// Distance from which it is suspect.
    pub threshold: f64,
    /// Smallest step that would have been suspect, as a fraction.
    pub smallest_step: f64,
}

/// What a row has to be judged by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timed {
    /// Logarithm of its median time.
    y: f64,
    /// Logarithm of its longest over its shortest time, of as many repeats as [`RANGE_REPEATS`].
    range: Option<f64>,
}

/// The rule, with its quantiles computed once.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Thresholds of z for [`ROWS_MIN`] rows, one more, and so on.
    thresholds: Vec<f64>,
}

impl Timed {
    /// What a row says of its time; `None` where that is no positive number.
    pub fn of(row: &Row) -> Option<Timed> {
        let logarithm = |time: f64| Some(time.ln()).filter(|y| y.is_finite());
        let extremes = (row.min_s, row.max_s);
        let range = match (extremes, row.repeats) {
            ((Some(min), Some(max)), Some(repeats)) if RANGE_REPEATS.contains(&repeats) => {
                logarithm(max).zip(logarithm(min))
            }
            _ => None,
        };
        Some(Timed {
            y: logarithm(row.median_s)?,
            range: range.map(|(max, min)| max - min),
        })
    }
}

impl Default for Rule {
    fn default() -> Rule {
        let threshold = |rows: usize| {
            let freedom = 0.64 * (count(rows) - 1.0);
            student_quantile(TAIL, freedom)
        };
        Rule {
            thresholds: (ROWS_MIN..=ROWS_MAX).map(threshold).collect(),
        }
    }
}

impl Rule {
    /// A row against the comparable rows before it, oldest first.
    pub fn judge(&self, before: &[Timed], new: Timed) -> Suspicion {
        let old = last(before, ROWS_MAX);
        let mut suspicion = Suspicion {
            standing: Standing::TooFewRows,
            rows: old.len(),
            judged: None,
        };
        let index = old.len().checked_sub(ROWS_MIN);
        let Some(&threshold) = index.and_then(|index| self.thresholds.get(index)) else {
            return suspicion;
        };
        let judged = judged(old, new, threshold);
        suspicion.standing = if judged.noise <= 0.0 {
            Standing::UnknownNoise
        } else if confirmed(before, new) {
            Standing::Confirmed
        } else if judged.z > threshold && (judged.step - 1.0).abs() > STEP_MIN {
            Standing::Suspect
        } else {
            Standing::WithinNoise
        };
        suspicion.judged = (judged.noise > 0.0).then_some(judged);
        suspicion
    }
}

fn judged(old: &[Timed], new: Timed, threshold: f64) -> Judged {
    let rows = count(old.len());
    let centre = median(old.iter().map(|row| row.y)).unwrap_or(new.y);
    let range = median(old.iter().filter_map(|row| row.range));
    let floor_within = range.map(|range| range / 1.693 * 0.67);
    let steps = old.iter().zip(old.iter().skip(1));
    let step = median(steps.map(|(before, after)| (after.y - before.y).abs()));
    let floor_between = step.unwrap_or_default() / 0.6745 / 2.0_f64.sqrt();
    let deviation = median(old.iter().map(|row| (row.y - centre).abs()));
    let scatter = 1.4826 * correction(old.len()) * deviation.unwrap_or_default();
    let noise = floor_within.unwrap_or_default().max(floor_between);
    let noise = noise.max(scatter);
    let unit = noise * (1.0 + 1.57 / rows).sqrt();
    Judged {
        step: (new.y - centre).exp(),
        floor_within,
        floor_between,
        scatter,
        noise,
        z: (new.y - centre).abs() / unit,
        threshold,
        smallest_step: (threshold * unit).exp_m1().max(STEP_MIN),
    }
}

/// Whether a row and the two before it are all beyond all of at least [`ROWS_MIN`] earlier ones,
/// on one side, and by more than [`STEP_MIN`].
fn confirmed(before: &[Timed], new: Timed) -> bool {
    let Some(split) = before.len().checked_sub(CONFIRMING - 1) else {
        return false;
    };
    let (earlier, recent) = before.split_at(split);
    let earlier = last(earlier, ROWS_MAX);
    let recent: Vec<f64> = recent.iter().chain([&new]).map(|row| row.y).collect();
    let medians = (
        median(earlier.iter().map(|row| row.y)),
        median(recent.iter().copied()),
    );
    let (Some(old), Some(now)) = medians else {
        return false;
    };
    let above = |y: &f64| earlier.iter().all(|row| *y > row.y);
    let below = |y: &f64| earlier.iter().all(|row| *y < row.y);
    earlier.len() >= ROWS_MIN
        && ((now - old).exp() - 1.0).abs() > STEP_MIN
        && (recent.iter().all(above) || recent.iter().all(below))
}

/// The last values, at most so many.
fn last(values: &[Timed], most: usize) -> &[Timed] {
    let from = values.len().saturating_sub(most);
    values.get(from..).unwrap_or_default()
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    longrun_measure::quantile(&sorted, 0.5)
}

/// Factor c(w) for [`ROWS_MIN`] rows or more.
fn correction(rows: usize) -> f64 {
    match rows {
        8 => 1.129,
        9 => 1.107,
        rows => count(rows) / (count(rows) - 0.8),
    }
}

/// A small number of rows as a number to reckon with.
fn count(rows: usize) -> f64 {
    u32::try_from(rows).map_or(f64::INFINITY, f64::from)
}
