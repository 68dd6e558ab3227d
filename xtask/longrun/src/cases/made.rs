//! A registry, records and documents for the tests of this verb.

#![allow(clippy::unwrap_used)]

use longrun_protocol::receipt::{OracleLine, Relation};
use longrun_protocol::{Engine, Size, Width};
use serde_json::{Value, json};

use super::record::{Cost, Oracle, Origin, Record, Shares, Study, Subject};
use crate::registry::Registry;

const REGISTRY: &str = r#"
schema_version = 1
suite = "tracking"
title = "A suite"

[[case]]
name = "tube"
title = "A pulse in a tube"
interface = "capillary"
worker = { command = ["worker"] }
steppers = ["rk"]
default_stepper = "multistep"
repeat_bound = 1e-9
revision_bound = 1e-6
parameters = { gas = "argon", pulse = { fwhm_s = 30e-15 }, core_radius_m = 13e-6 }
[case.sizes.full]
revision = 2
widths = ["1", "production"]
oracles = ["energy", "repeat"]
[case.sizes.smoke]
revision = 1
widths = ["1"]
parameters = { core_radius_m = 5e-6 }
oracles = ["energy"]

[[case]]
name = "fibre"
title = "A pulse in a fibre"
interface = "waveguide"
worker = { command = ["worker"] }
repeat_bound = 1e-9
revision_bound = 1e-6
[case.sizes.full]
revision = 1
widths = ["1"]

[[case]]
name = "aside"
title = "Run by name"
interface = "capillary"
tracked = false
worker = { command = ["worker"] }
repeat_bound = 1e-9
revision_bound = 1e-6
[case.sizes.full]
revision = 1
widths = ["1"]
"#;

/// Two tracked cases, of which one has two sizes, and one that is run by name.
pub fn registry() -> Registry {
    Registry::parse(&[("workloads/tracking.toml".to_owned(), REGISTRY.to_owned())]).unwrap()
}

/// `tube` at a size, with its default stepper.
pub fn tube(size: Size, width: u32) -> Subject {
    Subject {
        case: "tube".into(),
        size,
        engine: Engine::Native,
        stepper: "multistep".into(),
        variant: String::new(),
        width: Width::Threads(width),
        revision: match size {
            Size::Full => 2,
            _ => 1,
        },
    }
}

/// Where made records come from.
pub fn origin() -> Origin {
    Origin {
        run_id: "20261130T215342Z-7311b15-7672".into(),
        slug: Some("a-cpu".into()),
    }
}

/// A cost with a median of so many seconds.
pub fn cost(of: Subject, median_s: f64) -> Cost {
    Cost {
        of,
        origin: origin(),
        median_s,
        min_s: median_s * 0.99,
        max_s: median_s * 1.01,
        repeats: 3,
        accepted: Some(100),
        rejected: Some(2),
        evaluations: Some(203),
        peak_rss_bytes: Some(8 << 20),
        busy: Some(false),
        integrator: Some("multistep order=5".into()),
        tolerances: Some("rtol=1e-6".into()),
        noise_model: Some("none".into()),
        facts: match json!({"points": 1024, "time_step_s": 1.5e-15}) {
            Value::Object(facts) => facts,
            _ => Default::default(),
        },
    }
}

/// A breakdown of a run of a second.
pub fn shares(of: Subject) -> Shares {
    Shares {
        of,
        origin: origin(),
        run_s: 1.0,
        fft_s: 0.5,
        pointwise_s: 0.25,
        stepper_s: 0.125,
        absorb_s: 0.0625,
        observe_s: 0.03125,
        rest_s: 0.03125,
        evaluations: 203,
        bare_evaluation_s: Some(4e-3),
        fft_time_s: Some(1e-3),
        floor_s: Some(2e-3),
        stepper_overhead: None,
    }
}

/// A quantity of an oracle: 1 ± 0.1 expected.
pub fn oracle(of: Subject, name: &str, obtained: f64) -> Oracle {
    Oracle {
        of,
        origin: Origin {
            slug: None,
            ..origin()
        },
        line: OracleLine {
            oracle: name.into(),
            quantity: format!("{name}, end over launch"),
            unit: String::new(),
            relation: Relation::Within,
            expected: 1.0,
            obtained: Some(obtained),
            tolerance: 0.1,
        },
    }
}

/// What a stepper takes for `tube` at size full.
pub fn study(stepper: &str, rtol: f64) -> Study {
    Study {
        case: "tube".into(),
        size: Size::Full,
        revision: 2,
        stepper: stepper.into(),
        rtol,
        error: 2.5e-7,
        evaluations: 400,
        accepted: 199,
        rejected: 0,
        seconds_ratio_to_rk: 0.5,
    }
}

/// One record of each kind.
pub fn records() -> Vec<Record> {
    vec![
        Record::Study(study("rk", 1e-8)),
        Record::Study(study("rk", 1e-6)),
        Record::Oracle(oracle(tube(Size::Full, 1), "repeat", 1.0)),
        Record::Oracle(oracle(tube(Size::Full, 1), "energy", 1.05)),
        Record::Breakdown(shares(tube(Size::Full, 1))),
        Record::Cost(cost(tube(Size::Full, 2), 1.5)),
        Record::Cost(cost(tube(Size::Full, 1), 2.0)),
    ]
}
