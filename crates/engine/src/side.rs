//! The two sides of the Eastern Front.

use std::fmt;
use std::ops::{Index, IndexMut};

/// One of the two sides. Every rulebook here is played by these two, whatever it calls them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Germany and its allies.
    Axis,
    /// The Soviet Union and its allies.
    Soviet,
}

impl Side {
    /// Both sides, in the order of their index.
    pub const BOTH: [Side; 2] = [Side::Axis, Side::Soviet];

    /// The other side.
    pub const fn enemy(self) -> Side {
        match self {
            Side::Axis => Side::Soviet,
            Side::Soviet => Side::Axis,
        }
    }

    /// The word for this side in notation, files and options.
    pub const fn word(self) -> &'static str {
        match self {
            Side::Axis => "axis",
            Side::Soviet => "soviet",
        }
    }

    /// Whose army most of its counters belong to.
    pub const fn nation(self) -> &'static str {
        match self {
            Side::Axis => "german",
            Side::Soviet => "soviet",
        }
    }

    /// The side that a word means.
    pub fn from_word(word: &str) -> Result<Side, String> {
        Side::BOTH
            .into_iter()
            .find(|side| side.word() == word)
            .ok_or_else(|| format!("`{word}` is not a side; expected axis or soviet"))
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// One of something for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BySide<T> {
    /// What the Axis has.
    pub axis: T,
    /// What the Soviet side has.
    pub soviet: T,
}

impl<T> BySide<T> {
    /// Makes both by a function of the side.
    pub fn new_with(mut make: impl FnMut(Side) -> T) -> Self {
        BySide { axis: make(Side::Axis), soviet: make(Side::Soviet) }
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;
    fn index(&self, side: Side) -> &T {
        match side {
            Side::Axis => &self.axis,
            Side::Soviet => &self.soviet,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Axis => &mut self.axis,
            Side::Soviet => &mut self.soviet,
        }
    }
}
