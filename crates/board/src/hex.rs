//! A hex and the six ways out of it.

use crate::Orientation;

/// A hex of a grid: the line that it lies in and its position there.
///
/// With points up a line is a row, counted from the north, and positions run from west to east. With flat tops
/// a line is a column, counted from the west, and positions run from north to south. People never see these
/// numbers: they see the [`crate::Labels`] of the map.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Hex {
    line: u8,
    pos: u8,
}

impl Hex {
    /// The hex at a position of a line.
    pub const fn new(line: u8, pos: u8) -> Self {
        Hex { line, pos }
    }

    /// The line that the hex lies in.
    pub const fn line(self) -> u8 {
        self.line
    }

    /// The place of the hex in its line.
    pub const fn pos(self) -> u8 {
        self.pos
    }

    /// Both numbers in one, in reading order.
    pub(crate) const fn bits(self) -> u16 {
        (self.line as u16) << 8 | self.pos as u16
    }

    /// The hex with these [`Hex::bits`].
    pub(crate) const fn from_bits(bits: u16) -> Self {
        Hex { line: (bits >> 8) as u8, pos: bits as u8 }
    }
}

/// One of the six directions, numbered clockwise from the way along the line toward higher positions.
///
/// ```text
///     points up            flat tops
///
///       4   5                  3
///        \ /                 2 | 4
///     3 --o-- 0               \|/
///        / \                  /|\
///       2   1                1 | 5
///                              0
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Dir {
    /// Along the line, toward higher positions: east, or south on flat tops.
    D0,
    /// South-east, or south-west on flat tops.
    D1,
    /// South-west, or north-west on flat tops.
    D2,
    /// Along the line, toward lower positions: west, or north on flat tops.
    D3,
    /// North-west, or north-east on flat tops.
    D4,
    /// North-east, or south-east on flat tops.
    D5,
}

impl Dir {
    /// All six, clockwise.
    pub const ALL: [Dir; 6] = [Dir::D0, Dir::D1, Dir::D2, Dir::D3, Dir::D4, Dir::D5];

    /// The number of the direction, 0 to 5.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The way back.
    pub const fn opposite(self) -> Dir {
        self.turned(3)
    }

    /// The next direction clockwise.
    pub const fn clockwise(self) -> Dir {
        self.turned(1)
    }

    /// The next direction against the clock.
    pub const fn anticlockwise(self) -> Dir {
        self.turned(5)
    }

    /// The direction that many sixths of a turn clockwise.
    pub const fn turned(self, sixths: usize) -> Dir {
        Self::ALL[(self as usize + sixths % 6) % 6]
    }

    /// The name on the compass: `E SE SW W NW NE` with points up, `S SW NW N NE SE` with flat tops.
    pub const fn name(self, orientation: Orientation) -> &'static str {
        names(orientation)[self.index()]
    }

    /// The direction of that name, in whatever case.
    pub fn named(name: &str, orientation: Orientation) -> Option<Dir> {
        Self::ALL.into_iter().find(|dir| dir.name(orientation).eq_ignore_ascii_case(name))
    }

    /// The bit of this direction in a set of directions.
    pub(crate) const fn bit(self) -> u8 {
        1 << self as u8
    }
}

const fn names(orientation: Orientation) -> [&'static str; 6] {
    match orientation {
        Orientation::PointsUp => ["E", "SE", "SW", "W", "NW", "NE"],
        Orientation::FlatTop => ["S", "SW", "NW", "N", "NE", "SE"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_turn_round() {
        for dir in Dir::ALL {
            assert_eq!(dir.opposite().opposite(), dir);
            assert_eq!(dir.clockwise().anticlockwise(), dir);
            assert_eq!(dir.clockwise().clockwise().clockwise(), dir.opposite());
        }
    }

    #[test]
    fn names_are_found_again() {
        for orientation in [Orientation::PointsUp, Orientation::FlatTop] {
            for dir in Dir::ALL {
                assert_eq!(Dir::named(&dir.name(orientation).to_lowercase(), orientation), Some(dir));
            }
        }
        assert_eq!(Dir::named("N", Orientation::PointsUp), None);
    }

    #[test]
    fn bits_keep_reading_order() {
        let (a, b) = (Hex::new(1, 200), Hex::new(2, 0));
        assert!(a < b && a.bits() < b.bits());
        assert_eq!(Hex::from_bits(a.bits()), a);
    }
}
