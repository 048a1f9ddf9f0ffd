//! Texts for people, as spans: words, units, hexes, cases and numbers, so that nobody has to look for them in a sentence.

use std::borrow::Cow;
use std::fmt;

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Span {
    /// Plain words.
    Words(Cow<'static, str>),
    /// A unit, by its name.
    Unit(String),
    /// A hex, by its label.
    Hex(String),
    /// A number, with its sign or fraction.
    Number(String),
    /// A case of the rulebook, by its number.
    Case(Cow<'static, str>),
}

impl Span {
    /// What is read.
    pub fn as_str(&self) -> &str {
        match self {
            Span::Words(words) => words,
            Span::Unit(text) | Span::Hex(text) | Span::Number(text) => text,
            Span::Case(case) => case,
        }
    }
}

/// A text for people.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Text(pub Vec<Span>);

impl Text {
    /// Plain words alone.
    pub fn plain(words: impl Into<Cow<'static, str>>) -> Text {
        let mut text = Text::default();
        text.words(words);
        text
    }

    /// The spans in their order.
    pub fn of(spans: impl IntoIterator<Item = Span>) -> Text {
        let mut text = Text::default();
        spans.into_iter().for_each(|span| text.push(span));
        text
    }

    /// Adds words; none when they are empty.
    pub fn words(&mut self, words: impl Into<Cow<'static, str>>) {
        let words = words.into();
        match self.0.last_mut() {
            _ if words.is_empty() => {}
            Some(Span::Words(last)) => last.to_mut().push_str(&words),
            _ => self.0.push(Span::Words(words)),
        }
    }

    /// Adds a span.
    pub fn push(&mut self, span: Span) {
        match span {
            Span::Words(words) => self.words(words),
            span => self.0.push(span),
        }
    }

    /// Adds another text.
    pub fn append(&mut self, text: Text) {
        for span in text.0 {
            self.push(span);
        }
    }

    /// The units that it names.
    pub fn units(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|span| match span {
            Span::Unit(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// The labels of the hexes that it names.
    pub fn hexes(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|span| match span {
            Span::Hex(label) => Some(label.as_str()),
            _ => None,
        })
    }

    /// True when nothing is said.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|span| f.write_str(span.as_str()))
    }
}

impl From<&'static str> for Span {
    fn from(words: &'static str) -> Span {
        Span::Words(words.into())
    }
}

impl From<String> for Span {
    fn from(words: String) -> Span {
        Span::Words(words.into())
    }
}

impl From<Text> for String {
    fn from(text: Text) -> String {
        text.to_string()
    }
}

/// A list as people say it: `a`, `a and b`, `a, b and c`.
pub fn listed(items: impl ExactSizeIterator<Item = Span>, text: &mut Text) {
    let last = items.len().saturating_sub(1);
    for (i, item) in items.enumerate() {
        match i {
            0 => {}
            i if i == last => text.words(" and "),
            _ => text.words(", "),
        }
        text.push(item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_read_as_people_say_them() {
        let of = |names: &[&str]| {
            let mut text = Text::default();
            listed(names.iter().map(|name| Span::Unit((*name).to_owned())), &mut text);
            text.to_string()
        };
        assert_eq!(of(&["a"]), "a");
        assert_eq!(of(&["a", "b"]), "a and b");
        assert_eq!(of(&["a", "b", "c"]), "a, b and c");
    }

    #[test]
    fn words_run_together_and_the_rest_stands_apart() {
        let mut text = Text::plain("to ");
        text.push(Span::Hex("1203".into()));
        text.words(" for ");
        text.words("");
        text.words("free");
        assert_eq!(text.0.len(), 3);
        assert_eq!(text.to_string(), "to 1203 for free");
        assert_eq!(text.hexes().collect::<Vec<_>>(), ["1203"]);
    }
}
