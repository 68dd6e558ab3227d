//! The history file of a bench, read as anybody would: by its header.

use std::collections::BTreeMap;
use std::fs;

use crate::bench::Bench;

/// One row by the names of the columns.
pub type Row = BTreeMap<String, String>;

impl Bench {
    /// Path of the only history file, relative to the root.
    #[track_caller]
    pub fn history_path(&self) -> String {
        let mut paths = self.history_paths();
        assert_eq!(paths.len(), 1, "one hardware set has one file: {paths:?}");
        paths.remove(0)
    }

    fn history_paths(&self) -> Vec<String> {
        let entries = fs::read_dir(self.root().join("history")).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let files = names.filter(|name| name.ends_with(".csv"));
        files.map(|name| format!("history/{name}")).collect()
    }

    /// Every recorded row of the working tree; none where there is no file.
    #[track_caller]
    pub fn rows(&self) -> Vec<Row> {
        match self.history_paths().is_empty() {
            true => Vec::new(),
            false => rows_of(&self.read(&self.history_path())),
        }
    }

    /// Every row that the checked out commit has.
    #[track_caller]
    pub fn committed_rows(&self) -> Vec<Row> {
        let name = format!("HEAD:{}", self.history_path());
        rows_of(&(self.git(["show", &name]) + "\n"))
    }

    /// Moves the run that was recorded last into the past, and commits that.
    ///
    /// Dates have seconds, so two runs of one test would otherwise have no order.
    pub fn backdate(&self, date: &str) {
        let path = self.history_path();
        let last = self.rows().pop().unwrap();
        self.write(&path, &self.read(&path).replace(&last["date"], date));
        self.commit_all("move the past further back");
    }
}

#[track_caller]
fn rows_of(text: &str) -> Vec<Row> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().map(|row| row.unwrap()).collect()
}
