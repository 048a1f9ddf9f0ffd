//! 12.8: engineers and their bridges.

use engine::UnitId;

use crate::{Marks, Ocs, State};

impl Ocs {
    /// A phase begins: engineers bridge the rivers of the hexes that they are in now (12.8a.c).
    pub(crate) fn begin_bridges(&self, state: &mut State) {
        let engineers: Vec<UnitId> = self
            .roster
            .iter()
            .filter(|unit| self.counter(*unit).engineer && state.hex(*unit).is_some())
            .collect();
        for unit in engineers {
            state.mark(unit, Marks::BRIDGES);
        }
    }
}
