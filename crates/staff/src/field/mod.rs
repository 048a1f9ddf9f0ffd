//! A recruit for any rulebook that says what is worth holding: units, reach and strength it finds in what every rulebook tells
//! (`Sight`), lawful answers and their consequences by trying them.
//!
//! | room | what is in it |
//! |---|---|
//! | `ground` | who is where, and how strongly both sides bear upon each objective |
//! | `march` | what a unit in a hex is worth: objectives, enemies to attack, danger |
//! | `trial` | what comes of an answer, by playing it on until it is settled |
//! | `orders` | the answer to each sort of question |

mod ground;
mod march;
mod orders;
mod trial;

use board::Hex;
use engine::{Asked, BySide, Dice, Rulebook, Side, Text, UnitId};

use crate::doctrine::{Doctrine, Ledger, Mind};
use crate::{Level, judgement, weights};
use ground::Ground;

/// A place that counts for victory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Objective {
    /// Where it is.
    pub hex: Hex,
    /// What it is worth, in points, to the side that holds it in the end.
    pub worth: BySide<f64>,
}

/// What sort of order an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// A unit goes to a hex: both are named, or it is the unit under way.
    March,
    /// A unit begins to move; where to is asked next.
    SetOut,
    /// A unit attacks a hex; others may join.
    Attack,
    /// Done whenever it can be done.
    Always,
    /// Never done by choice.
    Never,
    /// Tried, and done when it makes things better.
    Other,
}

/// What the shared staff wants to know of a rulebook.
pub trait Field: Rulebook {
    /// So many points decide a game clearly.
    const CLEAR: f64;

    /// The places that count.
    fn objectives(&self, state: &Self::State) -> Vec<Objective>;

    /// Whose a place is.
    fn holder(&self, state: &Self::State, hex: Hex) -> Option<Side>;

    /// By how many points the Axis side is ahead already, without those that are counted for objectives.
    fn lead(&self, state: &Self::State) -> f64;

    /// What sort of order an answer is.
    fn order(action: &Self::Action) -> Order;

    /// The unit whose move is under way.
    fn under_way(&self, state: &Self::State) -> Option<UnitId>;

    /// Whether a unit may stay in a hex, where it may pass through fuller ones.
    fn has_room(&self, _: &Self::State, _: UnitId, _: Hex) -> bool {
        true
    }

    /// A unit that serves others and keeps behind them, as an HQ does.
    fn is_rear(&self, _: UnitId) -> bool {
        false
    }
}

weights! {
    /// What a staff goes by.
    pub struct FieldWeights {
        /// How fast strength fades with each turn's march.
        distance = 1.1,
        /// What the strength of the side that does not hold a place counts.
        hold = 0.7,
        /// A strength point on the map, in points.
        strength = 0.08,
        /// An enemy who can be attacked, for each of his strength points.
        contact = 0.05,
        /// What the danger of being attacked counts, for each of one's own.
        danger = 0.04,
        /// To take a place at once, of what it is worth.
        prize = 0.5,
        /// What an attack must promise.
        attack = 0.05,
        /// A hex closer to where an HQ should be.
        rear = 0.1,
        /// What a march must gain.
        march = 0.01,
    }
}

impl<R: Field> Doctrine for R {
    type Weights = FieldWeights;
    type Picture = Vec<Objective>;
    type Plan = ();

    const LEVELS: &'static [Level] = &[Level::Random, Level::Recruit];

    fn picture(&self, start: &Self::State) -> Vec<Objective> {
        self.objectives(start)
    }

    fn period(&self, state: &Self::State) -> u64 {
        let phase = self.phase(state).unwrap_or(usize::MAX);
        u64::from(self.turn(state).0) << 32 | phase as u64 & 0xffff_ffff
    }

    fn instinct(
        mind: Mind<'_, Self>,
        state: &Self::State,
        side: Side,
        answers: &[Self::Action],
        luck: &mut Dice,
    ) -> Self::Action {
        orders::answer(mind, state, side, answers, luck)
    }

    fn plan(_: Mind<'_, Self>, _: &Self::State, _: Side, _: &mut Dice) {}

    fn follow(
        _: Mind<'_, Self>,
        _: &Self::State,
        _: Side,
        (): &mut (),
        _: &[Self::Action],
    ) -> Option<Self::Action> {
        None
    }

    fn alternatives(_: Mind<'_, Self>, _: &Self::State, _: Side, _: &mut Dice) -> Vec<()> {
        vec![()]
    }

    fn is_played_out(&self, start: &Self::State, now: &Self::State) -> bool {
        self.turn(now).0 > self.turn(start).0
    }

    fn worth(mind: Mind<'_, Self>, state: &Self::State, side: Side) -> f64 {
        let axis = match mind.rules.asked(state) {
            Asked::Over(outcome) => {
                let ahead = f64::from(outcome.points.axis - outcome.points.soviet) / Self::CLEAR;
                match outcome.winner {
                    Some(Side::Axis) => judgement::result(1.0, ahead.max(0.0)),
                    Some(Side::Soviet) => judgement::result(0.0, ahead.min(0.0)),
                    None => 0.5,
                }
            }
            Asked::Decision { .. } => {
                let ground = Ground::new(mind, state, side);
                let ahead = mind.rules.lead(state) + ground.expected(mind) + ground.material(mind);
                1.0 / (1.0 + (-ahead / Self::CLEAR).exp())
            }
        };
        if side == Side::Axis { axis } else { 1.0 - axis }
    }

    fn explain(_: Mind<'_, Self>, _: &Self::State, (): &()) -> Vec<Text> {
        Vec::new()
    }

    fn ledger(&self, picture: &Vec<Objective>, state: &Self::State) -> Ledger {
        let mut ledger = Ledger::default();
        for objective in picture {
            if let Some(side) = self.holder(state, objective.hex) {
                ledger.places[side] += 1;
                ledger.points[side] += objective.worth[side] as i32;
            }
        }
        ledger
    }
}
