//! `cases`: runs are kept, tables are made from them, and what is not sound is not kept.

use std::fs::{self, File};

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::case::Case;
use crate::page;
use crate::ran::{Ran, members, wait_until};

/// A page with two tables, and text by hand around them.
const PAGE: &str = "\
# Cases

By hand, before.

<!-- cases: cost -->
<!-- end -->

By hand, between.

<!-- cases: sizes case=a
length = length_m
what = title
-->
<!-- end -->

By hand, behind.
";

/// The file of the records.
const RECORDS: &str = "docs/records/tracking.json";

fn sound(name: &str) -> Case {
    Case::new(name)
        .size_line(r#"oracles = ["energy"]"#)
        .parameter("length_m = 0.15")
        .takes_ns([2_000_000_000, 1_000_000_000, 1_500_000_000])
}

fn bench(case: Case) -> Bench {
    Bench::new().file("docs/cases.md", PAGE).case(case).commit()
}

/// Keeps a document in a file outside the repository, and returns its path.
fn kept(bench: &Bench, name: &str, text: &str) -> String {
    let path = bench.outside(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The document of a run of everything.
fn tracked(bench: &Bench, code: i32) -> Value {
    bench.run(["track", "--json"]).exits(code).json()
}

fn record(bench: &Bench, document: &Value) -> Ran {
    let path = kept(bench, "document.json", &document.to_string());
    bench.run(["cases", "--record", &path])
}

#[test]
fn runs_are_kept_and_the_tables_of_the_page_are_made_from_them() {
    let bench = bench(sound("a"));
    let ran = record(&bench, &tracked(&bench, 0)).exits(0);
    ran.says("took up 1 record in docs/records")
        .says("made 2 of 2 tables of docs/cases.md anew");
    let text = bench.read("docs/cases.md");
    assert!(
        text.contains("| `a` | 10 + 2 | 73 | 8.00 MiB | 1.50 s | 66.7 % |\n"),
        "{text}"
    );
    assert!(
        text.contains("| `full` | 150 mm | The case a |\n"),
        "{text}"
    );
    let by_hand = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.starts_with("By hand"));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(by_hand(&text), by_hand(PAGE));
    let records = bench.read(RECORDS);
    bench
        .run(["cases"])
        .exits(0)
        .says("2 tables of docs/cases.md as they would be made");
    bench.run(["cases", "--check"]).exits(0);
    assert_eq!(bench.read("docs/cases.md"), text);
    assert_eq!(bench.read(RECORDS), records);
}

#[test]
fn a_later_run_replaces_an_earlier_one() {
    let mut bench = bench(sound("a"));
    record(&bench, &tracked(&bench, 0)).exits(0);
    let slower = sound("a").takes_ns([4_000_000_000, 4_000_000_000, 4_000_000_000]);
    bench.redefine(slower);
    record(&bench, &tracked(&bench, 0))
        .exits(5)
        .says("the run was of code that is not committed");
    bench.commit_all("slower");
    record(&bench, &tracked(&bench, 0)).exits(0);
    let text = bench.read("docs/cases.md");
    assert!(text.contains("| 4.00 s | 0.0 % |\n"), "{text}");
    let lines = bench.read(RECORDS);
    assert_eq!(lines.matches("\"kind\":\"cost\"").count(), 1, "{lines}");
}

/// Whether the page has the cost of a case.
fn shows_cost(text: &str, case: &str) -> bool {
    text.contains(&format!("| `{case}` | 10 + 2 | 73 |"))
}

/// A bench of these cases, and for each the path of a document with its part of one run.
fn of_each<const N: usize>(cases: [&str; N]) -> (Bench, [String; N]) {
    let mut bench = Bench::new().file("docs/cases.md", PAGE);
    for name in cases {
        bench = bench.case(sound(name));
    }
    let bench = bench.commit();
    let whole = tracked(&bench, 0);
    let documents = cases.map(|name| {
        let mut part = whole.clone();
        let results = part["results"].as_array_mut().unwrap();
        results.retain(|result| result["configuration"]["case"] == name);
        assert_eq!(results.len(), 1, "{name}");
        kept(&bench, &format!("{name}.json"), &part.to_string())
    });
    (bench, documents)
}

#[test]
fn runs_that_are_recorded_at_once_are_all_kept_and_shown() {
    let cases = ["a", "b", "c", "d", "e", "f"];
    let (bench, documents) = of_each(cases);
    let running = documents.map(|path| bench.start(["cases", "--record", &path]));
    for running in running {
        running.finish().exits(0).says("took up 1 record");
    }
    let records = bench.read(RECORDS);
    let kept = records.matches("\"kind\":\"cost\"").count();
    assert_eq!(kept, cases.len(), "{records}");
    let text = bench.read("docs/cases.md");
    for case in cases {
        assert!(shows_cost(&text, case), "{case}: {text}");
    }
    bench.run(["cases", "--check"]).exits(0);
}

#[test]
fn what_another_records_while_one_waits_for_it_is_kept_too() {
    let (bench, [first, second]) = of_each(["a", "b"]);
    bench.run(["cases", "--record", &first]).exits(0);
    let of_first = bench.read(RECORDS);
    fs::remove_file(bench.root().join(RECORDS)).unwrap();
    // The other: it holds the lock, and has written its records when it lets go.
    let folder = bench.home().join("cache/longrun/locks");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut locks = entries.filter(|entry| {
        let name = entry.file_name().into_string().unwrap();
        name.starts_with("cases-")
    });
    let lock = File::open(locks.next().unwrap().path()).unwrap();
    lock.lock().unwrap();
    let running = bench.start(["cases", "--record", &second]);
    wait_until("it waits", || {
        let said = running.said();
        said.contains("waiting for another `cargo xtask cases`")
    });
    bench.run(["cases", "--check"]).exits(1);
    bench.write(RECORDS, &of_first);
    lock.unlock().unwrap();
    running.finish().exits(0);
    let text = bench.read("docs/cases.md");
    assert!(shows_cost(&text, "a") && shows_cost(&text, "b"), "{text}");
}

#[test]
fn verifications_and_studies_are_kept_beside_runs() {
    let bench = bench(sound("a").line(r#"steppers = ["rk"]"#));
    let markers = "\n<!-- cases: oracles case=a -->\n<!-- end -->\n\
                   <!-- cases: study -->\n<!-- end -->\n";
    bench.append("docs/cases.md", markers);
    let track = kept(&bench, "track.json", &tracked(&bench, 0).to_string());
    let verify = bench.run(["verify", "--json"]).exits(0).stdout;
    let verify = kept(&bench, "verify.json", &verify);
    let line = json!({
        "case": "a", "size": "full", "revision": 1, "stepper": "rk", "rtol": 1e-8,
        "error": 2.5e-7, "evaluations": 73, "accepted": 12, "rejected": 0,
        "seconds_ratio_to_rk": 1.0
    });
    let study = kept(&bench, "study.jsonl", &format!("{line}\n"));
    let mut foreign = line;
    foreign["stepper"] = json!("euler");
    record(&bench, &foreign)
        .exits(5)
        .says("`a` has no stepper `euler`")
        .says("nothing was recorded");
    bench
        .run(["cases", "--record", &track, &verify, &study])
        .exits(0)
        .says("took up 3 records");
    let text = bench.read("docs/cases.md");
    let rows = [
        "| energy, end over launch | 2 ± 0.5 J | 2.000 J |\n",
        "| `a` | `rk` | 1e-8 | 2.5e-7 | 12 | 73 | 1.00 |\n",
        "| `a` | 10 + 2 | 73 |",
    ];
    for row in rows {
        assert!(text.contains(row), "{row}: {text}");
    }
}

#[test]
fn a_check_changes_nothing_and_names_the_first_table_that_differs() {
    let bench = bench(sound("a"));
    bench
        .run(["cases", "--check"])
        .exits(1)
        .says("docs/cases.md:5: the table `cost` is not as it would be made")
        .says("2 of 2 tables differ");
    assert_eq!(bench.read("docs/cases.md"), PAGE);
    let document = kept(&bench, "document.json", "{}");
    bench
        .run(["cases", "--check", "--record", &document])
        .exits(2);
}

#[test]
fn a_hand_edit_of_a_generated_table_is_found_by_tidy() {
    let bench = bench(sound("a"));
    bench.run(["cases"]).exits(0);
    let findings = || -> Vec<Value> {
        // The bench keeps few of the other rules, which is not what this is about.
        let report = bench.run(["tidy", "--json"]).exits(1).json();
        let findings = report["findings"].as_array().unwrap().iter();
        let of_cases = findings.filter(|finding| finding["rule"] == "cases");
        of_cases.cloned().collect()
    };
    assert_eq!(findings(), [Value::Null; 0]);
    let text = bench.read("docs/cases.md");
    bench.write("docs/cases.md", &text.replace("150 mm", "151 mm"));
    let found = findings();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["path"], "docs/cases.md");
    let message = found[0]["message"].as_str().unwrap();
    assert!(message.contains("`sizes case=a`"), "{message}");
    bench.run(["cases"]).exits(0);
    assert_eq!(findings(), [Value::Null; 0]);
    record(&bench, &tracked(&bench, 0)).exits(0);
    let records = bench.read(RECORDS);
    bench.write(RECORDS, &records.replace("\"repeats\":3", "\"repeats\":4 "));
    let message = findings()[0]["message"].as_str().unwrap().to_owned();
    assert!(
        message.contains("docs/records/tracking.json`:5: "),
        "{message}"
    );
}

#[test]
fn a_run_of_an_earlier_definition_is_not_shown() {
    let mut bench = bench(sound("a"));
    let document = tracked(&bench, 0);
    record(&bench, &document).exits(0);
    bench.redefine(sound("a").revision(2));
    bench.run(["cases", "--check"]).exits(1);
    bench.run(["cases"]).exits(0);
    let text = bench.read("docs/cases.md");
    let note = "* Left out: `a` at size full, which was recorded at revision 1 and has revision 2 \
                now.\n";
    assert!(text.contains(note) && !text.contains("1.50 s"), "{text}");
    record(&bench, &document)
        .exits(5)
        .says("`a` at size full was run at revision 1 and has revision 2 now");
}

#[test]
fn what_is_not_sound_is_refused_and_nothing_is_written() {
    let bench = Bench::new()
        .file("docs/cases.md", PAGE)
        .case(sound("a").behaves("far_oracle"))
        .case(sound("b").behaves("crash"))
        .case(sound("c"))
        .commit();
    let crashed = tracked(&bench, 1);
    let failed = bench.run(["verify", "--json"]).exits(1).json();
    let only_c = ["track", "--json", "--case", "c"];
    let whole = bench.run(only_c).exits(0).json();
    let mut with_path = whole.clone();
    let path = format!("in {}", bench.root().display());
    with_path["results"][0]["integrator"] = json!(path);
    let table = [
        (crashed, "`b reference @1` is failed: it has no time"),
        (
            failed.clone(),
            "`energy, end over launch` is not as expected",
        ),
        (
            failed.clone(),
            "`b reference @1` did not answer: the worker died of signal 6",
        ),
        (with_path, "`c` at size full names a path of a machine"),
    ];
    for (document, reason) in table {
        record(&bench, &document)
            .exits(5)
            .says(reason)
            .says("nothing was recorded");
    }
    let whole = whole.to_string();
    let half = kept(&bench, "half.json", &whole[..whole.len() / 2]);
    let good = kept(&bench, "whole.json", &whole);
    bench
        .run(["cases", "--record", &good, &half])
        .exits(2)
        .says("failed to read `")
        .says("half.json`: it is no whole document of `track --json`");
    let listed = bench.run(["list", "--json"]).exits(0).json();
    record(&bench, &listed)
        .exits(2)
        .says("it is no whole document of `track --json`");
    let mut empty = failed;
    empty["passed"] = json!(true);
    empty["lines"] = json!([]);
    empty["failures"] = json!([]);
    record(&bench, &empty).exits(2).says("it holds nothing");
    let absent = bench.outside("absent.json");
    bench
        .run(["cases", "--record", &good, absent.to_str().unwrap()])
        .exits(6);
    assert!(!bench.has("docs/records"));
    assert_eq!(bench.read("docs/cases.md"), PAGE);
}

#[test]
fn nothing_that_is_kept_names_the_host_or_a_path() {
    let bench = bench(sound("a").behaves("reveals"));
    record(&bench, &tracked(&bench, 0)).exits(0);
    let text = bench.read(RECORDS) + &bench.read("docs/cases.md");
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    let root = bench.root().to_str().unwrap();
    let home = bench.home();
    for secret in [
        host.trim(),
        root,
        home.to_str().unwrap(),
        "tester@example.org",
    ] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
}

#[test]
fn a_page_that_cannot_be_made_says_why_and_is_left_as_it_is() {
    let bench = bench(sound("a"));
    for (old, new, said) in [
        (
            "cost -->",
            "paint -->",
            "`docs/cases.md`:5: `paint` is no kind",
        ),
        (
            "case=a",
            "case=gone",
            "`docs/cases.md`:10: suite `tracking` has no case `gone`",
        ),
        (
            "what = title\n-->\n<!-- end -->",
            "-->\n",
            "`docs/cases.md`:10: no `<!-- end -->`",
        ),
    ] {
        let text = PAGE.replace(old, new);
        bench.write("docs/cases.md", &text);
        bench.run(["cases"]).exits(2).says(said);
        assert_eq!(bench.read("docs/cases.md"), text);
    }
    fs::remove_file(bench.root().join("docs/cases.md")).unwrap();
    bench
        .run(["cases"])
        .exits(6)
        .says("failed to read `")
        .says("docs/cases.md");
}

#[test]
fn damaged_records_are_refused_with_their_line() {
    let bench = bench(sound("a"));
    record(&bench, &tracked(&bench, 0)).exits(0);
    let records = bench
        .read(RECORDS)
        .replace("\"repeats\":3", "\"repeats\":0");
    bench.write(RECORDS, &records);
    bench
        .run(["cases"])
        .exits(2)
        .says("`docs/records/tracking.json`:5: its times are none");
}

#[test]
fn the_json_is_what_the_manual_says() {
    let bench = bench(sound("a"));
    let report = bench.run(["cases", "--json"]).exits(0).json();
    let table = |name: &str, line: usize| json!({"table": name, "line": line, "differed": true});
    let golden = json!({
        "schema_version": 1,
        "page": "docs/cases.md",
        "recorded": 0,
        "tables": [table("cost", 5), table("sizes case=a", 10)]
    });
    assert_eq!(report, golden);
    let manual = page::of_repository("docs/manual.md");
    let part = manual.split("\n## cases\n").nth(1).unwrap();
    let part = part.split("\n## ").next().unwrap();
    for field in members(&report) {
        assert!(part.contains(field), "{field}");
    }
}
