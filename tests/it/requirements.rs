//! Requirements of the tracking document that no other file of these tests is about. The table in
//! `docs/architecture.md` says which test holds which of them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::case::Case;
use crate::page;

/// Every flag of the selection, beside those that exclude each other.
const SELECTION: [&str; 21] = [
    "--set",
    "tracking",
    "--case",
    "b",
    "--size",
    "full",
    "--engine",
    "reference",
    "--backend",
    "cpu",
    "--stepper",
    "default,rk",
    "--variant",
    "dtype=f64",
    "--threads",
    "1,production",
    "--production",
    "2",
    "--repeats=4",
    "--threading",
    "bound",
];

/// The verbs that the help lists.
fn verbs(help: &str) -> Vec<&str> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let named = lines.map_while(|line| line.split_whitespace().next());
    named.filter(|verb| *verb != "help").collect()
}

#[test]
fn every_verb_has_its_help_its_json_and_its_part_of_the_manual() {
    let bench = Bench::new();
    let manual = page::of_repository("docs/manual.md");
    let help = bench.run(["--help"]).exits(0).stdout;
    let verbs = verbs(&help);
    for required in ["list", "track", "history"] {
        assert!(verbs.contains(&required), "{help}");
    }
    for verb in verbs {
        assert!(manual.contains(&format!("\n## {verb}\n")), "{verb}");
        bench.run([verb, "--help"]).exits(0).says("--json");
    }
}

#[test]
fn list_and_track_take_the_same_selection() {
    let stepped = |name| {
        Case::new(name)
            .line(r#"steppers = ["rk"]"#)
            .line(r#"variants = { dtype = ["f32", "f64"] }"#)
    };
    let bench = Bench::new()
        .case(stepped("a"))
        .case(stepped("b").line("tracked = false"))
        .commit();
    let plan = |verb: &[&'static str]| -> Value {
        let line = [verb, &SELECTION[..], &["--json"]].concat();
        bench.run(line).exits(0).json()["configurations"].clone()
    };
    let listed = plan(&["list"]);
    // Two cases, two steppers, one variant of two, two widths.
    assert_eq!(listed.as_array().unwrap().len(), 8);
    assert_eq!(plan(&["track", "--dry-run"]), listed);
    for configuration in listed.as_array().unwrap() {
        assert_eq!(configuration["configuration"]["variant"], "dtype=f64");
    }
}

#[test]
fn without_a_selection_the_tracked_cases_of_the_default_suite_run_at_their_own_widths() {
    let bench = Bench::new()
        .setting(r#"default_suite = "usual""#)
        .case_of("usual", Case::new("a").widths(r#"["1", "production"]"#))
        .case_of("usual", Case::new("b").line("tracked = false"))
        .case_of("kernels", Case::new("k"))
        .written();
    let plan = bench.run(["list", "--json", "--production", "3"]);
    let plan = plan.exits(0).json();
    let shown: Vec<String> = plan["configurations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| &entry["configuration"])
        .map(|c| format!("{} {} @{}", c["suite"], c["case"], c["width"]).replace('"', ""))
        .collect();
    assert_eq!(shown, ["usual a @1", "usual a @3"]);
}

#[test]
fn a_request_asks_for_the_whole_run_after_a_warm_up_of_two_percent() {
    let bench = Bench::new().case(Case::new("a")).commit();
    bench.run(["track"]).exits(0);
    let request = bench.bundle().json("01-a-1/request.json");
    assert_eq!(request["task"], "run");
    assert_eq!(request["warm_up"], 0.02);
    assert_eq!(request["length"], 1.0);
    assert_eq!(request["repeats"], 3);
}

#[test]
fn a_case_with_noise_passes_its_seed_and_one_without_passes_none() {
    let bench = Bench::new()
        .case(
            Case::new("noisy")
                .line("seed = 7")
                .line(r#"noise = "input""#),
        )
        .case(Case::new("quiet"))
        .commit();
    bench.run(["track"]).exits(0);
    let noisy = bench.bundle().json("01-noisy-1/request.json");
    assert_eq!(
        (&noisy["seed"], &noisy["noise"]),
        (&json!(7), &json!("input"))
    );
    let quiet = bench.bundle().json("02-quiet-1/request.json");
    assert_eq!(quiet["noise"], "none");
    assert!(quiet.get("seed").is_none(), "{quiet}");
}

#[test]
fn each_configuration_has_a_process_of_its_own_with_its_pools_set_before_it_starts() {
    let script = "#!/bin/sh\necho $$ $OMP_NUM_THREADS >> \"$TMPDIR/started\"\nexec \"$@\"\n";
    let bench = Bench::new()
        .file("bin/worker.sh", script)
        .case(
            Case::new("a")
                .launched_by(&["sh", "bin/worker.sh"])
                .widths(r#"["1", "2"]"#),
        )
        .case(Case::new("b").launched_by(&["sh", "bin/worker.sh"]))
        .commit();
    let outside = bench.home();
    let track = bench.run_with(["track"], |command| {
        command.env("TMPDIR", &outside);
    });
    track.exits(0);
    let started = std::fs::read_to_string(outside.join("started")).unwrap();
    let (processes, threads): (BTreeSet<&str>, Vec<&str>) = started
        .lines()
        .map(|line| line.split_once(' ').unwrap())
        .unzip();
    assert_eq!(threads, ["1", "2", "1"]);
    assert_eq!(processes.len(), 3, "{started}");
}

#[test]
fn the_instance_type_is_recorded_and_only_its_family_names_the_file() {
    let bench = Bench::new().case(Case::new("a")).commit();
    bench
        .run([
            "track",
            "--append-history",
            "--instance-type",
            "m8g.4xlarge",
        ])
        .exits(0);
    let row = bench.committed_rows().remove(0);
    assert_eq!(row["instance_type"], "m8g.4xlarge");
    assert!(row["slug"].ends_with("-aws-m8g"), "{}", row["slug"]);
    assert_eq!(bench.history_path(), format!("history/{}.csv", row["slug"]));
}

#[test]
fn a_history_says_the_same_in_another_clone_and_locale() {
    let times = [
        [4_000_000, 4_000_000, 4_000_000],
        [3_000_000, 3_000_000, 3_000_000],
    ];
    let mut bench = Bench::new()
        .case(Case::new("a").takes_ns(times[0]))
        .commit();
    let record = ["track", "--append-history"];
    bench.run(record).exits(0);
    bench.backdate("2001-01-01T00:00:00Z");
    bench.redefine(Case::new("a").takes_ns(times[1]));
    bench.commit_all("a faster worker");
    bench.run(record).exits(0);
    let slug = bench.rows()[0]["slug"].clone();
    let clone = bench.outside("clone");
    bench.git(["clone", "--quiet", ".", clone.to_str().unwrap()]);
    for line in [vec!["history", &slug], vec!["history", &slug, "--json"]] {
        let here = bench.run(&line).exits(0).stdout;
        let there = bench.run_with(&line, |command| {
            command
                .current_dir(&clone)
                .env("LC_ALL", "de_DE.UTF-8")
                .env("TZ", "Asia/Tokyo");
        });
        assert_eq!(there.exits(0).stdout, here);
    }
    let run = &bench.run(["history", "--json"]).json()["suites"]["tracking"]["1"][1];
    assert_eq!(run["previous"]["ratio"], 0.75);
}

#[test]
fn the_usual_plan_of_this_repository_takes_less_than_an_hour() {
    let bench = Bench::new();
    for production in ["1", "2", "16"] {
        let ran = bench.run_with(["list", "--json", "--production", production], |command| {
            command.current_dir(page::root());
        });
        let plan = ran.exits(0).json();
        let estimate_s = plan["estimate_s"].as_f64().unwrap();
        assert!(estimate_s > 0.0 && estimate_s < 3600.0, "{estimate_s}");
    }
}
