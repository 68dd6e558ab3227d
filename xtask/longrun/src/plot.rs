//! `plot`: runs one case, untimed, and hands the picture of the run over.
//!
//! The worker draws: only it knows what its numbers mean. Here it is made sure that the picture is
//! whole, and that it replaces nothing that is no plot.

pub mod picture;
pub mod report;

use std::path::Path;

use longrun_protocol::request::Task;

use crate::cli::{PlotArgs, SelectionArgs};
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::interrupt::Interrupt;
use crate::list::current_folder;
use crate::progress::Progress;
use crate::project::Project;
use crate::run::bundle::Place;
use crate::run::plan::{Plan, PlanItem};
use crate::run::writable;
use crate::track;
use crate::track::neighbours::Presence;
use crate::track::outputs::{check_begins, outside_of_measured};
use crate::untimed::{Asked, Untimed};
use crate::whole_file;
use report::{Plotted, Report};

/// Folder of the bundles, among Longrun's own.
const FOLDER: &str = "plots";

/// The flag that names the file.
const OUT: &str = "--out";

/// Runs `plot`.
pub fn run(args: &PlotArgs) -> Outcome<Exit> {
    let project = Project::find(&current_folder()?)?;
    let ground = track::survey(project, &selection(args), None)?;
    let item = only(&ground.plan)?;
    let file = outside_of_measured(&ground, &args.out, OUT)?;
    writable::check_file(&file, OUT)?;
    check_begins(&file, picture::BEGINNING, "no plot", OUT)?;
    let interrupt = Interrupt::watch()?;
    let asked = Asked {
        task: Task::Plot,
        selection: selection(args),
        timeout_s: args.timeout,
    };
    let folder = ground.project.work().join(FOLDER);
    let (untimed, mut bundle) = Untimed::prepare(&ground, asked, &folder, &interrupt)?;
    let width = item.configuration.width.to_string();
    let place = bundle.place(0, &item.configuration.case, &width)?;
    // Whoever measures meanwhile is told that it has company.
    let presence = Presence::announce(&bundle.run_id);
    let mut progress = Progress::begin(vec![item.process_estimate_s()]);
    let launched = untimed.launch(item, &bundle.run_id, &place, &mut progress)?;
    progress.end();
    drop(presence);
    let mut plotted = Plotted::of(item, &place.folder, launched);
    if let Some(picture) = plotted.take_picture() {
        hand_over(&file, &picture).map_err(|failure| kept(failure, &place))?;
        plotted.file = Some(file);
    }
    bundle.append_result(&plotted)?;
    let report = Report {
        run_id: bundle.run_id.clone(),
        bundle: bundle.folder.clone(),
        interrupted: interrupt.raised(),
        plotted,
    };
    report.print(args.json)?;
    Ok(report.exit())
}

/// The selection that the arguments are: one case, run once.
fn selection(args: &PlotArgs) -> SelectionArgs {
    SelectionArgs {
        cases: vec![args.case.clone()],
        size: args.size,
        engine: args.engine,
        backend: args.backend,
        steppers: args.stepper.iter().cloned().collect(),
        variants: args.variants.clone(),
        widths: vec![args.width],
        production: args.production,
        repeats: Some(1),
        ..SelectionArgs::default()
    }
}

/// The one configuration of a plan that can be plotted.
///
/// # Errors
/// Exit 2 where there are several, or where it has nothing to plot.
fn only(plan: &Plan) -> Outcome<&PlanItem> {
    let [item] = plan.items.as_slice() else {
        let names = plan
            .items
            .iter()
            .map(|item| format!("`{}`", item.configuration));
        return Err(Failure::usage(format!(
            "failed to plot {}: a plot is of one configuration; choose it with --stepper and \
             --variant",
            names.collect::<Vec<String>>().join(", ")
        )));
    };
    match item.sampling.is_sampled() {
        false => Ok(item),
        true => Err(Failure::usage(format!(
            "failed to plot `{}`: its suite `{}` samples single operations, which come to no \
             course that could be drawn; plot a case that is run whole, such as those of \
             `cargo xtask list`",
            item.configuration.case, item.configuration.suite
        ))),
    }
}

/// Replaces the file, if it may still be replaced: somebody may have made another there while the
/// case ran.
///
/// # Errors
/// Exit 6 where that is so, or where it cannot be written; what is there stays as it is.
fn hand_over(file: &Path, picture: &[u8]) -> Outcome<()> {
    let still = writable::check_file(file, OUT)
        .and_then(|()| check_begins(file, picture::BEGINNING, "no plot", OUT));
    // There was nothing wrong with the arguments when they were given.
    still.map_err(|failure| Failure::environment(failure.message))?;
    whole_file::write("write the plot", file, picture)
}

/// The file could not be written, and the picture is in the bundle.
fn kept(failure: Failure, place: &Place) -> Failure {
    Failure {
        message: format!(
            "{}\nthe plot is kept in `{}`",
            failure.message,
            place.folder.display()
        ),
        ..failure
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::verify::result::testing::item;
    use longrun_protocol::registry::SamplingPolicy;

    fn plan(items: Vec<PlanItem>) -> Plan {
        Plan {
            items,
            notes: Vec::new(),
        }
    }

    #[test]
    fn one_whole_run_is_plotted_and_nothing_else() {
        let one = plan(vec![item("a", &[])]);
        assert_eq!(only(&one).unwrap().configuration.case, "a");
        let two = plan(vec![item("a", &[]), item("b", &[])]);
        let failure = only(&two).unwrap_err();
        assert_eq!(failure.exit.code(), 2);
        assert!(failure.message.contains("--variant"), "{failure}");
    }

    #[test]
    fn a_file_is_replaced_only_if_it_may_be_when_the_picture_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.svg");
        let earlier = format!("{}<svg></svg>\n", picture::BEGINNING);
        for before in [None, Some(""), Some(earlier.as_str())] {
            if let Some(text) = before {
                std::fs::write(&file, text).unwrap();
            }
            hand_over(&file, b"a picture").unwrap();
            assert_eq!(std::fs::read(&file).unwrap(), b"a picture");
            std::fs::remove_file(&file).unwrap();
        }
        std::fs::write(&file, "by hand").unwrap();
        let failure = hand_over(&file, b"a picture").unwrap_err();
        assert_eq!(failure.exit.code(), 6);
        assert!(failure.message.contains("that is no plot"), "{failure}");
        assert_eq!(std::fs::read(&file).unwrap(), b"by hand");
        std::fs::remove_file(&file).unwrap();
        std::fs::create_dir(&file).unwrap();
        let failure = hand_over(&file, b"a picture").unwrap_err();
        assert_eq!(failure.exit.code(), 6);
        assert!(failure.message.contains("it is a folder"), "{failure}");
    }

    #[test]
    fn sampled_operations_have_nothing_to_plot() {
        let mut sampled = item("kernel", &[]);
        sampled.sampling = SamplingPolicy::Fixed {
            repeats: 9,
            block_ns: 1,
        };
        let plan = plan(vec![sampled]);
        let failure = only(&plan).unwrap_err();
        assert_eq!(failure.exit.code(), 2);
        assert!(failure.message.contains("`kernel`"), "{failure}");
        assert!(failure.message.contains("single operations"), "{failure}");
    }
}
