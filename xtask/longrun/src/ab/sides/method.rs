//! How one configuration is observed: by duets or by pairs, with whose workers. Pure.

use std::collections::BTreeMap;

use longrun_protocol::Engine;

use crate::cli::ab::{Harness, Mode};
use crate::failure::{Failure, Outcome};

/// Margin of equivalence where none is asked for, as a fraction.
const MARGINS: [(Mode, f64); 2] = [(Mode::Duet, 0.01), (Mode::Pairs, 0.02)];

/// What is known of the two sides before anything is built.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conditions {
    /// What the user asks an observation to be.
    pub mode: Option<Mode>,
    /// Whose workers the user asks for.
    pub harness: Option<Harness>,
    /// What makes the workers of the sides different ones, in words.
    pub workers_differ: Option<String>,
    /// Versions of the areas of the ABI, baseline and candidate.
    pub abi: [BTreeMap<String, i32>; 2],
}

/// How one configuration is observed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// What one observation is.
    pub mode: Mode,
    /// Whose workers run the sides.
    pub harness: Harness,
    /// Why it is not what is usual, where it is not.
    pub note: Option<String>,
}

impl Conditions {
    /// Whose workers run the sides, and why where nobody asked for that.
    ///
    /// # Errors
    /// Exit 6 where the candidate's workers are asked for and cannot load the baseline's library.
    pub fn harness(&self) -> Outcome<(Harness, Option<String>)> {
        let areas = self.unlike_areas();
        match (self.harness, areas.is_empty()) {
            (Some(Harness::Candidate), false) => Err(Failure::environment(format!(
                "failed to let the candidate's workers run both sides: {}; give --workers own",
                areas.join(", ")
            ))),
            (Some(asked), _) => Ok((asked, None)),
            (None, false) => Ok((Harness::Own, Some(areas.join(", ")))),
            (None, true) => Ok(match &self.workers_differ {
                Some(what) => (Harness::Own, Some(what.clone())),
                None => (Harness::Candidate, None),
            }),
        }
    }

    /// How a configuration with this engine is observed.
    ///
    /// # Errors
    /// Exit 2 where a duet is asked for and no worker can serve both sides; exit 6 as for
    /// [`Conditions::harness`].
    pub fn method(&self, engine: Engine) -> Outcome<Method> {
        let (harness, why) = self.harness()?;
        let pairs = |note| Method {
            mode: Mode::Pairs,
            harness,
            note,
        };
        if self.mode == Some(Mode::Pairs) {
            return Ok(pairs(
                why.map(|why| format!("each side runs its own workers: {why}")),
            ));
        }
        if harness == Harness::Own {
            if self.mode == Some(Mode::Duet) {
                let why = why.unwrap_or_else(|| "--workers own asks for that".to_owned());
                return Err(Failure::usage(format!(
                    "failed to plan duets: one worker must load both libraries, and each side \
                     runs its own: {why}; give --workers candidate or --mode pairs"
                )));
            }
            // Where the ABI differs, no worker can load both libraries.
            let way_out = match self.harness.is_none() && self.unlike_areas().is_empty() {
                true => "; give --workers candidate to let the candidate's run both sides in duets",
                false => "",
            };
            let because = why.map_or_else(String::new, |why| format!(": {why}{way_out}"));
            return Ok(pairs(Some(format!(
                "pairs of processes and not duets, because each side runs its own workers{because}"
            ))));
        }
        if engine != Engine::Native {
            return Ok(pairs(Some(format!(
                "pairs of processes and not duets, because engine `{engine}` loads no library of \
                 its side"
            ))));
        }
        Ok(Method {
            mode: Mode::Duet,
            harness,
            note: None,
        })
    }

    /// Areas of the ABI that both sides have in different versions, in words.
    fn unlike_areas(&self) -> Vec<String> {
        let [baseline, candidate] = &self.abi;
        let unlike = |(area, then): (&String, &i32)| {
            let now = candidate.get(area).filter(|now| *now != then)?;
            Some(format!(
                "the ABI of `{area}` has version {then} in the baseline and {now} in the candidate"
            ))
        };
        baseline.iter().filter_map(unlike).collect()
    }
}

/// The margin of equivalence as a fraction, from what was asked for in percent.
///
/// # Errors
/// Exit 2 where that is no margin.
pub fn margin(asked_percent: Option<f64>, mode: Mode) -> Outcome<f64> {
    let usual = MARGINS.iter().find(|(of, _)| *of == mode);
    match asked_percent {
        None => Ok(usual.map_or(0.01, |(_, margin)| *margin)),
        Some(percent) if percent > 0.0 && percent <= 100.0 => Ok(percent / 100.0),
        Some(percent) => Err(Failure::usage(format!(
            "failed to use the margin {percent:?}: give a percentage above 0 and at most 100"
        ))),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const NATIVE: Engine = Engine::Native;

    fn abi(optics: i32) -> BTreeMap<String, i32> {
        BTreeMap::from([("core".to_owned(), 1), ("optics".to_owned(), optics)])
    }

    fn conditions(mode: Option<Mode>, harness: Option<Harness>, differ: bool) -> Conditions {
        Conditions {
            mode,
            harness,
            workers_differ: differ.then(|| "1 file changed: `workloads/w/main.rs`".to_owned()),
            abi: [abi(1), abi(1)],
        }
    }

    #[test]
    fn one_worker_for_both_sides_makes_duets_and_own_workers_make_pairs() {
        use Harness::{Candidate, Own};
        use Mode::{Duet, Pairs};
        let table = [
            (None, None, false, NATIVE, Duet, Candidate),
            (None, None, true, NATIVE, Pairs, Own),
            (None, Some(Candidate), true, NATIVE, Duet, Candidate),
            (None, Some(Own), false, NATIVE, Pairs, Own),
            (Some(Pairs), None, false, NATIVE, Pairs, Candidate),
            (Some(Pairs), None, true, NATIVE, Pairs, Own),
            (Some(Duet), Some(Candidate), true, NATIVE, Duet, Candidate),
            (None, None, false, Engine::Reference, Pairs, Candidate),
            (Some(Duet), None, false, Engine::Reference, Pairs, Candidate),
            (None, None, false, Engine::Auto, Pairs, Candidate),
        ];
        for (mode, harness, differ, engine, expected, whose) in table {
            let method = conditions(mode, harness, differ).method(engine).unwrap();
            let row = format!("{mode:?} {harness:?} {differ} {engine}");
            assert_eq!((method.mode, method.harness), (expected, whose), "{row}");
            let usual = expected == Duet || (mode == Some(Pairs) && whose == Candidate);
            assert_eq!(method.note.is_none(), usual, "{row}: {:?}", method.note);
        }
    }

    #[test]
    fn a_duet_that_no_worker_can_play_is_refused_with_the_way_out() {
        for (harness, differ) in [(None, true), (Some(Harness::Own), false)] {
            let conditions = conditions(Some(Mode::Duet), harness, differ);
            let failure = conditions.method(NATIVE).unwrap_err();
            assert_eq!(failure.exit.code(), 2);
            assert!(failure.message.contains("--workers candidate"), "{failure}");
        }
    }

    #[test]
    fn workers_that_differ_are_said_to_differ_in_what_with_the_way_out() {
        let method = conditions(None, None, true).method(NATIVE).unwrap();
        let note = method.note.unwrap();
        for expected in ["`workloads/w/main.rs`", "--workers candidate"] {
            assert!(note.contains(expected), "{note}");
        }
        let other_abi = Conditions {
            abi: [abi(1), abi(2)],
            ..conditions(None, None, true)
        };
        let note = other_abi.method(NATIVE).unwrap().note.unwrap();
        assert!(!note.contains("--workers candidate"), "{note}");
        let asked = conditions(None, Some(Harness::Own), true);
        let note = asked.method(NATIVE).unwrap().note.unwrap();
        assert!(!note.contains("--workers candidate"), "{note}");
    }

    #[test]
    fn another_abi_leaves_each_side_its_own_workers_and_names_both_versions() {
        let old = Conditions {
            abi: [abi(1), abi(2)],
            ..Conditions::default()
        };
        let method = old.method(NATIVE).unwrap();
        assert_eq!((method.mode, method.harness), (Mode::Pairs, Harness::Own));
        let note = method.note.unwrap();
        assert!(
            note.contains("`optics` has version 1 in the baseline and 2"),
            "{note}"
        );
        let asked = Conditions {
            harness: Some(Harness::Candidate),
            ..old
        };
        let failure = asked.method(NATIVE).unwrap_err();
        assert_eq!(failure.exit.code(), 6);
        assert!(
            failure.message.contains("version 1 in the baseline and 2"),
            "{failure}"
        );
    }

    #[test]
    fn an_area_that_only_one_side_has_keeps_no_worker_from_serving_both() {
        let mut new = abi(1);
        new.insert("huber".to_owned(), 7);
        let conditions = Conditions {
            abi: [abi(1), new],
            ..Conditions::default()
        };
        assert_eq!(conditions.method(NATIVE).unwrap().mode, Mode::Duet);
    }

    #[test]
    fn the_margin_is_that_of_the_mode_or_what_was_asked_for() {
        let close = |found: f64, expected: f64| (found - expected).abs() < 1e-12;
        assert!(close(margin(None, Mode::Duet).unwrap(), 0.01));
        assert!(close(margin(None, Mode::Pairs).unwrap(), 0.02));
        assert!(close(margin(Some(0.5), Mode::Pairs).unwrap(), 0.005));
        assert!(close(margin(Some(100.0), Mode::Duet).unwrap(), 1.0));
        for asked in [0.0, -1.0, 100.1, 1e308, f64::NAN, f64::INFINITY] {
            let failure = margin(Some(asked), Mode::Duet).unwrap_err();
            assert_eq!(failure.exit.code(), 2);
            assert!(failure.message.len() < 100, "{failure}");
        }
    }
}
