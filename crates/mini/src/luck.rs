//! 7: luck, a re-roll after any die.

use engine::frame::Around;
use engine::{Case, Frame, Play, Remark, Side, Violation, case, phrases, remark};

use crate::{Action, Battle, Event, Fire, Mini, Procedure, State};

phrases! {
    /// A side may hand in its luck chip to roll again.
    pub struct Luck { side: Side, roll: u8 } = "luck", "7.1", "{side} has rolled {roll}";
}

impl Frame<Mini> for Luck {
    fn asked(&self, _: &Mini, _: &State) -> (Side, Remark) {
        (self.side, remark!("7.1", "you have rolled {}: keep it or roll again", self.roll))
    }

    fn answers(&self, _: &Mini, _: &State, answers: &mut Vec<Action>) {
        answers.extend([Action::Keep, Action::Reroll]);
    }

    fn check(&self, _: &Mini, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Keep | Action::Reroll => Ok(()),
            _ => Err(crate::sequence::not_asked(state)),
        }
    }

    /// The chip is handed in and the second roll stands.
    fn apply(&self, rules: &Mini, state: &mut State, action: Action, play: &mut Play<Event>) {
        state.stack.pop();
        let mut roll = self.roll;
        if action == Action::Reroll {
            state.luck[self.side] = false;
            play.tell(Event::LuckSpent { side: self.side });
            roll = play.roll(self.side, 6, "a second try", case("7.1")) as u8;
        }
        rules.settle(state, roll, play);
    }

    fn is_sound(&self, _: &Mini, state: &State, around: Around<'_, Procedure>) -> bool {
        (around.on::<Fire>().is_some() || around.on::<Battle>().is_some())
            && around.above.is_empty()
            && state.luck[self.side]
            && (1..=6).contains(&self.roll)
    }
}

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
            state.stack.push(Luck { side, roll });
        } else {
            self.settle(state, roll, play);
        }
    }

    /// Gives a roll to the procedure that waits for it.
    fn settle(&self, state: &mut State, roll: u8, play: &mut Play<Event>) {
        match state.stack.pop() {
            Some(Procedure::Fire(fire)) => fire.settle(self, state, roll, play),
            Some(Procedure::Battle(battle)) => battle.settle(self, state, roll, play),
            other => debug_assert!(false, "a roll for {other:?}"),
        }
    }
}
