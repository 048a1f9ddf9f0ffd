//! How hexes lie: neighbours, distances, rings.

use arrayvec::ArrayVec;

use crate::{Dir, Hex};

/// Which way the hexes of a map stand.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Orientation {
    /// A corner points north; lines are rows.
    PointsUp,
    /// A side faces north; lines are columns.
    FlatTop,
}

/// Which lines lie half a hex further on than their neighbours, counting the first line of the map as the 1st.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Shifted {
    /// The 1st, 3rd, 5th …
    Odd,
    /// The 2nd, 4th, 6th …
    Even,
}

/// A rectangle of hexes: lines of equal length, every other one shifted by half a hex.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Grid {
    lines: u8,
    width: u8,
    orientation: Orientation,
    shifted: Shifted,
}

impl Grid {
    /// The most lines, and the most hexes in a line, that a grid may have.
    pub const LIMIT: usize = 200;

    /// A grid; nothing when it would be empty or larger than [`Grid::LIMIT`] either way.
    pub fn new(lines: usize, width: usize, orientation: Orientation, shifted: Shifted) -> Option<Grid> {
        let size = |n: usize| u8::try_from(n).ok().filter(|_| (1..=Self::LIMIT).contains(&n));
        Some(Grid { lines: size(lines)?, width: size(width)?, orientation, shifted })
    }

    /// The number of lines.
    pub const fn lines(self) -> usize {
        self.lines as usize
    }

    /// The number of hexes in a line.
    pub const fn width(self) -> usize {
        self.width as usize
    }

    /// Which way the hexes stand.
    pub const fn orientation(self) -> Orientation {
        self.orientation
    }

    /// Which lines are shifted.
    pub const fn shifted(self) -> Shifted {
        self.shifted
    }

    /// The number of rows, as people count them, from north to south.
    pub const fn rows(self) -> usize {
        match self.orientation {
            Orientation::PointsUp => self.lines(),
            Orientation::FlatTop => self.width(),
        }
    }

    /// The number of columns, as people count them, from west to east.
    pub const fn columns(self) -> usize {
        match self.orientation {
            Orientation::PointsUp => self.width(),
            Orientation::FlatTop => self.lines(),
        }
    }

    /// The hex in a row and a column, both counted from 0 in the north-west.
    pub fn at(self, row: usize, column: usize) -> Option<Hex> {
        let (line, pos) = match self.orientation {
            Orientation::PointsUp => (row, column),
            Orientation::FlatTop => (column, row),
        };
        self.hex(i32::try_from(line).ok()?, i32::try_from(pos).ok()?)
    }

    /// The row and the column of a hex, both counted from 0 in the north-west.
    pub const fn row_and_column(self, hex: Hex) -> (usize, usize) {
        let (line, pos) = (hex.line() as usize, hex.pos() as usize);
        match self.orientation {
            Orientation::PointsUp => (line, pos),
            Orientation::FlatTop => (pos, line),
        }
    }

    /// True for a hex of this grid.
    pub const fn contains(self, hex: Hex) -> bool {
        hex.line() < self.lines && hex.pos() < self.width
    }

    /// All hexes, line by line.
    pub fn hexes(self) -> impl Iterator<Item = Hex> {
        (0..self.lines).flat_map(move |line| (0..self.width).map(move |pos| Hex::new(line, pos)))
    }

    /// The place of a hex in a table with one entry for each hex of the grid, line by line.
    pub const fn index(self, hex: Hex) -> usize {
        hex.line() as usize * self.width() + hex.pos() as usize
    }

    /// The number of hexes.
    pub const fn len(self) -> usize {
        self.lines() * self.width()
    }

    /// Never: a grid has at least one hex.
    pub const fn is_empty(self) -> bool {
        false
    }

    /// True when this line lies half a hex further on.
    pub const fn is_shifted(self, line: u8) -> bool {
        self.half(line as i32) == 1
    }

    /// The hex next to this one, if the grid goes on there.
    pub fn neighbour(self, hex: Hex, dir: Dir) -> Option<Hex> {
        let (lines, positions) = self.step(hex.line(), dir);
        self.hex(i32::from(hex.line()) + lines, i32::from(hex.pos()) + positions)
    }

    /// The hexes next to this one, clockwise.
    pub fn neighbours(self, hex: Hex) -> impl Iterator<Item = Hex> {
        Dir::ALL.into_iter().filter_map(move |dir| self.neighbour(hex, dir))
    }

    /// The direction from a hex to one next to it.
    pub fn dir_between(self, a: Hex, b: Hex) -> Option<Dir> {
        Dir::ALL.into_iter().find(|&dir| self.neighbour(a, dir) == Some(b))
    }

    /// True for two hexes with a side in common.
    pub fn adjacent(self, a: Hex, b: Hex) -> bool {
        self.distance(a, b) == 1
    }

    /// The number of hexes to enter on the way from one to the other.
    ///
    /// Each step to another line also gains half a position, so only what is left must be walked along the line.
    pub fn distance(self, a: Hex, b: Hex) -> u32 {
        let lines = a.line().abs_diff(b.line());
        let halves = self.along(a).abs_diff(self.along(b));
        u32::from(lines) + halves.saturating_sub(u32::from(lines)) / 2
    }

    /// The hexes at exactly that distance, in reading order.
    pub fn ring(self, centre: Hex, radius: u32) -> impl Iterator<Item = Hex> {
        self.range(centre, radius).filter(move |&hex| self.distance(centre, hex) == radius)
    }

    /// The hexes at that distance or less, with the centre, in reading order.
    pub fn range(self, centre: Hex, radius: u32) -> impl Iterator<Item = Hex> {
        let radius = i32::try_from(radius.min(4 * Self::LIMIT as u32)).unwrap_or(0);
        let line = i32::from(centre.line());
        let lines = (line - radius).max(0)..=(line + radius).min(i32::from(self.lines) - 1);
        lines.flat_map(move |line| self.span(centre, radius, line))
    }

    /// The part of one line that lies within the radius.
    fn span(self, centre: Hex, radius: i32, line: i32) -> impl Iterator<Item = Hex> {
        let reach = 2 * radius - (line - i32::from(centre.line())).abs();
        let offset = self.along(centre) - self.half(line);
        let first = (offset - reach + 1).div_euclid(2).max(0);
        let last = (offset + reach).div_euclid(2).min(i32::from(self.width) - 1);
        (first..=last).filter_map(move |pos| self.hex(line, pos))
    }

    /// The directions that lead closer to the goal.
    pub fn toward(self, hex: Hex, goal: Hex) -> ArrayVec<Dir, 6> {
        let now = self.distance(hex, goal);
        self.dirs_where(hex, |next| self.distance(next, goal) < now)
    }

    /// The directions that lead further away.
    pub fn away(self, hex: Hex, from: Hex) -> ArrayVec<Dir, 6> {
        let now = self.distance(hex, from);
        self.dirs_where(hex, |next| self.distance(next, from) > now)
    }

    fn dirs_where(self, hex: Hex, holds: impl Fn(Hex) -> bool) -> ArrayVec<Dir, 6> {
        Dir::ALL.into_iter().filter(|&dir| self.neighbour(hex, dir).is_some_and(&holds)).collect()
    }

    /// The ways on from a hex that was entered in direction `came`, the straightest first.
    ///
    /// Of two ways that bend equally the clockwise one comes first; the way back comes last.
    pub fn straightest(self, hex: Hex, came: Dir) -> ArrayVec<Dir, 6> {
        let turns = [0, 1, 5, 2, 4, 3];
        turns
            .map(|sixths| came.turned(sixths))
            .into_iter()
            .filter(|&dir| self.neighbour(hex, dir).is_some())
            .collect()
    }

    /// The change of line and of position that a step from this line brings.
    pub(crate) const fn step(self, line: u8, dir: Dir) -> (i32, i32) {
        let half = self.half(line as i32);
        // Turning the map by flat tops mirrors it, so the clock runs the other way through the lines.
        let onward = match self.orientation {
            Orientation::PointsUp => 1,
            Orientation::FlatTop => -1,
        };
        match dir {
            Dir::D0 => (0, 1),
            Dir::D1 => (onward, half),
            Dir::D2 => (onward, half - 1),
            Dir::D3 => (0, -1),
            Dir::D4 => (-onward, half - 1),
            Dir::D5 => (-onward, half),
        }
    }

    /// 1 for a shifted line, 0 for another; lines outside the grid go on in the same way.
    pub(crate) const fn half(self, line: i32) -> i32 {
        match self.shifted {
            Shifted::Odd => 1 - line.rem_euclid(2),
            Shifted::Even => line.rem_euclid(2),
        }
    }

    /// How far along its line a hex lies, in half positions, so that shifted lines count in whole numbers too.
    pub(crate) const fn along(self, hex: Hex) -> i32 {
        2 * hex.pos() as i32 + self.half(hex.line() as i32)
    }

    /// The hex at these numbers, if it is on the grid.
    pub(crate) fn hex(self, line: i32, pos: i32) -> Option<Hex> {
        let hex = Hex::new(u8::try_from(line).ok()?, u8::try_from(pos).ok()?);
        self.contains(hex).then_some(hex)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(orientation: Orientation, shifted: Shifted) -> Grid {
        Grid::new(5, 6, orientation, shifted).unwrap()
    }

    #[test]
    fn sizes_have_limits() {
        let new = |lines, width| Grid::new(lines, width, Orientation::PointsUp, Shifted::Odd);
        assert!(new(0, 1).is_none() && new(1, 0).is_none() && new(201, 1).is_none() && new(1, 300).is_none());
        assert_eq!(new(200, 200).map(Grid::len), Some(40_000));
    }

    #[test]
    fn neighbours_of_a_shifted_and_of_a_plain_line() {
        let even = grid(Orientation::PointsUp, Shifted::Even);
        let around =
            |line, pos| even.neighbours(Hex::new(line, pos)).map(|h| (h.line(), h.pos())).collect::<Vec<_>>();
        assert_eq!(around(2, 2), [(2, 3), (3, 2), (3, 1), (2, 1), (1, 1), (1, 2)]);
        assert_eq!(around(1, 2), [(1, 3), (2, 3), (2, 2), (1, 1), (0, 2), (0, 3)]);
        assert_eq!(around(0, 0), [(0, 1), (1, 0)]);
    }

    #[test]
    fn every_step_can_be_undone_and_is_named_by_the_compass() {
        for orientation in [Orientation::PointsUp, Orientation::FlatTop] {
            for shifted in [Shifted::Odd, Shifted::Even] {
                let grid = grid(orientation, shifted);
                for hex in grid.hexes() {
                    for dir in Dir::ALL {
                        let Some(next) = grid.neighbour(hex, dir) else { continue };
                        assert_eq!(grid.neighbour(next, dir.opposite()), Some(hex));
                        assert_eq!(grid.dir_between(hex, next), Some(dir));
                        let ((x, y), (to_x, to_y)) = (grid.centre(hex), grid.centre(next));
                        let name = dir.name(orientation);
                        assert_eq!(name.contains('E'), to_x > x + 0.1, "{name}");
                        assert_eq!(name.contains('W'), to_x < x - 0.1, "{name}");
                        assert_eq!(name.contains('S'), to_y > y + 0.1, "{name}");
                        assert_eq!(name.contains('N'), to_y < y - 0.1, "{name}");
                    }
                }
            }
        }
    }

    #[test]
    fn rings_and_ranges() {
        let grid = Grid::new(9, 9, Orientation::FlatTop, Shifted::Odd).unwrap();
        let centre = Hex::new(4, 4);
        assert_eq!(grid.ring(centre, 0).collect::<Vec<_>>(), [centre]);
        for radius in 1..=4 {
            assert_eq!(grid.ring(centre, radius).count() as u32, 6 * radius);
        }
        assert_eq!(grid.range(centre, 2).count(), 19);
        assert_eq!(grid.range(centre, u32::MAX).count(), 81);
    }

    #[test]
    fn ways_toward_away_and_straight_on() {
        let grid = grid(Orientation::PointsUp, Shifted::Even);
        let (a, b) = (Hex::new(2, 2), Hex::new(2, 4));
        assert_eq!(grid.toward(a, b).as_slice(), [Dir::D0]);
        assert_eq!(grid.away(a, b).as_slice(), [Dir::D2, Dir::D3, Dir::D4]);
        assert_eq!(
            grid.straightest(a, Dir::D1).as_slice(),
            [Dir::D1, Dir::D2, Dir::D0, Dir::D3, Dir::D5, Dir::D4]
        );
        assert_eq!(grid.straightest(Hex::new(0, 0), Dir::D3).as_slice(), [Dir::D1, Dir::D0]);
    }
}
