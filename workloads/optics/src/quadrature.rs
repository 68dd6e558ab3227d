//! Gauss rules: sums that integrate polynomials exactly.

use std::f64::consts::PI;

/// Most nodes of a Legendre rule: beyond what any cross-section needs.
pub const LEGENDRE_MAX: usize = 1024;

/// Most nodes of a Laguerre rule: beyond, weights fall below the range of doubles.
pub const LAGUERRE_MAX: usize = 64;

/// Newton steps; from the usual estimate four are enough.
const NEWTON_STEPS: usize = 8;

/// Halvings of a bracket: as many as halve any to neighbouring numbers.
const HALVINGS: usize = 120;

/// Nodes, ascending, and their weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Where the integrand is evaluated.
    pub nodes: Vec<f64>,
    /// What it is multiplied by.
    pub weights: Vec<f64>,
}

impl Rule {
    /// The integral of `f`.
    pub fn integrate(&self, f: impl Fn(f64) -> f64) -> f64 {
        let pairs = self.nodes.iter().zip(&self.weights);
        pairs.map(|(node, weight)| weight * f(*node)).sum()
    }
}

/// Gauss-Legendre: integrals over `[from, to]`, exact for degrees below `2 nodes`.
///
/// None for 0 nodes and for more than [`LEGENDRE_MAX`].
pub fn legendre(nodes: usize, from: f64, to: f64) -> Option<Rule> {
    if !(1..=LEGENDRE_MAX).contains(&nodes) {
        return None;
    }
    let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
    let n = nodes as f64;
    let pair = |index: usize| {
        let mut x = -(PI * (index as f64 + 0.75) / (n + 0.5)).cos();
        for _ in 0..NEWTON_STEPS {
            let (value, slope) = legendre_polynomial(nodes, x);
            x -= value / slope;
        }
        let (_, slope) = legendre_polynomial(nodes, x);
        let weight = 2.0 / ((1.0 - x * x) * slope * slope);
        (middle + half * x, half * weight)
    };
    let (nodes, weights) = (0..nodes).map(pair).unzip();
    Some(Rule { nodes, weights })
}

/// P_n(x) and its derivative, for |x| < 1.
fn legendre_polynomial(order: usize, x: f64) -> (f64, f64) {
    let (mut below, mut value) = (1.0, x);
    for k in 1..order {
        let k = k as f64;
        let above = ((2.0 * k + 1.0) * x * value - k * below) / (k + 1.0);
        (below, value) = (value, above);
    }
    let slope = order as f64 * (x * value - below) / (x * x - 1.0);
    (value, slope)
}

/// Gauss-Laguerre: integrals of `f(x) exp(-x)` over `[0, infinity)`, exact for degrees of f below
/// `2 nodes`.
///
/// The zeros of L_k lie one in each gap that those of L_{k-1} leave, so they are found from one
/// order to the next by halving. None for 0 nodes and for more than [`LAGUERRE_MAX`].
pub fn laguerre(nodes: usize) -> Option<Rule> {
    if !(1..=LAGUERRE_MAX).contains(&nodes) {
        return None;
    }
    let mut zeros = vec![1.0];
    for order in 2..=nodes {
        // All zeros of L_k are below 4 k.
        let last = 4.0 * order as f64;
        let bounds: Vec<f64> = [0.0].into_iter().chain(zeros).chain([last]).collect();
        let gaps = bounds.windows(2).map(|gap| (gap[0], gap[1]));
        zeros = gaps.map(|gap| zero_between(order, gap)).collect();
    }
    let next = (nodes + 1) as f64;
    let weight = |x: &f64| x / (next * laguerre_polynomial(nodes + 1, *x)).powi(2);
    let weights = zeros.iter().map(weight).collect();
    Some(Rule {
        nodes: zeros,
        weights,
    })
}

fn zero_between(order: usize, (mut low, mut high): (f64, f64)) -> f64 {
    let starts_positive = laguerre_polynomial(order, low) > 0.0;
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if (laguerre_polynomial(order, middle) > 0.0) == starts_positive {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// L_n(x).
pub fn laguerre_polynomial(order: usize, x: f64) -> f64 {
    let (mut below, mut value) = (0.0, 1.0);
    for k in 0..order {
        let k = k as f64;
        let above = ((2.0 * k + 1.0 - x) * value - k * below) / (k + 1.0);
        (below, value) = (value, above);
    }
    value
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::*;

    #[test]
    fn legendre_rules_integrate_every_degree_below_twice_their_nodes() {
        for nodes in [1, 2, 3, 8, 24, 33] {
            let rule = legendre(nodes, 0.0, 1.0).unwrap();
            for degree in 0..2 * nodes {
                let exponent = i32::try_from(degree).unwrap();
                let found = rule.integrate(|x| x.powi(exponent));
                let exact = 1.0 / (degree as f64 + 1.0);
                let error = (found / exact - 1.0).abs();
                assert!(error < 1e-13, "{nodes} nodes, degree {degree}: {error:e}");
            }
        }
    }

    #[test]
    fn the_legendre_rule_of_two_nodes_is_that_of_the_tables() {
        let rule = legendre(2, -1.0, 1.0).unwrap();
        let node = 1.0 / 3.0_f64.sqrt();
        for (found, expected) in rule.nodes.iter().zip([-node, node]) {
            assert!((found - expected).abs() < 1e-15);
        }
        assert!(
            rule.weights
                .iter()
                .all(|weight| (weight - 1.0).abs() < 1e-15)
        );
    }

    #[test]
    fn an_interval_moves_and_scales_a_rule() {
        let rule = legendre(20, 2.0, 5.0).unwrap();
        assert!(rule.nodes.iter().all(|node| (2.0..5.0).contains(node)));
        assert!(rule.nodes.is_sorted());
        let found = rule.integrate(f64::exp);
        let exact = 5.0_f64.exp() - 2.0_f64.exp();
        assert!((found / exact - 1.0).abs() < 1e-13);
    }

    #[test]
    fn laguerre_rules_integrate_every_degree_below_twice_their_nodes() {
        for nodes in [1, 2, 5, 8, 12] {
            let rule = laguerre(nodes).unwrap();
            let mut factorial = 1.0;
            for degree in 0..2 * nodes {
                if degree > 0 {
                    factorial *= degree as f64;
                }
                let exponent = i32::try_from(degree).unwrap();
                let error = (rule.integrate(|x| x.powi(exponent)) / factorial - 1.0).abs();
                assert!(error < 1e-11, "{nodes} nodes, degree {degree}: {error:e}");
            }
        }
    }

    #[test]
    fn the_laguerre_rule_of_two_nodes_is_that_of_the_tables() {
        let rule = laguerre(2).unwrap();
        let root = 2.0_f64.sqrt();
        for (found, expected) in rule.nodes.iter().zip([2.0 - root, 2.0 + root]) {
            assert!((found - expected).abs() < 1e-14);
        }
        for (found, expected) in rule.weights.iter().zip([2.0 + root, 2.0 - root]) {
            assert!((found - expected / 4.0).abs() < 1e-14);
        }
    }

    #[test]
    fn laguerre_polynomials_are_the_published_ones() {
        for x in [0.0, 0.4, 3.0] {
            assert_eq!(laguerre_polynomial(0, x), 1.0);
            assert_eq!(laguerre_polynomial(1, x), 1.0 - x);
            let second = 1.0 - 2.0 * x + x * x / 2.0;
            assert!((laguerre_polynomial(2, x) - second).abs() < 1e-15);
        }
    }

    #[test]
    fn a_rule_that_cannot_be_is_none() {
        assert_eq!(legendre(0, 0.0, 1.0), None);
        assert_eq!(legendre(LEGENDRE_MAX + 1, 0.0, 1.0), None);
        assert_eq!(laguerre(0), None);
        assert_eq!(laguerre(LAGUERRE_MAX + 1), None);
    }
}
