//! Where the time of a run went, and what its evaluations cost alone. Pure.

use longrun_protocol::registry::CaseEntry;

use super::{Table, UNKNOWN, code, measured_on, not_recorded};
use crate::cases::directive::Directive;
use crate::cases::ground::{Scope, is_default};
use crate::cases::record::{Record, Shares};
use crate::text::{self, Align};
use crate::track::results::percent;

/// Shares of the whole repeat.
const PARTS: [(&str, Align); 9] = [
    ("case", Align::Left),
    ("threads", Align::Right),
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
    ("case", Align::Left),
    ("threads", Align::Right),
    ("bare evaluation", Align::Right),
    ("FFT time", Align::Right),
    ("floor", Align::Right),
    ("bare / floor", Align::Right),
    ("stepper overhead", Align::Right),
];

/// Where the time went, as shares.
pub fn parts(directive: &Directive, scope: &Scope<'_>) -> Table {
    table(directive, scope, &PARTS, |shares| {
        let share = |part_s: f64| percent(part_s / shares.run_s);
        vec![
            text::seconds(shares.run_s),
            share(shares.fft_s),
            share(shares.pointwise_s),
            share(shares.stepper_s),
            share(shares.absorb_s),
            share(shares.observe_s),
            share(shares.rest_s),
        ]
    })
}

/// What a source evaluation costs, beside what it cannot be faster than.
pub fn evaluations(directive: &Directive, scope: &Scope<'_>) -> Table {
    table(directive, scope, &EVALUATIONS, |shares| {
        let time = |time: Option<f64>| time.map_or(UNKNOWN.to_owned(), text::seconds);
        let ratio =
            |ratio: Option<f64>| ratio.map_or(UNKNOWN.to_owned(), |ratio| format!("{ratio:.2}"));
        let bare_and_floor = shares.bare_evaluation_s.zip(shares.floor_s);
        vec![
            time(shares.bare_evaluation_s),
            time(shares.fft_time_s),
            time(shares.floor_s),
            ratio(bare_and_floor.map(|(bare, floor)| bare / floor)),
            ratio(shares.stepper_overhead),
        ]
    })
}

fn table(
    directive: &Directive,
    scope: &Scope<'_>,
    columns: &[(&str, Align)],
    cells: impl Fn(&Shares) -> Vec<String>,
) -> Table {
    let mut table = Table::new(columns);
    let (mut origins, mut absent) = (Vec::new(), Vec::new());
    for (case, _) in scope.at(directive.size) {
        let Some(shares) = chosen(directive, scope, case) else {
            absent.push(case.name.as_str());
            continue;
        };
        let mut row = vec![code(&case.name), shares.of.width.to_string()];
        row.extend(cells(shares));
        table.rows.push(row);
        origins.push((case.name.as_str(), &shares.origin));
    }
    table.notes = measured_on(&origins);
    table.notes.extend(not_recorded(&absent));
    table
        .notes
        .extend(scope.left_out(directive.size, Record::is_breakdown));
    table
}

/// The breakdown at the width that the page asks for, else the narrowest.
fn chosen<'a>(directive: &Directive, scope: &Scope<'a>, case: &'a CaseEntry) -> Option<&'a Shares> {
    let records = scope.current(case, directive.size).into_iter();
    let shares = records.filter_map(|record| match record {
        Record::Breakdown(shares) if is_default(&shares.of, case) => Some(shares),
        _ => None,
    });
    let asked = |shares: &&Shares| directive.width.is_none_or(|width| shares.of.width == width);
    shares.filter(asked).min_by_key(|shares| shares.of.width)
}
