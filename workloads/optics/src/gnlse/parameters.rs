//! The parameters of a case of interface `gnlse`, as the registry gives them.
//!
//! Reading is strict: a key that is not known, or two keys that say the same thing, is an error
//! that names the key. Nothing is computed here but what two keys together mean.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _};

use crate::fibre::{Fibre, soliton_peak_power_w, soliton_period_m};
use crate::pulse::{Pulse, Shape};
use crate::raman::Representation;

/// What is wrong with the parameters of a case.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterError(pub(crate) String);

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "failed to read the parameters of interface `gnlse`: {}; correct the case in its \
             registry file",
            self.0
        )
    }
}

impl std::error::Error for ParameterError {}

/// Which delayed response acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RamanModel {
    /// No delayed response; the instantaneous part keeps its fraction.
    None,
    /// The damped oscillator of Blow and Wood for silica.
    BlowWood,
}

/// A fibre by name, or by its numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct FibreChoice(pub Fibre);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FibreNumbers {
    gamma_per_w_m: f64,
    dispersion_s_per_m: Vec<f64>,
    #[serde(default)]
    loss_per_m: f64,
}

impl<'de> Deserialize<'de> for FibreChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        match value.as_str() {
            Some("dudley") => return Ok(FibreChoice(Fibre::dudley())),
            Some(name) => {
                return Err(D::Error::custom(format!(
                    "unknown fibre `{name}`: expected `dudley` or a table of its numbers"
                )));
            }
            None => {}
        }
        let numbers: FibreNumbers = serde_json::from_value(value)
            .map_err(|error| D::Error::custom(format!("`fibre`: {error}")))?;
        Ok(FibreChoice(Fibre {
            gamma_per_w_m: numbers.gamma_per_w_m,
            dispersion: numbers.dispersion_s_per_m,
            loss_per_m: numbers.loss_per_m,
        }))
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PulseNumbers {
    shape: Shape,
    #[serde(default)]
    fwhm_s: Option<f64>,
    #[serde(default)]
    tau_s: Option<f64>,
    #[serde(default)]
    peak_power_w: Option<f64>,
    #[serde(default)]
    soliton_order: Option<f64>,
}

/// Every key of `[case.parameters]`; lengths in metres, times in seconds.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    fibre: FibreChoice,
    /// Which delayed response acts.
    pub raman: RamanModel,
    /// Fraction of the nonlinearity that is delayed.
    pub raman_fraction: f64,
    /// How the response is brought onto the grid.
    #[serde(default)]
    pub raman_spectrum: Representation,
    /// Whether the source is proportional to the frequency (self-steepening).
    pub shock: bool,
    pulse: PulseNumbers,
    /// Vacuum wavelength of the carrier.
    pub wavelength_m: f64,
    /// Wavelengths of interest, shorter first.
    #[serde(default)]
    pub wavelength_limits_m: Option<[f64; 2]>,
    /// Samples of the grid; without, they follow from the wavelength limits.
    #[serde(default)]
    pub points: Option<usize>,
    /// Time window: at least this long from limits, exactly this long with `points`.
    pub window_s: f64,
    /// Whether spectral and temporal windows act.
    #[serde(default = "yes")]
    pub absorb: bool,
    #[serde(default)]
    length_m: Option<f64>,
    #[serde(default)]
    soliton_periods: Option<f64>,
    /// Planes that are observed, both ends included.
    pub planes: usize,
    /// Relative tolerance; without, that of the interface.
    #[serde(default)]
    pub rtol: Option<f64>,
    /// Equal steps of a fixed schedule over the whole guide.
    #[serde(default)]
    pub fixed_steps: Option<usize>,
}

fn yes() -> bool {
    true
}

/// Most planes of a run: their intensities are all kept.
const PLANES_MAX: usize = 10_000;

/// Most steps of a fixed schedule: beyond any case, and within memory.
const FIXED_STEPS_MAX: usize = 10_000_000;

impl Parameters {
    /// Reads and checks the open map of a request.
    pub fn read(map: &longrun_protocol::request::Parameters) -> Result<Self, ParameterError> {
        let value = serde_json::Value::Object(map.clone());
        let parameters: Parameters =
            serde_json::from_value(value).map_err(|error| ParameterError(error.to_string()))?;
        parameters.check()?;
        Ok(parameters)
    }

    fn check(&self) -> Result<(), ParameterError> {
        positive("wavelength_m", self.wavelength_m)?;
        positive("window_s", self.window_s)?;
        finite("fibre.gamma_per_w_m", self.fibre().gamma_per_w_m)?;
        finite("fibre.loss_per_m", self.fibre().loss_per_m)?;
        for beta in &self.fibre().dispersion {
            finite("fibre.dispersion_s_per_m", *beta)?;
        }
        if !(0.0..=1.0).contains(&self.raman_fraction) {
            let given = self.raman_fraction;
            return refuse(format!(
                "`raman_fraction` is {given}: it must lie in [0, 1]"
            ));
        }
        if !(2..=PLANES_MAX).contains(&self.planes) {
            let given = self.planes;
            return refuse(format!("`planes` is {given}: give 2 to {PLANES_MAX}"));
        }
        if let Some(steps) = self
            .fixed_steps
            .filter(|n| !(1..=FIXED_STEPS_MAX).contains(n))
        {
            return refuse(format!(
                "`fixed_steps` is {steps}: give 1 to {FIXED_STEPS_MAX}"
            ));
        }
        if let Some(rtol) = self.rtol {
            positive("rtol", rtol)?;
        }
        match (self.wavelength_limits_m, self.points) {
            (None, None) => refuse("neither `wavelength_limits_m` nor `points`: give one".into()),
            (None, Some(_)) if self.absorb => {
                refuse("`absorb` needs `wavelength_limits_m`: give them, or switch it off".into())
            }
            _ => Ok(()),
        }
    }

    /// The fibre.
    pub fn fibre(&self) -> &Fibre {
        &self.fibre.0
    }

    /// Fraction of the nonlinearity that acts at all: without a Raman model its part is missing.
    pub fn acting_fraction(&self) -> f64 {
        match self.raman {
            RamanModel::None => self.kerr_fraction(),
            RamanModel::BlowWood => 1.0,
        }
    }

    /// Fraction of the nonlinearity that acts at once: `1 - f_R`, with or without a Raman model.
    pub fn kerr_fraction(&self) -> f64 {
        1.0 - self.raman_fraction
    }

    /// The launched pulse. A soliton order is that of the instantaneous nonlinearity alone.
    pub fn pulse(&self) -> Result<Pulse, ParameterError> {
        let numbers = &self.pulse;
        let tau_s = match (numbers.fwhm_s, numbers.tau_s) {
            (Some(fwhm_s), None) => numbers.shape.tau_s(positive("pulse.fwhm_s", fwhm_s)?),
            (None, Some(tau_s)) => positive("pulse.tau_s", tau_s)?,
            _ => return refuse("`pulse`: give `fwhm_s` or `tau_s`, and not both".into()),
        };
        let peak_power_w = match (numbers.peak_power_w, numbers.soliton_order) {
            (Some(power), None) => positive("pulse.peak_power_w", power)?,
            (None, Some(order)) => {
                let gamma = self.kerr_fraction() * self.fibre().gamma_per_w_m;
                let order = positive("pulse.soliton_order", order)?;
                let power = soliton_peak_power_w(order, gamma, self.beta2()?, tau_s);
                positive("the power of that soliton order", power)?
            }
            _ => {
                let advice = "give `peak_power_w` or `soliton_order`, and not both";
                return refuse(format!("`pulse`: {advice}"));
            }
        };
        Ok(Pulse {
            shape: numbers.shape,
            tau_s,
            peak_power_w,
        })
    }

    /// Length of the guide in metres, for a pulse of duration parameter `tau_s`.
    pub fn length_m(&self, tau_s: f64) -> Result<f64, ParameterError> {
        match (self.length_m, self.soliton_periods) {
            (Some(length_m), None) => positive("length_m", length_m),
            (None, Some(periods)) => {
                let periods = positive("soliton_periods", periods)?;
                let length_m = periods * soliton_period_m(self.beta2()?, tau_s);
                positive("the length of those soliton periods", length_m)
            }
            _ => refuse("give `length_m` or `soliton_periods`, and not both".into()),
        }
    }

    fn beta2(&self) -> Result<f64, ParameterError> {
        let beta2 = self.fibre().beta2().filter(|beta2| *beta2 < 0.0);
        beta2.ok_or_else(|| {
            ParameterError("a soliton needs anomalous dispersion: beta_2 must be negative".into())
        })
    }
}

fn refuse<T>(reason: String) -> Result<T, ParameterError> {
    Err(ParameterError(reason))
}

fn positive(name: &str, value: f64) -> Result<f64, ParameterError> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        refuse(format!(
            "`{name}` is {value}: it must be positive and finite"
        ))
    }
}

fn finite(name: &str, value: f64) -> Result<f64, ParameterError> {
    if value.is_finite() {
        Ok(value)
    } else {
        refuse(format!("`{name}` is {value}: it must be finite"))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::{Value, json};

    fn soliton() -> Value {
        json!({
            "fibre": {"gamma_per_w_m": 0.1, "dispersion_s_per_m": [-1e-26]},
            "raman": "none", "raman_fraction": 0.18, "shock": false,
            "pulse": {"shape": "sech", "tau_s": 280e-15, "soliton_order": 3.0},
            "wavelength_m": 835e-9, "wavelength_limits_m": [450e-9, 8000e-9],
            "window_s": 4e-12, "soliton_periods": 1.0, "planes": 11
        })
    }

    fn read(value: &Value) -> Result<Parameters, ParameterError> {
        Parameters::read(value.as_object().unwrap())
    }

    fn changed(key: &str, value: Value) -> Value {
        let mut parameters = soliton();
        parameters[key] = value;
        parameters
    }

    #[test]
    fn a_soliton_is_described_by_its_order_and_its_periods() {
        let parameters = read(&soliton()).unwrap();
        let pulse = parameters.pulse().unwrap();
        assert!((pulse.peak_power_w - 13.9995).abs() < 5e-5);
        let length_m = parameters.length_m(pulse.tau_s).unwrap();
        assert!((length_m - 12.315).abs() < 5e-4);
    }

    #[test]
    fn a_parameter_that_is_not_known_is_refused_by_name() {
        let message = read(&changed("raman_fracton", json!(0.2)))
            .unwrap_err()
            .to_string();
        assert!(message.contains("`raman_fracton`"), "{message}");
        let fibre = json!({"gamma_per_w_m": 0.1, "dispersion_s_per_m": [], "area": 1.0});
        let message = read(&changed("fibre", fibre)).unwrap_err().to_string();
        assert!(message.contains("`area`"), "{message}");
    }

    #[test]
    fn values_that_make_no_sense_are_refused_by_name() {
        let table = [
            ("fibre", json!("smf28"), "`smf28`"),
            ("raman", json!("hollenbeck"), "hollenbeck"),
            ("raman_fraction", json!(1.2), "`raman_fraction`"),
            ("wavelength_m", json!(0.0), "`wavelength_m`"),
            ("window_s", json!(-1.0), "`window_s`"),
            ("planes", json!(1), "`planes`"),
            ("fixed_steps", json!(0), "`fixed_steps`"),
            ("rtol", json!(0.0), "`rtol`"),
            ("wavelength_limits_m", Value::Null, "`points`"),
        ];
        for (key, value, named) in table {
            let message = read(&changed(key, value)).unwrap_err().to_string();
            assert!(message.contains(named), "{key}: {message}");
        }
    }

    #[test]
    fn a_pulse_is_described_once() {
        for pulse in [
            json!({"shape": "sech", "soliton_order": 1.0}),
            json!({"shape": "sech", "tau_s": 1e-13, "fwhm_s": 1e-13, "soliton_order": 1.0}),
            json!({"shape": "sech", "tau_s": 1e-13}),
            json!({"shape": "sech", "tau_s": 1e-13, "soliton_order": 1.0, "peak_power_w": 1.0}),
            json!({"shape": "sech", "tau_s": 0.0, "soliton_order": 1.0}),
        ] {
            assert!(read(&changed("pulse", pulse)).unwrap().pulse().is_err());
        }
    }

    #[test]
    fn a_length_is_described_once() {
        let both = read(&changed("length_m", json!(1.0))).unwrap();
        assert!(both.length_m(280e-15).is_err());
    }

    #[test]
    fn a_soliton_in_normal_dispersion_is_refused() {
        let fibre = json!({"gamma_per_w_m": 0.1, "dispersion_s_per_m": [1e-26]});
        let message = read(&changed("fibre", fibre))
            .unwrap()
            .pulse()
            .unwrap_err()
            .to_string();
        assert!(message.contains("anomalous"), "{message}");
    }

    #[test]
    fn windows_without_wavelength_limits_are_refused() {
        let mut parameters = changed("points", json!(1024));
        parameters["wavelength_limits_m"] = Value::Null;
        let message = read(&parameters).unwrap_err().to_string();
        assert!(message.contains("`absorb`"), "{message}");
        parameters["absorb"] = json!(false);
        assert!(read(&parameters).is_ok());
    }
}
