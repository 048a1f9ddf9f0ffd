//! Words: how units, hexes, sides and numbers are written in notation, and read back.

use std::collections::BTreeMap;
use std::str::FromStr;

use board::{Hex, Map, Mp};

use crate::Side;

/// A unit (counter) of a game, by its place in the [`Roster`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnitId(pub u16);

impl UnitId {
    /// The place in tables that have one entry a unit.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The names of a game's units.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roster {
    names: Vec<String>,
    by_name: BTreeMap<String, UnitId>,
}

impl Roster {
    /// The most units a game may have.
    pub const MAX: usize = UnitSet::CAPACITY;

    /// Adds a unit. The name must be one word and new.
    pub fn add(&mut self, name: &str) -> Result<UnitId, String> {
        let plain = |c: char| c.is_alphanumeric() || "-_.'/()".contains(c);
        if name.is_empty() || !name.chars().all(plain) || name == "-" {
            return Err(format!("`{name}` cannot name a unit; expected letters, digits, - _ . ' / ( )"));
        }
        if self.names.len() == Self::MAX {
            return Err(format!("more than {} units", Self::MAX));
        }
        let key = name.to_lowercase();
        if self.by_name.contains_key(&key) {
            return Err(format!("there are two units named {name}"));
        }
        let id = UnitId(self.names.len() as u16);
        self.by_name.insert(key, id);
        self.names.push(name.to_owned());
        Ok(id)
    }

    /// The name of a unit.
    pub fn name(&self, unit: UnitId) -> &str {
        self.names.get(unit.index()).map_or("?", String::as_str)
    }

    /// The unit of a name, in whatever case it is written.
    pub fn find(&self, name: &str) -> Result<UnitId, String> {
        self.by_name
            .get(&name.to_lowercase())
            .copied()
            .ok_or_else(|| format!("there is no unit named `{name}`"))
    }

    /// All units.
    pub fn iter(&self) -> impl Iterator<Item = UnitId> + use<> {
        (0..self.names.len()).map(|i| UnitId(i as u16))
    }

    /// How many units there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// A set of units, small enough to stand in a state or an unfinished procedure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct UnitSet([u64; 5]);

impl UnitSet {
    /// How many units a game may have.
    pub const CAPACITY: usize = 320;

    /// The empty set.
    pub const EMPTY: UnitSet = UnitSet([0; 5]);

    /// Adds a unit; true when it is new.
    pub fn insert(&mut self, unit: UnitId) -> bool {
        let new = !self.contains(unit);
        self.0[unit.index() / 64] |= 1 << (unit.index() % 64);
        new
    }

    /// Takes a unit out.
    pub fn remove(&mut self, unit: UnitId) {
        self.0[unit.index() / 64] &= !(1 << (unit.index() % 64));
    }

    /// True when the unit is in the set.
    pub fn contains(&self, unit: UnitId) -> bool {
        self.0[unit.index() / 64] >> (unit.index() % 64) & 1 == 1
    }

    /// True when there is nobody in it.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 5]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The units in the order of the roster.
    pub fn iter(&self) -> impl Iterator<Item = UnitId> + Clone + use<> {
        let words = self.0;
        (0u16..5).flat_map(move |i| {
            let mut word = words[usize::from(i)];
            std::iter::from_fn(move || {
                (word != 0).then(|| {
                    let bit = word.trailing_zeros() as u16;
                    word &= word - 1;
                    UnitId(i * 64 + bit)
                })
            })
        })
    }
}

impl FromIterator<UnitId> for UnitSet {
    fn from_iter<I: IntoIterator<Item = UnitId>>(units: I) -> Self {
        let mut set = UnitSet::EMPTY;
        for unit in units {
            set.insert(unit);
        }
        set
    }
}

/// A stack of units or a part of one, in the order of the roster: six units at most, small enough to stand in an action.
///
/// ```
/// use engine::{Force, UnitId};
/// let force: Force = [UnitId(7), UnitId(3), UnitId(7)].into_iter().collect();
/// assert_eq!(force.iter().collect::<Vec<_>>(), [UnitId(3), UnitId(7)]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Force([UnitId; 6]);

impl Force {
    /// How many units it can hold.
    pub const CAPACITY: usize = 6;

    const NOBODY: UnitId = UnitId(u16::MAX);

    /// Nobody.
    pub const EMPTY: Force = Force([Force::NOBODY; 6]);

    /// Adds a unit; false when there is no room for it.
    pub fn insert(&mut self, unit: UnitId) -> bool {
        if self.contains(unit) {
            return true;
        }
        // Nobody sorts behind everybody, so the last place is free unless all are taken.
        let last = &mut self.0[Force::CAPACITY - 1];
        if *last != Force::NOBODY {
            return false;
        }
        *last = unit;
        self.0.sort_unstable();
        true
    }

    /// Takes a unit out.
    pub fn remove(&mut self, unit: UnitId) {
        for place in &mut self.0 {
            if *place == unit {
                *place = Force::NOBODY;
            }
        }
        self.0.sort_unstable();
    }

    /// True when the unit is in it.
    pub fn contains(&self, unit: UnitId) -> bool {
        self.0.contains(&unit)
    }

    /// True when nobody is in it.
    pub fn is_empty(&self) -> bool {
        self.first().is_none()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// The first in the order of the roster.
    pub fn first(&self) -> Option<UnitId> {
        self.iter().next()
    }

    /// The units in the order of the roster.
    pub fn iter(&self) -> impl Iterator<Item = UnitId> + Clone + use<> {
        self.0.into_iter().take_while(|unit| *unit != Force::NOBODY)
    }

    /// Those for which something holds.
    pub fn filter(&self, holds: impl Fn(UnitId) -> bool) -> Force {
        self.iter().filter(|unit| holds(*unit)).collect()
    }
}

/// Units beyond the sixth are left out.
impl FromIterator<UnitId> for Force {
    fn from_iter<I: IntoIterator<Item = UnitId>>(units: I) -> Self {
        let mut force = Force::EMPTY;
        for unit in units {
            force.insert(unit);
        }
        force
    }
}

/// What words mean in a game: its map and its units.
pub trait Lexicon {
    /// The map, which knows the labels of hexes.
    fn map(&self) -> &Map;
    /// The units and their names.
    fn roster(&self) -> &Roster;
}

/// A value that is written as one word (without white space) and read back from it.
pub trait Word: Sized {
    /// What sort of word it is, for help and for clients: `unit`, `hex`, `number` …
    const KIND: &'static str;
    /// The word.
    fn word(&self, lexicon: &dyn Lexicon) -> String;
    /// The value of a word, or what was expected.
    fn read(word: &str, lexicon: &dyn Lexicon) -> Result<Self, String>;
}

impl Word for UnitId {
    const KIND: &'static str = "unit";
    fn word(&self, lexicon: &dyn Lexicon) -> String {
        lexicon.roster().name(*self).to_owned()
    }
    fn read(word: &str, lexicon: &dyn Lexicon) -> Result<Self, String> {
        lexicon.roster().find(word)
    }
}

impl Word for UnitSet {
    const KIND: &'static str = "units";
    fn word(&self, lexicon: &dyn Lexicon) -> String {
        if self.is_empty() {
            return "-".to_owned();
        }
        let names: Vec<&str> = self.iter().map(|unit| lexicon.roster().name(unit)).collect();
        names.join(",")
    }
    fn read(word: &str, lexicon: &dyn Lexicon) -> Result<Self, String> {
        if word == "-" {
            return Ok(UnitSet::EMPTY);
        }
        word.split(',').map(|name| lexicon.roster().find(name)).collect()
    }
}

impl Word for Force {
    const KIND: &'static str = "units";
    fn word(&self, lexicon: &dyn Lexicon) -> String {
        self.iter().collect::<UnitSet>().word(lexicon)
    }
    fn read(word: &str, lexicon: &dyn Lexicon) -> Result<Self, String> {
        let units = UnitSet::read(word, lexicon)?;
        if units.len() > Force::CAPACITY {
            return Err(format!("`{word}` names more than {} units", Force::CAPACITY));
        }
        Ok(units.iter().collect())
    }
}

impl Word for Hex {
    const KIND: &'static str = "hex";
    fn word(&self, lexicon: &dyn Lexicon) -> String {
        lexicon.map().label(*self)
    }
    fn read(word: &str, lexicon: &dyn Lexicon) -> Result<Self, String> {
        lexicon.map().hex(word)
    }
}

impl Word for Side {
    const KIND: &'static str = "side";
    fn word(&self, _: &dyn Lexicon) -> String {
        Side::word(*self).to_owned()
    }
    fn read(word: &str, _: &dyn Lexicon) -> Result<Self, String> {
        Side::from_word(word)
    }
}

impl Word for Mp {
    const KIND: &'static str = "mp";
    fn word(&self, _: &dyn Lexicon) -> String {
        self.to_string().replace(' ', "+")
    }
    fn read(word: &str, _: &dyn Lexicon) -> Result<Self, String> {
        Mp::from_str(&word.replace("+", " "))
    }
}

impl Word for bool {
    const KIND: &'static str = "yes-no";
    fn word(&self, _: &dyn Lexicon) -> String {
        if *self { "yes" } else { "no" }.to_owned()
    }
    fn read(word: &str, _: &dyn Lexicon) -> Result<Self, String> {
        match word {
            "yes" => Ok(true),
            "no" => Ok(false),
            _ => Err(format!("`{word}` is not yes or no")),
        }
    }
}

macro_rules! number_words {
    ($($type:ty),*) => {
        $(impl Word for $type {
            const KIND: &'static str = "number";
            fn word(&self, _: &dyn Lexicon) -> String {
                self.to_string()
            }
            fn read(word: &str, _: &dyn Lexicon) -> Result<Self, String> {
                word.parse().map_err(|_| {
                    format!("`{word}` is not a whole number from {} to {}", <$type>::MIN, <$type>::MAX)
                })
            }
        })*
    };
}

number_words!(u8, i8, u16, i16, i32, u32);

impl<T: Word> Word for Option<T> {
    const KIND: &'static str = T::KIND;
    fn word(&self, lexicon: &dyn Lexicon) -> String {
        self.as_ref().map_or_else(|| "-".to_owned(), |value| value.word(lexicon))
    }
    fn read(word: &str, lexicon: &dyn Lexicon) -> Result<Self, String> {
        if word == "-" { Ok(None) } else { T::read(word, lexicon).map(Some) }
    }
}

/// Declares an enum whose values are written as fixed words:
///
/// ```
/// engine::words! {
///     /// What a combat does.
///     pub enum Outcome: "result" {
///         /// Attackers lose a step.
///         AttackerLoss = "AL",
///         /// Defenders retreat.
///         Retreat = "DR",
///     }
/// }
/// assert_eq!(Outcome::Retreat.as_str(), "DR");
/// assert_eq!(Outcome::from_word("AL"), Ok(Outcome::AttackerLoss));
/// ```
#[macro_export]
macro_rules! words {
    (
        $(#[$meta:meta])*
        $vis:vis enum $Name:ident : $kind:literal {
            $( $(#[$vmeta:meta])* $Variant:ident = $word:literal ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $vis enum $Name { $( $(#[$vmeta])* $Variant ),* }

        impl $Name {
            /// All values, in the order of their declaration.
            pub const ALL: &'static [$Name] = &[$($Name::$Variant),*];

            /// The word for this value.
            pub const fn as_str(self) -> &'static str {
                match self { $( $Name::$Variant => $word ),* }
            }

            /// The value of a word, or what was expected.
            pub fn from_word(word: &str) -> Result<Self, String> {
                match word {
                    $( $word => Ok($Name::$Variant), )*
                    _ => Err(format!("`{word}` is not one of {}", [$($word),*].join(", "))),
                }
            }
        }

        impl $crate::Word for $Name {
            const KIND: &'static str = $kind;
            fn word(&self, _: &dyn $crate::Lexicon) -> String {
                self.as_str().to_owned()
            }
            fn read(word: &str, _: &dyn $crate::Lexicon) -> Result<Self, String> {
                Self::from_word(word)
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_sets_hold_every_unit_of_a_full_roster() {
        let all: UnitSet = (0..UnitSet::CAPACITY as u16).map(UnitId).collect();
        assert_eq!(all.len(), UnitSet::CAPACITY);
        assert_eq!(all.iter().last(), Some(UnitId(UnitSet::CAPACITY as u16 - 1)));
        let mut some = all;
        some.remove(UnitId(63));
        assert!(!some.contains(UnitId(63)) && some.contains(UnitId(64)));
        assert_eq!(some.iter().count(), UnitSet::CAPACITY - 1);
    }

    #[test]
    fn rosters_refuse_what_notation_could_not_read_back() {
        let mut roster = Roster::default();
        roster.add("ger-27").unwrap();
        assert!(roster.add("GER-27").is_err());
        assert!(roster.add("two words").is_err());
        assert!(roster.add("-").is_err());
        assert!(roster.add("a,b").is_err());
        assert_eq!(roster.find("Ger-27"), Ok(UnitId(0)));
    }
}
