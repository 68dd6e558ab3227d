//! What a run says of the machine: where its threads were put, and who else was busy.

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::case::Case;

/// The threading policies.
const POLICIES: [&str; 6] = [
    "passive",
    "passive-bound",
    "default",
    "active",
    "bound",
    "bound-active",
];

/// Every variable of a policy: its name, and what the six policies write.
const VARIABLES: [(&str, [&str; 6]); 9] = [
    (
        "GOMP_SPINCOUNT",
        ["0", "0", "300000", "infinite", "300000", "infinite"],
    ),
    (
        "KMP_BLOCKTIME",
        ["0", "0", "200", "infinite", "200", "infinite"],
    ),
    ("MKL_NUM_THREADS", ["1"; 6]),
    ("OMP_DYNAMIC", ["false"; 6]),
    ("OMP_NUM_THREADS", ["2"; 6]),
    // The places of bound policies are those of this machine.
    ("OMP_PLACES", ["cores", "", "cores", "cores", "", ""]),
    (
        "OMP_PROC_BIND",
        ["false", "close", "false", "false", "close", "close"],
    ),
    (
        "OMP_WAIT_POLICY",
        [
            "passive", "passive", "passive", "active", "passive", "active",
        ],
    ),
    ("OPENBLAS_NUM_THREADS", ["1"; 6]),
];

#[test]
fn each_policy_is_written_whole_and_reported_by_the_worker_itself() {
    for (number, policy) in POLICIES.into_iter().enumerate() {
        let bench = Bench::new()
            .case(Case::new("a").widths(r#"["2"]"#))
            .commit();
        bench.run(["track", "--threading", policy]).exits(0);
        let bundle = bench.bundle();
        let places = bundle.json("machine.json")["places"].clone();
        let expected = VARIABLES.map(|(name, values)| match values[number] {
            "" => (name.to_owned(), places.clone()),
            value => (name.to_owned(), json!(value)),
        });
        let reported = &bundle.json("01-a-2/receipt.json")["thread_environment"];
        let expected: Value = expected
            .into_iter()
            .collect::<serde_json::Map<_, _>>()
            .into();
        assert_eq!(*reported, expected, "{policy}");
    }
}

#[test]
fn places_are_cores_of_this_machine_each_once() {
    let bench = Bench::new().case(Case::new("a")).commit();
    bench.run(["track"]).exits(0);
    let machine = bench.bundle().json("machine.json");
    let places = machine["places"].as_str().unwrap();
    if let Some(cores) = machine["physical_cores"].as_u64() {
        let named: Vec<&str> = places.split("},{").collect();
        assert_eq!(named.len() as u64, cores, "{places}");
        let cpus = named.iter().flat_map(|place| place.split(','));
        let cpus = cpus.map(|cpu| cpu.trim_matches(['{', '}']).parse::<u32>().unwrap());
        let mut cpus: Vec<u32> = cpus.collect();
        cpus.sort_unstable();
        cpus.dedup();
        assert_eq!(Some(cpus.len() as u64), machine["logical_cpus"].as_u64());
    } else {
        assert_eq!(places, "cores");
    }
}

#[test]
fn tools_of_kokkos_reach_no_worker_and_are_recorded_by_name() {
    let bench = Bench::new()
        .case(Case::new("a").behaves("reveals"))
        .commit();
    let tools = [
        "KOKKOS_TOOLS_LIBS",
        "KOKKOS_PROFILE_LIBRARY",
        "KOKKOS_TOOLS_ARGS",
    ];
    let ran = bench.run_with(["track"], |command| {
        for tool in tools {
            command.env(tool, "/nonexistent/tool.so");
        }
    });
    ran.exits(0);
    let bundle = bench.bundle();
    let seen = &bundle.json("01-a-1/receipt.json")["context"]["environment"];
    let environment = bundle.json("01-a-1/environment.json");
    for tool in tools {
        assert!(seen[tool].is_null(), "{tool}");
        let dropped = environment["dropped"].as_array().unwrap();
        assert!(dropped.contains(&json!(tool)), "{tool}");
        assert!(environment["set"][tool].is_null(), "{tool}");
    }
}

#[test]
fn busy_neighbours_are_in_the_bundle_and_never_in_the_history() {
    let slow = Case::new("a").launched_by(&["sh", "-c", "sleep 0.3; exec \"$0\" \"$@\""]);
    let bench = Bench::new().case(slow).commit();
    bench.run(["track", "--append-history"]).exits(0);
    let machine = bench.bundle().json("machine.json");
    assert!(machine.get("busiest_before").is_some(), "{machine}");
    let after = &machine["busiest_after"];
    assert!(after["window_s"].as_f64().unwrap() >= 0.3, "{after}");
    let processes = after["processes"].as_array().unwrap();
    assert!(processes.len() <= 5, "{after}");
    for process in processes {
        let members = process.as_object().unwrap().keys();
        assert_eq!(members.collect::<Vec<_>>(), ["cpus", "name"], "{process}");
        assert_ne!(
            process["name"], "stub-worker",
            "a run's own processes are left out"
        );
    }
    let history = bench.read(&bench.history_path());
    assert!(!history.contains("busiest"), "{history}");
}
