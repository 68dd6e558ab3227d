//! What the processes of both sides say, each by its median.
//!
//! Two processes of one program differ by more than the samples of either show: where its memory
//! lies, which core it has, what else the machine does just then. A side that was sampled in
//! several processes shows how much that is. Where nothing else differs, every order of the
//! `n + m` medians of both sides is as likely as any other, and in 2 of `C(n + m, n)` all of one
//! side are beyond all of the other: H. B. Mann and D. R. Whitney, Ann. Math. Stat. 18, 50 (1947),
//! the largest value of their statistic. No shape of the noise is assumed for that.

/// The medians of the processes of two sides, ns.
#[derive(Clone, Copy, Debug)]
pub struct Processes<'a> {
    /// Of the baseline.
    pub baseline: &'a [f64],
    /// Of this run.
    pub run: &'a [f64],
}

impl Processes<'_> {
    /// Whether there is more than one on a side: of one each nothing is known.
    pub fn are_several(&self) -> bool {
        self.baseline.len() > 1 || self.run.len() > 1
    }

    /// How likely it is that all of one side are beyond all of the other where nothing differs.
    pub fn chance(&self) -> f64 {
        chance(self.baseline.len(), self.run.len())
    }

    /// Whether all of one side are beyond all of the other.
    pub fn are_apart(&self) -> bool {
        let [baseline, run] = [ends(self.baseline), ends(self.run)];
        run.0 > baseline.1 || run.1 < baseline.0
    }

    /// The largest distance of a process from the median of the other side, as a part of that.
    pub fn farthest(&self, baseline_ns: f64, run_ns: f64) -> f64 {
        let from = |side: &[f64], median_ns: f64| {
            let distances = side.iter().map(|ns| (ns / median_ns - 1.0).abs());
            distances.fold(0.0, f64::max)
        };
        from(self.run, baseline_ns).max(from(self.baseline, run_ns))
    }
}

/// The smallest and the largest; of none, ends that are apart from nothing.
fn ends(medians_ns: &[f64]) -> (f64, f64) {
    let least = medians_ns.iter().copied().fold(f64::INFINITY, f64::min);
    let most = medians_ns.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    match medians_ns.is_empty() {
        true => (f64::NEG_INFINITY, f64::INFINITY),
        false => (least, most),
    }
}

/// 2 / C(baseline + run, run); 1 where a side has none.
pub fn chance(baseline: usize, run: usize) -> f64 {
    // Each factor is the next larger binomial coefficient over the last, and at least 1.
    let ways = (1..=run).fold(1.0, |ways, k| ways * (baseline + k) as f64 / k as f64);
    (2.0 / ways).min(1.0)
}

/// Fewest processes of both sides for which the chance is at most `limit`; the search ends at a
/// number that no chance above 10^-17 needs.
pub fn needed(limit: f64) -> usize {
    let mut few = 1..=30;
    few.find(|count| chance(*count, *count) <= limit)
        .unwrap_or(30)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paired::SplitMix64;

    fn of<'a>(baseline: &'a [f64], run: &'a [f64]) -> Processes<'a> {
        Processes { baseline, run }
    }

    #[test]
    fn sides_are_apart_where_no_process_of_one_is_within_the_other() {
        let baseline = [1.0, 3.0, 2.0];
        assert!(of(&baseline, &[4.0, 3.1]).are_apart());
        assert!(of(&baseline, &[0.5, 0.9]).are_apart());
        assert!(!of(&baseline, &[4.0, 3.0]).are_apart());
        assert!(!of(&baseline, &[0.0, 9.0]).are_apart());
        assert!(!of(&baseline, &[]).are_apart());
        assert!(!of(&[], &[1.0]).are_apart());
    }

    #[test]
    fn the_chance_is_that_of_the_two_extreme_orders() {
        for (baseline, run, expected) in [
            (1, 1, 1.0),
            (2, 2, 2.0 / 6.0),
            (3, 2, 2.0 / 10.0),
            (7, 7, 2.0 / 3432.0),
            (8, 8, 2.0 / 12870.0),
            (0, 8, 1.0),
            (8, 0, 1.0),
        ] {
            let found = chance(baseline, run);
            assert!((found - expected).abs() < 1e-15, "{baseline} {run} {found}");
        }
        assert_eq!(needed(1e-3), 7);
        assert_eq!(needed(0.05), 4);
    }

    #[test]
    fn processes_that_are_alike_are_apart_as_often_as_the_chance_says() {
        let mut generator = SplitMix64::new(8);
        let mut medians: Vec<f64> = (0..8).map(f64::from).collect();
        let trials = 100_000;
        let mut apart = 0;
        for _ in 0..trials {
            generator.shuffle(&mut medians);
            let (baseline, run) = medians.split_at(4);
            apart += u32::from(of(baseline, run).are_apart());
        }
        let share = f64::from(apart) / f64::from(trials);
        // 2 / 70, of which the standard error is 0.0005 here.
        assert!((share - chance(4, 4)).abs() < 0.002, "{share}");
    }

    #[test]
    fn the_farthest_process_is_that_of_either_side() {
        let found = of(&[100.0, 90.0], &[100.0, 104.0]).farthest(95.0, 100.0);
        assert!((found - 0.10).abs() < 1e-12, "{found}");
        let found = of(&[100.0, 96.0], &[100.0, 120.0]).farthest(100.0, 110.0);
        assert!((found - 0.20).abs() < 1e-12, "{found}");
    }
}
