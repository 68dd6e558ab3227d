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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_is_the_mean_of_its_log_ratios_and_counts_if_every_configuration_has_it() {
        let configurations = [vec![0.25, -0.5, 9.0], vec![0.75, 0.25]];
        assert_eq!(rounds(&configurations), [0.5, -0.125]);
    }

    #[test]
    fn there_are_no_rounds_without_configurations_or_with_one_that_has_none() {
        assert!(rounds(&[]).is_empty());
        assert!(rounds(&[vec![1.0], vec![]]).is_empty());
    }
}
