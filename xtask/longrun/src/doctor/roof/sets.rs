//! Which working sets show the bandwidth of each cache level and of memory. Pure.

use crate::machine::facts::Cache;

/// Share of a cache that a working set fills: the other half is left to whoever else uses it.
const SET_SHARE: u64 = 2;

/// A level shows only where its set is this many times what the level before holds.
const STEP_MIN: u64 = 2;

/// How many times the last cache the sets of memory are.
const MEMORY_TIMES: u64 = 4;

/// Least size of the sets of memory, all threads together.
const MEMORY_BYTES_MIN: u64 = 128 << 20;

/// Part of the free memory that may be used.
const FREE_SHARE: u64 = 4;

/// Caches of a core that are assumed where the system does not tell: level, size, and cores that
/// share it (0 is all).
const ASSUMED: [(u32, u64, u32); 3] = [(1, 32 << 10, 1), (2, 512 << 10, 1), (3, 8 << 20, 0)];

/// What decides the sets.
#[derive(Clone, Copy, Debug)]
pub struct Shape<'a> {
    /// Caches of one CPU.
    pub caches: &'a [Cache],
    /// CPUs that share one core.
    pub cpus_per_core: u32,
    /// Threads, one a core.
    pub threads: u32,
    /// Memory that is free; `None` is unknown.
    pub free_bytes: Option<u64>,
}

/// One working set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set {
    /// `L1`, `L2`, `L3`, `memory`.
    pub level: String,
    /// Size for each thread.
    pub bytes: u64,
}

/// The sets, and what the reader should know about them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sets {
    /// Smallest first.
    pub sets: Vec<Set>,
    /// Levels that are left out and why; what was assumed.
    pub notes: Vec<String>,
}

/// Chooses the sets.
pub fn choose(shape: &Shape<'_>) -> Sets {
    let mut chosen = Sets::default();
    let threads = u64::from(shape.threads.max(1));
    let mut levels = levels(shape);
    if levels.is_empty() {
        levels = assumed(shape);
        let sizes = "32 KiB, 512 KiB and a shared cache of 8 MiB";
        chosen
            .notes
            .push(format!("the caches are unknown: {sizes} are assumed"));
    }
    let mut before = 0;
    let largest = levels.iter().map(|level| level.1).max().unwrap_or(0);
    for (level, share) in levels {
        let bytes = share / SET_SHARE;
        if bytes < STEP_MIN * before {
            chosen.notes.push(format!(
                "L{level} is left out at width {threads}: a thread's share of it is hardly larger \
                 than the level before"
            ));
            continue;
        }
        chosen.sets.push(Set {
            level: format!("L{level}"),
            bytes,
        });
        before = share;
    }
    let wanted = (MEMORY_TIMES * largest).max(MEMORY_BYTES_MIN / threads);
    let allowed = shape.free_bytes.map(|free| free / FREE_SHARE / threads);
    match allowed {
        Some(allowed) if allowed < wanted => chosen.notes.push(format!(
            "memory is left out at width {threads}: too little of it is free"
        )),
        _ => chosen.sets.push(Set {
            level: "memory".to_owned(),
            bytes: wanted,
        }),
    }
    chosen
}

/// Level and a thread's share of each cache for data, the smallest first.
fn levels(shape: &Shape<'_>) -> Vec<(u32, u64)> {
    let data = shape
        .caches
        .iter()
        .filter(|cache| cache.kind != "Instruction");
    let mut levels: Vec<(u32, u64)> = data
        .filter_map(|cache| {
            let bytes = size_bytes(&cache.size)?;
            Some((
                cache.level,
                share(shape, bytes, cores_sharing(shape, cache)),
            ))
        })
        .collect();
    levels.sort_unstable();
    levels.dedup_by_key(|level| level.0);
    levels
}

fn assumed(shape: &Shape<'_>) -> Vec<(u32, u64)> {
    let share_of = |(level, bytes, cores)| {
        let cores = if cores == 0 { shape.threads } else { cores };
        (level, share(shape, bytes, cores))
    };
    ASSUMED.into_iter().map(share_of).collect()
}

/// Cores that share a cache; where the system does not tell, the first two levels are a core's own
/// and the others are everybody's.
fn cores_sharing(shape: &Shape<'_>, cache: &Cache) -> u32 {
    match (cache.shared_by, cache.level) {
        (Some(cpus), _) => cpus.div_ceil(shape.cpus_per_core.max(1)),
        (None, 1 | 2) => 1,
        (None, _) => shape.threads,
    }
}

/// What one of the threads has of a cache that so many cores share.
fn share(shape: &Shape<'_>, bytes: u64, cores: u32) -> u64 {
    bytes / u64::from(cores.min(shape.threads).max(1))
}

/// `32K` and `2M`, as Linux writes sizes.
fn size_bytes(text: &str) -> Option<u64> {
    let units = [("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30)];
    let split = |(unit, scale): (&str, u64)| Some((text.strip_suffix(unit)?, scale));
    let (number, scale) = units.into_iter().find_map(split).unwrap_or((text, 1));
    let number: u64 = number.trim().parse().ok()?;
    number.checked_mul(scale).filter(|bytes| *bytes > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIB: u64 = 1 << 10;
    const MIB: u64 = 1 << 20;

    /// Caches as (level, kind, size, CPUs that share it).
    fn caches(caches: &[(u32, &str, &str, Option<u32>)]) -> Vec<Cache> {
        let made = |&(level, kind, size, shared_by): &(u32, &str, &str, Option<u32>)| Cache {
            level,
            kind: kind.to_owned(),
            size: size.to_owned(),
            shared_by,
        };
        caches.iter().map(made).collect()
    }

    fn epyc() -> Vec<Cache> {
        caches(&[
            (1, "Data", "32K", Some(2)),
            (1, "Instruction", "32K", Some(2)),
            (2, "Unified", "512K", Some(2)),
            (3, "Unified", "32768K", Some(16)),
        ])
    }

    fn chosen(caches: &[Cache], threads: u32, free_bytes: Option<u64>) -> Vec<(String, u64)> {
        let shape = Shape {
            caches,
            cpus_per_core: 2,
            threads,
            free_bytes,
        };
        let sets = choose(&shape).sets.into_iter();
        sets.map(|set| (set.level, set.bytes)).collect()
    }

    fn named(sets: &[(&str, u64)]) -> Vec<(String, u64)> {
        sets.iter()
            .map(|(level, bytes)| ((*level).to_owned(), *bytes))
            .collect()
    }

    #[test]
    fn one_thread_has_the_caches_for_itself() {
        let expected = [
            ("L1", 16 * KIB),
            ("L2", 256 * KIB),
            ("L3", 16 * MIB),
            ("memory", 128 * MIB),
        ];
        assert_eq!(chosen(&epyc(), 1, None), named(&expected));
    }

    #[test]
    fn threads_divide_the_caches_that_they_share() {
        let expected = [
            ("L1", 16 * KIB),
            ("L2", 256 * KIB),
            ("L3", 2 * MIB),
            ("memory", 16 * MIB),
        ];
        // Eight cores share one L3: more threads than that use further ones.
        for threads in [8, 16, 64] {
            assert_eq!(
                chosen(&epyc(), threads, None),
                named(&expected),
                "{threads}"
            );
        }
        assert_eq!(chosen(&epyc(), 2, None)[2], ("L3".to_owned(), 8 * MIB));
    }

    #[test]
    fn a_level_that_does_not_show_is_left_out_and_said_so() {
        let xeon = caches(&[
            (1, "Data", "32K", Some(2)),
            (2, "Unified", "1024K", Some(2)),
            (3, "Unified", "25344K", Some(36)),
        ]);
        let shape = Shape {
            caches: &xeon,
            cpus_per_core: 2,
            threads: 18,
            free_bytes: None,
        };
        let found = choose(&shape);
        let levels: Vec<&str> = found.sets.iter().map(|set| set.level.as_str()).collect();
        assert_eq!(levels, ["L1", "L2", "memory"]);
        let all = found.sets[2].bytes * 18;
        assert!(
            all >= 4 * 25344 * KIB,
            "memory is larger than the level that is left out"
        );
        assert!(
            found.notes[0].starts_with("L3 is left out at width 18"),
            "{:?}",
            found.notes
        );
    }

    #[test]
    fn unknown_caches_are_assumed_and_said_so() {
        let shape = Shape {
            caches: &[],
            cpus_per_core: 1,
            threads: 2,
            free_bytes: None,
        };
        let found = choose(&shape);
        let sizes: Vec<u64> = found.sets.iter().map(|set| set.bytes).collect();
        assert_eq!(sizes, [16 * KIB, 256 * KIB, 2 * MIB, 64 * MIB]);
        assert!(found.notes[0].contains("assumed"), "{:?}", found.notes);
        // A size that is no size is unknown too.
        let damaged = caches(&[(1, "Data", "much", None), (2, "Unified", "0K", None)]);
        let damaged = Shape {
            caches: &damaged,
            ..shape
        };
        assert_eq!(choose(&damaged), found);
    }

    #[test]
    fn memory_that_is_not_free_is_not_used() {
        let levels = |free| chosen(&epyc(), 1, Some(free)).len();
        assert_eq!(levels(512 * MIB), 4);
        assert_eq!(levels(512 * MIB - 4), 3);
        assert_eq!(levels(0), 3);
    }

    #[test]
    fn sizes_have_units() {
        for (text, bytes) in [
            ("32K", Some(32 * KIB)),
            ("2M", Some(2 * MIB)),
            ("1G", Some(1 << 30)),
            ("512", Some(512)),
            ("0K", None),
            ("K", None),
            ("99999999999999G", None),
        ] {
            assert_eq!(size_bytes(text), bytes, "{text}");
        }
    }
}
