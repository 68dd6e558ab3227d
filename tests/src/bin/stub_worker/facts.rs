//! What the stub worker says of its process and of its oracles.

use std::collections::BTreeMap;
use std::env;

use longrun_protocol::receipt::{Context, OracleLine, Relation};
use serde_json::{Map, Value, json};

use crate::Outcome;

/// Threads that this process was given.
pub fn threads() -> Outcome<u32> {
    Ok(env::var("OMP_NUM_THREADS")?.parse()?)
}

/// Variables of this process that concern threads.
pub fn thread_environment() -> BTreeMap<String, String> {
    let concern = ["OMP_", "GOMP_", "KMP_", "OPENBLAS_", "MKL_"];
    env::vars()
        .filter(|(name, _)| concern.iter().any(|start| name.starts_with(start)))
        .collect()
}

/// A quantity that is as expected.
pub fn oracle_line(oracle: &str) -> OracleLine {
    OracleLine {
        oracle: oracle.to_owned(),
        quantity: "energy, end over launch".to_owned(),
        unit: "J".to_owned(),
        relation: Relation::Within,
        expected: 2.0,
        obtained: Some(2.0),
        tolerance: 0.5,
    }
}

/// The whole environment of this process.
pub fn what_it_sees() -> Context {
    let variables: Map<String, Value> = env::vars().map(|(k, v)| (k, json!(v))).collect();
    Context {
        kind: "stub".to_owned(),
        facts: Map::from_iter([("environment".to_owned(), Value::Object(variables))]),
    }
}
