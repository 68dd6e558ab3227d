//! Runs that nobody times: what `verify` and `plot` do before a worker and while it runs.

use std::path::Path;
use std::time::{Duration, SystemTime};

use longrun_protocol::request::{Library, Task};

use crate::cli::SelectionArgs;
use crate::failure::Outcome;
use crate::interrupt::Interrupt;
use crate::native::NativeBuild;
use crate::progress::Progress;
use crate::run::bundle::{Bundle, Place};
use crate::run::launch::{Common, Launched, launch};
use crate::run::plan::PlanItem;
use crate::track::context::{Options, PlanFile, build_json};
use crate::track::{self, Ground};
use crate::workers::{self, Workers};

/// What is asked for.
pub struct Asked {
    /// What the workers do.
    pub task: Task,
    /// What they do it with.
    pub selection: SelectionArgs,
    /// Longest time of a worker; that of the settings unless said.
    pub timeout_s: Option<u64>,
}

/// Library and workers, ready.
pub struct Untimed<'a> {
    ground: &'a Ground,
    asked: Asked,
    interrupt: &'a Interrupt,
    build: Option<NativeBuild>,
    workers: Workers,
}

impl<'a> Untimed<'a> {
    /// Makes a bundle in `folder`, and then builds library and workers: a folder that cannot be
    /// written costs no build.
    ///
    /// # Errors
    /// As of bundles and builds; exit 130 where the user interrupts.
    pub fn prepare(
        ground: &'a Ground,
        asked: Asked,
        folder: &Path,
        interrupt: &'a Interrupt,
    ) -> Outcome<(Self, Bundle)> {
        let bundle = begin(ground, &asked, folder)?;
        let build = track::build_native(ground, asked.selection.backend, interrupt);
        let build = interrupt.wins_over(build)?;
        let specs = ground.plan.items.iter().map(|item| &item.worker);
        let workers = workers::ensure(&ground.project, &ground.repo, specs, interrupt);
        let workers = interrupt.wins_over(workers)?;
        let identity = build.as_ref().map(|build| &build.identity);
        bundle.write("build.json", &build_json(identity, workers.digests()))?;
        bundle.write("machine.json", &ground.machine)?;
        let untimed = Untimed {
            ground,
            asked,
            interrupt,
            build,
            workers,
        };
        Ok((untimed, bundle))
    }

    /// Lets the worker of a configuration run, and shows how far it is.
    pub fn launch(
        &self,
        item: &PlanItem,
        run_id: &str,
        place: &Place,
        progress: &mut Progress,
    ) -> Outcome<Launched> {
        progress.start(&item.configuration.to_string());
        let program = self.workers.program(&item.worker)?;
        // Nothing is timed: it is of no importance where the FFT plans come from.
        let launched = launch(
            &self.common(run_id),
            item,
            place,
            program,
            None,
            &mut |event| {
                progress.event(event);
            },
        )?;
        progress.pass();
        Ok(launched)
    }

    fn common<'b>(&'b self, run_id: &'b str) -> Common<'b> {
        let project = &self.ground.project;
        let timeout = self.asked.timeout_s.unwrap_or(project.settings.timeout_s);
        Common {
            run_id,
            task: self.asked.task,
            library: self.build.as_ref().map(|build| Library {
                path: build.library.clone(),
                build_key: build.identity.build_key.clone(),
            }),
            policy: self.asked.selection.threading,
            places: &self.ground.machine.places,
            timeout: Duration::from_secs(timeout),
            keep_state: false,
            breakdown: false,
            // Nothing is timed, so nobody asks whether the machine was busy.
            cpus: None,
            root: &project.root,
            interrupt: self.interrupt,
        }
    }
}

fn begin(ground: &Ground, asked: &Asked, folder: &Path) -> Outcome<Bundle> {
    let began = SystemTime::now();
    let bundle = Bundle::create(folder, began, &ground.state.commit)?;
    let options = Options {
        task: asked.task,
        selection: asked.selection.clone(),
        instance_type: None,
        timeout_s: asked.timeout_s,
        keep_state: false,
        breakdown: false,
    };
    let plan = PlanFile::of(&bundle.run_id, began, ground, options)?;
    bundle.write("plan.json", &plan)?;
    Ok(bundle)
}
