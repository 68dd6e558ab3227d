//! What cases are called today.

use std::collections::BTreeSet;

use super::entry::{Entry, Key};
use crate::history::renames::Renames;
use crate::registry::Registry;

/// The cases of the registry, and what some of them were called before.
#[derive(Clone, Debug, Default)]
pub struct Names {
    renames: Renames,
    cases: BTreeSet<String>,
}

impl Names {
    /// Of all cases.
    pub fn of(registry: &Registry) -> Names {
        let cases = registry.cases().map(|(_, case)| case.name.clone());
        Names {
            renames: Renames::of(registry),
            cases: cases.collect(),
        }
    }

    /// Whether there is a case of this name.
    pub fn has(&self, case: &str) -> bool {
        self.cases.contains(case)
    }

    /// What an entry is called today.
    pub fn today(&self, entry: &Entry) -> Key {
        let mut today = entry.configuration("");
        self.renames.today(&entry.case).clone_into(&mut today.case);
        Key::of(&today)
    }
}

#[cfg(test)]
pub mod made {
    //! Names of cases that do not exist.

    use super::Names;
    use crate::registry::made::renamed;

    /// Of these cases of suite `kernels`, each with its earlier name or "".
    pub fn names(cases: &[(&str, &str)]) -> Names {
        Names::of(&renamed("kernels", cases))
    }
}
