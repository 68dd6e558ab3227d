//! Which cores and memory domains an allocation of CPUs spans. Pure.
//!
//! Not supported: CPUs that are taken away while a run goes on.

use std::collections::BTreeMap;

use super::facts::{CoreId, Counts, Facts};

/// Cores slower than this share of the fastest one of their kind are of another kind. Capacities
/// differ by less between cores of one design that may clock differently.
const KIND_SHARE_MIN: f64 = 0.9;

/// Shape of the CPU allocation. Unknown is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topology {
    /// CPUs.
    pub logical: Option<u32>,
    /// Physical cores that they belong to.
    pub cores: Option<u32>,
    /// Whether two of them share a core.
    pub smt: Option<bool>,
    /// Physical cores of each kind, the fastest kind first.
    pub core_classes: Option<Vec<u32>>,
    /// Memory domains that have one of them.
    pub memory_domains: Option<u32>,
    /// The CPUs of each physical core: fast cores first, and neighbours beside each other.
    pub places: Option<Vec<Vec<u32>>>,
}

/// The shape of what this process may use.
pub fn of(facts: &Facts) -> Topology {
    if let Some(counts) = &facts.counts {
        return counted(counts);
    }
    let Some(cpus) = facts.usable() else {
        return Topology::default();
    };
    let logical = count(cpus.len());
    // One CPU of unknown core makes the number of cores unknown.
    let cores: Option<Vec<(u32, CoreId)>> = cpus
        .iter()
        .map(|cpu| Some((*cpu, *facts.cores.get(cpu)?)))
        .collect();
    let cores = cores.map(|cpus| Cores::of(&cpus, &facts.capacities));
    let number = cores.as_ref().and_then(|cores| count(cores.0.len()));
    let memory_domains = facts.nodes.as_ref().and_then(|nodes| {
        let spanned = nodes
            .values()
            .filter(|node| !node.is_disjoint(&cpus))
            .count();
        count(spanned).filter(|spanned| *spanned > 0)
    });
    Topology {
        logical,
        cores: number,
        smt: number.zip(logical).map(|(cores, logical)| logical > cores),
        core_classes: cores.as_ref().and_then(Cores::classes),
        memory_domains,
        places: cores.map(Cores::into_places),
    }
}

/// The shape as far as numbers tell it.
fn counted(counts: &Counts) -> Topology {
    let both = counts.cores.zip(counts.logical);
    Topology {
        logical: counts.logical,
        cores: counts.cores,
        smt: both.map(|(cores, logical)| logical > cores),
        core_classes: Some(counts.classes.clone()).filter(|classes| !classes.is_empty()),
        ..Topology::default()
    }
}

/// One physical core of the allocation.
struct Core {
    id: CoreId,
    /// `None` where the system does not tell.
    capacity: Option<u32>,
    /// Kind, 0 for the fastest.
    class: usize,
    cpus: Vec<u32>,
}

/// The cores, fast ones first, and neighbours beside each other.
struct Cores(Vec<Core>);

impl Cores {
    fn of(cpus: &[(u32, CoreId)], capacities: &BTreeMap<u32, u32>) -> Cores {
        let mut by_id: BTreeMap<CoreId, Core> = BTreeMap::new();
        for &(cpu, id) in cpus {
            let core = by_id.entry(id).or_insert_with(|| Core {
                id,
                capacity: capacities.get(&cpu).copied(),
                class: 0,
                cpus: Vec::new(),
            });
            core.cpus.push(cpu);
        }
        let mut cores: Vec<Core> = by_id.into_values().collect();
        cores.sort_by_key(|core| std::cmp::Reverse(core.capacity));
        let mut class = 0;
        let mut fastest = cores.first().and_then(|core| core.capacity);
        for core in &mut cores {
            let pair = core.capacity.zip(fastest);
            if pair.is_some_and(|(own, top)| f64::from(own) < KIND_SHARE_MIN * f64::from(top)) {
                class += 1;
                fastest = core.capacity;
            }
            core.class = class;
        }
        cores.sort_by_key(|core| (core.class, core.id));
        Cores(cores)
    }

    /// How many cores are of each kind; unknown where one capacity is.
    fn classes(&self) -> Option<Vec<u32>> {
        let mut classes = BTreeMap::new();
        for core in &self.0 {
            core.capacity?;
            *classes.entry(core.class).or_insert(0) += 1;
        }
        Some(classes.into_values().collect())
    }

    fn into_places(self) -> Vec<Vec<u32>> {
        self.0.into_iter().map(|core| core.cpus).collect()
    }
}

fn count(length: usize) -> Option<u32> {
    u32::try_from(length).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::machine::cpulist::parse_cpulist;
    use std::collections::BTreeSet;

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

    /// CPUs, cores and memory domains.
    type Shape = (Option<u32>, Option<u32>, Option<u32>);

    fn shape(logical: u32, cores: u32, memory_domains: Option<u32>) -> Shape {
        (Some(logical), Some(cores), memory_domains)
    }

    fn shape_of(facts: &Facts) -> Shape {
        let found = of(facts);
        let both = found.cores.zip(found.logical);
        assert_eq!(found.smt, both.map(|(cores, logical)| logical > cores));
        (found.logical, found.cores, found.memory_domains)
    }

    /// Cores of (CPUs, capacity), numbered in this order.
    fn cores(cores: &[(&[u32], u32)]) -> Facts {
        let cpus: Vec<(u32, i64, i64)> = (0..)
            .zip(cores)
            .flat_map(|(core, (cpus, _))| cpus.iter().map(move |cpu| (*cpu, 0, core)))
            .collect();
        let mut facts = machine(&cpus, &[], "0-1023");
        for (cpus, capacity) in cores.iter().filter(|(_, capacity)| *capacity > 0) {
            facts
                .capacities
                .extend(cpus.iter().map(|cpu| (*cpu, *capacity)));
        }
        facts
    }

    #[test]
    fn kinds_of_cores_are_counted_fastest_first() {
        for (made, classes, places) in [
            // Fast cores with two CPUs, slow ones with one, numbered behind them.
            (
                cores(&[(&[0, 1], 1024), (&[2, 3], 1009), (&[4], 512), (&[5], 512)]),
                Some(vec![2, 2]),
                vec![vec![0, 1], vec![2, 3], vec![4], vec![5]],
            ),
            // Arm numbers its slow cores first, and may have three kinds.
            (
                cores(&[(&[0], 300), (&[1], 300), (&[2], 800), (&[3], 1024)]),
                Some(vec![1, 1, 2]),
                vec![vec![3], vec![2], vec![0], vec![1]],
            ),
            (
                cores(&[(&[0, 2], 1024), (&[1, 3], 1024)]),
                Some(vec![2]),
                vec![vec![0, 2], vec![1, 3]],
            ),
            (cores(&[(&[0], 0), (&[1], 0)]), None, vec![vec![0], vec![1]]),
            (
                cores(&[(&[0], 0), (&[1], 1024)]),
                None,
                vec![vec![0], vec![1]],
            ),
        ] {
            let found = of(&made);
            assert_eq!(found.core_classes, classes);
            assert_eq!(found.places, Some(places));
        }
    }

    #[test]
    fn neighbours_are_beside_each_other_and_siblings_in_one_place() {
        // Linux may number cores alternately over two sockets: even and odd.
        let cpus = [
            (0, 0, 0),
            (1, 1, 0),
            (2, 0, 1),
            (3, 1, 1),
            (4, 0, 0),
            (5, 1, 0),
        ];
        let places = of(&machine(&cpus, &[], "0-5")).places.unwrap();
        assert_eq!(places, [vec![0, 4], vec![2], vec![1, 5], vec![3]]);
    }

    #[test]
    fn counts_without_names_have_no_places() {
        let mut facts = Facts::unknown("macos");
        facts.counts = Some(Counts {
            logical: Some(16),
            cores: Some(8),
            classes: vec![8],
        });
        let found = of(&facts);
        assert_eq!(shape_of(&facts), shape(16, 8, None));
        assert_eq!((found.core_classes, found.places), (Some(vec![8]), None));
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
            assert_eq!(
                shape_of(&machine(&cpus, &nodes, allowed)),
                expected,
                "{allowed}"
            );
        }
    }

    #[test]
    fn memory_domains_within_a_socket_are_counted_apart() {
        // One socket of eight cores in four domains.
        let cpus: Vec<(u32, i64, i64)> = (0..8).map(|cpu| (cpu, 0, i64::from(cpu))).collect();
        let nodes = ["0-1", "2-3", "4-5", "6-7"];
        for (allowed, cores, domains) in [
            ("0-7", 8, 4),
            ("0-3", 4, 2),
            ("1,2", 2, 2),
            ("4-5", 2, 1),
            ("0,7", 2, 2),
        ] {
            let expected = shape(cores, cores, Some(domains));
            assert_eq!(
                shape_of(&machine(&cpus, &nodes, allowed)),
                expected,
                "{allowed}"
            );
        }
    }

    #[test]
    fn equal_core_numbers_on_two_dies_are_two_cores() {
        let mut facts = machine(&[(0, 0, 0), (1, 0, 0)], &[], "0-1");
        assert_eq!(shape_of(&facts), shape(2, 1, None));
        for (cpu, core) in &mut facts.cores {
            core.die = Some(i64::from(*cpu));
        }
        assert_eq!(shape_of(&facts), shape(2, 2, None));
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
