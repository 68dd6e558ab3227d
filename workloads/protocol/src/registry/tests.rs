//! Tables for the checks of registry entries.
#![allow(clippy::unwrap_used)]
use super::*;

fn entry() -> CaseEntry {
    serde_json::from_value(serde_json::json!({
        "name": "smoke", "title": "t", "interface": "gnlse",
        "worker": {"command": ["stub"]},
        "repeat_bound": 1e-9, "revision_bound": 1e-6,
        "parameters": {"a": 1, "b": 2},
        "sizes": {"full": {"revision": 1, "widths": ["1", "production"],
                           "parameters": {"b": 3}}}
    }))
    .unwrap()
}

fn only_defect(entry: &CaseEntry) -> Defect {
    let mut defects = entry.defects();
    assert_eq!(defects.len(), 1, "{defects:?}");
    defects.remove(0)
}

#[test]
fn a_sound_entry_has_no_defects() {
    assert_eq!(entry().defects(), []);
}

#[test]
fn the_parameters_of_a_size_override_those_of_the_case() {
    let entry = entry();
    let merged = entry.parameters_at(&entry.sizes[&Size::Full]);
    assert_eq!(serde_json::to_string(&merged).unwrap(), r#"{"a":1,"b":3}"#);
}

#[test]
fn a_case_without_worker_is_refused() {
    let mut entry = entry();
    entry.worker.command = None;
    assert!(only_defect(&entry).reason.contains("no worker"));
}

#[test]
fn a_case_with_two_workers_is_refused() {
    let mut entry = entry();
    entry.worker.package = Some("p".into());
    assert!(only_defect(&entry).reason.contains("neither"));
}

#[test]
fn revision_zero_is_refused() {
    let mut entry = entry();
    entry.sizes.get_mut(&Size::Full).unwrap().revision = 0;
    assert_eq!(only_defect(&entry).key, "revision");
}

#[test]
fn noise_without_a_seed_is_refused() {
    let mut entry = entry();
    entry.noise = "input".into();
    assert_eq!(only_defect(&entry).key, "noise");
}

#[test]
fn a_fixed_schedule_admits_no_override() {
    let mut entry = entry();
    entry.fixed_schedule = true;
    entry.steppers = vec!["rk".into()];
    assert_eq!(only_defect(&entry).key, "steppers");
}

#[test]
fn an_engine_that_the_case_does_not_have_cannot_be_single_threaded() {
    let mut entry = entry();
    entry.engines = vec![Engine::Native, Engine::Reference];
    entry.single_threaded_engines = vec![Engine::Reference];
    assert_eq!(entry.defects(), []);
    entry.engines.pop();
    let defect = only_defect(&entry);
    assert_eq!(defect.key, "single_threaded_engines");
    assert!(defect.reason.contains("`reference`"), "{}", defect.reason);
}

#[test]
fn a_bound_that_is_not_a_number_is_refused() {
    let mut entry = entry();
    entry.repeat_bound = f64::NAN;
    assert_eq!(only_defect(&entry).key, "repeat_bound");
}

#[test]
fn names_that_cannot_be_file_names_are_refused() {
    let long = "a".repeat(300);
    for bad in ["", "A", "1a", "a:b", "con", "a.", "a/b", "🦀", "a b", &long] {
        assert!(name_defect(bad).is_some(), "{bad}");
    }
    for good in ["gnlse_soliton", "h2-raman", "a"] {
        assert_eq!(name_defect(good), None);
    }
}

#[test]
fn only_the_known_noise_models_are_admitted() {
    for (noise, seed, part) in [
        ("none", None, None),
        ("input", Some(7), None),
        ("input", None, Some("needs a `seed`")),
        ("Input", Some(7), Some("unknown noise `Input`")),
        ("", Some(7), Some("unknown noise ``")),
        ("shot", None, Some("unknown noise `shot`")),
    ] {
        let mut entry = entry();
        entry.noise = noise.into();
        entry.seed = seed;
        let Some(part) = part else {
            assert_eq!(entry.defects(), [], "{noise}");
            continue;
        };
        let defect = only_defect(&entry);
        assert_eq!((defect.key, defect.size), ("noise", None));
        assert!(defect.reason.contains(part), "{}", defect.reason);
    }
}

/// Changes the part for the size `full`, which must then have one defect.
fn defect_of_size(change: impl FnOnce(&mut SizeEntry)) -> Defect {
    let mut entry = entry();
    change(entry.sizes.get_mut(&Size::Full).unwrap());
    let defect = only_defect(&entry);
    assert_eq!(defect.size, Some(Size::Full));
    defect
}

#[test]
fn a_width_that_is_there_twice_is_refused_however_it_is_written() {
    for widths in [["1", "1"], ["1", "01"], ["production", "production"]] {
        let defect = defect_of_size(|size| {
            size.widths = widths.iter().map(|width| width.parse().unwrap()).collect();
        });
        assert_eq!(defect.key, "widths");
        assert!(defect.reason.contains("there twice"), "{}", defect.reason);
    }
}

#[test]
fn estimates_are_only_for_the_widths_of_their_size() {
    let estimate = Estimate {
        run_s: 1.0,
        setup_s: 0.5,
        memory_bytes: 1,
    };
    for (width, declared) in [
        (WidthSpec::Threads(1), true),
        (WidthSpec::Production, true),
        (WidthSpec::Threads(2), false),
        (WidthSpec::Device, false),
    ] {
        let mut entry = entry();
        let size = entry.sizes.get_mut(&Size::Full).unwrap();
        size.estimates.insert(width, estimate);
        assert_eq!(entry.defects().is_empty(), declared, "{width}");
        if !declared {
            let defect = only_defect(&entry);
            assert_eq!((defect.key, defect.size), ("estimates", Some(Size::Full)));
            let part = format!("at width `{width}` is for a width that size `full`");
            assert!(defect.reason.contains(&part), "{}", defect.reason);
        }
    }
}

#[test]
fn an_estimate_that_is_not_a_time_is_refused() {
    let defect = defect_of_size(|size| {
        let estimate = Estimate {
            run_s: f64::NAN,
            setup_s: 0.5,
            memory_bytes: 1,
        };
        size.estimates.insert(WidthSpec::Threads(1), estimate);
    });
    assert!(defect.reason.contains("not a time"), "{}", defect.reason);
}

#[test]
fn oracles_are_open_words_that_follow_the_rules_of_names() {
    let mut sound = entry();
    let size = sound.sizes.get_mut(&Size::Full).unwrap();
    size.oracles = vec!["photon_number".into(), "an-oracle-of-another-worker".into()];
    assert_eq!(sound.defects(), []);
    for bad in ["", "Photon", "photon number", "../span"] {
        let defect = defect_of_size(|size| size.oracles = vec![bad.into()]);
        assert_eq!(defect.key, "oracles");
        let part = "oracle at size `full`";
        assert!(defect.reason.contains(part), "{}", defect.reason);
    }
}

#[test]
fn a_size_may_be_sampled_otherwise_than_the_case() {
    let quick = SamplingPolicy::Fixed {
        repeats: 10,
        block_ns: 1_000_000,
    };
    let mut entry = entry();
    let full = entry.sizes[&Size::Full].clone();
    assert_eq!(entry.sampling_at(&full), SamplingPolicy::default());
    let own = SizeEntry {
        sampling: Some(quick),
        ..full
    };
    entry.sizes.insert(Size::Quick, own.clone());
    assert_eq!(entry.sampling_at(&own), quick);
    assert_eq!(entry.defects(), []);
}

#[test]
fn a_sampling_that_cannot_be_met_is_refused_where_it_stands() {
    let none = SamplingPolicy::Complete { repeats: 0 };
    let mut of_case = entry();
    of_case.sampling = none;
    let defect = only_defect(&of_case);
    assert_eq!((defect.key, defect.size), ("repeats", None));
    let defect = defect_of_size(|size| size.sampling = Some(none));
    assert_eq!(defect.key, "repeats");
}

#[test]
fn a_case_is_sampled_in_several_processes_and_a_size_may_have_its_own() {
    let sampled = SamplingPolicy::Fixed {
        repeats: 10,
        block_ns: 1_000_000,
    };
    let mut entry = entry();
    let full = entry.sizes[&Size::Full].clone();
    assert_eq!(entry.processes_at(&full), 1);
    entry.sampling = sampled;
    entry.processes = 8;
    entry.spread_s = 30;
    let smoke = SizeEntry {
        processes: Some(1),
        ..full.clone()
    };
    entry.sizes.insert(Size::Smoke, smoke.clone());
    assert_eq!(entry.defects(), []);
    assert_eq!(
        (entry.processes_at(&full), entry.processes_at(&smoke)),
        (8, 1)
    );
    entry.spread_s = SPREAD_S_MAX + 1;
    assert_eq!(only_defect(&entry).key, "spread_s");
}

#[test]
fn processes_are_counted_from_one_and_are_for_what_is_sampled() {
    for (processes, word) in [(0, "1 to 64"), (65, "1 to 64"), (2, "in one process")] {
        let mut of_case = entry();
        of_case.processes = processes;
        let defect = only_defect(&of_case);
        assert_eq!((defect.key, defect.size), ("processes", None));
        assert!(defect.reason.contains(word), "{}", defect.reason);
        let defect = defect_of_size(|size| size.processes = Some(processes));
        assert_eq!(defect.key, "processes");
    }
}
