//! 12.3: combat support shifts: what there is, and what is declared, first by the attacker, then by the defender.

use arrayvec::ArrayVec;
use board::Hex;
use engine::{Play, Side, UnitId, Violation, ensure, refuse};

use crate::combat::Stage;
use crate::sequence::not_asked;
use crate::{Action, Arm, Battle, Bite, Cause, Colour, Event, HexSet, Level, Marks, Size, State};

/// A shift, who gives it, and at what level of supply; no level where it is never halved (R11).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Given {
    pub(crate) cause: Cause,
    pub(crate) columns: u8,
    pub(crate) by: Option<UnitId>,
    pub(crate) level: Option<Level>,
}

/// The most shifts that a side can list: sorts of shifts, HQs and leaders.
const MOST: usize = 20;

/// A side's shifts as they are listed.
struct List {
    given: ArrayVec<Given, MOST>,
    declined: crate::Causes,
}

impl List {
    fn add(&mut self, cause: Cause, columns: u8, by: Option<UnitId>, level: Option<Level>) {
        if columns > 0 && !self.declined.contains(cause) {
            let _ = self.given.try_push(Given { cause, columns, by, level });
        }
    }

    fn add_unit(&mut self, battle: &Battle, cause: Cause, unit: Option<UnitId>) {
        if let Some(unit) = unit {
            self.add(cause, 1, Some(unit), Some(battle.level(unit)));
        }
    }
}

/// Shifts that count without being asked for, unless they are declined (12.3c2); the attacker's, then the defender's.
const FREE: [&[Cause]; 2] = [
    &[Cause::Armor, Cause::Specialist, Cause::Integrity, Cause::Concentric],
    &[Cause::AntiTank, Cause::Integrity, Cause::Terrain, Cause::Hexside, Cause::Fortification],
];

impl Battle {
    fn is_attacker(&self, side: Side) -> bool {
        side == self.side
    }

    fn of_side(&self, side: Side) -> crate::Units {
        if self.is_attacker(side) { self.attackers } else { self.defenders }
    }

    fn declined_by(&self, side: Side) -> crate::Causes {
        if self.is_attacker(side) { self.declined } else { self.waived }
    }

    /// Support from the air and from ships is full if anybody whom it helps is in Attack supply (R11).
    fn helped(&self, side: Side) -> Level {
        if (self.of_side(side) & self.attack).is_empty() { Level::General } else { Level::Attack }
    }

    /// The best supplied of a side's units of some sort.
    fn best(&self, side: Side, holds: impl Fn(UnitId) -> bool) -> Option<UnitId> {
        let units = self.of_side(side).iter().filter(|unit| holds(*unit));
        units.max_by_key(|unit| (self.level(*unit), std::cmp::Reverse(*unit)))
    }
}

impl Bite {
    /// Every shift of a side that counts in a combat as it is declared so far.
    pub(crate) fn shifts(&self, state: &State, battle: &Battle, side: Side) -> ArrayVec<Given, MOST> {
        let mut list = List { given: ArrayVec::new(), declined: battle.declined_by(side) };
        if battle.is_attacker(side) {
            self.attack_shifts(state, battle, &mut list);
        } else {
            self.defence_shifts(state, battle, &mut list);
        }
        list.given
    }

    fn attack_shifts(&self, state: &State, battle: &Battle, list: &mut List) {
        let side = battle.side;
        list.add_unit(battle, Cause::Armor, battle.best(side, |unit| self.is_blue(state, unit)));
        list.add_unit(battle, Cause::Specialist, self.specialist(state, battle));
        let integrity = self.attack_integrity(state, battle);
        list.add(Cause::Integrity, integrity.full, None, Some(Level::Attack));
        list.add(Cause::Integrity, integrity.halved, None, Some(Level::General));
        self.point_shifts(state, battle, side, list);
        list.add(Cause::Air, battle.air, None, Some(battle.helped(side)));
        self.naval_shift(battle, side, list);
        list.add(Cause::Concentric, u8::from(self.is_concentric(state, battle)), None, None);
    }

    fn defence_shifts(&self, state: &State, battle: &Battle, list: &mut List) {
        let side = battle.side.enemy();
        list.add_unit(battle, Cause::AntiTank, self.anti_tank(state, battle));
        if let Some(unit) = battle.projector {
            let level = self.level(state, self.known(state).supply(self, state, side), unit);
            list.add(Cause::Projected, 1, Some(unit), Some(level));
        }
        let integrity = self.defence_integrity(state, battle);
        list.add(Cause::Integrity, integrity.full, None, Some(Level::Attack));
        list.add(Cause::Integrity, integrity.halved, None, Some(Level::General));
        self.point_shifts(state, battle, side, list);
        self.naval_shift(battle, side, list);
        if !(battle.overrun && self.switches.plain_overruns) {
            list.add(Cause::Terrain, self.terrain_shift(battle), None, None);
            list.add(Cause::Hexside, self.hexside_shift(state, battle), None, None);
            list.add(Cause::Fortification, self.fortification_shift(state, battle), None, None);
        }
        list.add(Cause::Weather, self.charts.weather(state.weather).shift, None, None);
    }

    /// A blue attack strength on the face that lies up (12.3.4a1, R73).
    pub(crate) fn is_blue(&self, state: &State, unit: UnitId) -> bool {
        self.counter(unit).blue && self.attack(state, unit) > 0
    }

    /// A red defence strength, printed or given by the game (12.3.4e).
    fn is_red(&self, state: &State, unit: UnitId) -> bool {
        let counter = self.counter(unit);
        let red = counter.red || counter.red_from.is_some_and(|turn| turn <= state.turn);
        red && self.defence(state, unit) > 0
    }

    pub(crate) fn is_specialist(&self, state: &State, unit: UnitId) -> bool {
        self.counter(unit).arm == Arm::HeavyArmor && self.is_blue(state, unit)
    }

    /// The heavy tanks that give their shift, where the terrain of every attacked hex lets them (12.3.4b1, R57).
    fn specialist(&self, state: &State, battle: &Battle) -> Option<UnitId> {
        if self.denies_specialists(state, battle) {
            return None;
        }
        battle.best(battle.side, |unit| self.is_specialist(state, unit))
    }

    /// The specialist shift is used, so that heavy tanks take the first loss (12.3.4b3).
    pub(crate) fn uses_specialist(&self, state: &State, battle: &Battle) -> bool {
        !battle.declined.contains(Cause::Specialist) && !self.denies_specialists(state, battle)
    }

    /// The terrain of an attacked hex denies heavy tanks their shift.
    fn denies_specialists(&self, state: &State, battle: &Battle) -> bool {
        let denied =
            |hex: Hex| self.ground.no_specialist.contains(hex) || self.fortress(state, hex).is_some();
        battle.targets.iter().any(denied)
    }

    /// The defender that answers tanks: one 1L, however many there are (12.3.4c).
    fn anti_tank(&self, state: &State, battle: &Battle) -> Option<UnitId> {
        battle.attackers.iter().find(|unit| self.is_blue(state, *unit))?;
        battle.best(battle.side.enemy(), |unit| self.is_blue(state, unit) || self.is_red(state, unit))
    }

    /// Points of HQs and of leaders: the level is the lower of the HQ's own and of the best that it helps (R11).
    fn point_shifts(&self, state: &State, battle: &Battle, side: Side, list: &mut List) {
        let own = battle
            .points
            .given()
            .filter(|(colour, _)| self.hq(*colour).is_some_and(|hq| self.side(hq.unit) == side));
        let own: ArrayVec<(Colour, crate::lists::Spent), { crate::COLOURS }> = own.collect();
        if own.is_empty() {
            return;
        }
        let known = self.known(state);
        let supply = known.supply(self, state, side);
        for (colour, spent) in own {
            let Some(hq) = self.hq(colour) else { continue };
            let helped = self.helped_by(state, battle, colour).map(|unit| battle.level(unit)).max();
            let level = supply.of_hq(colour).min(helped.unwrap_or(Level::Out));
            list.add(Cause::Hq, spent.hq, Some(hq.unit), Some(level));
            list.add(Cause::Leader, spent.leader, Some(hq.unit), Some(level));
        }
    }

    /// The units in a combat that an HQ can help: of its colour and in its range, whatever lies between (R15, R41).
    fn helped_by<'a>(
        &'a self,
        state: &'a State,
        battle: &'a Battle,
        colour: Colour,
    ) -> impl Iterator<Item = UnitId> + 'a {
        let place = self
            .hq(colour)
            .and_then(|hq| Some((state.hex(hq.unit)?, u32::from(hq.range), self.side(hq.unit))));
        place.into_iter().flat_map(move |(from, range, side)| {
            let near = move |unit: &UnitId| {
                state.hex(*unit).is_some_and(|hex| self.map.grid().distance(from, hex) <= range)
            };
            let of = move |unit: &UnitId| self.counter(*unit).colour == Some(colour) && !self.is_hq(*unit);
            battle.of_side(side).iter().filter(of).filter(near)
        })
    }

    fn flotilla_side(&self) -> Option<Side> {
        self.settings.special.flotilla.as_ref().map(|flotilla| flotilla.side)
    }

    fn naval_shift(&self, battle: &Battle, side: Side, list: &mut List) {
        if battle.naval && self.flotilla_side() == Some(side) {
            list.add(Cause::Naval, 1, None, Some(battle.helped(side)));
        }
    }

    /// The terrain that counts: what the defender has chosen, else the best (12.2c3).
    fn terrain_shift(&self, battle: &Battle) -> u8 {
        let shift = |hex: Hex| self.ground.row(&self.map, &self.charts, hex).shift;
        match battle.terrain {
            Some(hex) => shift(hex),
            None => battle.targets.iter().map(shift).max().unwrap_or(0),
        }
    }

    /// A river counts if all attackers are beyond one, and then the least of them (R38). Over a bridging unit it is one less.
    fn hexside_shift(&self, state: &State, battle: &Battle) -> u8 {
        let shift = |from: Hex, hex: Hex| {
            if self.ground.is_major(&self.map, from, hex) {
                let full = self.charts.major.shift;
                if self.is_bridged(state, battle.side, from, hex) { full.saturating_sub(1) } else { full }
            } else if self.ground.is_minor(&self.map, from, hex) {
                self.charts.minor.shift
            } else {
                0
            }
        };
        let all =
            battle.origins.iter().flat_map(|from| battle.targets.iter().map(move |hex| shift(from, hex)));
        all.min().unwrap_or(0)
    }

    /// The best fortification among the attacked hexes, beyond what their terrain gives (18.0a1, 18.0b1, R8).
    fn fortification_shift(&self, state: &State, battle: &Battle) -> u8 {
        let side = battle.side.enemy();
        let shift = |hex: Hex| {
            let fort = self.fort_in(state, hex).filter(|fort| fort.side == side).map_or(0, |fort| fort.value);
            if self.fortress(state, hex) != Some(side) {
                return fort;
            }
            // In a city the three columns include the city's own.
            let city = self.ground.cities.contains(hex);
            let own = self.ground.row(&self.map, &self.charts, hex).shift;
            if city { 3_u8.saturating_sub(own) } else { 2 }
        };
        battle.targets.iter().map(shift).max().unwrap_or(0)
    }

    /// Those who attack and their zones of control cover every hex around each attacked hex, none of which is a city, a
    /// fortress or a field fort (12.3.5, R42).
    fn is_concentric(&self, state: &State, battle: &Battle) -> bool {
        if battle.overrun {
            return false;
        }
        let mut covered: HexSet = battle.origins.iter().collect();
        for unit in battle.attackers.iter() {
            covered |= self.zone_of(state, unit);
        }
        let closed = |hex: Hex| {
            let around = || self.map.neighbours(hex).map(|(_, near)| near);
            around().count() == 6 && around().all(|near| covered.contains(near))
        };
        let open = |hex: Hex| {
            !self.ground.cities.contains(hex)
                && self.fortress(state, hex).is_none()
                && self.fort_in(state, hex).is_none()
        };
        battle.targets.iter().all(|hex| open(hex) && closed(hex))
    }
}

/// What the sides declare.
impl Bite {
    /// The side that declares now.
    fn declaring(&self, battle: &Battle) -> Side {
        if battle.stage == Stage::Defender { battle.side.enemy() } else { battle.side }
    }

    pub(crate) fn shift_answers(&self, state: &State, battle: &Battle, answers: &mut Vec<Action>) {
        let side = self.declaring(battle);
        let free = FREE[usize::from(battle.stage == Stage::Defender)];
        let listed = self.shifts(state, battle, side);
        for cause in free.iter().filter(|cause| listed.iter().any(|given| given.cause == **cause)) {
            answers.push(Action::Decline { cause: *cause });
        }
        if !battle.overrun {
            for (_, hq) in self.hqs_of(side) {
                for action in [Action::Support { hq: hq.unit }, Action::Lead { hq: hq.unit }] {
                    if self.check_shift(state, battle, action).is_ok() {
                        answers.push(action);
                    }
                }
            }
        }
        let mut offer = |action: Action| {
            if self.check_shift(state, battle, action).is_ok() {
                answers.push(action);
            }
        };
        offer(Action::Naval);
        if battle.is_attacker(side) {
            offer(Action::AirSupport);
            return;
        }
        battle.targets.iter().for_each(|hex| offer(Action::Terrain { hex }));
        let near = battle.targets.iter().flat_map(|hex| self.map.neighbours(hex)).map(|(_, near)| near);
        let near: HexSet = near.collect();
        for unit in near.iter().flat_map(|hex| state.units.in_hex(hex)) {
            offer(Action::Project { unit });
        }
    }

    pub(crate) fn check_shift(
        &self,
        state: &State,
        battle: &Battle,
        action: Action,
    ) -> Result<(), Violation> {
        let side = self.declaring(battle);
        match action {
            Action::Ready => Ok(()),
            Action::Decline { cause } => {
                let free = FREE[usize::from(battle.stage == Stage::Defender)].contains(&cause);
                let listed = self.shifts(state, battle, side).iter().any(|given| given.cause == cause);
                ensure!("12.3c2", free && listed, "there is no such shift to decline");
                Ok(())
            }
            Action::Support { hq } => self.check_points(state, battle, hq, false),
            Action::Lead { hq } => self.check_points(state, battle, hq, true),
            Action::AirSupport => {
                ensure!("13.0b", battle.is_attacker(side), "air markers help in attack only");
                ensure!("13.0c", state.air[side].markers > 0, "no air marker is in hand");
                let most = self.settings.air.most;
                ensure!("13.0i", battle.air < most, "at most {} air markers help in one combat", most);
                Ok(())
            }
            Action::Naval => self.check_naval(state, battle, side),
            Action::Project { unit } => self.check_project(state, battle, unit),
            Action::Terrain { hex } => {
                let several = battle.stage == Stage::Defender && battle.targets.len() > 1;
                ensure!("12.2c3", several, "there is one terrain only");
                let choice = battle.targets.contains(hex) && battle.terrain != Some(hex);
                ensure!("12.2c3", choice, "the terrain of {} is not to be chosen", hex);
                Ok(())
            }
            _ => Err(not_asked(state)),
        }
    }

    /// A point of an HQ or a leader (8.4x2, 8.4x3, 14.0k, 15.0b).
    fn check_points(
        &self,
        state: &State,
        battle: &Battle,
        hq: UnitId,
        leader: bool,
    ) -> Result<(), Violation> {
        ensure!("10.3k2", !battle.overrun, "HQs and leaders have no part in overruns");
        let side = self.declaring(battle);
        let own = self.side(hq) == side && self.is_hq(hq);
        ensure!("12.3.2a", own, "{} is not an HQ of yours", hq);
        let (Some(colour), Some(_)) = (self.colour_of_hq(hq), state.hex(hq)) else {
            refuse!("14.0k", "{} is not on the map", hq)
        };
        let Some(printed) = self.hq(colour) else { refuse!("14.0k", "{} is not in play", hq) };
        let attacks = battle.is_attacker(side);
        let used = state.used.of(colour);
        let (all, spent) = if leader {
            let here = printed.leader.as_ref().filter(|_| !state.marked(hq, Marks::LEADERLESS));
            let Some(man) = here else { refuse!("15.0d1", "no leader is with {}", hq) };
            (if attacks { man.right } else { man.left }, used.leader)
        } else {
            (if attacks { printed.right } else { printed.left }, used.hq)
        };
        ensure!("8.4x2", spent < all, "{} has {} points, and they are spent", hq, all);
        let helps = self.helped_by(state, battle, colour).next().is_some();
        ensure!("8.4x3", helps, "no unit of its colour in range of {} takes part", hq);
        Ok(())
    }

    fn check_naval(&self, state: &State, battle: &Battle, side: Side) -> Result<(), Violation> {
        let flotilla = self.settings.special.flotilla.as_ref().filter(|flotilla| flotilla.side == side);
        // A side without ships is never asked for them, so it is not told why they do not help.
        let Some(flotilla) = flotilla else { return Err(not_asked(state)) };
        ensure!(
            "uma.22.8a",
            !state.flotilla_used && !battle.naval,
            "the ships have helped in this game turn"
        );
        let river = self.ground.rivers.iter().find(|river| river.name == flotilla.river);
        let near = river.is_some_and(|river| battle.targets.iter().any(|hex| river.banks.contains(hex)));
        ensure!("uma.22.8a", near, "no attacked hex lies on their river");
        Ok(())
    }

    /// A red regiment of an infantry division lends its guns to a sister in an adjacent hex, once a phase (12.3.4d).
    fn check_project(&self, state: &State, battle: &Battle, unit: UnitId) -> Result<(), Violation> {
        let side = battle.side.enemy();
        ensure!("12.3.4d1", battle.stage == Stage::Defender, "anti-tank guns are lent in defence");
        let counter = self.counter(unit);
        let regiment =
            counter.side == Side::Axis && counter.arm == Arm::Infantry && counter.size == Size::Regiment;
        let able = side == Side::Axis && regiment && self.is_red(state, unit);
        ensure!("12.3.4d1", able, "{} is not a regiment with anti-tank guns", unit);
        let Some(from) = state.hex(unit) else { refuse!("12.3.4d2", "{} is not on the map", unit) };
        ensure!(
            "12.3.4d3",
            !state.marked(unit, Marks::PROJECTED),
            "{} has lent its guns in this phase",
            unit
        );
        ensure!("12.3.4d1", !battle.defenders.contains(unit), "{} is attacked itself", unit);
        let blue = battle.attackers.iter().any(|attacker| self.is_blue(state, attacker));
        ensure!("12.3.4c1", blue, "no tanks attack");
        let one = self.anti_tank(state, battle).is_none() && battle.projector.is_none();
        ensure!("12.3.4c2", one, "the defenders have their anti-tank shift");
        let sister = |other: UnitId| {
            let near = state.hex(other).is_some_and(|hex| self.map.grid().adjacent(hex, from));
            let same = !counter.formation_name.is_empty()
                && self.counter(other).formation_name == counter.formation_name;
            near && same && self.counter(other).size == Size::Regiment
        };
        ensure!(
            "12.3.4d1",
            battle.defenders.iter().any(sister),
            "{} has no sister regiment next to it",
            unit
        );
        Ok(())
    }

    pub(crate) fn declare_shift(
        &self,
        state: &mut State,
        battle: &Battle,
        action: Action,
        _: &mut Play<Event>,
    ) {
        let side = self.declaring(battle);
        let attacks = battle.is_attacker(side);
        let mut changed = *battle;
        match action {
            Action::Decline { cause } if attacks => changed.declined.insert(cause),
            Action::Decline { cause } => changed.waived.insert(cause),
            Action::Support { hq } | Action::Lead { hq } => {
                let Some(colour) = self.colour_of_hq(hq) else { return };
                let leader = matches!(action, Action::Lead { .. });
                for spent in [changed.points.of_mut(colour), state.used.of_mut(colour)] {
                    // What is used up counts for the phase, what is given for this combat.
                    if leader {
                        spent.leader += 1;
                    } else {
                        spent.hq += 1;
                    }
                }
            }
            Action::AirSupport => {
                changed.air += 1;
                state.air[side].markers -= 1;
            }
            Action::Naval => {
                changed.naval = true;
                state.flotilla_used = true;
            }
            Action::Project { unit } => {
                changed.projector = Some(unit);
                state.mark(unit, Marks::PROJECTED);
            }
            Action::Terrain { hex } => changed.terrain = Some(hex),
            _ => {}
        }
        state.stack.replace(changed);
    }
}
