//! Sets of hexes as bits.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Sub, SubAssign};

use crate::bits::{self, Row};
use crate::{Hex, Layer, Map, Terrain};

/// A set of hexes: one bit each, `WORDS` times 64 bits a line, copied as a plain value.
///
/// The default, 64 lines of 64 hexes, has room for the maps of every game here; `HexSet<200, 4>` for any map.
/// [`Map::fits`] tells. Nothing may be put in that the set has no room for.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct HexSet<const LINES: usize = 64, const WORDS: usize = 1> {
    pub(crate) rows: [Row<WORDS>; LINES],
}

impl<const LINES: usize, const WORDS: usize> HexSet<LINES, WORDS> {
    /// The set of no hexes.
    pub const EMPTY: Self = HexSet { rows: [[0; WORDS]; LINES] };

    /// The set of no hexes.
    pub const fn new() -> Self {
        Self::EMPTY
    }

    /// All hexes of a map.
    ///
    /// # Panics
    /// When the set has no room for the map.
    pub fn all(map: &Map) -> Self {
        map.hexes().collect()
    }

    /// The hexes of a layer.
    ///
    /// # Panics
    /// When the set has no room for the map.
    pub fn from_layer(layer: &Layer) -> Self {
        layer.hexes().collect()
    }

    /// Puts a hex in; true when it was not there.
    ///
    /// # Panics
    /// When the set has no room for such a hex.
    #[inline]
    pub fn insert(&mut self, hex: Hex) -> bool {
        let (line, word, bit) = place(hex);
        let word = &mut self.rows[line][word];
        let was = *word;
        *word |= bit;
        was != *word
    }

    /// Takes a hex out; true when it was there.
    #[inline]
    pub fn remove(&mut self, hex: Hex) -> bool {
        let (line, word, bit) = place(hex);
        let Some(word) = self.rows.get_mut(line).and_then(|row| row.get_mut(word)) else { return false };
        let was = *word;
        *word &= !bit;
        was != *word
    }

    /// The set of one hex.
    pub fn of(hex: Hex) -> Self {
        let mut set = Self::EMPTY;
        set.insert(hex);
        set
    }

    /// The hexes of a map with a terrain.
    pub fn with_terrain(map: &Map, terrain: Terrain) -> Self {
        map.hexes().filter(|hex| map.terrain(*hex) == terrain).collect()
    }

    /// True for a hex of the set.
    #[inline]
    pub fn contains(&self, hex: Hex) -> bool {
        let (line, word, bit) = place(hex);
        self.rows.get(line).and_then(|row| row.get(word)).is_some_and(|word| word & bit != 0)
    }

    /// The number of hexes.
    pub fn len(&self) -> usize {
        self.rows.iter().flatten().map(|word| word.count_ones() as usize).sum()
    }

    /// True for the set of no hexes.
    pub fn is_empty(&self) -> bool {
        !self.any(self, |word, _| word)
    }

    /// The first hex in reading order.
    pub fn first(&self) -> Option<Hex> {
        self.iter().next()
    }

    /// A line of hexes, a bit each.
    pub fn line(&self, line: usize) -> Option<&[u64; WORDS]> {
        self.rows.get(line)
    }

    /// The hexes in reading order.
    pub fn iter(&self) -> impl Iterator<Item = Hex> + '_ {
        (0u8..).zip(&self.rows).filter(|(_, row)| bits::any(**row)).flat_map(|(line, row)| {
            (0u8..)
                .zip(row)
                .flat_map(move |(place, &word)| ones(word).map(move |bit| Hex::new(line, place * 64 + bit)))
        })
    }

    /// The hexes in either set.
    pub fn union(self, other: Self) -> Self {
        self | other
    }

    /// The hexes in both sets.
    pub fn intersection(self, other: Self) -> Self {
        self & other
    }

    /// The hexes of this set that are not in the other.
    pub fn difference(self, other: Self) -> Self {
        self - other
    }

    /// The hexes of `all`, such as a whole map, that are not in this set.
    pub fn complement_in(self, all: &Self) -> Self {
        *all - self
    }

    /// True when the sets have a hex in common.
    pub fn intersects(&self, other: &Self) -> bool {
        self.any(other, |a, b| a & b)
    }

    /// True when every hex of this set is in the other.
    pub fn is_subset(&self, other: &Self) -> bool {
        !self.any(other, |a, b| a & !b)
    }

    /// True when joining the words of two sets leaves anything. It looks at all of them, which the compiler turns into
    /// vector code.
    #[inline(always)]
    fn any(&self, other: &Self, join: impl Fn(u64, u64) -> u64) -> bool {
        let mut left = 0;
        for (row, other) in self.rows.iter().zip(&other.rows) {
            for (a, b) in row.iter().zip(other) {
                left |= join(*a, *b);
            }
        }
        left != 0
    }

    #[inline(always)]
    fn zip(mut self, other: Self, join: impl Fn(Row<WORDS>, Row<WORDS>) -> Row<WORDS>) -> Self {
        for (row, other) in self.rows.iter_mut().zip(other.rows) {
            *row = join(*row, other);
        }
        self
    }
}

/// The line, the word and the bit of a hex.
const fn place(hex: Hex) -> (usize, usize, u64) {
    (hex.line() as usize, hex.pos() as usize / 64, 1 << (hex.pos() % 64))
}

/// The places of the ones in a word, lowest first.
fn ones(mut word: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as u8);
        word &= word.wrapping_sub(1);
        bit
    })
}

impl Map {
    /// True when a set of this size has room for every hex of the map.
    pub fn fits<const LINES: usize, const WORDS: usize>(&self) -> bool {
        self.grid().lines() <= LINES && self.grid().width() <= 64 * WORDS
    }
}

impl<const LINES: usize, const WORDS: usize> Default for HexSet<LINES, WORDS> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const LINES: usize, const WORDS: usize> FromIterator<Hex> for HexSet<LINES, WORDS> {
    fn from_iter<I: IntoIterator<Item = Hex>>(hexes: I) -> Self {
        let mut set = Self::EMPTY;
        set.extend(hexes);
        set
    }
}

impl<const LINES: usize, const WORDS: usize> Extend<Hex> for HexSet<LINES, WORDS> {
    fn extend<I: IntoIterator<Item = Hex>>(&mut self, hexes: I) {
        for hex in hexes {
            self.insert(hex);
        }
    }
}

/// Both the operator and its assigning form.
macro_rules! operator {
    ($operator:ident $method:ident, $assign:ident $assign_method:ident, $join:path) => {
        impl<const LINES: usize, const WORDS: usize> $operator for HexSet<LINES, WORDS> {
            type Output = Self;

            #[inline]
            fn $method(self, other: Self) -> Self {
                self.zip(other, $join)
            }
        }

        impl<const LINES: usize, const WORDS: usize> $assign for HexSet<LINES, WORDS> {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                *self = self.zip(other, $join);
            }
        }
    };
}

operator!(BitOr bitor, BitOrAssign bitor_assign, bits::or);
operator!(BitAnd bitand, BitAndAssign bitand_assign, bits::and);
operator!(BitXor bitxor, BitXorAssign bitxor_assign, bits::xor);
operator!(Sub sub, SubAssign sub_assign, bits::and_not);

#[cfg(test)]
mod tests {
    use super::*;

    fn set(hexes: &[(u8, u8)]) -> HexSet<200, 4> {
        hexes.iter().map(|&(line, pos)| Hex::new(line, pos)).collect()
    }

    #[test]
    fn in_and_out() {
        let mut set = set(&[(0, 0), (3, 63), (3, 64), (199, 199)]);
        assert_eq!(set.len(), 4);
        assert!(!set.insert(Hex::new(3, 63)) && set.insert(Hex::new(3, 65)));
        assert!(set.remove(Hex::new(3, 65)) && !set.remove(Hex::new(3, 65)));
        assert!(set.contains(Hex::new(199, 199)) && !set.contains(Hex::new(199, 198)));
        assert!(!set.contains(Hex::new(255, 255)) && !set.remove(Hex::new(255, 255)));
        let hexes: Vec<_> = set.iter().map(|hex| (hex.line(), hex.pos())).collect();
        assert_eq!(hexes, [(0, 0), (3, 63), (3, 64), (199, 199)]);
        assert_eq!(set.first(), Some(Hex::new(0, 0)));
    }

    #[test]
    fn algebra() {
        let (a, b) = (set(&[(0, 1), (0, 2)]), set(&[(0, 2), (0, 3)]));
        assert_eq!(a | b, set(&[(0, 1), (0, 2), (0, 3)]));
        assert_eq!(a & b, set(&[(0, 2)]));
        assert_eq!(a - b, set(&[(0, 1)]));
        assert_eq!(a ^ b, set(&[(0, 1), (0, 3)]));
        assert_eq!(a.complement_in(&(a | b)), set(&[(0, 3)]));
        assert!(a.intersects(&b) && !a.is_subset(&b) && (a & b).is_subset(&a));
        assert!((a - a).is_empty() && !a.is_empty());
    }
}
