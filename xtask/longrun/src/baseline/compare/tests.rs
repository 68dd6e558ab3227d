//! Which entry a configuration is held against, and what becomes of the rest.
#![allow(clippy::unwrap_used)]

use std::slice;

use longrun_protocol::Size;

use super::super::file::made::{baseline, entry};
use super::super::fingerprint::made::fingerprint;
use super::super::found::Contract;
use super::super::found::made::{found, of, quiet, spread};
use super::super::names::made::names;
use super::*;

fn holding(entries: Vec<Entry>) -> Baseline {
    Baseline {
        entries,
        ..baseline(0)
    }
}

fn compared(baseline: &Baseline, found: &[Found], policy: Policy) -> Comparison {
    let cases: Vec<(&str, &str)> = found
        .iter()
        .map(|found| (found.configuration.case.as_str(), ""))
        .collect();
    Comparison::of(&Question {
        baseline,
        file: "b.toml",
        fingerprint: &fingerprint(),
        found,
        names: &names(&cases),
        policy,
    })
}

/// What the policy `tracker` says of one case that an entry of 1000 ns stands for.
fn verdict(standing: Standing) -> Row {
    let comparison = compared(
        &holding(vec![entry("a", 1000.0)]),
        &[found("a", standing)],
        Policy::Tracker,
    );
    comparison.rows[0].clone()
}

#[test]
fn every_verdict_has_its_reason_and_what_decided_it() {
    for (standing, expected, code, part) in [
        (
            quiet(1000.0),
            Verdict::Pass,
            "relative",
            "is less than 5.00 %",
        ),
        (quiet(1400.0), Verdict::Regressed, "relative", "+40.0"),
        (quiet(600.0), Verdict::Improved, "relative", "-40.0"),
        (
            spread(1400.0, 0.2),
            Verdict::Inconclusive,
            "noisy",
            "this run",
        ),
        (
            of(&[9e2, 1e3, 1.1e3]),
            Verdict::Inconclusive,
            "few_samples",
            "3 of the 5",
        ),
        (
            Standing::Untimed("it crashed".into()),
            Verdict::Invalid,
            "broken_witness",
            "crashed",
        ),
    ] {
        let row = verdict(standing);
        assert_eq!(row.verdict, expected, "{row:?}");
        assert!(row.decided_by.contains(&code), "{row:?}");
        assert!(row.reason.contains(part), "{row:?}");
        assert_eq!(row.base_median_ns, Some(1000.0));
    }
}

#[test]
fn without_an_entry_everything_is_new_and_fails_no_policy() {
    for policy in [Policy::Tracker, Policy::Acceptance] {
        let comparison = compared(&holding(Vec::new()), &[found("a", quiet(1.0))], policy);
        assert_eq!(comparison.rows[0].verdict, Verdict::New);
        assert_eq!(comparison.rows[0].base_median_ns, None);
        assert!(comparison.passed() && comparison.missing.is_empty());
        assert_eq!(comparison.exit(), Exit::Success);
    }
}

#[test]
fn an_entry_that_was_saved_with_a_warning_is_never_a_pass() {
    let warned = Entry {
        warning: Some("near_tick".into()),
        ..entry("a", 1000.0)
    };
    let run = [found("a", quiet(1000.0))];
    let row = &compared(&holding(vec![warned]), &run, Policy::Tracker).rows[0];
    assert_eq!(row.verdict, Verdict::Inconclusive);
    assert_eq!(row.decided_by, ["baseline_warned"]);
}

#[test]
fn a_baseline_of_another_machine_is_incomparable_and_says_why() {
    let mut elsewhere = holding(vec![entry("a", 1000.0)]);
    elsewhere.fingerprint.slug = "other-cpu-8c".into();
    let run = [found("a", quiet(1400.0)), found("b", quiet(1.0))];
    let comparison = compared(&elsewhere, &run, Policy::Tracker);
    let row = &comparison.rows[0];
    assert_eq!(row.verdict, Verdict::Incomparable);
    assert_eq!(row.decided_by, [OTHER_FINGERPRINT]);
    assert!(row.reason.contains("`other-cpu-8c`"), "{}", row.reason);
    assert!(row.reason.contains("save a baseline on this machine"));
    assert_eq!((row.relative, row.sigmas), (None, None));
    assert_eq!(comparison.rows[1].verdict, Verdict::New);
    assert_eq!(comparison.differences.len(), 1);
    assert!(comparison.passed(), "it is no regression");
    assert!(!compared(&elsewhere, &run, Policy::Acceptance).passed());
}

#[test]
fn other_work_is_incomparable_whatever_its_time() {
    let run = found("a", quiet(1400.0));
    let revised = Entry {
        revision: 2,
        ..entry("a", 1000.0)
    };
    let looser = Entry {
        tolerances: Some("rtol=0.001".into()),
        ..entry("a", 1000.0)
    };
    let unknown = Entry {
        integrator: None,
        ..entry("a", 1000.0)
    };
    for (then, part) in [
        (revised, "the case was at revision 2 and is at 1"),
        (looser, "the tolerances were `rtol=0.001` and now none"),
        (unknown, "the integrator was unknown and now `none`"),
    ] {
        let comparison = compared(&holding(vec![then]), slice::from_ref(&run), Policy::Tracker);
        let row = &comparison.rows[0];
        assert_eq!(row.verdict, Verdict::Incomparable);
        assert_eq!(row.decided_by, [OTHER_WORK]);
        assert!(row.reason.contains(part), "{}", row.reason);
    }
    let untimed = Found {
        contract: Contract::default(),
        ..found("a", Standing::Untimed("it crashed".into()))
    };
    let before = holding(vec![entry("a", 1000.0)]);
    let row = &compared(&before, &[untimed], Policy::Tracker).rows[0];
    assert_eq!(row.verdict, Verdict::Invalid, "what it did is not known");
}

#[test]
fn an_entry_that_was_not_run_is_named_with_its_reason() {
    let names = names(&[("a", ""), ("left_out", ""), ("stopped", "")]);
    let baseline = holding(vec![
        entry("a", 1.0),
        entry("gone", 1.0),
        entry("left_out", 1.0),
        entry("stopped", 1.0),
    ]);
    let comparison = Comparison::of(&Question {
        baseline: &baseline,
        file: "b.toml",
        fingerprint: &fingerprint(),
        found: &[
            found("a", quiet(1.0)),
            found("stopped", Standing::NotRun("interrupted".into())),
        ],
        names: &names,
        policy: Policy::Tracker,
    });
    assert_eq!(comparison.rows.len(), 1);
    let missing: Vec<(&str, &str)> = comparison
        .missing
        .iter()
        .map(|missing| (missing.configuration.case.as_str(), missing.reason.as_str()))
        .collect();
    assert_eq!(missing.len(), 3, "{missing:?}");
    let (gone, left_out, stopped) = (missing[0], missing[1], missing[2]);
    assert_eq!(gone.0, "gone");
    assert!(gone.1.contains("no such case") && gone.1.contains("renamed_from"));
    assert_eq!(left_out, ("left_out", "not run"));
    assert_eq!(stopped, ("stopped", "not run: interrupted"));
    assert!(comparison.passed(), "the tracker fails on regressions only");
    let strict = Comparison {
        policy: Policy::Acceptance,
        ..comparison
    };
    assert!(!strict.passed());
}

#[test]
fn a_renamed_case_is_held_against_its_earlier_name() {
    let run = [found("new", quiet(1400.0))];
    let ask = |entries: Vec<Entry>| {
        Comparison::of(&Question {
            baseline: &holding(entries),
            file: "b.toml",
            fingerprint: &fingerprint(),
            found: &run,
            names: &names(&[("new", "old")]),
            policy: Policy::Tracker,
        })
    };
    let renamed = ask(vec![entry("old", 1000.0)]);
    assert_eq!(renamed.rows[0].verdict, Verdict::Regressed);
    assert_eq!(renamed.rows[0].earlier.as_deref(), Some("old"));
    assert!(renamed.missing.is_empty());
    let both = ask(vec![entry("new", 1400.0), entry("old", 1000.0)]);
    assert_eq!(both.rows[0].verdict, Verdict::Pass);
    assert_eq!(both.rows[0].earlier, None);
    assert!(both.missing[0].reason.contains("name of today"));
}

#[test]
fn entries_at_other_sizes_are_counted_and_are_not_missing() {
    let quick = Entry {
        size: Size::Quick,
        ..entry("a", 1.0)
    };
    let before = holding(vec![entry("a", 1.0), quick]);
    let comparison = compared(&before, &[found("a", quiet(1.0))], Policy::Acceptance);
    assert_eq!((comparison.missing.len(), comparison.other_sizes), (0, 1));
    assert!(comparison.passed());
}

#[test]
fn only_a_regression_fails_the_tracker_and_anything_in_doubt_the_acceptance() {
    for (standing, tracker, acceptance) in [
        (quiet(1000.0), Exit::Success, Exit::Success),
        (quiet(600.0), Exit::Success, Exit::Success),
        (quiet(1400.0), Exit::Regressed, Exit::Regressed),
        (quiet(1080.0), Exit::Regressed, Exit::Success),
        (spread(1400.0, 0.2), Exit::Success, Exit::Regressed),
        (of(&[1e3; 5]), Exit::Success, Exit::Regressed),
        (
            Standing::Untimed("it crashed".into()),
            Exit::Success,
            Exit::Regressed,
        ),
    ] {
        for (policy, expected) in [(Policy::Tracker, tracker), (Policy::Acceptance, acceptance)] {
            let before = holding(vec![entry("a", 1000.0)]);
            let run = [found("a", standing.clone())];
            let comparison = compared(&before, &run, policy);
            assert_eq!(comparison.exit(), expected, "{:?}", comparison.rows[0]);
        }
    }
}

#[test]
fn allocations_are_shown_and_decide_nothing() {
    let allocating = Entry {
        allocations: Some(2.0),
        allocated_bytes: Some(64.0),
        ..entry("a", 1000.0)
    };
    let run = [found("a", quiet(1000.0))];
    let row = &compared(&holding(vec![allocating]), &run, Policy::Acceptance).rows[0];
    assert_eq!(row.allocation_delta, Some(-2.0));
    assert_eq!(
        row.allocated_bytes_delta, None,
        "this run did not count them"
    );
    assert_eq!(row.verdict, Verdict::Pass);
    let uncounted = Entry {
        allocations: None,
        ..entry("a", 1000.0)
    };
    let row = &compared(&holding(vec![uncounted]), &run, Policy::Tracker).rows[0];
    assert_eq!(row.allocation_delta, None, "unknown is not zero");
}
