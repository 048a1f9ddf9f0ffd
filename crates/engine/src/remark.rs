//! Sentences with their numbers in them: why something is refused, what is asked, how a game ended.

use std::fmt::Write;

use board::{Hex, Mp, Terrain};

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
    /// A sentence about facts, of which there may be at most [`MAX_FACTS`].
    pub fn new(case: Case, sentence: &'static str, facts: &[Fact]) -> Remark {
        debug_assert_eq!(sentence.matches("{}").count(), facts.len(), "{sentence}");
        let mut kept = [None; MAX_FACTS];
        for (slot, fact) in kept.iter_mut().zip(facts) {
            *slot = Some(*fact);
        }
        Remark { case, sentence, facts: kept }
    }

    /// The sentence in full.
    pub fn text(&self, lexicon: &dyn Lexicon) -> String {
        let mut out = String::new();
        let mut facts = self.facts.iter().flatten();
        let mut parts = self.sentence.split("{}");
        out.push_str(parts.next().unwrap_or_default());
        for part in parts {
            if let Some(fact) = facts.next() {
                write_fact(fact, lexicon, &mut out);
            }
            out.push_str(part);
        }
        out
    }
}

fn write_fact(fact: &Fact, lexicon: &dyn Lexicon, out: &mut String) {
    let _ = match fact {
        Fact::Hex(hex) => write!(out, "{}", lexicon.map().label(*hex)),
        Fact::Unit(unit) => write!(out, "{}", lexicon.roster().name(*unit)),
        Fact::Mp(mp) => write!(out, "{mp}"),
        Fact::Number(number) => write!(out, "{number}"),
        Fact::Side(side) => write!(out, "{side}"),
        Fact::Terrain(terrain) => write!(out, "{}", lexicon.map().terrain_name(*terrain)),
        Fact::Text(text) => write!(out, "{text}"),
    };
}

/// Why an action is not allowed.
pub type Violation = Remark;

/// A [`Remark`]: `remark!("9.5", "needs {} MP, has {}", need, have)`.
#[macro_export]
macro_rules! remark {
    ($case:literal, $sentence:literal $(, $fact:expr)* $(,)?) => {
        $crate::Remark::new($crate::case($case), $sentence, &[$($crate::Fact::from($fact)),*])
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
