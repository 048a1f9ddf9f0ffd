//! 7: overruns in the middle of a move.

use board::{Hex, Mp};
use engine::{Play, UnitId, Violation, ensure, refuse};

use crate::movement::INTERDICTION;
use crate::stacking::LIMIT;
use crate::terrain::COUNTRY;
use crate::{Action, AntiOverrun, Battle, Event, How, Marks, Moving, Ocs, State, Units, group};

/// What an overrun costs, and what the hex may cost at most (7.0d, 7.0e).
const COST: Mp = Mp::whole(3);

/// The action rating that it takes (7.1b.a).
const RATING: u8 = 3;

impl Moving {
    pub(crate) fn overruns(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        let Some(from) = self.hex(state) else { return };
        for (_, hex) in rules.map.neighbours(from) {
            for how in [How::Plain, How::AllCosts] {
                if self.check_overrun(rules, state, hex, how).is_ok() {
                    answers.push(Action::Overrun { hex, how });
                }
            }
        }
    }

    pub(crate) fn check_overrun(
        &self,
        rules: &Ocs,
        state: &State,
        hex: Hex,
        how: How,
    ) -> Result<(), Violation> {
        rules.check_how(how)?;
        let side = self.side(rules);
        let Some(from) = self.hex(state) else { refuse!("7.0a", "nobody is there to overrun {}", hex) };
        ensure!("7.0f", rules.map.grid().adjacent(from, hex), "{} is not adjacent to {}", from, hex);
        ensure!("7.0a", state.held(side.enemy()).contains(hex), "no enemy unit is in {}", hex);
        let able = self.units.filter(|unit| self.check_participant(rules, state, unit, hex).is_ok());
        if able.is_empty() {
            let Some(first) = self.units.first() else { refuse!("7.0a", "nobody is there") };
            return self.check_participant(rules, state, first, hex);
        }
        let height = rules.stacked(state, from, side);
        ensure!("4.2g", height <= LIMIT, "more than 10 REs are in {}", from);
        let supplied = rules.in_combat_supply(state, side).contains(from);
        ensure!("9.5b.a", supplied, "no combat supply can be traced to {}", from);
        rules.check_tokens(state, side, able, how)
    }

    /// Whether a unit can take part; who cannot may tag along (7.0c to 7.1b, R5, R8).
    fn check_participant(&self, rules: &Ocs, state: &State, unit: UnitId, hex: Hex) -> Result<(), Violation> {
        rules.check_attacker(state, unit)?;
        ensure!("5.10b.b", !state.marked(unit, Marks::DG), "{} is disorganized", unit);
        if !rules.switches.surprise {
            let rating = rules.rating(state, unit);
            ensure!("7.1b.a", rating >= RATING, "{} has an action rating of {}", unit, rating);
        }
        let left = state.units[unit].left;
        ensure!("7.1a.b", left >= COST, "{} needs {} MP and has {}", unit, COST, left);
        match rules.overrun_cost(state, unit, hex) {
            Some(cost) if cost <= COST => Ok(()),
            Some(cost) => refuse!("7.0d", "{} would cost {} {} MP without roads", hex, unit, cost),
            None => refuse!("9.3a.b", "{} cannot enter {} without roads", unit, hex),
        }
    }

    pub(crate) fn overrun(&self, rules: &Ocs, state: &mut State, hex: Hex, how: How, play: &mut Play<Event>) {
        let attackers = self.units.filter(|unit| self.check_participant(rules, state, unit, hex).is_ok());
        self.begun(state);
        for unit in attackers.iter() {
            state.units.change(unit, |unit| unit.left = unit.left.saturating_sub(COST));
        }
        state.overrun.insert(hex);
        play.tell(Event::Overran { units: attackers, hex, how });
        // Guns in the hex may still answer out of Reserve, and lose it then (R22).
        rules.lose_reserve(state, hex, self.side(rules).enemy(), false, play);
        state.stack.push(Battle::new(hex, attackers, true, how).begun(rules));
    }
}

impl Ocs {
    /// What the hex costs to enter across country: no roads, no engineers' bridges (7.1a.a, 12.8a.d).
    fn overrun_cost(&self, state: &State, unit: UnitId, hex: Hex) -> Option<Mp> {
        let from = state.hex(unit)?;
        let dir = self.map.grid().dir_between(from, hex)?;
        let statute = self.terrain.law(state.weather, self.mobility(state, unit))?;
        let cost = statute.price_by(COUNTRY, from, dir)?;
        let enemy = self.side(unit).enemy();
        let interdicted = state.units.held(group::of(group::INTERDICTION, enemy)).contains(hex);
        Some(if interdicted { cost + INTERDICTION } else { cost })
    }
}

impl Battle {
    /// The owner of the target may answer with a barrage, unless he is surprised (7.2, 7.2d, R13).
    pub(crate) fn offer_barrage(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
        let from = self.alive(state).first().and_then(|unit| state.hex(unit));
        let side = self.side(rules).enemy();
        let Some(from) = from else { return };
        if self.shift <= 0 && !rules.answerers(state, side, Some(from)).is_empty() {
            state.stack.push(AntiOverrun { hex: from, guns: Units::EMPTY });
        } else {
            rules.lose_reserve(state, self.hex, side, true, play);
        }
    }

    /// The attackers go into the hex that they have emptied, and who tags along with them if he can (7.0h, R2, R9).
    pub(crate) fn enter_overrun(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
        let side = self.side(rules);
        let attackers = self.alive(state);
        let moving = state.stack.find::<Moving>().map_or(Units::EMPTY, |moving| moving.units);
        let tagging = (moving - attackers).filter(|unit| {
            state.hex(unit).is_some()
                && state.units[unit].left >= COST
                && rules.overrun_cost(state, unit, self.hex).is_some()
        });
        for unit in tagging.iter() {
            state.units.change(unit, |unit| unit.left = unit.left.saturating_sub(COST));
        }
        let obstacles = crate::movement::Obstacles::new(rules, state, side);
        for unit in (attackers | tagging).iter() {
            rules.put(state, unit, self.hex, play);
            play.tell(Event::Advanced { unit, hex: self.hex });
            rules.halt_next_to_enemy(state, &obstacles, unit, self.hex, play);
        }
        // Whoever could not keep up stays where he is.
        if let Some(moving) = state.stack.find_mut::<Moving>() {
            moving.units = attackers | tagging;
        }
        for unit in (moving - attackers - tagging)
            .iter()
            .filter(|unit| state.hex(*unit).is_some())
            .collect::<Vec<_>>()
        {
            rules.halt(state, unit, play);
        }
        rules.capture(state, side, self.hex, play);
    }

    /// Attackers that have retreated or become disorganized do not move on (R3).
    pub(crate) fn end_overrun(&self, state: &mut State) {
        let stopped = self.retreated || self.attackers.iter().any(|unit| state.marked(unit, Marks::DG));
        let moving = state.stack.find::<Moving>().map_or(Units::EMPTY, |moving| moving.units);
        if stopped {
            stop(state, moving);
        }
    }
}

/// Units that move no further in this phase.
pub(crate) fn stop(state: &mut State, units: Units) {
    for unit in units.iter() {
        state.units.change(unit, |unit| unit.left = Mp::ZERO);
    }
}
