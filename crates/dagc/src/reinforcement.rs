//! 10: reinforcements and replacements.

use board::{Hex, HexSet};
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, display, ensure, phrases, refuse};

use crate::air::air_armies;
use crate::charts::Bank;
use crate::sequence::{not_asked, phase};
use crate::supply::SOVIET_EXHAUSTION;
use crate::{
    Action, AirArmies, Dagc, Ending, Event, Group, Marks, Phase, Place, Presence, Procedure, State, Supply,
};

phrases! {
    /// Replacements and reinforcements.
    pub struct Reinforcement { side: Side } = "reinforcement", "5.2a", "{side} replacement and reinforcement phase";
}

impl Frame<Dagc> for Reinforcement {
    fn asked(&self, _: &Dagc, state: &State) -> (Side, Remark) {
        let prompt = "spend replacement steps ({} left) and place reinforcements, or end the phase";
        let case = phase(self.side, Phase::Reinforcement).case;
        (self.side, Remark::new(case, prompt, [state.steps_left.into()]))
    }

    fn answers(&self, rules: &Dagc, state: &State, answers: &mut Vec<Action>) {
        let side = self.side;
        let presence = Presence::new(rules, state);
        let units = || rules.roster.iter().filter(|unit| rules.side(*unit) == side);
        if state.steps_left > 0 {
            for unit in units() {
                if rules.check_replenish(state, &presence, side, unit).is_ok() {
                    answers.push(Action::Replenish { unit });
                }
                if rules.check_reclaim(state, side, unit).is_ok() {
                    answers.push(Action::Reclaim { unit });
                }
            }
        }
        for unit in units() {
            if rules.check_available(state, side, unit).is_ok() {
                let hexes = rules.entry_hexes(state, &presence, unit);
                answers.extend(hexes.iter().map(|hex| Action::Place { unit, hex }));
            }
        }
        answers.push(Action::End);
    }

    fn check(&self, rules: &Dagc, state: &State, action: Action) -> Result<(), Violation> {
        let presence = || Presence::new(rules, state);
        match action {
            Action::Replenish { unit } => rules.check_replenish(state, &presence(), self.side, unit),
            Action::Reclaim { unit } => rules.check_reclaim(state, self.side, unit),
            Action::Place { unit, hex } => rules.check_place(state, &presence(), self.side, unit, hex),
            Action::End => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Dagc, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Replenish { unit } => rules.replenish(state, unit, play),
            Action::Reclaim { unit } => rules.reclaim(state, unit, play),
            Action::Place { unit, hex } => rules.place(state, unit, hex, play),
            _ => state.stack.push(Ending {}),
        }
    }

    fn is_sound(&self, _: &Dagc, _: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost()
    }

    fn phase(&self, _: &Dagc, _: &State) -> Option<display::Phase> {
        Some(phase(self.side, Phase::Reinforcement))
    }
}

impl Dagc {
    /// The steps of a side on a turn: the track, or what a scenario gives the Germans instead (10.6c, 3.8a, 3.9b).
    pub(crate) fn replacement_steps(&self, turn: u8, side: Side) -> u8 {
        match side {
            Side::Axis if self.switches.three_replacements => 3,
            Side::Axis if self.switches.two_replacements => 2,
            _ => self.charts.track.steps(turn, side),
        }
    }

    fn check_step(&self, state: &State, side: Side, unit: UnitId) -> Result<(), Violation> {
        ensure!("10.6a", self.side(unit) == side, "{} is not a {} unit", unit, side);
        ensure!("10.6b", state.steps_left > 0, "no replacement step is left");
        let replaced = state.marked(unit, Marks::REPLACED);
        ensure!("10.8g", !replaced, "{} has already absorbed a step in this game turn", unit);
        Ok(())
    }

    /// A reduced unit in overland supply takes a step (10.8d, 10.8e, 10.8f).
    fn check_replenish(
        &self,
        state: &State,
        presence: &Presence,
        side: Side,
        unit: UnitId,
    ) -> Result<(), Violation> {
        self.check_step(state, side, unit)?;
        ensure!("10.8d", state.hex(unit).is_some(), "{} is not on the map", unit);
        let reduced = state.unit(unit).steps < self.counter(unit).steps();
        ensure!("10.8d", reduced, "{} is at full strength", unit);
        match side {
            Side::Axis => match self.supply_of(state, presence, unit) {
                Supply::Overland => Ok(()),
                _ if self.linked_to_koenigsberg(state, presence, unit) => Ok(()),
                Supply::Port => refuse!("10.8e", "{} has port supply only", unit),
                Supply::Out => refuse!("10.8d", "{} is out of supply", unit),
            },
            Side::Soviet if self.soviet_replenishment(state, presence, unit) => Ok(()),
            Side::Soviet if state.turn >= SOVIET_EXHAUSTION && self.is_cav_mech(unit) => {
                refuse!("10.8f", "{} could trace no supply line, even with Western Pripyat hexes", unit)
            }
            Side::Soviet if state.turn >= SOVIET_EXHAUSTION => {
                refuse!("10.8f", "{} could trace no supply line without Western Pripyat hexes", unit)
            }
            Side::Soviet => refuse!("10.8d", "{} is out of supply", unit),
        }
    }

    fn replenish(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let Some(hex) = state.hex(unit) else { return };
        state.steps_left -= 1;
        state.change(unit, |unit| unit.steps += 1);
        state.mark(unit, Marks::REPLACED);
        let seen = self.is_seen(state, unit);
        play.tell_of(self.side(unit), seen, Event::Replenished { unit: unit.into(), hex });
    }

    /// An eliminated unit is brought back to life (10.7, 10.8a).
    fn check_reclaim(&self, state: &State, side: Side, unit: UnitId) -> Result<(), Violation> {
        self.check_step(state, side, unit)?;
        ensure!("10.8a", state.unit(unit).place == Place::Dead, "{} is not in the dead pile", unit);
        ensure!("10.7a", self.counter(unit).is_replaceable(), "{} can never be rebuilt", unit);
        Ok(())
    }

    /// It re-enters at one step (10.8b), as if it were a new reinforcement.
    fn reclaim(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        state.steps_left -= 1;
        state.change(unit, |unit| (unit.place, unit.steps) = (Place::Track, 1));
        state.mark(unit, Marks::REPLACED);
        play.tell(Event::Reclaimed { unit });
    }

    /// A unit on the track whose turn has come (10.1a, 10.5b); one that was reclaimed is due at once.
    fn check_available(&self, state: &State, side: Side, unit: UnitId) -> Result<(), Violation> {
        ensure!("10.1a", self.side(unit) == side, "{} arrives in its own player turn", unit);
        ensure!("10.1a", state.unit(unit).place == Place::Track, "{} is not waiting to arrive", unit);
        let due = self.counter(unit).turn.unwrap_or(1);
        ensure!("10.5b", state.turn >= due, "{} may not arrive before turn {}", unit, due);
        Ok(())
    }

    /// Every hex that a unit may enter the map in.
    fn entry_hexes(&self, state: &State, presence: &Presence, unit: UnitId) -> HexSet {
        let candidates = match self.counter(unit).group {
            Group::Kg => return self.receivers(state, presence, unit),
            Group::Uf => self.ground.south_edge & self.ground.western_pripyat & state.soviet_hexes, // 10.2a
            Group::Nu => self.ground.nu_entry & self.ground.land, // 3.6e, R43
            _ => self.general_entry(state, presence, self.side(unit)),
        };
        candidates.iter().filter(|hex| self.check_room(presence, unit, *hex).is_ok()).collect()
    }

    /// Friendly source hexes on the map edge (10.1b, R16), supplied cities without an enemy beside them (10.1c) that
    /// are no ports (10.1e), and Koenigsberg for the Germans (10.1d).
    fn general_entry(&self, state: &State, presence: &Presence, side: Side) -> HexSet {
        let controlled = self.controlled(state, side);
        let mut entry = self.sources(side) & controlled;
        let ports: HexSet = self.ground.ports.iter().copied().collect();
        for city in ((self.ground.cities & controlled) - ports).iter() {
            if !presence.in_ezoc(side, city) && self.hex_in_supply(state, presence, side, city) {
                entry.insert(city);
            }
        }
        if let Some(koenigsberg) = self.ground.koenigsberg
            && side == Side::Axis
            && controlled.contains(koenigsberg)
        {
            entry.insert(koenigsberg);
        }
        entry
    }

    /// Hexes where a Korps Gruppe may join a German unit that is no Korps Gruppe, on its own bank of the Dvina
    /// (10.4, R36).
    fn receivers(&self, state: &State, presence: &Presence, unit: UnitId) -> HexSet {
        self.on_map(state, Side::Axis)
            .filter(|(receiver, hex)| {
                self.counter(*receiver).group != Group::Kg
                    && self.is_on_bank(unit, *hex)
                    && !presence.full.contains(*hex)
            })
            .map(|(_, hex)| hex)
            .collect()
    }

    /// Whether a hex lies on the bank of the Dvina that a Korps Gruppe enters on (10.4f, R37).
    fn is_on_bank(&self, unit: UnitId, hex: Hex) -> bool {
        let north = self.ground.north_of_dvina.contains(hex);
        match self.counter(unit).bank {
            Some(Bank::North) => north,
            Some(Bank::South) => !north,
            None => true,
        }
    }

    fn check_place(
        &self,
        state: &State,
        presence: &Presence,
        side: Side,
        unit: UnitId,
        hex: Hex,
    ) -> Result<(), Violation> {
        self.check_available(state, side, unit)?;
        if self.entry_hexes(state, presence, unit).contains(hex) {
            return Ok(());
        }
        self.check_room(presence, unit, hex)?;
        match self.counter(unit).group {
            Group::Kg if !self.is_on_bank(unit, hex) => {
                refuse!("10.4f", "{} lies on the other bank of the Dvina", hex)
            }
            Group::Kg => {
                refuse!("10.4a", "{} needs a lone German unit in {} that is no Korps Gruppe", unit, hex)
            }
            Group::Uf => refuse!(
                "10.2a",
                "{} enters in Soviet-controlled Western Pripyat hexes on the south edge",
                unit
            ),
            Group::Nu => refuse!("3.6e", "{} enters through the map edge from 4428 to 5021", unit),
            _ if self.ground.ports.contains(&hex) => {
                refuse!("10.1e", "{} is a port, and may not be used for entry", hex)
            }
            _ if self.ground.cities.contains(hex) => {
                refuse!(
                    "10.1c",
                    "{} must be friendly, in overland supply and without an enemy unit adjacent",
                    hex
                )
            }
            _ => refuse!("10.1b", "{} is no friendly source hex on the map edge", hex),
        }
    }

    /// Arriving costs no movement (10.1g). The first unit of 1st Ukrainian Front brings its air armies (13.2a).
    fn place(&self, state: &mut State, unit: UnitId, hex: Hex, play: &mut Play<Event>) {
        self.put(state, unit, hex, play);
        let seen = self.is_seen(state, unit);
        play.tell_of(self.side(unit), seen, Event::Arrived { unit: unit.into(), hex });
        if self.is_1uf(unit) && state.air[1].all == 0 {
            let [_, count] = air_armies(state.turn);
            state.air[1] = AirArmies { all: count, used: 0 };
            play.tell(Event::AirArrived { count });
        }
    }
}
