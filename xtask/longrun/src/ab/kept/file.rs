//! The file of a comparison: written line by line, synced, and read back whole or not at all.
//!
//! Every line is a JSON object whose last key, `chain`, is the SHA-256 of the chain of the line
//! before, a newline, and the text of the line without that key. A line that was edited, moved,
//! added or taken out of the middle breaks the chain there. Lines that are gone from the end cannot
//! be told from a comparison that was stopped: it has no end, and whoever reads it says so.

mod check;
mod reader;

use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::ab::kept::record::{End, Ending, Header, Observation};
use crate::digest;
use crate::failure::{Failure, Outcome};
use crate::held::Held;

pub use reader::read;

/// Name of the file in the bundle of a comparison.
pub const OBSERVATIONS: &str = "observations.jsonl";

/// What stands between the rest of a line and its chain.
const CHAIN_KEY: &str = ",\"chain\":\"";

/// What the file of a comparison holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// What was decided before the first observation.
    pub header: Header,
    /// Every observation, in the order of the file.
    pub observations: Vec<Observation>,
    /// When the comparison went on after it had been stopped, UTC, RFC 3339.
    pub resumed: Vec<String>,
    /// How it ended; absent where it was only stopped.
    pub ending: Option<Ending>,
}

/// One line, borrowed: the twin of [`crate::ab::kept::record::Line`].
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Written<'a> {
    Header(&'a Header),
    Observation(&'a Observation),
    Resumed { date: &'a str },
    End(End),
}

/// Whoever holds it is the only one who adds to the file, by a lock that ends with the process.
#[derive(Debug)]
pub struct Recorder {
    file: Held,
    path: PathBuf,
    chain: String,
    /// Bytes of whole lines.
    length: u64,
}

impl Recorder {
    /// Creates the file of a new comparison and writes its header.
    ///
    /// # Errors
    /// Exit 6 where the file exists, is locked or cannot be written.
    pub fn create(path: &Path, header: &Header) -> Outcome<Recorder> {
        let file = OpenOptions::new()
            .create_new(true)
            .append(true)
            .read(true)
            .open(path)
            .map_err(|e| Failure::file("create", path, e))?;
        let file = lock(file, path)?;
        let mut recorder = Recorder {
            file,
            path: path.to_owned(),
            chain: String::new(),
            length: 0,
        };
        recorder.write(&Written::Header(header))?;
        Ok(recorder)
    }

    /// Opens the file of a comparison that was stopped and reads what it has. A last line without
    /// an end was being written when the comparison was killed: it is cut off.
    ///
    /// # Errors
    /// Exit 2 where the file is damaged otherwise or the comparison has ended; exit 6 where another
    /// process adds to it right now, or it cannot be written.
    pub fn reopen(path: &Path) -> Outcome<(Recorder, Record)> {
        let file = OpenOptions::new()
            .append(true)
            .read(true)
            .open(path)
            .map_err(|e| Failure::file("open", path, e))?;
        let file = lock(file, path)?;
        let kept = reader::whole_lines(&file, path)?;
        file.set_len(kept)
            .map_err(|e| Failure::file("cut the torn line off", path, e))?;
        let (record, chain) = reader::read_open(&file, path)?;
        if record.ending.is_some() {
            return Err(Failure::usage(format!(
                "failed to go on with the comparison {}: it has ended; begin another one",
                record.header.run_id
            )));
        }
        let recorder = Recorder {
            file,
            path: path.to_owned(),
            chain,
            length: kept,
        };
        Ok((recorder, record))
    }

    /// Says that the comparison goes on. `date` is UTC, RFC 3339.
    pub fn resumed(&mut self, date: &str) -> Outcome<()> {
        self.write(&Written::Resumed { date })
    }

    /// Adds one observation and waits until it is on disk.
    pub fn append(&mut self, observation: &Observation) -> Outcome<()> {
        self.write(&Written::Observation(observation))
    }

    /// Writes the last line.
    pub fn end(mut self, why: Ending) -> Outcome<()> {
        self.write(&Written::End(End { why }))
    }

    fn write(&mut self, line: &Written<'_>) -> Outcome<()> {
        let text =
            serde_json::to_string(line).map_err(|e| Failure::file("write", &self.path, e))?;
        let body = text.strip_suffix('}').unwrap_or(&text);
        let chain = link(&self.chain, body);
        let line = format!("{body}{CHAIN_KEY}{chain}\"}}\n");
        let written = self.file.write_all(line.as_bytes());
        if let Err(error) = written.and_then(|()| self.file.sync_data()) {
            // Part of a line on a full disk would be damage. The lines before it are whole.
            let _ = self.file.set_len(self.length);
            let next = "; free some space, then go on with --resume";
            return Err(Failure::file("write", &self.path, format!("{error}{next}")));
        }
        self.chain = chain;
        self.length += u64::try_from(line.len()).unwrap_or_default();
        Ok(())
    }
}

/// Chain of a line with this text after a line with that chain.
fn link(previous: &str, body: &str) -> String {
    digest::of_bytes(format!("{previous}\n{body}").as_bytes())
}

fn lock(file: File, path: &Path) -> Outcome<Held> {
    match file.try_lock() {
        Ok(()) => Ok(Held::locked(file)),
        Err(TryLockError::WouldBlock) => Err(Failure::environment(format!(
            "failed to go on with `{}`: another process is adding to it; wait for its end",
            path.display()
        ))),
        Err(TryLockError::Error(e)) => Err(Failure::file("lock", path, e)),
    }
}

#[cfg(test)]
mod tests;
