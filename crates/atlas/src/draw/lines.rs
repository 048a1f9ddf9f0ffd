//! Rivers, borders, roads and railways.

use std::fmt::Write;

use board::{Corner, Hex, Hexside, Orientation};
use geo::Coord;

use super::shapes::{lens, path, paths, ribbon, rounded_line};
use super::style;
use super::view::View;

/// A river as it is drawn: its name and its line, from the spring to the mouth.
pub(crate) struct Course {
    pub(crate) name: String,
    pub(crate) line: Vec<Coord>,
    /// Hexsides long.
    pub(crate) length: usize,
    kind: &'static style::Current,
}

/// The courses of all rivers and streams.
pub(crate) fn courses(view: &View<'_>) -> Vec<Course> {
    let parts = style::CURRENTS
        .iter()
        .flat_map(|kind| view.map.sides_with(kind.feature).parts().iter().map(move |part| (part, kind)));
    parts
        .flat_map(|(part, kind)| {
            let paths = paths(view.grid(), &part.items);
            paths.into_iter().map(move |corners| course(view, &part.name, corners, kind))
        })
        .collect()
}

fn course(view: &View<'_>, name: &str, mut corners: Vec<Corner>, kind: &'static style::Current) -> Course {
    if is_mouth(view, corners.first(), name) && !is_mouth(view, corners.last(), name) {
        corners.reverse();
    }
    let points: Vec<Coord> = corners.iter().map(|&corner| view.strayed(corner)).collect();
    Course { name: name.to_owned(), line: rounded_line(&points), length: corners.len(), kind }
}

/// True where a river flows into the sea, a lake or another river.
fn is_mouth(view: &View<'_>, corner: Option<&Corner>, name: &str) -> bool {
    let Some(&corner) = corner else { return false };
    let wet = view.around(corner).any(|hex| matches!(view.terrain(hex), "sea" | "lake"));
    let sides = view.grid().corner_sides(corner);
    let joins = style::CURRENTS.iter().filter(|kind| kind.feature != "stream").any(|kind| {
        let rivers = view.map.sides_with(kind.feature);
        sides.iter().any(|&side| rivers.names(side).any(|other| other != name))
    });
    wet || joins
}

/// Draws rivers, swelling toward their mouths.
pub(crate) fn rivers(view: &View<'_>, courses: &[Course], out: &mut String) {
    let mut banks = String::new();
    let mut beds = String::new();
    for course in courses {
        let swell = (course.length as f64 / 40.0).min(1.0);
        let kind = course.kind;
        let (spring, mouth) = (kind.spring * view.unit, (kind.mouth + kind.swell * swell) * view.unit);
        let shape = path(&ribbon(&course.line, spring, mouth), true);
        banks.push_str(&shape);
        beds.push_str(&shape);
    }
    let _ = write!(out, "<path class=\"bank\" d=\"{banks}\"/><path class=\"river\" d=\"{beds}\"/>");
}

/// Draws hexsides that are all lake or all sea as stretches of open water.
pub(crate) fn straits(view: &View<'_>, out: &mut String) {
    for feature in ["lake", "sea"] {
        let sides: Vec<Hexside> =
            view.map.sides_with(feature).parts().iter().flat_map(|part| part.items.clone()).collect();
        for line in smooth(view, &sides) {
            let d = path(&lens(&line, 0.3 * view.unit), true);
            let _ = write!(out, "<path class=\"water\" d=\"{d}\"/>");
        }
    }
}

fn smooth(view: &View<'_>, sides: &[Hexside]) -> Vec<Vec<Coord>> {
    let corners = paths(view.grid(), sides);
    corners
        .iter()
        .map(|path| rounded_line(&path.iter().map(|&corner| view.strayed(corner)).collect::<Vec<_>>()))
        .collect()
}

/// Draws borders and other lines along hexsides.
pub(crate) fn boundaries(view: &View<'_>, out: &mut String) {
    let features: Vec<&str> = view.map.side_features().collect();
    for feature in features {
        let Some(stroke) = style::side(feature) else { continue };
        let mut sides: Vec<Hexside> =
            view.map.sides_with(feature).parts().iter().flat_map(|part| part.items.clone()).collect();
        sides.retain(|&side| !is_off_shore(view, side));
        let d: String = paths(view.grid(), &sides)
            .iter()
            .map(|corners| {
                path(&corners.iter().map(|&corner| view.corner(corner)).collect::<Vec<_>>(), false)
            })
            .collect();
        let _ = write!(out, "<path class=\"{}\" d=\"{d}\"/>", stroke.class);
    }
}

/// True for a side with water on both sides of it.
fn is_off_shore(view: &View<'_>, side: Hexside) -> bool {
    let wet = |hex: Hex| matches!(view.terrain(hex), "sea" | "lake");
    let (hex, beyond) = view.grid().side_hexes(side);
    wet(hex) && beyond.is_none_or(wet)
}

/// Draws roads and railways from hex to hex.
pub(crate) fn ways(view: &View<'_>, out: &mut String) {
    for (feature, class, _) in style::WAYS {
        let layer = view.map.links_with(feature);
        if layer.is_empty() {
            continue;
        }
        let chains: Vec<&Vec<Hex>> = layer.parts().iter().flat_map(|part| &part.items).collect();
        let beside = if feature.starts_with("rail") { beside_the_road(view) } else { Coord::default() };
        let lines = chains.iter().map(|chain| {
            let points = way(view, chain, &chains).into_iter().map(|point| point + beside);
            path(&points.collect::<Vec<_>>(), false)
        });
        let d: String = lines.collect();
        for stroke in style::strokes(class) {
            let _ = write!(out, "<path class=\"{stroke}\" d=\"{d}\"/>");
        }
    }
}

/// How far a railway lies beside the middle of its hexes, so that a road along it can be seen.
fn beside_the_road(view: &View<'_>) -> Coord {
    let off = 0.12 * view.unit;
    match view.grid().orientation() {
        Orientation::PointsUp => Coord { x: 0.0, y: -off },
        Orientation::FlatTop => Coord { x: off, y: 0.0 },
    }
}

/// The line of a road: from centre to centre, rounded; where it ends alone at the edge of the map it goes on to it.
fn way(view: &View<'_>, chain: &[Hex], all: &[&Vec<Hex>]) -> Vec<Coord> {
    let alone = |end: Hex| all.iter().filter(|other| other.contains(&end)).count() == 1;
    let mut points: Vec<Coord> = chain.iter().map(|&hex| view.centre(hex)).collect();
    if let [first, second, ..] = chain
        && alone(*first)
    {
        points.splice(0..0, way_out(view, *second, *first));
    }
    if let [.., before, last] = chain
        && alone(*last)
    {
        points.extend(way_out(view, *before, *last));
    }
    rounded_line(&points)
}

/// The middle of the outer side by which a road that came from `before` leaves the map at its end.
fn way_out(view: &View<'_>, before: Hex, end: Hex) -> Option<Coord> {
    let came = view.grid().dir_between(before, end)?;
    let ahead = [came, came.clockwise(), came.anticlockwise()];
    let outward = ahead.into_iter().find(|&dir| view.map.neighbour(end, dir).is_none())?;
    let [a, b] =
        view.grid().side_corners(view.grid().hexside(end, outward)).map(|corner| view.corner(corner));
    Some((a + b) / 2.0)
}

/// Draws bridges: a pair of brackets across the water.
pub(crate) fn bridges(view: &View<'_>, out: &mut String) {
    let mut d = String::new();
    for side in view.map.sides_with("bridge").parts().iter().flat_map(|part| &part.items) {
        let [a, b] = view.grid().side_corners(*side).map(|corner| view.corner(corner));
        let middle = (a + b) / 2.0;
        let along = (b - a) / (b.x - a.x).hypot(b.y - a.y) * view.unit;
        let across = Coord { x: -along.y, y: along.x };
        for edge in [-1.0, 1.0] {
            let at = middle + along * (0.08 * edge);
            let flare = along * (0.05 * edge);
            let points = [
                at - across * 0.12 + flare,
                at - across * 0.08,
                at + across * 0.08,
                at + across * 0.12 + flare,
            ];
            d.push_str(&path(&points, false));
        }
    }
    let _ = write!(out, "<path class=\"bridge\" d=\"{d}\"/>");
    blown_bridges(view, out);
}

/// Crosses out the bridges that are down.
fn blown_bridges(view: &View<'_>, out: &mut String) {
    for side in view.map.sides_with("blown_bridge").parts().iter().flat_map(|part| &part.items) {
        let [a, b] = view.grid().side_corners(*side).map(|corner| view.corner(corner));
        let middle = (a + b) / 2.0;
        let arm = 0.11 * view.unit;
        for tilt in [-1.0, 1.0] {
            let end = Coord { x: arm, y: arm * tilt };
            let _ =
                write!(out, "<path class=\"blown\" d=\"{}\"/>", path(&[middle - end, middle + end], false));
        }
    }
}
