//! Across the Bug River.
//!
//! | room | what is in it |
//! |---|---|
//! | `picture` | the hexes that count, and how far every hex is from them |
//! | `balance` | how the game will probably end, and what strength is worth where |
//! | `strike` | what an attack is worth |
//! | `act` | what a formation can do with its Action Points, and what each is worth |
//! | `plan` | which formation acts, and for what |
//! | `trifles` | small matters |
//! | `worth` | what is found in a position when it is judged |

mod act;
mod balance;
mod picture;
mod plan;
mod strike;
mod trifles;
mod worth;

use bug::{Action, Bug, Procedure, State};
use engine::{Asked, BySide, Dice, Lexicon, Rulebook, Side, Span, Text};

use crate::doctrine::{Doctrine, Ledger, Mind};
use crate::{judgement, weights};

pub(crate) use picture::Picture;
pub(crate) use plan::Plan;

weights! {
    /// The numbers of the doctrine. Values are in victory points.
    pub struct BugWeights {
        /// How many movements away strength is still felt at an objective on the last turn.
        horizon = 0.8,
        /// How much further for each turn that is left.
        horizon_turn = 0.3,
        /// How sharply the odds of strength decide an objective.
        steepness = 1.8,
        /// What a point of Soviet strength counts for in defence.
        defence = 1.0,
        /// What holding an objective counts for, in the logarithm of odds.
        control = 1.4,
        /// How much more towards the end.
        control_late = 1.0,
        /// What strength in the objective itself counts for besides.
        on_the_spot = 0.5,
        /// The part of a disrupted unit that counts.
        disrupted = 0.5,
        /// The part of a unit out of command that counts.
        out_of_command = 0.65,
        /// The part of an isolated unit that counts.
        isolated = 0.45,
        /// A German Strength Point, wherever it is.
        german_point = 0.09,
        /// A Soviet Strength Point, wherever it is.
        soviet_point = 0.1,
        /// A hex that the enemy is driven out of.
        ground = 0.12,
        /// The bonus Action Point of a victory.
        bonus = 0.06,
        /// An Action Point.
        action_point = 0.05,
        /// What remains of an attack that needs a move first.
        promise = 0.7,
        /// How much stronger an enemy may be before a stack keeps away from him.
        courage = 1.5,
        /// Each point that he is stronger.
        danger = 0.008,
        /// Keeping the enemy from walking into a hex, as a part of what it is worth.
        guard = 0.3,
        /// A failed infiltration.
        slip = 0.15,
        /// Improved Defense, as a part of what stands there.
        improve = 0.25,
        /// What an Action must bring for a point.
        threshold = 0.015,
        /// The Schlachtenglück marker.
        marker = 0.35,
        /// A level of activation.
        level = 0.25,
        /// Stopping an enemy's move.
        interrupt = 0.1,
        /// How much more a plan cares for its objective, if it has one.
        focus = 1.6,
        /// What a point of strength at an objective is worth to a recruit, for each point of the objective.
        simple = 0.012,
    }
}

impl Doctrine for Bug {
    type Weights = BugWeights;
    type Picture = Picture;
    type Plan = Plan;

    const FEATURES: &'static [&'static str] = worth::FEATURES;
    const TIME_FEATURES: usize = 9;

    fn picture(&self, start: &State) -> Picture {
        Picture::new(self, start)
    }

    fn period(&self, state: &State) -> u64 {
        plan::period(self, state)
    }

    fn instinct(mind: Mind<'_, Self>, state: &State, side: Side, answers: &[Action], _: &mut Dice) -> Action {
        plan::recruits_answer(mind, state, side, answers)
    }

    fn plan(mind: Mind<'_, Self>, state: &State, side: Side, _: &mut Dice) -> Plan {
        plan::officers_plan(mind, state, side)
    }

    fn follow(
        mind: Mind<'_, Self>,
        state: &State,
        side: Side,
        plan: &mut Plan,
        answers: &[Action],
    ) -> Option<Action> {
        plan.answer(mind, state, side, answers)
    }

    fn alternatives(mind: Mind<'_, Self>, state: &State, side: Side, luck: &mut Dice) -> Vec<Plan> {
        plan::alternatives(mind, state, side, luck)
    }

    fn is_played_out(&self, start: &State, now: &State) -> bool {
        plan::is_played_out(self, start, now)
    }

    fn features(mind: Mind<'_, Self>, state: &State) -> Vec<f64> {
        worth::features(mind, state)
    }

    fn worth(mind: Mind<'_, Self>, state: &State, side: Side) -> f64 {
        let german = match mind.rules.asked(state) {
            Asked::Over(outcome) => {
                let won = outcome.winner.map_or(0.5, |winner| f64::from(u8::from(winner == Side::Axis)));
                judgement::result(won, (f64::from(outcome.points.axis) - worth::middle(mind.rules)) / CLEAR)
            }
            Asked::Decision { .. } => mind.judgement.chance(&worth::features(mind, state)),
        };
        if side == Side::Axis { german } else { 1.0 - german }
    }

    fn explain(mind: Mind<'_, Self>, state: &State, plan: &Plan) -> Vec<Text> {
        plan.explain(mind, state)
    }

    fn ledger(&self, _: &Picture, state: &State) -> Ledger {
        let held = |side: Side| {
            self.victory_hexes().iter().filter(|(hex, _)| state.holder(*hex) == side).count() as i32
        };
        Ledger {
            losses: BySide::new_with(|side| self.strength_lost(state, side)),
            places: BySide::new_with(held),
            points: BySide { axis: i32::from(self.german_points(state)), soviet: 0 },
            front: plan::front(self, state),
        }
    }
}

/// So many points more than a draw are a clear victory.
const CLEAR: f64 = 3.0;

/// The procedure that asks.
fn top(state: &State) -> Option<Procedure> {
    state.procedures().last().copied()
}

/// The procedure that asks, or that beneath an attack that is being put together.
fn acting(state: &State) -> Option<Procedure> {
    state.procedures().iter().rev().copied().find(|procedure| !matches!(procedure, Procedure::Attack(_)))
}

/// Places by name, for explanations.
fn named(rules: &Bug, unit: engine::UnitId) -> Span {
    Span::Unit(rules.roster().name(unit).to_owned())
}
