//! The repository that `docs/adopting.md` sets up, with its worker in Python, as it stands there.

use std::f64::consts::PI;
use std::process::Command;

use longrun_optics::fourier::Complex64;
use longrun_optics::witness;
use serde_json::Value;

use crate::bench::Bench;
use crate::page;

const PAGE: &str = "docs/adopting.md";
const REGISTRY: &str = "workloads/tracking.toml";
const WORKER: &str = "workloads/heat/worker.py";

/// The files of the page that need no native library.
fn bench() -> Bench {
    let python = Command::new("python3").arg("--version").output();
    assert!(
        python.is_ok_and(|output| output.status.success()),
        "there is no `python3` that runs: `cargo xtask setup --yes` installs it"
    );
    Bench::new()
        .file(REGISTRY, &page::file(PAGE, REGISTRY))
        .file(WORKER, &page::file(PAGE, WORKER))
}

/// The same with the native library, and both engines.
fn native_bench() -> Bench {
    let registry = page::file(PAGE, REGISTRY);
    let both = registry.replace(r#"["reference"]"#, r#"["native", "reference"]"#);
    assert_ne!(both, registry);
    ["native/CMakeLists.txt", "native/heat.cpp"]
        .into_iter()
        .fold(bench().file(REGISTRY, &both), |bench, path| {
            bench.file(path, &page::file(PAGE, path))
        })
}

/// Heat that spreads around a ring, as the worker computes it.
fn heat(points: usize, steps: usize) -> Vec<f64> {
    let mut state: Vec<f64> = (0..points)
        .map(|i| if 4 * i < points { 1.0 } else { 0.0 })
        .collect();
    for _ in 0..steps {
        let step = |i: usize| {
            let (left, right) = (state[(i + points - 1) % points], state[(i + 1) % points]);
            state[i] + 0.25 * (left - 2.0 * state[i] + right)
        };
        state = (0..points).map(step).collect();
    }
    state
}

/// A real state as the protocol reads a complex one: real and imaginary parts in turn.
fn pairs(state: &[f64]) -> Vec<Complex64> {
    let pair = |x: &[f64]| Complex64::new(x[0], x[1]);
    state.chunks(2).map(pair).collect()
}

/// Largest difference between the sketch in a receipt and that of a state.
fn sketches_apart(receipt: &Value, state: &[f64]) -> f64 {
    let last = receipt["witnesses"].as_array().unwrap().last().unwrap();
    let sketch: Vec<f64> = serde_json::from_value(last["sketch"].clone()).unwrap();
    assert_eq!(sketch.len(), 256);
    let due = witness::sketch(&pairs(state));
    let apart = sketch.iter().zip(due).map(|(x, y)| (x - y).abs());
    apart.fold(0.0, f64::max)
}

#[test]
fn the_page_shows_the_worker_that_is_kept_with_the_tests() {
    let kept = page::of_repository("tests/data/python_worker.py");
    assert!(
        page::file(PAGE, WORKER) == kept,
        "the worker of {PAGE} and tests/data/python_worker.py differ: make them equal"
    );
}

#[test]
fn a_worker_in_python_is_run_checked_and_recorded() {
    let bench = bench().commit();
    bench.run(["list"]).exits(0).says("1 configuration");
    bench.run(["track", "--size", "smoke"]).exits(0);
    let report = bench.run(["track", "--append-history", "--json"]).exits(0);
    let report = report.json();
    assert_eq!(
        [
            &report["complete"],
            &report["consistent"],
            &report["recorded"]
        ],
        [true, true, true]
    );
    let row = bench.committed_rows().remove(0);
    for (column, value) in [
        ("case", "heat_ring"),
        ("engine", "reference"),
        ("integrator", "euler"),
        ("noise_model", "none"),
        ("repeats", "3"),
        ("dirty", "false"),
        ("accepted", ""),
    ] {
        assert_eq!(row[column], value, "{column}");
    }
    assert_eq!(row["worker_digest"].len(), 64);
    assert!(row["peak_rss_bytes"].parse::<u64>().unwrap() > 1 << 20);
    bench.run(["history"]).exits(0).says("1.0.0");
}

#[test]
fn what_a_worker_in_python_witnesses_is_what_the_protocol_defines() {
    let bench = bench().commit();
    bench.run(["track", "--size", "smoke"]).exits(0);
    let receipt = bench.bundle().json("01-heat_ring-1/receipt.json");
    let state = heat(64, 500);
    for witness in receipt["witnesses"].as_array().unwrap() {
        assert_eq!(witness["digest"], witness::digest(&pairs(&state)));
        assert_eq!(witness["iterations"], 500);
        assert_eq!(witness["threads_observed"], 1);
    }
    // A number of JSON may be read with an error in the last place.
    assert!(sketches_apart(&receipt, &state) < 1e-15);
    assert!((receipt["context"]["heat"].as_f64().unwrap() - 16.0).abs() < 1e-12);
    // The slowest wave of the ring decays by 1 - sin²(π/n) in each step.
    let wave = |state: &[f64], i: usize| state[i] * (2.0 * PI * i as f64 / 64.0).cos();
    let amplitude = |state: &[f64]| (0..64).map(|i| wave(state, i)).sum::<f64>();
    let decay = (1.0 - (PI / 64.0).sin().powi(2)).powi(500);
    let ratio = amplitude(&state) / amplitude(&heat(64, 0));
    assert!((ratio / decay - 1.0).abs() < 1e-10, "{ratio} {decay}");
}

#[test]
fn a_worker_in_python_says_where_it_is() {
    let bench = bench().commit();
    bench.run(["track", "--size", "smoke"]).exits(0);
    let log = bench.bundle().text("01-heat_ring-1/stdout.log");
    let events: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let of = |kind: &str, key: &str| -> Vec<Value> {
        let alike = events.iter().filter(|event| event["event"] == kind);
        alike.map(|event| event[key].clone()).collect()
    };
    assert_eq!(of("phase", "name"), ["construct", "warm_up", "run"]);
    assert_eq!(of("progress", "repeat"), [1, 2, 3]);
    let phases = &bench.bundle().json("01-heat_ring-1/receipt.json")["phases"];
    for timed in ["construct_ns", "warm_up_ns", "run_ns"] {
        assert!(phases[timed].as_u64().unwrap() > 0, "{timed}");
    }
}

#[test]
fn a_worker_in_python_refuses_what_it_does_not_serve() {
    let bench = bench().commit();
    let registry = bench.read(REGISTRY);
    for (before, after, reason) in [
        (r#"["1"]"#, r#"["2"]"#, "failed to serve `threads`: it is 2"),
        (
            "steps = 500",
            "stages = 500",
            "failed to read the parameters",
        ),
        (
            r#""heat""#,
            r#""sound""#,
            "failed to serve `interface`: it is 'sound'",
        ),
        ("points = 64", "points = 0", "division by zero"),
    ] {
        // An estimate is for a width that the case has.
        let registry = registry.replace("estimates = ", "# estimates = ");
        bench.write(REGISTRY, &registry.replace(before, after));
        let ran = bench.run(["track", "--size", "smoke", "--json"]).exits(1);
        let result = &ran.json()["results"][0];
        assert_eq!(result["status"], "failed", "{result}");
        let given = result["reason"].as_str().unwrap();
        assert!(given.contains(reason), "{given}");
        assert!(result["median_s"].is_null());
    }
    bench.write(REGISTRY, &registry);
    bench
        .run(["track", "--size", "smoke", "--keep-state"])
        .exits(1)
        .says("failed to serve `keep_state`");
}

#[test]
fn a_request_that_python_only_half_understands_is_refused() {
    let bench = bench().commit();
    bench.run(["track", "--size", "smoke"]).exits(0);
    let request = bench.bundle().json("01-heat_ring-1/request.json");
    let answer = |request: &str| {
        let (asked, answered) = (bench.outside("request.json"), bench.outside("receipt.json"));
        std::fs::write(&asked, request).unwrap();
        let mut worker = Command::new("python3");
        worker.arg(bench.root().join(WORKER));
        worker.arg("--request").arg(&asked);
        worker.arg("--receipt").arg(&answered);
        let status = worker.output().unwrap().status;
        assert_eq!(status.code(), Some(1), "{request}");
        std::fs::read_to_string(&answered)
    };
    for (key, value, reason) in [
        ("later", 1, "failed to understand ['later']"),
        (
            "protocol_version",
            2,
            "failed to serve `protocol_version`: it is 2",
        ),
    ] {
        let mut request = request.clone();
        request[key] = value.into();
        let receipt: Value = serde_json::from_str(&answer(&request.to_string()).unwrap()).unwrap();
        assert_eq!(receipt["status"], "failed");
        assert_eq!(receipt["failure"]["phase"], "request");
        let message = receipt["failure"]["message"].as_str().unwrap();
        assert!(message.starts_with(reason), "{message}");
        std::fs::remove_file(bench.outside("receipt.json")).unwrap();
    }
    assert!(answer("half a req").is_err(), "there is nothing to answer");
}

#[test]
fn the_native_library_of_the_page_computes_the_same() {
    let bench = native_bench().commit();
    bench.run(["track", "--size", "smoke"]).exits(0);
    let engine = ["track", "--size", "smoke", "--engine", "reference"];
    bench
        .run([&engine[..], &["--out", "target/other"]].concat())
        .exits(0);
    let native = bench.bundle();
    let build = native.json("build.json")["native"]["build_key"].clone();
    let receipt = native.json("01-heat_ring-1/receipt.json");
    assert_eq!(receipt["library"]["build_key"], build);
    // A compiler may fuse multiplications with additions; Python does not.
    assert!(sketches_apart(&receipt, &heat(64, 500)) < 1e-12);
}

#[test]
fn a_worker_that_knows_no_duets_compares_two_revisions_in_pairs() {
    let bench = native_bench().commit();
    let source = bench.read("native/heat.cpp");
    let words = "--baseline HEAD --size smoke --rounds 6 --mode pairs --json";
    // The same numbers, each computed twice: what that costs is for a quiet machine to say.
    let twice = "for (int again = 0; again < 2; ++again)\n        for (std::int64_t i = 0;";
    bench.write(
        "native/heat.cpp",
        &source.replacen("for (std::int64_t i = 0;", twice, 1),
    );
    let case = bench.ab(words).case("heat_ring");
    let timed = ["regressed", "improved", "unchanged", "inconclusive"];
    assert!(timed.iter().any(|word| case["verdict"] == *word), "{case}");
    assert_eq!(case["mode"], "pairs");
    assert_eq!(case["rounds"], 6);
    assert_eq!(case["difference"]["relative_l2"], 0.0);
    bench.write("native/heat.cpp", &source.replace("+ 0.25 *", "+ 0.2501 *"));
    let ran = bench.ab(words).exits(0);
    ran.judges("heat_ring", "results_differ");
    let duets = bench.ab("--baseline HEAD --size smoke --rounds 6").exits(1);
    duets.says("failed to serve `task`").says("--mode pairs");
}
