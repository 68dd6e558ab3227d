//! How a comparison is shown.
#![allow(clippy::unwrap_used)]

use longrun_measure::stored::{Policy, Verdict};

use super::super::compare::made::row;
use super::super::found::Standing;
use super::super::found::made::found;
use super::*;
use crate::colour::Tone;

fn measured(case: &str, verdict: Verdict, base: f64, now: f64) -> Row {
    Row {
        base_median_ns: Some(base),
        median_ns: Some(now),
        relative: Some(now / base - 1.0),
        sigmas: Some(54.02),
        standard_error: Some(0.0031),
        decided_by: vec!["relative", "sigmas"],
        commit: Some("0123456".into()),
        ..row(case, verdict)
    }
}

fn comparison() -> Comparison {
    Comparison {
        file: "kernels.toml".into(),
        policy: Policy::Tracker,
        differences: Vec::new(),
        rows: vec![
            Row {
                note: Some("before the\nnew planner".into()),
                ..measured("fft_forward", Verdict::Regressed, 1000.0, 1400.0)
            },
            Row {
                earlier: Some("sum".into()),
                allocation_delta: Some(2.0),
                decided_by: vec!["ratio"],
                ..measured("sum_squares", Verdict::Improved, 2e6, 1e6)
            },
            row("moments", Verdict::Inconclusive),
            row("absorb", Verdict::New),
        ],
        missing: vec![Missing {
            configuration: found("gone", Standing::NotRun(String::new())).configuration,
            reason: "not run".into(),
        }],
        other_sizes: 2,
    }
}

#[test]
fn the_text_has_a_row_for_each_verdict_a_line_for_each_missing_entry_and_a_panel() {
    let text = to_text(&comparison(), Frame::ASCII, Palette::Plain);
    let expected = "\n\
compared with the baseline kernels.toml, policy tracker: a change is 5 % or more, and 3 sigmas \
or more\n\
\x20  configuration                    baseline             now  verdict       reason\n\
!! fft_forward @1                    1.00 µs ->      1.40 µs  regressed     so it is; \
standard error 0.31 %\n\
\x20   note of the baseline, taken at 0123456: before the new planner\n\
++ sum_squares @1                    2.00 ms ->      1.00 ms  improved      so it is; \
-50.00 %; 54.02 sigmas; standard error 0.31 %\n\
\x20   called `sum` in the baseline\n\
\x20   allocations of one operation: +2 since the baseline (not judged)\n\
?? moments @1                              - ->            -  inconclusive  so it is\n\
\x20  absorb @1                               - ->            -  new           so it is\n\
-- gone @1: not run\n\
note: 2 entries of the baseline at other sizes: not part of this comparison\n\
+--------------------+\n\
| compared         4 |\n\
| regressed        1 |\n\
| improved         1 |\n\
| inconclusive     1 |\n\
| new              1 |\n\
| incomparable     0 |\n\
| invalid          0 |\n\
+--------------------+\n";
    assert_eq!(text, expected);
}

#[test]
fn a_figure_is_said_once_by_the_reason_or_beside_it_and_an_unknown_one_is_unknown() {
    let said = |decided_by: Vec<&'static str>, sigmas| {
        reason(&Row {
            decided_by,
            sigmas,
            standard_error: None,
            ..measured("a", Verdict::Pass, 1000.0, 1020.0)
        })
    };
    let (unknown, none) = ("standard error unknown", "unknown sigmas");
    for (decided_by, sigmas, beside) in [
        (vec!["relative", "sigmas"], Some(1.5), vec![unknown]),
        (vec!["relative"], Some(1.5), vec!["1.50 sigmas", unknown]),
        (vec!["sigmas"], Some(1.5), vec![unknown]),
        (vec!["standard_error"], Some(1.5), vec!["1.50 sigmas"]),
        (vec!["mixed_processes"], None, vec![none, unknown]),
        (vec!["noisy"], None, vec!["+2.00 %", none, unknown]),
    ] {
        let expected = [&["so it is"][..], &beside].concat().join("; ");
        assert_eq!(said(decided_by, sigmas), expected);
    }
}

#[test]
fn allocations_that_differ_are_said_in_text_and_markdown() {
    let row = |number, bytes| Row {
        allocation_delta: number,
        allocated_bytes_delta: bytes,
        ..row("a", Verdict::Pass)
    };
    for (number, bytes, part) in [
        (Some(-0.5), None, "-0.50"),
        (Some(3.0), Some(-1536.0), "+3, -1.50 KiB"),
        (Some(0.0), Some(64.0), "+64 B"),
    ] {
        let one = Comparison {
            rows: vec![row(number, bytes)],
            ..comparison()
        };
        let said = format!("allocations of one operation: {part} since the baseline");
        let text = to_text(&one, Frame::ASCII, Palette::Plain);
        assert!(text.contains(&said), "{text}");
        assert!(to_markdown(&one).contains(&said), "{part}");
    }
    for delta in [Some(0.0), None] {
        assert_eq!(notes(&row(delta, delta)), [""; 0]);
    }
}

#[test]
fn what_is_painted_has_its_width_already() {
    let plain = to_text(&comparison(), Frame::ASCII, Palette::Plain);
    let painted = to_text(&comparison(), Frame::ASCII, Palette::Ansi);
    let bad = Palette::Ansi.paint(Tone::Bad, "regressed    ");
    assert!(painted.contains(&bad), "{painted}");
    let mut bare = painted.clone();
    for tone in [Tone::Bad, Tone::Good, Tone::Doubtful, Tone::Muted] {
        let around = Palette::Ansi.paint(tone, "|");
        let (before, after) = around.split_once('|').unwrap();
        bare = bare.replace(before, "").replace(after, "");
    }
    assert_eq!(bare, plain);
}

#[test]
fn a_long_name_widens_its_column_and_breaks_no_line() {
    let mut long = comparison();
    long.rows[2].configuration.variant = format!("quote=\"\n{}", "x".repeat(300));
    long.rows[0].note = Some("n".repeat(1000));
    let text = to_text(&long, Frame::ASCII, Palette::Plain);
    let longest = text.lines().map(|line| line.chars().count()).max();
    assert!(longest.unwrap() < 300, "{text}");
    let row = text.lines().find(|line| line.starts_with("??")).unwrap();
    assert!(row.contains('…') && row.contains("inconclusive"), "{row}");
    let arrows: Vec<usize> = text.lines().filter_map(|line| line.find("->")).collect();
    assert_eq!(arrows.len(), 4);
    let plain = to_text(&comparison(), Frame::ASCII, Palette::Plain);
    assert_eq!(text.lines().count(), plain.lines().count());
}

#[test]
fn the_json_has_every_number_and_null_where_there_is_none() {
    let json = to_json(&comparison());
    assert_eq!(json["policy"], "tracker");
    assert_eq!(json["passed"], false);
    assert_eq!(json["tally"]["regressed"], 1);
    assert_eq!(json["tally"]["total"], 4);
    let line = "4 compared: 1 regressed, 1 improved, 1 inconclusive, 1 new";
    assert_eq!(json["summary"], line);
    let slow = &json["rows"][0];
    assert_eq!(slow["verdict"], "regressed");
    assert_eq!(slow["name"], "fft_forward @1");
    assert_eq!(slow["base_median_ns"], 1000.0);
    assert_eq!(slow["decided_by"][1], "sigmas");
    assert_eq!(slow["note"], "before the\nnew planner");
    let new = &json["rows"][3];
    for key in [
        "base_median_ns",
        "new_median_ns",
        "relative",
        "sigmas",
        "alloc_delta",
    ] {
        assert!(new.as_object().unwrap().contains_key(key), "{key}");
        assert!(new[key].is_null(), "{key}");
    }
    assert_eq!(json["missing"][0]["name"], "gone @1");
}

#[test]
fn the_markdown_names_no_path_and_no_name_breaks_its_table() {
    let mut odd = comparison();
    odd.file = "/home/somebody/kernels.toml".into();
    odd.rows[2].configuration.variant = "a=|`\n".into();
    let text = to_markdown(&odd);
    assert!(!text.contains("somebody"), "{text}");
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
    assert_eq!(rows.len(), 2 + 4, "{text}");
    for row in &rows {
        let cells = row.replace("\\|", "").matches('|').count();
        assert_eq!(cells, 7, "{row}");
    }
    assert!(text.contains("4 compared: 1 regressed"), "{text}");
    assert!(text.contains("* missing: gone @1: not run"), "{text}");
}

#[test]
fn another_machine_is_named_above_the_rows() {
    let other = Comparison {
        differences: vec!["the hardware set was `a-1c` and is `b-2c`".into()],
        policy: Policy::Acceptance,
        ..comparison()
    };
    let text = to_text(&other, Frame::ASCII, Palette::Plain);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[1].ends_with("policy acceptance: a change is a ratio beyond 1.10"));
    assert_eq!(lines[2], "  the hardware set was `a-1c` and is `b-2c`");
}

#[test]
fn what_differs_of_another_machine_is_said_once_and_not_by_every_row() {
    let difference = "the hardware set was a-1c and is b-2c";
    let apart = |case| Row {
        decided_by: vec![OTHER_FINGERPRINT],
        reason: difference.into(),
        ..row(case, Verdict::Incomparable)
    };
    let other = Comparison {
        differences: vec![difference.into()],
        rows: vec![apart("a"), apart("b")],
        ..comparison()
    };
    let text = to_text(&other, Frame::ASCII, Palette::Plain);
    for said in [text, to_markdown(&other)] {
        assert_eq!(said.matches(difference).count(), 1, "{said}");
        assert_eq!(said.matches(ELSEWHERE).count(), 2, "{said}");
    }
    assert_eq!(to_json(&other)["rows"][0]["reason"], difference);
}
