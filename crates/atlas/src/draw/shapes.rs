//! Lines and outlines that look drawn by hand.

use std::collections::BTreeMap;
use std::fmt::Write;

use board::{Corner, Dir, Grid, Hex, Hexside, Map};
use geo::Coord;

/// A number from -1 to 1 that belongs to a point: the same on every machine and at every drawing.
pub(crate) fn noise(x: f64, y: f64, seed: u32) -> f64 {
    let mut bits = ((x * 64.0).round() as i64 as u64)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .wrapping_add(((y * 64.0).round() as i64 as u64).wrapping_mul(0xC2B2_AE3D_27D4_EB4F))
        .wrapping_add(u64::from(seed).wrapping_mul(0x1656_67B1_9E37_79F9));
    for shift in [33, 29, 32] {
        bits = (bits ^ (bits >> shift)).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    }
    (bits >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// The outlines of a set of hexes: rings of corners, clockwise around what belongs to the set.
pub(crate) fn rings(map: &Map, inside: impl Fn(Hex) -> bool) -> Vec<Vec<Corner>> {
    let grid = map.grid();
    let mut next: BTreeMap<Corner, Vec<Corner>> = BTreeMap::new();
    for hex in map.hexes().filter(|&hex| inside(hex)) {
        let corners = grid.corners(hex);
        for dir in Dir::ALL {
            if !map.neighbour(hex, dir).is_some_and(&inside) {
                let (from, to) = (corners[dir.index()], corners[dir.clockwise().index()]);
                next.entry(from).or_default().push(to);
            }
        }
    }
    let mut rings = Vec::new();
    while let Some((&start, _)) = next.first_key_value() {
        let mut ring = vec![start];
        let mut at = start;
        while let Some(to) = step(&mut next, at) {
            if to == start {
                break;
            }
            ring.push(to);
            at = to;
        }
        rings.push(ring);
    }
    rings
}

/// Takes one way on from a corner.
fn step(next: &mut BTreeMap<Corner, Vec<Corner>>, at: Corner) -> Option<Corner> {
    let ways = next.get_mut(&at)?;
    let to = ways.pop();
    if ways.is_empty() {
        next.remove(&at);
    }
    to
}

/// Hexsides sorted into paths of corners, each as long as it can be.
pub(crate) fn paths(grid: Grid, sides: &[Hexside]) -> Vec<Vec<Corner>> {
    let mut left: Vec<Hexside> = sides.to_vec();
    let mut paths = Vec::new();
    while let Some(&first) = left.first() {
        let start = loose_end(grid, &left).unwrap_or(grid.side_corners(first)[0]);
        let mut path = vec![start];
        let mut at = start;
        while let Some(place) = left.iter().position(|&side| grid.side_corners(side).contains(&at)) {
            let [a, b] = grid.side_corners(left.remove(place));
            at = if a == at { b } else { a };
            path.push(at);
        }
        paths.push(path);
    }
    paths
}

/// The first corner, in the order of the sides, that only one of them touches.
fn loose_end(grid: Grid, sides: &[Hexside]) -> Option<Corner> {
    let touches = |corner: Corner| sides.iter().filter(|&&s| grid.side_corners(s).contains(&corner)).count();
    sides.iter().flat_map(|&side| grid.side_corners(side)).find(|&corner| touches(corner) == 1)
}

/// Cuts the corners of a ring, twice over: a polygon becomes a shore.
pub(crate) fn rounded_ring(ring: &[Coord]) -> Vec<Coord> {
    let cut = |ring: &[Coord]| -> Vec<Coord> {
        (0..ring.len())
            .map(|i| (ring[i], ring[(i + 1) % ring.len()]))
            .flat_map(|(a, b)| [a * 0.75 + b * 0.25, a * 0.25 + b * 0.75])
            .collect()
    };
    cut(&cut(ring))
}

/// Cuts the corners of a line, twice over, and keeps its ends.
pub(crate) fn rounded_line(line: &[Coord]) -> Vec<Coord> {
    let cut = |line: &[Coord]| -> Vec<Coord> {
        let (Some(&first), Some(&last)) = (line.first(), line.last()) else { return Vec::new() };
        let pieces = line.windows(2).flat_map(|p| [p[0] * 0.75 + p[1] * 0.25, p[0] * 0.25 + p[1] * 0.75]);
        std::iter::once(first).chain(pieces).chain([last]).collect()
    };
    cut(&cut(line))
}

/// A path through points, in the words of SVG.
pub(crate) fn path(points: &[Coord], closed: bool) -> String {
    let mut out = String::new();
    for (i, p) in points.iter().enumerate() {
        let letter = if i == 0 { 'M' } else { 'L' };
        // Writing to a string cannot fail.
        let _ = write!(out, "{letter}{:.1} {:.1}", p.x, p.y);
    }
    if closed {
        out.push('Z');
    }
    out
}

/// A line that swells from one width to another, as an outline.
pub(crate) fn ribbon(line: &[Coord], from: f64, to: f64) -> Vec<Coord> {
    widened(line, |part| from + (to - from) * part)
}

/// A line as a stretch of water: broad in the middle, closed at both ends.
pub(crate) fn lens(line: &[Coord], breadth: f64) -> Vec<Coord> {
    widened(line, |part| breadth * (std::f64::consts::PI * part).sin().abs().sqrt())
}

/// The outline of a line that is as wide as told at each part of its way.
fn widened(line: &[Coord], width: impl Fn(f64) -> f64) -> Vec<Coord> {
    let last = line.len().saturating_sub(1).max(1) as f64;
    let edge = |i: usize, side: f64| {
        let (before, after) = (line[i.saturating_sub(1)], line[(i + 1).min(line.len() - 1)]);
        let along = after - before;
        let length = along.x.hypot(along.y).max(1e-9);
        let half = side * width(i as f64 / last) / 2.0;
        Coord { x: line[i].x - along.y / length * half, y: line[i].y + along.x / length * half }
    };
    let there = (0..line.len()).map(|i| edge(i, 1.0));
    let back = (0..line.len()).rev().map(|i| edge(i, -1.0));
    there.chain(back).collect()
}

/// The length of a line.
pub(crate) fn length(line: &[Coord]) -> f64 {
    line.windows(2).map(|p| (p[1].x - p[0].x).hypot(p[1].y - p[0].y)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map() -> Map {
        Map::sketch("grid = \"\"\"\n. . . .\n . . . .\n. . . .\n\"\"\"\n[terrain]\n\".\" = \"clear\"\n", &[])
            .unwrap()
    }

    #[test]
    fn noise_is_noise() {
        let values: Vec<f64> = (0..100).map(|i| noise(f64::from(i), 0.5, 7)).collect();
        assert!(values.iter().all(|v| (-1.0..=1.0).contains(v)));
        assert!((values.iter().sum::<f64>() / 100.0).abs() < 0.2);
        assert_eq!(noise(1.5, 2.5, 3), noise(1.5, 2.5, 3));
    }

    #[test]
    fn one_hex_has_one_ring_of_six() {
        let map = map();
        let hex = map.hex("0202").unwrap();
        let rings = rings(&map, |h| h == hex);
        assert_eq!(rings.len(), 1);
        assert_eq!(rings[0].len(), 6);
    }

    #[test]
    fn a_hole_has_a_ring_of_its_own() {
        let map = map();
        let hole = map.hex("0202").unwrap();
        assert_eq!(rings(&map, |h| h != hole).len(), 2);
    }

    #[test]
    fn hexsides_in_any_order_make_one_path() {
        let map = map();
        let hex = map.hex("0202").unwrap();
        let mut sides: Vec<Hexside> = Dir::ALL[..4].iter().map(|&d| map.grid().hexside(hex, d)).collect();
        sides.swap(0, 2);
        let paths = paths(map.grid(), &sides);
        assert_eq!(paths.len(), 1);
        assert_eq!(paths[0].len(), 5);
    }
}
