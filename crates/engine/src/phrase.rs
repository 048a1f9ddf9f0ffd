//! Phrases: one declaration of an action, an event or an unfinished procedure gives its notation, its sentence, its rule
//! case, its fields, what it is to clients that know no rule, and a row of small numbers for programs.

use crate::row::{Cells, Row};
use crate::text::Text;
use crate::{Case, Lexicon, Word};

/// A field of a [`Form`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What sort of word stands there.
    pub kind: &'static str,
    /// The words that sentences say otherwise, see [`Word::SAID`].
    pub said: &'static [(&'static str, &'static str)],
}

/// What a phrase is to those who know no rule: clients, odds, opponents, the lab.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    /// Nothing in particular.
    #[default]
    Plain,
    /// An answer that finishes something by doing no more: what a client puts on its main button, and what completes a
    /// commitment. Of several the one that is declared first.
    Finish,
    /// An answer that ends the phase: it finishes, too, but completes no commitment.
    EndPhase,
    /// An answer that only takes back another: to leave an attack that is being put together, to cancel it.
    TakeBack,
    /// An answer that only puts things in order: which counter lies on top. Nobody is waited for to give it.
    Arrange,
    /// What an answer costs.
    Price,
    /// A turn begins.
    Turn,
    /// A phase begins.
    Phase,
    /// A part of the account of a combat: a strength, an addition, a shift, the column.
    Account,
    /// The column of a table that counts in the end.
    Column,
    /// What a table says.
    Result,
    /// What a die says to a player who may still roll it again.
    Reading,
    /// A unit has gone to a hex.
    Move,
    /// A unit loses strength.
    Loss,
    /// A unit is gone.
    Eliminated,
    /// A unit retreats.
    Retreat,
    /// A unit advances after combat.
    Advance,
    /// An attack is declared.
    Attack,
    /// Something hidden is shown.
    Shown,
    /// A hex changes hands.
    Control,
    /// A unit arrives.
    Arrival,
    /// The game is over.
    End,
}

/// What all phrases of one sort have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// The first word in notation; the name of an event.
    pub name: &'static str,
    /// The case that grants, demands or explains it.
    pub case: Case,
    /// For people, with `{field}` for each field that is told, and `{field?words}` for words that are told when it is yes. What
    /// stands in `[` and `]` is left out when a field in it is not known.
    pub sentence: &'static str,
    /// The words that follow the name, in order.
    pub fields: &'static [Field],
    /// What it is to those who know no rule.
    pub role: Role,
}

/// Phrases with more fields than this are written with the names of their fields.
const MOST_UNNAMED: usize = 5;

impl Form {
    /// How this is typed: `move UNIT HEX`.
    pub fn usage(&self) -> String {
        let mut usage = self.name.to_owned();
        for field in self.fields {
            usage.push(' ');
            usage.push_str(&field.name.to_uppercase());
        }
        usage
    }
}

/// A value of a type declared by [`phrases!`](crate::phrases) or [`frames!`](crate::frames).
pub trait Phrase: Sized + Clone + PartialEq + std::fmt::Debug {
    /// Every form, in the order of declaration.
    const FORMS: &'static [Form];

    /// The place of this phrase's form among [`Phrase::FORMS`].
    fn index(&self) -> usize;

    /// The words of the fields.
    fn words(&self, lexicon: &dyn Lexicon) -> Vec<String>;

    /// The phrase of a name and the words that follow it.
    fn from_words(name: &str, words: &mut Words<'_>) -> Result<Self, String>;

    /// Small numbers for programs: the form, then units, hexes and values. False when a field does not fit.
    fn write_row(&self, lexicon: &dyn Lexicon, row: &mut Row) -> bool;

    /// The form of this phrase.
    fn form(&self) -> &'static Form {
        &Self::FORMS[self.index()]
    }

    /// One line that [`Phrase::parse`] reads back.
    fn notation(&self, lexicon: &dyn Lexicon) -> String {
        let form = self.form();
        let mut line = form.name.to_owned();
        for (field, word) in form.fields.iter().zip(self.words(lexicon)) {
            line.push(' ');
            if form.fields.len() > MOST_UNNAMED {
                line.push_str(field.name);
                line.push('=');
            }
            line.push_str(&word);
        }
        line
    }

    /// Reads a line of notation. A word may be given with the name of its field: `unit=ger-27`.
    fn parse(line: &str, lexicon: &dyn Lexicon) -> Result<Self, String> {
        let mut words = line.split_whitespace();
        let name = words.next().ok_or("nothing is written here; expected an action")?;
        let mut words = Words { words, lexicon };
        let phrase = Self::from_words(name, &mut words)?;
        match words.words.next() {
            None => Ok(phrase),
            Some(extra) => Err(format!("`{extra}` is too much; expected `{}`", phrase.form().usage())),
        }
    }
}

/// A phrase whose fields can be told one by one: an action or an event.
pub trait Telling: Phrase {
    /// A sentence for people.
    fn text(&self, lexicon: &dyn Lexicon) -> Text;

    /// The same with everything veiled that not everybody is told.
    fn veiled(&self) -> Self;

    /// The phrase of a row, if it is one.
    fn read_row(row: &Row, lexicon: &dyn Lexicon) -> Option<Self>;

    /// The sentence as plain text.
    fn sentence(&self, lexicon: &dyn Lexicon) -> String {
        self.text(lexicon).to_string()
    }
}

/// The words after the name of a phrase, taken one by one.
pub struct Words<'a> {
    words: std::str::SplitWhitespace<'a>,
    lexicon: &'a dyn Lexicon,
}

impl Words<'_> {
    /// The next word as a value of a field.
    pub fn take<T: Word>(&mut self, form: &str, field: &str) -> Result<T, String> {
        let word = self
            .words
            .next()
            .ok_or_else(|| format!("`{form}` needs a {} here: {}", T::KIND, field.to_uppercase()))?;
        let plain = match word.split_once('=') {
            Some((name, value)) if name == field => value,
            _ => word,
        };
        T::read(plain, self.lexicon)
    }
}

/// What is said of a name that no form has.
pub fn unknown(name: &str, forms: &[Form]) -> String {
    let names: Vec<&str> = forms.iter().map(|form| form.name).collect();
    format!("`{name}` is not one of {}", names.join(", "))
}

/// Fills the holes of a sentence: `tell` adds a field to the text and says whether it is known. A part in brackets is left
/// out when a field in it is not.
pub fn fill(sentence: &'static str, mut tell: impl FnMut(&str, &mut Text) -> bool) -> Text {
    let mut text = Text::default();
    let mut rest = sentence;
    while let Some(open) = rest.find('[') {
        let (before, bracket) = rest.split_at(open);
        fill_part(before, &mut text, &mut tell);
        let (inside, after) = bracket[1..].split_once(']').unwrap_or((&bracket[1..], ""));
        let mut part = Text::default();
        if fill_part(inside, &mut part, &mut tell) {
            text.append(part);
        }
        rest = after;
    }
    fill_part(rest, &mut text, &mut tell);
    text
}

/// Fills a part without brackets; true when all of its fields are known.
fn fill_part(part: &'static str, text: &mut Text, tell: &mut impl FnMut(&str, &mut Text) -> bool) -> bool {
    let mut known = true;
    let mut rest = part;
    while let Some((before, after)) = rest.split_once('{') {
        text.words(before);
        let (field, after) = after.split_once('}').unwrap_or((after, ""));
        known &= match field.split_once('?') {
            Some((flag, words)) => fill_if(flag, words, text, tell),
            None => tell(field, text),
        };
        rest = after;
    }
    text.words(rest);
    known
}

/// Adds words when a field of yes or no is yes; true when it is known.
fn fill_if(
    flag: &str,
    words: &'static str,
    text: &mut Text,
    tell: &mut impl FnMut(&str, &mut Text) -> bool,
) -> bool {
    let mut said = Text::default();
    let known = tell(flag, &mut said);
    if known && said.to_string() == "yes" {
        text.words(words);
    }
    known
}

/// Reads the fields of a row in order.
pub fn cells<'r>(row: &'r Row, lexicon: &'r dyn Lexicon) -> Cells<'r> {
    Cells::new(row, lexicon)
}

/// Declares an enum of phrases. Each variant says its name in notation, its case, a sentence, and what it is to those who
/// know no rule, if anything:
///
/// ```
/// use engine::{phrases, Phrase, UnitId};
/// phrases! {
///     /// What a player may answer.
///     #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
///     pub enum Action {
///         /// Go to a hex by the cheapest lawful path.
///         Move { unit: UnitId, to: board::Hex } = "move", "4.1", "{unit} moves to {to}";
///         /// No more moves.
///         End = "end", "1.1", "end the phase", EndPhase;
///     }
/// }
/// assert_eq!(Action::FORMS[0].usage(), "move UNIT TO");
/// ```
///
/// A struct is declared the same way: `pub struct Luck { side: Side, roll: u8 } = "luck", "7.1", "{side} has rolled {roll}";`.
/// Such are the frames of a rulebook, see [`frames!`](crate::frames).
#[macro_export]
macro_rules! phrases {
    (
        $(#[$meta:meta])*
        $vis:vis enum $Name:ident {
            $(
                $(#[$vmeta:meta])*
                $Variant:ident $({ $( $(#[$fmeta:meta])* $field:ident : $Type:ty ),* $(,)? })?
                    = $name:literal, $case:literal, $sentence:literal $(, $role:ident)?
            );* $(;)?
        }
    ) => {
        $(#[$meta])*
        $vis enum $Name {
            $(
                $(#[$vmeta])*
                #[doc = concat!("`", $sentence, "` (", $case, ")")]
                $Variant $({ $( $(#[$fmeta])* #[allow(missing_docs)] $field: $Type ),* })?
            ),*
        }

        impl $crate::Phrase for $Name {
            const FORMS: &'static [$crate::Form] = &[ $(
                $crate::form!($name, $case, $sentence, [$($( $field: $Type ),*)?] $(, $role)?)
            ),* ];

            #[allow(unused_variables)]
            fn index(&self) -> usize {
                enum Index { $( $Variant ),* }
                match self { $( $Name::$Variant { .. } => Index::$Variant as usize ),* }
            }

            #[allow(unused_variables)]
            fn words(&self, lexicon: &dyn $crate::Lexicon) -> Vec<String> {
                match self { $(
                    $Name::$Variant $({ $($field),* })? => {
                        vec![ $($( $crate::Word::word($field, lexicon) ),*)? ]
                    }
                ),* }
            }

            #[allow(unused_variables)]
            fn from_words(name: &str, words: &mut $crate::Words<'_>) -> Result<Self, String> {
                match name {
                    $( $name => Ok($Name::$Variant $({ $( $field: words.take($name, stringify!($field))? ),* })?), )*
                    _ => Err($crate::phrase::unknown(name, Self::FORMS)),
                }
            }

            #[allow(unused_variables)]
            fn write_row(&self, lexicon: &dyn $crate::Lexicon, row: &mut $crate::Row) -> bool {
                row.clear($crate::Phrase::index(self));
                match self { $(
                    $Name::$Variant $({ $($field),* })? => true $($( && $crate::Word::write_cells($field, lexicon, row) )*)?
                ),* }
            }
        }

        impl $crate::Telling for $Name {
            #[allow(unused_variables)]
            fn text(&self, lexicon: &dyn $crate::Lexicon) -> $crate::Text {
                match self { $(
                    $Name::$Variant $({ $($field),* })? => $crate::phrase::fill($sentence, |name, text| match name {
                        $($( stringify!($field) => $crate::Word::tell($field, lexicon, text), )*)?
                        _ => false,
                    })
                ),* }
            }

            fn veiled(&self) -> Self {
                match self { $(
                    $Name::$Variant $({ $($field),* })? => {
                        $Name::$Variant $({ $( $field: $crate::Word::veiled($field) ),* })?
                    }
                ),* }
            }

            #[allow(unused_variables, unused_mut)]
            fn read_row(row: &$crate::Row, lexicon: &dyn $crate::Lexicon) -> Option<Self> {
                let mut cells = $crate::phrase::cells(row, lexicon);
                enum Index { $( $Variant ),* }
                $( if row.form() == Index::$Variant as usize {
                    return Some($Name::$Variant $({ $( $field: $crate::Word::read_cells(&mut cells)? ),* })?);
                } )*
                None
            }
        }
    };

    (
        $(#[$meta:meta])*
        $vis:vis struct $Name:ident $({ $( $(#[$fmeta:meta])* $field:ident : $Type:ty ),* $(,)? })?
            = $name:literal, $case:literal, $sentence:literal $(, $role:ident)? $(;)?
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        $vis struct $Name { $( $( $(#[$fmeta])* #[allow(missing_docs)] pub $field: $Type ),* )? }

        impl $crate::Phrase for $Name {
            const FORMS: &'static [$crate::Form] =
                &[$crate::form!($name, $case, $sentence, [$($( $field: $Type ),*)?] $(, $role)?)];

            fn index(&self) -> usize {
                0
            }

            #[allow(unused_variables)]
            fn words(&self, lexicon: &dyn $crate::Lexicon) -> Vec<String> {
                vec![ $($( $crate::Word::word(&self.$field, lexicon) ),*)? ]
            }

            #[allow(unused_variables)]
            fn from_words(name: &str, words: &mut $crate::Words<'_>) -> Result<Self, String> {
                match name {
                    $name => Ok($Name { $($( $field: words.take($name, stringify!($field))? ),*)? }),
                    _ => Err($crate::phrase::unknown(name, Self::FORMS)),
                }
            }

            #[allow(unused_variables)]
            fn write_row(&self, lexicon: &dyn $crate::Lexicon, row: &mut $crate::Row) -> bool {
                row.clear(0);
                true $($( && $crate::Word::write_cells(&self.$field, lexicon, row) )*)?
            }
        }
    };
}

/// A [`Form`] of a declaration.
#[doc(hidden)]
#[macro_export]
macro_rules! form {
    ($name:literal, $case:literal, $sentence:literal, [$( $field:ident : $Type:ty ),*]) => {
        $crate::form!($name, $case, $sentence, [$( $field: $Type ),*], Plain)
    };
    ($name:literal, $case:literal, $sentence:literal, [$( $field:ident : $Type:ty ),*], $role:ident) => {
        $crate::Form {
            name: $name,
            case: $crate::case($case),
            sentence: $sentence,
            fields: &[ $( $crate::Field {
                name: stringify!($field),
                kind: <$Type as $crate::Word>::KIND,
                said: <$Type as $crate::Word>::SAID,
            } ),* ],
            role: $crate::Role::$role,
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_left_out_with_its_brackets() {
        let tell = |known: bool| {
            fill("{unit} goes[ for {cost} MP] to {hex}", move |field, text| {
                text.words(field.to_uppercase());
                known || field == "unit"
            })
            .to_string()
        };
        assert_eq!(tell(true), "UNIT goes for COST MP to HEX");
        assert_eq!(tell(false), "UNIT goes to HEX");
    }

    #[test]
    fn words_that_depend_on_a_field_are_told_when_it_is_yes() {
        let tell = |red: &'static str| {
            fill("{hits} hits{red? with checks}", move |field, text| {
                text.words(if field == "red" { red } else { "2" });
                true
            })
            .to_string()
        };
        assert_eq!(tell("yes"), "2 hits with checks");
        assert_eq!(tell("no"), "2 hits");
    }
}
