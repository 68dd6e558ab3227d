//! `ab`: what it says of two revisions, and that it is right. Times are those that the stub worker
//! reports, so each verdict is known before.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::changes::{WORK, changes, noisy, work};

/// Whether the number is between two others.
#[track_caller]
fn between(value: &Value, low: f64, high: f64) {
    let number = value.as_f64();
    assert!(
        number.is_some_and(|v| low <= v && v <= high),
        "{value} is not in {low} to {high}"
    );
}

#[test]
fn five_percent_more_work_is_regressed_and_its_revert_improved() {
    let bench = changes();
    let ran = bench
        .ab("--baseline base --candidate slower --json")
        .exits(3);
    let case = ran.judges("a", "regressed");
    between(&case["estimate"], 0.045, 0.055);
    between(&case["change_interval"][0], 0.001, 0.05);
    between(&case["change_interval"][1], 0.05, 0.2);
    between(&case["rounds"], 6.0, 11.0);
    assert_eq!(case["metric"], "cpu");
    assert_eq!(ran.json()["suite"]["verdict"], "regressed");
    let ran = bench
        .ab("--baseline reverted~1 --candidate reverted --json")
        .exits(0);
    let case = ran.judges("a", "improved");
    between(&case["estimate"], -0.052, -0.043);
}

#[test]
fn code_that_costs_the_same_is_proved_unchanged_within_the_margin() {
    let bench = changes();
    let ran = bench
        .ab("--baseline base --candidate refactored --strict --json")
        .exits(0);
    let case = ran.judges("a", "unchanged");
    between(&case["equivalence_interval"][0], -0.01, 0.0);
    between(&case["equivalence_interval"][1], 0.0, 0.01);
    assert_eq!(ran.json()["build_difference"]["same"], false);
    // Whoever goes second pays 1.2 % here; an order that is not balanced would show it.
    between(&case["estimate"], -0.004, 0.004);
}

#[test]
fn the_seed_decides_all_orders_and_they_are_balanced() {
    let orders = |seed: &str| {
        let bench = changes();
        let words = "--baseline base --candidate refactored --rounds 12 --seed";
        bench.ab(&format!("{words} {seed}")).exits(0);
        let lines = bench.comparison().phase("screen");
        assert_eq!(lines.len(), 12, "{lines:?}");
        lines.iter().map(order).collect::<Vec<_>>()
    };
    let first = orders("7");
    assert_eq!(first, orders("7"));
    assert_ne!(first, orders("8"));
    for side in ["baseline", "candidate"] {
        let created = first.iter().filter(|(created, ..)| created == side);
        assert_eq!(created.count(), 6, "balanced over each four rounds");
        let began = first.iter().filter(|(_, began, _)| began == side);
        assert_eq!(began.count(), 6);
    }
    let visited: BTreeSet<u64> = first
        .iter()
        .flat_map(|(.., visited)| visited.clone())
        .collect();
    assert!(visited.len() > 8, "states of the whole guide: {visited:?}");
}

/// Who was created first, who took the first segment, and the states that a duet began at.
fn order(line: &Value) -> (String, String, Vec<u64>) {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let stretches = line["outcome"]["stretches"].as_array().unwrap();
    (
        text(&line["first"]),
        text(&line["outcome"]["first_segment"]),
        stretches
            .iter()
            .map(|stretch| stretch["checkpoint"].as_u64().unwrap())
            .collect(),
    )
}

#[test]
fn what_the_noise_hides_is_inconclusive_with_what_could_have_been_seen() {
    let mut bench = changes();
    bench.redefine(noisy("a", 0.2));
    bench.commit_all("a loud case");
    bench.write(WORK, &work("cost=1.001", 77));
    let words = "--baseline HEAD --max-observations 6 --json";
    let ran = bench.ab(words).exits(0);
    let case = ran.judges("a", "inconclusive");
    between(&case["resolvable"], 0.02, 10.0);
    bench.ab(&format!("{words} --strict")).exits(4);
    let resolved = bench.ab("--baseline HEAD --max-observations 6").exits(0);
    resolved.says("inconclusive").says("%");
}

#[test]
fn a_comment_is_the_same_build_and_nothing_is_timed() {
    let bench = changes();
    let ran = bench
        .ab("--baseline base --candidate comment --json")
        .exits(0);
    ran.judges("a", "same_build");
    assert_eq!(ran.json()["build_difference"]["same"], true);
    let reasons = ran.json()["build_difference"]["reasons"].to_string();
    assert!(reasons.contains("parts/work.h"), "{reasons}");
    assert_eq!(bench.ran(), [""; 0]);
    bench
        .ab("--baseline base --candidate comment --strict")
        .exits(0);
}

#[test]
fn equal_revisions_are_the_same_build() {
    let bench = changes();
    bench
        .ab("--baseline HEAD --json")
        .exits(0)
        .judges("a", "same_build");
    let ran = bench.ab("--baseline base --candidate main --json").exits(0);
    ran.judges("a", "same_build");
    let id = bench.commit_id("base");
    for side in ["baseline", "candidate"] {
        assert_eq!(ran.json()[side]["commit"], *id);
    }
    assert_eq!(bench.ran(), [""; 0]);
}

#[test]
fn other_numbers_are_no_comparison_however_fast_they_are() {
    let bench = changes();
    for revision in ["physics", "faster-physics", "steps"] {
        let words = format!("--baseline base --candidate {revision}");
        let ran = bench.ab(&format!("{words} --json")).exits(0);
        ran.judges("a", "results_differ");
        bench.ab(&format!("{words} --strict")).exits(7);
    }
    let gated = bench
        .ab("--baseline base --candidate physics --gate")
        .exits(7);
    gated.says("results differ");
}

#[test]
fn a_reordered_sum_is_compared_and_its_difference_printed() {
    let bench = changes();
    let ran = bench
        .ab("--baseline base --candidate reordered --strict --json")
        .exits(0);
    ran.judges("a", "unchanged");
    let words = "--baseline base --candidate reordered --strict";
    bench.ab(words).exits(0).says("1.0e-9").says("unchanged");
}

#[test]
fn time_that_is_slept_is_regressed_on_wall_time_and_named() {
    let bench = changes();
    let ran = bench
        .ab("--baseline base --candidate sleepy --json")
        .exits(3);
    let case = ran.judges("a", "regressed");
    assert_eq!(case["metric"], "wall");
    bench
        .ab("--baseline base --candidate sleepy")
        .exits(3)
        .says("wall");
}

#[test]
fn what_one_library_says_is_held_against_the_other_in_pairs_too() {
    let bench = changes();
    let pairs = "--mode pairs --json --baseline base --candidate";
    let regressed = bench.ab(&format!("{pairs} slower")).exits(3);
    between(
        &regressed.judges("a", "regressed")["estimate"],
        0.045,
        0.055,
    );
    assert!(bench.ran().iter().all(|line| line == "a"), "complete runs");
    bench
        .ab(&format!("{pairs} refactored"))
        .exits(0)
        .judges("a", "unchanged");
    bench
        .ab(&format!("{pairs} physics"))
        .exits(0)
        .judges("a", "results_differ");
    bench
        .ab(&format!("{pairs} other-method"))
        .exits(0)
        .judges("a", "changed_configuration");
    let ran = bench.ab("--mode pairs --baseline base --candidate other-method");
    ran.exits(0).says("integrator");
}

#[test]
fn pairs_can_be_asked_for_a_second_opinion() {
    let bench = changes();
    let words = "--baseline base --candidate slower --confirm pairs --json";
    bench.ab(words).exits(3).judges("a", "regressed");
    let duets = bench.comparison().phase("screen");
    let pairs = bench.comparison().phase("second_opinion");
    assert!(!pairs.is_empty() && !duets.is_empty());
    assert!(
        pairs
            .iter()
            .all(|line| line["outcome"]["outcome"] == "pair")
    );
}

#[test]
fn what_is_flagged_among_several_is_confirmed_on_fresh_observations() {
    let bench = changes();
    let ran = bench
        .ab("--baseline base --candidate slower --all --json")
        .exits(3);
    for case in ["a", "b"] {
        ran.judges(case, "regressed");
    }
    assert!(!bench.comparison().phase("confirm").is_empty());
    let lines = bench.comparison().phase("screen");
    let rounds: Vec<u64> = lines.iter().map(|l| l["round"].as_u64().unwrap()).collect();
    assert!(
        rounds.is_sorted(),
        "cases take turns, round by round: {rounds:?}"
    );
}

#[test]
fn exactly_as_many_rounds_are_run_as_were_asked_for() {
    let bench = changes();
    let words = "--baseline base --candidate slower --rounds 7 --json";
    let case = bench.ab(words).exits(3).judges("a", "regressed");
    assert_eq!(case["rounds"], 7);
    assert_eq!(bench.comparison().phase("screen").len(), 7);
}

#[test]
fn length_and_pin_reach_the_workers() {
    let bench = changes();
    let words = "--baseline base --candidate slower --length 0.5 --pin --rounds 6 --json";
    let ran = bench.ab(words).exits(3);
    ran.judges("a", "regressed");
    for line in bench.comparison().phase("screen") {
        let sample = &line["outcome"]["stretches"][0]["segments"][0]["baseline"]["sample"];
        between(&sample["interval_ns"], 0.48e6, 0.52e6);
    }
    let header = bench.comparison().observed().remove(0);
    assert_eq!(header["options"]["pin"], true);
}

#[test]
fn a_change_inside_the_margin_is_called_and_said_to_be_inside() {
    let bench = changes();
    let words = "--baseline base --candidate slower --margin 10";
    bench.ab(words).exits(3).says("margin");
}

#[test]
fn every_bad_option_is_a_usage_error() {
    let bench = changes();
    for words in [
        "",
        "--baseline",
        "--baseline base --rounds 0",
        "--baseline base --max-time never",
        "--baseline base --max-time 999ms",
        "--baseline base --alpha 0",
        "--baseline base --alpha 2",
        "--baseline base --margin -1",
        "--baseline base --alpha 1e-300",
        "--baseline base --margin 0",
        "--baseline base --margin 1e308",
        "--baseline base --length 0",
        "--baseline base --length 1.5",
        "--baseline base --max-observations 5",
        "--baseline base --case nothing",
        "--baseline base --mode both",
        "--baseline base --pin --threads 2",
        "--replay missing.jsonl",
        "--replay missing.jsonl --baseline base",
        "--resume 2001",
    ] {
        bench.ab(words).exits(2);
    }
    assert_eq!(bench.ran(), [""; 0]);
    assert!(!bench.has("target/longrun/ab"), "nothing was begun");
}

#[test]
fn the_first_of_the_documented_precedence_is_the_exit_code() {
    let table = [
        ("cost@a=1.05 behaviour@b=crash", 1),
        ("result@a=1e-3 behaviour@b=crash", 1),
        ("cost@a=1.05 result@b=1e-3", 7),
        ("result@a=1e-3 noise@b=0.5", 7),
        ("cost@a=1.05 noise@b=0.5", 3),
        ("noise@b=0.5", 4),
        ("cost=0.9", 0),
    ];
    let bench = changes();
    for (index, (words, exit)) in table.iter().enumerate() {
        bench.write(WORK, &work(words, 60 + index));
        let strict = "--baseline base --all --max-observations 8 --strict";
        bench.ab(strict).exits(*exit);
    }
    bench.write(WORK, &work("cost@a=1.05 result@b=1e-3", 62));
    let lenient = "--baseline base --all --max-observations 8";
    bench.ab(lenient).exits(3).says("results differ");
}

#[test]
fn of_several_only_what_is_flagged_is_looked_at_again() {
    let bench = changes();
    bench.write(WORK, &work("cost@b=1.05", 70));
    let ran = bench.ab("--baseline base --all --json").exits(3);
    ran.judges("a", "unchanged");
    ran.judges("b", "regressed");
    let header = bench.comparison().observed().remove(0);
    for line in bench.comparison().phase("confirm") {
        let index = usize::try_from(line["configuration"].as_u64().unwrap()).unwrap();
        let case = &header["configurations"][index]["configuration"]["case"];
        assert_eq!(case, "b");
    }
}
