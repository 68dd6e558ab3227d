//! From samples to the cells of a picture. Pure.
//!
//! A cell that has samples shows the highest of them: a line narrower than a cell is as bright as
//! it is. One that has none, where samples lie farther apart than cells, shows what lies on the
//! straight line between its neighbours. Beyond the samples there is nothing.

/// Where a value lies among `count` equal cells from `low` to `high`; none outside of them.
fn cell_of(place: f64, (low, high): (f64, f64), count: usize) -> Option<usize> {
    let part = (place - low) / (high - low);
    if !(0.0..=1.0).contains(&part) || count == 0 {
        return None;
    }
    // From 0 to `count`, and the upper end belongs to the last cell.
    Some(((part * count as f64) as usize).min(count - 1))
}

/// `values` at ascending `places`, as `count` equal cells from `range.0` to `range.1`.
pub fn cells(places: &[f64], values: &[f64], range: (f64, f64), count: usize) -> Vec<f64> {
    let mut highest: Vec<Option<f64>> = vec![None; count];
    for (place, value) in places.iter().zip(values) {
        if let Some(cell) = cell_of(*place, range, count) {
            let before = highest[cell].unwrap_or(*value);
            highest[cell] = Some(before.max(*value));
        }
    }
    let width = (range.1 - range.0) / count as f64;
    let middle = |cell: usize| range.0 + (cell as f64 + 0.5) * width;
    let cells = highest.into_iter().enumerate();
    cells
        .map(|(cell, value)| value.unwrap_or_else(|| between(places, values, middle(cell))))
        .collect()
}

/// The value on the straight line between the samples around `at`; 0 where it is not between two.
fn between(places: &[f64], values: &[f64], at: f64) -> f64 {
    let right = places.partition_point(|place| *place < at);
    let Some(left) = right.checked_sub(1) else {
        return 0.0;
    };
    let (Some(x1), Some(y1)) = (places.get(right), values.get(right)) else {
        return 0.0;
    };
    let (x0, y0) = (places[left], values[left]);
    y0 + (y1 - y0) * (at - x0) / (x1 - x0)
}

/// The points of a line through `values` at ascending `places`, within `range`: of each of `count`
/// cells no more than the first sample, the lowest, the highest and the last, in their order.
pub fn outline(places: &[f64], values: &[f64], range: (f64, f64), count: usize) -> Vec<(f64, f64)> {
    let mut points = Vec::new();
    let mut cell = Vec::new();
    let mut current = None;
    for (place, value) in places.iter().zip(values) {
        let here = cell_of(*place, range, count);
        if here != current {
            points.extend(corners(&cell));
            cell.clear();
            current = here;
        }
        if here.is_some() {
            cell.push((*place, *value));
        }
    }
    points.extend(corners(&cell));
    points
}

/// The first, the lowest, the highest and the last of some points, each once, in their order.
fn corners(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let by_value =
        |(_, a): &(usize, &(f64, f64)), (_, b): &(usize, &(f64, f64))| a.1.total_cmp(&b.1);
    let indexed = || points.iter().enumerate();
    let extremes = [indexed().min_by(by_value), indexed().max_by(by_value)];
    let mut kept: Vec<usize> = extremes
        .into_iter()
        .flatten()
        .map(|(index, _)| index)
        .collect();
    kept.extend([0, points.len().saturating_sub(1)]);
    kept.sort_unstable();
    kept.dedup();
    kept.into_iter()
        .filter_map(|index| points.get(index).copied())
        .collect()
}

/// The pieces of a line that rise above `floor`, each with the points at it on both sides.
pub fn above(points: &[(f64, f64)], floor: f64) -> Vec<Vec<(f64, f64)>> {
    let mut pieces = Vec::new();
    let mut begin = None;
    for (index, (_, value)) in points.iter().enumerate() {
        match (begin, *value > floor) {
            (None, true) => begin = Some(index.saturating_sub(1)),
            (Some(from), false) => {
                pieces.push(points[from..=index].to_vec());
                begin = None;
            }
            _ => {}
        }
    }
    pieces.extend(begin.map(|from| points[from..].to_vec()));
    pieces
}

/// Decibels of each value over `reference`, no lower than `floor_db`. What is nothing, or no
/// number, is at the floor.
pub fn decibels(values: &[f64], reference: f64, floor_db: f64) -> Vec<f64> {
    let of = |value: &f64| {
        let level_db = 10.0 * (value / reference).log10();
        // Written so that NaN, which a reference of nothing makes of nothing, is at the floor.
        if level_db > floor_db {
            level_db
        } else {
            floor_db
        }
    };
    values.iter().map(of).collect()
}

/// The highest of all values; 0 where there is none above it.
pub fn highest<'a>(values: impl IntoIterator<Item = &'a f64>) -> f64 {
    values.into_iter().copied().fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::*;

    #[test]
    fn a_line_narrower_than_a_cell_keeps_its_height() {
        let places: Vec<f64> = (0..10_000).map(f64::from).collect();
        for peak in [0, 1, 4_999, 5_000, 9_999] {
            let mut values = vec![1e-6; places.len()];
            values[peak] = 7.0;
            let cells = cells(&places, &values, (0.0, 9_999.0), 37);
            assert_eq!(cells.len(), 37);
            assert_eq!(highest(&cells), 7.0, "{peak}");
            assert_eq!(cells.iter().filter(|cell| **cell == 7.0).count(), 1);
            assert_eq!(cells[peak * 37 / 10_000], 7.0, "{peak}");
        }
    }

    #[test]
    fn cells_between_samples_lie_on_the_line_between_them() {
        let cells = cells(&[0.0, 10.0], &[0.0, 1.0], (0.0, 10.0), 10);
        // The cells at both ends have a sample.
        assert_eq!(cells[0], 0.0);
        assert_eq!(cells[9], 1.0);
        for (cell, value) in cells.iter().enumerate().take(9).skip(1) {
            assert!(
                (value - (cell as f64 + 0.5) / 10.0).abs() < 1e-12,
                "{cells:?}"
            );
        }
    }

    #[test]
    fn beyond_the_samples_there_is_nothing() {
        let cells = cells(&[4.0, 5.0], &[1.0, 1.0], (0.0, 10.0), 10);
        assert_eq!(cells, [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(super::cells(&[], &[], (0.0, 1.0), 3), [0.0; 3]);
    }

    #[test]
    fn an_outline_has_both_extremes_of_each_cell_and_is_in_order() {
        let places: Vec<f64> = (0..1000).map(f64::from).collect();
        let values: Vec<f64> = places.iter().map(|x| (x * 0.9).sin()).collect();
        let points = outline(&places, &values, (0.0, 999.0), 20);
        assert!(points.len() <= 80, "{}", points.len());
        assert!(points.is_sorted_by(|a, b| a.0 < b.0));
        let extreme = |points: &[(f64, f64)]| points.iter().map(|p| p.1).fold(-2.0, f64::max);
        let all: Vec<(f64, f64)> = places.into_iter().zip(values).collect();
        assert_eq!(extreme(&points), extreme(&all));
        assert_eq!(points.first(), all.first());
        assert_eq!(points.last(), all.last());
    }

    #[test]
    fn an_outline_of_few_samples_is_all_of_them_within_the_range() {
        let places = [0.0, 1.0, 2.0, 3.0, 4.0];
        let values = [5.0, 1.0, 2.0, 3.0, 9.0];
        let points = outline(&places, &values, (1.0, 3.0), 50);
        assert_eq!(points, [(1.0, 1.0), (2.0, 2.0), (3.0, 3.0)]);
        assert!(outline(&places, &values, (7.0, 8.0), 50).is_empty());
    }

    #[test]
    fn a_line_is_broken_where_it_is_at_the_floor() {
        let points: Vec<(f64, f64)> = [0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 1.0, 2.0]
            .into_iter()
            .zip(0..)
            .map(|(value, x)| (f64::from(x), value))
            .collect();
        let pieces = above(&points, 0.0);
        assert_eq!(pieces, [points[1..=3].to_vec(), points[5..=7].to_vec()]);
        assert!(above(&points, 3.0).is_empty());
        assert_eq!(above(&points, -1.0), [points]);
    }

    #[test]
    fn decibels_are_relative_and_end_at_the_floor() {
        let levels = decibels(&[2.0, 0.2, 2e-9, 0.0, f64::NAN], 2.0, -60.0);
        assert!((levels[1] + 10.0).abs() < 1e-12);
        assert_eq!((levels[0], &levels[2..]), (0.0, &[-60.0; 3][..]));
    }

    #[test]
    fn of_nothing_everything_is_at_the_floor() {
        assert_eq!(decibels(&[0.0; 3], highest(&[0.0; 3]), -40.0), [-40.0; 3]);
        assert_eq!(highest(&[]), 0.0);
    }
}
