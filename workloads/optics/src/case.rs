//! A case of any family, as a worker holds it.
//!
//! What a family is made of stays in its module. Here is only what those ask who serve them all:
//! how long the guide is, what is launched, which arrays an engine gets, and what a state comes to.

use crate::cartesian::{self, Cartesian};
use crate::fourier::Complex64;
use crate::gnlse::{self, Gnlse, Noise};
use crate::guided::parameters::Interface;
use crate::guided::{self, Guided};
use crate::oracle;
use crate::steppers::Stepping;

/// Interfaces of registries whose cases are propagations.
pub const INTERFACES: [&str; 5] = ["gnlse", "capillary", "waveguide", "radial", "free"];

/// The parameters of a case.
#[derive(Clone, Debug)]
pub enum Parameters {
    /// Of interface `gnlse`.
    Gnlse(Box<gnlse::parameters::Parameters>),
    /// Of interface `capillary`, `waveguide` or `radial`.
    Guided(Box<guided::parameters::Parameters>),
    /// Of interface `free`.
    Cartesian(Box<cartesian::parameters::Parameters>),
}

/// A case, set up.
#[derive(Clone, Debug)]
pub enum Case {
    /// The generalised nonlinear Schrödinger equation.
    Gnlse(Box<Gnlse>),
    /// Modes of a capillary, of a waveguide, or around an axis in free space.
    Guided(Box<Guided>),
    /// A beam over a plane in free space.
    Cartesian(Box<Cartesian>),
}

/// A case as the arrays of an engine.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    /// Of the generalised nonlinear Schrödinger equation.
    Gnlse(Box<gnlse::Problem>),
    /// Of guided modes.
    Guided(Box<guided::Problem>),
    /// Of a field over a plane.
    Cartesian(Box<cartesian::Problem>),
}

impl Parameters {
    /// Reads the open map of a request for one of [`INTERFACES`]; the reason if it cannot be read.
    pub fn read(
        interface: &str,
        map: &longrun_protocol::request::Parameters,
    ) -> Result<Self, String> {
        let guided = |interface| -> Result<Self, String> {
            let parameters = guided::parameters::Parameters::read(interface, map);
            let parameters = parameters.map_err(|error| error.to_string())?;
            Ok(Parameters::Guided(Box::new(parameters)))
        };
        match interface {
            "gnlse" => {
                let parameters = gnlse::parameters::Parameters::read(map);
                let parameters = parameters.map_err(|error| error.to_string())?;
                Ok(Parameters::Gnlse(Box::new(parameters)))
            }
            "capillary" => guided(Interface::Capillary),
            "waveguide" => guided(Interface::Waveguide),
            "radial" => guided(Interface::Radial),
            "free" => {
                let parameters = cartesian::parameters::Parameters::read(map);
                let parameters = parameters.map_err(|error| error.to_string())?;
                Ok(Parameters::Cartesian(Box::new(parameters)))
            }
            other => Err(format!(
                "failed to read the parameters of interface `{other}`: it is not one of {}",
                INTERFACES.join(", ")
            )),
        }
    }
}

impl Case {
    /// Sets grid, medium and launch up; the reason if they cannot be.
    pub fn new(parameters: &Parameters, noise: Noise) -> Result<Self, String> {
        match parameters {
            Parameters::Gnlse(parameters) => {
                let case = Gnlse::new(parameters, noise).map_err(|error| error.to_string())?;
                Ok(case.into())
            }
            Parameters::Guided(parameters) => {
                let case = Guided::new(parameters, noise).map_err(|error| error.to_string())?;
                Ok(case.into())
            }
            Parameters::Cartesian(parameters) => {
                let case = Cartesian::new(parameters, noise).map_err(|error| error.to_string())?;
                Ok(case.into())
            }
        }
    }

    /// The arrays of an engine.
    pub fn problem(&self) -> Problem {
        match self {
            Case::Gnlse(case) => Problem::Gnlse(Box::new(case.problem())),
            Case::Guided(case) => Problem::Guided(Box::new(case.problem().clone())),
            Case::Cartesian(case) => Problem::Cartesian(Box::new(case.problem().clone())),
        }
    }

    /// The state at the entrance.
    pub fn launch(&self) -> &[Complex64] {
        match self {
            Case::Gnlse(case) => &case.launch,
            Case::Guided(case) => &case.launch,
            Case::Cartesian(case) => &case.launch,
        }
    }

    /// Planes that are observed, both ends included.
    pub fn planes(&self) -> usize {
        match self {
            Case::Gnlse(case) => case.parameters().planes,
            Case::Guided(case) => case.parameters().common.planes,
            Case::Cartesian(case) => case.parameters().planes,
        }
    }

    /// Energy of a state, J.
    pub fn energy_j(&self, state: &[Complex64]) -> f64 {
        match self {
            Case::Gnlse(case) => oracle::energy_j(&case.grid, state),
            Case::Guided(case) => case.energy_j(state),
            Case::Cartesian(case) => case.energy_j(state),
        }
    }

    /// Number of photons of a state.
    pub fn photon_number(&self, state: &[Complex64]) -> f64 {
        match self {
            Case::Gnlse(case) => oracle::photon_number(&case.grid, state),
            Case::Guided(case) => case.photon_number(state),
            Case::Cartesian(case) => case.photon_number(state),
        }
    }

    /// Fraction of the energy of the launched beam, a Gaussian one, that its cross-section does not
    /// hold; 0 where there is no beam.
    pub fn launched_outside(&self) -> f64 {
        match self {
            Case::Gnlse(_) => 0.0,
            Case::Guided(case) => case.launched_outside(),
            Case::Cartesian(case) => case.launched_outside(),
        }
    }

    fn stepping(&self) -> &dyn Stepping {
        match self {
            Case::Gnlse(case) => &**case,
            Case::Guided(case) => &**case,
            Case::Cartesian(case) => &**case,
        }
    }
}

impl Stepping for Case {
    fn length_m(&self) -> f64 {
        self.stepping().length_m()
    }

    fn fixed_steps(&self) -> Option<usize> {
        self.stepping().fixed_steps()
    }

    fn rtol(&self) -> f64 {
        self.stepping().rtol()
    }

    fn atol(&self) -> f64 {
        self.stepping().atol()
    }

    fn multistep_order(&self) -> i32 {
        self.stepping().multistep_order()
    }
}

impl From<Gnlse> for Case {
    fn from(case: Gnlse) -> Self {
        Case::Gnlse(Box::new(case))
    }
}

impl From<Guided> for Case {
    fn from(case: Guided) -> Self {
        Case::Guided(Box::new(case))
    }
}

impl From<Cartesian> for Case {
    fn from(case: Cartesian) -> Self {
        Case::Cartesian(Box::new(case))
    }
}

impl From<gnlse::Problem> for Problem {
    fn from(problem: gnlse::Problem) -> Self {
        Problem::Gnlse(Box::new(problem))
    }
}

impl From<guided::Problem> for Problem {
    fn from(problem: guided::Problem) -> Self {
        Problem::Guided(Box::new(problem))
    }
}

impl From<cartesian::Problem> for Problem {
    fn from(problem: cartesian::Problem) -> Self {
        Problem::Cartesian(Box::new(problem))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::{Value, json};

    fn read(interface: &str, value: &Value) -> Result<Parameters, String> {
        Parameters::read(interface, value.as_object().unwrap())
    }

    fn soliton() -> Value {
        json!({
            "fibre": {"gamma_per_w_m": 0.1, "dispersion_s_per_m": [-1e-26]},
            "raman": "none", "raman_fraction": 0.18, "shock": false,
            "pulse": {"shape": "sech", "tau_s": 280e-15, "soliton_order": 3.0},
            "wavelength_m": 835e-9, "wavelength_limits_m": [450e-9, 8000e-9],
            "window_s": 4e-12, "soliton_periods": 1.0, "planes": 11
        })
    }

    fn hydrogen() -> Value {
        json!({
            "field": "envelope", "gas": "hydrogen", "pressure_pa": 1e6, "core_radius_m": 13e-6,
            "loss": false, "resolved": {"modes": 2, "nodes": 16},
            "pulse": {"shape": "gauss", "fwhm_s": 20e-15, "energy_j": 1e-7},
            "wavelength_m": 800e-9, "wavelength_limits_m": [300e-9, 3e-6],
            "window_s": 200e-15, "length_m": 0.1, "planes": 5
        })
    }

    #[test]
    fn each_interface_makes_a_case_of_its_family_and_a_problem_for_its_engine() {
        let noise = Noise::None;
        let case = Case::new(&read("gnlse", &soliton()).unwrap(), noise).unwrap();
        assert!(matches!(case, Case::Gnlse(_)));
        assert!(matches!(case.problem(), Problem::Gnlse(_)));
        assert_eq!((case.planes(), case.multistep_order()), (11, 5));

        let case = Case::new(&read("capillary", &hydrogen()).unwrap(), noise).unwrap();
        let Problem::Guided(problem) = case.problem() else {
            unreachable!("a capillary is a guided case");
        };
        assert_eq!(problem.state_len(), case.launch().len());
        assert_eq!((case.planes(), case.fixed_steps()), (5, None));

        let beam = Value::Object(cartesian::testing::map());
        let case = Case::new(&read("free", &beam).unwrap(), noise).unwrap();
        let Problem::Cartesian(problem) = case.problem() else {
            unreachable!("free space over a plane is a Cartesian case");
        };
        assert_eq!(problem.state_len(), case.launch().len());
        assert_eq!((case.planes(), case.fixed_steps()), (5, Some(4)));
    }

    #[test]
    fn parameters_of_another_interface_are_refused() {
        let message = read("capillary", &soliton()).unwrap_err();
        assert!(message.contains("interface `capillary`"), "{message}");
        let message = read("orbital", &soliton()).unwrap_err();
        assert!(message.contains("it is not one of gnlse"), "{message}");
    }

    #[test]
    fn a_state_has_the_energy_that_its_family_says() {
        for (interface, value, energy_j) in [
            ("gnlse", soliton(), 13.9995 * 2.0 * 280e-15),
            ("capillary", hydrogen(), 1e-7),
            ("free", Value::Object(cartesian::testing::map()), 231.5e-9),
        ] {
            let case = Case::new(&read(interface, &value).unwrap(), Noise::None).unwrap();
            let found = case.energy_j(case.launch());
            assert!(
                (found / energy_j - 1.0).abs() < 1e-5,
                "{interface}: {found:e}"
            );
            let photon_j = found / case.photon_number(case.launch());
            assert!((2.2e-19..2.6e-19).contains(&photon_j), "{photon_j:e}");
        }
    }
}
