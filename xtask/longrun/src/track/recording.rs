//! Rows of a finished run, appended to the history and committed.

use std::time::SystemTime;

use longrun_protocol::BuildIdentity;

use super::refusals::{self, Refusal};
use super::report::{RecordedRows, Report};
use super::results::ConfigurationResult;
use super::{Ground, source_differences};
use crate::cli::TrackArgs;
use crate::failure::Outcome;
use crate::history::{self, Addition, Entry, HistoryFile, Row};
use crate::native::NativeBuild;
use crate::text;
use crate::workers::Workers;

/// A finished run that is to be recorded.
pub struct Recording<'a> {
    /// What was known before the run.
    pub ground: &'a Ground,
    /// What was asked for.
    pub args: &'a TrackArgs,
    /// The native build that ran.
    pub build: Option<&'a NativeBuild>,
    /// The workers that ran.
    pub workers: &'a Workers,
    /// When the run began.
    pub began: SystemTime,
}

impl Recording<'_> {
    /// Records the run, or notes in the report why not.
    pub fn record(&self, report: &mut Report) -> Outcome<()> {
        report.refusals.extend(refusals::after_run(&report.results));
        if let Some(refusal) = self.sources_changed()? {
            report.refusals.push(refusal);
        }
        if !report.refusals.is_empty() {
            return Ok(());
        }
        let rows = self.rows(report);
        match self.append(report.run_id(), &rows) {
            Ok(rows) => report.recorded = Some(rows),
            // The run is finished and in its bundle; what keeps it out is a reason, not an end.
            Err(failure) => {
                report
                    .refusals
                    .push(Refusal::new("history_file", failure.message));
            }
        }
        Ok(())
    }

    /// What was measured must be what HEAD holds, or rows would speak of code that nobody can
    /// check out. A build made while dirty and committed since is as good as any.
    fn sources_changed(&self) -> Outcome<Option<Refusal>> {
        if self.args.allow_dirty {
            return Ok(None);
        }
        let ground = self.ground;
        let mut changed = Vec::new();
        if let Some(build) = self.build {
            let committed = ground.repo.head_content(&ground.project.native_scope())?;
            let prefix = format!("{}/", ground.project.settings.native);
            let relative = committed.into_iter().map(|(path, id)| {
                let short = path.strip_prefix(&prefix).map(str::to_owned);
                (short.unwrap_or(path), id)
            });
            changed.extend(source_differences(
                &build.identity.sources,
                &relative.collect(),
            ));
        }
        let now = ground.repo.state(&ground.watched)?;
        changed.extend(
            now.dirty
                .iter()
                .map(|dirty| format!("`{}` is {} now", dirty.path, dirty.change.as_str())),
        );
        Ok((!changed.is_empty()).then(|| {
            let message = format!(
                "what was measured is not what is committed now: {}; commit it and run again",
                refusals::counted(&changed)
            );
            Refusal::new("sources_changed", message)
        }))
    }

    /// One row per configuration; all of them are complete, so all of them have a median.
    fn rows(&self, report: &Report) -> Vec<Entry> {
        let results = report.results.iter().zip(&self.ground.plan.items);
        results
            .filter_map(|(result, item)| {
                let worker_digest = self.workers.digest(&item.worker).map(str::to_owned);
                let row = self.row(report.run_id(), result, result.median_s?);
                Some(Entry::Run(Box::new(Row {
                    worker_digest,
                    ..row
                })))
            })
            .collect()
    }

    fn row(&self, run_id: &str, result: &ConfigurationResult, median_s: f64) -> Row {
        let ground = self.ground;
        let machine = &ground.machine;
        let native: Option<&BuildIdentity> = self
            .build
            .map(|build| &build.identity)
            .filter(|_| result.configuration.engine.needs_library());
        Row {
            run_id: run_id.to_owned(),
            date: humantime::format_rfc3339_seconds(self.began).to_string(),
            version: ground.project.version.clone(),
            commit: ground.state.commit.clone(),
            dirty: Some(!ground.state.dirty.is_empty()),
            configuration: result.configuration.clone(),
            integrator: result.integrator.clone(),
            tolerances: result.tolerances.clone().unwrap_or_default(),
            noise_model: result.noise_model.clone(),
            threading: Some(self.args.selection.threading.name().to_owned()),
            memory_domains: machine.memory_domains,
            slug: Some(machine.slug.clone()),
            cpu_model: machine.cpu_model.clone(),
            cpu_signature: Some(machine.signature.to_string()),
            gpu_model: None,
            instance_type: machine.instance_type.clone(),
            os: Some(machine.os.clone()),
            native_version: native.map(|native| native.version.clone()),
            native_profile: native.map(|native| native.profile.clone()),
            native_compiler: native
                .map(|native| format!("{} {}", native.compiler.family, native.compiler.version)),
            build_key: native.map(|native| native.build_key.clone()),
            worker_digest: None,
            fft_plans: result.fft_plans.clone(),
            median_s,
            min_s: result.min_s,
            max_s: result.max_s,
            repeats: Some(result.repeats),
            // Of samples there are too many for a row; the bundle has them.
            raw_s: match result.sampled {
                None => result.raw_s.clone(),
                Some(_) => Vec::new(),
            },
            cpu_median_s: result.cpu_median_s,
            accepted: result.accepted,
            rejected: result.rejected,
            source_evaluations: result.source_evaluations,
            peak_rss_bytes: result.peak_rss_bytes,
            device_memory_bytes: result.device_memory_bytes,
            busy: result.busy,
        }
    }

    /// Appends the rows and, unless told otherwise, commits them. Returns where they are.
    fn append(&self, run_id: &str, rows: &[Entry]) -> Outcome<RecordedRows> {
        let ground = self.ground;
        let path = ground.project.history_file(&ground.machine.slug);
        let head = ground.repo.read_head_file(&path)?;
        if has_run(&path, head.as_deref(), run_id)? {
            return Ok(RecordedRows {
                sentence: format!("`{path}` has this run already; nothing was added"),
                commit: None,
                not_committed: None,
            });
        }
        // A run that was killed while it recorded has left its rows in the working file.
        let working = ground.repo.working_file(&path)?;
        let entries = match has_run(&path, working.as_deref(), run_id)? {
            true => &[],
            false => rows,
        };
        let added = history::add(&Addition {
            project: &ground.project,
            repo: &ground.repo,
            slug: &ground.machine.slug,
            entries,
            what: &text::counted(rows.len(), "row"),
            message: &self.message(run_id, rows.len()),
            commit: !self.args.no_commit,
        })?;
        Ok(RecordedRows {
            sentence: added.sentence,
            commit: added.commit,
            not_committed: added.not_committed,
        })
    }

    /// Message of the commit. It names no host, no user and no path of this machine.
    fn message(&self, run_id: &str, rows: usize) -> String {
        let ground = self.ground;
        let suite = ground
            .plan
            .items
            .first()
            .map(|item| &item.configuration.suite);
        let build = self
            .build
            .map(|build| format!("\nnative build {:.12}", build.identity.build_key));
        let dirty = match ground.state.dirty.is_empty() {
            true => "",
            false => " (with uncommitted changes)",
        };
        format!(
            "Record {} of {} on {}\n\nrun {run_id}\ncommit {}{dirty}{}\n",
            text::counted(rows, "configuration"),
            suite.map_or("", String::as_str),
            ground.machine.slug,
            ground.state.commit,
            build.unwrap_or_default()
        )
    }
}

/// Whether a version of a history file has rows of the run.
fn has_run(name: &str, version: Option<&[u8]>, run_id: &str) -> Outcome<bool> {
    let Some(bytes) = version else {
        return Ok(false);
    };
    // What is no text is refused, with its line, when it is appended to.
    let file = HistoryFile::parse(name, &String::from_utf8_lossy(bytes))?;
    Ok(file.entries.iter().any(|entry| entry.run_id() == run_id))
}
