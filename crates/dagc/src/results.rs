//! 11.15 to 11.22: what comes of combat.

use board::{Hex, HexSet};
use engine::{Play, Side, UnitId, UnitSet, Violation, case, ensure};

use crate::{Action, Battle, CombatResult, Dagc, Event, Marks, Position, Procedure, State};

impl Dagc {
    /// Rolls, again and again if the attacker has committed himself (11.23b), and carries out the result.
    pub(crate) fn roll(&self, state: &mut State, play: &mut Play<Event>) {
        let Some(battle @ Battle::Attack { column, ardor, .. }) = state.battle else { return };
        let side = self.attacking_side(&battle);
        let result = |die: u32| self.charts.combat.result(column as usize, die as i32);
        let settles = |die: u32| !ardor || result(die) != CombatResult::Stalled;
        let die = play.roll_until(side, 6, "combat", case("11.8c"), settles);
        play.tell(Event::Result { result: result(die) });
        self.carry_out(state, result(die), play);
    }

    fn carry_out(&self, state: &mut State, result: CombatResult, play: &mut Play<Event>) {
        let Some(Battle::Attack { target, attackers, .. }) = state.battle else { return };
        state.stack.pop();
        match result {
            CombatResult::Stalled => self.end_battle(state),
            CombatResult::AttackerEliminated => {
                attackers.iter().for_each(|unit| self.lose_step(state, unit, play));
                self.end_battle(state);
            }
            CombatResult::DefenderEliminated => self.eliminate_defenders(state, target, play),
            CombatResult::Bloodbath => self.bloodbath(state, target, attackers, play),
            CombatResult::Retreat if self.ground.cities.contains(target) => {
                play.tell(Event::Becomes { result: CombatResult::Bloodbath }); // 11.18
                self.bloodbath(state, target, attackers, play);
            }
            CombatResult::Retreat => {
                let position = Position::new(self, state);
                if self.can_any_retreat(state, &position, target) {
                    state.stack.push(Procedure::DefenderRetreat);
                } else {
                    play.tell(Event::Becomes { result: CombatResult::DefenderEliminated }); // 11.17d
                    self.eliminate_defenders(state, target, play);
                }
            }
        }
    }

    /// Every defender loses a step (11.20a), and the attacker may advance into an empty hex (11.20b).
    fn eliminate_defenders(&self, state: &mut State, target: Hex, play: &mut Play<Event>) {
        for unit in state.stack_in(target) {
            self.lose_step(state, unit, play);
        }
        self.offer_advance(state);
    }

    /// Both sides lose as many steps (11.21), the attacker at most what he has (R27).
    fn bloodbath(&self, state: &mut State, target: Hex, attackers: UnitSet, play: &mut Play<Event>) {
        let defenders = state.stack_in(target);
        let all: u8 = attackers.iter().map(|unit| state.unit(unit).steps).sum();
        if let Some(Battle::Attack { losses, .. }) = &mut state.battle {
            *losses = (defenders.len() as u8).min(all);
        }
        for unit in defenders {
            self.lose_step(state, unit, play);
        }
        state.stack.push(Procedure::AttackerLosses);
    }

    /// Who may take the next step lost. A shock army that was at full strength takes the first (11.21d), so until one
    /// of them is reduced it must be one of them.
    pub(crate) fn next_losers(&self, state: &State, battle: &Battle) -> UnitSet {
        let Battle::Attack { attackers, shock, .. } = *battle;
        let unhurt = shock.iter().all(|unit| state.hex(unit).is_some() && self.is_full_strength(state, unit));
        if !shock.is_empty() && unhurt {
            return shock;
        }
        attackers.iter().filter(|unit| state.hex(*unit).is_some()).collect()
    }

    pub(crate) fn check_lose(&self, state: &State, battle: &Battle, unit: UnitId) -> Result<(), Violation> {
        let Battle::Attack { attackers, .. } = *battle;
        ensure!("11.21c", attackers.contains(unit), "{} does not take part", unit);
        ensure!("11.21c", state.hex(unit).is_some(), "{} has been eliminated", unit);
        let first = self.next_losers(state, battle).contains(unit);
        ensure!("11.21d", first, "a shock army at full strength takes the first step");
        Ok(())
    }

    pub(crate) fn lose(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        self.lose_step(state, unit, play);
        if let Some(Battle::Attack { losses, .. }) = &mut state.battle {
            *losses -= 1;
        }
    }

    // Retreat (11.17).

    /// Whether a unit may retreat to an adjacent hex that has room for `count` (11.17b).
    fn check_retreat_into(
        &self,
        position: &Position,
        unit: UnitId,
        from: Hex,
        to: Hex,
        count: usize,
    ) -> Result<(), Violation> {
        let side = self.side(unit);
        let Some(dir) = self.map.grid().dir_between(from, to) else {
            engine::refuse!("11.17a", "{} is not adjacent to {}", to, from);
        };
        ensure!("11.17b", !position.held[side.enemy()].contains(to), "an enemy unit is in {}", to);
        ensure!("11.17b", !position.full.contains(to), "{} is full", to);
        self.check_entry(position, unit, from, dir, to)?;
        ensure!("9.8c", !self.ground.narrows_side.has(from, dir), "no retreat leads across the narrows");
        let ezoc = position.in_unnegated_ezoc(side, to);
        ensure!("11.17b", !ezoc, "{} is in an enemy zone of control", to);
        let room = if position.held[side].contains(to) { 1 } else { 2 };
        ensure!("11.17b", room >= count, "{} has no room for the whole force", to);
        Ok(())
    }

    /// The lawful retreat hexes for a force of `count`: of all that are open, those closest to a working source of
    /// its side (11.17f, R20).
    pub(crate) fn retreat_hexes(
        &self,
        state: &State,
        position: &Position,
        unit: UnitId,
        from: Hex,
        count: usize,
    ) -> HexSet {
        let open: Vec<Hex> = self
            .map
            .neighbours(from)
            .map(|(_, to)| to)
            .filter(|to| self.check_retreat_into(position, unit, from, *to, count).is_ok())
            .collect();
        if open.len() < 2 {
            return open.into_iter().collect();
        }
        let sources = self.working_sources(state, position, self.side(unit));
        let grid = self.map.grid();
        let distance = |hex: Hex| sources.iter().map(|source| grid.distance(hex, source)).min().unwrap_or(0);
        let nearest = open.iter().map(|hex| distance(*hex)).min();
        open.into_iter().filter(|hex| Some(distance(*hex)) == nearest).collect()
    }

    /// The units of the defence that can move.
    pub(crate) fn mobile_defenders(&self, state: &State, target: Hex) -> Vec<UnitId> {
        state.stack_in(target).into_iter().filter(|unit| !self.is_fortified(*unit)).collect()
    }

    fn can_any_retreat(&self, state: &State, position: &Position, target: Hex) -> bool {
        let mobile = self.mobile_defenders(state, target);
        mobile.first().is_some_and(|unit| !self.retreat_hexes(state, position, *unit, target, 1).is_empty())
    }

    /// Hexes to which the whole force may go together (11.17c, R21).
    fn joint_retreats(&self, state: &State, position: &Position, target: Hex) -> HexSet {
        let mobile = self.mobile_defenders(state, target);
        let Some(unit) = mobile.first() else { return HexSet::EMPTY };
        self.retreat_hexes(state, position, *unit, target, mobile.len())
    }

    /// The defenders may take a step loss and stay: not when they have only one step (11.19a, 11.19b). That they can
    /// retreat is known by now (11.19c).
    pub(crate) fn may_stand(&self, state: &State, target: Hex) -> bool {
        state.stack_in(target).iter().map(|unit| state.unit(*unit).steps).sum::<u8>() >= 2
    }

    /// With Hitler's order Germans who may stand must (11.19d, R54).
    fn must_stand(&self, state: &State, target: Hex, side: Side) -> bool {
        self.switches.stand_fast && side == Side::Axis && self.may_stand(state, target)
    }

    pub(crate) fn retreat_answers(&self, state: &State, battle: &Battle, answers: &mut Vec<Action>) {
        let Battle::Attack { target, .. } = *battle;
        let position = Position::new(self, state);
        if self.may_stand(state, target) {
            answers.extend(state.stack_in(target).into_iter().map(|unit| Action::Stand { unit }));
        }
        if self.must_stand(state, target, self.attacking_side(battle).enemy()) {
            return;
        }
        let joint = self.joint_retreats(state, &position, target);
        if joint.is_empty() {
            self.split_answers(state, &position, target, answers);
        } else {
            answers.extend(joint.iter().map(|hex| Action::Retreat { hex }));
        }
    }

    pub(crate) fn split_answers(
        &self,
        state: &State,
        position: &Position,
        target: Hex,
        answers: &mut Vec<Action>,
    ) {
        for unit in self.mobile_defenders(state, target) {
            let hexes = self.retreat_hexes(state, position, unit, target, 1);
            answers.extend(hexes.iter().map(|hex| Action::RetreatOne { unit, hex }));
        }
    }

    pub(crate) fn check_stand(&self, state: &State, battle: &Battle, unit: UnitId) -> Result<(), Violation> {
        let Battle::Attack { target, .. } = *battle;
        ensure!("11.19a", state.hex(unit) == Some(target), "{} does not defend {}", unit, target);
        ensure!("11.19b", self.may_stand(state, target), "the defenders have one step only");
        Ok(())
    }

    pub(crate) fn check_retreat(&self, state: &State, battle: &Battle, hex: Hex) -> Result<(), Violation> {
        let Battle::Attack { target, .. } = *battle;
        let side = self.attacking_side(battle).enemy();
        ensure!("11.19d", !self.must_stand(state, target, side), "German defenders who can stand must stand");
        let position = Position::new(self, state);
        let joint = self.joint_retreats(state, &position, target);
        if joint.contains(hex) {
            return Ok(());
        }
        let mobile = self.mobile_defenders(state, target);
        if let Some(unit) = mobile.first() {
            self.check_retreat_into(&position, *unit, target, hex, mobile.len())?;
        }
        engine::refuse!("11.17f", "{} is not the closest to a working supply source", hex)
    }

    pub(crate) fn check_retreat_one(
        &self,
        state: &State,
        battle: &Battle,
        unit: UnitId,
        hex: Hex,
    ) -> Result<(), Violation> {
        let Battle::Attack { target, .. } = *battle;
        let side = self.attacking_side(battle).enemy();
        let begun = state.stack.last() == Some(&Procedure::SplitRetreat);
        ensure!(
            "11.19d",
            begun || !self.must_stand(state, target, side),
            "German defenders who can stand must stand"
        );
        ensure!(
            "11.17a",
            state.hex(unit) == Some(target) && !self.is_fortified(unit),
            "{} does not retreat from {}",
            unit,
            target
        );
        let position = Position::new(self, state);
        let together = begun || self.joint_retreats(state, &position, target).is_empty();
        ensure!("11.17c", together, "the defenders can retreat together, and must");
        self.check_retreat_into(&position, unit, target, hex, 1)?;
        let nearest = self.retreat_hexes(state, &position, unit, target, 1).contains(hex);
        ensure!("11.17f", nearest, "{} is not the closest to a working supply source", hex);
        Ok(())
    }

    /// One step instead of the retreat of all (11.19a).
    pub(crate) fn stand(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        state.stack.pop();
        play.tell(Event::Stood { unit });
        self.lose_step(state, unit, play);
        self.end_battle(state);
    }

    /// A fortified locality that must retreat is lost (12.5.3).
    pub(crate) fn abandon_fortified(&self, state: &mut State, target: Hex, play: &mut Play<Event>) {
        for unit in state.stack_in(target) {
            if self.is_fortified(unit) {
                self.eliminate(state, unit, play);
            }
        }
    }

    pub(crate) fn retreat_unit(&self, state: &mut State, unit: UnitId, to: Hex, play: &mut Play<Event>) {
        let Some(from) = state.hex(unit) else { return };
        self.put(state, unit, to, play);
        state.mark(unit, Marks::RETREATED);
        play.tell(Event::Retreated { unit, from, to });
    }

    pub(crate) fn retreat_all(&self, state: &mut State, to: Hex, play: &mut Play<Event>) {
        let Some(Battle::Attack { target, .. }) = state.battle else { return };
        state.stack.pop();
        self.abandon_fortified(state, target, play);
        for unit in self.mobile_defenders(state, target) {
            self.retreat_unit(state, unit, to, play);
        }
        self.offer_advance(state);
    }

    /// The first of two goes its way; the other follows by another, or loses a step where it is (R21).
    pub(crate) fn retreat_one(&self, state: &mut State, unit: UnitId, to: Hex, play: &mut Play<Event>) {
        let Some(Battle::Attack { target, .. }) = state.battle else { return };
        state.stack.pop();
        self.abandon_fortified(state, target, play);
        self.retreat_unit(state, unit, to, play);
        let position = Position::new(self, state);
        match self.mobile_defenders(state, target).first() {
            None => self.offer_advance(state),
            Some(left) if self.retreat_hexes(state, &position, *left, target, 1).is_empty() => {
                self.lose_step(state, *left, play);
                self.offer_advance(state);
            }
            Some(_) => state.stack.push(Procedure::SplitRetreat),
        }
    }

    // Advance (11.22).

    /// Offers the advance when the hex is empty and somebody is left to make it.
    pub(crate) fn offer_advance(&self, state: &mut State) {
        let Some(battle @ Battle::Attack { target, .. }) = state.battle else { return };
        let mut answers = Vec::new();
        if state.stack_in(target).is_empty() {
            self.advance_answers(state, &battle, &mut answers);
        }
        // Halting alone is no choice.
        if answers.len() > 1 { state.stack.push(Procedure::Advance) } else { self.end_battle(state) }
    }

    pub(crate) fn advance_answers(&self, state: &State, battle: &Battle, answers: &mut Vec<Action>) {
        let Battle::Attack { attackers, advanced, .. } = *battle;
        let position = Position::new(self, state);
        for unit in attackers.iter() {
            if self.check_advance(state, &position, battle, unit).is_ok() {
                answers.push(Action::Advance { unit });
            }
        }
        for unit in advanced.iter().filter(|unit| self.is_cav_mech(*unit)) {
            let Some(from) = state.hex(unit) else { continue };
            for (_, hex) in self.map.neighbours(from) {
                if self.check_exploit(state, &position, battle, unit, hex).is_ok() {
                    answers.push(Action::Exploit { unit, hex });
                }
            }
        }
        answers.push(Action::Halt);
    }

    pub(crate) fn check_advance(
        &self,
        state: &State,
        position: &Position,
        battle: &Battle,
        unit: UnitId,
    ) -> Result<(), Violation> {
        let Battle::Attack { target, attackers, advanced, .. } = *battle;
        ensure!("11.22a", attackers.contains(unit), "{} took no part in the attack", unit);
        ensure!("11.22a", state.hex(unit).is_some(), "{} has been eliminated", unit);
        ensure!("11.22a", !advanced.contains(unit), "{} has advanced", unit);
        self.check_advance_into(state, position, unit, target)
    }

    /// Zones of control do not matter, water, entrenchments, fronts and stacking do (11.22b, 8.4c, R28, R29).
    pub(crate) fn check_advance_into(
        &self,
        state: &State,
        position: &Position,
        unit: UnitId,
        to: Hex,
    ) -> Result<(), Violation> {
        let dir = state.hex(unit).and_then(|from| Some((from, self.map.grid().dir_between(from, to)?)));
        let Some((from, dir)) = dir else { engine::refuse!("11.22a", "{} is not adjacent to {}", unit, to) };
        ensure!("9.8c", !self.ground.narrows_side.has(from, dir), "no advance leads across the narrows");
        self.check_entry(position, unit, from, dir, to)
    }

    pub(crate) fn advance(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let Some(Battle::Attack { target, .. }) = state.battle else { return };
        self.put(state, unit, target, play);
        play.tell(Event::Advanced { unit, hex: target });
        if let Some(Battle::Attack { advanced, .. }) = &mut state.battle {
            advanced.insert(unit);
        }
    }

    pub(crate) fn exploit(&self, state: &mut State, unit: UnitId, hex: Hex, play: &mut Play<Event>) {
        self.put(state, unit, hex, play);
        play.tell(Event::Exploited { unit, hex });
        if let Some(Battle::Attack { exploited, .. }) = &mut state.battle {
            exploited.insert(unit);
        }
    }

    /// True when nobody is left who could advance.
    pub(crate) fn advance_is_over(&self, state: &State, battle: &Battle) -> bool {
        let mut answers = Vec::new();
        self.advance_answers(state, battle, &mut answers);
        answers.len() == 1
    }

    pub(crate) fn end_battle(&self, state: &mut State) {
        state.battle = None;
    }
}
