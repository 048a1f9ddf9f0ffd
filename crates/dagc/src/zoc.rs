//! 8: zones of control. What they are stands in [`Position`](crate::position::Position); here is what they cost.

use board::Hex;
use engine::Side;

use crate::{Dagc, Marks, Position, State};

impl Dagc {
    /// Leaving and entering an enemy zone of control cost 1 MP each (8.3a, 8.3b, 8.3c, 8.4b).
    pub(crate) fn zoc_cost(&self, position: &Position, side: Side, from: Hex, to: Hex) -> u8 {
        u8::from(position.in_ezoc(side, from)) + u8::from(position.in_ezoc(side, to))
    }

    /// A Soviet unit may not go from one German zone of control straight to another in a German entrenchment
    /// (8.3d), except activated units on turn 1 (5.4c).
    pub(crate) fn entrenchment_bars(
        &self,
        state: &State,
        position: &Position,
        unit: engine::UnitId,
        from: Hex,
        to: Hex,
    ) -> bool {
        let side = self.side(unit);
        let exempt = state.turn == 1 && state.marked(unit, Marks::ACTIVATED);
        side == Side::Soviet
            && !exempt
            && self.ground.german_entrenchments.contains(to)
            && position.in_ezoc(side, from)
            && position.in_ezoc(side, to)
    }
}
