//! 4.6, 9.13: retreats.

use board::{Dir, Hex};
use engine::frame::Around;
use engine::law::{About, Bar, Law, Term, entering};
use engine::{Frame, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, refuse, remark};

use crate::movement::{Obstacles, no_bridge};
use crate::sequence::not_asked;
use crate::stacking::LIMIT;
use crate::{Action, Battle, Event, Marks, Moving, Ocs, Procedure, State, Taking, Units};

phrases! {
    /// Units retreat from a hex, together or on their own (9.13).
    pub struct Retreat {
        side: Side,
        origin: Hex,
        length: u8,
        /// The directions that the enemy is in, a bit each (R57).
        fronts: u8,
        /// Those that have not gone far enough.
        units: Units,
        /// Those of them that go together now.
        group: Units,
        /// Those that have.
        ended: Units,
    } = "retreat", "9.13.a", "{units} retreat from {origin}";
}

impl Frame<Ocs> for Retreat {
    fn asked(&self, _: &Ocs, _: &State) -> (Side, Remark) {
        if self.units.is_empty() {
            (self.side, remark!("9.13.f", "too many have retreated to a hex: eliminate whole units"))
        } else {
            (self.side, remark!("9.13b", "retreat {} hexes", self.length))
        }
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        if self.units.is_empty() {
            answers.extend(self.too_many(rules, state).iter().map(|unit| Action::Disband { unit }));
            return;
        }
        answers.extend(self.open(rules, state).into_iter().map(|hex| Action::Fall { hex }));
        if self.group.len() > 1 {
            answers.extend(self.group.iter().map(|unit| Action::Detach { unit }));
        }
        answers.extend(self.followers(rules, state).iter().map(|unit| Action::Follow { unit }));
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Fall { hex } if !self.units.is_empty() => self.check_fall(rules, state, hex),
            Action::Detach { unit } => {
                let one_of_many = self.group.len() > 1 && self.group.contains(unit);
                ensure!("9.13.b", one_of_many, "{} is not one of several that retreat together", unit);
                Ok(())
            }
            Action::Follow { unit } => {
                let able = self.followers(rules, state).contains(unit);
                ensure!("7.1g.c", able, "{} does not tag along", unit);
                Ok(())
            }
            Action::Disband { unit } if self.units.is_empty() => {
                let able = self.too_many(rules, state).contains(unit);
                ensure!("9.13.f", able, "{} has not retreated to a hex that is overstacked", unit);
                Ok(())
            }
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Fall { hex } => self.fall(rules, state, hex, play),
            Action::Detach { unit } => {
                if let Some(retreat) = state.stack.top_mut::<Retreat>() {
                    retreat.group.remove(unit);
                }
            }
            Action::Follow { unit } => {
                if let Some(retreat) = state.stack.top_mut::<Retreat>() {
                    retreat.units.insert(unit);
                    retreat.group.insert(unit);
                }
            }
            Action::Disband { unit } => rules.eliminate(state, unit, play),
            _ => {}
        }
    }

    fn go_on(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        let now = self.brought_up_to_date(rules, state);
        if now != *self {
            if let Some(retreat) = state.stack.top_mut::<Retreat>() {
                *retreat = now;
            }
            return false;
        }
        if self.units.is_empty() {
            let asks = !self.too_many(rules, state).is_empty();
            if !asks {
                self.end(rules, state, play);
            }
            return asks;
        }
        !self.lose_the_trapped(rules, state, play)
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let own = |unit: UnitId| rules.side(unit) == self.side && state.hex(unit).is_some();
        let under = around.on::<Battle>().is_some() || around.on::<Retreat>().is_some();
        let asks = || {
            self.units.iter().all(own)
                && self.brought_up_to_date(rules, state) == *self
                && (!self.units.is_empty() || !self.too_many(rules, state).is_empty())
        };
        // While others are asked, those who have just gone a hex are not counted yet.
        under && (1..=9).contains(&self.length) && (!around.above.is_empty() || asks())
    }
}

impl Battle {
    /// Sends a side's units back: those of each hex by themselves (9.11.c). Trucks go along with defenders (R59).
    pub(crate) fn retreat(&self, rules: &Ocs, state: &mut State, side: Side, length: u8) {
        if side != self.side(rules) {
            let units = rules.retreating(state, self.hex, side);
            state.stack.push(Retreat::new(side, self.hex, length, self.fronts, units));
            return;
        }
        if let Some(battle) = state.stack.find_mut::<Battle>() {
            battle.retreated = true;
        }
        let mut rest = self.alive(state);
        while let Some(origin) = rest.first().and_then(|unit| state.hex(unit)) {
            let units = rest.filter(|unit| state.hex(unit) == Some(origin));
            let front = rules.map.grid().dir_between(origin, self.hex).map_or(0, |dir| 1 << dir.index());
            state.stack.push(Retreat::new(side, origin, length, front, units));
            rest = rest - units;
        }
    }
}

impl Retreat {
    fn new(side: Side, origin: Hex, length: u8, fronts: u8, units: Units) -> Retreat {
        Retreat { side, origin, length, fronts, units, group: Units::EMPTY, ended: Units::EMPTY }
    }

    fn distance(&self, rules: &Ocs, state: &State, unit: UnitId) -> u32 {
        state.hex(unit).map_or(0, |hex| rules.map.grid().distance(self.origin, hex))
    }

    /// Without the dead, with those that have gone far enough among the ended, and with a group that is somewhere.
    fn brought_up_to_date(&self, rules: &Ocs, state: &State) -> Retreat {
        let alive = self.units.filter(|unit| state.hex(unit).is_some());
        let ended = alive.filter(|unit| self.distance(rules, state, unit) >= u32::from(self.length));
        let units = alive - ended;
        let mut group = self.group & units;
        if group.is_empty() {
            let next = units.first().and_then(|unit| state.hex(unit));
            group = units.filter(|unit| state.hex(unit) == next);
        }
        let ended = (self.ended | ended).filter(|unit| state.hex(unit).is_some());
        Retreat { units, group, ended, ..*self }
    }

    fn here(&self, state: &State) -> Option<Hex> {
        self.group.first().and_then(|unit| state.hex(unit))
    }

    /// The hexes that a unit could retreat into next (9.13.c, R57).
    fn legal(&self, rules: &Ocs, state: &State, unit: UnitId) -> Vec<Hex> {
        let Some(from) = state.hex(unit) else { return Vec::new() };
        let next = self.distance(rules, state, unit) + 1;
        let obstacles = Obstacles::new(rules, state, self.side);
        let Some(law) = rules.entry_law(state, &obstacles, unit) else { return Vec::new() };
        let open =
            |to: &Hex| rules.map.grid().distance(self.origin, *to) == next && law.check(from, *to).is_ok();
        rules.map.neighbours(from).map(|(_, to)| to).filter(open).collect()
    }

    /// The units that decide where a group can go: trucks and wagons stay behind where they cannot follow (R59).
    fn deciding(&self, rules: &Ocs) -> Units {
        let units = self.group.filter(|unit| rules.is_unit(unit));
        if units.is_empty() { self.group } else { units }
    }

    /// Where the group can go: the first hex away from the enemy if any such is open (R57).
    fn open(&self, rules: &Ocs, state: &State) -> Vec<Hex> {
        let mut units = self.deciding(rules).iter();
        let Some(first) = units.next() else { return Vec::new() };
        let mut open = self.legal(rules, state, first);
        for unit in units {
            let legal = self.legal(rules, state, unit);
            open.retain(|hex| legal.contains(hex));
        }
        if self.distance(rules, state, first) == 0 {
            let away: Vec<Hex> =
                open.iter().copied().filter(|hex| !self.is_near_front(rules, *hex)).collect();
            if !away.is_empty() {
                return away;
            }
        }
        open
    }

    fn is_near_front(&self, rules: &Ocs, hex: Hex) -> bool {
        let front = |dir: &Dir| self.fronts >> dir.index() & 1 == 1;
        let fronts =
            Dir::ALL.into_iter().filter(front).filter_map(|dir| rules.map.neighbour(self.origin, dir));
        fronts.into_iter().any(|front| rules.map.grid().adjacent(front, hex) || front == hex)
    }

    fn check_fall(&self, rules: &Ocs, state: &State, hex: Hex) -> Result<(), Violation> {
        if self.open(rules, state).contains(&hex) {
            return Ok(());
        }
        let (Some(from), Some(unit)) = (self.here(state), self.deciding(rules).first()) else {
            return Err(not_asked(state));
        };
        ensure!("9.13.a", rules.map.grid().adjacent(from, hex), "{} is not adjacent to {}", hex, from);
        rules.check_enters(state, unit, from, hex)?;
        refuse!("4.6", "{} does not lie straight to the rear of {}", hex, self.origin)
    }

    /// Units that tag along with an overrun may retreat with it (7.1g.c).
    fn followers(&self, rules: &Ocs, state: &State) -> Units {
        let overrun =
            state.stack.find::<Battle>().filter(|battle| battle.overrun && battle.side(rules) == self.side);
        let (Some(battle), Some(moving)) = (overrun, state.stack.find::<Moving>()) else {
            return Units::EMPTY;
        };
        let here = self.here(state) == Some(self.origin);
        let tags = |unit: UnitId| {
            here && state.hex(unit) == Some(self.origin)
                && !battle.attackers.contains(unit)
                && !self.units.contains(unit)
        };
        moving.units.filter(tags)
    }

    /// Eliminates units of the group that cannot go anywhere (9.13.f); trucks stay behind. True when somebody could not.
    fn lose_the_trapped(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        let trapped = self.group.filter(|unit| self.legal(rules, state, unit).is_empty());
        for unit in trapped.iter() {
            if rules.is_unit(unit) {
                rules.eliminate(state, unit, play);
            } else if let Some(retreat) = state.stack.top_mut::<Retreat>() {
                retreat.units.remove(unit);
                retreat.group.remove(unit);
            }
        }
        !trapped.is_empty()
    }

    /// The group goes a hex further; next to the enemy it is disorganized, or loses a step if it was so before (4.1b, 9.13.d).
    fn fall(&self, rules: &Ocs, state: &mut State, hex: Hex, play: &mut Play<Event>) {
        let able = self.group.filter(|unit| self.legal(rules, state, unit).contains(&hex));
        for unit in (self.group - able).iter() {
            if let Some(retreat) = state.stack.top_mut::<Retreat>() {
                retreat.units.remove(unit);
                retreat.group.remove(unit);
            }
        }
        let friends = rules.units_in(state, hex, self.side).next().is_some();
        for unit in able.iter() {
            rules.turn_hq(state, unit, play);
            rules.put(state, unit, hex, play);
            play.tell(Event::Retreated { unit, hex });
        }
        let protected = rules.switches.protected_retreats && friends;
        if rules.adjacent_to(state, hex, self.side.enemy()) && !protected {
            self.suffer(rules, state, able, play);
        }
        rules.capture(state, self.side, hex, play);
    }

    fn suffer(&self, rules: &Ocs, state: &mut State, group: Units, play: &mut Play<Event>) {
        let units = group.filter(|unit| rules.is_unit(unit));
        let already = units.iter().any(|unit| state.marked(unit, Marks::DG));
        for unit in units.iter() {
            rules.disorganize(state, unit, play);
        }
        if already {
            state.stack.push(Taking {
                side: self.side,
                losses: 1,
                from: units,
                first: None,
                hit: Units::EMPTY,
            });
        }
    }

    /// Those that have retreated into a hex with too many in it (9.13.f, R60).
    fn too_many(&self, rules: &Ocs, state: &State) -> Units {
        self.ended.filter(|unit| {
            let full = |hex| rules.stacked(state, hex, self.side) > LIMIT;
            rules.size(state, unit) > 0 && state.hex(unit).is_some_and(full)
        })
    }

    /// Whoever has retreated two hexes or more is disorganized (9.13a).
    fn end(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
        state.stack.pop();
        if self.length >= 2 {
            for unit in self.ended.iter() {
                rules.disorganize(state, unit, play);
            }
        }
    }
}

impl Ocs {
    /// What retreats from a hex: units, trucks and wagons.
    fn retreating(&self, state: &State, hex: Hex, side: Side) -> Units {
        let goes = |unit: &UnitId| {
            self.side(*unit) == side && (self.is_unit(*unit) || self.counter(*unit).is_transport())
        };
        state.units.in_hex(hex).filter(goes).collect()
    }

    /// What a unit may enter at all: no enemy unit, no prohibited hex or hexside; mode and points do not matter (9.13.c).
    pub(crate) fn entry_law<'a>(
        &'a self,
        state: &State,
        obstacles: &'a Obstacles,
        unit: UnitId,
    ) -> Option<Law<'a>> {
        let mut law = Law::new(self.terrain.law(state.weather, self.mobility(state, unit))?);
        let occupied = Bar::new(case("6.3a"), "an enemy unit is in {}", [About::To]);
        law.add(Term::bar(entering(&obstacles.enemies), occupied));
        law.add(no_bridge(&obstacles.unbridged));
        Some(law)
    }

    /// An HQ in Combat Mode that retreats is turned to its Move side (12.1c.b).
    fn turn_hq(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        if self.is_hq(unit) && !state.marked(unit, Marks::MOVE) {
            state.mark(unit, Marks::MOVE);
            play.tell(Event::Turned { unit });
        }
    }
}
