//! 4.0: how to win.

use engine::{BySide, Outcome, Play, Remark, Side, UnitId, remark};

use crate::settings::{Objective, Victory, Worth};
use crate::{Arm, Bite, Event, Level, Place, Size, State};

impl Bite {
    /// Scores objectives: by control, or by a combat unit that is there (6.0i1, R61).
    pub(crate) fn score(&self, state: &mut State, objectives: &[Objective], play: &mut Play<Event>) {
        for side in Side::BOTH {
            let won = |objective: &&Objective| objective.side == side && self.holds(state, objective);
            let points: i16 = objectives.iter().filter(won).map(|objective| objective.points).sum();
            add_points(state, side, points, play);
        }
    }

    fn holds(&self, state: &State, objective: &Objective) -> bool {
        if !objective.occupied {
            return state.controller(objective.hex) == objective.side;
        }
        let there = |unit: UnitId| self.side(unit) == objective.side && !self.is_hq(unit);
        state.units.in_hex(objective.hex).any(there)
    }

    /// The enemy scores what an eliminated counter is worth, whatever the cause (R85).
    pub(crate) fn score_elimination(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let counter = self.counter(unit);
        let fits = |worth: &&Worth| {
            worth.side == counter.side
                && (worth.arms.is_empty() || worth.arms.contains(&counter.arm))
                && worth.size.is_none_or(|size| size == counter.size && counter.arm != Arm::Hq)
        };
        if let Some(worth) = self.settings.worth.iter().find(fits) {
            add_points(state, counter.side.enemy(), worth.points, play);
        }
    }

    /// The last points, and the end (6.0i4).
    pub(crate) fn end_game(&self, state: &mut State, play: &mut Play<Event>) {
        let last: Vec<Objective> =
            self.settings.objectives.iter().filter(|objective| objective.turns.is_none()).copied().collect();
        self.score(state, &last, play);
        if let Some(trap) = self.settings.trap {
            let trapped = self.supplied(state, trap.side, trap.size, Level::Out).count() as i16;
            add_points(state, trap.side.enemy(), trapped * trap.points, play);
        }
        if let Victory::Gate { escaped, .. } = self.settings.victory {
            self.score_gate(state, escaped, play);
        }
        state.stack.clear();
        play.tell(Event::Ended { axis: state.points.axis, soviet: state.points.soviet });
    }

    /// Units of a side and size on the map that are out of supply, or that are not.
    fn supplied<'a>(
        &'a self,
        state: &'a State,
        side: Side,
        size: Size,
        level: Level,
    ) -> impl Iterator<Item = UnitId> + 'a {
        let known = self.known(state);
        let units = self
            .on_map(state, side)
            .map(|(unit, _)| unit)
            .filter(move |unit| self.counter(*unit).size == size);
        units.filter(move |unit| {
            let found = self.level(state, known.supply(self, state, side), *unit);
            (found == Level::Out) == (level == Level::Out)
        })
    }

    /// The Green Gate: divisions that escaped, that are in supply, that are lost or cut off (uma.25.0i).
    fn score_gate(&self, state: &mut State, worth: i16, play: &mut Play<Event>) {
        let division =
            |unit: &UnitId| self.side(*unit) == Side::Soviet && self.counter(*unit).size == Size::Division;
        let places = |place: Place| {
            self.roster.iter().filter(division).filter(|unit| state.units[*unit].place == place).count()
                as i16
        };
        let (escaped, lost) = (places(Place::Escaped), places(Place::Dead));
        let cut_off = self.supplied(state, Side::Soviet, Size::Division, Level::Out).count() as i16;
        let supplied = self.supplied(state, Side::Soviet, Size::Division, Level::General).count() as i16;
        add_points(state, Side::Soviet, worth * escaped + supplied, play);
        add_points(state, Side::Axis, lost + cut_off, play);
    }

    pub(crate) fn outcome(&self, state: &State) -> Outcome {
        let BySide { axis, soviet } = state.points;
        let points = BySide { axis: i32::from(axis), soviet: i32::from(soviet) };
        let (winner, reason) = match &self.settings.victory {
            Victory::Most => (
                leader(axis - soviet, 0),
                remark!("4.0a", "Axis {}, Soviet {} points", points.axis, points.soviet),
            ),
            Victory::Levels { side, levels } => {
                let difference = match side {
                    Side::Axis => axis - soviet,
                    Side::Soviet => soviet - axis,
                };
                let level = levels.iter().find(|(from, _)| difference >= *from).or(levels.last());
                let winner = level.and_then(|(_, winner)| *winner);
                (winner, remark!("4.0a", "points by which {} is ahead: {}", *side, i32::from(difference)))
            }
            Victory::Gate { margin, .. } => {
                let reason = remark!("uma.25.0j", "Axis {}, Soviet {} points", points.axis, points.soviet);
                (leader(axis - soviet, *margin), reason)
            }
            Victory::Pocket { armor, towns, prizes } => self.pocket(state, *armor, (towns, prizes)),
        };
        Outcome { winner, reason, points }
    }

    /// The Wołomin pocket: Soviet tanks lost, and the towns (rad.25.0f, rad.25.0g).
    fn pocket(
        &self,
        state: &State,
        armor: [u8; 3],
        (towns, prizes): (&[board::Hex], &[board::Hex]),
    ) -> (Option<Side>, Remark) {
        let is_lost = |unit: &UnitId| {
            let counter = self.counter(*unit);
            counter.side == Side::Soviet && counter.is_armor() && state.units[*unit].place == Place::Dead
        };
        let lost = self.roster.iter().filter(is_lost).count() as u8;
        let [all, most, few] = armor;
        let axis_towns = towns.iter().all(|hex| state.controller(*hex) == Side::Axis);
        let known = self.known(state);
        let supply = known.supply(self, state, Side::Soviet);
        let stands = |unit: UnitId| {
            self.side(unit) == Side::Soviet
                && !self.is_hq(unit)
                && self.level(state, supply, unit) != Level::Out
        };
        let soviet_prize = prizes
            .iter()
            .any(|hex| state.controller(*hex) == Side::Soviet && state.units.in_hex(*hex).any(stands));
        let winner = if lost >= all || lost >= most && axis_towns {
            Some(Side::Axis)
        } else if lost <= few || soviet_prize {
            Some(Side::Soviet)
        } else {
            None
        };
        (winner, remark!("rad.25.0f", "Soviet armor counters lost: {}", lost))
    }
}

fn leader(difference: i16, margin: i16) -> Option<Side> {
    match difference {
        _ if difference > margin => Some(Side::Axis),
        _ if difference < -margin => Some(Side::Soviet),
        _ => None,
    }
}

fn add_points(state: &mut State, side: Side, points: i16, play: &mut Play<Event>) {
    if points != 0 {
        state.points[side] += points;
        play.tell(Event::Scored { side, points });
    }
}
