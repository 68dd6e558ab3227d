//! What `ab` prints and keeps: the cost, the verdicts, the file that they follow from, the summary.

use std::fs;

use crate::bench::Bench;
use crate::changes::changes;
use crate::ran::members;

const SLOWER: &str = "--baseline base --candidate slower";

fn file(bench: &Bench) -> String {
    let file = bench.comparison().path().join("observations.jsonl");
    file.to_str().unwrap().to_owned()
}

#[test]
fn the_report_has_its_documented_fields() {
    let bench = changes();
    let ran = bench.ab(&format!("{SLOWER} --gate --json")).exits(3);
    let report = ran.json();
    let documented = [
        "schema_version",
        "baseline",
        "candidate",
        "build_difference",
        "cases",
        "suite",
        "gate",
    ];
    for field in documented {
        assert!(members(&report).contains(&field), "{field}");
    }
    for field in [
        "configuration",
        "verdict",
        "metric",
        "estimate",
        "change_interval",
        "equivalence_interval",
        "rounds",
        "resolvable",
    ] {
        assert!(members(&report["cases"][0]).contains(&field), "{field}");
    }
    for field in ["verdict", "estimate", "interval"] {
        assert!(members(&report["suite"]).contains(&field), "{field}");
    }
    for field in ["passed", "checks"] {
        assert!(members(&report["gate"]).contains(&field), "{field}");
    }
    let configuration = &report["cases"][0]["configuration"];
    let parts = [
        "case", "engine", "revision", "size", "stepper", "suite", "variant", "width",
    ];
    assert_eq!(members(configuration), parts);
}

#[test]
fn the_dry_run_prints_the_cost_and_builds_nothing() {
    let bench = changes();
    bench.write("native/src/minimal.cpp", "this cannot be built\n");
    let ran = bench.ab("--baseline base --all --dry-run").exits(0);
    for text in ["a", "b", "rounds", "min", &bench.commit_id("base")] {
        ran.clone().says(text);
    }
    assert_eq!(bench.ran(), [""; 0]);
    assert!(bench.comparisons().is_empty());
    bench.ab("--baseline base --dry-run --json").exits(0).json();
}

#[test]
fn the_cost_and_the_difference_of_the_builds_stand_before_the_rounds() {
    let bench = changes();
    let ran = bench.ab(SLOWER).exits(3);
    ran.clone().says("stub_revision").says("parts/work.h");
    let all = format!("{}{}", ran.stderr, ran.stdout);
    let (before, _) = all.split_once("regressed").unwrap();
    assert!(before.contains("parts/work.h"), "{ran}");
    assert!(before.contains("rounds"), "{ran}");
}

#[test]
fn a_replay_says_the_same_in_a_clone_without_any_build() {
    let bench = changes();
    let ran = bench.ab(&format!("{SLOWER} --all --gate")).exits(3);
    let json = bench
        .ab(&format!("--replay {} --json", file(&bench)))
        .exits(3);
    json.judges("a", "regressed");
    // Not even a repository, under another locale.
    let elsewhere = bench.outside("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::copy(file(&bench), elsewhere.join("kept.jsonl")).unwrap();
    let replay = |words: &[&'static str]| {
        let words = [&["ab", "--replay", "kept.jsonl"], words].concat();
        bench.run_with(words, |command| {
            command
                .current_dir(&elsewhere)
                .env("LC_ALL", "de_DE.UTF-8")
                .env("TZ", "Asia/Tokyo");
        })
    };
    let again = replay(&[]).exits(3);
    assert_eq!(again.stdout, ran.stdout);
    assert_eq!(replay(&["--json"]).exits(3).stdout, json.stdout);
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 1);
}

#[test]
fn a_file_that_was_cut_edited_or_mixed_up_is_refused_with_its_line() {
    let bench = changes();
    bench.ab(SLOWER).exits(3);
    let whole = fs::read_to_string(file(&bench)).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let at = lines.len() / 2;
    let (mut removed, mut swapped) = (lines.clone(), lines.clone());
    removed.remove(at);
    swapped.swap(at, at - 1);
    let digit = lines[at].find("interval_ns\":").unwrap() + "interval_ns\":".len();
    let mut edited = lines[at].to_owned();
    let other = if edited.as_bytes()[digit] == b'9' {
        "8"
    } else {
        "9"
    };
    edited.replace_range(digit..=digit, other);
    let with = |line: &str| whole.replacen(lines[at], line, 1);
    let future = whole.replacen("\"schema_version\":1", "\"schema_version\":2", 1);
    let table = [
        (String::new(), "empty"),
        (whole[..whole.len() / 2].to_owned(), "line"),
        (removed.join("\n") + "\n", "line"),
        (swapped.join("\n") + "\n", "line"),
        (with(&edited), "line"),
        (with("{}"), "line"),
        (with("\0\0\0"), "line"),
        (future, "version"),
        ("not JSON at all\n".to_owned(), "line 1"),
    ];
    for (text, says) in table {
        bench.write("target/odd.jsonl", &text);
        let ran = bench.ab("--replay target/odd.jsonl").exits(2);
        ran.says("target/odd.jsonl")
            .says(says)
            .does_not_say("panicked");
    }
    bench.write("target/odd.jsonl", &whole);
    bench.ab("--replay target/odd.jsonl").exits(3);
}

#[test]
fn every_observation_is_kept_with_its_order_seed_and_times() {
    let bench = changes();
    bench.ab(SLOWER).exits(3);
    for line in bench.comparison().phase("screen") {
        for field in ["first", "seed", "at_s", "took_s", "busy"] {
            assert!(members(&line).contains(&field), "{field}: {line}");
        }
        let segment = &line["outcome"]["stretches"][0]["segments"][0];
        for side in ["baseline", "candidate"] {
            let sample = &segment[side]["sample"];
            for field in ["interval_ns", "cpu_ns", "usage"] {
                assert!(members(sample).contains(&field), "{field}: {sample}");
            }
        }
        let stretches = line["outcome"]["stretches"].as_array().unwrap();
        assert_eq!(stretches.len(), 4, "one from each quarter of the guide");
    }
    let kinds: Vec<String> = bench
        .comparison()
        .observed()
        .iter()
        .map(|line| line["kind"].to_string())
        .collect();
    assert_eq!(kinds.first().unwrap(), "\"header\"");
    assert_eq!(kinds.last().unwrap(), "\"end\"");
}

#[test]
fn states_are_prepared_anew_for_a_worker_whose_content_is_not_known() {
    let bench = changes();
    let prepared = || {
        let ran = bench.ran();
        ran.iter()
            .filter(|line| line.starts_with("checkpoint"))
            .count()
    };
    bench.ab(SLOWER).exits(3);
    assert_eq!(prepared(), 1, "once for all duets of a comparison");
    bench.ab(SLOWER).exits(3);
    // A command of the registry says nothing of what it runs.
    assert_eq!(prepared(), 2);
}

#[test]
fn the_summary_goes_to_the_file_that_the_runner_names_too() {
    let bench = changes();
    let summary = bench.outside("summary.md");
    fs::write(&summary, "Before.\n").unwrap();
    let run = |file: std::path::PathBuf| {
        bench.run_with(["ab", "--baseline", "base", "--candidate", "slower"], |c| {
            c.env("GITHUB_STEP_SUMMARY", file);
        })
    };
    run(summary.clone()).exits(3);
    let text = fs::read_to_string(&summary).unwrap();
    assert!(text.starts_with("Before.\n"), "{text}");
    assert!(
        text.contains("regressed") && text.contains("| a "),
        "{text}"
    );
    let own = bench.comparison().text("summary.md");
    assert!(!own.is_empty() && text.contains(&own), "{text}");
    // What cannot be written is no reason to lose a verdict.
    let ran = run(bench.outside("no/such/folder.md")).exits(3);
    ran.says("GITHUB_STEP_SUMMARY").says("regressed");
}

#[test]
fn the_report_does_not_depend_on_the_locale_and_has_no_colour_in_a_file() {
    let bench = changes();
    let words = [
        "ab",
        "--baseline",
        "base",
        "--candidate",
        "slower",
        "--seed",
        "1",
    ];
    bench.run(words).exits(3);
    let replay = |locale: &str| {
        let file = file(&bench);
        let ran = bench.run_with(["ab", "--replay", &file], |command| {
            command.env("LC_ALL", locale).env("LANG", locale);
        });
        ran.exits(3).stdout
    };
    let plain = replay("C");
    assert_eq!(plain, replay("de_DE.UTF-8"));
    assert_eq!(plain, replay("ar_EG.UTF-8"));
    assert!(!plain.contains('\u{1b}'), "{plain}");
}

#[test]
fn a_build_compared_with_itself_teaches_what_the_machine_can_see() {
    let bench = changes();
    let ran = bench.ab("--baseline base --aa=3 --json").exits(0);
    let lines = bench.comparison().phase("screen");
    assert!(!lines.is_empty(), "{ran}");
    let comparisons = lines
        .iter()
        .map(|line| line["comparison"].as_u64().unwrap());
    assert_eq!(comparisons.max(), Some(2));
    let shown = bench
        .ab("--baseline base --aa --out target/second")
        .exits(0);
    shown.says("spread").says("false").says("%");
    // What was learnt stands beside every later verdict.
    let first = bench.comparison().observed().remove(0);
    assert!(first["configurations"][0]["known_sd"].is_null(), "{first}");
    bench
        .ab(&format!("{SLOWER} --out target/later"))
        .exits(3)
        .says("A/A");
    let later = bench
        .bundles_in("target/later")
        .remove(0)
        .observed()
        .remove(0);
    let known = later["configurations"][0]["known_sd"].as_f64();
    assert!(known.is_some_and(|sd| 1e-4 < sd && sd < 0.01), "{known:?}");
}

#[test]
fn nothing_that_is_kept_for_others_names_this_machine() {
    let bench = changes();
    bench.ab(&format!("{SLOWER} --gate")).exits(3);
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    let root = bench.root().to_str().unwrap().to_owned();
    let home = bench.home().to_str().unwrap().to_owned();
    for file in ["gate.json", "summary.md", "observations.jsonl"] {
        let text = bench.comparison().text(file);
        assert!(!text.is_empty(), "{file}");
        for private in [host.trim(), &root, &home] {
            assert!(!text.contains(private), "{file} holds `{private}`");
        }
    }
}

#[test]
fn a_case_can_be_selected_as_everywhere() {
    let bench = changes();
    let ran = bench.ab(&format!("{SLOWER} --case b --json")).exits(3);
    ran.judges("b", "regressed");
    assert_eq!(ran.json()["cases"].as_array().unwrap().len(), 1);
}
