//! Victory: the series has no conditions of its own (R110), so each scenario brings its points and levels.

use board::Hex;
use engine::{BySide, Outcome, Play, Side, UnitId, remark};

use crate::settings::{Level, What};
use crate::{Arm, Event, Ocs, Size, State};

impl Ocs {
    pub(crate) fn is_objective(&self, hex: Hex) -> bool {
        let here = |what: &What| match what {
            What::Control(there) | What::Unit(there) => *there == hex,
            What::Hexes { all, any } => all.contains(&hex) || any.contains(&hex),
            What::StepsLost { .. } | What::DeadDivisions { .. } | What::DeadCounters { .. } => false,
        };
        self.settings.victory.iter().any(|worth| here(&worth.what))
            || self.settings.sudden.iter().any(|sudden| sudden.hexes.contains(&hex))
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
        let times = |what: &What| match what {
            What::DeadDivisions { side, quarters, arms, every } => {
                i32::from(self.dead_divisions(state, *side, *quarters, arms) / every)
            }
            What::DeadCounters { side, counters } => {
                i32::from(self.broken_divisions(state, *side, *counters))
            }
            what => i32::from(self.holds(state, what)),
        };
        self.settings.victory.iter().map(|worth| times(&worth.what) * worth.points).sum()
    }

    fn holds(&self, state: &State, what: &What) -> bool {
        match what {
            What::Control(hex) => state.controller(*hex) == Side::Axis,
            What::Hexes { all, any } => {
                let axis = |hex: &Hex| state.controller(*hex) == Side::Axis;
                all.iter().all(axis) && (any.is_empty() || any.iter().any(axis))
            }
            What::Unit(hex) => state.held(Side::Axis).contains(*hex),
            What::StepsLost { side, fewer } => self.steps_lost(state, *side) < *fewer,
            What::DeadDivisions { .. } | What::DeadCounters { .. } => false,
        }
    }

    fn is_dead(&self, state: &State, unit: UnitId) -> bool {
        state.units[unit].place == crate::Place::Dead
    }

    /// The dead divisions of a side that are one counter, from a size on, and of some types.
    fn dead_divisions(&self, state: &State, side: Side, quarters: u8, arms: &[Arm]) -> u16 {
        let counts = |unit: &UnitId| {
            let counter = self.counter(*unit);
            counter.side == side
                && counter.size == Size::Division
                && counter.re >= quarters
                && (arms.is_empty() || arms.contains(&counter.arm))
                && self.is_dead(state, *unit)
        };
        self.roster.iter().filter(counts).count() as u16
    }

    /// The divisions of a side that have so many counters dead.
    fn broken_divisions(&self, state: &State, side: Side, counters: u8) -> u16 {
        let own = |unit: &UnitId| self.side(*unit) == side && !self.counter(*unit).division.is_empty();
        let dead: Vec<&str> = self
            .roster
            .iter()
            .filter(|unit| own(unit) && self.is_dead(state, *unit))
            .map(|unit| self.counter(unit).division.as_str())
            .collect();
        let first = |place: usize| dead.iter().position(|name| *name == dead[place]) == Some(place);
        let many = |name: &str| dead.iter().filter(|other| **other == name).count() >= usize::from(counters);
        (0..dead.len()).filter(|place| first(*place) && many(dead[*place])).count() as u16
    }

    /// The side that has won at the end of this turn, before the last (R110).
    pub(crate) fn sudden_winner(&self, state: &State) -> Option<Side> {
        let won = |winner: Side, hexes: &[Hex]| hexes.iter().all(|hex| state.controller(*hex) == winner);
        let due = self.settings.sudden.iter().filter(|sudden| sudden.from <= state.turn);
        due.into_iter().find(|sudden| won(sudden.winner, &sudden.hexes)).map(|sudden| sudden.winner)
    }

    fn level_of(&self, points: i32) -> Option<&Level> {
        self.settings.levels.iter().find(|level| points >= level.least)
    }

    pub(crate) fn end_game(&self, state: &mut State, play: &mut Play<Event>) {
        state.stack.clear();
        play.tell(Event::Ended { points: self.points(state) });
    }

    pub(crate) fn outcome(&self, state: &State) -> Outcome {
        let (points, sudden) = (self.points(state), self.sudden_winner(state));
        Outcome {
            winner: sudden.or_else(|| self.level_of(points).and_then(|level| level.winner)),
            reason: match sudden {
                Some(side) => remark!("2.3.IV", "{} has won at the end of a turn", side),
                None => remark!("2.3.IV", "{} points", points),
            },
            points: BySide { axis: points, soviet: 0 },
        }
    }
}
