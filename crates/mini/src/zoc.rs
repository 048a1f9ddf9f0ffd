//! 3: zones of control.

use board::Hex;
use engine::Side;

use crate::{Mini, State};

impl Mini {
    /// True when an enemy of `side` has a zone of control here: it is adjacent, and no river runs between (3.1).
    pub(crate) fn in_ezoc(&self, state: &State, side: Side, hex: Hex) -> bool {
        self.map.neighbours(hex).any(|(dir, from)| {
            !self.river.has(hex, dir) && self.holder(state, from) == Some(side.enemy())
        })
    }
}
