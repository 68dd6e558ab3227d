//! The rule about promises: `docs/architecture.md` lists every requirement and invariant once, each
//! with tests that exist, or with a plain word that it is open.
//!
//! Such a list is a table whose rows begin with an id (`R7`, `I2`), followed by what is asked and
//! by what holds it: tests as `path/of/file.rs::name`, files as `path/of/file`, both in
//! backquotes, or `open: why`.

use std::collections::{BTreeMap, BTreeSet};

use super::Hit;
use super::code::{line_of, words};
use super::files::SourceFile;
use super::language::Language;

/// The document that holds the lists.
const DOCUMENT: &str = "docs/architecture.md";

/// The lists: the letter of their ids, and how many there are.
const LISTS: [(char, usize); 2] = [('R', 56), ('I', 13)];

/// How a promise that nothing holds yet is marked; the reason follows.
const OPEN: &str = "open:";

/// One row of a list.
struct Promise<'a> {
    line: usize,
    letter: char,
    number: usize,
    asks: &'a str,
    held_by: &'a str,
}

/// Every requirement and invariant is listed once, in order, and held by something that exists.
pub fn promises(file: &SourceFile, files: &[SourceFile]) -> Vec<Hit> {
    if file.path != DOCUMENT {
        return Vec::new();
    }
    let promises: Vec<Promise> = (1..)
        .zip(file.text.lines())
        .filter_map(|(number, line)| promise(number, line))
        .collect();
    let mut hits = Vec::new();
    for (letter, count) in LISTS {
        let rows: Vec<&Promise> = promises.iter().filter(|row| row.letter == letter).collect();
        hits.extend(order(&rows, letter, count));
    }
    let known = Known::of(files);
    for row in &promises {
        hits.extend(defects(row, &known).into_iter().map(|message| {
            let id = format!("{}{}", row.letter, row.number);
            Hit::new(row.line, format!("{id}: {message}"))
        }));
    }
    hits
}

/// The row of a list on a line; `None` where there is none.
fn promise(line: usize, text: &str) -> Option<Promise<'_>> {
    let mut cells = text.strip_prefix('|')?.split('|').map(str::trim);
    let id = cells.next()?;
    let letter = id.chars().next()?;
    let number = id.get(letter.len_utf8()..)?.parse().ok()?;
    let known = LISTS.iter().any(|(known, _)| *known == letter);
    known.then(|| Promise {
        line,
        letter,
        number,
        asks: cells.next().unwrap_or_default(),
        held_by: cells.next().unwrap_or_default(),
    })
}

/// Ids that are not where they belong: each is there once, counted from 1.
fn order(rows: &[&Promise], letter: char, count: usize) -> Vec<Hit> {
    let mut hits = Vec::new();
    let mut due = 1;
    for row in rows {
        if row.number != due {
            let message = format!("{letter}{} stands where {letter}{due} is due", row.number);
            hits.push(Hit::new(row.line, message));
        }
        due = row.number + 1;
    }
    if due != count + 1 {
        let line = rows.last().map_or(1, |row| row.line);
        let message = format!("the list of {letter} does not end with {letter}{count}");
        hits.push(Hit::new(line, message));
    }
    hits
}

/// Files, and the names of the tests in each.
struct Known<'a> {
    paths: BTreeSet<&'a str>,
    tests: BTreeMap<&'a str, BTreeSet<&'a str>>,
}

impl<'a> Known<'a> {
    fn of(files: &'a [SourceFile]) -> Self {
        let rust = files.iter().filter(|file| file.language == Language::Rust);
        Known {
            paths: files.iter().map(|file| file.path.as_str()).collect(),
            tests: rust
                .map(|file| (file.path.as_str(), tests(&file.code)))
                .collect(),
        }
    }

    fn defect(&self, reference: &str) -> Option<String> {
        let Some((path, name)) = reference.split_once("::") else {
            let absent = !self.paths.contains(reference);
            return absent.then(|| format!("there is no file `{reference}`"));
        };
        match self.tests.get(path) {
            None => Some(format!("there is no Rust file `{path}`")),
            Some(tests) if !tests.contains(name) => Some(format!("`{path}` has no test `{name}`")),
            Some(_) => None,
        }
    }
}

/// Names of the functions under `#[test]` in masked code.
fn tests(code: &str) -> BTreeSet<&str> {
    let lines: Vec<&str> = code.lines().map(str::trim).collect();
    let mut names = BTreeSet::new();
    for start in words(code, "fn") {
        let above = lines
            .iter()
            .take(line_of(code, start).saturating_sub(1))
            .rev();
        let mut attributes = above.take_while(|line| line.starts_with("#["));
        let rest = code.get(start + 2..).unwrap_or_default().trim_start();
        if attributes.any(|line| *line == "#[test]")
            && let Some((name, _)) = rest.split_once('(')
        {
            names.insert(name);
        }
    }
    names
}

/// What is wrong with one row.
fn defects(row: &Promise, known: &Known) -> Vec<String> {
    let mut defects = Vec::new();
    if row.asks.is_empty() {
        defects.push("what is asked is empty".to_owned());
    }
    let (held, open) = match row.held_by.split_once(OPEN) {
        Some((held, why)) => (held, Some(why.trim())),
        None => (row.held_by, None),
    };
    let references: Vec<&str> = held.split('`').skip(1).step_by(2).collect();
    if references.is_empty() && open.is_none() {
        defects.push(format!(
            "nothing holds it: name a test, or write `{OPEN} why`"
        ));
    }
    if open.is_some_and(str::is_empty) {
        defects.push(format!("`{OPEN}` without a reason"));
    }
    defects.extend(references.into_iter().filter_map(|name| known.defect(name)));
    defects
}

#[cfg(test)]
mod tests {
    use super::*;

    const TESTS: &str = "//! x\n#[test]\nfn a_thing_holds() {}\nfn helper() {}\n\
        #[cfg(unix)]\n#[test]\n#[rustfmt::skip]\nfn another_holds() {}\n\
        // #[test]\nfn in_a_comment() {}\n";

    /// Both lists, whole, with one row replaced.
    fn list(replaced: &str, by: &str) -> String {
        let mut rows: Vec<String> = Vec::new();
        for (letter, count) in LISTS {
            rows.push("| id | asks | held by |\n|---|---|---|".to_owned());
            let row = |n| format!("| {letter}{n} | thing {n} | `tests/a.rs::a_thing_holds` |");
            rows.extend((1..=count).map(row));
        }
        let start = format!("| {replaced} |");
        let row = rows.iter_mut().find(|row| row.starts_with(&start));
        row.into_iter().for_each(|row| *row = by.to_owned());
        rows.join("\n") + "\n"
    }

    fn messages(text: &str) -> Vec<String> {
        let files = [
            SourceFile::new("tests/a.rs", TESTS),
            SourceFile::new(DOCUMENT, text),
        ];
        let hits = promises(&files[1], &files);
        hits.into_iter().map(|hit| hit.message).collect()
    }

    #[test]
    fn whole_lists_with_tests_files_or_open_rows_pass() {
        for row in [
            "| R7 | x | `tests/a.rs::a_thing_holds`, `tests/a.rs::another_holds` |",
            "| R7 | x | `docs/architecture.md` |",
            "| R7 | x | open: with `ab` |",
            "| R7 | x | `tests/a.rs::a_thing_holds`; open: the rest, with `ab` |",
        ] {
            assert_eq!(messages(&list("R7", row)), [""; 0], "{row}");
        }
    }

    #[test]
    fn what_does_not_exist_holds_nothing() {
        for (held_by, message) in [
            ("`tests/a.rs::gone`", "R7: `tests/a.rs` has no test `gone`"),
            (
                "`tests/a.rs::helper`",
                "R7: `tests/a.rs` has no test `helper`",
            ),
            (
                "`tests/a.rs::in_a_comment`",
                "R7: `tests/a.rs` has no test `in_a_comment`",
            ),
            ("`b.rs::x`", "R7: there is no Rust file `b.rs`"),
            ("`docs/gone.md`", "R7: there is no file `docs/gone.md`"),
            (
                "somebody",
                "R7: nothing holds it: name a test, or write `open: why`",
            ),
            (
                "",
                "R7: nothing holds it: name a test, or write `open: why`",
            ),
            ("open:", "R7: `open:` without a reason"),
        ] {
            let row = format!("| R7 | x | {held_by} |");
            assert_eq!(messages(&list("R7", &row)), [message], "{row}");
        }
        let row = "| I2 |  | `tests/a.rs::a_thing_holds` |";
        assert_eq!(messages(&list("I2", row)), ["I2: what is asked is empty"]);
    }

    #[test]
    fn every_id_is_there_once_and_in_its_place() {
        let held = "x | `tests/a.rs::a_thing_holds` |";
        for (replaced, by, expected) in [
            ("R7", "", vec!["R8 stands where R7 is due"]),
            (
                "R7",
                "| R6 | x |",
                vec!["R6 stands where R7 is due", "R8 stands where R7 is due"],
            ),
            ("R56", "", vec!["the list of R does not end with R56"]),
        ] {
            let by = by.replace("x |", held);
            assert_eq!(messages(&list(replaced, &by)), expected, "{replaced} {by}");
        }
        assert_eq!(messages("No list.\n").len(), LISTS.len());
    }

    #[test]
    fn other_documents_promise_nothing() {
        let file = SourceFile::new("docs/manual.md", "| R7 | x | |\n");
        assert_eq!(promises(&file, &[]), []);
    }
}
