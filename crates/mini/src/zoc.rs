//! 3: zones of control.

use board::HexSet;
use engine::Side;

use crate::{Mini, State};

impl Mini {
    /// The hexes that a side's units are in.
    pub(crate) fn hexes_of(&self, state: &State, side: Side) -> HexSet {
        let mut hexes = HexSet::EMPTY;
        for unit in self.roster.iter().filter(|unit| self.side(*unit) == side) {
            if let Some(hex) = state.unit(unit).hex {
                hexes.insert(hex);
            }
        }
        hexes
    }

    /// The hexes where an enemy of `side` has a zone of control: those it is adjacent to with no river between
    /// (3.1). Its own hexes are among them, which does no harm: nobody may enter those anyway (4.4).
    pub(crate) fn ezoc(&self, state: &State, side: Side) -> HexSet {
        self.dry_sides.grow(&self.hexes_of(state, side.enemy()))
    }
}
