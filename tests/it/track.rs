//! `track`: what a run leaves, reports and shows to its workers.

use serde_json::json;

use crate::bench::Bench;
use crate::case::Case;
use crate::ran::members;

#[test]
fn a_run_leaves_one_complete_bundle() {
    let bench = Bench::new()
        .case(Case::new("a").widths(r#"["1", "production"]"#))
        .case(Case::new("b"))
        .commit();
    let ran = bench.run(["track", "--production", "2", "--json"]).exits(0);
    let bundle = bench.bundle();
    assert_eq!(ran.json()["bundle"], json!(bundle.path()));
    let whole = [
        "01-a-1",
        "02-a-2",
        "03-b-1",
        "build.json",
        "machine.json",
        "plan.json",
        "results.jsonl",
    ];
    assert_eq!(bundle.names(""), whole);
    let files = [
        "environment.json",
        "receipt.json",
        "request.json",
        "stderr.log",
        "stdout.log",
    ];
    for folder in ["01-a-1", "02-a-2", "03-b-1"] {
        assert_eq!(bundle.names(folder), files, "{folder}");
    }
    assert_eq!(bundle.json("plan.json")["commit"], bench.commit_id("HEAD"));
    assert_eq!(bundle.json("machine.json")["production"], 2);
    assert!(bundle.json("build.json")["native"].is_null());
}

#[test]
fn results_have_a_line_per_configuration_in_the_order_of_the_plan() {
    let bench = Bench::new()
        .case(Case::new("b"))
        .case(Case::new("a").behaves("crash"))
        .commit();
    bench.run(["track"]).exits(1);
    let results = bench.bundle().results();
    let cases: Vec<_> = results
        .iter()
        .map(|line| &line["configuration"]["case"])
        .collect();
    assert_eq!(cases, ["b", "a"]);
    assert_eq!(results[0]["status"], "complete");
    assert_eq!(results[1]["status"], "failed");
}

#[test]
fn the_json_has_its_documented_fields() {
    let bench = Bench::new().case(Case::new("a")).commit();
    let report = bench.run(["track", "--json"]).exits(0).json();
    let of_report = [
        "schema_version",
        "run_id",
        "bundle",
        "complete",
        "consistent",
        "recorded",
        "refusals",
        "results",
    ];
    let of_result = [
        "configuration",
        "status",
        "reason",
        "median_s",
        "min_s",
        "max_s",
        "repeats",
        "accepted",
        "rejected",
        "source_evaluations",
        "peak_rss_bytes",
        "device_memory_bytes",
        "busy",
    ];
    assert!(
        of_report
            .iter()
            .all(|field| members(&report).contains(field))
    );
    let result = &report["results"][0];
    assert!(
        of_result
            .iter()
            .all(|field| members(result).contains(field))
    );
    assert_eq!(report["schema_version"], 1);
    assert_eq!(report["recorded"], false);
    assert_eq!(result["accepted"], 10);
    assert_eq!(result["rejected"], 2);
    assert_eq!(result["source_evaluations"], 73);
    assert!(
        result["device_memory_bytes"].is_null(),
        "unknown is not zero"
    );
}

#[test]
fn the_tracked_time_is_the_median_and_the_extremes_are_kept() {
    let bench = Bench::new()
        .case(Case::new("a").takes_ns([3_000_000, 1_000_000, 1_500_000]))
        .commit();
    let report = bench.run(["track", "--json"]).exits(0).json();
    let result = &report["results"][0];
    let times = ["median_s", "min_s", "max_s"].map(|field| result[field].as_f64().unwrap());
    for (time, expected) in times.into_iter().zip([0.0015, 0.001, 0.003]) {
        assert!((time - expected).abs() < 1e-12, "{time} {expected}");
    }
}

#[test]
fn the_number_of_repeats_is_asked_for_and_reported() {
    let bench = Bench::new().case(Case::new("a")).commit();
    let report = bench
        .run(["track", "--json", "--repeats", "5"])
        .exits(0)
        .json();
    assert_eq!(report["results"][0]["repeats"], 5);
    assert_eq!(bench.bundle().json("01-a-1/request.json")["repeats"], 5);
    let samples = bench.bundle().json("01-a-1/receipt.json")["samples"].clone();
    assert_eq!(samples.as_array().unwrap().len(), 5);
}

#[test]
fn a_worker_sees_its_own_variables_and_nothing_of_the_caller() {
    let bench = Bench::new()
        .case(Case::new("a").behaves("reveals").widths(r#"["2"]"#))
        .commit();
    let ran = bench.run_with(["track"], |command| {
        command
            .env("LD_LIBRARY_PATH", "/nonexistent")
            .env("CARGO_MANIFEST_DIR", "/nonexistent")
            .env("KOKKOS_TOOLS_LIBS", "/nonexistent/tool.so")
            .env("OMP_NUM_THREADS", "64")
            .env("SLURM_JOB_ID", "17")
            .env("LC_ALL", "C.UTF-8");
    });
    ran.exits(0);
    let environment = bench.bundle().json("01-a-2/environment.json");
    let receipt = bench.bundle().json("01-a-2/receipt.json");
    let seen = &receipt["context"]["environment"];
    assert_eq!(
        *seen, environment["set"],
        "what is stored is what the worker saw"
    );
    let own = [
        ("OMP_NUM_THREADS", "2"),
        ("OMP_DYNAMIC", "false"),
        ("OMP_PROC_BIND", "false"),
        ("OMP_PLACES", "cores"),
        ("OMP_WAIT_POLICY", "passive"),
        ("GOMP_SPINCOUNT", "0"),
        ("KMP_BLOCKTIME", "0"),
        ("OPENBLAS_NUM_THREADS", "1"),
        ("MKL_NUM_THREADS", "1"),
        ("SLURM_JOB_ID", "17"),
        ("LC_ALL", "C"),
    ];
    for (name, value) in own {
        assert_eq!(seen[name], value, "{name}");
    }
    let passed = ["PATH", "HOME", "TMPDIR", "LONGRUN_RUN", "LONGRUN_CPUS"];
    let expected = |name: &&str| own.iter().any(|(own, _)| own == name) || passed.contains(name);
    let unexpected: Vec<&str> = members(seen).into_iter().filter(|n| !expected(n)).collect();
    assert_eq!(unexpected, [""; 0]);
    let dropped = environment["dropped"].as_array().unwrap();
    for name in ["LD_LIBRARY_PATH", "CARGO_MANIFEST_DIR", "KOKKOS_TOOLS_LIBS"] {
        assert!(dropped.contains(&json!(name)), "{name}");
    }
}

#[test]
fn a_threading_policy_is_what_the_worker_sees() {
    let bench = Bench::new()
        .case(Case::new("a").behaves("reveals"))
        .commit();
    bench.run(["track", "--threading", "bound-active"]).exits(0);
    let receipt = bench.bundle().json("01-a-1/receipt.json");
    let seen = &receipt["context"]["environment"];
    assert_eq!(seen["OMP_PROC_BIND"], "close");
    assert_eq!(seen["OMP_WAIT_POLICY"], "active");
    assert_eq!(seen["GOMP_SPINCOUNT"], "infinite");
}

#[test]
fn bundles_go_where_they_are_told_to() {
    let bench = Bench::new().case(Case::new("a")).commit();
    let report = bench
        .run(["track", "--json", "--out", "target/elsewhere"])
        .exits(0)
        .json();
    let run_id = report["run_id"].as_str().unwrap();
    assert!(bench.has(&format!("target/elsewhere/{run_id}/results.jsonl")));
    assert!(bench.bundles().is_empty());
}

#[test]
fn a_folder_that_cannot_be_written_is_refused_before_anything_is_built() {
    let bench = Bench::new()
        .native_project()
        .case(Case::new("a").native())
        .commit();
    let ran = bench.run(["track", "--out", ".gitignore/runs"]).exits(6);
    ran.says(".gitignore/runs").says("--out");
    assert!(!bench.has("target/longrun/native"), "nothing was built");
}

#[test]
fn a_folder_of_runs_inside_what_is_measured_is_refused() {
    let bench = Bench::new().case(Case::new("a")).commit();
    for folder in ["native/runs", "workloads/runs"] {
        let ran = bench.run(["track", "--out", folder]).exits(2);
        ran.says(folder).says("part of what is measured");
        assert!(!bench.has(folder), "nothing was written");
    }
}

#[test]
fn a_folder_that_longrun_keeps_something_else_in_is_refused() {
    let case = Case::new("a").size_line(r#"oracles = ["energy"]"#);
    let bench = Bench::new().case(case).commit();
    let verbs: [&[&str]; 4] = [
        &["track"],
        &["track", "--dry-run"],
        &["verify"],
        &["ab", "--baseline", "HEAD", "--dry-run"],
    ];
    for verb in verbs {
        for name in ["native", "workers/x", "cargo", "checkpoints", "removed"] {
            let folder = format!("target/longrun/{name}");
            let words = [verb, &["--out", &folder]].concat();
            bench.run(words).exits(2).says(&folder).says("--out");
            assert!(!bench.has(&folder), "nothing was written");
        }
    }
    bench
        .run(["track", "--out", "target/longrun/mine"])
        .exits(0);
}

#[test]
fn a_dry_run_checks_the_folder_of_runs_and_creates_nothing() {
    let bench = Bench::new().case(Case::new("a")).commit();
    let verbs: [&[&str]; 2] = [&["track"], &["ab", "--baseline", "HEAD"]];
    for (folder, exit) in [
        ("workloads/runs", 2),
        (".gitignore/runs", 6),
        ("target/new/runs", 0),
    ] {
        for verb in verbs {
            let words = [verb, &["--dry-run", "--out", folder]].concat();
            let ran = bench.run(words).exits(exit);
            assert!(exit == 0 || ran.stderr.contains("--out"), "{ran}");
            assert!(!bench.has(folder), "nothing was written");
        }
    }
}

#[test]
fn a_native_run_names_the_library_that_it_ran() {
    let bench = Bench::new()
        .native_project()
        .case(Case::new("a").native())
        .commit();
    bench.run(["track"]).exits(0);
    let key = bench.bundle().json("build.json")["native"]["build_key"].clone();
    let receipt = bench.bundle().json("01-a-1/receipt.json");
    assert_eq!(receipt["library"]["build_key"], key);
    assert_eq!(
        bench.run(["build", "--json"]).json()["identity"]["build_key"],
        key
    );
}

#[test]
fn an_inconsistent_configuration_is_reported_beside_the_sound_ones() {
    let bench = Bench::new()
        .case(Case::new("a").behaves("inconsistent_steps"))
        .case(Case::new("b"))
        .commit();
    let ran = bench.run(["track"]).exits(1);
    ran.says("a reference @1: repeat 3 took 11 accepted steps")
        .says("not recorded");
}

#[test]
fn a_run_that_could_not_be_recorded_says_why() {
    let bench = Bench::new().case(Case::new("a")).commit();
    let ran = bench
        .run(["track", "--case", "a", "--repeats", "1"])
        .exits(0);
    ran.says("not recorded, and could not be: partial_plan, repeats");
}
