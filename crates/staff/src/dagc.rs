//! Destruction of Army Group Center.

use dagc::{Action, Dagc, State};
use engine::{Asked, Dice, Rulebook, Side, Viewer};

use crate::doctrine::{Doctrine, Ledger, Mind};
use crate::weights;

weights! {
    /// The numbers of the doctrine.
    pub struct DagcWeights {
        /// A step on the map.
        step = 0.3,
    }
}

impl Doctrine for Dagc {
    type Weights = DagcWeights;
    type Picture = ();
    type Plan = ();
    fn turn(&self, state: &State) -> u32 {
        self.view(state, Viewer::Referee).turn
    }
    fn picture(&self, _: &State) {}
    fn period(&self, _: &State) -> u64 {
        0
    }
    fn instinct(_: Mind<'_, Self>, _: &State, _: Side, answers: &[Action], luck: &mut Dice) -> Action {
        answers[luck.roll(answers.len() as u32) as usize - 1]
    }
    fn plan(_: Mind<'_, Self>, _: &State, _: Side, _: &mut Dice) {}
    fn follow(_: Mind<'_, Self>, _: &State, _: Side, (): &mut (), _: &[Action]) -> Option<Action> {
        None
    }
    fn alternatives(_: Mind<'_, Self>, _: &State, _: Side, _: &mut Dice) -> Vec<()> {
        vec![(), ()]
    }
    fn is_played_out(&self, start: &State, now: &State) -> bool {
        self.turn(now) > self.turn(start) + 1
    }
    fn worth(mind: Mind<'_, Self>, state: &State, side: Side) -> f64 {
        if let Asked::Over(outcome) = mind.rules.asked(state) {
            return outcome.winner.map_or(0.5, |winner| f64::from(u8::from(winner == side)));
        }
        0.5
    }
    fn explain(_: Mind<'_, Self>, _: &State, (): &()) -> Vec<String> {
        Vec::new()
    }
    fn ledger(&self, (): &(), _: &State) -> Ledger {
        Ledger::default()
    }
}
