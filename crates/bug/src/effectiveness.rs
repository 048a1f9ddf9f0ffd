//! 5.6: Effectiveness Checks and disruption.

use board::Hex;
use engine::{Force, Play, Side, UnitId, case};

use crate::{Bug, Event, Marks, Place, Procedure, State, Trial};

/// What is added to Soviet dice during the surprise attack (10.2e).
pub(crate) const SURPRISE_PENALTY: u8 = 2;

impl Bug {
    /// Puts checks on the stack, if there is anybody to make them.
    pub(crate) fn begin_checks(&self, state: &mut State, trial: Trial, units: Force) {
        if !units.is_empty() {
            state.stack.push(Procedure::Checks { trial, units });
        }
    }

    /// Rolls for the first unit that still has to check (5.6.1a); no one is left to when it is over.
    pub(crate) fn go_on_checking(&self, state: &mut State, units: Force, play: &mut Play<Event>) {
        // Whoever was eliminated in the meantime makes no check (7.5.2.1z).
        match units.iter().find(|unit| state.hex(*unit).is_some()) {
            Some(unit) => {
                self.roll(state, self.side(unit), "effectiveness check", case("5.6.1a"), play);
            }
            None => {
                state.stack.pop();
            }
        }
    }

    /// What a Soviet die is worth during the surprise attack (10.2e).
    pub(crate) fn surprised(&self, state: &State, side: Side, roll: u8) -> u8 {
        if side == Side::Soviet && state.is_surprise() { roll + SURPRISE_PENALTY } else { roll }
    }

    pub(crate) fn settle_check(
        &self,
        state: &mut State,
        trial: Trial,
        units: Force,
        roll: u8,
        play: &mut Play<Event>,
    ) {
        let Some(unit) = units.iter().find(|unit| state.hex(*unit).is_some()) else { return };
        let mut left = units;
        left.remove(unit);
        if let Some(Procedure::Checks { units, .. }) = state.stack.last_mut() {
            *units = left;
        }
        let passed = self.surprised(state, self.side(unit), roll) <= self.printed(state, unit).rating;
        let seen = self.is_seen(state, unit);
        if passed {
            let (told, vague) = (Event::CheckPassed { unit, trial }, Event::CheckPassedUnseen { trial });
            self.tell_of(unit, seen, told, vague, play);
        } else {
            let (told, vague) = (Event::CheckFailed { unit, trial }, Event::CheckFailedUnseen { trial });
            self.tell_of(unit, seen, told, vague, play);
        }
        match (passed, trial) {
            (true, Trial::Refit) => self.rally(state, unit, play),
            (true, _) => {}
            (false, Trial::Refit) => {} // 5.6.2d
            (false, Trial::Combat) => {
                state.mark(unit, Marks::FAILED);
                // A disrupted unit that fails in combat loses a Strength Point (5.6.2b).
                if state.is_disrupted(unit) {
                    self.lose_strength(state, unit, play);
                } else {
                    self.disrupt(state, unit, play);
                }
            }
            (false, Trial::Isolated | Trial::Infiltration | Trial::Marsh) => self.disrupt(state, unit, play),
        }
    }

    /// Flips a unit to its disrupted side (5.6.2a), which ends Improved Defense in its hex (7.7c).
    pub(crate) fn disrupt(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let Some(hex) = state.hex(unit) else { return };
        if state.is_disrupted(unit) {
            return;
        }
        state.mark(unit, Marks::DISRUPTED);
        let seen = self.is_seen(state, unit);
        self.tell_of(unit, seen, Event::Disrupted { unit }, Event::DisruptedUnseen { hex }, play);
        self.end_improvement(state, hex, play);
    }

    /// Flips a unit back.
    pub(crate) fn rally(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let Some(hex) = state.hex(unit) else { return };
        state.unit_mut(unit).marks.clear(Marks::DISRUPTED);
        let seen = self.is_seen(state, unit);
        self.tell_of(unit, seen, Event::Rallied { unit }, Event::RalliedUnseen { hex }, play);
    }

    /// Takes a Strength Point; the last one eliminates the unit (7.5.2.1m).
    pub(crate) fn lose_strength(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let Some(hex) = state.hex(unit) else { return };
        if state.unit(unit).strength <= 1 {
            return self.eliminate(state, unit, play);
        }
        state.unit_mut(unit).strength -= 1;
        let seen = self.is_seen(state, unit);
        self.tell_of(unit, seen, Event::StrengthLost { unit }, Event::StrengthLostUnseen { hex }, play);
    }

    /// Removes a unit from play; the marker of its hex goes (7.7c).
    pub(crate) fn eliminate(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let Some(hex) = self.take_off(state, unit, Place::Dead) else { return };
        state.unit_mut(unit).strength = 0;
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
