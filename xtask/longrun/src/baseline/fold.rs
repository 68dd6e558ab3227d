//! A run added to a baseline. Pure.

use std::collections::BTreeMap;

use super::entry::{Entry, Key};
use super::file::Baseline;
use super::fingerprint::Fingerprint;
use super::found::Found;
use super::names::Names;

/// A run that is to be saved.
pub struct Run<'a> {
    /// Suite of all its configurations.
    pub suite: &'a str,
    /// What it was measured on.
    pub fingerprint: &'a Fingerprint,
    /// Its configurations.
    pub found: &'a [Found],
    /// What they were called before.
    pub names: &'a Names,
    /// Commit that was measured.
    pub commit: &'a str,
}

/// What becomes of entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// There was none before.
    pub added: usize,
    /// There was one, with other times.
    pub replaced: usize,
    /// Not run, so as they were.
    pub kept: usize,
}

/// The baseline that holds what the run has measured, and of everything else what `earlier` holds.
/// Notes that people wrote stay with their entries.
pub fn fold(earlier: Option<Baseline>, run: &Run<'_>) -> (Baseline, Changes) {
    let earlier = earlier.map_or_else(Vec::new, |earlier| earlier.entries);
    let earlier = earlier.into_iter().map(|entry| (entry.key(), entry));
    let mut entries: BTreeMap<Key, Entry> = earlier.collect();
    let before = entries.len();
    let mut changes = Changes::default();
    for found in run.found {
        let Some(times) = found.times() else {
            continue;
        };
        let key = Key::of(&found.configuration);
        let replaced = replaced(&entries, &key, run.names).and_then(|old| entries.remove(&old));
        match &replaced {
            Some(_) => changes.replaced += 1,
            None => changes.added += 1,
        }
        let note = replaced.and_then(|entry| entry.note);
        entries.insert(key, Entry::of(found, times, run.commit, note));
    }
    changes.kept = before.saturating_sub(changes.replaced);
    let baseline = Baseline {
        suite: run.suite.to_owned(),
        fingerprint: run.fingerprint.clone(),
        entries: entries.into_values().collect(),
    };
    (baseline, changes)
}

/// The entry that a configuration takes the place of: its own, or that of an earlier name.
fn replaced(entries: &BTreeMap<Key, Entry>, key: &Key, names: &Names) -> Option<Key> {
    if entries.contains_key(key) {
        return Some(key.clone());
    }
    let mut renamed = entries
        .iter()
        .filter(|(_, entry)| names.today(entry) == *key);
    renamed.next().map(|(old, _)| old.clone())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::super::file::made::{baseline, entry};
    use super::super::fingerprint::made::fingerprint;
    use super::super::found::Standing;
    use super::super::found::made::{found, of, quiet};
    use super::super::names::made::names;
    use super::*;

    fn folded(earlier: Option<Baseline>, found: &[Found], names: &Names) -> (Baseline, Changes) {
        let run = Run {
            suite: "kernels",
            fingerprint: &fingerprint(),
            found,
            names,
            commit: "89abcde",
        };
        fold(earlier, &run)
    }

    fn holding(entries: Vec<Entry>) -> Option<Baseline> {
        Some(Baseline {
            entries,
            ..baseline(0)
        })
    }

    #[test]
    fn saving_a_subset_leaves_the_rest_alone() {
        let earlier = baseline(3);
        let run = [found("case_1", quiet(500.0))];
        let (after, changes) = folded(Some(earlier.clone()), &run, &Names::default());
        let expected = Changes {
            added: 0,
            replaced: 1,
            kept: 2,
        };
        assert_eq!(changes, expected);
        assert_eq!(after.entries[0], earlier.entries[0]);
        assert_eq!(after.entries[2], earlier.entries[2]);
        assert_eq!(after.entries[1].median_ns, 500.0);
        assert_eq!(after.entries[1].commit, "89abcde");
    }

    #[test]
    fn saving_twice_replaces_and_keeps_the_order_and_the_notes() {
        let noted = Entry {
            note: Some("before the new planner".into()),
            ..entry("b", 1.0)
        };
        let run = [
            found("c", quiet(3.0)),
            found("b", quiet(2.0)),
            found("a", quiet(1.0)),
        ];
        let (once, changes) = folded(holding(vec![noted]), &run, &Names::default());
        assert_eq!((changes.added, changes.replaced, changes.kept), (2, 1, 0));
        let (twice, changes) = folded(Some(once.clone()), &run, &Names::default());
        assert_eq!((changes.added, changes.replaced, changes.kept), (0, 3, 0));
        assert_eq!(twice, once);
        let cases: Vec<&str> = twice
            .entries
            .iter()
            .map(|entry| entry.case.as_str())
            .collect();
        assert_eq!(cases, ["a", "b", "c"]);
        assert_eq!(
            twice.entries[1].note.as_deref(),
            Some("before the new planner")
        );
    }

    #[test]
    fn what_has_no_time_keeps_the_entry_that_it_had() {
        let earlier = baseline(2);
        let run = [
            found("case_0", Standing::Untimed("it crashed".into())),
            found("case_1", Standing::NotRun("interrupted".into())),
            found("new", Standing::Untimed("it crashed".into())),
        ];
        let (after, changes) = folded(Some(earlier.clone()), &run, &Names::default());
        assert_eq!(after, earlier);
        assert_eq!((changes.added, changes.replaced, changes.kept), (0, 0, 2));
    }

    #[test]
    fn a_renamed_case_takes_the_place_of_its_earlier_name() {
        let old = Entry {
            note: Some("as it was".into()),
            ..entry("old", 1.0)
        };
        let names = names(&[("new", "old"), ("other", "")]);
        let run = [found("new", quiet(2.0))];
        let (after, changes) = folded(holding(vec![old, entry("other", 5.0)]), &run, &names);
        let cases: Vec<&str> = after
            .entries
            .iter()
            .map(|entry| entry.case.as_str())
            .collect();
        assert_eq!(cases, ["new", "other"]);
        assert_eq!(after.entries[0].note.as_deref(), Some("as it was"));
        assert_eq!((changes.added, changes.replaced, changes.kept), (0, 1, 1));
    }

    #[test]
    fn fewer_than_five_samples_have_no_spread_to_save() {
        let run = [
            found("few", of(&[1.0, 2.0, 3.0, 4.0])),
            found("five", of(&[1.0, 2.0, 3.0, 4.0, 5.0])),
        ];
        let (after, _) = folded(None, &run, &Names::default());
        let [few, five] = [0, 1].map(|index: usize| after.entries[index].clone());
        assert_eq!(
            (five.iqr_ns, five.mad_ns, five.samples),
            (Some(2.0), Some(1.0), 5)
        );
        assert_eq!((few.iqr_ns, few.mad_ns, few.samples), (None, None, 4));
        assert_eq!((few.min_ns, few.median_ns, few.max_ns), (1.0, 2.5, 4.0));
    }
}
