//! What opponents ask of a state, besides what they see: nothing here decides anything.

use board::Hex;
use engine::{Side, UnitId};

use crate::movement::Moving;
use crate::settings::Victory;
use crate::{Bite, Place, Size, State, Units};

/// What a town or prize of the Wołomin pocket counts beside counters, in points (rad.25.0f).
const POCKET_TOWN: i16 = 3;

impl Bite {
    /// Hexes that are worth points in the end, each with the side that scores them (4.0b).
    pub fn prizes(&self) -> Vec<(Hex, Side, i16)> {
        let scored = self.settings.objectives.iter();
        let mut prizes: Vec<(Hex, Side, i16)> =
            scored.map(|objective| (objective.hex, objective.side, objective.points)).collect();
        if let Victory::Pocket { towns, prizes: held, .. } = &self.settings.victory {
            prizes.extend(towns.iter().map(|hex| (*hex, Side::Axis, POCKET_TOWN)));
            prizes.extend(held.iter().map(|hex| (*hex, Side::Soviet, POCKET_TOWN)));
        }
        if let (Victory::Gate { escaped, .. }, Some((side, hexes))) =
            (&self.settings.victory, &self.settings.special.escape)
        {
            prizes.extend(hexes.iter().map(|hex| (hex, *side, *escaped)));
        }
        prizes
    }

    /// Who controls a hex.
    pub fn controller(&self, state: &State, hex: Hex) -> Side {
        state.controller(hex)
    }

    /// By how many points the Axis side is ahead, without those for hexes; lost armor and divisions that got away or did not
    /// count where they decide (rad.25.0f, uma.25.0i).
    pub fn lead(&self, state: &State) -> i16 {
        let count = |place: Place, is: &dyn Fn(UnitId) -> bool| {
            let there = |unit: &UnitId| state.units[*unit].place == place && is(*unit);
            self.roster.iter().filter(there).count() as i16
        };
        let soviet = |unit: UnitId| self.side(unit) == Side::Soviet;
        let more = match self.settings.victory {
            Victory::Pocket { .. } => {
                POCKET_TOWN * count(Place::Dead, &|unit| soviet(unit) && self.counter(unit).is_armor())
            }
            Victory::Gate { escaped, .. } => {
                let division = |unit: UnitId| soviet(unit) && self.counter(unit).size == Size::Division;
                count(Place::Dead, &division) - escaped * count(Place::Escaped, &division)
            }
            Victory::Most | Victory::Levels { .. } => 0,
        };
        state.points.axis - state.points.soviet + more
    }

    /// Whether a unit could stay in a hex at the end of a phase (11.1m).
    pub fn can_stay(&self, state: &State, unit: UnitId, hex: Hex) -> bool {
        self.has_room(state, hex, Units::of(unit))
    }

    /// An HQ (14.0).
    pub fn is_headquarters(&self, unit: UnitId) -> bool {
        self.is_hq(unit)
    }

    /// The first of the units that are under way.
    pub fn under_way(&self, state: &State) -> Option<UnitId> {
        state.stack.top::<Moving>().and_then(|moving| moving.units.first())
    }
}
