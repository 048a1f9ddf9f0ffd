//! Land, sea and what covers them.

use std::fmt::Write;

use board::Hex;
use geo::{Coord, coord};

use super::shapes::{noise, path, rings, rounded_ring};
use super::style;
use super::view::View;

/// The outline of a set of hexes, rounded like a shore.
fn shore(view: &View<'_>, inside: impl Fn(Hex) -> bool) -> String {
    rings(view.map, inside)
        .iter()
        .map(|ring| {
            let points: Vec<Coord> = ring.iter().map(|&corner| view.beyond(corner)).collect();
            path(&rounded_ring(&ragged(&points, view.unit)), true)
        })
        .collect()
}

/// A ring with a bay or a headland in every side.
fn ragged(ring: &[Coord], unit: f64) -> Vec<Coord> {
    let bay = |a: Coord, b: Coord, part: f64, seed: u32| {
        let at = a + (b - a) * part;
        let off = 0.16 * noise(at.x / unit, at.y / unit, seed);
        at + coord! { x: -(b.y - a.y), y: b.x - a.x } * off
    };
    (0..ring.len())
        .map(|i| (ring[i], ring[(i + 1) % ring.len()]))
        .flat_map(|(a, b)| [a, bay(a, b, 0.3, 5), bay(a, b, 0.7, 6)])
        .collect()
}

/// The outline of a set of hexes, exactly along their sides.
pub(crate) fn outline(view: &View<'_>, inside: impl Fn(Hex) -> bool) -> String {
    rings(view.map, inside)
        .iter()
        .map(|ring| path(&ring.iter().map(|&corner| view.corner(corner)).collect::<Vec<_>>(), true))
        .collect()
}

/// Paints the ground: paper, terrain, sea, lakes.
pub(crate) fn paint(view: &View<'_>, out: &mut String) {
    let all = outline(view, |_| true);
    let _ = write!(out, "<clipPath id=\"map\"><path d=\"{all}\"/></clipPath><g clip-path=\"url(#map)\">");
    let _ = write!(out, "<path class=\"land\" d=\"{all}\"/>");
    for (_, name) in view.map.terrains() {
        let Some(ground) = style::terrain(name).and_then(|paint| paint.ground) else { continue };
        let shape = shore(view, |hex| view.terrain(hex) == name);
        let _ = write!(out, "<path fill=\"{ground}\" fill-rule=\"evenodd\" d=\"{shape}\"/>");
    }
    scatter(view, out);
    sea(view, out);
    lakes(view, out);
    out.push_str("</g>");
}

/// The sea, paler toward the shore.
fn sea(view: &View<'_>, out: &mut String) {
    let shape = shore(view, |hex| view.terrain(hex) == "sea");
    if shape.is_empty() {
        return;
    }
    let _ = write!(out, "<clipPath id=\"sea\"><path clip-rule=\"evenodd\" d=\"{shape}\"/></clipPath>");
    let _ =
        write!(out, "<path class=\"sea\" fill-rule=\"evenodd\" d=\"{shape}\"/><g clip-path=\"url(#sea)\">");
    let _ = write!(out, "<path class=\"shelf1\" d=\"{shape}\"/><path class=\"shelf2\" d=\"{shape}\"/></g>");
    let _ = write!(out, "<path class=\"shore\" d=\"{shape}\"/>");
}

fn lakes(view: &View<'_>, out: &mut String) {
    let shape = shore(view, |hex| view.terrain(hex) == "lake");
    let _ = write!(out, "<path class=\"lake\" fill-rule=\"evenodd\" d=\"{shape}\"/>");
    let _ = write!(out, "<path class=\"shore\" d=\"{shape}\"/>");
}

/// Strews the signs of each terrain over its hexes, clear of the number at the top.
fn scatter(view: &View<'_>, out: &mut String) {
    for hex in view.map.hexes() {
        let sign = style::terrain(view.terrain(hex)).and_then(|paint| paint.sign);
        let Some((sign, count)) = sign else { continue };
        let mut points: Vec<Coord> = spots(view.grid().centre(hex), count);
        points.sort_by(|a, b| a.y.total_cmp(&b.y));
        for spot in points {
            let at = view.centre(hex) + spot * view.unit;
            stamp(out, sign, at, view.unit);
        }
    }
}

/// Spots within a hex, spread evenly and then shaken.
fn spots((x, y): (f64, f64), count: usize) -> Vec<Coord> {
    let golden = 2.399_963_229_728_653_f64;
    let spin = 3.0 * noise(x, y, 11);
    (0..count)
        .map(|i| {
            let radius = 0.47 * ((i as f64 + 0.5) / count as f64).sqrt();
            let (sine, cosine) = (spin + i as f64 * golden).sin_cos();
            let seed = 20 + 2 * u32::try_from(i).unwrap_or(0);
            coord! { x: radius * cosine + 0.04 * noise(x, y, seed), y: radius * sine + 0.04 * noise(x, y, seed + 1) }
        })
        .filter(|spot| !(spot.y < -0.26 && spot.x.abs() < 0.2))
        .collect()
}

/// Sets a sign of the definitions down at a place.
pub(crate) fn stamp(out: &mut String, sign: &str, at: Coord, unit: f64) {
    let _ =
        write!(out, "<use href=\"#{sign}\" transform=\"translate({:.1} {:.1}) scale({unit})\"/>", at.x, at.y);
}

/// Hatches the hexes where partisans are about.
pub(crate) fn partisans(view: &View<'_>, out: &mut String) {
    let layer = view.map.hexes_with("partisan");
    for part in layer.parts() {
        let shape = outline(view, |hex| part.items.contains(&hex));
        let _ = write!(out, "<path class=\"partisan\" d=\"{shape}\"/>");
    }
}

/// The grid of hexes.
pub(crate) fn grid(view: &View<'_>, out: &mut String) {
    let mut d = String::new();
    for hex in view.map.hexes() {
        let corners = view.grid().corners(hex).map(|corner| view.corner(corner));
        // Each side once: half of them from every hex, the outer ones with the frame.
        d.push_str(&path(&corners[..4], false));
    }
    let _ = write!(out, "<path class=\"grid\" d=\"{d}\"/>");
    let _ = write!(out, "<path class=\"frame\" d=\"{}\"/>", outline(view, |_| true));
}
