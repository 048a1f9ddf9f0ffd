//! 7.5.1: the Combat Action, its odds and modifiers.

use board::Hex;
use engine::{Force, OddsLine, Play, Side, UnitId, Violation, case, ensure, refuse};

use crate::actions::Desk;
use crate::charts::{CombatResult, Part};
use crate::ground::Between;
use crate::{AttackKind, Battle, Blow, Bug, Cause, Event, Marks, Odds, Position, Procedure, State};

/// The result of odds below the table (7.5.1.2c, R52).
pub(crate) const HOPELESS: CombatResult =
    CombatResult { attacker: 5, attacker_red: false, defender: 0, defender_red: false };

/// What German attacks over the two bridges suffer on turn 1 (10.1a).
const BRANDENBURG_DRM: i8 = -2;
const BRANDENBURG_TANKS: Part = Part { over: 1, under: 2 };

/// Who stands for armor on each side, and what that gives the attacker (7.5.1.2w to 7.5.1.2ad).
pub(crate) struct Armor {
    /// Those of equal points and strength: their owner chooses.
    attackers: Force,
    defenders: Force,
    pub(crate) drm: i8,
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

impl Bug {
    pub(crate) fn attacking_side(&self, battle: &Battle) -> Side {
        let Battle::Attack { attackers, .. } = battle;
        attackers.first().map_or(Side::Axis, |unit| self.side(unit))
    }

    /// Whether a stack may attack an adjacent hex: a combat unit is in it (7.5d), no lake lies between, and only Leg
    /// units attack across the unbridged Bug (7.5.1c, R47).
    pub(crate) fn check_target(
        &self,
        desk: &Desk<'_>,
        units: Force,
        from: Hex,
        target: Hex,
    ) -> Result<(), Violation> {
        let Some(dir) = self.map.grid().dir_between(from, target) else {
            refuse!("7.1c", "{} is not adjacent to {}", target, from)
        };
        let enemy = desk.turn.side.enemy();
        ensure!(
            "7.5d",
            desk.position.combat[enemy].contains(target),
            "no enemy combat unit is in {}",
            target
        );
        let lake = self.ground.between(from, dir) == Between::Lake;
        ensure!("7.5.1c", !lake, "no attack leads across the lake between {} and {}", from, target);
        if self.is_unbridged_river(desk.state, from, dir, target) {
            for unit in units.iter() {
                ensure!(
                    "7.5.1c",
                    self.is_leg(unit),
                    "{} cannot attack across the Bug without a bridge",
                    unit
                );
            }
        }
        Ok(())
    }

    /// An attack is declared: the defending stack is shown (5.3.4a), and there is no way back.
    pub(crate) fn declare(
        &self,
        state: &mut State,
        units: Force,
        target: Hex,
        kind: AttackKind,
        play: &mut Play<Event>,
    ) {
        let Some(from) = units.first().and_then(|unit| state.hex(unit)) else { return };
        let side = units.first().map_or(Side::Axis, |unit| self.side(unit));
        let defenders = self.combat_units(state, target);
        let seen = units.iter().all(|unit| self.is_seen(state, unit));
        let told = Event::Declared { units, hex: target, kind };
        let vague = Event::DeclaredUnseen { from, hex: target, kind };
        if seen {
            play.tell(told)
        } else {
            play.tell_only(side, told, Some(vague))
        }
        self.note_guards(state);
        let hqs = self.hqs_in(state, target);
        self.show(state, defenders.iter().chain(hqs.iter()).collect(), play);
        for unit in units.iter().chain(defenders.iter()) {
            state.unit_mut(unit).hits = 0;
        }
        let armor = self.armor(state, units, defenders, from, target);
        state.battle = Some(Battle::Attack {
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
        state.stack.push(Procedure::Fight);
        if armor.defenders.len() > 1 {
            state.stack.push(Procedure::Armor { side: side.enemy() });
        }
        if armor.attackers.len() > 1 {
            state.stack.push(Procedure::Armor { side });
        }
    }

    /// The owner has named one of equal units (7.5.1.2w).
    pub(crate) fn name_champion(&self, state: &mut State, side: Side, unit: UnitId) {
        state.stack.pop();
        let Some(battle) = &mut state.battle else { return };
        let attacking = self.attacking_side(battle);
        let Battle::Attack { attacker_armor, defender_armor, .. } = battle;
        let chosen: Force = [unit].into_iter().collect();
        if side == attacking { *attacker_armor = chosen } else { *defender_armor = chosen }
    }

    pub(crate) fn champions(&self, state: &State, side: Side) -> Force {
        match &state.battle {
            Some(battle @ Battle::Attack { attacker_armor, defender_armor, .. }) => {
                if side == self.attacking_side(battle) { *attacker_armor } else { *defender_armor }
            }
            None => Force::EMPTY,
        }
    }

    /// The units with most points, of those the strongest (7.5.1.2w).
    fn best(&self, state: &State, units: Force, points: impl Fn(UnitId) -> u8) -> (Force, u8) {
        let most = units.iter().map(&points).max().unwrap_or(0);
        let of_most = units.filter(|unit| points(unit) == most);
        let strongest = of_most.iter().map(|unit| state.unit(unit).strength).max().unwrap_or(0);
        (of_most.filter(|unit| state.unit(unit).strength == strongest), most)
    }

    pub(crate) fn armor(
        &self,
        state: &State,
        attackers: Force,
        defenders: Force,
        from: Hex,
        target: Hex,
    ) -> Armor {
        let tanks = |unit: UnitId| self.printed(state, unit).tank_points;
        let guns = |unit: UnitId| self.printed(state, unit).at_points;
        let side = attackers.first().map_or(Side::Axis, |unit| self.side(unit));
        let (attacking, attack) = self.best(state, attackers, tanks);
        let (defending, defence) = self.best(state, defenders, tanks);
        match (attack > 0, defence > 0) {
            (false, false) => Armor { attackers: Force::EMPTY, defenders: Force::EMPTY, drm: 0 },
            // The defender's tanks count in full, in any terrain (7.5.1.2ad).
            (false, true) => Armor { attackers: Force::EMPTY, defenders: defending, drm: -(defence as i8) },
            (true, true) => {
                let attack = self.tanks_in_terrain(state, side, attack, from, target);
                Armor { attackers: attacking, defenders: defending, drm: attack as i8 - defence as i8 }
            }
            // Guns never gain superiority (7.5.1.2aa, 7.5.1.2ab).
            (true, false) => {
                let (defending, defence) = self.best(state, defenders, guns);
                let attack = self.tanks_in_terrain(state, side, attack, from, target);
                let guns = defence + self.at_bonus(target);
                Armor { attackers: attacking, defenders: defending, drm: attack.saturating_sub(guns) as i8 }
            }
        }
    }

    /// Tank Points of the attacker, cut by the defender's terrain and the hexside, rounded down once (7.5.1.2z, R6).
    fn tanks_in_terrain(&self, state: &State, side: Side, points: u8, from: Hex, target: Hex) -> u8 {
        let terrain = self.ground.effect(&self.charts.terrain, target).tanks;
        let hexside = self.hexside(state, side, from, target).1;
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
    fn hexside(&self, state: &State, side: Side, from: Hex, target: Hex) -> (i8, Part, Cause) {
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
    fn supporters(&self, state: &State, position: &Position, hex: Hex, into: Hex) -> Force {
        position
            .stack(self, state, hex)
            .filter(|unit| self.projects(state, unit, into) && self.is_in_command(state, position, unit))
    }

    /// Combat Support of a unit that the enemy does not see tells him of it: there are no odds beforehand.
    fn reveal_supporters(&self, state: &State, battle: &Battle, play: &mut Play<Event>) {
        let Battle::Attack { from, target, .. } = *battle;
        let position = Position::new(self, state);
        let attacker = self.attacking_side(battle);
        for (side, around, except) in [(attacker, target, from), (attacker.enemy(), from, target)] {
            let near = self.map.neighbours(around).map(|(_, hex)| hex).filter(|hex| *hex != except);
            let hidden = |hex: Hex| {
                let supporters = self.supporters(state, &position, hex, around);
                supporters.iter().any(|unit| self.side(unit) == side && !self.is_seen(state, unit))
            };
            if near.into_iter().any(hidden) {
                play.reveal(side.enemy());
            }
        }
    }

    /// Combat Support around a hex: for each adjacent hex the single best value (7.5.1.2n to 7.5.1.2t); the hexes of
    /// the combat itself never count (R49). Also whether engineers of the formation are among the supporters.
    fn support(&self, state: &State, position: &Position, help: &Help) -> (i8, bool) {
        let Help { side, around, except, formations, same, other } = *help;
        let mut sum = 0;
        let mut engineers = false;
        for (_, hex) in self.map.neighbours(around) {
            if hex == except || !position.combat[side].contains(hex) {
                continue;
            }
            let supporters = self.supporters(state, position, hex, around);
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
    pub(crate) fn modifiers(
        &self,
        state: &State,
        position: &Position,
        battle: &Battle,
    ) -> arrayvec::ArrayVec<(Cause, i8), 6> {
        let Battle::Attack { kind, from, target, attackers, defenders, armor, .. } = *battle;
        let side = self.attacking_side(battle);
        let formations_of = |units: Force| {
            units.iter().fold(0, |mask, unit| mask | 1u16 << state.unit(unit).formation.min(15))
        };
        let (same, other) = match kind {
            AttackKind::Hasty => (0, 0), // 7.1f
            AttackKind::Regular => (1, 0),
            AttackKind::Prepared => (2, 1),
        };
        let formations = formations_of(attackers);
        let help = Help { side, around: target, except: from, formations, same, other };
        let (attack, mut engineers) = self.support(state, position, &help);
        engineers &= kind != AttackKind::Hasty;
        engineers |= attackers.iter().any(|unit| self.counter(unit).arm.is_engineers());
        let disrupted = defenders.iter().any(|unit| state.is_disrupted(unit));
        let (same, other) = match (disrupted, state.improved.contains(target)) {
            (true, _) => (0, 0), // 7.5.1.2m
            (false, false) => (-1, 0),
            (false, true) => (-2, -1),
        };
        let formations = formations_of(defenders);
        let help = Help { side: side.enemy(), around: from, except: target, formations, same, other };
        let (defence, _) = self.support(state, position, &help);
        let points = attackers.first().map_or(0, |unit| {
            let hq = self.hq_of(state, unit);
            if self.is_in_command(state, position, unit) { state.unit(hq).strength } else { 0 }
        });
        let hq = match kind {
            AttackKind::Hasty => 0,
            AttackKind::Regular => points.div_ceil(2), // 7.5.1.2v
            AttackKind::Prepared => points,
        };
        let (hexside, _, cause) = self.hexside(state, side, from, target);
        let sapped = i8::from(engineers && self.ground.pillboxes.contains(target)); // 7.5.1.2f
        [
            (cause, hexside),
            (Cause::Engineers, sapped),
            (Cause::AttackerSupport, attack),
            (Cause::DefenderSupport, defence),
            (Cause::HqSupport, hq as i8),
            (Cause::Armor, armor),
        ]
        .into_iter()
        .filter(|(_, points)| *points != 0)
        .collect()
    }

    /// Tells the modifiers, draws the chits, finds the column and rolls (7.5.1.1, 7.5.1.2).
    pub(crate) fn fight(&self, state: &mut State, play: &mut Play<Event>) {
        state.stack.pop();
        let Some(fought) = state.battle else { return };
        let Battle::Attack { target, attacker_armor, defender_armor, .. } = fought;
        self.reveal_supporters(state, &fought, play);
        self.tell_armor(state, attacker_armor, play);
        self.tell_armor(state, defender_armor, play);
        let mut sum: i8 = 0;
        for (cause, points) in self.modifiers(state, &Position::new(self, state), &fought) {
            sum += points;
            play.tell(Event::Modifier { cause, points });
        }
        play.tell(Event::ModifierSum { points: sum });
        let (attack, defence) = self.draw_chits(state, &fought, play);
        play.tell(Event::Ratio { attack, defence });
        let line = self.odds_line(target);
        let found = line.column(u32::from(attack), u32::from(defence));
        let from = found.and_then(|column| line.odds(column));
        let from = from.and_then(|(a, d)| Some(Odds(a.try_into().ok()?, d.try_into().ok()?)));
        let place = found.map_or(0, |column| column as i8 + 1);
        play.tell(Event::ColumnFound { column: place, from: from.unwrap_or(Odds(0, 0)) });
        if let Some(Battle::Attack { column, modifier, .. }) = &mut state.battle {
            (*column, *modifier) = (place, sum);
        }
        match found {
            None => self.begin_hits(state, HOPELESS, play), // 7.5.1.2c
            Some(_) => {
                state.stack.push(Procedure::Die);
                self.roll(state, self.attacking_side(&fought), "combat", case("7.5.1.2d"), play);
            }
        }
    }

    /// From which odds each column counts against a hex.
    pub(crate) fn odds_line(&self, target: Hex) -> &OddsLine {
        let chart = &self.charts.terrain;
        match self.ground.pillboxes.contains(target) {
            true => &chart.pillbox_odds,
            false => &self.ground.effect(chart, target).odds,
        }
    }

    fn tell_armor(&self, state: &State, champion: Force, play: &mut Play<Event>) {
        let Some(unit) = champion.first() else { return };
        let printed = self.printed(state, unit);
        let points = if printed.tank_points > 0 { printed.tank_points } else { printed.at_points };
        let told = Event::ArmorBy { unit, points };
        if self.is_seen(state, unit) { play.tell(told) } else { play.tell_only(self.side(unit), told, None) }
    }

    /// What the table gives for a die.
    pub(crate) fn combat_result(&self, state: &State, roll: u8) -> CombatResult {
        let Some(Battle::Attack { column, modifier, .. }) = state.battle else { return HOPELESS };
        let place = usize::try_from(column - 1).unwrap_or(0);
        self.charts.combat.result(place, i32::from(roll) + i32::from(modifier))
    }

    pub(crate) fn settle_combat(&self, state: &mut State, roll: u8, play: &mut Play<Event>) {
        state.stack.pop();
        let result = self.combat_result(state, roll);
        self.begin_hits(state, result, play);
    }

    /// The result is applied at once: first the defender, completely, then the attacker (7.5.2a, 7.5.2.1a).
    fn begin_hits(&self, state: &mut State, result: CombatResult, play: &mut Play<Event>) {
        let CombatResult { attacker, attacker_red, defender, defender_red } = result;
        play.tell(Event::Result { attacker, attacker_red, defender, defender_red });
        let Some(battle) = &mut state.battle else { return };
        let side = self.attacking_side(battle);
        let Battle::Attack { attacker_hits, attacker_red: red, defender_hits, defender_red: other, .. } =
            battle;
        (*attacker_hits, *red, *defender_hits, *other) = (attacker, attacker_red, defender, defender_red);
        let hits = |side, left| Procedure::Hits { side, blow: Blow::First, left };
        state.stack.push(hits(side, attacker));
        state.stack.push(hits(side.enemy(), defender));
    }

    /// The combat is over: what was shown is hidden again.
    pub(crate) fn forget_battle(&self, state: &mut State) {
        let Some(Battle::Attack { attackers, defenders, .. }) = state.battle.take() else { return };
        for unit in attackers.iter().chain(defenders.iter()) {
            let unit = state.unit_mut(unit);
            unit.marks.clear(Marks::OF_A_COMBAT);
            unit.hits = 0;
        }
        for hq in &self.hqs {
            let marks = &mut state.unit_mut(*hq).marks;
            marks.clear(Marks::SHOWN);
            marks.clear(Marks::GUARDED);
        }
    }
}
