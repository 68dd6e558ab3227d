//! FFT plans: made once per machine before the first run that needs them, then only read.

use std::fs;
use std::path::PathBuf;

use crate::bench::Bench;
use crate::case::Case;
use crate::ran::Ran;

const PREPARING: &str = "preparing FFT plans (once per machine)";

/// A library that `pkg-config` knows, so that plans can belong to a version of it.
const LIBRARY: &str = "Name: stubfft\nDescription: none\nVersion: 1.2.3\n";

fn planned(name: &str) -> Case {
    Case::new(name)
        .native()
        .line("fft_plans = true")
        .parameter(&format!("plans = \"plan of {name}\""))
}

fn bench(cases: impl IntoIterator<Item = Case>) -> Bench {
    let bench = Bench::new()
        .native_project()
        .setting("native_libraries = [\"stubfft\"]");
    let bench = cases.into_iter().fold(bench, Bench::case).commit();
    fs::write(bench.outside("stubfft.pc"), LIBRARY).unwrap();
    bench
}

fn track(bench: &Bench) -> Ran {
    bench.run_with(["track"], |command| {
        command.env("PKG_CONFIG_LIBDIR", bench.outside(""));
    })
}

/// The files of the stores, by name, sorted.
fn stores(bench: &Bench) -> Vec<PathBuf> {
    let mut open = vec![bench.home().join("cache/longrun/wisdom")];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => open.push(path),
                false => found.push(path),
            }
        }
    }
    found.retain(|path| path.extension().is_some_and(|ending| ending == "wisdom"));
    found.sort();
    found
}

#[test]
fn plans_are_made_once_and_read_by_every_run() {
    let bench = bench([planned("a"), planned("b").widths(r#"["1", "2"]"#)]);
    let ran = track(&bench)
        .exits(0)
        .does_not_say("FFT plans were made in the process");
    assert_eq!(ran.stderr.matches(PREPARING).count(), 3);
    let stores = stores(&bench);
    assert_eq!(stores.len(), 2, "one a width");
    let texts: Vec<String> = stores
        .iter()
        .map(|s| fs::read_to_string(s).unwrap())
        .collect();
    assert_eq!(texts, ["plan of a\nplan of b\n", "plan of b\n"]);
    let bundle = bench.bundle();
    assert_eq!(
        bundle.json("plans-01-a-1/request.json")["task"],
        "prepare_fft"
    );
    let request = bundle.json("01-a-1/request.json");
    assert_eq!(request["task"], "run");
    assert_eq!(request["wisdom"], *stores[0].to_string_lossy());
    track(&bench).exits(0).does_not_say(PREPARING);
}

#[test]
fn steppers_share_their_plans() {
    let bench = bench([planned("a").line("steppers = [\"rk\"]")]);
    let ran = bench.run_with(["track", "--stepper", "default,rk"], |command| {
        command.env("PKG_CONFIG_LIBDIR", bench.outside(""));
    });
    assert_eq!(ran.exits(0).stderr.matches(PREPARING).count(), 1);
}

#[test]
fn a_case_that_does_not_declare_it_is_not_asked_to() {
    let bench = bench([Case::new("a").native()]);
    track(&bench).exits(0).does_not_say(PREPARING);
    assert!(bench.bundle().json("01-a-1/request.json")["wisdom"].is_null());
}

#[test]
fn other_parameters_are_prepared_and_what_is_there_stays() {
    let mut bench = bench([planned("a")]);
    track(&bench).exits(0).says(PREPARING);
    bench.redefine(planned("a").parameter("points = 8"));
    track(&bench).exits(0).says(PREPARING);
    let text = fs::read_to_string(&stores(&bench)[0]).unwrap();
    assert_eq!(text.lines().count(), 2, "a store only grows");
}

#[test]
fn a_store_that_was_removed_or_exchanged_is_not_believed() {
    let bench = bench([planned("a")]);
    track(&bench).exits(0).says(PREPARING);
    let store = stores(&bench).remove(0);
    fs::remove_file(&store).unwrap();
    track(&bench).exits(0).says(PREPARING);
    fs::write(&store, "plans of somebody else\n").unwrap();
    track(&bench).exits(0).says(PREPARING);
    track(&bench).exits(0).does_not_say(PREPARING);
}

#[test]
fn plans_that_cannot_be_prepared_are_a_note_and_the_run_plans_anew() {
    for (how, why) in [
        ("fails", "exited with 3"),
        ("hangs", "took longer than 2 s"),
    ] {
        let case = planned("a").parameter(&format!("prepares = \"{how}\""));
        let bench = bench([case]);
        let ran = bench.run_with(["track", "--timeout", "2"], |command| {
            command.env("PKG_CONFIG_LIBDIR", bench.outside(""));
        });
        let ran = ran
            .exits(0)
            .says("the FFT plans of `a @1` were not prepared")
            .says(why);
        ran.says("1 of 1 FFT plans were made in the process");
        assert_eq!(bench.processes(), [""; 0]);
    }
}

#[test]
fn a_cache_that_cannot_be_written_is_a_note() {
    let bench = bench([planned("a")]);
    fs::write(bench.home().join("cache"), "a file").unwrap();
    let ran = track(&bench).exits(0);
    ran.says("were not prepared: failed to create")
        .says("plans anew");
}

#[test]
fn without_a_known_library_or_cache_the_run_says_why_it_planned() {
    let bench = Bench::new().native_project().case(planned("a")).commit();
    let ran = bench.run(["track"]).exits(0).does_not_say(PREPARING);
    ran.says("made in the process and not read: no version of an FFT library is known");
}

#[test]
fn what_a_run_found_missing_is_prepared_before_the_next() {
    let bench = bench([planned("a")]);
    track(&bench).exits(0).says(PREPARING);
    // The store lost its plan, and the index was written for it as it is now.
    let store = stores(&bench).remove(0);
    fs::write(&store, "").unwrap();
    let index = store.with_extension("json");
    let text = fs::read_to_string(&index).unwrap();
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let recorded = serde_json::from_str::<serde_json::Value>(&text).unwrap();
    let recorded = recorded["store_sha256"].as_str().unwrap().to_owned();
    fs::write(&index, text.replace(&recorded, empty)).unwrap();
    let ran = track(&bench).exits(0).does_not_say(PREPARING);
    ran.says("1 of 1 FFT plans were made in the process");
    track(&bench).exits(0).says(PREPARING);
    track(&bench).exits(0).does_not_say("FFT plans");
}

#[test]
fn runs_at_the_same_time_prepare_once() {
    let bench = bench([planned("a")]);
    let running = [(); 4].map(|()| {
        bench.start_with(["track"], |command| {
            command.env("PKG_CONFIG_LIBDIR", bench.outside(""));
        })
    });
    let ran = running.map(|running| running.finish().exits(0));
    let prepared: usize = ran
        .iter()
        .map(|ran| ran.stderr.matches(PREPARING).count())
        .sum();
    assert_eq!(prepared, 1);
    let text = fs::read_to_string(&stores(&bench)[0]).unwrap();
    assert_eq!(text, "plan of a\n");
}
