//! 7.5.1: the Combat Action, its odds and modifiers.

use arrayvec::ArrayVec;
use board::Hex;
use engine::frame::Around;
use engine::mark::Lasts;
use engine::muster::{self, Muster, Musters};
use engine::{
    Case, Frame, OddsLine, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, refuse, remark,
};

use crate::actions::Desk;
use crate::charts::{CombatResult, Part};
use crate::ground::Between;
use crate::sequence::not_asked;
use crate::{
    Action, Activation, AttackKind, Blow, Bonus, Bug, Cause, ColumnOdds, Event, Hits, Presence, Procedure,
    State, Units,
};

/// The result of odds below the table (7.5.1.2c, R52).
pub(crate) const HOPELESS: CombatResult =
    CombatResult { attacker: 5, attacker_red: false, defender: 0, defender_red: false };

/// What German attacks over the two bridges suffer on turn 1 (10.1a).
const BRANDENBURG_DRM: i8 = -2;
const BRANDENBURG_TANKS: Part = Part { over: 1, under: 2 };

phrases! {
    /// An attack is being put together.
    pub struct Attack { target: Hex, attackers: Units } = "attack", "7.5.1a", "{attackers} attack {target}";
}

impl Frame<Bug> for Attack {
    fn asked(&self, rules: &Bug, _: &State) -> (Side, Remark) {
        let prompt = remark!("7.5.1a", "add units of the stack to the attack, declare it, or call it off");
        (rules.side_of_all(self.attackers), prompt)
    }

    fn answers(&self, rules: &Bug, state: &State, answers: &mut Vec<Action>) {
        muster::answers(self, rules, state, answers);
        let Some(desk) = Desk::of(rules, state) else { return };
        let kinds = AttackKind::ALL.iter().copied();
        let open = kinds.filter(|kind| desk.check_attack(self.attackers, self.target, *kind).is_ok());
        answers.extend(open.map(|kind| Action::Declare { kind }));
    }

    fn check(&self, rules: &Bug, state: &State, action: Action) -> Result<(), Violation> {
        match (action, action.step()) {
            (_, Some(step)) => muster::check(self, rules, state, step),
            (Action::Declare { kind }, _) => self.check_by(rules, state, self.attackers, kind),
            _ => Err(not_asked(state, action)),
        }
    }

    /// Once it is declared there is no way back.
    fn apply(&self, rules: &Bug, state: &mut State, action: Action, play: &mut Play<Event>) {
        match (action, action.step()) {
            (_, Some(step)) => muster::apply::<Bug, Attack>(state, step, play),
            (Action::Declare { kind }, _) => {
                state.stack.pop();
                rules.begin_stack_action(state, self.attackers, Some((self.target, kind)), play);
            }
            _ => {}
        }
    }

    fn is_sound(&self, rules: &Bug, state: &State, around: Around<'_, Procedure>) -> bool {
        (around.on::<Activation>().is_some() || around.on::<Bonus>().is_some())
            && around.above.is_empty()
            && self.check_by(rules, state, self.attackers, AttackKind::Hasty).is_ok()
    }
}

impl Muster<Bug> for Attack {
    const CASES: [Case; 2] = [case("7.1a"), case("7.1a")];

    fn members(&self) -> Vec<UnitId> {
        self.attackers.iter().collect()
    }

    /// Whoever is in the same hex (7.1a).
    fn candidates(&self, rules: &Bug, state: &State) -> Vec<UnitId> {
        let from = self.attackers.first().and_then(|unit| state.hex(unit));
        from.map_or_else(Vec::new, |from| rules.combat_units(state, from).iter().collect())
    }

    fn check_join(&self, rules: &Bug, state: &State, unit: UnitId) -> Result<(), Violation> {
        let mut attackers = self.attackers;
        attackers.insert(unit);
        self.check_by(rules, state, attackers, AttackKind::Hasty)
    }

    fn set(&mut self, unit: UnitId, joins: bool) {
        self.attackers.set(unit, joins);
    }
}

impl Attack {
    fn check_by(&self, rules: &Bug, state: &State, units: Units, kind: AttackKind) -> Result<(), Violation> {
        let Some(desk) = Desk::of(rules, state) else { refuse!("7.2a", "nobody acts now") };
        desk.check_attack(units, self.target, kind).map(|_| ())
    }
}

phrases! {
    /// A combat under way. A bonus Action begins when it is over (R79).
    pub struct Battle {
        kind: AttackKind,
        from: Hex,
        target: Hex,
        attackers: Units,
        defenders: Units,
        /// Who stands for armor on each side: several until the owner has chosen.
        attacker_armor: Units,
        defender_armor: Units,
        /// What Armor Superiority gives the attacker.
        armor: i8,
        /// The column from 1, and all modifiers together, once the chits are drawn.
        column: i8,
        modifier: i8,
        attacker_hits: u8,
        attacker_red: bool,
        defender_hits: u8,
        defender_red: bool,
    } = "battle", "7.5.1a", "{attackers} attack {target}";
}

impl Frame<Bug> for Battle {
    fn is_sound(&self, rules: &Bug, state: &State, around: Around<'_, Procedure>) -> bool {
        let side = self.attacker(rules);
        let of = |units: Units, side: Side| {
            !units.is_empty() && units.iter().all(|unit| rules.side(unit) == side && !rules.is_hq(unit))
        };
        let there = |units: Units, hex: Hex| units.iter().all(|unit| state.hex(unit) == Some(hex));
        let waiting = around.under::<Fight>().is_some();
        let fought = around.under::<Die>().is_some() || around.under::<Hits>().is_some();
        of(self.attackers, side)
            && of(self.defenders, side.enemy())
            && rules.map.grid().adjacent(self.from, self.target)
            && (0..=rules.charts.combat.width() as i8).contains(&self.column)
            && (fought || waiting && there(self.attackers, self.from) && there(self.defenders, self.target))
    }
}

/// One side of a battle.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Camp {
    pub(crate) units: Units,
    /// Who stands for armor.
    pub(crate) champions: Units,
    pub(crate) hits: u8,
    /// The hits are printed in red.
    pub(crate) red: bool,
    /// Its superiority in armor.
    pub(crate) superiority: i8,
    pub(crate) enemies: Units,
}

impl Battle {
    pub(crate) fn attacker(&self, rules: &Bug) -> Side {
        rules.side_of_all(self.attackers)
    }

    pub(crate) fn camp(&self, rules: &Bug, side: Side) -> Camp {
        if side == self.attacker(rules) {
            Camp {
                units: self.attackers,
                champions: self.attacker_armor,
                hits: self.attacker_hits,
                red: self.attacker_red,
                superiority: self.armor,
                enemies: self.defenders,
            }
        } else {
            Camp {
                units: self.defenders,
                champions: self.defender_armor,
                hits: self.defender_hits,
                red: self.defender_red,
                superiority: -self.armor,
                enemies: self.attackers,
            }
        }
    }

    fn clash(&self) -> Clash {
        let Battle { kind, from, target, attackers, defenders, .. } = *self;
        Clash { kind, from, target, attackers, defenders }
    }

    /// What the table gives for a die.
    fn result(&self, rules: &Bug, roll: u8) -> CombatResult {
        let column = usize::try_from(self.column - 1).unwrap_or(0);
        rules.charts.combat.result(column, i32::from(roll) + i32::from(self.modifier))
    }

    /// The result is applied at once: first the defender, completely, then the attacker (7.5.2a, 7.5.2.1a).
    fn begin_hits(&self, rules: &Bug, state: &mut State, result: CombatResult, play: &mut Play<Event>) {
        let CombatResult { attacker, attacker_red, defender, defender_red } = result;
        play.tell(Event::Result { attacker, attacker_red, defender, defender_red });
        let (attacker_hits, defender_hits) = (attacker, defender);
        state.stack.replace(Battle { attacker_hits, attacker_red, defender_hits, defender_red, ..*self });
        let side = self.attacker(rules);
        state.stack.push(Hits { side, blow: Blow::First, left: attacker });
        state.stack.push(Hits { side: side.enemy(), blow: Blow::First, left: defender });
    }

    /// The combat is over: what was shown is hidden again.
    pub(crate) fn end(&self, rules: &Bug, state: &mut State) {
        state.stack.pop();
        for unit in self.attackers.iter().chain(self.defenders.iter()) {
            state.change(unit, |unit| {
                unit.marks.expire(Lasts::Combat);
                unit.hits = 0;
            });
        }
        for hq in &rules.hqs {
            state.change(*hq, |unit| unit.marks.expire(Lasts::Combat));
        }
    }
}

phrases! {
    /// The owner says which of equal units stands for the armor of a side.
    pub struct Armor { side: Side } = "armor", "7.5.1.2w", "{side} names a unit for Armor Superiority";
}

impl Frame<Bug> for Armor {
    fn asked(&self, _: &Bug, _: &State) -> (Side, Remark) {
        (self.side, remark!("7.5.1.2w", "name the unit that counts for Armor Superiority"))
    }

    fn answers(&self, rules: &Bug, state: &State, answers: &mut Vec<Action>) {
        let tied = rules.camp(state, self.side).champions;
        answers.extend(tied.iter().map(|unit| Action::Champion { unit }));
    }

    fn check(&self, rules: &Bug, state: &State, action: Action) -> Result<(), Violation> {
        let Action::Champion { unit } = action else { return Err(not_asked(state, action)) };
        let tied = rules.camp(state, self.side).champions.contains(unit);
        ensure!("7.5.1.2w", tied, "{} is not one of the units to choose from", unit);
        Ok(())
    }

    fn apply(&self, rules: &Bug, state: &mut State, action: Action, _: &mut Play<Event>) {
        let Action::Champion { unit } = action else { return };
        state.stack.pop();
        if let Some(battle) = state.stack.find_mut::<Battle>() {
            let attacks = self.side == battle.attacker(rules);
            let armor = if attacks { &mut battle.attacker_armor } else { &mut battle.defender_armor };
            *armor = Units::of(unit);
        }
    }

    fn is_sound(&self, rules: &Bug, state: &State, around: Around<'_, Procedure>) -> bool {
        (around.on::<Fight>().is_some() || around.on::<Armor>().is_some())
            && !rules.camp(state, self.side).champions.is_empty()
    }
}

phrases! {
    /// The attack is declared, and the chits are about to be drawn.
    pub struct Fight = "fight", "7.5.1.1a", "the attack is declared";
}

impl Frame<Bug> for Fight {
    fn asked(&self, rules: &Bug, state: &State) -> (Side, Remark) {
        let attacker = state.stack.find::<Battle>().map_or(Side::Axis, |battle| battle.attacker(rules));
        (attacker, remark!("7.5.1.1a", "the attack is declared: draw the chits and roll"))
    }

    fn answers(&self, _: &Bug, _: &State, answers: &mut Vec<Action>) {
        answers.push(Action::Fight);
    }

    /// Tells the account of the battle, draws the chits and finds the column (7.5.1.1, 7.5.1.2); the die comes next.
    fn apply(&self, rules: &Bug, state: &mut State, _: Action, play: &mut Play<Event>) {
        state.stack.pop();
        let Some(&battle) = state.stack.top::<Battle>() else { return };
        rules.reveal_supporters(state, &battle, play);
        rules.tell_armor(state, battle.attacker_armor, play);
        rules.tell_armor(state, battle.defender_armor, play);
        let account = Account::new(rules, state, &rules.presence(state), battle.clash());
        for (cause, points) in &account.modifiers {
            play.tell(Event::Modifier { cause: *cause, points: *points });
        }
        let modifier = account.modifier();
        play.tell(Event::ModifierSum { points: modifier });
        let (attack, defence) = account.draw_chits(play);
        play.tell(Event::Ratio { attack, defence });
        let (found, from) = account.column(attack, defence);
        let column = found.map_or(0, |column| column as i8 + 1);
        play.tell(Event::ColumnFound { column, from });
        let battle = Battle { column, modifier, ..battle };
        state.stack.replace(battle);
        if found.is_none() {
            return battle.begin_hits(rules, state, HOPELESS, play); // 7.5.1.2c
        }
        state.stack.push(Die {});
    }

    fn is_sound(&self, _: &Bug, _: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Battle>().is_some()
    }
}

phrases! {
    /// The combat die.
    pub struct Die = "die", "7.5.1.2d", "the combat die";
}

impl Frame<Bug> for Die {
    fn go_on(&self, rules: &Bug, state: &mut State, play: &mut Play<Event>) -> bool {
        let attacker = state.stack.find::<Battle>().map_or(Side::Axis, |battle| battle.attacker(rules));
        rules.roll(state, attacker, "combat", case("7.5.1.2d"), play);
        false
    }

    fn is_sound(&self, _: &Bug, _: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Battle>().is_some() && !around.above.is_empty()
    }
}

impl Die {
    pub(crate) fn settle(&self, rules: &Bug, state: &mut State, roll: u8, play: &mut Play<Event>) {
        state.stack.pop();
        if let Some(&battle) = state.stack.top::<Battle>() {
            battle.begin_hits(rules, state, battle.result(rules, roll), play);
        }
    }
}

/// Who attacks whom, from where, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clash {
    pub(crate) kind: AttackKind,
    pub(crate) from: Hex,
    pub(crate) target: Hex,
    pub(crate) attackers: Units,
    pub(crate) defenders: Units,
}

/// What a combat comes to before chits and die: the one description that play tells, and that odds, threats and opponents
/// take their numbers from. Strengths stand with the chits.
pub(crate) struct Account<'a> {
    pub(crate) rules: &'a Bug,
    pub(crate) state: &'a State,
    pub(crate) clash: Clash,
    /// Every modifier, each with its cause; none of them is 0.
    pub(crate) modifiers: ArrayVec<(Cause, i8), 6>,
}

impl<'a> Account<'a> {
    pub(crate) fn new(rules: &'a Bug, state: &'a State, presence: &Presence, clash: Clash) -> Account<'a> {
        let modifiers = rules.modifiers(state, presence, &clash);
        Account { rules, state, clash, modifiers }
    }

    /// All modifiers together (5.1c).
    pub(crate) fn modifier(&self) -> i8 {
        self.modifiers.iter().map(|(_, points)| *points).sum()
    }

    /// The column of a ratio, if the table has one, and the odds from which it counts (7.5.1.2a).
    pub(crate) fn column(&self, attack: u16, defence: u16) -> (Option<usize>, ColumnOdds) {
        let line = self.rules.odds_line(self.clash.target);
        let found = line.column(u32::from(attack), u32::from(defence));
        let odds = found.and_then(|column| line.odds(column));
        let odds = odds.and_then(|(a, d)| Some(ColumnOdds(a.try_into().ok()?, d.try_into().ok()?)));
        (found, odds.unwrap_or(ColumnOdds(0, 0)))
    }
}

/// Who stands for armor on each side, and what that gives the attacker (7.5.1.2w to 7.5.1.2ad).
#[derive(Clone, Copy, Debug, Default)]
struct Superiority {
    /// Those of equal points and strength: their owner chooses.
    attackers: Units,
    defenders: Units,
    drm: i8,
}

/// Combat Support that one side can have.
struct Help {
    side: Side,
    /// The hex of the enemy that it counts against.
    around: Hex,
    /// The hex of the combat on its own side, which gives none.
    except: Hex,
    /// The formations that count as the same, a bit each.
    formations: u16,
    /// What a hex with units of them gives, and one with others.
    same: i8,
    other: i8,
}

impl CombatResult {
    /// What the die would give, while its owner may still roll again.
    pub(crate) fn reads(self) -> Event {
        let CombatResult { attacker, attacker_red, defender, defender_red } = self;
        Event::Reads { attacker, attacker_red, defender, defender_red }
    }
}

impl Bug {
    /// One side of the battle under way; nobody when there is none.
    pub(crate) fn camp(&self, state: &State, side: Side) -> Camp {
        state.stack.find::<Battle>().map_or_else(Camp::default, |battle| battle.camp(self, side))
    }

    /// What the table gives for a die in the battle under way.
    pub(crate) fn combat_result(&self, state: &State, roll: u8) -> CombatResult {
        state.stack.find::<Battle>().map_or(HOPELESS, |battle| battle.result(self, roll))
    }

    /// Whether a stack may attack an adjacent hex: a combat unit must be in it (7.5d).
    pub(crate) fn check_target(
        &self,
        desk: &Desk<'_>,
        units: Units,
        from: Hex,
        target: Hex,
    ) -> Result<(), Violation> {
        ensure!("7.1c", self.map.grid().adjacent(from, target), "{} is not adjacent to {}", target, from);
        let enemies = desk.presence.combat[desk.mandate.side.enemy()];
        ensure!("7.5d", enemies.contains(target), "no enemy combat unit is in {}", target);
        self.check_hexside(desk.state, units, from, target)
    }

    /// Whether an attack leads from one hex into the next: not across a lake, and only by Leg units across the unbridged
    /// Bug (7.5.1c, R47).
    pub(crate) fn check_hexside(
        &self,
        state: &State,
        units: Units,
        from: Hex,
        target: Hex,
    ) -> Result<(), Violation> {
        let Some(dir) = self.map.grid().dir_between(from, target) else {
            refuse!("7.1c", "{} is not adjacent to {}", target, from)
        };
        let lake = self.ground.between(from, dir) == Between::Lake;
        ensure!("7.5.1c", !lake, "no attack leads across the lake between {} and {}", from, target);
        if self.is_unbridged_river(state, from, dir, target) {
            for unit in units.iter() {
                let leg = self.is_leg(unit);
                ensure!("7.5.1c", leg, "{} cannot attack across the Bug without a bridge", unit);
            }
        }
        Ok(())
    }

    /// An attack is declared: the defending stack is shown (5.3.4a), and there is no way back.
    pub(crate) fn declare(
        &self,
        state: &mut State,
        units: Units,
        target: Hex,
        kind: AttackKind,
        play: &mut Play<Event>,
    ) {
        let Some(from) = units.first().and_then(|unit| state.hex(unit)) else { return };
        let side = self.side_of_all(units);
        let defenders = self.combat_units(state, target);
        let seen = units.iter().all(|unit| self.is_seen(state, unit));
        play.tell_of(side, seen, Event::Declared { units: units.into(), from, hex: target, kind });
        self.note_guards(state);
        let hqs = self.hqs_in(state, target);
        self.show(state, defenders.iter().chain(hqs.iter()).collect(), play);
        for unit in units.iter().chain(defenders.iter()) {
            state.change(unit, |unit| unit.hits = 0);
        }
        let armor = self.superiority(state, &Clash { kind, from, target, attackers: units, defenders });
        state.stack.push(Battle {
            kind,
            from,
            target,
            attackers: units,
            defenders,
            attacker_armor: armor.attackers,
            defender_armor: armor.defenders,
            armor: armor.drm,
            column: 0,
            modifier: 0,
            attacker_hits: 0,
            attacker_red: false,
            defender_hits: 0,
            defender_red: false,
        });
        state.stack.push(Fight {});
        if armor.defenders.len() > 1 {
            state.stack.push(Armor { side: side.enemy() });
        }
        if armor.attackers.len() > 1 {
            state.stack.push(Armor { side });
        }
    }

    /// The units with most points, of those the strongest (7.5.1.2w).
    fn best(&self, state: &State, units: Units, points: impl Fn(UnitId) -> u8) -> (Units, u8) {
        let most = units.iter().map(&points).max().unwrap_or(0);
        let of_most = units.filter(|unit| points(unit) == most);
        let strongest = of_most.iter().map(|unit| state.unit(unit).strength).max().unwrap_or(0);
        (of_most.filter(|unit| state.unit(unit).strength == strongest), most)
    }

    fn superiority(&self, state: &State, clash: &Clash) -> Superiority {
        let tanks = |unit: UnitId| self.printed(state, unit).tank_points;
        let guns = |unit: UnitId| self.printed(state, unit).at_points;
        let (attackers, attack) = self.best(state, clash.attackers, tanks);
        let (defenders, defence) = self.best(state, clash.defenders, tanks);
        let attack_in_terrain = || self.tanks_in_terrain(state, clash, attack);
        match (attack > 0, defence > 0) {
            (false, false) => Superiority::default(),
            // The defender's tanks count in full, in any terrain (7.5.1.2ad).
            (false, true) => Superiority { attackers: Units::EMPTY, defenders, drm: -(defence as i8) },
            (true, true) => {
                Superiority { attackers, defenders, drm: attack_in_terrain() as i8 - defence as i8 }
            }
            // Guns never gain superiority (7.5.1.2aa, 7.5.1.2ab).
            (true, false) => {
                let (defenders, defence) = self.best(state, clash.defenders, guns);
                let guns = defence + self.at_bonus(clash.target);
                Superiority { attackers, defenders, drm: attack_in_terrain().saturating_sub(guns) as i8 }
            }
        }
    }

    /// Tank Points of the attacker, cut by the defender's terrain and the hexside, rounded down once (7.5.1.2z, R6).
    fn tanks_in_terrain(&self, state: &State, clash: &Clash, points: u8) -> u8 {
        let terrain = self.ground.effect(&self.charts.terrain, clash.target).tanks;
        let hexside = self.hexside(state, clash).1;
        let over = u32::from(points) * u32::from(terrain.over) * u32::from(hexside.over);
        (over / (u32::from(terrain.under) * u32::from(hexside.under))) as u8
    }

    /// What the ground adds to Anti-Tank Points (R83).
    fn at_bonus(&self, target: Hex) -> u8 {
        let chart = &self.charts.terrain;
        let pillbox = if self.ground.pillboxes.contains(target) { chart.pillbox_at } else { 0 };
        self.ground.effect(chart, target).at_bonus + pillbox
    }

    /// The modifier and the part of Tank Points for the hexside that is attacked across (7.5.1.2g, 10.1).
    fn hexside(&self, state: &State, clash: &Clash) -> (i8, Part, Cause) {
        let (side, from, target) = (self.side_of_all(clash.attackers), clash.from, clash.target);
        let Some(dir) = self.map.grid().dir_between(from, target) else {
            return (0, Part::WHOLE, Cause::Hexside);
        };
        if side == Side::Axis && state.turn == 1 && self.ground.is_brandenburg_bridge(from, target) {
            return (BRANDENBURG_DRM, BRANDENBURG_TANKS, Cause::Brandenburg);
        }
        let effect = self.ground.hexside_effect(&self.charts.terrain, from, dir);
        (effect.drm, effect.tanks, Cause::Hexside)
    }

    /// Units that give Combat Support from a hex: they project a zone of control into the other's hex and are in
    /// command (7.5.1.2j); disrupted ones project none.
    fn supporters(&self, state: &State, presence: &Presence, hex: Hex, into: Hex) -> Units {
        self.combat_units(state, hex)
            .filter(|unit| self.projects(state, unit, into) && self.is_in_command(state, presence, unit))
    }

    /// Combat Support of a unit that the enemy does not see tells him of it: there are no odds beforehand.
    fn reveal_supporters(&self, state: &State, battle: &Battle, play: &mut Play<Event>) {
        let Battle { from, target, .. } = *battle;
        let presence = self.presence(state);
        let attacker = battle.attacker(self);
        for (side, around, except) in [(attacker, target, from), (attacker.enemy(), from, target)] {
            let near = self.map.neighbours(around).map(|(_, hex)| hex).filter(|hex| *hex != except);
            let hidden = |hex: Hex| {
                let supporters = self.supporters(state, &presence, hex, around);
                supporters.iter().any(|unit| self.side(unit) == side && !self.is_seen(state, unit))
            };
            if near.into_iter().any(hidden) {
                play.reveal(side.enemy());
            }
        }
    }

    /// Combat Support around a hex: for each adjacent hex the single best value (7.5.1.2n to 7.5.1.2t); the hexes of
    /// the combat itself never count (R49). Also whether engineers of the formation are among the supporters.
    fn support(&self, state: &State, presence: &Presence, help: &Help) -> (i8, bool) {
        let Help { side, around, except, formations, same, other } = *help;
        let mut sum = 0;
        let mut engineers = false;
        for (_, hex) in self.map.neighbours(around) {
            if hex == except || !presence.combat[side].contains(hex) {
                continue;
            }
            let supporters = self.supporters(state, presence, hex, around);
            let own = supporters.filter(|unit| formations >> state.unit(unit).formation.min(15) & 1 == 1);
            engineers |= own.iter().any(|unit| self.counter(unit).arm.is_engineers());
            sum += match (own.is_empty(), supporters.is_empty()) {
                (false, _) => same,
                (true, false) => other,
                (true, true) => 0,
            };
        }
        (sum, engineers)
    }

    /// Every modifier of a combat, each with its cause (7.5.1.2).
    fn modifiers(&self, state: &State, presence: &Presence, clash: &Clash) -> ArrayVec<(Cause, i8), 6> {
        let Clash { kind, from, target, attackers, defenders } = *clash;
        let side = self.side_of_all(attackers);
        let formations_of = |units: Units| {
            units.iter().fold(0, |mask, unit| mask | 1u16 << state.unit(unit).formation.min(15))
        };
        let (same, other) = match kind {
            AttackKind::Hasty => (0, 0), // 7.1f
            AttackKind::Regular => (1, 0),
            AttackKind::Prepared => (2, 1),
        };
        let formations = formations_of(attackers);
        let help = Help { side, around: target, except: from, formations, same, other };
        let (attack, mut engineers) = self.support(state, presence, &help);
        engineers &= kind != AttackKind::Hasty;
        engineers |= attackers.iter().any(|unit| self.counter(unit).arm.is_engineers());
        let disrupted = defenders.iter().any(|unit| state.is_disrupted(unit));
        // Who receives support must be in command, like who gives it (5.8.1d, R50).
        let led = defenders.iter().all(|unit| self.is_in_command(state, presence, unit));
        let (same, other) = match (disrupted || !led, state.improved.contains(target)) {
            (true, _) => (0, 0), // 7.5.1.2m
            (false, false) => (-1, 0),
            (false, true) => (-2, -1),
        };
        let formations = formations_of(defenders);
        let help = Help { side: side.enemy(), around: from, except: target, formations, same, other };
        let (defence, _) = self.support(state, presence, &help);
        let points = attackers.first().map_or(0, |unit| {
            let hq = self.hq_of(state, unit);
            if self.is_in_command(state, presence, unit) { state.unit(hq).strength } else { 0 }
        });
        let hq = match kind {
            AttackKind::Hasty => 0,
            AttackKind::Regular => points.div_ceil(2), // 7.5.1.2v
            AttackKind::Prepared => points,
        };
        let (hexside, _, cause) = self.hexside(state, clash);
        let sapped = i8::from(engineers && self.ground.pillboxes.contains(target)); // 7.5.1.2f
        [
            (cause, hexside),
            (Cause::Engineers, sapped),
            (Cause::AttackerSupport, attack),
            (Cause::DefenderSupport, defence),
            (Cause::HqSupport, hq as i8),
            (Cause::Armor, self.superiority(state, clash).drm),
        ]
        .into_iter()
        .filter(|(_, points)| *points != 0)
        .collect()
    }

    /// From which odds each column counts against a hex.
    fn odds_line(&self, target: Hex) -> &OddsLine {
        let chart = &self.charts.terrain;
        match self.ground.pillboxes.contains(target) {
            true => &chart.pillbox_odds,
            false => &self.ground.effect(chart, target).odds,
        }
    }

    fn tell_armor(&self, state: &State, champion: Units, play: &mut Play<Event>) {
        let Some(unit) = champion.first() else { return };
        let printed = self.printed(state, unit);
        let points = if printed.tank_points > 0 { printed.tank_points } else { printed.at_points };
        let told = Event::ArmorBy { unit, points };
        if self.is_seen(state, unit) { play.tell(told) } else { play.tell_only(self.side(unit), told, None) }
    }
}
