//! 5.2: Schlachtenglück, a second roll after any die of one's own.

use engine::{Case, Play, Side, case};

use crate::charts::CombatResult;
use crate::{Bug, Event, Procedure, State};

impl Bug {
    /// Rolls a die for the procedure on top of the stack, which is settled at once unless the roller holds the marker
    /// and may want to roll again (5.2a). Every die is a d10 (5a).
    pub(crate) fn roll(
        &self,
        state: &mut State,
        side: Side,
        purpose: &'static str,
        case: Case,
        play: &mut Play<Event>,
    ) {
        let roll = play.roll(side, 10, purpose, case) as u8;
        if state.luck == side {
            if state.stack.last() == Some(&Procedure::Die) {
                let CombatResult { attacker, attacker_red, defender, defender_red } =
                    self.combat_result(state, roll);
                play.tell(Event::Reads { attacker, attacker_red, defender, defender_red });
            }
            state.stack.push(Procedure::Luck { side, roll });
        } else {
            self.settle(state, roll, play);
        }
    }

    /// The marker goes to the enemy (5.2b) and the second roll stands (R7).
    pub(crate) fn reroll(&self, state: &mut State, side: Side, play: &mut Play<Event>) -> u8 {
        state.luck = side.enemy();
        play.tell(Event::LuckPassed { to: side.enemy() });
        play.roll(side, 10, "a second try", case("5.2a")) as u8
    }

    /// Gives a roll to the procedure that waits for it.
    pub(crate) fn settle(&self, state: &mut State, roll: u8, play: &mut Play<Event>) {
        match state.stack.last().copied() {
            Some(Procedure::Interdiction) => self.settle_interdiction(state, roll, play),
            Some(Procedure::Attrition { next }) => self.settle_attrition(state, next, roll, play),
            Some(Procedure::Points { hq, reaction }) => self.settle_points(state, hq, reaction, roll, play),
            Some(Procedure::Reacting { hq }) => self.settle_reaction(state, hq, roll, play),
            Some(Procedure::Checks { trial, units }) => self.settle_check(state, trial, units, roll, play),
            Some(Procedure::Die) => self.settle_combat(state, roll, play),
            other => debug_assert!(false, "a roll for {other:?}"),
        }
    }
}
