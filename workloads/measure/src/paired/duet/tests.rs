//! Observations of duet processes, by hand arithmetic.
#![allow(clippy::unwrap_used)]
use longrun_protocol::Sample;
use longrun_protocol::duet::{SegmentSide, Side};

use super::*;

/// A segment of one operation that took the sides these times, by both clocks.
fn segment(first: Side, baseline_ns: u64, candidate_ns: u64) -> Segment {
    let side = |interval_ns| SegmentSide {
        sample: Sample {
            interval_ns,
            cpu_ns: Some(2 * interval_ns),
            ops: 1,
            usage: None,
        },
        accepted: None,
        evaluations: None,
    };
    Segment {
        first,
        baseline: side(baseline_ns),
        candidate: side(candidate_ns),
        relative_l2: None,
    }
}

fn stretch(segments: Vec<Segment>) -> StretchReport {
    StretchReport {
        checkpoint: None,
        segments,
    }
}

/// Two segments: whoever goes second takes `penalty` times as long.
fn turn(ratio: f64, penalty: f64) -> Vec<Segment> {
    let ns = |factor: f64| (1e12 * factor).round() as u64;
    vec![
        segment(Side::Baseline, ns(1.0), ns(ratio * penalty)),
        segment(Side::Candidate, ns(penalty), ns(ratio)),
    ]
}

fn close(value: f64, expected: f64) {
    assert!(
        (value - expected).abs() < 1e-11,
        "{value} is not {expected}"
    );
}

#[test]
fn the_penalty_of_going_second_cancels() {
    for penalty in [1.0, 1.012, 1.5] {
        let stretches = [stretch(turn(1.02, penalty))];
        close(
            observation(&stretches, Metric::Wall).unwrap(),
            libm::log(1.02),
        );
        close(
            observation(&stretches, Metric::Cpu).unwrap(),
            libm::log(1.02),
        );
    }
}

#[test]
fn one_disturbed_turn_of_five_moves_nothing() {
    let mut segments: Vec<Segment> = (0..4).flat_map(|_| turn(1.01, 1.0)).collect();
    segments.extend(turn(7.0, 1.0));
    close(
        observation(&[stretch(segments)], Metric::Cpu).unwrap(),
        libm::log(1.01),
    );
}

#[test]
fn stretches_count_alike_however_many_segments_they_have() {
    let long = (0..4).flat_map(|_| turn(1.01, 1.0)).collect();
    let stretches = [stretch(long), stretch(turn(1.03, 1.0))];
    let expected = 0.5 * (libm::log(1.01) + libm::log(1.03));
    close(observation(&stretches, Metric::Cpu).unwrap(), expected);
}

#[test]
fn sides_that_change_places_change_the_sign() {
    let swapped: Vec<Segment> = turn(1.02, 1.1)
        .into_iter()
        .map(|segment| Segment {
            first: segment.first.other(),
            baseline: segment.candidate,
            candidate: segment.baseline,
            relative_l2: None,
        })
        .collect();
    close(
        observation(&[stretch(swapped)], Metric::Cpu).unwrap(),
        -libm::log(1.02),
    );
}

#[test]
fn segments_that_are_not_taken_in_turns_are_refused() {
    let mut one_order = turn(1.0, 1.0);
    one_order[1].first = Side::Baseline;
    let odd = vec![segment(Side::Baseline, 1, 1)];
    for segments in [one_order, odd] {
        let found = observation(&[stretch(segments)], Metric::Cpu);
        assert_eq!(found, Err(NoRatio::Order));
    }
}

#[test]
fn nothing_zero_and_unknown_are_refused_and_never_a_number() {
    assert_eq!(observation(&[], Metric::Cpu), Err(NoRatio::Empty));
    assert_eq!(
        observation(&[stretch(vec![])], Metric::Cpu),
        Err(NoRatio::Empty)
    );
    let mut zero = turn(1.0, 1.0);
    zero[1].candidate.sample.interval_ns = 0;
    zero[1].candidate.sample.cpu_ns = None;
    let stretches = [stretch(turn(1.0, 1.0)), stretch(zero)];
    assert_eq!(observation(&stretches, Metric::Wall), Err(NoRatio::Zero));
    let unknown = observation(&stretches, Metric::Cpu);
    assert_eq!(unknown, Err(NoRatio::Unknown(Metric::Cpu)));
    assert_eq!(unknown.unwrap_err().to_string(), "the CPU time is unknown");
}
