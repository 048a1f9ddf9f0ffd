//! 5: overruns in the middle of a move, and the fire that answers them.

use board::{Hex, Mp};
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, remark};

use crate::sequence::{acting_side, not_asked};
use crate::{Action, Arm, Depot, Event, Marks, Moving, Procedure, State, Strike};

/// By how much die and attack must exceed the defence (5.4).
const MARGIN: i32 = 4;

/// From here on a die hits (5.3, 6.2).
pub(crate) const HIT: u32 = 4;

phrases! {
    /// A tank overruns a hex; the die decides when nobody interferes any more.
    pub struct Overrun { unit: UnitId, hex: Hex } = "overrun", "5.1", "{unit} overruns {hex}";
}

impl Frame<Depot> for Overrun {
    /// The die (5.4).
    fn go_on(&self, rules: &Depot, state: &mut State, play: &mut Play<Event>) -> bool {
        state.stack.pop();
        let die = play.roll(rules.side(self.unit), 6, "overrun", case("5.4"));
        let attack = rules.face(state, self.unit).attack;
        let defenders: Vec<UnitId> = state.units.in_hex(self.hex).collect();
        let defence = rules.defence(state, &defenders);
        let success = die as i32 + i32::from(attack) - i32::from(defence) >= MARGIN;
        play.tell(Event::Overcame { attack, defence, success });
        if success {
            defenders.into_iter().for_each(|unit| rules.eliminate(state, unit, play));
            rules.enter(state, self.unit, self.hex, play);
        } else {
            state.stack.pop(); // the move is over
        }
        false
    }

    fn is_sound(&self, rules: &Depot, state: &State, around: Around<'_, Procedure>) -> bool {
        let Some(from) = state.hex(self.unit) else { return false };
        around.on::<Moving>().is_some_and(|moving| moving.unit == self.unit)
            && rules.kind(self.unit) == Arm::Tank
            && rules.map.grid().adjacent(from, self.hex)
            && rules.holder(state, self.hex) == Some(rules.side(self.unit).enemy())
            && around.under::<Fire>().is_some()
    }
}

impl Overrun {
    /// What it costs (5.1).
    pub(crate) const COST: Mp = Mp::whole(2);

    pub(crate) fn begin(&self, rules: &Depot, state: &mut State, play: &mut Play<Event>) {
        if let Some(moving) = state.stack.top::<Moving>().copied() {
            moving.pay(state, Self::COST);
        }
        play.tell(Event::Overran { unit: self.unit, hex: self.hex });
        state.stack.push(*self);
        if rules.guns_near(state, self.unit).next().is_some() {
            state.stack.push(Fire { gun: None });
        }
    }
}

phrases! {
    /// A gun may answer, and then the die decides.
    pub struct Fire {
        /// The gun that does.
        gun: Option<UnitId>,
    } = "fire", "5.2", "defensive fire";
}

impl Frame<Depot> for Fire {
    fn asked(&self, _: &Depot, state: &State) -> (Side, Remark) {
        (acting_side(state).enemy(), remark!("5.2", "an overrun: fire a gun, or hold fire"))
    }

    fn answers(&self, rules: &Depot, state: &State, answers: &mut Vec<Action>) {
        let tank = state.stack.find::<Overrun>().map(|overrun| overrun.unit);
        let guns = tank.into_iter().flat_map(|tank| rules.guns_near(state, tank));
        answers.extend(guns.map(|gun| Action::Fire { gun }));
        answers.push(Action::Hold);
    }

    fn check(&self, rules: &Depot, state: &State, action: Action) -> Result<(), Violation> {
        match (action, state.stack.find::<Overrun>()) {
            (Action::Fire { gun }, Some(overrun)) => rules.check_fire(state, overrun.unit, gun),
            (Action::Hold, _) => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Depot, state: &mut State, action: Action, play: &mut Play<Event>) {
        let Action::Fire { gun } = action else {
            state.stack.pop();
            return;
        };
        state.mark(gun, Marks::FIRED);
        play.tell(Event::Fired { gun });
        state.stack.replace(Fire { gun: Some(gun) });
        if rules.aircraft(state, acting_side(state), Arm::Bomber).next().is_some() {
            state.stack.push(Strike { bomber: None });
        }
    }

    /// When nobody can silence the gun any more it takes effect (5.3).
    fn go_on(&self, rules: &Depot, state: &mut State, play: &mut Play<Event>) -> bool {
        let Some(gun) = self.gun else { return true };
        state.stack.pop();
        if play.roll(rules.side(gun), 6, "defensive fire", case("5.3")) < HIT {
            play.tell(Event::Missed { gun });
        } else if let Some(overrun) = state.stack.pop_if::<Overrun>() {
            state.stack.pop(); // the move is over
            rules.lose_step(state, overrun.unit, play);
        }
        false
    }

    fn is_sound(&self, rules: &Depot, state: &State, around: Around<'_, Procedure>) -> bool {
        let Some(overrun) = around.on::<Overrun>() else { return false };
        match self.gun {
            None => around.above.is_empty() && rules.guns_near(state, overrun.unit).next().is_some(),
            Some(gun) => {
                around.under::<Strike>().is_some()
                    && rules.check_gun(state, overrun.unit, gun).is_ok()
                    && state.marked(gun, Marks::FIRED)
            }
        }
    }
}

impl Depot {
    /// Guns that may answer a tank (5.2).
    fn guns_near(&self, state: &State, tank: UnitId) -> impl Iterator<Item = UnitId> {
        self.roster.iter().filter(move |gun| self.check_fire(state, tank, *gun).is_ok())
    }

    fn check_fire(&self, state: &State, tank: UnitId, gun: UnitId) -> Result<(), Violation> {
        self.check_gun(state, tank, gun)?;
        ensure!("5.2", !state.marked(gun, Marks::FIRED), "{} has fired in this phase", gun);
        Ok(())
    }

    /// Whether a gun stands so that it can fire at a tank, or has just done so.
    fn check_gun(&self, state: &State, tank: UnitId, gun: UnitId) -> Result<(), Violation> {
        ensure!("5.2", self.side(gun) != self.side(tank), "{} is on the tank's side", gun);
        ensure!("5.2", self.kind(gun) == Arm::Gun, "{} is not a gun", gun);
        ensure!("5.2", !state.marked(gun, Marks::TRAVEL), "{} lies on its travel face", gun);
        let near = state.hex(gun).zip(state.hex(tank)).is_some_and(|(a, b)| self.map.grid().adjacent(a, b));
        ensure!("5.2", near, "{} is not adjacent to {}", gun, tank);
        Ok(())
    }

    /// What units are worth in defence together.
    pub(crate) fn defence(&self, state: &State, units: &[UnitId]) -> u16 {
        units.iter().map(|unit| u16::from(self.face(state, *unit).defence)).sum()
    }
}
