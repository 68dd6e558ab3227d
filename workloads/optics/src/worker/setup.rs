//! What every task does before its own work: load, construct, translate, build what computes.
//!
//! Each part is a phase of the receipt. A task that needs a part twice takes the parts one by one,
//! and the phase has the sum.

use std::collections::BTreeMap;
use std::io::Write;

use longrun_measure::Clock;
use longrun_protocol::receipt::{Failure, Receipt, Resolved, Skip, WisdomReport};
use longrun_protocol::request::{Request, Task};

use super::checks::Job;
use super::computes::{self, Loaded};
use super::plans::Plans;
use super::progress::Progress;
use super::{failure, memory};
use crate::case::{Case, Problem};
use crate::engine::{Engine, EngineError};
use crate::fourier::Complex64;
use crate::gnlse::Noise;
use crate::kernels::{Example, Kernel, Routine};
use crate::native::{Effort, Wisdom};
use crate::steppers::{Asked, Integration};

/// Most accepted steps of one advance: a run that needs more would take days.
pub const STEPS_MAX: i64 = 100_000_000;

/// What times a phase and names it in progress and failures.
pub struct Stage<'a, C, W> {
    /// Times the phases.
    pub clock: &'a C,
    /// Is told of them.
    pub progress: &'a mut Progress<W>,
}

impl<C: Clock, W: Write> Stage<'_, C, W> {
    /// Does the work of a phase and adds its time to `elapsed_ns`.
    pub fn run<T>(
        &mut self,
        name: &str,
        elapsed_ns: &mut u64,
        work: impl FnOnce() -> Result<T, String>,
    ) -> Result<T, Failure> {
        self.progress.phase(name);
        let start = self.clock.now_ns();
        let result = work().map_err(|message| failure(name, message));
        let taken_ns = self.clock.now_ns().saturating_sub(start);
        *elapsed_ns = elapsed_ns.saturating_add(taken_ns);
        result
    }
}

/// What computes, and the FFT wisdom that it has read.
pub struct Means {
    /// What computes.
    pub loaded: Loaded,
    /// Its wisdom.
    pub plans: Plans,
}

impl Means {
    /// Loads what is asked for and reads the wisdom of the request for it.
    pub fn load<C: Clock, W: Write>(
        asked: computes::Asked<'_>,
        request: &Request,
        stage: &mut Stage<'_, C, W>,
        receipt: &mut Receipt,
    ) -> Result<Self, Failure> {
        let loaded = stage.run("load", &mut receipt.phases.load_ns, || {
            asked.load().map_err(|error| error.to_string())
        })?;
        let effort = match request.task {
            Task::PrepareFft => Effort::Prepare,
            _ => Effort::Run,
        };
        let path = request.wisdom.as_deref();
        let plans = Plans::read(path, &loaded, effort, &mut receipt.warnings);
        Ok(Means { loaded, plans })
    }

    /// An engine for the subject, and where its FFT plans came from.
    pub fn engine<C: Clock, W: Write>(
        &mut self,
        job: &Job<'_>,
        subject: &Subject,
        stage: &mut Stage<'_, C, W>,
        receipt: &mut Receipt,
    ) -> Result<(Box<dyn Engine>, Option<WisdomReport>), Failure> {
        let (problem, integration) = (&subject.problem, &subject.integration);
        let threads = job.request.threads;
        self.build(stage, receipt, |loaded, wisdom| {
            loaded.engine(problem, integration, threads, wisdom)
        })
    }

    /// A kernel with the input of its example, and where its FFT plans came from.
    pub fn routine<C: Clock, W: Write>(
        &mut self,
        (kernel, example): (&Kernel, &Example),
        threads: u32,
        stage: &mut Stage<'_, C, W>,
        receipt: &mut Receipt,
    ) -> Result<(Box<dyn Routine>, Option<WisdomReport>), Failure> {
        self.build(stage, receipt, |loaded, wisdom| {
            loaded.routine(kernel, example, threads, wisdom)
        })
    }

    fn build<T, C: Clock, W: Write>(
        &mut self,
        stage: &mut Stage<'_, C, W>,
        receipt: &mut Receipt,
        make: impl FnOnce(&Loaded, Option<&mut Wisdom>) -> Result<T, EngineError>,
    ) -> Result<(T, Option<WisdomReport>), Failure> {
        let build_engine_ns = &mut receipt.phases.build_engine_ns;
        stage.run("build_engine", build_engine_ns, || {
            let made = make(&self.loaded, self.plans.wisdom.as_mut());
            let made = made.map_err(|error| error.to_string())?;
            let report = self.plans.report().map_err(|error| error.to_string())?;
            Ok((made, report))
        })
    }
}

/// What is computed.
pub struct Subject {
    /// The case, set up.
    pub case: Case,
    /// Its integrator and its steps.
    pub integration: Integration,
    /// The case as the arrays of an engine.
    pub problem: Problem,
}

impl Subject {
    /// Sets the case up and translates it. `check` may refuse what it is before that.
    pub fn of<C: Clock, W: Write>(
        job: &Job<'_>,
        check: impl FnOnce(&Case, &Integration) -> Result<(), String>,
        stage: &mut Stage<'_, C, W>,
        receipt: &mut Receipt,
    ) -> Result<Self, Failure> {
        let (case, integration) =
            stage.run("construct", &mut receipt.phases.construct_ns, || {
                let (case, integration) = construct(job)?;
                check(&case, &integration)?;
                Ok((case, integration))
            })?;
        receipt.resolved = Some(resolved(job, &integration));
        let problem = stage.run("translate", &mut receipt.phases.translate_ns, || {
            Ok(case.problem())
        })?;
        Ok(Subject {
            case,
            integration,
            problem,
        })
    }
}

/// Everything that a task with one engine needs.
pub struct Ready {
    /// What computes.
    pub loaded: Loaded,
    /// What is computed.
    pub subject: Subject,
    /// The engine of the two.
    pub engine: Box<dyn Engine>,
}

impl Ready {
    /// Does all parts for the library of the request and fills the receipt as far as it gets.
    pub fn make<C: Clock, W: Write>(
        job: &Job<'_>,
        check: impl FnOnce(&Case, &Integration) -> Result<(), String>,
        stage: &mut Stage<'_, C, W>,
        receipt: &mut Receipt,
    ) -> Result<Self, Failure> {
        receipt.skips = skips(job, &receipt.thread_environment);
        let mut means = Means::load(job.computes, job.request, stage, receipt)?;
        receipt.library = means.loaded.report();
        let subject = Subject::of(job, check, stage, receipt)?;
        let (engine, wisdom) = means.engine(job, &subject, stage, receipt)?;
        receipt.wisdom = wisdom;
        Ok(Ready {
            loaded: means.loaded,
            subject,
            engine,
        })
    }
}

/// For tasks that refuse no case.
pub fn any(_: &Case, _: &Integration) -> Result<(), String> {
    Ok(())
}

/// The state at the position; one that is not finite is a failure.
pub fn state(engine: &dyn Engine) -> Result<Vec<Complex64>, String> {
    let mut values = vec![Complex64::default(); engine.points()];
    engine
        .get_state(&mut values)
        .map_err(|error| error.to_string())?;
    let finite = |value: &Complex64| value.re.is_finite() && value.im.is_finite();
    match values.iter().all(finite) {
        true => Ok(values),
        false => Err("the field is not finite; the parameters make no sense".to_owned()),
    }
}

/// What is asked for and will not be done, whatever the task; `environment` is that of the threads.
pub fn skips(job: &Job<'_>, environment: &BTreeMap<String, String>) -> Vec<Skip> {
    let request = job.request;
    let of_blocks = [
        ("block_plan", request.block_plan.is_some()),
        ("stop", request.stop.is_some()),
        ("warm_up_blocks", request.warm_up_blocks.is_some()),
    ];
    let mut skips: Vec<Skip> = of_blocks
        .into_iter()
        .filter(|(_, given)| *given)
        .map(|(what, _)| skip(what, "a complete run is one operation, and one sample"))
        .collect();
    skips.extend(breakdown_elsewhere(request));
    skips.extend(job.computes.unplaced(environment));
    skips
}

/// A breakdown that is asked of another task than `run`.
pub fn breakdown_elsewhere(request: &Request) -> Option<Skip> {
    let elsewhere = request.breakdown && request.task != Task::Run;
    elsewhere.then(|| {
        skip(
            "breakdown",
            "only the repeats of task `run` are broken down",
        )
    })
}

/// Something that is not done.
pub fn skip(what: &str, reason: &str) -> Skip {
    Skip {
        what: what.to_owned(),
        reason: reason.to_owned(),
    }
}

fn construct(job: &Job<'_>) -> Result<(Case, Integration), String> {
    memory::check(job)?;
    let case = Case::new(&job.parameters, job.noise)?;
    let asked = Asked {
        stepper: job.stepper,
        length: job.request.length,
        replay: job.request.replay_steps.as_deref(),
    };
    let integration = Integration::resolve(&case, asked)
        .map_err(|error| format!("failed to choose the steps: {error}"))?;
    Ok((case, integration))
}

fn resolved(job: &Job<'_>, integration: &Integration) -> Resolved {
    let (noise_model, seed) = match job.noise {
        Noise::None => ("none", None),
        Noise::Input { seed } => ("input", Some(seed)),
    };
    Resolved {
        integrator: integration.name(),
        tolerances: integration.tolerances(),
        noise_model: noise_model.to_owned(),
        seed,
        threads: job.request.threads,
    }
}
