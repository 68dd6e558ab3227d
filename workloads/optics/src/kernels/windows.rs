//! The windows that act after a step.

use super::Example;
use super::pack::{Draw, Pack};
use super::steps::sum_of_squares;
use super::transforms::{to_frequency, to_time};
use crate::fourier::Complex64;

fn windowed(values: &[Complex64], window: &[f64]) -> Vec<Complex64> {
    values.iter().zip(window).map(|(y, w)| y * w).collect()
}

/// The state after both windows.
fn absorbed(state: &[Complex64], spectral: &[f64], temporal: &[f64]) -> Vec<Complex64> {
    let field = to_time(&windowed(state, spectral));
    let mut state = to_frequency(&windowed(&field, temporal));
    let points = state.len() as f64;
    for value in &mut state {
        *value /= points;
    }
    state
}

/// `absorb`.
pub fn absorb(n: usize, draw: &mut Draw) -> Example {
    let [spectral, temporal] = [(); 2].map(|()| draw.real(n, 0.0, 1.0));
    let state = draw.complex(n, 1.0);
    let absorbed = absorbed(&state, &spectral, &temporal);
    let norm = sum_of_squares(&absorbed).sqrt();
    let input = Pack::default().real(&spectral).real(&temporal);
    Example {
        output: Pack::default().number(norm).complex(&absorbed).done(),
        input: input.complex(&state).done(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_window_multiplies_where_it_acts() {
        let mut draw = Draw::from_seed(5);
        let (state, window) = (draw.complex(8, 1.0), draw.real(8, 0.0, 1.0));
        let open = [1.0; 8];
        let apart = |a: &[Complex64], b: &[Complex64]| {
            let distances = a.iter().zip(b).map(|(a, b)| (a - b).norm());
            distances.fold(0.0, f64::max)
        };
        let spectrum = absorbed(&state, &window, &open);
        assert!(apart(&spectrum, &windowed(&state, &window)) < 1e-14);
        let field = to_time(&absorbed(&state, &open, &window));
        assert!(apart(&field, &windowed(&to_time(&state), &window)) < 1e-13);
    }

    #[test]
    fn the_norm_is_that_of_the_state_behind_it() {
        let example = absorb(8, &mut Draw::from_seed(6));
        let squares: f64 = example.output.iter().skip(1).map(|x| x * x).sum();
        assert!((example.output[0] / squares.sqrt() - 1.0).abs() < 1e-14);
    }
}
