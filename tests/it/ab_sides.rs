//! `ab` where the two sides do not have the same cases, or where one of them fails.

use crate::bench::Bench;
use crate::case::Case;
use crate::changes::{WORK, case, changes, work};

/// The repository, with other cases in its working tree, and slower code where `cost` says so.
fn with(cases: &[Case], cost: &str) -> Bench {
    let bench = changes();
    bench.write("workloads/tracking.toml", &registry(cases));
    bench.write(WORK, &work(cost, 99));
    bench
}

fn registry(cases: &[Case]) -> String {
    let head = "schema_version = 1\nsuite = \"tracking\"\ntitle = \"A suite\"\n";
    let cases: String = cases.iter().map(Case::to_toml).collect();
    format!("{head}{cases}")
}

#[test]
fn a_changed_parameter_is_a_changed_configuration_and_no_ratio() {
    let bench = with(&[case("a").parameter("tolerance = 1e-4")], "cost=1.05");
    let ran = bench.ab("--baseline HEAD --json").exits(0);
    let case = ran.judges("a", "changed_configuration");
    assert!(case["estimate"].is_null(), "{case}");
    let ran = bench.ab("--baseline HEAD").exits(0);
    ran.says("changed configuration").says("tolerance");
    assert_eq!(bench.ran(), [""; 0]);
}

#[test]
fn a_new_revision_of_a_case_is_a_changed_configuration() {
    let bench = with(&[case("a").revision(2)], "cost=1.05");
    let ran = bench.ab("--baseline HEAD --json").exits(0);
    ran.judges("a", "changed_configuration");
    bench.ab("--baseline HEAD").exits(0).says("revision");
}

#[test]
fn a_comment_in_a_registry_file_leaves_the_duets_and_a_file_of_the_workers_is_named() {
    let bench = with(&[case("a")], "cost=1.05");
    bench.append("workloads/tracking.toml", "# a comment\n");
    let ran = bench.ab("--baseline HEAD --json").exits(3);
    assert_eq!(ran.judges("a", "regressed")["mode"], "duet");
    bench.write("workloads/worker/lib.py", "pass\n");
    let ran = bench.ab("--baseline HEAD --dry-run").exits(0);
    ran.says("pairs of processes and not duets")
        .says("workloads/worker/lib.py")
        .says("--workers candidate");
}

#[test]
fn a_conflict_of_options_is_answered_with_a_usage_that_can_be_typed() {
    let bench = changes();
    let ran = bench.ab("--resume 2001 --rounds 3").exits(2);
    ran.says("--resume RUN").says("--replay FILE");
}

#[test]
fn a_case_of_one_side_is_listed_and_the_others_are_compared() {
    let bench = with(&[case("a"), case("c")], "cost=1");
    bench
        .ab("--baseline HEAD --json")
        .exits(0)
        .judges("c", "new");
    let bench = with(&[case("c")], "cost=1");
    let ran = bench.ab("--baseline HEAD --json").exits(0);
    ran.judges("c", "new");
    ran.judges("a", "missing");
    assert_eq!(bench.ran(), [""; 0]);
}

#[test]
fn a_missing_case_fails_the_gate_and_a_renamed_one_is_compared() {
    let bench = with(&[case("c")], "cost=1");
    bench.ab("--baseline HEAD --gate").exits(3).says("missing");
    let renamed = case("c").line(r#"renamed_from = "a""#);
    let bench = with(&[renamed], "cost=1");
    let ran = bench.ab("--baseline HEAD --gate --json").exits(0);
    ran.judges("c", "unchanged");
    assert_eq!(ran.json()["gate"]["passed"], true);
    assert_eq!(ran.json()["cases"].as_array().unwrap().len(), 1);
}

#[test]
fn a_side_that_crashes_or_hangs_is_named_and_the_other_cases_go_on() {
    let bench = changes();
    let ran = bench
        .ab("--baseline base --candidate crashing --json")
        .exits(1);
    ran.judges("a", "failed");
    let pairs = "--mode pairs --baseline base --candidate crashing";
    let ran = bench.ab(pairs).exits(1);
    ran.says("failed").says("candidate");
    let ran = bench.ab("--baseline crashing --candidate base --mode pairs");
    ran.exits(1).says("baseline");
    bench
        .ab("--baseline base --candidate hanging --timeout 1")
        .exits(1)
        .says("longer than 1 s");
    assert_eq!(bench.processes(), [""; 0]);
}

#[test]
fn one_failed_case_is_no_reason_to_stop_the_others() {
    let failing = || case("a").behaves("fail");
    let bench = with(&[failing(), case("b")], "cost=1");
    bench.commit_all("a case that fails");
    bench.write(WORK, &work("cost=1.05", 98));
    let ran = bench.ab("--baseline HEAD --json").exits(1);
    ran.judges("a", "failed");
    let case = ran.judges("b", "regressed");
    assert!(case["rounds"].as_u64().unwrap() >= 6, "{case}");
    let duets = bench.ran().iter().filter(|line| *line == "duet a").count();
    assert!(duets <= 1, "what failed once is not tried again and again");
}

#[test]
fn times_that_are_none_are_failures_and_no_ratios() {
    for behaviour in ["zero", "nan", "negative", "infinite", "no_samples"] {
        let bench = with(&[case("a").behaves(behaviour)], "cost=1");
        bench.commit_all("a case without times");
        bench.write(WORK, &work("cost=1", 98));
        let words = "--baseline HEAD --mode pairs --json";
        let ran = bench.ab(words).exits(1).does_not_say("panicked");
        ran.judges("a", "failed");
    }
}

#[test]
fn a_worker_that_does_not_do_the_duet_it_was_asked_for_is_a_failure() {
    let table = [
        ("created", "order"),
        ("turns", "turns"),
        ("zero", "no time"),
        ("no_cpu", "CPU"),
        ("negative", "no distance"),
        ("short", "segments"),
        ("elsewhere", "99"),
        ("alone", "candidate"),
    ];
    let bench = changes();
    for (behaviour, says) in table {
        let cases = [case("a").behaves(&format!("duet_{behaviour}"))];
        bench.write("workloads/tracking.toml", &registry(&cases));
        bench.commit_all(behaviour);
        bench.write(WORK, &work("cost=1.05", 1));
        bench
            .ab("--baseline HEAD")
            .exits(1)
            .says("failed")
            .says(says);
        bench.git(["restore", "."]);
    }
}

#[test]
fn a_baseline_of_an_older_protocol_is_served_by_the_workers_of_the_candidate() {
    let bench = with(&[case("a").options(&["--speaks", "0"])], "cost=1");
    bench.commit_all("an older worker");
    let bench = with_registry_of_main(bench);
    bench.write(WORK, &work("cost=1.05", 98));
    let words = "--workers candidate --baseline HEAD --json";
    bench.ab(words).exits(3).judges("a", "regressed");
}

#[test]
fn a_candidate_of_an_older_protocol_is_served_by_the_workers_of_the_baseline() {
    let bench = with(&[case("a").options(&["--speaks", "0"])], "cost=1.05");
    let ran = bench.ab("--baseline HEAD --json").exits(3);
    ran.judges("a", "regressed");
    ran.says("the candidate's workers speak version 0")
        .says("the baseline's run both sides");
}

#[test]
fn where_no_worker_speaks_the_protocol_both_versions_are_named() {
    let bench = with(&[case("a").options(&["--speaks", "0"])], "cost=1");
    bench.commit_all("an older worker");
    bench.write(WORK, &work("cost=1.05", 98));
    for mode in ["duet", "pairs"] {
        let ran = bench.ab(&format!("--baseline HEAD --mode {mode}")).exits(6);
        ran.says("version 0 of the protocol")
            .says("this program version 1");
    }
}

#[test]
fn libraries_of_two_abis_are_compared_by_workers_of_their_own_or_not_at_all() {
    let bench = with(&[case("a").options(&["--abi", "2"])], "cost=1.05");
    let header = bench.read("native/include/minimal/core.h");
    let header = header.replace("LONGRUN_CORE_ABI 1", "LONGRUN_CORE_ABI 2");
    bench.write("native/include/minimal/core.h", &header);
    let ran = bench.ab("--baseline HEAD --json").exits(3);
    ran.judges("a", "regressed");
    ran.says("version 1 in the baseline and 2 in the candidate");
    let ran = bench.ab("--baseline HEAD --workers candidate").exits(6);
    ran.says("version 1 in the baseline and 2 in the candidate");
}

/// Puts the cases of the first commit back into the working tree.
fn with_registry_of_main(bench: Bench) -> Bench {
    bench.git(["checkout", "--quiet", "base", "--", "workloads"]);
    bench
}

#[test]
fn sampled_work_is_compared_in_blocks_of_a_size_that_is_found_once() {
    let sampling = "sampling = { kind = \"sampled\", block_ns = 5000000, samples_min = 3, \
                    samples_max = 9, total_ns_min = 1, total_ns_max = 1000000000 }";
    let bench = with(&[case("a").line(sampling)], "cost=1");
    bench.commit_all("a sampled case");
    bench.write(WORK, &work("cost=1.05", 1));
    bench
        .ab("--baseline HEAD --json")
        .exits(3)
        .judges("a", "regressed");
    for line in bench.comparison().phase("screen") {
        let stretches = line["outcome"]["stretches"].as_array().unwrap();
        assert_eq!(stretches.len(), 1, "{line}");
        let segments = stretches[0]["segments"].as_array().unwrap();
        assert!(segments.len() >= 8 && segments.len() % 2 == 0, "{line}");
        for segment in segments {
            // A block of 5 ms has five operations of 1 ms on either side.
            assert_eq!(segment["baseline"]["sample"]["ops"], 5);
            assert_eq!(segment["candidate"]["sample"]["ops"], 5);
        }
    }
}

#[test]
fn sampled_work_is_compared_in_pairs_of_processes_too() {
    let bench = with(&[case("a").sampled()], "cost=1");
    bench.commit_all("a sampled case");
    bench.write(WORK, &work("cost=1.05", 1));
    let ran = bench.ab("--baseline HEAD --mode pairs --json").exits(3);
    assert_eq!(ran.judges("a", "regressed")["mode"], "pairs");
}
