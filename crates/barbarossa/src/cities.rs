//! 9: hero cities and fortress cities, and the other things that a side may do at any time.

use board::Hex;
use engine::{Play, Side, UnitId, Violation, ensure};

use crate::sequence::{acting_side, not_asked};
use crate::{Action, Barbarossa, Event, Fact, Movement, Place, State, Supporting, Volley};

/// Hero city markers that the Soviet side receives (9.1a), and the late fortress cities (9.2a).
const HEROES: u8 = 5;
const LATE_FORTRESSES: u8 = 4;

impl Barbarossa {
    /// Markers that come at the very start of a turn (9.1a, 9.2a).
    pub(crate) fn receive_markers(&self, state: &mut State, play: &mut Play<Event>) {
        let (side, count) = match state.turn {
            4 => (Side::Soviet, HEROES),
            13 => (Side::Axis, 1),
            28 => (Side::Axis, LATE_FORTRESSES),
            _ => return,
        };
        match state.turn {
            4 => state.heroes_left += HEROES,
            13 => state.fortress_left += 1,
            _ => state.late_fortresses_left += LATE_FORTRESSES,
        }
        play.tell(Event::MarkersReceived { side, count });
    }

    /// A Soviet city in the USSR, not inside a battle (9.1b, 9.7, R15).
    fn check_hero(&self, state: &State, hex: Hex) -> Result<(), Violation> {
        ensure!("9.1b", state.heroes_left > 0, "no Hero City marker is left");
        ensure!("9.1b", self.ground.cities.contains(hex), "{} is no city", hex);
        ensure!("9.1b", state.controls(Side::Soviet, hex), "{} is not Soviet", hex);
        ensure!("9.1b", self.ground.ussr.contains(hex), "{} is not in the USSR", hex);
        ensure!("9.1b", !state.heroes.contains(&hex), "{} is a hero city already", hex);
        ensure!("9.1b", !state.heroes.is_full(), "five hero cities are on the map");
        ensure!("9.7", state.battle().is_none(), "an attack has been declared");
        Ok(())
    }

    /// The first marker goes to any German city, the late ones to Greater Germany, Hungary and the General Government; never to
    /// the USIR (9.2b, 9.2c, 9.2e).
    fn check_fortress(&self, state: &State, hex: Hex) -> Result<(), Violation> {
        ensure!("9.2e", !self.ground.industry.contains(hex), "no fortress city in {}", hex);
        ensure!("9.2b", self.ground.cities.contains(hex), "{} is no city", hex);
        ensure!("9.2b", state.controls(Side::Axis, hex), "{} is not German", hex);
        ensure!("9.2b", !state.fortresses.contains(&hex), "{} is a fortress city already", hex);
        let late = state.late_fortresses_left > 0 && self.is_late_fortress(hex);
        let left = state.fortress_left + state.late_fortresses_left > 0;
        ensure!("9.2b", left, "no Fortress City marker is left");
        ensure!(
            "9.2c",
            late || state.fortress_left > 0,
            "{} is not in Greater Germany, Hungary or the General Government",
            hex
        );
        ensure!("9.2b", !state.fortresses.is_full(), "five fortress cities are on the map");
        ensure!("9.7", state.battle().is_none(), "an attack has been declared");
        Ok(())
    }

    fn is_late_fortress(&self, hex: Hex) -> bool {
        let ground = &self.ground;
        (ground.greater_germany | ground.general_government | ground.hungary).contains(hex)
    }

    fn make_fortress(&self, state: &mut State, hex: Hex, play: &mut Play<Event>) {
        if state.late_fortresses_left > 0 && self.is_late_fortress(hex) {
            state.late_fortresses_left -= 1;
        } else {
            state.fortress_left -= 1;
        }
        state.fortresses.push(hex);
        play.tell(Event::FortressCity { hex });
    }

    /// When a hero or fortress city is captured its marker is gone for good (4.3, 9.3b). True when there was one.
    pub(crate) fn lose_marker(
        &self,
        state: &mut State,
        captor: Side,
        hex: Hex,
        play: &mut Play<Event>,
    ) -> bool {
        let markers = match captor {
            Side::Axis => &mut state.heroes,
            Side::Soviet => &mut state.fortresses,
        };
        let there = markers.contains(&hex);
        if there {
            markers.retain(|marked| *marked != hex);
            play.tell(Event::MarkerLost { hex });
        }
        there
    }

    /// A hero city in which Soviet units, or a fortress city in which the German side defends (9.6a).
    pub(crate) fn is_stronghold(&self, state: &State, defender: Side, hex: Hex) -> bool {
        match defender {
            Side::Axis => state.fortresses.contains(&hex),
            Side::Soviet => state.heroes.contains(&hex),
        }
    }

    // What may be done unasked (R44).

    /// True between actions of a game under way: not while units are set up, nor within a battle.
    fn is_window(&self, state: &State) -> bool {
        !state.stack.is_empty() && state.stack.find::<crate::Deployment>().is_none()
    }

    pub(crate) fn list_interjections(&self, state: &State, side: Side, actions: &mut Vec<Action>) {
        if !self.is_window(state) {
            return;
        }
        match side {
            Side::Axis => self.list_axis_interjections(state, actions),
            Side::Soviet => self.list_soviet_interjections(state, actions),
        }
    }

    fn list_axis_interjections(&self, state: &State, actions: &mut Vec<Action>) {
        if state.fortress_left + state.late_fortresses_left > 0 && state.battle().is_none() {
            let cities = self.ground.city_list.iter().copied();
            let cities = cities.filter(|hex| self.check_fortress(state, *hex).is_ok());
            actions.extend(cities.map(|hex| Action::Fortress { hex }));
        }
        if self.airlift_is_available(state) && self.is_airlift_window(state) {
            actions.extend(state.held(Side::Axis).iter().map(|hex| Action::Airlift { hex }));
        }
        if state.battle().is_none() && state.held(Side::Axis).intersects(&self.ground.cs_area) {
            let units = self.on_map(state, Side::Axis).map(|(unit, _)| unit);
            let units = units.filter(|unit| self.check_crimea(state, *unit).is_ok());
            actions.extend(units.map(|unit| Action::Crimea { unit }));
        }
        if state.battle().is_none() {
            for (on, action) in [(false, Action::CrimeaOff), (true, Action::CrimeaOn)] {
                if self.check_crimea_switch(state, on).is_ok() {
                    actions.push(action);
                }
            }
        }
    }

    fn list_soviet_interjections(&self, state: &State, actions: &mut Vec<Action>) {
        if state.heroes_left > 0 && state.battle().is_none() {
            let cities = self.ground.city_list.iter().copied();
            let cities = cities.filter(|hex| self.check_hero(state, *hex).is_ok());
            actions.extend(cities.map(|hex| Action::Hero { hex }));
        }
        if self.check_emergency_time(state).is_ok() {
            let cities: Vec<Hex> = self.emergency_cities(state).iter().collect();
            for unit in self.in_box(state, Side::Soviet, Place::Rvgk) {
                let open = cities.iter().filter(|hex| self.check_room(state, unit, **hex).is_ok());
                actions.extend(open.map(|hex| Action::Emergency { unit, hex: *hex }));
            }
        }
        if state.battle().is_none() {
            let units = self.on_map(state, Side::Soviet).map(|(unit, _)| unit);
            let units = units.filter(|unit| self.check_top(state, *unit).is_ok());
            actions.extend(units.map(|unit| Action::Top { unit }));
        }
    }

    /// Aerial supply may come at any time, in a battle until the die is rolled (7.7/A, R44).
    fn is_airlift_window(&self, state: &State) -> bool {
        state.battle().is_none()
            || state.stack.top::<Supporting>().is_some()
            || state.stack.top::<Volley>().is_some()
    }

    pub(crate) fn check_interjected(
        &self,
        state: &State,
        side: Side,
        action: Action,
    ) -> Result<(), Violation> {
        if !self.is_window(state) {
            return Err(not_asked(state));
        }
        match (side, action) {
            (Side::Axis, Action::Fortress { hex }) => self.check_fortress(state, hex),
            (Side::Axis, Action::Airlift { hex }) => {
                ensure!("7.7/A", self.is_airlift_window(state), "the die has been rolled");
                self.check_airlift(state, hex)
            }
            (Side::Axis, Action::Crimea { unit }) => {
                ensure!("7.17b", state.battle().is_none(), "supply has been found for this battle");
                self.check_crimea(state, unit)
            }
            (Side::Axis, Action::CrimeaOff | Action::CrimeaOn) => {
                ensure!("7.17b", state.battle().is_none(), "supply has been found for this battle");
                self.check_crimea_switch(state, action == Action::CrimeaOn)
            }
            (Side::Soviet, Action::Hero { hex }) => self.check_hero(state, hex),
            (Side::Soviet, Action::Emergency { unit, hex }) => self.check_emergency(state, unit, hex),
            (Side::Soviet, Action::Top { unit }) => self.check_top(state, unit),
            _ => Err(not_asked(state)),
        }
    }

    pub(crate) fn carry_out_interjection(
        &self,
        state: &mut State,
        _: Side,
        action: Action,
        play: &mut Play<Event>,
    ) {
        match action {
            Action::Fortress { hex } => self.make_fortress(state, hex, play),
            Action::Airlift { hex } => self.airlift(state, hex, play),
            Action::Crimea { unit } => self.name_for_crimea(state, unit, play),
            Action::CrimeaOff | Action::CrimeaOn => {
                self.switch_crimea(state, action == Action::CrimeaOn, play);
            }
            Action::Hero { hex } => {
                state.heroes_left -= 1;
                state.heroes.push(hex);
                play.tell(Event::HeroCity { hex });
            }
            Action::Emergency { unit, hex } => {
                state.note(Fact::EmergencyUsed);
                self.put(state, unit, hex, play);
                let seen = self.is_seen(state, unit);
                play.tell_of(Side::Soviet, seen, Event::Arrived { unit: unit.into(), hex });
            }
            Action::Top { unit } => self.top(state, unit, play),
            _ => {}
        }
    }

    /// Once in every German movement phase from turn 3 on, also when a mobile assault is about to be launched (8.11a, R45).
    fn check_emergency_time(&self, state: &State) -> Result<(), Violation> {
        ensure!("8.11a", state.turn >= 3, "there are no emergency deployments before turn 3");
        let phase = state.stack.find::<Movement>().is_some() && acting_side(state) == Side::Axis;
        ensure!("8.11a", phase, "this is no German movement phase");
        ensure!("8.11a", !state.has(Fact::EmergencyUsed), "one unit has been deployed in this phase");
        ensure!("9.7", state.battle().is_none(), "an attack has been declared");
        Ok(())
    }

    /// Soviet-controlled cities in overland supply without enemies.
    fn emergency_cities(&self, state: &State) -> board::HexSet {
        let cities = self.ground.cities & state.control.soviet & self.overland(state, Side::Soviet);
        self.bounds_set().map_or(cities, |bounds| cities & bounds)
    }

    fn check_emergency(&self, state: &State, unit: UnitId, hex: Hex) -> Result<(), Violation> {
        self.check_emergency_time(state)?;
        let boxed = self.side(unit) == Side::Soviet && state.unit(unit).place == Place::Rvgk;
        ensure!("8.11a", boxed, "{} is not in the RVGK box", unit);
        let open = self.emergency_cities(state).contains(hex);
        ensure!("8.11a", open, "{} is no Soviet city in overland supply", hex);
        self.check_room(state, unit, hex)
    }
}
