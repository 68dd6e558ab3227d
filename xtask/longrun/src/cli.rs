//! The whole grammar of the command line. The doc comments are the help.

pub mod ab;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use longrun_protocol::registry::WidthSpec;
use longrun_protocol::{Engine, Size, Width};
use serde::{Deserialize, Serialize};

use crate::machine::threading::Policy;
use crate::project::TIMEOUTS_S;

/// Builds the native backend, runs complete workloads, checks them, and keeps their history.
#[derive(Debug, Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    version,
    max_term_width = 100
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Find what the build needs, and install what is missing with --yes.
    Setup(SetupArgs),
    /// Say what this machine will and will not do, and measure its roof with --roof.
    Doctor(DoctorArgs),
    /// Show the plan with its estimated time; needs no native library and no worker.
    List(ListArgs),
    /// Build the native library if its inputs changed, and say why.
    Build(BuildArgs),
    /// Build if needed, run the plan, check every run, report, and record if asked.
    Track(TrackArgs),
    /// Run cases, untimed, and hold what they come to against what is known of them.
    Verify(VerifyArgs),
    /// Run one case, untimed, and draw its final spectrum and how it came about, as SVG.
    Plot(PlotArgs),
    /// Compare two revisions: build both, observe them in turn, and say what changed.
    Ab(ab::AbArgs),
    /// Show the recorded runs of one hardware set.
    History(HistoryArgs),
    /// Make the tables of the page of the cases, from the registry and from recorded runs.
    Cases(CasesArgs),
    /// Show what is kept on disk, and free what is old with --older-than.
    Clean(CleanArgs),
    /// Check the repository's own rules.
    Tidy(TidyArgs),
    /// The native build proper, in a process of its own.
    #[command(name = "__cmake", hide = true)]
    Cmake {
        /// File with the order to carry out.
        order: PathBuf,
    },
}

/// Native library to build or run with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BackendChoice {
    /// Host code (C++ and OpenMP).
    #[default]
    Cpu,
}

impl From<BackendChoice> for longrun_protocol::Backend {
    fn from(choice: BackendChoice) -> Self {
        match choice {
            BackendChoice::Cpu => longrun_protocol::Backend::Cpu,
        }
    }
}

/// `k=v`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariantChoice {
    /// Axis.
    pub axis: String,
    /// Value on it.
    pub value: String,
}

fn variant(text: &str) -> Result<VariantChoice, String> {
    match text.split_once('=') {
        Some((axis, value)) if !axis.is_empty() && !value.is_empty() => Ok(VariantChoice {
            axis: axis.to_owned(),
            value: value.to_owned(),
        }),
        _ => Err("expected `axis=value`".to_owned()),
    }
}

/// Which configurations. The plan of a bundle holds them, so that the run can be resumed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args, Serialize, Deserialize)]
#[serde(default)]
#[command(next_help_heading = "Selection")]
pub struct SelectionArgs {
    /// A case, tracked or not; may be repeated
    #[arg(long = "case", value_name = "NAME")]
    pub cases: Vec<String>,
    /// The tracked cases of a suite, or of every suite with `all`; may be repeated
    #[arg(long = "set", value_name = "SUITE")]
    pub sets: Vec<String>,
    /// Every registered case, tracked or not
    #[arg(long, conflicts_with_all = ["cases", "sets"])]
    pub all: bool,
    /// full, quick (seconds) or smoke (about a second)
    #[arg(long, default_value = "full")]
    pub size: Size,
    /// native or reference; default: what each case names first
    #[arg(long)]
    pub engine: Option<Engine>,
    /// Native library
    #[arg(long, value_enum, default_value = "cpu")]
    pub backend: BackendChoice,
    /// Steppers to run, one configuration each: `default` or overrides, comma-separated
    #[arg(long = "stepper", value_name = "S,...", value_delimiter = ',')]
    pub steppers: Vec<String>,
    /// Only variants with this value on this axis; may be repeated
    #[arg(long = "variant", value_name = "AXIS=VALUE", value_parser = variant)]
    pub variants: Vec<VariantChoice>,
    /// Widths, comma-separated: numbers of threads and `production`; default: each case's own
    #[arg(long = "threads", value_name = "W,...", value_delimiter = ',')]
    pub widths: Vec<WidthSpec>,
    /// Production width; default: physical cores of this process's allocation
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub production: Option<u32>,
    /// Timed repeats of each configuration, or samples of sampled work; default: each case's own
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeats: Option<u32>,
    /// Placement and waiting of threads: passive, passive-bound, default, active, bound,
    /// bound-active
    #[arg(long = "threading", value_name = "POLICY", default_value = "passive")]
    pub threading: Policy,
}

/// `setup`.
#[derive(Debug, Args)]
pub struct SetupArgs {
    /// Install what is missing
    #[arg(long)]
    pub yes: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `doctor`.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Measure bandwidth per cache level and multiply-add rate; takes some seconds
    #[arg(long)]
    pub roof: bool,
    /// Cloud instance type, where the machine does not say it
    #[arg(long, value_name = "TYPE")]
    pub instance_type: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Selection.
    #[command(flatten)]
    pub selection: SelectionArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `build`.
#[derive(Debug, Args)]
pub struct BuildArgs {
    /// Native library
    #[arg(long, value_enum, default_value = "cpu")]
    pub backend: BackendChoice,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// What a comparison with a baseline file asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum StoredPolicy {
    /// Fails on what regressed: at least 5 % slower, and by at least 3 sigmas
    #[default]
    Tracker,
    /// Fails on whatever is not shown to be as fast: at most 10 % slower, nothing missing
    Acceptance,
}

/// `track`.
#[derive(Clone, Debug, Args)]
pub struct TrackArgs {
    /// Selection.
    #[command(flatten)]
    pub selection: SelectionArgs,
    /// Print the plan and stop
    #[arg(long)]
    pub dry_run: bool,
    /// Record the run: append rows to the history and commit them
    #[arg(long)]
    pub append_history: bool,
    /// Record although watched files are not committed; the rows are marked dirty
    #[arg(long, requires = "append_history")]
    pub allow_dirty: bool,
    /// Append the rows to the working file and leave committing to you
    #[arg(long, requires = "append_history")]
    pub no_commit: bool,
    /// Cloud instance type, where the machine does not say it
    #[arg(long, value_name = "TYPE")]
    pub instance_type: Option<String>,
    /// Folder for the bundles of runs; default: target/longrun/runs
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Longest time that one worker may take, in seconds; default: 7200
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(TIMEOUTS_S))]
    pub timeout: Option<u64>,
    /// Keep the final state of every configuration as an artifact
    #[arg(long)]
    pub keep_state: bool,
    /// Copy the bundle to this folder when the run has ended, however it ended
    #[arg(long, value_name = "DIR")]
    pub archive: Option<PathBuf>,
    /// Compare with the times in a baseline file; exit 3 where something regressed
    #[arg(long, value_name = "FILE")]
    pub baseline_file: Option<PathBuf>,
    /// What that comparison asks for
    #[arg(
        long,
        value_enum,
        default_value = "tracker",
        requires = "baseline_file"
    )]
    pub policy: StoredPolicy,
    /// Save the times to a baseline file, after comparing; entries that were not run stay
    #[arg(long, value_name = "FILE")]
    pub save_baseline: Option<PathBuf>,
    /// Add a repeat to each configuration that is in no statistic and says where its time went
    #[arg(long)]
    pub breakdown: bool,
    /// Append the result of each configuration to this file, as a line of JSON, as it is finished
    #[arg(long, value_name = "FILE")]
    pub jsonl: Option<PathBuf>,
    /// Write the report to this file as Markdown, too
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    /// Finish an earlier run, named by its id or the beginning of it: what is complete is kept, the
    /// rest is run. Selection and options are those of that run; only --append-history,
    /// --allow-dirty, --no-commit, --timeout, --archive, --out, --baseline-file, --policy,
    /// --save-baseline, --jsonl, --markdown and --json go with it
    #[arg(long, value_name = "RUN", conflicts_with_all = FIXED_BY_RUN)]
    pub resume: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments that an earlier run has decided when it is resumed.
const FIXED_BY_RUN: [&str; 16] = [
    "cases",
    "sets",
    "all",
    "size",
    "engine",
    "backend",
    "steppers",
    "variants",
    "widths",
    "production",
    "repeats",
    "threading",
    "dry_run",
    "instance_type",
    "keep_state",
    "breakdown",
];

/// `verify`.
#[derive(Debug, Args)]
#[command(
    after_help = "Without --threads each case runs at width 1, and without --repeats it runs twice."
)]
pub struct VerifyArgs {
    /// Selection.
    #[command(flatten)]
    pub selection: SelectionArgs,
    /// Folder for requests, receipts and logs; default: target/longrun/verify
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Longest time that one worker may take, in seconds; default: 7200
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..=604_800))]
    pub timeout: Option<u64>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `plot`.
#[derive(Debug, Args)]
pub struct PlotArgs {
    /// The case, tracked or not
    #[arg(value_name = "CASE")]
    pub case: String,
    /// File for the SVG; one that is there is replaced only if it is a plot
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// full, quick (seconds) or smoke (about a second)
    #[arg(long, default_value = "full")]
    pub size: Size,
    /// native or reference; default: what the case names first
    #[arg(long)]
    pub engine: Option<Engine>,
    /// Native library
    #[arg(long, value_enum, default_value = "cpu")]
    pub backend: BackendChoice,
    /// Stepper to run instead of the case's own
    #[arg(long, value_name = "S")]
    pub stepper: Option<String>,
    /// The variant with this value on this axis; may be repeated
    #[arg(long = "variant", value_name = "AXIS=VALUE", value_parser = variant)]
    pub variants: Vec<VariantChoice>,
    /// Width: a number of threads or `production`
    #[arg(long = "threads", value_name = "W", default_value = "1")]
    pub width: WidthSpec,
    /// Production width; default: physical cores of this process's allocation
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub production: Option<u32>,
    /// Longest time that the worker may take, in seconds; default: 7200
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(TIMEOUTS_S))]
    pub timeout: Option<u64>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `history`.
#[derive(Debug, Args)]
pub struct HistoryArgs {
    /// Hardware set; default: this machine's
    #[arg(value_name = "SLUG")]
    pub slug: Option<String>,
    /// Only this width
    #[arg(long = "threads", value_name = "W")]
    pub width: Option<Width>,
    /// Only this suite
    #[arg(long = "set", value_name = "SUITE")]
    pub suite: Option<String>,
    /// The course of this case, one line per run
    #[arg(long, value_name = "NAME", conflicts_with_all = ["runs", "retract"])]
    pub case: Option<String>,
    /// Everything about a run: its id or the beginning of it; given twice, the second is compared
    /// with the first
    #[arg(long = "run", value_name = "RUN", conflicts_with_all = ["width", "suite"])]
    pub runs: Vec<String>,
    /// Take a run back: adds a row with the reason and commits it
    #[arg(long, value_name = "RUN", requires = "reason",
          conflicts_with_all = ["runs", "width", "suite"])]
    pub retract: Option<String>,
    /// Why a run is taken back, in one line
    #[arg(long, value_name = "TEXT", requires = "retract")]
    pub reason: Option<String>,
    /// Leave committing the retraction to you
    #[arg(long, requires = "retract")]
    pub no_commit: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `cases`.
#[derive(Debug, Args)]
#[command(
    after_help = "The page is docs/cases.md, the records are docs/records/SUITE.json. FILE is what \
                  `track --json` or `verify --json` printed, or lines of a study of steppers."
)]
pub struct CasesArgs {
    /// Take up the runs in these files first; what was kept of the same configurations is replaced
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "check")]
    pub record: Vec<PathBuf>,
    /// Change nothing; exit 1 where a table is not as it would be made
    #[arg(long)]
    pub check: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `clean`.
#[derive(Debug, Args)]
pub struct CleanArgs {
    /// Free what was not used for so long: `30d`, `12h`; default: only show what there is
    #[arg(long, value_name = "AGE", value_parser = humantime::parse_duration)]
    pub older_than: Option<Duration>,
    /// Free complete runs too that are in no history
    #[arg(long, requires = "older_than")]
    pub unrecorded: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `tidy`.
#[derive(Debug, Args)]
pub struct TidyArgs {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_grammar_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn allow_dirty_needs_append_history() {
        let parse = |words: &[&str]| Cli::try_parse_from([&["xtask"], words].concat());
        assert!(parse(&["track", "--allow-dirty"]).is_err());
        assert!(parse(&["track", "--append-history", "--allow-dirty"]).is_ok());
    }

    #[test]
    fn only_what_does_not_change_the_run_goes_with_resume() {
        let parse = |words: &[&str]| {
            Cli::try_parse_from([&["xtask", "track", "--resume", "2026"], words].concat())
        };
        let goes = ["--append-history", "--allow-dirty", "--no-commit", "--json"];
        assert!(parse(&goes).is_ok());
        assert!(parse(&["--timeout", "9", "--archive", "a", "--out", "b"]).is_ok());
        let baselines = [
            "--baseline-file",
            "a",
            "--policy",
            "acceptance",
            "--save-baseline",
            "b",
        ];
        assert!(parse(&baselines).is_ok());
        assert!(parse(&["--jsonl", "a", "--markdown", "b"]).is_ok());
        let track = Cli::command();
        let track = track.find_subcommand("track").unwrap();
        let goes_too = [
            "timeout",
            "archive",
            "out",
            "baseline_file",
            "policy",
            "save_baseline",
            "resume",
            "jsonl",
            "markdown",
        ];
        for argument in track.get_arguments() {
            let id = argument.get_id().as_str();
            let flag = format!("--{}", argument.get_long().unwrap());
            let known = goes.contains(&flag.as_str()) || goes_too.contains(&id);
            assert_ne!(known, FIXED_BY_RUN.contains(&id), "{id}");
        }
        assert!(parse(&["--case", "a"]).is_err());
        assert!(parse(&["--size", "full"]).is_err());
    }

    #[test]
    fn a_policy_needs_something_to_be_applied_to() {
        let parse = |words: &[&str]| Cli::try_parse_from([&["xtask", "track"], words].concat());
        assert!(parse(&[]).is_ok(), "the default asks for nothing");
        assert!(parse(&["--policy", "acceptance"]).is_err());
        assert!(parse(&["--baseline-file", "b", "--policy", "acceptance"]).is_ok());
        assert!(parse(&["--baseline-file", "b", "--policy", "pairs"]).is_err());
    }

    #[test]
    fn widths_are_numbers_or_production() {
        let parse = |widths: &str| Cli::try_parse_from(["xtask", "list", "--threads", widths]);
        assert!(parse("1,production").is_ok());
        assert!(parse("0").is_err());
        assert!(parse("1,,2").is_err());
    }
}
