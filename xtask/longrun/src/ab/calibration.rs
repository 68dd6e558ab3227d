//! What comparisons of one build with itself have shown on this machine.
//!
//! They are kept per hardware set in the user's cache, because they cost hours and belong to the
//! machine: `aa/<slug>.json`, written whole under a lock. Nothing here keeps a comparison from
//! being made: a table that is not there or cannot be read knows nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use longrun_protocol::Configuration;
use serde::{Deserialize, Serialize};

use crate::ab::kept::record;
use crate::ab::verdicts::calibration::Calibration;
use crate::cli::ab::Mode;
use crate::failure::{Failure, Outcome};
use crate::interrupt::Interrupt;
use crate::patience::Patience;
use crate::whole_file::write_json;

/// Version of the file.
const VERSION: u32 = 1;

/// Longest file that is read.
const BYTES_MAX: u64 = 16 << 20;

/// Runs of `--aa` that an entry remembers; the oldest go first.
const RUNS_MAX: usize = 100;

/// Longest wait for another process that writes the table.
const WAIT_MAX: Duration = Duration::from_secs(30);

/// The table of one hardware set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    version: u32,
    entries: Vec<Entry>,
}

/// What is known of one configuration in one mode. The width is part of the configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Entry {
    configuration: Configuration,
    mode: Mode,
    runs: Vec<Run>,
}

/// What one run of `--aa` came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Run {
    run_id: String,
    comparisons: u32,
    changed: u32,
    unchanged: u32,
    /// Robust standard deviation of one observation, as a log-ratio.
    sd: Option<f64>,
    /// Median seconds of one observation.
    observation_s: Option<f64>,
}

/// What one run of `--aa` has to add.
pub struct Addition {
    /// Of which configuration.
    pub configuration: Configuration,
    /// In which mode.
    pub mode: Mode,
    /// What it came to; fractions.
    pub calibration: Calibration,
    /// Seconds of each of its observations.
    pub took_s: Vec<f64>,
}

/// What is known of one configuration on this machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// For the header.
    pub calibration: record::Calibration,
    /// Median seconds of one observation.
    pub observation_s: Option<f64>,
}

impl Table {
    /// The table of the hardware set `slug` in the user's cache `cache`; an empty one where there
    /// is none.
    pub fn read(cache: Option<&Path>, slug: &str) -> Table {
        cache
            .and_then(|cache| parse(&file(cache, slug)))
            .unwrap_or_default()
    }

    /// What is known of a configuration in a mode. Which change can be seen follows from the spread
    /// and from a plan, which is not known here.
    pub fn known(&self, configuration: &Configuration, mode: Mode) -> Option<Known> {
        let entry = self
            .entries
            .iter()
            .find(|entry| entry.is_of(configuration, mode))?;
        let sum = |count: fn(&Run) -> u32| {
            let counts = entry.runs.iter().map(count);
            counts.fold(0_u32, u32::saturating_add)
        };
        // Each run counts as much as it has comparisons.
        let weighed = |value: fn(&Run) -> Option<f64>| {
            let values = entry
                .runs
                .iter()
                .filter_map(|run| Some((value(run)?, run.comparisons)));
            median(values.collect())
        };
        Some(Known {
            calibration: record::Calibration {
                comparisons: sum(|run| run.comparisons),
                changed: sum(|run| run.changed),
                unchanged: sum(|run| run.unchanged),
                sd: weighed(|run| run.sd),
                resolvable: None,
            },
            observation_s: weighed(|run| run.observation_s),
        })
    }

    /// Adds what a run of `--aa` came to, and keeps the table. One that came to nothing adds
    /// nothing; a run that is added again, because it was resumed, replaces itself.
    ///
    /// # Errors
    /// Exit 6 where the table cannot be written; exit 130 where the user interrupts the wait.
    pub fn add(
        cache: &Path,
        slug: &str,
        run_id: &str,
        additions: Vec<Addition>,
        interrupt: &Interrupt,
    ) -> Outcome<PathBuf> {
        let path = file(cache, slug);
        let folder = path.parent().unwrap_or(cache);
        fs::create_dir_all(folder).map_err(|e| Failure::file("create", folder, e))?;
        let patience = Patience {
            limit: WAIT_MAX,
            interrupt,
        };
        let lock = path.with_extension("lock");
        let _lock = patience.lock(&lock, "waiting for another comparison to keep its figures")?;
        let mut table = parse(&path).unwrap_or_default();
        table.version = VERSION;
        for addition in additions {
            table.note(run_id, addition);
        }
        write_json(&path, &table)?;
        Ok(path)
    }

    fn note(&mut self, run_id: &str, addition: Addition) {
        let Addition {
            configuration,
            mode,
            calibration,
            took_s,
        } = addition;
        if calibration.comparisons == 0 {
            return;
        }
        let known = self
            .entries
            .iter()
            .position(|entry| entry.is_of(&configuration, mode));
        let index = known.unwrap_or_else(|| {
            self.entries.push(Entry {
                configuration,
                mode,
                runs: Vec::new(),
            });
            self.entries.len() - 1
        });
        let Some(entry) = self.entries.get_mut(index) else {
            return;
        };
        entry.runs.retain(|run| run.run_id != run_id);
        entry.runs.push(Run {
            run_id: run_id.to_owned(),
            comparisons: calibration.comparisons,
            changed: calibration.changed,
            unchanged: calibration.unchanged,
            sd: calibration.spread.map(f64::ln_1p),
            observation_s: median(took_s.into_iter().map(|took| (took, 1)).collect()),
        });
        let surplus = entry.runs.len().saturating_sub(RUNS_MAX);
        entry.runs.drain(..surplus);
    }
}

impl Entry {
    /// A case that was revised does other work.
    fn is_of(&self, configuration: &Configuration, mode: Mode) -> bool {
        self.mode == mode && self.configuration == *configuration
    }
}

fn file(cache: &Path, slug: &str) -> PathBuf {
    cache.join("aa").join(format!("{slug}.json"))
}

fn parse(path: &Path) -> Option<Table> {
    let length = fs::metadata(path).ok()?.len();
    let bytes = fs::read(path).ok().filter(|_| length <= BYTES_MAX)?;
    let table: Table = serde_json::from_slice(&bytes).ok()?;
    (table.version == VERSION).then_some(table)
}

/// Weighted median: the first value that at least half of the weight does not lie above.
fn median(mut values: Vec<(f64, u32)>) -> Option<f64> {
    values.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let total: u64 = values.iter().map(|(_, weight)| u64::from(*weight)).sum();
    let mut below = 0;
    let reached = values.into_iter().find(|(_, weight)| {
        below += u64::from(*weight);
        2 * below >= total
    });
    reached.map(|(value, _)| value)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::ab::made;

    fn addition(case: &str, mode: Mode, comparisons: u32, spread: f64) -> Addition {
        Addition {
            configuration: made::configuration(case),
            mode,
            calibration: Calibration {
                comparisons,
                changed: 1,
                unchanged: comparisons.saturating_sub(1),
                spread: Some(spread),
                ..Calibration::default()
            },
            took_s: vec![0.3, 0.1, 0.2],
        }
    }

    fn add(cache: &Path, run_id: &str, addition: Addition) {
        let interrupt = Interrupt::made(false);
        Table::add(cache, "slug", run_id, vec![addition], &interrupt).unwrap();
    }

    #[test]
    fn runs_add_up_per_configuration_and_mode() {
        let cache = tempfile::tempdir().unwrap();
        add(cache.path(), "1", addition("a", Mode::Duet, 5, 0.01));
        add(cache.path(), "2", addition("a", Mode::Duet, 20, 0.02));
        add(cache.path(), "3", addition("a", Mode::Pairs, 2, 0.05));
        let table = Table::read(Some(cache.path()), "slug");
        let known = table.known(&made::configuration("a"), Mode::Duet).unwrap();
        let calibration = known.calibration;
        assert_eq!((calibration.comparisons, calibration.changed), (25, 2));
        assert_eq!(calibration.unchanged, 23);
        assert!((calibration.sd.unwrap() - 0.02_f64.ln_1p()).abs() < 1e-12);
        assert_eq!(calibration.resolvable, None, "it follows from a plan");
        assert!((known.observation_s.unwrap() - 0.2).abs() < 1e-12);
        let pairs = table.known(&made::configuration("a"), Mode::Pairs).unwrap();
        assert_eq!(pairs.calibration.comparisons, 2);
        let mut wider = made::configuration("a");
        wider.width = longrun_protocol::Width::Threads(2);
        assert_eq!(table.known(&wider, Mode::Duet), None);
        let other = Table::read(Some(cache.path()), "other");
        assert_eq!(other.known(&made::configuration("a"), Mode::Duet), None);
    }

    #[test]
    fn a_run_that_is_added_again_replaces_itself_and_nothing_adds_nothing() {
        let cache = tempfile::tempdir().unwrap();
        add(cache.path(), "1", addition("a", Mode::Duet, 5, 0.01));
        add(cache.path(), "1", addition("a", Mode::Duet, 7, 0.01));
        add(cache.path(), "2", addition("b", Mode::Duet, 0, 0.01));
        let table = Table::read(Some(cache.path()), "slug");
        let known = table.known(&made::configuration("a"), Mode::Duet).unwrap();
        assert_eq!(known.calibration.comparisons, 7);
        assert_eq!(table.known(&made::configuration("b"), Mode::Duet), None);
    }

    #[test]
    fn the_oldest_runs_are_forgotten() {
        let mut table = Table::default();
        for run in 0..=RUNS_MAX {
            table.note(&run.to_string(), addition("a", Mode::Duet, 1, 0.01));
        }
        let runs = &table.entries[0].runs;
        assert_eq!((runs.len(), runs[0].run_id.as_str()), (RUNS_MAX, "1"));
    }

    #[test]
    fn a_damaged_or_later_table_knows_nothing_and_is_replaced() {
        let cache = tempfile::tempdir().unwrap();
        let path = file(cache.path(), "slug");
        for damaged in ["", "{", r#"{"version": 2, "entries": []}"#] {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, damaged).unwrap();
            assert_eq!(Table::read(Some(cache.path()), "slug"), Table::default());
            add(cache.path(), "1", addition("a", Mode::Duet, 5, 0.01));
            assert_eq!(Table::read(Some(cache.path()), "slug").entries.len(), 1);
        }
        assert_eq!(Table::read(None, "slug"), Table::default());
    }

    #[test]
    fn a_median_goes_by_weight() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![(3.0, 1), (1.0, 1), (2.0, 1)]), Some(2.0));
        assert_eq!(median(vec![(1.0, 5), (9.0, 4)]), Some(1.0));
        assert_eq!(median(vec![(1.0, 1), (9.0, 4)]), Some(9.0));
    }

    #[test]
    fn two_processes_that_add_at_once_lose_nothing() {
        let cache = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for run in 0..8 {
                let cache = cache.path();
                scope.spawn(move || {
                    add(cache, &run.to_string(), addition("a", Mode::Duet, 1, 0.01));
                });
            }
        });
        let table = Table::read(Some(cache.path()), "slug");
        assert_eq!(table.entries[0].runs.len(), 8);
    }
}
