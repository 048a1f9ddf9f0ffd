//! 11.1: stacking.

use board::Hex;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, ensure, phrases, remark};

use crate::sequence::{acting_side, not_asked};
use crate::{Action, Bite, Event, Movement, Place, Procedure, State, Units};

/// The most regimental equivalents in a hex, in halves: 4.5 (11.1a).
pub(crate) const LIMIT: u8 = 9;

phrases! {
    /// Stacks that are too high at the end of a phase lose units.
    pub struct Overstacked = "overstacked", "11.1m", "stacks are too high";
}

impl Frame<Bite> for Overstacked {
    fn asked(&self, _: &Bite, state: &State) -> (Side, Remark) {
        (acting_side(state), remark!("11.1m", "a stack is too high: name a unit that is eliminated"))
    }

    fn answers(&self, rules: &Bite, state: &State, answers: &mut Vec<Action>) {
        let side = acting_side(state);
        let full = rules.on_map(state, side).filter(|(_, hex)| !rules.fits(state, *hex));
        answers.extend(full.map(|(unit, _)| Action::Disband { unit }));
    }

    fn check(&self, rules: &Bite, state: &State, action: Action) -> Result<(), Violation> {
        let Action::Disband { unit } = action else { return Err(not_asked(state)) };
        let own = rules.side(unit) == acting_side(state);
        let full = state.hex(unit).is_some_and(|hex| !rules.fits(state, hex));
        ensure!("11.1m", own && full, "{} is in no stack of yours that is too high", unit);
        Ok(())
    }

    fn apply(&self, rules: &Bite, state: &mut State, action: Action, play: &mut Play<Event>) {
        if let Action::Disband { unit } = action {
            rules.disband(state, unit, play);
        }
    }

    fn go_on(&self, rules: &Bite, state: &mut State, play: &mut Play<Event>) -> bool {
        let side = acting_side(state);
        let over = rules.on_map(state, side).any(|(_, hex)| !rules.fits(state, hex));
        if !over {
            state.stack.pop();
            rules.end_movement(state, play);
        }
        over
    }

    fn is_sound(&self, _: &Bite, _: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Movement>().is_some() && around.above.is_empty()
    }
}

impl Bite {
    /// What a stack counts, in halves of a regimental equivalent.
    pub(crate) fn height(&self, units: impl Iterator<Item = UnitId>) -> u8 {
        units.map(|unit| self.counter(unit).re).fold(0, u8::saturating_add)
    }

    /// A hex is within the limit, and no two nations are in it that keep apart (11.1a, uma.22.7a).
    pub(crate) fn fits(&self, state: &State, hex: Hex) -> bool {
        self.height(state.units.in_hex(hex)) <= LIMIT && !self.quarrels(state.units.in_hex(hex))
    }

    /// The hex would be within the limit with these units, too.
    pub(crate) fn has_room(&self, state: &State, hex: Hex, units: Units) -> bool {
        let there = state.units.in_hex(hex).filter(|unit| !units.contains(*unit));
        self.height(there.clone().chain(units.iter())) <= LIMIT && !self.quarrels(there.chain(units.iter()))
    }

    /// Units of two nations that do not bear each other are among these (uma.22.7a).
    pub(crate) fn quarrels(&self, mut units: impl Iterator<Item = UnitId> + Clone) -> bool {
        let Some((one, other)) = &self.settings.special.apart else { return false };
        let mut others = units.clone();
        units.any(|unit| self.counter(unit).nation == *one)
            && others.any(|unit| self.counter(unit).nation == *other)
    }

    /// Removes a unit because its stack is too high. An HQ does not come back (R37).
    pub(crate) fn disband(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let hex = state.hex(unit);
        self.remove(state, unit, Place::Dead, play);
        play.tell(Event::Disbanded { unit });
        if let Some(hex) = hex {
            self.lift_fort(state, hex, play);
        }
    }
}
