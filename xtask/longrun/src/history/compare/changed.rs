//! What is not the same configuration any more, although it has the same name.

use std::collections::BTreeMap;

use longrun_protocol::Configuration;
use serde::Serialize;

use crate::history::rows::Row;

/// A configuration of two runs that cannot be compared, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangedConfiguration {
    /// The configuration of the later run.
    pub configuration: Configuration,
    /// Every part of the identity that differs, or is unknown.
    pub fields: Vec<FieldChange>,
}

/// One part of an identity in two runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FieldChange {
    /// Name of the history column.
    pub field: &'static str,
    /// In the earlier run; `None` is unknown.
    pub before: Option<String>,
    /// In the later run; `None` is unknown.
    pub after: Option<String>,
}

/// Configurations that both runs have by name, and that are not the same.
///
/// The name is everything that was asked for: suite, case, size, engine, stepper, variant and
/// width. The rest of the identity is what it resolved to.
pub(super) fn between<'a>(
    old: impl Iterator<Item = &'a &'a Row>,
    new: impl Iterator<Item = &'a &'a Row>,
) -> Vec<ChangedConfiguration> {
    let old: BTreeMap<Configuration, &Row> = old.map(|row| (asked_for(row), *row)).collect();
    let mut changed = Vec::new();
    for row in new {
        let Some(before) = old.get(&asked_for(row)) else {
            continue;
        };
        let fields = differing(before, row);
        if !fields.is_empty() {
            changed.push(ChangedConfiguration {
                configuration: row.configuration.clone(),
                fields,
            });
        }
    }
    changed
}

/// The configuration without its revision, which is not asked for but found.
fn asked_for(row: &Row) -> Configuration {
    Configuration {
        revision: 0,
        ..row.configuration.clone()
    }
}

/// The parts of the identity that differ. Unknown differs from everything, itself included.
fn differing(old: &Row, new: &Row) -> Vec<FieldChange> {
    let revision = |row: &Row| Some(row.configuration.revision.to_string());
    let domains = |row: &Row| row.memory_domains.map(|domains| domains.to_string());
    let parts = [
        ("revision", revision(old), revision(new)),
        ("integrator", old.integrator.clone(), new.integrator.clone()),
        (
            "tolerances",
            Some(old.tolerances.clone()),
            Some(new.tolerances.clone()),
        ),
        (
            "noise_model",
            old.noise_model.clone(),
            new.noise_model.clone(),
        ),
        ("threading", old.threading.clone(), new.threading.clone()),
        ("memory_domains", domains(old), domains(new)),
    ];
    parts
        .into_iter()
        .filter(|(_, before, after)| before.is_none() || before != after)
        .map(|(field, before, after)| FieldChange {
            field,
            before,
            after,
        })
        .collect()
}
