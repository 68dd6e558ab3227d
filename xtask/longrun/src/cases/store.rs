//! The file of the records of a suite, as text. Pure.
//!
//! JSON with one record a line, in a fixed order: two versions of a file differ where records do,
//! and a merge of branches shows what it is about. Nobody writes it but this program, so what it
//! would not write itself is refused.

use longrun_protocol::Size;
use serde::Deserialize;

use super::Damage;
use super::record::Record;

/// Version of the file.
const VERSION: u32 = 1;

/// Records that a file may have.
const RECORDS_MAX: usize = 20_000;

/// Lines before the first record.
const HEAD_LINES: usize = 4;

/// The records of one suite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Store {
    /// In the order of the file.
    records: Vec<Record>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    schema_version: u32,
    suite: String,
    records: Vec<Record>,
}

impl Store {
    /// The records in a text, which are those of `suite`.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn parse(suite: &str, text: &str) -> Result<Store, Damage> {
        let damage = |line, cause: String| Damage { line, cause };
        let document: Document = serde_json::from_str(text)
            .map_err(|error| damage(line_of(&error), error.to_string()))?;
        if document.schema_version != VERSION {
            let has = document.schema_version;
            return Err(damage(
                2,
                format!("it has version {has}, and {VERSION} is read"),
            ));
        }
        if document.suite != suite {
            return Err(damage(3, format!("it is of suite `{}`", document.suite)));
        }
        if document.records.len() > RECORDS_MAX {
            let cause = format!("it has more than {RECORDS_MAX} records");
            return Err(damage(HEAD_LINES + 1, cause));
        }
        for (line, record) in (HEAD_LINES + 1..).zip(&document.records) {
            if let Some(cause) = record.defect() {
                return Err(damage(line, cause));
            }
        }
        let store = Store::of(document.records);
        let written = store.render(suite).map_err(|cause| damage(1, cause))?;
        match first_difference(text, &written) {
            None => Ok(store),
            Some(line) => Err(damage(line, "it was edited or merged by hand".to_owned())),
        }
    }

    /// No records.
    pub const fn empty() -> Store {
        Store {
            records: Vec::new(),
        }
    }

    fn of(mut records: Vec<Record>) -> Store {
        records.sort_by(|a, b| {
            let (name, place) = (a.within(), b.within());
            let within = (name.0, name.1).cmp(&(place.0, place.1));
            let within = within.then(name.2.total_cmp(&place.2));
            a.group().cmp(&b.group()).then(within)
        });
        Store { records }
    }

    /// The text of the file.
    ///
    /// # Errors
    /// Says why, where JSON cannot hold it.
    pub fn render(&self, suite: &str) -> Result<String, String> {
        let mut lines = Vec::with_capacity(self.records.len());
        for record in &self.records {
            let line = serde_json::to_string(record).map_err(|e| e.to_string())?;
            lines.push(line);
        }
        let mut text = format!("{{\n\"schema_version\": {VERSION},\n\"suite\": \"{suite}\",\n");
        text.push_str("\"records\": [\n");
        text.push_str(&lines.join(",\n"));
        text.push_str(match lines.is_empty() {
            true => "]\n}\n",
            false => "\n]\n}\n",
        });
        Ok(text)
    }

    /// Takes records up. What was kept of the same configurations is replaced, whatever its
    /// revision.
    pub fn take(&mut self, records: Vec<Record>) {
        let mut kept = std::mem::take(&mut self.records);
        kept.retain(|old| records.iter().all(|new| new.group() != old.group()));
        kept.extend(records);
        *self = Store::of(kept);
    }

    /// Every record of a case at a size.
    pub fn at<'a>(&'a self, case: &'a str, size: Size) -> impl Iterator<Item = &'a Record> {
        let records = self.records.iter();
        records.filter(move |record| record.case() == case && record.size() == size)
    }
}

/// The line of an error. What is wrong with a whole value is noticed behind it: in column 0 of the
/// next line.
fn line_of(error: &serde_json::Error) -> usize {
    let behind = usize::from(error.column() == 0);
    error.line().saturating_sub(behind).max(1)
}

/// The first line in which two texts differ; `None` where they are equal.
fn first_difference(text: &str, other: &str) -> Option<usize> {
    if text == other {
        return None;
    }
    let same = text.lines().zip(other.lines()).take_while(|(a, b)| a == b);
    Some(same.count() + 1)
}

#[cfg(test)]
mod tests;
