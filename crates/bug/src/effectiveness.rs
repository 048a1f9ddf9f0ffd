//! 5.6: Effectiveness Checks and disruption.

use board::Hex;
use engine::frame::Around;
use engine::{Frame, Play, Side, UnitId, case, phrases};

use crate::{Bug, CheckCause, Event, Marks, Place, Procedure, State, Units};

/// What is added to Soviet dice during the surprise attack (10.2e).
const SURPRISE_PENALTY: u8 = 2;

phrases! {
    /// Effectiveness Checks, one after the other.
    pub struct Checks { trial: CheckCause, units: Units } = "checks", "5.6.1a", "checks for {units}";
}

impl Frame<Bug> for Checks {
    /// Rolls for the first unit that still has to check (5.6.1a).
    fn go_on(&self, rules: &Bug, state: &mut State, play: &mut Play<Event>) -> bool {
        match self.next(state) {
            Some(unit) => {
                rules.roll(state, rules.side(unit), "effectiveness check", case("5.6.1a"), play);
            }
            None => {
                state.stack.pop();
            }
        }
        false
    }

    fn is_sound(&self, _: &Bug, _: &State, around: Around<'_, Procedure>) -> bool {
        !self.units.is_empty() && !around.is_outermost()
    }
}

impl Checks {
    /// Whoever was eliminated in the meantime makes no check (7.5.2.1z).
    fn next(&self, state: &State) -> Option<UnitId> {
        self.units.iter().find(|unit| state.hex(*unit).is_some())
    }

    /// Whether the unit whose turn it is passes with this roll (5.6.1a).
    pub(crate) fn passes(&self, rules: &Bug, state: &State, roll: u8) -> bool {
        self.next(state).is_some_and(|unit| {
            rules.surprised(state, rules.side(unit), roll) <= rules.printed(state, unit).rating
        })
    }

    pub(crate) fn settle(&self, rules: &Bug, state: &mut State, roll: u8, play: &mut Play<Event>) {
        let Some(unit) = self.next(state) else { return };
        let Checks { trial, mut units } = *self;
        units.remove(unit);
        state.stack.replace(Checks { trial, units });
        let side = rules.side(unit);
        let passed = self.passes(rules, state, roll);
        let told = match passed {
            true => Event::CheckPassed { unit: unit.into(), trial },
            false => Event::CheckFailed { unit: unit.into(), trial },
        };
        play.tell_of(side, rules.is_seen(state, unit), told);
        match (passed, trial) {
            (true, CheckCause::Refit) => rules.rally(state, unit, play),
            (true, _) => {}
            (false, CheckCause::Refit) => {} // 5.6.2d
            (false, CheckCause::Combat) => {
                state.mark(unit, Marks::FAILED);
                // A disrupted unit that fails in combat loses a Strength Point (5.6.2b).
                if state.is_disrupted(unit) {
                    rules.lose_strength(state, unit, play);
                } else {
                    rules.disrupt(state, unit, play);
                }
            }
            (false, CheckCause::Isolated | CheckCause::Infiltration | CheckCause::Marsh) => {
                rules.disrupt(state, unit, play)
            }
        }
    }
}

impl Bug {
    /// Puts checks on the stack, if there is anybody to make them.
    pub(crate) fn begin_checks(&self, state: &mut State, trial: CheckCause, units: Units) {
        if !units.is_empty() {
            state.stack.push(Checks { trial, units });
        }
    }

    /// What a Soviet die is worth during the surprise attack (10.2e).
    pub(crate) fn surprised(&self, state: &State, side: Side, roll: u8) -> u8 {
        if side == Side::Soviet && state.is_surprise() { roll + SURPRISE_PENALTY } else { roll }
    }

    /// Flips a unit to its disrupted side (5.6.2a), which ends Improved Defense in its hex (7.7c).
    pub(crate) fn disrupt(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let Some(hex) = state.hex(unit) else { return };
        if state.is_disrupted(unit) {
            return;
        }
        state.mark(unit, Marks::DISRUPTED);
        let seen = self.is_seen(state, unit);
        play.tell_of(self.side(unit), seen, Event::Disrupted { unit: unit.into(), hex });
        self.end_improvement(state, hex, play);
    }

    /// Flips a unit back.
    pub(crate) fn rally(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let Some(hex) = state.hex(unit) else { return };
        state.change(unit, |unit| unit.marks.clear(Marks::DISRUPTED));
        let seen = self.is_seen(state, unit);
        play.tell_of(self.side(unit), seen, Event::Rallied { unit: unit.into(), hex });
    }

    /// Takes a Strength Point; the last one eliminates the unit (7.5.2.1m).
    pub(crate) fn lose_strength(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let Some(hex) = state.hex(unit) else { return };
        if state.unit(unit).strength <= 1 {
            return self.eliminate(state, unit, play);
        }
        state.change(unit, |unit| unit.strength -= 1);
        let seen = self.is_seen(state, unit);
        play.tell_of(self.side(unit), seen, Event::StrengthLost { unit: unit.into(), hex });
    }

    /// Removes a unit from play; the marker of its hex goes (7.7c).
    pub(crate) fn eliminate(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let Some(hex) = self.take_off(state, unit, Place::Dead) else { return };
        state.change(unit, |unit| unit.strength = 0);
        play.tell(Event::Eliminated { unit });
        self.end_improvement(state, hex, play);
    }

    /// Takes the Improved Defense marker off a hex.
    pub(crate) fn end_improvement(&self, state: &mut State, hex: Hex, play: &mut Play<Event>) {
        if state.improved.remove(hex) {
            play.tell(Event::ImprovedLost { hex });
        }
    }
}
