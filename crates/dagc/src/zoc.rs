//! 8: zones of control. What they are stands in [`Position`]; here is what they cost.

use board::Hex;
use engine::{Side, UnitId};

use crate::{Dagc, Marks, Position, State};

impl Dagc {
    /// Leaving and entering an enemy zone of control cost 1 MP each (8.3a, 8.3b, 8.3c, 8.4b).
    pub(crate) fn zoc_cost(&self, position: &Position, side: Side, from: Hex, to: Hex) -> u8 {
        u8::from(position.in_ezoc(side, from)) + u8::from(position.in_ezoc(side, to))
    }

    /// A Soviet unit may not go from one German zone of control straight to another in a German entrenchment (8.3d).
    pub(crate) fn entrenchment_bars(&self, position: &Position, side: Side, from: Hex, to: Hex) -> bool {
        side == Side::Soviet
            && self.ground.german_entrenchments.contains(to)
            && position.in_ezoc(side, from)
            && position.in_ezoc(side, to)
    }

    /// Activated units on turn 1 may (5.4c).
    pub(crate) fn is_exempt_from_entrenchments(&self, state: &State, unit: UnitId) -> bool {
        state.turn == 1 && state.marked(unit, Marks::ACTIVATED)
    }
}
