//! A Gaussian beam with a flat phase, as the outer product of its spectra in time, x and y.

use super::plane::PlaneGrid;
use super::problem::Problem;
use crate::fourier::{Complex64, forward};
use crate::grid::{FieldGrid, TimeGrid};
use crate::pulse::Pulse;

/// The state of a pulse in a beam of this waist, with exactly the energy of the pulse: what the
/// grids cut off it is given back.
pub(super) fn launch(
    problem: &Problem,
    grid: &FieldGrid,
    plane: &PlaneGrid,
    (pulse, waist_m): (&Pulse, f64),
) -> Result<Vec<Complex64>, String> {
    let time = TimeGrid::Field(grid.clone());
    let amplitudes: Vec<f64> = grid.times().map(|t| pulse.amplitude(t)).collect();
    let in_time = time.spectrum_of(&amplitudes);
    let in_time = &in_time[problem.first_bin..problem.first_bin + problem.bins()];
    let positions = plane.positions_m().into_iter();
    let mut across: Vec<Complex64> = positions
        .map(|x| (-(x / waist_m).powi(2)).exp().into())
        .collect();
    forward(&mut across);
    let squares = |values: &[Complex64]| values.iter().map(Complex64::norm_sqr).sum::<f64>();
    let energy_j = problem.energy_scale * squares(in_time) * squares(&across).powi(2);
    let scale = (pulse.energy_j() / energy_j).sqrt();
    if !scale.is_finite() {
        return Err("the pulse has no energy within the wavelength limits".to_owned());
    }
    let mut state = Vec::with_capacity(problem.state_len());
    for value in in_time {
        for along_y in &across {
            let row = value * along_y * scale;
            state.extend(across.iter().map(|along_x| row * along_x));
        }
    }
    Ok(state)
}
