//! Figures of made courses: what they show, and that what is drawn is sound.
#![allow(clippy::panic, clippy::unwrap_used, clippy::float_cmp)]

use roxmltree::{Document, Node};

use super::testing::{case, two_modes, within};
use super::*;
use crate::case::Case;
use crate::constants::angular_frequency;
use crate::fourier::Complex64;
use crate::grid::TimeGrid;
use crate::random::Generator;
use crate::steppers::Stepping;

fn words(title: &str) -> Words {
    Words {
        title: title.to_owned(),
        details: vec!["native".to_owned(), "rk".to_owned()],
    }
}

/// The figure of a case whose state is the launch up to the end, where it is `end`.
fn figure_of(case: &Case, end: &[Complex64]) -> Figure {
    let mut course = Course::new(case, case.length_m());
    course.see(0.0, case.launch());
    course.see(case.length_m(), end);
    course.figure(case.launch(), end, words("a case"))
}

/// The launch with every amplitude times `factor`.
fn scaled(case: &Case, factor: f64) -> Vec<Complex64> {
    case.launch().iter().map(|value| value * factor).collect()
}

/// The highest point of a curve.
fn top(figure: &Figure, part: Part) -> f64 {
    let curve = figure
        .spectrum
        .curves
        .iter()
        .find(|curve| curve.part == part);
    let points = curve.unwrap().pieces.iter().flatten();
    points
        .map(|point| point.1)
        .fold(f64::NEG_INFINITY, f64::max)
}

/// A state without any order: the longest figure that there is.
fn disorder(case: &Case) -> Vec<Complex64> {
    let mut random = Generator::from_seed(6);
    // About as bright as a launch.
    let mut uniform = || 1e4 * random.next_unit();
    case.launch()
        .iter()
        .map(|_| Complex64::new(uniform(), uniform()))
        .collect()
}

#[test]
fn the_axis_of_wavelength_is_that_of_the_case() {
    let ends = |case: &Case| {
        let figure = figure_of(case, &disorder(case));
        (figure.spectrum.x.low, figure.spectrum.x.high)
    };
    let (low, high) = ends(&case());
    assert!((low - 400.0).abs() < 1e-9 && (high - 2400.0).abs() < 1e-9);
    // Limits that are far apart are drawn over the logarithm.
    let (low, high) = ends(&two_modes());
    assert!((low - f64::log10(200.0)).abs() < 1e-12 && (high - f64::log10(4000.0)).abs() < 1e-12);
}

#[test]
fn light_that_would_be_a_line_within_the_limits_is_drawn_by_itself() {
    let narrow = within([450e-9, 30e-6]);
    let figure = figure_of(&narrow, narrow.launch());
    let axis = &figure.spectrum.x;
    assert!(axis.low > 450.0 && axis.low < 800.0, "{axis:?}");
    assert!(axis.high < 2000.0 && axis.high > 900.0, "{axis:?}");
    assert_eq!(*axis, figure.spectrum_map.x);
}

#[test]
fn light_beyond_the_limits_does_not_keep_the_rest_from_being_drawn_by_itself() {
    let narrow = within([450e-9, 30e-6]);
    let expected = figure_of(&narrow, narrow.launch());
    let Case::Gnlse(of) = &narrow else {
        panic!("it is no fibre");
    };
    // The bluest light that is evaluated, and a thousand times as bright as the launch.
    let grid = TimeGrid::Envelope(of.grid.clone());
    let omega = grid.frequencies();
    let valid = (0..omega.len()).filter(|bin| grid.is_valid(omega[*bin]));
    let bluest = valid.max_by(|a, b| omega[*a].total_cmp(&omega[*b]));
    let bluest = bluest.unwrap();
    assert!(omega[bluest] > angular_frequency(450e-9));
    let mut end = narrow.launch().to_vec();
    let sum: f64 = end.iter().map(|value| value.norm_sqr().sqrt()).sum();
    end[bluest] = Complex64::from(1e3 * sum);
    let figure = figure_of(&narrow, &end);
    assert_eq!(figure.spectrum.x, expected.spectrum.x);
    assert!(figure.spectrum.x.high < 2000.0, "{:?}", figure.spectrum.x);
}

#[test]
fn decibels_are_relative_to_the_highest_of_launch_and_exit() {
    let case = case();
    for (factor, launch_db, end_db) in [(0.1, 0.0, -20.0), (10.0, -20.0, 0.0)] {
        let figure = figure_of(&case, &scaled(&case, factor));
        let (launch, end) = (top(&figure, Part::Launch), top(&figure, Part::End));
        assert!((launch - launch_db).abs() < 1e-9, "{launch}");
        assert!((end - end_db).abs() < 1e-9, "{end}");
    }
}

#[test]
fn each_mode_has_its_curve_and_their_sum_lies_on_top() {
    let case = two_modes();
    let figure = figure_of(&case, &scaled(&case, 0.5));
    let parts: Vec<Part> = figure
        .spectrum
        .curves
        .iter()
        .map(|curve| curve.part)
        .collect();
    assert_eq!(
        parts,
        [Part::Launch, Part::Mode(0), Part::Mode(1), Part::End]
    );
    assert!(top(&figure, Part::Mode(0)) <= top(&figure, Part::End));
    assert!(figure.description().contains("all 2 modes together"));
    // A case with one mode has no other curves than launch and exit.
    let figure = figure_of(&super::testing::case(), &disorder(&super::testing::case()));
    assert_eq!(figure.spectrum.curves.len(), 2);
}

#[test]
fn a_row_of_a_map_is_the_nearest_state_and_the_first_is_at_the_bottom() {
    let case = case();
    let figure = figure_of(&case, &scaled(&case, 0.1));
    for map in [&figure.spectrum_map, &figure.pulse_map] {
        let brightest: Vec<u8> = map
            .heat
            .levels
            .chunks(COLUMNS)
            .map(|row| row.iter().copied().max().unwrap())
            .collect();
        assert_eq!(brightest.len(), ROWS);
        assert_eq!(brightest[ROWS / 2..], [255; ROWS / 2]);
        // 20 dB below, of 60 and of 40.
        let below = (255.0 * (1.0 + 20.0 / map.floor_db)).round() as u8;
        assert_eq!(brightest[..ROWS / 2], [below; ROWS / 2]);
    }
}

#[test]
fn what_is_empty_is_drawn_as_empty() {
    let case = case();
    let mut half = disorder(&case);
    let points = half.len();
    half[points / 4..].fill(Complex64::default());
    for end in [half, vec![Complex64::default(); points]] {
        let figure = figure_of(&case, &end);
        let curves = figure.spectrum.curves.iter().chain(&figure.pulse.curves);
        for (x, y) in curves.flat_map(|curve| curve.pieces.iter().flatten()) {
            assert!(x.is_finite() && y.is_finite());
        }
        check(&figure.to_svg().unwrap());
    }
    let nothing = vec![Complex64::default(); points];
    let mut course = Course::new(&case, 1.0);
    course.see(0.0, &nothing);
    let figure = course.figure(&nothing, &nothing, words("nothing"));
    check(&figure.to_svg().unwrap());
}

/// Whether an SVG is what we draw; its elements by name.
fn check(svg: &str) {
    let document = Document::parse(svg).unwrap();
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "svg");
    assert_eq!(
        root.tag_name().namespace(),
        Some("http://www.w3.org/2000/svg")
    );
    let named = |name: &'static str| {
        let nodes = document.descendants();
        nodes.filter(move |node: &Node<'_, '_>| node.has_tag_name(name))
    };
    // Two maps, and a scale beside each.
    assert_eq!(named("image").count(), 4);
    for image in named("image") {
        let address = image.attribute("href").unwrap();
        assert!(address.starts_with("data:image/png;base64,"));
    }
    let texts: Vec<&str> = named("text")
        .filter_map(|node| node.text())
        .map(str::trim)
        .collect();
    for text in [
        "wavelength (nm)",
        "energy per wavelength (dB)",
        "spectrum along the guide",
        "pulse at the exit",
        "launch",
        "dB",
    ] {
        assert!(texts.contains(&text), "{text}: {texts:?}");
    }
    for number in ["NaN", "inf"] {
        assert!(
            !svg.replace("base64", "\n")
                .lines()
                .any(|line| line.contains(&format!("\"{number}")))
        );
    }
    assert!(svg.ends_with("</svg>\n"));
}

#[test]
fn the_svg_is_valid_and_says_what_was_run() {
    let case = two_modes();
    let mut course = Course::new(&case, 0.2);
    course.see(0.0, case.launch());
    let title = "a <case> & \"more\"\u{7}";
    let figure = course.figure(case.launch(), case.launch(), words(title));
    let svg = figure.to_svg().unwrap();
    check(&svg);
    let document = Document::parse(&svg).unwrap();
    let titled = document
        .descendants()
        .find(|node| node.has_tag_name("title"));
    assert_eq!(titled.unwrap().text(), Some("a <case> & \"more\" "));
    assert!(svg.contains("native  ·  rk"));
}

#[test]
fn the_same_states_make_the_same_bytes_and_no_file_is_named() {
    let case = two_modes();
    let svg = || figure_of(&case, &disorder(&case)).to_svg().unwrap();
    let first = svg();
    assert_eq!(first, svg());
    for foreign in ["file:", env!("CARGO_MANIFEST_DIR")] {
        assert!(!first.contains(foreign));
    }
}

#[test]
fn a_figure_of_whatever_state_is_below_a_megabyte() {
    let case = case();
    let mut course = Course::new(&case, 1.0);
    let end = disorder(&case);
    for plane in 0..PLANES {
        let turned: Vec<Complex64> = end
            .iter()
            .cycle()
            .skip(plane * 7)
            .take(end.len())
            .copied()
            .collect();
        course.see(plane as f64 / (PLANES - 1) as f64, &turned);
    }
    let svg = course
        .figure(case.launch(), &end, words("disorder"))
        .to_svg()
        .unwrap();
    check(&svg);
    assert!(svg.len() < 1_000_000, "{}", svg.len());
}
