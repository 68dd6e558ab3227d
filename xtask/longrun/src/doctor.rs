//! `doctor`: what this machine will and will not do, each finding graded, with the next step.
//!
//! Reading ([`survey`]) is apart from grading ([`ground`], [`recording`], [`hardware`],
//! [`surroundings`]), which is pure. Nothing on the machine is changed, and no build is needed;
//! `--roof` compiles and runs one small program in `target`, and keeps what it found in the user's
//! cache.

mod finding;
mod ground;
mod hardware;
mod recording;
pub mod roof;
mod surroundings;
mod survey;

use serde::Serialize;

use crate::cli::DoctorArgs;
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::interrupt::Interrupt;
use crate::list::current_folder;
use crate::machine::Machine;
use crate::output;
use crate::project::Project;
use crate::user_cache;
use finding::{Finding, Grade};
use roof::kept::Kept;
use roof::{Place, Roof};
use survey::Survey;

/// Version of the JSON.
const SCHEMA_VERSION: u32 = 1;

/// Looks, grades and reports. [`Exit::Environment`] where something is blocked.
pub fn run(args: &DoctorArgs) -> Outcome<Exit> {
    let project = Project::find(&current_folder()?)?;
    let survey = Survey::take(&project, args);
    let mut findings = survey.findings(args.instance_type.as_deref());
    let mut roof = None;
    if args.roof {
        match measured(&project, &survey) {
            Ok(found) => {
                keep(&survey.machine, &found);
                roof = Some(found);
            }
            Err(failure) if failure.exit == Exit::Interrupted => return Err(failure),
            // What was found before is worth reading all the same.
            Err(failure) => findings.push(Finding::new("roof", Grade::Blocked, failure.message)),
        }
    }
    let report = Report {
        schema_version: SCHEMA_VERSION,
        slug: &survey.machine.slug,
        findings,
        roof,
    };
    match args.json {
        true => output::print(&report.json()?)?,
        false => output::print(&report.text())?,
    }
    Ok(report.exit())
}

fn measured(project: &Project, survey: &Survey) -> Outcome<Roof> {
    let folder = project.work().join("roof");
    output::note("measuring the roof of this machine: some seconds");
    roof::measure(&Place {
        root: &project.root,
        folder: &folder,
        machine: &survey.machine,
        caches: &survey.facts.caches,
        free_bytes: survey.available_bytes(),
        interrupt: &Interrupt::watch()?,
    })
}

/// Keeps the roof for runs that show what they reach of it. Without it they say less, and nothing
/// fails.
fn keep(machine: &Machine, roof: &Roof) {
    let why = match user_cache::folder() {
        None => "the environment names no folder for caches".to_owned(),
        Some(cache) => match Kept::write(&cache, machine, roof) {
            Ok(_) => return,
            Err(failure) => failure.message,
        },
    };
    output::note(format!("note: the roof is not kept for later runs: {why}"));
}

/// Everything that `doctor` says.
#[derive(Debug, Serialize)]
struct Report<'a> {
    schema_version: u32,
    slug: &'a str,
    findings: Vec<Finding>,
    roof: Option<Roof>,
}

impl Report<'_> {
    fn exit(&self) -> Exit {
        let blocked = self
            .findings
            .iter()
            .any(|found| found.grade == Grade::Blocked);
        match blocked {
            true => Exit::Environment,
            false => Exit::Success,
        }
    }

    fn json(&self) -> Outcome<String> {
        let text = serde_json::to_string_pretty(self)
            .map_err(|e| Failure::failed(format!("failed to write the report as JSON: {e}")))?;
        Ok(text + "\n")
    }

    /// One line for each finding, and one below it for its next step.
    fn text(&self) -> String {
        let mut text = String::new();
        for finding in &self.findings {
            let found = finding.found.as_deref().unwrap_or("unknown");
            let (grade, topic) = (finding.grade.as_str(), finding.topic);
            text.push_str(&format!("{grade:<7}  {topic:<14}  {found}\n"));
            if let Some(step) = &finding.next_step {
                text.push_str(&format!("{:25}next: {step}\n", ""));
            }
        }
        let of = |grade: Grade| {
            self.findings
                .iter()
                .filter(|found| found.grade == grade)
                .count()
        };
        let grades = [Grade::Blocked, Grade::Warn, Grade::Note, Grade::Ok];
        let counts = grades.map(|grade| format!("{} {}", of(grade), grade.as_str()));
        text.push_str(&format!("{}: {}\n", self.slug, counts.join(", ")));
        if let Some(roof) = &self.roof {
            text.push_str(&format!("\n{}", roof::to_text(roof)));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn report(findings: Vec<Finding>) -> Report<'static> {
        Report {
            schema_version: SCHEMA_VERSION,
            slug: "x-4c",
            findings,
            roof: None,
        }
    }

    #[test]
    fn only_what_is_blocked_changes_the_exit_code() {
        for (grade, exit) in [
            (Grade::Ok, Exit::Success),
            (Grade::Note, Exit::Success),
            (Grade::Warn, Exit::Success),
            (Grade::Blocked, Exit::Environment),
        ] {
            let findings = vec![
                Finding::new("cpu", Grade::Ok, "x"),
                Finding::new("disk", grade, "x"),
            ];
            assert_eq!(report(findings).exit(), exit, "{grade:?}");
        }
        assert_eq!(report(Vec::new()).exit(), Exit::Success);
    }

    #[test]
    fn the_text_has_a_line_for_each_finding_and_each_next_step() {
        let findings = vec![
            Finding::new("cpu", Grade::Ok, "Apple M5 Max"),
            Finding::unknown("turbo", Grade::Note),
            Finding::new("disk", Grade::Blocked, "1.00 MiB free").next("free some"),
        ];
        let expected = "ok       cpu             Apple M5 Max\n\
                        note     turbo           unknown\n\
                        blocked  disk            1.00 MiB free\n\
                        \x20                        next: free some\n\
                        x-4c: 1 blocked, 0 warn, 1 note, 1 ok\n";
        assert_eq!(report(findings).text(), expected);
    }

    #[test]
    fn unknown_is_null_in_json() {
        let json = report(vec![Finding::unknown("turbo", Grade::Note)])
            .json()
            .unwrap();
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        let expected = serde_json::json!({
            "topic": "turbo", "grade": "note", "found": null, "next_step": null,
        });
        assert_eq!(value["findings"][0], expected);
        assert!(value["roof"].is_null());
    }
}
