//! Markdown that others read: no path of this machine is in it, and no name breaks a table.

use std::env;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::redact::redacted;
use crate::text::Align;

/// Variable that names the file of a step's summary in a CI run.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// The file of the summary of this step of a CI run, where there is one.
pub fn step_summary() -> Option<PathBuf> {
    let path = env::var_os(STEP_SUMMARY).filter(|path| !path.is_empty());
    path.map(PathBuf::from)
}

/// Text that Markdown shows as it is, in one line, without paths of this machine.
pub fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in redacted(text).chars() {
        match c {
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '&' => shown.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' => {
                shown.push('\\');
                shown.push(c);
            }
            c if c.is_control() => shown.push(' '),
            c => shown.push(c),
        }
    }
    shown
}

/// A row of a table.
pub fn row(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
    row_of_markdown(&cells)
}

/// A row of cells that are Markdown already.
fn row_of_markdown(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

/// A table, its head included.
pub fn table(columns: &[(&str, Align)], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let escape = |cells: Vec<String>| cells.iter().map(|cell| escaped(cell)).collect();
    let names: Vec<String> = columns.iter().map(|(name, _)| escaped(name)).collect();
    let columns: Vec<(&str, Align)> = names
        .iter()
        .zip(columns)
        .map(|(name, (_, align))| (name.as_str(), *align))
        .collect();
    table_of_markdown(&columns, rows.into_iter().map(escape))
}

/// A table of headings and cells that are Markdown already.
pub fn table_of_markdown(
    columns: &[(&str, Align)],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    let names: Vec<String> = columns.iter().map(|(name, _)| (*name).to_owned()).collect();
    let mut out = row_of_markdown(&names);
    for (_, align) in columns {
        out.push_str(match align {
            Align::Left => "|---",
            Align::Right => "|--:",
        });
    }
    out.push_str("|\n");
    out.extend(rows.into_iter().map(|cells| row_of_markdown(&cells)));
    out
}

/// Lines as a list that may follow a table; nothing where there are none.
pub fn list(lines: &[String]) -> String {
    let mut out = String::new();
    for line in lines {
        out.push_str(&format!("* {}\n", escaped(line)));
    }
    match out.is_empty() {
        true => out,
        false => format!("\n{out}"),
    }
}

/// Adds a summary to that of a CI step, behind what is there. If that cannot be done, the note that
/// says so: nothing is lost for it, because it is `kept` elsewhere.
pub fn add_to_step(step_summary: &Path, markdown: &str, kept: &str) -> Option<String> {
    let opened = OpenOptions::new()
        .create(true)
        .append(true)
        .open(step_summary);
    let written = opened.and_then(|mut file| file.write_all(format!("{markdown}\n").as_bytes()));
    let error = written.err()?;
    Some(format!(
        "failed to add the summary to `{}`, which {STEP_SUMMARY} names: {error}; {kept}",
        step_summary.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_pipes_quotes_and_newlines_is_one_cell() {
        let name = "a|b\n\"c\" <d> `e` /home/someone/f";
        let row = row(&[name.to_owned(), "1".to_owned()]);
        assert_eq!(row, "| a\\|b \"c\" &lt;d&gt; \\`e\\` &lt;path&gt; | 1 |\n");
    }

    #[test]
    fn a_table_has_a_head_and_its_columns_are_aligned() {
        let columns = [("case", Align::Left), ("median", Align::Right)];
        let rows = [vec!["a|b".to_owned(), "1.00 s".to_owned()]];
        let expected = "| case | median |\n|---|--:|\n| a\\|b | 1.00 s |\n";
        assert_eq!(table(&columns, rows), expected);
    }

    #[test]
    fn a_list_stands_apart_from_what_is_above_it_and_an_empty_one_is_nothing() {
        let lines = ["a".to_owned(), "b\nc".to_owned()];
        assert_eq!(list(&lines), "\n* a\n* b c\n");
        assert_eq!(list(&[]), "");
    }
}
