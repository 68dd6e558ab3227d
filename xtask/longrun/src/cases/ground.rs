//! What tables are made from: the registry and the records, and which records count. Pure.

use std::collections::BTreeMap;

use longrun_protocol::Size;
use longrun_protocol::registry::{CaseEntry, SizeEntry};

use super::directive::Directive;
use super::record::{Cost, Record, Subject};
use super::store::Store;
use crate::registry::{Registry, Suite};

/// Registry and records.
pub struct Ground<'a> {
    /// The registry.
    pub registry: &'a Registry,
    /// Records, by suite.
    pub stores: &'a BTreeMap<String, Store>,
    /// Suite of a table that names none.
    pub default_suite: &'a str,
}

/// The part of it that a table is about.
pub struct Scope<'a> {
    /// The cases, in the order of the registry.
    pub cases: Vec<&'a CaseEntry>,
    /// Records of their suite.
    pub records: &'a Store,
}

/// Records of a suite that nobody has recorded.
static NONE: Store = Store::empty();

impl<'a> Ground<'a> {
    /// The cases that a marker is about.
    ///
    /// # Errors
    /// Names the suite, case or interface that is not registered.
    pub fn scope(&self, directive: &Directive) -> Result<Scope<'a>, String> {
        let name = directive.suite.as_deref().unwrap_or(self.default_suite);
        let suite = self
            .registry
            .suite(name)
            .ok_or_else(|| format!("there is no suite `{name}`"))?;
        let cases = selected(suite, directive)?;
        Ok(Scope {
            cases,
            records: self.stores.get(name).unwrap_or(&NONE),
        })
    }
}

fn selected<'a>(suite: &'a Suite, directive: &Directive) -> Result<Vec<&'a CaseEntry>, String> {
    let Directive {
        cases, interfaces, ..
    } = directive;
    let unknown = |name: &&String| !suite.cases.iter().any(|case| case.name == **name);
    if let Some(name) = cases.iter().find(unknown) {
        return Err(format!("suite `{}` has no case `{name}`", suite.name));
    }
    let absent = |name: &&String| !suite.cases.iter().any(|case| case.interface == **name);
    if let Some(name) = interfaces.iter().find(absent) {
        return Err(format!("suite `{}` has no interface `{name}`", suite.name));
    }
    let chosen = |case: &&CaseEntry| {
        let named = match cases.is_empty() {
            true => case.tracked,
            false => cases.contains(&case.name),
        };
        named && (interfaces.is_empty() || interfaces.contains(&case.interface))
    };
    Ok(suite.cases.iter().filter(chosen).collect())
}

impl<'a> Scope<'a> {
    /// The cases that have a size, with what the registry says of it.
    pub fn at(&self, size: Size) -> impl Iterator<Item = (&'a CaseEntry, &'a SizeEntry)> {
        let cases = self.cases.iter().copied();
        cases.filter_map(move |case| Some((case, case.sizes.get(&size)?)))
    }

    /// Records of a case at a size that are of its present revision.
    pub fn current(&self, case: &'a CaseEntry, size: Size) -> Vec<&'a Record> {
        let revision = case.sizes.get(&size).map(|entry| entry.revision);
        let records = self.records.at(&case.name, size);
        records
            .filter(|record| Some(record.revision()) == revision)
            .collect()
    }

    /// What a case cost at a size with its default engine and stepper, the narrowest run first.
    pub fn costs(&self, case: &'a CaseEntry, size: Size) -> Vec<&'a Cost> {
        let records = self.current(case, size).into_iter();
        let costs = records.filter_map(|record| match record {
            Record::Cost(cost) if is_default(&cost.of, case) => Some(cost),
            _ => None,
        });
        costs.collect()
    }

    /// Records of one kind of the selected cases at a size that are of another revision, each as a
    /// sentence.
    pub fn left_out(&self, size: Size, kind: fn(&Record) -> bool) -> Vec<String> {
        let mut left_out = Vec::new();
        for (case, entry) in self.at(size) {
            let records = self.records.at(&case.name, size);
            for record in records.filter(|record| kind(record)) {
                let (old, now) = (record.revision(), entry.revision);
                let line = format!(
                    "Left out: `{}` at size {size}, which was recorded at revision {old} and has \
                     revision {now} now.",
                    case.name
                );
                if old != now && !left_out.contains(&line) {
                    left_out.push(line);
                }
            }
        }
        left_out
    }
}

/// Whether something was run by the default engine and stepper of its case.
pub fn is_default(of: &Subject, case: &CaseEntry) -> bool {
    Some(&of.engine) == case.engines.first() && of.stepper == case.default_stepper
}
