//! 11.15 to 11.22: what comes of combat.

use board::{Hex, HexSet};
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, refuse, remark};

use crate::sequence::{acting_side, not_asked};
use crate::{Action, Battle, CombatResult, Dagc, Event, Marks, Presence, Procedure, State, Units};

impl Battle {
    /// Rolls, again and again if the attacker has committed himself (11.23b), and carries out the result.
    pub(crate) fn roll(&self, rules: &Dagc, state: &mut State, play: &mut Play<Event>) {
        let result = |die: u32| rules.charts.combat.result(usize::from(self.column), die as i32);
        let settles = |die: u32| !self.ardor || result(die) != CombatResult::Stalled;
        let die = play.roll_until(self.side(rules), 6, "combat", case("11.8c"), settles);
        play.tell(Event::Result { result: result(die) });
        state.stack.pop();
        self.carry_out(rules, state, result(die), play);
    }

    fn carry_out(&self, rules: &Dagc, state: &mut State, result: CombatResult, play: &mut Play<Event>) {
        match result {
            CombatResult::Stalled => {}
            CombatResult::AttackerEliminated => {
                self.attackers.iter().for_each(|unit| rules.lose_step(state, unit, play));
            }
            CombatResult::DefenderEliminated => self.eliminate_defenders(rules, state, play),
            CombatResult::Bloodbath => self.bloodbath(rules, state, play),
            CombatResult::Retreat if rules.ground.cities.contains(self.target) => {
                play.tell(Event::Becomes { result: CombatResult::Bloodbath }); // 11.18
                self.bloodbath(rules, state, play);
            }
            CombatResult::Retreat if rules.can_any_retreat(state, self.target) => {
                state.stack.push(DefenderRetreat {});
            }
            CombatResult::Retreat => {
                play.tell(Event::Becomes { result: CombatResult::DefenderEliminated }); // 11.17d
                self.eliminate_defenders(rules, state, play);
            }
        }
    }

    /// Every defender loses a step (11.20a), and the attacker may advance into an empty hex (11.20b).
    fn eliminate_defenders(&self, rules: &Dagc, state: &mut State, play: &mut Play<Event>) {
        for unit in state.stack_in(self.target) {
            rules.lose_step(state, unit, play);
        }
        offer_advance(rules, state);
    }

    /// Both sides lose as many steps (11.21), the attacker at most what he has (R27).
    fn bloodbath(&self, rules: &Dagc, state: &mut State, play: &mut Play<Event>) {
        let defenders = state.stack_in(self.target);
        let all = self.steps_left(state);
        if let Some(battle) = state.stack.find_mut::<Battle>() {
            battle.losses = (defenders.len() as u8).min(all);
        }
        for unit in defenders {
            rules.lose_step(state, unit, play);
        }
        state.stack.push(AttackerLosses {});
    }

    /// Steps of all attackers.
    fn steps_left(&self, state: &State) -> u8 {
        self.attackers.iter().map(|unit| state.unit(unit).steps).sum()
    }

    /// Who may take the next step lost. A shock army that was at full strength takes the first (11.21d), so until one
    /// of them is reduced it must be one of them.
    fn next_losers(&self, rules: &Dagc, state: &State) -> Units {
        let unhurt = |unit: UnitId| state.hex(unit).is_some() && rules.is_full_strength(state, unit);
        if !self.shock.is_empty() && self.shock.iter().all(unhurt) {
            return self.shock;
        }
        self.attackers.filter(|unit| state.hex(unit).is_some())
    }
}

phrases! {
    /// The attacker names who loses a step.
    pub struct AttackerLosses = "attacker-losses", "11.21c", "the attacker loses steps";
}

impl Frame<Dagc> for AttackerLosses {
    fn asked(&self, _: &Dagc, state: &State) -> (Side, Remark) {
        (acting_side(state), remark!("11.21c", "name the unit that loses a step"))
    }

    fn answers(&self, rules: &Dagc, state: &State, answers: &mut Vec<Action>) {
        let Some(battle) = state.battle() else { return };
        answers.extend(battle.next_losers(rules, state).iter().map(|unit| Action::Lose { unit }));
    }

    fn check(&self, rules: &Dagc, state: &State, action: Action) -> Result<(), Violation> {
        let (Action::Lose { unit }, Some(battle)) = (action, state.battle()) else {
            return Err(not_asked(state));
        };
        ensure!("11.21c", battle.attackers.contains(unit), "{} took no part in the attack", unit);
        ensure!("11.21c", state.hex(unit).is_some(), "{} has been eliminated", unit);
        let first = battle.next_losers(rules, state).contains(unit);
        ensure!("11.21d", first, "a shock army that was at full strength must lose the first step");
        Ok(())
    }

    fn apply(&self, rules: &Dagc, state: &mut State, action: Action, play: &mut Play<Event>) {
        if let Action::Lose { unit } = action {
            lose(rules, state, unit, play);
        }
    }

    /// Nobody is asked where there is no choice.
    fn go_on(&self, rules: &Dagc, state: &mut State, play: &mut Play<Event>) -> bool {
        let Some(battle) = state.battle().copied() else { return true };
        if battle.losses == 0 {
            state.stack.pop();
            offer_advance(rules, state);
            return false;
        }
        let losers = battle.next_losers(rules, state);
        match losers.first() {
            Some(unit) if losers.len() == 1 => lose(rules, state, unit, play),
            _ => return true,
        }
        false
    }

    fn is_sound(&self, _: &Dagc, state: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Battle>().is_some_and(|battle| (1..=battle.steps_left(state)).contains(&battle.losses))
    }
}

fn lose(rules: &Dagc, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
    rules.lose_step(state, unit, play);
    if let Some(battle) = state.stack.find_mut::<Battle>() {
        battle.losses -= 1;
    }
}

phrases! {
    /// The defender retreats, or takes a loss instead.
    pub struct DefenderRetreat = "defender-retreat", "11.17a", "the defenders retreat";
}

impl Frame<Dagc> for DefenderRetreat {
    fn asked(&self, _: &Dagc, state: &State) -> (Side, Remark) {
        (acting_side(state).enemy(), retreat_prompt())
    }

    fn answers(&self, rules: &Dagc, state: &State, answers: &mut Vec<Action>) {
        let Some(&Battle { target, .. }) = state.battle() else { return };
        if rules.may_stand(state, target) {
            answers.extend(state.stack_in(target).into_iter().map(|unit| Action::Stand { unit }));
        }
        if rules.must_stand(state, target) {
            return;
        }
        let presence = Presence::new(rules, state);
        let joint = rules.joint_retreats(state, &presence, target);
        if joint.is_empty() {
            rules.split_answers(state, &presence, target, answers);
        } else {
            answers.extend(joint.iter().map(|hex| Action::Retreat { hex }));
        }
    }

    fn check(&self, rules: &Dagc, state: &State, action: Action) -> Result<(), Violation> {
        let Some(&Battle { target, .. }) = state.battle() else { return Err(not_asked(state)) };
        match action {
            Action::Stand { unit } => rules.check_stand(state, target, unit),
            Action::Retreat { hex } => rules.check_retreat(state, target, hex),
            Action::RetreatOne { unit, hex } => {
                rules.check_may_retreat(state, target)?;
                let together = !rules.joint_retreats(state, &Presence::new(rules, state), target).is_empty();
                rules.check_retreats_from(state, target, unit)?;
                ensure!("11.17c", !together, "the defenders can retreat together, and must");
                rules.check_retreat_one(state, target, unit, hex)
            }
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Dagc, state: &mut State, action: Action, play: &mut Play<Event>) {
        let Some(&Battle { target, .. }) = state.battle() else { return };
        state.stack.pop();
        match action {
            // One step instead of the retreat of all (11.19a).
            Action::Stand { unit } => {
                play.tell(Event::Stood { unit });
                rules.lose_step(state, unit, play);
            }
            Action::Retreat { hex } => {
                rules.abandon_fortified(state, target, play);
                for unit in rules.mobile_defenders(state, target) {
                    rules.retreat_unit(state, unit, hex, play);
                }
                offer_advance(rules, state);
            }
            Action::RetreatOne { unit, hex } => retreat_one(rules, state, target, (unit, hex), play),
            _ => {}
        }
    }

    fn is_sound(&self, rules: &Dagc, state: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Battle>().is_some_and(|battle| battle.is_undecided(rules, state))
            && has_answers(self, rules, state)
    }
}

phrases! {
    /// The defenders retreat one by one, because no hex has room for both.
    pub struct SplitRetreat = "split-retreat", "11.17c", "the defenders retreat one by one";
}

impl Frame<Dagc> for SplitRetreat {
    fn asked(&self, _: &Dagc, state: &State) -> (Side, Remark) {
        (acting_side(state).enemy(), retreat_prompt())
    }

    fn answers(&self, rules: &Dagc, state: &State, answers: &mut Vec<Action>) {
        let Some(battle) = state.battle() else { return };
        rules.split_answers(state, &Presence::new(rules, state), battle.target, answers);
    }

    fn check(&self, rules: &Dagc, state: &State, action: Action) -> Result<(), Violation> {
        let (Action::RetreatOne { unit, hex }, Some(battle)) = (action, state.battle()) else {
            return Err(not_asked(state));
        };
        rules.check_retreats_from(state, battle.target, unit)?;
        rules.check_retreat_one(state, battle.target, unit, hex)
    }

    fn apply(&self, rules: &Dagc, state: &mut State, action: Action, play: &mut Play<Event>) {
        let Some(&Battle { target, .. }) = state.battle() else { return };
        if let Action::RetreatOne { unit, hex } = action {
            state.stack.pop();
            retreat_one(rules, state, target, (unit, hex), play);
        }
    }

    fn is_sound(&self, rules: &Dagc, state: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Battle>().is_some_and(|battle| battle.is_undecided(rules, state))
            && has_answers(self, rules, state)
    }
}

fn retreat_prompt() -> Remark {
    remark!("11.17e", "retreat, or take a loss where that is allowed")
}

fn has_answers(frame: &impl Frame<Dagc>, rules: &Dagc, state: &State) -> bool {
    let mut answers = Vec::new();
    frame.answers(rules, state, &mut answers);
    !answers.is_empty()
}

/// The first of two goes its way; the other follows by another, or loses a step where it is (R21).
fn retreat_one(
    rules: &Dagc,
    state: &mut State,
    target: Hex,
    (unit, to): (UnitId, Hex),
    play: &mut Play<Event>,
) {
    rules.abandon_fortified(state, target, play);
    rules.retreat_unit(state, unit, to, play);
    let presence = Presence::new(rules, state);
    match rules.mobile_defenders(state, target).first() {
        None => offer_advance(rules, state),
        Some(left) if rules.retreat_hexes(state, &presence, *left, target, 1).is_empty() => {
            rules.lose_step(state, *left, play);
            offer_advance(rules, state);
        }
        Some(_) => state.stack.push(SplitRetreat {}),
    }
}

/// Offers the advance when the hex is empty and somebody is left to make it; else the battle is over.
pub(crate) fn offer_advance(rules: &Dagc, state: &mut State) {
    let advance = Advance {};
    let empty = state.battle().is_some_and(|battle| state.stack_in(battle.target).is_empty());
    if empty && !advance.is_over(rules, state) {
        state.stack.push(advance);
    }
}

phrases! {
    /// Attackers may advance.
    pub struct Advance = "advance", "11.22a", "attackers may advance";
}

impl Frame<Dagc> for Advance {
    fn asked(&self, _: &Dagc, state: &State) -> (Side, Remark) {
        (acting_side(state), remark!("11.22a", "advance, or halt"))
    }

    fn answers(&self, rules: &Dagc, state: &State, answers: &mut Vec<Action>) {
        let Some(battle) = state.battle() else { return };
        let presence = Presence::new(rules, state);
        for unit in battle.attackers.iter() {
            if rules.check_advance(state, &presence, battle, unit).is_ok() {
                answers.push(Action::Advance { unit });
            }
        }
        for unit in battle.advanced.iter().filter(|unit| rules.is_cav_mech(*unit)) {
            let Some(from) = state.hex(unit) else { continue };
            for (_, hex) in rules.map.neighbours(from) {
                if rules.check_exploit(state, &presence, battle, unit, hex).is_ok() {
                    answers.push(Action::Exploit { unit, hex });
                }
            }
        }
        answers.push(Action::Halt);
    }

    fn check(&self, rules: &Dagc, state: &State, action: Action) -> Result<(), Violation> {
        let presence = Presence::new(rules, state);
        match (action, state.battle()) {
            (Action::Advance { unit }, Some(battle)) => rules.check_advance(state, &presence, battle, unit),
            (Action::Exploit { unit, hex }, Some(battle)) => {
                rules.check_exploit(state, &presence, battle, unit, hex)
            }
            (Action::Halt, _) => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Dagc, state: &mut State, action: Action, play: &mut Play<Event>) {
        let Some(battle) = state.stack.find_mut::<Battle>() else { return };
        match action {
            Action::Advance { unit } => {
                battle.advanced.insert(unit);
                let hex = battle.target;
                rules.put(state, unit, hex, play);
                play.tell(Event::Advanced { unit, hex });
            }
            Action::Exploit { unit, hex } => {
                battle.exploited.insert(unit);
                rules.put(state, unit, hex, play);
                play.tell(Event::Exploited { unit, hex });
            }
            _ => {
                state.stack.pop();
            }
        }
    }

    fn go_on(&self, rules: &Dagc, state: &mut State, _: &mut Play<Event>) -> bool {
        let over = self.is_over(rules, state);
        if over {
            state.stack.pop();
        }
        !over
    }

    fn is_sound(&self, _: &Dagc, _: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Battle>().is_some()
    }
}

impl Advance {
    /// True when nobody is left who could advance: halting alone is no choice.
    fn is_over(&self, rules: &Dagc, state: &State) -> bool {
        let mut answers = Vec::new();
        self.answers(rules, state, &mut answers);
        answers.len() < 2
    }
}

impl Dagc {
    /// Whether a unit may retreat to an adjacent hex that has room for `count` (11.17b).
    fn check_retreat_into(
        &self,
        presence: &Presence,
        unit: UnitId,
        from: Hex,
        to: Hex,
        count: usize,
    ) -> Result<(), Violation> {
        let side = self.side(unit);
        ensure!("11.17a", self.map.grid().adjacent(from, to), "{} is not adjacent to {}", to, from);
        ensure!("11.17b", !presence.held[side.enemy()].contains(to), "an enemy unit is in {}", to);
        ensure!("11.17b", !presence.full.contains(to), "{} is full", to);
        self.entry_law(presence, unit).check(from, to)?;
        ensure!("9.8c", !self.ground.narrows_side.between(from, to), "no retreat leads across the narrows");
        let ezoc = presence.in_unnegated_ezoc(side, to);
        ensure!("11.17b", !ezoc, "{} is in an enemy zone of control", to);
        let room = if presence.held[side].contains(to) { 1 } else { 2 };
        ensure!("11.17b", room >= count, "{} has no room for the whole force", to);
        Ok(())
    }

    /// The lawful retreat hexes for a force of `count`: of all that are open, those closest to a working source of
    /// its side (11.17f, R20).
    pub(crate) fn retreat_hexes(
        &self,
        state: &State,
        presence: &Presence,
        unit: UnitId,
        from: Hex,
        count: usize,
    ) -> HexSet {
        let open: Vec<Hex> = self
            .map
            .neighbours(from)
            .map(|(_, to)| to)
            .filter(|to| self.check_retreat_into(presence, unit, from, *to, count).is_ok())
            .collect();
        if open.len() < 2 {
            return open.into_iter().collect();
        }
        let sources = self.working_sources(state, presence, self.side(unit));
        let grid = self.map.grid();
        let distance = |hex: Hex| sources.iter().map(|source| grid.distance(hex, source)).min().unwrap_or(0);
        let nearest = open.iter().map(|hex| distance(*hex)).min();
        open.into_iter().filter(|hex| Some(distance(*hex)) == nearest).collect()
    }

    /// The units of the defence that can move.
    pub(crate) fn mobile_defenders(&self, state: &State, target: Hex) -> Vec<UnitId> {
        state.stack_in(target).into_iter().filter(|unit| !self.is_fortified(*unit)).collect()
    }

    /// True when defenders in a hex could retreat now.
    pub fn can_any_retreat(&self, state: &State, target: Hex) -> bool {
        let presence = Presence::new(self, state);
        let mobile = self.mobile_defenders(state, target);
        mobile.first().is_some_and(|unit| !self.retreat_hexes(state, &presence, *unit, target, 1).is_empty())
    }

    /// Hexes to which the whole force may go together (11.17c, R21).
    fn joint_retreats(&self, state: &State, presence: &Presence, target: Hex) -> HexSet {
        let mobile = self.mobile_defenders(state, target);
        let Some(unit) = mobile.first() else { return HexSet::EMPTY };
        self.retreat_hexes(state, presence, *unit, target, mobile.len())
    }

    /// The defenders may take a step loss and stay: not when they have only one step (11.19a, 11.19b). That they can
    /// retreat is known by now (11.19c).
    fn may_stand(&self, state: &State, target: Hex) -> bool {
        state.stack_in(target).iter().map(|unit| state.unit(*unit).steps).sum::<u8>() >= 2
    }

    /// With Hitler's order Germans who may stand must (11.19d, R54).
    fn must_stand(&self, state: &State, target: Hex) -> bool {
        let german = acting_side(state) == Side::Soviet;
        self.switches.stand_fast && german && self.may_stand(state, target)
    }

    fn split_answers(&self, state: &State, presence: &Presence, target: Hex, answers: &mut Vec<Action>) {
        for unit in self.mobile_defenders(state, target) {
            let hexes = self.retreat_hexes(state, presence, unit, target, 1);
            answers.extend(hexes.iter().map(|hex| Action::RetreatOne { unit, hex }));
        }
    }

    fn check_stand(&self, state: &State, target: Hex, unit: UnitId) -> Result<(), Violation> {
        ensure!("11.19a", state.hex(unit) == Some(target), "{} does not defend {}", unit, target);
        ensure!("11.19b", self.may_stand(state, target), "the defenders have only one step");
        Ok(())
    }

    fn check_may_retreat(&self, state: &State, target: Hex) -> Result<(), Violation> {
        ensure!("11.19d", !self.must_stand(state, target), "German defenders who can stand must stand");
        Ok(())
    }

    pub(crate) fn check_retreat(&self, state: &State, target: Hex, hex: Hex) -> Result<(), Violation> {
        self.check_may_retreat(state, target)?;
        let presence = Presence::new(self, state);
        if self.joint_retreats(state, &presence, target).contains(hex) {
            return Ok(());
        }
        let mobile = self.mobile_defenders(state, target);
        if let Some(unit) = mobile.first() {
            self.check_retreat_into(&presence, *unit, target, hex, mobile.len())?;
        }
        refuse!("11.17f", "{} is not the open hex closest to a working supply source", hex)
    }

    fn check_retreats_from(&self, state: &State, target: Hex, unit: UnitId) -> Result<(), Violation> {
        let retreats = state.hex(unit) == Some(target) && !self.is_fortified(unit);
        ensure!("11.17a", retreats, "{} does not retreat from {}", unit, target);
        Ok(())
    }

    fn check_retreat_one(&self, state: &State, target: Hex, unit: UnitId, hex: Hex) -> Result<(), Violation> {
        let presence = Presence::new(self, state);
        self.check_retreat_into(&presence, unit, target, hex, 1)?;
        let nearest = self.retreat_hexes(state, &presence, unit, target, 1).contains(hex);
        ensure!("11.17f", nearest, "{} is not the open hex closest to a working supply source", hex);
        Ok(())
    }

    /// A fortified locality that must retreat is lost (12.5.3).
    fn abandon_fortified(&self, state: &mut State, target: Hex, play: &mut Play<Event>) {
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

    fn check_advance(
        &self,
        state: &State,
        presence: &Presence,
        battle: &Battle,
        unit: UnitId,
    ) -> Result<(), Violation> {
        let Battle { target, attackers, advanced, .. } = *battle;
        ensure!("11.22a", attackers.contains(unit), "{} took no part in the attack", unit);
        ensure!("11.22a", state.hex(unit).is_some(), "{} has been eliminated", unit);
        ensure!("11.22a", !advanced.contains(unit), "{} has already advanced", unit);
        self.check_advance_into(state, presence, unit, target)
    }

    /// Zones of control do not matter, water, entrenchments, fronts and stacking do (11.22b, 8.4c, R28, R29).
    pub(crate) fn check_advance_into(
        &self,
        state: &State,
        presence: &Presence,
        unit: UnitId,
        to: Hex,
    ) -> Result<(), Violation> {
        let from = state.hex(unit).filter(|from| self.map.grid().adjacent(*from, to));
        let Some(from) = from else { refuse!("11.22a", "{} is not adjacent to {}", unit, to) };
        ensure!("9.8c", !self.ground.narrows_side.between(from, to), "no advance leads across the narrows");
        self.entry_law(presence, unit).check(from, to)
    }
}
