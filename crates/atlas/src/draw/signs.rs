//! Signs in hexes: towns, trenches, oil.

use std::fmt::Write;

use board::{Dir, Hex, Layer};
use geo::{Coord, coord};

use super::ground::{outline, stamp};
use super::shapes::path;
use super::style;
use super::view::View;

/// Draws the signs of all hexes.
pub(crate) fn draw(view: &View<'_>, out: &mut String) {
    for hex in view.map.hexes() {
        if let Some(sign) = style::built(view.terrain(hex)) {
            stamp(out, sign, view.centre(hex), view.unit);
        }
    }
    for (feature, sign, _) in style::SIGNS {
        for hex in view.map.hexes_with(feature).hexes() {
            place(view, sign, hex, out);
        }
    }
}

fn place(view: &View<'_>, sign: &str, hex: Hex, out: &mut String) {
    let centre = view.centre(hex);
    if sign.ends_with("trench") {
        let _ = write!(
            out,
            "<use href=\"#{sign}\" transform=\"translate({:.1} {:.1}) scale({}) rotate({:.0})\"/>",
            centre.x,
            centre.y,
            view.unit,
            facing(view, hex, sign)
        );
        return;
    }
    let shift = match sign {
        "port" => coord! { x: -0.31, y: 0.16 },
        "pillbox" => coord! { x: -0.3, y: -0.1 },
        "bastion" => coord! { x: 0.36, y: -0.12 },
        "depot" => coord! { x: -0.36, y: 0.0 },
        "beach" => coord! { x: 0.0, y: 0.33 },
        _ => coord! { x: 0.0, y: 0.0 },
    };
    stamp(out, sign, centre + shift * view.unit, view.unit);
}

/// The way a trench looks, in degrees clockwise from north: toward the enemy's trenches, else toward the east for a
/// German one and the west for a Soviet one.
fn facing(view: &View<'_>, hex: Hex, sign: &str) -> f64 {
    let enemy = if sign.starts_with("german") { "soviet_entrenchment" } else { "german_entrenchment" };
    let centre = view.centre(hex);
    let foes = view.map.hexes_with(enemy);
    let toward = Dir::ALL
        .into_iter()
        .filter_map(|dir| view.map.neighbour(hex, dir))
        .filter(|&next| foes.has(next))
        .map(|next| view.centre(next) - centre)
        .fold(coord! { x: 0.0, y: 0.0 }, |sum, way| sum + way);
    if toward.x.hypot(toward.y) > 0.1 * view.unit {
        return toward.x.atan2(-toward.y).to_degrees();
    }
    if sign.starts_with("german") { 90.0 } else { -90.0 }
}

/// Draws the areas that a player must see: zones with an outline and a name, supply edges with arrow heads.
pub(crate) fn zones(view: &View<'_>, out: &mut String) {
    for (name, layer) in view.map.areas() {
        if let Some(colour) = supply_colour(view, name, layer) {
            layer.hexes().for_each(|hex| arrow(view, hex, way_in(view, layer, hex), colour, out));
        } else if name == "out of play" {
            let _ = write!(out, "<path class=\"away\" d=\"{}\"/>", outline(view, |hex| layer.has(hex)));
        } else if style::ZONES.contains(&name) {
            let _ = write!(out, "<path class=\"zone\" d=\"{}\"/>", outline(view, |hex| layer.has(hex)));
        }
    }
}

/// Draws an arrow head at every hex of the edge by which a side enters.
pub(crate) fn entries(view: &View<'_>, out: &mut String) {
    for (feature, colour, _) in style::ENTRIES {
        let layer = view.map.hexes_with(feature);
        edge_of(view, layer).for_each(|hex| arrow(view, hex, way_in(view, layer, hex), colour, out));
    }
}

/// The hexes of a layer that lie on the edge of the map.
pub(crate) fn edge_of<'v>(view: &'v View<'_>, layer: &'v Layer) -> impl Iterator<Item = Hex> + 'v {
    layer.hexes().filter(|&hex| view.map.neighbours(hex).count() < 6)
}

/// The colour of the arrow heads of a supply area, if all of it lies on the edge of the map.
pub(crate) fn supply_colour(view: &View<'_>, name: &str, area: &Layer) -> Option<&'static str> {
    let name = name.to_lowercase();
    let on_edge = area.hexes().all(|hex| view.map.neighbours(hex).count() < 6);
    if !name.contains("supply") || !on_edge {
        return None;
    }
    Some(if name.contains("german") || name.contains("axis") { style::GERMAN } else { style::SOVIET })
}

/// The side of the sheet that a hex of an area lies on: at a corner the one that most of the area lies on.
fn way_in(view: &View<'_>, area: &Layer, hex: Hex) -> Coord {
    let centre = view.centre(hex);
    let sides = [
        (coord! { x: -1.0, y: 0.0 }, centre.x - view.low.x),
        (coord! { x: 1.0, y: 0.0 }, view.high.x - centre.x),
        (coord! { x: 0.0, y: -1.0 }, centre.y - view.low.y),
        (coord! { x: 0.0, y: 1.0 }, view.high.y - centre.y),
    ];
    let along = |way: Coord| {
        area.hexes()
            .filter(|&other| {
                ((view.centre(other) - centre) * way.x.abs()).x.abs() < view.unit
                    && ((view.centre(other) - centre) * way.y.abs()).y.abs() < view.unit
            })
            .count()
    };
    let near = sides.into_iter().filter(|(_, gap)| *gap < 1.1 * view.unit);
    near.max_by_key(|(way, _)| along(*way)).map_or(coord! { x: 0.0, y: 1.0 }, |(way, _)| way)
}

/// An arrow head outside the map that points into a hex of its edge.
fn arrow(view: &View<'_>, hex: Hex, way: Coord, colour: &str, out: &mut String) {
    let centre = view.centre(hex);
    let edge = coord! {
        x: if way.x < 0.0 { view.low.x } else if way.x > 0.0 { view.high.x } else { centre.x },
        y: if way.y < 0.0 { view.low.y } else if way.y > 0.0 { view.high.y } else { centre.y },
    };
    let across = coord! { x: -way.y, y: way.x } * (0.2 * view.unit);
    let (tip, base) = (edge + way * (0.12 * view.unit), edge + way * (0.42 * view.unit));
    let points = [tip, base + across, base - across];
    let _ = write!(out, "<path fill=\"{colour}\" d=\"{}\"/>", path(&points, true));
}
