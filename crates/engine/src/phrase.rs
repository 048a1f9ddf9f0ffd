//! Phrases: one declaration of an action, an event or an unfinished procedure gives its notation, its
//! sentence, its rule case and its fields.

use crate::{Case, Lexicon, Word};

/// A field of a [`Form`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What sort of word stands there.
    pub kind: &'static str,
}

/// What all phrases of one sort have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// The first word in notation; the name of an event.
    pub name: &'static str,
    /// The case that grants, demands or explains it.
    pub case: Case,
    /// For people, with `{field}` for each field that is told.
    pub sentence: &'static str,
    /// The words that follow the name, in order.
    pub fields: &'static [Field],
}

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

/// A value of an enum declared by [`phrases!`](crate::phrases).
pub trait Phrase: Sized + Clone + PartialEq + std::fmt::Debug {
    /// Every form, in the order of declaration.
    const FORMS: &'static [Form];

    /// The form of this phrase.
    fn form(&self) -> &'static Form;

    /// The words of the fields.
    fn words(&self, lexicon: &dyn Lexicon) -> Vec<String>;

    /// The phrase of a name and the words that follow it.
    fn from_words(name: &str, words: &mut Words<'_>) -> Result<Self, String>;

    /// One line that [`Phrase::parse`] reads back.
    fn notation(&self, lexicon: &dyn Lexicon) -> String {
        let mut line = self.form().name.to_owned();
        for word in self.words(lexicon) {
            line.push(' ');
            line.push_str(&word);
        }
        line
    }

    /// Reads a line of notation.
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

    /// A sentence for people.
    fn sentence(&self, lexicon: &dyn Lexicon) -> String {
        let form = self.form();
        let mut sentence = form.sentence.to_owned();
        for (field, word) in form.fields.iter().zip(self.words(lexicon)) {
            sentence = sentence.replace(&format!("{{{}}}", field.name), &word);
        }
        sentence
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
        T::read(word, self.lexicon)
    }
}

/// Declares an enum of phrases. Each variant says its name in notation, its case, and a sentence:
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
///         End = "end", "1.1", "end the phase";
///     }
/// }
/// assert_eq!(Action::FORMS[0].usage(), "move UNIT TO");
/// ```
#[macro_export]
macro_rules! phrases {
    (
        $(#[$meta:meta])*
        $vis:vis enum $Name:ident {
            $(
                $(#[$vmeta:meta])*
                $Variant:ident $({ $( $field:ident : $Type:ty ),* $(,)? })? = $name:literal, $case:literal, $sentence:literal
            );* $(;)?
        }
    ) => {
        $(#[$meta])*
        $vis enum $Name {
            $( $(#[$vmeta])* $Variant $({ $(
                #[doc = concat!("The ", stringify!($field), ".")]
                $field: $Type
            ),* })? ),*
        }

        impl $crate::Phrase for $Name {
            const FORMS: &'static [$crate::Form] = &[ $( $crate::Form {
                name: $name,
                case: $crate::case($case),
                sentence: $sentence,
                fields: &[ $($( $crate::Field {
                    name: stringify!($field),
                    kind: <$Type as $crate::Word>::KIND,
                } ),*)? ],
            } ),* ];

            fn form(&self) -> &'static $crate::Form {
                let name = match self { $( $Name::$Variant { .. } => $name ),* };
                Self::FORMS.iter().find(|form| form.name == name).unwrap_or(&Self::FORMS[0])
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
                    _ => Err(format!("`{name}` is not one of {}", [$($name),*].join(", "))),
                }
            }
        }
    };
}
