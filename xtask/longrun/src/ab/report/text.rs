//! The report for people. Pure.

use longrun_measure::paired::fraction::fraction;

use super::Report;
use super::alarms::Alarms;
use crate::ab::kept::record::{self, ArmRecord, Compared, Ending, Header};
use crate::ab::report::figures;
use crate::ab::report::gate::{CEILING, Gate, GateCheck};
use crate::ab::verdicts::calibration::Calibration;
use crate::ab::verdicts::ledger::Load;
use crate::ab::verdicts::numbers::Difference;
use crate::ab::verdicts::suite::SuiteVerdict;
use crate::ab::verdicts::{ConfigurationVerdict, Word};
use crate::text::{self, Align, plain};

/// What stands for a number that there is none of.
const NONE: &str = "-";

/// Digits of a commit id that are shown.
const COMMIT_SHOWN: usize = 7;

/// Level of the interval that shows equality.
const EQUIVALENCE: &str = "95 % interval";

/// The report as text.
pub fn of(report: &Report<'_>) -> String {
    let header = &report.record.header;
    let mut out = String::new();
    out.push_str(&format!("baseline   {}\n", arm(&header.baseline)));
    out.push_str(&format!("candidate  {}\n", arm(&header.candidate)));
    out.push_str(&build(header));
    if header.options.aa.is_none_or(|comparisons| comparisons == 1) {
        out.push('\n');
        out.push_str(&table(report));
        out.push_str(&notes(report));
    }
    if !report.calibrations.is_empty() {
        out.push('\n');
        out.push_str(&calibrations(header, &report.calibrations));
    }
    out.push('\n');
    for line in closing(report) {
        out.push_str(&format!("{}\n", plain(&line)));
    }
    out
}

/// One side: commit, what the user wrote, whether it is committed, what it says.
pub fn arm(arm: &ArmRecord) -> String {
    let commit: String = arm.commit.chars().take(COMMIT_SHOWN).collect();
    let dirty = match arm.dirty {
        true => ", with changes that are not committed",
        false => "",
    };
    plain(&format!(
        "{commit} {}{dirty}: {}",
        arm.revision, arm.subject
    ))
}

fn build(header: &Header) -> String {
    let difference = &header.build_difference;
    let word = match difference.same {
        true => "same build",
        false => "builds differ",
    };
    let mut text = format!("{word}\n");
    for reason in &difference.reasons {
        text.push_str(&format!("  {}\n", plain(reason)));
    }
    text
}

fn table(report: &Report<'_>) -> String {
    let header = &report.record.header;
    let level = format!(
        "{} interval",
        figures::probability(1.0 - header.options.alpha)
    );
    let known = header.configurations.iter();
    let known = known.filter(|compared| compared.known_sd.is_some()).count() > 0;
    let mut columns = vec![
        ("configuration", Align::Left),
        ("verdict", Align::Left),
        ("change", Align::Right),
        (level.as_str(), Align::Right),
        (EQUIVALENCE, Align::Right),
        ("n", Align::Right),
        ("spread", Align::Right),
        ("sees", Align::Right),
        ("results", Align::Right),
        ("by", Align::Left),
    ];
    if known {
        columns.push(("A/A spread", Align::Right));
    }
    let all = header.configurations.iter();
    let rows: Vec<Vec<String>> = all
        .zip(&report.verdicts.configurations)
        .map(|(compared, verdict)| {
            let mut row = row(compared, verdict);
            if known {
                let sd = compared.known_sd.map(fraction);
                row.push(sd.map_or(NONE.to_owned(), figures::size));
            }
            row
        })
        .collect();
    text::table(&columns, &rows)
}

fn row(compared: &Compared, verdict: &ConfigurationVerdict) -> Vec<String> {
    let measured = verdict.measured.as_ref();
    let none = || NONE.to_owned();
    let interval = |ends: Option<[f64; 2]>| ends.map_or_else(none, figures::interval);
    vec![
        plain(&compared.configuration.to_string()),
        verdict.word.shown(),
        measured
            .and_then(|measured| measured.estimate)
            .map_or_else(none, figures::change),
        interval(measured.and_then(|measured| measured.change_interval)),
        interval(measured.and_then(|measured| measured.equivalence_interval)),
        measured.map_or_else(none, |measured| measured.rounds.to_string()),
        measured
            .and_then(|measured| measured.spread)
            .map_or_else(none, figures::size),
        measured
            .and_then(|measured| measured.resolvable)
            .map_or_else(none, figures::size),
        results(&verdict.difference),
        measured.map_or_else(none, |measured| figures::clock(measured.metric).to_owned()),
    ]
}

/// How far the results are apart: `same`, a relative L2 difference, or steps that differ.
pub fn results(difference: &Difference) -> String {
    let states = match difference.relative_l2 {
        None => NONE.to_owned(),
        Some(distance) if distance.abs() <= 0.0 => "same".to_owned(),
        Some(distance) => format!("{distance:.1e}"),
    };
    let apart = difference.accepted;
    match apart.filter(|counts| counts.baseline != counts.candidate) {
        Some(counts) => format!("{states}, steps {} : {}", counts.baseline, counts.candidate),
        None => states,
    }
}

fn notes(report: &Report<'_>) -> String {
    let header = &report.record.header;
    let all = header.configurations.iter();
    let mut text = String::new();
    for (compared, verdict) in all.zip(&report.verdicts.configurations) {
        let known = compared.calibration.as_ref().map(known);
        for note in verdict.notes.iter().chain(&known) {
            let line = format!("{}: {note}", compared.configuration);
            text.push_str(&format!("{}\n", plain(&line)));
        }
    }
    text
}

/// What comparisons of a build with itself have shown on this machine.
fn known(calibration: &record::Calibration) -> String {
    let mut note = format!(
        "A/A on this machine: {}, {} called changed and {} proved unchanged",
        text::counted(calibration.comparisons as usize, "comparison"),
        calibration.changed,
        calibration.unchanged
    );
    if let Some(resolvable) = calibration.resolvable {
        let size = figures::size(fraction(resolvable));
        note.push_str(&format!("; a change of {size} is seen"));
    }
    note
}

fn calibrations(header: &Header, all: &[Calibration]) -> String {
    let columns = [
        ("configuration", Align::Left),
        ("comparisons", Align::Right),
        ("changed", Align::Right),
        ("unchanged", Align::Right),
        ("inconclusive", Align::Right),
        ("failed", Align::Right),
        ("observations", Align::Right),
        ("spread", Align::Right),
        ("sees", Align::Right),
    ];
    let size = |value: Option<f64>| value.map_or(NONE.to_owned(), figures::size);
    let rows: Vec<Vec<String>> = header
        .configurations
        .iter()
        .zip(all)
        .map(|(compared, one)| {
            let counts = [
                one.comparisons,
                one.changed,
                one.unchanged,
                one.inconclusive,
                one.failed,
            ];
            let mut row = vec![plain(&compared.configuration.to_string())];
            row.extend(counts.iter().map(u32::to_string));
            row.push(one.observations.to_string());
            row.extend([size(one.spread), size(one.resolvable)]);
            row
        })
        .collect();
    let table = text::table(&columns, &rows);
    format!("a build beside itself: whatever is called changed is a false alarm\n{table}")
}

/// What stands under the table: suite, gate, false alarms, load, how it ended.
pub fn closing(report: &Report<'_>) -> Vec<String> {
    let header = &report.record.header;
    let mut lines: Vec<String> = Vec::new();
    // Of a single configuration it would only repeat the row above.
    let suite = report.verdicts.suite.as_ref();
    lines.extend(
        suite
            .filter(|suite| suite.configurations > 1)
            .map(suite_line),
    );
    if let Some(gate) = &report.gate {
        lines.extend(gate_lines(gate));
    }
    let alarms = Alarms::of(header);
    if report.verdicts.suite.is_some() {
        lines.push(format!("false alarms: {}", alarms.sentence()));
    }
    lines.extend(load(report));
    lines.extend(ended(report));
    let verdict = report.verdicts.configurations.iter();
    let differ = verdict.filter(|verdict| verdict.word == Word::ResultsDiffer);
    if differ.count() > 0 {
        let warning = "warning: results differ between the sides: their times are no comparison";
        lines.push(warning.to_owned());
    }
    lines.push(format!("run {} on {}", header.run_id, header.machine.slug));
    lines
}

/// The suite in one sentence.
pub fn suite_line(suite: &SuiteVerdict) -> String {
    let measured = &suite.measured;
    let mut line = format!("suite: {}", suite.word.shown());
    if let (Some(estimate), Some(interval)) = (measured.estimate, measured.change_interval) {
        line.push_str(&format!(
            ", {} ({})",
            figures::change(estimate),
            figures::interval(interval)
        ));
    }
    line.push_str(&format!(
        ", over {} and {}",
        text::counted(suite.configurations, "configuration"),
        text::counted(measured.rounds, "round")
    ));
    for note in &suite.notes {
        line.push_str(&format!("; {note}"));
    }
    line
}

fn gate_lines(gate: &Gate) -> Vec<String> {
    let failed: Vec<&GateCheck> = gate.checks.iter().filter(|check| !check.passed()).collect();
    let checks = text::counted(gate.checks.len(), "check");
    let mut lines = vec![match gate.passed() {
        true => format!("gate: passed, {checks}"),
        false => format!("gate: FAILED, {} of {checks}", failed.len()),
    }];
    for reason in &gate.reasons {
        lines.push(format!("  {}", reason.message));
    }
    for check in &gate.checks {
        for reason in &check.reasons {
            lines.push(format!("  {}: {}", check.configuration, reason.message));
        }
        if let Some(bound) = check.upper_bound.filter(|_| check.passed()) {
            lines.push(format!(
                "  {}: inconclusive; {:.3} times as long at most, and {CEILING:.2} is the ceiling",
                check.configuration,
                1.0 + bound
            ));
        }
    }
    for configuration in &gate.candidate_only {
        lines.push(format!("  {configuration}: new, not checked"));
    }
    lines
}

/// Whether others used the machine, over all configurations.
fn load(report: &Report<'_>) -> Option<String> {
    let mut all = Load::default();
    for verdict in &report.verdicts.configurations {
        all.busy += verdict.load.busy;
        all.unknown += verdict.load.unknown;
        all.observations += verdict.load.observations;
    }
    let there = text::counted(all.observations, "observation");
    match (all.observations, all.busy, all.unknown) {
        (0, ..) | (_, 0, 0) => None,
        (_, busy, 0) => Some(format!(
            "load: others used the machine in {busy} of {there}"
        )),
        (_, busy, unknown) => Some(format!(
            "load: others used the machine in {busy} of {there}; unknown in {unknown}"
        )),
    }
}

/// How it ended, where that is not by its verdicts.
fn ended(report: &Report<'_>) -> Option<String> {
    let options = &report.record.header.options;
    match report.verdicts.ending {
        None => Some(format!(
            "stopped before its end: these are the verdicts so far; go on with `cargo xtask ab \
             --resume {}`",
            report.record.header.run_id
        )),
        Some(Ending::OutOfTime) => Some(format!(
            "the time of {} was up; --max-time gives more",
            text::seconds(options.max_time_s)
        )),
        Some(Ending::NothingToTime) => Some("nothing was timed".to_owned()),
        Some(Ending::Decided) => None,
    }
}
