//! The tables of the page, made from the registry and the records. Pure.

mod breakdown;
mod cost;
mod described;
mod oracles;
mod study;

use std::collections::BTreeMap;

use super::directive::{Directive, Kind};
use super::ground::Ground;
use super::record::Origin;
use crate::markdown;
use crate::text::Align;

/// What stands for a value that nobody has recorded.
const UNKNOWN: &str = "unknown";

/// What stands for a value that there is none of.
const NONE: &str = "-";

/// A table with what must be known of it below. Cells and notes are Markdown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Table {
    columns: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
    notes: Vec<String>,
}

/// What belongs at a marker, with the blank lines around it.
///
/// # Errors
/// Says what the marker asks for that is not there.
pub fn of(directive: &Directive, ground: &Ground<'_>) -> Result<String, String> {
    let scope = ground.scope(directive)?;
    let table = match directive.kind {
        Kind::Cases => described::cases(directive, &scope),
        Kind::Sizes => described::sizes(directive, &scope)?,
        Kind::Oracles => oracles::table(&scope)?,
        Kind::Cost => cost::table(directive, &scope),
        Kind::Breakdown => breakdown::parts(directive, &scope),
        Kind::Evaluations => breakdown::evaluations(directive, &scope),
        Kind::Study => study::table(directive, &scope),
    };
    Ok(table.to_markdown())
}

impl Table {
    /// A table with these headings: words go left, numbers right.
    fn new(columns: &[(&str, Align)]) -> Table {
        let columns = columns.iter();
        Table {
            columns: columns
                .map(|(name, align)| ((*name).to_owned(), *align))
                .collect(),
            ..Table::default()
        }
    }

    fn to_markdown(&self) -> String {
        let mut parts = Vec::new();
        if !self.rows.is_empty() {
            let columns = self.columns.iter();
            let columns: Vec<(&str, Align)> = columns
                .map(|(name, align)| (name.as_str(), *align))
                .collect();
            parts.push(markdown::table_of_markdown(&columns, self.rows.clone()));
        }
        if !self.notes.is_empty() {
            let notes = self.notes.iter();
            parts.push(notes.map(|note| format!("* {note}\n")).collect());
        }
        format!("\n{}\n", parts.join("\n"))
    }
}

/// A name as code, without what would end it or break a table.
fn code(name: &str) -> String {
    let sound = |c: &char| !c.is_control() && *c != '`' && *c != '|';
    format!("`{}`", name.chars().filter(sound).collect::<String>())
}

/// Names as part of a sentence.
fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.into_iter().map(code).collect();
    names.join(", ")
}

/// The note that names cases without a record.
fn not_recorded(names: &[&str]) -> Option<String> {
    let names = listed(names.iter().copied());
    (!names.is_empty()).then(|| format!("Not recorded yet: {names}."))
}

/// The note that says where and when cases were measured.
fn measured_on(origins: &[(&str, &Origin)]) -> Vec<String> {
    let mut groups: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (case, origin) in origins {
        let slug = origin.slug.as_deref().map_or(UNKNOWN.to_owned(), code);
        let day = origin.day().unwrap_or_else(|| UNKNOWN.to_owned());
        let cases = groups.entry(format!("{slug}, {day}")).or_default();
        if !cases.contains(case) {
            cases.push(case);
        }
    }
    let alone = groups.len() == 1;
    let groups = groups.into_iter();
    groups
        .map(|(place, cases)| match alone {
            true => format!("Measured on {place}."),
            false => format!("Measured on {place}: {}.", listed(cases)),
        })
        .collect()
}

#[cfg(test)]
mod tests;
