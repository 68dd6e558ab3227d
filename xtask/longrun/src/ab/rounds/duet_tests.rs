//! Requests of duets, and what is accepted as an answer.
#![allow(clippy::unwrap_used, clippy::panic)]

use longrun_measure::paired::Orders;
use longrun_protocol::duet::{DuetReport, Segment, SegmentSide, Stretch};
use longrun_protocol::receipt::{LibraryReport, Sample};

use super::*;
use crate::ab::kept::record::Phase;
use crate::ab::made;

fn stretch(index: u32, segments: u32) -> Stretch {
    let z_m = f64::from(index);
    Stretch {
        checkpoint: index,
        z_m,
        warm_up_m: z_m + 0.1,
        planes_m: (1..=segments)
            .map(|k| z_m + 0.1 + 0.1 * f64::from(k))
            .collect(),
    }
}

fn states(count: u32) -> Score {
    Score::States {
        file: PathBuf::from("/states.npy"),
        report: CheckpointReport {
            sha256: "5".repeat(64),
            stretches: (0..count).map(|index| stretch(index, 4)).collect(),
            visited: 4,
            step_ns: 1,
            run_ns: 1,
            accepted: 1,
            evaluations: 1,
        },
    }
}

fn libraries() -> [Library; 2] {
    ["old", "new"].map(|key| Library {
        path: PathBuf::from(format!("/{key}")),
        build_key: key.to_owned(),
    })
}

fn wanted(round: u32) -> Wanted {
    Wanted {
        configuration: 0,
        comparison: 0,
        phase: Phase::Screen,
        round,
        orders: Orders::of(3, 0, 0),
    }
}

fn request_of(score: &Score, round: u32) -> Request {
    let base = made::request("a");
    score.request(base, libraries(), &wanted(round))
}

/// The answer of a worker that did what it was asked.
fn answer(request: &Request) -> Receipt {
    let plan = request.duet.as_ref().unwrap();
    let half = SegmentSide {
        sample: Sample {
            interval_ns: 1000,
            cpu_ns: Some(900),
            ops: 1,
            usage: None,
        },
        accepted: Some(3),
        evaluations: Some(9),
    };
    let mut turn = plan.first;
    let stretches = asked_segments(plan)
        .into_iter()
        .map(|(checkpoint, count)| StretchReport {
            checkpoint,
            segments: (0..count)
                .map(|_| {
                    let first = turn;
                    turn = turn.other();
                    Segment {
                        first,
                        baseline: half,
                        candidate: half,
                        relative_l2: Some(0.0),
                    }
                })
                .collect(),
        });
    let duet = DuetReport {
        candidate_wisdom: None,
        candidate: Some(LibraryReport {
            build_key: plan.candidate.build_key.clone(),
            abi: Default::default(),
            fft: None,
        }),
        created_first: plan.created_first,
        stretches: stretches.collect(),
    };
    Receipt {
        duet: Some(duet),
        ..made::receipt(request)
    }
}

#[test]
fn a_process_visits_one_stretch_of_each_quarter() {
    for round in 0..40 {
        let request = request_of(&states(16), round);
        let plan = request.duet.unwrap();
        let visited: Vec<u32> = plan
            .stretches
            .iter()
            .map(|one| one.checkpoint / 4)
            .collect();
        assert_eq!(visited, [0, 1, 2, 3], "round {round}");
    }
}

#[test]
fn a_short_run_visits_what_there_is() {
    let request = request_of(&states(2), 5);
    let visited = request.duet.unwrap().stretches;
    assert_eq!(visited, [stretch(0, 4), stretch(1, 4)]);
}

#[test]
fn the_libraries_are_those_of_their_sides_and_orders_are_balanced() {
    let mut orders = Vec::new();
    for round in 0..4 {
        let request = request_of(&states(16), round);
        assert_eq!(request.library.unwrap().build_key, "old");
        let plan = request.duet.unwrap();
        assert_eq!(plan.candidate.build_key, "new");
        orders.push((plan.created_first, plan.first));
    }
    orders.sort();
    orders.dedup();
    assert_eq!(orders.len(), 4, "each combination once in four rounds");
}

#[test]
fn blocks_fill_a_process_evenly_within_bounds() {
    let blocks = |interval_ns| match Score::of_blocks(100, interval_ns) {
        Score::Blocks { ops: 100, blocks } => blocks,
        other => panic!("{other:?}"),
    };
    assert_eq!(blocks(1_000_000), 100);
    assert_eq!(blocks(9_000_000), 12);
    assert_eq!(blocks(u64::MAX), 8);
    assert_eq!(blocks(0), 1_000);
    let request = request_of(&Score::of_blocks(7, 1_000_000), 0);
    assert_eq!(request.block_plan, Some(BlockPlan::Frozen { ops: 7 }));
    let plan = request.duet.clone().unwrap();
    assert_eq!(
        (plan.blocks, plan.stretches.len(), plan.states),
        (100, 0, None)
    );
    let found = measured(&request, &answer(&request), Metric::Cpu).unwrap();
    assert_eq!(found[0].segments.len(), 100);
}

#[test]
fn an_answer_that_did_what_was_asked_is_measured() {
    let request = request_of(&states(16), 1);
    let found = measured(&request, &answer(&request), Metric::Cpu).unwrap();
    assert_eq!(found.len(), 4);
}

#[test]
fn an_answer_that_did_something_else_is_refused_with_what_it_was() {
    type Damage = fn(&mut Receipt);
    fn report(receipt: &mut Receipt) -> &mut DuetReport {
        receipt.duet.as_mut().unwrap()
    }
    let table: [(&str, Damage); 9] = [
        ("no duet", |receipt| receipt.duet = None),
        ("an unknown one and not new", |receipt| {
            report(receipt).candidate = None
        }),
        ("library old and not new", |receipt| {
            report(receipt).candidate.as_mut().unwrap().build_key = "old".into();
        }),
        ("order that was asked for", |receipt| {
            let report = report(receipt);
            report.created_first = report.created_first.other();
        }),
        ("and not", |receipt| report(receipt).stretches.truncate(3)),
        ("and not", |receipt| {
            report(receipt).stretches[1].segments.truncate(3);
        }),
        ("take turns before segment 5", |receipt| {
            let segment = &mut report(receipt).stretches[1].segments[0];
            segment.first = segment.first.other();
        }),
        ("segment 1 of the candidate has no time", |receipt| {
            report(receipt).stretches[0].segments[0]
                .candidate
                .sample
                .interval_ns = 0;
        }),
        ("segment 2 of the baseline has no CPU time", |receipt| {
            report(receipt).stretches[0].segments[1]
                .baseline
                .sample
                .cpu_ns = None;
        }),
    ];
    let request = request_of(&states(16), 1);
    for (expected, damage) in table {
        let mut receipt = answer(&request);
        damage(&mut receipt);
        let reason = measured(&request, &receipt, Metric::Cpu).unwrap_err();
        assert!(reason.contains(expected), "{expected}: {reason}");
    }
}

#[test]
fn a_system_without_a_clock_for_processes_still_has_wall_times() {
    let request = request_of(&states(16), 1);
    let mut receipt = answer(&request);
    let segment = &mut receipt.duet.as_mut().unwrap().stretches[0].segments[0];
    segment.candidate.sample.cpu_ns = None;
    assert!(measured(&request, &receipt, Metric::Wall).is_ok());
}

#[test]
fn a_preparation_that_nobody_can_play_is_named() {
    type Damage = fn(&mut Vec<Stretch>);
    let report = |damage: Damage| {
        let Score::States { mut report, .. } = states(2) else {
            panic!("states");
        };
        damage(&mut report.stretches);
        unusable(&report)
    };
    assert_eq!(report(|_| ()), None);
    let Score::States {
        report: mut idle, ..
    } = states(2)
    else {
        panic!("states");
    };
    idle.visited = 0;
    assert!(unusable(&idle).unwrap().contains("visits no stretch"));
    let table: [(&str, Damage); 5] = [
        ("no stretch", Vec::clear),
        ("stretch 2 has 0 segments", |all| all[1].planes_m.clear()),
        ("stretch 1 has 3 segments", |all| {
            all[0].planes_m.truncate(3)
        }),
        ("stretch 1 do not go forward", |all| {
            all[0].planes_m.reverse()
        }),
        ("stretch 2 do not go forward", |all| {
            all[1].planes_m[3] = f64::NAN
        }),
    ];
    for (expected, damage) in table {
        let reason = report(damage).unwrap();
        assert!(reason.contains(expected), "{reason}");
    }
}

#[test]
fn a_message_names_a_side_only_where_it_names_one() {
    assert_eq!(
        side_in("load: the candidate's library"),
        Some(Side::Candidate)
    );
    assert_eq!(side_in("run: the baseline diverged"), Some(Side::Baseline));
    assert_eq!(side_in("the baseline and the candidate"), None);
    assert_eq!(side_in("out of memory"), None);
}
