//! Title, legend and scale.

use std::fmt::Write;

use geo::{Coord, coord};

use super::fonts::Font;
use super::ground::stamp;
use super::names::escaped;
use super::shapes::path;
use super::signs::{edge_of, supply_colour};
use super::style;
use super::view::View;

/// One line of the legend: how it is drawn, and what it means.
struct Entry {
    drawing: Drawing,
    title: &'static str,
}

enum Drawing {
    /// A patch of ground with its sign.
    Ground(&'static str, Option<(&'static str, usize)>),
    /// A sign alone.
    Sign(&'static str),
    /// An arrow head of a colour.
    Arrow(&'static str),
    /// Lines of these classes, one over the other.
    Lines(Vec<&'static str>),
}

/// How the panel is laid out: beside the title where the map is wide enough, else below it. In units.
struct Layout {
    legend: Coord,
    columns: usize,
    rows: usize,
    height: f64,
}

/// The width of a column and the height of a row of the legend.
const CELL: Coord = Coord { x: 4.6, y: 0.62 };

impl Layout {
    fn new(view: &View<'_>) -> Layout {
        let wide = (view.high.x - view.low.x) / view.unit;
        let legend = if wide < 13.0 {
            coord! { x: 0.5, y: 2.2 }
        } else {
            coord! { x: 7.6, y: 0.55 }
        };
        let columns = ((wide - legend.x - 0.2) / CELL.x).max(1.0) as usize;
        let rows = entries(view).len().div_ceil(columns).max(1);
        let scale = if wide < 13.0 { 1.0 } else { 0.0 };
        let height = (legend.y + rows as f64 * CELL.y + 0.35 + scale).max(3.0);
        Layout { legend, columns, rows, height }
    }
}

/// The height of the panel below the map, with the margin under it.
pub(crate) fn height(view: &View<'_>) -> f64 {
    (Layout::new(view).height + 0.8) * view.unit
}

/// Draws the panel, which begins at `top`.
pub(crate) fn draw(view: &View<'_>, top: f64, out: &mut String) {
    let u = view.unit;
    let layout = Layout::new(view);
    let corner = coord! { x: view.low.x, y: top };
    let _ = write!(
        out,
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"#f3ecd8\" stroke=\"#4c4433\" stroke-width=\"{:.1}\"/>",
        corner.x,
        corner.y,
        view.high.x - view.low.x,
        layout.height * u,
        0.04 * u
    );
    title(view, corner, out);
    scale(view, corner + coord! { x: 0.5, y: layout.height - 0.95 } * u, out);
    legend(view, &layout, corner, out);
}

fn title(view: &View<'_>, corner: Coord, out: &mut String) {
    let u = view.unit;
    let lines = broken(&view.map.title);
    let widest = lines.iter().map(|line| Font::Bold.width(line, 1.0)).fold(0.1, f64::max);
    let size = (6.6 * u / widest).min(0.72 * u);
    for (i, line) in lines.iter().enumerate() {
        let down = 0.95 * u + i as f64 * 1.05 * size;
        text(out, line, corner + coord! { x: 0.5 * u, y: down }, size, Font::Bold);
    }
}

/// A title in one line, or in two of about the same length.
fn broken(title: &str) -> Vec<String> {
    if title.chars().count() < 22 {
        return vec![title.to_owned()];
    }
    let gaps = title.match_indices(' ').map(|(at, _)| at);
    match gaps.min_by_key(|at| at.abs_diff(title.len() / 2)) {
        Some(at) => vec![title[..at].to_owned(), title[at + 1..].to_owned()],
        None => vec![title.to_owned()],
    }
}

fn text(out: &mut String, words: &str, at: Coord, size: f64, font: Font) {
    let _ = write!(
        out,
        "<text class=\"{}\" x=\"{:.1}\" y=\"{:.1}\" font-size=\"{size:.1}\">{}</text>",
        font.class(),
        at.x,
        at.y,
        escaped(words)
    );
}

/// A bar of a round number of kilometres, about five hexes long.
fn scale(view: &View<'_>, at: Coord, out: &mut String) {
    let Some(km) = view.map.km.filter(|km| *km > 0.0) else { return };
    let u = view.unit;
    let long = round_down(5.0 * km);
    let step = long / km * u / 4.0;
    for i in 0..4 {
        let fill = if i % 2 == 0 { "#2b2620" } else { "#f7f2e2" };
        let _ = write!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{step:.1}\" height=\"{:.1}\" fill=\"{fill}\" stroke=\"#2b2620\" stroke-width=\"{:.1}\"/>",
            at.x + f64::from(i) * step,
            at.y,
            0.14 * u,
            0.025 * u
        );
    }
    let words = format!("{} km; a hex is {} km across", number(long), number(km));
    text(out, &words, at + coord! { x: 0.0, y: 0.48 * u }, 0.28 * u, Font::Serif);
}

/// The largest of 1, 2, 5, 10, 20, 50 … that is not larger.
fn round_down(value: f64) -> f64 {
    let power = 10f64.powi(value.log10().floor() as i32);
    [5.0, 2.0, 1.0].into_iter().map(|step| step * power).find(|&step| step <= value).unwrap_or(power)
}

fn number(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.1}") }
}

/// What this map has that a reader may not know.
fn entries(view: &View<'_>) -> Vec<Entry> {
    let map = view.map;
    let mut entries = Vec::new();
    for (terrain, name) in map.terrains() {
        if !map.hexes().any(|hex| map.terrain(hex) == terrain) {
            continue;
        }
        let entry = match (name, style::terrain(name)) {
            ("sea", _) => Entry { drawing: Drawing::Ground("#b9d6e3", None), title: "Sea" },
            ("lake", _) => Entry { drawing: Drawing::Ground("#b7d5e3", None), title: "Lake" },
            (_, Some(paint)) => Entry {
                drawing: match style::built(name) {
                    Some(sign) => Drawing::Sign(sign),
                    None => Drawing::Ground(paint.ground.unwrap_or("#f3ecd8"), paint.sign),
                },
                title: paint.title,
            },
            (_, None) => continue,
        };
        entries.push(entry);
    }
    let signs = style::SIGNS.iter().filter(|(feature, _, _)| !map.hexes_with(feature).is_empty());
    entries.extend(signs.map(|(_, sign, title)| Entry { drawing: Drawing::Sign(sign), title }));
    if !map.hexes_with("partisan").is_empty() {
        entries.push(Entry { drawing: Drawing::Ground("url(#hatch)", None), title: "Partisan area" });
    }
    for kind in style::CURRENTS.iter().rev().filter(|kind| !map.sides_with(kind.feature).is_empty()) {
        entries.push(Entry { drawing: Drawing::Lines(vec![kind.class]), title: kind.title });
    }
    if !map.sides_with("lake").is_empty() || !map.sides_with("sea").is_empty() {
        entries.push(Entry { drawing: Drawing::Lines(vec!["strait"]), title: "All-water hexside" });
    }
    for feature in map.side_features() {
        if let Some(stroke) = style::side(feature) {
            entries.push(Entry { drawing: Drawing::Lines(vec![stroke.class]), title: stroke.title });
        }
    }
    for (feature, class, title) in style::WAYS {
        if !map.links_with(feature).is_empty() {
            entries.push(Entry { drawing: Drawing::Lines(style::strokes(class)), title });
        }
    }
    if style::ZONES.iter().any(|zone| map.area(zone).is_some()) {
        entries.push(Entry { drawing: Drawing::Lines(vec!["zone"]), title: "Area of operations" });
    }
    let arrows = |side: &str| {
        let mut areas = map.areas().filter(|(name, _)| name.to_lowercase().contains(side));
        areas.find_map(|(name, area)| supply_colour(view, name, area))
    };
    for (side, title) in [("german", "German supply"), ("axis", "Axis supply"), ("soviet", "Soviet supply")] {
        entries.extend(arrows(side).map(|colour| Entry { drawing: Drawing::Arrow(colour), title }));
    }
    let enters = |feature: &str| edge_of(view, map.hexes_with(feature)).next().is_some();
    let ways_in = style::ENTRIES.iter().filter(|(feature, _, _)| enters(feature));
    entries.extend(ways_in.map(|(_, colour, title)| Entry { drawing: Drawing::Arrow(colour), title }));
    entries
}

fn legend(view: &View<'_>, layout: &Layout, corner: Coord, out: &mut String) {
    let u = view.unit;
    for (i, entry) in entries(view).iter().enumerate().take(layout.rows * layout.columns) {
        let cell = coord! { x: (i / layout.rows) as f64 * CELL.x, y: (i % layout.rows) as f64 * CELL.y };
        let at = corner + (layout.legend + cell) * u;
        let middle = at + coord! { x: 0.4 * u, y: 0.25 * u };
        match &entry.drawing {
            Drawing::Ground(fill, sign) => patch(view, middle, fill, *sign, out),
            Drawing::Sign(sign) if sign.ends_with("trench") => {
                stamp(out, sign, middle + coord! { x: 0.0, y: 0.2 * u }, u * 0.85);
            }
            Drawing::Sign(sign) => stamp(out, sign, middle, u * 0.85),
            Drawing::Arrow(colour) => {
                let points = [(0.18, 0.0), (-0.14, -0.19), (-0.14, 0.19)];
                let points = points.map(|(x, y)| middle + coord! { x: x * u, y: y * u });
                let _ = write!(out, "<path fill=\"{colour}\" d=\"{}\"/>", path(&points, true));
            }
            Drawing::Lines(classes) => {
                for class in classes {
                    let _ = write!(
                        out,
                        "<path class=\"{class}\" d=\"M{:.1} {:.1}H{:.1}\"/>",
                        middle.x - 0.38 * u,
                        middle.y,
                        middle.x + 0.38 * u
                    );
                }
            }
        }
        text(out, entry.title, at + coord! { x: 1.0 * u, y: 0.35 * u }, 0.3 * u, Font::Serif);
    }
}

fn patch(view: &View<'_>, at: Coord, fill: &str, sign: Option<(&str, usize)>, out: &mut String) {
    let u = view.unit;
    let _ = write!(
        out,
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{:.1}\" fill=\"{fill}\" stroke=\"#6f654b\" stroke-width=\"{:.1}\"/>",
        at.x - 0.38 * u,
        at.y - 0.22 * u,
        0.76 * u,
        0.44 * u,
        0.08 * u,
        0.02 * u
    );
    for (x, y) in [(-0.22, -0.06), (-0.02, 0.08), (0.2, -0.04)] {
        if let Some((sign, _)) = sign {
            stamp(out, sign, at + coord! { x: x * u, y: y * u }, u);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_round() {
        assert_eq!(round_down(130.0), 100.0);
        assert_eq!(round_down(11.0), 10.0);
        assert_eq!(round_down(450.0), 200.0);
        assert_eq!(number(2.2), "2.2");
        assert_eq!(number(100.0), "100");
    }
}
