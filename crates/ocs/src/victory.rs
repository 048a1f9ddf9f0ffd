//! Victory: the series has no conditions of its own (R110), so each scenario brings its points and levels.

use board::Hex;
use engine::{BySide, Outcome, Play, Side, remark};

use crate::settings::{Level, What};
use crate::{Event, Ocs, State};

impl Ocs {
    pub(crate) fn is_objective(&self, hex: Hex) -> bool {
        let here = |what: &What| match what {
            What::Control(there) | What::Unit(there) => *there == hex,
            What::Hexes { all, any } => all.contains(&hex) || any.contains(&hex),
            What::StepsLost { .. } => false,
        };
        self.settings.victory.iter().any(|worth| here(&worth.what))
    }

    /// How many steps a side has lost by now.
    fn steps_lost(&self, state: &State, side: Side) -> u16 {
        let own = self.roster.iter().filter(|unit| self.side(*unit) == side && self.is_unit(*unit));
        let lost = |unit: engine::UnitId| {
            let now = &state.units[unit];
            let in_play =
                matches!(now.place, crate::Place::Hex(_) | crate::Place::Box(_) | crate::Place::Dead);
            if in_play { u16::from(self.counter(unit).steps.saturating_sub(now.steps)) } else { 0 }
        };
        own.map(lost).sum()
    }

    /// The points of the Axis if the game ended now.
    pub(crate) fn points(&self, state: &State) -> i32 {
        let holds = |what: &What| match what {
            What::Control(hex) => state.controller(*hex) == Side::Axis,
            What::Hexes { all, any } => {
                let axis = |hex: &Hex| state.controller(*hex) == Side::Axis;
                all.iter().all(axis) && (any.is_empty() || any.iter().any(axis))
            }
            What::Unit(hex) => state.held(Side::Axis).contains(*hex),
            What::StepsLost { side, fewer } => self.steps_lost(state, *side) < *fewer,
        };
        self.settings.victory.iter().filter(|worth| holds(&worth.what)).map(|worth| worth.points).sum()
    }

    fn level_of(&self, points: i32) -> Option<&Level> {
        self.settings.levels.iter().find(|level| points >= level.least)
    }

    pub(crate) fn end_game(&self, state: &mut State, play: &mut Play<Event>) {
        state.stack.clear();
        play.tell(Event::Ended { points: self.points(state) });
    }

    pub(crate) fn outcome(&self, state: &State) -> Outcome {
        let points = self.points(state);
        Outcome {
            winner: self.level_of(points).and_then(|level| level.winner),
            reason: remark!("2.3.IV", "{} points", points),
            points: BySide { axis: points, soviet: 0 },
        }
    }
}
