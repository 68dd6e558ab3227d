//! What `cases` did or found, for people and for programs. Pure, but for the printing.

use serde_json::{Value, json};

use super::{PAGE, RECORDS};
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output;
use crate::text::counted;

/// Version of the JSON.
const SCHEMA_VERSION: u32 = 1;

/// A table that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// First line of its marker.
    pub name: String,
    /// Line of that in the page, from 1.
    pub line: usize,
    /// Whether the page had another.
    pub differs: bool,
}

impl Made {
    /// That it differs, as a sentence.
    pub fn difference(&self) -> String {
        format!("the table `{}` is not as it would be made", self.name)
    }
}

/// What was done.
pub struct Report {
    /// Whether nothing was to be changed.
    pub checked: bool,
    /// Records that were taken up.
    pub recorded: usize,
    /// The tables of the page, in order.
    pub tables: Vec<Made>,
}

impl Report {
    fn differing(&self) -> impl Iterator<Item = &Made> {
        self.tables.iter().filter(|table| table.differs)
    }

    /// How the program ends.
    pub fn exit(&self) -> Exit {
        match self.checked && self.differing().next().is_some() {
            true => Exit::Failed,
            false => Exit::Success,
        }
    }

    /// Prints it on stdout.
    pub fn print(&self, as_json: bool) -> Outcome<()> {
        match as_json {
            true => output::print(&format!("{}\n", self.to_json())),
            false => output::print(&self.to_text()),
        }
    }

    fn to_json(&self) -> Value {
        let table = |table: &Made| {
            let Made {
                name,
                line,
                differs,
            } = table;
            json!({"table": name, "line": line, "differed": differs})
        };
        json!({
            "schema_version": SCHEMA_VERSION,
            "page": PAGE,
            "recorded": self.recorded,
            "tables": self.tables.iter().map(table).collect::<Vec<_>>(),
        })
    }

    fn to_text(&self) -> String {
        let mut text = String::new();
        if self.recorded > 0 {
            let records = counted(self.recorded, "record");
            text.push_str(&format!("took up {records} in {RECORDS}\n"));
        }
        let all = counted(self.tables.len(), "table");
        let differing = self.differing().count();
        let first = self.differing().next();
        text + &match first {
            None => format!("{all} of {PAGE} as they would be made\n"),
            Some(first) if self.checked => format!(
                "{PAGE}:{}: {}\n{differing} of {all} differ: run `cargo xtask cases`\n",
                first.line,
                first.difference()
            ),
            Some(_) => format!("made {differing} of {all} of {PAGE} anew\n"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(checked: bool, recorded: usize, differ: &[bool]) -> Report {
        let table = |(line, differs): (usize, &bool)| Made {
            name: format!("cost {line}"),
            line,
            differs: *differs,
        };
        Report {
            checked,
            recorded,
            tables: (1..).zip(differ).map(table).collect(),
        }
    }

    #[test]
    fn a_check_fails_and_names_the_first_table_that_differs() {
        let differs = report(true, 0, &[false, true, true]);
        assert_eq!(differs.exit(), Exit::Failed);
        assert_eq!(
            differs.to_text(),
            "docs/cases.md:2: the table `cost 2` is not as it would be made\n\
             2 of 3 tables differ: run `cargo xtask cases`\n"
        );
        let fresh = report(true, 0, &[false, false]);
        assert_eq!(fresh.exit(), Exit::Success);
        assert_eq!(
            fresh.to_text(),
            "2 tables of docs/cases.md as they would be made\n"
        );
    }

    #[test]
    fn what_was_made_and_recorded_is_counted() {
        let made = report(false, 3, &[true, false]);
        assert_eq!(made.exit(), Exit::Success);
        assert_eq!(
            made.to_text(),
            "took up 3 records in docs/records\nmade 1 of 2 tables of docs/cases.md anew\n"
        );
        assert_eq!(made.to_json()["recorded"], 3);
        assert_eq!(made.to_json()["tables"][0]["differed"], true);
    }
}
