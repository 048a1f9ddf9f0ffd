//! 11: prepared assaults, from the declaration to the die; mobile assaults are fought the same way (10.32).

use board::{Hex, HexSet};
use engine::frame::Around;
use engine::muster::{self, Muster, Musters};
use engine::{Case, Frame, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, refuse, remark};

use crate::movement::SIVASH;
use crate::sequence::{ODER_TURN, Turn, acting_side, not_asked};
use crate::stacking::LIMIT;
use crate::{
    Action, Barbarossa, CombatResult, Event, Fact, Marks, Moving, Place, Procedure, State, Step, Supply,
    Units,
};

/// Soviet units beside enemies must attack until this turn (5.12a).
const MANDATORY_ATTACKS: u8 = 3;

/// Luftwaffe units with Watch on the Oder (4.18e).
const ODER_LUFTWAFFE: u8 = 2;

phrases! {
    /// A prepared assault phase.
    pub struct Combat { side: Side } = "combat", "11.1a", "{side} prepared assault phase";
}

impl Frame<Barbarossa> for Combat {
    fn asked(&self, _: &Barbarossa, _: &State) -> (Side, Remark) {
        (self.side, remark!("11.1b", "attack, or end the prepared assault phase"))
    }

    fn answers(&self, rules: &Barbarossa, state: &State, answers: &mut Vec<Action>) {
        rules.each_attack(state, self.side, |unit, hex| {
            answers.push(Action::Name { unit, hex });
            false
        });
        if rules.check_duty(state, self.side).is_ok() {
            answers.push(Action::End);
        }
    }

    fn check(&self, rules: &Barbarossa, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Name { unit, hex } => rules.check_attack(state, self.side, unit, hex),
            Action::End => rules.check_duty(state, self.side),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, _: &Barbarossa, state: &mut State, action: Action, _: &mut Play<Event>) {
        match action {
            Action::Name { unit, hex } => {
                let attackers = Units::of(unit);
                state.stack.push(Attack { target: hex, attackers, mobile: false, clear: false, drop: false });
            }
            _ => {
                state.stack.pop();
            }
        }
    }

    /// A phase in which nobody can attack is passed over. One in which somebody has is ended by hand, so that what was shown in it
    /// can be looked at.
    fn go_on(&self, rules: &Barbarossa, state: &mut State, _: &mut Play<Event>) -> bool {
        let fought = || state.units.iter().any(|(_, unit)| unit.marks.has(Marks::ATTACKED | Marks::DEFENDED));
        let asks = rules.each_attack(state, self.side, |_, _| true) || fought();
        if !asks {
            state.stack.pop();
        }
        asks
    }

    fn is_sound(&self, _: &Barbarossa, state: &State, around: Around<'_, Procedure>) -> bool {
        let step = around.on::<Turn>().map(|turn| turn.step);
        matches!(step, Some(Step::AxisFirst | Step::AxisSecond | Step::SovietFirst | Step::SovietSecond))
            && self.side == acting_side(state)
    }
}

phrases! {
    /// An attack is being put together.
    pub struct Attack {
        target: Hex,
        attackers: Units,
        /// A mobile assault by units on their way.
        mobile: bool,
        /// The marsh of June 1941 is treated as clear ground (5.13).
        clear: bool,
        /// 2nd Paratroop Corps is dropped on the target (4.17e).
        drop: bool,
    } = "attack", "11.5", "{attackers} attack {target}";
}

impl Frame<Barbarossa> for Attack {
    fn asked(&self, _: &Barbarossa, state: &State) -> (Side, Remark) {
        (acting_side(state), remark!("11.5", "add units to the attack, declare it, or call it off"))
    }

    fn answers(&self, rules: &Barbarossa, state: &State, answers: &mut Vec<Action>) {
        if self.mobile {
            answers.push(Action::Cancel);
        } else {
            muster::answers(self, rules, state, answers);
        }
        let others = [Action::AsClear, Action::Drop, Action::Declare];
        answers.extend(others.into_iter().filter(|action| self.check(rules, state, *action).is_ok()));
    }

    fn check(&self, rules: &Barbarossa, state: &State, action: Action) -> Result<(), Violation> {
        match (action, action.step()) {
            (Action::Cancel, _) => Ok(()),
            (_, Some(_)) if self.mobile => refuse!("10.27", "the units on their way assault together"),
            (_, Some(step)) => muster::check(self, rules, state, step),
            (Action::AsClear, _) => self.check_as_clear(rules, state),
            (Action::Drop, _) => self.check_drop(rules, state),
            (Action::Declare, _) => self.check_declare(rules, state),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Barbarossa, state: &mut State, action: Action, play: &mut Play<Event>) {
        match (action, action.step()) {
            (_, Some(step)) => muster::apply::<Barbarossa, Attack>(state, step, play),
            (Action::AsClear, _) => state.stack.replace(Attack { clear: true, ..*self }),
            (Action::Drop, _) => state.stack.replace(Attack { drop: true, ..*self }),
            _ => self.declare(rules, state, play),
        }
    }

    fn is_sound(&self, rules: &Barbarossa, state: &State, around: Around<'_, Procedure>) -> bool {
        let side = acting_side(state);
        let battle = Battle::of(self);
        let stands = |unit: UnitId| rules.side(unit) == side;
        let place = match self.mobile {
            true => {
                // What was done since it was put together may forbid it; that is told when it is declared (9.7, R45).
                let from = self.attackers.first().and_then(|unit| state.hex(unit));
                around.on::<Moving>().is_some_and(|moving| moving.units == self.attackers)
                    && from.is_some_and(|from| rules.map.grid().adjacent(from, self.target))
                    && state.held(side.enemy()).contains(self.target)
            }
            false => {
                around.on::<Combat>().is_some()
                    && self
                        .attackers
                        .iter()
                        .all(|unit| rules.check_attack(state, side, unit, self.target).is_ok())
            }
        };
        place
            && around.above.is_empty()
            && !self.attackers.is_empty()
            && self.attackers.iter().all(stands)
            && battle.is_undecided(rules, state)
            && (!self.clear || rules.may_treat_as_clear(state, self.attackers, self.target))
            && (!self.drop || Attack { drop: false, ..*self }.check_drop(rules, state).is_ok())
    }
}

impl Muster<Barbarossa> for Attack {
    const CASES: [Case; 2] = [case("11.4b"), case("11.6a")];

    fn members(&self) -> Vec<UnitId> {
        self.attackers.iter().collect()
    }

    fn candidates(&self, rules: &Barbarossa, state: &State) -> Vec<UnitId> {
        rules.map.neighbours(self.target).flat_map(|(_, hex)| state.units.in_hex(hex)).collect()
    }

    /// With the marsh as clear ground only those take part who are entitled to it (R26).
    fn check_join(&self, rules: &Barbarossa, state: &State, unit: UnitId) -> Result<(), Violation> {
        rules.check_attack(state, acting_side(state), unit, self.target)?;
        let with = self.attackers | Units::of(unit);
        let entitled = !self.clear || rules.may_treat_as_clear(state, with, self.target);
        ensure!("5.13", entitled, "{} may not treat the marsh as clear ground", unit);
        Ok(())
    }

    fn set(&mut self, unit: UnitId, joins: bool) {
        self.attackers.set(unit, joins);
    }
}

impl Attack {
    fn check_as_clear(&self, rules: &Barbarossa, state: &State) -> Result<(), Violation> {
        ensure!("5.13", !self.clear, "the marsh is treated as clear ground already");
        let entitled = rules.may_treat_as_clear(state, self.attackers, self.target);
        ensure!("5.13", entitled, "they may not treat {} as clear ground", self.target);
        Ok(())
    }

    /// In the first turn of the Gambit, with the corps kept for it and room in the hex (4.17d, 4.17e, R94).
    fn check_drop(&self, rules: &Barbarossa, state: &State) -> Result<(), Violation> {
        ensure!("4.17e", !self.drop, "the paratroops are committed already");
        let kept = rules.cast.paratroops.filter(|unit| state.unit(*unit).place == Place::Hand);
        let now = state.has(Fact::GambitNow) && acting_side(state) == Side::Axis;
        ensure!("4.17e", now, "paratroops are dropped in the first turn of the Gambit only");
        ensure!("4.17d", kept.is_some(), "no paratroops are kept for an air drop");
        let room = !self.mobile || self.attackers.len() < LIMIT;
        ensure!("6.3", room, "there would be no room in {} for the paratroops", self.target);
        Ok(())
    }

    /// Nobody who must attack may be left without a target (5.12b, R50). With the marsh as clear ground everybody must be
    /// entitled (R26).
    fn check_declare(&self, rules: &Barbarossa, state: &State) -> Result<(), Violation> {
        let entitled = !self.clear || rules.may_treat_as_clear(state, self.attackers, self.target);
        ensure!("5.13", entitled, "not all of them may treat {} as clear ground", self.target);
        if self.mobile {
            return rules.check_assault(state, self.attackers, self.target);
        }
        for unit in self.candidates(rules, state) {
            if !state.marked(unit, Marks::OBLIGED) || self.attackers.contains(unit) {
                continue;
            }
            let mut targets = rules.dutiful_targets(state, unit);
            let only_this = targets.next() == Some(self.target) && targets.next().is_none();
            ensure!("5.12b", !only_this, "{} must attack, and {} is its only target", unit, self.target);
        }
        Ok(())
    }

    /// From here on the attack cannot be called off, and the stacks are shown (11.7a, R117). Supply is found once for the whole
    /// battle (7.17b), and emergency units roll for their strength (8.4c).
    fn declare(&self, rules: &Barbarossa, state: &mut State, play: &mut Play<Event>) {
        let mut battle = Battle::of(self);
        play.tell(Event::Declared { units: self.attackers, hex: self.target, mobile: self.mobile });
        let there: Units = state.units.in_hex(self.target).collect();
        rules.show(state, self.attackers | there, play);
        if self.mobile {
            rules.pay_for_assault(state, self.attackers, self.target);
            if let Some(moving) = state.stack.find_mut::<Moving>() {
                moving.gone = true;
            }
        }
        battle.find_supply(rules, state, play);
        for unit in self.attackers.iter() {
            state.mark(unit, if self.mobile { Marks::FOUGHT } else { Marks::ATTACKED | Marks::FOUGHT });
        }
        if !self.mobile {
            there.iter().for_each(|unit| state.mark(unit, Marks::DEFENDED));
        }
        battle.roll_strengths(rules, state, play);
        battle.tell_account(rules, state, play);
        state.stack.replace(battle);
        state.stack.push(Supporting {});
    }
}

phrases! {
    /// A battle, below whatever is being decided in it. When it is on top, it is concluded, then over.
    pub struct Battle {
        target: Hex,
        attackers: Units,
        mobile: bool,
        clear: bool,
        drop: bool,
        /// Who was in regular overland supply when it began, on both sides (7.17b, R36).
        overland: Units,
        /// Whose factors supply divides by two, and by four (7.16b, 7.22).
        halved: Units,
        quartered: Units,
        /// The dice of emergency units, three bits each (8.4c).
        strengths: u32,
        luftwaffe: bool,
        /// What the attacker must give up in a bloodbath, and who was given up (11.26d).
        owed: u16,
        lost: Units,
        advanced: Units,
        /// Who has advanced a second hex (11.32).
        exploited: Units,
        /// The result is carried out.
        done: bool,
    } = "battle", "11.5", "{attackers} attack {target}";
}

impl Frame<Barbarossa> for Battle {
    fn asked(&self, rules: &Barbarossa, _: &State) -> (Side, Remark) {
        (self.side(rules), remark!("11.5", "the battle for {} is under way", self.target))
    }

    fn go_on(&self, rules: &Barbarossa, state: &mut State, play: &mut Play<Event>) -> bool {
        if self.done {
            state.stack.pop();
        } else {
            self.conclude(rules, state, play);
        }
        false
    }

    fn is_sound(&self, rules: &Barbarossa, state: &State, around: Around<'_, Procedure>) -> bool {
        let near = |hex: Hex| rules.map.grid().distance(hex, self.target) <= 2;
        let stands = |unit: UnitId| {
            rules.side(unit) == acting_side(state)
                && state.hex(unit).is_none_or(near)
                && rules.counter(unit).attack != Some(0)
        };
        let place =
            if self.mobile { around.on::<Moving>().is_some() } else { around.on::<Combat>().is_some() };
        let kept = |unit: UnitId| matches!(state.unit(unit).place, Place::Hand | Place::Hex(_));
        place
            && !around.above.is_empty()
            && !self.attackers.is_empty()
            && self.attackers.iter().all(stands)
            && (!self.drop || rules.cast.paratroops.is_some_and(kept) || self.done || !self.lost.is_empty())
    }
}

impl Battle {
    /// A battle before anything is known of it but who fights where.
    pub(crate) fn of(attack: &Attack) -> Battle {
        let Attack { target, attackers, mobile, clear, drop } = *attack;
        Battle {
            target,
            attackers,
            mobile,
            clear,
            drop,
            overland: Units::EMPTY,
            halved: Units::EMPTY,
            quartered: Units::EMPTY,
            strengths: 0,
            luftwaffe: false,
            owed: 0,
            lost: Units::EMPTY,
            advanced: Units::EMPTY,
            exploited: Units::EMPTY,
            done: false,
        }
    }

    /// Who attacks.
    pub(crate) fn side(&self, rules: &Barbarossa) -> Side {
        self.attackers.first().map_or(Side::Axis, |unit| rules.side(unit))
    }

    /// The attackers are beside the target and an enemy is in it: nothing has come of the battle yet.
    pub(crate) fn is_undecided(&self, rules: &Barbarossa, state: &State) -> bool {
        let beside = |hex: Hex| rules.map.grid().adjacent(hex, self.target);
        state.held(self.side(rules).enemy()).contains(self.target)
            && !self.done
            && self.attackers.iter().all(|unit| state.hex(unit).is_some_and(beside))
    }

    /// The hexes that the attack comes from (R65).
    pub(crate) fn attack_hexes(&self, state: &State) -> HexSet {
        self.attackers.iter().filter_map(|unit| state.hex(unit)).collect()
    }

    fn find_supply(&mut self, rules: &Barbarossa, state: &mut State, play: &mut Play<Event>) {
        let lines = rules.lines_in_battle(state, self.attackers, self.mobile);
        let held = rules.held_in_battle(state, self.attackers, self.mobile);
        let side = self.side(rules);
        for unit in (self.attackers | self.defending(state)).iter() {
            let enemies = if rules.side(unit) == side { *state.held(side.enemy()) } else { held };
            let supply = rules.supply_past(state, &lines[rules.side(unit)], &enemies, unit);
            rules.settle_southern(state, unit, supply, play);
            if supply == Supply::Overland {
                self.overland.insert(unit);
            }
            let divisor = if rules.side(unit) == side {
                let offensive = state.hex(unit).is_some_and(|hex| rules.in_offensive_range(state, hex));
                rules.attack_divisor(state, supply, offensive, side)
            } else if supply == Supply::Out {
                2
            } else {
                1
            };
            self.halved.set(unit, divisor == 2);
            self.quartered.set(unit, divisor == 4);
        }
    }

    fn roll_strengths(&mut self, rules: &Barbarossa, state: &State, play: &mut Play<Event>) {
        let fighting = self.attackers | self.defending(state);
        for unit in (fighting & rules.cast.emergency).iter() {
            let strength = play.roll(Side::Axis, 6, "strength of an emergency unit", case("8.4c")) as u8;
            self.set_strength(rules, unit, strength);
            play.tell(Event::Strength { unit, strength });
        }
    }

    /// The result of a die, or that of odds beyond the table (11.10b, 11.25).
    fn result(&self, rules: &Barbarossa, column: i16, die: u32) -> CombatResult {
        let table = &rules.charts.combat;
        let place = column - rules.charts.first_column();
        match usize::try_from(place) {
            Err(_) => CombatResult::AttackerEliminated,
            Ok(place) if place >= table.width() => CombatResult::DefenderEliminated,
            Ok(place) => table.result(place, die as i32),
        }
    }

    /// The column is found and the die rolled; beyond the ends of the table there is none (11.10b).
    fn roll(&self, rules: &Barbarossa, state: &mut State, play: &mut Play<Event>) {
        let column = self.account(rules, state).column;
        let last = rules.charts.first_column() + rules.charts.combat.width() as i16 - 1;
        let automatic = !(rules.charts.first_column()..=last).contains(&column.0);
        let result = if automatic {
            self.result(rules, column.0, 1)
        } else {
            let reads = |die: u32| self.result(rules, column.0, die);
            reads(play.roll_on(self.side(rules), 6, "combat", case("11.25a"), reads))
        };
        play.tell(Event::Result { result });
        state.stack.pop();
        self.apply_result(rules, state, result, play);
    }
}

phrases! {
    /// The German side may commit a Luftwaffe unit.
    pub struct Supporting = "supporting", "11.23b", "Luftwaffe support is decided";
}

impl Frame<Barbarossa> for Supporting {
    fn asked(&self, _: &Barbarossa, _: &State) -> (Side, Remark) {
        (Side::Axis, remark!("11.23b", "commit a Luftwaffe unit to this battle, or not"))
    }

    fn answers(&self, rules: &Barbarossa, state: &State, answers: &mut Vec<Action>) {
        if rules.luftwaffe_left(state) > 0 {
            answers.push(Action::Luftwaffe);
        }
        answers.push(Action::Unsupported);
    }

    fn check(&self, rules: &Barbarossa, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Luftwaffe => {
                ensure!(
                    "11.23d",
                    rules.luftwaffe_left(state) > 0,
                    "every Luftwaffe unit was used in this turn"
                );
                Ok(())
            }
            Action::Unsupported => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Barbarossa, state: &mut State, action: Action, play: &mut Play<Event>) {
        if action == Action::Luftwaffe {
            state.luftwaffe_used += 1;
            if let Some(battle) = state.stack.find_mut::<Battle>() {
                battle.luftwaffe = true;
                let columns = if battle.side(rules) == Side::Axis { 1 } else { -1 };
                play.tell(Event::Shift { cause: crate::Cause::Luftwaffe, columns });
            }
        }
        self.settle(rules, state, play);
    }

    /// Nobody is asked who has no aircraft.
    fn go_on(&self, rules: &Barbarossa, state: &mut State, play: &mut Play<Event>) -> bool {
        let asks = rules.luftwaffe_left(state) > 0;
        if !asks {
            self.settle(rules, state, play);
        }
        asks
    }

    fn is_sound(&self, rules: &Barbarossa, state: &State, around: Around<'_, Procedure>) -> bool {
        around.above.is_empty()
            && around.on::<Battle>().is_some_and(|battle| battle.is_undecided(rules, state))
    }
}

impl Supporting {
    /// The column is known now; before the die the German side may still supply its defenders by air (7.7/A).
    fn settle(&self, rules: &Barbarossa, state: &mut State, play: &mut Play<Event>) {
        let Some(battle) = state.battle().copied() else { return };
        if battle.may_be_airlifted(rules, state) {
            state.stack.replace(Volley {});
        } else {
            battle.find_column_and_roll(rules, state, play);
        }
    }
}

phrases! {
    /// The attacker is about to roll.
    pub struct Volley = "volley", "11.25a", "the die is about to be rolled";
}

impl Frame<Barbarossa> for Volley {
    fn asked(&self, _: &Barbarossa, state: &State) -> (Side, Remark) {
        (acting_side(state), remark!("11.25a", "roll the die"))
    }

    fn answers(&self, _: &Barbarossa, _: &State, answers: &mut Vec<Action>) {
        answers.push(Action::Roll);
    }

    fn apply(&self, rules: &Barbarossa, state: &mut State, _: Action, play: &mut Play<Event>) {
        if let Some(battle) = state.battle().copied() {
            battle.find_column_and_roll(rules, state, play);
        }
    }

    fn is_sound(&self, rules: &Barbarossa, state: &State, around: Around<'_, Procedure>) -> bool {
        around.above.is_empty()
            && around.on::<Battle>().is_some_and(|battle| battle.is_undecided(rules, state))
    }
}

impl Battle {
    fn find_column_and_roll(&self, rules: &Barbarossa, state: &mut State, play: &mut Play<Event>) {
        let odds = self.account(rules, state).column;
        play.tell(Event::ColumnFound { odds });
        self.roll(rules, state, play);
    }

    /// The German side defends, some of it halved, and the marker could still help it (7.7/A).
    fn may_be_airlifted(&self, rules: &Barbarossa, state: &State) -> bool {
        self.side(rules) == Side::Soviet
            && rules.airlift_is_available(state)
            && self.defending(state).iter().any(|unit| self.halved.contains(unit))
    }
}

impl Barbarossa {
    /// Luftwaffe units that can still be used in this turn (11.23a, 11.23d, 4.18e).
    pub(crate) fn luftwaffe_left(&self, state: &State) -> u8 {
        let all = match state.turn {
            ODER_TURN if self.is_oder(state) => ODER_LUFTWAFFE,
            turn => self.charts.track.turn(turn).luftwaffe,
        };
        all.saturating_sub(state.luftwaffe_used)
    }

    /// Defenders who have just been supplied by air are not halved any more (7.7/A, R35).
    pub(crate) fn find_supply_again(&self, state: &mut State, play: &mut Play<Event>) {
        let Some(mut battle) = state.battle().copied().filter(|battle| state.airlift == Some(battle.target))
        else {
            return;
        };
        if battle.side(self) == Side::Soviet {
            battle.halved = battle.halved - battle.defending(state);
            let account = battle.account(self, state);
            battle.tell_odds(&account, play);
            if let Some(kept) = state.stack.find_mut::<Battle>() {
                *kept = battle;
            }
        }
    }

    /// Goes through every attack that a unit of a side could take part in, until `stop` says so; true when it did.
    fn each_attack(&self, state: &State, side: Side, mut stop: impl FnMut(UnitId, Hex) -> bool) -> bool {
        let enemies = state.held(side.enemy());
        let front = *state.held(side) & self.ground.all_sides.grow(enemies);
        for from in front.iter() {
            let targets = self.ground.all_sides.grow(&HexSet::of(from)) & *enemies;
            for unit in state.units.in_hex(from) {
                for hex in targets.iter() {
                    if self.check_attack(state, side, unit, hex).is_ok() && stop(unit, hex) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Whether a unit may attack a hex in this phase, alone or with others.
    pub(crate) fn check_attack(
        &self,
        state: &State,
        side: Side,
        unit: UnitId,
        hex: Hex,
    ) -> Result<(), Violation> {
        ensure!("11.1a", self.side(unit) == side, "{} is not {}'s to attack with", unit, side);
        let Some(from) = state.hex(unit) else { refuse!("11.1a", "{} is not on the map", unit) };
        ensure!("10.34e", !self.is_ica(unit), "{} never attacks", unit);
        ensure!("11.12c", self.counter(unit).attack != Some(0), "{} has no attack factor", unit);
        if self.is_prologue(state) {
            let southern = state.marked(unit, Marks::SOUTHERN);
            ensure!("12.8b", southern, "{} did not begin the turn in the southern area", unit);
        }
        ensure!("11.4b", !state.marked(unit, Marks::ATTACKED), "{} has attacked in this phase", unit);
        ensure!("11.1a", self.map.grid().adjacent(from, hex), "{} is not adjacent to {}", unit, hex);
        ensure!("11.3", state.held(side.enemy()).contains(hex), "no enemy unit is in {}", hex);
        if state.marked(unit, Marks::SAILED) {
            return Err(self.sailed(unit, from));
        }
        ensure!("12.7a", !state.marked(unit, Marks::STANDS_FAST), "{} stands fast in this turn", unit);
        self.check_attack_across(state, unit, from, hex)?;
        self.check_attack_area(state, unit, from, hex)?;
        let fresh = state.units.in_hex(hex).any(|unit| !state.marked(unit, Marks::DEFENDED));
        ensure!("11.4b", fresh, "{} was attacked in this phase", hex);
        Ok(())
    }

    /// Kerch for who is not mechanized, the Sivash for the Soviets among them, no other water (11.17a, 11.18a, 11.19).
    fn check_attack_across(&self, state: &State, unit: UnitId, from: Hex, hex: Hex) -> Result<(), Violation> {
        if self.ground.dry_sides.between(from, hex) {
            return Ok(());
        }
        if self.ground.kerch_side.between(from, hex) {
            ensure!("11.17a", !self.is_mech(unit), "{} is mechanized and does not attack across Kerch", unit);
        } else if self.ground.sivash_side.between(from, hex) {
            let open = self.side(unit) == Side::Soviet && !self.is_mech(unit) && state.turn >= SIVASH;
            ensure!("11.18a", open, "{} does not attack across the Sivash", unit);
        } else {
            refuse!("11.19", "water lies between {} and {}", from, hex);
        }
        Ok(())
    }

    /// What turn 1, areas and the bounds of a scenario forbid (5.11, 8.3, 10.22).
    fn check_attack_area(&self, state: &State, unit: UnitId, from: Hex, hex: Hex) -> Result<(), Violation> {
        let ground = &self.ground;
        if state.turn == 1 {
            let (into, out) = (ground.hungary.contains(hex), ground.hungary.contains(from));
            match self.side(unit) {
                Side::Axis => {
                    ensure!("5.11b", into == out, "nobody attacks into or out of Hungary on turn 1");
                    ensure!("5.11a", !ground.romania.contains(from), "nobody attacks from Romania on turn 1")
                }
                Side::Soviet => {
                    let closed = into || ground.romania.contains(hex);
                    ensure!("5.11c", !closed, "nobody attacks Hungary or Romania on turn 1")
                }
            }
        }
        if let Some(area) = self.home_area(unit) {
            let satellite = self.is_axis_satellite(unit);
            ensure!("10.22", !satellite || area.contains(hex), "{} does not attack in the north", unit);
            let baltic = Some(unit) == self.cast.sixth_ss;
            ensure!("8.3e", !baltic || area.contains(hex), "{} attacks in the Baltic republics only", unit);
            ensure!("8.3h", area.contains(hex), "{} attacks in the Crimea area only", unit);
        }
        let beyond = self.bounds_set().is_some_and(|bounds| !bounds.contains(hex));
        ensure!("10.21", !beyond, "{} is beyond the part of the map that is played on", hex);
        Ok(())
    }

    // Soviet attacks that must be made (5.12).

    /// Marks who must attack: fixed when the phase begins (5.12a, R50).
    pub(crate) fn oblige(&self, state: &mut State, side: Side) {
        if side == Side::Axis || state.turn > MANDATORY_ATTACKS || self.is_prologue(state) {
            return;
        }
        for (unit, hex) in self.on_map(state, side).collect::<Vec<_>>() {
            let excused = self.ground.cities.contains(hex)
                || self.ground.soviet_lines.contains(hex)
                || self.ground.german_lines.contains(hex)
                || state.lines.contains(hex);
            if !excused && self.dutiful_targets(state, unit).next().is_some() {
                state.mark(unit, Marks::OBLIGED);
            }
        }
    }

    /// Targets that a unit could still attack other than across a river (5.12c).
    fn dutiful_targets<'a>(&'a self, state: &'a State, unit: UnitId) -> impl Iterator<Item = Hex> + 'a {
        let side = self.side(unit);
        let ground = &self.ground;
        let dry = move |from: Hex, hex: Hex| {
            !ground.rivers.between(from, hex) && ground.dry_sides.between(from, hex)
        };
        let from = state.hex(unit);
        from.into_iter()
            .flat_map(|from| self.map.neighbours(from).map(move |(_, hex)| (from, hex)))
            .filter(move |(from, hex)| dry(*from, *hex) && self.check_attack(state, side, unit, *hex).is_ok())
            .map(|(_, hex)| hex)
    }

    /// The phase does not end while somebody who must attack can (5.12a, R50).
    fn check_duty(&self, state: &State, side: Side) -> Result<(), Violation> {
        if side == Side::Axis || state.turn > MANDATORY_ATTACKS {
            return Ok(());
        }
        for (unit, _) in self.on_map(state, side) {
            if !state.marked(unit, Marks::OBLIGED) {
                continue;
            }
            if let Some(hex) = self.dutiful_targets(state, unit).next() {
                refuse!("5.12a", "{} must attack, and can attack {}", unit, hex);
            }
        }
        Ok(())
    }
}
