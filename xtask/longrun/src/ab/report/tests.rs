//! The report: exit codes, text, JSON, Markdown, and that a file says the same.

#![allow(clippy::unwrap_used)]
use super::*;
use crate::ab::kept::file::{OBSERVATIONS, Recorder, read};
use crate::ab::kept::record::{
    BuildDifference, Calibration, Ending, Header, Observation, Outcome as Came, Phase, Standing,
};
use crate::ab::testing::{about, duet_of, header, observation, series};
use serde_json::Value;

fn record(header: Header, observations: Vec<Observation>, ending: Option<Ending>) -> Record {
    Record {
        header,
        observations,
        resumed: Vec::new(),
        ending,
    }
}

fn screened(configuration: usize, ratio: f64, spread: f64, count: u32) -> Vec<Observation> {
    series(
        configuration,
        Phase::Screen,
        0,
        &about(ratio, spread, count),
    )
}

/// One configuration of each of these words; each word needs an index of its own.
fn with_words(words: &[Word]) -> Record {
    let names: Vec<String> = (0..words.len())
        .map(|index| format!("case{index}"))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut made = header(&names);
    let mut observations = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let standing = match word {
            Word::New => Standing::New,
            Word::Missing => Standing::Missing,
            Word::ChangedConfiguration => Standing::Changed {
                reasons: vec!["`rtol` was 1e-6".to_owned()],
            },
            _ => Standing::Comparable,
        };
        made.configurations[index].standing = standing;
        made.build_difference.same |= *word == Word::SameBuild;
        observations.extend(match word {
            Word::Regressed => screened(index, 1.05, 0.004, 12),
            Word::Improved => screened(index, 0.95, 0.004, 12),
            Word::Unchanged => screened(index, 1.0, 0.004, 40),
            Word::Inconclusive => screened(index, 1.0, 0.08, 80),
            Word::ResultsDiffer => {
                vec![observation(
                    index,
                    Phase::Screen,
                    0,
                    duet_of(1.0, 1.0, (3, 3)),
                )]
            }
            Word::Failed => vec![observation(
                index,
                Phase::Screen,
                0,
                Came::Failed {
                    side: None,
                    reason: "it hung".to_owned(),
                },
            )],
            _ => Vec::new(),
        });
        let again = match word {
            Word::Regressed => 1.05,
            Word::Improved => 0.95,
            _ => continue,
        };
        observations.extend(series(index, Phase::Confirm, 0, &about(again, 0.004, 12)));
    }
    record(made, observations, Some(Ending::Decided))
}

fn code(record: &Record, strictness: Strictness) -> u8 {
    Report::of(record).exit(strictness).code()
}

#[test]
fn every_word_has_its_exit_code() {
    // Word; exit without a flag, with --strict, with --gate.
    for (word, plain, strict, gate) in [
        (Word::Regressed, 3, 3, 3),
        (Word::Improved, 0, 0, 0),
        (Word::Unchanged, 0, 0, 0),
        (Word::Inconclusive, 0, 4, 0),
        (Word::ResultsDiffer, 0, 7, 7),
        (Word::SameBuild, 0, 0, 0),
        (Word::ChangedConfiguration, 0, 0, 3),
        (Word::New, 0, 0, 3),
        (Word::Missing, 0, 0, 3),
        (Word::Failed, 1, 1, 1),
    ] {
        let mut made = with_words(&[word]);
        let words: Vec<Word> = Report::of(&made).verdicts.words().collect();
        assert_eq!(words, [word]);
        assert_eq!(code(&made, Strictness::Lenient), plain, "{word:?}");
        assert_eq!(code(&made, Strictness::Strict), strict, "{word:?} --strict");
        made.header.options.gate = true;
        assert_eq!(code(&made, Strictness::Lenient), gate, "{word:?} --gate");
    }
}

#[test]
fn the_most_important_of_several_words_is_the_exit() {
    use Word::{Failed, Inconclusive, Missing, Regressed, ResultsDiffer, Unchanged};
    for (words, plain, strict) in [
        (vec![Failed, ResultsDiffer, Regressed, Inconclusive], 1, 1),
        (vec![ResultsDiffer, Regressed, Inconclusive], 3, 7),
        (vec![Regressed, Inconclusive], 3, 3),
        (vec![Inconclusive, Unchanged, Missing], 0, 4),
        (vec![Unchanged, Missing], 0, 0),
    ] {
        for rotated in 0..words.len() {
            let mut words = words.clone();
            words.rotate_left(rotated);
            let made = with_words(&words);
            let said: Vec<Word> = Report::of(&made).verdicts.words().collect();
            assert_eq!(said, words);
            assert_eq!(code(&made, Strictness::Lenient), plain, "{words:?}");
            assert_eq!(code(&made, Strictness::Strict), strict, "{words:?}");
        }
    }
}

#[test]
fn a_build_called_changed_beside_itself_is_counted_and_no_failure() {
    let mut made = with_words(&[Word::Regressed]);
    made.header.options.aa = Some(1);
    assert_eq!(code(&made, Strictness::Strict), 0);
    let report = Report::of(&made);
    assert_eq!(report.calibrations[0].changed, 1);
    let text = text::of(&report);
    assert!(text.contains("false alarm"), "{text}");
    assert_eq!(json::of(&report)["cases"][0]["aa"]["changed"], 1);
    let mut failed = with_words(&[Word::Failed]);
    failed.header.options.aa = Some(1);
    assert_eq!(code(&failed, Strictness::Lenient), 1);
}

#[test]
fn the_text_has_a_line_for_each_configuration_and_the_rest_below() {
    let mut made = with_words(&[Word::Regressed, Word::Unchanged, Word::Missing]);
    made.header.options.gate = true;
    made.header.configurations[0].known_sd = Some(0.006);
    made.header.configurations[0].calibration = Some(Calibration {
        comparisons: 20,
        changed: 1,
        unchanged: 18,
        sd: Some(0.006),
        resolvable: Some(0.004),
    });
    made.observations[0].busy = Some(true);
    made.observations[1].busy = None;
    let expected = "\
baseline   aaaaaaa HEAD~1: Change the loop
candidate  bbbbbbb working tree: Change the loop
builds differ
  1 native file changed

configuration verdict change 99 % interval 95 % interval n spread sees results by A/A spread
";
    let text = text::of(&Report::of(&made));
    for line in expected.lines() {
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        let found = text.lines().any(|shown| words(shown) == words(line));
        assert!(found, "{line}\n{text}");
    }
    for part in [
        "\ncase0 @1       regressed",
        "\ncase1 @1       unchanged",
        "\ncase2 @1       missing",
        "case2 @1: not in the candidate\n",
        "case0 @1: A/A on this machine: 20 comparisons, 1 called changed and 18 proved unchanged; \
         a change of 0.40 % is seen\n",
        "suite: ",
        "over 2 configurations and ",
        "gate: FAILED, 2 of 3 checks\n",
        "  case2 @1: the candidate does not have it",
        "false alarms: equal programs are called changed in at most 0.05 % of comparisons, in any \
         of 2 configurations (0.025 % each, as a change was confirmed on fresh observations); the \
         suite in at most 1 %\n",
        "load: others used the machine in 1 of 64 observations; unknown in 1\n",
        "0.60 %\n",
        "run 20260101T000000Z-abcdef0-1234 on made-1s-2c\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn a_single_configuration_is_not_said_twice() {
    let one = with_words(&[Word::Unchanged, Word::New]);
    let report = Report::of(&one);
    assert!(
        !text::of(&report).contains("suite:"),
        "{}",
        text::of(&report)
    );
    assert!(!markdown::of(&report).contains("suite:"));
    assert_eq!(json::of(&report)["suite"]["verdict"], "unchanged");
    let two = with_words(&[Word::Unchanged, Word::Unchanged]);
    assert!(text::of(&Report::of(&two)).contains("\nsuite: unchanged, "));
}

#[test]
fn what_ended_early_is_said_so() {
    let stopped = record(header(&["a"]), screened(0, 1.0, 0.02, 4), None);
    let text = text::of(&Report::of(&stopped));
    assert!(
        text.contains("stopped before its end: these are the verdicts so far"),
        "{text}"
    );
    assert!(
        text.contains("--resume 20260101T000000Z-abcdef0-1234"),
        "{text}"
    );
    let late = record(header(&["a"]), Vec::new(), Some(Ending::OutOfTime));
    let text = text::of(&Report::of(&late));
    assert!(text.contains("the time of 15 min 0 s was up"), "{text}");
}

#[test]
fn differing_results_are_a_warning_with_their_size() {
    let made = with_words(&[Word::ResultsDiffer]);
    let text = text::of(&Report::of(&made));
    assert!(
        text.contains("warning: results differ between the sides"),
        "{text}"
    );
    assert!(text.contains("the states differ by 1.0e0"), "{text}");
}

#[test]
fn the_json_has_the_documented_fields() {
    let mut made = with_words(&[Word::Regressed, Word::New]);
    made.header.options.gate = true;
    let json = json::of(&Report::of(&made));
    assert_eq!(json["schema_version"], 1);
    assert_eq!(json["baseline"]["commit"], "a".repeat(40));
    assert_eq!(json["build_difference"]["same"], false);
    let case = &json["cases"][0];
    assert_eq!(case["verdict"], "regressed");
    assert_eq!(case["metric"], "cpu");
    assert_eq!(case["configuration"]["case"], "case0");
    let estimate = case["estimate"].as_f64().unwrap();
    assert!(
        (estimate - 0.05).abs() < 0.004,
        "a fraction, not a log-ratio: {estimate}"
    );
    for field in ["change_interval", "equivalence_interval"] {
        let ends = case[field].as_array().unwrap();
        let end = |at: usize| ends[at].as_f64().unwrap();
        assert!(end(0) < estimate && estimate < end(1), "{field}");
    }
    assert!(case["rounds"].as_u64().unwrap() >= 6);
    assert!(case["resolvable"].as_f64().unwrap() > 0.0);
    let new = &json["cases"][1];
    assert_eq!(
        (new["verdict"].clone(), new["metric"].clone()),
        ("new".into(), Value::Null)
    );
    assert_eq!(json["suite"]["verdict"], "regressed");
    assert_eq!(json["suite"]["interval"].as_array().unwrap().len(), 2);
    assert_eq!(json["gate"]["passed"], false);
    assert_eq!(json["gate"]["checks"].as_array().unwrap().len(), 1);
    assert_eq!(json["ending"], "decided");
    let equal = with_words(&[Word::SameBuild]);
    let json = json::of(&Report::of(&equal));
    assert_eq!(
        (json["suite"].clone(), json["gate"].clone()),
        (Value::Null, Value::Null)
    );
}

#[test]
fn a_file_says_the_same_as_the_comparison_that_wrote_it_bit_for_bit() {
    let mut made = with_words(&[
        Word::Regressed,
        Word::Unchanged,
        Word::Inconclusive,
        Word::ResultsDiffer,
        Word::Failed,
        Word::Missing,
    ]);
    made.header.options.gate = true;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(OBSERVATIONS);
    let mut recorder = Recorder::create(&path, &made.header).unwrap();
    for one in &made.observations {
        recorder.append(one).unwrap();
    }
    recorder.end(Ending::Decided).unwrap();
    let again = read(&path).unwrap();
    let (live, replayed) = (Report::of(&made), Report::of(&again));
    assert_eq!(json::of(&live).to_string(), json::of(&replayed).to_string());
    assert_eq!(text::of(&live), text::of(&replayed));
    assert_eq!(markdown::of(&live), markdown::of(&replayed));
    assert_eq!(live.verdicts, replayed.verdicts);
    for strictness in [Strictness::Lenient, Strictness::Strict] {
        assert_eq!(live.exit(strictness), replayed.exit(strictness));
    }
}

/// Names that would end a row, a cell or a line, or move a cursor.
fn odd() -> Record {
    let mut made = with_words(&[Word::Unchanged]);
    let name = "a|b\n# <script> `x` *y* [z](/etc) \u{1b}[2J\"\\";
    name.clone_into(&mut made.header.configurations[0].configuration.case);
    "fix | \u{7}\n## of /home/someone/x".clone_into(&mut made.header.baseline.subject);
    made.header.build_difference.reasons = vec!["flags -I/home/someone".to_owned()];
    made
}

#[test]
fn odd_names_break_neither_table_nor_json() {
    let made = odd();
    let report = Report::of(&made);
    let markdown = markdown::of(&report);
    let rows: Vec<&str> = markdown
        .lines()
        .filter(|line| line.starts_with('|'))
        .collect();
    assert_eq!(rows.len(), 3, "{markdown}");
    for row in rows {
        let escaped = row.matches("\\|").count();
        assert_eq!(row.matches('|').count() - escaped, 8, "{row}");
    }
    assert!(
        !markdown.contains("<script>") && !markdown.contains('\u{1b}'),
        "{markdown}"
    );
    assert!(!markdown.contains("someone"), "no path: {markdown}");
    assert_eq!(
        markdown
            .lines()
            .filter(|line| line.starts_with('#'))
            .count(),
        1
    );
    let text = text::of(&report);
    assert!(
        !text.contains('\u{1b}') && !text.contains('\u{7}'),
        "{text}"
    );
    let read: Value = serde_json::from_str(&json::of(&report).to_string()).unwrap();
    let case = &made.header.configurations[0].configuration.case;
    assert_eq!(read["cases"][0]["configuration"]["case"], *case);
}

#[test]
fn the_summary_is_kept_and_added_behind_that_of_the_step() {
    let folder = tempfile::tempdir().unwrap();
    let step = folder.path().join("step.md");
    std::fs::write(&step, "before\n").unwrap();
    let mut made = with_words(&[Word::Unchanged]);
    made.header.options.gate = true;
    let report = Report::of(&made);
    assert_eq!(report.keep(folder.path(), Some(&step)).unwrap(), None);
    let markdown = markdown::of(&report);
    let written = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(written(markdown::SUMMARY), markdown);
    assert_eq!(written("step.md"), format!("before\n{markdown}\n"));
    let gate: Value = serde_json::from_str(&written(GATE)).unwrap();
    assert_eq!(gate["passed"], true);
    let note = report
        .keep(folder.path(), Some(folder.path()))
        .unwrap()
        .unwrap();
    assert!(note.contains("GITHUB_STEP_SUMMARY names"), "{note}");
}

#[test]
fn the_false_alarms_that_are_stated_follow_from_what_was_done() {
    let sentence = |cases: &[&str], change: fn(&mut Header)| {
        let mut made = header(cases);
        change(&mut made);
        alarms::Alarms::of(&made).sentence()
    };
    assert_eq!(
        sentence(&["a"], |_| {}),
        "equal programs are called changed in at most 1 % of comparisons"
    );
    let twelve = ["a"; 12];
    assert!(sentence(&twelve, |_| {}).contains("at most 0.3 % of comparisons, in any of 12"));
    let fixed = sentence(&twelve, |header| header.options.rounds = Some(20));
    assert!(fixed.contains("at most 12 % of comparisons"), "{fixed}");
    assert!(fixed.contains("no change was confirmed"), "{fixed}");
    assert!(sentence(&["a"], |header| header.options.alpha = 0.001).contains("0.1 %"));
}

#[test]
fn a_difference_of_builds_is_told_in_words() {
    let mut made = with_words(&[Word::SameBuild]);
    made.header.build_difference = BuildDifference {
        same: true,
        reasons: vec!["only comments changed".to_owned()],
    };
    let text = text::of(&Report::of(&made));
    assert!(
        text.contains("same build\n  only comments changed\n"),
        "{text}"
    );
    assert!(text.contains("case0 @1       same build"), "{text}");
}
