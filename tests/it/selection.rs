//! What may be selected, and how what may not be is refused (exit 2).

use crate::bench::Bench;
use crate::case::Case;

/// A repository with one case of every kind.
fn bench() -> Bench {
    Bench::new()
        .case(
            Case::new("varied")
                .line("steppers = [\"rk\"]")
                .line("variants = { dtype = [\"f32\", \"f64\"] }"),
        )
        .case(Case::new("fixed").line("fixed_schedule = true"))
        .case_of("kernels", Case::new("kernel"))
        .written()
}

#[track_caller]
fn refused<const N: usize>(selection: [&str; N], reasons: &[&str]) {
    let bench = bench();
    let mut arguments = vec!["list"];
    arguments.extend(selection);
    let ran = bench.run(arguments);
    let ran = reasons
        .iter()
        .fold(ran.exits(2), |ran, reason| ran.says(reason));
    assert_eq!(ran.stdout, "", "a refused selection has no plan");
}

#[test]
fn an_unknown_case_is_refused_with_those_that_there_are() {
    refused(
        ["--case", "nothing"],
        &[
            "`nothing`",
            "no such case",
            "`varied`",
            "`fixed`",
            "`kernel`",
        ],
    );
}

#[test]
fn a_renamed_case_is_refused_with_its_new_name() {
    let bench = Bench::new()
        .case(Case::new("new").line("renamed_from = \"old\""))
        .written();
    bench
        .run(["list", "--case", "old"])
        .exits(2)
        .says("it is now called `new`");
}

#[test]
fn an_unknown_suite_is_refused_with_those_that_there_are() {
    refused(
        ["--set", "nothing"],
        &[
            "`nothing`",
            "no such suite",
            "`kernels`",
            "`tracking`",
            "`all`",
        ],
    );
}

#[test]
fn an_unknown_size_is_refused_with_those_that_there_are() {
    refused(
        ["--size", "huge"],
        &["unknown size `huge`", "full, quick or smoke"],
    );
}

#[test]
fn a_size_that_a_case_does_not_have_is_refused() {
    refused(
        ["--size", "smoke"],
        &["`varied`", "has no size `smoke`", "`full`"],
    );
}

#[test]
fn an_unknown_stepper_is_refused_with_those_that_there_are() {
    refused(
        ["--case", "varied", "--stepper", "euler"],
        &["`varied`", "has no stepper `euler`", "`default`", "`rk`"],
    );
}

#[test]
fn a_case_on_a_fixed_schedule_admits_no_other_stepper() {
    refused(
        ["--case", "fixed", "--stepper", "rk"],
        &["`fixed`", "fixed schedule", "only the stepper `default`"],
    );
}

#[test]
fn an_unknown_engine_is_refused_with_those_that_there_are() {
    refused(
        ["--engine", "abacus"],
        &["unknown engine `abacus`", "native, reference or auto"],
    );
}

#[test]
fn an_engine_that_a_case_does_not_have_is_refused() {
    refused(
        ["--engine", "native"],
        &["has no engine `native`", "`reference`"],
    );
}

#[test]
fn an_unknown_policy_is_refused_with_those_that_there_are() {
    refused(
        ["--threading", "lazy"],
        &["`lazy`", "passive-bound", "bound-active"],
    );
}

#[test]
fn an_unknown_axis_or_value_of_a_variant_is_refused() {
    refused(
        ["--case", "varied", "--variant", "colour=red"],
        &["axis `colour`", "`dtype`"],
    );
    refused(
        ["--case", "varied", "--variant", "dtype=f16"],
        &["value `f16`", "`f32`", "`f64`"],
    );
    refused(["--variant", "dtype"], &["expected `axis=value`"]);
}

#[test]
fn a_width_of_zero_is_refused() {
    refused(["--threads", "0"], &["width `0`", "at least 1"]);
    refused(["--production", "0"], &["'0'", "--production"]);
}

#[test]
fn a_width_above_the_cores_is_allowed_and_noted() {
    let bench = bench();
    let ran = bench.run(["list", "--case", "fixed", "--threads", "4096"]);
    ran.exits(0)
        .says("fixed reference @4096")
        .says("note: width 4096 is above the");
}

#[test]
fn allow_dirty_and_no_commit_mean_nothing_without_append_history() {
    let bench = bench();
    for flag in ["--allow-dirty", "--no-commit"] {
        bench.run(["track", flag]).exits(2).says("--append-history");
    }
}

#[test]
fn an_unknown_command_or_flag_is_refused() {
    let bench = bench();
    bench.run(["race"]).exits(2).says("'race'");
    bench.run(["track", "--fast"]).exits(2).says("'--fast'");
}
