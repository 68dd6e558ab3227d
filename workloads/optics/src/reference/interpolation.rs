//! Polynomials through given nodes.

/// Coefficients of the Lagrange basis of `nodes`: entry `[j][m]` is that of x^m in the polynomial
/// that is 1 at node j and 0 at the others. The nodes are distinct.
pub fn basis(nodes: &[f64]) -> Vec<Vec<f64>> {
    let of = |j: usize| {
        let mut polynomial = vec![1.0];
        for (i, node) in nodes.iter().enumerate() {
            if i != j {
                polynomial = times_root(&polynomial, *node, nodes[j] - node);
            }
        }
        polynomial
    };
    (0..nodes.len()).map(of).collect()
}

/// `polynomial (x - root) / scale`.
fn times_root(polynomial: &[f64], root: f64, scale: f64) -> Vec<f64> {
    let mut product = vec![0.0; polynomial.len() + 1];
    for (power, coefficient) in polynomial.iter().enumerate() {
        product[power] -= root * coefficient / scale;
        product[power + 1] += coefficient / scale;
    }
    product
}

/// Integral of a polynomial from 0 to `end`.
pub fn integral(polynomial: &[f64], end: f64) -> f64 {
    let term = |sum: f64, (power, coefficient): (usize, &f64)| {
        (sum + coefficient / (power + 1) as f64) * end
    };
    polynomial.iter().enumerate().rev().fold(0.0, term)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NODES: [f64; 4] = [0.0, -0.5, -2.0, 1.0];

    fn value(polynomial: &[f64], x: f64) -> f64 {
        polynomial.iter().rev().fold(0.0, |sum, c| sum * x + c)
    }

    #[test]
    fn each_polynomial_of_the_basis_is_one_at_its_node_and_zero_at_the_others() {
        for (j, polynomial) in basis(&NODES).iter().enumerate() {
            assert_eq!(polynomial.len(), NODES.len());
            for (i, node) in NODES.iter().enumerate() {
                let expected = if i == j { 1.0 } else { 0.0 };
                assert!((value(polynomial, *node) - expected).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn the_weights_of_equal_steps_are_those_of_adams() {
        // Bashforth of order 4 and Moulton of order 4.
        let cases: [([f64; 4], [f64; 4]); 2] = [
            ([0.0, -1.0, -2.0, -3.0], [55.0, -59.0, 37.0, -9.0]),
            ([1.0, 0.0, -1.0, -2.0], [9.0, 19.0, -5.0, 1.0]),
        ];
        for (nodes, expected) in cases {
            for (polynomial, expected) in basis(&nodes).iter().zip(expected) {
                let weight = 24.0 * integral(polynomial, 1.0);
                assert!((weight - expected).abs() < 1e-12, "{weight}, {expected}");
            }
        }
    }

    #[test]
    fn the_integral_reaches_to_its_end() {
        // x^2 + 2 x + 3 from 0 to 2.
        let integral = integral(&[3.0, 2.0, 1.0], 2.0);
        assert!((integral - (8.0 / 3.0 + 4.0 + 6.0)).abs() < 1e-14);
    }
}
