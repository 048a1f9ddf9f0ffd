//! 14.8 to 14.11: interception and air combat.

use board::Hex;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, remark, words};

use crate::sequence::not_asked;
use crate::{Action, AirType, DEEPEST, Event, Flight, Marks, Ocs, Place, Procedure, State, Units};

/// How far a fighter goes to intercept (14.8.a).
pub(crate) const REACH: u32 = 5;

/// The frames that an interception can bring with it at once.
const ROOM: usize = 5;

/// By how many full fighters a side must be ahead to double, in halves (14.10a.a).
const AHEAD: i8 = 4;

phrases! {
    /// A flight has entered a hex in which it can be intercepted (14.8.a).
    pub struct Interception { hex: Hex, units: Units } = "interception", "14.8.a", "{units} intercept in {hex}";
}

impl Frame<Ocs> for Interception {
    fn asked(&self, rules: &Ocs, state: &State) -> (Side, Remark) {
        (self.side(rules, state), remark!("14.8.a", "intercept in {}, or let them pass", self.hex))
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        let able = self.able(rules, state);
        answers.extend((able - self.units).iter().map(|unit| Action::Join { unit }));
        answers.extend(self.units.iter().map(|unit| Action::Leave { unit }));
        if self.check_intercept(rules).is_ok() {
            answers.push(Action::Intercept);
        }
        answers.extend([Action::Hold, Action::Wave]);
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Join { unit } => self.check_join(rules, state, unit),
            Action::Leave { unit } => {
                ensure!("14.8.c", self.units.contains(unit), "{} does not intercept", unit);
                Ok(())
            }
            Action::Intercept => self.check_intercept(rules),
            Action::Hold | Action::Wave => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Join { unit } | Action::Leave { unit } => {
                if let Some(frame) = state.stack.top_mut::<Interception>() {
                    frame.units.set(unit, matches!(action, Action::Join { .. }));
                }
            }
            Action::Intercept => self.intercept(rules, state, play),
            _ => {
                state.stack.pop();
                if let Some(flight) = state.stack.top_mut::<Flight>() {
                    flight.waved = action == Action::Wave;
                }
            }
        }
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let Some(flight) = around.on::<Flight>() else { return false };
        let able = rules.interceptors(state, self.hex, flight.side(rules).enemy(), flight.fought);
        around.above.is_empty()
            && flight.hex(state) == Some(self.hex)
            && (self.units - able).is_empty()
            && able.iter().any(|unit| rules.is_offensive(unit))
    }
}

impl Interception {
    fn side(&self, rules: &Ocs, state: &State) -> Side {
        state.stack.find::<Flight>().map_or(Side::Axis, |flight| flight.side(rules).enemy())
    }

    fn able(&self, rules: &Ocs, state: &State) -> Units {
        let fought = state.stack.find::<Flight>().map_or(Units::EMPTY, |flight| flight.fought);
        rules.interceptors(state, self.hex, self.side(rules, state), fought) | self.units
    }

    fn check_join(&self, rules: &Ocs, state: &State, unit: UnitId) -> Result<(), Violation> {
        ensure!("14.8.b", !self.units.contains(unit), "{} intercepts already", unit);
        let own = rules.side(unit) == self.side(rules, state);
        ensure!("14.8.a", own && rules.aircraft(unit).is_some(), "{} is no air unit of yours", unit);
        ensure!("14.4b", rules.is_type(state, unit, AirType::Fighter), "{} is no fighter", unit);
        ensure!("14.2b", rules.is_active(state, unit), "{} is inactive", unit);
        let far = state.hex(unit).map_or(99, |from| rules.map.grid().distance(from, self.hex));
        ensure!("14.8c.a", far > 0, "they have entered the hex of {}", unit);
        ensure!(
            "14.8.a",
            far <= REACH,
            "{} is {} hexes away, and {} are the most",
            unit,
            far as i32,
            REACH as i32
        );
        let able = self.able(rules, state).contains(unit);
        ensure!("14.8b", able, "{} may not intercept them now", unit);
        Ok(())
    }

    /// The interceptors are attackers, and one of them must be able to attack (14.8a.a, R76).
    fn check_intercept(&self, rules: &Ocs) -> Result<(), Violation> {
        let attacks = self.units.iter().any(|unit| rules.is_offensive(unit));
        ensure!("14.9a.a", attacks, "nobody of them may attack in air combat");
        Ok(())
    }

    /// All who were chosen fight one air combat, and cannot be intercepted on their way (14.8.b, 14.8b).
    fn intercept(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
        let side = self.side(rules, state);
        state.stack.pop();
        let Some(flight) = state.stack.top::<Flight>().copied() else { return };
        for unit in self.units.iter() {
            state.units.change(unit, |unit| unit.place = Place::Hex(self.hex));
        }
        play.tell(Event::Intercepted { units: self.units, hex: self.hex });
        let all =
            flight.units | rules.aloft(state, self.hex, side) | rules.aloft(state, self.hex, side.enemy());
        AirCombat::begin(state, self.hex, side, all);
    }
}

impl Ocs {
    /// A fighter that could intercept somebody somewhere (14.4a, R78).
    pub(crate) fn may_intercept(&self, state: &State, unit: UnitId) -> bool {
        self.is_type(state, unit, AirType::Fighter)
            && self.is_ready(state, unit)
            && self.is_flying_weather(state)
            && !self.busy(state).contains(unit)
    }

    /// The fighters of a side that can intercept in a hex, but for some.
    pub(crate) fn interceptors(&self, state: &State, hex: Hex, side: Side, barred: Units) -> Units {
        if !self.is_flying_weather(state) || state.stack.len() + ROOM > DEEPEST {
            return Units::EMPTY;
        }
        let near = |unit: &UnitId| {
            let far = state.hex(*unit).map_or(0, |from| self.map.grid().distance(from, hex));
            (1..=REACH).contains(&far)
        };
        let own = self.air.iter().copied().filter(|unit| self.side(*unit) == side && !barred.contains(*unit));
        let fighters = own.filter(|unit| self.is_type(state, *unit, AirType::Fighter));
        let able: Units = fighters.filter(|unit| self.is_ready(state, *unit) && near(unit)).collect();
        if able.is_empty() { able } else { able - self.busy_below(state) }
    }

    /// As [`Ocs::busy`], but for those who are being chosen to intercept.
    fn busy_below(&self, state: &State) -> Units {
        let chosen = state.stack.top::<Interception>().map_or(Units::EMPTY, |frame| frame.units);
        self.busy(state) - chosen
    }
}

words! {
    /// What the Air to Air Combat Table says (14.9d.b).
    #[derive(Default)]
    pub enum AirResult: "air-result" {
        /// The attacker loses a step and aborts.
        #[default]
        AttackerStep = "attacker-step",
        /// The attacker aborts.
        AttackerAbort = "attacker-abort",
        /// The defender aborts.
        DefenderAbort = "defender-abort",
        /// The defender loses a step and aborts.
        DefenderStep = "defender-step",
    }
}

words! {
    /// How far an air combat has come.
    pub enum Bout: "bout" {
        /// Defenders over their base may still decline (14.9e.a).
        Opening = "opening",
        /// The fighters of both sides are counted (14.10a.b).
        Counting = "counting",
        /// Rounds are fought.
        Rounds = "rounds",
    }
}

phrases! {
    /// An air combat, round by round until one side is alone (14.9.b).
    pub struct AirCombat {
        hex: Hex,
        attacker: Side,
        /// All who take part, of both sides.
        units: Units,
        bout: Bout,
        /// Doubled combats that the attacker has left; of the defender if it is below 0 (14.10a.a).
        doubles: i8,
        /// Those who fight this round.
        chosen: Units,
        /// What two attackers rolled, who may choose (14.10b).
        first: Option<i8>,
        second: Option<i8>,
        /// One of two defenders loses a step (14.10c).
        hit: bool,
    } = "air-combat", "14.9.a", "air combat in {hex}";
}

impl Frame<Ocs> for AirCombat {
    fn asked(&self, rules: &Ocs, _: &State) -> (Side, Remark) {
        let defender = self.attacker.enemy();
        let picked = |side: Side| self.chosen.iter().any(|unit| rules.side(unit) == side);
        if self.hit {
            (defender, remark!("14.10c", "one of two loses a step"))
        } else if self.first.is_some() {
            (self.attacker, remark!("14.10b", "two have rolled: whose roll counts"))
        } else if picked(self.attacker) {
            (defender, remark!("14.9d.a", "who defends in this round"))
        } else {
            (self.attacker, remark!("14.9d.a", "who attacks in this round"))
        }
    }

    fn answers(&self, rules: &Ocs, _: &State, answers: &mut Vec<Action>) {
        let fighting = |side: Side| self.chosen.filter(|unit| rules.side(unit) == side);
        if self.hit {
            answers.extend(fighting(self.attacker.enemy()).iter().map(|unit| Action::Lose { unit }));
            return;
        }
        if self.first.is_some() {
            answers.extend(fighting(self.attacker).iter().map(|unit| Action::Engage { unit }));
            return;
        }
        let side = if fighting(self.attacker).is_empty() { self.attacker } else { self.attacker.enemy() };
        let able = self.able(rules, side);
        answers.extend(able.iter().map(|unit| Action::Engage { unit }));
        if self.may_double(side) {
            for unit in able.iter() {
                let others = able.iter().filter(|other| *other > unit);
                answers.extend(others.map(|other| Action::Double { unit, other }));
            }
        }
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        let mut answers = Vec::new();
        self.answers(rules, state, &mut answers);
        if answers.contains(&action) {
            return Ok(());
        }
        let side = self.asked(rules, state).0;
        match action {
            Action::Engage { unit } if self.units.contains(unit) && rules.side(unit) == side => {
                let able = side != self.attacker || rules.is_offensive(unit);
                ensure!("14.9a.a", able, "{} may not attack in air combat", unit);
                Err(not_asked(state))
            }
            Action::Double { .. } => {
                ensure!("14.10a.a", self.may_double(side), "no doubled combat is left");
                Err(not_asked(state))
            }
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Lose { unit } => {
                let both = self.chosen.filter(|unit| rules.side(unit) != self.attacker);
                self.end_round(state);
                self.hurt(rules, state, unit, both, play);
            }
            Action::Engage { unit } if self.first.is_some() => self.settle(rules, state, unit, play),
            Action::Engage { unit } => self.pick(state, Units::of(unit)),
            Action::Double { unit, other } => {
                let mut both = Units::of(unit);
                both.insert(other);
                self.pick(state, both);
                if let Some(combat) = state.stack.top_mut::<AirCombat>() {
                    combat.doubles -= combat.doubles.signum();
                }
            }
            _ => {}
        }
    }

    fn go_on(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        if self.hit || self.first.is_some() {
            return true;
        }
        let units = self.units.filter(|unit| self.takes_part(rules, state, unit));
        if let Some(combat) = state.stack.top_mut::<AirCombat>() {
            combat.units = units;
        }
        let now = AirCombat { units, ..*self };
        match now.bout {
            Bout::Opening => now.open(rules, state),
            Bout::Counting => now.count(rules, state, play),
            Bout::Rounds => return now.fight(rules, state, play),
        }
        false
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let below = around.on::<Flight>().is_some() || around.on::<crate::AirRefit>().is_some();
        let air = |unit: UnitId| rules.aircraft(unit).is_some();
        let there = |unit: UnitId| self.takes_part(rules, state, unit);
        let of = |side: Side| self.chosen.filter(|unit| rules.side(unit) == side).len();
        let (attackers, defenders) = (of(self.attacker), of(self.attacker.enemy()));
        let asks = around.above.is_empty();
        let both = Side::BOTH.into_iter().all(|side| self.units.iter().any(|unit| rules.side(unit) == side));
        let round = if self.hit {
            attackers == 1 && defenders == 2 && self.first.is_none()
        } else if self.first.is_some() || self.second.is_some() {
            self.first.is_some() && self.second.is_some() && attackers == 2 && defenders == 1
        } else {
            attackers <= 2 && defenders == 0
        };
        let offensive =
            self.chosen.iter().all(|unit| rules.side(unit) != self.attacker || rules.is_offensive(unit));
        below
            && self.units.iter().all(air)
            && (!asks || self.bout == Bout::Rounds && both && self.units.iter().all(there))
            && (!asks || !self.able(rules, self.attacker).is_empty())
            && (self.chosen - self.units).is_empty()
            && (asks || self.chosen.is_empty())
            && round
            && offensive
            && self.doubles.unsigned_abs() <= 60
    }
}

impl AirCombat {
    pub(crate) fn begin(state: &mut State, hex: Hex, attacker: Side, units: Units) {
        state.stack.push(AirCombat {
            hex,
            attacker,
            units,
            bout: Bout::Opening,
            doubles: 0,
            chosen: Units::EMPTY,
            first: None,
            second: None,
            hit: false,
        });
    }

    /// Still in the hex and in the air. Units that were on their way home when they were caught fight, too.
    fn takes_part(&self, rules: &Ocs, state: &State, unit: UnitId) -> bool {
        let flies_home = || {
            let flying =
                |frame: &Procedure| matches!(frame, Procedure::Flight(flight) if flight.units.contains(unit));
            state.stack.iter().any(flying)
        };
        state.hex(unit) == Some(self.hex)
            && rules.is_active(state, unit)
            && (!state.marked(unit, Marks::SPENT) || flies_home())
    }

    fn of_side(&self, rules: &Ocs, side: Side) -> Units {
        self.units.filter(|unit| rules.side(unit) == side)
    }

    /// Who of a side may fight a round: of the attacker only those who may attack (14.9a.a).
    fn able(&self, rules: &Ocs, side: Side) -> Units {
        self.of_side(rules, side).filter(|unit| side != self.attacker || rules.is_offensive(unit))
    }

    fn may_double(&self, side: Side) -> bool {
        if side == self.attacker { self.doubles > 0 } else { self.doubles < 0 }
    }

    /// Defenders at a base of their own may decline before it begins (14.9e.b).
    fn open(&self, rules: &Ocs, state: &mut State) {
        if let Some(combat) = state.stack.top_mut::<AirCombat>() {
            combat.bout = Bout::Counting;
        }
        let defender = self.attacker.enemy();
        let own = state.base(self.hex).is_some_and(|base| base.side == defender);
        let grounding = Grounding { hex: self.hex, side: defender };
        if own && !grounding.able(rules, state).is_empty() {
            state.stack.push(grounding);
        }
    }

    /// Fighters are counted once, in halves: full 2, reduced 1 (14.10a, R74).
    fn count(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
        let fighters = |side: Side| -> i8 {
            let own = self.of_side(rules, side);
            let fighters = own.iter().filter(|unit| rules.is_type(state, *unit, AirType::Fighter));
            fighters.map(|unit| state.units[unit].steps as i8).sum()
        };
        let ahead = fighters(self.attacker) - fighters(self.attacker.enemy());
        let doubles = if ahead.abs() >= AHEAD { (ahead.abs() + 1) / 2 * ahead.signum() } else { 0 };
        if let Some(combat) = state.stack.top_mut::<AirCombat>() {
            combat.bout = Bout::Rounds;
            combat.doubles = doubles;
        }
        let (attackers, defenders) =
            (self.of_side(rules, self.attacker), self.of_side(rules, self.attacker.enemy()));
        if !attackers.is_empty() && !defenders.is_empty() {
            play.tell(Event::AirFight { attackers, defenders, hex: self.hex, doubles });
        }
    }

    /// Goes on until one side is alone, or nobody can attack (14.9.b, 14.11).
    fn fight(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        let defenders = self.able(rules, self.attacker.enemy());
        let attackers = self.of_side(rules, self.attacker);
        if attackers.is_empty() || defenders.is_empty() {
            state.stack.pop();
            return false;
        }
        let able = self.able(rules, self.attacker);
        if able.is_empty() {
            state.stack.pop();
            // Without anybody who can attack them the rest stays (R72).
            if defenders.iter().any(|unit| rules.is_offensive(unit)) {
                rules.abort(state, attackers, defenders, play);
            }
            return false;
        }
        let picked = |side: Side| self.chosen.filter(|unit| rules.side(unit) == side);
        let (attacking, defending) = (picked(self.attacker), picked(self.attacker.enemy()));
        if attacking.is_empty() {
            return self.only(able, self.attacker).is_none_or(|one| {
                self.pick(state, one);
                false
            });
        }
        if defending.is_empty() {
            return self.only(defenders, self.attacker.enemy()).is_none_or(|one| {
                self.pick(state, one);
                false
            });
        }
        self.roll(rules, state, attacking, defending, play)
    }

    /// The one that a side must choose, if there is no choice.
    fn only(&self, able: Units, side: Side) -> Option<Units> {
        let doubles = self.may_double(side) && able.len() > 1;
        (able.len() == 1 && !doubles).then_some(able)
    }

    fn pick(&self, state: &mut State, units: Units) {
        if let Some(combat) = state.stack.top_mut::<AirCombat>() {
            combat.chosen = combat.chosen | units;
        }
    }

    fn end_round(&self, state: &mut State) {
        if let Some(combat) = state.stack.top_mut::<AirCombat>() {
            combat.chosen = Units::EMPTY;
            combat.first = None;
            combat.second = None;
            combat.hit = false;
        }
    }

    /// Two dice, plus the attacker's rating, minus the ratings of all who defend (14.9d.b, 14.10b, 14.10c).
    fn roll(
        &self,
        rules: &Ocs,
        state: &mut State,
        attacking: Units,
        defending: Units,
        play: &mut Play<Event>,
    ) -> bool {
        play.tell(Event::AirRound { attackers: attacking, defenders: defending });
        let against: i8 = defending.iter().map(|unit| rules.air_rating(state, unit) as i8).sum();
        let mut rolls = [None, None];
        for (place, unit) in attacking.iter().enumerate().take(2) {
            let dice = play.roll_sum(self.attacker, 2, 6, "air combat", case("14.9d.b")) as i8;
            let roll = dice + rules.air_rating(state, unit) as i8 - against;
            play.tell(Event::AirRolled { unit, roll, result: rules.charts.air.result(roll) });
            rolls[place] = Some(roll);
        }
        if let Some(combat) = state.stack.top_mut::<AirCombat>() {
            [combat.first, combat.second] = rolls;
        }
        if attacking.len() > 1 {
            return true;
        }
        let now = AirCombat { first: rolls[0], second: None, ..*self };
        if let Some(unit) = attacking.first() {
            now.settle(rules, state, unit, play);
        }
        false
    }

    /// A roll counts: it touches only the attacker who made it, and all who defend (14.10b, 14.10c).
    fn settle(&self, rules: &Ocs, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let attacking = self.chosen.filter(|unit| rules.side(unit) == self.attacker);
        let defending = self.chosen - attacking;
        let roll = if attacking.first() == Some(unit) { self.first } else { self.second };
        match rules.charts.air.result(roll.unwrap_or(0)) {
            AirResult::AttackerStep => {
                self.end_round(state);
                self.hurt(rules, state, unit, Units::of(unit), play);
            }
            AirResult::AttackerAbort => {
                self.end_round(state);
                self.leave(rules, state, Units::of(unit), play);
            }
            AirResult::DefenderAbort => {
                self.end_round(state);
                self.leave(rules, state, defending, play);
            }
            AirResult::DefenderStep if defending.len() > 1 => {
                if let Some(combat) = state.stack.top_mut::<AirCombat>() {
                    combat.first = None;
                    combat.second = None;
                    combat.hit = true;
                }
            }
            AirResult::DefenderStep => {
                self.end_round(state);
                if let Some(unit) = defending.first() {
                    self.hurt(rules, state, unit, defending, play);
                }
            }
        }
    }

    /// A unit loses a step, and whoever fought with it aborts.
    fn hurt(&self, rules: &Ocs, state: &mut State, unit: UnitId, all: Units, play: &mut Play<Event>) {
        rules.lose_air_step(state, unit, play);
        self.leave(rules, state, all, play);
    }

    fn leave(&self, rules: &Ocs, state: &mut State, who: Units, play: &mut Play<Event>) {
        let side = who.first().map_or(self.attacker, |unit| rules.side(unit));
        let fought = self.of_side(rules, side.enemy());
        rules.abort(state, who, fought, play);
    }
}

phrases! {
    /// Active air units at a base of their own may decline air combat (14.9e.a).
    pub struct Grounding { hex: Hex, side: Side } = "grounding", "14.9e.a", "{side} may decline air combat in {hex}";
}

impl Frame<Ocs> for Grounding {
    fn asked(&self, _: &Ocs, _: &State) -> (Side, Remark) {
        (self.side, remark!("14.9e.a", "enemies come to {}: make air units inactive, or fight", self.hex))
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        answers.extend(self.able(rules, state).iter().map(|unit| Action::Ground { unit }));
        answers.push(Action::Done);
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Ground { unit } => {
                rules.deactivate(state, unit);
                play.tell(Event::Grounded { unit });
            }
            _ => {
                state.stack.pop();
            }
        }
    }

    fn go_on(&self, rules: &Ocs, state: &mut State, _: &mut Play<Event>) -> bool {
        let asks = !self.able(rules, state).is_empty();
        if !asks {
            state.stack.pop();
        }
        asks
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let fits = around.on::<AirCombat>().is_some_and(|combat| {
            combat.hex == self.hex && combat.attacker != self.side && combat.bout == Bout::Counting
        });
        let own = state.base(self.hex).is_some_and(|base| base.side == self.side);
        around.above.is_empty() && fits && own && !self.able(rules, state).is_empty()
    }
}

impl Grounding {
    /// Those that occupy the hex: not those that fly just now.
    fn able(&self, rules: &Ocs, state: &State) -> Units {
        let mut flying = Units::EMPTY;
        for frame in state.stack.iter() {
            if let Procedure::Flight(flight) = frame {
                flying = flying | flight.units;
            }
        }
        rules.aloft(state, self.hex, self.side) - flying
    }
}
