//! The SVG of a figure.
//!
//! `plotters` draws axes, labels and curves. It knows whole units only, so the canvas has two of
//! them for a point of the screen. The pictures of the maps lie beneath what it draws, for it would
//! write them cell by cell. Texts name a family of fonts and none of this machine.

use std::fmt::{Display, Write};

use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{PathElement, Rectangle, Text};
use plotters::prelude::SVGBackend;
use plotters::series::LineSeries;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color, FontTransform, IntoFont, RGBColor, ShapeStyle, TRANSPARENT, TextStyle,
};

use super::axis::Axis;
use super::heat::HeatMap;
use super::{Figure, Lines, Map, Part};

/// Units of the canvas for a point of the screen.
const UNITS: u32 = 2;

/// Width and height of the canvas.
const WIDTH: u32 = 2000;
const HEIGHT: u32 = 1520;

/// Height of the words above the panels.
const HEAD: i32 = 150;

/// Beside and below a panel: its labels.
const LEFT: i32 = 140;
const BELOW: i32 = 100;

/// To the right of a panel: names of curves, or the scale of colours.
const RIGHT: i32 = 170;

/// Above a panel: its name.
const ABOVE: i32 = 50;

/// Width of a scale of colours, and how far it is from its map.
const SCALE: i32 = 24;
const GAP: i32 = 24;

/// Sizes of texts.
const TITLE: i32 = 40;
const WORDS: i32 = 27;
const SMALL: i32 = 24;

const INK: RGBColor = RGBColor(38, 38, 38);
const FAINT: RGBColor = RGBColor(225, 225, 225);
const LAUNCH: RGBColor = RGBColor(190, 190, 190);
const END: RGBColor = RGBColor(22, 68, 120);

/// Colours of modes: told apart by the colour blind (Paul Tol's bright scheme).
const MODES: [RGBColor; 6] = [
    RGBColor(204, 102, 119),
    RGBColor(34, 136, 51),
    RGBColor(204, 187, 68),
    RGBColor(102, 204, 238),
    RGBColor(170, 51, 119),
    RGBColor(136, 136, 136),
];

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

type Coordinates<'a> = Cartesian2d<Marked<'a>, Marked<'a>>;

/// An axis as a coordinate of plotters, with marks where the axis has ticks.
struct Marked<'a>(&'a Axis);

/// A place on the canvas.
#[derive(Clone, Copy, Debug)]
struct Frame {
    left: i32,
    top: i32,
    width: i32,
    height: i32,
}

/// The figure as an SVG element.
pub fn svg(figure: &Figure) -> Result<String, String> {
    let mut drawn = String::new();
    let pictures = draw(figure, &mut drawn)?;
    // What plotters begins with has neither names nor a background.
    let (_, body) = drawn
        .split_once('>')
        .ok_or("failed to draw: nothing was drawn")?;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" \
         viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\n<title>{}</title>\n<desc>{}</desc>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n",
        WIDTH / UNITS,
        HEIGHT / UNITS,
        escaped(&figure.words.title),
        escaped(&figure.description()),
    );
    for (frame, heat) in pictures {
        let Frame {
            left,
            top,
            width,
            height,
        } = frame;
        let picture = heat.to_data_uri()?;
        // Writing to a text does not fail.
        let _ = writeln!(
            svg,
            "<image x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" \
             preserveAspectRatio=\"none\" href=\"{picture}\"/>"
        );
    }
    svg.push_str(body.trim_start());
    Ok(svg)
}

/// Draws all but the pictures, which are returned with their places.
fn draw(figure: &Figure, into: &mut String) -> Result<Vec<(Frame, HeatMap)>, String> {
    let area = SVGBackend::with_string(into, (WIDTH, HEIGHT)).into_drawing_area();
    let words = &figure.words;
    write(&area, &words.title, (LEFT, 52), TITLE, HPos::Left)?;
    let details = words.details.join("  ·  ");
    write(&area, &details, (LEFT, 106), WORDS, HPos::Left)?;
    let panels = area.margin(HEAD, 0, 0, 0).split_evenly((2, 2));
    let [spectrum, pulse, spectrum_map, pulse_map] = panels.as_slice() else {
        return Err("failed to draw: the canvas has not four panels".to_owned());
    };
    curves((&area, spectrum), "spectrum at the exit", &figure.spectrum)?;
    let profile = figure.profile.name();
    let [exit, along_guide] =
        [" at the exit", " along the guide"].map(|of| format!("{profile}{of}"));
    curves((&area, pulse), &exit, &figure.pulse)?;
    let (name, along) = ("spectrum along the guide", &figure.spectrum_map);
    let mut pictures = map((&area, spectrum_map), name, along)?;
    pictures.extend(map((&area, pulse_map), &along_guide, &figure.pulse_map)?);
    area.present().map_err(undrawn)?;
    Ok(pictures)
}

/// A panel of the canvas with curves, and their names beside it.
fn curves(
    (canvas, panel): (&Area<'_>, &Area<'_>),
    name: &str,
    lines: &Lines,
) -> Result<(), String> {
    let axes = (&lines.x, &lines.y);
    let mut chart = chart(panel, axes, FAINT.into())?;
    for curve in &lines.curves {
        for piece in &curve.pieces {
            let series = LineSeries::new(piece.iter().copied(), style_of(curve.part));
            chart.draw_series(series).map_err(undrawn)?;
        }
    }
    let frame = frame_of(&chart);
    titles(canvas, name, axes, frame)?;
    let x = frame.left + frame.width + GAP;
    for (row, curve) in (0..).zip(lines.curves.iter().rev()) {
        let y = frame.top + 14 + row * 36;
        let line = PathElement::new(vec![(x, y), (x + 34, y)], style_of(curve.part));
        canvas.draw(&line).map_err(undrawn)?;
        write(
            canvas,
            &curve.part.to_string(),
            (x + 46, y),
            SMALL,
            HPos::Left,
        )?;
    }
    Ok(())
}

/// A panel of the canvas with a map, and its scale of colours beside it; the pictures of both.
fn map(
    (canvas, panel): (&Area<'_>, &Area<'_>),
    name: &str,
    map: &Map,
) -> Result<Vec<(Frame, HeatMap)>, String> {
    let axes = (&map.x, &map.y);
    let frame = frame_of(&chart(panel, axes, TRANSPARENT.into())?);
    titles(canvas, name, axes, frame)?;
    let scale = Frame {
        left: frame.left + frame.width + GAP,
        width: SCALE,
        ..frame
    };
    let Frame {
        left,
        top,
        width,
        height,
    } = scale;
    let (right, bottom) = (left + width, top + height);
    let border = Rectangle::new([(left, top), (right, bottom)], INK);
    canvas.draw(&border).map_err(undrawn)?;
    let levels = Axis::linear("dB", map.floor_db, 0.0);
    for tick in &levels.ticks {
        let below_top = tick.at / map.floor_db * f64::from(height);
        // Within the canvas.
        let y = top + below_top.round() as i32;
        let mark = PathElement::new(vec![(right, y), (right + 8, y)], INK);
        canvas.draw(&mark).map_err(undrawn)?;
        write(canvas, &tick.label, (right + 14, y), SMALL, HPos::Left)?;
    }
    write(canvas, "dB", (left, top - ABOVE / 2), SMALL, HPos::Left)?;
    Ok(vec![(frame, map.heat.clone()), (scale, HeatMap::scale())])
}

/// A panel with axes, marks and labels, and lines of this colour behind what is drawn.
fn chart<'a, 'b>(
    area: &'a Area<'b>,
    (x, y): (&'a Axis, &'a Axis),
    mesh: ShapeStyle,
) -> Result<ChartContext<'a, SVGBackend<'b>, Coordinates<'a>>, String> {
    let mut chart = ChartBuilder::on(area)
        .margin_top(ABOVE)
        .margin_right(RIGHT)
        .x_label_area_size(BELOW)
        .y_label_area_size(LEFT)
        .build_cartesian_2d(Marked(x), Marked(y))
        .map_err(undrawn)?;
    chart
        .configure_mesh()
        .axis_style(INK)
        .bold_line_style(mesh)
        .light_line_style(TRANSPARENT)
        .set_all_tick_mark_size(8)
        .label_style(font(SMALL))
        .draw()
        .map_err(undrawn)?;
    Ok(chart)
}

/// Where a chart draws, as a place of the canvas.
fn frame_of(chart: &ChartContext<'_, SVGBackend<'_>, Coordinates<'_>>) -> Frame {
    let (x, y) = chart.plotting_area().get_pixel_range();
    Frame {
        left: x.start,
        top: y.start,
        width: x.end - x.start,
        height: y.end - y.start,
    }
}

/// The name of a panel above it, and the titles of its axes beside them.
fn titles(
    canvas: &Area<'_>,
    name: &str,
    (x, y): (&Axis, &Axis),
    frame: Frame,
) -> Result<(), String> {
    let Frame {
        left,
        top,
        width,
        height,
    } = frame;
    write(canvas, name, (left, top - ABOVE / 2), WORDS, HPos::Left)?;
    let below = (left + width / 2, top + height + BELOW - 28);
    write(canvas, &x.title, below, WORDS, HPos::Center)?;
    let upwards = font(WORDS)
        .transform(FontTransform::Rotate270)
        .pos(Pos::new(HPos::Center, VPos::Center));
    let beside = (left - LEFT + 36, top + height / 2);
    let title = Text::new(y.title.clone(), beside, upwards);
    canvas.draw(&title).map_err(undrawn)
}

/// A text whose height is centred at its place.
fn write(
    area: &Area<'_>,
    text: &str,
    place: (i32, i32),
    size: i32,
    anchor: HPos,
) -> Result<(), String> {
    let style = font(size).pos(Pos::new(anchor, VPos::Center));
    area.draw(&Text::new(printable(text), place, style))
        .map_err(undrawn)
}

fn font(size: i32) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&INK)
}

fn style_of(part: Part) -> ShapeStyle {
    match part {
        // Wider, so that it is seen where the pulse comes out as it went in.
        Part::Launch => LAUNCH.stroke_width(7),
        Part::End => END.stroke_width(3),
        Part::Mode(index) => MODES[index % MODES.len()].stroke_width(2),
    }
}

impl Ranged for Marked<'_> {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (first, last): (i32, i32)) -> i32 {
        let part = (value - self.0.low) / (self.0.high - self.0.low);
        // What lies beyond an end is drawn at it, so this is within the canvas.
        let offset = part.clamp(0.0, 1.0) * f64::from(last - first);
        first + offset.round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.0.ticks.iter().map(|tick| tick.at).collect()
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.0.low..self.0.high
    }
}

impl ValueFormatter<f64> for Marked<'_> {
    fn format_ext(&self, at: &f64) -> String {
        self.0.label(*at)
    }
}

impl Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Part::Launch => f.write_str("launch"),
            Part::End => f.write_str("exit"),
            Part::Mode(index) => write!(f, "mode {}", index + 1),
        }
    }
}

fn undrawn(error: impl Display) -> String {
    format!("failed to draw: {error}")
}

/// A text without control characters, for which XML has no room.
fn printable(text: &str) -> String {
    let blank = |letter: char| if letter.is_control() { ' ' } else { letter };
    text.chars().map(blank).collect()
}

/// A text in XML.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in printable(text).chars() {
        match letter {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            other => escaped.push(other),
        }
    }
    escaped
}
