//! `list`: the plan, without git, native library or worker.

use serde_json::json;

use crate::bench::Bench;
use crate::case::Case;
use crate::ran::members;

#[test]
fn list_works_outside_git_and_without_native_project_and_worker() {
    let case = Case::new("a").native();
    let case = case.launched_by(&["/nonexistent/worker"]);
    let bench = Bench::new().case(case).written();
    bench
        .run(["list"])
        .exits(0)
        .says("a @1")
        .says("time unknown");
    assert!(!bench.has("target"), "list leaves nothing behind");
}

#[test]
fn the_json_has_its_documented_fields() {
    let case = Case::new("a")
        .size_line("estimates = { 1 = { run_s = 2.0, setup_s = 0.5, memory_bytes = 1024 } }");
    let bench = Bench::new().case(case).written();
    let plan = bench.run(["list", "--json"]).exits(0).json();
    assert_eq!(plan["schema_version"], 1);
    let configuration = json!({
        "suite": "tracking", "case": "a", "size": "full", "revision": 1,
        "engine": "reference", "stepper": "default", "variant": "", "width": "1",
    });
    let expected = json!({
        "configuration": configuration, "sampling": {"kind": "complete", "repeats": 3},
        "processes": 1, "estimate_s": 6.5, "memory_bytes": 1024,
    });
    assert_eq!(plan["configurations"], json!([expected]));
}

#[test]
fn without_estimates_the_time_is_unknown_and_not_zero() {
    let bench = Bench::new().case(Case::new("a")).written();
    let plan = bench.run(["list", "--json"]).exits(0).json();
    assert!(plan["estimate_s"].is_null());
    assert!(plan["configurations"][0]["memory_bytes"].is_null());
}

#[test]
fn the_two_widths_are_one_where_production_is_one() {
    let bench = Bench::new()
        .case(Case::new("a").widths(r#"["1", "production"]"#))
        .written();
    for (production, widths) in [("1", vec!["1"]), ("2", vec!["1", "2"])] {
        let ran = bench.run(["list", "--json", "--production", production]);
        let plan = ran.exits(0).json();
        let configurations = plan["configurations"].as_array().unwrap();
        let found: Vec<_> = configurations
            .iter()
            .map(|c| &c["configuration"]["width"])
            .collect();
        assert_eq!(found, widths);
    }
}

#[test]
fn estimates_add_up_over_the_repeats_and_the_configurations() {
    let estimates = "estimates = { 1 = { run_s = 2.0, setup_s = 0.5, memory_bytes = 1 }, \
                     production = { run_s = 1.0, setup_s = 0.25, memory_bytes = 1 } }";
    let case = |name: &str| {
        Case::new(name)
            .widths(r#"["1", "production"]"#)
            .size_line(estimates)
    };
    let bench = Bench::new().case(case("a")).case(case("b")).written();
    let all = |repeats| bench.run(["list", "--json", "--production", "2", "--repeats", repeats]);
    // Twice (0.5 + 3 x 2.0) + (0.25 + 3 x 1.0), then with one repeat.
    assert_eq!(all("3").exits(0).json()["estimate_s"], 19.5);
    assert_eq!(all("1").exits(0).json()["estimate_s"], 7.5);
}

/// As many cases as are tracked, each at the widths that it has at full size.
fn thirteen() -> Bench {
    let estimate = "{ run_s = 10.0, setup_s = 2.0, memory_bytes = 1024 }";
    let widths = (1..).map(|number| match number {
        1 | 5 | 9 => (
            r#"["production"]"#,
            format!("{{ production = {estimate} }}"),
        ),
        13 => (r#"["1"]"#, format!("{{ 1 = {estimate} }}")),
        _ => (
            r#"["1", "production"]"#,
            format!("{{ 1 = {estimate}, production = {estimate} }}"),
        ),
    });
    let cases = (1..=13).zip(widths).map(|(number, (widths, estimates))| {
        Case::new(&format!("c{number}"))
            .widths(widths)
            .size_line(&format!("estimates = {estimates}"))
    });
    cases.fold(Bench::new(), Bench::case)
}

#[test]
fn thirteen_cases_are_twenty_two_configurations_with_the_sum_of_their_times() {
    let bench = thirteen().written();
    // 22 times 2 s and three runs of 10 s.
    bench
        .run(["list", "--production", "2"])
        .exits(0)
        .says("13 cases in 22 configurations, about 11 min 44 s\n");
    let json = bench.run(["list", "--production", "2", "--json"]);
    let json = json.exits(0).json();
    assert_eq!(json["estimate_s"], 704.0);
    assert_eq!(json["configurations"].as_array().unwrap().len(), 22);
    // On one core each case is there once, whatever its widths.
    let single = ["list", "--production", "1"];
    bench
        .run(single)
        .exits(0)
        .says("13 cases in 13 configurations");
}

#[test]
fn a_run_of_twenty_two_configurations_is_listed_as_it_is_carried_out() {
    let bench = thirteen().commit();
    let words = |verb| ["track", "--production", "2", verb];
    let plan = bench.run(words("--dry-run")).exits(0);
    plan.says("13 cases in 22 configurations");
    let report = bench.run(words("--json")).exits(0).json();
    assert_eq!(report["complete"], true);
    let planned = bench.bundle().json("plan.json")["configurations"].clone();
    let results = report["results"].as_array().unwrap();
    assert_eq!(results.len(), 22);
    let names = bench.bundle().names("");
    assert_eq!(names[21], "22-c13-1");
    assert_eq!(planned.as_array().unwrap().len(), 22);
}

#[test]
fn untracked_cases_are_listed_when_they_are_named() {
    let bench = Bench::new()
        .case(Case::new("a"))
        .case(Case::new("aside").line("tracked = false"))
        .case_of("kernels", Case::new("k"))
        .written();
    bench
        .run(["list"])
        .exits(0)
        .does_not_say("aside")
        .does_not_say("kernels");
    bench
        .run(["list", "--case", "aside"])
        .exits(0)
        .says("aside");
    bench
        .run(["list", "--set", "all"])
        .exits(0)
        .says("kernels")
        .does_not_say("aside");
    bench
        .run(["list", "--all"])
        .exits(0)
        .says("kernels")
        .says("aside");
}

#[test]
fn steppers_and_variants_multiply() {
    let case = Case::new("a")
        .line("steppers = [\"rk\"]")
        .line("variants = { dtype = [\"f32\", \"f64\"] }");
    let bench = Bench::new().case(case).written();
    let count = |arguments: &[&str]| {
        let mut all = vec!["list", "--json"];
        all.extend(arguments);
        let plan = bench.run(all).exits(0).json();
        plan["configurations"].as_array().unwrap().len()
    };
    assert_eq!(count(&[]), 2);
    assert_eq!(count(&["--stepper", "default,rk"]), 4);
    assert_eq!(
        count(&["--stepper", "default,rk", "--variant", "dtype=f64"]),
        2
    );
}

#[test]
fn the_locale_of_the_caller_changes_no_number() {
    let estimates = "estimates = { 1 = { run_s = 1.5, setup_s = 0.0, memory_bytes = 1 } }";
    let bench = Bench::new()
        .case(Case::new("a").size_line(estimates))
        .written();
    let plain = bench.run(["list"]).exits(0);
    let ran = bench.run_with(["list"], |command| {
        command
            .env("LC_ALL", "de_DE.UTF-8")
            .env("LANG", "de_DE.UTF-8");
    });
    assert_eq!(ran.exits(0).stdout, plain.stdout);
}

#[test]
fn the_dry_run_of_track_is_the_list() {
    let bench = Bench::new().case(Case::new("a")).commit();
    let plan = bench.run(["track", "--dry-run", "--json"]).exits(0).json();
    assert_eq!(plan, bench.run(["list", "--json"]).exits(0).json());
    assert!(members(&plan).contains(&"configurations"));
    assert!(!bench.has("target"), "a dry run leaves nothing behind");
}
