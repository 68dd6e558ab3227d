//! Adding rows to a history file, as a function of its two versions.
//!
//! History is append-only: the working file has to extend the committed one, and the result
//! extends the working file. No line is reordered, and no field of an older line changes; when the
//! file gains columns, older lines get empty fields.

use std::collections::HashSet;

use csv::{StringRecord, Terminator, WriterBuilder};
use longrun_protocol::Configuration;

use super::columns::{COLUMNS, Layout};
use super::file::{HistoryFile, Scanned, decoded};
use super::rows::{Entry, ROW_SCHEMA_VERSION};
use crate::failure::{Failure, Outcome};

/// Text of the file with `entries` added.
///
/// `head` is the committed version, `working` that of the working tree; `None` is absent. `name`
/// is the path of the file, for messages.
///
/// # Errors
/// Exit 5 where the working file does anything but extend the committed one, a newer version has
/// written to it, or a row is already there; exit 6 where a version is damaged; exit 1 where a row
/// is given twice or would not read back as it is.
pub fn append(
    name: &str,
    head: Option<&str>,
    working: Option<&str>,
    entries: &[Entry],
) -> Outcome<String> {
    let base = match (head, working) {
        (Some(_), None) => {
            return Err(Failure::refused(format!(
                "failed to append to `{name}`: it is committed and the working tree lacks it; \
                 restore it with `git restore --source=HEAD -- {name}`"
            )));
        }
        (None, None) => None,
        (head, Some(working)) => {
            let scanned = Scanned::of(name, working)?;
            if let Some(head) = head {
                check_extends(name, &Scanned::of(name, head)?, &scanned)?;
            }
            let file = HistoryFile::read(name, &scanned)?;
            check_version(name, &file)?;
            check_new(name, &file, entries)?;
            Some((working, scanned))
        }
    };
    let columns = grown(base.as_ref().map(|(_, scanned)| scanned.columns.as_slice()));
    let mut text = match &base {
        // Byte for byte, whatever wrote it.
        Some((text, scanned)) if scanned.columns == columns && !text.contains('\r') => {
            (*text).to_owned()
        }
        Some((_, scanned)) => written(&columns, scanned.records.iter().map(|(_, record)| record))?,
        None => written(&columns, [])?,
    };
    text.push_str(&new_lines(&columns, entries)?);
    Ok(text)
}

/// [`append`] for the bytes of files.
///
/// # Errors
/// Those of [`append`]; exit 6 where a version is not UTF-8.
pub fn append_bytes(
    name: &str,
    head: Option<&[u8]>,
    working: Option<&[u8]>,
    entries: &[Entry],
) -> Outcome<Vec<u8>> {
    let head = head.map(|bytes| decoded(name, bytes)).transpose()?;
    let working = working.map(|bytes| decoded(name, bytes)).transpose()?;
    append(name, head, working, entries).map(String::into_bytes)
}

/// The columns of the new file: those that it has, then those that it lacks.
fn grown(columns: Option<&[String]>) -> Vec<String> {
    let mut columns = columns.unwrap_or_default().to_vec();
    for info in COLUMNS {
        if !columns.iter().any(|name| name == info.name) {
            columns.push(info.name.to_owned());
        }
    }
    columns
}

/// Refuses a working file that does anything but extend the committed one.
fn check_extends(name: &str, head: &Scanned, working: &Scanned) -> Outcome<()> {
    let refused = |line: u64, what: &str| {
        Err(Failure::refused(format!(
            "failed to append to `{name}`: line {line} {what}, and history is only ever extended; \
             restore the file with `git restore --source=HEAD -- {name}`, or commit the repair \
             first"
        )))
    };
    if !working.columns.starts_with(&head.columns) {
        return refused(1, "is another header than the committed one");
    }
    let mut lines = working.records.iter();
    for (committed_line, committed) in &head.records {
        let Some((line, record)) = lines.next() else {
            return refused(*committed_line, "of the committed file is missing");
        };
        let padded = committed.iter().chain(std::iter::repeat(""));
        if !record.iter().zip(padded).all(|(a, b)| a == b) {
            return refused(*line, "is not what was committed");
        }
    }
    Ok(())
}

/// Refuses a file that a newer version has written to: what this one adds could contradict what it
/// does not understand.
fn check_version(name: &str, file: &HistoryFile) -> Outcome<()> {
    let Some(newer) = &file.newer else {
        return Ok(());
    };
    Err(Failure::refused(format!(
        "failed to append to `{name}`: line {} has schema version {} and this program writes \
         {ROW_SCHEMA_VERSION}; record with the version of Longrun that wrote it",
        newer.line, newer.version
    )))
}

/// Refuses rows of a run that the file has already, and taking a run back twice.
fn check_new(name: &str, file: &HistoryFile, entries: &[Entry]) -> Outcome<()> {
    let known: HashSet<(&str, Option<&Configuration>)> = file.entries.iter().map(key).collect();
    let Some(entry) = entries.iter().find(|entry| known.contains(&key(entry))) else {
        return Ok(());
    };
    let is_there = match entry {
        Entry::Run(_) => "is in it already",
        Entry::Retracted(_) => "is retracted in it already",
    };
    Err(Failure::refused(format!(
        "failed to append to `{name}`: the run {} {is_there}; nothing needs to be done",
        entry.run_id()
    )))
}

/// What must not be there twice.
fn key(entry: &Entry) -> (&str, Option<&Configuration>) {
    let configuration = match entry {
        Entry::Run(row) => Some(&row.configuration),
        Entry::Retracted(_) => None,
    };
    (entry.run_id(), configuration)
}

/// A header and older lines, padded to its length.
fn written<'a>(
    columns: &[String],
    records: impl IntoIterator<Item = &'a StringRecord>,
) -> Outcome<String> {
    let mut lines = vec![columns.to_vec()];
    for record in records {
        let mut fields: Vec<String> = record.iter().map(str::to_owned).collect();
        fields.resize(columns.len(), String::new());
        lines.push(fields);
    }
    text_of(&lines)
}

/// The lines of new entries, each checked to be there once and to read back as what it was written
/// from.
fn new_lines(columns: &[String], entries: &[Entry]) -> Outcome<String> {
    let layout = Layout::of(columns).map_err(Failure::failed)?;
    let mut lines = Vec::new();
    let mut seen = HashSet::new();
    for entry in entries {
        if !seen.insert(key(entry)) {
            return Err(unwritable(entry, "it is there twice"));
        }
        let mut fields = vec![String::new(); columns.len()];
        for info in COLUMNS {
            let field = layout
                .position(info.column)
                .and_then(|at| fields.get_mut(at));
            if let Some(field) = field {
                *field = entry.text(info.column);
            }
        }
        check_reads_back(entry, &fields, &layout)?;
        lines.push(fields);
    }
    text_of(&lines)
}

fn check_reads_back(entry: &Entry, fields: &[String], layout: &Layout) -> Outcome<()> {
    let cause = match Entry::read(&StringRecord::from(fields.to_vec()), layout) {
        _ if fields.iter().any(|field| field.contains('\0')) => "it holds a NUL byte".to_owned(),
        Ok((_, read)) if read == *entry => return Ok(()),
        Ok(_) => "a value does not read back as itself".to_owned(),
        Err(what) => what,
    };
    Err(unwritable(entry, &cause))
}

fn unwritable(entry: &Entry, cause: &str) -> Failure {
    Failure::failed(format!(
        "failed to write a row of the run {}: {cause}; nothing was recorded, and this is a fault \
         of Longrun",
        entry.run_id()
    ))
}

/// Lines as CSV, each ended by a line feed alone.
fn text_of(lines: &[Vec<String>]) -> Outcome<String> {
    let failed = |cause: String| Failure::failed(format!("failed to write history lines: {cause}"));
    let mut writer = WriterBuilder::new()
        .terminator(Terminator::Any(b'\n'))
        .from_writer(Vec::new());
    for line in lines {
        writer
            .write_record(line)
            .map_err(|error| failed(error.to_string()))?;
    }
    let bytes = writer
        .into_inner()
        .map_err(|error| failed(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| failed(error.to_string()))
}

#[cfg(test)]
mod tests;
