//! What is in a baseline file, and what is refused.
#![allow(clippy::unwrap_used)]

use longrun_protocol::{Size, Width};

use super::made::{baseline, entry};
use super::*;

fn with(entries: Vec<Entry>) -> Baseline {
    Baseline {
        entries,
        ..baseline(0)
    }
}

/// The only thing that is wrong with a text.
fn refusal(text: &str) -> Finding {
    let mut findings = Baseline::parse(text).unwrap_err();
    assert_eq!(findings.len(), 1, "{findings:?}");
    findings.pop().unwrap()
}

/// Line of the first `what` in a text.
fn line_with(text: &str, what: &str) -> usize {
    let mut lines = (1..).zip(text.lines());
    let found = lines.find(|(_, line)| line.contains(what));
    found.unwrap().0
}

#[test]
fn a_baseline_says_commit_me_and_has_its_keys_in_a_fixed_order() {
    let mut noted = entry("fft_forward", 1250.5);
    noted.warning = Some("noisy".into());
    noted.note = Some("before the new planner".into());
    let text = with(vec![noted]).render().unwrap();
    let (comment, body) = text.split_once("\n\n").unwrap();
    assert!(comment.lines().all(|line| line.starts_with("# ")));
    assert!(comment.contains("Commit this file"), "{comment}");
    let expected = r#"version = 1
suite = "kernels"
entries = 1

[fingerprint]
slug = "some-cpu-4c"
cpu = "vendor=Some family=25 model=1 stepping=1 caches=L1d:32K max_mhz=?"
threading = "passive"

[[configuration]]
case = "fft_forward"
size = "full"
revision = 1
engine = "native"
stepper = "default"
variant = ""
width = "1"
integrator = "none"
tolerances = ""
noise_model = "none"
median_ns = 1250.5
iqr_ns = 9.76953125
mad_ns = 4.884765625
min_ns = 625.25
max_ns = 2501.0
samples = 30
allocations = 0.0
warning = "noisy"
note = "before the new planner"
commit = "0123456"
"#;
    assert_eq!(body, expected);
}

#[test]
fn every_number_reads_back_to_the_last_bit() {
    let odd = [
        0.0,
        0.1 + 0.2,
        1.0 / 3.0,
        5e-324,
        1.7e308,
        123_456_789_012_345.67,
        4_503_599_627_370_497.5,
    ];
    let entries = odd.iter().enumerate().map(|(index, value)| Entry {
        median_ns: *value,
        iqr_ns: Some(value / 7.0),
        ..entry(&format!("case_{index}"), 1.0)
    });
    let before = with(entries.collect());
    let after = Baseline::parse(&before.render().unwrap()).unwrap();
    for (before, after) in before.entries.iter().zip(&after.entries) {
        assert_eq!(before.median_ns.to_bits(), after.median_ns.to_bits());
        assert_eq!(
            before.iqr_ns.map(f64::to_bits),
            after.iqr_ns.map(f64::to_bits)
        );
    }
    assert_eq!(after, before);
}

#[test]
fn odd_texts_read_back_as_they_were() {
    let long = "x".repeat(300);
    for text in [
        "\"quoted\"",
        "two\nlines\t\u{1b}[31m",
        "'''",
        "\\",
        "é µ",
        &long,
        "",
    ] {
        let before = with(vec![Entry {
            note: Some(text.to_owned()),
            warning: Some(text.to_owned()),
            commit: text.to_owned(),
            ..entry("a", 1.0)
        }]);
        let after = Baseline::parse(&before.render().unwrap()).unwrap();
        assert_eq!(after, before, "{text:?}");
    }
}

#[test]
fn entries_are_sorted_by_configuration_whatever_their_order_in_the_file() {
    let wider = Entry {
        width: Width::Threads(16),
        ..entry("b", 1.0)
    };
    let quick = Entry {
        size: Size::Quick,
        ..entry("b", 1.0)
    };
    let mixed = vec![quick, wider, entry("b", 1.0), entry("a", 1.0)];
    let read = Baseline::parse(&with(mixed).render().unwrap()).unwrap();
    let names: Vec<String> = read.entries.iter().map(Entry::to_string).collect();
    assert_eq!(names, ["a @1", "b @1", "b @16", "b quick @1"]);
}

#[test]
fn a_file_that_was_cut_anywhere_is_refused_with_a_line_of_it() {
    let text = baseline(2).render().unwrap();
    let whole = text.trim_end().len();
    assert!(Baseline::parse(text.get(..whole).unwrap()).is_ok());
    for cut in 0..whole {
        let torn = text.get(..cut).unwrap();
        let findings = Baseline::parse(torn).unwrap_err();
        let lines = torn.lines().count().max(1);
        for Finding { line, cause } in &findings {
            assert!(
                (1..=lines + 1).contains(line),
                "{cut}: line {line}: {cause}"
            );
            assert!(!cause.is_empty());
        }
    }
}

#[test]
fn a_file_of_a_later_version_is_refused_with_the_line_of_its_version() {
    let text = baseline(1).render().unwrap();
    let later = text.replace("version = 1", "version = 2\nnew_key = []");
    let found = refusal(&later);
    assert_eq!(found.line, line_with(&later, "version = 2"));
    assert!(
        found.cause.contains("version 2 is not the version 1"),
        "{found:?}"
    );
}

#[test]
fn the_same_configuration_twice_is_refused_with_both_lines() {
    let mut twice = baseline(2);
    twice.entries[1] = Entry {
        revision: 2,
        ..twice.entries[0].clone()
    };
    let text = twice.render().unwrap();
    let first = line_with(&text, "[[configuration]]");
    let found = refusal(&text);
    assert!(found.line > first);
    let expected = format!("`case_0 @1` is there twice, first in line {first}");
    assert_eq!(found.cause, expected);
}

#[test]
fn entries_that_are_gone_are_noticed_by_their_number() {
    let text = baseline(2).render().unwrap();
    let (kept, _) = text.rsplit_once("\n[[configuration]]").unwrap();
    let found = refusal(kept);
    assert_eq!(found.line, line_with(&text, "entries = 2"));
    assert!(
        found.cause.contains("`entries` is 2 and there are 1"),
        "{found:?}"
    );
}

#[test]
fn a_value_that_means_nothing_is_refused_with_its_line() {
    let text = baseline(1).render().unwrap();
    for (old, new, part) in [
        (
            "median_ns = 1000.0",
            "median_ns = nan",
            "NaN is not an amount",
        ),
        (
            "median_ns = 1000.0",
            "median_ns = -1.0",
            "-1 is not an amount",
        ),
        ("iqr_ns = 7.8125", "iqr_ns = inf", "inf is not an amount"),
        ("samples = 30", "samples = 0", "at least 1 sample"),
        (
            "mad_ns = 3.90625\nmin_ns = 500.0",
            "min_ns = 500.0",
            "`mad_ns` belong to them",
        ),
        ("revision = 1", "revision = 0", "revisions begin at 1"),
        (
            "case = \"case_0\"",
            "case = \"a\\n\\\"b\\\"\"",
            "is not a name",
        ),
        ("size = \"full\"", "size = \"medium\"", "medium"),
        ("width = \"1\"", "width = \"0\"", "unknown width"),
        ("allocations = 0.0", "alocations = 0.0", "alocations"),
    ] {
        assert!(text.contains(old), "{old}");
        let changed = text.replace(old, new);
        let found = refusal(&changed);
        assert!(found.cause.contains(part), "{new}: {found:?}");
        let named = part
            .strip_suffix(" belong to them")
            .map_or(new, |_| "samples = 30");
        assert_eq!(found.line, line_with(&changed, named), "{found:?}");
        assert!(!found.cause.contains('\n'), "{found:?}");
    }
}

#[test]
fn a_name_of_three_hundred_letters_is_refused_and_not_repeated_whole() {
    let long = "a".repeat(300);
    let text = with(vec![entry(&long, 1.0)]).render().unwrap();
    let found = refusal(&text);
    assert!(found.cause.contains("300 characters"), "{found:?}");
    assert!(!found.cause.contains(&long));
}

#[test]
fn more_entries_than_are_read_are_not_written() {
    let most = u32::try_from(ENTRIES_MAX).unwrap();
    let why = baseline(most + 1).render().unwrap_err();
    assert!(why.contains("10001 entries, and at most 10000"), "{why}");
    assert!(baseline(1).render().is_ok());
}

#[test]
fn everything_that_is_wrong_is_said_at_once() {
    let text = baseline(2).render().unwrap();
    let text = text.replace("samples = 30", "samples = 0");
    let findings = Baseline::parse(&text).unwrap_err();
    assert_eq!(findings.len(), 2);
    assert!(findings[0].line < findings[1].line);
}

#[test]
fn of_very_much_that_is_wrong_the_first_is_said_and_where_that_ends() {
    let text = baseline(30).render().unwrap();
    let text = text.replace("samples = 30", "samples = 0");
    let findings = Baseline::parse(&text).unwrap_err();
    assert_eq!(findings.len(), FINDINGS_MAX + 1);
    let Finding { line, cause } = &findings[FINDINGS_MAX];
    assert!(cause.contains("not looked at"), "{cause}");
    assert!(*line > findings[FINDINGS_MAX - 1].line);
    assert_eq!(text.lines().nth(line - 1), Some("[[configuration]]"));
}

#[test]
fn whole_numbers_that_people_write_are_times() {
    let text = baseline(1).render().unwrap();
    let text = text.replace("median_ns = 1000.0", "median_ns = 700");
    let read = Baseline::parse(&text).unwrap();
    assert_eq!(read.entries[0].median_ns.to_bits(), 700.0_f64.to_bits());
}
