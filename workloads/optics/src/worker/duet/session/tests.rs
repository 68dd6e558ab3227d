//! The order of a duet and what it notices, with engines and clocks that do what they are told.

#![allow(clippy::unwrap_used, clippy::float_cmp)]

use std::cell::RefCell;
use std::rc::Rc;

use longrun_measure::ScriptedClock;

use super::*;
use crate::engine::PlaneStatistics;
use crate::gnlse::parameters::Parameters;
use crate::gnlse::{Gnlse, Noise};
use crate::reference::Reference;
use crate::steppers::{Asked, Integration};

/// What engines and the clock were asked, in order.
type Log = Rc<RefCell<Vec<String>>>;

/// An engine of one value that takes equal steps; at `z` the value is `gain * (1 + z)`.
struct Scripted {
    name: &'static str,
    log: Log,
    step_m: f64,
    gain: f64,
    /// Where an advance fails, and from where the state is no number.
    fails_m: f64,
    infinite_m: f64,
    z_m: f64,
    previous_m: f64,
    counts: Counts,
}

impl Scripted {
    fn new(name: &'static str, log: &Log) -> Self {
        Scripted {
            name,
            log: log.clone(),
            step_m: 1.0,
            gain: 1.0,
            fails_m: f64::INFINITY,
            infinite_m: f64::INFINITY,
            z_m: 0.0,
            previous_m: 0.0,
            counts: Counts::default(),
        }
    }

    fn note(&self, what: &str) {
        self.log.borrow_mut().push(format!("{} {what}", self.name));
    }
}

impl Engine for Scripted {
    fn points(&self) -> usize {
        1
    }

    fn set_state(&mut self, z_m: f64, state: &[Complex64]) -> Result<(), EngineError> {
        self.note(&format!("set {z_m} {}", state[0].re));
        (self.z_m, self.previous_m) = (z_m, z_m);
        self.counts = Counts::default();
        Ok(())
    }

    fn advance(&mut self, plane_m: f64, _: i64) -> Result<f64, EngineError> {
        self.note(&format!("advance {plane_m}"));
        while self.z_m < plane_m {
            if self.z_m >= self.fails_m {
                return Err(EngineError::new("step", "it was told to"));
            }
            (self.previous_m, self.z_m) = (self.z_m, self.z_m + self.step_m);
            self.counts.accepted += 1;
            self.counts.evaluations += 6;
        }
        Ok(self.z_m)
    }

    fn observe(
        &mut self,
        plane_m: f64,
        intensity: Option<&mut [f64]>,
    ) -> Result<PlaneStatistics, EngineError> {
        self.note(&format!("observe {plane_m}"));
        assert!((self.previous_m..=self.z_m).contains(&plane_m));
        intensity.unwrap()[0] = (self.gain * (1.0 + plane_m)).powi(2);
        Ok(PlaneStatistics::default())
    }

    fn get_state(&self, state: &mut [Complex64]) -> Result<(), EngineError> {
        self.note("look");
        let value = match self.z_m >= self.infinite_m {
            true => f64::NAN,
            false => self.gain * (1.0 + self.z_m),
        };
        state[0] = Complex64::new(0.0, value);
        Ok(())
    }

    fn counts(&self) -> Result<Counts, EngineError> {
        Ok(self.counts)
    }

    fn steps_m(&self) -> Result<Vec<f64>, EngineError> {
        Ok(Vec::new())
    }

    fn fft_plans(&self) -> String {
        String::new()
    }

    fn source_bytes(&self) -> Option<u64> {
        None
    }
}

/// A clock that notes when it is read.
struct Noting {
    clock: ScriptedClock,
    log: Log,
}

impl Clock for Noting {
    fn now_ns(&self) -> u64 {
        self.log.borrow_mut().push("clock".to_owned());
        self.clock.now_ns()
    }

    fn process_cpu_ns(&self) -> Option<u64> {
        self.clock.process_cpu_ns()
    }
}

fn stretch(checkpoint: u32, z_m: f64, segments: u32) -> Stretch {
    let plane = |segment: u32| z_m + 2.5 + f64::from(segment);
    Stretch {
        checkpoint,
        z_m,
        warm_up_m: z_m + 1.5,
        planes_m: (0..segments).map(plane).collect(),
    }
}

fn boxed(baseline: Scripted, candidate: Scripted) -> Sides<Box<dyn Engine>> {
    Sides {
        baseline: Box::new(baseline),
        candidate: Box::new(candidate),
    }
}

fn value(re: f64) -> [Complex64; 1] {
    [Complex64::new(re, 0.0)]
}

/// Takes a stretch with two engines and a clock that stands still.
fn taken(
    baseline: Scripted,
    candidate: Scripted,
    stretch: &Stretch,
) -> Result<StretchReport, String> {
    let clock = ScriptedClock::new(&[5], &[]);
    let meter = Meter {
        clock: &clock,
        usage: &|| None,
    };
    let engines = boxed(baseline, candidate);
    Session::new(engines, Side::Baseline, &meter).stretch(stretch, &value(1.0))
}

#[test]
fn the_sides_take_turns_from_the_warm_up_on_and_only_an_advance_is_timed() {
    let log = Log::default();
    let clock = Noting {
        clock: ScriptedClock::new(&[0], &[]),
        log: log.clone(),
    };
    let meter = Meter {
        clock: &clock,
        usage: &|| None,
    };
    let engines = boxed(Scripted::new("a", &log), Scripted::new("b", &log));
    let mut session = Session::new(engines, Side::Candidate, &meter);
    session.stretch(&stretch(3, 4.0, 2), &value(7.0)).unwrap();
    let due = [
        "clock",
        "a set 4 7",
        "b set 4 7",
        "a advance 5.5",
        "b advance 5.5",
        "a look",
        "b look",
        "clock",
        "clock",
        "b advance 6.5",
        "clock",
        "clock",
        "a advance 6.5",
        "clock",
        "b look",
        "a look",
        "clock",
        "a advance 7.5",
        "clock",
        "clock",
        "b advance 7.5",
        "clock",
        "a look",
        "b look",
    ];
    assert_eq!(*log.borrow(), due);
}

#[test]
fn each_side_goes_first_in_half_of_the_segments_and_gets_its_own_times() {
    let log = Log::default();
    // Two readings around the restart; then four for each segment: the side that goes first takes
    // 10, the other 3.
    let mut readings = Vec::new();
    for segment in 0..8 {
        let start = 100 * segment;
        if segment % 4 == 0 {
            readings.extend([start - start / 10, start - start / 10 + 5]);
        }
        readings.extend([start, start + 10, start + 20, start + 23]);
    }
    let clock = ScriptedClock::new(&readings, &[]);
    let meter = Meter {
        clock: &clock,
        usage: &|| None,
    };
    let engines = boxed(Scripted::new("a", &log), Scripted::new("b", &log));
    let mut session = Session::new(engines, Side::Candidate, &meter);
    let mut firsts = Vec::new();
    for (checkpoint, z_m) in [(2, 20.0), (5, 0.0)] {
        let report = session
            .stretch(&stretch(checkpoint, z_m, 4), &value(1.0))
            .unwrap();
        assert_eq!(report.checkpoint, Some(checkpoint));
        for segment in report.segments {
            let (first, second) = match segment.first {
                Side::Baseline => (segment.baseline, segment.candidate),
                Side::Candidate => (segment.candidate, segment.baseline),
            };
            assert_eq!(first.sample.interval_ns, 10);
            assert_eq!(second.sample.interval_ns, 3);
            assert_eq!((first.sample.ops, first.sample.usage), (1, None));
            firsts.push(segment.first);
        }
    }
    assert_eq!(session.warm_up_ns, 10);
    let [a, b] = Side::BOTH;
    assert_eq!(firsts, [b, a, b, a, b, a, b, a]);
}

#[test]
fn equal_engines_are_at_distance_zero_and_count_alike() {
    let log = Log::default();
    let engines = (Scripted::new("a", &log), Scripted::new("b", &log));
    let report = taken(engines.0, engines.1, &stretch(0, 0.0, 4)).unwrap();
    assert_eq!(report.segments.len(), 4);
    for segment in report.segments {
        assert_eq!(segment.relative_l2, Some(0.0));
        assert_eq!(segment.baseline, segment.candidate);
        assert_eq!(segment.baseline.accepted, Some(1));
        assert_eq!(segment.baseline.evaluations, Some(6));
    }
    assert!(!log.borrow().iter().any(|line| line.contains("observe")));
}

#[test]
fn a_changed_result_is_a_distance_relative_to_the_baseline() {
    let log = Log::default();
    let mut candidate = Scripted::new("b", &log);
    candidate.gain = 1.25;
    let report = taken(Scripted::new("a", &log), candidate, &stretch(0, 0.0, 2)).unwrap();
    for segment in report.segments {
        assert_eq!(segment.relative_l2, Some(0.25));
    }
}

#[test]
fn sides_with_other_steps_are_compared_at_the_plane() {
    let log = Log::default();
    let mut candidate = Scripted::new("b", &log);
    candidate.step_m = 2.1;
    candidate.gain = 0.5;
    let report = taken(Scripted::new("a", &log), candidate, &stretch(0, 0.0, 4)).unwrap();
    let counted: Vec<_> = report
        .segments
        .iter()
        .map(|segment| (segment.baseline.accepted, segment.candidate.accepted))
        .collect();
    // Two steps of the candidate reach over three planes: it has nothing to do in between.
    let due = [(1, 1), (1, 0), (1, 1), (1, 0)];
    assert_eq!(counted, due.map(|(a, b)| (Some(a), Some(b))));
    for segment in report.segments {
        let distance = segment.relative_l2.unwrap();
        assert!((distance - 0.5).abs() < 1e-12, "{distance}");
    }
}

/// The reference engine on a short soliton with one parameter of the case changed.
fn reference(parameter: &str, factor: f64) -> (Gnlse, Box<dyn Engine>) {
    let mut case = serde_json::json!({
        "fibre": {"gamma_per_w_m": 0.1, "dispersion_s_per_m": [-1e-26]},
        "raman": "none", "raman_fraction": 0.18, "shock": false, "rtol": 1e-8,
        "pulse": {"shape": "sech", "tau_s": 280e-15, "peak_power_w": 14.0},
        "wavelength_m": 835e-9, "wavelength_limits_m": [600e-9, 1400e-9],
        "window_s": 10e-12, "length_m": 1.0, "planes": 3
    });
    let value = case.pointer_mut(parameter).unwrap();
    *value = serde_json::json!(value.as_f64().unwrap() * factor);
    let parameters = Parameters::read(case.as_object().unwrap()).unwrap();
    let case = Gnlse::new(&parameters, Noise::None).unwrap();
    let asked = Asked {
        stepper: "rk",
        length: 1.0,
        replay: None,
    };
    let integration = Integration::resolve(&case, asked).unwrap();
    let engine = Reference::create(&case.problem(), &integration).unwrap();
    (case, Box::new(engine))
}

#[test]
fn a_changed_constant_and_a_changed_tolerance_show_as_what_they_are() {
    let clock = ScriptedClock::new(&[5], &[]);
    let meter = Meter {
        clock: &clock,
        usage: &|| None,
    };
    let stretch = Stretch {
        checkpoint: 0,
        z_m: 0.0,
        warm_up_m: 0.05,
        planes_m: vec![0.2, 0.4, 0.6, 0.8],
    };
    for (parameter, factor, least, most) in [
        // Steps that differ: compared at the plane, and equal within the tolerance.
        ("/rtol", 0.1, 0.0, 1e-6),
        // A nonlinearity of 1 % more is another field, whatever the steps.
        ("/fibre/gamma_per_w_m", 1.01, 1e-3, 1.0),
    ] {
        let (case, baseline) = reference("/rtol", 1.0);
        let (_, candidate) = reference(parameter, factor);
        let engines = Sides {
            baseline,
            candidate,
        };
        let mut session = Session::new(engines, Side::Baseline, &meter);
        let segments = session.stretch(&stretch, &case.launch).unwrap().segments;
        let last = segments.last().unwrap();
        let distance = last.relative_l2.unwrap();
        assert!(
            distance > least && distance < most,
            "{parameter} {distance:e}"
        );
        let steps = |side: SegmentSide| side.accepted.unwrap();
        let more = segments
            .iter()
            .all(|pair| steps(pair.candidate) > steps(pair.baseline));
        assert_eq!(more, parameter == "/rtol");
    }
}

#[test]
fn a_side_that_fails_is_named() {
    let log = Log::default();
    for (side, other) in [("baseline", "candidate"), ("candidate", "baseline")] {
        for infinite in [false, true] {
            let mut bad = Scripted::new("bad", &log);
            match infinite {
                true => bad.infinite_m = 3.0,
                false => bad.fails_m = 3.0,
            }
            let good = Scripted::new("good", &log);
            let (a, b) = match side {
                "baseline" => (bad, good),
                _ => (good, bad),
            };
            let reason = taken(a, b, &stretch(0, 0.0, 4)).unwrap_err();
            assert!(reason.contains(&format!("side `{side}`")), "{reason}");
            assert!(!reason.contains(other), "{reason}");
            let cause = if infinite {
                "up to 2.5 m: the field is not finite"
            } else {
                "up to 3.5 m: failed to step: it was told to"
            };
            assert!(reason.contains(cause), "{reason}");
        }
    }
}

#[test]
fn a_clock_that_goes_back_ends_the_duet() {
    let log = Log::default();
    let clock = ScriptedClock::new(&[1, 2, 9, 4], &[]);
    let meter = Meter {
        clock: &clock,
        usage: &|| None,
    };
    let engines = boxed(Scripted::new("a", &log), Scripted::new("b", &log));
    let mut session = Session::new(engines, Side::Candidate, &meter);
    let reason = session.stretch(&stretch(0, 0.0, 2), &value(1.0));
    let reason = reason.unwrap_err();
    assert!(reason.contains("side `candidate`") && reason.contains("back by 5 ns"));
}

#[test]
fn positions_agree_to_rounding_only() {
    assert!(same_position(0.15, 0.1 + 0.05));
    assert!(same_position(0.0, 0.0));
    assert!(!same_position(0.15, 0.15 + 1e-9));
}
