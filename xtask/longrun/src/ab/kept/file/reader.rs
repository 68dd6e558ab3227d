//! Reading the file of a comparison. What is damaged anywhere is refused as a whole, with its line.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use serde::Deserialize;

use super::check::Check;
use super::{CHAIN_KEY, OBSERVATIONS, Record, link};
use crate::ab::kept::record::{Line, SCHEMA, SCHEMA_VERSION};
use crate::failure::{Failure, Outcome};

/// Largest file that is read: thousands of comparisons of a build with itself.
const FILE_BYTES_MAX: u64 = 4 << 30;

/// Longest line: the observation of a process with a hundred thousand segments.
const LINE_BYTES_MAX: u64 = 64 << 20;

/// Characters of a chain.
const CHAIN_DIGITS: usize = 64;

/// Reads the file of a comparison.
///
/// # Errors
/// Exit 2 with the line and the reason where anything of it is not as it was written, or a newer
/// program wrote it.
pub fn read(path: &Path) -> Outcome<Record> {
    let unread = |e: io::Error| Failure::usage(format!("failed to read `{}`: {e}", path.display()));
    let file = File::open(path).map_err(unread)?;
    let about = file.metadata().map_err(unread)?;
    if about.is_dir() {
        return Err(Failure::usage(format!(
            "failed to read `{}`: it is a folder; give the file `{OBSERVATIONS}` in it",
            path.display()
        )));
    }
    let length = about.len();
    if length > FILE_BYTES_MAX {
        return Err(Failure::usage(format!(
            "failed to read `{}`: it has {length} bytes; no comparison writes more than \
             {FILE_BYTES_MAX}",
            path.display()
        )));
    }
    read_open(&file, path).map(|(record, _)| record)
}

/// Reads an open file from its beginning: what it holds, and the chain of its last line.
pub fn read_open(mut file: &File, path: &Path) -> Outcome<(Record, String)> {
    file.seek(SeekFrom::Start(0))
        .map_err(|e| Failure::file("read", path, e))?;
    let mut input = BufReader::new(file);
    let mut reading = Reading::default();
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let mut bounded = (&mut input).take(LINE_BYTES_MAX);
        let length = bounded
            .read_until(b'\n', &mut bytes)
            .map_err(|e| Failure::file("read", path, e))?;
        if length == 0 {
            break;
        }
        reading.line += 1;
        let read = reading.add(&bytes);
        read.map_err(|what| damaged(path, reading.line, &what))?;
    }
    let chain = reading.chain.clone();
    match reading.finish() {
        Ok(record) => Ok((record, chain)),
        Err((line, what)) => Err(damaged(path, line, &what)),
    }
}

/// Bytes of the whole lines of a file.
pub fn whole_lines(mut file: &File, path: &Path) -> Outcome<u64> {
    let read = |e| Failure::file("read", path, e);
    let mut end = file.metadata().map_err(read)?.len();
    // A torn line is at most as long as a line: nothing before that is looked at.
    let first = end.saturating_sub(LINE_BYTES_MAX);
    file.seek(SeekFrom::Start(first)).map_err(read)?;
    let mut tail = Vec::new();
    file.take(LINE_BYTES_MAX)
        .read_to_end(&mut tail)
        .map_err(read)?;
    let torn = tail.iter().rev().take_while(|byte| **byte != b'\n').count();
    end = end.saturating_sub(u64::try_from(torn).unwrap_or(u64::MAX));
    Ok(end)
}

/// A file of which some lines are read.
#[derive(Default)]
struct Reading {
    /// Number of the line, from 1.
    line: u64,
    chain: String,
    check: Check,
    record: Option<Record>,
}

/// What every version of the first line has.
#[derive(Deserialize)]
struct Format {
    schema: Option<String>,
    schema_version: Option<u32>,
}

impl Reading {
    fn add(&mut self, bytes: &[u8]) -> Result<(), String> {
        let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
        let Some(text) = text.strip_suffix('\n') else {
            return Err("it is cut off; `cargo xtask ab --resume` goes on before it".to_owned());
        };
        if self.line == 1 {
            check_format(text)?;
        }
        let (body, chain) = parts(text).ok_or("it does not end with its chain")?;
        if link(&self.chain, body) != chain {
            return Err(
                "its chain is not that of its text and of the line before: it was edited \
                        or moved, or a line before it is gone"
                    .to_owned(),
            );
        }
        chain.clone_into(&mut self.chain);
        let line: Line = serde_json::from_str(&format!("{body}}}"))
            .map_err(|e| format!("it is no line of a comparison: {e}"))?;
        self.take(line)
    }

    fn take(&mut self, line: Line) -> Result<(), String> {
        let Some(record) = &mut self.record else {
            let Line::Header(header) = line else {
                return Err("the first line is not the header".to_owned());
            };
            self.check.header(&header)?;
            self.record = Some(Record {
                header: *header,
                observations: Vec::new(),
                resumed: Vec::new(),
                ending: None,
            });
            return Ok(());
        };
        if record.ending.is_some() {
            return Err("it stands after the end".to_owned());
        }
        match line {
            Line::Header(_) => return Err("it is a second header".to_owned()),
            Line::Observation(observation) => {
                self.check.observation(&record.header, &observation)?;
                record.observations.push(*observation);
            }
            Line::Resumed { date } => record.resumed.push(date),
            Line::End(end) => record.ending = Some(end.why),
        }
        Ok(())
    }

    fn finish(self) -> Result<Record, (u64, String)> {
        self.record.ok_or((1, "the file is empty".to_owned()))
    }
}

/// Refuses another format or a newer version of it, before anything else is looked at.
fn check_format(text: &str) -> Result<(), String> {
    let foreign = "it is not the header of a comparison";
    let format: Format = serde_json::from_str(text).map_err(|_| foreign)?;
    if format.schema.as_deref() != Some(SCHEMA) {
        return Err(foreign.to_owned());
    }
    match format.schema_version {
        Some(SCHEMA_VERSION) => Ok(()),
        Some(version) => Err(format!(
            "it was written in version {version} of the format, and this program reads version \
             {SCHEMA_VERSION}"
        )),
        None => Err("it has no version".to_owned()),
    }
}

/// The text of a line that its chain vouches for, without the closing brace, and the chain.
fn parts(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_suffix("\"}")?;
    let (body, chain) = rest.split_at_checked(rest.len().checked_sub(CHAIN_DIGITS)?)?;
    Some((body.strip_suffix(CHAIN_KEY)?, chain))
}

/// A damaged file: which line, what is wrong, what to do.
fn damaged(path: &Path, line: u64, what: &str) -> Failure {
    Failure::usage(format!(
        "failed to read line {line} of `{}`: {what}; use the file as the comparison wrote it",
        path.display()
    ))
}
