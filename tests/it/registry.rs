//! Defects of the registry and of the settings: exit 2, with file and line.
//!
//! A registry begins with three lines of its own; a case without further lines has twelve.

use crate::bench::Bench;
use crate::case::{Case, sampling};

#[track_caller]
fn refused(case: Case, reasons: &[&str]) {
    let bench = Bench::new().case(Case::new("first")).case(case).written();
    let ran = bench.run(["list"]).exits(2);
    reasons.iter().fold(ran, |ran, reason| ran.says(reason));
}

#[test]
fn an_unknown_key_is_refused_with_file_and_line() {
    let case = Case::new("second").line("colour = \"red\"");
    refused(case, &["workloads/tracking.toml:24: ", "colour"]);
}

#[test]
fn a_name_that_is_there_twice_is_refused_with_both_lines() {
    let both = "workloads/tracking.toml:17: case `first` is already defined in \
                workloads/tracking.toml:5";
    refused(Case::new("first"), &[both]);
}

#[test]
fn a_name_that_is_in_two_suites_is_refused() {
    let bench = Bench::new()
        .case(Case::new("first"))
        .case_of("kernels", Case::new("first"))
        .written();
    bench
        .run(["list"])
        .exits(2)
        .says("already defined in workloads/kernels.toml:5");
}

#[test]
fn names_that_differ_only_in_letter_case_are_refused() {
    refused(
        Case::new("First"),
        &["tracking.toml:17: ", "only by letter case"],
    );
}

#[test]
fn names_that_cannot_be_file_names_are_refused() {
    for name in [
        "a:b",
        "con",
        "nul",
        "a.",
        "a/b",
        "a b",
        "..",
        "-a",
        "\u{1f680}",
        "\u{e9}",
        // As TOML writes a quote, the end of a line and an escape.
        r#"a\"b\""#,
        r"a\nb",
        r"a\u001b[2J",
        &"a".repeat(300),
    ] {
        refused(Case::new(name), &["tracking.toml:17: "]);
    }
}

#[test]
fn a_case_without_worker_is_refused() {
    let bench = Bench::new().case(Case::new("first")).written();
    let text = bench.read("workloads/tracking.toml");
    let worker = text
        .lines()
        .find(|line| line.starts_with("worker"))
        .unwrap();
    bench.write(
        "workloads/tracking.toml",
        &text.replace(worker, "worker = {}"),
    );
    bench
        .run(["list"])
        .exits(2)
        .says("tracking.toml:8: case `first`: the case has no worker");
}

#[test]
fn revision_zero_is_refused() {
    let reason = "case `second`: revision 0 at size `full`: revisions begin at 1";
    refused(
        Case::new("second").revision(0),
        &["workloads/tracking.toml:26: ", reason],
    );
}

#[test]
fn a_size_that_does_not_exist_is_refused() {
    refused(
        Case::new("second").size("huge"),
        &["workloads/tracking.toml:", "huge"],
    );
}

#[test]
fn what_a_case_cannot_have_is_refused_with_its_line() {
    let estimates = "estimates = { 2 = { run_s = 1.0, setup_s = 1.0, memory_bytes = 1 } }";
    let second = || Case::new("second");
    for (case, line, reason) in [
        (
            second().line("noise = \"shot\""),
            24,
            "unknown noise `shot`",
        ),
        (
            second().widths(r#"["1", "1"]"#),
            27,
            "width `1` is there twice at size `full`",
        ),
        (
            second().size_line(estimates),
            28,
            "a width that size `full` does not have",
        ),
        (
            second().size_line("oracles = [\"Photons\"]"),
            28,
            "`Photons` is not a name",
        ),
    ] {
        let place = format!("workloads/tracking.toml:{line}: case `second`: ");
        refused(case, &[&place, reason]);
    }
}

#[test]
fn sampling_that_takes_no_sample_or_contradicts_itself_is_refused_with_its_line() {
    let fixed = |repeats: u32, block_ns: u64| {
        format!("{{ kind = \"fixed\", repeats = {repeats}, block_ns = {block_ns} }}")
    };
    for (policy, key) in [
        (sampling(0, 60, "1000000"), "samples_min"),
        (sampling(61, 60, "1000000"), "samples_max"),
        (sampling(12, 100_001, "1000000"), "samples_max"),
        (sampling(12, 60, "0"), "total_ns_max"),
        (fixed(0, 1_000_000), "repeats"),
        (fixed(12, 0), "block_ns"),
    ] {
        let case = Case::new("second").line(&format!("sampling = {policy}"));
        let place = "workloads/tracking.toml:24: case `second`: ";
        refused(case, &[place, &format!("`{key}` must")]);
    }
}

#[test]
fn a_number_of_processes_that_cannot_be_is_refused_with_its_line() {
    let amount = "`processes` must be 1 to 64";
    let whole = "complete runs are repeated in one process";
    let second = || Case::new("second");
    for (case, line, reason) in [
        (second().sampled().processes(0), 25, amount),
        (second().sampled().processes(65), 25, amount),
        (second().sampled().size_line("processes = 0"), 29, amount),
        (second().processes(2), 24, whole),
        (second().size_line("processes = 2"), 28, whole),
    ] {
        let place = format!("workloads/tracking.toml:{line}: case `second`: ");
        refused(case, &[&place, reason]);
    }
    let most = Case::new("first").sampled().processes(64);
    let bench = Bench::new().case(most).written();
    bench.run(["list"]).exits(0).says("64 x 12 to 60");
}

#[test]
fn processes_that_are_spread_over_more_than_an_hour_are_refused_with_the_line() {
    let case = Case::new("second").sampled().processes(8);
    let place = "workloads/tracking.toml:26: case `second`: ";
    let reason = "`spread_s` must be at most 3600";
    refused(case.line("spread_s = 3601"), &[place, reason]);
}

#[test]
fn a_suite_in_a_file_of_another_name_is_refused() {
    let bench = Bench::new().case(Case::new("first")).written();
    let text = bench.read("workloads/tracking.toml");
    let other = text.replace("suite = \"tracking\"", "suite = \"kernels\"");
    bench.write("workloads/tracking.toml", &other);
    let reason = "tracking.toml:2: suite `kernels` must be in a file called `kernels.toml`";
    bench.run(["list"]).exits(2).says(reason);
}

#[test]
fn a_broken_registry_stops_track_as_well() {
    let bench = Bench::new().case(Case::new("first").revision(0)).commit();
    bench.run(["track"]).exits(2).says("revisions begin at 1");
    assert!(bench.bundles().is_empty());
}

#[test]
fn all_defects_are_reported_together() {
    let bench = Bench::new()
        .case(Case::new("first").revision(0))
        .case(Case::new("second").line("noise = \"input\""))
        .written();
    bench
        .run(["list"])
        .exits(2)
        .says("case `first`: revision 0")
        .says("needs a `seed`");
}

#[test]
fn an_unknown_setting_is_refused_with_its_line() {
    let bench = Bench::new()
        .case(Case::new("first"))
        .setting("histroy = \"past\"")
        .written();
    bench
        .run(["list"])
        .exits(2)
        .says("Cargo.toml`: line 6: ")
        .says("histroy");
}
