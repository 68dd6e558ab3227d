//! Tables of `docs/statistics.md`, which hold what these simulations say.
//!
//! `UPDATE=1` writes them; otherwise they are compared.

use std::path::Path;
use std::sync::Mutex;

pub struct Table {
    pub name: &'static str,
    pub head: &'static [&'static str],
    pub rows: Vec<Vec<String>>,
}

/// Tests of one process write to one file.
static WRITING: Mutex<()> = Mutex::new(());

/// Holds the table of this name to what was found.
pub fn table(table: Table) {
    let _writing = WRITING.lock().unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/statistics.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (begin, end) = (
        format!("<!-- {}: written by a test -->\n", table.name),
        format!("<!-- end of {} -->", table.name),
    );
    let from = text.find(&begin).unwrap() + begin.len();
    let to = from + text[from..].find(&end).unwrap();
    let found = markdown(&table);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, [&text[..from], &found, &text[to..]].concat()).unwrap();
    } else {
        assert_eq!(
            &text[from..to],
            found,
            "with UPDATE=1 the table is written anew"
        );
    }
}

fn markdown(table: &Table) -> String {
    let line = |cells: Vec<&str>| format!("| {} |\n", cells.join(" | "));
    let mut text = line(table.head.to_vec());
    text += &line(vec!["---"; table.head.len()]);
    for row in &table.rows {
        text += &line(row.iter().map(String::as_str).collect());
    }
    text
}
