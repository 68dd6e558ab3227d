//! What is seen of a run on its way: enough of each state to draw it, and no more.

use super::axis::Axis;
use super::beam::Beam;
use super::heat::HeatMap;
use super::lens::Lens;
use super::resample::{above, cells, decibels, highest, outline};
use super::units::{self, Unit};
use super::{
    COLUMNS, Curve, Figure, Lines, Map, PULSE_FLOOR_DB, Part, Profile, ROWS, SPECTRUM_FLOOR_DB,
    Words,
};
use crate::case::Case;
use crate::fourier::Complex64;

/// Samples of the power, and as many of the spectrum, that are kept of a state: the highest of as
/// many as make one of these.
const SAMPLES_MAX: usize = 8192;

/// Limits of wavelength that are farther apart than this are drawn over its logarithm: what is
/// generated in the ultraviolet would be a line at the edge.
const LINEAR_RATIO_MAX: f64 = 8.0;

/// Light that fills no more of the limits than this would be a line: it is drawn by itself.
const LINE: f64 = 0.1;

/// Nanometres in a metre.
const NM: f64 = 1e9;

/// The pulse is drawn over the times at which its power is somewhere at least this part of the
/// highest.
const SHOWN_PART: f64 = 1e-3;

/// What is added to these times on both sides, as a part of them.
const MARGIN: f64 = 0.1;

/// Most modes of which each is drawn: more could not be told apart.
const MODES_MAX: usize = 6;

/// Cells of a curve: more than there are points of a screen across it.
const CURVE_CELLS: usize = 1000;

/// One state on the way.
struct Seen {
    z_m: f64,
    /// Energy per wavelength, at the wavelengths of the course.
    spectrum: Vec<f64>,
    /// Power at the times of the course, or fluence at the places of the beam.
    profile: Vec<f64>,
}

/// A run as it is seen.
pub struct Course {
    lens: Lens,
    beam: Option<Beam>,
    length_m: f64,
    seen: Vec<Seen>,
}

impl Course {
    /// A course of which nothing has been seen.
    pub fn new(case: &Case, length_m: f64) -> Self {
        Course {
            lens: Lens::of(case),
            beam: Beam::of(case),
            length_m,
            seen: Vec::new(),
        }
    }

    /// Whether what is to be seen is a beam: then [`Course::see_beam`] is to look at it.
    pub fn is_of_beam(&self) -> bool {
        self.beam.is_some()
    }

    /// Looks at the state at `z_m`, which is beyond those seen before.
    pub fn see(&mut self, z_m: f64, state: &[Complex64]) {
        let profile = pooled(&self.lens.power(state), |values| highest(values));
        self.push(z_m, state, profile);
    }

    /// The same of a beam, with its fluence in V² s/m² at all nodes.
    pub fn see_beam(&mut self, z_m: f64, state: &[Complex64], nodes: &[f64]) {
        let beam = self.beam.as_ref();
        let profile = beam.map(|beam| beam.fluence(nodes)).unwrap_or_default();
        self.push(z_m, state, pooled(&profile, |values| highest(values)));
    }

    fn push(&mut self, z_m: f64, state: &[Complex64], profile: Vec<f64>) {
        self.seen.push(Seen {
            z_m,
            spectrum: pooled(&self.lens.spectrum(state), |values| highest(values)),
            profile,
        });
    }

    /// The figure of the whole run, from its launch to its end.
    pub fn figure(&self, launch: &[Complex64], end: &[Complex64], words: Words) -> Figure {
        let wavelength = self.wavelength();
        let across = self.across();
        let z = units::of_length(self.length_m);
        let title = format!("distance ({})", z.name);
        let distance = Axis::linear(title, 0.0, self.length_m * z.per_si);
        let spectra = self.rows(|seen| wavelength.cells(&seen.spectrum));
        let profiles = self.rows(|seen| across.cells(&seen.profile));
        Figure {
            words,
            spectrum: self.spectrum(launch, end, &wavelength),
            spectrum_map: Map {
                x: wavelength.axis,
                y: distance.clone(),
                heat: map(&spectra, SPECTRUM_FLOOR_DB),
                floor_db: SPECTRUM_FLOOR_DB,
            },
            profile: match self.beam {
                None => Profile::Pulse,
                Some(_) => Profile::Beam,
            },
            pulse: match self.beam {
                None => self.pulse(launch, end, &across),
                Some(_) => self.beam(&across),
            },
            pulse_map: Map {
                x: across.axis,
                y: distance,
                heat: map(&profiles, PULSE_FLOOR_DB),
                floor_db: PULSE_FLOOR_DB,
            },
        }
    }

    /// What is drawn in each row of a map, the first at the entrance: of the states that were seen
    /// the nearest, for between them nothing is known.
    fn rows<T>(&self, of: impl Fn(&Seen) -> T) -> Vec<T> {
        let middle = |row: usize| (row as f64 + 0.5) / ROWS as f64 * self.length_m;
        let nearest = |z_m: f64| {
            let distance = |seen: &Seen| (seen.z_m - z_m).abs();
            let closer = |a: &&Seen, b: &&Seen| distance(a).total_cmp(&distance(b));
            self.seen.iter().min_by(closer)
        };
        (0..ROWS)
            .filter_map(|row| nearest(middle(row)).map(&of))
            .collect()
    }

    fn spectrum(&self, launch: &[Complex64], end: &[Complex64], span: &Span) -> Lines {
        let wavelengths = self.lens.wavelengths_m();
        let places: Vec<f64> = wavelengths.into_iter().map(|m| span.place(m)).collect();
        let range = span.axis.range();
        let (launch, whole) = (self.lens.spectrum(launch), self.lens.spectrum(end));
        let within = |spectrum: &[f64]| highest(&cells(&places, spectrum, range, COLUMNS));
        let reference = within(&launch).max(within(&whole));
        let curve = |part: Part, spectrum: &[f64]| {
            let levels = decibels(spectrum, reference, SPECTRUM_FLOOR_DB);
            let points = outline(&places, &levels, range, CURVE_CELLS);
            Curve {
                part,
                pieces: above(&points, SPECTRUM_FLOOR_DB),
            }
        };
        let mut curves = vec![curve(Part::Launch, &launch)];
        let modes: Vec<&[Complex64]> = self.lens.modes(end).collect();
        if (2..=MODES_MAX).contains(&modes.len()) {
            let of_mode = |(index, mode): (usize, &&[Complex64])| {
                curve(Part::Mode(index), &self.lens.spectrum_of_mode(mode))
            };
            curves.extend(modes.iter().enumerate().map(of_mode));
        }
        curves.push(curve(Part::End, &whole));
        Lines {
            x: span.axis.clone(),
            y: Axis::linear("energy per wavelength (dB)", SPECTRUM_FLOOR_DB, 3.0),
            curves,
        }
    }

    fn pulse(&self, launch: &[Complex64], end: &[Complex64], time: &Span) -> Lines {
        let powers = [launch, end].map(|state| self.lens.power(state));
        let top_w = highest(powers.iter().flatten());
        // What has no power at all is drawn as such.
        let top_w = if top_w > 0.0 { top_w } else { 1.0 };
        let [launch, end] = &powers;
        let times_s = self.lens.times_s();
        profiles(
            time,
            &times_s,
            [launch, end],
            (units::of_power(top_w), top_w),
        )
    }

    /// The beam at the first and at the last place where it was seen.
    fn beam(&self, across: &Span) -> Lines {
        let places_m = self.kept_places();
        let of = |seen: Option<&Seen>| seen.map_or_else(Vec::new, |seen| seen.profile.clone());
        let (launch, end) = (of(self.seen.first()), of(self.seen.last()));
        let top = highest(launch.iter().chain(&end));
        // What has no light at all is drawn as such.
        let top = if top > 0.0 { top } else { 1.0 };
        profiles(
            across,
            &places_m,
            [&launch, &end],
            (units::of_fluence(top), top),
        )
    }

    /// Where what is kept of a profile is: seconds, or metres of a beam.
    fn kept_places(&self) -> Vec<f64> {
        match &self.beam {
            None => pooled(&self.lens.times_s(), mean),
            Some(beam) => pooled(&beam.places_m, mean),
        }
    }

    /// The wavelengths that are drawn: those of the case, or those of the light.
    fn wavelength(&self) -> Span {
        let kept_m = pooled(&self.lens.wavelengths_m(), mean);
        let limits_m = self.lens.limits_m();
        let level = 10_f64.powf(SPECTRUM_FLOOR_DB / 10.0);
        let light_m = self.bright(&kept_m, limits_m, level, |seen| &seen.spectrum);
        let [short, long] = drawn(limits_m, light_m).map(|limit| limit * NM);
        let title = "wavelength (nm)";
        let scale = match long / short > LINEAR_RATIO_MAX {
            true => Scale::Logarithmic,
            false => Scale::Linear,
        };
        let axis = match scale {
            Scale::Logarithmic => Axis::logarithmic(title, short, long),
            Scale::Linear => Axis::linear(title, short, long),
        };
        Span::new(axis, scale, NM, &kept_m)
    }

    /// The times or places that are drawn: those of the light.
    fn across(&self) -> Span {
        let kept = self.kept_places();
        let ends = [kept.first(), kept.last()].map(|end| end.copied().unwrap_or(0.0));
        let bright = self.bright(&kept, ends, SHOWN_PART, |seen| &seen.profile);
        let [first, last] = bright.unwrap_or(ends);
        // Of a single sample the margin is a part of all of them.
        let margin = match last > first {
            true => MARGIN * (last - first),
            false => MARGIN * (ends[1] - ends[0]),
        };
        let (low, high) = ((first - margin).max(ends[0]), (last + margin).min(ends[1]));
        let (name, unit) = match &self.beam {
            None => ("time", units::of_time(high - low)),
            Some(beam) => (beam.name, units::of_length(high)),
        };
        let title = format!("{name} ({})", unit.name);
        let axis = Axis::linear(title, low * unit.per_si, high * unit.per_si);
        Span::new(axis, Scale::Linear, unit.per_si, &kept)
    }

    /// The first and the last of the `places` within limits at which any state has at least this
    /// part of the highest value there; none where there is no light. What lies beyond is not
    /// drawn, and must not decide how the rest is.
    fn bright(
        &self,
        places: &[f64],
        [low, high]: [f64; 2],
        part: f64,
        of: impl Fn(&Seen) -> &Vec<f64>,
    ) -> Option<[f64; 2]> {
        let top = |index: usize| highest(self.seen.iter().filter_map(|seen| of(seen).get(index)));
        let tops: Vec<(f64, f64)> = places
            .iter()
            .enumerate()
            .filter(|(_, place)| (low..=high).contains(*place))
            .map(|(index, place)| (*place, top(index)))
            .collect();
        let least = part * highest(tops.iter().map(|(_, top)| top));
        let is_bright = |(_, top): &&(f64, f64)| *top >= least && *top > 0.0;
        let (first, _) = tops.iter().find(is_bright)?;
        let (last, _) = tops.iter().rfind(is_bright)?;
        Some([*first, *last])
    }
}

/// Launch and end at the same places, which are in SI units, over a linear scale up to `top`.
fn profiles(
    span: &Span,
    places: &[f64],
    [launch, end]: [&[f64]; 2],
    (unit, top): (Unit, f64),
) -> Lines {
    let places: Vec<f64> = places.iter().map(|value| span.place(*value)).collect();
    let range = span.axis.range();
    let curve = |part: Part, values: &[f64]| {
        let values: Vec<f64> = values.iter().map(|value| value * unit.per_si).collect();
        Curve {
            part,
            pieces: vec![outline(&places, &values, range, CURVE_CELLS)],
        }
    };
    let quantity = match unit.name.ends_with('W') {
        true => "power",
        false => "fluence",
    };
    Lines {
        x: span.axis.clone(),
        y: Axis::linear(
            format!("{quantity} ({})", unit.name),
            0.0,
            1.05 * top * unit.per_si,
        ),
        curves: vec![curve(Part::Launch, launch), curve(Part::End, end)],
    }
}

/// The limits of wavelength that are drawn: those of the case, unless the light would be a line in
/// them.
fn drawn(limits_m: [f64; 2], light_m: Option<[f64; 2]>) -> [f64; 2] {
    let Some([first, last]) = light_m else {
        return limits_m;
    };
    let width = |[short, long]: [f64; 2]| (long / short).ln();
    if first >= last || width([first, last]) > LINE * width(limits_m) {
        return limits_m;
    }
    let room = last - first;
    [
        (first - room).max(limits_m[0]),
        (last + room).min(limits_m[1]),
    ]
}

/// How values lie along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    Linear,
    Logarithmic,
}

/// An axis, and where what is kept of the states lies on it.
struct Span {
    axis: Axis,
    scale: Scale,
    /// Units of the axis in an SI unit.
    per_si: f64,
    places: Vec<f64>,
}

impl Span {
    fn new(axis: Axis, scale: Scale, per_si: f64, kept: &[f64]) -> Self {
        let mut span = Span {
            axis,
            scale,
            per_si,
            places: Vec::new(),
        };
        span.places = kept.iter().map(|value| span.place(*value)).collect();
        span
    }

    /// Where a value in SI units is.
    fn place(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => value * self.per_si,
            Scale::Logarithmic => (value * self.per_si).log10(),
        }
    }

    /// What is kept of a state, as cells of a map.
    fn cells(&self, values: &[f64]) -> Vec<f64> {
        cells(&self.places, values, self.axis.range(), COLUMNS)
    }
}

/// At most [`SAMPLES_MAX`] numbers, each of equally many neighbours.
fn pooled(values: &[f64], of: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let together = values.len().div_ceil(SAMPLES_MAX).max(1);
    values.chunks(together).map(of).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Rows in decibels of the highest of all.
fn map(rows: &[Vec<f64>], floor_db: f64) -> HeatMap {
    let reference = highest(rows.iter().flatten());
    let rows: Vec<Vec<f64>> = rows
        .iter()
        .map(|row| decibels(row, reference, floor_db))
        .collect();
    HeatMap::of_decibels(&rows, floor_db)
}
