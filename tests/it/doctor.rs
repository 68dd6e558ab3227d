//! `doctor`: what it says of a machine and a repository, and that it changes neither.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::bench::Bench;
use crate::case::Case;
use crate::ran::{Ran, members};

fn bench() -> Bench {
    Bench::new().native_project().case(
        Case::new("a").native().size_line(
            "estimates = { 1 = { run_s = 2.0, setup_s = 0.5, memory_bytes = 1048576 } }",
        ),
    )
}

/// The finding about `topic` in what `doctor --json` printed.
#[track_caller]
fn finding(ran: &Ran, topic: &str) -> Value {
    let report = ran.json();
    let findings = report["findings"].as_array().unwrap();
    let mut of_topic = findings.iter().filter(|finding| finding["topic"] == topic);
    let found = of_topic.next();
    assert!(found.is_some(), "nothing about `{topic}`:\n{ran}");
    found.cloned().unwrap_or_default()
}

#[track_caller]
fn graded(ran: &Ran, topic: &str, grade: &str) -> Value {
    let finding = finding(ran, topic);
    assert_eq!(finding["grade"], grade, "{finding}");
    finding
}

#[test]
fn doctor_needs_no_build_and_changes_nothing() {
    let bench = bench().commit();
    let before = bench.git(["for-each-ref"]);
    let ran = bench.run(["doctor"]).exits(0);
    assert_eq!(bench.status(), "");
    assert_eq!(bench.git(["for-each-ref"]), before);
    assert!(!bench.has("target/longrun/native"), "nothing was built");
    assert!(!bench.has("target/longrun/runs"), "nothing was run");
    let left = fs::read_dir(bench.root().join("target/longrun")).unwrap();
    assert_eq!(left.count(), 0, "scratch files are removed");
    assert_eq!(fs::read_dir(bench.home()).unwrap().count(), 0);
    ran.says("nothing uncommitted")
        .says("1 configuration by default");
}

#[test]
fn the_json_has_its_documented_fields() {
    let bench = bench().commit();
    let ran = bench.run(["doctor", "--json"]).exits(0);
    let report = ran.json();
    assert_eq!(
        members(&report),
        ["findings", "roof", "schema_version", "slug"]
    );
    assert_eq!(report["schema_version"], 1);
    assert!(report["roof"].is_null());
    let grades = ["ok", "note", "warn", "blocked"];
    for finding in report["findings"].as_array().unwrap() {
        assert_eq!(members(finding), ["found", "grade", "next_step", "topic"]);
        assert!(
            grades.contains(&finding["grade"].as_str().unwrap()),
            "{finding}"
        );
    }
    let memory = graded(&ran, "memory", "ok");
    assert!(
        memory["found"]
            .as_str()
            .unwrap()
            .contains("1.00 MiB needed"),
        "{memory}"
    );
}

#[test]
fn the_hardware_set_is_that_of_track() {
    let bench = Bench::new().case(Case::new("a")).commit();
    let doctor = bench.run(["doctor", "--json", "--instance-type", "m8g.4xlarge"]);
    let doctor = doctor.exits(0);
    let slug = doctor.json()["slug"].clone();
    let instance = finding(&doctor, "instance_type");
    assert_eq!(instance["found"], "m8g.4xlarge (family aws-m8g)");
    graded(&doctor, "history", "note");
    let track = [
        "track",
        "--json",
        "--append-history",
        "--instance-type",
        "m8g.4xlarge",
    ];
    assert_eq!(bench.run(track).exits(0).json()["slug"], slug);
    let again = bench.run(["doctor", "--json", "--instance-type", "m8g.4xlarge"]);
    graded(&again, "history", "ok");
}

#[test]
fn a_missing_compiler_is_blocked_with_the_next_step_and_the_rest_is_said() {
    let bench = bench().commit();
    let ran = bench.run_with(["doctor", "--json"], |command| {
        command.env("CXX", "/nonexistent/c++");
    });
    let ran = ran.exits(6);
    let compiler = graded(&ran, "cxx_compiler", "blocked");
    assert!(
        compiler["next_step"].as_str().unwrap().contains("setup"),
        "{compiler}"
    );
    graded(&ran, "repository", "ok");
    graded(&ran, "locale", "ok");
}

#[test]
fn a_roof_that_cannot_be_measured_keeps_the_other_findings() {
    let bench = bench().commit();
    let ran = bench.run_with(["doctor", "--roof", "--json"], |command| {
        command.env("CXX", "/nonexistent/c++");
    });
    let ran = ran.exits(6);
    let roof = graded(&ran, "roof", "blocked");
    assert!(
        roof["found"].as_str().unwrap().contains("C++ compiler"),
        "{roof}"
    );
    graded(&ran, "repository", "ok");
}

#[test]
fn a_folder_without_a_repository_is_blocked() {
    let bench = bench().written();
    let ran = bench.run(["doctor", "--json"]).exits(6);
    graded(&ran, "repository", "blocked");
    graded(&ran, "plan", "ok");
}

#[test]
fn uncommitted_files_are_noted() {
    let bench = bench().commit();
    bench.append("native/CMakeLists.txt", "# Changed.\n");
    let ran = bench.run(["doctor", "--json"]).exits(0);
    let repository = graded(&ran, "repository", "note");
    assert!(
        repository["found"]
            .as_str()
            .unwrap()
            .contains("1 watched file"),
        "{repository}"
    );
}

#[test]
fn a_registry_with_a_defect_is_blocked() {
    let bench = bench().commit();
    bench.append("workloads/tracking.toml", "unknown_key = 1\n");
    let ran = bench.run(["doctor", "--json"]).exits(6);
    let plan = graded(&ran, "plan", "blocked");
    assert!(
        plan["next_step"]
            .as_str()
            .unwrap()
            .contains("cargo xtask list"),
        "{plan}"
    );
    graded(&ran, "memory", "note");
}

#[test]
fn a_target_that_cannot_hold_files_is_blocked_and_nothing_is_tried() {
    let bench = bench().commit();
    bench.write("target", "a file and no folder");
    let ran = bench.run(["doctor", "--json"]).exits(6);
    graded(&ran, "work_folder", "blocked");
    let tools = graded(&ran, "tools", "warn");
    assert!(tools["found"].is_null(), "{tools}");
    assert_eq!(bench.read("target"), "a file and no folder");
}

#[test]
fn a_cache_folder_that_nobody_names_is_warned_of() {
    let bench = bench().commit();
    let ran = bench.run_with(["doctor", "--json"], |command| {
        command.env_remove("HOME").env_remove("XDG_CACHE_HOME");
    });
    graded(&ran.exits(0), "cache_folder", "warn");
}

/// A program in front of PATH that is this shell script.
fn with_program(bench: &Bench, name: &str, script: &str) -> Ran {
    let folder = bench.outside("programs");
    fs::create_dir_all(&folder).unwrap();
    let program = folder.join(name);
    fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let path = std::env::var("PATH").unwrap();
    bench.run_with(["doctor", "--json"], |command| {
        command.env("PATH", format!("{}:{path}", folder.display()));
    })
}

#[test]
fn gpus_are_named_and_a_silent_driver_is_noted() {
    let bench = bench().commit();
    let ran = with_program(&bench, "nvidia-smi", "echo 'NVIDIA A40'; echo 'NVIDIA A40'");
    let gpu = graded(&ran.exits(0), "gpu", "ok");
    assert!(
        gpu["found"]
            .as_str()
            .unwrap()
            .contains("NVIDIA A40, NVIDIA A40"),
        "{gpu}"
    );
    let ran = with_program(&bench, "nvidia-smi", "echo 'no driver' >&2; exit 9");
    graded(&ran.exits(0), "gpu", "note");
}

#[test]
fn variables_about_threads_and_tools_are_named_and_their_values_are_not() {
    let bench = bench().commit();
    let ran = bench.run_with(["doctor", "--json"], |command| {
        command
            .env("OMP_NUM_THREADS", "4321")
            .env("KOKKOS_TOOLS_LIBS", "/nonexistent/tool.so");
    });
    let ran = ran.exits(0).does_not_say("4321").does_not_say("tool.so");
    let environment = graded(&ran, "environment", "note");
    let found = environment["found"].as_str().unwrap();
    assert!(
        found.contains("KOKKOS_TOOLS_LIBS, OMP_NUM_THREADS"),
        "{found}"
    );
}

#[test]
fn the_roof_has_every_width_and_level_with_positive_rates() {
    let bench = bench().commit();
    let ran = bench.run(["doctor", "--roof", "--json"]).exits(0);
    let roof = &ran.json()["roof"];
    assert_eq!(members(roof), ["notes", "threading", "widths"]);
    let widths = roof["widths"].as_array().unwrap();
    assert_eq!(widths[0]["threads"], 1);
    for width in widths {
        let levels = width["levels"].as_array().unwrap();
        assert!(!levels.is_empty(), "{roof}");
        let of_level = |level: &Value| {
            [
                level["read_bytes_per_s"].clone(),
                level["triad_bytes_per_s"].clone(),
            ]
        };
        let mut rates: Vec<Value> = levels.iter().flat_map(of_level).collect();
        rates.push(width["multiply_add_flop_per_s"].clone());
        for rate in rates {
            let [min, median, max] = ["min", "median", "max"].map(|of| rate[of].as_f64().unwrap());
            assert!(0.0 < min && min <= median && median <= max, "{rate}");
        }
    }
    assert_eq!(bench.status(), "");
    assert_eq!(bench.processes(), [""; 0]);
}

/// The findings about the history and about recording.
#[track_caller]
fn history_and_recording(ran: &Ran, grades: [&str; 2]) -> [Value; 2] {
    [
        graded(ran, "history", grades[0]),
        graded(ran, "recording", grades[1]),
    ]
}

#[test]
fn a_torn_history_is_blocked_with_its_line_whatever_machine_it_is_of() {
    let bench = bench().commit();
    let slug = bench.run(["doctor", "--json"]).exits(0).json()["slug"].clone();
    let own = format!("history/{}.csv", slug.as_str().unwrap());
    for (file, recording) in [(own.as_str(), "warn"), ("history/other-2c.csv", "ok")] {
        bench.write(file, "schema_version,run_id\n1,torn");
        bench.run(["history", "--run", "run1"]).exits(6);
        let ran = bench.run(["doctor", "--json"]).exits(6);
        let [history, _] = history_and_recording(&ran, ["blocked", recording]);
        let found = history["found"].as_str().unwrap();
        assert!(
            found.contains("line 2 ") && found.contains("torn"),
            "{found}"
        );
        assert!(history["next_step"].is_string(), "{history}");
        fs::remove_file(bench.root().join(file)).unwrap();
    }
    history_and_recording(&bench.run(["doctor", "--json"]).exits(0), ["note", "ok"]);
}

#[test]
fn a_history_that_is_no_folder_is_blocked() {
    let bench = bench().commit();
    fs::remove_dir_all(bench.root().join("history")).unwrap();
    bench.write("history", "a file and no folder");
    bench.run(["history"]).exits(6).says("must be a folder");
    let ran = bench.run(["doctor", "--json"]).exits(6);
    let [history, _] = history_and_recording(&ran, ["blocked", "warn"]);
    let step = history["next_step"].as_str().unwrap();
    assert!(step.contains("must be a folder"), "{history}");
}

#[test]
fn what_would_keep_rows_from_being_committed_is_warned_of() {
    let bench = bench().commit();
    bench.begin_merge();
    let ran = bench.run(["doctor", "--json"]).exits(0);
    let [_, merging] = history_and_recording(&ran, ["note", "warn"]);
    let found = merging["found"].as_str().unwrap();
    assert!(found.contains("a merge is in progress"), "{merging}");
    bench.git(["commit", "--quiet", "--no-edit"]);
    bench.git(["config", "--unset", "user.name"]);
    bench.git(["config", "--unset", "user.email"]);
    let ran = bench.run_with(["doctor", "--json"], |command| {
        for name in ["NAME", "EMAIL"] {
            command.env_remove(format!("GIT_AUTHOR_{name}"));
            command.env_remove(format!("GIT_COMMITTER_{name}"));
        }
    });
    let [_, nobody] = history_and_recording(&ran.exits(0), ["note", "warn"]);
    let step = nobody["next_step"].as_str().unwrap();
    assert!(step.contains("git config user.name"), "{nobody}");
}
