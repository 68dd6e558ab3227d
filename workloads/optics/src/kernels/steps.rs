//! The loops of the steppers, and the sums that they end in.

use super::Example;
use super::pack::{Draw, Pack};
use crate::fourier::Complex64;
use crate::reference::dormand_prince::{ROWS, error_weights};

/// Sum of the squared moduli, with what each addition rounds off taken into the next (W. Kahan,
/// Commun. ACM 8, 40 (1965)): exact to the last bits however many there are.
pub fn sum_of_squares(values: &[Complex64]) -> f64 {
    let (mut sum, mut lost) = (0.0, 0.0);
    for value in values {
        let term = value.norm_sqr() - lost;
        let grown: f64 = sum + term;
        lost = (grown - sum) - term;
        sum = grown;
    }
    sum
}

/// Parts of numbers whose squares over `n` of them sum up to about 1, so that no part of an output
/// outweighs the others.
fn amplitude(n: usize) -> f64 {
    1.0 / (n as f64).sqrt()
}

/// `sum_squares`.
pub fn sum_squares(n: usize, draw: &mut Draw) -> Example {
    let x = draw.complex(n, amplitude(n));
    Example {
        output: vec![sum_of_squares(&x)],
        input: Pack::default().complex(&x).done(),
    }
}

/// What turns a slope of a stage, from e^{Lh/10} and e^{8Lh/9}: the nodes are at 1/5, 3/10, 4/5,
/// 8/9 and twice at 1.
fn turn(stage: usize, tenth: Complex64, ninths: Complex64) -> Complex64 {
    match stage {
        1 => tenth.powu(2),
        2 => tenth.powu(3),
        3 => tenth.powu(8),
        4 => ninths,
        _ => tenth.powu(10),
    }
}

/// `rk_stage`.
pub fn rk_stage(n: usize, p: usize, draw: &mut Draw) -> Example {
    let h = 0.1;
    let [source, weight, y] = [(); 3].map(|()| draw.complex(n, 1.0));
    let [tenth, ninths] = [(); 2].map(|()| draw.phases(n));
    let mut slopes: Vec<Vec<Complex64>> = (0..p).map(|_| draw.complex(n, 1.0)).collect();
    let input = Pack::default()
        .number(h)
        .arrays(&[source.clone(), weight.clone(), y.clone()])
        .complex(&tenth)
        .complex(&ninths)
        .arrays(&slopes)
        .done();
    let slope = |i: usize| turn(p, tenth[i], ninths[i]).conj() * weight[i] * source[i];
    slopes.push((0..n).map(slope).collect());
    let sum = |i: usize, weights: &[f64]| -> Complex64 {
        let terms = weights.iter().zip(&slopes).map(|(a, k)| a * k[i]);
        h * terms.sum::<Complex64>()
    };
    let turned = |i: usize| turn(p + 1, tenth[i], ninths[i]);
    let next: Vec<Complex64> = (0..n)
        .map(|i| turned(i) * (y[i] + sum(i, &ROWS[p + 1])))
        .collect();
    let mut output = Pack::default().arrays(&slopes[p..]).complex(&next);
    if p == 5 {
        let weights = error_weights();
        let error = |i: usize| turned(i) * sum(i, &weights);
        let error: Vec<Complex64> = (0..n).map(error).collect();
        output = output.complex(&error);
    }
    Example {
        input,
        output: output.done(),
    }
}

/// `rk_error`.
pub fn rk_error(n: usize, draw: &mut Draw) -> Example {
    let h = 0.1;
    let small = amplitude(n);
    let [source, partial] = [(); 2].map(|()| draw.complex(n, small));
    let weight = draw.complex(n, 1.0);
    let slope = |i: usize| weight[i] * source[i];
    let slopes: Vec<Complex64> = (0..n).map(slope).collect();
    let [.., last] = error_weights();
    let error = |i: usize| partial[i] + h * last * slopes[i];
    let errors: Vec<Complex64> = (0..n).map(error).collect();
    let output = Pack::default().number(sum_of_squares(&errors));
    Example {
        output: output.complex(&slopes).complex(&errors).done(),
        input: Pack::default()
            .number(h)
            .arrays(&[source, weight, partial])
            .done(),
    }
}

/// `adams_predict`.
pub fn adams_predict(n: usize, p: usize, draw: &mut Draw) -> Example {
    let ends = draw.real(p, -1.0, 1.0);
    let [y, turn] = [(); 2].map(|()| draw.complex(n, 1.0));
    let mut arrays = || -> Vec<Vec<Complex64>> { (0..p).map(|_| draw.complex(n, 1.0)).collect() };
    let (weights, slopes) = (arrays(), arrays());
    let state = |i: usize| {
        let terms = weights.iter().zip(&slopes).map(|(w, k)| w[i] * k[i]);
        turn[i] * y[i] + terms.sum::<Complex64>()
    };
    let expected = |i: usize| {
        let terms = ends.iter().zip(&slopes).map(|(b, k)| b * k[i]);
        terms.sum::<Complex64>()
    };
    let state: Vec<Complex64> = (0..n).map(state).collect();
    let expected: Vec<Complex64> = (0..n).map(expected).collect();
    let input = Pack::default().real(&ends).complex(&y).complex(&turn);
    Example {
        output: Pack::default().complex(&state).complex(&expected).done(),
        input: input.arrays(&weights).arrays(&slopes).done(),
    }
}

/// `adams_correct`.
pub fn adams_correct(n: usize, draw: &mut Draw) -> Example {
    let small = amplitude(n);
    let [source, expected, y] = [(); 3].map(|()| draw.complex(n, small));
    let [weight, correction] = [(); 2].map(|()| draw.complex(n, 1.0));
    let surplus = |i: usize| weight[i] * source[i] - expected[i];
    let surplus: Vec<Complex64> = (0..n).map(surplus).collect();
    let changes: Vec<Complex64> = (0..n).map(|i| correction[i] * surplus[i]).collect();
    let corrected: Vec<Complex64> = (0..n).map(|i| y[i] + changes[i]).collect();
    let output = Pack::default()
        .number(sum_of_squares(&changes))
        .number(sum_of_squares(&corrected));
    Example {
        output: output.complex(&surplus).complex(&corrected).done(),
        input: Pack::default()
            .arrays(&[source, weight, expected, correction, y])
            .done(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp)]
    use super::*;

    #[test]
    fn a_sum_of_many_squares_is_exact_to_the_last_bits() {
        // A tenth has no finite binary form, so every addition rounds.
        let values = vec![Complex64::new(0.1, 0.0); 1_000_000];
        assert!((sum_of_squares(&values) / 1e4 - 1.0).abs() < 1e-15);
        let values = [Complex64::new(3.0, 4.0), Complex64::new(0.0, -2.0)];
        assert_eq!(sum_of_squares(&values), 29.0);
        assert_eq!(sum_of_squares(&[]), 0.0);
    }

    /// Complex numbers of an array of an example of length 1, counted from `at` doubles on.
    fn values(doubles: &[f64], at: usize) -> Vec<Complex64> {
        let pairs = doubles[at..].chunks_exact(2);
        pairs.map(|pair| Complex64::new(pair[0], pair[1])).collect()
    }

    #[test]
    fn a_first_stage_follows_its_formula() {
        let example = rk_stage(1, 1, &mut Draw::from_seed(6));
        let h = example.input[0];
        let [n, w, y, x, _, k] = values(&example.input, 1)[..] else {
            unreachable!("six arrays of one value");
        };
        let slope = (x * x).conj() * w * n;
        let state = x * x * x * (y + h * (3.0 / 40.0 * k + 9.0 / 40.0 * slope));
        let found = values(&example.output, 0);
        assert!((found[0] - slope).norm() < 1e-14 && (found[1] - state).norm() < 1e-14);
    }

    #[test]
    fn the_last_stage_ends_at_the_end_and_has_an_error() {
        let example = rk_stage(1, 5, &mut Draw::from_seed(7));
        let (h, input) = (example.input[0], values(&example.input, 1));
        let (y, turn) = (input[2], input[3].powu(10));
        let mut slopes = input[5..].to_vec();
        slopes.push(turn.conj() * input[1] * input[0]);
        assert_eq!(slopes.len(), 6);
        let sum = |weights: [f64; 6]| -> Complex64 {
            let terms = weights.iter().zip(&slopes).map(|(a, k)| a * k);
            h * terms.sum::<Complex64>()
        };
        let solution = [
            35.0 / 384.0,
            0.0,
            500.0 / 1113.0,
            125.0 / 192.0,
            -2187.0 / 6784.0,
            11.0 / 84.0,
        ];
        let error = [
            71.0 / 57600.0,
            0.0,
            -71.0 / 16695.0,
            71.0 / 1920.0,
            -17253.0 / 339_200.0,
            22.0 / 525.0,
        ];
        let found = values(&example.output, 0);
        assert!((found[1] - turn * (y + sum(solution))).norm() < 1e-14);
        assert!((found[2] - turn * sum(error)).norm() < 1e-14);
    }

    #[test]
    fn the_end_of_a_step_follows_its_formula() {
        let example = rk_error(1, &mut Draw::from_seed(10));
        let h = example.input[0];
        let [n, w, z] = values(&example.input, 1)[..] else {
            unreachable!("three arrays of one value");
        };
        let error = z - h / 40.0 * (w * n);
        let found = values(&example.output, 1);
        assert!((found[0] - w * n).norm() < 1e-14 && (found[1] - error).norm() < 1e-14);
        assert!((example.output[0] - error.norm_sqr()).abs() < 1e-14);
    }

    #[test]
    fn a_prediction_follows_its_formula() {
        let example = adams_predict(1, 2, &mut Draw::from_seed(8));
        let b = &example.input[..2];
        let [y, e, w0, w1, n0, n1] = values(&example.input, 2)[..] else {
            unreachable!("six arrays of one value");
        };
        let found = values(&example.output, 0);
        assert!((found[0] - (e * y + w0 * n0 + w1 * n1)).norm() < 1e-14);
        assert!((found[1] - (b[0] * n0 + b[1] * n1)).norm() < 1e-14);
    }

    #[test]
    fn a_correction_follows_its_formula() {
        let example = adams_correct(1, &mut Draw::from_seed(9));
        let [n, w, m, c, y] = values(&example.input, 0)[..] else {
            unreachable!("five arrays of one value");
        };
        let surplus = w * n - m;
        let state = y + c * surplus;
        let found = values(&example.output, 2);
        assert!((found[0] - surplus).norm() < 1e-14 && (found[1] - state).norm() < 1e-14);
        let sums = [(c * surplus).norm_sqr(), state.norm_sqr()];
        for (found, due) in example.output.iter().zip(sums) {
            assert!((found - due).abs() < 1e-14);
        }
    }
}
