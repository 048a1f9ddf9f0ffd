//! *The Ford*: small enough to look one decision ahead.

use engine::{Asked, BySide, Dice, Rulebook, Side, Text, Viewer};
use mini::{Mini, State};

use crate::doctrine::{Doctrine, Ledger, Mind};
use crate::{Level, greedy, weights};

weights! {
    /// What counts besides the objectives.
    pub struct MiniWeights {
        /// A step on the map, in objectives.
        step = 0.3,
    }
}

impl Doctrine for Mini {
    type Weights = MiniWeights;
    type Picture = ();
    type Plan = ();

    const LEVELS: &'static [Level] = &[Level::Random, Level::Recruit];

    fn picture(&self, _: &State) {}

    fn period(&self, _: &State) -> u64 {
        0
    }

    fn instinct(
        mind: Mind<'_, Self>,
        state: &State,
        side: Side,
        answers: &[mini::Action],
        luck: &mut Dice,
    ) -> mini::Action {
        greedy::best(mind, state, side, answers, luck)
    }

    fn plan(_: Mind<'_, Self>, _: &State, _: Side, _: &mut Dice) {}

    fn follow(
        _: Mind<'_, Self>,
        _: &State,
        _: Side,
        (): &mut (),
        _: &[mini::Action],
    ) -> Option<mini::Action> {
        None
    }

    fn alternatives(_: Mind<'_, Self>, _: &State, _: Side, _: &mut Dice) -> Vec<()> {
        vec![()]
    }

    fn is_played_out(&self, _: &State, _: &State) -> bool {
        true
    }

    fn worth(mind: Mind<'_, Self>, state: &State, side: Side) -> f64 {
        if let Asked::Over(outcome) = mind.rules.asked(state) {
            return outcome.winner.map_or(0.5, |winner| f64::from(u8::from(winner == side)));
        }
        let Ledger { losses, points, .. } = mind.rules.ledger(&(), state);
        let of = |side: Side| f64::from(points[side]) - mind.weights.step * f64::from(losses[side]);
        1.0 / (1.0 + (of(side.enemy()) - of(side)).exp())
    }

    fn explain(_: Mind<'_, Self>, _: &State, (): &()) -> Vec<Text> {
        Vec::new()
    }

    fn ledger(&self, (): &(), state: &State) -> Ledger {
        let view = self.view(state, Viewer::Referee);
        let steps = |side: Side| -> i32 {
            let pieces =
                view.stacks.iter().flat_map(|stack| &stack.pieces).filter(|piece| piece.side == side);
            pieces.filter_map(|piece| piece.front.as_ref()).map(|front| i32::from(front.steps)).sum()
        };
        let points = self.objectives_held(state);
        Ledger {
            losses: BySide { axis: -steps(Side::Axis), soviet: -steps(Side::Soviet) },
            places: points,
            points,
            front: 0.0,
        }
    }
}
