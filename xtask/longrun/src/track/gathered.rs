//! What the processes of one configuration come to together. Pure.
//!
//! Only if all of them are complete, there are times: those of all samples, beside the median of
//! each process.

use super::load::any_busy;
use super::results::ConfigurationResult;
use super::sampled::SampledResult;
use crate::run::judge::ResultStatus;

/// The result of a configuration of so many `processes`, from those of the ones that there are, in
/// their order; none of none.
pub fn gather(mut parts: Vec<ConfigurationResult>, processes: u32) -> Option<ConfigurationResult> {
    if processes < 2 {
        return parts.pop();
    }
    let mut whole = match unfinished(&parts, processes) {
        Some(part) => part,
        None => complete(&parts)?,
    };
    whole.process = None;
    whole.elapsed_s = parts.iter().map(|part| part.elapsed_s).sum();
    whole.busy = any_busy(parts.iter().map(|part| part.busy));
    whole.setup_busy = any_busy(parts.iter().map(|part| part.setup_busy));
    whole.load = parts.iter().flat_map(|part| part.load.clone()).collect();
    whole.peak_rss_bytes = parts.iter().filter_map(|part| part.peak_rss_bytes).max();
    whole.notes.clear();
    for note in parts.iter().flat_map(|part| &part.notes) {
        if !whole.notes.contains(note) {
            whole.notes.push(note.clone());
        }
    }
    Some(whole)
}

/// The first process that has no time; where it was run, its reason says which it was.
fn unfinished(parts: &[ConfigurationResult], processes: u32) -> Option<ConfigurationResult> {
    let mut part = parts.iter().find(|part| part.is_lost())?.clone();
    if part.status != ResultStatus::Skipped {
        let number = part.process.unwrap_or(1);
        let reason = part.reason.take();
        let reason = reason.unwrap_or_else(|| part.status.as_str().to_owned());
        part.reason = Some(format!("process {number} of {processes}: {reason}"));
    }
    Some(part)
}

/// The samples of all.
fn complete(parts: &[ConfigurationResult]) -> Option<ConfigurationResult> {
    let first = parts.first()?;
    let sampled = parts.iter().map(|part| part.sampled.as_ref());
    let Some(sampled) = sampled.collect::<Option<Vec<&SampledResult>>>() else {
        // Without times in one of them there are none of the whole.
        let mut parts = parts.iter();
        return parts.find(|part| part.sampled.is_none()).cloned();
    };
    let mut whole = first.clone();
    whole.sampled = SampledResult::gathered(&sampled);
    let samples = whole.sampled.as_ref().map(|all| all.samples.clone());
    whole.sum_up(&samples.unwrap_or_default());
    let other_plans = parts.iter().any(|part| part.fft_plans != first.fft_plans);
    if other_plans {
        // What is recorded of it would be the digest of one of them.
        whole.fft_plans = None;
    }
    Some(whole)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::super::load::made as loads;
    use super::super::sampled::made;
    use super::*;

    fn part(process: u32, intervals_ns: &[u64], ops: u64) -> ConfigurationResult {
        ConfigurationResult {
            process: Some(process),
            busy: Some(false),
            elapsed_s: 1.5,
            peak_rss_bytes: Some(u64::from(process) * 100),
            notes: vec!["said by each".into(), format!("said by {process}")],
            ..made::result("fft", intervals_ns, ops, |_| ())
        }
    }

    #[test]
    fn the_samples_of_all_processes_are_one_set_beside_the_median_of_each() {
        let parts = vec![
            part(1, &[100, 110, 120], 1),
            part(2, &[2_000, 2_100, 2_200], 10),
        ];
        let whole = gather(parts, 2).unwrap();
        assert_eq!(whole.process, None);
        assert_eq!(whole.status, ResultStatus::Complete);
        let sampled = whole.sampled.as_ref().unwrap();
        assert_eq!(sampled.process_medians_ns, [110.0, 210.0]);
        assert_eq!(sampled.statistics.count, 6);
        assert_eq!(sampled.statistics.median, 160.0);
        assert_eq!((whole.repeats, whole.raw_s.len()), (6, 6));
        assert!((whole.median_s.unwrap() - 160e-9).abs() < 1e-18);
        assert_eq!((whole.elapsed_s, whole.peak_rss_bytes), (3.0, Some(200)));
        assert_eq!(whole.notes, ["said by each", "said by 1", "said by 2"]);
        assert_eq!(whole.busy, Some(false));
    }

    #[test]
    fn one_process_stands_for_itself_and_none_for_nothing() {
        let alone = ConfigurationResult {
            process: None,
            ..part(1, &[100, 110, 120], 1)
        };
        let whole = gather(vec![alone.clone()], 1).unwrap();
        assert_eq!(whole.notes, alone.notes);
        assert!(whole.sampled.unwrap().process_medians_ns.is_empty());
        assert!(gather(Vec::new(), 1).is_none());
        assert!(gather(Vec::new(), 8).is_none());
    }

    #[test]
    fn a_process_that_fails_leaves_the_configuration_without_a_time_and_is_named() {
        let failed = ConfigurationResult {
            process: Some(2),
            status: ResultStatus::Failed,
            ..ConfigurationResult::skipped(&made::item("fft"), "it ended with exit code 9")
        };
        let parts = vec![part(1, &[100, 110, 120], 1), failed];
        let whole = gather(parts, 8).unwrap();
        assert_eq!(whole.status, ResultStatus::Failed);
        let reason = whole.reason.as_deref();
        assert_eq!(reason, Some("process 2 of 8: it ended with exit code 9"));
        assert_eq!((whole.median_s, whole.busy), (None, None));
    }

    #[test]
    fn a_configuration_that_was_interrupted_between_its_processes_was_not_run() {
        let skipped = ConfigurationResult {
            process: Some(2),
            ..ConfigurationResult::skipped(&made::item("fft"), "interrupted")
        };
        let whole = gather(vec![part(1, &[100], 1), skipped], 8).unwrap();
        assert_eq!(whole.status, ResultStatus::Skipped);
        assert_eq!(whole.reason.as_deref(), Some("interrupted"));
        assert_eq!(whole.median_s, None);
    }

    #[test]
    fn one_process_on_a_busy_machine_makes_the_configuration_busy() {
        let on = |process, busy, others_percent| ConfigurationResult {
            busy,
            setup_busy: Some(false),
            load: vec![loads::load(others_percent)],
            ..part(process, &[100, 110, 120], 1)
        };
        let parts = vec![on(1, Some(false), 0), on(2, Some(true), 50)];
        let whole = gather(parts, 2).unwrap();
        assert_eq!((whole.busy, whole.setup_busy), (Some(true), Some(false)));
        assert_eq!(whole.load, [loads::load(0), loads::load(50)]);
        let parts = vec![on(1, Some(false), 0), on(2, None, 0)];
        assert_eq!(gather(parts, 2).unwrap().busy, None);
    }

    #[test]
    fn plans_that_differ_between_processes_are_those_of_none() {
        let with = |process, plans: &str| ConfigurationResult {
            fft_plans: Some(plans.into()),
            ..part(process, &[100, 110, 120], 1)
        };
        let whole = gather(vec![with(1, "a"), with(2, "a")], 2).unwrap();
        assert_eq!(whole.fft_plans.as_deref(), Some("a"));
        let whole = gather(vec![with(1, "a"), with(2, "b")], 2).unwrap();
        assert_eq!(whole.fft_plans, None);
    }
}
