//! The result of a verification, for people and for programs. Pure, but for the printing.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::numbers::{expectation, measured};
use super::result::{Line, Verification};
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::output;
use crate::run::judge::ResultStatus;
use crate::text::{self, Align};

/// Version of the JSON.
const SCHEMA_VERSION: u32 = 1;

/// One verification, as it is reported.
pub struct Report {
    /// Its id.
    pub run_id: String,
    /// The folder with requests, receipts and logs.
    pub bundle: PathBuf,
    /// Every configuration that has oracles.
    pub results: Vec<Verification>,
    /// What is not verified.
    pub notes: Vec<String>,
    /// Whether the user interrupted.
    pub interrupted: bool,
}

impl Report {
    /// How the program ends.
    pub fn exit(&self) -> Exit {
        let interrupted = match self.interrupted {
            true => Exit::Interrupted,
            false => Exit::Success,
        };
        match self.passed() {
            true => interrupted,
            false => interrupted.or(Exit::Failed),
        }
    }

    /// Whether everything was run and came to what it should.
    fn passed(&self) -> bool {
        !self.interrupted
            && !self.results.is_empty()
            && self.results.iter().all(Verification::passed)
    }

    fn lines(&self) -> impl Iterator<Item = &Line> {
        self.results.iter().flat_map(|result| &result.lines)
    }

    fn failures(&self) -> impl Iterator<Item = &Verification> {
        let failed = |result: &&Verification| result.status != ResultStatus::Complete;
        self.results.iter().filter(failed)
    }

    /// Prints the report on stdout.
    pub fn print(&self, as_json: bool) -> Outcome<()> {
        match as_json {
            true => output::print(&format!("{}\n", self.to_json())),
            false => output::print(&self.to_text()),
        }
    }

    fn to_json(&self) -> Value {
        let failure = |result: &Verification| {
            json!({
                "configuration": result.configuration,
                "status": result.status,
                "reason": result.reason,
            })
        };
        json!({
            "schema_version": SCHEMA_VERSION,
            "passed": self.passed(),
            "lines": self.lines().collect::<Vec<_>>(),
            "failures": self.failures().map(failure).collect::<Vec<_>>(),
            "notes": self.notes,
            "run_id": self.run_id,
            "bundle": self.bundle,
        })
    }

    fn to_text(&self) -> String {
        let mut text = String::new();
        if self.lines().next().is_some() {
            let columns = [
                ("case", Align::Left),
                ("quantity", Align::Left),
                ("expected", Align::Left),
                ("obtained", Align::Left),
                ("verdict", Align::Left),
            ];
            let rows: Vec<Vec<String>> = self.lines().map(row).collect();
            text.push_str(&text::table(&columns, &rows));
        }
        for result in self.failures() {
            text.push_str(&format!("{}: {}\n", result.configuration, result.line()));
        }
        for result in &self.results {
            for note in &result.notes {
                text.push_str(&format!("{}: {note}\n", result.configuration));
            }
        }
        text.push_str(&format!("bundle {}\n", self.bundle.display()));
        text + &self.verdict()
    }

    fn verdict(&self) -> String {
        let quantities = self.lines().count();
        let passed = self.lines().filter(|line| line.passed).count();
        let mut sentences = vec![match passed == quantities {
            true => format!("every quantity is as expected ({quantities})"),
            false => format!(
                "{} of {quantities} quantities are not as expected",
                quantities - passed
            ),
        }];
        let failures = self.failures().count();
        if failures > 0 {
            let configurations = text::counted(failures, "configuration");
            sentences.push(format!("{configurations} did not answer"));
        }
        let word = match self.passed() {
            true => "verified",
            false => "not verified",
        };
        if quantities == 0 {
            sentences.remove(0);
        }
        format!("{word}: {}\n", sentences.join(", "))
    }
}

fn row(line: &Line) -> Vec<String> {
    vec![
        line.configuration.to_string(),
        line.quantity.clone(),
        expectation(line.relation, line.expected, line.tolerance, &line.unit),
        measured(line.obtained, line.tolerance, &line.unit),
        match line.passed {
            true => "as expected",
            false => "NOT as expected",
        }
        .to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::result::testing::item;
    use longrun_protocol::receipt::Relation;

    fn result(case: &str, verdicts: &[bool]) -> Verification {
        let mut result = Verification::skipped(&item(case, &["energy"]), "");
        result.status = ResultStatus::Complete;
        let line = |passed: &bool| Line {
            case: case.to_owned(),
            size: result.configuration.size,
            configuration: result.configuration.clone(),
            oracle: "energy".into(),
            quantity: "energy, end over launch".into(),
            unit: String::new(),
            relation: Relation::Within,
            expected: 1.0,
            obtained: Some(if *passed { 1.0 } else { 1.5 }),
            tolerance: 0.1,
            passed: *passed,
        };
        result.lines = verdicts.iter().map(line).collect();
        result
    }

    fn failed(case: &str, status: ResultStatus) -> Verification {
        let mut result = Verification::skipped(&item(case, &["energy"]), "it was told to");
        result.status = status;
        result
    }

    fn report(results: Vec<Verification>, interrupted: bool) -> Report {
        Report {
            run_id: "r".into(),
            bundle: "b".into(),
            results,
            notes: vec!["`c` has none".into()],
            interrupted,
        }
    }

    #[test]
    fn the_exit_is_that_of_the_worst_that_happened() {
        let sound = || result("a", &[true, true]);
        let table = [
            (vec![sound()], false, 0),
            (vec![sound(), result("b", &[true, false])], false, 1),
            (vec![sound(), failed("b", ResultStatus::Failed)], false, 1),
            (vec![sound(), failed("b", ResultStatus::TimedOut)], false, 1),
            (vec![sound(), failed("b", ResultStatus::Skipped)], true, 130),
            (vec![result("b", &[false])], true, 130),
            (vec![result("b", &[])], false, 1),
            (vec![], false, 1),
        ];
        for (results, interrupted, code) in table {
            let report = report(results, interrupted);
            assert_eq!(report.exit().code(), code);
            assert_eq!(report.to_json()["passed"], code == 0);
        }
    }

    #[test]
    fn the_text_has_a_row_per_quantity_and_a_sentence_for_all() {
        let results = vec![
            result("a", &[true, false]),
            failed("b", ResultStatus::TimedOut),
        ];
        let expected = "\
case  quantity                 expected  obtained  verdict
a @1  energy, end over launch  1 ± 0.1   1.000     as expected
a @1  energy, end over launch  1 ± 0.1   1.500     NOT as expected
b @1: timed out: it was told to
bundle b
not verified: 1 of 2 quantities are not as expected, 1 configuration did not answer
";
        assert_eq!(report(results, false).to_text(), expected);
        let text = report(vec![result("a", &[true])], false).to_text();
        assert!(
            text.ends_with("verified: every quantity is as expected (1)\n"),
            "{text}"
        );
        let text = report(vec![failed("b", ResultStatus::Failed)], false).to_text();
        assert!(
            text.ends_with("not verified: 1 configuration did not answer\n"),
            "{text}"
        );
    }
}
