//! What covers a hex, and what runs along a hexside.

use board::{Grid, Hex, Hexside};
use geo::{
    Area, BooleanOps, BoundingRect, Coord, Euclidean, Geometry, Intersects, Length, Line, LineString,
    MultiLineString, MultiPolygon, Polygon, Rect, coord,
};

/// The outline of a hex in the plane of the map.
pub(crate) fn outline(grid: Grid, hex: Hex) -> Polygon {
    let ring = grid.corners(hex).map(|corner| Coord::from(grid.corner_point(corner)));
    Polygon::new(LineString::from(ring.to_vec()), Vec::new())
}

/// The hexside as a line in the plane of the map.
pub(crate) fn side_line(grid: Grid, side: Hexside) -> Line {
    let [a, b] = grid.side_corners(side).map(|corner| Coord::from(grid.corner_point(corner)));
    Line::new(a, b)
}

/// Something that covers ground, cut into strips so that each hex looks only at what is near it.
pub(crate) struct Cover {
    strips: Vec<MultiPolygon>,
    top: f64,
}

/// The height of a strip, in distances from centre to centre.
const STRIP: f64 = 1.0;

impl Cover {
    /// Everything within the polygons that lies on the grid.
    pub(crate) fn new(grid: Grid, polygons: &MultiPolygon) -> Cover {
        let (low, high) = extent(grid);
        let near: MultiPolygon = polygons
            .iter()
            .filter(|p| p.bounding_rect().is_some_and(|r| r.intersects(&Rect::new(low, high))))
            .cloned()
            .collect();
        let count = ((high.y - low.y) / STRIP).ceil() as usize;
        let strip = |i: usize| {
            let top = low.y + i as f64 * STRIP;
            let band = Rect::new(coord! { x: low.x, y: top }, coord! { x: high.x, y: top + STRIP });
            near.intersection(&band.to_polygon())
        };
        Cover { strips: (0..count).map(strip).collect(), top: low.y }
    }

    /// The strips that lie between two heights.
    fn between(&self, low: f64, high: f64) -> &[MultiPolygon] {
        let strip = |y: f64| (((y - self.top) / STRIP).max(0.0) as usize).min(self.strips.len());
        &self.strips[strip(low)..(strip(high) + 1).min(self.strips.len())]
    }

    /// How much of a hex is covered, from 0 to 1.
    pub(crate) fn of_hex(&self, grid: Grid, hex: Hex) -> f64 {
        let outline = outline(grid, hex);
        let Some(bounds) = outline.bounding_rect() else { return 0.0 };
        let covered: f64 = self
            .between(bounds.min().y, bounds.max().y)
            .iter()
            .map(|strip| strip.intersection(&outline).unsigned_area())
            .sum();
        covered / outline.unsigned_area()
    }

    /// How much of a hexside is covered, from 0 to 1.
    pub(crate) fn of_side(&self, grid: Grid, side: Hexside) -> f64 {
        let line = side_line(grid, side);
        let path = MultiLineString::new(vec![LineString::from(line)]);
        let (a, b) = (line.start.y.min(line.end.y), line.start.y.max(line.end.y));
        let covered: f64 =
            self.between(a, b).iter().map(|strip| Euclidean.length(&strip.clip(&path, false))).sum();
        covered / Euclidean.length(&line)
    }
}

/// The whole sheet that the grid is printed on.
pub(crate) fn sheet(grid: Grid) -> MultiPolygon {
    let (low, high) = extent(grid);
    MultiPolygon::from(Rect::new(low, high).to_polygon())
}

/// The corners of the rectangle that holds the whole grid.
fn extent(grid: Grid) -> (Coord, Coord) {
    let points = grid.hexes().map(|hex| Coord::from(grid.centre(hex)));
    let start = (coord! { x: f64::MAX, y: f64::MAX }, coord! { x: f64::MIN, y: f64::MIN });
    let (low, high) = points.fold(start, |(low, high), p| {
        (coord! { x: low.x.min(p.x), y: low.y.min(p.y) }, coord! { x: high.x.max(p.x), y: high.y.max(p.y) })
    });
    (low - coord! { x: 1.0, y: 1.0 }, high + coord! { x: 1.0, y: 1.0 })
}

/// What a hex is before terrain is laid on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ground {
    /// Salt water, or a lagoon that the recipe counts with it.
    Sea,
    /// Fresh water.
    Lake,
    /// Anything one can stand on.
    Land,
}

impl Ground {
    /// The terrain that stands for it before anything else is known, `open` being that of bare land.
    pub(crate) fn terrain(self, open: &str) -> &str {
        match self {
            Ground::Sea => "sea",
            Ground::Lake => "lake",
            Ground::Land => open,
        }
    }
}

/// The waters of a map.
pub(crate) struct Waters {
    /// All that is not land.
    pub(crate) sea: Cover,
    /// All that is land on a coarse chart but water on a fine one.
    pub(crate) lake: Cover,
    /// How much of a hex they must cover to be its terrain.
    pub(crate) enough: f64,
}

/// A hexside is all water when no more than this much of it is dry.
const DRY: f64 = 0.15;

impl Waters {
    /// What a hex is; water of both kinds together may outweigh the land.
    pub(crate) fn ground(&self, grid: Grid, hex: Hex) -> Ground {
        let (sea, lake) = (self.sea.of_hex(grid, hex), self.lake.of_hex(grid, hex));
        match sea + lake >= self.enough {
            true if sea >= lake => Ground::Sea,
            true => Ground::Lake,
            false => Ground::Land,
        }
    }

    /// The water that parts two land hexes, if hardly any of the side between them is dry.
    pub(crate) fn parting(&self, grid: Grid, side: Hexside) -> Option<&'static str> {
        let (sea, lake) = (self.sea.of_side(grid, side), self.lake.of_side(grid, side));
        if sea + lake < 1.0 - DRY {
            return None;
        }
        Some(if sea >= lake { "sea" } else { "lake" })
    }
}

/// The polygons of a shape.
pub(crate) fn polygons(shape: Geometry) -> Vec<Polygon> {
    match shape {
        Geometry::Polygon(polygon) => vec![polygon],
        Geometry::MultiPolygon(many) => many.0,
        _ => Vec::new(),
    }
}

/// The hexes of which polygons together cover at least a share.
pub(crate) fn covered(
    grid: Grid,
    polygons: &MultiPolygon,
    hexes: impl Iterator<Item = Hex>,
    share: f64,
) -> Vec<Hex> {
    let cover = Cover::new(grid, polygons);
    hexes.filter(|&hex| cover.of_hex(grid, hex) >= share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::{Orientation, Shifted};

    fn grid() -> Grid {
        Grid::new(4, 4, Orientation::PointsUp, Shifted::Even).unwrap()
    }

    fn rectangle(x: (f64, f64), y: (f64, f64)) -> MultiPolygon {
        MultiPolygon::from(Rect::new(coord! { x: x.0, y: y.0 }, coord! { x: x.1, y: y.1 }).to_polygon())
    }

    #[test]
    fn half_a_hex() {
        let cover = Cover::new(grid(), &rectangle((-5.0, 1.0), (-5.0, 5.0)));
        assert!((cover.of_hex(grid(), Hex::new(0, 1)) - 0.5).abs() < 1e-6);
        assert!((cover.of_hex(grid(), Hex::new(2, 0)) - 1.0).abs() < 1e-6);
        assert!(cover.of_hex(grid(), Hex::new(2, 2)).abs() < 1e-6);
    }

    #[test]
    fn a_strait_parts_two_hexes_that_are_land() {
        // A channel of a third of a hex along the side between 0,0 and 0,1.
        let waters = Waters {
            sea: Cover::new(grid(), &rectangle((0.35, 0.65), (-2.0, 2.0))),
            lake: Cover::new(grid(), &MultiPolygon::new(Vec::new())),
            enough: 0.5,
        };
        let (a, b) = (Hex::new(0, 0), Hex::new(0, 1));
        assert_eq!(waters.ground(grid(), a), Ground::Land);
        assert_eq!(waters.ground(grid(), b), Ground::Land);
        let side = grid().side(a, b).unwrap();
        assert_eq!(waters.parting(grid(), side), Some("sea"));
        let dry = grid().side(Hex::new(0, 2), b).unwrap();
        assert_eq!(waters.parting(grid(), dry), None);
    }

    #[test]
    fn an_islet_does_not_make_land() {
        let sea = rectangle((-5.0, 9.0), (-5.0, 9.0)).difference(&rectangle((0.9, 1.1), (-0.1, 0.1)));
        let waters = Waters {
            sea: Cover::new(grid(), &sea),
            lake: Cover::new(grid(), &MultiPolygon::new(Vec::new())),
            enough: 0.5,
        };
        assert_eq!(waters.ground(grid(), Hex::new(0, 1)), Ground::Sea);
    }
}
