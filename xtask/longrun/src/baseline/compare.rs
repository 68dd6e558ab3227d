//! A run beside a baseline: which entry each configuration has, whether the two may be compared,
//! and what is then said of them. Pure; the rule itself is in [`longrun_measure::stored`].

use std::collections::{BTreeMap, BTreeSet};

use longrun_measure::stored::{self, Policy, RunFacts, StoredFacts, Verdict};
use longrun_protocol::{Configuration, Size};

use super::entry::{Entry, Key};
use super::file::Baseline;
use super::fingerprint::{self, Fingerprint};
use super::found::{Found, Standing};
use super::names::Names;
use crate::exit::Exit;

/// Code of the reason for which times of two machines are not compared.
pub const OTHER_FINGERPRINT: &str = "other_fingerprint";

/// Code of the reason for which times of different work are not.
const OTHER_WORK: &str = "other_work";

/// What is to be compared.
pub struct Question<'a> {
    /// The baseline.
    pub baseline: &'a Baseline,
    /// How its file is called.
    pub file: &'a str,
    /// What the run was measured on.
    pub fingerprint: &'a Fingerprint,
    /// The run.
    pub found: &'a [Found],
    /// What its cases were called before.
    pub names: &'a Names,
    /// What is asked of it.
    pub policy: Policy,
}

/// What is said of one configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Which.
    pub configuration: Configuration,
    /// What its case is called in the baseline, where that is another name.
    pub earlier: Option<String>,
    /// The verdict.
    pub verdict: Verdict,
    /// Median of the baseline, ns of one operation.
    pub base_median_ns: Option<f64>,
    /// Median of the run.
    pub median_ns: Option<f64>,
    /// How the medians differ, as a part of the baseline's; positive where the run is slower.
    pub relative: Option<f64>,
    /// Their distance in robust standard deviations of single samples.
    pub sigmas: Option<f64>,
    /// Standard error of `relative`: that of the medians, not of single samples.
    pub standard_error: Option<f64>,
    /// Codes of what decided.
    pub decided_by: Vec<&'static str>,
    /// The same in words.
    pub reason: String,
    /// Allocations of one operation beyond the baseline's; `None` where a side did not count.
    pub allocation_delta: Option<f64>,
    /// Bytes that one operation asks for beyond the baseline's, in the same way.
    pub allocated_bytes_delta: Option<f64>,
    /// What people wrote into the entry.
    pub note: Option<String>,
    /// Commit that the entry was taken at.
    pub commit: Option<String>,
}

/// An entry that the run has no result for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Which.
    pub configuration: Configuration,
    /// Why, as far as it is known.
    pub reason: String,
}

/// What a run says beside a baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// How the file of the baseline is called.
    pub file: String,
    /// What was asked.
    pub policy: Policy,
    /// Why nothing may be compared, where that is so.
    pub differences: Vec<String>,
    /// One for each configuration that was run, in the order of the plan.
    pub rows: Vec<Row>,
    /// Entries without one, in the order of the baseline.
    pub missing: Vec<Missing>,
    /// Entries at sizes that the run does not have: one run has one size.
    pub other_sizes: usize,
}

impl Comparison {
    /// Compares.
    pub fn of(question: &Question<'_>) -> Comparison {
        let Question {
            baseline, found, ..
        } = question;
        let differences = fingerprint::differences(&baseline.fingerprint, question.fingerprint);
        let places = Places::of(baseline, question.names);
        let mut matched = BTreeSet::new();
        let mut rows = Vec::new();
        for one in *found {
            if matches!(one.standing, Standing::NotRun(_)) {
                continue;
            }
            let index = places.find(&one.configuration);
            matched.extend(index);
            let entry = index.and_then(|index| baseline.entries.get(index));
            rows.push(row(one, entry, &differences, question.policy));
        }
        let sizes: Vec<Size> = found.iter().map(|one| one.configuration.size).collect();
        let rest = baseline.entries.iter().enumerate();
        let rest = rest.filter(|(index, _)| !matched.contains(index));
        let (missing, other_sizes): (Vec<_>, Vec<_>) =
            rest.partition(|(_, entry)| sizes.contains(&entry.size));
        let planned = found.iter().map(|one| (Key::of(&one.configuration), one));
        let planned: BTreeMap<Key, &Found> = planned.collect();
        let missing = missing.into_iter().map(|(_, entry)| Missing {
            configuration: entry.configuration(&baseline.suite),
            reason: why_missing(entry, &planned, question.names),
        });
        Comparison {
            file: question.file.to_owned(),
            policy: question.policy,
            differences,
            rows,
            missing: missing.collect(),
            other_sizes: other_sizes.len(),
        }
    }

    /// Whether the policy has nothing against the run.
    pub fn passed(&self) -> bool {
        let fails = |verdict| self.policy.fails(verdict);
        let missing = !self.missing.is_empty() && fails(Verdict::Missing);
        !missing && !self.rows.iter().any(|row| fails(row.verdict))
    }

    /// How the program ends for it.
    pub fn exit(&self) -> Exit {
        match self.passed() {
            true => Exit::Success,
            false => Exit::Regressed,
        }
    }
}

/// Where entries are, by the name that they have and by the one of today.
struct Places {
    own: BTreeMap<Key, usize>,
    today: BTreeMap<Key, usize>,
}

impl Places {
    fn of(baseline: &Baseline, names: &Names) -> Places {
        let mut places = Places {
            own: BTreeMap::new(),
            today: BTreeMap::new(),
        };
        for (index, entry) in baseline.entries.iter().enumerate() {
            places.own.insert(entry.key(), index);
            // Of several that were renamed to one name, the first stands for it.
            places.today.entry(names.today(entry)).or_insert(index);
        }
        places
    }

    /// Of a configuration: under its name, else under the one that it had before.
    fn find(&self, configuration: &Configuration) -> Option<usize> {
        let key = Key::of(configuration);
        let own = self.own.get(&key);
        own.or_else(|| self.today.get(&key)).copied()
    }
}

fn row(found: &Found, entry: Option<&Entry>, differences: &[String], policy: Policy) -> Row {
    let times = found.times();
    let judged = match entry.and_then(|entry| apart(entry, found, differences)) {
        Some((code, reason)) => Judged {
            verdict: Verdict::Incomparable,
            decided_by: vec![code],
            reason,
            difference: None,
        },
        None => judged(found, entry, policy),
    };
    let both = times.zip(entry);
    let allocations = both.and_then(|(now, then)| Some(now.allocations? - then.allocations?));
    let bytes = both.and_then(|(now, then)| Some(now.allocated_bytes? - then.allocated_bytes?));
    let case = &found.configuration.case;
    let earlier = entry.filter(|entry| entry.case != *case);
    Row {
        configuration: found.configuration.clone(),
        earlier: earlier.map(|entry| entry.case.clone()),
        verdict: judged.verdict,
        base_median_ns: entry.map(|entry| entry.median_ns),
        median_ns: times.map(|times| times.statistics.median),
        relative: judged.difference.map(|difference| difference.relative),
        sigmas: judged.difference.and_then(|difference| difference.sigmas),
        standard_error: judged
            .difference
            .and_then(|difference| difference.standard_error),
        decided_by: judged.decided_by,
        reason: judged.reason,
        allocation_delta: allocations,
        allocated_bytes_delta: bytes,
        note: entry.and_then(|entry| entry.note.clone()),
        commit: entry.map(|entry| entry.commit.clone()),
    }
}

/// Why an entry and a run are not of one machine or not of one work, with its code; `None` if they
/// are. A run without a time is not asked what it did.
fn apart(entry: &Entry, found: &Found, differences: &[String]) -> Option<(&'static str, String)> {
    if !differences.is_empty() {
        let reason = format!(
            "{}; save a baseline on this machine to compare with",
            differences.join("; ")
        );
        return Some((OTHER_FINGERPRINT, reason));
    }
    found.times()?;
    let work = entry.contract_differences(found);
    (!work.is_empty()).then(|| {
        let reason = format!(
            "{}; it is other work now: save it anew with --save-baseline",
            work.join("; ")
        );
        (OTHER_WORK, reason)
    })
}

struct Judged {
    verdict: Verdict,
    decided_by: Vec<&'static str>,
    reason: String,
    difference: Option<stored::Difference>,
}

/// What the rule says of numbers that may be compared.
fn judged(found: &Found, entry: Option<&Entry>, policy: Policy) -> Judged {
    // Whether they are of one machine and one work was decided before.
    let one = Some(String::new());
    let times = found.times();
    let facts = RunFacts {
        statistics: times.map(|times| times.statistics),
        process_medians_ns: times.map_or_else(Vec::new, |times| times.process_medians_ns.clone()),
        warning: times.and_then(|times| times.warning),
        broken_witness: match &found.standing {
            Standing::Timed(_) => None,
            Standing::Untimed(why) | Standing::NotRun(why) => Some(why.clone()),
        },
        fingerprint: one.clone(),
    };
    let kept = entry.map(|entry| StoredFacts {
        fingerprint: one,
        ..entry.facts()
    });
    let said = stored::compare(kept.as_ref(), &facts, &policy.thresholds());
    Judged {
        verdict: said.verdict,
        decided_by: said.reasons.iter().map(stored::Reason::code).collect(),
        reason: said.reason(),
        difference: said.difference,
    }
}

/// Why the run has no result for an entry; `planned` is what it was to run.
fn why_missing(entry: &Entry, planned: &BTreeMap<Key, &Found>, names: &Names) -> String {
    let same = planned.get(&names.today(entry));
    match same.map(|one| &one.standing) {
        Some(Standing::NotRun(why)) => format!("not run: {why}"),
        Some(_) => "the case has an entry under its name of today as well; remove one".to_owned(),
        None if names.has(&entry.case) => "not run".to_owned(),
        None => "not run: the registry has no such case; one that was renamed keeps its baseline \
                 if `renamed_from` says so"
            .to_owned(),
    }
}

#[cfg(test)]
pub mod made {
    //! Rows of comparisons that never were.

    use longrun_measure::stored::Verdict;

    use super::super::found::Standing;
    use super::super::found::made::found;
    use super::Row;

    /// One of a case, with a verdict and without numbers.
    pub fn row(case: &str, verdict: Verdict) -> Row {
        Row {
            configuration: found(case, Standing::NotRun(String::new())).configuration,
            earlier: None,
            verdict,
            base_median_ns: None,
            median_ns: None,
            relative: None,
            sigmas: None,
            standard_error: None,
            decided_by: Vec::new(),
            reason: "so it is".into(),
            allocation_delta: None,
            allocated_bytes_delta: None,
            note: None,
            commit: None,
        }
    }
}

#[cfg(test)]
mod tests;
