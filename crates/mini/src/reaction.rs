//! 5: reaction fire, an interrupt in the middle of the other side's move.

use board::Hex;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, remark};

use crate::{Action, Arm, Event, Luck, Marks, Mini, Moving, Procedure, State};

phrases! {
    /// Guns may fire at a unit on its way.
    pub struct Reaction { unit: UnitId } = "reaction", "5.1", "guns may fire at {unit}";
}

impl Frame<Mini> for Reaction {
    fn asked(&self, rules: &Mini, _: &State) -> (Side, Remark) {
        let prompt = remark!("5.1", "{} has come near your guns: fire or hold", self.unit);
        (rules.side(self.unit).enemy(), prompt)
    }

    fn answers(&self, rules: &Mini, state: &State, answers: &mut Vec<Action>) {
        answers.extend(self.guns(rules, state).map(|gun| Action::Fire { gun }));
        answers.push(Action::Hold);
    }

    fn check(&self, rules: &Mini, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Fire { gun } => self.check_fire(rules, state, gun),
            Action::Hold => Ok(()),
            _ => Err(crate::sequence::not_asked(state)),
        }
    }

    fn apply(&self, rules: &Mini, state: &mut State, action: Action, play: &mut Play<Event>) {
        let Action::Fire { gun } = action else {
            state.stack.pop();
            return;
        };
        rules.show(state, [gun], play);
        state.mark(gun, Marks::FIRED);
        play.tell(Event::Fired { gun, unit: self.unit });
        state.stack.push(Fire { gun, unit: self.unit });
        rules.roll(state, rules.side(gun), "reaction fire", case("5.2"), play);
    }

    /// Nobody is asked when no gun can fire any more.
    fn go_on(&self, rules: &Mini, state: &mut State, _: &mut Play<Event>) -> bool {
        let asks = self.guns(rules, state).next().is_some();
        if !asks {
            state.stack.pop();
        }
        asks
    }

    fn is_sound(&self, _: &Mini, state: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Moving>().is_some_and(|moving| moving.unit == self.unit)
            && state.unit(self.unit).hex.is_some_and(|hex| state.stack_in(hex).count() == 1)
    }
}

impl Reaction {
    fn guns<'a>(&self, rules: &'a Mini, state: &'a State) -> impl Iterator<Item = UnitId> + 'a {
        let side = rules.side(self.unit).enemy();
        state.unit(self.unit).hex.into_iter().flat_map(move |hex| rules.guns_near(state, side, hex))
    }

    fn check_fire(&self, rules: &Mini, state: &State, gun: UnitId) -> Result<(), Violation> {
        let side = rules.side(self.unit).enemy();
        ensure!("5.1", rules.side(gun) == side, "{} is not {}'s", gun, side);
        ensure!("5.1", rules.counters[gun.index()].kind == Arm::Gun, "{} is not a gun", gun);
        ensure!("5.1", !state.marked(gun, Marks::FIRED), "{} has fired in this phase", gun);
        let near = self.guns(rules, state).any(|near| near == gun);
        ensure!("5.1", near, "{} is not adjacent to {}", gun, self.unit);
        Ok(())
    }
}

phrases! {
    /// A gun has fired; the die decides.
    pub struct Fire { gun: UnitId, unit: UnitId } = "fire", "5.2", "{gun} fires at {unit}";
}

impl Frame<Mini> for Fire {
    fn asked(&self, rules: &Mini, _: &State) -> (Side, Remark) {
        (rules.side(self.gun), remark!("5.2", "{} fires at {}", self.gun, self.unit))
    }

    fn is_sound(&self, rules: &Mini, _: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Reaction>().is_some_and(|reaction| reaction.unit == self.unit)
            && rules.side(self.gun) != rules.side(self.unit)
            && around.under::<Luck>().is_some_and(|luck| luck.side == rules.side(self.gun))
    }
}

impl Fire {
    /// 5 and 6 hit: the unit loses a step and ends its move where it is (5.2).
    pub(crate) fn settle(&self, rules: &Mini, state: &mut State, roll: u8, play: &mut Play<Event>) {
        let unit = self.unit;
        if roll < 5 {
            return play.tell(Event::Missed { unit });
        }
        rules.lose_step(state, unit, play);
        state.stack.pop(); // no other gun may fire at it here
        let at = state.unit(unit).hex;
        if let (Some(moving), Some(at)) = (state.stack.top_mut::<Moving>(), at) {
            moving.to = at;
        }
    }
}

impl Mini {
    /// Guns of `side` adjacent to a hex that have not fired in this phase (5.1).
    pub(crate) fn guns_near(&self, state: &State, side: Side, hex: Hex) -> impl Iterator<Item = UnitId> {
        self.roster.iter().filter(move |gun| {
            let unit = state.unit(*gun);
            self.side(*gun) == side
                && self.counters[gun.index()].kind == Arm::Gun
                && !unit.marks.has(Marks::FIRED)
                && unit.hex.is_some_and(|from| self.map.grid().adjacent(from, hex))
        })
    }
}
