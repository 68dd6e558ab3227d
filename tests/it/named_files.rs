//! Files that a user names: what must not be written is not.

use std::fs;
use std::process::Command;

use crate::kernels::{operation, with};

#[test]
fn what_is_measured_or_belongs_to_git_history_or_longrun_is_never_written() {
    let bench = with([operation("fft")]).commit();
    let manifest = bench.read("Cargo.toml");
    for flag in ["--markdown", "--jsonl", "--save-baseline"] {
        for (file, why) in [
            ("Cargo.toml", "part of what is measured"),
            ("history/times.csv", "folder of the history"),
            (".git/description", "it is git's"),
            ("target/longrun/times", "what Longrun builds and runs"),
        ] {
            let ran = bench.track_kernels(&format!("{flag} {file}")).exits(2);
            ran.says(why)
                .says(&format!("give another file with {flag}"));
        }
    }
    assert!(bench.ran().is_empty(), "nothing was run");
    assert_eq!(bench.read("Cargo.toml"), manifest);
}

#[test]
fn a_file_that_holds_something_else_is_not_replaced_by_a_report() {
    let bench = with([operation("fft")]).commit();
    let notes = bench.outside("notes.md");
    fs::write(&notes, "# Mine\n").unwrap();
    let words = format!("--markdown {}", notes.display());
    let ran = bench.track_kernels(&words).exits(2);
    ran.says("there is a file that is no report of a run");
    assert_eq!(fs::read_to_string(&notes).unwrap(), "# Mine\n");
    fs::write(&notes, "").unwrap();
    for _ in 0..2 {
        bench.track_kernels(&words).exits(0);
        assert!(fs::read_to_string(&notes).unwrap().starts_with("## Run "));
    }
}

#[test]
fn lines_are_not_added_to_a_file_of_another_kind() {
    let bench = with([operation("fft")]).commit();
    let table = bench.outside("times.csv");
    fs::write(&table, "a,b\n1,2\n").unwrap();
    let words = format!("--jsonl {}", table.display());
    let ran = bench.track_kernels(&words).exits(2);
    ran.says("it does not begin with an object");
    assert_eq!(fs::read_to_string(&table).unwrap(), "a,b\n1,2\n");
}

#[test]
fn a_baseline_is_not_waited_for_at_a_pipe() {
    let bench = with([operation("fft")]).commit();
    let pipe = bench.outside("pipe.toml");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let words = format!("--baseline-file {}", pipe.display());
    let ran = bench.track_kernels(&words).exits(2);
    ran.says("it is no ordinary file");
}
