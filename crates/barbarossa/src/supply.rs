//! 7: supply.

use board::{Hex, HexSet, flood};
use engine::frame::Around;
use engine::{BySide, Frame, Play, Remark, Side, UnitId, Violation, ensure, phrases, refuse, remark};

use crate::sequence::not_asked;
use crate::{
    Action, Barbarossa, Camp, Event, Fact, Marks, Offensive, Procedure, Southern, State, Supply, Units,
};

/// Soviet units need offensive supply to attack in full from this turn on (7.9e).
pub(crate) const OFFENSIVE_SUPPLY: u8 = 7;

/// The most units that draw Crimea supply in a turn (7.4e).
const CRIMEA_UNITS: usize = 5;

/// How far each offensive supply marker reaches (7.10b).
const RANGES: [u32; 3] = [4, 3, 2];

/// Where lines of each side lead.
pub(crate) struct Lines {
    pub(crate) axis: HexSet,
    pub(crate) soviet: HexSet,
}

impl Lines {
    pub(crate) fn of(&self, side: Side) -> &HexSet {
        match side {
            Side::Axis => &self.axis,
            Side::Soviet => &self.soviet,
        }
    }
}

impl Barbarossa {
    /// Hexes in regular overland supply for a side: where a unit of it would be supplied (7.3a, 7.9a, R114).
    pub(crate) fn overland(&self, state: &State, side: Side) -> HexSet {
        self.overland_past(state, side, state.held(side.enemy()))
    }

    /// The same with enemies in these hexes only (10.26b).
    pub(crate) fn overland_past(&self, state: &State, side: Side, enemies: &HexSet) -> HexSet {
        let open = self.open_to_lines(state, side, enemies);
        let sides = self.ground.supply_sides(side);
        match side {
            Side::Soviet => flood(&self.ground.soviet_sources, &open, sides),
            Side::Axis => {
                let reached = flood(&self.ground.axis_sources, &open, sides);
                self.through_junctions(state, reached, &open)
            }
        }
    }

    /// The hexes that lines of a side may enter: not those of enemies, and not enemy fortifications (7.14a, 7.20, R38).
    pub(crate) fn open_to_lines(&self, state: &State, side: Side, enemies: &HexSet) -> HexSet {
        let ground = self.ground.supply_ground(side) - *enemies;
        match side {
            Side::Axis => {
                ground - ((self.ground.soviet_lines | self.area_hexes(state)) & state.control.soviet)
            }
            Side::Soviet => ground - (state.lines & state.control.axis),
        }
    }

    /// In the Dnepro-Petrovsk area only what is joined to that city counts, in the Rostov area only what is joined to both
    /// (7.4a, 7.4d, R31). All of it is one connected ground, so a line that leads to a source can pass through them.
    fn through_junctions(&self, state: &State, reached: HexSet, open: &HexSet) -> HexSet {
        let ground = &self.ground;
        if ground.dp_area.is_empty() || !reached.intersects(&ground.dp_area) {
            return reached;
        }
        let works = |city: Option<Hex>, within: &HexSet| {
            city.filter(|city| state.controls(Side::Axis, *city) && within.contains(*city))
        };
        let beyond = reached - ground.dp_area;
        let Some(dnepropetrovsk) = works(ground.dnepropetrovsk, &reached) else { return beyond };
        let joined = flood(&HexSet::of(dnepropetrovsk), open, ground.supply_sides(Side::Axis));
        let inner = (joined & ground.dp_area) - ground.r_area;
        match works(ground.rostov, &joined) {
            Some(_) => beyond | inner | (joined & ground.r_area),
            None => beyond | inner,
        }
    }

    /// Both sides' lines at this moment.
    pub(crate) fn lines(&self, state: &State) -> Lines {
        Lines { axis: self.overland(state, Side::Axis), soviet: self.overland(state, Side::Soviet) }
    }

    /// True when a hex is in overland supply for a side (R114).
    pub(crate) fn in_overland(&self, state: &State, side: Side, hex: Hex) -> bool {
        self.overland(state, side).contains(hex)
    }

    /// The supply of a unit by lines that lead to these hexes (R34).
    pub(crate) fn supply(&self, state: &State, overland: &HexSet, unit: UnitId) -> Supply {
        let Some(hex) = state.hex(unit) else { return Supply::Overland }; // in a box (4.13m)
        if overland.contains(hex) || self.is_ica(unit) {
            return Supply::Overland; // 10.34e
        }
        match self.side(unit) {
            Side::Soviet if state.heroes.contains(&hex) => Supply::Garrison,
            Side::Soviet => Supply::Out,
            Side::Axis if self.draws_crimea_supply(state, unit, hex) => Supply::Crimea,
            Side::Axis if self.has_garrison_supply(state, hex) => Supply::Garrison,
            Side::Axis if state.airlift == Some(hex) => Supply::Aerial,
            Side::Axis if self.is_german(unit) && self.is_coastal(state, hex) => Supply::Coastal,
            Side::Axis => Supply::Out,
        }
    }

    /// The supply of one unit now.
    pub(crate) fn supply_of(&self, state: &State, unit: UnitId) -> Supply {
        self.supply(state, &self.overland(state, self.side(unit)), unit)
    }

    /// A fortress city in Greater Germany, the General Government or Hungary (7.6).
    fn has_garrison_supply(&self, state: &State, hex: Hex) -> bool {
        let ground = &self.ground;
        state.fortresses.contains(&hex)
            && (ground.greater_germany | ground.general_government | ground.hungary).contains(hex)
    }

    /// A Baltic hex; in the south also one of the Black Sea, or of the Sea of Azov while both shores of Kerch are German, and
    /// not in a turn of Crimea supply (7.4g, 7.5).
    fn is_coastal(&self, state: &State, hex: Hex) -> bool {
        self.ground.baltic_coast.contains(hex)
            || state.southern != Southern::Crimea && self.is_southern_coast(state, hex)
    }

    fn is_southern_coast(&self, state: &State, hex: Hex) -> bool {
        let kerch = || {
            let shores = self.ground.kerch;
            shores.is_some_and(|(a, b)| state.controls(Side::Axis, a) && state.controls(Side::Axis, b))
        };
        self.ground.black_coast.contains(hex) || self.ground.azov_coast.contains(hex) && kerch()
    }

    /// When coastal supply on the southern seas is used, there is no Crimea supply in this turn (7.4g, R33).
    pub(crate) fn settle_southern(
        &self,
        state: &mut State,
        unit: UnitId,
        supply: Supply,
        play: &mut Play<Event>,
    ) {
        let southern = state.hex(unit).is_some_and(|hex| !self.ground.baltic_coast.contains(hex));
        if supply == Supply::Coastal && southern && state.southern == Southern::Open {
            state.southern = Southern::Coastal;
            play.tell(Event::SouthernSettled { southern: Southern::Coastal });
        }
    }

    // Crimea supply (7.4).

    fn draws_crimea_supply(&self, state: &State, unit: UnitId, hex: Hex) -> bool {
        state.marked(unit, Marks::CRIMEA)
            && state.southern == Southern::Crimea
            && !state.has(Fact::CrimeaOff)
            && self.crimea_lines(state).contains(hex)
    }

    /// Hexes of the Crimea area with a line to German Sevastopol, over Kerch as well (7.4e, 7.4i, R32).
    fn crimea_lines(&self, state: &State) -> HexSet {
        let port = self.ground.sevastopol.filter(|port| state.controls(Side::Axis, *port));
        let Some(port) = port else { return HexSet::EMPTY };
        let open = self.open_to_lines(state, Side::Axis, state.held(Side::Soviet));
        flood(&HexSet::of(port), &open, &self.ground.crimea_supply) & self.ground.cs_area
    }

    /// Whether a unit may be named to draw Crimea supply (7.4e, 7.4g).
    pub(crate) fn check_crimea(&self, state: &State, unit: UnitId) -> Result<(), Violation> {
        ensure!("7.4e", self.side(unit) == Side::Axis, "{} is not of the German side", unit);
        let Some(hex) = state.hex(unit) else { refuse!("7.4e", "{} is not on the map", unit) };
        ensure!("7.4e", !state.marked(unit, Marks::CRIMEA), "{} is named already", unit);
        ensure!(
            "7.4g",
            state.southern != Southern::Coastal,
            "coastal supply has been used in the south in this turn"
        );
        ensure!("7.4e", self.crimea_lines(state).contains(hex), "{} has no line to German Sevastopol", hex);
        let named = state.units.iter().filter(|(_, unit)| unit.marks.has(Marks::CRIMEA)).count();
        ensure!("7.4e", named < CRIMEA_UNITS, "five units are named already");
        Ok(())
    }

    pub(crate) fn name_for_crimea(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        if state.southern == Southern::Open {
            state.southern = Southern::Crimea;
            play.tell(Event::SouthernSettled { southern: Southern::Crimea });
        }
        state.mark(unit, Marks::CRIMEA);
        play.tell(Event::CrimeaNamed { unit });
    }

    pub(crate) fn check_crimea_switch(&self, state: &State, on: bool) -> Result<(), Violation> {
        ensure!("7.4h", state.southern == Southern::Crimea, "Crimea supply is not used in this turn");
        ensure!("7.4h", state.has(Fact::CrimeaOff) == on, "Crimea supply is switched so already");
        Ok(())
    }

    // Aerial supply (7.7).

    /// The marker has come, was not used in this turn, and its waiting is over (7.7c, 7.7f).
    pub(crate) fn airlift_is_available(&self, state: &State) -> bool {
        state.airlift.is_none()
            && !state.has(Fact::AirliftSpent)
            && (1..=state.turn).contains(&state.airlift_due)
    }

    pub(crate) fn check_airlift(&self, state: &State, hex: Hex) -> Result<(), Violation> {
        ensure!("7.7c", self.airlift_is_available(state), "the aerial supply marker is not available");
        ensure!("7.7c", state.held(Side::Axis).contains(hex), "no unit of the German side is in {}", hex);
        Ok(())
    }

    /// The marker lies where it is needed to the end of the turn (7.7d). In a battle supply is found anew (7.7/A, R35).
    pub(crate) fn airlift(&self, state: &mut State, hex: Hex, play: &mut Play<Event>) {
        state.airlift = Some(hex);
        play.tell(Event::Airlifted { hex });
        self.find_supply_again(state, play);
    }

    // Factors.

    /// What divides a unit's attack factor for want of supply (7.5a, 7.7b, 7.9e, 7.16b, 7.22).
    pub(crate) fn attack_divisor(&self, state: &State, supply: Supply, offensive: bool, side: Side) -> u8 {
        match (side, supply) {
            (Side::Axis, Supply::Overland | Supply::Crimea | Supply::Garrison) => 1,
            (Side::Axis, _) => 2,
            (Side::Soviet, Supply::Out) if state.turn >= OFFENSIVE_SUPPLY => 4,
            (Side::Soviet, Supply::Out) => 2,
            (Side::Soviet, Supply::Overland) if offensive => 1,
            (Side::Soviet, _) if state.turn >= OFFENSIVE_SUPPLY => 2,
            (Side::Soviet, _) => 1,
        }
    }

    /// What divides movement factors (7.5a, 7.7b, 7.16b).
    pub(crate) fn movement_divisor(&self, supply: Supply) -> u8 {
        match supply {
            Supply::Overland | Supply::Crimea | Supply::Garrison => 1,
            Supply::Coastal | Supply::Aerial | Supply::Out => 2,
        }
    }

    /// Offensive supply for an attack from a hex: before turn 7, in the first turn of The Road Back, or in range of a marker
    /// (7.10a, 7.10d, 7.11, 12.8b). Overland supply it takes besides.
    pub(crate) fn in_offensive_range(&self, state: &State, from: Hex) -> bool {
        if state.turn < OFFENSIVE_SUPPLY || self.is_prologue(state) {
            return true;
        }
        let near = |(marker, range): (&Option<Hex>, u32)| {
            marker.is_some_and(|hex| self.map.grid().distance(hex, from) <= range)
        };
        state.offensive.iter().zip(RANGES).any(near)
    }

    /// The hexes of the fortified area: its own and the six around it (8.18c).
    pub(crate) fn area_hexes(&self, state: &State) -> HexSet {
        match state.area {
            Some((hex, _)) => self.ground.all_sides.grow(&HexSet::of(hex)) | HexSet::of(hex),
            None => HexSet::EMPTY,
        }
    }

    /// Units on the map of a side that are not in overland supply, for those who draw.
    pub(crate) fn cut_off(&self, state: &State, side: Side) -> Units {
        let overland = self.overland(state, side);
        let out = |unit: UnitId| self.supply(state, &overland, unit) == Supply::Out;
        self.on_map(state, side).map(|(unit, _)| unit).filter(|unit| out(*unit)).collect()
    }

    /// Supply of everybody in a battle. Attackers trace as things stand; the defenders of a mobile assault as if the assaulting
    /// units were not there (7.17b, 10.26b).
    pub(crate) fn lines_in_battle(&self, state: &State, attackers: Units, mobile: bool) -> BySide<HexSet> {
        let side = attackers.first().map_or(Side::Axis, |unit| self.side(unit));
        let own = self.overland(state, side);
        let theirs = match attackers.first().and_then(|unit| state.hex(unit)).filter(|_| mobile) {
            Some(launch) if state.units.in_hex(launch).all(|unit| attackers.contains(unit)) => {
                let mut held = *state.held(side);
                held.remove(launch);
                self.overland_past(state, side.enemy(), &held)
            }
            _ => self.overland(state, side.enemy()),
        };
        match side {
            Side::Axis => BySide { axis: own, soviet: theirs },
            Side::Soviet => BySide { axis: theirs, soviet: own },
        }
    }

    /// Hexes with a unit of German nationality (1.5c).
    pub(crate) fn german_hexes<'a>(&self, state: &'a State) -> &'a HexSet {
        state.units.held(Camp::GERMAN)
    }
}

phrases! {
    /// The Soviet side places its offensive supply markers.
    pub struct Markers = "markers", "7.12a", "offensive supply is placed";
}

impl Frame<Barbarossa> for Markers {
    fn asked(&self, _: &Barbarossa, _: &State) -> (Side, Remark) {
        (Side::Soviet, remark!("7.12a", "place offensive supply markers, or go on"))
    }

    fn answers(&self, rules: &Barbarossa, state: &State, answers: &mut Vec<Action>) {
        for marker in rules.markers_left(state) {
            let free = rules.map.hexes().filter(|hex| !state.offensive.contains(&Some(*hex)));
            answers.extend(free.map(|hex| Action::Offensive { marker, hex }));
        }
        answers.push(Action::End);
    }

    fn check(&self, rules: &Barbarossa, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Offensive { marker, hex } => {
                let left = rules.markers_left(state).any(|left| left == marker);
                ensure!("7.12a", left, "that marker is not available");
                let taken = state.offensive.contains(&Some(hex));
                ensure!("7.12a", !taken, "a marker lies in {} already", hex);
                Ok(())
            }
            Action::End => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, _: &Barbarossa, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Offensive { marker, hex } => {
                state.offensive[marker as usize] = Some(hex);
                play.tell(Event::OffensivePlaced { marker, hex });
            }
            _ => {
                state.stack.pop();
            }
        }
    }

    fn go_on(&self, rules: &Barbarossa, state: &mut State, _: &mut Play<Event>) -> bool {
        let asks = rules.markers_left(state).next().is_some();
        if !asks {
            state.stack.pop();
        }
        asks
    }

    fn is_sound(&self, _: &Barbarossa, _: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<crate::Turn>().is_some() && around.above.is_empty()
    }
}

impl Barbarossa {
    /// Markers that the Soviet side may still place in this turn (7.12a, 7.21a, 12.8a).
    pub(crate) fn markers_left<'a>(&'a self, state: &'a State) -> impl Iterator<Item = Offensive> + 'a {
        let barred = state.has(Fact::MoscowBan) || self.is_prologue(state) || state.turn < OFFENSIVE_SUPPLY;
        let on_track = self.charts.track.turn(state.turn).offensive;
        let left = move |marker: &Offensive| {
            !barred && on_track[*marker as usize] && state.offensive[*marker as usize].is_none()
        };
        Offensive::ALL.iter().copied().filter(left)
    }
}
