//! `docs/release-checklist.md`, carried out: every line of it, in its order, in a made repository.

use crate::bench::Bench;
use crate::case::Case;
use crate::{changes, page};

const PAGE: &str = "docs/release-checklist.md";

/// What the checklist is carried out in: a native suite, an earlier release, and a place to push
/// to.
fn bench() -> Bench {
    let bench = Bench::new()
        .native_project()
        .case(
            changes::case("a")
                .widths(r#"["1", "production"]"#)
                .size_line(r#"oracles = ["energy"]"#),
        )
        .case(Case::new("b"))
        .commit();
    bench.git(["tag", "v1.2.2"]);
    bench.append(
        "native/src/minimal.cpp",
        "extern \"C\" int more() { return 3; }\n",
    );
    bench.commit_all("more code of the same cost");
    let origin = bench.outside("origin.git");
    let origin = origin.to_str().unwrap();
    bench.git(["init", "--quiet", "--bare", "--initial-branch=main", origin]);
    bench.git(["remote", "add", "origin", origin]);
    bench.git(["push", "--quiet", "--set-upstream", "origin", "main"]);
    bench
}

/// The lines of the checklist.
fn lines() -> Vec<String> {
    let blocks = page::blocks(PAGE);
    assert!(blocks.iter().all(|block| block.language == "sh"), "{PAGE}");
    let lines = blocks.iter().flat_map(|block| block.text.lines());
    lines.map(str::to_owned).collect()
}

/// The words of a line; what stands in double quotes is one word.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in line.split('"').enumerate() {
        match index % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

/// Carries one line out; `RUN` is the run that was recorded last, `PREVIOUS` the release before.
#[track_caller]
fn carry_out(bench: &Bench, line: &str) {
    let run = bench.rows().pop().map(|row| row["run_id"].clone());
    let meant = |word: String| match word.as_str() {
        "RUN" => run.clone().unwrap(),
        "PREVIOUS" => "v1.2.2".to_owned(),
        _ => word,
    };
    let words: Vec<String> = words(line).into_iter().map(meant).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if let ["cargo", "xtask", arguments @ ..] = words.as_slice() {
        bench.run(arguments).exits(0);
        return;
    }
    assert_eq!(
        words[0], "git",
        "`{line}` of {PAGE} is not `cargo xtask` either"
    );
    bench.git_words(&words[1..]);
}

#[test]
fn every_line_of_the_release_checklist_works_and_the_rows_are_published() {
    let bench = bench();
    let before = bench.commit_id("HEAD");
    for line in lines() {
        carry_out(&bench, &line);
    }
    assert!(bench.outside("archive").is_dir());
    let rows = bench.committed_rows();
    assert!(
        rows.iter()
            .any(|row| row["case"] == "a" && row["commit"] == before)
    );
    assert_eq!(bench.status(), "");
    assert_eq!(bench.commit_id("HEAD"), bench.commit_id("origin/main"));
    assert_ne!(bench.commit_id("HEAD"), before);
}

#[test]
fn the_release_checklist_records_once_and_only_after_it_has_asked() {
    let lines = lines();
    let at = |line: &str| lines.iter().position(|other| other == line).unwrap();
    let record = "cargo xtask track --append-history --archive ../archive";
    assert!(at("cargo xtask track --append-history --dry-run") < at(record));
    assert!(at(record) < at("cargo xtask history") && at("cargo xtask history") < at("git push"));
    let excused = |line: &str| line.contains("--dry-run") || line.contains("--resume");
    let recording = lines
        .iter()
        .filter(|line| line.contains("--append-history") && !excused(line));
    assert_eq!(recording.count(), 1);
}
