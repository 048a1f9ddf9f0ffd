//! 7: luck, a re-roll after any die.

use engine::{Case, Play, Side};

use crate::{Event, Mini, Procedure, State};

impl Mini {
    /// Rolls a die for the procedure on top of the stack, which is settled at once unless the side still has
    /// its luck chip and may want to roll again (7.1).
    pub(crate) fn roll(
        &self,
        state: &mut State,
        side: Side,
        purpose: &'static str,
        case: Case,
        play: &mut Play<Event>,
    ) {
        let roll = play.roll(side, 6, purpose, case) as u8;
        if state.luck[side] {
            state.stack.push(Procedure::Luck { side, roll });
        } else {
            self.settle(state, roll, play);
        }
    }

    /// The chip is handed in and the second roll stands.
    pub(crate) fn reroll(&self, state: &mut State, side: Side, play: &mut Play<Event>) {
        state.luck[side] = false;
        play.tell(Event::LuckSpent { side });
        let roll = play.roll(side, 6, "a second try", engine::case("7.1")) as u8;
        self.settle(state, roll, play);
    }

    /// Gives a roll to the procedure that waits for it.
    pub(crate) fn settle(&self, state: &mut State, roll: u8, play: &mut Play<Event>) {
        match state.stack.pop() {
            Some(Procedure::Fire { unit, .. }) => self.settle_fire(state, unit, roll, play),
            Some(Procedure::Battle { target, attackers, column }) => {
                self.settle_battle(state, target, attackers, column, roll, play);
            }
            other => debug_assert!(false, "a roll for {other:?}"),
        }
    }
}
