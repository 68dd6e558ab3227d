//! The plan: which configurations one run executes, in order. Pure.

use longrun_protocol::registry::{
    CaseEntry, Estimate, SamplingPolicy, SizeEntry, WidthSpec, WorkerSpec,
};
use longrun_protocol::request::{Bounds, Parameters};
use longrun_protocol::{Configuration, Engine, Width};

use crate::cli::{SelectionArgs, VariantChoice};
use crate::failure::{Failure, Outcome};
use crate::registry::{Registry, Suite};

/// Configurations that one run may have.
const CONFIGURATIONS_MAX: usize = 10_000;

/// What the machine contributes to a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Widths {
    /// Threads that `production` stands for.
    pub production: u32,
    /// Physical cores of the allocation, where known.
    pub cores: Option<u32>,
}

/// One configuration with all that a worker must be told about it.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanItem {
    /// What is computed.
    pub configuration: Configuration,
    /// Problem family.
    pub interface: String,
    /// Program that runs it.
    pub worker: WorkerSpec,
    /// Parameters at this size.
    pub parameters: Parameters,
    /// What the stepper `default` stands for.
    pub default_stepper: String,
    /// Seed of the noise.
    pub seed: Option<u64>,
    /// Noise model.
    pub noise: String,
    /// How it is sampled at this size; `--repeats` is in it.
    pub sampling: SamplingPolicy,
    /// Timed repeats; of sampled work the least number of samples of a process.
    pub repeats: u32,
    /// Processes that run it, one after the other, when it is tracked.
    pub processes: u32,
    /// Least seconds from the first of them to the last.
    pub spread_s: u32,
    /// Oracles of the case at this size, by name.
    pub oracles: Vec<String>,
    /// Bounds of the case.
    pub bounds: Bounds,
    /// Whether the worker prepares FFT plans when it is asked to.
    pub fft_plans: bool,
    /// Expected cost, where the registry has one for this width.
    pub estimate: Option<Estimate>,
}

impl PlanItem {
    /// Expected seconds of all its processes.
    pub fn estimate_s(&self) -> Option<f64> {
        let each = self.process_estimate_s();
        each.map(|seconds| f64::from(self.processes) * seconds)
    }

    /// Seconds that must lie between the beginnings of two of its processes.
    pub fn pace_s(&self) -> f64 {
        match self.processes {
            0 | 1 => 0.0,
            processes => f64::from(self.spread_s) / f64::from(processes - 1),
        }
    }

    /// Expected seconds of one of its processes.
    pub fn process_estimate_s(&self) -> Option<f64> {
        self.estimate
            .map(|estimate| estimate.setup_s + self.sampling.seconds(estimate.run_s))
    }
}

/// The configurations of one run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// In the order of execution.
    pub items: Vec<PlanItem>,
    /// What the user should know about the selection.
    pub notes: Vec<String>,
}

impl Plan {
    /// Expected seconds of the run; `None` if some configuration has no estimate.
    pub fn estimate_s(&self) -> Option<f64> {
        let busy_s: Option<f64> = self.items.iter().map(PlanItem::estimate_s).sum();
        let spread_s = self.items.iter().filter(|item| item.processes > 1);
        let spread_s = spread_s.map(|item| f64::from(item.spread_s));
        busy_s.map(|busy_s| spread_s.fold(busy_s, f64::max))
    }

    /// The plan of `selection`.
    pub fn build(
        registry: &Registry,
        selection: &SelectionArgs,
        default_suite: &str,
        widths: Widths,
    ) -> Outcome<Plan> {
        let mut plan = Plan::default();
        for (suite, case) in selected_cases(registry, selection, default_suite)? {
            let expansion = Expansion {
                suite,
                case,
                selection,
                widths,
            };
            plan.note(expansion.single_threaded_note()?);
            for item in expansion.items()? {
                let known = |known: &PlanItem| known.configuration == item.configuration;
                if !plan.items.iter().any(known) {
                    plan.items.push(item);
                }
            }
            if plan.items.len() > CONFIGURATIONS_MAX {
                return Err(Failure::usage(format!(
                    "failed to plan the run: more than {CONFIGURATIONS_MAX} configurations are \
                     selected; select fewer cases, widths or variants"
                )));
            }
        }
        if plan.items.is_empty() {
            return Err(Failure::usage(
                "failed to plan the run: nothing is selected; `cargo xtask list --all` shows \
                 every case",
            ));
        }
        plan.note(width_note(&plan.items, widths.cores));
        Ok(plan)
    }

    /// Adds a note that is not there yet.
    fn note(&mut self, note: Option<String>) {
        let new = note.filter(|note| !self.notes.contains(note));
        self.notes.extend(new);
    }
}

fn width_note(items: &[PlanItem], cores: Option<u32>) -> Option<String> {
    let cores = cores?;
    let widest = items
        .iter()
        .filter_map(|item| match item.configuration.width {
            Width::Threads(threads) => Some(threads),
            Width::Device => None,
        })
        .max()?;
    (widest > cores).then(|| {
        format!(
            "width {widest} is above the {cores} physical cores of this allocation: its threads \
             share cores"
        )
    })
}

type Selected<'a> = Vec<(&'a Suite, &'a CaseEntry)>;

fn selected_cases<'a>(
    registry: &'a Registry,
    selection: &SelectionArgs,
    default_suite: &str,
) -> Outcome<Selected<'a>> {
    if selection.all {
        return Ok(registry.cases().collect());
    }
    let mut selected = Vec::new();
    for name in &selection.cases {
        let found = registry.case(name);
        selected.push(found.ok_or_else(|| unknown_case(registry, name))?);
    }
    let nothing_named = selection.cases.is_empty() && selection.sets.is_empty();
    let default_set = [default_suite.to_owned()];
    let sets = match nothing_named {
        true => &default_set[..],
        false => &selection.sets[..],
    };
    for set in sets {
        let of_set = registry
            .cases()
            .filter(|(suite, case)| case.tracked && (set == "all" || suite.name == *set));
        if set != "all" && registry.suite(set).is_none() {
            return Err(unknown_suite(registry, set));
        }
        selected.extend(of_set);
    }
    Ok(selected)
}

fn unknown_case(registry: &Registry, name: &str) -> Failure {
    let renamed = registry
        .cases()
        .find(|(_, case)| case.renamed_from.as_deref() == Some(name));
    if let Some((_, case)) = renamed {
        return Failure::usage(format!(
            "failed to select case `{name}`: it is now called `{}`",
            case.name
        ));
    }
    let names: Vec<&str> = registry.cases().map(|(_, c)| c.name.as_str()).collect();
    Failure::usage(format!(
        "failed to select case `{name}`: there is no such case; the registry has {}",
        listed(&names)
    ))
}

fn unknown_suite(registry: &Registry, name: &str) -> Failure {
    let mut names: Vec<&str> = registry.suites.iter().map(|s| s.name.as_str()).collect();
    names.push("all");
    Failure::usage(format!(
        "failed to select suite `{name}`: there is no such suite; the registry has {}",
        listed(&names)
    ))
}

fn listed(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    quoted.join(", ")
}

/// One selected case, about to become configurations.
struct Expansion<'a> {
    suite: &'a Suite,
    case: &'a CaseEntry,
    selection: &'a SelectionArgs,
    widths: Widths,
}

impl Expansion<'_> {
    fn items(&self) -> Outcome<Vec<PlanItem>> {
        let size = self.size()?;
        let engine = self.engine()?;
        let steppers = self.steppers()?;
        let variants = self.variants()?;
        let mut items = Vec::new();
        for (width, spec) in self.widths_of(engine, size)? {
            for stepper in &steppers {
                for variant in &variants {
                    items.push(self.item(size, engine, stepper, variant, width, spec));
                }
            }
        }
        Ok(items)
    }

    fn size(&self) -> Outcome<&SizeEntry> {
        let size = self.selection.size;
        self.case.sizes.get(&size).ok_or_else(|| {
            let sizes: Vec<&str> = self.case.sizes.keys().map(|size| size.as_str()).collect();
            self.refusal(format!("has no size `{size}`; it has {}", listed(&sizes)))
        })
    }

    fn engine(&self) -> Outcome<Engine> {
        let engines = &self.case.engines;
        let engine = self.selection.engine.or(engines.first().copied());
        match engine {
            Some(engine) if engines.contains(&engine) => Ok(engine),
            _ => {
                let named = engine.unwrap_or_default();
                let names: Vec<&str> = engines.iter().map(|engine| engine.as_str()).collect();
                Err(self.refusal(format!(
                    "has no engine `{named}`; it has {}",
                    listed(&names)
                )))
            }
        }
    }

    fn steppers(&self) -> Outcome<Vec<String>> {
        if self.selection.steppers.is_empty() {
            return Ok(vec!["default".to_owned()]);
        }
        for stepper in &self.selection.steppers {
            if self.case.admits_stepper(stepper) {
                continue;
            }
            if self.case.fixed_schedule {
                return Err(self.refusal(format!(
                    "runs on a fixed schedule and admits only the stepper `default`, not \
                     `{stepper}`"
                )));
            }
            let mut admitted = vec!["default"];
            admitted.extend(self.case.steppers.iter().map(String::as_str));
            return Err(self.refusal(format!(
                "has no stepper `{stepper}`; it has {}",
                listed(&admitted)
            )));
        }
        Ok(self.selection.steppers.clone())
    }

    /// Every combination of one value per axis that the selection leaves, as sorted text.
    fn variants(&self) -> Outcome<Vec<String>> {
        for VariantChoice { axis, value } in &self.selection.variants {
            let values = self.case.variants.get(axis).ok_or_else(|| {
                let axes: Vec<&str> = self.case.variants.keys().map(String::as_str).collect();
                let has = match axes.is_empty() {
                    true => "it has no variants".to_owned(),
                    false => format!("it has {}", listed(&axes)),
                };
                self.refusal(format!("has no variant axis `{axis}`; {has}"))
            })?;
            if !values.contains(value) {
                let values: Vec<&str> = values.iter().map(String::as_str).collect();
                return Err(self.refusal(format!(
                    "has no value `{value}` on the axis `{axis}`; it has {}",
                    listed(&values)
                )));
            }
        }
        let mut texts = vec![String::new()];
        for (axis, values) in &self.case.variants {
            let left = |value: &&String| self.chosen(axis, value);
            let mut longer = Vec::new();
            for text in &texts {
                for value in values.iter().filter(left) {
                    let comma = if text.is_empty() { "" } else { "," };
                    longer.push(format!("{text}{comma}{axis}={value}"));
                }
            }
            texts = longer;
        }
        Ok(texts)
    }

    /// Whether the selection leaves `value` on `axis`: it names it, or nothing on that axis.
    fn chosen(&self, axis: &str, value: &str) -> bool {
        let mut on_axis = self.selection.variants.iter().filter(|c| c.axis == axis);
        let named = self.selection.variants.iter().any(|c| c.axis == axis);
        !named || on_axis.any(|choice| choice.value == value)
    }

    /// The widths at which `engine` runs. One that works on one thread runs at width 1, and at
    /// nothing else that is asked for.
    fn widths_of(&self, engine: Engine, size: &SizeEntry) -> Outcome<Vec<(Width, WidthSpec)>> {
        let widths = self.widths(size)?;
        match self.wider_than_engine(engine, &widths) {
            None => Ok(widths),
            Some(width) if !self.selection.widths.is_empty() => Err(self.refusal(format!(
                "cannot run at width {width} with engine `{engine}`, which works on one thread"
            ))),
            Some(_) => Ok(vec![(Width::Threads(1), WidthSpec::Threads(1))]),
        }
    }

    /// A width that `engine` cannot fill.
    fn wider_than_engine(&self, engine: Engine, widths: &[(Width, WidthSpec)]) -> Option<Width> {
        let single = self.case.single_threaded_engines.contains(&engine);
        let mut widths = widths.iter().map(|(width, _)| *width);
        widths.find(|width| single && *width != Width::Threads(1))
    }

    /// That the case's own widths were left out because its engine works on one thread.
    fn single_threaded_note(&self) -> Outcome<Option<String>> {
        let engine = self.engine()?;
        let wider = self.wider_than_engine(engine, &self.widths(self.size()?)?);
        Ok(wider
            .map(|_| format!("engine `{engine}` works on one thread: only width 1 is in the plan")))
    }

    fn widths(&self, size: &SizeEntry) -> Outcome<Vec<(Width, WidthSpec)>> {
        let specs = match self.selection.widths.is_empty() {
            true => &size.widths,
            false => &self.selection.widths,
        };
        let mut widths: Vec<(Width, WidthSpec)> = Vec::new();
        for spec in specs {
            let width = match spec {
                WidthSpec::Threads(threads) => Width::Threads(*threads),
                WidthSpec::Production => Width::Threads(self.widths.production),
                WidthSpec::Device => {
                    return Err(self.refusal(
                        "cannot run at width `device`: the backend `cpu` has no device".to_owned(),
                    ));
                }
            };
            if !widths.iter().any(|(known, _)| *known == width) {
                widths.push((width, *spec));
            }
        }
        Ok(widths)
    }

    fn item(
        &self,
        size: &SizeEntry,
        engine: Engine,
        stepper: &str,
        variant: &str,
        width: Width,
        spec: WidthSpec,
    ) -> PlanItem {
        let case = self.case;
        let sampling = case.sampling_at(size);
        let sampling = match self.selection.repeats {
            Some(repeats) => sampling.with_repeats(repeats),
            None => sampling,
        };
        PlanItem {
            configuration: Configuration {
                suite: self.suite.name.clone(),
                case: case.name.clone(),
                size: self.selection.size,
                revision: size.revision,
                engine,
                stepper: stepper.to_owned(),
                variant: variant.to_owned(),
                width,
            },
            interface: case.interface.clone(),
            worker: case.worker.clone(),
            parameters: case.parameters_at(size),
            default_stepper: case.default_stepper.clone(),
            seed: case.seed,
            noise: case.noise.clone(),
            sampling,
            repeats: sampling.samples_min(),
            processes: case.processes_at(size),
            spread_s: case.spread_s,
            oracles: size.oracles.clone(),
            bounds: Bounds {
                repeat: case.repeat_bound,
                revision: case.revision_bound,
            },
            fft_plans: case.fft_plans,
            estimate: self.estimate(size, engine, width, spec),
        }
    }

    /// The registry estimates what runs by default; what another engine costs is unknown.
    fn estimate(
        &self,
        size: &SizeEntry,
        engine: Engine,
        width: Width,
        spec: WidthSpec,
    ) -> Option<Estimate> {
        if self.case.engines.first() != Some(&engine) {
            return None;
        }
        let exact = match width {
            Width::Threads(threads) => size.estimates.get(&WidthSpec::Threads(threads)),
            Width::Device => None,
        };
        let production = Width::Threads(self.widths.production);
        let as_production = match width == production {
            true => size.estimates.get(&WidthSpec::Production),
            false => None,
        };
        exact
            .or_else(|| size.estimates.get(&spec))
            .or(as_production)
            .copied()
    }

    fn refusal(&self, predicate: String) -> Failure {
        Failure::usage(format!(
            "failed to select case `{}`: it {predicate}",
            self.case.name
        ))
    }
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
