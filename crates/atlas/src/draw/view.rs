//! Where things lie on the drawing.

use board::{Corner, Grid, Hex, Map};
use geo::{Coord, coord};

use super::DrawOptions;
use super::shapes::noise;

/// A map laid out on a sheet, in pixels.
pub(crate) struct View<'m> {
    pub(crate) map: &'m Map,
    /// Pixels from centre to centre.
    pub(crate) unit: f64,
    /// Where the map itself begins and ends.
    pub(crate) low: Coord,
    pub(crate) high: Coord,
    offset: Coord,
}

/// The margin around the map, in units.
const MARGIN: f64 = 0.8;

/// How far a corner may stray from its place, so that shores and woods do not look like hexes.
const STRAY: f64 = 0.07;

impl<'m> View<'m> {
    /// The least and the most pixels that a hex may have.
    const SMALLEST: f64 = 4.0;
    const LARGEST: f64 = 400.0;

    pub(crate) fn new(map: &'m Map, options: &DrawOptions) -> Self {
        let unit = options.hex.clamp(Self::SMALLEST, Self::LARGEST);
        let corners = map.hexes().flat_map(|hex| map.grid().corners(hex));
        let points: Vec<Coord> = corners.map(|c| Coord::from(map.grid().corner_point(c))).collect();
        let first = points.first().copied().unwrap_or_default();
        let least = |value: fn(&Coord) -> f64| points.iter().map(value).fold(value(&first), f64::min);
        let most = |value: fn(&Coord) -> f64| points.iter().map(value).fold(value(&first), f64::max);
        let (west, north) = (least(|p| p.x), least(|p| p.y));
        let (east, south) = (most(|p| p.x), most(|p| p.y));
        let margin = MARGIN * unit;
        let offset = coord! { x: margin - west * unit, y: margin - north * unit };
        let low = coord! { x: margin, y: margin };
        let high = low + coord! { x: (east - west) * unit, y: (south - north) * unit };
        View { map, unit, low, high, offset }
    }

    /// The size of the map with its margin.
    pub(crate) fn size(&self) -> Coord {
        self.low + self.high
    }

    pub(crate) fn grid(&self) -> Grid {
        self.map.grid()
    }

    fn place(&self, (x, y): (f64, f64)) -> Coord {
        self.offset + coord! { x: x * self.unit, y: y * self.unit }
    }

    /// True for a point of the sheet that lies on a hex of the map.
    pub(crate) fn on_map(&self, point: Coord) -> bool {
        let at = (point - self.offset) / self.unit;
        self.grid().hex_at(at.x, at.y).is_some_and(|hex| self.map.contains(hex))
    }

    /// The centre of a hex.
    pub(crate) fn centre(&self, hex: Hex) -> Coord {
        self.place(self.grid().centre(hex))
    }

    /// A corner, exactly.
    pub(crate) fn corner(&self, corner: Corner) -> Coord {
        self.place(self.grid().corner_point(corner))
    }

    /// A corner, strayed a little: always the same way, so that what shares it stays together.
    pub(crate) fn strayed(&self, corner: Corner) -> Coord {
        let (x, y) = self.grid().corner_point(corner);
        self.place((x + STRAY * noise(x, y, 1), y + STRAY * noise(x, y, 2)))
    }

    /// The hexes of the map that meet in a corner.
    pub(crate) fn around(&self, corner: Corner) -> impl Iterator<Item = Hex> {
        self.grid().corner_hexes(corner).into_iter().filter(|&hex| self.map.contains(hex))
    }

    /// A strayed corner; at the edge of the map pushed far out, because what reaches the edge goes on beyond it.
    pub(crate) fn beyond(&self, corner: Corner) -> Coord {
        let hexes: Vec<Coord> = self.around(corner).map(|hex| self.centre(hex)).collect();
        let at = self.strayed(corner);
        if hexes.len() > 2 {
            return at;
        }
        let middle =
            hexes.iter().fold(coord! { x: 0.0, y: 0.0 }, |sum, &p| sum + p) / hexes.len().max(1) as f64;
        at + (at - middle)
    }

    /// The name of the terrain of a hex.
    pub(crate) fn terrain(&self, hex: Hex) -> &'m str {
        self.map.terrain_name(self.map.terrain(hex))
    }
}
