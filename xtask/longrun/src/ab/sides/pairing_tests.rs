//! Tables for the pairing.
#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;
use crate::failure::Failure;
use longrun_protocol::Size;

/// A case of a made registry.
fn case(name: &str, more: &str) -> String {
    format!(
        "[[case]]\nname = \"{name}\"\ntitle = \"t\"\ninterface = \"i\"\n\
         worker = {{ command = [\"w\"] }}\nprimary_metric = \"cpu\"\n\
         repeat_bound = 1e-9\nrevision_bound = 1e-6\n{more}\n"
    )
}

/// A case with one configuration.
fn plain(name: &str, more: &str, parameters: &str) -> String {
    let size = "[case.sizes.full]\nrevision = 1\nwidths = [\"1\"]";
    case(
        name,
        &format!("{more}\n{size}\nparameters = {{ {parameters} }}"),
    )
}

fn registry(cases: &[String]) -> Registry {
    let head = "schema_version = 1\nsuite = \"tracking\"\ntitle = \"t\"\n".to_owned();
    let text = cases.iter().fold(head, |text, case| text + case);
    Registry::parse(&[("tracking.toml".to_owned(), text)]).unwrap()
}

fn pair_all(
    baseline: &[String],
    candidate: &[String],
    selection: &SelectionArgs,
) -> Outcome<Pairing> {
    let [baseline, candidate] = [baseline, candidate].map(registry);
    let widths = Widths {
        production: 2,
        cores: Some(2),
    };
    let source = |registry| Source {
        registry,
        default_suite: "tracking",
    };
    Pairing::of(source(&baseline), source(&candidate), selection, widths)
}

/// Case, earlier name and standing of each couple.
fn standings(pairing: &Pairing) -> Vec<(String, Option<String>, Standing)> {
    let couples = pairing.couples.iter();
    let standing = |couple: &Couple| {
        let name = couple.item().unwrap().configuration.case.clone();
        (name, couple.renamed_from(), couple.standing())
    };
    couples.map(standing).collect()
}

fn row(name: &str, standing: Standing) -> (String, Option<String>, Standing) {
    (name.to_owned(), None, standing)
}

#[test]
fn cases_are_paired_by_name_and_by_the_name_that_they_had() {
    let then = [
        plain("a", "", ""),
        plain("old", "", ""),
        plain("gone", "", ""),
    ];
    let now = [
        plain("a", "", ""),
        plain("b", "renamed_from = \"old\"", ""),
        plain("new", "", ""),
    ];
    let pairing = pair_all(&then, &now, &SelectionArgs::default()).unwrap();
    let renamed = ("b".to_owned(), Some("old".to_owned()), Standing::Comparable);
    let expected = [
        row("a", Standing::Comparable),
        renamed,
        row("new", Standing::New),
        row("gone", Standing::Missing),
    ];
    assert_eq!(standings(&pairing), expected);
}

#[test]
fn a_case_that_only_the_baseline_has_can_be_named() {
    let selection = SelectionArgs {
        cases: vec!["gone".to_owned()],
        ..SelectionArgs::default()
    };
    let (then, now) = ([plain("gone", "", "")], [plain("a", "", "")]);
    let pairing = pair_all(&then, &now, &selection).unwrap();
    assert_eq!(standings(&pairing), [row("gone", Standing::Missing)]);
}

#[test]
fn a_case_that_neither_has_and_one_under_its_old_name_are_refused() {
    let then = [plain("old", "", "")];
    let now = [plain("b", "renamed_from = \"old\"", "")];
    for (name, why) in [
        ("x", "there is no such case"),
        ("old", "it is now called `b`"),
    ] {
        let selection = SelectionArgs {
            cases: vec![name.to_owned()],
            ..SelectionArgs::default()
        };
        let Failure { exit, message } = pair_all(&then, &now, &selection).unwrap_err();
        assert_eq!(exit, Exit::Usage);
        assert!(message.contains(why), "{message}");
    }
}

#[test]
fn every_difference_of_two_definitions_is_named() {
    let then = [plain(
        "a",
        "seed = 1\nnoise = \"input\"\ndefault_stepper = \"rk\"",
        "rtol = 1e-6, pulse = { shape = \"sech\", tau = 1.0 }, gone = 1",
    )];
    let now = [plain(
        "a",
        "seed = 2\nnoise = \"input\"\ndefault_stepper = \"multistep\"",
        "rtol = 1e-8, pulse = { shape = \"sech\", tau = 2.0 }, new = [1, 2]",
    )];
    let now = [now[0].replace("revision = 1", "revision = 2")];
    let pairing = pair_all(&then, &now, &SelectionArgs::default()).unwrap();
    let Standing::Changed { reasons } = pairing.couples[0].standing() else {
        panic!("{:?}", pairing.couples[0].standing());
    };
    let expected = [
        "`revision` was 1 and is 2",
        "`default_stepper` was \"rk\" and is \"multistep\"",
        "`seed` was 1 and is 2",
        "`parameters.gone` was 1 and is absent",
        "`parameters.pulse.tau` was 1.0 and is 2.0",
        "`parameters.rtol` was 1e-6 and is 1e-8",
        "`parameters.new` was absent and is [1,2]",
    ];
    let mut sorted = [reasons, expected.map(str::to_owned).to_vec()];
    sorted.iter_mut().for_each(|reasons| reasons.sort());
    assert_eq!(sorted[0], sorted[1]);
}

#[test]
fn what_does_not_define_the_work_is_no_difference() {
    let then = [plain("a", "", "").replace("1e-6", "1e-3")];
    let now = [plain(
        "a",
        "sampling = { kind = \"complete\", repeats = 5 }",
        "",
    )];
    let pairing = pair_all(&then, &now, &SelectionArgs::default()).unwrap();
    assert_eq!(pairing.couples[0].standing(), Standing::Comparable);
    assert!((pairing.couples[0].facts.revision_bound - 1e-6).abs() < 1e-12);
}

#[test]
fn single_configurations_come_and_go() {
    let sizes = |widths: &str| format!("[case.sizes.full]\nrevision = 1\nwidths = [{widths}]");
    let axes = |axis: &str, widths: &str| {
        case(
            "a",
            &format!("variants = {{ dtype = [{axis}] }}\n{}", sizes(widths)),
        )
    };
    let then = [axes("\"f32\", \"f64\"", "\"1\", \"2\"")];
    let now = [axes("\"f64\", \"f16\"", "\"1\"")];
    let pairing = pair_all(&then, &now, &SelectionArgs::default()).unwrap();
    let of = |couple: &Couple| {
        let configuration = &couple.item().unwrap().configuration;
        let (variant, width) = (&configuration.variant, configuration.width);
        format!("{variant} @{width} {:?}", couple.standing())
    };
    let found: Vec<String> = pairing.couples.iter().map(of).collect();
    let expected = [
        "dtype=f64 @1 Comparable",
        "dtype=f16 @1 New",
        "dtype=f32 @1 Missing",
        "dtype=f32 @2 Missing",
        "dtype=f64 @2 Missing",
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_size_that_the_baseline_lacks_is_new() {
    let smoke = "[case.sizes.smoke]\nrevision = 1\nwidths = [\"1\"]\n";
    let then = [plain("a", "", "")];
    let now = [plain("a", "", "") + smoke];
    let selection = SelectionArgs {
        size: Size::Smoke,
        ..SelectionArgs::default()
    };
    let pairing = pair_all(&then, &now, &selection).unwrap();
    assert_eq!(standings(&pairing), [row("a", Standing::New)]);
}

#[test]
fn a_case_that_is_no_longer_tracked_is_missing_from_its_suite() {
    let then = [plain("a", "", ""), plain("b", "", "")];
    let now = [plain("a", "", ""), plain("b", "tracked = false", "")];
    let pairing = pair_all(&then, &now, &SelectionArgs::default()).unwrap();
    let expected = [row("a", Standing::Comparable), row("b", Standing::Missing)];
    assert_eq!(standings(&pairing), expected);
}

#[test]
fn processor_time_decides_at_width_one_only() {
    let size = "[case.sizes.full]\nrevision = 1\nwidths = [\"1\", \"2\"]";
    let cases = [case("a", size)];
    let pairing = pair_all(&cases, &cases, &SelectionArgs::default()).unwrap();
    let metrics: Vec<Metric> = pairing.couples.iter().map(|c| c.facts.metric).collect();
    assert_eq!(metrics, [Metric::Cpu, Metric::Wall]);
}
