//! What is not the same any more between two runs, and what else differs.

use std::collections::BTreeMap;

use longrun_protocol::{Configuration, Engine, Size, Width};
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

/// One column in two runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FieldChange {
    /// Name of the history column.
    pub field: &'static str,
    /// In the earlier run; `None` is unknown.
    pub before: Option<String>,
    /// In the later run; `None` is unknown.
    pub after: Option<String>,
}

/// What two runs do not have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// Configurations that both have by name, and that are not the same.
    pub changed: Vec<ChangedConfiguration>,
    /// Configurations that only the earlier run has.
    pub missing: Vec<Configuration>,
    /// Configurations that only the later run has.
    pub added: Vec<Configuration>,
}

/// Everything that was asked for: the name of a configuration. Its revision, like the rest of the
/// identity, is what was found.
type Name<'a> = (&'a str, &'a str, Size, Engine, &'a str, &'a str, Width);

fn name(configuration: &Configuration) -> Name<'_> {
    (
        &configuration.suite,
        &configuration.case,
        configuration.size,
        configuration.engine,
        &configuration.stepper,
        &configuration.variant,
        configuration.width,
    )
}

/// What two runs do not have in common, given all rows of both.
pub fn between<'a>(
    old: impl Iterator<Item = &'a &'a Row>,
    new: impl Iterator<Item = &'a &'a Row>,
) -> Difference {
    let mut old: BTreeMap<Name<'_>, &Row> =
        old.map(|row| (name(&row.configuration), *row)).collect();
    let mut difference = Difference::default();
    for row in new {
        let Some(before) = old.remove(&name(&row.configuration)) else {
            difference.added.push(row.configuration.clone());
            continue;
        };
        let fields = differing(before, row);
        if !fields.is_empty() {
            difference.changed.push(ChangedConfiguration {
                configuration: row.configuration.clone(),
                fields,
            });
        }
    }
    let missing = old.values().map(|row| row.configuration.clone());
    difference.missing = missing.collect();
    difference
}

/// The parts of the identity that differ. Unknown differs from everything, itself included.
pub fn differing(old: &Row, new: &Row) -> Vec<FieldChange> {
    let revision = |row: &Row| Some(row.configuration.revision.to_string());
    let domains = |row: &Row| row.memory_domains.map(|domains| domains.to_string());
    let tolerances = |row: &Row| Some(row.tolerances.clone());
    let parts = [
        change("revision", old, new, revision),
        change("integrator", old, new, |row| row.integrator.clone()),
        change("tolerances", old, new, tolerances),
        change("noise_model", old, new, |row| row.noise_model.clone()),
        change("threading", old, new, |row| row.threading.clone()),
        change("memory_domains", old, new, domains),
    ];
    let differs = |part: &FieldChange| part.before.is_none() || part.before != part.after;
    parts.into_iter().filter(differs).collect()
}

/// What differs beside the identity and may be the reason why a time changed. What neither run
/// knows is no reason.
pub fn possible_reasons(old: &Row, new: &Row) -> Vec<FieldChange> {
    let parts = [
        change("fft_plans", old, new, |row| row.fft_plans.clone()),
        change("build_key", old, new, |row| row.build_key.clone()),
        change("worker_digest", old, new, |row| row.worker_digest.clone()),
        change("native_compiler", old, new, |row| {
            row.native_compiler.clone()
        }),
        change("native_profile", old, new, |row| row.native_profile.clone()),
        change("os", old, new, |row| row.os.clone()),
        change("cpu_model", old, new, |row| row.cpu_model.clone()),
        change("cpu_signature", old, new, |row| row.cpu_signature.clone()),
        change("gpu_model", old, new, |row| row.gpu_model.clone()),
        change("instance_type", old, new, |row| row.instance_type.clone()),
    ];
    let differs = |part: &FieldChange| part.before != part.after;
    parts.into_iter().filter(differs).collect()
}

fn change(
    field: &'static str,
    old: &Row,
    new: &Row,
    value: impl Fn(&Row) -> Option<String>,
) -> FieldChange {
    FieldChange {
        field,
        before: value(old),
        after: value(new),
    }
}
