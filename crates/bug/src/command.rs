//! 5.8: Command Range.

use board::{Hex, flood, flood_within};
use engine::{UnitId, Violation, ensure};

use crate::{Bug, Command, HexSet, Presence, State};

impl Bug {
    /// Whether a unit that stands in a hex would be led by an HQ (5.8d): by a path of hexes that is not broken by enemies
    /// or their zones of control (5.8.2); terrain does not matter (5.8.2c). A unit's own hex is never broken, because it
    /// is there.
    pub(crate) fn command_from(&self, state: &State, presence: &Presence, hq: UnitId, hex: Hex) -> Command {
        if self.is_led(state, presence, hq, hex) {
            return Command::In;
        }
        let Some(at) = state.hex(hq) else { return Command::Isolated };
        let joined = presence.joined.has(hq.index(), hex, || {
            let open = presence.clear(self.side(hq), self.ground.land);
            flood(&HexSet::from_iter([at]), &open, &self.ground.all_sides)
        });
        if joined { Command::Out } else { Command::Isolated }
    }

    /// Whether a hex is within Command Range of an HQ (5.8b).
    pub(crate) fn is_led(&self, state: &State, presence: &Presence, hq: UnitId, hex: Hex) -> bool {
        let Some(at) = state.hex(hq) else { return false };
        if let Some(led) = presence.near.known(hq.index(), hex) {
            return led;
        }
        let range = u32::from(self.hq_values(hq).command_range);
        self.map.grid().distance(at, hex) <= range
            && presence.near.has(hq.index(), hex, || {
                let open = presence.clear(self.side(hq), self.ground.land);
                flood_within(&HexSet::from_iter([at]), &open, &self.ground.all_sides, range)
            })
    }

    /// Whether a unit is in command, out of command or isolated.
    pub(crate) fn command(&self, state: &State, presence: &Presence, unit: UnitId) -> Command {
        let hq = self.hq_of(state, unit);
        state.hex(unit).map_or(Command::Isolated, |hex| self.command_from(state, presence, hq, hex))
    }

    pub(crate) fn is_in_command(&self, state: &State, presence: &Presence, unit: UnitId) -> bool {
        self.is_near(state, presence, unit, self.hq_of(state, unit))
    }

    /// Whether a unit is within Command Range of an HQ, its own or another of its side.
    pub(crate) fn is_near(&self, state: &State, presence: &Presence, unit: UnitId, hq: UnitId) -> bool {
        state.hex(unit).is_some_and(|hex| self.is_led(state, presence, hq, hex))
    }

    pub(crate) fn check_in_command(
        &self,
        state: &State,
        presence: &Presence,
        unit: UnitId,
    ) -> Result<(), Violation> {
        let hq = self.hq_of(state, unit);
        ensure!(
            "5.8b",
            self.is_in_command(state, presence, unit),
            "{} is not within Command Range of {} ({} hexes)",
            unit,
            hq,
            self.hq_values(hq).command_range
        );
        Ok(())
    }
}
