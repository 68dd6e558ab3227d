//! What a request must say to be served: a pure function of the request.

mod comparison;
pub mod kernel;

use longrun_protocol::duet::{CheckpointPlan, DuetPlan};
use longrun_protocol::receipt::Failure;
use longrun_protocol::request::{Request, Task};
use longrun_protocol::{Engine, PROTOCOL_VERSION, Width};

use super::computes::Asked;
use super::failure;
use crate::case::{self, Parameters};
use crate::gnlse::Noise;
use crate::oracle::catalogue::Oracle;

/// The phase of a failure that the request itself causes.
const PHASE: &str = "request";

/// A request that this worker serves, with its parts checked and typed.
///
/// Of an interface whose cases are propagations; [`kernel::Job`] is of the other one.
#[derive(Debug)]
pub struct Job<'a> {
    /// The request.
    pub request: &'a Request,
    /// What to compute with.
    pub computes: Asked<'a>,
    /// Parameters of the case.
    pub parameters: Parameters,
    /// Noise of the launch.
    pub noise: Noise,
    /// Name of the stepper, `default` resolved.
    pub stepper: &'a str,
    /// What to do.
    pub work: Work<'a>,
}

/// What a request asks to be done, with what only that task has.
#[derive(Debug, PartialEq)]
pub enum Work<'a> {
    /// Complete runs, timed.
    Run,
    /// FFT plans for the store.
    PrepareFft,
    /// A figure of a complete run.
    Plot,
    /// These oracles, measured.
    Verify(Vec<Oracle>),
    /// States along the guide, and the stretches that follow them.
    Checkpoint(&'a CheckpointPlan),
    /// Segments of two libraries in turn.
    Duet(&'a DuetPlan),
}

/// The job that a request describes, or why this worker does not serve it.
pub fn check(request: &Request) -> Result<Job<'_>, Failure> {
    job(request).map_err(|message| failure(PHASE, message))
}

fn job(request: &Request) -> Result<Job<'_>, String> {
    check_version(request.protocol_version)?;
    check_served(request)?;
    check_numbers(request)?;
    let computes = computes(request)?;
    Ok(Job {
        request,
        computes,
        parameters: Parameters::read(&request.interface, &request.parameters)?,
        noise: noise(&request.noise, request.seed)?,
        stepper: match request.configuration.stepper.as_str() {
            "default" => &request.default_stepper,
            named => named,
        },
        work: work(request)?,
    })
}

fn check_version(version: u32) -> Result<(), String> {
    if version == PROTOCOL_VERSION {
        return Ok(());
    }
    Err(format!(
        "failed to serve the request: it has protocol version {version} and this worker speaks \
         version {PROTOCOL_VERSION}; build worker and `xtask` from one revision"
    ))
}

fn check_served(request: &Request) -> Result<(), String> {
    let refuse = |what: String, serves: &str| {
        Err(format!(
            "failed to serve the request: {what}; this worker serves {serves}"
        ))
    };
    if request.task == Task::PrepareFft && request.wisdom.is_none() {
        let given = "task `prepare_fft` names no `wisdom`".to_owned();
        return refuse(given, "a store to add to");
    }
    if request.task == Task::PrepareFft && !request.configuration.engine.needs_library() {
        let given = format!(
            "task `prepare_fft` with engine `{}`",
            request.configuration.engine
        );
        return refuse(
            given,
            "it with engine `native` only: the reference keeps no plans",
        );
    }
    let interface = request.interface.as_str();
    if interface != kernel::INTERFACE && !case::INTERFACES.contains(&interface) {
        let given = format!("unknown interface `{interface}`");
        let served: Vec<String> = case::INTERFACES.map(|name| format!("`{name}`")).into();
        let serves = format!("the interfaces {} and `kernel`", served.join(", "));
        return refuse(given, &serves);
    }
    if !request.configuration.variant.is_empty() {
        let given = format!("unknown variant `{}`", request.configuration.variant);
        return refuse(given, "no variants");
    }
    match request.configuration.width {
        Width::Threads(threads) if threads == request.threads => Ok(()),
        Width::Threads(threads) => refuse(
            format!("width {threads} with {} threads", request.threads),
            "as many threads as the width says",
        ),
        Width::Device => refuse("width `device`".to_owned(), "host threads"),
    }
}

/// What the engine of the configuration computes with.
fn computes(request: &Request) -> Result<Asked<'_>, String> {
    let refuse = |what: &str| Err(format!("failed to serve the request: {what}"));
    match (request.configuration.engine, &request.library) {
        (Engine::Native, Some(library)) => Ok(Asked::Native(library)),
        (Engine::Native, None) => {
            refuse("engine `native` needs a library and the request names none")
        }
        (Engine::Reference, Some(_)) => {
            refuse("engine `reference` uses no library and the request names one")
        }
        (Engine::Reference, None) if request.threads != 1 => refuse(&format!(
            "engine `reference` works on one thread and the request gives it {}",
            request.threads
        )),
        (Engine::Reference, None) => Ok(Asked::Reference),
        (Engine::Auto, _) => refuse(
            "it has no engine `auto`; this worker serves the engines `native` and `reference`",
        ),
    }
}

fn check_numbers(request: &Request) -> Result<(), String> {
    let refuse = |key: &str, value: String, rule: &str| {
        Err(format!(
            "failed to serve the request: `{key}` is {value}, and it must be {rule}"
        ))
    };
    if request.repeats == 0 {
        return refuse("repeats", "0".to_owned(), "at least 1");
    }
    if !(request.length > 0.0 && request.length <= 1.0) {
        return refuse(
            "length",
            request.length.to_string(),
            "above 0 and at most 1",
        );
    }
    // Oracles are about the end of the whole guide.
    if request.task == Task::Verify && request.length < 1.0 {
        let rule = "1 for task `verify`";
        return refuse("length", request.length.to_string(), rule);
    }
    if !(0.0..=1.0).contains(&request.warm_up) {
        return refuse("warm_up", request.warm_up.to_string(), "from 0 to 1");
    }
    Ok(())
}

fn work(request: &Request) -> Result<Work<'_>, String> {
    comparison::unused(request)?;
    let oracles = oracles(request)?;
    Ok(match request.task {
        Task::Run => Work::Run,
        Task::PrepareFft => Work::PrepareFft,
        Task::Verify => Work::Verify(oracles),
        Task::Plot => Work::Plot,
        Task::Checkpoint => Work::Checkpoint(comparison::preparation(request)?),
        Task::Duet => Work::Duet(comparison::duet(request)?),
    })
}

fn oracles(request: &Request) -> Result<Vec<Oracle>, String> {
    let refuse = |what: String| Err(format!("failed to serve the request: {what}"));
    match (request.task, request.oracles.is_empty()) {
        (Task::Verify, true) => return refuse("task `verify` names no oracle".to_owned()),
        (Task::Verify, false) | (_, true) => {}
        (_, false) => return refuse("oracles are named for another task than `verify`".to_owned()),
    }
    let mut oracles = Vec::new();
    for name in &request.oracles {
        match Oracle::from_name(name) {
            Some(oracle) if oracles.contains(&oracle) => {
                return refuse(format!("oracle `{name}` is named twice"));
            }
            Some(oracle) => oracles.push(oracle),
            None => {
                let known: Vec<&str> = Oracle::ALL.into_iter().map(Oracle::as_str).collect();
                let known = known.join(", ");
                return refuse(format!("unknown oracle `{name}`; this worker has {known}"));
            }
        }
    }
    Ok(oracles)
}

fn noise(model: &str, seed: Option<u64>) -> Result<Noise, String> {
    match (model, seed) {
        ("none", _) => Ok(Noise::None),
        ("input", Some(seed)) => Ok(Noise::Input { seed }),
        ("input", None) => {
            Err("failed to serve the request: noise `input` needs a `seed`".to_owned())
        }
        _ => Err(format!(
            "failed to serve the request: unknown noise `{model}`; this worker serves `input` and \
             `none`"
        )),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::{Value, json};

    fn request() -> Value {
        json!({
            "protocol_version": 1, "request_id": "r", "task": "run",
            "configuration": {
                "suite": "tracking", "case": "gnlse_soliton", "size": "smoke", "revision": 1,
                "engine": "native", "stepper": "default", "variant": "", "width": "1"
            },
            "interface": "gnlse",
            "parameters": {
                "fibre": {"gamma_per_w_m": 0.1, "dispersion_s_per_m": [-1e-26]},
                "raman": "none", "raman_fraction": 0.18, "shock": false,
                "pulse": {"shape": "sech", "tau_s": 280e-15, "soliton_order": 3.0},
                "wavelength_m": 835e-9, "wavelength_limits_m": [450e-9, 8000e-9],
                "window_s": 4e-12, "soliton_periods": 1.0, "planes": 11
            },
            "library": {"path": "/l.so", "build_key": "k"},
            "threads": 1, "repeats": 3, "warm_up": 0.02, "length": 1.0,
            "seed": 7, "noise": "input", "default_stepper": "rk",
            "bounds": {"repeat": 1e-9, "revision": 1e-6}, "oracles": []
        })
    }

    fn verification(oracles: Value) -> Request {
        let mut request = request();
        request["task"] = json!("verify");
        request["oracles"] = oracles;
        serde_json::from_value(request).unwrap()
    }

    fn changed(path: &str, value: Value) -> Request {
        let mut request = request();
        *request.pointer_mut(path).unwrap() = value;
        serde_json::from_value(request).unwrap()
    }

    #[test]
    fn a_sound_request_is_served_with_its_default_stepper() {
        let request: Request = serde_json::from_value(request()).unwrap();
        let job = check(&request).unwrap();
        assert_eq!(job.stepper, "rk");
        assert_eq!(job.noise, Noise::Input { seed: 7 });
    }

    #[test]
    fn an_override_replaces_the_default_stepper() {
        let request = changed("/configuration/stepper", json!("rk4ip"));
        assert_eq!(check(&request).unwrap().stepper, "rk4ip");
    }

    fn of_the_reference(threads: u32) -> Request {
        let mut request = changed("/configuration/engine", json!("reference"));
        request.library = None;
        request.threads = threads;
        request.configuration.width = Width::Threads(threads);
        request
    }

    #[test]
    fn each_engine_computes_with_what_it_needs() {
        let request: Request = serde_json::from_value(request()).unwrap();
        let library = request.library.as_ref().unwrap();
        assert_eq!(check(&request).unwrap().computes, Asked::Native(library));
        let request = of_the_reference(1);
        assert_eq!(check(&request).unwrap().computes, Asked::Reference);
    }

    #[test]
    fn the_reference_is_given_one_thread_only() {
        let failure = check(&of_the_reference(2)).unwrap_err();
        let said = "works on one thread and the request gives it 2";
        assert!(failure.message.contains(said), "{}", failure.message);
    }

    #[test]
    fn the_oracles_of_a_verification_are_known_by_name() {
        let request = verification(json!(["repeat", "span"]));
        let job = check(&request).unwrap();
        let oracles = vec![Oracle::Repeat, Oracle::Span];
        assert_eq!(job.work, Work::Verify(oracles));
        for (oracles, named) in [
            (json!(["repeat", "weather"]), "unknown oracle `weather`"),
            (json!(["repeat", "repeat"]), "`repeat` is named twice"),
        ] {
            let message = check(&verification(oracles)).unwrap_err().message;
            assert!(message.contains(named), "{message}");
        }
    }

    #[test]
    fn a_verification_runs_the_whole_guide() {
        let mut request = verification(json!(["repeat"]));
        request.length = 0.5;
        let message = check(&request).unwrap_err().message;
        assert!(message.contains("`length`"), "{message}");
    }

    #[test]
    fn the_reference_has_no_plans_to_prepare() {
        let mut asked = request();
        asked["task"] = json!("prepare_fft");
        asked["wisdom"] = json!("/store");
        asked["configuration"]["engine"] = json!("reference");
        let request: Request = serde_json::from_value(asked).unwrap();
        let failure = check(&request).unwrap_err();
        assert!(
            failure.message.contains("keeps no plans"),
            "{}",
            failure.message
        );
    }

    #[test]
    fn what_is_not_served_is_refused_by_name() {
        let table = [
            ("/protocol_version", json!(2), "version 2"),
            ("/task", json!("prepare_fft"), "`prepare_fft`"),
            ("/task", json!("checkpoint"), "names no `checkpoint`"),
            ("/task", json!("duet"), "names no `duet`"),
            ("/task", json!("verify"), "no oracle"),
            ("/oracles", json!(["repeat"]), "another task"),
            (
                "/configuration/engine",
                json!("reference"),
                "uses no library",
            ),
            ("/configuration/engine", json!("auto"), "`auto`"),
            ("/configuration/variant", json!("dtype=f32"), "`dtype=f32`"),
            ("/configuration/width", json!("device"), "host threads"),
            ("/configuration/width", json!("2"), "width 2 with 1 threads"),
            ("/interface", json!("orbital"), "`orbital`"),
            ("/interface", json!("capillary"), "interface `capillary`"),
            ("/repeats", json!(0), "`repeats`"),
            ("/length", json!(0.0), "`length`"),
            ("/length", json!(1.5), "`length`"),
            ("/warm_up", json!(-0.1), "`warm_up`"),
            ("/noise", json!("thermal"), "`thermal`"),
            ("/seed", Value::Null, "`seed`"),
            ("/library", Value::Null, "library"),
            ("/parameters/planes", json!(0), "`planes`"),
        ];
        for (path, value, named) in table {
            let request = changed(path, value);
            let failure = check(&request).unwrap_err();
            assert_eq!(failure.phase, "request");
            assert!(
                failure.message.contains(named),
                "{path}: {}",
                failure.message
            );
        }
    }
}
