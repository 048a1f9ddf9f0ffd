//! 7: supply.

use board::{Hex, HexSet, flood_to};
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, ensure, phrases, remark};

use crate::ground::{MAX_PORTS, PORT_RANGE};
use crate::sequence::not_asked;
use crate::setup::MOST_IN_A_HEX;
use crate::{Action, Dagc, Event, Marks, Presence, Procedure, State, Supply, Units};

/// How many border hexsides a German line may cross (7.8).
pub(crate) const MAX_BORDERS: usize = 2;

/// What a port town and a port city can supply (7.9e, 7.9f).
const TOWN_CAPACITY: usize = 5;
const CITY_CAPACITY: usize = 10;

/// From this turn on all Soviet units are out of supply (7.12a).
pub(crate) const SOVIET_EXHAUSTION: u8 = 6;

phrases! {
    /// More units depend on a port than it can supply.
    pub struct Overload = "overload", "7.9g", "a port is overloaded";
}

impl Frame<Dagc> for Overload {
    fn asked(&self, _: &Dagc, _: &State) -> (Side, Remark) {
        let prompt =
            remark!("7.9g", "a port cannot supply every unit: name one that is out of supply this turn");
        (Side::Axis, prompt)
    }

    fn answers(&self, rules: &Dagc, state: &State, answers: &mut Vec<Action>) {
        answers.extend(rules.overloaded(state).iter().map(|unit| Action::CutOff { unit }));
    }

    fn check(&self, rules: &Dagc, state: &State, action: Action) -> Result<(), Violation> {
        let Action::CutOff { unit } = action else { return Err(not_asked(state)) };
        let overloaded = rules.overloaded(state).contains(unit);
        ensure!("7.9g", overloaded, "{} does not depend on an overloaded port", unit);
        Ok(())
    }

    fn apply(&self, _: &Dagc, state: &mut State, action: Action, play: &mut Play<Event>) {
        if let Action::CutOff { unit } = action {
            state.mark(unit, Marks::CUT_OFF);
            play.tell(Event::WasCutOff { unit });
        }
    }

    fn go_on(&self, rules: &Dagc, state: &mut State, _: &mut Play<Event>) -> bool {
        let asks = !rules.overloaded(state).is_empty();
        if !asks {
            state.stack.pop();
        }
        asks
    }

    fn is_sound(&self, rules: &Dagc, state: &State, around: Around<'_, Procedure>) -> bool {
        !around.is_outermost() && around.above.is_empty() && !rules.overloaded(state).is_empty()
    }
}

/// Where supply reaches at one moment.
pub(crate) struct SupplyMap {
    /// German overland supply.
    pub(crate) german: HexSet,
    /// Soviet overland supply by lines that may use Western Pripyat hexes.
    pub(crate) soviet: HexSet,
    /// Soviet overland supply by lines without any (R49).
    pub(crate) soviet_dry: HexSet,
    /// German units supplied by ports.
    pub(crate) by_port: Units,
}

impl Dagc {
    /// All source hexes of a side (7.7a, 7.10a); nobody draws on the other's (7.13).
    pub(crate) fn sources(&self, side: Side) -> HexSet {
        match side {
            Side::Axis => self.ground.german_sources,
            Side::Soviet => self.ground.soviet_sources,
        }
    }

    /// Land under a side's control (3.3a).
    pub(crate) fn controlled(&self, state: &State, side: Side) -> HexSet {
        match side {
            Side::Axis => self.ground.land - state.soviet_hexes,
            Side::Soviet => state.soviet_hexes,
        }
    }

    /// Source hexes that work (7.7b, 7.7c, 7.10b).
    pub(crate) fn working_sources(&self, state: &State, presence: &Presence, side: Side) -> HexSet {
        let free = presence.free_of_enemies(side, self.ground.land);
        self.sources(side) & self.controlled(state, side) & free
    }

    /// Hexes that a side's supply lines may run through (7.2, 7.14).
    pub(crate) fn open_to_supply(&self, presence: &Presence, side: Side) -> HexSet {
        let free = presence.free_of_enemies(side, self.ground.land);
        match side {
            Side::Axis => free - self.ground.soviet_entrenchments,
            Side::Soviet => free,
        }
    }

    /// German overland supply: at most two borders on the way (7.8). The search ends as soon as every hex of
    /// `goals` is known to be supplied.
    pub(crate) fn german_overland(&self, state: &State, presence: &Presence<'_>, goals: &HexSet) -> HexSet {
        let open = self.open_to_supply(presence, Side::Axis);
        let sources = self.working_sources(state, presence, Side::Axis);
        let mut reached = flood_to(&sources, &open, &self.ground.inner_sides, goals);
        for _ in 0..MAX_BORDERS {
            if goals.is_subset(&reached) {
                break;
            }
            let across = self.ground.dry_sides.grow(&reached) & open;
            if across == reached {
                break;
            }
            reached = flood_to(&across, &open, &self.ground.inner_sides, goals);
        }
        reached
    }

    /// Soviet overland supply; the narrows count while both hexes are Soviet (7.2f). It ends like the German one.
    pub(crate) fn soviet_overland(
        &self,
        state: &State,
        presence: &Presence,
        without_pripyat: bool,
        goals: &HexSet,
    ) -> HexSet {
        let mut open = self.open_to_supply(presence, Side::Soviet);
        if without_pripyat {
            open -= self.ground.western_pripyat;
        }
        let sources = self.working_sources(state, presence, Side::Soviet) & open;
        let sides = if self.narrows_are_soviet(state) {
            &self.ground.sides_with_narrows
        } else {
            &self.ground.dry_sides
        };
        flood_to(&sources, &open, sides, goals)
    }

    pub(crate) fn narrows_are_soviet(&self, state: &State) -> bool {
        self.ground
            .narrows
            .is_some_and(|(a, b)| state.soviet_hexes.contains(a) && state.soviet_hexes.contains(b))
    }

    /// Supply at this moment, of all who are in these hexes.
    pub(crate) fn supply_map(&self, state: &State, presence: &Presence<'_>, hexes: &HexSet) -> SupplyMap {
        let (germans, soviets) = (*hexes & *presence.held.axis, *hexes & *presence.held.soviet);
        let german = self.german_overland(state, presence, &germans);
        let by_port = match germans.is_subset(&german) {
            true => Units::EMPTY,
            false => self.supplied_by_ports(state, presence, german),
        };
        SupplyMap {
            german,
            soviet: self.soviet_overland(state, presence, false, &soviets),
            soviet_dry: self.soviet_overland(state, presence, true, &soviets),
            by_port,
        }
    }

    /// The supply of a unit for movement and attack (7.1). Fortified localities defend in supply whatever this
    /// says (12.5.2a).
    pub(crate) fn supply(&self, state: &State, map: &SupplyMap, unit: UnitId) -> Supply {
        let Some(hex) = state.hex(unit) else { return Supply::Out };
        match self.side(unit) {
            Side::Axis if self.is_cut_off(state, unit, hex) => Supply::Out,
            Side::Axis if map.german.contains(hex) => Supply::Overland,
            Side::Axis if map.by_port.contains(unit) => Supply::Port,
            Side::Axis => Supply::Out,
            Side::Soviet if state.turn >= SOVIET_EXHAUSTION => Supply::Out, // 7.12a
            Side::Soviet if self.soviet_line(state, map, unit).contains(hex) => Supply::Overland,
            Side::Soviet => Supply::Out,
        }
    }

    /// The supply of one unit, found without the supply of everybody else.
    pub(crate) fn supply_of(&self, state: &State, presence: &Presence, unit: UnitId) -> Supply {
        let Some(hex) = state.hex(unit) else { return Supply::Out };
        match self.side(unit) {
            Side::Axis if self.is_cut_off(state, unit, hex) => Supply::Out,
            Side::Axis => {
                let german = self.german_overland(state, presence, &HexSet::of(hex));
                if german.contains(hex) {
                    return Supply::Overland;
                }
                if self.supplied_by_ports(state, presence, german).contains(unit) {
                    Supply::Port
                } else {
                    Supply::Out
                }
            }
            Side::Soviet if state.turn >= SOVIET_EXHAUSTION => Supply::Out,
            Side::Soviet => {
                let dry = !self.may_use_pripyat(state, unit);
                let reached = self.soviet_overland(state, presence, dry, &HexSet::of(hex));
                if reached.contains(hex) { Supply::Overland } else { Supply::Out }
            }
        }
    }

    /// Named as beyond a port's capacity: out of supply to the end of the game turn, wherever it goes (7.9i, R13), but
    /// for Koenigsberg (7.9l).
    pub(crate) fn is_cut_off(&self, state: &State, unit: UnitId, hex: Hex) -> bool {
        state.marked(unit, Marks::CUT_OFF) && Some(hex) != self.ground.koenigsberg
    }

    /// Where lines that a Soviet unit may use lead (7.11, 12.4a).
    fn soviet_line(&self, state: &State, map: &SupplyMap, unit: UnitId) -> HexSet {
        if self.may_use_pripyat(state, unit) { map.soviet } else { map.soviet_dry }
    }

    /// Cav-mech groups always, others while 7.11 is not in force (3.6f, 7.11b).
    pub(crate) fn may_use_pripyat(&self, state: &State, unit: UnitId) -> bool {
        self.is_cav_mech(unit) || !self.pripyat_rule(state)
    }

    /// 7.11 holds on turns 1 to 5, with the late start from turn 2 (3.6f), and is dropped from turn 6 (7.12b).
    pub(crate) fn pripyat_rule(&self, state: &State) -> bool {
        let first = if self.switches.late_pripyat { 2 } else { 1 };
        (first..SOVIET_EXHAUSTION).contains(&state.turn)
    }

    /// A line for replenishment: like overland supply, as if 7.12 did not exist (10.8f, 12.4b, R39).
    pub(crate) fn soviet_replenishment(&self, state: &State, presence: &Presence, unit: UnitId) -> bool {
        let dry = if state.turn >= SOVIET_EXHAUSTION {
            !self.is_cav_mech(unit)
        } else {
            !self.may_use_pripyat(state, unit)
        };
        let Some(hex) = state.hex(unit) else { return false };
        self.soviet_overland(state, presence, dry, &HexSet::of(hex)).contains(hex)
    }

    /// Whether a hex itself is in overland supply, as for entry into cities and for points (R6): like a unit's,
    /// but from turn 6 neither 7.12 nor 7.11 count.
    pub(crate) fn hex_in_supply(&self, state: &State, presence: &Presence, side: Side, hex: Hex) -> bool {
        match side {
            Side::Axis => self.german_overland(state, presence, &HexSet::of(hex)).contains(hex),
            Side::Soviet => {
                let dry = self.pripyat_rule(state);
                self.soviet_overland(state, presence, dry, &HexSet::of(hex)).contains(hex)
            }
        }
    }

    // Ports (7.9).

    /// A port that supplies units elsewhere: German, never Soviet, no Soviet unit adjacent (7.9a, 7.9k, 7.9m, 7.9n).
    pub(crate) fn port_works(&self, state: &State, presence: &Presence, place: usize) -> bool {
        let port = self.ground.ports[place];
        state.controller(port) == Side::Axis
            && state.lost_ports >> place & 1 == 0
            && !presence.in_ezoc(Side::Axis, port)
    }

    fn port_capacity(&self, port: Hex) -> usize {
        if self.ground.cities.contains(port) { CITY_CAPACITY } else { TOWN_CAPACITY }
    }

    /// Where a port's supply reaches: paths of at most six hexes with at most two borders (7.9d, R11).
    pub(crate) fn port_reach(&self, presence: &Presence, port: Hex) -> HexSet {
        let open = self.open_to_supply(presence, Side::Axis);
        let mut by_borders = [HexSet::EMPTY; MAX_BORDERS + 1];
        by_borders[0] = [port].into_iter().collect::<HexSet>() & open;
        for _ in 0..PORT_RANGE {
            let before = by_borders;
            for crossed in 0..=MAX_BORDERS {
                let mut next = self.ground.inner_sides.grow(&before[crossed]);
                if crossed > 0 {
                    next |= self.ground.dry_sides.grow(&before[crossed - 1]);
                }
                by_borders[crossed] = next & open;
            }
        }
        by_borders.into_iter().fold(HexSet::EMPTY, |all, set| all | set)
    }

    /// German mobile units near ports that would be out of supply without one.
    fn cut_off_near_ports<'a>(
        &'a self,
        state: &'a State,
        german: HexSet,
    ) -> impl Iterator<Item = UnitId> + 'a {
        let depends = move |unit: UnitId, hex: Hex| {
            self.ground.near_ports.contains(hex)
                && !german.contains(hex)
                && Some(hex) != self.ground.koenigsberg
                && !self.is_fortified(unit)
                && !state.marked(unit, Marks::CUT_OFF)
        };
        self.on_map(state, Side::Axis).filter(move |(unit, hex)| depends(*unit, *hex)).map(|(unit, _)| unit)
    }

    /// German mobile units that would be out of supply without a port, and the ports that each can reach (R13).
    /// Units in Koenigsberg are supplied anyway and use up nothing (7.9l, R12).
    fn port_dependents(&self, state: &State, presence: &Presence, german: HexSet) -> Vec<(UnitId, u16)> {
        let mut dependents: Vec<(UnitId, u16)> =
            self.cut_off_near_ports(state, german).map(|unit| (unit, 0)).collect();
        for place in 0..self.ground.ports.len() {
            let port = self.ground.ports[place];
            let near = |unit: UnitId| {
                state.hex(unit).is_some_and(|hex| self.map.grid().distance(port, hex) <= PORT_RANGE)
            };
            if !self.port_works(state, presence, place) || !dependents.iter().any(|(unit, _)| near(*unit)) {
                continue;
            }
            let reach = self.port_reach(presence, port);
            for (unit, ports) in &mut dependents {
                if state.hex(*unit).is_some_and(|hex| reach.contains(hex)) {
                    *ports |= 1 << place;
                }
            }
        }
        dependents.retain(|(_, ports)| *ports != 0);
        dependents
    }

    /// Units supplied by ports. While a choice of 7.9g is open, too many are listed.
    fn supplied_by_ports(&self, state: &State, presence: &Presence, german: HexSet) -> Units {
        let mut supplied: Units =
            self.port_dependents(state, presence, german).into_iter().map(|(unit, _)| unit).collect();
        let garrison =
            self.on_map(state, Side::Axis).filter(|(_, hex)| Some(*hex) == self.ground.koenigsberg);
        garrison.for_each(|(unit, _)| {
            supplied.insert(unit);
        });
        supplied
    }

    /// Replenishment over a port is possible through Koenigsberg only (10.8e).
    pub(crate) fn linked_to_koenigsberg(&self, state: &State, presence: &Presence, unit: UnitId) -> bool {
        let (Some(koenigsberg), Some(hex)) = (self.ground.koenigsberg, state.hex(unit)) else {
            return false;
        };
        let in_reach = |place: usize| {
            self.port_works(state, presence, place)
                && !state.marked(unit, Marks::CUT_OFF)
                && self.port_reach(presence, koenigsberg).contains(hex)
        };
        let place = self.ground.ports.iter().position(|port| *port == koenigsberg);
        hex == koenigsberg || place.is_some_and(in_reach)
    }

    /// Units that the German player may name because some port is asked for more than it can supply (7.9g): those
    /// without which fewer would be left over. A unit in reach of several ports counts for whichever has room.
    pub(crate) fn overloaded(&self, state: &State) -> Units {
        let presence = Presence::new(self, state);
        let near = *presence.held.axis & self.ground.near_ports;
        if !self.may_be_overloaded(&presence, &near) {
            return Units::EMPTY;
        }
        let german = self.german_overland(state, &presence, &near);
        if near.is_subset(&german) {
            return Units::EMPTY;
        }
        if self.cut_off_near_ports(state, german).count() <= TOWN_CAPACITY {
            return Units::EMPTY;
        }
        let dependents = self.port_dependents(state, &presence, german);
        let left_over = |dependents: &[(UnitId, u16)]| dependents.len() - self.most_supplied(dependents);
        let excess = left_over(&dependents);
        if excess == 0 {
            return Units::EMPTY;
        }
        (0..dependents.len())
            .filter(|i| {
                let mut others = dependents.clone();
                others.remove(*i);
                left_over(&others) < excess
            })
            .map(|i| dependents[i].0)
            .collect()
    }

    /// True when more units are in range of some port than it can supply, whether or not they depend on it.
    fn may_be_overloaded(&self, presence: &Presence<'_>, near: &HexSet) -> bool {
        let units = |hex: Hex| if presence.full.contains(hex) { MOST_IN_A_HEX } else { 1 };
        if near.iter().map(units).sum::<usize>() <= TOWN_CAPACITY {
            return false;
        }
        let mut counts = [0; MAX_PORTS];
        for hex in near.iter() {
            for (count, range) in counts.iter_mut().zip(&self.ground.port_ranges) {
                *count += if range.contains(hex) { units(hex) } else { 0 };
            }
        }
        counts.iter().zip(&self.ground.ports).any(|(count, port)| *count > self.port_capacity(*port))
    }

    /// How many of the units can be supplied at once: each takes a place in a port, moving others to another port
    /// where that makes room.
    fn most_supplied(&self, dependents: &[(UnitId, u16)]) -> usize {
        let mut places: Vec<Vec<usize>> = vec![Vec::new(); self.ground.ports.len()];
        (0..dependents.len()).filter(|i| self.find_berth(*i, dependents, &mut places, &mut 0)).count()
    }

    fn find_berth(
        &self,
        i: usize,
        dependents: &[(UnitId, u16)],
        places: &mut Vec<Vec<usize>>,
        tried: &mut u16,
    ) -> bool {
        for port in 0..self.ground.ports.len() {
            if dependents[i].1 >> port & 1 == 0 || *tried >> port & 1 == 1 {
                continue;
            }
            *tried |= 1 << port;
            if places[port].len() < self.port_capacity(self.ground.ports[port]) {
                places[port].push(i);
                return true;
            }
            for slot in 0..places[port].len() {
                let other = places[port][slot];
                if self.find_berth(other, dependents, places, tried) {
                    places[port][slot] = i;
                    return true;
                }
            }
        }
        false
    }
}
