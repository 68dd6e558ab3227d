//! A run as a figure: its final spectrum and pulse, and how they came about along the guide.
//! Of a beam in free space the fluence across it is drawn instead of the pulse.
//!
//! A [`Course`] looks at states on their way and makes a [`Figure`] of them: plain data, which is
//! drawn as one SVG. The same states make the same bytes. Nothing here is near a timed region.

mod axis;
mod beam;
mod course;
mod draw;
mod heat;
mod lens;
mod resample;
mod units;

pub use axis::{Axis, Tick};
pub use course::Course;
pub use heat::HeatMap;

use crate::steppers::{Integration, planes_m};

/// States that are asked for along the guide: as many as a map has rows.
pub const PLANES: usize = ROWS + 1;

/// Rows of a map.
const ROWS: usize = 200;

/// Columns of a map.
const COLUMNS: usize = 400;

/// Lowest level of spectra, dB.
const SPECTRUM_FLOOR_DB: f64 = -60.0;

/// Lowest level of the power along the guide, dB.
const PULSE_FLOOR_DB: f64 = -40.0;

/// The planes at which states are to be seen, m; steps do not depend on them.
pub fn planes_of(integration: &Integration) -> Vec<f64> {
    planes_m(integration.length_m, PLANES, integration.length_m)
}

/// A length with its unit: `15 cm`.
pub fn length(length_m: f64) -> String {
    units::shown(length_m, units::of_length(length_m))
}

/// What is said about a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Words {
    /// What was run: case and size.
    pub title: String,
    /// How it was run, in a few words each.
    pub details: Vec<String>,
}

/// A run, ready to be drawn: two panels for its end, and below each how it came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    words: Words,
    spectrum: Lines,
    spectrum_map: Map,
    profile: Profile,
    /// The profile at the exit, and its course.
    pulse: Lines,
    pulse_map: Map,
}

/// What is drawn beside the spectrum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Profile {
    /// Power over time.
    Pulse,
    /// Fluence across a beam.
    Beam,
}

impl Profile {
    fn name(self) -> &'static str {
        match self {
            Profile::Pulse => "pulse",
            Profile::Beam => "beam",
        }
    }

    fn quantity(self) -> &'static str {
        match self {
            Profile::Pulse => "power",
            Profile::Beam => "fluence",
        }
    }
}

impl Figure {
    /// The figure as an SVG: one element, with a line feed at its end.
    ///
    /// # Errors
    /// What could not be drawn.
    pub fn to_svg(&self) -> Result<String, String> {
        draw::svg(self)
    }

    /// What the figure shows, in a sentence.
    pub fn description(&self) -> String {
        let modes = self.spectrum.curves.iter();
        let modes = modes
            .filter(|curve| matches!(curve.part, Part::Mode(_)))
            .count();
        let of_modes = match modes {
            0 => String::new(),
            count => format!(", all {count} modes together and each of them"),
        };
        format!(
            "energy per wavelength at the exit and at launch{of_modes}, over {} dB; its course \
             along the guide; {} at the exit and at launch; its course, over {} dB",
            -SPECTRUM_FLOOR_DB,
            self.profile.quantity(),
            -PULSE_FLOOR_DB
        )
    }
}

/// Curves over one axis.
#[derive(Clone, Debug, PartialEq)]
struct Lines {
    x: Axis,
    y: Axis,
    /// What is drawn first lies below.
    curves: Vec<Curve>,
}

/// One curve.
#[derive(Clone, Debug, PartialEq)]
struct Curve {
    part: Part,
    /// In the units of both axes; there is nothing between one piece and the next.
    pieces: Vec<Vec<(f64, f64)>>,
}

/// What a curve is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// The state at the entrance.
    Launch,
    /// That at the exit, all modes together.
    End,
    /// One mode of it, by its index.
    Mode(usize),
}

/// A heat map over two axes.
#[derive(Clone, Debug, PartialEq)]
struct Map {
    x: Axis,
    y: Axis,
    heat: HeatMap,
    /// Its lowest level, dB; the highest is 0.
    floor_db: f64,
}

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
