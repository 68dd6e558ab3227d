//! Log-ratios as people read them.

/// The change that a log-ratio is, as a fraction: `exp(x) - 1`.
pub fn fraction(log_ratio: f64) -> f64 {
    libm::expm1(log_ratio)
}

/// The ratio of two times that a log-ratio is.
pub fn ratio(log_ratio: f64) -> f64 {
    libm::exp(log_ratio)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_ratio_is_a_change() {
        assert!((fraction(libm::log1p(0.01)) - 0.01).abs() < 1e-16);
        assert!((ratio(libm::log(1.1)) - 1.1).abs() < 1e-15);
        assert!(fraction(0.0).abs() <= 0.0);
    }
}
