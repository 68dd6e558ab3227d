//! Parameters and facts as people read them. Pure.
//!
//! Names end in their unit, so a length of 0.000125 called `core_radius_m` is 125 µm: nothing has
//! to be known of a quantity but its name.

use serde_json::Value;

/// Units that names end in, and how they are written.
const UNITS: [(&str, &str); 6] = [
    ("_m", "m"),
    ("_s", "s"),
    ("_j", "J"),
    ("_w", "W"),
    ("_pa", "Pa"),
    ("_k", "K"),
];

/// What a name holds whose last word is a part of a unit only.
const PER: &str = "_per_";

/// Prefixes of units, by the power of ten.
const PREFIXES: [(i32, &str); 12] = [
    (-18, "a"),
    (-15, "f"),
    (-12, "p"),
    (-9, "n"),
    (-6, "µ"),
    (-3, "m"),
    (0, ""),
    (3, "k"),
    (6, "M"),
    (9, "G"),
    (12, "T"),
    (15, "P"),
];

/// Sizes of numbers without a unit that are written without a power of ten.
const PLAIN: std::ops::Range<f64> = 1e-4..1e7;

/// A value of this name as Markdown shows it; `None` of a table, whose keys have their own names.
pub fn shown(name: &str, value: &Value) -> Option<String> {
    match value {
        Value::Null | Value::Object(_) => None,
        Value::Bool(true) => Some("yes".to_owned()),
        Value::Bool(false) => Some("no".to_owned()),
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => number.as_f64().map(|number| quantity(name, number)),
        Value::Array(values) => {
            let parts: Option<Vec<String>> =
                values.iter().map(|value| shown(name, value)).collect();
            let numbers = values.iter().all(Value::is_number);
            // Two numbers are the ends of something.
            let between = match numbers && values.len() == 2 {
                true => " to ",
                false => ", ",
            };
            parts.map(|parts| parts.join(between))
        }
    }
}

/// A number with the unit that its name ends in.
fn quantity(name: &str, value: f64) -> String {
    let unit = UNITS.iter().find(|(ending, _)| name.ends_with(ending));
    match unit.filter(|_| !name.contains(PER)) {
        Some((_, unit)) => with_unit(value, unit),
        None => number(value),
    }
}

/// Five digits at most.
fn with_unit(value: f64, unit: &str) -> String {
    let plain = format!("{} {unit}", number(value));
    let Some((mantissa, exponent)) = parts(value) else {
        return plain;
    };
    let power = exponent.div_euclid(3) * 3;
    match PREFIXES.iter().find(|(known, _)| *known == power) {
        // As text, so that 7.5e-15 is 7.5 and not 7.499999 of something.
        Some((_, prefix)) => match format!("{mantissa}e{}", exponent - power).parse::<f64>() {
            Ok(scaled) => format!("{scaled} {prefix}{unit}"),
            Err(_) => plain,
        },
        None => plain,
    }
}

/// A number without a unit, of five digits at most; a whole one with all of its own.
fn number(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < PLAIN.end {
        return value.to_string();
    }
    let Some((mantissa, exponent)) = parts(value) else {
        return value.to_string();
    };
    let rounded: f64 = format!("{mantissa}e{exponent}").parse().unwrap_or(value);
    match PLAIN.contains(&rounded.abs()) {
        true => rounded.to_string(),
        false => format!("{rounded:e}"),
    }
}

/// Mantissa of five digits, and power of ten; `None` of zero and of what is no number.
fn parts(value: f64) -> Option<(String, i32)> {
    let text = format!("{value:.4e}");
    let (mantissa, exponent) = text.split_once('e')?;
    let exponent = exponent.parse().ok()?;
    (value.is_finite() && value != 0.0).then(|| (mantissa.to_owned(), exponent))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_name_ends_in_the_unit_of_its_value() {
        for (name, value, text) in [
            ("core_radius_m", json!(125e-6), "125 µm"),
            ("length_m", json!(1.5), "1.5 m"),
            ("length_m", json!(0.13), "130 mm"),
            ("fwhm_s", json!(7.5e-15), "7.5 fs"),
            ("time_step_s", json!(1.074_437_9e-15), "1.0744 fs"),
            ("energy_j", json!(275e-6), "275 µJ"),
            ("peak_power_w", json!(1e4), "10 kW"),
            ("peak_power_w", json!(13.999_96), "14 W"),
            ("outlet_pa", json!(0.0), "0 Pa"),
            ("pressure_pa", json!(4e6), "4 MPa"),
            ("temperature_k", json!(293.15), "293.15 K"),
            ("n2_m2_per_w", json!(2.7e-20), "2.7e-20"),
            ("gamma_per_w_m", json!(0.1), "0.1"),
            ("length_m", json!(1e30), "1e30 m"),
            ("points", json!(16384), "16384"),
            ("rtol", json!(1e-8), "1e-8"),
            ("soliton_order", json!(2.812_345_6), "2.8123"),
            ("wavelength_limits_m", json!([90e-9, 4e-6]), "90 nm to 4 µm"),
            ("dispersion", json!([1, 2, 3]), "1, 2, 3"),
            ("loss", json!(true), "yes"),
            ("kerr", json!(false), "no"),
            ("gas", json!("helium"), "helium"),
        ] {
            assert_eq!(shown(name, &value).as_deref(), Some(text), "{name}");
        }
    }

    #[test]
    fn a_table_and_nothing_are_no_value() {
        assert_eq!(shown("pulse", &json!({"fwhm_s": 1.0})), None);
        assert_eq!(shown("pulse", &json!(null)), None);
        assert_eq!(shown("pulse", &json!([{"a": 1}])), None);
    }
}
