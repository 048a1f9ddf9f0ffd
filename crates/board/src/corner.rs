//! Hexsides, corners, and where they all lie on the plane.

use arrayvec::ArrayVec;

use crate::{Dir, Grid, Hex, Orientation};

/// Distance between two lines of hexes, when two centres lie 1 apart.
const LINE_STEP: f64 = 0.866_025_403_784_438_6;

/// The side between two hexes, or the outer side of a hex at the edge of the grid.
///
/// Made by [`Grid::side`] and [`Grid::hexside`], it is the same value from whichever hex it was asked for.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Hexside {
    hex: Hex,
    dir: Dir,
}

impl Hexside {
    /// The hex that the side is told by.
    pub const fn hex(self) -> Hex {
        self.hex
    }

    /// The direction in which the side lies, seen from [`Hexside::hex`].
    pub const fn dir(self) -> Dir {
        self.dir
    }
}

/// A point where up to three hexes meet.
///
/// Held as whole numbers of half positions along the lines and of thirds of a line across them, so that a corner
/// is the same value from whichever hex it was asked for.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Corner {
    along: i16,
    across: i16,
}

/// Corners of a hex relative to its centre, clockwise with points up; side `n` runs from corner `n` to `n + 1`.
///
/// ```text
///        5
///     4 / \ 0
///      |   |   side 0
///     3 \ / 1
///        2
/// ```
const CORNERS: [(i32, i32); 6] = [(1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1), (0, -2)];

impl Grid {
    /// The side between two adjacent hexes.
    pub fn side(self, a: Hex, b: Hex) -> Option<Hexside> {
        Some(self.hexside(a, self.dir_between(a, b)?))
    }

    /// The side of a hex in that direction, be there another hex beyond it or not.
    pub fn hexside(self, hex: Hex, dir: Dir) -> Hexside {
        match self.neighbour(hex, dir) {
            Some(next) if dir >= Dir::D3 => Hexside { hex: next, dir: dir.opposite() },
            _ => Hexside { hex, dir },
        }
    }

    /// The hex that a side is told by, and the one beyond, if the grid goes on there.
    pub fn side_hexes(self, side: Hexside) -> (Hex, Option<Hex>) {
        (side.hex, self.neighbour(side.hex, side.dir))
    }

    /// The two ends of a side, clockwise seen from [`Hexside::hex`].
    pub fn side_corners(self, side: Hexside) -> [Corner; 2] {
        [self.corner(side.hex, side.dir), self.corner(side.hex, side.dir.clockwise())]
    }

    /// The six corners of a hex, clockwise; the side in direction `n` runs from corner `n` to the next.
    pub fn corners(self, hex: Hex) -> [Corner; 6] {
        Dir::ALL.map(|dir| self.corner(hex, dir))
    }

    /// The corner at the anticlockwise end of a side.
    fn corner(self, hex: Hex, dir: Dir) -> Corner {
        let (along, across) = CORNERS[dir.index()];
        let along = self.along(hex) + along;
        let across = 3 * i32::from(hex.line()) + across * self.clock();
        // 200 lines of 200 hexes are far within sixteen bits.
        Corner { along: along as i16, across: across as i16 }
    }

    /// 1 where the numbers of [`CORNERS`] run clockwise, -1 where the lines are columns and mirror them.
    const fn clock(self) -> i32 {
        match self.orientation() {
            Orientation::PointsUp => 1,
            Orientation::FlatTop => -1,
        }
    }

    /// The hexes that meet in a corner.
    pub fn corner_hexes(self, corner: Corner) -> ArrayVec<Hex, 3> {
        let (along, across) = (i32::from(corner.along), i32::from(corner.across));
        let hexes = CORNERS.into_iter().filter_map(|(right, down)| {
            let (along, across) = (along - right, across - down);
            let line = across.div_euclid(3);
            let on_centre = across.rem_euclid(3) == 0 && (along - self.half(line)).rem_euclid(2) == 0;
            if on_centre { self.hex(line, (along - self.half(line)).div_euclid(2)) } else { None }
        });
        let mut hexes: ArrayVec<Hex, 3> = hexes.take(3).collect();
        hexes.sort_unstable();
        hexes
    }

    /// The sides that end in a corner.
    pub fn corner_sides(self, corner: Corner) -> ArrayVec<Hexside, 3> {
        let mut sides = ArrayVec::new();
        for hex in self.corner_hexes(corner) {
            for dir in Dir::ALL {
                let side = self.hexside(hex, dir);
                if self.side_corners(side).contains(&corner) && !sides.contains(&side) && !sides.is_full() {
                    sides.push(side);
                }
            }
        }
        sides
    }

    /// The centre of a hex: east and south of the centre of an unshifted first hex, two centres being 1 apart.
    pub fn centre(self, hex: Hex) -> (f64, f64) {
        self.on_plane(f64::from(self.along(hex)) / 2.0, f64::from(hex.line()) * LINE_STEP)
    }

    /// Where a corner lies, in the units of [`Grid::centre`].
    pub fn corner_point(self, corner: Corner) -> (f64, f64) {
        self.on_plane(f64::from(corner.along) / 2.0, f64::from(corner.across) * LINE_STEP / 3.0)
    }

    /// The hex that a point lies in.
    pub fn hex_at(self, x: f64, y: f64) -> Option<Hex> {
        let (along, across) = self.on_plane(x, y);
        let far = 2.0 * Self::LIMIT as f64;
        if !(along.abs() < far && across.abs() < far) {
            return None;
        }
        let near = (across / LINE_STEP).round() as i32;
        let candidates = (near - 1..=near + 1).map(|line| {
            let half = self.half(line);
            let pos = (along - f64::from(half) / 2.0).round() as i32;
            let (right, down) =
                (f64::from(pos) + f64::from(half) / 2.0 - along, f64::from(line) * LINE_STEP - across);
            (right * right + down * down, line, pos)
        });
        let (_, line, pos) = candidates.min_by(|a, b| a.0.total_cmp(&b.0))?;
        self.hex(line, pos)
    }

    /// Turns numbers along and across the lines into east and south, and back.
    const fn on_plane(self, along: f64, across: f64) -> (f64, f64) {
        match self.orientation() {
            Orientation::PointsUp => (along, across),
            Orientation::FlatTop => (across, along),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shifted;

    fn grids() -> impl Iterator<Item = Grid> {
        [Orientation::PointsUp, Orientation::FlatTop].into_iter().flat_map(|orientation| {
            [Shifted::Odd, Shifted::Even].into_iter().filter_map(move |s| Grid::new(5, 4, orientation, s))
        })
    }

    #[test]
    fn a_side_is_the_same_from_both_hexes() {
        for grid in grids() {
            for hex in grid.hexes() {
                for dir in Dir::ALL {
                    let side = grid.hexside(hex, dir);
                    if let Some(next) = grid.neighbour(hex, dir) {
                        assert_eq!(side, grid.hexside(next, dir.opposite()));
                        assert_eq!(Some(side), grid.side(next, hex));
                    } else {
                        assert_eq!(grid.side_hexes(side), (hex, None));
                    }
                }
            }
        }
    }

    #[test]
    fn corners_are_shared_and_lie_half_way_round() {
        for grid in grids() {
            for hex in grid.hexes() {
                let (x, y) = grid.centre(hex);
                for (dir, corner) in Dir::ALL.into_iter().zip(grid.corners(hex)) {
                    assert!(grid.corner_hexes(corner).contains(&hex));
                    let ends = grid.side_corners(grid.hexside(hex, dir));
                    assert!(ends.contains(&corner));
                    assert!(grid.corner_sides(corner).contains(&grid.hexside(hex, dir)));
                    let (cx, cy) = grid.corner_point(corner);
                    assert!(((cx - x).hypot(cy - y) - 1.0 / 3f64.sqrt()).abs() < 1e-9);
                    let Some(next) = grid.neighbour(hex, dir) else { continue };
                    assert!(grid.corner_hexes(corner).contains(&next));
                    let (nx, ny) = grid.centre(next);
                    assert!(((cx - nx).hypot(cy - ny) - 1.0 / 3f64.sqrt()).abs() < 1e-9);
                }
            }
        }
    }

    #[test]
    fn three_hexes_and_three_sides_meet_inside() {
        for grid in grids() {
            for corner in grid.corners(Hex::new(2, 2)) {
                assert_eq!((grid.corner_hexes(corner).len(), grid.corner_sides(corner).len()), (3, 3));
            }
        }
    }

    #[test]
    fn points_fall_into_their_hexes() {
        for grid in grids() {
            for hex in grid.hexes() {
                let (x, y) = grid.centre(hex);
                assert_eq!(grid.hex_at(x, y), Some(hex));
                for corner in grid.corners(hex) {
                    let (cx, cy) = grid.corner_point(corner);
                    assert_eq!(grid.hex_at(x + (cx - x) * 0.99, y + (cy - y) * 0.99), Some(hex));
                }
            }
            assert_eq!(grid.hex_at(-3.0, 0.0), None);
            assert_eq!(grid.hex_at(f64::NAN, 0.0), None);
            assert_eq!(grid.hex_at(1e300, f64::INFINITY), None);
        }
    }
}
