//! 2: stacking.

use board::Hex;
use engine::{Play, Side, UnitId, Violation, ensure};

use crate::{Event, Marks, Mini, State};

/// How many units a hex holds (2.1).
pub(crate) const LIMIT: usize = 2;

impl Mini {
    /// Whose units are in a hex.
    pub(crate) fn holder(&self, state: &State, hex: Hex) -> Option<Side> {
        state.stack_in(hex).next().map(|unit| self.side(unit))
    }

    /// True when one more unit may end its move, retreat or advance here (2.1).
    pub(crate) fn has_room(&self, state: &State, hex: Hex) -> bool {
        state.stack_in(hex).count() < LIMIT
    }

    /// True when the enemy sees what this unit is (2.2, 2.5, 9.2).
    pub(crate) fn is_seen(&self, state: &State, unit: UnitId) -> bool {
        let Some(hex) = state.unit(unit).hex else { return true };
        self.switches.open_stacks
            || state.marked(unit, Marks::SHOWN)
            || state.stack_in(hex).next() == Some(unit)
    }

    /// A unit may be lifted in its own movement phase, before it moves, when it is not on top (2.3).
    pub(crate) fn check_lift(&self, state: &State, side: Side, unit: UnitId) -> Result<(), Violation> {
        let hex = self.may_move(state, side, unit)?;
        ensure!("2.3", state.stack_in(hex).next() != Some(unit), "{} is on top already", unit);
        Ok(())
    }

    pub(crate) fn lift(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        state.order.retain(|other| *other != unit);
        state.order.insert(0, unit);
        state.mark(unit, Marks::MOVED);
        if let Some(hex) = state.unit(unit).hex {
            play.tell(Event::Lifted { unit, hex });
        }
    }

    /// Puts a unit into a hex, beneath whoever is there (2.4).
    pub(crate) fn arrive(&self, state: &mut State, unit: UnitId, hex: Hex) {
        state.unit_mut(unit).hex = Some(hex);
        state.order.retain(|other| *other != unit);
        state.order.push(unit);
    }

    /// Shows units to the enemy until the phase ends (2.5).
    pub(crate) fn show(
        &self,
        state: &mut State,
        units: impl IntoIterator<Item = UnitId>,
        play: &mut Play<Event>,
    ) {
        let hidden = units.into_iter().filter(|unit| !state.marked(*unit, Marks::SHOWN)).collect::<Vec<_>>();
        let unseen =
            hidden.iter().copied().filter(|unit| !self.is_seen(state, *unit)).collect::<crate::Units>();
        for unit in hidden {
            state.mark(unit, Marks::SHOWN);
        }
        if !unseen.is_empty() {
            play.tell(Event::Shown { units: unseen });
            unseen.iter().for_each(|unit| play.reveal(self.side(unit).enemy()));
        }
    }

    /// Takes a step; without one left the unit is gone.
    pub(crate) fn lose_step(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let left = state.unit(unit).steps - 1;
        state.unit_mut(unit).steps = left;
        play.tell(Event::StepLost { unit, left });
        if left == 0 {
            self.eliminate(state, unit, play);
        }
    }

    pub(crate) fn eliminate(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        state.unit_mut(unit).hex = None;
        state.unit_mut(unit).steps = 0;
        play.tell(Event::Eliminated { unit });
    }
}
