//! The baseline file of a bench: saved, edited, and compared with.

use std::fs;

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::ran::Ran;

/// Its name, in the folder outside the repository.
pub const FILE: &str = "baseline.toml";

/// Codes of both thresholds of the policy `tracker`.
pub const BOTH: &[&str] = &["relative", "sigmas"];

impl Bench {
    /// The flag that saves a run to the baseline file.
    pub fn saving(&self) -> String {
        format!("--save-baseline {}", self.outside(FILE).display())
    }

    /// The flag that compares a run with it.
    pub fn comparing(&self) -> String {
        format!("--baseline-file {}", self.outside(FILE).display())
    }

    /// Runs the operations with these words and saves what they took.
    #[track_caller]
    pub fn save_baseline(&self, words: &str) -> Ran {
        self.track_kernels(&format!("{} {words}", self.saving()))
    }

    /// Runs the operations with these words and compares them with what was saved.
    #[track_caller]
    pub fn compare_with_baseline(&self, words: &str) -> Ran {
        self.track_kernels(&format!("{} {words}", self.comparing()))
    }

    /// Text of the baseline file.
    #[track_caller]
    pub fn baseline(&self) -> String {
        fs::read_to_string(self.outside(FILE)).unwrap()
    }

    /// Writes another baseline file.
    pub fn write_baseline(&self, text: &str) {
        fs::write(self.outside(FILE), text).unwrap();
    }

    /// Replaces the value of a key in the entry of a case.
    #[track_caller]
    pub fn edit_baseline(&self, case: &str, key: &str, value: &str) {
        let text = self.baseline();
        let (before, entry) = text.split_at(begin_of_entry(&text, case));
        let start = format!("{key} = ");
        let line = entry.lines().find(|line| line.starts_with(&start)).unwrap();
        let entry = entry.replacen(line, &format!("{start}{value}"), 1);
        self.write_baseline(&format!("{before}{entry}"));
    }

    /// The entry of a case in the baseline file.
    #[track_caller]
    pub fn entry(&self, case: &str) -> String {
        let text = self.baseline();
        let entry = &text[begin_of_entry(&text, case)..];
        // The next entry begins with a bracket, too.
        let end = entry[1..].find("\n[").map_or(entry.len(), |at| at + 2);
        entry[..end].trim_end().to_owned()
    }
}

/// Where the entry of a case begins.
#[track_caller]
fn begin_of_entry(text: &str, case: &str) -> usize {
    let name = text.find(&format!("\ncase = \"{case}\"\n")).unwrap();
    text[..name].rfind("[[").unwrap()
}

impl Ran {
    /// What the comparison in `--json` says of a case.
    #[track_caller]
    pub fn compared(&self, case: &str) -> Value {
        let report = self.json();
        let rows = report["comparison"]["rows"].as_array().unwrap();
        let row = rows.iter().find(|row| row["configuration"]["case"] == case);
        assert!(row.is_some(), "no case `{case}`:\n{self}");
        row.unwrap().clone()
    }

    /// Asserts the verdict of the comparison on a case and what decided it, and returns what is
    /// said of it.
    #[track_caller]
    pub fn finds(&self, case: &str, verdict: &str, decided_by: &[&str]) -> Value {
        let row = self.compared(case);
        assert_eq!(row["verdict"], verdict, "{self}");
        assert_eq!(row["decided_by"], json!(decided_by), "{self}");
        row
    }
}
