//! 9: combat, from the first attacker named to the result on the table.

use board::{Dir, Hex};
use engine::display;
use engine::frame::Around;
use engine::muster::{self, Muster, Musters};
use engine::{
    Case, Frame, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, refuse, remark, words,
};

use crate::charts::Kind;
use crate::sequence::{self, acting, not_asked, phase};
use crate::supply::hexes_of;
use crate::{
    Action, Arm, CombatResult, Event, HexSet, How, Level, Marks, Ocs, Off, Phase, Procedure, State, Strength,
    Units,
};

phrases! {
    /// A Combat Segment (9.0a).
    pub struct Combat { side: Side, phase: Phase } = "combat", "9.0a", "{side} combat: {phase}";
}

impl Frame<Ocs> for Combat {
    fn asked(&self, _: &Ocs, _: &State) -> (Side, Remark) {
        (self.side, remark!("9.1b", "attack, or end the combat segment"))
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        self.attacks(rules, state, |unit, hex| {
            answers.push(Action::Name { unit, hex });
            false
        });
        answers.push(Action::End);
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Name { unit, hex } => {
                let supplied = rules.in_combat_supply(state, self.side);
                rules.check_attack(state, *self, unit, hex, &supplied)?;
                Attack { hex, attackers: Units::of(unit) }.check_tokens(rules, state, How::Plain)
            }
            Action::End => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Name { unit, hex } => state.stack.push(Attack { hex, attackers: Units::of(unit) }),
            _ => sequence::proceed(rules, state, play),
        }
    }

    /// Nobody is asked who can attack nobody.
    fn go_on(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        let asks = self.attacks(rules, state, |_, _| true);
        if !asks {
            sequence::proceed(rules, state, play);
        }
        asks
    }

    fn is_sound(&self, _: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost()
            && state.first.is_some()
            && matches!(self.phase, Phase::Reaction | Phase::Combat | Phase::Exploitation)
    }

    fn phase(&self, _: &Ocs, _: &State) -> Option<display::Phase> {
        Some(phase(self.side, self.phase))
    }
}

impl Combat {
    /// Visits every unit with a hex that it may attack, until `visit` says that is enough; true when it did.
    fn attacks(&self, rules: &Ocs, state: &State, mut visit: impl FnMut(UnitId, Hex) -> bool) -> bool {
        let near = rules.near_enemies(state, self.side);
        let front = state.held(self.side).intersection(near);
        if front.is_empty() {
            return false;
        }
        let supplied = rules.in_combat_supply(state, self.side);
        for from in front.iter() {
            for unit in rules.units_in(state, from, self.side) {
                for (_, hex) in rules.map.neighbours(from) {
                    let able = rules.check_attack(state, *self, unit, hex, &supplied).is_ok()
                        && Attack { hex, attackers: Units::of(unit) }
                            .check_tokens(rules, state, How::Plain)
                            .is_ok();
                    if able && visit(unit, hex) {
                        return true;
                    }
                }
            }
        }
        false
    }
}

phrases! {
    /// An attack is being put together (9.1c.c).
    pub struct Attack { hex: Hex, attackers: Units } = "attack", "9.0c", "{attackers} attack {hex}";
}

impl Frame<Ocs> for Attack {
    fn asked(&self, _: &Ocs, state: &State) -> (Side, Remark) {
        (acting(state).0, remark!("9.1c.c", "add units to the attack, declare it, or call it off"))
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        muster::answers(self, rules, state, answers);
        for how in [How::Plain, How::AllCosts] {
            if self.check_tokens(rules, state, how).is_ok() {
                answers.push(Action::Declare { how });
            }
        }
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        match (action, action.step()) {
            (_, Some(step)) => muster::check(self, rules, state, step),
            (Action::Declare { how }, _) => self.check_tokens(rules, state, how),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        match (action, action.step()) {
            (_, Some(step)) => muster::apply::<Ocs, Attack>(state, step, play),
            (Action::Declare { how }, _) => self.declare(rules, state, how, play),
            _ => {}
        }
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let Some(below) = around.on::<Combat>() else { return false };
        let supplied = rules.in_combat_supply(state, below.side);
        let able = |unit| rules.check_attack(state, *below, unit, self.hex, &supplied).is_ok();
        around.above.is_empty() && !self.attackers.is_empty() && self.attackers.iter().all(able)
    }
}

impl Muster<Ocs> for Attack {
    const CASES: [Case; 2] = [case("9.1c.a"), case("9.1c.c")];

    fn members(&self) -> Vec<UnitId> {
        self.attackers.iter().collect()
    }

    fn candidates(&self, rules: &Ocs, state: &State) -> Vec<UnitId> {
        let near = rules.map.neighbours(self.hex);
        let mut units: Vec<UnitId> = near.flat_map(|(_, hex)| state.units.in_hex(hex)).collect();
        units.sort();
        units
    }

    fn check_join(&self, rules: &Ocs, state: &State, unit: UnitId) -> Result<(), Violation> {
        let Some(Procedure::Combat(combat)) = state.stack.first() else { return Err(not_asked(state)) };
        let supplied = rules.in_combat_supply(state, combat.side);
        rules.check_attack(state, *combat, unit, self.hex, &supplied)
    }

    fn set(&mut self, unit: UnitId, joins: bool) {
        self.attackers.set(unit, joins);
    }
}

impl Attack {
    /// The combat supply of the whole attack must be there (9.5a.b, 9.8a).
    fn check_tokens(&self, rules: &Ocs, state: &State, how: How) -> Result<(), Violation> {
        rules.check_how(how)?;
        let Some(first) = self.attackers.first() else { return Err(not_asked(state)) };
        rules.check_tokens(state, rules.side(first), self.attackers, how)
    }

    fn declare(&self, rules: &Ocs, state: &mut State, how: How, play: &mut Play<Event>) {
        let Some(side) = self.attackers.first().map(|unit| rules.side(unit)) else { return };
        play.tell(Event::Declared { units: self.attackers, hex: self.hex, how });
        for unit in self.attackers.iter() {
            state.mark(unit, Marks::ATTACKED);
        }
        let defenders: Vec<UnitId> = rules.units_in(state, self.hex, side.enemy()).collect();
        for unit in defenders {
            state.mark(unit, Marks::DEFENDED);
        }
        state.stack.replace(Battle::new(self.hex, self.attackers, false, how));
    }
}

impl Ocs {
    /// An attack is plain or at all costs (9.8).
    pub(crate) fn check_how(&self, how: How) -> Result<(), Violation> {
        match how {
            How::Plain => Ok(()),
            How::AllCosts => {
                let off = self.settings.is_off(Off::AllCosts);
                ensure!("9.8", !off, "there are no attacks at all costs in this scenario");
                Ok(())
            }
            _ => refuse!("9.8", "an attack is plain or at all costs"),
        }
    }

    /// What an attack costs: by its REs, and twice at all costs (9.5a.a, 9.8a, R49).
    pub(crate) fn attack_tokens(&self, state: &State, attackers: Units, how: How) -> u8 {
        let more = self.height(state, attackers.iter()) > 4;
        let tokens = self.charts.supply.attack[usize::from(more)];
        if how == How::AllCosts { tokens * 2 } else { tokens }
    }

    pub(crate) fn check_tokens(
        &self,
        state: &State,
        side: Side,
        attackers: Units,
        how: How,
    ) -> Result<(), Violation> {
        let needed = self.attack_tokens(state, attackers, how);
        let there = self.tokens_for(state, side, &hexes_of(state, attackers));
        ensure!("9.5a.b", there >= u16::from(needed), "the attack needs {}T and can draw {}T", needed, there);
        Ok(())
    }

    /// Whether a unit may attack a hex in a Combat Segment, alone or with others (9.1).
    pub(crate) fn check_attack(
        &self,
        state: &State,
        combat: Combat,
        unit: UnitId,
        hex: Hex,
        supplied: &HexSet,
    ) -> Result<(), Violation> {
        ensure!("9.1a.a", self.side(unit) == combat.side, "{} is the enemy's", unit);
        let Some(from) = state.hex(unit) else { refuse!("9.0a", "{} is not on the map", unit) };
        self.check_acts(state, unit, combat.phase)?;
        self.check_attacker(state, unit)?;
        ensure!("9.1c.a", !state.marked(unit, Marks::ATTACKED), "{} has attacked in this phase", unit);
        ensure!("9.0a", self.map.grid().adjacent(from, hex), "{} is not adjacent to {}", unit, hex);
        let enemy = combat.side.enemy();
        ensure!("9.0a", state.held(enemy).contains(hex), "no enemy unit is in {}", hex);
        let defended = self.units_in(state, hex, enemy).any(|unit| state.marked(unit, Marks::DEFENDED));
        ensure!("9.1c.b", !defended, "{} was attacked in this phase", hex);
        ensure!("9.5b.a", supplied.contains(from), "{} cannot trace combat supply", unit);
        Ok(())
    }

    /// Whether a unit can attack at all, in combat or overrun (9.1e, 3.1c).
    pub(crate) fn check_attacker(&self, state: &State, unit: UnitId) -> Result<(), Violation> {
        let counter = self.counter(unit);
        match counter.kind {
            Kind::Unit => {}
            Kind::Hq => refuse!("9.16e.a", "{} is an HQ and never attacks", unit),
            _ => refuse!("4.8", "{} is no ground combat unit", unit),
        }
        ensure!("12.4c.a", !counter.is_artillery(), "{} attacks by barrage only", unit);
        ensure!("3.1c", !counter.parenthesized, "the strength of {} is for defence only", unit);
        ensure!("12.3f.b", counter.arm != Arm::RailRepair, "{} does not attack", unit);
        ensure!("5.8b.e", !state.marked(unit, Marks::STRATEGIC), "{} is in Strategic Move Mode", unit);
        ensure!("9.1e", !state.marked(unit, Marks::RESERVE), "{} is in Reserve Mode", unit);
        let able = self.level(state, unit) != Level::None;
        ensure!("9.1e", able, "{} is in No Supply", unit);
        Ok(())
    }
}

words! {
    /// How far a combat has come (9.2, R6, R30).
    pub enum Stage: "stage" {
        /// The attacker pays.
        Pay = "pay",
        /// The defender pays.
        Answer = "answer",
        /// The attacker names the unit whose action rating counts.
        Rate = "rate",
        /// The defender does.
        RateAgainst = "rate-against",
        /// Surprise is rolled for.
        Surprise = "surprise",
        /// The target of an overrun may answer with a barrage.
        Barrage = "barrage",
        /// The dice.
        Resolve = "resolve",
        /// The attacker's losses.
        AttackerLoss = "attacker-loss",
        /// The defender's losses.
        DefenderLoss = "defender-loss",
        /// The defender is disorganized.
        Disorganize = "disorganize",
        /// The attacker's option.
        AttackerOption = "attacker-option",
        /// The defender's option.
        DefenderOption = "defender-option",
        /// The attacker advances.
        Advance = "advance",
        /// The attacker marks units for exploitation.
        Exploit = "exploit",
    }
}

/// The order of a regular combat, of an overrun with surprise, and of one without (9.2, R6).
const FRONT: [&[Stage]; 3] = [
    &[Stage::Pay, Stage::Answer, Stage::Rate, Stage::RateAgainst, Stage::Surprise],
    &[Stage::Rate, Stage::RateAgainst, Stage::Surprise, Stage::Barrage, Stage::Pay, Stage::Answer],
    &[Stage::Barrage, Stage::Pay, Stage::Answer, Stage::Rate, Stage::RateAgainst],
];

/// What follows in every combat (R30).
const BACK: &[Stage] = &[
    Stage::Resolve,
    Stage::AttackerLoss,
    Stage::DefenderLoss,
    Stage::Disorganize,
    Stage::AttackerOption,
    Stage::DefenderOption,
    Stage::Advance,
    Stage::Exploit,
];

phrases! {
    /// A combat under way.
    pub struct Battle {
        hex: Hex,
        attackers: Units,
        overrun: bool,
        how: How,
        stage: Stage,
        /// The units whose action ratings count.
        rated: Option<UnitId>,
        against: Option<UnitId>,
        /// Columns to the right for surprise.
        shift: i8,
        /// The defender has no combat supply.
        short: bool,
        result: CombatResult,
        /// The directions from which the hex is attacked, a bit each.
        fronts: u8,
        /// Units that have lost a step.
        hit: Units,
        /// The attacker has retreated.
        retreated: bool,
    } = "battle", "9.0c", "{attackers} against {hex}";
}

impl Frame<Ocs> for Battle {
    fn asked(&self, rules: &Ocs, _: &State) -> (Side, Remark) {
        let attacker = self.side(rules);
        match self.stage {
            Stage::Rate => (attacker, remark!("9.9a", "name the unit whose action rating counts")),
            Stage::RateAgainst => {
                (attacker.enemy(), remark!("9.9a", "name the unit whose action rating counts"))
            }
            Stage::AttackerOption => (
                attacker,
                remark!("9.11.b", "an option of {}: hexes of retreat", self.result.attacker.option),
            ),
            _ => (
                attacker.enemy(),
                remark!("9.11.b", "an option of {}: hexes of retreat", self.result.defender.option),
            ),
        }
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        match self.stage {
            Stage::Rate | Stage::RateAgainst => {
                answers.extend(self.raters(rules, state).iter().map(|unit| Action::Rate { unit }));
            }
            Stage::AttackerOption | Stage::DefenderOption => self.yields(rules, state, answers),
            _ => {}
        }
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Rate { unit } => self.rate(rules, state, unit, play),
            Action::Yield { hexes } => self.take_option(rules, state, hexes),
            _ => self.go_to_next(rules, state),
        }
    }

    fn go_on(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        match self.stage {
            Stage::Rate | Stage::RateAgainst => return self.go_on_rating(rules, state, play),
            Stage::AttackerOption | Stage::DefenderOption => return self.go_on_option(rules, state),
            Stage::Resolve => self.resolve(rules, state, play),
            _ => {
                self.go_to_next(rules, state);
                self.carry_out(rules, state, play);
            }
        }
        false
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let below = if self.overrun {
            around.on::<crate::Moving>().is_some()
        } else {
            around.on::<Combat>().is_some()
        };
        let side = acting(state).0;
        below
            && !self.attackers.is_empty()
            && self.attackers.iter().all(|unit| rules.side(unit) == side && rules.is_unit(unit))
            && (self.asks() || !around.above.is_empty())
            && self.is_consistent(rules, state)
    }
}

impl Battle {
    pub(crate) fn new(hex: Hex, attackers: Units, overrun: bool, how: How) -> Battle {
        Battle {
            hex,
            attackers,
            overrun,
            how,
            stage: Stage::Pay,
            rated: None,
            against: None,
            shift: 0,
            short: false,
            result: CombatResult::default(),
            fronts: 0,
            hit: Units::EMPTY,
            retreated: false,
        }
    }

    /// At its first stage.
    pub(crate) fn begun(self, rules: &Ocs) -> Battle {
        Battle { stage: self.order(rules)[0], ..self }
    }

    fn asks(&self) -> bool {
        matches!(self.stage, Stage::Rate | Stage::RateAgainst | Stage::AttackerOption | Stage::DefenderOption)
    }

    /// What a situation must not get wrong: who is asked can answer.
    fn is_consistent(&self, rules: &Ocs, state: &State) -> bool {
        let defenders = self.defenders(rules, state);
        let own = |unit: Option<UnitId>, side| unit.is_none_or(|unit| rules.side(unit) == side);
        let past_rating = BACK.contains(&self.stage);
        let near = |unit: UnitId| {
            past_rating || state.hex(unit).is_some_and(|hex| rules.map.grid().adjacent(hex, self.hex))
        };
        own(self.rated, self.side(rules))
            && own(self.against, self.side(rules).enemy())
            && (past_rating || !defenders.is_empty())
            && self.attackers.iter().all(near)
            && (self.result.attacker.option <= 9 && self.result.defender.option <= 9)
            && (self.stage != Stage::AttackerOption || !self.alive(state).is_empty())
            && (self.stage != Stage::DefenderOption || !defenders.is_empty())
    }

    pub(crate) fn side(&self, rules: &Ocs) -> Side {
        self.attackers.first().map_or(Side::Axis, |unit| rules.side(unit))
    }

    fn order(&self, rules: &Ocs) -> &'static [Stage] {
        match (self.overrun, rules.switches.surprise) {
            (false, _) => FRONT[0],
            (true, true) => FRONT[1],
            (true, false) => FRONT[2],
        }
    }

    /// The stage after this one; nothing after the last.
    fn next(&self, rules: &Ocs) -> Option<Stage> {
        let all = || self.order(rules).iter().chain(BACK);
        all().position(|stage| *stage == self.stage).and_then(|place| all().nth(place + 1)).copied()
    }

    pub(crate) fn go_to_next(&self, rules: &Ocs, state: &mut State) {
        let next = self.next(rules);
        match (state.stack.top_mut::<Battle>(), next) {
            (Some(battle), Some(next)) => battle.stage = next,
            _ => {
                state.stack.pop();
            }
        }
    }

    /// Attackers that still live, wherever they are.
    pub(crate) fn alive(&self, state: &State) -> Units {
        self.attackers.filter(|unit| state.hex(unit).is_some())
    }

    pub(crate) fn defenders(&self, rules: &Ocs, state: &State) -> Units {
        rules.units_in(state, self.hex, self.side(rules).enemy()).collect()
    }

    /// What needs no decision in a stage, or has one in a frame of its own. The battle itself is at the next stage already.
    fn carry_out(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
        let side = self.side(rules);
        match self.stage {
            Stage::Pay => {
                let tokens = rules.attack_tokens(state, self.alive(state), self.how);
                rules.charge(state, side, tokens, self.alive(state));
            }
            Stage::Answer => self.answer(rules, state, play),
            Stage::Surprise => self.surprise(rules, state, play),
            Stage::Barrage => self.offer_barrage(rules, state, play),
            Stage::AttackerLoss => self.take_losses(rules, state, side, self.result.attacker.loss),
            Stage::DefenderLoss => self.take_losses(rules, state, side.enemy(), self.result.defender.loss),
            Stage::Disorganize => self.disorganize(rules, state, play),
            Stage::Advance => self.advance(rules, state, play),
            Stage::Exploit => self.exploit(rules, state),
            _ => {}
        }
    }

    /// The defender pays if he can; if he cannot he is halved (9.5a.c, 9.5a.d).
    fn answer(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
        let (side, defenders) = (self.side(rules).enemy(), self.defenders(rules, state));
        let more = rules.height(state, defenders.iter()) > 4;
        let tokens = rules.charts.supply.defence[usize::from(more)];
        if rules.tokens_for(state, side, &HexSet::of(self.hex)) >= u16::from(tokens.max(1)) {
            rules.charge(state, side, tokens, defenders);
            return;
        }
        play.tell(Event::Short { side });
        if let Some(battle) = state.stack.find_mut::<Battle>() {
            battle.short = true;
        }
    }

    fn raters(&self, rules: &Ocs, state: &State) -> Units {
        match self.stage {
            Stage::Rate => self.alive(state),
            _ => self.defenders(rules, state),
        }
    }

    fn go_on_rating(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        let raters = self.raters(rules, state);
        match raters.first() {
            Some(unit) if raters.len() == 1 => self.rate(rules, state, unit, play),
            Some(_) => return true,
            None => self.go_to_next(rules, state),
        }
        false
    }

    fn rate(&self, rules: &Ocs, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        play.tell(Event::Rated { unit, rating: rules.rating(state, unit) });
        if let Some(battle) = state.stack.top_mut::<Battle>() {
            match self.stage {
                Stage::Rate => battle.rated = Some(unit),
                _ => battle.against = Some(unit),
            }
        }
        self.go_to_next(rules, state);
    }

    /// The attacker's action rating less the defender's (9.9b).
    fn net_rating(&self, rules: &Ocs, state: &State) -> i8 {
        let rating = |unit: Option<UnitId>| unit.map_or(0, |unit| rules.rating(state, unit)) as i8;
        rating(self.rated) - rating(self.against)
    }

    /// Two dice and the net action rating: surprise shifts the column by a die (9.17).
    fn surprise(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
        if !rules.switches.surprise {
            return;
        }
        let side = self.side(rules);
        let roll = play.roll_sum(side, 2, 6, "surprise", case("9.17a")) as i32;
        let total = roll + i32::from(self.net_rating(rules, state));
        let (attacking, defending) = if self.overrun { (11, 3) } else { (12, 2) };
        let (gains, sign) = match total {
            total if total >= attacking => (side, 1),
            total if total <= defending => (side.enemy(), -1),
            _ => return,
        };
        let columns = play.roll(gains, 6, "surprise shift", case("9.17b")) as u8;
        play.tell(Event::Surprise { side: gains, columns });
        if let Some(battle) = state.stack.find_mut::<Battle>() {
            battle.shift = sign * columns as i8;
        }
    }

    /// Strengths, odds, modifiers and dice (9.7 to 9.10), all told.
    fn resolve(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) {
        let attack: Strength = self
            .alive(state)
            .iter()
            .map(|unit| {
                let strength = rules.attack_strength(state, unit, self.hex);
                play.tell(Event::AttackStrength { unit, strength });
                strength
            })
            .sum();
        let defence: Strength = self
            .defenders(rules, state)
            .iter()
            .map(|unit| {
                let strength = rules.defence_strength(state, unit, self.hex, self.short);
                play.tell(Event::DefenceStrength { unit, strength });
                strength
            })
            .sum();
        let table = &rules.charts.combat;
        let ground = rules.terrain.class(&rules.map, &rules.charts, self.hex);
        let first = table.column(ground, attack, defence);
        play.tell(Event::Odds { attack, defence, ground, column: table.heading(ground, first) });
        let column = table.shifted(first, self.shift);
        play.tell(Event::ColumnFound { column: table.heading(ground, column) });
        let (rating, hedgehog) = (self.net_rating(rules, state), -(state.hedgehog(self.hex) as i8));
        let total = rating + hedgehog;
        play.tell(Event::Modifier { rating, hedgehog, total });
        let result = self.roll(rules, column, i32::from(total), play);
        let fronts = self.fronts(rules, state);
        if let Some(battle) = state.stack.top_mut::<Battle>() {
            battle.result = result;
            battle.fronts = fronts;
        }
        self.go_to_next(rules, state);
    }

    /// Two dice; at all costs twice, the second time with -4, and both results together (9.8).
    fn roll(&self, rules: &Ocs, column: usize, modifier: i32, play: &mut Play<Event>) -> CombatResult {
        let side = self.side(rules);
        let mut once = |purpose, modifier: i32| {
            let roll = play.roll_sum(side, 2, 6, purpose, case("9.10")) as i32;
            let result = rules.charts.combat.result(column, roll + modifier);
            play.tell(Event::Result { result });
            result
        };
        let first = once("combat", modifier);
        if self.how != How::AllCosts {
            return first;
        }
        let result = first.and(once("combat, again", modifier - 4));
        play.tell(Event::Together { result });
        result
    }

    /// The directions from which the hex is attacked, a bit each.
    fn fronts(&self, rules: &Ocs, state: &State) -> u8 {
        let from = |unit| rules.map.grid().dir_between(self.hex, state.hex(unit)?);
        self.alive(state).iter().filter_map(from).fold(0, |fronts, dir: Dir| fronts | 1 << dir.index())
    }
}
