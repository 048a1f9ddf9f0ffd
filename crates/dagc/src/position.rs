//! What the rules see of a state: who is where, and what that controls.

use board::{Hex, HexSet};
use engine::store::OnMap;
use engine::{BySide, Side};

use crate::{Dagc, State};

/// Derived from a state whenever a decision needs it; cheaper than keeping it true.
#[derive(Clone, Copy)]
pub(crate) struct Position {
    /// Hexes with at least one unit of a side.
    pub(crate) held: BySide<HexSet>,
    /// Hexes with two units.
    pub(crate) full: HexSet,
    /// Hexes with a unit of 1st Ukrainian Front.
    pub(crate) uf: HexSet,
    /// Hexes in a side's zone of control (8.1a).
    pub(crate) zoc: BySide<HexSet>,
}

impl Position {
    pub(crate) fn new(rules: &Dagc, state: &State) -> Position {
        let mut held = BySide { axis: HexSet::EMPTY, soviet: HexSet::EMPTY };
        let mut full = HexSet::EMPTY;
        let mut uf = HexSet::EMPTY;
        for ((_, unit), counter) in state.units.iter().zip(&rules.counters) {
            let Some(hex) = unit.hex() else { continue };
            if !held[counter.side].insert(hex) {
                full.insert(hex);
            }
            if counter.group == crate::Group::Uf {
                uf.insert(hex);
            }
        }
        let zoc = BySide {
            axis: rules.ground.all_sides.grow(&held.axis),
            soviet: rules.ground.all_sides.grow(&held.soviet),
        };
        Position { held, full, uf, zoc }
    }

    /// In an enemy zone of control, whoever is there (8.3).
    pub(crate) fn in_ezoc(&self, side: Side, hex: Hex) -> bool {
        self.zoc[side.enemy()].contains(hex)
    }

    /// In an enemy zone of control that no friendly unit negates (8.4a).
    pub(crate) fn in_unnegated_ezoc(&self, side: Side, hex: Hex) -> bool {
        self.in_ezoc(side, hex) && !self.held[side].contains(hex)
    }

    /// Hexes where a side's supply lines may run as far as enemies are concerned: not in their hexes or in their
    /// zones of control, unless a friend is there (7.2b, 7.2c, 7.2d). An enemy's hex is among its own zones here.
    pub(crate) fn free_of_enemies(&self, side: Side, land: HexSet) -> HexSet {
        self.held[side] | (land - self.zoc[side.enemy()])
    }
}
