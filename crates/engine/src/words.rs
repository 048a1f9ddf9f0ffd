//! Words: how units, hexes, sides and numbers are written in notation, and read back.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::str::FromStr;

use board::{Hex, Map, Mp};

use crate::row::{self, Cells, Row};
use crate::text::{self, Span, Text};
use crate::{BySide, Side};

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
    /// The most units that a roster can name; a rulebook may have room for fewer.
    pub const MAX: usize = 1024;

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

/// A set of units, small enough to stand in a state, an action or an unfinished procedure: a bit for each of `W` times 64
/// units. A rulebook names its own with room for all of its counters, `type Units = UnitSet<3>`.
///
/// ```
/// use engine::{UnitId, UnitSet};
/// let units: UnitSet<1> = [UnitId(7), UnitId(3), UnitId(7)].into_iter().collect();
/// assert_eq!(units.iter().collect::<Vec<_>>(), [UnitId(3), UnitId(7)]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnitSet<const W: usize>([u64; W]);

impl<const W: usize> Default for UnitSet<W> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const W: usize> UnitSet<W> {
    /// How many units of a game it has room for.
    pub const CAPACITY: usize = W * 64;

    /// The empty set.
    pub const EMPTY: Self = UnitSet([0; W]);

    /// The set of one unit.
    pub fn of(unit: UnitId) -> Self {
        Self::from_iter([unit])
    }

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

    /// Adds a unit or takes it out.
    pub fn set(&mut self, unit: UnitId, is_in: bool) {
        if is_in {
            self.insert(unit);
        } else {
            self.remove(unit);
        }
    }

    /// True when the unit is in the set.
    pub fn contains(&self, unit: UnitId) -> bool {
        self.0[unit.index() / 64] >> (unit.index() % 64) & 1 == 1
    }

    /// True when there is nobody in it.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; W]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The first in the order of the roster.
    pub fn first(&self) -> Option<UnitId> {
        self.iter().next()
    }

    /// The units in the order of the roster.
    pub fn iter(&self) -> impl Iterator<Item = UnitId> + Clone + use<W> {
        let words = self.0;
        (0..W).flat_map(move |i| {
            let mut word = words[i];
            std::iter::from_fn(move || {
                (word != 0).then(|| {
                    let bit = word.trailing_zeros() as usize;
                    word &= word - 1;
                    UnitId((i * 64 + bit) as u16)
                })
            })
        })
    }

    /// Those for which something holds.
    pub fn filter(&self, holds: impl Fn(UnitId) -> bool) -> Self {
        self.iter().filter(|unit| holds(*unit)).collect()
    }
}

impl<const W: usize> std::ops::BitOr for UnitSet<W> {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        UnitSet(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl<const W: usize> std::ops::BitAnd for UnitSet<W> {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        UnitSet(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl<const W: usize> std::ops::Sub for UnitSet<W> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        UnitSet(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }
}

impl<const W: usize> FromIterator<UnitId> for UnitSet<W> {
    fn from_iter<I: IntoIterator<Item = UnitId>>(units: I) -> Self {
        let mut set = Self::EMPTY;
        for unit in units {
            set.insert(unit);
        }
        set
    }
}

/// Something that not everybody is told: a unit that the enemy does not see, a number that only its owner knows.
///
/// An event that is told to one side as it is goes to the others with everything [veiled](crate::Telling::veiled) that is
/// declared so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Veiled<T> {
    /// As it is.
    Known(T),
    /// Not told.
    Hidden,
}

impl<T> From<T> for Veiled<T> {
    fn from(value: T) -> Self {
        Veiled::Known(value)
    }
}

/// What words mean in a game: its map and its units.
pub trait Lexicon {
    /// The map, which knows the labels of hexes.
    fn map(&self) -> &Map;
    /// The units and their names.
    fn roster(&self) -> &Roster;
    /// What the two sides are called.
    fn sides(&self) -> BySide<&'static str>;
}

/// Says that a rulebook has its map in `map` and its units in `roster`: `lexicon!(Mini);`.
#[macro_export]
macro_rules! lexicon {
    ($Book:ident) => {
        impl $crate::Lexicon for $Book {
            fn map(&self) -> &board::Map {
                &self.map
            }
            fn roster(&self) -> &$crate::Roster {
                &self.roster
            }
            fn sides(&self) -> $crate::BySide<&'static str> {
                <$Book as $crate::Types>::BOOK.sides
            }
        }
    };
}

/// A value that is written as one word (without white space) and read back from it.
pub trait Word: Sized + Clone {
    /// What sort of word it is, for help and for clients: `unit`, `hex`, `number` …
    const KIND: &'static str;
    /// The word.
    fn word(&self, lexicon: &dyn Lexicon) -> String;
    /// The value of a word, or what was expected.
    fn read(word: &str, lexicon: &dyn Lexicon) -> Result<Self, String>;

    /// The words that sentences say otherwise than with spaces for hyphens, and what they say.
    const SAID: &'static [(&'static str, &'static str)] = &[];

    /// Puts it into a sentence; false when it is not known.
    fn tell(&self, lexicon: &dyn Lexicon, text: &mut Text) -> bool {
        text.words(self.word(lexicon));
        true
    }

    /// The same as those see it who are not told everything.
    fn veiled(&self) -> Self {
        self.clone()
    }

    /// Puts it into a row of numbers; false when it does not fit.
    fn write_cells(&self, lexicon: &dyn Lexicon, row: &mut Row) -> bool;

    /// Takes it from a row.
    fn read_cells(cells: &mut Cells<'_>) -> Option<Self>;

    /// Leaves its place in a row empty.
    fn write_blank(_lexicon: &dyn Lexicon, row: &mut Row) -> bool {
        row.value(row::NONE)
    }

    /// How a sentence speaks of it when it is not known.
    const UNKNOWN: &'static str = "?";
}

impl Word for UnitId {
    const KIND: &'static str = "unit";
    const UNKNOWN: &'static str = "a unit";
    fn word(&self, lexicon: &dyn Lexicon) -> String {
        lexicon.roster().name(*self).to_owned()
    }
    fn read(word: &str, lexicon: &dyn Lexicon) -> Result<Self, String> {
        lexicon.roster().find(word)
    }
    fn tell(&self, lexicon: &dyn Lexicon, text: &mut Text) -> bool {
        text.push(Span::Unit(self.word(lexicon)));
        true
    }
    fn write_cells(&self, _: &dyn Lexicon, row: &mut Row) -> bool {
        row.unit(Some(*self))
    }
    fn read_cells(cells: &mut Cells<'_>) -> Option<Self> {
        cells.unit()?
    }
    fn write_blank(_: &dyn Lexicon, row: &mut Row) -> bool {
        row.unit(None)
    }
}

impl<const W: usize> Word for UnitSet<W> {
    const KIND: &'static str = "units";
    const UNKNOWN: &'static str = "units";
    fn word(&self, lexicon: &dyn Lexicon) -> String {
        if self.is_empty() {
            return "-".to_owned();
        }
        let names: Vec<&str> = self.iter().map(|unit| lexicon.roster().name(unit)).collect();
        names.join(",")
    }
    fn read(word: &str, lexicon: &dyn Lexicon) -> Result<Self, String> {
        if word == "-" {
            return Ok(Self::EMPTY);
        }
        word.split(',').map(|name| lexicon.roster().find(name)).collect()
    }
    fn tell(&self, lexicon: &dyn Lexicon, text: &mut Text) -> bool {
        let names: Vec<Span> = self.iter().map(|unit| Span::Unit(unit.word(lexicon))).collect();
        if names.is_empty() {
            text.words("nobody");
        }
        text::listed(names.into_iter(), text);
        true
    }
    /// A set stands last among the units of a phrase: it takes what room is left.
    fn write_cells(&self, _: &dyn Lexicon, row: &mut Row) -> bool {
        self.iter().all(|unit| row.unit(Some(unit)))
    }
    fn read_cells(cells: &mut Cells<'_>) -> Option<Self> {
        let mut units = Self::EMPTY;
        while let Some(unit) = cells.unit().flatten() {
            units.insert(unit);
        }
        Some(units)
    }
    fn write_blank(_: &dyn Lexicon, _: &mut Row) -> bool {
        true
    }
}

impl Word for Hex {
    const KIND: &'static str = "hex";
    const UNKNOWN: &'static str = "a hex";
    fn word(&self, lexicon: &dyn Lexicon) -> String {
        lexicon.map().label(*self)
    }
    fn read(word: &str, lexicon: &dyn Lexicon) -> Result<Self, String> {
        lexicon.map().hex(word)
    }
    fn tell(&self, lexicon: &dyn Lexicon, text: &mut Text) -> bool {
        text.push(Span::Hex(self.word(lexicon)));
        true
    }
    fn write_cells(&self, lexicon: &dyn Lexicon, row: &mut Row) -> bool {
        row.hex(Some(*self), lexicon)
    }
    fn read_cells(cells: &mut Cells<'_>) -> Option<Self> {
        cells.hex()?
    }
    fn write_blank(lexicon: &dyn Lexicon, row: &mut Row) -> bool {
        row.hex(None, lexicon)
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
    fn tell(&self, lexicon: &dyn Lexicon, text: &mut Text) -> bool {
        text.words(lexicon.sides()[*self]);
        true
    }
    fn write_cells(&self, _: &dyn Lexicon, row: &mut Row) -> bool {
        row.value(*self as i16)
    }
    fn read_cells(cells: &mut Cells<'_>) -> Option<Self> {
        let place = usize::try_from(cells.value()?).ok()?;
        Side::BOTH.get(place).copied()
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
    fn tell(&self, _: &dyn Lexicon, text: &mut Text) -> bool {
        text.push(Span::Number(self.to_string()));
        true
    }
    fn write_cells(&self, _: &dyn Lexicon, row: &mut Row) -> bool {
        row.value(self.in_twelfths())
    }
    fn read_cells(cells: &mut Cells<'_>) -> Option<Self> {
        u16::try_from(cells.value()?).ok().map(Mp::twelfths)
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
    fn write_cells(&self, _: &dyn Lexicon, row: &mut Row) -> bool {
        row.value(i16::from(*self))
    }
    fn read_cells(cells: &mut Cells<'_>) -> Option<Self> {
        Some(cells.value()? == 1)
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
            fn tell(&self, _: &dyn Lexicon, text: &mut Text) -> bool {
                text.push(Span::Number(self.to_string()));
                true
            }
            fn write_cells(&self, _: &dyn Lexicon, row: &mut Row) -> bool {
                row.value(*self)
            }
            fn read_cells(cells: &mut Cells<'_>) -> Option<Self> {
                <$type>::try_from(cells.value()?).ok()
            }
        })*
    };
}

number_words!(u8, i8, u16, i16, i32, u32);

impl<T: Word> Word for Option<T> {
    const KIND: &'static str = T::KIND;
    const SAID: &'static [(&'static str, &'static str)] = T::SAID;
    fn word(&self, lexicon: &dyn Lexicon) -> String {
        self.as_ref().map_or_else(|| "-".to_owned(), |value| value.word(lexicon))
    }
    fn read(word: &str, lexicon: &dyn Lexicon) -> Result<Self, String> {
        if word == "-" { Ok(None) } else { T::read(word, lexicon).map(Some) }
    }
    fn tell(&self, lexicon: &dyn Lexicon, text: &mut Text) -> bool {
        match self {
            Some(value) => value.tell(lexicon, text),
            None => false,
        }
    }
    fn veiled(&self) -> Self {
        self.as_ref().map(T::veiled)
    }
    fn write_cells(&self, lexicon: &dyn Lexicon, row: &mut Row) -> bool {
        match self {
            Some(value) => value.write_cells(lexicon, row),
            None => T::write_blank(lexicon, row),
        }
    }
    fn read_cells(cells: &mut Cells<'_>) -> Option<Self> {
        Some(T::read_cells(cells))
    }
    fn write_blank(lexicon: &dyn Lexicon, row: &mut Row) -> bool {
        T::write_blank(lexicon, row)
    }
}

impl<T: Word> Word for Veiled<T> {
    const KIND: &'static str = T::KIND;
    const SAID: &'static [(&'static str, &'static str)] = T::SAID;
    fn word(&self, lexicon: &dyn Lexicon) -> String {
        match self {
            Veiled::Known(value) => value.word(lexicon),
            Veiled::Hidden => "?".to_owned(),
        }
    }
    fn read(word: &str, lexicon: &dyn Lexicon) -> Result<Self, String> {
        if word == "?" { Ok(Veiled::Hidden) } else { T::read(word, lexicon).map(Veiled::Known) }
    }
    fn tell(&self, lexicon: &dyn Lexicon, text: &mut Text) -> bool {
        match self {
            Veiled::Known(value) => value.tell(lexicon, text),
            Veiled::Hidden => {
                text.words(T::UNKNOWN);
                false
            }
        }
    }
    fn veiled(&self) -> Self {
        Veiled::Hidden
    }
    fn write_cells(&self, lexicon: &dyn Lexicon, row: &mut Row) -> bool {
        match self {
            Veiled::Known(value) => value.write_cells(lexicon, row),
            Veiled::Hidden => T::write_blank(lexicon, row),
        }
    }
    fn read_cells(cells: &mut Cells<'_>) -> Option<Self> {
        Some(T::read_cells(cells).map_or(Veiled::Hidden, Veiled::Known))
    }
}

/// How a sentence says a word of a rulebook: `hero-city` is a hero city, and `3-1` remains what it is.
pub fn said(word: &'static str, said: &[(&'static str, &'static str)]) -> Cow<'static, str> {
    if let Some((_, said)) = said.iter().find(|(known, _)| *known == word) {
        return Cow::Borrowed(said);
    }
    // Anti-tank has its hyphen in print, too.
    if !word.contains('-') || word.starts_with("anti-") {
        return Cow::Borrowed(word);
    }
    let mut before = ' ';
    let spaced = |c: char| {
        let hyphen = c == '-' && before.is_lowercase();
        before = c;
        if hyphen { ' ' } else { c }
    };
    Cow::Owned(word.chars().map(spaced).collect())
}

/// Declares an enum whose values are written as fixed words, and said with spaces for hyphens or as stands after a colon:
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
///
/// engine::words! {
///     /// Why a column is shifted: each word with its case.
///     pub enum Cause: "cause" {
///         River = "river", "11.9b";
///         HeroCity = "hero-city", "11.9c";
///         Supply = "attacker-oos": "attackers out of supply", "11.9d";
///     }
/// }
/// assert_eq!(Cause::HeroCity.case().0, "11.9c");
/// assert_eq!((Cause::HeroCity.said(), Cause::Supply.said()), ("hero city".into(), "attackers out of supply".into()));
/// ```
#[macro_export]
macro_rules! words {
    (
        $(#[$meta:meta])*
        $vis:vis enum $Name:ident : $kind:literal {
            $( $(#[$vmeta:meta])* $Variant:ident = $word:literal $(: $said:literal)?, $case:literal );* $(;)?
        }
    ) => {
        $crate::words! {
            $(#[$meta])*
            $vis enum $Name: $kind { $( $(#[$vmeta])* $Variant = $word $(: $said)? ),* }
        }

        impl $Name {
            /// The case behind this value.
            pub const fn case(self) -> $crate::Case {
                match self { $( $Name::$Variant => $crate::case($case) ),* }
            }
        }
    };
    (
        $(#[$meta:meta])*
        $vis:vis enum $Name:ident : $kind:literal {
            $( $(#[$vmeta:meta])* $Variant:ident = $word:literal $(: $said:literal)? ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $vis enum $Name { $( $(#[$vmeta])* #[doc = concat!("`", $word, "`")] $Variant ),* }

        impl $Name {
            /// All values, in the order of their declaration.
            pub const ALL: &'static [$Name] = &[$($Name::$Variant),*];

            /// The word for this value.
            pub const fn as_str(self) -> &'static str {
                match self { $( $Name::$Variant => $word ),* }
            }

            /// How a sentence says it.
            pub fn said(self) -> std::borrow::Cow<'static, str> {
                $crate::words::said(self.as_str(), <Self as $crate::Word>::SAID)
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
            const SAID: &'static [(&'static str, &'static str)] = &[ $( $( ($word, $said), )? )* ];
            fn tell(&self, _: &dyn $crate::Lexicon, text: &mut $crate::Text) -> bool {
                text.words(self.said());
                true
            }
            fn word(&self, _: &dyn $crate::Lexicon) -> String {
                self.as_str().to_owned()
            }
            fn read(word: &str, _: &dyn $crate::Lexicon) -> Result<Self, String> {
                Self::from_word(word)
            }
            fn write_cells(&self, _: &dyn $crate::Lexicon, row: &mut $crate::Row) -> bool {
                row.value(*self as i16)
            }
            fn read_cells(cells: &mut $crate::row::Cells<'_>) -> Option<Self> {
                let place = usize::try_from(cells.value()?).ok()?;
                Self::ALL.get(place).copied()
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_sets_hold_every_unit_that_they_have_room_for() {
        type Units = UnitSet<5>;
        let all: Units = (0..Units::CAPACITY as u16).map(UnitId).collect();
        assert_eq!(all.len(), Units::CAPACITY);
        assert_eq!(all.iter().last(), Some(UnitId(Units::CAPACITY as u16 - 1)));
        let mut some = all;
        some.remove(UnitId(63));
        assert!(!some.contains(UnitId(63)) && some.contains(UnitId(64)));
        assert_eq!(some.iter().count(), Units::CAPACITY - 1);
        assert_eq!(
            (all - some, all & some, some | Units::of(UnitId(63))),
            (Units::of(UnitId(63)), some, all)
        );
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
