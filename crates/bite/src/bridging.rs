//! 20.0: bridging units on their bridge face.

use board::{Hex, Mp};
use engine::{Play, Side, UnitId};

use crate::{Bite, Event, Marks, Place, State};

/// What mechanized units pay in the turn of placement, and later where no road led over the river (20.0f, 20.0g).
pub(crate) const ROUGH_CROSSING: Mp = Mp::whole(2);

/// What all others pay.
pub(crate) const CROSSING: Mp = Mp::whole(1);

/// The most bridging units of a side.
pub(crate) const MAX_BRIDGES: usize = 8;

impl Bite {
    /// Mechanized units pay more for a bridged hexside than others (20.0f, 20.0g).
    pub(crate) fn is_rough_crossing(&self, (from, to): (Hex, Hex), fresh: bool) -> bool {
        fresh || !self.ground.road_sides.between(from, to)
    }

    /// A bridging unit of a side bridges this hexside (20.0d, 20.0h).
    pub(crate) fn is_bridged(&self, state: &State, side: Side, a: Hex, b: Hex) -> bool {
        self.bridges(state, side).any(|(_, from, to)| (from, to) == (a, b) || (from, to) == (b, a))
    }

    pub(crate) fn build_bridge(&self, state: &mut State, unit: UnitId, to: Hex, play: &mut Play<Event>) {
        let Some(from) = state.hex(unit) else { return };
        state.units.change(unit, |unit| {
            unit.place = Place::Bridge(from, to);
            unit.marks.set(Marks::FRESH);
            unit.marks.clear(Marks::OUT);
        });
        play.tell(Event::Bridged { unit, from, to });
        self.lift_fort(state, from, play);
    }

    /// Bridges that an enemy unit comes upon, at either end, are gone (20.0c).
    pub(crate) fn lose_bridges(&self, state: &mut State, side: Side, hex: Hex, play: &mut Play<Event>) {
        let lost: Vec<UnitId> = self
            .bridges(state, side.enemy())
            .filter(|(_, from, to)| *from == hex || *to == hex)
            .map(|(unit, _, _)| unit)
            .collect();
        for unit in lost {
            state.units.change(unit, |unit| {
                unit.place = Place::Dead;
                unit.steps = 0;
                unit.marks.clear(Marks::FRESH);
            });
            play.tell(Event::BridgeLost { unit });
        }
    }
}
