//! What an opponent must know of a rulebook.

use engine::{BySide, Dice, Phrase, Role, Rulebook, Side, Text};

use crate::{Judgement, Level, Weights};

/// What does not change while an opponent thinks.
pub struct Mind<'a, D: Doctrine> {
    /// The rules, with the map, the counters and the tables of this game.
    pub rules: &'a D,
    /// What was found out about the ground beforehand.
    pub picture: &'a D::Picture,
    /// The numbers of the side that thinks.
    pub weights: &'a D::Weights,
    /// Those of both.
    pub both: &'a BySide<D::Weights>,
    /// What the features of a position count.
    pub judgement: &'a Judgement,
}

impl<'a, D: Doctrine> Mind<'a, D> {
    /// The same with the numbers of a side.
    pub fn of(self, side: Side) -> Mind<'a, D> {
        Mind { weights: &self.both[side], ..self }
    }
}

impl<D: Doctrine> Clone for Mind<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: Doctrine> Copy for Mind<'_, D> {}

/// How a game stands, for tables and curves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ledger {
    /// Steps (or strength points) that each side has lost so far and not replaced.
    pub losses: BySide<i32>,
    /// Places that count for victory, by who holds them.
    pub places: BySide<i32>,
    /// Victory points as they stand.
    pub points: BySide<i32>,
    /// Where the front runs: how far the attacker of the campaign has come, in hexes from where he began.
    pub front: f64,
}

/// The answers that an opponent thinks about: what only takes another answer back would lead nowhere, unless nothing else is
/// left.
pub(crate) fn choices<R: Rulebook>(rules: &R, state: &R::State, choices: &mut Vec<R::Action>) {
    rules.answers(state, choices);
    let goes_on = |answer: &R::Action| answer.form().role != Role::TakeBack;
    if choices.iter().any(goes_on) {
        choices.retain(goes_on);
    }
}

/// The particular knowledge of one rulebook. All of it speaks of states that were imagined by the side that decides; what is
/// in them is taken at face value.
pub trait Doctrine: Rulebook {
    /// Its numbers.
    type Weights: Weights;
    /// What can be found out about the ground once and for all: distances, objectives.
    type Picture: Send + Sync;
    /// What a side means to do until the period is over.
    type Plan: Clone + Send + Sync;

    /// The levels that it can play, the weakest first.
    const LEVELS: &'static [Level] = &Level::ALL;

    /// The names of what it finds in a position when it judges it.
    const FEATURES: &'static [&'static str] = &[];

    /// How many of them, the first, tell the time and not how a side stands: if any do, the others are learned by comparing
    /// positions of the same turn of a scenario.
    const TIME_FEATURES: usize = 0;

    /// Looks at the ground.
    fn picture(&self, start: &Self::State) -> Self::Picture;

    /// Names the period that a plan is for: it changes when a phase, an activation or whatever is planned as one begins.
    fn period(&self, state: &Self::State) -> u64;

    /// The answer that looks best at the moment: a recruit's only thought, and everybody's in small matters.
    fn instinct(
        mind: Mind<'_, Self>,
        state: &Self::State,
        side: Side,
        answers: &[Self::Action],
        luck: &mut Dice,
    ) -> Self::Action;

    /// What an officer means to do in this period.
    fn plan(mind: Mind<'_, Self>, state: &Self::State, side: Side, luck: &mut Dice) -> Self::Plan;

    /// The next answer of a plan; nothing when it has nothing to say to this question.
    fn follow(
        mind: Mind<'_, Self>,
        state: &Self::State,
        side: Side,
        plan: &mut Self::Plan,
        answers: &[Self::Action],
    ) -> Option<Self::Action>;

    /// Plans that are worth comparing, the officer's own first. One alone means that there is nothing to think about.
    fn alternatives(
        mind: Mind<'_, Self>,
        state: &Self::State,
        side: Side,
        luck: &mut Dice,
    ) -> Vec<Self::Plan>;

    /// The part of what is left to think with in a phase that a plan deserves.
    fn importance(&self, _: &Self::State) -> f64 {
        0.6
    }

    /// True when a plan that was made in `start` has been played far enough to be judged.
    fn is_played_out(&self, start: &Self::State, now: &Self::State) -> bool;

    /// What it finds in a position, in the order of [`Doctrine::FEATURES`].
    fn features(_: Mind<'_, Self>, _: &Self::State) -> Vec<f64> {
        Vec::new()
    }

    /// How well a side stands, from 0 (lost) to 1 (won). Of a game that is over, how clearly it was won counts, too: there is
    /// something to play for in a lost game, and judgements are learned from this.
    fn worth(mind: Mind<'_, Self>, state: &Self::State, side: Side) -> f64;

    /// What a plan is about, in sentences for the player: objective, axis, attacks and their odds, what was left undone.
    fn explain(mind: Mind<'_, Self>, state: &Self::State, plan: &Self::Plan) -> Vec<Text>;

    /// How the game stands.
    fn ledger(&self, picture: &Self::Picture, state: &Self::State) -> Ledger;
}
