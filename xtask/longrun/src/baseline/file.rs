//! The text of a baseline file. Pure: files are read and written by [`super::disk`].
//!
//! TOML, version 1, entries sorted by configuration, keys in a fixed order, numbers as the shortest
//! decimal that reads back as the same number: two versions of a file differ where times do. It
//! names no host, no user and no path.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::entry::{Entry, Key};
use super::fingerprint::Fingerprint;
use crate::project::line_of;
use crate::text;

/// Version of the files that are written, and the only one that is read.
pub const VERSION: u32 = 1;

/// Entries that a file may have: as many as a plan has configurations.
const ENTRIES_MAX: usize = 10_000;

/// Characters of a name that a message shows.
const NAME_SHOWN: usize = 80;

/// Findings after which the rest of a file is not looked at: whoever mends them sees the next.
const FINDINGS_MAX: usize = 20;

/// What a reader of the file should know before anything else.
const COMMENT: &str = "\
# Times of an earlier run; `cargo xtask track --baseline-file` compares a later one with them.
# Commit this file: a time means something only beside the code that took it.
# A `note` in an entry is yours: it is shown, never compared, and kept. Everything else is written
# by `cargo xtask track --save-baseline`. Times are in nanoseconds per operation.
";

/// A baseline.
#[derive(Clone, Debug)]
#[cfg_attr(test, derive(PartialEq))]
pub struct Baseline {
    /// Suite of all its configurations.
    pub suite: String,
    /// What it was measured on.
    pub fingerprint: Fingerprint,
    /// Its configurations, sorted by name, each once.
    pub entries: Vec<Entry>,
}

#[derive(Serialize)]
struct Written<'a> {
    version: u32,
    suite: &'a str,
    entries: usize,
    fingerprint: &'a Fingerprint,
    configuration: &'a [Entry],
}

/// Enough to know whether the rest can be read.
#[derive(Deserialize)]
struct Head {
    version: Spanned<i64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(rename = "version")]
    _version: u32,
    suite: String,
    entries: Spanned<usize>,
    fingerprint: Fingerprint,
    #[serde(default)]
    configuration: Vec<Spanned<Entry>>,
}

/// Something that is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Line, from 1.
    pub line: usize,
    /// What is wrong.
    pub cause: String,
}

impl Finding {
    fn new(line: usize, cause: impl Into<String>) -> Finding {
        Finding {
            line,
            cause: text::plain(&cause.into()),
        }
    }
}

impl Baseline {
    /// The text of the file.
    ///
    /// # Errors
    /// Says why, where TOML cannot hold it, or it has more entries than are read.
    pub fn render(&self) -> Result<String, String> {
        let entries = self.entries.len();
        if entries > ENTRIES_MAX {
            return Err(format!(
                "it would have {entries} entries, and at most {ENTRIES_MAX} are read; save to \
                 another file"
            ));
        }
        let written = Written {
            version: VERSION,
            suite: &self.suite,
            entries,
            fingerprint: &self.fingerprint,
            configuration: &self.entries,
        };
        let body = toml::to_string(&written).map_err(|error| error.to_string())?;
        Ok(format!("{COMMENT}\n{body}"))
    }

    /// The baseline in a text.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with its line; of what is no TOML, the first.
    pub fn parse(text: &str) -> Result<Baseline, Vec<Finding>> {
        let head: Head = toml::from_str(text).map_err(|error| unreadable(text, &error))?;
        let version = *head.version.get_ref();
        if version != i64::from(VERSION) {
            let line = line_of(text, head.version.span().start);
            let cause = format!(
                "version {version} is not the version {VERSION} that this Longrun reads: use the \
                 one that wrote it"
            );
            return Err(vec![Finding::new(line, cause)]);
        }
        let document: Document = toml::from_str(text).map_err(|error| unreadable(text, &error))?;
        let findings = findings(text, &document);
        if !findings.is_empty() {
            return Err(findings);
        }
        let entries = document.configuration.into_iter();
        let mut entries: Vec<Entry> = entries.map(Spanned::into_inner).collect();
        entries.sort_by_cached_key(Entry::key);
        Ok(Baseline {
            suite: document.suite,
            fingerprint: document.fingerprint,
            entries,
        })
    }
}

fn unreadable(text: &str, error: &toml::de::Error) -> Vec<Finding> {
    let line = error.span().map_or(1, |span| line_of(text, span.start));
    vec![Finding::new(line, error.message())]
}

/// Everything that is wrong with a document whose form is right.
fn findings(text: &str, document: &Document) -> Vec<Finding> {
    let mut findings = Vec::new();
    let (expected, found) = (*document.entries.get_ref(), document.configuration.len());
    if found > ENTRIES_MAX {
        let line = line_of(text, document.entries.span().start);
        let cause = format!("it has {found} entries; at most {ENTRIES_MAX} are read");
        return vec![Finding::new(line, cause)];
    }
    if expected != found {
        let line = line_of(text, document.entries.span().start);
        let cause = format!("`entries` is {expected} and there are {found}: it was cut or edited");
        findings.push(Finding::new(line, cause));
    }
    // Lines are counted for what is wrong only: counting them for each entry is quadratic.
    let mut seen: BTreeMap<Key, usize> = BTreeMap::new();
    for spanned in &document.configuration {
        let (entry, start) = (spanned.get_ref(), spanned.span().start);
        if findings.len() >= FINDINGS_MAX {
            let cause = "from here on it was not looked at";
            findings.push(Finding::new(line_of(text, start), cause));
            break;
        }
        for defect in entry.defects() {
            let cause = format!("`{}` of `{}`: {}", defect.key, named(entry), defect.reason);
            let first = line_of(text, start);
            findings.push(Finding::new(line_of_key(text, first, defect.key), cause));
        }
        if let Some(earlier) = seen.insert(entry.key(), start) {
            let (name, earlier) = (named(entry), line_of(text, earlier));
            let cause = format!("`{name}` is there twice, first in line {earlier}");
            findings.push(Finding::new(line_of(text, start), cause));
        }
    }
    findings
}

/// The name of an entry, cut where it is no name any more.
fn named(entry: &Entry) -> String {
    let name = entry.to_string();
    name.chars().take(NAME_SHOWN).collect()
}

/// Line of `key` in the entry that begins in the line `first`; that line where there is none.
fn line_of_key(text: &str, first: usize, key: &str) -> usize {
    let lines = (1..).zip(text.lines()).skip(first.saturating_sub(1));
    let mut of_entry = lines.take_while(|(line, text)| *line == first || !text.starts_with("[["));
    let names_key = |text: &str| {
        let rest = text.trim_start().strip_prefix(key);
        rest.is_some_and(|rest| rest.trim_start().starts_with('='))
    };
    of_entry
        .find(|(_, text)| names_key(text))
        .map_or(first, |(line, _)| line)
}

#[cfg(test)]
pub mod made {
    //! Baselines of runs that never were.

    use longrun_protocol::{Engine, Size, Width};

    use super::super::fingerprint::made::fingerprint;
    use super::{Baseline, Entry};

    /// A quiet one of thirty samples.
    pub fn entry(case: &str, median_ns: f64) -> Entry {
        Entry {
            case: case.into(),
            size: Size::Full,
            revision: 1,
            engine: Engine::Native,
            stepper: "default".into(),
            variant: String::new(),
            width: Width::Threads(1),
            integrator: Some("none".into()),
            tolerances: Some(String::new()),
            noise_model: Some("none".into()),
            median_ns,
            iqr_ns: Some(median_ns / 128.0),
            mad_ns: Some(median_ns / 256.0),
            min_ns: median_ns / 2.0,
            max_ns: median_ns * 2.0,
            samples: 30,
            process_ratios: Vec::new(),
            allocations: Some(0.0),
            allocated_bytes: None,
            warning: None,
            note: None,
            commit: "0123456".into(),
        }
    }

    /// One of the cases `case_0`, `case_1`, and so on.
    pub fn baseline(entries: u32) -> Baseline {
        let entries = (0..entries).map(|n| entry(&format!("case_{n}"), 1e3 + f64::from(n) / 3.0));
        Baseline {
            suite: "kernels".into(),
            fingerprint: fingerprint(),
            entries: entries.collect(),
        }
    }
}

#[cfg(test)]
mod tests;
