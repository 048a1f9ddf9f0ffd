//! Roads and railways as chains of hexes.

use board::{Grid, Hex};
use geo::{Coord, LineString};

/// The hexes that a line runs through, in order, each next to the one before.
///
/// A hex that the line only clips, leaving it for a hex next to the one it came from, is passed over: a road
/// printed through every hex it touches would zigzag.
pub(crate) fn chain(grid: Grid, line: &LineString) -> Vec<Hex> {
    let mut hexes: Vec<Hex> = Vec::new();
    for point in samples(line) {
        let Some(hex) = grid.hex_at(point.x, point.y) else { continue };
        if hexes.last() != Some(&hex) {
            hexes.push(hex);
        }
    }
    let mut chain: Vec<Hex> = Vec::new();
    for hex in hexes {
        while let [.., before, _] = chain[..] {
            if before != hex && !grid.adjacent(before, hex) {
                break;
            }
            chain.pop();
        }
        if chain.last() != Some(&hex) {
            chain.push(hex);
        }
    }
    chain
}

/// Points along a line, close enough that no hex is jumped.
fn samples(line: &LineString) -> impl Iterator<Item = Coord> {
    const STEP: f64 = 0.02;
    line.lines().flat_map(|piece| {
        let length = piece.delta().x.hypot(piece.delta().y);
        let count = (length / STEP).ceil().max(1.0) as u32;
        (0..=count).map(move |i| piece.start + piece.delta() * (f64::from(i) / f64::from(count)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::{Orientation, Shifted};

    #[test]
    fn a_road_steps_from_hex_to_hex_without_zigzag() {
        let grid = Grid::new(5, 9, Orientation::PointsUp, Shifted::Even).unwrap();
        let line = LineString::from(vec![(0.0, 0.0), (3.0, 0.3), (6.0, 0.0), (7.0, 3.0)]);
        let chain = chain(grid, &line);
        assert_eq!(chain.first(), Some(&Hex::new(0, 0)));
        assert_eq!(chain.last().copied(), grid.hex_at(7.0, 3.0));
        assert!(chain.windows(2).all(|pair| grid.adjacent(pair[0], pair[1])));
        assert!(chain.windows(3).all(|three| !grid.adjacent(three[0], three[2])));
    }
}
