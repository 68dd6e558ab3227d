//! `plot`: the picture of a worker reaches the user's file whole, or not at all.

use std::fs;

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::case::Case;
use crate::ran::{Bundle, wait_until};

/// How every file begins that is a plot.
const BEGINNING: &str =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- Made by cargo xtask plot. -->\n<svg ";

/// A sampled case of a suite of kernels.
fn kernel(name: &str) -> Case {
    Case::new(name).line(r#"sampling = { kind = "fixed", repeats = 9, block_ns = 1000000 }"#)
}

fn bundles(bench: &Bench) -> Vec<Bundle> {
    bench.bundles_in("target/longrun/plots")
}

#[test]
fn a_plot_is_written_to_the_file_that_was_named() {
    let bench = Bench::new().case(Case::new("a")).commit();
    let ran = bench.run(["plot", "a", "--out", "a.svg"]).exits(0);
    let said = "a reference @1: 10 steps; shows a made picture\nbundle ";
    assert!(ran.stdout.starts_with(said), "{ran}");
    ran.says("plotted: ").says("a.svg");
    let svg = bench.read("a.svg");
    assert!(svg.starts_with(BEGINNING), "{svg}");
    assert!(svg.ends_with("</svg>\n"), "{svg}");
    assert_eq!(bench.ran(), ["plot a"], "it ran once");
    assert!(bench.bundles().is_empty(), "it is no run");
}

#[test]
fn the_json_is_what_the_manual_says() {
    let bench = Bench::new().case(Case::new("a")).commit();
    let mut report = bench
        .run(["plot", "a", "--out", "a.svg", "--json"])
        .exits(0)
        .json();
    let [run_id, bundle, file] = ["run_id", "bundle", "file"].map(|key| report[key].take());
    assert!(bundle.as_str().unwrap().ends_with(run_id.as_str().unwrap()));
    assert!(file.as_str().unwrap().ends_with("/a.svg"));
    let golden = json!({
        "schema_version": 1,
        "configuration": {
            "suite": "tracking", "case": "a", "size": "full", "revision": 1,
            "engine": "reference", "stepper": "default", "variant": "", "width": "1"
        },
        "status": "complete", "reason": null, "file": null, "shows": "a made picture",
        "integrator": "stub", "accepted": 10, "rejected": 2, "notes": [],
        "run_id": null, "bundle": null
    });
    assert_eq!(report, golden);
}

#[test]
fn the_worker_is_asked_for_one_untimed_run_of_what_was_chosen() {
    let case = Case::new("a")
        .line(r#"steppers = ["rk"]"#)
        .line(r#"variants = { dtype = ["f32", "f64"] }"#)
        .also("quick");
    let bench = Bench::new().case(case).commit();
    let line = [
        "plot",
        "a",
        "--out",
        "a.svg",
        "--size",
        "quick",
        "--stepper",
        "rk",
        "--threads",
        "2",
    ];
    let ran = bench.run(line).exits(2);
    ran.says("a plot is of one configuration").says("--variant");
    assert!(bundles(&bench).is_empty() && !bench.has("a.svg"));
    bench
        .run([&line[..], &["--variant", "dtype=f64"]].concat())
        .exits(0);
    let bundle = bundles(&bench).remove(0);
    let request = bundle.json("01-a-2/request.json");
    assert_eq!(request["task"], "plot");
    assert_eq!(request["repeats"], 1);
    assert_eq!(request["threads"], 2);
    let configuration = &request["configuration"];
    assert_eq!(configuration["size"], "quick");
    assert_eq!(configuration["stepper"], "rk");
    assert_eq!(configuration["variant"], "dtype=f64");
    assert_eq!(bundle.results()[0]["status"], "complete");
    assert_eq!(bundle.json("plan.json")["commit"], bench.commit_id("HEAD"));
}

#[test]
fn what_cannot_be_plotted_is_refused_before_anything_is_built() {
    let bench = Bench::new()
        .case(Case::new("a"))
        .case_of("kernels", kernel("k"))
        .commit();
    let plot = |words: &[&'static str]| bench.run([&["plot"], words].concat()).exits(2);
    plot(&["absent", "--out", "a.svg"]).says("there is no such case");
    plot(&["a", "--out", "a.svg", "--size", "smoke"]).says("no size `smoke`");
    plot(&["a", "--out", "a.svg", "--stepper", "euler"]).says("euler");
    plot(&["k", "--out", "k.svg"])
        .says("`k`")
        .says("samples single operations");
    plot(&["a"]).says("--out");
    plot(&["--out", "a.svg"]).says("<CASE>");
    assert!(bundles(&bench).is_empty(), "nothing was run");
    assert!(!bench.has("a.svg") && !bench.has("k.svg"));
}

#[test]
fn a_file_that_is_not_the_users_to_have_plotted_is_refused_and_stays() {
    let bench = Bench::new()
        .file("notes.svg", "<svg>drawn by hand</svg>")
        .file("drawings/other.txt", "")
        .case(Case::new("a"))
        .commit();
    for (file, why) in [
        ("workloads/a.svg", "it is part of what is measured"),
        ("history/a.svg", "the folder of the history"),
        (".git/a.svg", "it is git's"),
        ("target/longrun/plots/a.svg", "what Longrun builds and runs"),
        ("nowhere/a.svg", "there is no such folder"),
        ("drawings", "it is a folder"),
        ("notes.svg", "there is a file that is no plot"),
        ("Cargo.toml", "it is part of what is measured"),
    ] {
        let ran = bench.run(["plot", "a", "--out", file]).exits(2);
        ran.says(why).says("--out");
    }
    assert_eq!(bench.read("notes.svg"), "<svg>drawn by hand</svg>");
    assert!(bundles(&bench).is_empty(), "nothing was run");
}

#[test]
fn an_earlier_plot_is_replaced_and_so_is_an_empty_file() {
    let bench = Bench::new().file("a.svg", "").case(Case::new("a")).commit();
    for _ in 0..2 {
        bench.run(["plot", "a", "--out", "a.svg"]).exits(0);
        assert!(bench.read("a.svg").starts_with(BEGINNING));
    }
    let earlier = bench.read("a.svg");
    assert_eq!(bundles(&bench).len(), 2);
    // A run that fails leaves it as it was.
    let mut bench = bench;
    bench.redefine(Case::new("a").behaves("fail"));
    bench.run(["plot", "a", "--out", "a.svg"]).exits(1);
    assert_eq!(bench.read("a.svg"), earlier);
}

#[test]
fn a_file_that_somebody_makes_while_the_case_runs_stays_and_the_picture_is_in_the_bundle() {
    let case = Case::new("a").parameter("gate_after = 0");
    let bench = Bench::new().case(case).commit();
    let running = bench.start(["plot", "a", "--out", "a.svg"]);
    wait_until("the worker waits", || bench.ran().len() == 1);
    bench.write("a.svg", "<svg>drawn by hand</svg>");
    bench.open_gate();
    let ran = running.finish().exits(6);
    ran.says("there is a file that is no plot")
        .says("--out")
        .says("the plot is kept in `");
    assert_eq!(bench.read("a.svg"), "<svg>drawn by hand</svg>");
    let picture = bundles(&bench).remove(0).text("01-a-1/plot.svg");
    assert!(picture.ends_with("</svg>\n"), "{picture}");
    // Moved away, it is in nobody's way.
    fs::remove_file(bench.root().join("a.svg")).unwrap();
    bench.run(["plot", "a", "--out", "a.svg"]).exits(0);
    assert!(bench.read("a.svg").starts_with(BEGINNING));
}

/// What the stub worker does, and how that is named.
const FAILURES: [(&str, &str); 11] = [
    (
        "fail",
        "construct: failed to set up the problem: it was told to",
    ),
    ("crash", "died of signal 6 (abort)"),
    ("silent", "exited with 0 and left no receipt"),
    ("foreign", "the receipt answers another request"),
    ("many_threads", "ran on 64 threads and was given 1"),
    ("unnamed_plot", "the receipt names no plot"),
    ("double_plot", "the receipt names more plots than one"),
    ("stray_plot", "not named by a plain file name"),
    ("lost_plot", "the plot `plot.svg` is not handed over"),
    ("torn_plot", "and the receipt says 813ab3a9125e"),
    ("html_plot", "it is no `<svg` element"),
];

#[test]
fn a_run_without_a_sound_picture_is_exit_1_with_the_reason_and_writes_nothing() {
    let bench = FAILURES.iter().fold(Bench::new(), |bench, (behaviour, _)| {
        bench.case(Case::new(behaviour).behaves(behaviour))
    });
    let bench = bench.commit();
    for (behaviour, reason) in FAILURES {
        let report = bench.run(["plot", behaviour, "--out", "a.svg", "--json"]);
        let report = report.exits(1).json();
        assert_eq!(report["status"], "failed", "{behaviour}");
        let given = report["reason"].as_str().unwrap();
        assert!(given.contains(reason), "{behaviour}: {given}");
        assert_eq!(report["file"], Value::Null);
        assert!(!bench.has("a.svg"), "{behaviour}");
    }
    let ran = bench.run(["plot", "torn_plot", "--out", "a.svg"]).exits(1);
    ran.says("failed: the plot `plot.svg` is not handed over")
        .says("not plotted");
}

#[test]
fn a_worker_that_hangs_or_is_interrupted_is_ended_and_writes_nothing() {
    let bench = Bench::new()
        .case(Case::new("a").behaves("grandchild"))
        .commit();
    let line = ["plot", "a", "--out", "a.svg", "--json"];
    let report = bench
        .run([&line[..], &["--timeout", "3"]].concat())
        .exits(1)
        .json();
    assert_eq!(report["status"], "timed_out");
    assert_eq!(bench.processes(), [""; 0]);
    let running = bench.start(line);
    wait_until("the worker runs", || {
        let bundles = bundles(&bench);
        bundles.len() == 2 && bundles[1].text("01-a-1/stdout.log").contains("run")
    });
    running.interrupt();
    let report = running.finish().exits(130).json();
    assert_eq!(report["reason"], "interrupted");
    assert_eq!(bench.processes(), [""; 0]);
    assert!(!bench.has("a.svg"));
}

#[test]
fn a_folder_that_cannot_be_written_is_exit_6_and_a_link_stays_one() {
    let bench = Bench::new().case(Case::new("a").native()).commit();
    bench.run(["plot", "a", "--out", "a.svg"]).exits(6);
    assert!(!bench.has("a.svg"), "nothing could be built");
    let bench = Bench::new().case(Case::new("a")).commit();
    let kept = bench.outside("kept.svg");
    fs::write(&kept, "").unwrap();
    std::os::unix::fs::symlink(&kept, bench.root().join("link.svg")).unwrap();
    bench.run(["plot", "a", "--out", "link.svg"]).exits(0);
    assert!(bench.root().join("link.svg").is_symlink());
    assert!(fs::read_to_string(kept).unwrap().starts_with(BEGINNING));
}
