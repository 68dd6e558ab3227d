//! What each stepper takes for an error, case by case. Pure.

use super::{Table, code, not_recorded};
use crate::cases::directive::Directive;
use crate::cases::ground::Scope;
use crate::cases::record::{Record, Study};
use crate::text::Align;

/// What is said of a stepper.
const COLUMNS: [(&str, Align); 7] = [
    ("case", Align::Left),
    ("stepper", Align::Left),
    ("rtol", Align::Right),
    ("error", Align::Right),
    ("steps", Align::Right),
    ("evaluations", Align::Right),
    ("time over `rk`", Align::Right),
];

/// Rows of a case follow each other, by stepper and from the loosest tolerance on.
pub fn table(directive: &Directive, scope: &Scope<'_>) -> Table {
    let mut table = Table::new(&COLUMNS);
    let mut absent = Vec::new();
    for (case, _) in scope.at(directive.size) {
        let records = scope.current(case, directive.size).into_iter();
        let studies = records.filter_map(|record| match record {
            Record::Study(study) => Some(study),
            _ => None,
        });
        let before = table.rows.len();
        for study in studies {
            let name = match table.rows.len() == before {
                true => code(&case.name),
                false => String::new(),
            };
            table.rows.push(row(name, study));
        }
        if table.rows.len() == before {
            absent.push(case.name.as_str());
        }
    }
    table.notes.extend(not_recorded(&absent));
    table
        .notes
        .extend(scope.left_out(directive.size, Record::is_study));
    table
}

fn row(name: String, study: &Study) -> Vec<String> {
    let steps = match study.rejected {
        0 => study.accepted.to_string(),
        rejected => format!("{} + {rejected}", study.accepted),
    };
    vec![
        name,
        code(&study.stepper),
        format!("{:e}", study.rtol),
        format!("{:.1e}", study.error),
        steps,
        study.evaluations.to_string(),
        format!("{:.2}", study.seconds_ratio_to_rk),
    ]
}
