//! Tables whose columns the page chooses: cases, and the sizes of a case. Pure.

use longrun_protocol::Size;
use longrun_protocol::registry::CaseEntry;
use serde_json::Value;

use super::{NONE, Table, UNKNOWN, code};
use crate::cases::directive::{Column, Directive, Source};
use crate::cases::ground::Scope;
use crate::cases::record::Record;
use crate::cases::values::shown;
use crate::markdown::escaped;
use crate::text::Align;

/// A row for each case.
pub fn cases(directive: &Directive, scope: &Scope<'_>) -> Table {
    let mut table = begun("case", &directive.columns);
    for (case, _) in scope.at(directive.size) {
        let row = row(&case.name, &directive.columns, scope, case, directive.size);
        table.rows.push(row);
    }
    table.notes = notes(directive, scope, directive.size);
    table
}

/// A row for each size of the one case.
///
/// # Errors
/// Where there is no such case.
pub fn sizes(directive: &Directive, scope: &Scope<'_>) -> Result<Table, String> {
    let case = scope.cases.first().ok_or("it is of no case")?;
    let mut table = begun("size", &directive.columns);
    for size in Size::ALL {
        if case.sizes.contains_key(&size) {
            let row = row(size.as_str(), &directive.columns, scope, case, size);
            table.rows.push(row);
            table.notes.extend(notes(directive, scope, size));
        }
    }
    Ok(table)
}

fn begun(first: &str, columns: &[Column]) -> Table {
    let mut headings = vec![(first, Align::Left)];
    headings.extend(columns.iter().map(|of| (of.heading.as_str(), Align::Left)));
    Table::new(&headings)
}

/// What is left out of a table that shows facts of recorded runs.
fn notes(directive: &Directive, scope: &Scope<'_>, size: Size) -> Vec<String> {
    let mut sources = directive.columns.iter().flat_map(|column| &column.sources);
    match sources.any(|source| matches!(source, Source::Fact(_))) {
        true => scope.left_out(size, Record::is_cost),
        false => Vec::new(),
    }
}

fn row(
    name: &str,
    columns: &[Column],
    scope: &Scope<'_>,
    case: &CaseEntry,
    size: Size,
) -> Vec<String> {
    let cells = columns.iter().map(|column| cell(column, scope, case, size));
    std::iter::once(code(name)).chain(cells).collect()
}

fn cell(column: &Column, scope: &Scope<'_>, case: &CaseEntry, size: Size) -> String {
    let mut values = column.sources.iter();
    let found = values.find_map(|source| value(source, scope, case, size));
    found.unwrap_or_else(|| NONE.to_owned())
}

/// What a source says of a case; `None` where it has no such thing.
fn value(source: &Source, scope: &Scope<'_>, case: &CaseEntry, size: Size) -> Option<String> {
    match source {
        Source::Title => Some(escaped(&case.title)),
        Source::Interface => Some(code(&case.interface)),
        Source::Stepper => Some(code(&case.default_stepper)),
        Source::Noise => Some(escaped(&case.noise)),
        Source::Fact(name) => match scope.costs(case, size).first() {
            None => Some(UNKNOWN.to_owned()),
            Some(cost) => shown(name, cost.facts.get(name)?).map(|text| escaped(&text)),
        },
        Source::Parameter(keys) => {
            let parameters = case.parameters_at(case.sizes.get(&size)?);
            let (first, rest) = keys.split_first()?;
            let mut value = parameters.get(first)?;
            for key in rest {
                value = value.as_object()?.get(key)?;
            }
            let name = keys.last()?;
            shown(name, &Value::clone(value)).map(|text| escaped(&text))
        }
    }
}
