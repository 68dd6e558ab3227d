//! Machines made of files, for tests: a folder that looks like `/` of a Linux system.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

static NEXT: AtomicU32 = AtomicU32::new(0);

/// A folder of its own, removed when dropped.
pub struct MadeMachine {
    root: PathBuf,
}

impl MadeMachine {
    /// An empty one: nothing is known.
    pub fn empty() -> MadeMachine {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("longrun-machine-{}-{number}", process::id());
        let root = std::env::temp_dir().join(name);
        fs::create_dir_all(&root).unwrap();
        MadeMachine { root }
    }

    /// Where its files lie.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Writes one file.
    pub fn file(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

impl Drop for MadeMachine {
    fn drop(&mut self) {
        // Left-over files of a test harm nothing.
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// One socket of an EPYC 7763 with so many cores, each of so many CPUs, numbered as Linux does:
/// CPU `n` and CPU `n + cores` share core `n`.
pub fn epyc(cores: u32, threads_per_core: u32) -> MadeMachine {
    let made = MadeMachine::empty();
    let cpus = cores * threads_per_core;
    let list = format!("0-{}\n", cpus - 1);
    made.file(
        "proc/self/status",
        &format!("Name:\tx\nCpus_allowed_list:\t{list}"),
    );
    made.file("sys/devices/system/cpu/online", &list);
    made.file("sys/devices/system/node/node0/cpulist", &list);
    for cpu in 0..cpus {
        let folder = format!("sys/devices/system/cpu/cpu{cpu}");
        made.file(&format!("{folder}/topology/physical_package_id"), "0\n");
        made.file(
            &format!("{folder}/topology/core_id"),
            &format!("{}\n", cpu % cores),
        );
        let caches = [
            ("1", "Data", "32K"),
            ("1", "Instruction", "32K"),
            ("2", "Unified", "512K"),
            ("3", "Unified", "32768K"),
        ];
        for (index, (level, kind, size)) in caches.into_iter().enumerate() {
            made.file(&format!("{folder}/cache/index{index}/level"), level);
            made.file(&format!("{folder}/cache/index{index}/type"), kind);
            made.file(&format!("{folder}/cache/index{index}/size"), size);
        }
    }
    made.file(
        "proc/cpuinfo",
        "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 1\n\
         model name\t: AMD EPYC 7763 64-Core Processor\nstepping\t: 1\ncpu MHz\t\t: 2445.4\n",
    );
    made.file(
        "etc/os-release",
        "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n",
    );
    made.file("proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
    made.file("proc/meminfo", "MemTotal:       65536 kB\n");
    made
}
