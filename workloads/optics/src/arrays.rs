//! Whether the arrays of a problem go together: an engine works on sizes that it was told.

/// An array of the length that the sizes imply; otherwise it is named.
pub fn check_length(name: &str, found: usize, expected: usize) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!(
        "array `{name}` has {found} values instead of {expected}"
    ))
}

/// Two even grids over one window, the finer one with as many samples or more.
pub fn check_grids(points: usize, fine_points: usize) -> Result<(), String> {
    let even = points.is_multiple_of(2) && fine_points.is_multiple_of(2);
    if even && points >= 4 && fine_points >= points {
        return Ok(());
    }
    Err(unmatched(points, fine_points))
}

/// What is said of grids that do not go together.
pub fn unmatched(points: usize, fine_points: usize) -> String {
    format!("a coarse grid of {points} points does not go with a fine one of {fine_points}")
}
