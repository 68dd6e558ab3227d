//! `clean`: what Longrun keeps on disk, its size and its age; and freeing what is old.
//!
//! Only what can be made again is freed, and bundles, whose raw samples cannot: a complete run that
//! is in no history stays unless it is asked for. What a running process uses stays, whatever its
//! age.

mod fate;
mod report;
mod survey;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::cli::CleanArgs;
use crate::exit::Exit;
use crate::failure::Outcome;
use crate::held::Held;
use crate::in_use;
use crate::list::current_folder;
use crate::output;
use crate::project::Project;
use crate::repo::tree;
use crate::user_cache;
use fate::{Fate, Policy, fate};
use report::Report;
use survey::{Item, Kind, Places};

/// Name of the folder that things are moved to before they are removed: half of a build or of a
/// run never has its name.
pub const REMOVED: &str = "removed";

/// Runs `clean`.
pub fn run(args: &CleanArgs) -> Outcome<Exit> {
    let project = Project::find(&current_folder()?)?;
    let places = Places {
        work: project.work(),
        cache: user_cache::folder(),
        history: project.root.join(&project.settings.history),
    };
    let items = survey::survey(&places, SystemTime::now())?;
    let policy = args.older_than.map(|older_than| Policy {
        older_than,
        unrecorded: args.unrecorded,
    });
    let fates = match &policy {
        None => items.iter().map(|_| Fate::Shown).collect(),
        Some(policy) => free_old(&places, &items, policy),
    };
    let report = Report {
        items: &items,
        fates: &fates,
        policy: policy.as_ref(),
    };
    match args.json {
        true => output::print(&format!("{}\n", report.json()))?,
        false => output::print(&report.text())?,
    }
    Ok(report.exit())
}

/// Frees what is old enough; what becomes of each item, in order.
fn free_old(places: &Places, items: &[Item], policy: &Policy) -> Vec<Fate> {
    // What earlier commands could not remove to its end.
    for trash in places.trash() {
        let _ = fs::remove_dir_all(trash);
    }
    let one = |item: &Item| match fate(item, policy) {
        Fate::Freed => match free(places, item) {
            Ok(true) => Fate::Freed,
            Ok(false) => Fate::InUse,
            Err(error) => Fate::Failed(error.to_string()),
        },
        other => other,
    };
    items.iter().map(one).collect()
}

/// Removes an item, unless a process uses it; says whether.
fn free(places: &Places, item: &Item) -> io::Result<bool> {
    // As it is now: looking at everything takes a while, in which a process may have begun.
    let locks = survey::locks(places, item.kind, &item.path);
    if item.may_be_begun(&locks) {
        return Ok(false);
    }
    let mut held: Vec<Option<Held>> = Vec::new();
    for lock in &locks {
        match in_use::unused(lock) {
            Some(lock) => held.push(lock),
            None => return Ok(false),
        }
    }
    let trash = places.trash_of(item.kind);
    fs::create_dir_all(&trash)?;
    let name = item.path.file_name().unwrap_or_default();
    let moved = trash.join(name);
    match fs::rename(&item.path, &moved) {
        // The locks matter for the name only: nobody finds it any more.
        Ok(()) => fs::remove_dir_all(&moved)?,
        // A folder on another disk cannot be moved.
        Err(_) => fs::remove_dir_all(&item.path)?,
    }
    // Empty by now, unless another `clean` is at work.
    let _ = fs::remove_dir(&trash);
    if item.kind == Kind::Trees {
        remove_locks(&locks);
    }
    Ok(true)
}

/// Removes the locks of a tree, which are held here, unless they protect another form of it: one
/// that is whole, or being made. Whoever waits for a lock that is removed takes a new one.
fn remove_locks(locks: &[PathBuf]) {
    for lock in locks {
        let whole = lock.with_extension("");
        let name = whole.file_name().unwrap_or_default().to_string_lossy();
        let partial = whole.with_file_name(format!("{}{name}", tree::PARTIAL));
        if !whole.exists() && !partial.exists() {
            // One that stays protects nothing, and takes no room.
            let _ = fs::remove_file(lock);
        }
    }
}

/// An age as a person says it: `12 min`, `3 h`, `40 d`.
fn age(age: Duration) -> String {
    let minutes = age.as_secs() / 60;
    match minutes {
        0..120 => format!("{minutes} min"),
        120..2880 => format!("{} h", minutes / 60),
        _ => format!("{} d", minutes / 1440),
    }
}

/// Folders directly inside a folder; none where it is not there.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_folder = |path: &PathBuf| path.is_dir() && !path.is_symlink();
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(is_folder)
        .collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests;
