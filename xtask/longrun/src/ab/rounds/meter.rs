//! Whether others used the machine during an observation.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::machine::busy::{self, Counters};
use crate::machine::process;

/// Where the system's own files are.
const SYSTEM: &str = "/";

/// Counters as an observation begins: three small files, and no look at any process.
pub struct Meter<'a> {
    cpus: Option<&'a BTreeSet<u32>>,
    began: Instant,
    before: Counters,
    own: Option<Duration>,
}

impl<'a> Meter<'a> {
    /// Begins to watch the CPUs of the allocation, or all where they are unknown.
    pub fn begin(cpus: Option<&'a BTreeSet<u32>>) -> Meter<'a> {
        Meter {
            cpus,
            began: Instant::now(),
            before: busy::read(Path::new(SYSTEM), cpus),
            own: process::own_cpu_time(Path::new(SYSTEM)),
        }
    }

    /// Whether others used the machine since then. Every process of the observation has ended and
    /// was waited for, so that its time is in ours.
    pub fn busy(&self) -> Option<bool> {
        let system = Path::new(SYSTEM);
        let after = busy::read(system, self.cpus);
        let own = process::own_cpu_time(system)?.saturating_sub(self.own?);
        let size = after.cpu.map(|ticks| ticks.cpus)?;
        busy::judge(&self.before, &after, own, self.began.elapsed(), size)
    }
}
