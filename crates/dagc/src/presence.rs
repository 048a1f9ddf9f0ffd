//! What the rules see of a state: who is where, and what that controls.

use std::cell::OnceCell;

use board::{Hex, HexSet, Sides};
use engine::{BySide, Side};

use crate::{Dagc, Front, State};

/// Who is where. Zones of control are found when they are first asked for.
pub(crate) struct Presence<'a> {
    /// Hexes with at least one unit of a side.
    pub(crate) held: BySide<&'a HexSet>,
    /// Hexes with two units.
    pub(crate) full: &'a HexSet,
    /// Hexes with a Soviet unit of the main fronts, and of 1st Ukrainian Front (6.10).
    pub(crate) main: &'a HexSet,
    pub(crate) uf: &'a HexSet,
    sides: &'a Sides,
    zoc: BySide<OnceCell<HexSet>>,
}

impl<'a> Presence<'a> {
    pub(crate) fn new(rules: &'a Dagc, state: &'a State) -> Presence<'a> {
        let units = &state.units;
        Presence {
            full: units.shared(),
            main: units.held(Front::MAIN),
            uf: units.held(Front::UF),
            ..Presence::supposed(
                rules,
                BySide { axis: units.held(Front::GERMAN), soviet: units.held(Front::SOVIET) },
            )
        }
    }

    /// The position if units of the sides were in these hexes, one in each.
    pub(crate) fn supposed(rules: &'a Dagc, held: BySide<&'a HexSet>) -> Presence<'a> {
        const NONE: &HexSet = &HexSet::EMPTY;
        let zoc = BySide { axis: OnceCell::new(), soviet: OnceCell::new() };
        Presence { held, full: NONE, main: NONE, uf: NONE, sides: &rules.ground.all_sides, zoc }
    }

    /// Hexes in a side's zone of control (8.1a).
    pub(crate) fn zoc(&self, side: Side) -> &HexSet {
        self.zoc[side].get_or_init(|| self.sides.grow(self.held[side]))
    }

    /// In an enemy zone of control, whoever is there (8.3).
    pub(crate) fn in_ezoc(&self, side: Side, hex: Hex) -> bool {
        self.zoc(side.enemy()).contains(hex)
    }

    /// In an enemy zone of control that no friendly unit negates (8.4a).
    pub(crate) fn in_unnegated_ezoc(&self, side: Side, hex: Hex) -> bool {
        self.in_ezoc(side, hex) && !self.held[side].contains(hex)
    }

    /// Hexes where a side's supply lines may run as far as enemies are concerned: not in their hexes or in their
    /// zones of control, unless a friend is there (7.2b, 7.2c, 7.2d). An enemy's hex is among its own zones here.
    pub(crate) fn free_of_enemies(&self, side: Side, land: HexSet) -> HexSet {
        *self.held[side] | (land - *self.zoc(side.enemy()))
    }
}
