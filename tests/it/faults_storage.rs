//! Disks that are full, folders that cannot be written, and several writers at once: nothing that
//! was finished is lost, and nothing is left that blocks the next run.

use std::fs::{self, OpenOptions};

use crate::bench::Bench;
use crate::case::Case;
use crate::ran::wait_until;

/// A shell's limit on the size of files. A write beyond it fails half done, as on a full disk.
const SMALL_FILES: &str = "trap '' XFSZ; ulimit -f 20";

/// Cases whose plan fits into the limit of ten KiB, and whose results do not.
fn many() -> Bench {
    let long = format!("integrator = \"{}\"", "a long name ".repeat(60));
    let cases = (0..12).map(|number| Case::new(&format!("c{number}")).parameter(&long));
    cases.fold(Bench::new(), Bench::case).commit()
}

#[test]
fn a_disk_that_fills_in_the_middle_loses_nothing_and_the_run_goes_on_later() {
    let bench = many();
    let ran = bench.run_after(SMALL_FILES, ["track"]).exits(6);
    let ran = ran.says("failed to write").says("results.jsonl");
    let ran = ran.says("ulimit -f");
    ran.says("what is complete is kept; go on with `cargo xtask track --resume");
    let started = bench.ran().len();
    assert!((2..12).contains(&started), "{started}");
    let torn = bench.bundle().text("results.jsonl");
    assert!(
        !torn.ends_with('\n'),
        "the disk was full in the middle of a line"
    );
    let ran = bench
        .run(["track", "--resume", "20", "--append-history"])
        .exits(0);
    ran.says(&format!("{} of 12 configurations complete", started - 1));
    assert_eq!(bench.ran().len(), 13, "one was run again");
    assert_eq!(bench.committed_rows().len(), 12);
}

#[test]
fn the_signal_of_a_limit_on_files_ends_nothing_but_the_write() {
    let bench = many();
    // Nobody ignores the signal here: its default would end the program.
    let ran = bench.run_after("ulimit -f 20", ["track"]).exits(6);
    ran.says("failed to write")
        .says("results.jsonl")
        .says("go on with `cargo xtask track --resume");
    bench.run(["track", "--resume", "20"]).exits(0);
}

#[test]
fn a_run_that_fails_before_its_first_result_says_how_to_go_on() {
    let long = format!("integrator = \"{}\"", "a long name ".repeat(900));
    let bench = Bench::new().case(Case::new("a").parameter(&long)).commit();
    let ran = bench.run_after("ulimit -f 20", ["track"]).exits(6);
    ran.says("ulimit -f")
        .says("once that is settled, go on with `cargo xtask track --resume");
    bench.run(["track", "--resume", "20"]).exits(0);
}

#[test]
fn a_disk_that_is_full_from_the_start_is_an_environment_failure() {
    let bench = many();
    let ran = bench.run_after("trap '' XFSZ; ulimit -f 0", ["track"]);
    // There is no room for the message either.
    assert_eq!(ran.exit, Some(6));
    assert_eq!(bench.ran(), [""; 0]);
    bench.run(["track"]).exits(0);
}

#[test]
fn a_disk_that_fills_during_the_build_leaves_nothing_that_counts_as_built() {
    let bench = Bench::new()
        .native_project()
        .case(Case::new("a").native())
        .commit();
    let ran = bench.run_after(SMALL_FILES, ["track"]).exits(6);
    ran.says("failed to").does_not_say("panicked");
    assert_eq!(bench.ran(), [""; 0]);
    bench.run(["track", "--append-history"]).exits(0);
    let entries = fs::read_dir(bench.root().join("target/longrun/native")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let left: Vec<String> = names.filter(|name| name.starts_with("partial-")).collect();
    assert_eq!(left, [""; 0]);
}

#[test]
fn a_report_that_cannot_be_printed_loses_no_row_and_no_result() {
    let bench = Bench::new().case(Case::new("a")).commit();
    let ran = bench.run_with(["track", "--append-history"], |command| {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        command.stdout(full);
    });
    ran.exits(6).says("failed to print the result");
    assert_eq!(bench.committed_rows().len(), 1);
    assert_eq!(bench.bundle().results().len(), 1);
}

#[test]
fn a_file_where_a_folder_belongs_is_named_and_the_next_run_is_not_blocked() {
    for place in ["target", "target/longrun", "target/longrun/runs"] {
        let bench = Bench::new().case(Case::new("a")).commit();
        bench.write(place, "in the way");
        let ran = bench
            .run(["track"])
            .exits(6)
            .says("failed to create the folder of runs");
        ran.says("--out").does_not_say("panicked");
        fs::remove_file(bench.root().join(place)).unwrap();
        bench.run(["track"]).exits(0);
    }
}

#[test]
fn a_history_that_cannot_be_written_refuses_and_keeps_the_run() {
    let bench = Bench::new().case(Case::new("a")).commit();
    fs::remove_dir_all(bench.root().join("history")).unwrap();
    bench.write("history", "a file");
    let ran = bench.run(["track", "--append-history", "--no-commit"]);
    ran.exits(5).says("history_file").does_not_say("panicked");
    fs::remove_file(bench.root().join("history")).unwrap();
    bench.git(["checkout", "--quiet", "history"]);
    bench.run(["track", "--append-history"]).exits(0);
    assert_eq!(bench.committed_rows().len(), 1);
}

#[test]
fn eight_runs_that_record_at_once_lose_no_row() {
    for flags in [&["--no-commit"][..], &[]] {
        let bench = Bench::new()
            .case(Case::new("a").widths(r#"["1", "production"]"#))
            .case(Case::new("b"))
            .commit();
        let mut arguments = vec!["track", "--append-history", "--production", "2"];
        arguments.extend(flags);
        let running: Vec<_> = (0..8).map(|_| bench.start(&arguments)).collect();
        for running in running {
            running.finish().exits(0);
        }
        let rows = match flags.is_empty() {
            true => bench.committed_rows(),
            false => bench.rows(),
        };
        assert_eq!(rows.len(), 8 * 3);
        let mut runs: Vec<&String> = rows.iter().map(|row| &row["run_id"]).collect();
        runs.dedup();
        assert_eq!(runs.len(), 8, "the rows of a run stay together");
    }
}

#[test]
fn a_run_that_has_company_is_marked_busy_and_one_beside_a_dead_run_is_not() {
    let bench = Bench::new()
        .case(Case::new("a"))
        .case(Case::new("slow").behaves("gated").line("tracked = false"))
        .commit();
    let note = "another run was measuring on this machine";
    let running = bench.start(["track", "--case", "slow"]);
    wait_until("the worker runs", || bench.ran() == ["slow"]);
    let ran = bench.run(["track", "--json"]).exits(0);
    assert_eq!(ran.json()["results"][0]["busy"], true);
    ran.says(note);
    running.kill();
    bench.run(["track"]).exits(0).does_not_say(note);
    bench.kill_processes();
}

#[test]
fn a_decimal_comma_changes_no_byte_of_what_is_stored() {
    let case = Case::new("a").takes_ns([1_500_000, 1_250_000, 2_500_000]);
    let bench = Bench::new().case(case).commit();
    for locale in ["C", "de_DE.UTF-8", "ar_EG.UTF-8"] {
        let ran = bench.run_with(
            ["track", "--append-history", "--no-commit", "--json"],
            |c| {
                c.env("LC_ALL", locale)
                    .env("LANG", locale)
                    .env("LC_NUMERIC", locale);
            },
        );
        ran.exits(0)
            .says("\"median_s\":0.0015")
            .says("\"raw_s\":[0.0015,0.00125,0.0025]");
    }
    let mut rows = bench.rows();
    for row in &mut rows {
        for (name, value) in row.iter_mut() {
            let of_the_run = ["run_id", "date", "busy"].contains(&name.as_str());
            if of_the_run {
                value.clear();
            }
        }
    }
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|row| *row == rows[0]), "{rows:?}");
    assert_eq!(rows[0]["median_s"], "0.0015");
    let results: Vec<String> = bench
        .bundles()
        .iter()
        .map(|b| b.text("results.jsonl"))
        .collect();
    let without_time = |text: &String| {
        let (before, after) = text.split_once("\"elapsed_s\":").unwrap();
        let (before, _) = before.split_once("\"busy\"").unwrap();
        let (_, after) = after.split_once(',').unwrap();
        format!("{before}{after}")
    };
    let results: Vec<String> = results.iter().map(without_time).collect();
    assert!(
        results.iter().all(|text| *text == results[0]),
        "{results:?}"
    );
}

#[test]
fn a_run_that_ends_in_an_error_prints_no_document() {
    let bench = Bench::new().case(Case::new("a")).commit();
    let table: [(&[&str], i32); 3] = [
        (&["track", "--json", "--case", "nothing"], 2),
        (&["track", "--json", "--resume", "2000"], 2),
        (&["track", "--json", "--out", ".gitignore/runs"], 6),
    ];
    for (arguments, code) in table {
        let ran = bench.run(arguments).exits(code);
        assert_eq!(ran.stdout, "");
        assert!(ran.stderr.starts_with("error: "), "{ran}");
    }
}
