//! The account of an attack: strengths, what the ground adds, every shift, each with its case (11.8 to 11.11).
//!
//! There is one description of it. Play tells it, odds and threats follow from it, and opponents ask it of attacks that are
//! only thought of, with units in hexes where they are not yet.

use arrayvec::ArrayVec;
use board::{Dir, Hex};
use engine::{Landing, Play, Side, UnitId};

use crate::combat::Battle;
use crate::sequence::is_after_movement;
use crate::special::LAST_MOBILE_TURN;
use crate::{Cause, Dagc, Event, State, Support};

/// A unit that attacks, from wherever it stands or might stand.
#[derive(Clone, Copy, Debug)]
pub struct Attacker {
    /// Which.
    pub unit: UnitId,
    /// What it brings (11.5a).
    pub factor: u8,
    /// Where it stands, seen from the target.
    pub from: Option<Dir>,
    /// It is in supply (7.1b).
    pub supplied: bool,
    /// It is a shock army at full strength (12.7a).
    pub shock: bool,
}

/// A unit that is attacked.
#[derive(Clone, Copy, Debug)]
pub struct Defender {
    /// Which.
    pub unit: UnitId,
    /// What it brings (2.9, 11.17h).
    pub factor: u8,
    /// It is in supply (7.1b).
    pub supplied: bool,
    /// It is a fortified locality (12.5).
    pub fortified: bool,
}

/// What an attack depends on besides the units in it.
#[derive(Clone, Copy, Debug)]
pub struct Circumstances {
    /// Who attacks.
    pub side: Side,
    /// Where.
    pub target: Hex,
    /// When.
    pub turn: u8,
    /// In a combat phase after movement (11.1a).
    pub after: bool,
    /// With what help.
    pub support: Support,
}

/// The account of an attack, item by item.
#[derive(Clone, Debug)]
pub struct Account {
    /// The factors of all attackers.
    pub attack: i32,
    /// The factors of all defenders and what the ground adds.
    pub defence: i32,
    /// What the ground adds to the defence (11.9, 11.10a).
    pub additions: ArrayVec<(Cause, u8), 5>,
    /// Every column shift that applies (11.8b).
    pub shifts: ArrayVec<(Cause, i8), 8>,
    /// The column: netted first, limited once (R25, 11.13).
    pub place: Landing,
}

impl Dagc {
    /// The account of an attack by these units on those.
    pub fn account(
        &self,
        at: &Circumstances,
        attackers: impl Iterator<Item = Attacker> + Clone,
        defenders: impl Iterator<Item = Defender> + Clone,
    ) -> Account {
        let across_water = |from: Option<Dir>| from.is_some_and(|dir| self.is_wet(at.target, dir));
        let wet = attackers.clone().all(|attacker| across_water(attacker.from));
        let additions: ArrayVec<_, 5> = self.additions(at.target, at.side.enemy(), wet).collect();
        let shifts = self.shifts(at, &attackers, &defenders);
        let attack = attackers.map(|attacker| i32::from(attacker.factor)).sum();
        let defenders: i32 = defenders.map(|defender| i32::from(defender.factor)).sum();
        let ground: i32 = additions.iter().map(|(_, points)| i32::from(*points)).sum();
        let defence = defenders + ground;
        let net = shifts.iter().map(|(_, columns)| i32::from(*columns)).sum();
        let place = self.charts.combat.shift(self.charts.combat.differential(attack - defence), net);
        Account { attack, defence, additions, shifts, place }
    }

    /// Natural terrain, town, city, entrenchment and river, all together (11.9, 11.10a).
    pub(crate) fn additions(
        &self,
        target: Hex,
        defender: Side,
        wet: bool,
    ) -> impl Iterator<Item = (Cause, u8)> + use<> {
        let chart = &self.charts.terrain;
        let entrenched = defender == Side::Axis && self.ground.german_entrenchments.contains(target);
        let given = |points: u8, on: bool| if on { points } else { 0 };
        [
            (Cause::Terrain, self.ground.effect(target).addition),
            (Cause::Town, given(chart.town, self.ground.towns.contains(target))),
            (Cause::City, given(chart.city, self.ground.cities.contains(target))),
            (Cause::Entrenchment, given(chart.german_entrenchment, entrenched)),
            (Cause::River, given(chart.river, wet)),
        ]
        .into_iter()
        .filter(|(_, points)| *points > 0)
    }

    /// Lake, sea and narrows count as rivers in an attack (11.9b, R10).
    fn is_wet(&self, target: Hex, dir: Dir) -> bool {
        self.map.neighbour(target, dir).is_some_and(|from| self.ground.wet_sides.between(target, from))
    }

    /// Every column shift that applies (11.8b).
    fn shifts(
        &self,
        at: &Circumstances,
        attackers: &(impl Iterator<Item = Attacker> + Clone),
        defenders: &(impl Iterator<Item = Defender> + Clone),
    ) -> ArrayVec<(Cause, i8), 8> {
        let soviet = at.side == Side::Soviet;
        let fortified = defenders.clone().any(|defender| defender.fortified);
        let attacker_oos = attackers.clone().any(|attacker| !attacker.supplied);
        let defender_oos = defenders.clone().any(|defender| !defender.supplied);
        let bagration = soviet && at.turn == 1 && !at.after;
        let open = !self.ground.cities.contains(at.target) && !fortified;
        let concentric = open && is_concentric(attackers.clone());
        let in_time = (2..=LAST_MOBILE_TURN).contains(&at.turn);
        let shock = in_time && !attacker_oos && attackers.clone().any(|attacker| attacker.shock);
        let partisans = soviet && self.ground.partisans.contains(at.target);
        let air = matches!(at.support, Support::AirMain | Support::AirUf);
        [
            (Cause::Bagration, 1, bagration),                    // 5.4b
            (Cause::AttackerOos, -1, attacker_oos),              // 7.4a
            (Cause::DefenderOos, 1, defender_oos && !fortified), // 7.4b
            (Cause::Concentric, 1, concentric),                  // 11.11
            (Cause::Partisans, 1, partisans),                    // 11.25
            (Cause::Armor, 1, at.support == Support::Armor),     // 12.6d
            (Cause::Shock, 1, shock),                            // 12.7a
            (Cause::Air, 1, air),                                // 13.1c
        ]
        .into_iter()
        .filter(|(_, _, on)| *on)
        .map(|(cause, columns, _)| (cause, columns))
        .collect()
    }
}

/// From two opposite hexes, from three alternate ones, or from more than three (11.11a).
fn is_concentric(attackers: impl Iterator<Item = Attacker>) -> bool {
    let mut from = [false; 6];
    attackers.filter_map(|attacker| attacker.from).for_each(|dir| from[dir.index()] = true);
    let opposite = (0..3).any(|i| from[i] && from[i + 3]);
    let alternate = (0..2).any(|i| from[i] && from[i + 2] && from[i + 4]);
    opposite || alternate || from.iter().filter(|on| **on).count() > 3
}

impl Battle {
    /// The account of this battle as things stand.
    pub(crate) fn account(&self, rules: &Dagc, state: &State) -> Account {
        let at = Circumstances {
            side: self.side(rules),
            target: self.target,
            turn: state.turn,
            after: is_after_movement(state),
            support: self.support,
        };
        let defenders = state.stack_in(self.target);
        let defenders = defenders.iter().map(|unit| self.defender(rules, state, *unit));
        rules.account(&at, self.attackers(rules, state), defenders)
    }

    fn attackers<'a>(
        &'a self,
        rules: &'a Dagc,
        state: &'a State,
    ) -> impl Iterator<Item = Attacker> + Clone + 'a {
        let direction = |hex: Hex| rules.map.grid().dir_between(self.target, hex);
        self.attackers.iter().map(move |unit| Attacker {
            unit,
            factor: rules.factor(state, unit),
            from: state.hex(unit).and_then(direction),
            supplied: self.supplied.contains(unit),
            shock: self.shock.contains(unit),
        })
    }

    fn defender(&self, rules: &Dagc, state: &State, unit: UnitId) -> Defender {
        Defender {
            unit,
            factor: rules.defence_factor(state, unit),
            supplied: self.supplied.contains(unit),
            fortified: rules.is_fortified(unit),
        }
    }

    /// Tells the account item by item, and gives its column.
    pub(crate) fn tell_account(&self, rules: &Dagc, state: &State, play: &mut Play<Event>) -> u8 {
        let account = self.account(rules, state);
        for Attacker { unit, factor, .. } in self.attackers(rules, state) {
            play.tell(Event::AttackFactor { unit, factor });
        }
        for unit in state.stack_in(self.target) {
            let Defender { factor, .. } = self.defender(rules, state, unit);
            play.tell(Event::DefenceFactor { unit, factor });
        }
        for &(cause, points) in &account.additions {
            play.tell(Event::Addition { cause, points });
        }
        let (attack, defence) = (account.attack as i16, account.defence as i16);
        play.tell(Event::Differential { attack, defence, difference: attack - defence });
        for &(cause, columns) in &account.shifts {
            play.tell(Event::Shift { cause, columns });
        }
        let column = account.place.column as u8;
        play.tell(Event::ColumnFound { column, heading: rules.heading(column) });
        column
    }
}
