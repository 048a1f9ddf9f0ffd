//! Texts for people, as spans.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A text for people: what is read in its order, words as they are and everything else as an object, such as
/// `["an enemy unit is in ", {"hex": "1203"}]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Text(pub Vec<Span>);

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(untagged)]
pub enum Span {
    /// Plain words.
    Words(String),
    /// Something that is not words.
    Thing(Thing),
}

/// What a text can name besides words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Thing {
    /// A unit, by its name in notation.
    Unit(String),
    /// A hex, by its label.
    Hex(String),
    /// A number, with its sign or fraction.
    Number(String),
    /// A case of the rulebook, by its number.
    Case(String),
}

impl Text {
    /// True when it names this unit or hex.
    pub fn names(&self, word: &str) -> bool {
        let named = |span: &Span| match span {
            Span::Thing(Thing::Unit(name) | Thing::Hex(name)) => name == word,
            _ => false,
        };
        self.0.iter().any(named)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|span| match span {
            Span::Words(text)
            | Span::Thing(Thing::Unit(text) | Thing::Hex(text) | Thing::Number(text) | Thing::Case(text)) => {
                f.write_str(text)
            }
        })
    }
}

impl From<engine::Text> for Text {
    fn from(text: engine::Text) -> Text {
        let span = |span: engine::Span| match span {
            engine::Span::Words(words) => Span::Words(words.into_owned()),
            engine::Span::Unit(unit) => Span::Thing(Thing::Unit(unit)),
            engine::Span::Hex(label) => Span::Thing(Thing::Hex(label)),
            engine::Span::Number(number) => Span::Thing(Thing::Number(number)),
            engine::Span::Case(number) => Span::Thing(Thing::Case(number.into_owned())),
        };
        Text(text.0.into_iter().map(span).collect())
    }
}

impl From<String> for Text {
    fn from(words: String) -> Text {
        Text(vec![Span::Words(words)])
    }
}

impl From<&str> for Text {
    fn from(words: &str) -> Text {
        words.to_owned().into()
    }
}

/// What is read counts.
impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        let read = self.to_string();
        read == *other
    }
}
