//! Which launch of its configuration a worker is: a run launches one several times where several
//! processes sample it, and once more where it is run again.
//!
//! Parameters: `launch_percents` (how much of the times of the case each launch takes, in order;
//! all where there is no number) and `only_launch` (the one that has the `behaviour` of the case;
//! the others are sound).

use longrun_protocol::Request;
use serde_json::Value;

use crate::Outcome;

/// Number of the launch, from 1. The id of the first ends with `/02`, that of the second with
/// `/02.2`.
fn number(request: &Request) -> Outcome<usize> {
    let end = request.request_id.rsplit('/').next().unwrap_or_default();
    match end.split_once('.') {
        None => Ok(1),
        Some((_, number)) => Ok(number.parse()?),
    }
}

/// The part of the times of its case that this launch takes.
pub fn share(request: &Request) -> Outcome<f64> {
    let Some(percents) = request.parameters.get("launch_percents") else {
        return Ok(1.0);
    };
    let percents: Vec<f64> = serde_json::from_value(percents.clone())?;
    let before = number(request)?.saturating_sub(1);
    Ok(percents.get(before).map_or(1.0, |percent| percent / 100.0))
}

/// Whether this launch has the behaviour of its case.
pub fn is_meant(request: &Request) -> Outcome<bool> {
    let only = request.parameters.get("only_launch");
    match only.and_then(Value::as_u64) {
        None => Ok(true),
        Some(only) => Ok(u64::try_from(number(request)?)? == only),
    }
}
