//! 14.19, 14.20: supply and units that go by air, and those that are dropped.

use board::{Dir, Hex};
use engine::store::Spot;
use engine::{Play, UnitId, Violation, case, ensure, refuse};

use crate::charts::Kind;
use crate::sequence::not_asked;
use crate::stacking::LIMIT;
use crate::transport::note;
use crate::{Action, Arm, Event, Flight, Goods, Ground, Marks, Motor, Ocs, Procedure, State, Units};

/// From this on a die destroys dropped supply (14.19a.a).
const SPILLED: u32 = 5;

/// What the die of a dropped unit means: it drifts, or from more on loses a step (14.19b.a).
const DRIFTS: u32 = 5;

/// The directions by the die: 1 is up the map, the others follow clockwise (R64).
const DIRECTIONS: [Dir; 6] = [Dir::D3, Dir::D4, Dir::D5, Dir::D0, Dir::D1, Dir::D2];

impl Flight {
    fn carriers(&self, rules: &Ocs, state: &State) -> Units {
        self.units.filter(|unit| rules.carries(state, unit))
    }

    /// What their transports can carry, in tokens (14.4d, 14.20d).
    fn capacity(&self, rules: &Ocs, state: &State) -> u16 {
        self.carriers(rules, state).iter().map(|unit| rules.capacity(state, unit)).sum()
    }

    /// What they carry: tokens, and a token for each quarter of an RE (13.0d.b).
    fn load(&self, rules: &Ocs, state: &State) -> u16 {
        let units: u16 = self.cargo.iter().map(|unit| u16::from(rules.size(state, unit))).sum();
        units + self.tokens(rules, state)
    }

    fn tokens(&self, rules: &Ocs, state: &State) -> u16 {
        self.units.iter().map(|unit| rules.freight(state, unit)).sum()
    }

    pub(crate) fn is_laden(&self, rules: &Ocs, state: &State) -> bool {
        self.load(rules, state) > 0
    }

    pub(crate) fn load_fits(&self, rules: &Ocs, state: &State) -> bool {
        self.cargo.is_empty() || self.load(rules, state) <= self.capacity(rules, state) || !self.open
    }

    /// They carry something that can be dropped (14.19c).
    pub(crate) fn can_drop(&self, rules: &Ocs, state: &State) -> bool {
        let airborne = self.cargo.iter().all(|unit| rules.is_airborne(unit));
        airborne && self.load(rules, state) > 0
    }

    pub(crate) fn cargo_answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        let carriers = self.carriers(rules, state);
        if carriers.is_empty() {
            return;
        }
        for unit in carriers.iter() {
            let most = self.loadable(rules, state, unit).unwrap_or(0);
            answers.extend((1..=most as u8).map(|tokens| Action::Load { unit, tokens }));
            let aboard = self.unloadable(rules, state, unit).unwrap_or(0);
            answers.extend((1..=aboard as u8).map(|tokens| Action::Unload { unit, tokens }));
        }
        let here = state.units.in_hex(self.from).filter(|unit| rules.is_unit(*unit));
        let able = here.filter(|unit| self.check_embark(rules, state, *unit).is_ok());
        answers.extend(able.map(|unit| Action::Embark { unit }));
        let off = self.cargo.iter().filter(|unit| self.check_disembark(rules, state, *unit).is_ok());
        answers.extend(off.map(|unit| Action::Disembark { unit }));
        if self.check_drop(rules, state).is_ok() {
            answers.push(Action::AirDrop);
        }
    }

    pub(crate) fn check_cargo(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Load { unit, tokens } => {
                let most = self.loadable(rules, state, unit)?;
                ensure!("14.4d", (1..=most).contains(&tokens.into()), "{} can load {}T", unit, most);
                Ok(())
            }
            Action::Unload { unit, tokens } => {
                let most = self.unloadable(rules, state, unit)?;
                ensure!("14.20.a", (1..=most).contains(&tokens.into()), "{} carries {}T", unit, most);
                Ok(())
            }
            Action::Embark { unit } => self.check_embark(rules, state, unit),
            Action::Disembark { unit } => self.check_disembark(rules, state, unit),
            Action::AirDrop => self.check_drop(rules, state),
            _ => Err(not_asked(state)),
        }
    }

    pub(crate) fn handle_cargo(
        &self,
        rules: &Ocs,
        state: &mut State,
        action: Action,
        play: &mut Play<Event>,
    ) {
        match action {
            Action::Load { unit, tokens } => {
                let side = rules.side(unit);
                state.stocks.shift(Spot::Hex(self.from), Spot::With(unit), side, Goods::Token, tokens.into());
                play.tell(Event::Loaded { unit, tokens });
            }
            Action::Unload { unit, tokens } => {
                if let Some(hex) = self.hex(state) {
                    rules.put_tokens(state, unit, hex, tokens.into(), !self.open);
                }
                play.tell(Event::Unloaded { unit, tokens });
            }
            Action::Embark { unit } => {
                self.set_cargo(state, unit, true);
                play.tell(Event::Embarked { unit });
            }
            Action::Disembark { unit } => {
                self.set_cargo(state, unit, false);
                if let Some(hex) = self.hex(state).filter(|_| !self.open) {
                    rules.alight(state, unit, hex, play);
                }
            }
            Action::AirDrop => self.drop_all(rules, state, play),
            _ => {}
        }
    }

    fn set_cargo(&self, state: &mut State, unit: UnitId, aboard: bool) {
        if let Some(flight) = state.stack.top_mut::<Flight>() {
            flight.cargo.set(unit, aboard);
        }
    }

    /// They are at the base where they and the cargo began the phase (14.19.b, 14.20a).
    fn check_at_start(&self, rules: &Ocs, state: &State) -> Result<(), Violation> {
        let home = self.hex(state) == Some(self.from)
            && state.base(self.from).is_some_and(|base| base.side == self.side(rules));
        ensure!("14.20a", home, "cargo is loaded only at the air base where the transports began");
        ensure!("14.6", self.errand != crate::Errand::Home, "they must return to a base");
        Ok(())
    }

    /// How many tokens one of them could load: nobody else has carried them there in this phase (11.3a).
    fn loadable(&self, rules: &Ocs, state: &State, unit: UnitId) -> Result<u16, Violation> {
        self.check_at_start(rules, state)?;
        let carrier = self.carriers(rules, state).contains(unit);
        ensure!("14.4d", carrier, "{} is no transport of this flight", unit);
        let room = rules.capacity(state, unit).saturating_sub(rules.freight(state, unit));
        let all = self.capacity(rules, state).saturating_sub(self.load(rules, state));
        Ok(room.min(all).min(state.fresh_tokens(self.from, self.side(rules))))
    }

    /// At any base of their own, supplied or not (14.20a).
    fn unloadable(&self, rules: &Ocs, state: &State, unit: UnitId) -> Result<u16, Violation> {
        ensure!("14.20.a", self.units.contains(unit), "{} is not of this flight", unit);
        let base =
            self.hex(state).and_then(|hex| state.base(hex)).filter(|base| base.side == self.side(rules));
        ensure!("14.20.a", base.is_some(), "cargo is unloaded only at an air base of one's own");
        Ok(rules.freight(state, unit))
    }

    /// Only what is not motorized goes by air, and began the phase there (14.20a, 14.20b, 13.0d.a).
    fn check_embark(&self, rules: &Ocs, state: &State, unit: UnitId) -> Result<(), Violation> {
        self.check_at_start(rules, state)?;
        let counter = rules.counter(unit);
        let here = counter.side == self.side(rules) && state.hex(unit) == Some(self.from);
        ensure!("14.20a", here && !self.cargo.contains(unit), "{} is not there to go aboard", unit);
        ensure!("14.20b", rules.goes_by_air(state, unit), "{} cannot go by air", unit);
        ensure!("14.20a", !state.marked(unit, Marks::MOVED), "{} has moved in this phase", unit);
        let room = self.capacity(rules, state).saturating_sub(self.load(rules, state));
        let weight = u16::from(rules.size(state, unit));
        ensure!("14.20d", weight <= room, "{} weighs {}T and there is room for {}T", unit, weight, room);
        Ok(())
    }

    fn check_disembark(&self, rules: &Ocs, state: &State, unit: UnitId) -> Result<(), Violation> {
        ensure!("14.20.a", self.cargo.contains(unit), "{} is not aboard", unit);
        let base =
            self.hex(state).and_then(|hex| state.base(hex)).filter(|base| base.side == self.side(rules));
        ensure!("14.20.a", base.is_some(), "they are not at an air base of their own");
        Ok(())
    }

    /// Over any hex, but supply not onto an enemy unit (14.19.a, R63).
    fn check_drop(&self, rules: &Ocs, state: &State) -> Result<(), Violation> {
        ensure!("14.19.a", !self.open, "they have not flown yet");
        ensure!("14.6", self.errand == crate::Errand::Free, "they must return to a base");
        let Some(hex) = self.hex(state) else { return Err(not_asked(state)) };
        ensure!("14.19.a", self.load(rules, state) > 0, "they carry nothing");
        if let Some(unit) = self.cargo.iter().find(|unit| !rules.is_airborne(*unit)) {
            refuse!("14.19c", "{} is neither parachute, glider nor commando", unit);
        }
        if self.tokens(rules, state) > 0 {
            let enemies = state.held(self.side(rules).enemy()).contains(hex);
            ensure!("14.19.a", !enemies, "an enemy unit is in {}", hex);
            ensure!("14.19.a", rules.terrain.land.contains(hex), "supply would be lost in {}", hex);
        }
        Ok(())
    }

    /// Everything comes down, and the transports return at once (R116).
    fn drop_all(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
        let Some(hex) = self.hex(state) else { return };
        let carriers = self.carriers(rules, state);
        let rest = self.units - carriers;
        if let Some(flight) = state.stack.top_mut::<Flight>() {
            flight.cargo = Units::EMPTY;
            flight.units = rest;
        }
        if rest.is_empty() {
            state.stack.pop();
        }
        for unit in carriers.iter() {
            rules.drop_supply(state, unit, hex, play);
        }
        for unit in self.cargo.iter() {
            rules.drop_unit(state, unit, hex, play);
        }
        rules.send_home(state, carriers, Units::EMPTY, Units::EMPTY, play);
    }

    /// All that they carry comes to the base where they are.
    pub(crate) fn set_down(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
        let Some(hex) = self.hex(state) else { return };
        for unit in self.units.iter() {
            rules.unload_all(state, unit, hex);
        }
        for unit in self.cargo.iter().filter(|unit| state.hex(*unit).is_some()).collect::<Vec<_>>() {
            rules.alight(state, unit, hex, play);
        }
    }
}

impl Ocs {
    /// What a transport can carry, in tokens.
    fn capacity(&self, state: &State, unit: UnitId) -> u16 {
        self.aircraft(unit).map_or(0, |aircraft| self.by_step(state, unit, aircraft.capacity).into())
    }

    /// The tokens that an air unit carries.
    fn freight(&self, state: &State, unit: UnitId) -> u16 {
        state.stocks.amount(Spot::With(unit), self.side(unit), Goods::Token)
    }

    pub(crate) fn is_empty_handed(&self, state: &State, unit: UnitId) -> bool {
        self.freight(state, unit) == 0
    }

    /// Airborne, commando or glider troops (14.19c).
    fn is_airborne(&self, unit: UnitId) -> bool {
        matches!(self.counter(unit).arm, Arm::Parachute | Arm::Glider | Arm::Commando)
    }

    /// Neither Armor nor Mech nor motorized, and nothing that needs equipment (14.20b, 13.0d.a).
    fn goes_by_air(&self, state: &State, unit: UnitId) -> bool {
        let counter = self.counter(unit);
        let equipped =
            counter.arm == Arm::Eq || self.schedule.rebuild(counter.arm).is_some_and(|row| row.eq > 0);
        counter.kind == Kind::Unit && self.motor(state, unit) == Motor::None && !equipped
    }

    /// Tokens of an air unit come onto the ground; nobody takes them on again in this phase (11.3a, 14.20a).
    fn put_tokens(&self, state: &mut State, unit: UnitId, hex: Hex, tokens: u16, carried: bool) {
        let side = self.side(unit);
        let tokens = state.stocks.shift(Spot::With(unit), Spot::Hex(hex), side, Goods::Token, tokens);
        if carried && tokens > 0 {
            state.note_carried(hex, tokens);
        }
    }

    pub(crate) fn unload_all(&self, state: &mut State, unit: UnitId, hex: Hex) {
        let tokens = self.freight(state, unit);
        self.put_tokens(state, unit, hex, tokens, true);
    }

    /// What was loaded for a flight that does not take place lies where it lay, and nobody is aboard.
    pub(crate) fn put_cargo_back(&self, state: &mut State, unit: UnitId) {
        let tokens = self.freight(state, unit);
        if let Some(hex) = state.hex(unit) {
            self.put_tokens(state, unit, hex, tokens, false);
        }
        if let Some(flight) =
            state.stack.top_mut::<Flight>().filter(|flight| flight.errand != crate::Errand::Home)
        {
            flight.cargo = Units::EMPTY;
        }
    }

    /// A unit leaves the aircraft and moves no further in this phase (14.20a).
    fn alight(&self, state: &mut State, unit: UnitId, hex: Hex, play: &mut Play<Event>) {
        self.put(state, unit, hex, play);
        state.mark(unit, Marks::MOVED);
        play.tell(Event::Disembarked { unit, hex });
    }

    /// An air unit loses a step, and its share of the cargo with it (14.20c).
    pub(crate) fn lose_air_step(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let before = self.capacity(state, unit);
        let flight = self.flight_of(state, unit).copied();
        let all = flight.map_or(0, |flight| flight.capacity(self, state));
        self.lose_cargo_with(state, unit, before, play);
        self.lose_step(state, unit, play);
        let after = if state.hex(unit).is_some() { self.capacity(state, unit) } else { 0 };
        let Some(flight) = flight.filter(|flight| !flight.cargo.is_empty() && all > 0) else { return };
        // Steps of units by the share of the lift that was shot down, rounded (4.3a).
        let steps: u16 = flight.cargo.iter().map(|unit| u16::from(state.units[unit].steps)).sum();
        let mut lost = (steps * (before - after) * 2 + all) / (all * 2);
        for unit in flight.cargo.iter() {
            let own = lost.min(state.units[unit].steps.into());
            (0..own).for_each(|_| self.lose_step(state, unit, play));
            lost -= own;
        }
    }

    /// Half of the tokens of a transport that is reduced are lost, all of one that is shot down.
    fn lose_cargo_with(&self, state: &mut State, unit: UnitId, before: u16, play: &mut Play<Event>) {
        let (tokens, gone) = (self.freight(state, unit), state.units[unit].steps == 1);
        if tokens == 0 {
            return;
        }
        let after = self.aircraft(unit).map_or(0, |aircraft| u16::from(aircraft.capacity[0]));
        let lost = if gone || before == 0 {
            tokens
        } else {
            (tokens * (before - after) * 2 + before) / (before * 2)
        };
        self.destroy_freight(state, unit, lost, play);
    }

    /// All that an air unit carries is lost with it.
    pub(crate) fn lose_cargo(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let tokens = self.freight(state, unit);
        self.destroy_freight(state, unit, tokens, play);
    }

    fn destroy_freight(&self, state: &mut State, unit: UnitId, tokens: u16, play: &mut Play<Event>) {
        let lost = state.stocks.take(Spot::With(unit), self.side(unit), Goods::Token, tokens);
        state.destroyed += u32::from(lost);
        if lost > 0 {
            play.tell(Event::CargoLost { unit, tokens: lost as u8 });
        }
    }

    fn flight_of<'a>(&self, state: &'a State, unit: UnitId) -> Option<&'a Flight> {
        state.stack.iter().rev().find_map(|frame| match frame {
            Procedure::Flight(flight) if flight.units.contains(unit) => Some(flight),
            _ => None,
        })
    }

    /// A unit leaves its flight by an abort; units that the rest cannot carry any more go back with it (14.20c).
    pub(crate) fn leave_flight(&self, state: &mut State, unit: UnitId) -> Units {
        let Some(flight) = self.flight_of(state, unit).copied() else { return Units::EMPTY };
        let mut rest = Flight { units: flight.units - Units::of(unit), ..flight };
        let mut back = Units::EMPTY;
        while self.carries(state, unit) && rest.load(self, state) > rest.capacity(self, state) {
            let Some(first) = rest.cargo.first() else { break };
            rest.cargo.remove(first);
            back.insert(first);
        }
        for frame in state.stack.iter_mut() {
            if let Procedure::Flight(other) = frame
                && other.units.contains(unit)
            {
                other.units = rest.units;
                other.cargo = rest.cargo;
            }
        }
        back.filter(|unit| state.hex(unit).is_some())
    }

    /// One die for what an air unit drops (14.19a.a, R65).
    fn drop_supply(&self, state: &mut State, unit: UnitId, hex: Hex, play: &mut Play<Event>) {
        let (side, tokens) = (self.side(unit), self.freight(state, unit));
        if tokens == 0 {
            return;
        }
        let die = play.roll_on(side, 6, "supply drop", case("14.19a.a"), |die| die >= SPILLED);
        let lost = if die >= SPILLED { tokens } else { 0 };
        let taken = state.stocks.take(Spot::With(unit), side, Goods::Token, lost);
        state.destroyed += u32::from(taken);
        self.put_tokens(state, unit, hex, tokens - lost, true);
        if tokens > lost {
            note(&mut state.dropped, hex, tokens - lost);
        }
        play.tell(Event::AirSupplyDropped { unit, hex, tokens: tokens as u8, lost: lost as u8 });
    }

    /// A die for each unit: it lands, drifts, or loses a step (14.19b.a).
    fn drop_unit(&self, state: &mut State, unit: UnitId, hex: Hex, play: &mut Play<Event>) {
        let side = self.side(unit);
        let worse = match self.terrain.class(&self.map, &self.charts, hex) {
            Ground::Open => 0,
            Ground::Close => 1,
            Ground::VeryClose => 3,
        };
        let roll = play.roll(side, 6, "air drop", case("14.19b.a")) + worse;
        if roll == DRIFTS {
            let direction = play.roll(side, 6, "direction of the drift", case("14.19b.b"));
            let distance = play.roll(side, 6, "distance of the drift", case("14.19b.b"));
            let towards = DIRECTIONS[(direction as usize - 1) % 6];
            let step = |from: Hex| self.map.grid().neighbour(from, towards);
            let landing = (0..distance).try_fold(hex, |from, _| step(from));
            self.come_down(state, unit, landing, play);
            return;
        }
        if roll > DRIFTS {
            self.lose_step(state, unit, play);
        }
        if state.hex(unit).is_some() {
            self.come_down(state, unit, Some(hex), play);
        }
    }

    /// It is disorganized on its Combat side, or lost: on the enemy, off the map, where nobody can be, or where there is no room
    /// (14.19b.c, R63).
    fn come_down(&self, state: &mut State, unit: UnitId, hex: Option<Hex>, play: &mut Play<Event>) {
        let side = self.side(unit);
        let open = |hex: &Hex| {
            self.terrain.land.contains(*hex)
                && self.terrain.area.contains(*hex)
                && !state.held(side.enemy()).contains(*hex)
                && self.stacked(state, *hex, side).saturating_add(self.size(state, unit)) <= LIMIT
        };
        let Some(hex) = hex.filter(open) else {
            self.eliminate(state, unit, play);
            return;
        };
        self.put(state, unit, hex, play);
        play.tell(Event::Paradropped { unit, hex });
        state.unmark(unit, Marks::MOVE);
        self.disorganize(state, unit, play);
        state.mark(unit, Marks::MOVED);
        self.capture(state, side, hex, play);
    }
}
