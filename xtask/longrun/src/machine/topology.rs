//! Which cores and memory domains an allocation of CPUs spans. Pure.
//!
//! Not supported: CPUs that are taken away while a run goes on, and cores of different kinds,
//! which count alike.

use std::collections::BTreeSet;

use super::facts::Facts;

/// Shape of the CPU allocation. Unknown is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Topology {
    /// CPUs.
    pub logical: Option<u32>,
    /// Physical cores that they belong to.
    pub cores: Option<u32>,
    /// Whether two of them share a core.
    pub smt: Option<bool>,
    /// Memory domains that have one of them.
    pub memory_domains: Option<u32>,
}

/// The shape of what this process may use.
pub fn of(facts: &Facts) -> Topology {
    let Some(cpus) = facts.usable() else {
        return Topology::default();
    };
    let logical = count(cpus.len());
    // One CPU of unknown core makes the number of cores unknown.
    let cores: Option<BTreeSet<_>> = cpus.iter().map(|cpu| facts.cores.get(cpu)).collect();
    let cores = cores.and_then(|cores| count(cores.len()));
    let memory_domains = facts.nodes.as_ref().and_then(|nodes| {
        let spanned = nodes
            .values()
            .filter(|node| !node.is_disjoint(&cpus))
            .count();
        count(spanned).filter(|spanned| *spanned > 0)
    });
    Topology {
        logical,
        cores,
        smt: cores.zip(logical).map(|(cores, logical)| logical > cores),
        memory_domains,
    }
}

fn count(length: usize) -> Option<u32> {
    u32::try_from(length).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::facts::CoreId;
    use super::*;
    use crate::machine::cpulist::parse_cpulist;
    use std::collections::BTreeMap;

    /// CPUs as (number, package, core), memory domains as lists.
    fn machine(cpus: &[(u32, i64, i64)], nodes: &[&str], allowed: &str) -> Facts {
        let mut facts = Facts::unknown("linux");
        facts.online = Some(cpus.iter().map(|cpu| cpu.0).collect());
        facts.allowed = parse_cpulist(allowed);
        facts.cores = cpus
            .iter()
            .map(|&(cpu, package, core)| {
                (
                    cpu,
                    CoreId {
                        package,
                        die: None,
                        core,
                    },
                )
            })
            .collect();
        let nodes: BTreeMap<u32, _> = (0u32..)
            .zip(
                nodes
                    .iter()
                    .map(|list| parse_cpulist(list).unwrap_or_default()),
            )
            .collect();
        facts.nodes = (!nodes.is_empty()).then_some(nodes);
        facts
    }

    fn shape(logical: u32, cores: u32, memory_domains: Option<u32>) -> Topology {
        Topology {
            logical: Some(logical),
            cores: Some(cores),
            smt: Some(logical > cores),
            memory_domains,
        }
    }

    #[test]
    fn an_allocation_has_the_distinct_cores_of_its_cpus() {
        // Two sockets of two cores with two threads each; siblings are n and n + 4.
        let cpus = [
            (0, 0, 0),
            (1, 0, 1),
            (2, 1, 0),
            (3, 1, 1),
            (4, 0, 0),
            (5, 0, 1),
            (6, 1, 0),
            (7, 1, 1),
        ];
        let nodes = ["0-1,4-5", "2-3,6-7"];
        for (allowed, expected) in [
            ("0-7", shape(8, 4, Some(2))),
            ("0,4", shape(2, 1, Some(1))),
            ("0-3", shape(4, 4, Some(2))),
            ("0-1,4-5", shape(4, 2, Some(1))),
            ("2", shape(1, 1, Some(1))),
            ("0,2,100", shape(2, 2, Some(2))),
        ] {
            assert_eq!(of(&machine(&cpus, &nodes, allowed)), expected, "{allowed}");
        }
    }

    #[test]
    fn equal_core_numbers_on_two_dies_are_two_cores() {
        let mut facts = machine(&[(0, 0, 0), (1, 0, 0)], &[], "0-1");
        assert_eq!(of(&facts), shape(2, 1, None));
        for (cpu, core) in &mut facts.cores {
            core.die = Some(i64::from(*cpu));
        }
        assert_eq!(of(&facts), shape(2, 2, None));
    }

    #[test]
    fn one_cpu_of_unknown_core_makes_the_cores_unknown() {
        let mut facts = machine(&[(0, 0, 0), (1, 0, 1)], &["0-1"], "0-1");
        facts.cores.remove(&1);
        let topology = of(&facts);
        assert_eq!(topology.logical, Some(2));
        assert_eq!((topology.cores, topology.smt), (None, None));
    }

    #[test]
    fn unknown_affinity_is_an_unknown_shape() {
        let mut facts = machine(&[(0, 0, 0)], &["0"], "0");
        facts.allowed = None;
        assert_eq!(of(&facts), Topology::default());
        facts.allowed = Some(BTreeSet::from([9]));
        assert_eq!(of(&facts), Topology::default());
    }

    #[test]
    fn a_memory_domain_without_cpus_is_not_spanned() {
        let facts = machine(&[(0, 0, 0)], &["0", ""], "0");
        assert_eq!(of(&facts).memory_domains, Some(1));
    }
}
