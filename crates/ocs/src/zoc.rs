//! 4.1: no zones of control, and what adjacent enemies do all the same.

use board::Hex;
use engine::{Play, Side, UnitId};

use crate::{Event, HexSet, Marks, Ocs, State};

impl Ocs {
    /// The hexes adjacent to units of the enemy of a side (4.1), those with them not among them unless others are adjacent.
    pub(crate) fn near_enemies(&self, state: &State, side: Side) -> HexSet {
        let enemies = state.held(side.enemy());
        let mut near = self.terrain.sides.grow(enemies);
        for hex in enemies.iter() {
            if !self.adjacent_to(state, hex, side.enemy()) {
                near.remove(hex);
            }
        }
        near
    }

    /// Whether a unit of a side is adjacent to a hex.
    pub(crate) fn adjacent_to(&self, state: &State, hex: Hex, side: Side) -> bool {
        let held = state.held(side);
        self.map.neighbours(hex).any(|(_, near)| held.contains(near))
    }

    /// A unit has ended its movement: enemy units in Reserve next to it lose their markers (4.1j, R22).
    pub(crate) fn end_movement(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let Some(hex) = state.hex(unit).filter(|_| self.is_unit(unit)) else { return };
        let enemy = self.side(unit).enemy();
        for (_, near) in self.map.neighbours(hex) {
            if state.held(enemy).contains(near) {
                self.lose_reserve(state, near, enemy, true, play);
            }
        }
    }

    /// The units of a side in a hex, its guns among them or not, lose their Reserve markers; the side of the counter that shows
    /// gives the mode (4.1j).
    pub(crate) fn lose_reserve(
        &self,
        state: &mut State,
        hex: Hex,
        side: Side,
        guns: bool,
        play: &mut Play<Event>,
    ) {
        let loses = |unit: &UnitId| {
            state.marked(*unit, Marks::RESERVE) && (guns || !self.counter(*unit).is_artillery())
        };
        let reserve: Vec<UnitId> = self.units_in(state, hex, side).filter(loses).collect();
        for unit in reserve {
            state.unmark(unit, Marks::RESERVE);
            play.tell(Event::ReserveLost { unit });
        }
    }
}
