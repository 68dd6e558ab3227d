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
    #![allow(clippy::unwrap_used)]

    use super::Names;
    use crate::registry::Registry;

    /// Of these cases of suite `kernels`, each with its earlier name or "".
    pub fn names(cases: &[(&str, &str)]) -> Names {
        let mut text = "schema_version = 1\nsuite = \"kernels\"\ntitle = \"A suite\"\n".to_owned();
        for (name, earlier) in cases {
            let earlier = match *earlier {
                "" => String::new(),
                earlier => format!("renamed_from = \"{earlier}\"\n"),
            };
            text.push_str(&format!(
                "[[case]]\nname = \"{name}\"\ntitle = \"A case\"\ninterface = \"stub\"\n\
                 worker = {{ command = [\"true\"] }}\nengines = [\"reference\"]\n\
                 repeat_bound = 1e-9\nrevision_bound = 1e-6\n{earlier}\
                 [case.sizes.full]\nrevision = 1\nwidths = [\"1\"]\n"
            ));
        }
        Names::of(&Registry::parse(&[("kernels.toml".to_owned(), text)]).unwrap())
    }
}
