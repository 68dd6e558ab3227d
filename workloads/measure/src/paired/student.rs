//! Tails of the normal and of Student's distribution, and their inverses.
//!
//! All are two-sided tail probabilities, accurate relative to themselves however small they are.

/// `P(|Z| > z)` for a standard normal `Z` and `z >= 0`.
pub fn normal_tail(z: f64) -> f64 {
    libm::erfc(z / std::f64::consts::SQRT_2)
}

/// The `z >= 0` with `P(|Z| > z) = tail`, for a tail in (0, 1).
pub fn normal_quantile(tail: f64) -> f64 {
    let wanted = libm::log(tail);
    // In z^2, of which the logarithm of a tail is a nearly straight function, and which it bounds:
    // P(|Z| > z) is at most exp(-z^2 / 2).
    let error = |square: f64| libm::log(normal_tail(square.sqrt())) - wanted;
    falling_root(error, 0.0, -2.0 * wanted + 1e-9).sqrt()
}

/// `P(|T| > t)` for Student's distribution with `df > 0` degrees of freedom and `t >= 0`.
///
/// It is the regularised incomplete beta function `I_x(df/2, 1/2)` at `x = df / (df + t^2)`
/// (M. Abramowitz and I. A. Stegun, 26.7.1).
pub fn student_tail(t: f64, df: f64) -> f64 {
    let (a, b) = (0.5 * df, 0.5);
    let square = t * t;
    // Both written as quotients: one minus the other would lose all digits of a small one.
    let (x, rest) = (df / (df + square), square / (df + square));
    if rest <= 0.0 {
        return 1.0;
    }
    let front = libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b)
        + a * libm::log(x)
        + b * libm::log(rest);
    let front = libm::exp(front);
    if x < (a + 1.0) / (a + b + 2.0) {
        front * beta_fraction(x, a, b) / a
    } else {
        1.0 - front * beta_fraction(rest, b, a) / b
    }
}

/// The `t` with `P(|T| > t) = tail`, for a tail in (0, 1).
pub fn student_quantile(tail: f64, df: f64) -> f64 {
    let wanted = libm::log(tail);
    // In ln t: far out the logarithm of a tail is a straight function of it.
    let error = |log: f64| libm::log(student_tail(libm::exp(log), df)) - wanted;
    // It is farther out than the normal quantile.
    let low = libm::log(normal_quantile(tail).max(1e-6));
    let mut high = low + 0.5;
    while error(high) > 0.0 && high < HIGHEST {
        high += high - low;
    }
    libm::exp(falling_root(error, low, high))
}

/// `ln t` of no quantile is above this: one degree of freedom has a tail of 1e-40 there.
const HIGHEST: f64 = 92.0;

/// Where a falling function is zero between `low` and `high`, by false position; an end that stays
/// twice is given half of its value, so that the other moves past the root (the method of
/// Illinois).
fn falling_root(of: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    /// A smooth function needs about ten steps to the last digit.
    const STEPS_MAX: u32 = 100;
    let (mut above, mut below) = (of(low), of(high));
    let mut middle = low;
    // Which end moved last: 1 the lower, -1 the upper.
    let mut moved = 0;
    for _ in 0..STEPS_MAX {
        middle = (low * below - high * above) / (below - above);
        let value = of(middle);
        if value.abs() < 1e-13 || middle <= low || middle >= high {
            break;
        }
        if value > 0.0 {
            below *= if moved == 1 { 0.5 } else { 1.0 };
            (low, above, moved) = (middle, value, 1);
        } else {
            above *= if moved == -1 { 0.5 } else { 1.0 };
            (high, below, moved) = (middle, value, -1);
        }
    }
    middle
}

/// Continued fraction of the incomplete beta function, by the method of Lentz
/// (W. H. Press et al., Numerical Recipes, section 6.4).
fn beta_fraction(x: f64, a: f64, b: f64) -> f64 {
    /// It needs about `sqrt(max(a, b))` terms; 10,000 observations need less than a hundred.
    const TERMS_MAX: u32 = 500;
    let apart = |value: f64| {
        if value.abs() < 1e-300 { 1e-300 } else { value }
    };
    let mut c = 1.0;
    let mut d = 1.0 / apart(1.0 - (a + b) * x / (a + 1.0));
    let mut result = d;
    for term in 1..=TERMS_MAX {
        let m = f64::from(term);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / apart(1.0 + even * d);
        c = apart(1.0 + even / c);
        result *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / apart(1.0 + odd * d);
        c = apart(1.0 + odd / c);
        let factor = d * c;
        result *= factor;
        if (factor - 1.0).abs() < 1e-14 {
            break;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, expected: f64) {
        let error = (value / expected - 1.0).abs();
        assert!(error < 1e-9, "{value} is not {expected}");
    }

    #[test]
    fn one_degree_of_freedom_is_the_cauchy_distribution() {
        for t in [0.1, 1.0, 12.0] {
            let expected = 1.0 - 2.0 * libm::atan(t) / std::f64::consts::PI;
            close(student_tail(t, 1.0), expected);
        }
    }

    #[test]
    fn two_degrees_of_freedom_have_a_closed_form() {
        for t in [0.5, 3.0, 40.0] {
            let expected = 1.0 - t / libm::sqrt(2.0 + t * t);
            let error = (student_tail(t, 2.0) / expected - 1.0).abs();
            assert!(error < 1e-6, "{t}");
        }
    }

    #[test]
    fn printed_quantiles_are_found() {
        // M. Abramowitz and I. A. Stegun, table 26.10.
        let table = [
            (0.01, 5.0, 4.032),
            (0.05, 47.0, 2.012),
            (0.001, 3.0, 12.924),
            (0.02, 120.0, 2.358),
        ];
        for (tail, df, expected) in table {
            let error = (student_quantile(tail, df) - expected).abs();
            assert!(error < 6e-4, "{tail} {df}");
        }
    }

    #[test]
    fn quantiles_are_right_for_a_fraction_of_a_degree_of_freedom_too() {
        // From the regularised incomplete beta function with 25 digits (mpmath 1.3).
        let table = [
            (0.05, 1.0, 12.7062047361747),
            (0.01, 1.0, 63.6567411628716),
            (0.05, 2.0, 4.30265272974946),
            (0.05, 2.5, 3.57465484200368),
            (0.01, 4.48, 4.28405513446073),
            (0.01, 5.12, 3.98394166800026),
            (0.01, 9.6, 3.19909098702818),
            (0.01, 10.0, 3.16927267261695),
            (0.001, 30.0, 3.64595863504202),
        ];
        for (tail, df, expected) in table {
            close(student_quantile(tail, df), expected);
        }
    }

    #[test]
    fn a_tail_is_the_inverse_of_its_quantile_far_out_too() {
        for df in [1.0, 3.0, 47.0, 5999.0] {
            for tail in [0.5, 0.01, 1e-8, 1e-15] {
                close(student_tail(student_quantile(tail, df), df), tail);
            }
        }
    }

    #[test]
    fn many_degrees_of_freedom_are_normal() {
        let student = student_tail(3.0, 1e7);
        assert!((student / normal_tail(3.0) - 1.0).abs() < 1e-5);
        assert!((normal_tail(1.959_963_984_540_054) - 0.05).abs() < 1e-12);
        close(normal_quantile(0.05), 1.959_963_984_540_054);
    }
}
