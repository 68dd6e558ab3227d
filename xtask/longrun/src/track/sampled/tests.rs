//! What follows from samples, and what is left unknown.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

use longrun_protocol::sampling::{AllocationCounts, SampledReport};

use super::made::result;
use super::*;
use crate::track::results::ConfigurationResult;

fn sampled(
    intervals_ns: &[u64],
    ops: u64,
    change: impl FnOnce(&mut SampledReport),
) -> SampledResult {
    result("fft", intervals_ns, ops, change).sampled.unwrap()
}

#[test]
fn times_are_of_one_operation_and_may_be_below_a_nanosecond() {
    let result = result("fft", &[700, 690, 710, 700, 700], 1_000, |_| ());
    let sampled = result.sampled.clone().unwrap();
    assert_eq!(sampled.statistics.median, 0.7);
    assert_eq!((sampled.ops, sampled.samples.len()), (1_000, 5));
    assert_eq!(result.repeats, 5);
    for (seconds, ns) in [
        (result.median_s, 0.7),
        (result.min_s, 0.69),
        (result.max_s, 0.71),
    ] {
        assert!((seconds.unwrap() * 1e9 - ns).abs() < 1e-12, "{ns}");
    }
    assert_eq!(result.raw_s.len(), 5);
}

#[test]
fn rates_are_work_over_the_median_time() {
    let with = |flops, bytes| {
        sampled(&[1_000, 1_000, 9_000], 10, |report| {
            report.work = Some(WorkReport { flops, bytes });
        })
    };
    // 300 operations in 100 ns.
    let both = with(Some(300.0), Some(50.0));
    assert_eq!((both.gflops, both.gbytes_per_s), (Some(3.0), Some(0.5)));
    let one = with(None, Some(50.0));
    assert_eq!((one.gflops, one.gbytes_per_s), (None, Some(0.5)));
    let uncounted = sampled(&[1_000], 10, |_| ());
    assert_eq!((uncounted.gflops, uncounted.gbytes_per_s), (None, None));
}

#[test]
fn a_time_that_the_clock_does_not_resolve_is_unknown_and_so_are_its_rates() {
    let result = result("fft", &[0, 0, 0, 0, 378_100], 1, |report| {
        report.work = Some(WorkReport {
            flops: Some(1.0),
            bytes: None,
        });
    });
    assert_eq!(result.median_s, None);
    let sampled = result.sampled.unwrap();
    assert_eq!(sampled.gflops, None);
    assert_eq!(sampled.warning.unwrap().code, "below_tick");
}

#[test]
fn a_quiet_kernel_that_is_batched_has_no_warning_and_a_noisy_one_says_so() {
    let tick = |report: &mut SampledReport| report.clock.granularity_ns = Some(25);
    // 25,000 operations of 40 ns: the block is held against the tick, not the operation.
    let batched = sampled(&[1_000_000; 9], 25_000, tick);
    assert_eq!(batched.warning, None);
    let alone = sampled(&[40; 9], 1, tick);
    assert_eq!(alone.warning.unwrap().code, "near_tick");
    let wide = [50, 150, 60, 140, 70, 130, 80, 120, 90, 110].map(|ns: u64| ns * 1_000);
    let noisy = sampled(&wide, 1, tick).warning.unwrap();
    assert_eq!(noisy.code, "noisy");
    assert!(!noisy.sentence.is_empty());
}

#[test]
fn what_was_not_counted_is_unknown_and_the_whole_process_counts_before_its_rust_code() {
    let counts = |allocations| AllocationCounts {
        allocations,
        bytes: 64 * allocations,
        live_bytes: -16,
    };
    let with = |rust, process| {
        sampled(&[1_000; 5], 1, |report| {
            report.allocations = Some(AllocationReport {
                ops: 8,
                rust,
                process,
            });
        })
        .allocated()
    };
    assert_eq!(sampled(&[1_000; 5], 1, |_| ()).allocated(), None);
    assert_eq!(with(None, None), None);
    let each = |count| Allocated {
        count,
        bytes: 64.0 * count,
        kept: -2.0,
    };
    assert_eq!(with(Some(counts(4)), None), Some(each(0.5)));
    assert_eq!(with(Some(counts(4)), Some(counts(16))), Some(each(2.0)));
}

#[test]
fn a_result_is_read_back_as_it_was_written() {
    let result = result("fft", &[900, 1_000, 1_100], 7, |report| {
        report.target_met = None;
        report.work = Some(WorkReport {
            flops: Some(1e6),
            bytes: None,
        });
    });
    let text = serde_json::to_string(&result).unwrap();
    let read: ConfigurationResult = serde_json::from_str(&text).unwrap();
    assert_eq!(read.sampled, result.sampled);
    assert_eq!(read.sampling, result.sampling);
}
