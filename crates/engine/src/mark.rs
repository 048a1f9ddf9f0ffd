//! Marks on units and optional rules, each declared once: its word, its case, how long it lasts, how it looks.

use crate::Case;

/// How long a mark lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lasts {
    /// Until the combat is over.
    Combat,
    /// Until the activation or the segment is over.
    Activation,
    /// Until the phase is over.
    Phase,
    /// Until the turn is over.
    Turn,
    /// Until a rule takes it off.
    On,
}

/// How a mark is drawn on a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Look {
    /// The piece has acted: its corner is folded.
    Done,
    /// Matters to the rules more than to the eye: told in lists, not drawn.
    Quiet,
    /// A sign for something good.
    Good(&'static str),
    /// A sign for something bad.
    Bad(&'static str),
}

/// A mark that units can carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Its word in situations and views.
    pub word: &'static str,
    /// The case behind it.
    pub case: Case,
    /// How long it lasts.
    pub lasts: Lasts,
    /// How it is drawn.
    pub look: Look,
    /// What it means, for people.
    pub about: &'static str,
}

/// The marks on a unit, as [`marks!`](crate::marks) declares them.
pub trait MarkSet: Copy + Default {
    /// Every mark, in the order of its bits.
    const ALL: &'static [Mark];

    /// Puts a mark on, by its place in the list.
    fn set_place(&mut self, place: usize);

    /// The words of those that are on.
    fn words(self) -> impl Iterator<Item = &'static str>;
}

/// Declares the marks of a rulebook, a bit each, with the case, how long each lasts and how it looks:
///
/// ```
/// use engine::mark::{Lasts, Look};
/// engine::marks! {
///     /// What is marked on a unit.
///     pub struct Marks: u8 {
///         MOVED = "moved", "4.1", Phase, Look::Done, "has moved in this phase";
///         DISRUPTED = "disrupted", "5.6", On, Look::Bad("D"), "lies on its disrupted side";
///     }
/// }
/// let mut marks = Marks::MOVED | Marks::DISRUPTED;
/// marks.expire(Lasts::Phase);
/// assert_eq!(marks.words().collect::<Vec<_>>(), ["disrupted"]);
/// assert_eq!(Marks::from_word("moved"), Some(Marks::MOVED));
/// ```
#[macro_export]
macro_rules! marks {
    (
        $(#[$meta:meta])*
        $vis:vis struct $Name:ident : $Bits:ty {
            $( $MARK:ident = $word:literal, $case:literal, $lasts:ident, $look:expr, $about:literal; )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        $vis struct $Name($Bits);

        #[allow(dead_code)]
        impl $Name {
            /// Every mark, in the order of its bits.
            pub const ALL: &'static [$crate::mark::Mark] = &[ $( $crate::mark::Mark {
                word: $word,
                case: $crate::case($case),
                lasts: $crate::mark::Lasts::$lasts,
                look: $look,
                about: $about,
            } ),* ];

            $crate::marks!(@bits $Bits, 0; $( $MARK, $about; )*);

            /// True when any of these is on.
            pub const fn has(self, marks: Self) -> bool {
                self.0 & marks.0 != 0
            }

            /// Puts marks on.
            pub fn set(&mut self, marks: Self) {
                self.0 |= marks.0;
            }

            /// Takes marks off.
            pub fn clear(&mut self, marks: Self) {
                self.0 &= !marks.0;
            }

            /// Those of them that are on.
            pub const fn only(self, marks: Self) -> Self {
                $Name(self.0 & marks.0)
            }

            /// The bits, to compare and to sort by.
            pub const fn bits(self) -> $Bits {
                self.0
            }

            /// All marks that last so long.
            pub fn lasting(lasts: $crate::mark::Lasts) -> Self {
                let mut marks = $Name(0);
                for (place, mark) in Self::ALL.iter().enumerate() {
                    if mark.lasts == lasts {
                        marks.0 |= 1 << place;
                    }
                }
                marks
            }

            /// Takes off all marks that last so long.
            pub fn expire(&mut self, lasts: $crate::mark::Lasts) {
                self.clear(Self::lasting(lasts));
            }

            /// The words of those that are on.
            pub fn words(self) -> impl Iterator<Item = &'static str> {
                Self::ALL.iter().enumerate().filter(move |(place, _)| self.0 >> place & 1 == 1).map(|(_, mark)| mark.word)
            }

            /// The mark of a word.
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.iter().position(|mark| mark.word == word).map(|place| $Name(1 << place))
            }
        }

        impl $crate::mark::MarkSet for $Name {
            const ALL: &'static [$crate::mark::Mark] = Self::ALL;
            fn set_place(&mut self, place: usize) {
                self.0 |= 1 << place;
            }
            fn words(self) -> impl Iterator<Item = &'static str> {
                $Name::words(self)
            }
        }

        impl std::ops::BitOr for $Name {
            type Output = Self;
            fn bitor(self, other: Self) -> Self {
                $Name(self.0 | other.0)
            }
        }
    };
    (@bits $Bits:ty, $place:expr; ) => {};
    (@bits $Bits:ty, $place:expr; $MARK:ident, $about:literal; $( $rest:tt )*) => {
        #[doc = concat!("The unit ", $about, ".")]
        pub const $MARK: Self = Self(1 << ($place));
        $crate::marks!(@bits $Bits, $place + 1; $( $rest )*);
    };
}

/// Declares the optional rules of a rulebook: the list for its [`Book`](crate::Book), and a type with a flag for each.
///
/// ```
/// engine::switches! {
///     /// The optional rules that are on.
///     pub struct Switches {
///         fords = "fords", "9.1", "rivers cost no movement points";
///     }
/// }
/// assert_eq!(Switches::ALL[0].name, "fords");
/// ```
#[macro_export]
macro_rules! switches {
    (
        $(#[$meta:meta])*
        $vis:vis struct $Name:ident {
            $( $field:ident = $name:literal, $case:literal, $about:literal; )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        $vis struct $Name { $( #[doc = $about] pub $field: bool ),* }

        impl $Name {
            /// The switches in the order of their declaration.
            pub const ALL: &'static [$crate::Switch] = &[ $(
                $crate::Switch { name: $name, case: $crate::case($case), about: $about }
            ),* ];

            /// The flags of what is on.
            #[allow(unused_variables)]
            pub fn new(options: $crate::Options, book: &$crate::Book) -> Self {
                $Name { $( $field: options.is_on(book, $name) ),* }
            }
        }
    };
}
