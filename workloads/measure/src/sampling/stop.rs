//! When sampling ends: a function of the rule and of what there is so far.

use longrun_protocol::sampling::{StopRule, Stopped};

/// Attempts for each sample that may be taken, because a clock that goes back gives none.
const ATTEMPTS_PER_SAMPLE: u64 = 2;

/// Fewest attempts that end sampling, however few samples were asked for.
const ATTEMPTS_MIN: u64 = 10;

/// How far sampling is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Blocks that were timed, with or without an interval.
    pub attempts: u64,
    /// Samples that there are.
    pub samples: u64,
    /// Their measured time in all, ns.
    pub total_ns: u64,
}

/// Why sampling ends here, if it does. Only measured time counts, and there is at least one sample
/// unless the attempts ran out.
pub fn stopped(rule: &StopRule, so_far: &Progress) -> Option<Stopped> {
    let Progress {
        attempts,
        samples,
        total_ns,
    } = *so_far;
    let enough = match *rule {
        StopRule::Fixed { samples: wanted } => samples >= u64::from(wanted),
        StopRule::Adaptive {
            samples_min,
            total_ns_min,
            ..
        } => samples >= u64::from(samples_min) && total_ns >= total_ns_min,
    };
    if enough && samples > 0 {
        return Some(Stopped::Enough);
    }
    let at_ceiling = total_ns_max(rule).is_some_and(|most| total_ns >= most);
    if at_ceiling && samples > 0 {
        return Some(Stopped::TotalMax);
    }
    if samples >= samples_max(rule) {
        return Some(Stopped::SamplesMax);
    }
    (attempts >= attempts_max(rule)).then_some(Stopped::AttemptsMax)
}

/// Most samples that a rule allows.
pub fn samples_max(rule: &StopRule) -> u64 {
    match *rule {
        StopRule::Fixed { samples } => u64::from(samples),
        StopRule::Adaptive { samples_max, .. } => u64::from(samples_max),
    }
}

/// Most measured time that a rule allows; a fixed number of samples takes what it takes.
pub fn total_ns_max(rule: &StopRule) -> Option<u64> {
    match *rule {
        StopRule::Fixed { .. } => None,
        StopRule::Adaptive { total_ns_max, .. } => Some(total_ns_max),
    }
}

fn attempts_max(rule: &StopRule) -> u64 {
    (ATTEMPTS_PER_SAMPLE * samples_max(rule)).max(ATTEMPTS_MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADAPTIVE: StopRule = StopRule::Adaptive {
        samples_min: 30,
        samples_max: 1000,
        total_ns_min: 1_000,
        total_ns_max: 30_000,
    };

    fn after(rule: &StopRule, samples: u64, total_ns: u64) -> Option<Stopped> {
        let so_far = Progress {
            attempts: samples,
            samples,
            total_ns,
        };
        stopped(rule, &so_far)
    }

    #[test]
    fn sampling_goes_on_until_there_are_enough_samples_and_enough_time() {
        for (samples, total_ns, ends) in [
            (29, 29_999, None),
            (30, 999, None),
            (30, 1_000, Some(Stopped::Enough)),
            (999, 999, None),
            (400, 1_000, Some(Stopped::Enough)),
        ] {
            assert_eq!(after(&ADAPTIVE, samples, total_ns), ends, "{samples}");
        }
    }

    #[test]
    fn either_ceiling_ends_sampling_and_is_named() {
        assert_eq!(after(&ADAPTIVE, 1, 30_000), Some(Stopped::TotalMax));
        assert_eq!(after(&ADAPTIVE, 1000, 0), Some(Stopped::SamplesMax));
        assert_eq!(after(&ADAPTIVE, 1000, 1_000), Some(Stopped::Enough));
    }

    #[test]
    fn a_fixed_number_is_neither_more_nor_less_whatever_the_time() {
        let nine = StopRule::Fixed { samples: 9 };
        assert_eq!(after(&nine, 8, u64::MAX), None);
        assert_eq!(after(&nine, 9, 0), Some(Stopped::Enough));
    }

    /// The original went on for ever.
    #[test]
    fn a_clock_that_gives_no_interval_ends_sampling() {
        let lost = |attempts| Progress {
            attempts,
            ..Progress::default()
        };
        let three = StopRule::Fixed { samples: 3 };
        assert_eq!(stopped(&three, &lost(9)), None);
        assert_eq!(stopped(&three, &lost(10)), Some(Stopped::AttemptsMax));
        assert_eq!(stopped(&ADAPTIVE, &lost(1999)), None);
        assert_eq!(stopped(&ADAPTIVE, &lost(2000)), Some(Stopped::AttemptsMax));
    }

    #[test]
    fn a_rule_that_asks_for_no_time_and_no_samples_gets_one_sample() {
        let nothing = StopRule::Adaptive {
            samples_min: 0,
            samples_max: 5,
            total_ns_min: 0,
            total_ns_max: 0,
        };
        assert_eq!(after(&nothing, 0, 0), None);
        assert_eq!(after(&nothing, 1, 0), Some(Stopped::Enough));
    }
}
