//! What the oracles of a case came to, a column for each size. Pure.

use longrun_protocol::Size;
use longrun_protocol::receipt::OracleLine;
use longrun_protocol::registry::CaseEntry;

use super::{NONE, Table, UNKNOWN, listed};
use crate::cases::ground::{Scope, is_default};
use crate::cases::record::{Oracle, Record};
use crate::markdown::escaped;
use crate::text::Align;
use crate::verify::numbers::{expectation, measured};

/// A row for each quantity and what is expected of it; sizes that expect the same share a row.
///
/// # Errors
/// Where there is no such case.
pub fn table(scope: &Scope<'_>) -> Result<Table, String> {
    let case = *scope.cases.first().ok_or("it is of no case")?;
    let asked = |size: &Size| {
        let entry = case.sizes.get(size);
        entry.is_some_and(|entry| !entry.oracles.is_empty())
    };
    let sizes: Vec<Size> = Size::ALL.into_iter().filter(asked).collect();
    let mut columns = vec![("quantity", Align::Left), ("expected", Align::Left)];
    columns.extend(sizes.iter().map(|size| (size.as_str(), Align::Right)));
    let mut table = Table::new(&columns);
    let mut quantities: Vec<Quantity> = Vec::new();
    for (place, size) in sizes.iter().enumerate() {
        for line in lines(scope, case, *size) {
            let name = [line.quantity.clone(), expected(line)];
            let found = quantities.iter().position(|known| known.name == name);
            let index = found.unwrap_or(quantities.len());
            if found.is_none() {
                let blank = sizes
                    .iter()
                    .map(|size| blank(scope, case, *size, &line.oracle));
                quantities.push(Quantity {
                    name,
                    obtained: blank.collect(),
                });
            }
            let row = quantities.get_mut(index);
            if let Some(cell) = row.and_then(|row| row.obtained.get_mut(place)) {
                *cell = escaped(&measured(line.obtained, line.tolerance, &line.unit));
            }
        }
    }
    let rows = quantities.into_iter().map(|quantity| {
        let name = quantity.name.iter().map(|cell| escaped(cell));
        name.chain(quantity.obtained).collect()
    });
    table.rows = rows.collect();
    table.notes = notes(scope, case, &sizes);
    Ok(table)
}

/// A row: what is measured and expected, and what was obtained at each size.
struct Quantity {
    name: [String; 2],
    obtained: Vec<String>,
}

/// What stands where a size has no number: nobody asks for it there, or nobody has recorded it.
fn blank(scope: &Scope<'_>, case: &CaseEntry, size: Size, oracle: &str) -> String {
    match absent(scope, case, size).contains(&oracle) {
        true => UNKNOWN.to_owned(),
        false => NONE.to_owned(),
    }
}

fn expected(line: &OracleLine) -> String {
    expectation(line.relation, line.expected, line.tolerance, &line.unit)
}

/// The quantities of the oracles that the registry asks for, in its order, of the narrowest run.
fn lines<'a>(scope: &Scope<'a>, case: &'a CaseEntry, size: Size) -> Vec<&'a OracleLine> {
    let records = recorded(scope, case, size);
    let oracles = case.sizes.get(&size).map(|entry| &entry.oracles);
    let of = |name: &'a String| {
        let records: Vec<&OracleLine> = records
            .iter()
            .map(|oracle| &oracle.line)
            .filter(|line| line.oracle == *name)
            .collect();
        records
    };
    oracles.into_iter().flatten().flat_map(of).collect()
}

fn recorded<'a>(scope: &Scope<'a>, case: &'a CaseEntry, size: Size) -> Vec<&'a Oracle> {
    let records = scope.current(case, size).into_iter();
    let oracles = records.filter_map(|record| match record {
        Record::Oracle(oracle) if is_default(&oracle.of, case) => Some(oracle),
        _ => None,
    });
    let mut oracles: Vec<&Oracle> = oracles.collect();
    let narrowest = oracles.iter().map(|oracle| oracle.of.width).min();
    oracles.retain(|oracle| Some(oracle.of.width) == narrowest);
    oracles
}

/// Oracles that the registry asks for and nobody has recorded.
fn absent<'a>(scope: &Scope<'_>, case: &'a CaseEntry, size: Size) -> Vec<&'a str> {
    let records = recorded(scope, case, size);
    let oracles = case.sizes.get(&size).map(|entry| entry.oracles.iter());
    let names = oracles.into_iter().flatten().map(String::as_str);
    names
        .filter(|name| !records.iter().any(|record| record.line.oracle == *name))
        .collect()
}

/// Sizes without a record, oracles without one at other sizes, and what is left out.
fn notes(scope: &Scope<'_>, case: &CaseEntry, sizes: &[Size]) -> Vec<String> {
    let (mut whole, mut notes) = (Vec::new(), Vec::new());
    for size in sizes {
        let names = absent(scope, case, *size);
        if recorded(scope, case, *size).is_empty() {
            whole.push(size.as_str());
        } else if !names.is_empty() {
            notes.push(format!(
                "Not recorded yet at size {size}: {}.",
                listed(names)
            ));
        }
    }
    if !whole.is_empty() {
        notes.insert(0, format!("Not recorded yet: size {}.", whole.join(", ")));
    }
    let left_out = sizes.iter();
    notes.extend(left_out.flat_map(|size| scope.left_out(*size, Record::is_oracle)));
    notes
}
