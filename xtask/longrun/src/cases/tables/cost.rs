//! What each case costs: its work, its memory, and its time at each width. Pure.

use std::collections::BTreeSet;

use longrun_protocol::Width;

use super::{NONE, Table, UNKNOWN, code, measured_on, not_recorded};
use crate::cases::directive::Directive;
use crate::cases::ground::Scope;
use crate::cases::record::{Cost, Record};
use crate::markdown::escaped;
use crate::text::{self, Align};
use crate::track::results::percent;

/// Columns before those of the widths.
const COLUMNS: [(&str, Align); 4] = [
    ("case", Align::Left),
    ("steps", Align::Right),
    ("evaluations", Align::Right),
    ("memory", Align::Right),
];

/// A row for each case; a time and a spread for each width that was recorded.
pub fn table(directive: &Directive, scope: &Scope<'_>) -> Table {
    let cases = scope.at(directive.size);
    let cases: Vec<(&str, Vec<&Cost>)> = cases
        .map(|(case, _)| (case.name.as_str(), scope.costs(case, directive.size)))
        .collect();
    let all = || cases.iter().flat_map(|(_, costs)| costs);
    let widths: BTreeSet<Width> = all().map(|cost| cost.of.width).collect();
    let headings: Vec<String> = widths.iter().map(|width| on(*width)).collect();
    let mut columns = COLUMNS.to_vec();
    for heading in &headings {
        columns.extend([(heading.as_str(), Align::Right), ("spread", Align::Right)]);
    }
    let mut table = Table::new(&columns);
    let recorded = cases.iter().filter(|(_, costs)| !costs.is_empty());
    for (case, costs) in recorded {
        for variant in costs
            .iter()
            .map(|cost| &cost.of.variant)
            .collect::<BTreeSet<_>>()
        {
            let costs: Vec<&Cost> = costs
                .iter()
                .copied()
                .filter(|cost| cost.of.variant == *variant)
                .collect();
            table.rows.push(row(case, variant, &costs, &widths));
        }
    }
    let absent = cases.iter().filter(|(_, costs)| costs.is_empty());
    let absent: Vec<&str> = absent.map(|(case, _)| *case).collect();
    let origins: Vec<_> = all()
        .map(|cost| (cost.of.case.as_str(), &cost.origin))
        .collect();
    table.notes = measured_on(&origins);
    table
        .notes
        .extend(busy(&all().copied().collect::<Vec<_>>()));
    table.notes.extend(not_recorded(&absent));
    table
        .notes
        .extend(scope.left_out(directive.size, Record::is_cost));
    table
}

fn on(width: Width) -> String {
    match width {
        Width::Threads(1) => "1 thread".to_owned(),
        Width::Threads(threads) => format!("{threads} threads"),
        Width::Device => "device".to_owned(),
    }
}

fn row(case: &str, variant: &str, costs: &[&Cost], widths: &BTreeSet<Width>) -> Vec<String> {
    let name = match variant.is_empty() {
        true => code(case),
        false => format!("{} {}", code(case), escaped(variant)),
    };
    let memory = costs.iter().filter_map(|cost| cost.peak_rss_bytes).max();
    let mut row = vec![
        name,
        each(costs, steps),
        each(costs, |cost| {
            cost.evaluations.map(|count| count.to_string())
        }),
        text::or_unknown(memory.map(text::bytes)),
    ];
    for width in widths {
        let cost = costs.iter().find(|cost| cost.of.width == *width);
        row.push(cost.map_or(NONE.to_owned(), |cost| text::seconds(cost.median_s)));
        row.push(cost.map_or(NONE.to_owned(), |cost| percent(cost.spread())));
    }
    row
}

fn steps(cost: &Cost) -> Option<String> {
    cost.accepted.map(|accepted| match cost.rejected {
        None | Some(0) => accepted.to_string(),
        Some(rejected) => format!("{accepted} + {rejected}"),
    })
}

/// A count that all widths share; each of theirs where they differ.
fn each(costs: &[&Cost], count: fn(&Cost) -> Option<String>) -> String {
    let mut shown: Vec<String> = Vec::new();
    for cost in costs {
        let count = count(cost).unwrap_or_else(|| UNKNOWN.to_owned());
        if !shown.contains(&count) {
            shown.push(count);
        }
    }
    shown.join("; ")
}

/// Notes that name the runs of a busy machine, and those of which that is unknown.
fn busy(costs: &[&Cost]) -> Vec<String> {
    let mut notes = Vec::new();
    for (busy, said) in [
        (
            Some(true),
            "The machine was busy with something else during",
        ),
        (None, "It is unknown whether the machine was busy during"),
    ] {
        let those: Vec<&Cost> = costs.iter().copied().filter(|of| of.busy == busy).collect();
        match (those.len(), costs.len()) {
            (0, _) => {}
            (some, all) if some == all => notes.push(format!("{said} every run.")),
            _ => notes.push(format!("{said} {}.", by_width(&those))),
        }
    }
    notes
}

/// Cases with their widths: `a` at width 1 and 2.
fn by_width(costs: &[&Cost]) -> String {
    let mut cases: Vec<(&str, Vec<String>)> = Vec::new();
    for cost in costs {
        let (case, width) = (cost.of.case.as_str(), cost.of.width.to_string());
        match cases.iter_mut().find(|(known, _)| *known == case) {
            Some((_, widths)) => widths.push(width),
            None => cases.push((case, vec![width])),
        }
    }
    let cases = cases.into_iter();
    let cases = cases.map(|(case, widths)| format!("{} at {}", code(case), widths.join(" and ")));
    cases.collect::<Vec<_>>().join(", ")
}
