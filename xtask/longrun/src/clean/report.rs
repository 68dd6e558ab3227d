//! What `clean` says.

use serde_json::{Value, json};

use super::age;
use super::fate::{Fate, Policy};
use super::survey::{Item, Kind};
use crate::exit::Exit;
use crate::text::{Align, bytes, counted, table};

/// Version of the JSON.
const SCHEMA_VERSION: u32 = 1;

/// Most items of one fate that are named in text.
const NAMED_MAX: usize = 5;

/// What was found and what became of it.
pub struct Report<'a> {
    /// What was found.
    pub items: &'a [Item],
    /// What became of each.
    pub fates: &'a [Fate],
    /// What was to be freed, if anything was.
    pub policy: Option<&'a Policy>,
}

impl Report<'_> {
    /// How the command ends.
    pub fn exit(&self) -> Exit {
        let failed = |fate: &Fate| matches!(fate, Fate::Failed(_));
        match self.fates.iter().any(failed) {
            true => Exit::Environment,
            false => Exit::Success,
        }
    }

    /// One object.
    pub fn json(&self) -> Value {
        let items = self.pairs().map(|(item, fate)| {
            json!({
                "kind": item.kind.as_str(),
                "path": item.path,
                "bytes": item.bytes,
                "age_s": item.age.map(|age| age.as_secs()),
                "unrecorded": item.unrecorded,
                "fate": fate.as_str(),
                "reason": match fate {
                    Fate::Failed(why) => Some(why),
                    _ => None,
                },
            })
        });
        json!({
            "schema_version": SCHEMA_VERSION,
            "older_than_s": self.policy.map(|policy| policy.older_than.as_secs()),
            "bytes": self.total(|_| true),
            "freed_bytes": self.total(|fate| *fate == Fate::Freed),
            "items": items.collect::<Vec<Value>>(),
        })
    }

    /// A table by kind, and what a reader must know beside it.
    pub fn text(&self) -> String {
        let freeing = self.policy.is_some();
        let mut columns = vec![
            ("what", Align::Left),
            ("number", Align::Right),
            ("size", Align::Right),
            ("unused for", Align::Right),
        ];
        if freeing {
            columns.push(("freed", Align::Right));
        }
        let kinds = Kind::ALL
            .into_iter()
            .filter_map(|kind| self.row(kind, freeing));
        let mut rows: Vec<Vec<String>> = kinds.collect();
        let mut total = vec![
            "all".to_owned(),
            self.items.len().to_string(),
            bytes(self.total(|_| true)),
            String::new(),
        ];
        if freeing {
            total.push(bytes(self.total(|fate| *fate == Fate::Freed)));
        }
        rows.push(total);
        let mut text = table(&columns, &rows);
        for line in self.remarks() {
            text.push_str(&line);
            text.push('\n');
        }
        text
    }

    /// The line of one kind, where there is any of it.
    fn row(&self, kind: Kind, freeing: bool) -> Option<Vec<String>> {
        let of_kind: Vec<(&Item, &Fate)> =
            self.pairs().filter(|(item, _)| item.kind == kind).collect();
        let oldest = of_kind.iter().filter_map(|(item, _)| item.age).max();
        let freed = of_kind.iter().filter(|(_, fate)| **fate == Fate::Freed);
        let freed: u64 = freed.map(|(item, _)| item.bytes).sum();
        let size: u64 = of_kind.iter().map(|(item, _)| item.bytes).sum();
        let mut row = vec![
            kind.as_str().to_owned(),
            of_kind.len().to_string(),
            bytes(size),
            oldest.map_or("unknown".to_owned(), age),
        ];
        if freeing {
            row.push(bytes(freed));
        }
        (!of_kind.is_empty()).then_some(row)
    }

    /// What was kept although it is old, and what to do.
    fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        match self.policy {
            None => {
                let unrecorded = self.names(|item, _| item.unrecorded);
                if let Some((number, names)) = unrecorded {
                    let runs = counted(number, "complete run");
                    remarks.push(format!("not in any history: {runs}: {names}"));
                }
                remarks.push("`--older-than 30d` frees what was not used for 30 days".to_owned());
            }
            Some(_) => {
                if let Some((number, names)) = self.names(|_, fate| *fate == Fate::Unrecorded) {
                    let runs = counted(number, "complete run");
                    remarks.push(format!(
                        "kept, because they are in no history: {runs}: {names}; `--unrecorded` \
                         frees them too"
                    ));
                }
                let unrecorded = |item: &Item, fate: &Fate| item.unrecorded && *fate == Fate::Freed;
                if let Some((number, names)) = self.names(unrecorded) {
                    let runs = counted(number, "complete run");
                    remarks.push(format!("freed and in no history: {runs}: {names}"));
                }
                if let Some((_, names)) = self.names(|_, fate| *fate == Fate::InUse) {
                    remarks.push(format!("kept, because a process uses them: {names}"));
                }
            }
        }
        for (item, fate) in self.pairs() {
            if let Fate::Failed(why) = fate {
                remarks.push(format!("failed to remove `{}`: {why}", item.path.display()));
            }
        }
        remarks
    }

    /// How many items are meant, and the names of the first of them.
    fn names(&self, meant: impl Fn(&Item, &Fate) -> bool) -> Option<(usize, String)> {
        let all: Vec<String> = self
            .pairs()
            .filter(|(item, fate)| meant(item, fate))
            .map(|(item, _)| {
                let name = item.path.file_name().unwrap_or_default();
                format!("{} `{}`", item.kind.as_str(), name.to_string_lossy())
            })
            .collect();
        let mut names = all
            .iter()
            .take(NAMED_MAX)
            .cloned()
            .collect::<Vec<_>>()
            .join(", ");
        if all.len() > NAMED_MAX {
            names.push_str(&format!(" and {} more", all.len() - NAMED_MAX));
        }
        (!all.is_empty()).then_some((all.len(), names))
    }

    fn total(&self, meant: impl Fn(&Fate) -> bool) -> u64 {
        let meant = self.pairs().filter(|(_, fate)| meant(fate));
        meant.map(|(item, _)| item.bytes).sum()
    }

    fn pairs(&self) -> impl Iterator<Item = (&Item, &Fate)> {
        self.items.iter().zip(self.fates)
    }
}
