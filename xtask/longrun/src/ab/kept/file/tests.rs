//! The file of a comparison: whole, cut, edited, moved, forged, gone on with.

#![allow(clippy::unwrap_used)]
use super::*;
use crate::ab::kept::record::{Outcome as Came, Phase};
use crate::ab::testing::{about, duet, duet_of, header, observation, pair, series};
use std::fs;

struct Made {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Made {
    /// A comparison of two configurations with three observations each, and its end.
    fn ended() -> Made {
        let made = Made::stopped();
        let (recorder, _) = Recorder::reopen(&made.path).unwrap();
        recorder.end(Ending::Decided).unwrap();
        made
    }

    fn stopped() -> Made {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(OBSERVATIONS);
        let mut recorder = Recorder::create(&path, &header(&["a", "b"])).unwrap();
        for one in observations() {
            recorder.append(&one).unwrap();
        }
        Made {
            _folder: folder,
            path,
        }
    }

    fn lines(&self) -> Vec<String> {
        let text = fs::read_to_string(&self.path).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    fn write(&self, lines: &[String]) {
        fs::write(&self.path, lines.join("\n") + "\n").unwrap();
    }

    /// The exit code and the message of a refused reading.
    fn refusal(&self) -> String {
        let failure = read(&self.path).unwrap_err();
        assert_eq!(failure.exit.code(), 2, "{failure}");
        failure.to_string()
    }
}

fn observations() -> Vec<Observation> {
    let mut all = series(0, Phase::Screen, 0, &about(1.0 / 3.0, 0.01, 3));
    all.extend(series(1, Phase::Screen, 0, &about(1.1, 0.01, 2)));
    all.push(observation(1, Phase::SecondOpinion, 0, pair(1.01)));
    all
}

#[test]
fn what_was_written_is_read_back_bit_for_bit() {
    let made = Made::ended();
    let record = read(&made.path).unwrap();
    assert_eq!(record.header, header(&["a", "b"]));
    assert_eq!(record.observations, observations());
    assert_eq!(record.ending, Some(Ending::Decided));
    let bits =
        |all: &[Observation]| -> Vec<u64> { all.iter().map(|one| one.at_s.to_bits()).collect() };
    assert_eq!(bits(&record.observations), bits(&observations()));
}

#[test]
fn a_comparison_that_was_stopped_is_read_and_has_no_end() {
    let made = Made::stopped();
    let record = read(&made.path).unwrap();
    assert_eq!((record.observations.len(), record.ending), (6, None));
}

#[test]
fn a_changed_byte_anywhere_is_refused_with_its_line() {
    let made = Made::ended();
    let whole = fs::read(&made.path).unwrap();
    let step = (whole.len() / 120).max(1);
    for at in (0..whole.len()).step_by(step) {
        let mut spoilt = whole.clone();
        spoilt[at] ^= 1;
        fs::write(&made.path, &spoilt).unwrap();
        let line = 1 + whole[..at].iter().filter(|byte| **byte == b'\n').count();
        let message = made.refusal();
        let named = format!("failed to read line {line} of ");
        assert!(message.starts_with(&named), "byte {at}: {message}");
    }
}

#[test]
fn a_file_cut_anywhere_but_between_lines_is_refused() {
    let made = Made::ended();
    let whole = fs::read(&made.path).unwrap();
    for at in (0..whole.len() - 1).step_by(397) {
        fs::write(&made.path, &whole[..at]).unwrap();
        let between = at > 0 && whole[at - 1] == b'\n';
        assert_eq!(read(&made.path).is_ok(), between, "cut at {at}");
    }
    fs::write(&made.path, &whole[..whole.len() - 1]).unwrap();
    assert!(made.refusal().contains("it is cut off"));
}

#[test]
fn lines_that_are_moved_doubled_or_gone_are_refused() {
    let made = Made::ended();
    let lines = made.lines();
    let without = |gone: usize| {
        let mut lines = lines.clone();
        lines.remove(gone);
        lines
    };
    let mut moved = lines.clone();
    moved.swap(2, 3);
    let mut doubled = lines.clone();
    doubled.insert(3, lines[2].clone());
    for (spoilt, line) in [(without(2), 3), (moved, 3), (doubled, 4)] {
        made.write(&spoilt);
        let message = made.refusal();
        assert!(message.contains(&format!("line {line} of")), "{message}");
        assert!(message.contains("its chain is not"), "{message}");
    }
    made.write(&without(0));
    let message = made.refusal();
    assert!(message.contains("not the header"), "{message}");
}

#[test]
fn what_is_no_such_file_is_refused() {
    let made = Made::stopped();
    for (text, reason) in [
        ("", "the file is empty"),
        ("\n", "not the header of a comparison"),
        ("{}\n", "not the header of a comparison"),
        ("[1]\n", "not the header of a comparison"),
        ("{\"schema\":\"longrun-ab\"}\n", "it has no version"),
        (
            "{\"schema\":\"longrun-ab\",\"schema_version\":9}\n",
            "written in version 9",
        ),
        (
            "{\"schema\":\"longrun-ab\",\"schema_version\":1}\n",
            "it does not end with its chain",
        ),
    ] {
        fs::write(&made.path, text).unwrap();
        let message = made.refusal();
        assert!(message.contains(reason), "{text:?}: {message}");
    }
    fs::write(&made.path, [0xff, 0xfe, b'\n']).unwrap();
    assert!(made.refusal().contains("it is not UTF-8"));
    fs::remove_file(&made.path).unwrap();
    assert!(made.refusal().contains("failed to read"));
    fs::create_dir(&made.path).unwrap();
    assert!(made.refusal().contains("it is a folder"));
}

/// Writes lines with a chain that fits, whatever they say.
fn forge(path: &Path, header: &Header, lines: &[Written<'_>]) {
    let _ = fs::remove_file(path);
    let mut recorder = Recorder::create(path, header).unwrap();
    for line in lines {
        recorder.write(line).unwrap();
    }
}

#[test]
fn lines_that_contradict_the_header_are_refused_although_their_chain_fits() {
    let made = Made::stopped();
    let sound = header(&["a"]);
    let wrong = |change: fn(&mut Observation)| {
        let mut one = observation(0, Phase::Screen, 1, duet(1.0));
        change(&mut one);
        one
    };
    let earlier = observation(0, Phase::Screen, 1, duet(1.0));
    let empty = Came::Duet {
        first_segment: longrun_protocol::duet::Side::Baseline,
        stretches: Vec::new(),
        resolved: None,
    };
    let mut apart = pair(1.0);
    if let Came::Pair { relative_l2, .. } = &mut apart {
        *relative_l2 = Some(-1.0);
    }
    for (one, reason) in [
        (wrong(|one| one.configuration = 1), "of configuration 1"),
        (wrong(|one| one.comparison = 1), "of comparison 1"),
        (wrong(|_| {}), "its round 1 follows round 1"),
        (wrong(|one| one.round = 0), "its round 0 follows round 1"),
        (
            observation(0, Phase::Screen, 2, empty),
            "a duet without a segment",
        ),
        (
            observation(0, Phase::WarmUp, 0, duet_of(1.0, -1e-9, (3, 3))),
            "a relative L2 difference of -1e-9",
        ),
        (
            observation(0, Phase::SecondOpinion, 0, apart),
            "a relative L2 difference of -1.0",
        ),
    ] {
        let lines = [Written::Observation(&earlier), Written::Observation(&one)];
        forge(&made.path, &sound, &lines);
        let message = made.refusal();
        assert!(message.contains("line 3 of"), "{message}");
        assert!(message.contains(reason), "{message}");
    }
    let end = || {
        Written::End(End {
            why: Ending::Decided,
        })
    };
    forge(&made.path, &sound, &[end(), end()]);
    assert!(made.refusal().contains("line 3"));
    forge(&made.path, &sound, &[Written::Header(&sound)]);
    assert!(made.refusal().contains("a second header"));
}

#[test]
fn a_header_by_which_nothing_can_be_judged_is_refused() {
    let made = Made::stopped();
    type Change = fn(&mut Header);
    let changes: [(Change, &str); 8] = [
        (|header| header.options.alpha = 0.0, "`alpha`"),
        (
            |header| header.options.alpha = 1e-300,
            "`alpha` is 1e-300, and must be from 0.0001 to 0.5",
        ),
        (|header| header.options.alpha = 0.6, "`alpha`"),
        (
            |header| header.configurations[0].margin = 1e308,
            "the margin must be above 0 and at most 1",
        ),
        (|header| header.options.rounds = Some(0), "`rounds`"),
        (|header| header.configurations[0].margin = -1.0, "margin"),
        (
            |header| header.configurations[0].observations_max = 0,
            "number of observations",
        ),
        (
            |header| header.configurations[0].revision_bound = -1.0,
            "bound on results",
        ),
    ];
    for (change, reason) in changes {
        let mut spoilt = header(&["a"]);
        change(&mut spoilt);
        forge(&made.path, &spoilt, &[]);
        let message = made.refusal();
        assert!(message.contains(reason), "{message}");
    }
}

#[test]
fn a_comparison_goes_on_behind_what_is_whole() {
    let made = Made::stopped();
    let whole = fs::read(&made.path).unwrap();
    let mut torn = whole.clone();
    torn.extend_from_slice(b"{\"kind\":\"observation\",\"conf");
    fs::write(&made.path, &torn).unwrap();
    let (mut recorder, record) = Recorder::reopen(&made.path).unwrap();
    assert_eq!(record.observations, observations());
    recorder.resumed("2026-01-01T01:00:00Z").unwrap();
    let more = observation(0, Phase::Screen, 3, duet(1.0));
    recorder.append(&more).unwrap();
    recorder.end(Ending::OutOfTime).unwrap();
    let text = fs::read(&made.path).unwrap();
    assert!(text.starts_with(&whole), "what was there is as it was");
    let record = read(&made.path).unwrap();
    assert_eq!(record.observations.last(), Some(&more));
    assert_eq!(record.resumed, ["2026-01-01T01:00:00Z"]);
    assert_eq!(record.ending, Some(Ending::OutOfTime));
    let failure = Recorder::reopen(&made.path).unwrap_err();
    assert!(failure.to_string().contains("it has ended"), "{failure}");
}

#[test]
fn one_process_adds_to_a_file_at_a_time() {
    let made = Made::stopped();
    let (held, _) = Recorder::reopen(&made.path).unwrap();
    let failure = Recorder::reopen(&made.path).unwrap_err();
    assert_eq!(failure.exit.code(), 6);
    assert!(failure.to_string().contains("another process"), "{failure}");
    drop(held);
    assert!(Recorder::reopen(&made.path).is_ok());
    let failure = Recorder::create(&made.path, &header(&["a"])).unwrap_err();
    assert_eq!(failure.exit.code(), 6, "an existing file is never replaced");
}

#[test]
fn the_file_of_thousands_of_comparisons_is_read_and_one_beyond_every_bound_is_not() {
    let made = Made::stopped();
    let file = OpenOptions::new().append(true).open(&made.path).unwrap();
    // A hole: the lines are read up to it, whatever the length is.
    for (length, reason) in [
        (1_u64 << 30, "line 8 of"),
        (5_u64 << 30, "no comparison writes more than"),
    ] {
        file.set_len(length).unwrap();
        let message = made.refusal();
        assert!(message.contains(reason), "{length}: {message}");
    }
}
