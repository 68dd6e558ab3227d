//! Reading a history file.
//!
//! A file that is damaged anywhere is refused as a whole, with the line, because a comparison over
//! the rest would look complete. Columns that this version does not know are left alone.

use std::collections::HashMap;
use std::path::Path;

use csv::{ReaderBuilder, StringRecord};
use longrun_protocol::Configuration;

use super::columns::Layout;
use super::rows::{Entry, ROW_SCHEMA_VERSION};
use crate::failure::{Failure, Outcome};
use crate::text::counted;

/// The rows of one hardware set, in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryFile {
    /// The file, as messages name it.
    pub name: String,
    /// Hardware set: the name of the file without its ending.
    pub slug: String,
    /// Names of all columns, also of those that this version does not know.
    pub columns: Vec<String>,
    /// Every line.
    pub entries: Vec<Entry>,
    /// What a newer version of Longrun wrote, if anything.
    pub newer: Option<Newer>,
}

/// Rows of a newer schema version. They are read as far as their columns are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Newer {
    /// The newest version.
    pub version: u32,
    /// The first line of a newer version, from 1.
    pub line: u64,
    /// Number of such rows.
    pub rows: usize,
}

impl HistoryFile {
    /// The history of a hardware set that has none yet.
    pub fn empty(slug: &str) -> HistoryFile {
        HistoryFile {
            name: format!("{slug}.csv"),
            slug: slug.to_owned(),
            columns: Vec::new(),
            entries: Vec::new(),
            newer: None,
        }
    }

    /// Reads the text of a history file. `name` is its path, for messages and the slug.
    ///
    /// # Errors
    /// Exit 6 where the text is damaged, with the line and what to do.
    pub fn parse(name: &str, text: &str) -> Outcome<HistoryFile> {
        HistoryFile::read(name, &Scanned::of(name, text)?)
    }

    /// Reads the meaning of fields that were split already.
    pub(super) fn read(name: &str, scanned: &Scanned) -> Outcome<HistoryFile> {
        let mut entries = Vec::with_capacity(scanned.records.len());
        let mut newer: Option<Newer> = None;
        for (line, record) in &scanned.records {
            let (version, entry) =
                Entry::read(record, &scanned.layout).map_err(|what| damaged(name, *line, &what))?;
            if version > ROW_SCHEMA_VERSION {
                let found = newer.get_or_insert(Newer {
                    version,
                    line: *line,
                    rows: 0,
                });
                found.version = found.version.max(version);
                found.rows += 1;
            }
            entries.push(entry);
        }
        let lines = scanned.records.iter().map(|(line, _)| *line);
        check_rows_are_distinct(name, lines.zip(&entries))?;
        let stem = Path::new(name).file_stem().unwrap_or_default();
        Ok(HistoryFile {
            name: name.to_owned(),
            slug: stem.to_string_lossy().into_owned(),
            columns: scanned.columns.clone(),
            entries,
            newer,
        })
    }

    /// What a reader must know who sees rows of a newer version.
    pub fn newer_note(&self) -> Option<String> {
        let Newer {
            version,
            line,
            rows,
        } = self.newer.as_ref()?;
        Some(format!(
            "{} of `{}`, the first in line {line}, were written by schema version {version}; this \
             program knows {ROW_SCHEMA_VERSION} and shows what it knows of them",
            counted(*rows, "row"),
            self.name
        ))
    }
}

/// A history file as fields, before their meaning is read.
pub(super) struct Scanned {
    pub(super) columns: Vec<String>,
    pub(super) layout: Layout,
    /// Each line after the header with its number, from 1.
    pub(super) records: Vec<(u64, StringRecord)>,
}

impl Scanned {
    /// Splits the text and checks everything that needs no meaning.
    pub(super) fn of(name: &str, text: &str) -> Outcome<Scanned> {
        check_bytes(name, text)?;
        let mut reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(text.as_bytes());
        let mut records = reader.records();
        let header = match records.next() {
            Some(Ok(header)) => header,
            _ => return Err(damaged(name, 1, "it has no header")),
        };
        let columns: Vec<String> = header.iter().map(str::to_owned).collect();
        let layout = Layout::of(&columns).map_err(|what| damaged(name, 1, &what))?;
        let mut lines = Vec::new();
        let mut last = 1;
        for record in records {
            let record = record.map_err(|error| damaged(name, last, &error.to_string()))?;
            last = record.position().map_or(last, csv::Position::line);
            check_shape(&record, &columns).map_err(|what| damaged(name, last, &what))?;
            lines.push((last, record));
        }
        Ok(Scanned {
            columns,
            layout,
            records: lines,
        })
    }
}

/// Bytes as text; `name` is the path of the file, for messages.
pub(super) fn decoded<'a>(name: &str, bytes: &'a [u8]) -> Outcome<&'a str> {
    std::str::from_utf8(bytes).map_err(|error| {
        let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
        damaged(name, line_after(valid), "it is not UTF-8")
    })
}

/// Number of the line that begins or goes on after these bytes.
fn line_after(bytes: &[u8]) -> u64 {
    let ended = bytes.iter().filter(|byte| **byte == b'\n').count();
    u64::try_from(ended).unwrap_or(u64::MAX).saturating_add(1)
}

/// Refuses what a torn or overlapping write leaves behind.
fn check_bytes(name: &str, text: &str) -> Outcome<()> {
    if let Some((before, _)) = text.split_once('\0') {
        let what = "it holds a NUL byte, as a torn write leaves it";
        return Err(damaged(name, line_after(before.as_bytes()), what));
    }
    if text.is_empty() {
        return Err(damaged(name, 1, "it is empty"));
    }
    if text.starts_with('\u{feff}') {
        let what = "it begins with a byte order mark, which the program that saved it added";
        return Err(damaged(name, 1, what));
    }
    if !text.ends_with('\n') {
        let what = "it is torn: it does not end with a newline";
        return Err(damaged(name, line_after(text.as_bytes()), what));
    }
    Ok(())
}

/// Refuses a line that cannot be a row of this file.
fn check_shape(record: &StringRecord, columns: &[String]) -> Result<(), String> {
    let first = record.get(0).unwrap_or_default();
    if ["<<<<<<<", "=======", ">>>>>>>"]
        .iter()
        .any(|mark| first.starts_with(mark))
    {
        return Err("it is the mark of an unresolved merge".to_owned());
    }
    if record.len() != columns.len() {
        let fields = counted(record.len(), "field");
        return Err(format!(
            "it has {fields} and the header has {}",
            columns.len()
        ));
    }
    if columns.first().is_some_and(|column| column == first) {
        return Err("it is a second header; a merge joined two files".to_owned());
    }
    Ok(())
}

/// Refuses two rows of one configuration of one run: nobody can say which of them was measured.
fn check_rows_are_distinct<'a>(
    name: &str,
    entries: impl Iterator<Item = (u64, &'a Entry)>,
) -> Outcome<()> {
    let mut seen: HashMap<(&str, &Configuration), u64> = HashMap::new();
    for (line, entry) in entries {
        let Entry::Run(row) = entry else { continue };
        if let Some(first) = seen.insert((&row.run_id, &row.configuration), line) {
            let what = format!(
                "the run {} has `{}` in line {first} already",
                row.run_id, row.configuration
            );
            return Err(damaged(name, line, &what));
        }
    }
    Ok(())
}

/// A damaged file: which line, what is wrong, what to do.
pub(super) fn damaged(name: &str, line: u64, what: &str) -> Failure {
    Failure::environment(format!(
        "failed to read line {line} of `{name}`: {what}; repair that line, or bring a committed \
         file back with `git restore --source=HEAD -- {name}`; move away one that was never \
         committed"
    ))
}

#[cfg(test)]
mod tests;
