//! What people read about one run.

use super::*;
use crate::history::rows::Retraction;
use crate::history::testing::full_row;

fn example() -> RunReport {
    let mut second = full_row("run1", "b", 2.0);
    second.worker_digest = None;
    second.memory_domains = None;
    second.device_memory_bytes = None;
    second.tolerances = String::new();
    RunReport {
        slug: "some-cpu-2c".into(),
        run_id: "run1".into(),
        reachable: Some(false),
        retracted: vec![Retraction {
            run_id: "run1".into(),
            date: "2026-10-28T12:00:00Z".into(),
            suite: "tracking".into(),
            slug: None,
            reason: "the fan had failed".into(),
        }],
        rows: vec![full_row("run1", "a", 1.0), second],
    }
}

#[test]
fn operations_of_every_length_have_a_unit_that_fits() {
    let mut short = full_row("run1", "fft", 41.25e-9);
    (short.min_s, short.max_s) = (Some(0.7e-9), Some(12.3e-6));
    (short.repeats, short.cpu_median_s) = (Some(1000), None);
    let cells = measured(&short);
    assert_eq!(cells[1], "41.2 ns");
    assert_eq!(cells[2], "0.70 ns to 12.3 µs");
    assert_eq!(cells[3], "1000");
}

#[test]
fn the_run_reads_as_expected() {
    let expected = "\
run run1
  retracted       2026-10-28T12:00:00Z: the fan had failed
  hardware set    some-cpu-2c
  suite           tracking
  began           2026-10-27T12:00:00Z
  version         0.1.0
  commit          0123456789abcdef0123456789abcdef01234567
  reachable       unreachable: no branch, no tag and not HEAD leads to this commit; \
the build key and the worker digest still name the code
  uncommitted     nothing was measured
  CPU             Some CPU, \"fast\"
  CPU signature   25-1-1
  GPU             nvidia-a40
  instance type   m8g.4xlarge
  system          Linux 6.1
  native version  0.1.0
  native profile  Release
  native compiler gnu 14.2.0
  build key       b1
  worker digest   w1 (1 row), unknown (1 row)

configuration   median             range  repeats  CPU time  steps  \
evaluations                      memory  busy
a dtype=f64 @1  1.00 s  500 ms to 1.50 s        3    900 ms    100          \
704  1.00 GiB + 1.00 MiB device  yes
b dtype=f64 @1  2.00 s  500 ms to 1.50 s        3    900 ms    100          \
704                    1.00 GiB  yes

configuration   revision  integrator  tolerances            noise  threading  domains  FFT plans
a dtype=f64 @1         1  multistep   atol=1e-10,rtol=1e-8  input  passive          1  f1
b dtype=f64 @1         1  multistep   none                  input  passive    unknown  f1
";
    assert_eq!(to_text(&example()), expected);
}

#[test]
fn what_leads_to_the_commit_is_said_in_words() {
    for (reachable, expected) in [
        (Some(true), "  reachable       yes\n"),
        (None, "  reachable       unknown\n"),
    ] {
        let report = RunReport {
            reachable,
            ..example()
        };
        assert!(to_text(&report).contains(expected));
    }
}

#[test]
fn a_retraction_without_rows_is_shown_as_far_as_it_is_known() {
    let report = RunReport {
        rows: vec![],
        reachable: None,
        ..example()
    };
    let text = to_text(&report);
    assert!(text.contains("  commit          unknown\n"), "{text}");
}
