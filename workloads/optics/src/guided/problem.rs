//! One guided problem as arrays: all that an engine is told.
//!
//! The state is mode-major: `modes` spectra of `bins` values each, stored as everywhere (sign of
//! the forward FFT, unnormalised). For each mode m, with a = F^-1 A on the fine grid,
//!
//! ```text
//! dA_m/dz = L_m(w,z) A_m + s_m(w,z) sum_j W[m][j] F{ T(t) P( sum_n E[j][n] a_n(t) ) }
//! P(E) = density(z) [ kerr term + Raman term + plasma term ]
//! ```
//!
//! * Kerr: `kerr E³` of a real field, `kerr |E|² E` of an envelope.
//! * Raman: `E (h * drive)`, with drive E² or |E|²; every factor, and dt, is in the table of h.
//! * Plasma, with W the rate and f = 1 - exp(-integral W dt): of a real field the time integral of
//!   `J = integral f e²/m_e E dt + I W (1-f)/E`, cumulative trapezoids, the second part 0 where
//!   E = 0; of an envelope `-(e²/(m_e w²)) F{f E} + (1/(i w)) F{2 I W (1-f) E/|E|²}`, where 1/(i w)
//!   is the transform of a time integral.

use crate::arrays::{check_grids, check_length as length, unmatched};
use crate::fourier::Complex64;
use crate::ionisation::RateTable;
use crate::raman::RamanTable;

/// What the samples in time are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// The real field; its spectrum has the bins `0..=points/2`.
    Real,
    /// The complex envelope around the carrier; its spectrum has `points` bins in FFT order.
    Envelope,
}

/// The arrays and scalars of one problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// What the samples are.
    pub field: FieldKind,
    /// Samples of the coarse grid, even: the state is on it.
    pub points: usize,
    /// Samples of the fine grid over the same window: P is evaluated on it. Equal to `points` for
    /// an envelope.
    pub fine_points: usize,
    /// Modes.
    pub modes: usize,
    /// Nodes in the cross-section.
    pub nodes: usize,
    /// Time between samples of the coarse grid, s.
    pub time_step_s: f64,
    /// Carrier, rad/s.
    pub carrier_rad_s: f64,
    /// Absolute frequency of each bin, rad/s; 0 outside the valid set.
    pub omega: Vec<f64>,
    /// E: `nodes` rows of `modes` values. V/m per √W in a gas, 1/m in a waveguide.
    pub synthesis: Vec<f64>,
    /// W: `modes` rows of `nodes` values.
    pub projection: Vec<f64>,
    /// L(w, z), 1/m.
    pub linear: Linear,
    /// s(w): `modes` rows of `bins` values with the spectral window in them, 0 outside the valid
    /// set. With [`Gradient::over_index`] it lacks the factor 1/Re n_eff(w, z) of each mode.
    pub source: Vec<Complex64>,
    /// What P is proportional to.
    pub density: Density,
    /// Coefficient of the Kerr term.
    pub kerr: f64,
    /// The delayed response, on `fine_points` or twice as many.
    pub raman: Option<RamanTable>,
    /// Ionisation.
    pub plasma: Option<Plasma>,
    /// The windows.
    pub windows: Option<Windows>,
    /// What `multistep` turns the source back by; absent for an envelope, whose common phase is
    /// already in the frame.
    pub carrier_shift: Option<Shift>,
    /// Energy of a mode in joules over the sum of |A|² over its bins, without bins 0 and points/2
    /// of a real field: 4 dt / points of a real field, dt / points of an envelope.
    pub energy_scale: f64,
}

/// The linear operator.
#[derive(Clone, Debug, PartialEq)]
pub enum Linear {
    /// The same everywhere: `modes` rows of `bins` values, 0 outside the valid set.
    Fixed(Vec<Complex64>),
    /// That of a gas whose pressure changes along a capillary.
    Gradient(Box<Gradient>),
}

/// Density of what polarises, per m³; 1 where the coefficients are those of a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Density {
    /// The same everywhere.
    Constant(f64),
    /// That of [`Linear::Gradient`].
    Gradient,
}

/// A capillary with a pressure gradient: closed forms, nothing tabulated in z.
///
/// ```text
/// p(z) = sqrt(p0² + (z / length) (p1² - p0²)),   p = rho k T (1 + virial rho)
/// n_m² = 1 + rho(z) chi(w) - waveguide_m(w),   beta = (w/c) Re n,   alpha = 2 (w/c) Im n
/// ```
///
/// Re n is at least [`Gradient::INDEX_MIN`], alpha between 0 and `max_loss_per_m`. In a real field
/// `L_m = -i (beta_m - beta_1 w) - alpha_m / 2`; for an envelope with offset W
/// `L_m = -i (beta_m - beta_1 W - beta_0) - alpha_m / 2`. beta_0 and beta_1 are those of mode 0 at
/// the carrier and at z.
#[derive(Clone, Debug, PartialEq)]
pub struct Gradient {
    /// p0, Pa.
    pub inlet_pa: f64,
    /// p1, Pa.
    pub outlet_pa: f64,
    /// Length over which the pressure changes, m.
    pub length_m: f64,
    /// T, K.
    pub temperature_k: f64,
    /// Second virial coefficient per molecule, m³.
    pub virial_m3: f64,
    /// chi over density, m³, for each bin; 0 outside the valid set.
    pub susceptibility: Vec<f64>,
    /// What is subtracted from `1 + rho chi`: `modes` rows of `bins` values, 0 outside the valid
    /// set.
    pub waveguide: Vec<Complex64>,
    /// chi over density at the carrier, m³.
    pub carrier_susceptibility: f64,
    /// The waveguide term of mode 0 at the carrier.
    pub carrier_waveguide: Complex64,
    /// Derivative of chi over density at the carrier, m³ s.
    pub susceptibility_slope: f64,
    /// Derivative of the waveguide term of mode 0 at the carrier, s.
    pub waveguide_slope: Complex64,
    /// Whether alpha acts; without, it is 0.
    pub loss: bool,
    /// Largest alpha, 1/m.
    pub max_loss_per_m: f64,
    /// Whether the engine divides the source of each mode by Re n_m(w, z).
    pub over_index: bool,
}

impl Gradient {
    /// Smallest real part of an effective index.
    pub const INDEX_MIN: f64 = 1e-3;
}

/// Ionisation: the rate over the field, and what an electron costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Plasma {
    /// Rate in 1/s over the modulus of the field in V/m: at each instant for a real field, averaged
    /// over the cycle for an envelope.
    pub rate: RateTable,
    /// I, J.
    pub ionisation_energy_j: f64,
}

/// Windows that act in every source evaluation (spectral, fine) and along the guide (spectral,
/// temporal, nodes): after a step h, to the power of h over a length.
#[derive(Clone, Debug, PartialEq)]
pub struct Windows {
    /// Over the bins.
    pub spectral: Vec<f64>,
    /// Over the samples of the coarse grid.
    pub temporal: Vec<f64>,
    /// Over the samples of the fine grid.
    pub fine: Vec<f64>,
    /// Over the nodes, where light is absorbed that nears the edge of the cross-section:
    /// `A_m <- A_m - sum_j W_mj (1 - w_j) sum_n E_jn A_n / s`. Projection times synthesis is then
    /// s times 1; s is taken from the first mode.
    pub nodes: Option<Vec<f64>>,
    /// Along which those that act along the guide act once, m.
    pub length_m: f64,
}

/// How the source of a real field turns along the guide: `K(w) = harmonic(w) L(carrier, z)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Shift {
    /// The bin whose L of mode 0 stands for the carrier.
    pub bin: usize,
    /// For each bin, the odd harmonic that dominates there.
    pub harmonic: Vec<f64>,
}

impl Problem {
    /// Bins of the spectrum of one mode.
    pub fn bins(&self) -> usize {
        match self.field {
            FieldKind::Real => self.points / 2 + 1,
            FieldKind::Envelope => self.points,
        }
    }

    /// Complex values of the state.
    pub fn state_len(&self) -> usize {
        self.modes * self.bins()
    }

    /// Whether every array is as long as the sizes imply; the first that is not.
    pub fn check_lengths(&self) -> Result<(), String> {
        self.check_sizes()?;
        let (bins, state) = (self.bins(), self.state_len());
        length("omega", self.omega.len(), bins)?;
        length("synthesis", self.synthesis.len(), self.nodes * self.modes)?;
        length("projection", self.projection.len(), self.nodes * self.modes)?;
        length("source", self.source.len(), state)?;
        match &self.linear {
            Linear::Fixed(values) => length("linear", values.len(), state)?,
            Linear::Gradient(gradient) => {
                length("susceptibility", gradient.susceptibility.len(), bins)?;
                length("waveguide", gradient.waveguide.len(), state)?;
            }
        }
        if let Some(table) = &self.raman {
            let once = self.fine_points;
            if table.points != once && table.points != 2 * once {
                let points = table.points;
                return Err(format!(
                    "the Raman response has {points} points and must have {once} or twice as many"
                ));
            }
            length("raman", table.values.len(), table.points / 2 + 1)?;
        }
        if let Some(windows) = &self.windows {
            length("windows.spectral", windows.spectral.len(), bins)?;
            length("windows.temporal", windows.temporal.len(), self.points)?;
            length("windows.fine", windows.fine.len(), self.fine_points)?;
            if let Some(nodes) = &windows.nodes {
                length("windows.nodes", nodes.len(), self.nodes)?;
            }
        }
        if let Some(shift) = &self.carrier_shift {
            length("carrier_shift.harmonic", shift.harmonic.len(), bins)?;
        }
        Ok(())
    }

    fn check_sizes(&self) -> Result<(), String> {
        check_grids(self.points, self.fine_points)?;
        if self.field == FieldKind::Envelope && self.fine_points != self.points {
            return Err(unmatched(self.points, self.fine_points));
        }
        if self.modes == 0 || self.nodes == 0 {
            return Err("there is no mode or no node".to_owned());
        }
        let graded = matches!(self.linear, Linear::Gradient(_));
        if self.density == Density::Gradient && !graded {
            return Err("the density is that of a gradient and there is none".to_owned());
        }
        match &self.carrier_shift {
            Some(shift) if shift.bin >= self.bins() => Err(format!(
                "bin {} of the carrier is beyond the spectrum of {} bins",
                shift.bin,
                self.bins()
            )),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Two modes, three nodes, eight samples, sixteen fine ones; nothing acts.
    fn problem() -> Problem {
        Problem {
            field: FieldKind::Real,
            points: 8,
            fine_points: 16,
            modes: 2,
            nodes: 3,
            time_step_s: 1e-15,
            carrier_rad_s: 2e15,
            omega: vec![0.0; 5],
            synthesis: vec![0.0; 6],
            projection: vec![0.0; 6],
            linear: Linear::Fixed(vec![Complex64::default(); 10]),
            source: vec![Complex64::default(); 10],
            density: Density::Constant(1.0),
            kerr: 0.0,
            raman: Some(RamanTable {
                points: 32,
                values: vec![Complex64::default(); 17],
            }),
            plasma: None,
            windows: Some(Windows {
                spectral: vec![1.0; 5],
                temporal: vec![1.0; 8],
                fine: vec![1.0; 16],
                nodes: Some(vec![1.0; 3]),
                length_m: 1e-3,
            }),
            carrier_shift: Some(Shift {
                bin: 2,
                harmonic: vec![1.0; 5],
            }),
            energy_scale: 5e-16,
        }
    }

    #[test]
    fn arrays_of_the_implied_lengths_are_accepted() {
        assert_eq!(problem().check_lengths(), Ok(()));
        assert_eq!((problem().bins(), problem().state_len()), (5, 10));
    }

    #[test]
    fn an_array_of_another_length_is_named() {
        type Change = fn(&mut Problem);
        let table: [(Change, &str); 13] = [
            (|p| p.omega.truncate(4), "`omega`"),
            (|p| p.synthesis.push(0.0), "`synthesis`"),
            (|p| p.projection.truncate(5), "`projection`"),
            (|p| p.source.truncate(5), "`source`"),
            (|p| p.linear = Linear::Fixed(Vec::new()), "`linear`"),
            (|p| p.raman.as_mut().unwrap().points = 24, "24 points"),
            (|p| p.raman.as_mut().unwrap().values.truncate(9), "`raman`"),
            (|p| p.windows.as_mut().unwrap().fine.truncate(8), "fine"),
            (
                |p| p.windows.as_mut().unwrap().nodes = Some(vec![1.0; 2]),
                "`windows.nodes`",
            ),
            (|p| p.carrier_shift.as_mut().unwrap().bin = 5, "bin 5"),
            (|p| p.fine_points = 6, "fine one of 6"),
            (|p| p.modes = 0, "no mode"),
            (|p| p.density = Density::Gradient, "gradient"),
        ];
        for (change, named) in table {
            let mut changed = problem();
            change(&mut changed);
            let cause = changed.check_lengths().unwrap_err();
            assert!(cause.contains(named), "{named}: {cause}");
        }
    }

    #[test]
    fn an_envelope_has_as_many_bins_as_points_and_no_finer_grid() {
        let mut envelope = problem();
        envelope.field = FieldKind::Envelope;
        assert_eq!(envelope.bins(), 8);
        assert!(
            envelope
                .check_lengths()
                .unwrap_err()
                .contains("fine one of 16")
        );
    }
}
