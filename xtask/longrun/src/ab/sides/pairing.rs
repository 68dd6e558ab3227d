//! Which configurations of two revisions belong together, and whether they define the same work.
//! Pure.

use std::collections::BTreeMap;

use longrun_protocol::registry::{CaseEntry, Metric, SamplingPolicy};
use longrun_protocol::{Configuration, Width};
use serde_json::Value;

use crate::ab::kept::record::Standing;
use crate::cli::SelectionArgs;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::registry::Registry;
use crate::run::plan::{Plan, PlanItem, Widths};

/// Characters of a parameter's value that a reason shows.
const VALUE_LENGTH_MAX: usize = 60;

/// Levels of nested parameters that are compared one by one; deeper ones are compared whole.
const DEPTH_MAX: usize = 8;

/// What one side has to select from.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// Its cases.
    pub registry: &'a Registry,
    /// What it runs when nothing is selected.
    pub default_suite: &'a str,
}

/// What the registry says of a case, beside what a worker is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facts {
    /// Clock that decides.
    pub metric: Metric,
    /// Largest relative L2 difference of states that still is the same physics.
    pub revision_bound: f64,
    /// Largest relative difference in accepted steps.
    pub step_tolerance: f64,
    /// Whether final states of complete runs say nothing across builds.
    pub chaotic: bool,
    /// How it is sampled.
    pub sampling: SamplingPolicy,
}

/// One configuration of either side, or of both.
#[derive(Clone, Debug, PartialEq)]
pub struct Couple {
    /// As the baseline has it.
    pub baseline: Option<PlanItem>,
    /// As the candidate has it.
    pub candidate: Option<PlanItem>,
    /// What the registry says of it; the candidate's, where it has the case.
    pub facts: Facts,
}

impl Couple {
    /// The candidate's item, or the baseline's where the candidate has none.
    pub fn item(&self) -> Option<&PlanItem> {
        self.candidate.as_ref().or(self.baseline.as_ref())
    }

    /// Name of the case in the baseline, where it was another.
    pub fn renamed_from(&self) -> Option<String> {
        let (then, now) = (self.baseline.as_ref()?, self.candidate.as_ref()?);
        let renamed = then.configuration.case != now.configuration.case;
        renamed.then(|| then.configuration.case.clone())
    }

    /// Whether the sides can be compared.
    pub fn standing(&self) -> Standing {
        match (&self.baseline, &self.candidate) {
            (Some(then), Some(now)) => match differences(then, now) {
                reasons if reasons.is_empty() => Standing::Comparable,
                reasons => Standing::Changed { reasons },
            },
            (None, _) => Standing::New,
            (_, None) => Standing::Missing,
        }
    }
}

/// The configurations that `selection` means, candidate's first and in the order of its plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pairing {
    /// One for each configuration of either side.
    pub couples: Vec<Couple>,
    /// What the user should know about the selection.
    pub notes: Vec<String>,
}

impl Pairing {
    /// Pairs what the two sides have.
    ///
    /// # Errors
    /// Exit 2 where the selection means nothing on either side.
    pub fn of(
        baseline: Source<'_>,
        candidate: Source<'_>,
        selection: &SelectionArgs,
        widths: Widths,
    ) -> Outcome<Pairing> {
        let (gone, here): (Vec<String>, Vec<String>) = selection
            .cases
            .iter()
            .cloned()
            .partition(|name| is_gone(baseline.registry, candidate.registry, name));
        let mut pairing = Pairing::default();
        let left = SelectionArgs {
            cases: here,
            ..selection.clone()
        };
        let nothing_left = left.cases.is_empty() && left.sets.is_empty() && !gone.is_empty();
        let items = match nothing_left {
            true => Vec::new(),
            false => {
                let suite = candidate.default_suite;
                let plan = Plan::build(candidate.registry, &left, suite, widths)?;
                pairing.notes = plan.notes;
                plan.items
            }
        };
        let mut earlier = Earlier {
            source: baseline,
            selection,
            widths,
            cases: BTreeMap::new(),
        };
        for item in items {
            let Some((_, case)) = candidate.registry.case(&item.configuration.case) else {
                continue;
            };
            pairing.couples.push(Couple {
                baseline: earlier.take(case, &item)?,
                facts: facts(case, &item.configuration),
                candidate: Some(item),
            });
        }
        pairing.couples.extend(earlier.rest(gone)?);
        Ok(pairing)
    }
}

/// Whether only the baseline has a case of this name, and the candidate has not renamed it.
fn is_gone(baseline: &Registry, candidate: &Registry, name: &str) -> bool {
    let renamed = |case: &CaseEntry| case.renamed_from.as_deref() == Some(name);
    baseline.case(name).is_some()
        && candidate.case(name).is_none()
        && !candidate.cases().any(|(_, case)| renamed(case))
}

fn facts(case: &CaseEntry, configuration: &Configuration) -> Facts {
    let size = case.sizes.get(&configuration.size);
    Facts {
        // CPU time says how long it takes only where one thread does all the work.
        metric: match configuration.width {
            Width::Threads(1) => case.primary_metric,
            _ => Metric::Wall,
        },
        revision_bound: case.revision_bound,
        step_tolerance: case.step_tolerance,
        chaotic: case.chaotic,
        sampling: size.map_or(case.sampling, |size| case.sampling_at(size)),
    }
}

/// The baseline's configurations, as the candidate's take them.
struct Earlier<'a> {
    source: Source<'a>,
    selection: &'a SelectionArgs,
    widths: Widths,
    /// What is left of each case that was looked at.
    cases: BTreeMap<String, Vec<PlanItem>>,
}

impl Earlier<'_> {
    /// The baseline's counterpart of `item`, which is of `case`.
    fn take(&mut self, case: &CaseEntry, item: &PlanItem) -> Outcome<Option<PlanItem>> {
        let names = [Some(case.name.as_str()), case.renamed_from.as_deref()];
        let known = |name: &&str| self.source.registry.case(name).is_some();
        let Some(name) = names.into_iter().flatten().find(known) else {
            return Ok(None);
        };
        let items = self.look_at(name)?;
        let found = items.iter().position(|then| is_counterpart(then, item));
        Ok(found.map(|index| items.remove(index)))
    }

    /// What of the case `name` nobody has taken yet.
    fn look_at(&mut self, name: &str) -> Outcome<&mut Vec<PlanItem>> {
        if !self.cases.contains_key(name) {
            let items = self.items(name)?;
            self.cases.insert(name.to_owned(), items);
        }
        Ok(self.cases.entry(name.to_owned()).or_default())
    }

    /// What the selection means of one case; nothing where the baseline does not have that.
    fn items(&self, name: &str) -> Outcome<Vec<PlanItem>> {
        let selection = SelectionArgs {
            cases: vec![name.to_owned()],
            sets: Vec::new(),
            all: false,
            ..self.selection.clone()
        };
        let suite = self.source.default_suite;
        match Plan::build(self.source.registry, &selection, suite, self.widths) {
            Ok(plan) => Ok(plan.items),
            Err(failure) if failure.exit == Exit::Usage => Ok(Vec::new()),
            Err(failure) => Err(failure),
        }
    }

    /// Everything that the selection means and nobody has taken: the candidate does not have it.
    fn rest(mut self, gone: Vec<String>) -> Outcome<Vec<Couple>> {
        let selection = self.selection;
        let default = [self.source.default_suite.to_owned()];
        let named = !selection.cases.is_empty() || !selection.sets.is_empty();
        let sets = match named || selection.all {
            true => &selection.sets[..],
            false => &default[..],
        };
        let registry = self.source.registry;
        for name in &gone {
            self.look_at(name)?;
        }
        for (suite, case) in registry.cases() {
            let in_set = |set: &String| set == "all" || *set == suite.name;
            if selection.all || (case.tracked && sets.iter().any(in_set)) {
                self.look_at(&case.name)?;
            }
        }
        let mut couples = Vec::new();
        for (name, items) in self.cases {
            let Some((_, case)) = registry.case(&name) else {
                continue;
            };
            couples.extend(items.into_iter().map(|item| Couple {
                facts: facts(case, &item.configuration),
                baseline: Some(item),
                candidate: None,
            }));
        }
        Ok(couples)
    }
}

/// Whether the two are one configuration, whatever its case is called and whatever it is defined
/// to be.
fn is_counterpart(then: &PlanItem, now: &PlanItem) -> bool {
    let (then, now) = (&then.configuration, &now.configuration);
    then.size == now.size
        && then.engine == now.engine
        && then.stepper == now.stepper
        && then.variant == now.variant
        && then.width == now.width
}

/// How the definitions differ, one sentence for each difference.
fn differences(then: &PlanItem, now: &PlanItem) -> Vec<String> {
    let mut reasons = Vec::new();
    let mut note = |what: &str, then: Value, now: Value| {
        if then != now {
            reasons.push(format!(
                "`{what}` was {} and is {}",
                shown(&then),
                shown(&now)
            ));
        }
    };
    let revisions = [then, now].map(|item| Value::from(item.configuration.revision));
    let [before, after] = revisions;
    note("revision", before, after);
    note(
        "interface",
        then.interface.clone().into(),
        now.interface.clone().into(),
    );
    note(
        "default_stepper",
        then.default_stepper.clone().into(),
        now.default_stepper.clone().into(),
    );
    note("seed", then.seed.into(), now.seed.into());
    note("noise", then.noise.clone().into(), now.noise.clone().into());
    let parameters = [then, now].map(|item| Value::Object(item.parameters.clone()));
    parameter_differences("parameters", &parameters[0], &parameters[1], 0, &mut note);
    reasons
}

/// Descends into objects, so that what differs is named and not what holds it.
fn parameter_differences(
    path: &str,
    then: &Value,
    now: &Value,
    depth: usize,
    note: &mut impl FnMut(&str, Value, Value),
) {
    let (Value::Object(before), Value::Object(after), true) = (then, now, depth < DEPTH_MAX) else {
        note(path, then.clone(), now.clone());
        return;
    };
    let new = after.keys().filter(|key| !before.contains_key(*key));
    for key in before.keys().chain(new) {
        let value = |side: &serde_json::Map<String, Value>| match side.get(key) {
            Some(value) => value.clone(),
            None => Value::Null,
        };
        let path = format!("{path}.{key}");
        parameter_differences(&path, &value(before), &value(after), depth + 1, note);
    }
}

fn shown(value: &Value) -> String {
    let text = match value {
        Value::Null => return "absent".to_owned(),
        value => value.to_string(),
    };
    match text.chars().count() > VALUE_LENGTH_MAX {
        true => text
            .chars()
            .take(VALUE_LENGTH_MAX)
            .chain("…".chars())
            .collect(),
        false => text,
    }
}

#[cfg(test)]
#[path = "pairing_tests.rs"]
mod tests;
