//! 5.8: Command Range.

use board::{Hex, flood, flood_within};
use engine::{UnitId, Violation, ensure};

use crate::{Bug, Command, HexSet, Position, State};

/// Where the units of a formation are led.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    /// Within Command Range.
    near: HexSet,
    /// Joined to the HQ by any path.
    joined: HexSet,
}

impl Reach {
    /// The status of a unit that stands in a hex (5.8d).
    pub(crate) fn of(&self, hex: Hex) -> Command {
        if self.near.contains(hex) {
            Command::In
        } else if self.joined.contains(hex) {
            Command::Out
        } else {
            Command::Isolated
        }
    }
}

impl Bug {
    /// Where the units of a formation are in command: paths of hexes that are not broken by enemies or their zones of
    /// control (5.8.2); terrain does not matter (5.8.2c). A unit's own hex is never broken, because it is there.
    pub(crate) fn command_reach(&self, state: &State, position: &Position, hq: UnitId) -> Reach {
        let Some(hex) = state.hex(hq) else { return Reach { near: HexSet::EMPTY, joined: HexSet::EMPTY } };
        let open = position.clear(self.side(hq), self.ground.land);
        let seed: HexSet = [hex].into_iter().collect();
        let range = u32::from(self.hq_values(hq).command_range);
        let sides = &self.ground.all_sides;
        Reach { near: flood_within(&seed, &open, sides, range), joined: flood(&seed, &open, sides) }
    }

    /// Whether a unit is in command, out of command or isolated.
    pub(crate) fn command(&self, state: &State, position: &Position, unit: UnitId) -> Command {
        let hq = self.hq_of(state, unit);
        match state.hex(unit) {
            Some(hex) => self.command_reach(state, position, hq).of(hex),
            None => Command::Isolated,
        }
    }

    pub(crate) fn is_in_command(&self, state: &State, position: &Position, unit: UnitId) -> bool {
        // Most units stand near their HQ: the flood is needed only beyond its range.
        self.is_near(state, position, unit, self.hq_of(state, unit))
    }

    /// Whether a unit is within Command Range of an HQ, its own or another of its side.
    pub(crate) fn is_near(&self, state: &State, position: &Position, unit: UnitId, hq: UnitId) -> bool {
        let (Some(at), Some(hex)) = (state.hex(unit), state.hex(hq)) else { return false };
        let range = u32::from(self.hq_values(hq).command_range);
        if self.map.grid().distance(at, hex) > range {
            return false;
        }
        let open = position.clear(self.side(hq), self.ground.land);
        let seed: HexSet = [hex].into_iter().collect();
        flood_within(&seed, &open, &self.ground.all_sides, range).contains(at)
    }

    pub(crate) fn check_in_command(
        &self,
        state: &State,
        position: &Position,
        unit: UnitId,
    ) -> Result<(), Violation> {
        let hq = self.hq_of(state, unit);
        ensure!(
            "5.8b",
            self.is_in_command(state, position, unit),
            "{} is not within Command Range of {} ({} hexes)",
            unit,
            hq,
            self.hq_values(hq).command_range
        );
        Ok(())
    }
}
