//! `cases`: keeps what runs came to, and makes the tables of the page of the cases from that and
//! from the registry.
//!
//! The page is written by hand but for the tables between its markers, which say what they want to
//! show. No table holds a number that no complete, consistent run of the present definition gave.

mod directive;
mod disk;
mod document;
mod ground;
#[cfg(test)]
mod made;
mod page;
mod record;
mod report;
mod store;
mod tables;
mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::cli::CasesArgs;
use crate::exit::Exit;
use crate::failure::{Failure, Outcome};
use crate::file_lock::{self, Purpose};
use crate::held::Held;
use crate::interrupt::Interrupt;
use crate::list::current_folder;
use crate::project::{Project, Settings};
use crate::registry::Registry;
use document::Refused;
use ground::Ground;
use page::Page;
use report::{Made, Report};
use store::Store;

/// The page, from the root.
pub const PAGE: &str = "docs/cases.md";

/// Folder of the records, from the root.
const RECORDS: &str = "docs/records";

/// One process at a time adds to the records and makes the page from them: the page is locked.
const LOCKED: Purpose = Purpose {
    name: "cases",
    waiting: "waiting for another `cargo xtask cases` that writes records and page",
};

/// What is wrong with a text, and in which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Line, from 1.
    pub line: usize,
    /// What is wrong.
    pub cause: String,
}

/// Takes runs up, and makes the tables or compares them with those that there are.
pub fn run(args: &CasesArgs) -> Outcome<Exit> {
    let project = Project::find(&current_folder()?)?;
    // Held from before records and page are read until both are written.
    let _held = match args.check {
        true => None,
        false => Some(hold(&project)?),
    };
    let registry = Registry::load(&project.registry())?;
    let mut stores = disk::stores(&project.root, &registry)?;
    let taken = take_up(&args.record, &registry, &mut stores)?;
    let text = disk::text(&project.root.join(PAGE))?;
    let ground = Ground {
        registry: &registry,
        stores: &stores,
        default_suite: &project.settings.default_suite,
    };
    // Nothing is written before everything is known to be right.
    let made = make(&text, &ground).map_err(|Damage { line, cause }| {
        Failure::usage(format!(
            "failed to make the tables of `{PAGE}`:{line}: {cause}; `docs/manual.md` says what a \
             marker may hold"
        ))
    })?;
    if !args.check {
        disk::write_records(&project.root, &taken.suites, &stores)?;
        if made.text != text {
            disk::write_page(&project.root, &made.text)?;
        }
    }
    let report = Report {
        checked: args.check,
        recorded: taken.records,
        tables: made.tables,
    };
    report.print(args.json)?;
    Ok(report.exit())
}

/// Waits until no other process writes records and page of this checkout.
fn hold(project: &Project) -> Outcome<Held> {
    let locks = file_lock::folder(&project.work());
    LOCKED.hold(&locks, &project.root.join(PAGE), &Interrupt::watch()?)
}

/// The first table of a page that is not as it would be made from the files of a repository, or
/// what keeps them from being made; `None` where all are.
pub fn stale<'a>(
    page: &str,
    files: impl Iterator<Item = (&'a str, &'a str)>,
    settings: &Settings,
) -> Option<Damage> {
    let at = |line, cause: String| Some(Damage { line, cause });
    let (mut registered, mut recorded) = (Vec::new(), Vec::new());
    for (path, text) in files {
        let inside = |folder: &str, ending: &str| -> Option<&str> {
            let name = path.strip_prefix(folder)?.strip_prefix('/')?;
            name.strip_suffix(ending).filter(|stem| !stem.contains('/'))
        };
        if inside(&settings.registry, ".toml").is_some() {
            registered.push((path.to_owned(), text.to_owned()));
        }
        if let Some(suite) = inside(RECORDS, ".json") {
            recorded.push((path, suite, text));
        }
    }
    let registry = match Registry::parse(&registered) {
        Ok(registry) => registry,
        Err(failure) => return at(1, failure.message),
    };
    let mut stores = BTreeMap::new();
    for (path, suite, text) in recorded {
        match Store::parse(suite, text) {
            Ok(store) => stores.insert(suite.to_owned(), store),
            Err(Damage { line, cause }) => return at(1, format!("`{path}`:{line}: {cause}")),
        };
    }
    let ground = Ground {
        registry: &registry,
        stores: &stores,
        default_suite: &settings.default_suite,
    };
    match make(page, &ground) {
        Err(damage) => Some(damage),
        Ok(made) => made
            .tables
            .into_iter()
            .find(|table| table.differs)
            .map(|table| Damage {
                line: table.line,
                cause: format!("{}: run `cargo xtask cases`", table.difference()),
            }),
    }
}

/// A page with its tables made.
struct MadePage {
    text: String,
    tables: Vec<Made>,
}

fn make(text: &str, ground: &Ground<'_>) -> Result<MadePage, Damage> {
    let page = Page::parse(text)?;
    let (mut contents, mut tables) = (Vec::new(), Vec::new());
    for region in &page.regions {
        let content = tables::of(&region.directive, ground).map_err(|cause| Damage {
            line: region.line,
            cause,
        })?;
        tables.push(Made {
            name: region.directive.name.clone(),
            line: region.line,
            differs: content != region.content,
        });
        contents.push(content);
    }
    Ok(MadePage {
        text: page.with(&contents),
        tables,
    })
}

/// What was taken up.
struct Taken {
    records: usize,
    suites: Vec<String>,
}

/// Takes every document up, in the order given, or none.
fn take_up(
    paths: &[PathBuf],
    registry: &Registry,
    stores: &mut BTreeMap<String, Store>,
) -> Outcome<Taken> {
    let mut suites = BTreeSet::new();
    let mut count = 0;
    let mut unfit = Vec::new();
    for path in paths {
        let shown = path.display();
        match document::records(&disk::text(path)?, registry) {
            Ok(parts) => {
                for (suite, records) in parts {
                    count += records.len();
                    stores.entry(suite.clone()).or_default().take(records);
                    suites.insert(suite);
                }
            }
            Err(Refused::Damaged(cause)) => {
                return Err(Failure::usage(format!(
                    "failed to read `{shown}`: {cause}; give a whole one, or leave its file out"
                )));
            }
            Err(Refused::Unfit(reasons)) => {
                unfit.extend(reasons.into_iter().map(|why| format!("\n  {shown}: {why}")));
            }
        }
    }
    match unfit.is_empty() {
        true => Ok(Taken {
            records: count,
            suites: suites.into_iter().collect(),
        }),
        false => Err(Failure::refused(format!(
            "failed to record the runs:{}\nnothing was recorded; run again what is named, or leave \
             its file out",
            unfit.concat()
        ))),
    }
}
