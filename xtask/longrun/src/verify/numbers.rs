//! Numbers of a table of oracles: as many digits as the tolerance makes meaningful. Pure.

use longrun_protocol::receipt::Relation;

/// Numbers are shown to this part of their tolerance.
const RESOLUTION: f64 = 0.01;

/// Most digits behind the point.
const DECIMALS_MAX: usize = 12;

/// Outside of these sizes numbers are written with a power of ten.
const PLAIN: std::ops::Range<f64> = 1e-4..1e7;

/// What is expected, with its tolerance and unit: `1 ± 0.0001`, `at most 0.001`.
pub fn expectation(relation: Relation, expected: f64, tolerance: f64, unit: &str) -> String {
    let unit = unit_after(unit);
    match relation {
        Relation::Within if tolerance == 0.0 => format!("{}{unit}", short(expected)),
        Relation::Within => format!("{} ± {}{unit}", short(expected), short(tolerance)),
        Relation::AtMost => format!("at most {}{unit}", short(expected + tolerance)),
        Relation::AtLeast => format!("at least {}{unit}", short(expected - tolerance)),
    }
}

/// What was obtained, with its unit, to a hundredth of the tolerance.
pub fn measured(obtained: Option<f64>, tolerance: f64, unit: &str) -> String {
    match obtained.filter(|value| value.is_finite()) {
        None => "no number".to_owned(),
        Some(value) => format!("{}{}", to_resolution(value, tolerance), unit_after(unit)),
    }
}

fn unit_after(unit: &str) -> String {
    match unit.is_empty() {
        true => String::new(),
        false => format!(" {unit}"),
    }
}

/// The shortest text that is the number to five digits.
fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.4e}").parse().unwrap_or(value);
    match rounded == 0.0 || PLAIN.contains(&rounded.abs()) {
        true => rounded.to_string(),
        false => format!("{rounded:e}"),
    }
}

fn to_resolution(value: f64, tolerance: f64) -> String {
    let size = value.abs();
    // An exact quantity, and an error far below its bound, have no resolution to be shown to.
    if tolerance <= 0.0 || size < tolerance * RESOLUTION {
        return short_of_three(value);
    }
    let places = -(tolerance * RESOLUTION).log10().floor();
    if PLAIN.contains(&size) {
        return format!("{value:.*}", decimals(places),);
    }
    // Digits behind the first, so that the last one is at the resolution.
    format!("{value:.*e}", decimals(places + size.log10().floor()))
}

/// Three digits, or all of a small whole number.
fn short_of_three(value: f64) -> String {
    match value.fract() == 0.0 && value.abs() < PLAIN.end {
        true => value.to_string(),
        false => short(format!("{value:.2e}").parse().unwrap_or(value)),
    }
}

fn decimals(places: f64) -> usize {
    // Clamped to the few digits that are ever shown, so the conversion is exact.
    places.clamp(0.0, DECIMALS_MAX as f64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations_are_short_and_say_what_is_allowed() {
        let table = [
            (Relation::Within, 1.0, 1e-4, "", "1 ± 0.0001"),
            (Relation::Within, 1.0, 2.249e-6, "", "1 ± 2.249e-6"),
            (Relation::Within, 1250.0, 15.0, "nm", "1250 ± 15 nm"),
            (Relation::Within, 2.0, 0.0, "", "2"),
            (
                Relation::Within,
                1.3975e15,
                3.368e11,
                "rad/s",
                "1.3975e15 ± 3.368e11 rad/s",
            ),
            (Relation::AtMost, 0.0, 1e-3, "", "at most 0.001"),
            (Relation::AtMost, 0.0, 1e-9, "", "at most 1e-9"),
            (Relation::AtLeast, 1200.0, 20.0, "nm", "at least 1180 nm"),
            (
                Relation::Within,
                7.906_543_21,
                0.916,
                "mm",
                "7.9065 ± 0.916 mm",
            ),
        ];
        for (relation, expected, tolerance, unit, text) in table {
            assert_eq!(expectation(relation, expected, tolerance, unit), text);
        }
    }

    #[test]
    fn what_was_obtained_is_shown_to_a_hundredth_of_the_tolerance() {
        let table = [
            (0.999_987_123, 1e-4, "", "0.999987"),
            (0.999_998_914, 2.2e-6, "", "0.99999891"),
            (1189.654, 15.0, "nm", "1189.7 nm"),
            (1.397_503_1e15, 3.37e11, "rad/s", "1.397503e15 rad/s"),
            (1.3e-4, 1e-3, "", "0.00013"),
            (8.514e-9, 1e-3, "", "8.51e-9"),
            (0.0, 1e-9, "", "0"),
            (2.5e-9, 1e-9, "", "2.50e-9"),
            (2.0, 0.0, "", "2"),
            (4.000_125, 0.0, "", "4"),
            (-3.0, 0.0, "", "-3"),
            (-0.123_456, 1e-2, "", "-0.1235"),
        ];
        for (obtained, tolerance, unit, text) in table {
            assert_eq!(
                measured(Some(obtained), tolerance, unit),
                text,
                "{obtained}"
            );
        }
    }

    #[test]
    fn what_is_no_number_is_said_to_be_none() {
        for obtained in [None, Some(f64::NAN), Some(f64::INFINITY)] {
            assert_eq!(measured(obtained, 1.0, "nm"), "no number");
        }
    }
}
