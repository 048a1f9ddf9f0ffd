//! Sentences with their numbers in them: why something is refused, what is asked, how a game ended.

use board::{Hex, Mp, Terrain};

use crate::text::{Span, Text};
use crate::{Case, Lexicon, Side, UnitId};

/// A thing that a sentence mentions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fact {
    /// A hex, told by its label.
    Hex(Hex),
    /// A unit, told by its name.
    Unit(UnitId),
    /// Movement points.
    Mp(Mp),
    /// A number.
    Number(i32),
    /// A side.
    Side(Side),
    /// A kind of terrain.
    Terrain(Terrain),
    /// A fixed word.
    Text(&'static &'static str),
}

macro_rules! fact_from {
    ($($type:ty => $variant:ident),* $(,)?) => {
        $(impl From<$type> for Fact {
            fn from(value: $type) -> Fact {
                Fact::$variant(value.into())
            }
        })*
    };
}

fact_from! {
    Hex => Hex, UnitId => Unit, Mp => Mp, i32 => Number, u8 => Number, i8 => Number, u16 => Number,
    Side => Side, Terrain => Terrain, &'static &'static str => Text,
}

/// How many facts a remark can hold.
pub const MAX_FACTS: usize = 5;

/// A sentence with its rule case, kept as data: nothing is formatted until somebody reads it, so that
/// listing legal answers never pays for the text of what is refused on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Remark {
    /// The case that says so.
    pub case: Case,
    /// The sentence, lower case and without a full stop, with `{}` for each fact.
    pub sentence: &'static str,
    facts: [Option<Fact>; MAX_FACTS],
}

impl Remark {
    /// A sentence about facts. More than [`MAX_FACTS`] do not compile.
    pub fn new<const N: usize>(case: Case, sentence: &'static str, facts: [Fact; N]) -> Remark {
        Remark::of(case, sentence, facts.map(Some))
    }

    /// The same with as many facts as there are among these.
    pub(crate) fn of<const N: usize>(case: Case, sentence: &'static str, facts: [Option<Fact>; N]) -> Remark {
        const { assert!(N <= MAX_FACTS, "a remark has room for fewer facts") };
        debug_assert_eq!(sentence.matches("{}").count(), facts.iter().flatten().count(), "{sentence}");
        let mut kept = [None; MAX_FACTS];
        kept[..N].copy_from_slice(&facts);
        Remark { case, sentence, facts: kept }
    }

    /// The sentence in full.
    pub fn text(&self, lexicon: &dyn Lexicon) -> Text {
        let mut text = Text::default();
        let mut facts = self.facts.iter().flatten();
        let mut parts = self.sentence.split("{}");
        text.words(parts.next().unwrap_or_default());
        for part in parts {
            if let Some(fact) = facts.next() {
                fact.tell(lexicon, &mut text);
            }
            text.words(part);
        }
        text
    }
}

impl Fact {
    fn tell(&self, lexicon: &dyn Lexicon, text: &mut Text) {
        match self {
            Fact::Hex(hex) => text.push(Span::Hex(lexicon.map().label(*hex))),
            Fact::Unit(unit) => text.push(Span::Unit(lexicon.roster().name(*unit).to_owned())),
            Fact::Mp(mp) => text.push(Span::Number(mp.to_string())),
            Fact::Number(number) => text.push(Span::Number(number.to_string())),
            Fact::Side(side) => text.words(lexicon.sides()[*side]),
            Fact::Terrain(terrain) => text.words(lexicon.map().terrain_name(*terrain).to_owned()),
            Fact::Text(words) => text.words(**words),
        }
    }
}

/// Why an action is not allowed.
pub type Violation = Remark;

/// A [`Remark`]: `remark!("9.5", "needs {} MP, has {}", need, have)`.
#[macro_export]
macro_rules! remark {
    ($case:literal, $sentence:literal $(, $fact:expr)* $(,)?) => {
        $crate::Remark::new($crate::case($case), $sentence, [$($crate::Fact::from($fact)),*])
    };
}

/// Refuses with a case and a sentence unless the condition holds:
/// `ensure!("11.17", self.room_for(unit, to), "{} is full", to)`.
#[macro_export]
macro_rules! ensure {
    ($case:literal, $condition:expr, $sentence:literal $(, $fact:expr)* $(,)?) => {
        if !$condition {
            return Err($crate::remark!($case, $sentence $(, $fact)*));
        }
    };
}

/// Refuses with a case and a sentence.
#[macro_export]
macro_rules! refuse {
    ($case:literal, $sentence:literal $(, $fact:expr)* $(,)?) => {
        return Err($crate::remark!($case, $sentence $(, $fact)*))
    };
}
