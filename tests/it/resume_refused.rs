//! What cannot be resumed, and why: the rest would not belong to what is there.

use std::fs;

use crate::bench::Bench;
use crate::case::Case;
use crate::ran::{Ran, wait_until};

fn two() -> Bench {
    Bench::new()
        .case(Case::new("a"))
        .case(Case::new("b"))
        .commit()
}

/// A bench with a run whose second result is gone.
fn unfinished(bench: Bench) -> Bench {
    bench.run(["track"]).exits(0);
    let path = bench.bundle().path().join("results.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let first = text.lines().next().unwrap();
    fs::write(&path, format!("{first}\n")).unwrap();
    bench
}

fn resume(bench: &Bench) -> Ran {
    bench.run(["track", "--resume", "20"])
}

#[test]
fn flags_that_the_run_has_decided_do_not_go_with_resume() {
    let bench = unfinished(two());
    let table: [&[&str]; 8] = [
        &["--case", "a"],
        &["--set", "tracking"],
        &["--size", "full"],
        &["--threads", "1"],
        &["--repeats", "3"],
        &["--threading", "passive"],
        &["--keep-state"],
        &["--dry-run"],
    ];
    for flags in table {
        let mut arguments = vec!["track", "--resume", "20"];
        arguments.extend(flags);
        bench
            .run(arguments)
            .exits(2)
            .says(flags[0])
            .says("--resume");
    }
    assert_eq!(bench.ran(), ["a", "b"]);
}

#[test]
fn a_run_that_is_not_there_or_not_the_only_one_is_a_usage_error() {
    let bench = two();
    resume(&bench).exits(2).says("there is no run");
    bench.run(["track"]).exits(0);
    bench.run(["track"]).exits(0);
    let ran = resume(&bench).exits(2).says("2 runs begin so");
    for bundle in bench.bundles() {
        assert!(ran.stderr.contains(&bundle.id()), "{ran}");
    }
    bench
        .run(["track", "--resume", "../runs"])
        .exits(2)
        .says("there is no such run");
}

#[test]
fn a_changed_definition_is_refused_and_can_be_restored() {
    let mut bench = unfinished(two());
    let changes = [
        Case::new("b").parameter("extra = 1"),
        Case::new("b").revision(2),
        Case::new("b").line("seed = 7"),
        Case::new("b").line("noise = \"input\"").line("seed = 1"),
        Case::new("b").launched_by(&["env"]),
        Case::new("b").line("sampling = { kind = \"complete\", repeats = 4 }"),
        Case::new("b").widths(r#"["1", "2"]"#),
    ];
    for change in changes {
        let text = change.to_toml();
        bench.redefine(change);
        let ran = resume(&bench).exits(5);
        assert!(ran.stderr.contains("`b reference @"), "{text}\n{ran}");
    }
    bench.redefine(Case::new("b"));
    resume(&bench).exits(0);
    assert_eq!(bench.ran(), ["a", "b", "b"]);
}

#[test]
fn a_case_that_has_come_or_gone_is_refused() {
    let bench = unfinished(two());
    let text = bench.read("workloads/tracking.toml");
    bench.append("workloads/tracking.toml", &Case::new("c").to_toml());
    resume(&bench)
        .exits(5)
        .says("`c reference @1` (revision 1) is new");
    let one = text.replace("name = \"b\"", "name = \"z\"");
    bench.write("workloads/tracking.toml", &one);
    resume(&bench)
        .exits(5)
        .says("`b reference @1` (revision 1) is gone");
}

#[test]
fn another_native_build_is_refused() {
    let bench = Bench::new()
        .native_project()
        .case(Case::new("a").native())
        .case(Case::new("b").native())
        .commit();
    let bench = unfinished(bench);
    bench.append("native/src/minimal.cpp", "// changed\n");
    resume(&bench).exits(5).says("the native build was");
    bench.git(["checkout", "--quiet", "native"]);
    resume(&bench).exits(0);
}

#[test]
fn another_worker_is_refused() {
    let bench = Bench::new().case(Case::new("a").launched_by(&["tools/run"]));
    let bench = bench
        .file("tools/run", "#!/bin/sh\nexec \"$@\"\n")
        .written();
    let path = bench.root().join("tools/run");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(path, mode).unwrap();
    let bench = bench.initialised();
    bench.run(["track"]).exits(0);
    bench.append("tools/run", "# changed\n");
    resume(&bench)
        .exits(5)
        .says("changed")
        .says("the worker tools/run");
}

#[test]
fn another_machine_is_refused_fact_by_fact() {
    let bench = unfinished(two());
    let path = bench.bundle().path().join("machine.json");
    let text = fs::read_to_string(&path).unwrap();
    let mut machine: serde_json::Value = serde_json::from_str(&text).unwrap();
    machine["slug"] = "another-9c".into();
    machine["production"] = 9.into();
    fs::write(&path, machine.to_string()).unwrap();
    let ran = resume(&bench).exits(5);
    ran.says("`slug` was \"another-9c\"")
        .says("`production` was 9");
    fs::write(&path, text).unwrap();
    resume(&bench).exits(0);
}

#[test]
fn a_damaged_line_in_the_middle_is_named_and_nothing_is_changed() {
    let bench = two();
    bench.run(["track"]).exits(0);
    let path = bench.bundle().path().join("results.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let (_, second) = text.split_once('\n').unwrap();
    let damaged = format!("{{\"half\n{second}");
    fs::write(&path, &damaged).unwrap();
    resume(&bench)
        .exits(6)
        .says("line 1 of its results.jsonl is damaged");
    assert_eq!(fs::read_to_string(&path).unwrap(), damaged);
}

#[test]
fn a_bundle_without_a_plan_or_with_one_of_another_version_says_so() {
    let bench = unfinished(two());
    let path = bench.bundle().path().join("plan.json");
    let text = fs::read_to_string(&path).unwrap();
    let newer = text.replace("\"schema_version\": 1", "\"schema_version\": 99");
    fs::write(&path, newer).unwrap();
    resume(&bench).exits(2).says("another version of Longrun");
    fs::write(
        &path,
        text.replace("\"task\": \"run\"", "\"task\": \"verify\""),
    )
    .unwrap();
    resume(&bench).exits(2).says("it is no run of `track`");
    fs::write(&path, text.replace("\"options\"", "\"choices\"")).unwrap();
    resume(&bench).exits(2).says("its plan does not say enough");
    fs::remove_file(&path).unwrap();
    resume(&bench)
        .exits(2)
        .says("it ended before its plan was written");
    bench.run(["track"]).exits(0);
}

#[test]
fn a_run_that_is_still_being_run_is_refused() {
    let bench = Bench::new().case(Case::new("a").behaves("gated")).commit();
    let running = bench.start(["track"]);
    wait_until("the worker runs", || bench.ran() == ["a"]);
    resume(&bench)
        .exits(6)
        .says("another process is running it");
    assert_eq!(
        bench.processes().len(),
        2,
        "the program and its worker go on"
    );
    running.interrupt();
    running.finish().exits(130);
}

#[test]
fn every_difference_is_named_at_once_and_nothing_is_built() {
    let bench = Bench::new()
        .native_project()
        .file("tools/run", "#!/bin/sh\nexec \"$@\"\n")
        .case(Case::new("a").native())
        .case(Case::new("b").line("tracked = false"))
        .case(Case::new("c").launched_by(&["sh", "tools/run"]))
        .commit();
    bench
        .run(["track", "--case", "a", "--case", "b", "--case", "c"])
        .exits(0);
    let built = || {
        fs::read_dir(bench.root().join("target/longrun/native"))
            .unwrap()
            .count()
    };
    let before = built();
    let text = bench.read("workloads/tracking.toml");
    let gone = text.replace("name = \"b\"", "name = \"z\"");
    bench.write("workloads/tracking.toml", &gone);
    bench.append("native/src/minimal.cpp", "// changed\n");
    bench.append("tools/run", "# changed\n");
    let path = bench.bundle().path().join("machine.json");
    let machine = fs::read_to_string(&path).unwrap();
    let mut other: serde_json::Value = serde_json::from_str(&machine).unwrap();
    other["slug"] = "another-9c".into();
    fs::write(&path, other.to_string()).unwrap();
    let ran = bench
        .run(["track", "--resume", "20", "--append-history"])
        .exits(5);
    ran.says(&format!("resume the run {}", bench.bundle().id()))
        .says("`b reference @1` (revision 1) is gone")
        .says("`slug` was \"another-9c\"")
        .says("the native build was")
        .says("the worker sh tools/run")
        .says("dirty: ")
        .says("restore that");
    assert_eq!(built(), before, "nothing was built");
    assert_eq!(bench.ran().len(), 3, "nothing was run");
    bench.git(["checkout", "--quiet", "native", "tools", "workloads"]);
    fs::write(&path, machine).unwrap();
    resume(&bench).exits(0);
}

#[test]
fn a_suite_or_a_variant_that_is_gone_is_a_difference_too() {
    let case = Case::new("a").line("variants = { dtype = [\"f32\", \"f64\"] }");
    let bench = Bench::new().case(case).commit();
    bench
        .run(["track", "--case", "a", "--variant", "dtype=f64"])
        .exits(0);
    let text = bench.read("workloads/tracking.toml");
    bench.write(
        "workloads/tracking.toml",
        &text.replace("\"f32\", \"f64\"", "\"f32\", \"f16\""),
    );
    resume(&bench)
        .exits(5)
        .says("its plan cannot be made any more: ")
        .says("restore that");
}

#[test]
fn a_damaged_file_of_the_bundle_says_that_a_new_run_is_needed() {
    let bench = unfinished(two());
    for name in ["plan.json", "machine.json", "build.json"] {
        let path = bench.bundle().path().join(name);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, &text[..text.len() / 2]).unwrap();
        resume(&bench).exits(6).says(name).says("start a new run");
        fs::write(&path, text).unwrap();
    }
    resume(&bench).exits(0);
}
