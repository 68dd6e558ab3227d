//! The documented exit codes, each provoked once.

use crate::bench::Bench;
use crate::case::Case;
use crate::ran::wait_until;

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let bench = Bench::new().case(Case::new("a")).commit();
    for arguments in [["list"], ["track"], ["history"]] {
        let ran = bench.run_with(arguments, |command| {
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            command.stdout(writer);
        });
        ran.exits(0).does_not_say("panicked");
    }
}

#[test]
fn every_exit_code_means_what_the_manual_says() {
    let bench = Bench::new()
        .case(Case::new("sound"))
        .case(Case::new("bad").behaves("fail").line("tracked = false"))
        .case(Case::new("slow").behaves("hang").line("tracked = false"))
        .commit();
    let table: [(&[&str], i32); 9] = [
        (&["--help"], 0),
        (&["--version"], 0),
        (&["list"], 0),
        (&["track"], 0),
        (&["track", "--case", "bad"], 1),
        (&["track", "--case", "nothing"], 2),
        (&["track", "--fast"], 2),
        (&["track", "--case", "sound", "--append-history"], 5),
        (&["build"], 6),
    ];
    for (arguments, code) in table {
        bench.run(arguments).exits(code);
    }
    let running = bench.start(["track", "--case", "slow", "--out", "target/interrupted"]);
    wait_until("the worker runs", || {
        bench
            .processes()
            .iter()
            .any(|command| command.contains("stub-worker"))
    });
    running.interrupt();
    running.finish().exits(130);
    assert_eq!(bench.processes(), [""; 0]);
}
