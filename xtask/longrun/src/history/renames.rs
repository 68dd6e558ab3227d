//! Cases that the registry says were renamed go on under their new name.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::file::HistoryFile;
use super::rows::Entry;
use super::runs;
use crate::registry::Registry;

/// New names by suite and earlier name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renames {
    new_names: BTreeMap<(String, String), String>,
}

impl Renames {
    /// What the registry says. An earlier name that is still a case, or that two cases claim, means
    /// nothing.
    pub fn of(registry: &Registry) -> Renames {
        let mut claims: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
        for (suite, case) in registry.cases() {
            if let Some(earlier) = &case.renamed_from
                && registry.case(earlier).is_none()
            {
                let key = (suite.name.clone(), earlier.clone());
                claims.entry(key).or_default().push(case.name.clone());
            }
        }
        let only = claims.into_iter().filter_map(|(key, mut names)| {
            let name = names.pop()?;
            names.is_empty().then_some((key, name))
        });
        Renames {
            new_names: only.collect(),
        }
    }

    /// The name of today for a name in any suite.
    pub fn today<'a>(&'a self, name: &'a str) -> &'a str {
        let mut renamed = self.new_names.iter();
        let renamed = renamed.find(|((_, earlier), _)| earlier == name);
        renamed.map_or(name, |(_, new)| new)
    }

    /// Gives the rows of a file their names of today; returns the earlier names that were met,
    /// each with the new one. A run that has a case under both names keeps both.
    pub fn apply(&self, file: &mut HistoryFile) -> BTreeSet<(String, String)> {
        let mut met = BTreeSet::new();
        if self.new_names.is_empty() {
            return met;
        }
        let new_names: HashSet<&str> = self.new_names.values().map(String::as_str).collect();
        let mut has: HashMap<String, HashSet<String>> = HashMap::new();
        for row in runs::rows(file) {
            if new_names.contains(row.configuration.case.as_str()) {
                let of_run = has.entry(row.run_id.clone()).or_default();
                of_run.insert(row.configuration.case.clone());
            }
        }
        for entry in &mut file.entries {
            let Entry::Run(row) = entry else { continue };
            let configuration = &mut row.configuration;
            let key = (configuration.suite.clone(), configuration.case.clone());
            let Some(new) = self.new_names.get(&key) else {
                continue;
            };
            if has
                .get(&row.run_id)
                .is_some_and(|names| names.contains(new))
            {
                continue;
            }
            configuration.case.clone_from(new);
            met.insert((key.1, new.clone()));
        }
        met
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::testing::{entries, full_row};
    use crate::registry::made::renamed;

    fn names_after(renames: &Renames, rows: &[(&str, &str)]) -> Vec<String> {
        let rows: Vec<_> = rows
            .iter()
            .map(|(run, case)| full_row(run, case, 1.0))
            .collect();
        let mut file = HistoryFile {
            entries: entries(&rows),
            ..HistoryFile::empty("some-cpu-2c")
        };
        renames.apply(&mut file);
        let names = runs::rows(&file).map(|row| row.configuration.case.clone());
        names.collect()
    }

    #[test]
    fn an_earlier_name_becomes_the_new_one() {
        let renames = Renames::of(&renamed("tracking", &[("new", "old"), ("other", "")]));
        assert_eq!(
            (renames.today("old"), renames.today("other")),
            ("new", "other")
        );
        let rows = [("r1", "old"), ("r1", "other"), ("r2", "new")];
        assert_eq!(names_after(&renames, &rows), ["new", "other", "new"]);
    }

    #[test]
    fn a_run_with_both_names_keeps_both() {
        let renames = Renames::of(&renamed("tracking", &[("new", "old")]));
        let rows = [("r1", "old"), ("r2", "old"), ("r2", "new")];
        assert_eq!(names_after(&renames, &rows), ["new", "old", "new"]);
    }

    #[test]
    fn a_name_that_is_still_used_or_claimed_twice_is_left_alone() {
        for cases in [
            &[("new", "old"), ("old", "")][..],
            &[("new", "old"), ("newer", "old")],
        ] {
            let renames = Renames::of(&renamed("tracking", cases));
            assert_eq!(renames, Renames::default());
            assert_eq!(names_after(&renames, &[("r1", "old")]), ["old"]);
        }
    }
}
