//! The grammar of `ab`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

use super::SelectionArgs;
use crate::project::TIMEOUTS_S;

/// What one observation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// One process that loads both libraries and alternates segments of the same work.
    Duet,
    /// Two processes, one after the other, that run the whole workload.
    Pairs,
}

/// Whose workers run the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Harness {
    /// The candidate's run both.
    Candidate,
    /// Each side has its own.
    Own,
}

/// A second opinion on what is called changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Opinion {
    /// Pairs of processes.
    Pairs,
}

/// The three ways to begin. What clap derives from a conflict of two options names neither.
const USAGE: &str = "cargo xtask ab --baseline REV [--candidate REV] [OPTIONS]
       cargo xtask ab --resume RUN [--out DIR] [--timeout S] [--strict] [--json]
       cargo xtask ab --replay FILE [--strict] [--json]";

/// `ab`.
#[derive(Clone, Debug, Args)]
#[command(
    override_usage = USAGE,
    after_help = "Without --threads each case runs at width 1. --repeats has no meaning here: the \
                  number of observations is found by the rule."
)]
pub struct AbArgs {
    /// Selection.
    #[command(flatten)]
    pub selection: SelectionArgs,
    /// Revision to compare with
    #[arg(long, value_name = "REV", required_unless_present_any = ["replay", "resume"])]
    pub baseline: Option<String>,
    /// Revision to judge; default: the working tree
    #[arg(long, value_name = "REV")]
    pub candidate: Option<String>,
    /// One process with both libraries, or two processes in turn; default: duet where one worker
    /// can serve both sides
    #[arg(long, value_enum)]
    pub mode: Option<Mode>,
    /// Whose workers run the sides; default: the candidate's, and each its own where `workloads/`
    /// differs
    #[arg(long, value_enum)]
    pub workers: Option<Harness>,
    /// A change below this many percent, above 0 and at most 100, counts as none; default: 1 for
    /// duets, 2 for pairs
    #[arg(long, value_name = "PERCENT")]
    pub margin: Option<f64>,
    /// Probability with which equal programs may be called changed, from 0.0001 to 0.5
    #[arg(long, value_name = "P", default_value = "0.01")]
    pub alpha: f64,
    /// Observations of each configuration at most; default: 80, or 40 or 21 where --max-time has no
    /// room for more
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(6..=10_000))]
    pub max_observations: Option<u32>,
    /// Longest time of all rounds together: `90s`, `15m`; at least 1 s. Where 80 observations of
    /// each configuration would not fit, 40 or 21 are planned, and looked at accordingly
    #[arg(long, value_name = "TIME", default_value = "15m", value_parser = max_time)]
    pub max_time: Duration,
    /// Seed of the coins that decide orders; default: drawn anew
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Keep both sides on one core; for width 1
    #[arg(long)]
    pub pin: bool,
    /// Exactly this many rounds, to explore: the verdict is that of one look at the end
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub rounds: Option<u32>,
    /// Fraction of each workload to run, above 0 and at most 1
    #[arg(long, value_name = "FRACTION", default_value = "1")]
    pub length: f64,
    /// Ask for a second opinion before something is called changed
    #[arg(long, value_enum)]
    pub confirm: Option<Opinion>,
    /// Hold every configuration to the acceptance policy; at least 9 pairs, whatever --rounds says
    #[arg(long)]
    pub gate: bool,
    /// Inconclusive verdicts end with exit 4, and differing results with exit 7
    #[arg(long)]
    pub strict: bool,
    /// Compare one build with itself, N times, to learn what this machine can see: the candidate's
    /// where --candidate names one, else the baseline's
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true,
          default_missing_value = "1", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub aa: Option<u32>,
    /// Print what would be compared, and what it would cost, and stop
    #[arg(long)]
    pub dry_run: bool,
    /// Go on with an earlier comparison, named by its id or the beginning of it
    #[arg(long, value_name = "RUN", conflicts_with_all = FIXED_BY_COMPARISON)]
    pub resume: Option<String>,
    /// Compute every verdict of an earlier comparison again from its file of observations
    #[arg(long, value_name = "FILE", conflicts_with_all = FIXED_BY_COMPARISON,
          conflicts_with_all = ["resume", "out", "timeout"])]
    pub replay: Option<PathBuf>,
    /// Folder for the bundles of comparisons; default: target/longrun/ab
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Longest time that one worker may take, in seconds; default: 7200
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(TIMEOUTS_S))]
    pub timeout: Option<u64>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments that an earlier comparison has decided.
const FIXED_BY_COMPARISON: [&str; 28] = [
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
    "baseline",
    "candidate",
    "mode",
    "workers",
    "margin",
    "alpha",
    "max_observations",
    "max_time",
    "seed",
    "pin",
    "rounds",
    "length",
    "confirm",
    "aa",
    "dry_run",
    "gate",
];

/// Least time that the rounds of a comparison can be given: a process takes about as long.
const MAX_TIME_LEAST: Duration = Duration::from_secs(1);

fn max_time(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(time) if time >= MAX_TIME_LEAST => Ok(time),
        Ok(_) => Err("no observation fits; give at least `1s`".to_owned()),
        Err(error) => Err(format!("{error}; write for example `15m`")),
    }
}
