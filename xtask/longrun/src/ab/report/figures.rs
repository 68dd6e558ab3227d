//! Changes as people read them: fractions with a sign and a unit. Pure.

use longrun_measure::paired::Interval;
use longrun_measure::paired::fraction::fraction;
use longrun_protocol::registry::Metric;

/// A change as a percentage: `+1.23 %`, `-0.50 %`, `+120 %`.
pub fn change(fraction: f64) -> String {
    let percent = fraction * 100.0;
    let shown = match percent.abs() >= 99.95 {
        true => format!("{percent:+.0} %"),
        false => format!("{percent:+.2} %"),
    };
    match shown.as_str() {
        "+0.00 %" | "-0.00 %" => "0.00 %".to_owned(),
        _ => shown,
    }
}

/// A size without a direction: `0.60 %`, `5 %`.
pub fn size(fraction: f64) -> String {
    let percent = fraction * 100.0;
    match percent >= 99.95 {
        true => format!("{percent:.0} %"),
        false => format!("{percent:.2} %"),
    }
}

/// Both ends of an interval of changes: `-0.10 to +0.32 %`.
pub fn interval(ends: [f64; 2]) -> String {
    let [low, high] = ends.map(change);
    let low = low.strip_suffix(" %").unwrap_or(&low);
    format!("{low} to {high}")
}

/// An interval of log-ratios as fractions.
pub fn fractions(interval: Interval) -> [f64; 2] {
    [fraction(interval.low), fraction(interval.high)]
}

/// The clock in words.
pub fn clock(metric: Metric) -> &'static str {
    match metric {
        Metric::Cpu => "CPU time",
        Metric::Wall => "wall time",
    }
}

/// A probability as a percentage with as many digits as it needs: `1 %`, `0.025 %`.
pub fn probability(p: f64) -> String {
    let percent = p * 100.0;
    let shown = format!("{percent:.3}");
    let shown = shown.trim_end_matches('0').trim_end_matches('.');
    format!("{shown} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_have_a_sign_and_a_unit() {
        for (value, shown) in [
            (0.0, "0.00 %"),
            (-0.000_001, "0.00 %"),
            (0.0123, "+1.23 %"),
            (-0.005, "-0.50 %"),
            (1.2, "+120 %"),
        ] {
            assert_eq!(change(value), shown);
        }
        assert_eq!(interval([-0.001, 0.0032]), "-0.10 to +0.32 %");
        assert_eq!(interval([-0.5, 2.0]), "-50.00 to +200 %");
        assert_eq!(size(0.006), "0.60 %");
    }

    #[test]
    fn probabilities_have_the_digits_that_they_need() {
        for (value, shown) in [
            (0.01, "1 %"),
            (0.00025, "0.025 %"),
            (0.003, "0.3 %"),
            (0.2, "20 %"),
        ] {
            assert_eq!(probability(value), shown);
        }
    }

    #[test]
    fn an_interval_of_log_ratios_is_one_of_fractions() {
        let interval = Interval {
            low: 0.0,
            high: 1.1_f64.ln(),
        };
        let [low, high] = fractions(interval);
        assert!(low.abs() < 1e-15 && (high - 0.1).abs() < 1e-15);
    }
}
