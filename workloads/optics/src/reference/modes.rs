//! Modes on one time grid: an envelope by itself, or many modes with a cross-section.

use std::f64::consts::TAU;

use super::absorber::Absorber;
use super::cross_section::CrossSection;
use super::edge::Edge;
use super::fields::{Field, add};
use super::geometry::{Geometry, Seen};
use super::samples::Samples;
use super::statistics::{Axes, statistics};
use crate::engine::PlaneStatistics;
use crate::fourier::Complex64;
use crate::gnlse::Problem;
use crate::guided::{FieldKind, Problem as GuidedProblem};

/// What the spectra of a state are, and what is done to them after a step.
pub struct Modes {
    axes: Axes,
    absorber: Option<Absorber>,
    edge: Option<Edge>,
    cross_section: Option<CrossSection>,
}

impl Modes {
    /// The envelope of a problem that has been checked.
    pub fn envelope(problem: &Problem) -> Self {
        let points = problem.linear.len();
        let samples = Samples::new(FieldKind::Envelope, points, points);
        let windows = problem.windows.as_ref();
        Modes {
            absorber: windows
                .map(|w| Absorber::new(&w.spectral, &w.temporal, None, samples.clone())),
            axes: Axes {
                samples,
                modes: 1,
                time_step_s: problem.time_step_s,
                omega: frequencies(points, problem.time_step_s, problem.carrier_rad_s),
                energy_scale: problem.time_step_s / points as f64,
            },
            edge: None,
            cross_section: None,
        }
    }

    /// The modes of a problem that has been checked.
    pub fn guided(problem: &GuidedProblem) -> Self {
        let samples = Samples::new(problem.field, problem.points, problem.points);
        let windows = problem.windows.as_ref();
        Modes {
            absorber: windows.map(|w| {
                let length_m = Some(w.length_m);
                Absorber::new(&w.spectral, &w.temporal, length_m, samples.clone())
            }),
            axes: Axes {
                samples,
                modes: problem.modes,
                time_step_s: problem.time_step_s,
                omega: problem.omega.clone(),
                energy_scale: problem.energy_scale,
            },
            edge: Edge::of(problem),
            cross_section: Some(CrossSection::of(problem)),
        }
    }
}

impl Geometry for Modes {
    fn state_len(&self) -> usize {
        self.axes.state_len()
    }

    fn absorb(&self, state: &mut Field, step_m: f64) -> Option<f64> {
        self.absorber.as_ref()?.apply(state, step_m);
        let Some(edge) = &self.edge else {
            return Some(0.0);
        };
        let taken = edge.taken(state, step_m);
        add(state, -1.0, &taken);
        Some(self.axes.lost_j(state, &taken))
    }

    fn statistics(&self, z_m: f64, state: &[Complex64]) -> PlaneStatistics {
        statistics(&self.axes, z_m, state)
    }

    fn nodes(&self) -> usize {
        self.cross_section.as_ref().map_or(0, CrossSection::nodes)
    }

    fn seen(&self, state: &[Complex64]) -> Vec<Seen> {
        let section = self.cross_section.as_ref();
        section.map_or_else(Vec::new, |section| section.seen(&self.axes, state))
    }
}

/// Angular frequencies of an envelope grid in FFT order, rad/s.
pub fn frequencies(points: usize, time_step_s: f64, carrier_rad_s: f64) -> Vec<f64> {
    let spacing = TAU / (points as f64 * time_step_s);
    let offset = |k: usize| {
        if k < points / 2 {
            k as f64
        } else {
            k as f64 - points as f64
        }
    };
    (0..points)
        .map(|k| carrier_rad_s + offset(k) * spacing)
        .collect()
}
