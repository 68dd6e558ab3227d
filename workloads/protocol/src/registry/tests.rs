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
