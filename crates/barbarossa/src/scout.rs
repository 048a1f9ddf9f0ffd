//! What opponents ask of a state, besides what they see: nothing here decides anything.

use board::Hex;
use engine::{Side, UnitId};

use crate::movement::Moving;
use crate::{Barbarossa, State};

impl Barbarossa {
    /// Hexes that are worth a point to whoever takes them (4.2b).
    pub fn prizes(&self) -> impl Iterator<Item = Hex> {
        self.ground.worth_points.iter()
    }

    /// Who controls a hex (3.6).
    pub fn controller(&self, state: &State, hex: Hex) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| state.controls(*side, hex))
    }

    /// By how many points the German side is beyond the middle of what this turn's check lets pass (4.14a).
    pub fn lead(&self, state: &State) -> i16 {
        let turns = state.turn..=self.last_turn;
        let middle = turns.map(|turn| self.numbers(turn)).find_map(|(soviet, german)| {
            let german = german?;
            Some(soviet.map_or(german, |soviet| (soviet + german) / 2))
        });
        state.vp + state.forgiveness - middle.unwrap_or(0)
    }

    /// The first of the units that are under way.
    pub fn under_way(&self, state: &State) -> Option<UnitId> {
        state.stack.top::<Moving>().and_then(|moving| moving.units.first())
    }
}
