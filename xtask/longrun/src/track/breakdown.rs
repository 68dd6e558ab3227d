//! Where the time of a run went (`track --breakdown`), and how far it is from what its evaluations
//! cost alone. Pure.
//!
//! The worker adds one repeat to those that are timed, and reads the clock between its parts. That
//! repeat is in no statistic: reading the clock costs time. `docs/native.md` says what each part
//! holds.

use longrun_protocol::sampling::Breakdown;
use longrun_protocol::{Configuration, Width};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::results::{ConfigurationResult, percent};
use crate::doctor::roof::kept::{Bandwidth, Kept};
use crate::markdown;
use crate::run::judge::ResultStatus;
use crate::text::{self, Align};

/// How far the sum of the parts may be from the run, as a fraction of it.
const REST_MAX: f64 = 0.05;

/// How far the repeat may be from the median of the timed ones before that is said.
const SLOWER_NOTED: f64 = 0.05;

/// How a result notes that its worker left the breakdown out.
const SKIPPED: &str = "skipped breakdown: ";

/// What stands for a number that there is none of.
const UNKNOWN: &str = "unknown";

/// What stands above both tables.
const HEADING: &str = "breakdown of one more repeat each, which is in no statistic";

/// Where the time went: the whole repeat, and its parts as shares of it.
const PARTS: [(&str, Align); 8] = [
    ("configuration", Align::Left),
    ("run", Align::Right),
    ("fft", Align::Right),
    ("pointwise", Align::Right),
    ("stepper", Align::Right),
    ("absorb", Align::Right),
    ("observe", Align::Right),
    ("rest", Align::Right),
];

/// What an evaluation costs.
const EVALUATIONS: [(&str, Align); 7] = [
    ("configuration", Align::Left),
    ("evaluations", Align::Right),
    ("bare evaluation", Align::Right),
    ("FFT time", Align::Right),
    ("floor", Align::Right),
    ("moved", Align::Right),
    ("stepper overhead", Align::Right),
];

/// What the extra repeat of one configuration says. Times in seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Split {
    /// Which configuration.
    pub configuration: Configuration,
    /// The whole repeat.
    pub run_s: f64,
    /// The repeat over the median of the timed ones.
    pub over_median: Option<f64>,
    /// Inside transforms of source evaluations.
    pub fft_s: f64,
    /// Inside the other loops of source evaluations.
    pub pointwise_s: f64,
    /// Inside the loops of the stepper.
    pub stepper_s: f64,
    /// Inside absorb.
    pub absorb_s: f64,
    /// Inside observe.
    pub observe_s: f64,
    /// What is left; below zero where the parts are longer than the run.
    pub rest_s: f64,
    /// Whether the parts sum to the run, within 5 % of it.
    pub adds_up: bool,
    /// Source evaluations of the repeat.
    pub evaluations: u64,
    /// One source evaluation, in a loop of nothing else on the state at mid-guide.
    pub bare_evaluation_s: Option<f64>,
    /// Its transforms alone.
    pub fft_time_s: Option<f64>,
    /// Evaluations of each of these loops.
    pub loop_evaluations: u64,
    /// Bytes that an evaluation must read and write once, its transforms aside.
    pub source_bytes: Option<u64>,
    /// How fast they can be moved.
    pub bandwidth: Option<Bandwidth>,
    /// How fast they are moved: over what a bare evaluation takes beside its transforms.
    pub moved_bytes_per_s: Option<f64>,
    /// What an evaluation cannot be faster than: its transforms, and moving these bytes.
    pub floor_s: Option<f64>,
    /// Time of the run without absorb and observe, per evaluation, over a bare evaluation.
    pub stepper_overhead: Option<f64>,
}

impl Split {
    /// Of a complete configuration that has a breakdown; `roof` is that of this machine, where it
    /// is known.
    pub fn of(result: &ConfigurationResult, roof: Option<&Kept>) -> Option<Split> {
        let breakdown = result.breakdown.as_ref();
        let breakdown = breakdown.filter(|_| result.status == ResultStatus::Complete)?;
        let configuration = result.configuration.clone();
        let parts = Parts::of(breakdown);
        let rest_s = parts.run_s - parts.sum_s();
        let bare_evaluation_s = breakdown.bare_evaluation_ns.and_then(positive_s);
        let fft_time_s = breakdown.transforms_ns.and_then(positive_s);
        let threads = match configuration.width {
            Width::Threads(threads) => Some(threads),
            Width::Device => None,
        };
        let source_bytes = breakdown.source_bytes;
        let bandwidth = roof.and_then(|roof| roof.bandwidth(threads?, source_bytes?));
        // Exact below 2^53 bytes.
        let moving_s = source_bytes.zip(bandwidth.as_ref());
        let moving_s = moving_s.map(|(bytes, bandwidth)| bytes as f64 / bandwidth.bytes_per_s);
        let beside_s = bare_evaluation_s.zip(fft_time_s);
        let beside_s = beside_s
            .map(|(bare, fft)| bare - fft)
            .filter(|beside| *beside > 0.0);
        let moved = source_bytes.zip(beside_s);
        let median_s = result.median_s.filter(|median| *median > 0.0);
        Some(Split {
            run_s: parts.run_s,
            over_median: median_s.map(|median| parts.run_s / median),
            fft_s: parts.fft_s,
            pointwise_s: parts.pointwise_s,
            stepper_s: parts.stepper_s,
            absorb_s: parts.absorb_s,
            observe_s: parts.observe_s,
            rest_s,
            adds_up: parts.run_s > 0.0 && rest_s.abs() <= REST_MAX * parts.run_s,
            evaluations: breakdown.evaluations,
            stepper_overhead: overhead(&parts, breakdown.evaluations, bare_evaluation_s),
            bare_evaluation_s,
            fft_time_s,
            loop_evaluations: breakdown.loop_evaluations,
            source_bytes,
            bandwidth,
            moved_bytes_per_s: moved.map(|(bytes, beside_s)| bytes as f64 / beside_s),
            floor_s: fft_time_s.zip(moving_s).map(|(fft, moving)| fft + moving),
            configuration,
        })
    }
}

/// The measured times in seconds.
struct Parts {
    run_s: f64,
    fft_s: f64,
    pointwise_s: f64,
    stepper_s: f64,
    absorb_s: f64,
    observe_s: f64,
}

impl Parts {
    fn of(breakdown: &Breakdown) -> Parts {
        // Exact below 2^53 ns, which are a hundred days.
        let seconds = |ns: u64| ns as f64 * 1e-9;
        Parts {
            run_s: seconds(breakdown.run_ns),
            fft_s: seconds(breakdown.fft_ns),
            pointwise_s: seconds(breakdown.pointwise_ns),
            stepper_s: seconds(breakdown.stepper_ns),
            absorb_s: seconds(breakdown.absorb_ns),
            observe_s: seconds(breakdown.observe_ns),
        }
    }

    fn sum_s(&self) -> f64 {
        self.fft_s + self.pointwise_s + self.stepper_s + self.absorb_s + self.observe_s
    }
}

/// A time in ns as seconds; none where it is no time.
fn positive_s(ns: f64) -> Option<f64> {
    (ns.is_finite() && ns > 0.0).then_some(ns * 1e-9)
}

/// What the stepper adds to bare evaluations, as a ratio.
fn overhead(parts: &Parts, evaluations: u64, bare_s: Option<f64>) -> Option<f64> {
    let stepping_s = parts.run_s - parts.absorb_s - parts.observe_s;
    let known = evaluations > 0 && stepping_s > 0.0;
    let bare_s = bare_s.filter(|_| known)?;
    Some(stepping_s / evaluations as f64 / bare_s)
}

/// The breakdown of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explained {
    /// One for each configuration that has one.
    pub configurations: Vec<Split>,
    /// What the reader should know.
    pub notes: Vec<String>,
}

impl Explained {
    /// Of all results of a run.
    pub fn of(results: &[ConfigurationResult], roof: Option<&Kept>) -> Explained {
        let splits = results.iter().filter_map(|result| Split::of(result, roof));
        let configurations: Vec<Split> = splits.collect();
        let mut notes = absences(results);
        notes.extend(configurations.iter().flat_map(doubts));
        let mut floors = configurations.iter().map(|split| split.floor_s);
        if floors.any(|floor| floor.is_none()) {
            notes.push(match roof {
                None => "the floor is unknown: the bandwidth of this machine was not measured; \
                         `cargo xtask doctor --roof` does that and keeps it"
                    .to_owned(),
                Some(_) => "a floor is unknown where the worker counts no bytes or no transforms, \
                            or the bandwidth was not measured with so many threads"
                    .to_owned(),
            });
        }
        Explained {
            configurations,
            notes,
        }
    }

    /// For programs.
    pub fn to_json(&self) -> Value {
        json!(self)
    }

    /// For people: where the time went, and beside it what an evaluation costs.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        if !self.configurations.is_empty() {
            text.push_str(&format!("\n{HEADING}\n"));
            text.push_str(&text::table(&PARTS, &self.rows(parts)));
            text.push_str(&text::table(&EVALUATIONS, &self.rows(evaluations)));
        }
        for note in &self.notes {
            text.push_str(&format!("note: {note}\n"));
        }
        text
    }

    /// The same for those who read it elsewhere.
    pub fn to_markdown(&self) -> String {
        let mut text = format!("\n### {HEADING}\n");
        if !self.configurations.is_empty() {
            let tables = [
                markdown::table(&PARTS, self.rows(parts)),
                markdown::table(&EVALUATIONS, self.rows(evaluations)),
            ];
            text.extend(tables.map(|table| format!("\n{table}")));
        }
        text.push_str(&markdown::list(&self.notes));
        text
    }

    fn rows(&self, row: fn(&Split) -> Vec<String>) -> Vec<Vec<String>> {
        self.configurations.iter().map(row).collect()
    }
}

/// That complete configurations have none, and why: one line for each reason.
fn absences(results: &[ConfigurationResult]) -> Vec<String> {
    let mut reasons: Vec<(&str, Vec<&Configuration>)> = Vec::new();
    for result in results {
        if result.status != ResultStatus::Complete || result.breakdown.is_some() {
            continue;
        }
        let mut notes = result.notes.iter();
        let reason = notes.find_map(|note| note.strip_prefix(SKIPPED));
        let reason = reason.unwrap_or("the worker made none");
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, names)) => names.push(&result.configuration),
            None => reasons.push((reason, vec![&result.configuration])),
        }
    }
    let lines = reasons.into_iter().filter_map(|(reason, names)| {
        let (first, others) = names.split_first()?;
        Some(match others.len() {
            0 => format!("`{first}` has no breakdown: {reason}"),
            others => format!("`{first}` and {others} more have no breakdown: {reason}"),
        })
    });
    lines.collect()
}

/// Why a split should be read with care.
fn doubts(split: &Split) -> Vec<String> {
    let name = &split.configuration;
    let mut doubts = Vec::new();
    if !split.adds_up {
        let rest = split.rest_s / split.run_s;
        doubts.push(match split.run_s > 0.0 {
            false => format!("the repeat of `{name}` took no time"),
            true if rest > 0.0 => format!(
                "the parts of `{name}` do not sum to its run: {} of it is in none of them",
                percent(rest)
            ),
            true => format!(
                "the parts of `{name}` do not sum to its run: they are longer by {}",
                percent(-rest)
            ),
        });
    }
    let slower = split.over_median.map(|ratio| ratio - 1.0);
    if let Some(slower) = slower.filter(|slower| slower.abs() > SLOWER_NOTED) {
        let word = match slower > 0.0 {
            true => "longer",
            false => "shorter",
        };
        doubts.push(format!(
            "the repeat of `{name}` took {} {word} than the median of those that are timed",
            percent(slower.abs())
        ));
    }
    doubts
}

/// A row of [`PARTS`].
fn parts(split: &Split) -> Vec<String> {
    let share = |part_s: f64| match split.run_s > 0.0 {
        true => percent(part_s / split.run_s),
        false => UNKNOWN.to_owned(),
    };
    let mut row = vec![split.configuration.to_string(), text::seconds(split.run_s)];
    let parts_s = [
        split.fft_s,
        split.pointwise_s,
        split.stepper_s,
        split.absorb_s,
        split.observe_s,
        split.rest_s,
    ];
    row.extend(parts_s.map(share));
    row
}

/// A row of [`EVALUATIONS`].
fn evaluations(split: &Split) -> Vec<String> {
    let time = |time: Option<f64>| time.map_or(UNKNOWN.to_owned(), text::seconds);
    let overhead = split.stepper_overhead;
    vec![
        split.configuration.to_string(),
        split.evaluations.to_string(),
        time(split.bare_evaluation_s),
        time(split.fft_time_s),
        time(split.floor_s),
        moved(split),
        overhead.map_or(UNKNOWN.to_owned(), |ratio| format!("{ratio:.3}")),
    ]
}

/// How fast bytes are moved, and how fast they could be.
fn moved(split: &Split) -> String {
    let Some(moved) = split.moved_bytes_per_s else {
        return UNKNOWN.to_owned();
    };
    let moved = moved * 1e-9;
    match &split.bandwidth {
        Some(Bandwidth { level, bytes_per_s }) => {
            format!("{moved:.1} of {:.0} GB/s {level}", bytes_per_s * 1e-9)
        }
        None => format!("{moved:.1} GB/s"),
    }
}

#[cfg(test)]
mod tests;
