//! `setup`: finds what the build needs and, if asked, installs what is missing.
//!
//! Finding asks the tools themselves ([`find`]); choosing packages and the command is pure
//! ([`packages`]). Nothing is ever removed, and nothing is installed without `--yes`.

pub mod find;
pub mod host;
pub mod packages;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde::Serialize;

use crate::cli::SetupArgs;
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::list::current_folder;
use crate::machine::process::wait_within;
use crate::output;
use crate::project::Project;
use find::{Finding, State};
use host::Host;
use packages::{Need, Plan};

/// Version of the JSON of this verb.
const SCHEMA_VERSION: u32 = 1;

/// How long one command of a package manager may take: a slow mirror needs minutes, and a lock
/// that another process holds may never be freed.
const INSTALL_LIMIT: Duration = Duration::from_secs(20 * 60);

/// Finds, reports and installs. [`Exit::Environment`] where something required is missing.
pub fn run(args: &SetupArgs) -> Outcome<Exit> {
    let project = Project::find(&current_folder()?)?;
    let mut stdout = std::io::stdout().lock();
    execute(&Host::current(), &project.root, args, &mut stdout)
}

/// `run` on any host. Scratch files lie under `<root>/target/`; the result goes to `out`.
fn execute(host: &Host, root: &Path, args: &SetupArgs, out: &mut dyn Write) -> Outcome<Exit> {
    let mut findings = find::all(host, root)?;
    let plan = packages::plan(&missing(&findings), &host.system());
    let mut installed = Vec::new();
    let mut failure = None;
    if args.yes
        && let Some(plan) = &plan
    {
        match install(host, plan) {
            Ok(()) => installed = plan.packages.clone(),
            Err(cause) => failure = Some(cause),
        }
        findings = find::all(host, root)?;
    }
    let lacking = required_and_missing(&findings);
    let report = Report::new(&findings, plan.as_ref(), installed);
    let text = match args.json {
        true => report.json()?,
        false => report.text(args.yes),
    };
    writeln!(out, "{text}").map_err(|e| Failure::failed(format!("failed to print: {e}")))?;
    if lacking.is_empty() {
        if let Some(cause) = failure {
            output::note(format!(
                "note: {cause}; nothing that is required is missing"
            ));
        }
        return Ok(Exit::Success);
    }
    if !args.yes && !args.json {
        output::note(next_step(plan.as_ref()));
    }
    match args.yes {
        true => Err(still_missing(&lacking, plan.as_ref(), failure)),
        false => Ok(Exit::Environment),
    }
}

fn missing(findings: &[Finding]) -> Vec<Need> {
    let missing = findings.iter().filter(|finding| finding.is_missing());
    missing.map(|finding| finding.need).collect()
}

fn required_and_missing(findings: &[Finding]) -> Vec<Need> {
    let required = |need: &Need| need.required();
    missing(findings).into_iter().filter(required).collect()
}

/// What to do about it, when `--yes` was not given.
fn next_step(plan: Option<&Plan>) -> String {
    match plan {
        Some(plan) if plan.runnable => {
            "something required is missing: run the command above, or `cargo xtask setup --yes`, \
             which runs it"
                .to_owned()
        }
        Some(_) => {
            "something required is missing: have an administrator run the command above".to_owned()
        }
        None => by_hand(),
    }
}

fn by_hand() -> String {
    let names: Vec<&str> = packages::Manager::ALL
        .iter()
        .map(|manager| manager.program())
        .collect();
    format!(
        "no package manager that is known ({}) is in PATH: install what is missing by hand",
        names.join(", ")
    )
}

fn still_missing(lacking: &[Need], plan: Option<&Plan>, failure: Option<String>) -> Failure {
    let names: Vec<&str> = lacking.iter().map(|need| need.label()).collect();
    let cause = match (failure, plan) {
        (Some(cause), _) => cause,
        (None, Some(plan)) => format!(
            "it is still missing after `{}`; the report says why",
            plan.line()
        ),
        (None, None) => by_hand(),
    };
    Failure::environment(format!("failed to install {}: {cause}", names.join(", ")))
}

/// Runs the commands of a plan; what they print goes to standard error.
fn install(host: &Host, plan: &Plan) -> Result<(), String> {
    if !plan.runnable {
        return Err(format!(
            "`{}` needs an administrator, and there is no `sudo`; run it as root",
            plan.line()
        ));
    }
    if plan.lists_missing {
        refresh(host, plan)?;
    }
    let first = stream(host, &plan.install);
    // Old package lists name packages that the archive no longer has.
    let stale = first.is_err() && !plan.lists_missing && plan.refresh.is_some();
    if !stale {
        return first;
    }
    refresh(host, plan)?;
    stream(host, &plan.install)
}

fn refresh(host: &Host, plan: &Plan) -> Result<(), String> {
    plan.refresh
        .as_ref()
        .map_or(Ok(()), |command| stream(host, command))
}

/// Runs one command with its output on standard error and no input: it cannot ask anything.
fn stream(host: &Host, words: &[String]) -> Result<(), String> {
    let line = words.join(" ");
    output::note(format!("running: {line}"));
    let (program, arguments) = words.split_first().ok_or("the command has no words")?;
    let path = host
        .which(program)
        .ok_or_else(|| format!("`{program}` is not in PATH"))?;
    let mut child = Command::new(path)
        .args(arguments)
        .env("PATH", &host.path)
        .stdin(Stdio::null())
        .stdout(Stdio::from(std::io::stderr()))
        .spawn()
        .map_err(|e| format!("`{line}` could not be started: {e}"))?;
    let status = wait_within(&mut child, INSTALL_LIMIT)
        .map_err(|e| format!("`{line}` did not end as it should: {e}"))?;
    match status.success() {
        true => Ok(()),
        false => Err(format!(
            "`{line}` ended with {status}; see its output above"
        )),
    }
}

/// What is found, what is missing, and what would help.
#[derive(Debug, Serialize)]
struct Report<'a> {
    schema_version: u32,
    found: Vec<Entry<'a>>,
    missing: Vec<Entry<'a>>,
    command: Option<String>,
    installed: Vec<&'static str>,
}

#[derive(Debug, Serialize)]
struct Entry<'a> {
    name: &'static str,
    #[serde(skip)]
    label: &'static str,
    required: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

impl<'a> Report<'a> {
    fn new(
        findings: &'a [Finding],
        plan: Option<&Plan>,
        installed: Vec<&'static str>,
    ) -> Report<'a> {
        let (missing, found): (Vec<&Finding>, Vec<&Finding>) =
            findings.iter().partition(|finding| finding.is_missing());
        Report {
            schema_version: SCHEMA_VERSION,
            found: found.into_iter().map(Entry::of).collect(),
            missing: missing.into_iter().map(Entry::of).collect(),
            command: plan.map(Plan::line),
            installed,
        }
    }

    fn json(&self) -> Outcome<String> {
        serde_json::to_string_pretty(self)
            .map_err(|e| Failure::failed(format!("failed to write the report as JSON: {e}")))
    }

    /// One line for each need; the command where it has not been run.
    fn text(&self, ran: bool) -> String {
        let mut lines = Vec::new();
        for entry in &self.found {
            let version = entry.version.unwrap_or("version unknown");
            lines.push(format!("found    {}: {version}", entry.label));
        }
        for entry in &self.missing {
            let optional = if entry.required { "" } else { " (optional)" };
            let reason = entry.reason.unwrap_or("unknown");
            lines.push(format!("missing  {}{optional}: {reason}", entry.label));
        }
        if let Some(command) = self.command.as_ref().filter(|_| !ran) {
            lines.push(format!("install with:\n  {command}"));
        }
        if !self.installed.is_empty() {
            lines.push(format!("installed: {}", self.installed.join(" ")));
        }
        lines.join("\n")
    }
}

impl<'a> Entry<'a> {
    fn of(finding: &'a Finding) -> Entry<'a> {
        let (version, reason) = match &finding.state {
            State::Found { version } => (version.as_deref(), None),
            State::Missing { reason } => (None, Some(reason.as_str())),
        };
        Entry {
            name: finding.need.key(),
            label: finding.need.label(),
            required: finding.need.required(),
            version,
            reason,
        }
    }
}

#[cfg(all(test, unix))]
mod tests;
