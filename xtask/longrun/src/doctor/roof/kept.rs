//! The roof of a machine, kept: what a run reached is shown beside what can be reached.
//!
//! It belongs to the hardware and not to a checkout: `roof/<slug>.json` in the user's cache,
//! written whole. A machine of the same name with another CPU signature has none until it is
//! measured. Where it is not there or cannot be read, the roof is unknown, and nothing fails.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Roof, Width};
use crate::failure::{Failure, Outcome};
use crate::machine::Machine;
use crate::whole_file::write_json;

/// Version of the file.
const VERSION: u32 = 1;

/// Longest file that is read: some levels of two widths.
const BYTES_MAX: u64 = 1 << 20;

/// What was measured, and on what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    version: u32,
    signature: String,
    widths: Vec<Width>,
}

/// What one level of memory gives to the threads of a configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bandwidth {
    /// Which: `L2`, `memory`.
    pub level: String,
    /// Bytes in a second, of all threads together, reading two arrays and writing one.
    pub bytes_per_s: f64,
}

/// How much of the roof some work reaches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reached {
    /// The part, of the nearer of both limits.
    pub share: f64,
    /// Which limit: `multiply-add`, `L2`, `memory`.
    pub of: String,
}

/// What some work does in a second. Unknown is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    /// Floating-point operations.
    pub flops_per_s: Option<f64>,
    /// Bytes that it moves.
    pub bytes_per_s: Option<f64>,
    /// Bytes that it works on.
    pub bytes: Option<u64>,
}

impl Kept {
    /// The roof of `machine` in the user's cache `cache`; `None` where it is not known.
    pub fn read(cache: Option<&Path>, machine: &Machine) -> Option<Kept> {
        let path = file(cache?, &machine.slug);
        let length = fs::metadata(&path).ok()?.len();
        let bytes = (length <= BYTES_MAX).then(|| fs::read(&path))?.ok()?;
        let kept: Kept = serde_json::from_slice(&bytes).ok()?;
        let of_this = kept.signature == machine.signature.to_string();
        (kept.version == VERSION && of_this).then_some(kept)
    }

    /// Keeps the roof of `machine`, in the place of an earlier one.
    ///
    /// # Errors
    /// Exit 6 where it cannot be written.
    pub fn write(cache: &Path, machine: &Machine, roof: &Roof) -> Outcome<PathBuf> {
        let path = file(cache, &machine.slug);
        let folder = path.parent().unwrap_or(cache);
        fs::create_dir_all(folder).map_err(|e| Failure::file("create", folder, e))?;
        let kept = Kept {
            version: VERSION,
            signature: machine.signature.to_string(),
            widths: roof.widths.clone(),
        };
        write_json(&path, &kept)?;
        Ok(path)
    }

    /// The bandwidth of the fastest level whose measured set is not smaller than the part that
    /// each of so many threads has of `bytes`: the one that they live in. Beyond all levels it is
    /// that of the slowest. `None` where the roof was not measured with so many threads.
    pub fn bandwidth(&self, threads: u32, bytes: u64) -> Option<Bandwidth> {
        let width = self.widths.iter().find(|width| width.threads == threads)?;
        let of_thread = bytes.div_ceil(u64::from(threads.max(1)));
        let holds = width
            .levels
            .iter()
            .find(|level| level.bytes_per_thread >= of_thread);
        let level = holds.or(width.levels.last())?;
        let bytes_per_s = level.triad_bytes_per_s.median;
        (bytes_per_s.is_finite() && bytes_per_s > 0.0).then(|| Bandwidth {
            level: level.level.clone(),
            bytes_per_s,
        })
    }

    /// How much of it work of so many threads reaches: by its operations, or by the bytes that it
    /// moves through the level that they live in, whichever is more. `None` where neither is known.
    pub fn reached(&self, threads: u32, rates: &Rates) -> Option<Reached> {
        let width = self.widths.iter().find(|width| width.threads == threads)?;
        let most = width.multiply_add_flop_per_s.median;
        let by_flops = rates
            .flops_per_s
            .filter(|_| most > 0.0)
            .map(|flops| Reached {
                share: flops / most,
                of: "multiply-add".to_owned(),
            });
        let level = rates.bytes.and_then(|bytes| self.bandwidth(threads, bytes));
        let by_bytes = rates.bytes_per_s.zip(level).map(|(bytes, level)| Reached {
            share: bytes / level.bytes_per_s,
            of: level.level,
        });
        let both = by_flops.into_iter().chain(by_bytes);
        both.filter(|reached| reached.share.is_finite())
            .max_by(|one, other| one.share.total_cmp(&other.share))
    }
}

fn file(cache: &Path, slug: &str) -> PathBuf {
    cache.join("roof").join(format!("{slug}.json"))
}

#[cfg(test)]
pub mod made {
    //! Roofs of machines that do not exist.

    use super::super::{Level, Rate, Width};
    use super::{Kept, VERSION};

    fn rate(median: f64) -> Rate {
        Rate {
            median,
            min: median,
            max: median,
        }
    }

    /// Of one width: 100 GB/s in an L2 set of 1 MiB a thread, 10 GB/s in memory.
    pub fn roof(threads: u32) -> Kept {
        let level = |name: &str, bytes_per_thread, triad| Level {
            level: name.to_owned(),
            bytes_per_thread,
            read_bytes_per_s: rate(2.0 * triad),
            triad_bytes_per_s: rate(triad),
        };
        Kept {
            version: VERSION,
            signature: String::new(),
            widths: vec![Width {
                threads,
                levels: vec![level("L2", 1 << 20, 1e11), level("memory", 1 << 28, 1e10)],
                multiply_add_flop_per_s: rate(1e11),
            }],
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::machine::facts::Facts;
    use crate::machine::{MachineOptions, describe};

    /// One of which nothing is known but its frequency, which is in its signature only.
    fn machine(max_khz: u64) -> Machine {
        let facts = Facts {
            max_khz: Some(max_khz),
            ..Facts::unknown("linux")
        };
        describe(&facts, &MachineOptions::default())
    }

    fn measured() -> Roof {
        Roof {
            threading: "passive-bound",
            widths: made::roof(1).widths,
            notes: Vec::new(),
        }
    }

    #[test]
    fn a_roof_is_kept_for_the_cpu_that_it_was_measured_on() {
        let cache = tempfile::tempdir().unwrap();
        let then = machine(3_000_000);
        assert_eq!(Kept::read(Some(cache.path()), &then), None);
        Kept::write(cache.path(), &then, &measured()).unwrap();
        let kept = Kept::read(Some(cache.path()), &then).unwrap();
        assert_eq!(kept.widths, measured().widths);
        let other = machine(2_000_000);
        assert_eq!(other.slug, then.slug);
        assert_eq!(Kept::read(Some(cache.path()), &other), None);
        assert_eq!(Kept::read(None, &then), None);
    }

    #[test]
    fn a_damaged_or_later_file_is_no_roof_and_is_replaced() {
        let cache = tempfile::tempdir().unwrap();
        let machine = machine(3_000_000);
        let path = Kept::write(cache.path(), &machine, &measured()).unwrap();
        let whole = fs::read_to_string(&path).unwrap();
        for damaged in ["", "{", &whole.replace("\"version\": 1", "\"version\": 2")] {
            fs::write(&path, damaged).unwrap();
            assert_eq!(Kept::read(Some(cache.path()), &machine), None, "{damaged}");
            Kept::write(cache.path(), &machine, &measured()).unwrap();
            assert!(Kept::read(Some(cache.path()), &machine).is_some());
        }
    }

    #[test]
    fn bytes_live_in_the_fastest_level_that_holds_the_part_of_each_thread() {
        let roof = made::roof(2);
        for (bytes, level) in [
            (0, "L2"),
            (2 << 20, "L2"),
            ((2 << 20) + 1, "memory"),
            (1 << 40, "memory"),
        ] {
            assert_eq!(roof.bandwidth(2, bytes).unwrap().level, level, "{bytes}");
        }
        assert_eq!(roof.bandwidth(1, 1), None, "it was not measured so");
    }

    #[test]
    fn work_is_held_against_the_limit_that_it_is_nearer_to() {
        let roof = made::roof(1);
        let rates = Rates {
            flops_per_s: Some(2e10),
            bytes_per_s: Some(3e10),
            bytes: Some(1 << 20),
        };
        // 20 of 100 GFLOP/s, 30 of the 100 GB/s of L2.
        let in_cache = roof.reached(1, &rates).unwrap();
        assert_eq!(in_cache.of, "L2");
        assert!((in_cache.share - 0.3).abs() < 1e-12);
        let busy = Rates {
            flops_per_s: Some(8e10),
            ..rates
        };
        assert_eq!(roof.reached(1, &busy).unwrap().of, "multiply-add");
        let uncounted = Rates {
            flops_per_s: None,
            ..rates
        };
        assert_eq!(roof.reached(1, &uncounted), Some(in_cache));
        assert_eq!(roof.reached(1, &Rates::default()), None);
        assert_eq!(roof.reached(2, &rates), None, "it was not measured so");
    }
}
