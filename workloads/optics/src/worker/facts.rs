//! The context of a receipt of this worker: kind `optics`.

use longrun_protocol::receipt::Context;
use serde::{Deserialize, Serialize};

use crate::cartesian::Cartesian;
use crate::case::Case;
use crate::engine::{Counts, PlaneStatistics};
use crate::fibre::soliton_order;
use crate::fourier::Complex64;
use crate::gnlse::Gnlse;
use crate::guided::Guided;
use crate::oracle::ratio;

/// Facts that only propagations have. Units are in the names.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OpticsFacts {
    /// Samples of the time grid.
    pub points: usize,
    /// Samples on which the source of a guided case is evaluated, in the same window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fine_points: Option<usize>,
    /// Modes of a guided case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modes: Option<usize>,
    /// Nodes of its cross-section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<usize>,
    /// Columns along x of a field over a plane, and as many along y.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<usize>,
    /// Frequencies at which physics is evaluated.
    pub valid_points: usize,
    /// Time between samples.
    pub time_step_s: f64,
    /// Carrier.
    pub carrier_rad_s: f64,
    /// Length that was run.
    pub length_m: f64,
    /// Peak power of the launched pulse.
    pub peak_power_w: f64,
    /// Order of the launched pulse as a soliton of the nonlinearity that acts; absent where the
    /// dispersion is not anomalous.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub soliton_order: Option<f64>,
    /// Relative error of the transverse rule at the peak of the launch; absent where the field is
    /// not resolved, or by a rule that is exact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transverse_error: Option<f64>,
    /// Final energy over launched energy, last repeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energy_ratio: Option<f64>,
    /// Final number of photons over the launched one, last repeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub photon_number_ratio: Option<f64>,
    /// Energy that the edge of the cross-section absorbed over launched energy, last repeat; absent
    /// of a field without nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge_energy_ratio: Option<f64>,
    /// Shortest accepted step, last repeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortest_step_m: Option<f64>,
    /// Longest accepted step, last repeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub longest_step_m: Option<f64>,
    /// Bytes that one source evaluation must read and write once, its transforms aside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_bytes: Option<u64>,
    /// Where the time of each repeat went, in order.
    pub repeats: Vec<RepeatFacts>,
    /// Statistics at every plane, last repeat.
    pub planes: Vec<PlaneFacts>,
}

/// What a repeat did beside evaluating the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepeatFacts {
    /// Times that the windows were applied to the state.
    pub absorptions: u64,
    /// Wall time of that.
    pub absorb_ns: u64,
    /// Planes observed.
    pub observations: u64,
    /// Wall time of that.
    pub observe_ns: u64,
    /// Blocks of memory that the process allocated meanwhile; absent where nobody counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocations: Option<u64>,
}

/// Statistics of the field at one plane.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlaneFacts {
    /// Position.
    pub z_m: f64,
    /// Energy.
    pub energy_j: f64,
    /// Photons at positive frequencies.
    pub photon_number: f64,
    /// Largest power.
    pub peak_power_w: f64,
    /// Time of the largest power.
    pub peak_time_s: f64,
    /// Energy-weighted mean frequency.
    pub mean_omega_rad_s: f64,
    /// Energy-weighted standard deviation of time.
    pub rms_duration_s: f64,
}

impl OpticsFacts {
    /// What is known of a case before it runs.
    pub fn of(case: &Case, length_m: f64, source_bytes: Option<u64>) -> Self {
        let of_case = match case {
            Case::Gnlse(case) => OpticsFacts::of_gnlse(case),
            Case::Guided(case) => OpticsFacts::of_guided(case),
            Case::Cartesian(case) => OpticsFacts::of_cartesian(case),
        };
        OpticsFacts {
            length_m,
            source_bytes,
            ..of_case
        }
    }

    fn of_gnlse(case: &Gnlse) -> Self {
        let gamma = case.fibre.gamma_per_w_m * case.parameters().acting_fraction();
        let (tau_s, peak_power_w) = (case.pulse.tau_s, case.pulse.peak_power_w);
        let beta2 = case.fibre.beta2().filter(|beta2| *beta2 < 0.0);
        OpticsFacts {
            points: case.grid.points(),
            valid_points: case.valid_points(),
            time_step_s: case.grid.time_step_s(),
            carrier_rad_s: case.grid.carrier(),
            peak_power_w,
            soliton_order: beta2.map(|beta2| soliton_order(peak_power_w, gamma, beta2, tau_s)),
            ..OpticsFacts::default()
        }
    }

    fn of_guided(case: &Guided) -> Self {
        OpticsFacts {
            points: case.grid.points(),
            fine_points: Some(case.problem().fine_points),
            modes: Some(case.problem().modes),
            nodes: Some(case.problem().nodes),
            valid_points: case.valid_points(),
            time_step_s: case.grid.time_step_s(),
            carrier_rad_s: case.grid.carrier(),
            peak_power_w: case.pulse.peak_power_w,
            transverse_error: case.transverse_error,
            ..OpticsFacts::default()
        }
    }

    fn of_cartesian(case: &Cartesian) -> Self {
        OpticsFacts {
            points: case.grid.points(),
            fine_points: Some(case.grid.fine_points()),
            columns: Some(case.plane.columns()),
            valid_points: case.problem().bins(),
            time_step_s: case.grid.time_step_s(),
            carrier_rad_s: case.grid.carrier(),
            peak_power_w: case.pulse.peak_power_w,
            ..OpticsFacts::default()
        }
    }

    /// Adds what the last repeat ended with.
    pub fn finish(&mut self, case: &Case, end: &[Complex64], steps_m: &[f64]) {
        let (energy, photons) = (case.energy_j(end), case.photon_number(end));
        self.energy_ratio = ratio(energy, case.energy_j(case.launch()));
        self.photon_number_ratio = ratio(photons, case.photon_number(case.launch()));
        self.shortest_step_m = steps_m.iter().copied().min_by(f64::total_cmp);
        self.longest_step_m = steps_m.iter().copied().max_by(f64::total_cmp);
    }

    /// The context of the receipt.
    pub fn context(&self) -> Result<Context, String> {
        match serde_json::to_value(self) {
            Ok(serde_json::Value::Object(facts)) => Ok(Context {
                kind: "optics".to_owned(),
                facts,
            }),
            Ok(other) => Err(format!(
                "failed to describe the run: `{other}` is not a map"
            )),
            Err(error) => Err(format!("failed to describe the run: {error}")),
        }
    }
}

impl From<Counts> for RepeatFacts {
    fn from(counts: Counts) -> Self {
        RepeatFacts {
            absorptions: counts.absorptions,
            absorb_ns: counts.absorb_ns,
            observations: counts.observations,
            observe_ns: counts.observe_ns,
            allocations: None,
        }
    }
}

impl From<PlaneStatistics> for PlaneFacts {
    fn from(plane: PlaneStatistics) -> Self {
        PlaneFacts {
            z_m: plane.z_m,
            energy_j: plane.energy_j,
            photon_number: plane.photon_number,
            peak_power_w: plane.peak_power_w,
            peak_time_s: plane.peak_time_s,
            mean_omega_rad_s: plane.mean_omega_rad_s,
            rms_duration_s: plane.rms_duration_s,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::gnlse::{Noise, parameters::Parameters};

    #[test]
    fn the_order_is_that_of_the_nonlinearity_that_acts() {
        let map = serde_json::json!({
            "fibre": {"gamma_per_w_m": 0.1, "dispersion_s_per_m": [-1e-26]},
            "raman": "none", "raman_fraction": 0.18, "shock": false,
            "pulse": {"shape": "sech", "tau_s": 280e-15, "soliton_order": 3.0},
            "wavelength_m": 835e-9, "wavelength_limits_m": [450e-9, 8000e-9],
            "window_s": 4e-12, "soliton_periods": 1.0, "planes": 3,
        });
        let parameters = Parameters::read(map.as_object().unwrap()).unwrap();
        let case = Case::from(Gnlse::new(&parameters, Noise::None).unwrap());
        let order = OpticsFacts::of(&case, 1.0, None).soliton_order.unwrap();
        assert!((order - 3.0).abs() < 1e-12, "{order}");
    }
}
