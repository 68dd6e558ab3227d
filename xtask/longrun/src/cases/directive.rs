//! What a page asks for in a marker: which table, of which cases, with which columns. Pure.
//!
//! The page says which parameters a reader wants to see, because this program knows none of them.

use longrun_protocol::{Size, Width};

/// Kinds of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A row for each case.
    Cases,
    /// A row for each size of one case.
    Sizes,
    /// What the oracles of one case came to, a column for each size.
    Oracles,
    /// Time at each width, work and memory.
    Cost,
    /// Where the time went.
    Breakdown,
    /// What a source evaluation costs.
    Evaluations,
    /// What each stepper takes for an error.
    Study,
}

/// Every kind, by the word of the page.
const KINDS: [(&str, Kind); 7] = [
    ("cases", Kind::Cases),
    ("sizes", Kind::Sizes),
    ("oracles", Kind::Oracles),
    ("cost", Kind::Cost),
    ("breakdown", Kind::Breakdown),
    ("evaluations", Kind::Evaluations),
    ("study", Kind::Study),
];

/// Where a value of a cell is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// `title`: of the registry entry.
    Title,
    /// `interface`: of the registry entry.
    Interface,
    /// `stepper`: what `default` stands for.
    Stepper,
    /// `noise`: of the registry entry.
    Noise,
    /// `fact.NAME`: what the worker said of the problem in a recorded run.
    Fact(String),
    /// A parameter by its key, and keys of the tables in it.
    Parameter(Vec<String>),
}

/// A column of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// What stands above it.
    pub heading: String,
    /// Where its value is: the first of these that a case has.
    pub sources: Vec<Source>,
}

/// A marker, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// Its first line, which names the table in messages.
    pub name: String,
    /// What the rows are.
    pub kind: Kind,
    /// The suite; the default one where it is not said.
    pub suite: Option<String>,
    /// Cases by name; the tracked ones where none is named.
    pub cases: Vec<String>,
    /// Interfaces of the cases; any where none is named.
    pub interfaces: Vec<String>,
    /// The size, where the table is of one.
    pub size: Size,
    /// The width, where the table is of one; the least recorded one where it is not said.
    pub width: Option<Width>,
    /// Columns, where the page chooses them.
    pub columns: Vec<Column>,
}

impl Directive {
    /// The text between `<!-- cases:` and `-->`.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn parse(text: &str) -> Result<Directive, String> {
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let name = lines.next().unwrap_or_default();
        let mut words = name.split_whitespace();
        let word = words.next().unwrap_or_default();
        let kinds = KINDS.map(|(known, _)| known).join(", ");
        let (_, kind) = KINDS
            .into_iter()
            .find(|(known, _)| *known == word)
            .ok_or_else(|| format!("`{word}` is no kind of table: write one of {kinds}"))?;
        let mut directive = Directive {
            name: name.to_owned(),
            kind,
            suite: None,
            cases: Vec::new(),
            interfaces: Vec::new(),
            size: Size::Full,
            width: None,
            columns: Vec::new(),
        };
        for word in words {
            directive.choose(word)?;
        }
        for line in lines {
            directive.columns.push(column(line)?);
        }
        directive.checked()
    }

    fn choose(&mut self, word: &str) -> Result<(), String> {
        let (key, value) = word
            .split_once('=')
            .ok_or_else(|| format!("`{word}` is no `key=value`"))?;
        let names = || value.split(',').map(str::to_owned).collect();
        match key {
            "suite" => self.suite = Some(value.to_owned()),
            "case" => self.cases = names(),
            "interface" => self.interfaces = names(),
            "size" => self.size = value.parse().map_err(said)?,
            "width" => self.width = Some(value.parse().map_err(said)?),
            _ => {
                return Err(format!(
                    "`{key}` is no key: write suite, case, interface, size or width"
                ));
            }
        }
        Ok(())
    }

    fn checked(self) -> Result<Directive, String> {
        let chooses = matches!(self.kind, Kind::Cases | Kind::Sizes);
        if chooses == self.columns.is_empty() {
            return Err(match chooses {
                true => "it has no columns: write `heading = source` lines".to_owned(),
                false => "its columns are fixed: remove the lines".to_owned(),
            });
        }
        let of_one = matches!(self.kind, Kind::Sizes | Kind::Oracles);
        match of_one && self.cases.len() != 1 {
            true => Err("it is of one case: write `case=NAME`".to_owned()),
            false => Ok(self),
        }
    }
}

fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn column(line: &str) -> Result<Column, String> {
    let (heading, sources) = line
        .split_once('=')
        .ok_or_else(|| format!("`{line}` is no `heading = source`"))?;
    let sources: Vec<&str> = sources.split('|').map(str::trim).collect();
    if heading.trim().is_empty() || sources.iter().any(|source| source.is_empty()) {
        return Err(format!("`{line}` is no `heading = source`"));
    }
    Ok(Column {
        heading: heading.trim().to_owned(),
        sources: sources.into_iter().map(source).collect(),
    })
}

fn source(word: &str) -> Source {
    match word {
        "title" => Source::Title,
        "interface" => Source::Interface,
        "stepper" => Source::Stepper,
        "noise" => Source::Noise,
        _ => match word.strip_prefix("fact.") {
            Some(fact) => Source::Fact(fact.to_owned()),
            None => Source::Parameter(word.split('.').map(str::to_owned).collect()),
        },
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_marker_names_a_table_its_cases_and_its_columns() {
        let text = "cases interface=capillary,waveguide size=quick\nbore = core_radius_m\n\
                    pulse = pulse.fwhm_s | pulse.tau_s\npoints = fact.points\nwhat = title\n";
        let directive = Directive::parse(text).unwrap();
        assert_eq!(
            directive.name,
            "cases interface=capillary,waveguide size=quick"
        );
        assert_eq!(directive.kind, Kind::Cases);
        assert_eq!(directive.interfaces, ["capillary", "waveguide"]);
        assert_eq!(directive.size, Size::Quick);
        let parameter =
            |keys: &[&str]| Source::Parameter(keys.iter().map(|key| (*key).to_owned()).collect());
        let expected = [
            ("bore", vec![parameter(&["core_radius_m"])]),
            (
                "pulse",
                vec![
                    parameter(&["pulse", "fwhm_s"]),
                    parameter(&["pulse", "tau_s"]),
                ],
            ),
            ("points", vec![Source::Fact("points".to_owned())]),
            ("what", vec![Source::Title]),
        ];
        let columns = directive.columns.into_iter();
        let columns: Vec<_> = columns.map(|of| (of.heading, of.sources)).collect();
        let expected = expected.map(|(heading, sources)| (heading.to_owned(), sources));
        assert_eq!(columns, expected);
    }

    #[test]
    fn what_is_no_marker_says_why() {
        for (text, cause) in [
            ("", "is no kind of table"),
            ("weather", "`weather` is no kind of table"),
            ("cost full", "`full` is no `key=value`"),
            ("cost colour=red", "`colour` is no key"),
            ("cost size=huge", "unknown size `huge`"),
            ("breakdown width=0", "unknown width `0`"),
            ("cost\na = b", "its columns are fixed"),
            ("cases", "it has no columns"),
            ("sizes\na = b", "it is of one case"),
            ("oracles case=a,b", "it is of one case"),
            ("cases\nbore", "`bore` is no `heading = source`"),
            ("cases\nbore =", "is no `heading = source`"),
            ("cases\na = b |", "is no `heading = source`"),
        ] {
            let said = Directive::parse(text).unwrap_err();
            assert!(said.contains(cause), "{text}: {said}");
        }
    }
}
