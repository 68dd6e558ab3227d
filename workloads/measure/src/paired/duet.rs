//! The one observation of a duet process.

use longrun_protocol::duet::{Segment, StretchReport};
use longrun_protocol::registry::Metric;

use super::ratio::{NoRatio, log_ratio};
use super::trimmed::trimmed_mean;

/// `ln(candidate / baseline)` of a duet process by one clock.
///
/// Whoever takes a segment second is about a percent slower: the other side has just used the
/// caches. Two successive segments with opposite orders are therefore one value, in which that
/// penalty cancels. A stretch is the 20 % trimmed mean of its values, and the process is the mean
/// of its stretches, each of which stands for an equal share of the run.
pub fn observation(stretches: &[StretchReport], metric: Metric) -> Result<f64, NoRatio> {
    if stretches.is_empty() {
        return Err(NoRatio::Empty);
    }
    let mut sum = 0.0;
    for stretch in stretches {
        sum += of_stretch(&stretch.segments, metric)?;
    }
    Ok(sum / stretches.len() as f64)
}

fn of_stretch(segments: &[Segment], metric: Metric) -> Result<f64, NoRatio> {
    let turns = segments
        .chunks(2)
        .map(|turn| of_turn(turn, metric))
        .collect::<Result<Vec<_>, _>>()?;
    trimmed_mean(&turns).ok_or(NoRatio::Empty)
}

/// Two successive segments, one begun by each side.
fn of_turn(turn: &[Segment], metric: Metric) -> Result<f64, NoRatio> {
    let [one, other] = turn else {
        return Err(NoRatio::Order);
    };
    if one.first == other.first {
        return Err(NoRatio::Order);
    }
    let ratio = |of: &Segment| log_ratio(&of.baseline.sample, &of.candidate.sample, metric);
    Ok(0.5 * (ratio(one)? + ratio(other)?))
}

#[cfg(test)]
mod tests;
