//! What a plot came to, for people and for programs. Pure, but for the printing.

use std::path::{Path, PathBuf};

use longrun_protocol::{Configuration, Receipt};
use serde::Serialize;
use serde_json::{Value, json};

use super::picture;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output;
use crate::run::judge::{ResultStatus, plot_of};
use crate::run::launch::Launched;
use crate::run::plan::PlanItem;
use crate::text;

/// Version of the JSON.
const SCHEMA_VERSION: u32 = 1;

/// The result of the run: a line of `results.jsonl`.
#[derive(Clone, Debug, Serialize)]
pub struct Plotted {
    /// What was run.
    pub configuration: Configuration,
    /// Whether there is a picture.
    pub status: ResultStatus,
    /// Why not, where there is none.
    pub reason: Option<String>,
    /// Where it is for the user; none where nothing was written.
    pub file: Option<PathBuf>,
    /// What it shows, in the worker's words.
    pub shows: Option<String>,
    /// The integrator that ran.
    pub integrator: Option<String>,
    /// Steps accepted.
    pub accepted: Option<u64>,
    /// Steps rejected.
    pub rejected: Option<u64>,
    /// What a reader should know.
    pub notes: Vec<String>,
    /// What goes into the file.
    #[serde(skip)]
    picture: Option<Vec<u8>>,
}

impl Plotted {
    /// What a run in `folder` came to.
    pub fn of(item: &PlanItem, folder: &Path, launched: Launched) -> Self {
        let judgement = launched.judgement;
        let mut plotted = Plotted {
            configuration: item.configuration.clone(),
            status: judgement.status,
            reason: (!judgement.reason.is_empty()).then_some(judgement.reason),
            file: None,
            shows: None,
            integrator: None,
            accepted: None,
            rejected: None,
            notes: launched.notes,
            picture: None,
        };
        if let Some(receipt) = launched.receipt {
            plotted.describe(&receipt, folder);
        }
        plotted
    }

    fn describe(&mut self, receipt: &Receipt, folder: &Path) {
        self.notes.extend(receipt.warnings.iter().cloned());
        let skips = receipt.skips.iter();
        self.notes
            .extend(skips.map(|skip| format!("skipped {}: {}", skip.what, skip.reason)));
        let resolved = receipt.resolved.as_ref();
        self.integrator = resolved.map(|resolved| resolved.integrator.clone());
        let witness = receipt.witnesses.last();
        self.accepted = witness.and_then(|witness| witness.accepted);
        self.rejected = witness.and_then(|witness| witness.rejected);
        if self.status != ResultStatus::Complete {
            return;
        }
        let plot = plot_of(receipt);
        match plot.and_then(|plot| Ok((plot, picture::read(folder, plot)?))) {
            Ok((plot, picture)) => {
                self.shows = Some(plot.description.clone());
                self.picture = Some(picture);
            }
            Err(reason) => {
                self.status = ResultStatus::Failed;
                self.reason = Some(reason);
            }
        }
    }

    /// What goes into the user's file, once.
    pub fn take_picture(&mut self) -> Option<Vec<u8>> {
        self.picture.take()
    }
}

/// One plot, as it is reported.
pub struct Report {
    /// Its id.
    pub run_id: String,
    /// The folder with request, receipt, logs and the picture as the worker left it.
    pub bundle: PathBuf,
    /// Whether the user interrupted.
    pub interrupted: bool,
    /// What the run came to.
    pub plotted: Plotted,
}

impl Report {
    /// How the program ends.
    pub fn exit(&self) -> Exit {
        match (self.plotted.file.is_some(), self.interrupted) {
            (true, _) => Exit::Success,
            (false, true) => Exit::Interrupted,
            (false, false) => Exit::Failed,
        }
    }

    /// Prints the report on stdout.
    pub fn print(&self, as_json: bool) -> Outcome<()> {
        match as_json {
            true => output::print(&format!("{}\n", self.to_json())),
            false => output::print(&self.to_text()),
        }
    }

    fn to_json(&self) -> Value {
        let plotted = &self.plotted;
        json!({
            "schema_version": SCHEMA_VERSION,
            "configuration": plotted.configuration,
            "status": plotted.status,
            "reason": plotted.reason,
            "file": plotted.file,
            "shows": plotted.shows,
            "integrator": plotted.integrator,
            "accepted": plotted.accepted,
            "rejected": plotted.rejected,
            "notes": plotted.notes,
            "run_id": self.run_id,
            "bundle": self.bundle,
        })
    }

    fn to_text(&self) -> String {
        let plotted = &self.plotted;
        let configuration = &plotted.configuration;
        let mut text = match (&plotted.file, &plotted.shows) {
            (Some(_), shows) => {
                let steps = plotted
                    .accepted
                    .map(|steps| text::counted(saturated(steps), "step"));
                let shows = shows.as_deref().unwrap_or_default();
                let steps = text::or_unknown(steps);
                format!("{configuration}: {steps}; shows {shows}\n")
            }
            (None, _) => {
                let reason = plotted.reason.as_deref().unwrap_or("for no known reason");
                let status = plotted.status.as_str();
                format!("{configuration}: {status}: {reason}\n")
            }
        };
        for note in &plotted.notes {
            text.push_str(&format!("{configuration}: {note}\n"));
        }
        text.push_str(&format!("bundle {}\n", self.bundle.display()));
        text.push_str(&match &plotted.file {
            Some(file) => format!("plotted: {}\n", file.display()),
            None => "not plotted\n".to_owned(),
        });
        text
    }
}

fn saturated(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::result::testing::item;

    fn report(status: ResultStatus, file: Option<&str>, interrupted: bool) -> Report {
        Report {
            run_id: "r".into(),
            bundle: "b".into(),
            interrupted,
            plotted: Plotted {
                configuration: item("a", &[]).configuration,
                status,
                reason: (status != ResultStatus::Complete).then(|| "it was told to".to_owned()),
                file: file.map(PathBuf::from),
                shows: Some("a line".into()),
                integrator: Some("rk".into()),
                accepted: Some(12),
                rejected: None,
                notes: vec!["mind this".into()],
                picture: None,
            },
        }
    }

    #[test]
    fn the_exit_is_that_of_what_happened() {
        let table = [
            (ResultStatus::Complete, Some("f"), false, 0),
            (ResultStatus::Failed, None, false, 1),
            (ResultStatus::TimedOut, None, false, 1),
            (ResultStatus::Failed, None, true, 130),
            // The interrupt came when everything was done.
            (ResultStatus::Complete, Some("f"), true, 0),
        ];
        for (status, file, interrupted, code) in table {
            assert_eq!(report(status, file, interrupted).exit().code(), code);
        }
    }

    #[test]
    fn the_text_says_what_is_shown_and_where_or_why_not() {
        let text = report(ResultStatus::Complete, Some("f.svg"), false).to_text();
        let expected = "a @1: 12 steps; shows a line\na @1: mind this\nbundle b\nplotted: f.svg\n";
        assert_eq!(text, expected);
        let text = report(ResultStatus::TimedOut, None, false).to_text();
        let expected = "a @1: timed out: it was told to\na @1: mind this\nbundle b\nnot plotted\n";
        assert_eq!(text, expected);
    }
}
