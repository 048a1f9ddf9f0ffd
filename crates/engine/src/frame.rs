//! Frames: the procedures under way, one room for each.
//!
//! Rules are interrupted anywhere: a reaction in a move, a re-roll after a die, a retreat in a combat. So a state carries
//! the stack of unfinished procedures as plain data, a [`Frame`] each; the innermost one asks for the decision or waits
//! for a die. Whoever wants to know a decision opens one place, the frame's `impl`: who is asked what, every answer, what
//! forbids one, what it does, what follows without a decision, and what makes it sound in a situation file.
//!
//! [`frames!`](crate::frames) makes the frames of a rulebook one type; the engine does the rest.

use arrayvec::ArrayVec;

use crate::display::Phase;
use crate::{Phrase, Play, Remark, Rulebook, Side, Violation, remark};

/// A procedure under way.
pub trait Frame<R: Rulebook>: Copy {
    /// Who decides, and what is asked. A frame that waits for dice or for the frames above it need not say.
    fn asked(&self, _rules: &R, _state: &R::State) -> (Side, Remark) {
        (Side::Axis, remark!("", "play goes on"))
    }

    /// Every legal answer, added to `answers`.
    fn answers(&self, _rules: &R, _state: &R::State, _answers: &mut Vec<R::Action>) {}

    /// Whether an answer is allowed, and if not, which case forbids it and why. Where there is nothing to explain, what is
    /// listed is allowed.
    fn check(&self, rules: &R, state: &R::State, action: R::Action) -> Result<(), Violation> {
        let mut answers = Vec::new();
        self.answers(rules, state, &mut answers);
        if answers.contains(&action) { Ok(()) } else { Err(rules.not_asked(state, action)) }
    }

    /// Carries out an allowed answer. What follows from it without a decision is for [`Frame::go_on`].
    fn apply(&self, _rules: &R, _state: &mut R::State, _action: R::Action, _play: &mut Play<R::Event>) {}

    /// Does what needs no decision while this frame is on top; true when it must ask. Whoever returns false has changed
    /// the state, or the game would stand still.
    fn go_on(&self, _rules: &R, _state: &mut R::State, _play: &mut Play<R::Event>) -> bool {
        true
    }

    /// Whether this can be under way in this state, between these neighbours: asked of every situation that is read.
    fn is_sound(&self, rules: &R, state: &R::State, around: Around<'_, R::Frame>) -> bool;

    /// The phase of the turn that this is, where it is one.
    fn phase(&self, _rules: &R, _state: &R::State) -> Option<Phase> {
        None
    }
}

/// The frames below and above one on the stack.
#[derive(Clone, Copy, Debug)]
pub struct Around<'s, F> {
    /// Those it was put on, the outermost first.
    pub below: &'s [F],
    /// Those that were put on it, the innermost last.
    pub above: &'s [F],
}

impl<'s, F> Around<'s, F> {
    /// True at the bottom of the stack.
    pub fn is_outermost(&self) -> bool {
        self.below.is_empty()
    }

    /// The frame just below, if it is of this sort.
    pub fn on<T>(&self) -> Option<&'s T>
    where
        F: Holds<T>,
    {
        self.below.last().and_then(F::held)
    }

    /// The frame just above, if it is of this sort.
    pub fn under<T>(&self) -> Option<&'s T>
    where
        F: Holds<T>,
    {
        self.above.first().and_then(F::held)
    }
}

/// A type of frames of which one sort is `T`.
pub trait Holds<T> {
    /// The frame, if it is of this sort.
    fn held(&self) -> Option<&T>;
    /// The same, to be changed.
    fn held_mut(&mut self) -> Option<&mut T>;
}

/// What the engine asks of a state's stack.
pub trait Frames {
    /// The frames of the rulebook.
    type Frame;
    /// All of them, the innermost last.
    fn frames(&self) -> &[Self::Frame];
    /// The innermost, to be changed.
    fn top_mut(&mut self) -> Option<&mut Self::Frame>;
    /// Takes the innermost off.
    fn pop_top(&mut self);
    /// What did not fit, when there was no room for a frame.
    fn overflow(&self) -> Option<&'static str>;
}

/// The procedures under way, the innermost last; at most `N`.
///
/// A frame that does not fit is not put on the stack: its name is kept, the action that brought it about is refused, and
/// [`audit`] tells of it. Nothing panics and nothing is dropped in silence.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stack<F, const N: usize> {
    frames: ArrayVec<F, N>,
    overflow: Option<&'static str>,
}

impl<F, const N: usize> Default for Stack<F, N> {
    fn default() -> Self {
        Stack { frames: ArrayVec::new(), overflow: None }
    }
}

impl<F: Phrase + Copy, const N: usize> Stack<F, N> {
    /// Puts a frame on top.
    pub fn push(&mut self, frame: impl Into<F>) {
        let frame = frame.into();
        if let Err(error) = self.frames.try_push(frame) {
            self.overflow = Some(error.element().form().name);
        }
    }

    /// Takes the top frame off.
    pub fn pop(&mut self) -> Option<F> {
        self.frames.pop()
    }

    /// Puts a frame in the place of the top one.
    pub fn replace(&mut self, frame: impl Into<F>) {
        self.frames.pop();
        self.push(frame);
    }

    /// Takes all frames off.
    pub fn clear(&mut self) {
        self.frames.clear();
    }

    /// Takes off all frames above the outermost `keep`.
    pub fn truncate(&mut self, keep: usize) {
        self.frames.truncate(keep);
    }

    /// The innermost frame of this sort.
    pub fn find<T>(&self) -> Option<&T>
    where
        F: Holds<T>,
    {
        self.frames.iter().rev().find_map(F::held)
    }

    /// The same, to be changed.
    pub fn find_mut<T>(&mut self) -> Option<&mut T>
    where
        F: Holds<T>,
    {
        self.frames.iter_mut().rev().find_map(F::held_mut)
    }

    /// The frame on top, if it is of this sort.
    pub fn top<T>(&self) -> Option<&T>
    where
        F: Holds<T>,
    {
        self.frames.last().and_then(F::held)
    }

    /// The same, to be changed.
    pub fn top_mut<T>(&mut self) -> Option<&mut T>
    where
        F: Holds<T>,
    {
        self.frames.last_mut().and_then(F::held_mut)
    }

    /// Takes the top frame off, if it is of this sort.
    pub fn pop_if<T: Copy>(&mut self) -> Option<T>
    where
        F: Holds<T>,
    {
        let top = self.top::<T>().copied();
        if top.is_some() {
            self.frames.pop();
        }
        top
    }

    /// All frames, to be changed.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut F> {
        self.frames.iter_mut()
    }
}

impl<F, const N: usize> std::ops::Deref for Stack<F, N> {
    type Target = [F];
    fn deref(&self) -> &[F] {
        &self.frames
    }
}

impl<F, const N: usize> Frames for Stack<F, N> {
    type Frame = F;
    fn frames(&self) -> &[F] {
        &self.frames
    }
    fn top_mut(&mut self) -> Option<&mut F> {
        self.frames.last_mut()
    }
    fn pop_top(&mut self) {
        self.frames.pop();
    }
    fn overflow(&self) -> Option<&'static str> {
        self.overflow
    }
}

/// What is under way must be able to go on: says which frame cannot.
pub fn audit<R: Rulebook>(rules: &R, state: &R::State) -> Result<(), String> {
    let stack = R::stack(state);
    if let Some(name) = stack.overflow() {
        return Err(too_deep(name, stack.frames().len()));
    }
    let frames = stack.frames();
    for (i, frame) in frames.iter().enumerate() {
        let around = Around { below: &frames[..i], above: &frames[i + 1..] };
        if !frame.is_sound(rules, state, around) {
            return Err(format!("`{}` cannot be under way here", frame.notation(rules)));
        }
    }
    Ok(())
}

/// What is said of a frame that did not fit.
pub(crate) fn too_deep(name: &str, depth: usize) -> String {
    format!("`{name}` is one procedure too many: {depth} are under way already")
}

/// Makes the frames of a rulebook one type: `frames! { /// … pub enum Procedure of Mini, 6 deep { Movement, Combat, … } }`.
/// Each is a struct of its own, declared by [`phrases!`](crate::phrases) where its rules are. At most so many are under way at
/// once, on the `stack` of the state.
#[macro_export]
macro_rules! frames {
    (
        $(#[$meta:meta])*
        $vis:vis enum $Name:ident of $Book:ty, $deepest:tt deep { $( $Frame:ident ),* $(,)? }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        $vis enum $Name { $( $Frame($Frame) ),* }

        $(
            impl From<$Frame> for $Name {
                fn from(frame: $Frame) -> Self {
                    $Name::$Frame(frame)
                }
            }

            impl $crate::frame::Holds<$Frame> for $Name {
                fn held(&self) -> Option<&$Frame> {
                    match self {
                        $Name::$Frame(frame) => Some(frame),
                        #[allow(unreachable_patterns)]
                        _ => None,
                    }
                }
                fn held_mut(&mut self) -> Option<&mut $Frame> {
                    match self {
                        $Name::$Frame(frame) => Some(frame),
                        #[allow(unreachable_patterns)]
                        _ => None,
                    }
                }
            }
        )*

        impl $crate::Phrase for $Name {
            const FORMS: &'static [$crate::Form] = &[ $( <$Frame as $crate::Phrase>::FORMS[0] ),* ];

            fn index(&self) -> usize {
                #[allow(non_camel_case_types)]
                enum Index { $( $Frame ),* }
                match self { $( $Name::$Frame(_) => Index::$Frame as usize ),* }
            }

            fn words(&self, lexicon: &dyn $crate::Lexicon) -> Vec<String> {
                match self { $( $Name::$Frame(frame) => frame.words(lexicon) ),* }
            }

            fn from_words(name: &str, words: &mut $crate::Words<'_>) -> Result<Self, String> {
                $( if name == <$Frame as $crate::Phrase>::FORMS[0].name {
                    return <$Frame as $crate::Phrase>::from_words(name, words).map($Name::$Frame);
                } )*
                Err($crate::phrase::unknown(name, Self::FORMS))
            }

            fn write_row(&self, lexicon: &dyn $crate::Lexicon, row: &mut $crate::Row) -> bool {
                let fits = match self { $( $Name::$Frame(frame) => frame.write_row(lexicon, row) ),* };
                row.set_form($crate::Phrase::index(self));
                fits
            }
        }

        impl $crate::Underway for $Book {
            type Frame = $Name;
            type Stack = $crate::FrameStack<$Name, $deepest>;

            fn stack(state: &Self::State) -> &Self::Stack {
                &state.stack
            }

            fn stack_mut(state: &mut Self::State) -> &mut Self::Stack {
                &mut state.stack
            }
        }

        impl $crate::Frame<$Book> for $Name {
            fn asked(
                &self,
                rules: &$Book,
                state: &<$Book as $crate::Types>::State,
            ) -> ($crate::Side, $crate::Remark) {
                match self { $( $Name::$Frame(frame) => $crate::Frame::asked(frame, rules, state) ),* }
            }

            fn answers(
                &self,
                rules: &$Book,
                state: &<$Book as $crate::Types>::State,
                answers: &mut Vec<<$Book as $crate::Types>::Action>,
            ) {
                match self { $( $Name::$Frame(frame) => $crate::Frame::answers(frame, rules, state, answers) ),* }
            }

            fn check(
                &self,
                rules: &$Book,
                state: &<$Book as $crate::Types>::State,
                action: <$Book as $crate::Types>::Action,
            ) -> Result<(), $crate::Violation> {
                match self { $( $Name::$Frame(frame) => $crate::Frame::check(frame, rules, state, action) ),* }
            }

            fn apply(
                &self,
                rules: &$Book,
                state: &mut <$Book as $crate::Types>::State,
                action: <$Book as $crate::Types>::Action,
                play: &mut $crate::Play<<$Book as $crate::Types>::Event>,
            ) {
                match self { $( $Name::$Frame(frame) => $crate::Frame::apply(frame, rules, state, action, play) ),* }
            }

            fn go_on(
                &self,
                rules: &$Book,
                state: &mut <$Book as $crate::Types>::State,
                play: &mut $crate::Play<<$Book as $crate::Types>::Event>,
            ) -> bool {
                match self { $( $Name::$Frame(frame) => $crate::Frame::go_on(frame, rules, state, play) ),* }
            }

            fn is_sound(
                &self,
                rules: &$Book,
                state: &<$Book as $crate::Types>::State,
                around: $crate::frame::Around<'_, $Name>,
            ) -> bool {
                match self { $( $Name::$Frame(frame) => $crate::Frame::is_sound(frame, rules, state, around) ),* }
            }

            fn phase(
                &self,
                rules: &$Book,
                state: &<$Book as $crate::Types>::State,
            ) -> Option<$crate::display::Phase> {
                match self { $( $Name::$Frame(frame) => $crate::Frame::phase(frame, rules, state) ),* }
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phrases;

    phrases! {
        /// A procedure of no consequence.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        enum Idle {
            Outer = "outer", "", "waiting";
            Inner = "inner", "", "waiting for that";
        }
    }

    #[test]
    fn a_frame_that_does_not_fit_is_named_and_nothing_is_lost() {
        let mut stack = Stack::<Idle, 2>::default();
        stack.push(Idle::Outer);
        stack.push(Idle::Outer);
        assert_eq!(stack.overflow(), None);
        stack.push(Idle::Inner);
        assert_eq!((stack.len(), stack.overflow()), (2, Some("inner")));
        assert_eq!(too_deep("inner", 2), "`inner` is one procedure too many: 2 are under way already");
    }
}
