//! Reading a history file.
//!
//! A file that is damaged anywhere is refused as a whole, with the line, because a comparison over
//! the rest would look complete. Columns that this version does not know are left alone.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use csv::{Reader, ReaderBuilder, StringRecord};
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
        let mut lines = Lines::of(name, text)?;
        let mut reading = Reading::default();
        while let Some((line, record, layout)) = lines.next()? {
            reading.add(name, line, record, layout)?;
        }
        reading.finish(name, lines.columns)
    }

    /// Reads the meaning of fields that were split already.
    pub(super) fn read(name: &str, scanned: &Scanned) -> Outcome<HistoryFile> {
        let mut reading = Reading::default();
        for (line, record) in &scanned.records {
            reading.add(name, *line, record, &scanned.layout)?;
        }
        reading.finish(name, scanned.columns.clone())
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
        let mut lines = Lines::of(name, text)?;
        let mut records = Vec::new();
        while let Some((line, record, _)) = lines.next()? {
            records.push((line, record.clone()));
        }
        Ok(Scanned {
            columns: lines.columns,
            layout: lines.layout,
            records,
        })
    }
}

/// The lines of a history file after the header, one at a time: a long file is never held as
/// fields and as rows at once.
struct Lines<'a> {
    name: &'a str,
    columns: Vec<String>,
    layout: Layout,
    reader: Reader<&'a [u8]>,
    record: StringRecord,
    last: u64,
}

impl<'a> Lines<'a> {
    fn of(name: &'a str, text: &'a str) -> Outcome<Lines<'a>> {
        check_bytes(name, text)?;
        let mut reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(text.as_bytes());
        let mut record = StringRecord::new();
        if !matches!(reader.read_record(&mut record), Ok(true)) {
            return Err(damaged(name, 1, "it has no header"));
        }
        let columns: Vec<String> = record.iter().map(str::to_owned).collect();
        let layout = Layout::of(&columns).map_err(|what| damaged(name, 1, &what))?;
        Ok(Lines {
            name,
            columns,
            layout,
            reader,
            record,
            last: 1,
        })
    }

    /// The next line with its number, from 1, and where its columns are, once everything is checked
    /// that needs no meaning.
    fn next(&mut self) -> Outcome<Option<(u64, &StringRecord, &Layout)>> {
        let read = self.reader.read_record(&mut self.record);
        if !read.map_err(|error| damaged(self.name, self.last, &error.to_string()))? {
            return Ok(None);
        }
        self.last = self
            .record
            .position()
            .map_or(self.last, csv::Position::line);
        check_shape(&self.record, &self.columns)
            .map_err(|what| damaged(self.name, self.last, &what))?;
        Ok(Some((self.last, &self.record, &self.layout)))
    }
}

/// Rows that are being read.
#[derive(Default)]
struct Reading {
    entries: Vec<Entry>,
    lines: Vec<u64>,
    newer: Option<Newer>,
}

impl Reading {
    fn add(
        &mut self,
        name: &str,
        line: u64,
        record: &StringRecord,
        layout: &Layout,
    ) -> Outcome<()> {
        let (version, entry) =
            Entry::read(record, layout).map_err(|what| damaged(name, line, &what))?;
        let (set, own) = (entry.slug(), slug_of(name));
        if let Some(other) = set.filter(|slug| *slug != own) {
            let what = format!("its hardware set is `{other}`, and the file is that of `{own}`");
            return Err(damaged(name, line, &what));
        }
        if version > ROW_SCHEMA_VERSION {
            let found = self.newer.get_or_insert(Newer {
                version,
                line,
                rows: 0,
            });
            found.version = found.version.max(version);
            found.rows += 1;
        }
        self.entries.push(entry);
        self.lines.push(line);
        Ok(())
    }

    fn finish(self, name: &str, columns: Vec<String>) -> Outcome<HistoryFile> {
        let lines = self.lines.iter().copied();
        check_rows_are_distinct(name, lines.zip(&self.entries))?;
        Ok(HistoryFile {
            name: name.to_owned(),
            slug: slug_of(name).into_owned(),
            columns,
            entries: self.entries,
            newer: self.newer,
        })
    }
}

/// Hardware set of a history file: its name without the ending.
fn slug_of(name: &str) -> Cow<'_, str> {
    let stem = Path::new(name).file_stem().unwrap_or_default();
    stem.to_string_lossy()
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
    let mut seen: HashMap<&str, BTreeMap<&Configuration, u64>> = HashMap::new();
    for (line, entry) in entries {
        let Entry::Run(row) = entry else { continue };
        let of_the_run = seen.entry(&row.run_id).or_default();
        if let Some(first) = of_the_run.insert(&row.configuration, line) {
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
