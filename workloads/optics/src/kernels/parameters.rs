//! The parameters of a case of interface `kernel`, as the registry gives them.
//!
//! Reading is strict: a key that is not known, or that the kernel has no use for, is an error.

use std::fmt::Display;

use longrun_protocol::request::Parameters as Map;
use serde::Deserialize;

use super::{Kernel, Kind};

/// Most samples: sixteen times those of the longest tracked case.
const POINTS_MAX: usize = 1 << 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    kernel: String,
    points: usize,
    #[serde(default)]
    raman_points: Option<usize>,
    #[serde(default)]
    order: Option<u32>,
}

impl Kernel {
    /// The kernel that the parameters describe.
    pub fn read(map: &Map) -> Result<Self, String> {
        kernel(map).map_err(|cause| {
            format!(
                "failed to read the parameters of interface `kernel`: {cause}; correct the case in \
                 its registry file"
            )
        })
    }
}

fn kernel(map: &Map) -> Result<Kernel, String> {
    let value = serde_json::Value::Object(map.clone());
    let keys: Keys = serde_json::from_value(value).map_err(|error| error.to_string())?;
    let kind = Kind::from_name(&keys.kernel).ok_or_else(|| unknown(&keys.kernel))?;
    if keys.points < 4 || keys.points > POINTS_MAX || !keys.points.is_multiple_of(2) {
        return Err(format!(
            "`points` is {}, and it must be even, at least 4 and at most {POINTS_MAX}",
            keys.points
        ));
    }
    Ok(Kernel {
        kind,
        points: keys.points,
        raman_points: raman_points(kind, &keys)?,
        order: order(kind, keys.order)?,
    })
}

fn unknown(name: &str) -> String {
    let known: Vec<&str> = Kind::ALL.into_iter().map(Kind::as_str).collect();
    format!("unknown kernel `{name}`; there are {}", known.join(", "))
}

/// The length of the convolution, for the kernels that have one and for no other.
fn raman_points(kind: Kind, keys: &Keys) -> Result<Option<usize>, String> {
    let n = keys.points;
    match (kind.convolves(), keys.raman_points) {
        (true, Some(m)) if m == n || m == 2 * n => Ok(Some(m)),
        (true, Some(m)) => Err(format!(
            "`raman_points` is {m}, and with {n} points it must be {n} or {}",
            2 * n
        )),
        (true, None) => Err(needs(kind, "raman_points")),
        (false, Some(_)) => Err(has_none(kind, "raman_points")),
        (false, None) => Ok(None),
    }
}

/// The order, for the kernels that have one and for no other.
fn order(kind: Kind, order: Option<u32>) -> Result<Option<u32>, String> {
    match (kind.orders(), order) {
        (Some(orders), Some(order)) if orders.contains(&order) => Ok(Some(order)),
        (Some(orders), Some(order)) => Err(format!(
            "`order` is {order}, and for kernel `{}` it must be from {} to {}",
            kind.as_str(),
            orders.start(),
            orders.end()
        )),
        (Some(_), None) => Err(needs(kind, "order")),
        (None, Some(_)) => Err(has_none(kind, "order")),
        (None, None) => Ok(None),
    }
}

fn needs(kind: Kind, key: impl Display) -> String {
    format!("kernel `{}` needs `{key}`", kind.as_str())
}

fn has_none(kind: Kind, key: impl Display) -> String {
    format!("kernel `{}` has no `{key}`", kind.as_str())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::{Value, json};

    use super::*;

    fn read(value: &Value) -> Result<Kernel, String> {
        Kernel::read(value.as_object().unwrap())
    }

    #[test]
    fn a_kernel_has_the_parameters_that_its_formula_names() {
        let kernel = |kind, raman_points, order| Kernel {
            kind,
            points: 64,
            raman_points,
            order,
        };
        for (value, due) in [
            (
                json!({"kernel": "fft_forward", "points": 64}),
                kernel(Kind::FftForward, None, None),
            ),
            (
                json!({"kernel": "intensity", "points": 64, "raman_points": 128}),
                kernel(Kind::Intensity, Some(128), None),
            ),
            (
                json!({"kernel": "raman_convolution", "points": 64, "raman_points": 64}),
                kernel(Kind::RamanConvolution, Some(64), None),
            ),
            (
                json!({"kernel": "rk_stage", "points": 64, "order": 5}),
                kernel(Kind::RkStage, None, Some(5)),
            ),
        ] {
            assert_eq!(read(&value), Ok(due), "{value}");
        }
    }

    #[test]
    fn what_is_not_a_kernel_is_refused_by_name() {
        for (value, named) in [
            (json!({"points": 64}), "`kernel`"),
            (json!({"kernel": "fft_forward"}), "`points`"),
            (
                json!({"kernel": "fft", "points": 64}),
                "unknown kernel `fft`",
            ),
            (json!({"kernel": "absorb", "points": 63}), "`points` is 63"),
            (json!({"kernel": "absorb", "points": 2}), "`points` is 2"),
            (
                json!({"kernel": "absorb", "points": 1 << 21}),
                "at most 1048576",
            ),
            (json!({"kernel": "absorb", "points": -64}), "-64"),
            (json!({"kernel": "absorb", "points": 64.5}), "64.5"),
            (
                json!({"kernel": "absorb", "points": 64, "speed": 9}),
                "`speed`",
            ),
            (
                json!({"kernel": "absorb", "points": 64, "order": 1}),
                "kernel `absorb` has no `order`",
            ),
            (
                json!({"kernel": "polarise", "points": 64, "raman_points": 64}),
                "kernel `polarise` has no `raman_points`",
            ),
            (
                json!({"kernel": "intensity", "points": 64}),
                "kernel `intensity` needs `raman_points`",
            ),
            (
                json!({"kernel": "intensity", "points": 64, "raman_points": 96}),
                "must be 64 or 128",
            ),
            (
                json!({"kernel": "moments", "points": 64}),
                "kernel `moments` needs `order`",
            ),
            (
                json!({"kernel": "moments", "points": 64, "order": 7}),
                "from 1 to 6",
            ),
            (
                json!({"kernel": "rk_stage", "points": 64, "order": 0}),
                "from 1 to 5",
            ),
        ] {
            let reason = read(&value).unwrap_err();
            assert!(reason.contains(named), "{value}: {reason}");
            assert!(reason.contains("interface `kernel`"), "{reason}");
        }
    }
}
