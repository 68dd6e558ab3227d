//! What makes the workers of two sides different workers. Pure.
//!
//! What lies below the registry's folder enters workers, but for the registry files themselves:
//! they only say what to run. A comment in one of them leaves both sides one worker, and what they
//! define otherwise is told apart configuration by configuration.

use crate::ab::kept::record::Standing;
use crate::ab::sides::difference::Changes;
use crate::ab::sides::pairing::Couple;
use crate::repo::ContentMap;
use crate::workers::is_registry_file;

/// One side: the content of its registry's folder and lock file, and the name of that folder.
pub type Side<'a> = (&'a ContentMap, &'a str);

/// What keeps the candidate's workers from standing for the baseline's, in words: files that they
/// are built from or run, or a configuration that names another worker. `None` where nothing does.
pub fn difference([baseline, candidate]: [Side<'_>; 2], couples: &[Couple]) -> Option<String> {
    let inputs = |(content, registry): Side<'_>| -> ContentMap {
        let files = content.iter();
        let files = files.filter(|(path, _)| !is_registry_file(registry, path));
        files
            .map(|(path, digest)| (path.clone(), digest.clone()))
            .collect()
    };
    let changes = Changes::of(&inputs(baseline), &inputs(candidate));
    if let Some(files) = changes.to_sentence("file") {
        return Some(files);
    }
    let other = couples.iter().find(|couple| has_another_worker(couple))?;
    let name = &other.item()?.configuration;
    Some(format!(
        "the registries name different workers for `{name}`"
    ))
}

fn has_another_worker(couple: &Couple) -> bool {
    let (Some(then), Some(now)) = (&couple.baseline, &couple.candidate) else {
        return false;
    };
    let unlike = then.worker != now.worker || then.fft_plans != now.fft_plans;
    unlike && couple.standing() == Standing::Comparable
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::ab::made;
    use crate::ab::sides::pairing::Facts;
    use longrun_protocol::registry::{Metric, SamplingPolicy};

    fn content(files: &[(&str, &str)]) -> ContentMap {
        let owned = |(path, digest): &(&str, &str)| ((*path).to_owned(), (*digest).to_owned());
        files.iter().map(owned).collect()
    }

    fn couple() -> Couple {
        Couple {
            baseline: Some(made::item("a")),
            candidate: Some(made::item("a")),
            facts: Facts {
                metric: Metric::Cpu,
                revision_bound: 1e-6,
                step_tolerance: 0.02,
                chaotic: false,
                sampling: SamplingPolicy::default(),
            },
        }
    }

    fn found(then: &[(&str, &str)], now: &[(&str, &str)], couples: &[Couple]) -> Option<String> {
        let (then, now) = (content(then), content(now));
        difference([(&then, "workloads"), (&now, "workloads")], couples)
    }

    #[test]
    fn a_registry_file_is_no_worker() {
        let then = [
            ("workloads/tracking.toml", "1"),
            ("workloads/w/main.rs", "1"),
        ];
        let now = [
            ("workloads/tracking.toml", "2"),
            ("workloads/w/main.rs", "1"),
        ];
        assert_eq!(found(&then, &now, &[couple()]), None);
    }

    #[test]
    fn the_files_that_differ_are_named() {
        let then = [
            ("workloads/w/Cargo.toml", "1"),
            ("workloads/w/main.rs", "1"),
        ];
        let now = [("workloads/w/Cargo.toml", "2"), ("workloads/w/new.rs", "1")];
        let files = found(&then, &now, &[]).unwrap();
        for name in ["w/Cargo.toml", "w/main.rs", "w/new.rs"] {
            assert!(files.contains(name), "{files}");
        }
        let lock = found(&[], &[("Cargo.lock", "1")], &[]).unwrap();
        assert!(lock.contains("`Cargo.lock`"), "{lock}");
    }

    #[test]
    fn another_command_in_the_registry_is_another_worker() {
        let mut other = couple();
        let worker = &mut other.baseline.as_mut().unwrap().worker;
        worker.command = Some(vec!["another".to_owned()]);
        let why = found(&[], &[], &[other.clone()]).unwrap();
        assert!(why.contains("`a @1`"), "{why}");
        // What is not timed needs no worker.
        other.baseline.as_mut().unwrap().seed = Some(77);
        assert_eq!(found(&[], &[], &[other]), None);
    }
}
