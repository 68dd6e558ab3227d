//! Tables for the plan.
#![allow(clippy::unwrap_used)]

use super::*;

const REGISTRY: &str = r#"
schema_version = 1
suite = "tracking"
title = "t"
[[case]]
name = "a"
title = "t"
interface = "i"
worker = { command = ["w"] }
engines = ["native", "reference"]
steppers = ["rk", "multistep"]
repeat_bound = 1e-9
revision_bound = 1e-6
[case.sizes.full]
revision = 2
widths = ["1", "production"]
[case.sizes.full.estimates]
1 = { run_s = 10.0, setup_s = 1.0, memory_bytes = 1000 }
production = { run_s = 5.0, setup_s = 2.0, memory_bytes = 2000 }
[case.sizes.smoke]
revision = 1
widths = ["1"]
[[case]]
name = "b"
title = "t"
interface = "i"
worker = { command = ["w"] }
renamed_from = "old_b"
fixed_schedule = true
repeat_bound = 1e-9
revision_bound = 1e-6
[case.variants]
dtype = ["f32", "f64"]
penalty = ["l1", "l2"]
[case.sizes.full]
revision = 1
widths = ["production"]
[[case]]
name = "c"
title = "t"
interface = "i"
worker = { command = ["w"] }
tracked = false
repeat_bound = 1e-9
revision_bound = 1e-6
[case.sizes.full]
revision = 1
widths = ["1"]
[[case]]
name = "d"
title = "t"
interface = "i"
worker = { command = ["w"] }
tracked = false
engines = ["native", "reference"]
single_threaded_engines = ["reference"]
repeat_bound = 1e-9
revision_bound = 1e-6
[case.sizes.full]
revision = 1
widths = ["1", "production"]
estimates = { 1 = { run_s = 1.0, setup_s = 1.0, memory_bytes = 10 } }
[case.sizes.quick]
revision = 1
widths = ["production"]
"#;

fn build(selection: &SelectionArgs, production: u32) -> Outcome<Plan> {
    let file = ("tracking.toml".to_owned(), REGISTRY.to_owned());
    let registry = Registry::parse(&[file]).unwrap();
    let widths = Widths {
        production,
        cores: Some(4),
    };
    Plan::build(&registry, selection, "tracking", widths)
}

fn names(plan: &Plan) -> Vec<String> {
    let items = plan.items.iter();
    items.map(|item| item.configuration.to_string()).collect()
}

fn selecting(case: &str) -> SelectionArgs {
    SelectionArgs {
        cases: vec![case.to_owned()],
        ..SelectionArgs::default()
    }
}

fn refusal(selection: &SelectionArgs) -> String {
    let failure = build(selection, 4).unwrap_err();
    assert_eq!(failure.exit.code(), 2);
    failure.message
}

#[test]
fn no_selection_is_the_tracked_cases_at_their_own_widths_and_variants() {
    let plan = build(&SelectionArgs::default(), 4).unwrap();
    let expected = [
        "a @1",
        "a @4",
        "b dtype=f32,penalty=l1 @4",
        "b dtype=f32,penalty=l2 @4",
        "b dtype=f64,penalty=l1 @4",
        "b dtype=f64,penalty=l2 @4",
    ];
    assert_eq!(names(&plan), expected);
    assert_eq!(plan.items[0].configuration.revision, 2);
    assert_eq!(plan.items[0].repeats, 3);
}

#[test]
fn a_production_width_of_one_is_one_configuration() {
    let plan = build(&selecting("a"), 1).unwrap();
    assert_eq!(names(&plan), ["a @1"]);
}

#[test]
fn an_untracked_case_runs_by_name_and_under_all() {
    assert_eq!(names(&build(&selecting("c"), 4).unwrap()), ["c @1"]);
    let all = SelectionArgs {
        all: true,
        ..SelectionArgs::default()
    };
    assert!(names(&build(&all, 4).unwrap()).contains(&"c @1".to_owned()));
}

#[test]
fn each_stepper_of_a_list_is_a_configuration() {
    let mut selection = selecting("a");
    selection.steppers = vec!["rk".into(), "multistep".into()];
    selection.widths = vec![WidthSpec::Threads(1)];
    let plan = build(&selection, 4).unwrap();
    assert_eq!(names(&plan), ["a rk @1", "a multistep @1"]);
}

#[test]
fn a_case_named_twice_is_planned_once() {
    let mut selection = selecting("c");
    selection.cases.push("c".into());
    assert_eq!(names(&build(&selection, 4).unwrap()), ["c @1"]);
}

#[test]
fn a_variant_choice_keeps_the_other_axes() {
    let mut selection = selecting("b");
    selection.variants = vec![VariantChoice {
        axis: "dtype".into(),
        value: "f64".into(),
    }];
    let plan = build(&selection, 4).unwrap();
    let expected = ["b dtype=f64,penalty=l1 @4", "b dtype=f64,penalty=l2 @4"];
    assert_eq!(names(&plan), expected);
}

#[test]
fn the_estimate_is_setup_and_every_repeat() {
    let plan = build(&selecting("a"), 4).unwrap();
    assert_eq!(plan.items[0].estimate_s(), Some(31.0));
    assert_eq!(plan.items[1].estimate_s(), Some(17.0));
    assert_eq!(plan.estimate_s(), Some(48.0));
    assert_eq!(build(&selecting("c"), 4).unwrap().estimate_s(), None);
}

#[test]
fn a_width_above_the_cores_is_planned_with_a_note() {
    let mut selection = selecting("a");
    selection.widths = vec![WidthSpec::Threads(8)];
    let plan = build(&selection, 4).unwrap();
    assert_eq!(names(&plan), ["a @8"]);
    assert!(plan.notes[0].contains("above the 4 physical cores"));
}

#[test]
fn a_single_threaded_engine_runs_at_width_one_and_a_note_says_so() {
    let mut selection = selecting("d");
    assert_eq!(names(&build(&selection, 4).unwrap()), ["d @1", "d @4"]);
    assert!(build(&selection, 4).unwrap().notes.is_empty());
    selection.engine = Some(Engine::Reference);
    for size in [longrun_protocol::Size::Quick, longrun_protocol::Size::Full] {
        selection.size = size;
        let plan = build(&selection, 4).unwrap();
        assert_eq!(plan.items.len(), 1);
        assert_eq!(plan.items[0].configuration.width, Width::Threads(1));
        let note = "engine `reference` works on one thread: only width 1 is in the plan";
        assert_eq!(plan.notes, [note]);
    }
    assert!(build(&selection, 1).unwrap().notes.is_empty());
}

#[test]
fn a_width_asked_of_a_single_threaded_engine_is_refused_unless_it_is_one() {
    let mut selection = selecting("d");
    selection.engine = Some(Engine::Reference);
    selection.widths = vec![WidthSpec::Threads(1)];
    let plan = build(&selection, 4).unwrap();
    assert_eq!(names(&plan), ["d reference @1"]);
    assert!(plan.notes.is_empty());
    for wider in [WidthSpec::Threads(2), WidthSpec::Production] {
        selection.widths = vec![WidthSpec::Threads(1), wider];
        assert!(refusal(&selection).contains("`reference`, which works on one thread"));
    }
}

#[test]
fn an_engine_that_is_not_the_default_has_no_estimate() {
    let mut selection = selecting("a");
    selection.engine = Some(Engine::Reference);
    assert_eq!(build(&selection, 4).unwrap().estimate_s(), None);
}

#[test]
fn unknown_words_are_refused_with_what_there_is() {
    assert!(refusal(&selecting("x")).contains("`a`, `b`, `c`"));
    assert!(refusal(&selecting("old_b")).contains("now called `b`"));
    let set = SelectionArgs {
        sets: vec!["kernels".into()],
        ..SelectionArgs::default()
    };
    assert!(refusal(&set).contains("no such suite"));
    let mut stepper = selecting("a");
    stepper.steppers = vec!["euler".into()];
    assert!(refusal(&stepper).contains("`default`, `rk`, `multistep`"));
    let mut size = selecting("b");
    size.size = longrun_protocol::Size::Smoke;
    assert!(refusal(&size).contains("no size `smoke`; it has `full`"));
    let mut engine = selecting("b");
    engine.engine = Some(Engine::Reference);
    assert!(refusal(&engine).contains("no engine `reference`; it has `native`"));
    let mut device = selecting("a");
    device.widths = vec![WidthSpec::Device];
    assert!(refusal(&device).contains("no device"));
}

#[test]
fn a_fixed_schedule_refuses_an_override_but_not_default() {
    let mut selection = selecting("b");
    selection.steppers = vec!["rk".into()];
    assert!(refusal(&selection).contains("fixed schedule"));
    selection.steppers = vec!["default".into()];
    assert!(build(&selection, 4).is_ok());
}

const KERNELS: &str = r#"
schema_version = 1
suite = "kernels"
title = "t"
[[case]]
name = "fft"
title = "t"
interface = "kernel"
worker = { command = ["w"] }
repeat_bound = 1e-12
revision_bound = 1e-9
[case.sampling]
kind = "sampled"
block_ns = 1000000
samples_min = 30
samples_max = 1000
total_ns_min = 1000000000
total_ns_max = 30000000000
[case.sizes.full]
revision = 1
widths = ["1"]
estimates = { 1 = { run_s = 40e-9, setup_s = 0.5, memory_bytes = 10 } }
[case.sizes.quick]
revision = 1
widths = ["1"]
sampling = { kind = "fixed", repeats = 10, block_ns = 1000 }
"#;

fn of_both_suites(selection: &SelectionArgs) -> Plan {
    let files = [
        ("kernels.toml".to_owned(), KERNELS.to_owned()),
        ("tracking.toml".to_owned(), REGISTRY.to_owned()),
    ];
    let registry = Registry::parse(&files).unwrap();
    let widths = Widths {
        production: 1,
        cores: Some(1),
    };
    Plan::build(&registry, selection, "tracking", widths).unwrap()
}

fn kernels() -> SelectionArgs {
    SelectionArgs {
        sets: vec!["kernels".into()],
        ..SelectionArgs::default()
    }
}

#[test]
fn the_sampling_of_a_case_and_of_its_size_survive_into_the_plan() {
    let full = of_both_suites(&kernels());
    assert_eq!(names(&full), ["fft @1"]);
    assert!(matches!(
        full.items[0].sampling,
        SamplingPolicy::Sampled {
            samples_min: 30,
            ..
        }
    ));
    assert_eq!(full.items[0].repeats, 30);
    assert_eq!(full.estimate_s(), Some(1.5));
    let quick = of_both_suites(&SelectionArgs {
        size: longrun_protocol::Size::Quick,
        ..kernels()
    });
    let fixed = |repeats, block_ns| SamplingPolicy::Fixed { repeats, block_ns };
    assert_eq!(quick.items[0].sampling, fixed(10, 1000));
}

#[test]
fn repeats_of_a_sampled_suite_are_a_fixed_number_of_samples() {
    let plan = of_both_suites(&SelectionArgs {
        repeats: Some(7),
        ..kernels()
    });
    let fixed = SamplingPolicy::Fixed {
        repeats: 7,
        block_ns: 1_000_000,
    };
    assert_eq!(plan.items[0].sampling, fixed);
    assert_eq!(plan.items[0].repeats, 7);
}

#[test]
fn all_suites_are_planned_one_after_the_other_and_the_default_stays_one() {
    let all = SelectionArgs {
        sets: vec!["all".into()],
        ..SelectionArgs::default()
    };
    let plan = of_both_suites(&all);
    assert_eq!(plan.items[0].configuration.suite, "kernels");
    assert_eq!(names(&plan)[..2], ["fft @1", "a @1"]);
    let default = of_both_suites(&SelectionArgs::default());
    let mut suites = default.items.iter().map(|item| &item.configuration.suite);
    assert!(suites.all(|suite| suite == "tracking"));
}
