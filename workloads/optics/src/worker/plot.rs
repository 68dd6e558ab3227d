//! The task `plot`: run the whole guide once, untimed, and draw it.
//!
//! The case is set up exactly as for a timed run. States are looked at where steps end, the first
//! one at or beyond each plane, so no step depends on how many are looked at.

use std::io::Write;
use std::path::Path;

use longrun_measure::Clock;
use longrun_protocol::Witness;
use longrun_protocol::receipt::{Failure, Receipt};

use super::checks::Job;
use super::progress::Progress;
use super::setup::{self, Ready, STEPS_MAX, Stage, Subject, state};
use super::{failure, files};
use crate::engine::{Counts, Engine, EngineError};
use crate::fourier::Complex64;
use crate::plot::{self, Course, Words};
use crate::steppers::Integration;
use crate::witness;

/// Kind of the artifact.
const KIND: &str = "plot";

/// Does the job, leaves the figure in `folder`, and writes what happened into `receipt`.
pub fn plot(
    job: &Job<'_>,
    folder: &Path,
    clock: &impl Clock,
    progress: &mut Progress<impl Write>,
    receipt: &mut Receipt,
) -> Result<(), Failure> {
    let mut stage = Stage { clock, progress };
    let mut ready = Ready::make(job, setup::any, &mut stage, receipt)?;
    progress.phase("run");
    let passage = Passage::through(ready.engine.as_mut(), &ready.subject, progress)
        .map_err(|cause| failure("run", format!("failed to run the case: {cause}")))?;
    receipt.witnesses.push(passage.witness());
    progress.phase(KIND);
    let words = words(job, &ready.subject.integration, passage.counts);
    let launch = ready.subject.case.launch();
    let figure = passage.course.figure(launch, &passage.end, words);
    let artifact = figure.to_svg().and_then(|svg| {
        let description = figure.description();
        files::write_artifact_as(folder, (KIND, "svg"), svg.as_bytes(), description)
    });
    let artifact = artifact.map_err(|cause| failure(KIND, cause))?;
    receipt.artifacts.push(artifact);
    Ok(())
}

/// One passage through the guide.
struct Passage {
    course: Course,
    end: Vec<Complex64>,
    counts: Counts,
}

impl Passage {
    fn through(
        engine: &mut dyn Engine,
        subject: &Subject,
        progress: &mut Progress<impl Write>,
    ) -> Result<Self, String> {
        let words = |error: EngineError| error.to_string();
        let length_m = subject.integration.length_m;
        let launch = subject.case.launch();
        engine.set_state(0.0, launch).map_err(words)?;
        let mut course = Course::new(&subject.case, length_m);
        look(&mut course, engine, (0.0, launch)).map_err(words)?;
        let mut end = launch.to_vec();
        let mut seen_m = 0.0;
        for plane_m in plot::planes_of(&subject.integration) {
            // A step may have gone beyond several planes.
            if plane_m <= seen_m {
                continue;
            }
            seen_m = engine.advance(plane_m, STEPS_MAX).map_err(words)?;
            end = state(engine)?;
            look(&mut course, engine, (seen_m, &end)).map_err(words)?;
            progress.repeat(1, seen_m / length_m);
        }
        let counts = engine.counts().map_err(words)?;
        Ok(Passage {
            course,
            end,
            counts,
        })
    }

    fn witness(&self) -> Witness {
        Witness {
            accepted: Some(self.counts.accepted),
            rejected: Some(self.counts.rejected),
            evaluations: Some(self.counts.evaluations),
            digest: Some(witness::digest(&self.end)),
            relative_l2_to_first: Some(0.0),
            threads_observed: u32::try_from(self.counts.threads_observed).ok(),
            ..Witness::default()
        }
    }
}

/// Lets the course see the state that the engine is at, with its fluence where it is a beam.
fn look(
    course: &mut Course,
    engine: &mut dyn Engine,
    (z_m, state): (f64, &[Complex64]),
) -> Result<(), EngineError> {
    if !course.is_of_beam() {
        course.see(z_m, state);
        return Ok(());
    }
    let mut fluence = vec![f64::NAN; engine.nodes()];
    engine.observe_nodes(z_m, Some(&mut fluence), None)?;
    course.see_beam(z_m, state, &fluence);
    Ok(())
}

/// What the figure says of the run. Nothing that another run of the same would not say as well.
fn words(job: &Job<'_>, integration: &Integration, counts: Counts) -> Words {
    let configuration = &job.request.configuration;
    let rejected = match counts.rejected {
        0 => String::new(),
        rejected => format!(" and {rejected} rejected"),
    };
    Words {
        title: format!("{} ({})", configuration.case, configuration.size),
        details: vec![
            configuration.engine.to_string(),
            integration.name(),
            plot::length(integration.length_m),
            format!("{} steps{rejected}", counts.accepted),
        ],
    }
}
