//! The order of the extra repeat and what it takes down.

#![allow(clippy::unwrap_used, clippy::float_cmp)]

use std::cell::RefCell;
use std::rc::Rc;

use longrun_measure::ScriptedClock;
use longrun_protocol::Witness;

use super::*;
use crate::engine::PlaneStatistics;
use crate::gnlse::parameters::Parameters;
use crate::gnlse::{Gnlse, Noise};
use crate::steppers::{Asked, Integration};
use crate::worker::sampled::testing::receipt;

/// An engine of steps of half a metre that notes what it is asked.
struct Scripted {
    log: Rc<RefCell<Vec<String>>>,
    z_m: f64,
    evaluations: u64,
    probes: bool,
}

impl Scripted {
    fn note(&self, what: &str) {
        self.log.borrow_mut().push(what.to_owned());
    }
}

impl Engine for Scripted {
    fn points(&self) -> usize {
        4096
    }

    fn set_state(&mut self, z_m: f64, _: &[Complex64]) -> Result<(), EngineError> {
        self.note(&format!("set {z_m:.1}"));
        (self.z_m, self.evaluations) = (z_m, 0);
        Ok(())
    }

    fn advance(&mut self, plane_m: f64, _: i64) -> Result<f64, EngineError> {
        self.note(&format!("advance {plane_m:.2}"));
        while self.z_m < plane_m {
            self.z_m += 0.5;
            self.evaluations += 2;
        }
        Ok(self.z_m)
    }

    fn observe(
        &mut self,
        plane_m: f64,
        _: Option<&mut [f64]>,
    ) -> Result<PlaneStatistics, EngineError> {
        self.note(&format!("observe {plane_m:.2}"));
        Ok(PlaneStatistics::default())
    }

    fn get_state(&self, _: &mut [Complex64]) -> Result<(), EngineError> {
        self.note("copy");
        Ok(())
    }

    fn counts(&self) -> Result<Counts, EngineError> {
        Ok(Counts {
            evaluations: self.evaluations,
            ..Counts::default()
        })
    }

    fn steps_m(&self) -> Result<Vec<f64>, EngineError> {
        Ok(Vec::new())
    }

    fn fft_plans(&self) -> String {
        String::new()
    }

    fn source_bytes(&self) -> Option<u64> {
        Some(77)
    }

    fn probe(&mut self) -> Result<&mut dyn Probe, String> {
        match self.probes {
            true => Ok(self),
            false => Err("it was told to have none".to_owned()),
        }
    }
}

impl Probe for Scripted {
    fn start_parts(&mut self) -> Result<(), EngineError> {
        self.note("start parts");
        Ok(())
    }

    fn stop_parts(&mut self) -> Result<(), EngineError> {
        self.note("stop parts");
        Ok(())
    }

    fn parts(&self) -> Result<Parts, EngineError> {
        self.note("parts");
        Ok(Parts {
            fft_ns: 50,
            pointwise_ns: 20,
            stepper_ns: 15,
            absorb_ns: 4,
            observe_ns: 3,
        })
    }

    fn bare_evaluations(&mut self, evaluations: u32) -> Result<u64, EngineError> {
        self.note(&format!("bare {evaluations} at {:.2}", self.z_m));
        Ok(u64::from(evaluations) * 9)
    }

    fn bare_transforms(&mut self, evaluations: u32) -> Result<u64, EngineError> {
        self.note(&format!("transforms {evaluations}"));
        Ok(u64::from(evaluations) * 6)
    }
}

/// A guide of 2 m with a plane at each end, of which the timed repeats took `evaluations`.
fn taken(planes: u32, evaluations: u64, engine: &mut Scripted) -> (Receipt, Result<(), String>) {
    let map = serde_json::json!({
        "fibre": {"gamma_per_w_m": 0.1, "dispersion_s_per_m": [-1e-26]},
        "raman": "none", "raman_fraction": 0.18, "shock": false,
        "pulse": {"shape": "sech", "tau_s": 280e-15, "soliton_order": 3.0},
        "wavelength_m": 835e-9, "wavelength_limits_m": [450e-9, 8000e-9],
        "window_s": 4e-12, "length_m": 2.0, "planes": planes
    });
    let parameters = Parameters::read(map.as_object().unwrap()).unwrap();
    let case = Case::from(Gnlse::new(&parameters, Noise::None).unwrap());
    let asked = Asked {
        stepper: "rk",
        length: 1.0,
        replay: None,
    };
    let integration = Integration::resolve(&case, asked).unwrap();
    let mut course = Course::new(&case, &integration);
    let clock = ScriptedClock::new(&[100, 160, 200, 240], &[]);
    let meter = Meter {
        clock: &clock,
        usage: &|| None,
    };
    let mut receipt = receipt();
    receipt.witnesses.push(Witness {
        evaluations: Some(evaluations),
        ..Witness::default()
    });
    let outcome = take(engine, &case, &mut course, &meter, &mut receipt);
    (receipt, outcome)
}

fn engine(probes: bool) -> Scripted {
    Scripted {
        log: Rc::default(),
        z_m: 0.0,
        evaluations: 0,
        probes,
    }
}

#[test]
fn the_repeat_pauses_at_mid_guide_and_the_loops_come_after_its_end() {
    let mut engine = engine(true);
    // Four steps of half a metre.
    let (receipt, outcome) = taken(2, 8, &mut engine);
    assert_eq!(outcome, Ok(()));
    let due = [
        "start parts",
        "set 0.0",
        "advance 0.00",
        "observe 0.00",
        "advance 1.00",
        "copy",
        "advance 2.00",
        "observe 2.00",
        "parts",
        "stop parts",
        "set 1.0",
        "bare 400 at 1.00",
        "transforms 400",
    ];
    assert_eq!(*engine.log.borrow(), due);
    assert_eq!(
        receipt.breakdown.unwrap(),
        Breakdown {
            run_ns: 100,
            fft_ns: 50,
            pointwise_ns: 20,
            stepper_ns: 15,
            absorb_ns: 4,
            observe_ns: 3,
            evaluations: 8,
            bare_evaluation_ns: Some(9.0),
            transforms_ns: Some(6.0),
            source_bytes: Some(77),
            loop_evaluations: 400,
        }
    );
}

#[test]
fn a_plane_at_mid_guide_is_observed_before_the_pause() {
    let mut engine = engine(true);
    assert_eq!(taken(3, 8, &mut engine).1, Ok(()));
    let log = engine.log.borrow();
    let copy = log.iter().position(|line| line == "copy").unwrap();
    let before = ["advance 1.00", "observe 1.00", "advance 1.00"];
    assert_eq!(log[copy - 3..copy], before);
}

#[test]
fn an_engine_that_does_not_time_its_parts_is_a_skip_with_its_reason() {
    let mut engine = engine(false);
    let (receipt, outcome) = taken(2, 8, &mut engine);
    assert_eq!((outcome, receipt.breakdown), (Ok(()), None));
    assert_eq!(receipt.skips.len(), 1);
    assert_eq!(receipt.skips[0].what, "breakdown");
    assert_eq!(receipt.skips[0].reason, "it was told to have none");
    assert!(engine.log.borrow().is_empty(), "nothing was done");
}

#[test]
fn a_repeat_that_took_other_evaluations_explains_nothing() {
    let mut engine = engine(true);
    let (receipt, outcome) = taken(2, 9, &mut engine);
    let reason = outcome.unwrap_err();
    assert!(
        reason.contains("8 source evaluations") && reason.contains("repeat 9"),
        "{reason}"
    );
    assert_eq!(receipt.breakdown, None);
}
