//! Plots as SVG, readable in print: sides differ in colour and in stroke.

use std::error::Error;
use std::ops::Range;

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use crate::stats::Estimate;

/// Field grey and red, both dark enough for paper.
const SIDES: [RGBColor; 2] = [RGBColor(62, 84, 77), RGBColor(176, 36, 36)];
const INK: RGBColor = RGBColor(40, 40, 40);
const PALE: RGBColor = RGBColor(214, 214, 214);
const FONT: &str = "sans-serif";

/// What a drawing step returns; nothing can go wrong when an SVG is written to a string.
type Drawn = Result<(), Box<dyn Error>>;
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Draws; a plot that cannot be drawn is left out.
fn svg(size: (u32, u32), draw: impl FnOnce(&Area<'_>) -> Drawn) -> String {
    let mut text = String::new();
    let drawn = {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        draw(&area).and_then(|()| Ok(area.present()?))
    };
    if drawn.is_ok() { text } else { String::new() }
}

/// Figures with their intervals, one a line, and a line to compare them with.
pub fn whiskers(rows: &[(String, Estimate)], range: Range<f64>, mark: f64, what: &str) -> String {
    const LINE: u32 = 24;
    const LABELS: u32 = 330;
    svg((860, 56 + LINE * rows.len() as u32), |area| {
        let mut chart = ChartBuilder::on(area)
            .margin_right(20)
            .margin_top(8)
            .x_label_area_size(44)
            .y_label_area_size(LABELS)
            .build_cartesian_2d(range.clone(), -(rows.len() as f64) + 0.5..0.5)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .x_labels(9)
            .x_label_formatter(&plain)
            .light_line_style(TRANSPARENT)
            .bold_line_style(PALE)
            .axis_style(INK)
            .label_style((FONT, 15))
            .x_desc(what)
            .draw()?;
        let bottom = -(rows.len() as f64) + 0.5;
        chart.draw_series([PathElement::new([(mark, 0.5), (mark, bottom)], INK)])?;
        for (place, (label, estimate)) in rows.iter().enumerate() {
            let y = -(place as f64);
            let within = |x: f64| x.clamp(range.start, range.end);
            let (low, high) = (within(estimate.low), within(estimate.high));
            chart.draw_series([PathElement::new([(low, y), (high, y)], SIDES[0].stroke_width(3))])?;
            chart.draw_series([Circle::new((within(estimate.value), y), 5, SIDES[0].filled())])?;
            let (_, pixel) = chart.backend_coord(&(range.start, y));
            area.draw(&Text::new(shortened(label, 50), (4, pixel - 8), (FONT, 16).into_font().color(&INK)))?;
        }
        Ok(())
    })
}

/// A label that fits its place.
fn shortened(label: &str, most: usize) -> String {
    if label.chars().count() <= most {
        return label.to_owned();
    }
    label.chars().take(most - 1).chain(['…']).collect()
}

/// How a figure runs by turns: mean and the range of most games.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The turns.
    pub turns: Vec<f64>,
    /// For each of them.
    pub points: Vec<Estimate>,
}

/// Curves of one or both sides.
pub fn curves(curves: &[Curve], what: &str) -> String {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let turns = || curves.iter().flat_map(|curve| &curve.turns).copied();
    let (first, last) = span(turns());
    let (low, high) = span(points().flat_map(|point| [point.low, point.high]));
    svg((310, 230), |area| {
        let mut chart = framed(area, (first..last, "turn"), (low..high, what), last - first + 1.0)?;
        for (side, curve) in curves.iter().enumerate() {
            let colour = SIDES[side % 2];
            let line = |value: fn(&Estimate) -> f64| {
                curve.turns.iter().copied().zip(curve.points.iter().map(value)).collect::<Vec<_>>()
            };
            let mut band = line(|point| point.high);
            band.extend(line(|point| point.low).into_iter().rev());
            chart.draw_series([Polygon::new(band, colour.mix(0.16))])?;
            let middle = line(|point| point.value);
            if side == 0 {
                chart.draw_series(LineSeries::new(middle, colour.stroke_width(2)))?;
            } else {
                chart.draw_series(DashedLineSeries::new(middle, 7, 4, colour.stroke_width(2)))?;
            }
        }
        Ok(())
    })
}

/// How often whole numbers came up, gathered into at most some twenty bars.
pub fn histogram(values: &[f64], what: &str) -> String {
    let (low, high) = span(values.iter().copied());
    let width = ((high - low) / 20.0).ceil().max(1.0);
    let bars = ((high - low) / width).floor() as usize + 1;
    let mut counts = vec![0.0f64; bars];
    for value in values {
        let place = ((value - low) / width).floor().max(0.0) as usize;
        counts[place.min(bars - 1)] += 100.0 / values.len().max(1) as f64;
    }
    let most = counts.iter().copied().fold(1.0, f64::max);
    let from = low - 0.5 * width;
    svg((310, 220), |area| {
        let range = from..from + width * bars as f64;
        let mut chart = framed(area, (range, what), (0.0..most * 1.05, "% of games"), bars as f64)?;
        chart.draw_series(counts.iter().enumerate().map(|(place, count)| {
            let left = from + width * place as f64;
            Rectangle::new([(left + 0.06 * width, 0.0), (left + 0.94 * width, *count)], SIDES[0].filled())
        }))?;
        if (from..from + width * bars as f64).contains(&0.0) {
            let even = DashedLineSeries::new([(0.0, 0.0), (0.0, most * 1.05)], 4, 4, INK.stroke_width(1));
            chart.draw_series(even)?;
        }
        Ok(())
    })
}

fn framed<'a, 'b>(
    area: &'a Area<'b>,
    (x, x_what): (Range<f64>, &str),
    (y, y_what): (Range<f64>, &str),
    ticks: f64,
) -> Result<Chart<'a, 'b>, Box<dyn Error>> {
    let mut chart = ChartBuilder::on(area)
        .margin(8)
        .margin_right(16)
        .x_label_area_size(42)
        .y_label_area_size(54)
        .build_cartesian_2d(x, y)?;
    chart
        .configure_mesh()
        // Turns and points are whole numbers: no marks between them.
        .x_labels(ticks.clamp(2.0, 6.0) as usize)
        .y_labels(5)
        .x_label_formatter(&plain)
        .y_label_formatter(&plain)
        .light_line_style(TRANSPARENT)
        .bold_line_style(PALE)
        .axis_style(INK)
        .label_style((FONT, 14))
        .x_desc(x_what)
        .y_desc(y_what)
        .draw()?;
    Ok(chart)
}

fn plain(value: &f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    // No minus before a zero.
    format!("{}", rounded + 0.0)
}

/// The least and the greatest value, never the same.
fn span(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) =
        values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    if low > high {
        (0.0, 1.0)
    } else if high - low < 1e-9 {
        (low - 0.5, high + 0.5)
    } else {
        (low, high)
    }
}
