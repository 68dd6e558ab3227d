//! Units that make numbers short. Pure.

/// A unit and how many of it are one SI unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// Its name.
    pub name: &'static str,
    /// Factor from the SI unit.
    pub per_si: f64,
}

const fn unit(name: &'static str, per_si: f64) -> Unit {
    Unit { name, per_si }
}

/// The unit for an axis that ends at so many metres.
pub fn of_length(length_m: f64) -> Unit {
    let units = [
        (1.0, unit("m", 1.0)),
        (1e-2, unit("cm", 1e2)),
        (1e-3, unit("mm", 1e3)),
    ];
    largest_within(length_m, &units, unit("µm", 1e6))
}

/// The unit for an axis of so many seconds.
pub fn of_time(range_s: f64) -> Unit {
    largest_within(range_s, &[(3e-12, unit("ps", 1e12))], unit("fs", 1e15))
}

/// The unit for an axis that ends at so many watts.
pub fn of_power(power_w: f64) -> Unit {
    let units = [
        (1e9, unit("GW", 1e-9)),
        (1e6, unit("MW", 1e-6)),
        (1e3, unit("kW", 1e-3)),
    ];
    largest_within(power_w, &units, unit("W", 1.0))
}

/// The unit for an axis that ends at so many J/m².
pub fn of_fluence(fluence: f64) -> Unit {
    let units = [(1e3, unit("J/cm²", 1e-4)), (1.0, unit("mJ/cm²", 1e-1))];
    largest_within(fluence, &units, unit("µJ/cm²", 1e2))
}

/// The first unit whose least value is not above `value`.
fn largest_within(value: f64, units: &[(f64, Unit)], smallest: Unit) -> Unit {
    let found = units.iter().find(|(least, _)| value >= *least);
    found.map_or(smallest, |(_, unit)| *unit)
}

/// A number with its unit: `15 cm`.
pub fn shown(value: f64, unit: Unit) -> String {
    // To six digits, of which zeros at the end are left out.
    let scaled = format!("{:.5e}", value * unit.per_si).parse::<f64>();
    format!("{} {}", scaled.unwrap_or(f64::NAN), unit.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_make_numbers_short() {
        let table = [
            (shown(1.5, of_length(1.5)), "1.5 m"),
            (shown(0.15, of_length(0.15)), "15 cm"),
            (shown(0.002, of_length(0.002)), "2 mm"),
            (shown(4e-4, of_length(4e-4)), "400 µm"),
            (shown(12.315_043, of_length(12.3)), "12.315 m"),
            (shown(2.5e-13, of_time(2.5e-13)), "250 fs"),
            (shown(6.4e-11, of_time(6.4e-11)), "64 ps"),
            (shown(7e9, of_power(7e9)), "7 GW"),
            (shown(12.5, of_power(12.5)), "12.5 W"),
            (shown(11_500.0, of_fluence(11_500.0)), "1.15 J/cm²"),
            (shown(60.0, of_fluence(60.0)), "6 mJ/cm²"),
        ];
        for (text, expected) in table {
            assert_eq!(text, expected);
        }
    }
}
