//! 11: combat, from the declaration to the die.

use board::Hex;
use engine::display;
use engine::frame::Around;
use engine::muster::{self, Muster, Musters};
use engine::{Case, Frame, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, refuse, remark};

use crate::sequence::{acting_side, is_after_movement, not_asked, phase};
use crate::special::Withdrawal;
use crate::{
    Action, AirGroup, Dagc, Ending, Event, Heading, Marks, Phase, Presence, Procedure, State, Supply,
    Support, Units,
};

/// The three leftmost columns, where an attacker may roll until something happens (11.23a).
const ARDOR_COLUMNS: u8 = 3;

phrases! {
    /// A combat phase.
    pub struct Combat {
        side: Side,
        /// After movement, not before it.
        after: bool,
    } = "combat", "11.1a", "{side} combat phase";
}

impl Frame<Dagc> for Combat {
    fn asked(&self, _: &Dagc, _: &State) -> (Side, Remark) {
        (self.side, remark!("11.1b", "attack, or end the combat phase"))
    }

    fn answers(&self, rules: &Dagc, state: &State, answers: &mut Vec<Action>) {
        let presence = Presence::new(rules, state);
        for (unit, from) in rules.on_map(state, self.side) {
            if !presence.in_ezoc(self.side, from) {
                continue;
            }
            let beside = rules.map.neighbours(from).map(|(_, hex)| hex);
            for hex in beside.filter(|hex| presence.held[self.side.enemy()].contains(*hex)) {
                if rules.check_attack(state, &presence, self.side, unit, hex).is_ok() {
                    answers.push(Action::Name { unit, hex });
                }
            }
        }
        if self.check_end(rules, state, &presence).is_ok() {
            answers.push(Action::End);
        }
    }

    fn check(&self, rules: &Dagc, state: &State, action: Action) -> Result<(), Violation> {
        let presence = Presence::new(rules, state);
        match action {
            Action::Name { unit, hex } => rules.check_attack(state, &presence, self.side, unit, hex),
            Action::End => self.check_end(rules, state, &presence),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, _: &Dagc, state: &mut State, action: Action, _: &mut Play<Event>) {
        match action {
            Action::Name { unit, hex } => {
                state.stack.push(Attack { target: hex, attackers: Units::of(unit) });
            }
            _ => state.stack.push(Ending {}),
        }
    }

    fn is_sound(&self, _: &Dagc, _: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost()
    }

    fn phase(&self, _: &Dagc, _: &State) -> Option<display::Phase> {
        Some(phase(self.side, if self.after { Phase::PostCombat } else { Phase::PreCombat }))
    }
}

impl Combat {
    /// Whoever must attack on turn 1 does so before the phase ends (11.1c).
    fn check_end(&self, rules: &Dagc, state: &State, presence: &Presence) -> Result<(), Violation> {
        if !rules.attacks_are_forced(state, self.side) {
            return Ok(());
        }
        for (unit, _) in rules.on_map(state, self.side) {
            if let Some(hex) = rules.targets(state, presence, self.side, unit).next() {
                refuse!("11.1c", "{} must attack on turn 1, and can attack {}", unit, hex);
            }
        }
        Ok(())
    }
}

phrases! {
    /// An attack is being put together.
    pub struct Attack { target: Hex, attackers: Units } = "attack", "11.4", "{attackers} attack {target}";
}

impl Frame<Dagc> for Attack {
    fn asked(&self, _: &Dagc, state: &State) -> (Side, Remark) {
        (acting_side(state), remark!("11.4", "add units to the attack, declare it, or call it off"))
    }

    fn answers(&self, rules: &Dagc, state: &State, answers: &mut Vec<Action>) {
        muster::answers(self, rules, state, answers);
        if self.check_declare(rules, state).is_ok() {
            answers.push(Action::Declare);
        }
    }

    fn check(&self, rules: &Dagc, state: &State, action: Action) -> Result<(), Violation> {
        match (action, action.step()) {
            (_, Some(step)) => muster::check(self, rules, state, step),
            (Action::Declare, _) => self.check_declare(rules, state),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Dagc, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action.step() {
            Some(step) => muster::apply::<Dagc, Attack>(state, step, play),
            None => self.declare(rules, state, play),
        }
    }

    fn is_sound(&self, rules: &Dagc, state: &State, around: Around<'_, Procedure>) -> bool {
        let battle = Battle::of(self.target, self.attackers);
        around.on::<Combat>().is_some_and(|phase| battle.is_of(rules, state, phase.side))
            && around.above.is_empty()
            && battle.is_undecided(rules, state)
    }
}

impl Muster<Dagc> for Attack {
    const CASES: [Case; 2] = [case("11.5a"), case("11.4")];

    fn members(&self) -> Vec<UnitId> {
        self.attackers.iter().collect()
    }

    fn candidates(&self, rules: &Dagc, state: &State) -> Vec<UnitId> {
        rules.map.neighbours(self.target).flat_map(|(_, hex)| state.stack_in(hex)).collect()
    }

    fn check_join(&self, rules: &Dagc, state: &State, unit: UnitId) -> Result<(), Violation> {
        self.check_attacker(rules, state, &Presence::new(rules, state), unit)
    }

    fn set(&mut self, unit: UnitId, joins: bool) {
        self.attackers.set(unit, joins);
    }
}

impl Attack {
    /// Fronts never attack together (6.10c, 11.24).
    fn check_attacker(
        &self,
        rules: &Dagc,
        state: &State,
        presence: &Presence,
        unit: UnitId,
    ) -> Result<(), Violation> {
        rules.check_attack(state, presence, acting_side(state), unit, self.target)?;
        let mixed = self.attackers.iter().any(|other| rules.is_1uf(other) != rules.is_1uf(unit));
        ensure!("11.24", !mixed, "{} is not of the same front as the attackers", unit);
        Ok(())
    }

    /// A forced attacker whose only target this is may not be left out (R8).
    fn check_declare(&self, rules: &Dagc, state: &State) -> Result<(), Violation> {
        let side = acting_side(state);
        if !rules.attacks_are_forced(state, side) {
            return Ok(());
        }
        let presence = Presence::new(rules, state);
        for unit in self.candidates(rules, state).into_iter().filter(|unit| !self.attackers.contains(*unit)) {
            let mut targets = rules.targets(state, &presence, side, unit);
            let only_this = targets.next() == Some(self.target) && targets.next().is_none();
            let may_join = self.check_attacker(rules, state, &presence, unit).is_ok();
            ensure!(
                "11.1c",
                !(only_this && may_join),
                "{} must attack on turn 1, and {} is its only target",
                unit,
                self.target
            );
        }
        Ok(())
    }

    /// From here on the attack cannot be called off: whoever takes part is shown, and the German player sees the stack
    /// that he attacks (6.8b, 6.8c). Supply is found once for the whole battle (7.1b, R60), then support.
    fn declare(&self, rules: &Dagc, state: &mut State, play: &mut Play<Event>) {
        let Attack { target, attackers } = *self;
        play.tell(Event::Declared { units: attackers, hex: target });
        let defenders: Units = state.stack_in(target).into_iter().collect();
        rules.show(state, attackers.iter().chain(defenders.iter()), play);
        let supplied = rules.supplied_in_battle(state, attackers, defenders);
        let out: Units =
            attackers.iter().chain(defenders.iter()).filter(|unit| !supplied.contains(*unit)).collect();
        if !out.is_empty() {
            play.tell(Event::OutOfSupply { units: out });
        }
        attackers.iter().for_each(|unit| state.mark(unit, Marks::ATTACKED));
        defenders.iter().for_each(|unit| state.mark(unit, Marks::DEFENDED));
        let shock = rules.full_shock_armies(state, attackers);
        state.stack.replace(Battle { supplied, shock, ..Battle::of(target, attackers) });
        state.stack.push(Supporting {});
    }
}

phrases! {
    /// A battle, below whatever is being decided in it. It is over when it is on top.
    pub struct Battle {
        target: Hex,
        attackers: Units,
        /// Who is in supply, on both sides, to the end of it (7.1b, R60).
        supplied: Units,
        /// Shock armies among the attackers that were at full strength (12.7a, 11.21d).
        shock: Units,
        support: Support,
        column: u8,
        /// The attacker rolls until something happens (11.23).
        ardor: bool,
        /// Steps that the attacker has yet to lose (11.21).
        losses: u8,
        advanced: Units,
        /// Who has advanced a second hex (12.2c).
        exploited: Units,
    } = "battle", "11.3a", "{attackers} attack {target}";
}

impl Frame<Dagc> for Battle {
    fn asked(&self, rules: &Dagc, _: &State) -> (Side, Remark) {
        (self.side(rules), remark!("11.3a", "the battle for {} is under way", self.target))
    }

    fn go_on(&self, _: &Dagc, state: &mut State, _: &mut Play<Event>) -> bool {
        state.stack.pop();
        false
    }

    fn is_sound(&self, rules: &Dagc, state: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Combat>().is_some_and(|phase| self.is_of(rules, state, phase.side))
            && around.above.len() == 1
            && usize::from(self.column) < rules.charts.combat.width()
    }
}

impl Battle {
    /// A battle before anything is known of it but who fights where.
    pub(crate) fn of(target: Hex, attackers: Units) -> Battle {
        Battle {
            target,
            attackers,
            supplied: Units::EMPTY,
            shock: Units::EMPTY,
            support: Support::None,
            column: 0,
            ardor: false,
            losses: 0,
            advanced: Units::EMPTY,
            exploited: Units::EMPTY,
        }
    }

    /// Who attacks.
    pub(crate) fn side(&self, rules: &Dagc) -> Side {
        self.attackers.first().map_or(Side::Axis, |unit| rules.side(unit))
    }

    /// The attackers are a side's, of one front, and those that are left in the target or beside it.
    fn is_of(&self, rules: &Dagc, state: &State, side: Side) -> bool {
        let near = |hex: Hex| rules.map.grid().distance(hex, self.target) <= 1;
        let stands = |unit: UnitId| {
            rules.side(unit) == side
                && !rules.is_fortified(unit)
                && state.hex(unit).is_none_or(near)
                && self.attackers.iter().all(|other| rules.is_1uf(unit) == rules.is_1uf(other))
        };
        !self.attackers.is_empty() && self.attackers.iter().all(stands)
    }

    /// The attackers are beside the target and an enemy is in it: nothing has come of the battle yet.
    pub(crate) fn is_undecided(&self, rules: &Dagc, state: &State) -> bool {
        let beside = |hex: Hex| rules.map.grid().adjacent(hex, self.target);
        let defenders = state.stack_in(self.target);
        defenders.first().is_some_and(|unit| rules.side(*unit) != self.side(rules))
            && self.attackers.iter().all(|unit| state.hex(unit).is_some_and(beside))
    }

    fn check_lower(&self) -> Result<(), Violation> {
        ensure!("11.14", self.column > 0, "the column is already the lowest");
        ensure!("11.23a", !self.ardor, "the attacker has committed himself in this column");
        Ok(())
    }

    /// Only in the three leftmost columns, and before the first roll (11.23a).
    fn check_ardor(&self) -> Result<(), Violation> {
        ensure!(
            "11.23a",
            self.column < ARDOR_COLUMNS,
            "only in the three leftmost columns may an attacker commit himself"
        );
        ensure!("11.23a", !self.ardor, "the attacker has already committed himself");
        Ok(())
    }
}

phrases! {
    /// Support for the attack is being named.
    pub struct Supporting = "supporting", "13.1c", "support is named";
}

impl Frame<Dagc> for Supporting {
    fn asked(&self, _: &Dagc, state: &State) -> (Side, Remark) {
        (acting_side(state), remark!("11.8b", "name support for the attack, or none"))
    }

    fn answers(&self, rules: &Dagc, state: &State, answers: &mut Vec<Action>) {
        let air = AirGroup::ALL.iter().map(|group| Action::Air { group: *group });
        let help = air.chain([Action::Armor]).filter(|action| self.check(rules, state, *action).is_ok());
        answers.extend(help);
        answers.push(Action::Unsupported);
    }

    fn check(&self, rules: &Dagc, state: &State, action: Action) -> Result<(), Violation> {
        match (action, state.battle()) {
            (Action::Air { group }, Some(battle)) => rules.check_air(state, battle, group),
            (Action::Armor, Some(battle)) => rules.check_armor(state, battle),
            (Action::Unsupported, _) => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Dagc, state: &mut State, action: Action, play: &mut Play<Event>) {
        let support = match action {
            Action::Air { group } => {
                rules.use_air(state, group);
                play.tell(Event::AirSupport { group });
                if group == AirGroup::Main { Support::AirMain } else { Support::AirUf }
            }
            Action::Armor if rules.concentrate_armor(state, play) => Support::Armor,
            Action::Armor => Support::ArmorFailed,
            _ => Support::None,
        };
        find_column(rules, state, support, play);
    }

    /// An attacker who has no help to call for is not asked.
    fn go_on(&self, rules: &Dagc, state: &mut State, play: &mut Play<Event>) -> bool {
        let mut answers = Vec::new();
        self.answers(rules, state, &mut answers);
        let asks = answers.len() > 1;
        if !asks {
            find_column(rules, state, Support::None, play);
        }
        asks
    }

    fn is_sound(&self, rules: &Dagc, state: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Battle>().is_some_and(|battle| battle.is_undecided(rules, state))
    }
}

/// Tells the account of the battle, finds its column and offers it to the attacker.
fn find_column(rules: &Dagc, state: &mut State, support: Support, play: &mut Play<Event>) {
    let Some(mut battle) = state.battle().copied() else { return };
    battle.support = support;
    battle.column = battle.tell_account(rules, state, play);
    state.stack.pop();
    state.stack.replace(battle);
    state.stack.push(Column {});
}

phrases! {
    /// The attacker may lower the column, or commit himself to roll until something happens.
    pub struct Column = "column", "11.14", "the column is settled";
}

impl Frame<Dagc> for Column {
    fn asked(&self, _: &Dagc, state: &State) -> (Side, Remark) {
        (
            acting_side(state),
            remark!("11.14", "roll, lower the column, or commit yourself to roll until something happens"),
        )
    }

    fn answers(&self, rules: &Dagc, state: &State, answers: &mut Vec<Action>) {
        let all = [Action::Roll, Action::Lower, Action::Ardor];
        answers.extend(all.into_iter().filter(|action| self.check(rules, state, *action).is_ok()));
    }

    fn check(&self, _: &Dagc, state: &State, action: Action) -> Result<(), Violation> {
        match (action, state.battle()) {
            (Action::Roll, _) => Ok(()),
            (Action::Lower, Some(battle)) => battle.check_lower(),
            (Action::Ardor, Some(battle)) => battle.check_ardor(),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Dagc, state: &mut State, action: Action, play: &mut Play<Event>) {
        let Some(battle) = state.stack.find_mut::<Battle>() else { return };
        match action {
            Action::Lower => {
                battle.column -= 1;
                let column = battle.column;
                return play.tell(Event::Lowered { column, heading: rules.heading(column) });
            }
            Action::Ardor => {
                battle.ardor = true;
                play.tell(Event::Committed);
            }
            _ => {}
        }
        let battle = *battle;
        // The defender's last chance before the die: a cav-mech group may be gone (12.2a, R26).
        if rules.may_withdraw(state, &battle).is_some() {
            state.stack.replace(Withdrawal {});
        } else {
            battle.roll(rules, state, play);
        }
    }

    fn is_sound(&self, rules: &Dagc, state: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Battle>().is_some_and(|battle| battle.is_undecided(rules, state))
    }
}

impl Dagc {
    /// Whether a unit may attack a hex in this phase, alone or with others.
    pub(crate) fn check_attack(
        &self,
        state: &State,
        presence: &Presence,
        side: Side,
        unit: UnitId,
        hex: Hex,
    ) -> Result<(), Violation> {
        ensure!("11.2", self.side(unit) == side, "{} is not a {} unit", unit, side);
        let Some(from) = state.hex(unit) else { refuse!("11.2", "{} is not on the map", unit) };
        ensure!("11.1d", !self.is_fortified(unit), "{} is a fortified locality and never attacks", unit);
        ensure!("11.5a", !state.marked(unit, Marks::ATTACKED), "{} has already attacked in this phase", unit);
        ensure!("11.2", self.map.grid().adjacent(from, hex), "{} is not adjacent to {}", unit, hex);
        ensure!("11.3a", presence.held[side.enemy()].contains(hex), "no enemy unit is in {}", hex);
        let bound = state.turn == 1 && side == Side::Soviet && !state.marked(unit, Marks::ACTIVATED);
        ensure!("5.4a", !bound, "{} was not activated: on turn 1 only activated Soviet units attack", unit);
        let entrenched = side == Side::Axis && self.ground.soviet_entrenchments.contains(hex);
        ensure!("11.10c", !entrenched, "no German unit may attack the Soviet entrenchment in {}", hex);
        let confined = self.is_1uf(unit) && !self.switches.free_1uf && !self.ground.uf_area.contains(hex);
        ensure!("10.2b", !confined, "{} may attack in the area of 1st Ukrainian Front only", unit);
        ensure!("11.3b", self.is_attackable(state, hex), "{} has already been attacked in this phase", hex);
        Ok(())
    }

    /// Some unit in the hex has not been attacked in this phase (11.3b, R47).
    fn is_attackable(&self, state: &State, hex: Hex) -> bool {
        state.stack_in(hex).iter().any(|unit| !state.marked(*unit, Marks::DEFENDED))
    }

    /// In the Historical Scenario every activated unit that can must attack before movement on turn 1 (11.1c, R8).
    fn attacks_are_forced(&self, state: &State, side: Side) -> bool {
        let first = state.turn == 1 && side == Side::Soviet && !is_after_movement(state);
        first && !self.switches.no_forced_attacks
    }

    /// Targets that a unit could still attack.
    fn targets<'a>(
        &'a self,
        state: &'a State,
        presence: &'a Presence,
        side: Side,
        unit: UnitId,
    ) -> impl Iterator<Item = Hex> + 'a {
        let from = state.hex(unit);
        from.into_iter()
            .flat_map(|from| self.map.neighbours(from))
            .map(|(_, hex)| hex)
            .filter(move |hex| self.check_attack(state, presence, side, unit, *hex).is_ok())
    }

    /// Who of both sides is in supply in a battle (7.1b). Whoever defends with a fortified locality is (12.5.2a).
    fn supplied_in_battle(&self, state: &State, attackers: Units, defenders: Units) -> Units {
        let hexes = attackers.iter().chain(defenders.iter()).filter_map(|unit| state.hex(unit)).collect();
        let map = self.supply_map(state, &Presence::new(self, state), &hexes);
        let fortified = defenders.iter().any(|unit| self.is_fortified(unit));
        let supplied = |unit: &UnitId| {
            fortified && defenders.contains(*unit) || self.supply(state, &map, *unit) != Supply::Out
        };
        attackers.iter().chain(defenders.iter()).filter(supplied).collect()
    }

    pub(crate) fn heading(&self, column: u8) -> Heading {
        Heading(self.charts.combat.heading(usize::from(column)).parse().unwrap_or_default())
    }
}
