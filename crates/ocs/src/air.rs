//! 14.0 to 14.7: air units, their flights hex by hex, and how they come home.

use board::{Hex, Mp};
use engine::frame::Around;
use engine::muster::{self, Muster, Musters};
use engine::{
    Case, Frame, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, refuse, remark, words,
};

use crate::charts::{Aircraft, Kind};
use crate::sequence::not_asked;
use crate::{
    Action, AirCombat, AirType, Event, Evicted, HexSet, Interception, Marks, Movement, Ocs, Procedure,
    Sortie, State, Units,
};

words! {
    /// What air units fly for.
    pub enum Errand: "errand" {
        /// To a station, a target or a base.
        Free = "free",
        /// From a station to a base (14.1b.a).
        Landing = "landing",
        /// Home, to become inactive (14.6).
        Home = "home",
        /// To the hex of an overrun (7.2b.a).
        Sortie = "sortie",
    }
}

words! {
    /// How far the hex that a flight has entered is dealt with.
    pub enum Stage: "stage" {
        /// It goes on.
        Flying = "flying",
        /// It has just entered.
        Entered = "entered",
        /// It has fought whoever was there.
        Fought = "fought",
    }
}

phrases! {
    /// Air units on their way together (14.1c.a).
    pub struct Flight {
        units: Units,
        /// Where they took off.
        from: Hex,
        errand: Errand,
        /// The stack is still being put together.
        open: bool,
        /// Where the leg leads.
        to: Option<Hex>,
        stage: Stage,
        /// The enemy lets them pass on this leg.
        waved: bool,
        /// Enemies that have just fought them and may not intercept them again (R118).
        fought: Units,
        /// Units that the transports carry; they stand where they came from until they land (14.20.a).
        cargo: Units,
    } = "flight", "14.1a.a", "{units} fly";
}

impl Frame<Ocs> for Flight {
    fn asked(&self, rules: &Ocs, _: &State) -> (Side, Remark) {
        (self.side(rules), remark!("14.1b.a", "fly on, or end the flight"))
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        if self.open {
            muster::answers(self, rules, state, answers);
        }
        answers.extend(self.goals(rules, state).iter().map(|to| Action::Go { to }));
        if self.check_halt(rules, state).is_ok() {
            answers.push(Action::Halt);
        }
        if self.check_land(rules, state).is_ok() {
            answers.push(Action::Land);
        }
        self.cargo_answers(rules, state, answers);
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        match (action, action.step()) {
            (_, Some(step)) if self.open => muster::check(self, rules, state, step),
            (Action::Go { to }, _) => self.check_go(rules, state, to),
            (Action::Halt, _) => self.check_halt(rules, state),
            (Action::Land, _) => self.check_land(rules, state),
            _ => self.check_cargo(rules, state, action),
        }
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        match (action, action.step()) {
            (_, Some(step)) => {
                self.muster(rules, state, step);
                muster::apply::<Ocs, Flight>(state, step, play);
            }
            (Action::Go { to }, _) => self.go(rules, state, to),
            (Action::Halt, _) => self.halt(rules, state, play),
            (Action::Land, _) => self.land(rules, state, self.units, play),
            _ => self.handle_cargo(rules, state, action, play),
        }
    }

    /// Flies on hex by hex; in each the enemy may fight.
    fn go_on(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        if self.open {
            return true;
        }
        let units = self.units.filter(|unit| rules.is_active(state, unit));
        let Some(here) = units.first().and_then(|unit| state.hex(unit)) else {
            self.crash(rules, state, play);
            return false;
        };
        let now = Flight { units, ..*self };
        if let Some(flight) = state.stack.top_mut::<Flight>() {
            *flight = now;
        }
        match (self.stage, self.to) {
            (Stage::Entered, _) => now.meet(rules, state, here, play),
            (Stage::Fought, _) => now.expose(rules, state, here, play),
            (Stage::Flying, Some(to)) if to != here => now.step(rules, state, here, to),
            (Stage::Flying, Some(_)) => now.arrive(rules, state, here, play),
            (Stage::Flying, None) => return now.asks(rules, state, play),
        }
        false
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let side = self.side(rules);
        let hex = self.hex(state);
        let own = |unit: UnitId| {
            let spent = state.marked(unit, Marks::SPENT) == (self.errand == Errand::Home);
            let here = state.hex(unit) == hex && hex.is_some();
            rules.side(unit) == side && rules.aircraft(unit).is_some() && here && spent
        };
        let below = match self.errand {
            Errand::Free => around.on::<Movement>().is_some(),
            Errand::Landing => around.on::<Movement>().is_some() || around.on::<Evicted>().is_some(),
            Errand::Home => around.on::<Homing>().is_some(),
            Errand::Sortie => around.on::<Sortie>().is_some(),
        };
        let asks = around.above.is_empty();
        let aboard = |unit: UnitId| rules.is_unit(unit) && rules.side(unit) == side;
        let off_the_ground = |unit: UnitId| !state.marked(unit, Marks::INACTIVE);
        below
            && (!self.units.is_empty() || !asks)
            && (!asks || self.units.iter().all(own) && self.units.iter().all(off_the_ground))
            && (!asks || self.stage == Stage::Flying && self.to.is_none())
            && (!self.open || asks && hex == Some(self.from))
            && (asks || !self.open)
            && (self.errand != Errand::Sortie || !asks)
            && self.cargo.iter().all(aboard)
            && (self.cargo.is_empty() || self.units.iter().any(|unit| rules.carries(state, unit)) || !asks)
            && self.load_fits(rules, state)
            && self.fought.iter().all(|unit| rules.aircraft(unit).is_some())
    }
}

impl Muster<Ocs> for Flight {
    const CASES: [Case; 2] = [case("14.1c.a"), case("14.1c.a")];

    fn members(&self) -> Vec<UnitId> {
        self.units.iter().collect()
    }

    fn candidates(&self, rules: &Ocs, state: &State) -> Vec<UnitId> {
        let here = |unit: &UnitId| state.hex(*unit) == Some(self.from);
        rules.air.iter().copied().filter(here).collect()
    }

    fn check_join(&self, rules: &Ocs, state: &State, unit: UnitId) -> Result<(), Violation> {
        let here = rules.aircraft(unit).is_some() && state.hex(unit) == Some(self.from);
        ensure!("14.1c.a", here, "{} is no air unit in the hex where they begin", unit);
        match state.stack.len().checked_sub(2).and_then(|below| state.stack.get(below)) {
            Some(Procedure::Movement(movement)) => rules.check_flies(state, *movement, unit),
            Some(Procedure::Homing(homing)) => homing.check_waits(state, unit),
            Some(Procedure::Evicted(evicted)) => evicted.check_leaves(rules, state, unit),
            _ => Err(not_asked(state)),
        }
    }

    fn set(&mut self, unit: UnitId, joins: bool) {
        self.units.set(unit, joins);
    }
}

impl Flight {
    pub(crate) fn new(units: Units, from: Hex, errand: Errand) -> Flight {
        Flight {
            units,
            from,
            errand,
            open: true,
            to: None,
            stage: Stage::Flying,
            waved: false,
            fought: Units::EMPTY,
            cargo: Units::EMPTY,
        }
    }

    /// Puts a flight on the stack, each of its units with its whole range.
    pub(crate) fn begin(self, rules: &Ocs, state: &mut State) {
        for unit in self.units.iter() {
            rules.fill_up(state, unit);
        }
        state.stack.push(self);
    }

    pub(crate) fn side(&self, rules: &Ocs) -> Side {
        self.units.first().map_or(Side::Axis, |unit| rules.side(unit))
    }

    pub(crate) fn hex(&self, state: &State) -> Option<Hex> {
        self.units.first().and_then(|unit| state.hex(unit))
    }

    /// The hexes that the one with the least has left.
    pub(crate) fn left(&self, state: &State) -> u16 {
        let left = self.units.iter().map(|unit| state.units[unit].left).min().unwrap_or_default();
        left.in_twelfths() / Mp::ONE.in_twelfths()
    }

    /// Who joins has his whole range, who does not fly after all has nothing.
    fn muster(&self, rules: &Ocs, state: &mut State, step: muster::Step) {
        match step {
            muster::Step::Join(unit) => rules.fill_up(state, unit),
            muster::Step::Leave(unit) => {
                rules.put_cargo_back(state, unit);
                state.units.change(unit, |unit| unit.left = Mp::ZERO);
            }
            muster::Step::Cancel => {
                for unit in self.units.iter() {
                    rules.put_cargo_back(state, unit);
                    state.units.change(unit, |unit| unit.left = Mp::ZERO);
                }
            }
        }
    }

    /// The flight may end at a base only (14.1b.b, 14.4d).
    pub(crate) fn must_land(&self, rules: &Ocs, state: &State) -> bool {
        matches!(self.errand, Errand::Landing | Errand::Home)
            || self.units.iter().any(|unit| rules.carries(state, unit) && !rules.fights(state, unit))
    }

    /// Hexes that they may not fly over: with enemies in the air whom they would have to fight (14.9.a, 14.9b).
    fn closed(&self, rules: &Ocs, state: &State) -> HexSet {
        let offensive = self.units.iter().any(|unit| rules.is_offensive(unit));
        let enemy = self.side(rules).enemy();
        let fights = |unit: &UnitId| {
            rules.side(*unit) == enemy
                && rules.is_ready(state, *unit)
                && (offensive || rules.is_offensive(*unit))
        };
        rules.air.iter().copied().filter(fights).filter_map(|unit| state.hex(unit)).collect()
    }

    /// They may go where enemies are if one of them can attack; not on the way to a base (14.9b.b, R77, R80).
    fn may_attack(&self, rules: &Ocs) -> bool {
        self.errand == Errand::Free && self.units.iter().any(|unit| rules.is_offensive(unit))
    }

    /// Where they can go on one leg.
    fn goals(&self, rules: &Ocs, state: &State) -> HexSet {
        let Some(here) = self.hex(state) else { return HexSet::EMPTY };
        let left = self.left(state);
        if left == 0 {
            return HexSet::EMPTY;
        }
        let closed = self.closed(rules, state);
        let mut goals = if self.must_land(rules, state) && !self.can_drop(rules, state) {
            self.ways_home(rules, state, here, left, &closed)
        } else {
            rules.flood(HexSet::of(here), &closed, left)
        };
        if self.may_attack(rules) && !self.must_land(rules, state) {
            let nearer = rules.flood(HexSet::of(here), &closed, left - 1);
            goals |= rules.terrain.sides.grow(&nearer) & closed;
        }
        goals.remove(here);
        goals
    }

    /// Bases, and the hexes next to them from which a base can still be reached: enough to fly any way home.
    fn ways_home(&self, rules: &Ocs, state: &State, here: Hex, left: u16, closed: &HexSet) -> HexSet {
        let bases = rules.bases_of(state, self.side(rules)) - *closed;
        let mut goals = rules.flood(HexSet::of(here), closed, left) & bases;
        let near = rules.flood(HexSet::of(here), closed, 1);
        goals |= near & rules.flood(bases, closed, left - 1);
        goals
    }

    fn check_go(&self, rules: &Ocs, state: &State, to: Hex) -> Result<(), Violation> {
        if self.goals(rules, state).contains(to) {
            return Ok(());
        }
        let Some(here) = self.hex(state) else { return Err(not_asked(state)) };
        let (far, left) = (rules.map.grid().distance(here, to), self.left(state));
        ensure!(
            "14.1a.a",
            far <= u32::from(left),
            "{} is {} hexes away, and {} can be flown",
            to,
            far as i32,
            left
        );
        ensure!("14.1a.a", here != to, "they are in {} already", to);
        ensure!("GC.1C", rules.terrain.area.contains(to), "{} is not in play", to);
        let closed = self.closed(rules, state).contains(to);
        ensure!("14.9b.b", !closed, "enemy air units are in {} and nobody of them may attack there", to);
        ensure!("14.1b.b", !self.must_land(rules, state), "they must end their flight at an air base");
        refuse!("14.1a.a", "there is no way to {} that is short enough", to)
    }

    fn go(&self, rules: &Ocs, state: &mut State, to: Hex) {
        let laden = self.is_laden(rules, state);
        for unit in self.units.iter() {
            let freight = if laden && rules.carries(state, unit) { Marks::FREIGHT } else { Marks::default() };
            state.mark(unit, Marks::MOVED | freight);
        }
        if let Some(flight) = state.stack.top_mut::<Flight>() {
            flight.open = false;
            flight.waved = false;
            flight.to = Some(to);
        }
    }

    /// Flies into the next hex of the way.
    fn step(&self, rules: &Ocs, state: &mut State, here: Hex, to: Hex) {
        let mut closed = self.closed(rules, state);
        closed.remove(to);
        let next = rules.next_hex(here, to, &closed).filter(|_| self.left(state) > 0);
        for unit in self.units.iter().filter(|_| next.is_some()).collect::<Vec<_>>() {
            state.units.change(unit, |unit| {
                unit.left = unit.left.saturating_sub(Mp::ONE);
                if let Some(next) = next {
                    unit.place = crate::Place::Hex(next);
                }
            });
        }
        if let Some(flight) = state.stack.top_mut::<Flight>() {
            match next {
                Some(_) => flight.stage = Stage::Entered,
                None => flight.to = None,
            }
        }
    }

    /// Whoever enters a hex with enemies in the air fights them if he can attack (14.9.a, R73).
    fn meet(&self, rules: &Ocs, state: &mut State, here: Hex, play: &mut Play<Event>) {
        let side = self.side(rules);
        let enemies = rules.aloft(state, here, side.enemy());
        let attacks = self.units.iter().any(|unit| rules.is_offensive(unit));
        if enemies.is_empty() || !attacks || self.errand == Errand::Home {
            self.expose(rules, state, here, play);
            return;
        }
        self.set_stage(state, Stage::Fought);
        self.tell(state, here, play);
        let own = rules.aloft(state, here, side) | self.units;
        AirCombat::begin(state, here, side, own | enemies);
    }

    fn set_stage(&self, state: &mut State, stage: Stage) {
        if let Some(flight) = state.stack.top_mut::<Flight>() {
            flight.stage = stage;
        }
    }

    /// The enemy may intercept in each hex that is entered, once (14.8.a, R79).
    fn expose(&self, rules: &Ocs, state: &mut State, here: Hex, play: &mut Play<Event>) {
        self.set_stage(state, Stage::Flying);
        let enemy = self.side(rules).enemy();
        let able = rules.interceptors(state, here, enemy, self.fought);
        if !self.waved && able.iter().any(|unit| rules.is_offensive(unit)) {
            self.tell(state, here, play);
            state.stack.push(Interception { hex: here, units: Units::EMPTY });
        }
    }

    fn tell(&self, state: &State, here: Hex, play: &mut Play<Event>) {
        let left = self.units.iter().map(|unit| state.units[unit].left).min().unwrap_or_default();
        play.tell(Event::Flew { units: self.units, to: here, left });
    }

    /// The leg ends here: whoever comes to a supplied base becomes inactive, but for transports (14.1d, 14.7.a, 14.20e.a).
    fn arrive(&self, rules: &Ocs, state: &mut State, here: Hex, play: &mut Play<Event>) {
        if let Some(flight) = state.stack.top_mut::<Flight>() {
            flight.to = None;
        }
        self.tell(state, here, play);
        let side = self.side(rules);
        let base = state.base(here).filter(|base| base.side == side);
        match (self.errand, base) {
            (Errand::Sortie, _) => {
                self.stop(state);
                state.stack.pop();
            }
            (Errand::Home, Some(_)) => self.land(rules, state, self.units, play),
            (_, Some(base)) if base.usable > 0 => {
                let grounded = self.units.filter(|unit| !rules.carries(state, unit));
                if !grounded.is_empty() {
                    self.land(rules, state, grounded, play);
                }
            }
            _ => {}
        }
    }

    /// Asks what they do now; without anything to choose the flight is over.
    fn asks(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        let mut answers = Vec::new();
        self.answers(rules, state, &mut answers);
        match answers[..] {
            [Action::Halt] => self.halt(rules, state, play),
            [Action::Land] => self.land(rules, state, self.units, play),
            [] => self.give_up(rules, state, play),
            _ => return true,
        }
        false
    }

    /// They stay where they are, on station (14.5.a); at a base or in the air, but not where they must land.
    fn check_halt(&self, rules: &Ocs, state: &State) -> Result<(), Violation> {
        ensure!("14.1b.a", !self.open, "they have not flown yet");
        ensure!("14.6", self.errand != Errand::Home, "they must return to a base");
        let Some(base) = self.own_base(rules, state) else {
            ensure!("14.1b.b", !self.must_land(rules, state), "they must end their flight at an air base");
            return Ok(());
        };
        ensure!("14.7.a", base.usable == 0, "at a supplied base they become inactive");
        Ok(())
    }

    /// They become inactive at a base, supplied or not (15.0d.b, R82).
    fn check_land(&self, rules: &Ocs, state: &State) -> Result<(), Violation> {
        ensure!("14.7.a", !self.open, "they have not flown yet");
        let base = self.own_base(rules, state).is_some();
        ensure!("14.7.a", base, "they are not at an air base of their own");
        Ok(())
    }

    fn own_base(&self, rules: &Ocs, state: &State) -> Option<crate::Base> {
        let side = self.side(rules);
        self.hex(state).and_then(|hex| state.base(hex)).filter(|base| base.side == side).copied()
    }

    /// Their movement is over.
    fn stop(&self, state: &mut State) {
        for unit in self.units.iter() {
            state.units.change(unit, |unit| unit.left = Mp::ZERO);
        }
    }

    fn halt(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
        self.set_down(rules, state, play);
        self.stop(state);
        state.stack.pop();
    }

    /// Some or all of them land; what they carry is unloaded there.
    fn land(&self, rules: &Ocs, state: &mut State, who: Units, play: &mut Play<Event>) {
        let Some(hex) = self.hex(state) else { return };
        let rest = self.units - who;
        if rest.is_empty() {
            self.set_down(rules, state, play);
        }
        for unit in who.iter() {
            rules.deactivate(state, unit);
            play.tell(Event::Landed { unit, hex });
        }
        if let Some(flight) = state.stack.top_mut::<Flight>() {
            flight.units = rest;
        }
        if rest.is_empty() {
            state.stack.pop();
        }
    }

    /// Nobody is left in the air: whoever was aboard is lost with them (14.20c).
    fn crash(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
        state.stack.pop();
        for unit in self.cargo.iter().filter(|unit| state.hex(*unit).is_some()).collect::<Vec<_>>() {
            rules.eliminate(state, unit, play);
        }
    }

    /// Whoever can neither go on nor stay goes home with what it carries (14.20c).
    fn give_up(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
        self.stop(state);
        state.stack.pop();
        rules.send_home(state, self.units, Units::EMPTY, self.cargo, play);
    }
}

phrases! {
    /// Air units that must return to a base and become inactive (14.6).
    pub struct Homing {
        units: Units,
        /// Enemies that have just fought them (R118).
        fought: Units,
        /// Units that their transports carry.
        cargo: Units,
    } = "homing", "14.6", "{units} return to base";
}

impl Frame<Ocs> for Homing {
    fn asked(&self, rules: &Ocs, _: &State) -> (Side, Remark) {
        let side = self.units.first().map_or(Side::Axis, |unit| rules.side(unit));
        (side, remark!("14.6.b", "air units must return: to which base"))
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        for unit in self.waiting(state).iter() {
            answers.extend(rules.homes(state, unit).iter().map(|to| Action::Home { unit, to }));
            if self.is_watched(rules, state, unit) {
                answers.push(Action::Stack { unit });
            }
        }
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Home { unit, to } => {
                self.check_waits(state, unit)?;
                let reached = rules.homes(state, unit).contains(to);
                ensure!("14.6.b", reached, "{} is no base that {} can reach", to, unit);
                Ok(())
            }
            Action::Stack { unit } => {
                self.check_waits(state, unit)?;
                let watched = self.is_watched(rules, state, unit);
                ensure!("14.6.b", watched, "nobody can intercept {}: name its base", unit);
                Ok(())
            }
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Home { unit, to } => self.send(rules, state, unit, to, play),
            Action::Stack { unit } => self.open(rules, state, unit),
            _ => {}
        }
    }

    /// Whoever can reach no base is destroyed (14.6c); nobody is asked who has one base and no enemy to fear.
    fn go_on(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        let waiting = self.waiting(state);
        for unit in waiting.iter() {
            let homes = rules.homes(state, unit);
            if homes.is_empty() {
                rules.lose_cargo(state, unit, play);
                rules.eliminate(state, unit, play);
                return false;
            }
            if homes.len() == 1 && !self.is_watched(rules, state, unit) {
                if let Some(to) = homes.first() {
                    self.send(rules, state, unit, to, play);
                }
                return false;
            }
        }
        if waiting.is_empty() {
            state.stack.pop();
            for unit in self.cargo.iter().filter(|unit| state.hex(*unit).is_some()).collect::<Vec<_>>() {
                rules.eliminate(state, unit, play);
            }
        }
        !waiting.is_empty()
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let side = self.units.first().map(|unit| rules.side(unit));
        let own = |unit: UnitId| Some(rules.side(unit)) == side && rules.aircraft(unit).is_some();
        let waiting = self.waiting(state);
        !around.is_outermost()
            && self.units.iter().all(own)
            && (!waiting.is_empty() || !around.above.is_empty())
            && (!around.above.is_empty() || waiting.iter().all(|unit| !rules.homes(state, unit).is_empty()))
            && self.cargo.iter().all(|unit| rules.is_unit(unit))
            && self.fought.iter().all(|unit| rules.aircraft(unit).is_some())
    }
}

impl Homing {
    /// Those that have not landed yet.
    fn waiting(&self, state: &State) -> Units {
        self.units.filter(|unit| state.hex(unit).is_some() && state.marked(unit, Marks::SPENT))
    }

    fn check_waits(&self, state: &State, unit: UnitId) -> Result<(), Violation> {
        ensure!("14.6", self.waiting(state).contains(unit), "{} need not return now", unit);
        Ok(())
    }

    /// The enemy might intercept it, so that its way matters.
    fn is_watched(&self, rules: &Ocs, state: &State, unit: UnitId) -> bool {
        let enemy = rules.side(unit).enemy();
        rules.air.iter().any(|other| {
            rules.side(*other) == enemy && !self.fought.contains(*other) && rules.may_intercept(state, *other)
        })
    }

    fn flight(&self, state: &mut State, unit: UnitId, from: Hex) -> Flight {
        let cargo = self.cargo;
        if let Some(homing) = state.stack.top_mut::<Homing>() {
            homing.cargo = Units::EMPTY;
        }
        Flight { fought: self.fought, cargo, ..Flight::new(Units::of(unit), from, Errand::Home) }
    }

    fn open(&self, rules: &Ocs, state: &mut State, unit: UnitId) {
        let Some(from) = state.hex(unit) else { return };
        let flight = self.flight(state, unit, from);
        flight.begin(rules, state);
    }

    /// A unit flies to a base by the shortest way; in the hex of one it is there.
    fn send(&self, rules: &Ocs, state: &mut State, unit: UnitId, to: Hex, play: &mut Play<Event>) {
        let Some(from) = state.hex(unit) else { return };
        let flight = self.flight(state, unit, from);
        Flight { open: false, to: Some(to), ..flight }.begin(rules, state);
        if from == to {
            flight.land(rules, state, flight.units, play);
        }
    }
}

impl Ocs {
    pub(crate) fn aircraft(&self, unit: UnitId) -> Option<&Aircraft> {
        match &self.counter(unit).kind {
            Kind::Air(aircraft) => Some(aircraft),
            _ => None,
        }
    }

    /// May attack in air combat (G.Offensive).
    pub(crate) fn is_offensive(&self, unit: UnitId) -> bool {
        self.aircraft(unit).is_some_and(|aircraft| aircraft.offensive)
    }

    /// An air unit that is in the air or on station (14.2a).
    pub(crate) fn is_active(&self, state: &State, unit: UnitId) -> bool {
        self.aircraft(unit).is_some() && state.hex(unit).is_some() && !state.marked(unit, Marks::INACTIVE)
    }

    /// Active, and not on its way home.
    pub(crate) fn is_ready(&self, state: &State, unit: UnitId) -> bool {
        self.is_active(state, unit) && !state.marked(unit, Marks::SPENT)
    }

    /// The air units of a side in the air in a hex.
    pub(crate) fn aloft(&self, state: &State, hex: Hex, side: Side) -> Units {
        let here = |unit: &UnitId| self.side(*unit) == side && state.hex(*unit) == Some(hex);
        self.air.iter().copied().filter(here).filter(|unit| self.is_ready(state, *unit)).collect()
    }

    /// Whether it is of a type (14.4); one of two types that carries freight is a transport and nothing else (14.4e).
    pub(crate) fn is_type(&self, state: &State, unit: UnitId, kind: AirType) -> bool {
        let Some(aircraft) = self.aircraft(unit) else { return false };
        let either = aircraft.kind == kind || aircraft.other == Some(kind);
        either && (kind == AirType::Transport || !state.marked(unit, Marks::FREIGHT))
    }

    /// It can fly as a transport (14.4d).
    pub(crate) fn carries(&self, state: &State, unit: UnitId) -> bool {
        let bombs = state.marked(unit, Marks::FIRED);
        self.is_type(state, unit, AirType::Transport) && !bombs
    }

    /// It can attack on the ground (14.4a to 14.4c).
    pub(crate) fn fights(&self, state: &State, unit: UnitId) -> bool {
        [AirType::Fighter, AirType::Tactical, AirType::Strategic]
            .into_iter()
            .any(|kind| self.is_type(state, unit, kind))
    }

    /// A value of the side of its counter that lies up (3.5b).
    pub(crate) fn by_step(&self, state: &State, unit: UnitId, values: [u8; 2]) -> u8 {
        values[usize::from(state.units[unit].steps > 1)]
    }

    pub(crate) fn air_rating(&self, state: &State, unit: UnitId) -> u8 {
        self.aircraft(unit).map_or(0, |aircraft| self.by_step(state, unit, aircraft.rating))
    }

    pub(crate) fn ground_support(&self, state: &State, unit: UnitId) -> u8 {
        self.aircraft(unit).map_or(0, |aircraft| self.by_step(state, unit, aircraft.support))
    }

    /// The weather lets aircraft fly (14.1e.b).
    pub(crate) fn is_flying_weather(&self, state: &State) -> bool {
        self.terrain.weather(state.weather).is_none_or(|row| row.flight)
    }

    fn fill_up(&self, state: &mut State, unit: UnitId) {
        let range = self.aircraft(unit).map_or(0, |aircraft| aircraft.range);
        state.units.change(unit, |unit| unit.left = Mp::whole(range.into()));
    }

    /// Whether an air unit may take off in this phase or segment (14.1b.a, 14.2b).
    pub(crate) fn check_flies(
        &self,
        state: &State,
        movement: Movement,
        unit: UnitId,
    ) -> Result<(), Violation> {
        ensure!("6.3b.a", self.side(unit) == movement.side, "{} is the enemy's", unit);
        ensure!("14.1b.a", state.hex(unit).is_some(), "{} is not on the map", unit);
        ensure!("14.2b", self.is_active(state, unit), "{} is inactive", unit);
        ensure!("14.1e.b", self.is_flying_weather(state), "nobody flies in this weather");
        ensure!("14.1a.a", !state.marked(unit, Marks::MOVED), "{} has flown in this phase", unit);
        Ok(())
    }

    /// From a supplied base anywhere, from elsewhere to a base only (14.1x, 14.1b.b).
    pub(crate) fn errand(&self, state: &State, unit: UnitId) -> Errand {
        if self.is_at_supplied_base(state, unit) { Errand::Free } else { Errand::Landing }
    }

    pub(crate) fn is_at_supplied_base(&self, state: &State, unit: UnitId) -> bool {
        let base = state.hex(unit).and_then(|hex| state.base(hex));
        base.is_some_and(|base| base.side == self.side(unit) && base.usable > 0)
    }

    /// The hexes within so many of some, without flying over what is closed.
    pub(crate) fn flood(&self, from: HexSet, closed: &HexSet, steps: u16) -> HexSet {
        let open = self.terrain.area - *closed;
        let mut reached = from;
        for _ in 0..steps {
            let next = reached | (self.terrain.sides.grow(&reached) & open);
            if next == reached {
                break;
            }
            reached = next;
        }
        reached
    }

    /// The next hex of a shortest way.
    fn next_hex(&self, here: Hex, to: Hex, closed: &HexSet) -> Option<Hex> {
        let open = self.terrain.area - *closed;
        let mut reached = HexSet::of(to);
        loop {
            let near = |hex: &Hex| reached.contains(*hex);
            if let Some(next) = self.map.neighbours(here).map(|(_, hex)| hex).find(near) {
                return Some(next);
            }
            let next = reached | (self.terrain.sides.grow(&reached) & open);
            if next == reached {
                return None;
            }
            reached = next;
        }
    }

    /// The bases that a unit which must return can reach (14.6a.a, R80).
    pub(crate) fn homes(&self, state: &State, unit: UnitId) -> HexSet {
        let (Some(from), Some(aircraft)) = (state.hex(unit), self.aircraft(unit)) else {
            return HexSet::EMPTY;
        };
        let closed = Flight::new(Units::of(unit), from, Errand::Home).closed(self, state);
        let reached = self.flood(HexSet::of(from), &closed, aircraft.range.into());
        reached & self.bases_of(state, self.side(unit))
    }

    /// A unit is at a base and inactive (14.7.a).
    pub(crate) fn deactivate(&self, state: &mut State, unit: UnitId) {
        state.units.change(unit, |unit| {
            unit.marks.set(Marks::INACTIVE);
            unit.marks.clear(Marks::SPENT);
            unit.left = Mp::ZERO;
        });
    }

    /// Air units must return and become inactive (14.6).
    pub(crate) fn send_home(
        &self,
        state: &mut State,
        units: Units,
        fought: Units,
        cargo: Units,
        _: &mut Play<Event>,
    ) {
        for unit in units.iter() {
            state.units.change(unit, |unit| {
                unit.marks.set(Marks::SPENT);
                unit.left = Mp::ZERO;
            });
        }
        if !units.is_empty() {
            state.stack.push(Homing { units, fought, cargo });
        }
    }

    /// An abort: over a base of its own the unit is inactive there, elsewhere it flies home (14.6, 14.9d.d).
    pub(crate) fn abort(&self, state: &mut State, units: Units, fought: Units, play: &mut Play<Event>) {
        let mut away = Units::EMPTY;
        let mut cargo = Units::EMPTY;
        for unit in units.iter().filter(|unit| state.hex(*unit).is_some()).collect::<Vec<_>>() {
            play.tell(Event::Aborted { unit });
            cargo = cargo | self.leave_flight(state, unit);
            let Some(hex) = state.hex(unit) else { continue };
            if state.base(hex).is_some_and(|base| base.side == self.side(unit)) {
                self.unload_all(state, unit, hex);
                self.deactivate(state, unit);
                play.tell(Event::Landed { unit, hex });
            } else {
                away.insert(unit);
            }
        }
        if away.is_empty() {
            let here = units.first().and_then(|unit| state.hex(unit));
            for unit in cargo.iter().filter(|_| here.is_some()).collect::<Vec<_>>() {
                here.iter().for_each(|hex| self.put(state, unit, *hex, play));
            }
        }
        self.send_home(state, away, fought, cargo, play);
    }

    /// Two reduced air units of a kind become one (14.1f, 14.3, R117).
    pub(crate) fn check_combine(
        &self,
        state: &State,
        side: Side,
        unit: UnitId,
        into: UnitId,
    ) -> Result<(), Violation> {
        let own = self.side(unit) == side && self.side(into) == side;
        ensure!("14.1f", own && unit != into, "{} and {} are not two of yours", unit, into);
        let (one, other) = (self.counter(unit), self.counter(into));
        let alike = one.title == other.title && one.kind == other.kind && self.aircraft(unit).is_some();
        ensure!("14.3", alike, "{} and {} are not of the same aircraft and values", unit, into);
        let here = state.hex(unit).is_some() && state.hex(unit) == state.hex(into);
        ensure!("14.1f", here, "{} and {} are not in a hex", unit, into);
        let reduced = state.units[unit].steps == 1 && state.units[into].steps == 1;
        ensure!("14.1f", reduced, "{} and {} are not both reduced", unit, into);
        let busy = self.busy(state);
        let free = |unit: UnitId| {
            !busy.contains(unit) && !state.marked(unit, Marks::SPENT) && self.is_empty_handed(state, unit)
        };
        ensure!("14.1f", free(unit) && free(into), "{} or {} is in the air or in combat", unit, into);
        Ok(())
    }

    /// Active only if both were, and it moves or fires only if neither has (R117).
    pub(crate) fn combine(&self, state: &mut State, unit: UnitId, into: UnitId, play: &mut Play<Event>) {
        let marks =
            state.units[unit].marks.only(Marks::INACTIVE | Marks::MOVED | Marks::FIRED | Marks::FREIGHT);
        state.units.change(unit, |unit| {
            unit.place = crate::Place::Dead;
            unit.steps = 0;
            unit.marks = Marks::default();
        });
        state.units.change(into, |into| {
            into.steps = 2;
            into.marks.set(marks);
        });
        play.tell(Event::Combined { unit, into });
    }

    /// Air units in a flight or an air combat that is under way.
    pub(crate) fn busy(&self, state: &State) -> Units {
        let mut busy = Units::EMPTY;
        for frame in state.stack.iter() {
            busy = busy
                | match frame {
                    Procedure::Flight(flight) => flight.units,
                    Procedure::AirCombat(combat) => combat.units,
                    Procedure::Interception(interception) => interception.units,
                    Procedure::Sortie(sortie) => sortie.air,
                    Procedure::Flak(flak) => flak.waiting | flak.ready,
                    Procedure::Aiming(aiming) => aiming.ready,
                    Procedure::Firing(firing) => firing.guns,
                    Procedure::Volley(volley) => volley.guns | volley.ready,
                    Procedure::AntiOverrun(answer) => answer.guns,
                    _ => Units::EMPTY,
                };
        }
        busy
    }
}

/// What must hold of an air unit, and of no other piece.
pub(crate) fn audit(rules: &Ocs, state: &State, unit: UnitId) -> Result<(), String> {
    let (name, marks) = (rules.roster.name(unit), state.units[unit].marks);
    if rules.aircraft(unit).is_none() {
        let wrong = marks.has(Marks::INACTIVE | Marks::SPENT | Marks::FREIGHT);
        return if wrong { Err(format!("{name} is no air unit (14.2)")) } else { Ok(()) };
    }
    let base = state.hex(unit).and_then(|hex| state.base(hex)).map(|base| base.side);
    let at_base = base == Some(rules.side(unit));
    if marks.has(Marks::INACTIVE) && state.hex(unit).is_some() && !at_base {
        return Err(format!("{name} is inactive without a base of its own (14.2)"));
    }
    let returns =
        |frame: &Procedure| matches!(frame, Procedure::Homing(homing) if homing.units.contains(unit));
    if marks.has(Marks::SPENT) && (marks.has(Marks::INACTIVE) || !state.stack.iter().any(returns)) {
        return Err(format!("{name} does not return to a base now (14.6)"));
    }
    Ok(())
}
