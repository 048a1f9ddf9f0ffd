//! 12.0 to 12.2, 12.4: combat, from the declaration to the die.

use board::Hex;
use engine::display;
use engine::frame::Around;
use engine::mark::Lasts;
use engine::muster::{self, Muster, Musters};
use engine::{
    Case, Frame, Play, Remark, Rulebook, Side, UnitId, Violation, case, ensure, phrases, refuse, remark,
    words,
};

use crate::sequence::{acting_side, begin_phase, not_asked, phase};
use crate::supply::SupplyMap;
use crate::{
    Action, Advance, Bite, COLOURS, Causes, Colour, CombatResult, Event, Hexes, Level, Marks, Moving, Phase,
    Points, Procedure, State, Taking, Units, overrun,
};

phrases! {
    /// A combat phase.
    pub struct Combat { side: Side } = "combat", "6.0f1", "{side} combat phase";
}

impl Frame<Bite> for Combat {
    fn asked(&self, _: &Bite, _: &State) -> (Side, Remark) {
        (self.side, remark!("6.0f1", "attack, or end the combat phase"))
    }

    fn answers(&self, rules: &Bite, state: &State, answers: &mut Vec<Action>) {
        let known = rules.known(state);
        let supply = known.supply(rules, state, self.side);
        let enemies = known.held[self.side.enemy()];
        for (unit, from) in rules.on_map(state, self.side) {
            for (_, hex) in rules.map.neighbours(from).filter(|(_, hex)| enemies.contains(*hex)) {
                if rules.check_attack(state, supply, unit, hex, Units::EMPTY).is_ok() {
                    answers.push(Action::Name { unit, hex });
                }
            }
        }
        answers.push(Action::End);
    }

    fn check(&self, rules: &Bite, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Name { unit, hex } => {
                ensure!("12.0a", rules.side(unit) == self.side, "{} is the enemy's", unit);
                let known = rules.known(state);
                let supply = known.supply(rules, state, self.side);
                rules.check_attack(state, supply, unit, hex, Units::EMPTY)
            }
            Action::End => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Bite, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Name { unit, hex } => {
                state.stack.push(Attack { targets: Hexes::of(hex), attackers: Units::of(unit) });
            }
            _ => begin_phase(rules, state, self.side, Phase::Mechanized, play),
        }
    }

    fn is_sound(&self, _: &Bite, _: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost()
    }

    fn phase(&self, _: &Bite, _: &State) -> Option<display::Phase> {
        Some(phase(self.side, Phase::Combat))
    }
}

phrases! {
    /// An attack is being put together.
    pub struct Attack { targets: Hexes, attackers: Units } = "attack", "12.2b1", "{attackers} attack {targets}";
}

impl Frame<Bite> for Attack {
    fn asked(&self, _: &Bite, state: &State) -> (Side, Remark) {
        (
            acting_side(state),
            remark!("12.2b1", "add units or hexes to the attack, declare it, or call it off"),
        )
    }

    fn answers(&self, rules: &Bite, state: &State, answers: &mut Vec<Action>) {
        muster::answers(self, rules, state, answers);
        let near = self.attackers.first().and_then(|unit| state.hex(unit));
        for (_, hex) in near.into_iter().flat_map(|hex| rules.map.neighbours(hex)) {
            if self.check_target(rules, state, hex).is_ok() {
                answers.push(Action::Target { hex });
            }
        }
        if self.check_declare(rules).is_ok() {
            answers.push(Action::Declare);
        }
    }

    fn check(&self, rules: &Bite, state: &State, action: Action) -> Result<(), Violation> {
        match (action, action.step()) {
            (_, Some(step)) => muster::check(self, rules, state, step),
            (Action::Target { hex }, _) => self.check_target(rules, state, hex),
            (Action::Declare, _) => self.check_declare(rules),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Bite, state: &mut State, action: Action, play: &mut Play<Event>) {
        match (action, action.step()) {
            (_, Some(step)) => muster::apply::<Bite, Attack>(state, step, play),
            (Action::Target { hex }, _) => {
                if let Some(attack) = state.stack.top_mut::<Attack>() {
                    attack.targets.push(hex);
                }
            }
            _ => self.declare(rules, state, play),
        }
    }

    fn is_sound(&self, rules: &Bite, state: &State, around: Around<'_, Procedure>) -> bool {
        let known = rules.known(state);
        let supply = known.supply(rules, state, acting_side(state));
        let able = |unit: UnitId, hex: Hex| {
            rules.side(unit) == acting_side(state)
                && rules.check_attack(state, supply, unit, hex, self.attackers).is_ok()
        };
        around.on::<Combat>().is_some()
            && around.above.is_empty()
            && !self.attackers.is_empty()
            && !self.targets.is_empty()
            && self.attackers.iter().all(|unit| self.targets.iter().all(|hex| able(unit, hex)))
    }
}

impl Muster<Bite> for Attack {
    const CASES: [Case; 2] = [case("12.2d"), case("12.2b1")];

    fn members(&self) -> Vec<UnitId> {
        self.attackers.iter().collect()
    }

    fn candidates(&self, rules: &Bite, state: &State) -> Vec<UnitId> {
        let near = self.targets.first().into_iter().flat_map(|hex| rules.map.neighbours(hex));
        let mut units: Vec<UnitId> = near.flat_map(|(_, hex)| state.units.in_hex(hex)).collect();
        units.sort();
        units
    }

    fn check_join(&self, rules: &Bite, state: &State, unit: UnitId) -> Result<(), Violation> {
        ensure!("12.0a", rules.side(unit) == acting_side(state), "{} is the enemy's", unit);
        let known = rules.known(state);
        let supply = known.supply(rules, state, acting_side(state));
        for hex in self.targets.iter() {
            rules.check_attack(state, supply, unit, hex, self.attackers)?;
        }
        let mut all = self.attackers;
        all.insert(unit);
        rules.check_apart(all)
    }

    fn set(&mut self, unit: UnitId, joins: bool) {
        self.attackers.set(unit, joins);
    }
}

impl Attack {
    /// Every attacker must be adjacent to every hex attacked (12.2c2).
    fn check_target(&self, rules: &Bite, state: &State, hex: Hex) -> Result<(), Violation> {
        ensure!("12.2c1", !self.targets.contains(hex), "{} is attacked already", hex);
        ensure!("12.2c1", !self.targets.is_full(), "no more hexes can be attacked at once");
        let known = rules.known(state);
        let supply = known.supply(rules, state, acting_side(state));
        for unit in self.attackers.iter() {
            let Some(from) = state.hex(unit) else { return Err(not_asked(state)) };
            ensure!("12.2c2", rules.map.grid().adjacent(from, hex), "{} is not adjacent to {}", unit, hex);
            rules.check_attack(state, supply, unit, hex, self.attackers)?;
        }
        Ok(())
    }

    fn check_declare(&self, rules: &Bite) -> Result<(), Violation> {
        rules.check_caution(self.attackers)
    }

    /// From here on the attack cannot be called off: supply is found, General combats are charged (R44).
    fn declare(&self, rules: &Bite, state: &mut State, play: &mut Play<Event>) {
        let side = acting_side(state);
        play.tell(Event::Declared { units: self.attackers, hexes: self.targets });
        state.units.change_all(|unit| unit.marks.clear(Marks::AGAIN));
        self.attackers.iter().for_each(|unit| state.mark(unit, Marks::ATTACKED));
        state.stack.pop();
        let battle = Battle::of(side, self.targets, self.attackers, false);
        battle.begin(rules, state, play);
        let general = state.battle().map(|battle| battle.general & self.attackers).unwrap_or_default();
        let loose = rules.charge_colours(state, general, play);
        if !loose.is_empty() {
            state.stack.push(Charging { units: loose, charged: rules.colours_of(general) });
        }
    }
}

phrases! {
    /// Independent units in General supply say whose combat this is (8.3h).
    pub struct Charging {
        units: Units,
        /// The colours that this combat is charged to already.
        charged: u16,
    } = "charging", "8.3h", "{units} use up a General combat";
}

impl Frame<Bite> for Charging {
    fn asked(&self, _: &Bite, state: &State) -> (Side, Remark) {
        let unit = self.units.first().unwrap_or(UnitId(0));
        (acting_side(state), remark!("8.3h", "name the HQ whose General combat {} uses up", unit))
    }

    fn answers(&self, rules: &Bite, state: &State, answers: &mut Vec<Action>) {
        let Some(unit) = self.units.first() else { return };
        let hqs = rules.chargeable(state, unit, 0).filter_map(|colour| rules.hq(colour));
        answers.extend(hqs.map(|hq| Action::Charge { hq: hq.unit }));
    }

    fn apply(&self, rules: &Bite, state: &mut State, action: Action, play: &mut Play<Event>) {
        if let Action::Charge { hq } = action
            && let Some(colour) = rules.colour_of_hq(hq)
        {
            self.charge(rules, state, colour, play);
        }
    }

    /// Nobody is asked where this combat is an HQ's already, or where there is one HQ only.
    fn go_on(&self, rules: &Bite, state: &mut State, play: &mut Play<Event>) -> bool {
        let Some(unit) = self.units.first() else {
            state.stack.pop();
            return false;
        };
        if rules.may_charge(state, unit, self.charged) {
            self.next(state);
            return false;
        }
        let choice = {
            let mut hqs = rules.chargeable(state, unit, 0);
            (hqs.next(), hqs.next())
        };
        match choice {
            (Some(colour), None) => self.charge(rules, state, colour, play),
            (Some(_), Some(_)) => return true,
            (None, _) => self.next(state),
        }
        false
    }

    fn is_sound(&self, rules: &Bite, state: &State, around: Around<'_, Procedure>) -> bool {
        let side = acting_side(state);
        around.on::<Battle>().is_some_and(|battle| battle.stage == Stage::Declared)
            && around.above.is_empty()
            && self.units.iter().all(|unit| rules.side(unit) == side)
    }
}

impl Charging {
    fn charge(&self, rules: &Bite, state: &mut State, colour: Colour, play: &mut Play<Event>) {
        state.charged |= 1 << colour.0;
        let hq = rules.hq(colour).map(|hq| hq.unit);
        play.tell(Event::Charged { colour: colour.0, hq });
        if let Some(charging) = state.stack.top_mut::<Charging>() {
            charging.charged |= 1 << colour.0;
        }
        self.next(state);
    }

    fn next(&self, state: &mut State) {
        if let (Some(charging), Some(unit)) = (state.stack.top_mut::<Charging>(), self.units.first()) {
            charging.units.remove(unit);
        }
    }
}

words! {
    /// How far a combat has come (12.4x).
    pub enum Stage: "stage" {
        /// It was declared.
        Declared = "declared",
        /// The defender says which of his independent units draw supply, where there are not enough places (R89).
        Supply = "supply",
        /// The attacker declares his shifts.
        Attacker = "attacker",
        /// The defender declares his.
        Defender = "defender",
        /// The die is rolled next.
        Roll = "roll",
        /// The attacker carries out his part.
        AttackerPart = "attacker-part",
        /// The defender carries out his.
        DefenderPart = "defender-part",
        /// Somebody may advance.
        Advancing = "advancing",
        /// It is over.
        Over = "over",
        /// It is over, and an overrun has come to a halt.
        Halted = "halted",
    }
}

phrases! {
    /// A combat or an overrun, below whatever is being decided in it.
    pub struct Battle {
        side: Side,
        targets: Hexes,
        attackers: Units,
        defenders: Units,
        overrun: bool,
        stage: Stage,
        /// Who of both sides is in Attack supply, and who in General supply, at this instant (8.0c).
        attack: Units,
        general: Units,
        /// Shifts that the attacker and the defender have declined (12.3c2).
        declined: Causes,
        waived: Causes,
        /// Points of HQs and leaders on both sides.
        points: Points,
        air: u8,
        naval: bool,
        /// Who lends its anti-tank guns (12.3.4d1).
        projector: Option<UnitId>,
        /// The hex whose terrain the defender has chosen (12.2c3).
        terrain: Option<board::Hex>,
        /// The hexes that the attackers came from.
        origins: Hexes,
        result: CombatResult,
        /// Who has lost a step in it (12.5b2x), retreated, advanced.
        hurt: Units,
        retreated: Units,
        advanced: Units,
    } = "battle", "12.4x", "{attackers} attack {targets}";
}

impl Frame<Bite> for Battle {
    fn asked(&self, _: &Bite, _: &State) -> (Side, Remark) {
        match self.stage {
            Stage::Supply => (
                self.side.enemy(),
                remark!(
                    "8.1f",
                    "too many independent units: say which draw supply, or let the roster decide"
                ),
            ),
            Stage::Defender => (self.side.enemy(), remark!("12.3c", "declare shifts in defence")),
            _ => (self.side, remark!("12.3c", "declare shifts in attack")),
        }
    }

    fn answers(&self, rules: &Bite, state: &State, answers: &mut Vec<Action>) {
        if self.stage == Stage::Supply {
            self.draws(rules, state, answers);
        } else {
            rules.shift_answers(state, self, answers);
        }
        answers.push(Action::Ready);
    }

    fn check(&self, rules: &Bite, state: &State, action: Action) -> Result<(), Violation> {
        match (self.stage, action) {
            (Stage::Supply, Action::Ready) => Ok(()),
            (Stage::Supply, Action::Draw { unit, hq }) => self.check_draw(rules, state, unit, hq),
            (Stage::Supply, _) => Err(not_asked(state)),
            _ => rules.check_shift(state, self, action),
        }
    }

    fn apply(&self, rules: &Bite, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Ready if self.stage == Stage::Supply => self.supply_defenders(rules, state, play),
            Action::Ready => self.next_stage(state),
            Action::Draw { unit, hq } => rules.draw(state, unit, hq, play),
            _ => rules.declare_shift(state, self, action, play),
        }
    }

    fn go_on(&self, rules: &Bite, state: &mut State, play: &mut Play<Event>) -> bool {
        match self.stage {
            Stage::Declared => self.reveal(rules, state, play),
            Stage::Supply => {
                let known = rules.known(state);
                let supply = known.supply(rules, state, self.side.enemy());
                if rules.is_crowded(state, supply, self.defenders) {
                    return true;
                }
                self.supply_defenders(rules, state, play);
            }
            Stage::Attacker | Stage::Defender => {
                let mut answers = Vec::new();
                rules.shift_answers(state, self, &mut answers);
                if !answers.is_empty() {
                    return true;
                }
                self.next_stage(state);
            }
            Stage::Roll => self.roll(rules, state, play),
            Stage::AttackerPart => {
                self.next_stage(state);
                Taking::begin(rules, state, true, play);
            }
            Stage::DefenderPart => {
                self.next_stage(state);
                Taking::begin(rules, state, false, play);
            }
            Stage::Advancing => {
                self.next_stage(state);
                Advance::offer(rules, state);
            }
            Stage::Over | Stage::Halted => self.end(rules, state, play),
        }
        false
    }

    fn is_sound(&self, rules: &Bite, state: &State, around: Around<'_, Procedure>) -> bool {
        let below =
            if self.overrun { around.on::<Moving>().is_some() } else { around.on::<Combat>().is_some() };
        let own = |unit: UnitId| rules.side(unit) == self.side;
        let near = |unit: UnitId| {
            let beside = |hex: Hex| self.targets.iter().all(|target| rules.map.grid().adjacent(hex, target));
            state.hex(unit).is_some_and(beside)
        };
        let undecided = self.stage > Stage::Roll || self.attackers.iter().all(near);
        let spent = self.points.given().all(|(colour, _)| rules.hq(colour).is_some());
        below
            && self.side == acting_side(state)
            && !self.targets.is_empty()
            && self.attackers.iter().all(own)
            && !self.defenders.iter().any(own)
            && undecided
            && spent
            && (self.projector.is_none_or(|unit| !own(unit)))
            && self.air <= 9
    }
}

impl Battle {
    /// A combat before anything is known of it but who fights where.
    pub(crate) fn of(side: Side, targets: Hexes, attackers: Units, overrun: bool) -> Battle {
        Battle {
            side,
            targets,
            attackers,
            defenders: Units::EMPTY,
            overrun,
            stage: Stage::Declared,
            attack: Units::EMPTY,
            general: Units::EMPTY,
            declined: Causes::default(),
            waived: Causes::default(),
            points: Points::default(),
            air: 0,
            naval: false,
            projector: None,
            terrain: None,
            origins: Hexes::default(),
            result: CombatResult::default(),
            hurt: Units::EMPTY,
            retreated: Units::EMPTY,
            advanced: Units::EMPTY,
        }
    }

    /// Puts it on the stack, with the supply of the attackers as it is now (6.0f2).
    pub(crate) fn begin(mut self, rules: &Bite, state: &mut State, _: &mut Play<Event>) {
        (self.attack, self.general) = rules.take_levels(state, self.side, self.attackers);
        for hex in self.attackers.iter().filter_map(|unit| state.hex(unit)) {
            if !self.origins.contains(hex) {
                self.origins.push(hex);
            }
        }
        state.trails.clear();
        state.stack.push(self);
    }

    fn next_stage(&self, state: &mut State) {
        let next = Stage::ALL.iter().copied().find(|stage| *stage > self.stage).unwrap_or(Stage::Over);
        self.set_stage(state, next);
    }

    fn set_stage(&self, state: &mut State, stage: Stage) {
        if let Some(battle) = state.stack.find_mut::<Battle>() {
            battle.stage = stage;
        }
    }

    /// Untried units are revealed, the attacker's first (16.0c).
    fn reveal(&self, rules: &Bite, state: &mut State, play: &mut Play<Event>) {
        rules.reveal(state, self.attackers, play);
        if self.attackers.iter().all(|unit| rules.attack(state, unit) == 0) {
            play.tell(Event::NoAttack { units: self.attackers });
            self.set_stage(state, Stage::Halted);
            return;
        }
        let defenders: Units = self.targets.iter().flat_map(|hex| state.units.in_hex(hex)).collect();
        rules.reveal(state, defenders, play);
        if !self.overrun {
            defenders.iter().for_each(|unit| state.mark(unit, Marks::DEFENDED));
        }
        if let Some(battle) = state.stack.find_mut::<Battle>() {
            battle.defenders = defenders;
            battle.stage = Stage::Supply;
        }
    }

    /// The places that a defender's independent unit could take with HQs.
    fn draws(&self, rules: &Bite, state: &State, answers: &mut Vec<Action>) {
        for unit in self.defenders.iter() {
            for (_, hq) in rules.hqs_of(self.side.enemy()) {
                if self.check_draw(rules, state, unit, hq.unit).is_ok() {
                    answers.push(Action::Draw { unit, hq: hq.unit });
                }
            }
        }
    }

    fn check_draw(&self, rules: &Bite, state: &State, unit: UnitId, hq: UnitId) -> Result<(), Violation> {
        ensure!("8.1f", self.defenders.contains(unit), "{} is not attacked", unit);
        let known = rules.known(state);
        rules.check_draw(state, known.supply(rules, state, self.side.enemy()), unit, hq)
    }

    /// The supply of the defenders is found (8.0c); those without any strength are gone (12.1e).
    fn supply_defenders(&self, rules: &Bite, state: &mut State, play: &mut Play<Event>) {
        let (attack, general) = rules.take_levels(state, self.side.enemy(), self.defenders);
        if let Some(battle) = state.stack.find_mut::<Battle>() {
            battle.attack = battle.attack | attack;
            battle.general = battle.general | general;
        }
        let none = self.defenders.iter().all(|unit| rules.defence(state, unit) == 0);
        if none {
            play.tell(Event::NoDefence { hexes: self.targets });
            self.defenders.iter().for_each(|unit| rules.eliminate(state, unit, play));
        }
        self.set_stage(state, if none { Stage::Advancing } else { Stage::Attacker });
    }

    /// Tells the account, rolls, and keeps the result (12.4c1).
    fn roll(&self, rules: &Bite, state: &mut State, play: &mut Play<Event>) {
        let account = rules.account(state, self);
        rules.tell_account(state, self, &account, play);
        let column = account.place.column;
        let reads = |die: u32| rules.charts.combat.result(column, die as i32);
        let die = play.roll_on(self.side, 6, "combat", case("12.4c1"), reads);
        let result = reads(die);
        play.tell(Event::Result { result });
        if let Some(battle) = state.stack.find_mut::<Battle>() {
            battle.result = result;
            battle.stage = Stage::AttackerPart;
        }
    }

    /// The attacker's part of the result was anything (12.5x2).
    pub(crate) fn attacker_hit(&self) -> bool {
        !self.result.parts[0].is_nothing()
    }

    /// The defenders had no strength at all and are gone (12.1d, 12.1e).
    pub(crate) fn is_walkover(&self) -> bool {
        self.result == CombatResult::default() && self.stage >= Stage::Advancing
    }

    /// The level of a unit that takes part.
    pub(crate) fn level(&self, unit: UnitId) -> Level {
        if self.attack.contains(unit) {
            Level::Attack
        } else if self.general.contains(unit) {
            Level::General
        } else {
            Level::Out
        }
    }

    /// Forts without a garrison come off (R59), and what comes next is not this combat's.
    fn end(&self, rules: &Bite, state: &mut State, play: &mut Play<Event>) {
        state.stack.pop();
        state.trails.clear();
        for hex in self.targets.iter().chain(self.origins.iter()) {
            rules.lift_fort(state, hex, play);
        }
        rules.lift_empty_forts(state, play);
        if self.overrun {
            overrun::finish(rules, state, self, play);
        }
    }
}

impl Bite {
    /// The heaviest attack that the enemy could make on a hex with the units that are next to it, if it were his Combat phase
    /// now: all of them, with every point of their HQs and leaders. Nothing where a die would decide who fights (16.0c).
    pub(crate) fn heaviest_attack(&self, state: &State, hex: Hex) -> Option<(State, Vec<Action>)> {
        let side = self.holder(state, hex)?.enemy();
        let mut start = state.clone();
        start.units.change_all(|unit| unit.marks.expire(Lasts::Phase));
        (start.charged, start.used) = (0, Points::default());
        start.trails.clear();
        start.stack.clear();
        start.stack.push(Combat { side });
        let near =
            self.map.neighbours(hex).flat_map(|(_, from)| start.units.in_hex(from)).collect::<Vec<_>>();
        let untried = |unit: &UnitId| start.marked(*unit, Marks::UNTRIED);
        if near.iter().any(untried) || start.units.in_hex(hex).any(|unit| untried(&unit)) {
            return None;
        }
        let (mut then, mut actions) = (start.clone(), Vec::new());
        for unit in near {
            let action = if actions.is_empty() { Action::Name { unit, hex } } else { Action::Join { unit } };
            self.try_action(&mut then, &mut actions, action);
        }
        if !self.try_action(&mut then, &mut actions, Action::Declare) {
            return None;
        }
        while let Some(battle) = then.stack.top::<Battle>().copied() {
            if battle.stage == Stage::Supply {
                self.try_action(&mut then, &mut actions, Action::Ready);
                continue;
            }
            let helps = |hq: UnitId| [Action::Support { hq }, Action::Lead { hq }];
            let mut help = self.hqs_of(side).flat_map(|(_, hq)| helps(hq.unit));
            let attacks = battle.stage == Stage::Attacker;
            if attacks && help.any(|action| self.try_action(&mut then, &mut actions, action)) {
                continue;
            }
            // The last answer rolls the die: whoever weighs the attack carries it out.
            actions.push(Action::Ready);
            battle.next_stage(&mut then);
            let mut answers = Vec::new();
            if let Some(next) = then.battle() {
                self.shift_answers(&then, next, &mut answers);
            }
            if !attacks || answers.is_empty() {
                break;
            }
        }
        Some((start, actions))
    }

    /// Does something that needs no die, if it is allowed.
    fn try_action(&self, state: &mut State, actions: &mut Vec<Action>, action: Action) -> bool {
        let allowed = self.check(state, action).is_ok();
        if allowed {
            self.apply(state, action, &mut Play::new(engine::Dice::told([1; 4])));
            actions.push(action);
        }
        allowed
    }
}

impl State {
    pub(crate) fn battle(&self) -> Option<&Battle> {
        self.stack.find::<Battle>()
    }
}

impl Bite {
    /// Whether a unit may attack a hex in this phase, alone or with others.
    pub(crate) fn check_attack(
        &self,
        state: &State,
        supply: &SupplyMap,
        unit: UnitId,
        hex: Hex,
        with: Units,
    ) -> Result<(), Violation> {
        let Some(from) = state.hex(unit) else { refuse!("12.0b", "{} is not on the map", unit) };
        ensure!("12.1x2", self.map.grid().adjacent(from, hex), "{} is not adjacent to {}", unit, hex);
        ensure!(
            "12.0c",
            self.ground.open_sides.between(from, hex),
            "water lies between {} and {}",
            from,
            hex
        );
        let enemy = self.holder(state, hex) == Some(self.side(unit).enemy());
        ensure!("12.0b", enemy, "no enemy unit is in {}", hex);
        ensure!("3.2q", self.can_attack(state, unit), "{} has no attack strength", unit);
        let again = state.marked(unit, Marks::AGAIN);
        ensure!(
            "12.1c1",
            again || !state.marked(unit, Marks::ATTACKED),
            "{} has attacked in this phase",
            unit
        );
        ensure!(
            "12.7d1",
            again || !state.marked(unit, Marks::ADVANCED),
            "{} has advanced in this phase",
            unit
        );
        let attacked = state.units.in_hex(hex).any(|unit| state.marked(unit, Marks::DEFENDED));
        ensure!("12.1c2", !attacked, "a unit in {} was attacked in this phase", hex);
        let advanced = state.units.in_hex(hex).any(|unit| state.marked(unit, Marks::ADVANCED));
        ensure!("12.7d2", !advanced, "a unit in {} has advanced in this phase", hex);
        match self.level(state, supply, unit) {
            Level::Out => refuse!("8.2c1", "{} is out of supply", unit),
            Level::General => self.check_charge(state, unit, with),
            Level::Attack => Ok(()),
        }
    }

    /// A unit in General supply needs a General combat that was not made yet (8.3g).
    fn check_charge(&self, state: &State, unit: UnitId, with: Units) -> Result<(), Violation> {
        let shared = self.colours_of(with);
        let open = match self.counter(unit).colour {
            Some(colour) => state.charged >> colour.0 & 1 == 0,
            None => self.may_charge(state, unit, shared) || self.chargeable(state, unit, 0).next().is_some(),
        };
        ensure!("8.3g", open, "{} is in General supply, and the one General combat of its HQ was made", unit);
        Ok(())
    }

    /// The colours of units, a bit each.
    fn colours_of(&self, units: Units) -> u16 {
        units.iter().filter_map(|unit| self.counter(unit).colour).fold(0, |all, colour| all | 1 << colour.0)
    }

    /// One of the HQs that an independent unit could name is among these.
    fn may_charge(&self, state: &State, unit: UnitId, colours: u16) -> bool {
        self.chargeable(state, unit, colours).any(|colour| colours >> colour.0 & 1 == 1)
    }

    /// The HQs that an independent unit in General supply could name: those on the map that are not charged (or are charged to
    /// this very combat, `sharing`); for Soviet units only those that they draw from (R13, R82).
    fn chargeable<'a>(
        &'a self,
        state: &'a State,
        unit: UnitId,
        sharing: u16,
    ) -> impl Iterator<Item = Colour> + 'a {
        let side = self.side(unit);
        let traces = side == Side::Soviet && !self.counter(unit).local;
        let draws = || self.level_and_hq(state, self.known(state).supply(self, state, side), unit).1;
        let drawn = if traces { draws() } else { None };
        (0..COLOURS as u8).map(Colour).filter(move |colour| {
            let on_map =
                self.hq(*colour).is_some_and(|hq| self.side(hq.unit) == side && state.hex(hq.unit).is_some());
            let free = (state.charged & !sharing) >> colour.0 & 1 == 0;
            on_map && free && drawn.is_none_or(|drawn| drawn == *colour)
        })
    }

    /// Charges the colours of units in General supply; the independent ones among them are left (8.3g).
    fn charge_colours(&self, state: &mut State, general: Units, play: &mut Play<Event>) -> Units {
        let colours = self.colours_of(general);
        for colour in (0..COLOURS as u8).filter(|colour| colours >> colour & 1 == 1) {
            state.charged |= 1 << colour;
            let hq = self.hq(Colour(colour)).map(|hq| hq.unit);
            play.tell(Event::Charged { colour, hq });
        }
        general.filter(|unit| self.counter(unit).colour.is_none())
    }

    /// Some nations attack only in company (rad.22.6a).
    pub(crate) fn check_caution(&self, units: Units) -> Result<(), Violation> {
        let Some((nation, with)) = &self.settings.special.caution else { return Ok(()) };
        let of = |name: &str| units.iter().any(|unit| self.counter(unit).nation == name);
        ensure!("rad.22.6a", !of(nation) || of(with), "these allies attack only together with a German unit");
        Ok(())
    }

    /// Some nations do not fight side by side (uma.22.7b).
    pub(crate) fn check_apart(&self, units: Units) -> Result<(), Violation> {
        ensure!("uma.22.7b", !self.quarrels(units.iter()), "these two allies do not attack together");
        Ok(())
    }
}
