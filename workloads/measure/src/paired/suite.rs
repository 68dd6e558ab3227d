//! All configurations together.

/// The geometric mean over configurations of each round, as log-ratios: the mean of the log-ratios
/// of that round. Only rounds that every configuration has count, and no configuration has none.
///
/// Configurations of one round share the state of the machine, so rounds and not configurations are
/// the unit: the result is judged by the same rule.
pub fn rounds(configurations: &[Vec<f64>]) -> Vec<f64> {
    let common = configurations.iter().map(Vec::len).min().unwrap_or(0);
    (0..common)
        .map(|round| {
            let values = configurations.iter().filter_map(|values| values.get(round));
            values.fold(0.0, |sum, value| sum + value) / configurations.len() as f64
        })
        .collect()
}
