//! Two runs beside each other, for a terminal.

use super::words;
use crate::history::compare::FieldChange;
use crate::history::pair::{PairReport, RunHead, SharedConfiguration, Side};
use crate::text::{self, Align};

/// Columns of the shared configurations.
const COLUMNS: [(&str, Align); 7] = [
    ("configuration", Align::Left),
    ("before", Align::Right),
    ("after", Align::Right),
    ("change", Align::Right),
    ("from the ranges", Align::Right),
    ("steps", Align::Right),
    ("evaluations", Align::Right),
];

/// The report: what each run is, the change at each width, and every configuration.
pub fn to_text(report: &PairReport) -> String {
    let mut text = format!("two runs of {} on {}\n\n", report.suite, report.slug);
    text.push_str(&format!("before  {}\n", head(&report.before)));
    text.push_str(&format!("after   {}\n\n", head(&report.after)));
    for (width, change) in &report.widths {
        let extremes = words::extremes(change).map(|ends| format!("; {ends}"));
        let (shown, ends) = (words::comparison(change), extremes.unwrap_or_default());
        text.push_str(&format!("@{width}: {shown}{ends}\n"));
    }
    if report.shared.is_empty() {
        text.push_str("they share no configuration\n");
    } else {
        text.push('\n');
        text.push_str(&shared(&report.shared));
    }
    for changed in &report.changed {
        let fields = words::fields(&changed.fields);
        text.push_str(&format!(
            "not the same work: {}: {fields}\n",
            changed.configuration
        ));
    }
    let only = [
        ("only before", &report.only_before),
        ("only after", &report.only_after),
    ];
    for (what, configurations) in only {
        if let Some(line) = words::about(what, configurations) {
            text.push_str(&format!("{line}\n"));
        }
    }
    text
}

fn head(head: &RunHead) -> String {
    let version = words::or_none(head.version.as_ref());
    let commit = words::commit(&head.commit, head.dirty);
    let note = match head.dirty {
        Some(true) => " (uncommitted changes were measured)",
        Some(false) => "",
        None => " (unknown whether uncommitted changes were measured)",
    };
    let date = words::date(&head.date);
    format!("{}  {date}  {version}  {commit}{note}", head.run_id)
}

fn shared(lines: &[SharedConfiguration]) -> String {
    let cells: Vec<Vec<String>> = lines.iter().map(cells_of).collect();
    let mut text = String::new();
    for (index, line) in text::table(&COLUMNS, &cells).lines().enumerate() {
        text.push_str(&format!("{line}\n"));
        if let Some(of) = index.checked_sub(1).and_then(|index| lines.get(index)) {
            for note in notes_of(of) {
                text.push_str(&format!("    {note}\n"));
            }
        }
    }
    text
}

fn cells_of(line: &SharedConfiguration) -> Vec<String> {
    let time = |side: &Side| {
        let range = words::range(side.min_s, side.max_s);
        format!("{} ({range})", text::seconds(side.median_s))
    };
    let counts = |old: Option<u64>, new: Option<u64>| match (old, new) {
        (Some(old), Some(new)) if old == new => new.to_string(),
        (old, new) => format!("{} -> {}", words::or_none(old), words::or_none(new)),
    };
    let (before, after) = (&line.before, &line.after);
    let range = match (line.ratio_min, line.ratio_max) {
        (Some(min), Some(max)) => format!("{} to {}", words::percent(min), words::percent(max)),
        _ => words::NONE.to_owned(),
    };
    vec![
        line.configuration.to_string(),
        time(before),
        time(after),
        words::change(line.ratio),
        range,
        steps(before, after),
        counts(before.source_evaluations, after.source_evaluations),
    ]
}

/// Steps of both runs, once where accepted and rejected ones are the same; unknown equals nothing.
fn steps(before: &Side, after: &Side) -> String {
    let known = |side: &Side| side.accepted.zip(side.rejected);
    let shown = |side: &Side| words::steps(side.accepted, side.rejected);
    match known(before).is_some() && known(before) == known(after) {
        true => shown(after),
        false => format!("{} -> {}", shown(before), shown(after)),
    }
}

/// What may explain a change.
fn notes_of(line: &SharedConfiguration) -> Vec<String> {
    let is_plans = |field: &&FieldChange| field.field == "fft_plans";
    let mut notes = Vec::new();
    if let Some(plans) = line.possible_reasons.iter().find(is_plans) {
        let plans = words::fields(std::slice::from_ref(plans));
        notes.push(format!(
            "other FFT plans, which alone can change a time: {plans}"
        ));
    }
    let others = line
        .possible_reasons
        .iter()
        .filter(|field| !is_plans(field));
    let others: Vec<FieldChange> = others.cloned().collect();
    if !others.is_empty() {
        notes.push(format!("differs as well: {}", words::fields(&others)));
    }
    for (what, side) in [("before", &line.before), ("after", &line.after)] {
        match side.busy {
            Some(true) => notes.push(format!("the machine was busy {what}")),
            None => notes.push(format!("unknown whether the machine was busy {what}")),
            Some(false) => {}
        }
    }
    notes
}

#[cfg(test)]
mod tests;
