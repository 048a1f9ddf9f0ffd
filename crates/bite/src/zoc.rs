//! 9.0: zones of control, and who stands where.

use board::Hex;
use engine::{BySide, Side, UnitId};

use crate::{Bite, HexSet, Place, State};

/// Who holds which hexes now, and the zones of control that follow.
#[derive(Clone, Copy)]
pub(crate) struct Position {
    /// Hexes with units.
    pub(crate) held: BySide<HexSet>,
    /// Hexes with a unit that has an attack strength, which exerts a zone of control and negates enemy ones (9.0x1, 9.0i).
    pub(crate) armed: BySide<HexSet>,
    pub(crate) zoc: BySide<HexSet>,
}

impl Position {
    pub(crate) fn new(rules: &Bite, state: &State) -> Position {
        let mut position =
            Position { held: BySide::default(), armed: BySide::default(), zoc: BySide::default() };
        for (counter, (unit, now)) in rules.counters.iter().zip(state.units.iter()) {
            let Place::Hex(hex) = now.place else { continue };
            position.held[counter.side].insert(hex);
            if rules.can_attack(state, unit) {
                position.armed[counter.side].insert(hex);
            }
        }
        position.zoc = BySide::new_with(|side| rules.zone(state, &position.armed[side]));
        position
    }

    /// Enemy zones of control that no friendly unit with an attack strength negates, for supply and retreat (9.0i).
    pub(crate) fn unnegated(&self, side: Side) -> HexSet {
        self.zoc[side.enemy()] - self.armed[side]
    }
}

impl Bite {
    /// The zone of control of units in these hexes: not over major rivers or water, not into cities (9.0a, 9.0b).
    pub(crate) fn zone(&self, state: &State, armed: &HexSet) -> HexSet {
        if !self.charts.weather(state.weather).zoc {
            return HexSet::EMPTY;
        }
        (self.ground.zoc_sides.grow(armed) - self.ground.cities) & self.ground.land
    }

    /// The zone of control of one unit.
    pub(crate) fn zone_of(&self, state: &State, unit: UnitId) -> HexSet {
        let armed: HexSet = state.hex(unit).filter(|_| self.can_attack(state, unit)).into_iter().collect();
        self.zone(state, &armed)
    }

    /// The zone of control of a side's units outside of one hex.
    pub(crate) fn zone_without(&self, state: &State, position: &Position, side: Side, hex: Hex) -> HexSet {
        let mut armed = position.armed[side];
        armed.remove(hex);
        self.zone(state, &armed)
    }
}
