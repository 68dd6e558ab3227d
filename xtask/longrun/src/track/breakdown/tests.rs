//! Tests of [`super`].
#![allow(clippy::unwrap_used, clippy::float_cmp)]

use super::*;
use crate::ab::made::item;
use crate::doctor::roof::kept::made;

/// A run of 1 s whose parts leave 2 % of it.
fn sound() -> Breakdown {
    Breakdown {
        run_ns: 1_000_000_000,
        fft_ns: 500_000_000,
        pointwise_ns: 250_000_000,
        stepper_ns: 150_000_000,
        absorb_ns: 50_000_000,
        observe_ns: 30_000_000,
        evaluations: 1000,
        bare_evaluation_ns: Some(800_000.0),
        transforms_ns: Some(500_000.0),
        source_bytes: Some(1_000_000),
        loop_evaluations: 200,
    }
}

fn result(breakdown: Option<Breakdown>) -> ConfigurationResult {
    ConfigurationResult {
        status: ResultStatus::Complete,
        median_s: Some(0.98),
        breakdown,
        ..ConfigurationResult::skipped(&item("a"), "")
    }
}

fn split(breakdown: Breakdown) -> Split {
    Split::of(&result(Some(breakdown)), Some(&made::roof(1))).unwrap()
}

fn close(found: Option<f64>, expected: f64) -> bool {
    found.is_some_and(|found| (found / expected - 1.0).abs() < 1e-12)
}

#[test]
fn the_parts_and_the_rest_sum_to_the_run() {
    let split = split(sound());
    let parts = [
        split.fft_s,
        split.pointwise_s,
        split.stepper_s,
        split.absorb_s,
    ];
    let sum: f64 = parts.iter().sum::<f64>() + split.observe_s + split.rest_s;
    assert!((sum - split.run_s).abs() < 1e-12);
    assert!((split.rest_s - 0.02).abs() < 1e-12);
    assert!(split.adds_up);
    assert!(close(split.over_median, 1.0 / 0.98));
}

#[test]
fn the_stepper_overhead_is_the_time_of_an_evaluation_in_the_run_over_a_bare_one() {
    // (1 s - 0.05 s - 0.03 s) / 1000 / 0.8 ms
    assert!(close(split(sound()).stepper_overhead, 1.15));
}

#[test]
fn the_floor_is_the_transforms_and_moving_the_bytes_once() {
    // 1 MB lives in the L2 set of 1 MiB: 0.5 ms + 1e6 / 1e11 s.
    let in_cache = split(sound());
    assert_eq!(in_cache.bandwidth.as_ref().unwrap().level, "L2");
    assert!(close(in_cache.floor_s, 0.51e-3));
    // In the 0.3 ms that an evaluation takes beside its transforms.
    assert!(close(in_cache.moved_bytes_per_s, 1e6 / 0.3e-3));
    let in_memory = split(Breakdown {
        source_bytes: Some(100_000_000),
        ..sound()
    });
    assert_eq!(in_memory.bandwidth.as_ref().unwrap().level, "memory");
    assert!(close(in_memory.floor_s, 10.5e-3));
}

#[test]
fn what_cannot_be_computed_is_unknown_and_never_zero() {
    for bare in [
        None,
        Some(0.0),
        Some(-1.0),
        Some(f64::NAN),
        Some(f64::INFINITY),
    ] {
        let without = split(Breakdown {
            bare_evaluation_ns: bare,
            ..sound()
        });
        assert_eq!(without.stepper_overhead, None, "{bare:?}");
        assert_eq!(without.bare_evaluation_s, None, "{bare:?}");
    }
    let none = split(Breakdown {
        evaluations: 0,
        transforms_ns: None,
        ..sound()
    });
    assert_eq!((none.stepper_overhead, none.floor_s), (None, None));
    let text = Explained {
        configurations: vec![none],
        notes: Vec::new(),
    }
    .to_text();
    assert_eq!(text.matches("unknown").count(), 4, "{text}");
}

#[test]
fn parts_that_do_not_sum_to_the_run_within_five_percent_are_said_so() {
    for (fft_ns, adds_up, part) in [
        (500_000_000, true, ""),
        (471_000_000, true, ""),
        (469_000_000, false, "5.1 % of it is in none of them"),
        (569_000_000, true, ""),
        (571_000_000, false, "they are longer by 5.1 %"),
    ] {
        let result = result(Some(Breakdown { fft_ns, ..sound() }));
        let explained = Explained::of(&[result], Some(&made::roof(1)));
        assert_eq!(explained.configurations[0].adds_up, adds_up, "{fft_ns}");
        match adds_up {
            true => assert_eq!(explained.notes, [""; 0], "{fft_ns}"),
            false => assert!(explained.notes[0].contains(part), "{:?}", explained.notes),
        }
    }
}

#[test]
fn a_repeat_far_from_the_timed_ones_is_said_so() {
    for (median_s, part) in [(0.9, "11.1 % longer"), (1.25, "20.0 % shorter")] {
        let result = ConfigurationResult {
            median_s: Some(median_s),
            ..result(Some(sound()))
        };
        let explained = Explained::of(&[result], Some(&made::roof(1)));
        assert_eq!(explained.notes.len(), 1);
        assert!(explained.notes[0].contains(part), "{:?}", explained.notes);
    }
}

#[test]
fn a_floor_that_is_unknown_says_how_to_know_it() {
    let explained = Explained::of(&[result(Some(sound()))], None);
    assert_eq!(explained.configurations[0].floor_s, None);
    assert!(explained.notes[0].contains("doctor --roof"));
    let wider = Explained::of(&[result(Some(sound()))], Some(&made::roof(8)));
    assert!(wider.notes[0].contains("not measured with so many threads"));
}

#[test]
fn a_configuration_without_a_breakdown_is_named_and_one_without_a_time_has_none() {
    let failed = ConfigurationResult {
        status: ResultStatus::Failed,
        ..result(Some(sound()))
    };
    let without = ConfigurationResult {
        notes: vec!["skipped breakdown: an operation has no parts".into()],
        ..result(None)
    };
    let results = [result(None), failed, without.clone(), without];
    let explained = Explained::of(&results, None);
    assert!(explained.configurations.is_empty());
    let expected = [
        "`a @1` has no breakdown: the worker made none",
        "`a @1` and 1 more have no breakdown: an operation has no parts",
    ];
    assert_eq!(explained.notes, expected);
    let text = explained.to_text();
    assert!(text.contains("note: `a @1` has no breakdown"), "{text}");
    let markdown = explained.to_markdown();
    let line = "\n\n* \\`a @1\\` has no breakdown: the worker made none\n";
    assert!(markdown.contains(line), "{markdown}");
    assert!(!markdown.contains('|'), "no table of nothing: {markdown}");
}

#[test]
fn the_tables_have_a_line_for_each_configuration() {
    let explained = Explained::of(&[result(Some(sound()))], Some(&made::roof(1)));
    let expected = "
breakdown of one more repeat each, which is in no statistic
configuration     run     fft  pointwise  stepper  absorb  observe   rest
a @1           1.00 s  50.0 %     25.0 %   15.0 %   5.0 %    3.0 %  2.0 %
configuration  evaluations  bare evaluation  FFT time   floor               moved  stepper overhead
a @1                  1000           800 µs    500 µs  510 µs  3.3 of 100 GB/s L2             1.150
";
    assert_eq!(explained.to_text(), expected);
    let expected = "
### breakdown of one more repeat each, which is in no statistic

| configuration | run | fft | pointwise | stepper | absorb | observe | rest |
|---|--:|--:|--:|--:|--:|--:|--:|
| a @1 | 1.00 s | 50.0 % | 25.0 % | 15.0 % | 5.0 % | 3.0 % | 2.0 % |

| configuration | evaluations | bare evaluation | FFT time | floor | moved | stepper overhead |
|---|--:|--:|--:|--:|--:|--:|
| a @1 | 1000 | 800 µs | 500 µs | 510 µs | 3.3 of 100 GB/s L2 | 1.150 |
";
    assert_eq!(explained.to_markdown(), expected);
    let json = explained.to_json();
    assert_eq!(json["configurations"][0]["adds_up"], true);
    assert_eq!(json["configurations"][0]["bandwidth"]["level"], "L2");
}
