//! What a beam over a plane is made of, and what makes none.
#![allow(clippy::unwrap_used)]

use serde_json::{Value, json};

use super::testing::{changed, map, small};
use super::*;
use crate::fourier::inverse;

#[test]
fn the_launch_has_exactly_the_energy_that_is_asked_for() {
    let case = small();
    let energy_j = case.energy_j(&case.launch);
    assert!((energy_j / 231.5e-9 - 1.0).abs() < 1e-13, "{energy_j:e}");
    let photon_j = energy_j / case.photon_number(&case.launch);
    let carrier_j = HBAR * case.grid.carrier();
    assert!((photon_j / carrier_j - 1.0).abs() < 0.01, "{photon_j:e}");
}

#[test]
fn the_field_on_the_axis_is_that_of_the_peak_intensity() {
    let case = changed(&[("columns", json!(64)), ("window_s", json!(200e-15))]).unwrap();
    // The axis at t = 0 is the middle of every grid: the sum over the bins there is the field.
    let columns = case.plane.columns();
    let at = |bin: usize, i: usize| match (bin + i / columns + i % columns) % 2 {
        0 => 1.0,
        _ => -1.0,
    };
    let first = case.problem().first_bin;
    let planes = case.launch.chunks_exact(columns * columns).enumerate();
    let sum: Complex64 = planes
        .flat_map(|(bin, plane)| {
            let values = plane.iter().enumerate();
            values.map(move |(i, value)| at(first + bin, i) * value)
        })
        .sum();
    let values = (columns * columns * case.grid.points()) as f64;
    let field = 2.0 * sum.re / values;
    let intensity = 0.5 * VACUUM_PERMITTIVITY * SPEED_OF_LIGHT * case.index * field * field;
    let area_m2 = 0.5 * std::f64::consts::PI * 50e-6 * 50e-6;
    let expected = case.pulse.peak_power_w / area_m2;
    assert!(
        (intensity / expected - 1.0).abs() < 1e-3,
        "{intensity:e} {expected:e}"
    );
}

#[test]
fn the_beam_lies_on_the_axis_and_is_as_wide_as_its_waist() {
    let case = changed(&[("columns", json!(32))]).unwrap();
    let columns = case.plane.columns();
    let mut row: Vec<Complex64> = case.launch[..columns].to_vec();
    inverse(&mut row);
    let peak = row[columns / 2].norm();
    for (x, value) in case.plane.positions_m().into_iter().zip(&row) {
        let expected = (-(x / 50e-6).powi(2)).exp();
        assert!((value.norm() / peak - expected).abs() < 1e-12, "{x:e}");
    }
}

#[test]
fn the_grid_of_the_tracked_case_is_the_published_one() {
    let parameters = {
        let mut map = map();
        map.insert("columns".to_owned(), json!(384));
        map.insert("half_width_m".to_owned(), json!(200e-6));
        map.insert("wavelength_limits_m".to_owned(), json!([400e-9, 2e-6]));
        map.insert("window_s".to_owned(), json!(200e-15));
        Parameters::read(&map).unwrap()
    };
    let grid = grid(&parameters).unwrap();
    assert_eq!((grid.bins(), grid.fine_points()), (257, 1024));
    assert_eq!(valid_bins(&grid), 18..188);
    let size = Size::of(&parameters).unwrap();
    assert_eq!(size.state_bytes, 170 * 384 * 384 * 16);
    assert_eq!(size.fine_bytes, 1024 * 384 * 384 * 16);
}

#[test]
fn the_kerr_coefficient_is_that_of_the_nonlinear_index() {
    let case = small();
    let chi3 = case.problem().kerr / VACUUM_PERMITTIVITY;
    let expected = 4.0 / 3.0 * VACUUM_PERMITTIVITY * SPEED_OF_LIGHT * case.index.powi(2) * 2.7e-20;
    assert!((chi3 / expected - 1.0).abs() < 1e-14);
    let rayleigh_m = case.rayleigh_m();
    assert!((rayleigh_m - 14.27e-3).abs() < 0.01e-3, "{rayleigh_m:e}");
}

#[test]
fn the_windows_act_in_full_as_often_whatever_the_steps_are() {
    for steps in [4, 8] {
        let case = changed(&[("fixed_steps", json!(steps))]).unwrap();
        let length_m = case.problem().windows.as_ref().unwrap().length_m;
        assert!((length_m / 0.5e-3 - 1.0).abs() < 1e-14);
    }
    let free = changed(&[("absorb", json!(false))]).unwrap();
    assert_eq!(free.problem().windows, None);
    let inner = |case: &Cartesian| case.problem().strength[case.problem().bins() / 2];
    assert!((inner(&free) / inner(&small()) - 1.0).abs() < 1e-14);
}

#[test]
fn what_makes_no_case_is_refused_by_name() {
    let pulse = |fwhm_s: f64, energy_j: f64| {
        let shape = "gauss";
        json!({"shape": shape, "fwhm_s": fwhm_s, "energy_j": energy_j})
    };
    let table: [(&str, Value, &str); 16] = [
        ("columns", json!(17), "`columns` is 17: give an even number"),
        ("columns", json!(8), "`columns` is 8"),
        ("columns", json!(4096), "`columns` is 4096"),
        ("columns", json!(-2), "`columns`"),
        ("waist_m", json!(170e-6), "less than `half_width_m`"),
        ("waist_m", json!(30e-6), "more columns"),
        ("waist_m", json!(0.0), "`waist_m`"),
        ("n2_m2_per_w", json!(-1e-20), "`n2_m2_per_w`"),
        ("material", json!("water"), "`material`"),
        ("window_s", json!(20e-15), "lengthen `window_s`"),
        ("pulse", pulse(0.0, 1e-7), "`pulse.fwhm_s`"),
        ("pulse", pulse(3e-14, -1.0), "`pulse.energy_j`"),
        ("fixed_steps", json!(0), "`fixed_steps`"),
        ("planes", json!(1), "`planes`"),
        ("wavelength_limits_m", json!([100e-9, 2e-6]), "silica"),
        ("colour", json!("red"), "`colour`"),
    ];
    for (key, value, named) in table {
        let error = changed(&[(key, value)]).unwrap_err().to_string();
        assert!(error.contains(named), "{key}: {error}");
        assert!(error.contains("interface `free`") && error.contains("registry file"));
    }
    let missing = changed(&[("columns", Value::Null)])
        .unwrap_err()
        .to_string();
    assert!(missing.contains("columns"), "{missing}");
    let noise = Cartesian::new(&Parameters::read(&map()).unwrap(), Noise::Input { seed: 1 });
    assert!(noise.unwrap_err().to_string().contains("`noise`"));
}
