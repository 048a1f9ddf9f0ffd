//! 8.19 to 8.28: conversions, withdrawals, the reorganisation of the Red Army, and armies that change sides.

use board::Hex;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Veiled, Violation, ensure, phrases, remark};

use crate::sequence::{Turn, not_asked};
use crate::{
    Action, Arm, Barbarossa, Choice, Entry, Event, Fact, Marks, Place, Points, PolishArrival, Procedure,
    Removal, State, Step, Supply, Unit, Units,
};

/// The Red Army is reorganised at the end of this turn (8.23a).
pub(crate) const REORGANISATION: u8 = 3;

/// Withdrawn rifle armies come back on this turn (8.21b).
const ARMIES_RETURN: u8 = 27;

/// Satellites come over at once after this turn (8.24a, 8.25a).
const EARLY: u8 = 13;

phrases! {
    /// New Guards and Shock armies take the places of rifle armies.
    pub struct Conversion = "conversion", "8.20a", "armies are converted";
}

impl Frame<Barbarossa> for Conversion {
    fn asked(&self, _: &Barbarossa, _: &State) -> (Side, Remark) {
        (Side::Soviet, remark!("8.20a", "convert rifle armies, or go on"))
    }

    fn answers(&self, rules: &Barbarossa, state: &State, answers: &mut Vec<Action>) {
        let armies = rules.convertible(state);
        for unit in rules.waiting_conversions(state) {
            match rules.counter(unit).from {
                Some(_) => {
                    let namesake = rules.ready_namesake(state, unit);
                    answers.extend(namesake.map(|army| Action::Convert { unit, army }));
                }
                None => answers.extend(armies.iter().map(|army| Action::Convert { unit, army: *army })),
            }
        }
        answers.push(Action::End);
    }

    fn check(&self, rules: &Barbarossa, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Convert { unit, army } => {
                let waits = rules.waiting_conversions(state).any(|waiting| waiting == unit);
                ensure!("8.20a", waits, "{} does not arrive by conversion now", unit);
                if rules.counter(unit).from.is_some() {
                    let ready = rules.ready_namesake(state, unit) == Some(army);
                    ensure!(
                        "8.19b",
                        ready,
                        "{} is not the tank army of that number, in supply or in a box",
                        army
                    );
                    return Ok(());
                }
                ensure!("8.20a", rules.is_rifle_army(army), "{} is no rifle army", army);
                let fits = rules.convertible(state).contains(&army);
                ensure!("8.20a", fits, "{} is neither in overland supply nor in the RVGK box", army);
                Ok(())
            }
            Action::End => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Barbarossa, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Convert { unit, army } if rules.counter(unit).from.is_some() => {
                rules.convert(state, army, unit, play);
                state.change(army, |army| army.place = Place::Removed);
            }
            Action::Convert { unit, army } => {
                rules.convert(state, army, unit, play);
                // The rifle army can come back; an oversized one as its counterpart (8.20b, 8.22b).
                let place = if rules.counterpart(army).is_some() { Place::Removed } else { Place::Dead };
                state.change(army, |army| army.place = place);
                if let Some(counterpart) = rules.counterpart(army) {
                    state.change(counterpart, |unit| unit.place = Place::Dead);
                }
            }
            _ => {
                state.stack.pop();
            }
        }
    }

    fn go_on(&self, rules: &Barbarossa, state: &mut State, _: &mut Play<Event>) -> bool {
        let mut answers = Vec::new();
        self.answers(rules, state, &mut answers);
        let asks = answers.len() > 1;
        if !asks {
            state.stack.pop();
        }
        asks
    }

    fn is_sound(&self, _: &Barbarossa, _: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Turn>().is_some_and(|turn| turn.step == Step::Conversion)
    }
}

phrases! {
    /// The Soviet side is called on to withdraw a rifle army.
    pub struct Withdrawal = "withdrawal", "8.21a", "a rifle army is withdrawn";
}

impl Frame<Barbarossa> for Withdrawal {
    fn asked(&self, _: &Barbarossa, _: &State) -> (Side, Remark) {
        (Side::Soviet, remark!("8.21a", "withdraw a rifle army, or give the German side a point"))
    }

    fn answers(&self, rules: &Barbarossa, state: &State, answers: &mut Vec<Action>) {
        answers.extend(rules.withdrawable(state).into_iter().map(|unit| Action::Withdraw { unit }));
        answers.push(Action::Choose { choice: Choice::Decline });
    }

    fn check(&self, rules: &Barbarossa, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Withdraw { unit } => {
                ensure!("8.21a", rules.is_rifle_army(unit), "{} is no rifle army", unit);
                let fits = rules.withdrawable(state).contains(&unit);
                ensure!("8.21a", fits, "{} is not on the map in overland supply", unit);
                Ok(())
            }
            Action::Choose { choice: Choice::Decline } => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Barbarossa, state: &mut State, action: Action, play: &mut Play<Event>) {
        state.stack.pop();
        match action {
            Action::Withdraw { unit } => {
                rules.take_off(state, unit, Place::Track);
                play.tell(Event::Removed { unit, cause: Removal::ArmyWithdrawn });
                rules.put_on_track(state, unit, ARMIES_RETURN, play);
            }
            _ => rules.score(state, Points::Withdrawal, 1, play), // 4.9
        }
    }

    fn is_sound(&self, _: &Barbarossa, _: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Turn>().is_some_and(|turn| turn.step == Step::SovietWithdrawal) && around.above.is_empty()
    }
}

impl Barbarossa {
    pub(crate) fn begin_conversion(&self, state: &mut State, play: &mut Play<Event>) {
        self.convert_tank_armies(state, play);
        state.stack.push(Conversion {});
    }

    /// Guards Tank, Guards and Shock armies that are due (8.19a, 8.20a) or were delayed (R74).
    fn waiting_conversions<'a>(&'a self, state: &'a State) -> impl Iterator<Item = UnitId> + 'a {
        let waits = move |unit: &UnitId| {
            let now = state.unit(*unit);
            self.counter(*unit).entry == Entry::Conversion
                && now.place == Place::Track
                && now.due <= state.turn
        };
        self.roster.iter().filter(waits)
    }

    /// Rifle armies on the map in overland supply or in the RVGK box (8.20a, R74).
    fn convertible(&self, state: &State) -> Vec<UnitId> {
        let overland = self.overland(state, Side::Soviet);
        let fits = |unit: &UnitId| match state.unit(*unit).place {
            Place::Hex(hex) => overland.contains(hex),
            place => place == Place::Rvgk,
        };
        self.roster.iter().filter(|unit| self.is_rifle_army(*unit) && fits(unit)).collect()
    }

    fn withdrawable(&self, state: &State) -> Vec<UnitId> {
        let overland = self.overland(state, Side::Soviet);
        let units = self.on_map(state, Side::Soviet);
        let fits = |(unit, hex): &(UnitId, Hex)| self.is_rifle_army(*unit) && overland.contains(*hex);
        units.filter(fits).map(|(unit, _)| unit).collect()
    }

    /// On turns 6, 7 and 8; who cannot has declined (8.21a, R76).
    pub(crate) fn call_for_withdrawal(&self, state: &mut State, play: &mut Play<Event>) {
        if !(6..=8).contains(&state.turn) {
            return;
        }
        if self.withdrawable(state).is_empty() {
            self.score(state, Points::Withdrawal, 1, play);
        } else {
            state.stack.push(Withdrawal {});
        }
    }

    /// Guards Tank armies take the places of their namesakes: on the map in supply, in the RVGK box, in the dead pile
    /// (8.19, R74).
    fn convert_tank_armies(&self, state: &mut State, play: &mut Play<Event>) {
        for unit in self.waiting_conversions(state).collect::<Vec<_>>() {
            if let Some(army) = self.ready_namesake(state, unit) {
                self.convert(state, army, unit, play);
                state.change(army, |army| army.place = Place::Removed);
            }
        }
    }

    /// The tank army whose place a Guards Tank army can take now.
    fn ready_namesake(&self, state: &State, unit: UnitId) -> Option<UnitId> {
        let army = self.roster.find(self.counter(unit).from.as_deref()?).ok()?;
        let ready = match state.unit(army).place {
            Place::Hex(hex) => self.in_overland(state, Side::Soviet, hex),
            place => matches!(place, Place::Rvgk | Place::Dead),
        };
        ready.then_some(army)
    }

    /// A unit takes the place of another, with all that is marked on it (8.20c).
    fn convert(&self, state: &mut State, army: UnitId, unit: UnitId, play: &mut Play<Event>) {
        let seen = self.is_seen(state, army);
        let Unit { place, came, marks, .. } = *state.unit(army);
        state.change(army, |army| {
            army.place = Place::Out;
            army.came = None;
            army.marks = Marks::default();
        });
        state.change(unit, |unit| {
            unit.go(place);
            unit.came = came;
            unit.marks = marks;
        });
        let converted = Event::Converted { army: Veiled::Known(army), unit: Veiled::Known(unit) };
        play.tell_of(Side::Soviet, seen, converted);
    }

    // The reorganisation (8.22, 8.23).

    /// A corps of the old Red Army, or an oversized army.
    fn is_old_establishment(&self, unit: UnitId) -> bool {
        match self.arm(unit) {
            Arm::Oversized | Arm::Airborne => true,
            Arm::Mechanized | Arm::Rifle => self.side(unit) == Side::Soviet && !self.counter(unit).is_army(),
            _ => false,
        }
    }

    /// Corps go, oversized armies become ordinary ones; whoever is cut off waits (8.23, R77).
    pub(crate) fn reorganise(&self, state: &mut State, play: &mut Play<Event>) {
        let overland = self.overland(state, Side::Soviet);
        for unit in self.roster.iter().filter(|unit| self.is_old_establishment(*unit)) {
            match state.unit(unit).place {
                Place::Hex(_) if self.supply(state, &overland, unit) == Supply::Out => {
                    state.mark(unit, Marks::DELAYED);
                    state.note(Fact::Delayed);
                }
                Place::Hex(_) | Place::Rvgk => self.reorganise_one(state, unit, play),
                Place::Track => state.change(unit, |unit| unit.go(Place::Removed)),
                _ => {}
            }
        }
    }

    fn reorganise_one(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        state.unmark(unit, Marks::DELAYED);
        match self.counterpart(unit).filter(|unit| state.unit(*unit).place == Place::Aside) {
            Some(counterpart) => {
                self.convert(state, unit, counterpart, play);
                state.change(unit, |unit| unit.place = Place::Removed);
            }
            None => {
                self.take_off(state, unit, Place::Removed);
                play.tell(Event::Removed { unit, cause: Removal::Reorganised });
            }
        }
    }

    /// Whoever waits to leave or to change does so as soon as it is in supply again (8.17c, 8.23c).
    pub(crate) fn watch_delayed(&self, state: &mut State, play: &mut Play<Event>) -> bool {
        if !state.has(Fact::Delayed) {
            return false;
        }
        let delayed = |(_, unit): &(UnitId, &Unit)| unit.marks.has(Marks::DELAYED);
        let waiting: Vec<UnitId> = state.units.iter().filter(delayed).map(|(unit, _)| unit).collect();
        if waiting.is_empty() {
            state.forget(Fact::Delayed);
            return true;
        }
        let fights = state.battle().is_some_and(|battle| !battle.done);
        if fights || state.stack.find::<crate::Attack>().is_some() {
            return false;
        }
        let lines = self.lines(state);
        let back =
            |unit: &&UnitId| state.hex(**unit).is_some_and(|hex| lines.of(self.side(**unit)).contains(hex));
        let Some(&unit) = waiting.iter().find(back) else { return false };
        if Some(unit) == self.cast.second_ss {
            self.withdraw_second_ss(state, play);
        } else {
            self.reorganise_one(state, unit, play);
        }
        true
    }

    // Armies that change sides or come over (8.24, 8.25).

    /// Soviet units have moved or advanced into a hex, all of them: next to the General Government they bring the Polish army
    /// (8.24), next to Bucharest they make Romania defect (8.25), if they are in overland supply.
    pub(crate) fn call_satellites(&self, state: &mut State, units: Units, hex: Hex, play: &mut Play<Event>) {
        if units.first().is_none_or(|unit| self.side(unit) == Side::Axis) {
            return;
        }
        let poles = self.cast.poles.filter(|poles| state.unit(*poles).place == Place::Aside);
        let poles = poles.filter(|_| self.ground.near_poland.contains(hex));
        let romania = self.ground.near_bucharest.contains(hex)
            && !state.has(Fact::Defected)
            && !state.has(Fact::DefectsLater);
        if poles.is_none() && !romania || !self.in_overland(state, Side::Soviet, hex) {
            return;
        }
        if let Some(poles) = poles {
            self.call_poles(state, poles, hex, play);
        }
        if romania {
            self.turn_romania(state, play);
        }
    }

    fn call_poles(&self, state: &mut State, poles: UnitId, hex: Hex, play: &mut Play<Event>) {
        if state.turn < EARLY {
            return self.put_on_track(state, poles, EARLY, play); // 8.24c
        }
        if self.check_room(state, poles, hex).is_ok() {
            return self.bring_poles(state, poles, hex, play);
        }
        let hexes = self.polish_hexes(state, poles, hex);
        match (hexes.len(), hexes.first()) {
            (0, _) => self.put_on_track(state, poles, state.turn, play),
            (1, Some(only)) => self.bring_poles(state, poles, only, play),
            _ => state.stack.push(PolishArrival { from: hex }),
        }
    }

    /// A unit lies on the track for a turn.
    pub(crate) fn put_on_track(&self, state: &mut State, unit: UnitId, due: u8, play: &mut Play<Event>) {
        state.change(unit, |unit| {
            unit.place = Place::Track;
            unit.due = due;
        });
        play.tell(Event::Due { unit, turn: due });
    }

    /// The Axis armies go, the communist ones come in the next two turns; after an early move all of that is later (8.25, R79).
    fn turn_romania(&self, state: &mut State, play: &mut Play<Event>) {
        let early = state.turn <= EARLY;
        let first = if early { EARLY } else { state.turn } + 1;
        for (unit, due) in self.cast.communist_romanians.into_iter().zip([first, first + 1]) {
            if let Some(unit) = unit.filter(|unit| state.unit(*unit).place == Place::Aside) {
                self.put_on_track(state, unit, due, play);
            }
        }
        if early {
            state.note(Fact::DefectsLater);
        } else {
            self.defect(state, play);
        }
    }

    pub(crate) fn defect_late(&self, state: &mut State, play: &mut Play<Event>) {
        if state.turn > EARLY && state.has(Fact::DefectsLater) {
            state.forget(Fact::DefectsLater);
            self.defect(state, play);
        }
    }

    fn defect(&self, state: &mut State, play: &mut Play<Event>) {
        state.note(Fact::Defected);
        play.tell(Event::RomaniaDefects);
        for unit in self.cast.axis_romanians.iter() {
            if matches!(state.unit(unit).place, Place::Hex(_) | Place::Track) {
                self.take_off(state, unit, Place::Removed);
                play.tell(Event::Removed { unit, cause: Removal::Defected });
            }
        }
    }
}
