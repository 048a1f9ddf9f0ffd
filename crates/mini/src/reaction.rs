//! 5: reaction fire, an interrupt in the middle of the other side's move.

use board::Hex;
use engine::{Play, Side, UnitId, Violation, case, ensure};

use crate::{Action, Arm, Event, Mini, Procedure, State};

impl Mini {
    /// Guns of `side` adjacent to a hex that have not fired in this phase (5.1).
    pub(crate) fn guns_near(&self, state: &State, side: Side, hex: Hex) -> impl Iterator<Item = UnitId> {
        self.roster.iter().filter(move |gun| {
            let unit = state.unit(*gun);
            self.side(*gun) == side
                && self.counters[gun.index()].kind == Arm::Gun
                && !unit.fired
                && unit.hex.is_some_and(|from| self.map.grid().adjacent(from, hex))
        })
    }

    pub(crate) fn reaction_answers(&self, state: &State, target: UnitId, answers: &mut Vec<Action>) {
        if let Some(hex) = state.unit(target).hex {
            let guns = self.guns_near(state, self.side(target).enemy(), hex);
            answers.extend(guns.map(|gun| Action::Fire { gun }));
        }
        answers.push(Action::Hold);
    }

    pub(crate) fn check_fire(&self, state: &State, target: UnitId, gun: UnitId) -> Result<(), Violation> {
        let side = self.side(target).enemy();
        ensure!("5.1", self.side(gun) == side, "{} is not {}'s", gun, side);
        ensure!("5.1", self.counters[gun.index()].kind == Arm::Gun, "{} is not a gun", gun);
        ensure!("5.1", !state.unit(gun).fired, "{} has fired in this phase", gun);
        let near = state
            .unit(target)
            .hex
            .is_some_and(|hex| self.guns_near(state, side, hex).any(|near| near == gun));
        ensure!("5.1", near, "{} is not adjacent to {}", gun, target);
        Ok(())
    }

    pub(crate) fn fire(&self, state: &mut State, target: UnitId, gun: UnitId, play: &mut Play<Event>) {
        self.show(state, [gun], play);
        state.unit_mut(gun).fired = true;
        play.tell(Event::Fired { gun, unit: target });
        state.stack.push(Procedure::Fire { gun, unit: target });
        self.roll(state, self.side(gun), "reaction fire", case("5.2"), play);
    }

    /// 5 and 6 hit: the unit loses a step and ends its move where it is (5.2).
    pub(crate) fn settle_fire(&self, state: &mut State, target: UnitId, roll: u8, play: &mut Play<Event>) {
        if roll < 5 {
            return play.tell(Event::Missed { unit: target });
        }
        self.lose_step(state, target, play);
        state.stack.pop(); // no other gun may fire at it here
        let at = state.unit(target).hex;
        if let (Some(Procedure::Moving { to, .. }), Some(at)) = (state.stack.last_mut(), at) {
            *to = at;
        }
    }
}
