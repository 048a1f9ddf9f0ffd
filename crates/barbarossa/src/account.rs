//! The account of an attack: what each unit counts, the odds, every shift, each with its case (11.8 to 11.24, 11.33).
//!
//! There is one description of it. Play tells it, odds and threats follow from it, and bloodbaths count by it (11.26e).

use arrayvec::ArrayVec;
use board::{Dir, Hex};
use engine::{Play, Side, UnitId};

use crate::combat::Battle;
use crate::sequence::step;
use crate::{Arm, Barbarossa, Cause, Event, Fact, Marks, OddsWord, Order, State, Step, Units, Zone};

/// What a unit brings into a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Force {
    /// Which.
    pub unit: UnitId,
    /// Its factor before any reduction, doubled where that applies (R21).
    pub factor: u8,
    /// What supply and marsh divide it by (R19).
    pub divisor: u8,
}

/// The account of an attack, item by item.
#[derive(Clone, Debug)]
pub struct Account {
    /// All attackers together.
    pub attack: u16,
    /// All defenders together.
    pub defence: u16,
    /// The odds before shifts.
    pub odds: OddsWord,
    /// Every shift that applies (11.11).
    pub shifts: ArrayVec<(Cause, i8), 18>,
    /// The odds that count (11.25c).
    pub column: OddsWord,
}

/// What units count together: those that suffer the same reduction are added and divided once, and never count less than one
/// (1.3, 11.12, R19).
pub(crate) fn total(forces: impl Iterator<Item = Force>) -> u16 {
    let mut groups = [(0u16, false); 4];
    for force in forces {
        let group = &mut groups[force.divisor.trailing_zeros().min(3) as usize];
        group.0 += u16::from(force.factor);
        group.1 |= force.factor > 0;
    }
    let sums = groups.iter().enumerate().map(|(power, (sum, any))| (sum >> power).max(u16::from(*any)));
    sums.sum()
}

/// The place of odds on the ladder: rounded down, or up where the attacker is the weaker (11.8a, 11.9, R20).
pub(crate) fn odds_of(attack: u16, defence: u16) -> OddsWord {
    let (attack, defence) = (attack.max(1) as i16, defence.max(1) as i16);
    if attack >= defence {
        OddsWord(attack / defence - 1)
    } else {
        OddsWord(1 - (defence + attack - 1) / attack)
    }
}

impl Battle {
    /// What an attacker brings.
    pub(crate) fn attacker(&self, rules: &Barbarossa, state: &State, unit: UnitId) -> Force {
        let counter = rules.counter(unit);
        let defence = counter.defence.unwrap_or(0);
        if self.drop && Some(unit) == rules.cast.paratroops {
            return Force { unit, factor: defence, divisor: 1 }; // 4.17e, R94
        }
        let (city, rough) = (&rules.ground.cities, &rules.ground.rough);
        let overland = self.overland.contains(unit);
        let base = match counter.attack {
            None => self.strength_of(rules, unit),
            Some(_) if rules.is_german(unit) && counter.is_panzer() && city.contains(self.target) => defence, // 11.20c
            Some(_) if counter.arm == Arm::Mountain && overland && rough.contains(self.target) => defence, // 11.14b
            Some(attack) => attack,
        };
        let marsh = rules.is_mech(unit) && rules.ground.marsh.contains(self.target) && !self.clear; // 11.15a
        let divisor = self.divisor(unit) << u8::from(marsh);
        let doubled =
            counter.arm == Arm::Shock && self.doubles_shock(state) && overland && self.divisor(unit) == 1;
        Force { unit, factor: if doubled { base * 2 } else { base }, divisor }
    }

    /// What a defender brings.
    pub(crate) fn defender(&self, rules: &Barbarossa, unit: UnitId) -> Force {
        let factor = rules.counter(unit).defence.unwrap_or_else(|| self.strength_of(rules, unit));
        Force { unit, factor, divisor: self.divisor(unit) }
    }

    fn divisor(&self, unit: UnitId) -> u8 {
        match (self.quartered.contains(unit), self.halved.contains(unit)) {
            (true, _) => 4,
            (false, true) => 2,
            (false, false) => 1,
        }
    }

    /// Shock armies are doubled in prepared assaults of a fight/move turn (5.7b).
    fn doubles_shock(&self, state: &State) -> bool {
        !self.mobile && state.order == Order::FightMove
    }

    /// The die of an emergency unit for this battle (8.4c).
    pub(crate) fn strength_of(&self, rules: &Barbarossa, unit: UnitId) -> u8 {
        let place = rules.cast.emergency.iter().position(|other| other == unit).unwrap_or(0);
        (self.strengths >> (place * 3) & 7) as u8
    }

    pub(crate) fn set_strength(&mut self, rules: &Barbarossa, unit: UnitId, strength: u8) {
        if let Some(place) = rules.cast.emergency.iter().position(|other| other == unit) {
            self.strengths |= u32::from(strength) << (place * 3);
        }
    }

    /// All who attack, paratroops among them.
    pub(crate) fn attacking(&self, rules: &Barbarossa) -> Units {
        let dropped = rules.cast.paratroops.filter(|_| self.drop);
        self.attackers | dropped.into_iter().collect()
    }

    /// Who defends: not those who have retreated into the hex in this prepared assault phase (11.29a).
    pub(crate) fn defending(&self, state: &State) -> Units {
        let fights = |unit: &UnitId| self.mobile || !state.marked(*unit, Marks::RETREATED);
        state.units.in_hex(self.target).filter(fights).collect()
    }

    /// What some of the attackers count together (R22).
    pub(crate) fn worth(&self, rules: &Barbarossa, state: &State, units: Units) -> u16 {
        total(units.iter().map(|unit| self.attacker(rules, state, unit)))
    }

    /// What the defenders count together.
    pub(crate) fn defence(&self, rules: &Barbarossa, state: &State) -> u16 {
        total(self.defending(state).iter().map(|unit| self.defender(rules, unit)))
    }

    /// The account of this battle as things stand.
    pub(crate) fn account(&self, rules: &Barbarossa, state: &State) -> Account {
        let attack = self.worth(rules, state, self.attacking(rules));
        let defence = self.defence(rules, state);
        let odds = odds_of(attack, defence);
        let shifts = self.shifts(rules, state);
        let net: i16 = shifts.iter().map(|(_, columns)| i16::from(*columns)).sum();
        Account { attack, defence, odds, shifts, column: OddsWord(odds.0 + net) }
    }

    fn shifts(&self, rules: &Barbarossa, state: &State) -> ArrayVec<(Cause, i8), 18> {
        let mut shifts = ArrayVec::new();
        self.shifts_of_time(rules, state, &mut shifts);
        self.shifts_of_ground(rules, state, &mut shifts);
        self.shifts_of_units(rules, state, &mut shifts);
        shifts
    }

    /// What the turn and the order of phases give (5.6, 5.7, 5.10, 5.15a, 10.32).
    fn shifts_of_time(&self, rules: &Barbarossa, state: &State, shifts: &mut ArrayVec<(Cause, i8), 18>) {
        let track = rules.charts.track.turn(state.turn);
        let axis = self.side(rules) == Side::Axis;
        let summer = |year: u16| track.single && track.year == year;
        let no_pause = axis && state.has(Fact::NoPause);
        let fight_move = axis && state.order == Order::FightMove;
        let named = match rules.ground.zone(self.target) {
            Zone::North => Fact::ZoneNorth,
            Zone::South => Fact::ZoneSouth,
        };
        let mobile = rules.charts.terrain.assault_shift;
        let first = axis && state.order == Order::FightFight && step(state) == Some(Step::AxisFirst);
        let late = !axis && state.order == Order::MoveFight;
        let prepared = rules.switches.preparedness
            && !axis
            && state.turn == 1
            && !rules.ground.soviet_at_start.contains(self.target)
            && self.defending(state).iter().any(|unit| rules.is_german(unit));
        let rows = [
            (Cause::FightMove, 1, !self.mobile && fight_move && summer(1941)),
            (Cause::NamedZone, 1, !self.mobile && fight_move && summer(1942) && state.has(named)),
            (Cause::FightFight, 1, !self.mobile && first),
            (Cause::MoveFight, -1, !self.mobile && late),
            (Cause::NoPause, -1, !self.mobile && no_pause && state.turn == 4),
            (Cause::NoPause, -2, !self.mobile && no_pause && state.turn == 5),
            (Cause::MobileAssault, 2 * mobile, self.mobile && no_pause && state.turn == 4),
            (Cause::MobileAssault, mobile, self.mobile && !(no_pause && state.turn == 4)),
            (Cause::Preparedness, -1, prepared),
        ];
        shifts.extend(rows.into_iter().filter(|row| row.2).map(|(cause, columns, _)| (cause, columns)));
    }

    /// What the hex and its sides give (8.18, 9.6, 11.14 to 11.21).
    fn shifts_of_ground(&self, rules: &Barbarossa, state: &State, shifts: &mut ArrayVec<(Cause, i8), 18>) {
        let (ground, chart) = (&rules.ground, &rules.charts.terrain);
        let defender = self.side(rules).enemy();
        let terrain = ground.effect(self.target).shift;
        let stronghold = rules.is_stronghold(state, defender, self.target);
        let city = ground.cities.contains(self.target) && !stronghold;
        let line = rules.line_of(state, defender).contains(self.target);
        let area =
            state.area.filter(|_| defender == Side::Soviet && rules.area_hexes(state).contains(self.target));
        let area_shift = area.map_or(0, |(_, placed)| chart.fortified_area[usize::from(state.turn > placed)]);
        let rows = [
            (Cause::Rough, terrain, ground.rough.contains(self.target)),
            (Cause::Marsh, terrain, ground.marsh.contains(self.target) && !self.mobile && !self.clear),
            (Cause::River, chart.river_shift, self.is_across_water(rules, state)),
            (Cause::City, chart.city, city),
            (Cause::HeroCity, chart.hero_or_fortress, stronghold && defender == Side::Soviet),
            (Cause::FortressCity, chart.hero_or_fortress, stronghold && defender == Side::Axis),
            (Cause::FortifiedLine, chart.fortified_line, line),
            (Cause::FortifiedArea, area_shift, area.is_some()),
        ];
        shifts.extend(rows.into_iter().filter(|row| row.2).map(|(cause, columns, _)| (cause, columns)));
    }

    /// What the units and their positions give (11.23, 11.24, 11.33a).
    fn shifts_of_units(&self, rules: &Barbarossa, state: &State, shifts: &mut ArrayVec<(Cause, i8), 18>) {
        let luftwaffe = if self.side(rules) == Side::Axis { 1 } else { -1 };
        let rows = [
            (Cause::Luftwaffe, luftwaffe, self.luftwaffe),
            (Cause::Concentric, 1, self.is_concentric(rules, state)),
            (Cause::SoloSatellite, 1, self.is_on_solo_satellite(rules, state)),
        ];
        shifts.extend(rows.into_iter().filter(|row| row.2).map(|(cause, columns, _)| (cause, columns)));
    }

    /// Every attacker comes across a river, Kerch or the Sivash (11.16 to 11.18, R27). German units do not mind on turn 1
    /// (10.18b), and paratroops come from above.
    fn is_across_water(&self, rules: &Barbarossa, state: &State) -> bool {
        let ground = &rules.ground;
        let wet = |from: Hex| {
            [&ground.rivers, &ground.kerch_side, &ground.sivash_side]
                .iter()
                .any(|sides| sides.between(from, self.target))
        };
        let june = state.turn == 1 && self.attackers.iter().all(|unit| rules.is_german(unit));
        !june && !self.drop && self.attackers.iter().all(|unit| state.hex(unit).is_some_and(wet))
    }

    /// From opposite hexes, from three alternate ones, or from more than three; not in mobile assaults, nor against strongholds,
    /// the fortified area, or the German side in a city (11.24, R29).
    fn is_concentric(&self, rules: &Barbarossa, state: &State) -> bool {
        let defender = self.side(rules).enemy();
        let in_area = defender == Side::Soviet
            && state.area.is_some_and(|(_, placed)| state.turn > placed)
            && rules.area_hexes(state).contains(self.target);
        let in_city = defender == Side::Axis && rules.ground.cities.contains(self.target);
        if self.mobile || in_area || in_city || rules.is_stronghold(state, defender, self.target) {
            return false;
        }
        let mut from = [false; 6];
        let direction = |unit: UnitId| {
            state.hex(unit).and_then(|hex| rules.map.grid().dir_between(self.target, hex)).map(Dir::index)
        };
        self.attackers.iter().filter_map(direction).for_each(|dir| from[dir] = true);
        let opposite = (0..3).any(|i| from[i] && from[i + 3]);
        let alternate = (0..2).any(|i| from[i] && from[i + 2] && from[i + 4]);
        opposite || alternate || from.iter().filter(|on| **on).count() > 3
    }

    /// A Soviet attack in the USSR on a hex whose only unit is an Axis satellite (11.33a, R24).
    pub(crate) fn is_on_solo_satellite(&self, rules: &Barbarossa, state: &State) -> bool {
        let mut units = state.units.in_hex(self.target);
        let lone = units.next().filter(|_| units.next().is_none());
        self.side(rules) == Side::Soviet
            && rules.ground.ussr.contains(self.target)
            && lone.is_some_and(|unit| rules.is_axis_satellite(unit))
    }

    /// Tells what everybody brings, the odds and the shifts so far.
    pub(crate) fn tell_account(&self, rules: &Barbarossa, state: &State, play: &mut Play<Event>) {
        let attack = |unit| self.attacker(rules, state, unit).divisor;
        for divisor in [2, 4, 8] {
            let attackers = self.attacking(rules).filter(|unit| attack(unit) == divisor);
            let defenders = self.defending(state).filter(|unit| self.divisor(unit) == divisor);
            if !(attackers | defenders).is_empty() {
                play.tell(Event::Reduced { units: attackers | defenders, divisor });
            }
        }
        for unit in self.attacking(rules).iter() {
            let Force { factor, .. } = self.attacker(rules, state, unit);
            play.tell(Event::AttackFactor { unit, factor });
        }
        for unit in self.defending(state).iter() {
            let Force { factor, .. } = self.defender(rules, unit);
            play.tell(Event::DefenceFactor { unit, factor });
        }
        let account = self.account(rules, state);
        self.tell_odds(&account, play);
        for (cause, columns) in account.shifts {
            play.tell(Event::Shift { cause, columns });
        }
    }

    pub(crate) fn tell_odds(&self, account: &Account, play: &mut Play<Event>) {
        let Account { attack, defence, odds, .. } = *account;
        play.tell(Event::Odds { attack, defence, odds });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forces(list: &[(u8, u8)]) -> u16 {
        total(list.iter().map(|(factor, divisor)| Force {
            unit: UnitId(0),
            factor: *factor,
            divisor: *divisor,
        }))
    }

    #[test]
    fn reductions_are_made_once_a_group_and_leave_one() {
        assert_eq!(forces(&[(3, 2), (3, 2)]), 3, "added first (1.3c)");
        assert_eq!(forces(&[(3, 2)]), 1);
        assert_eq!(forces(&[(1, 2)]), 1, "never below one (1.3b)");
        assert_eq!(forces(&[(1, 4), (1, 4)]), 1, "nor a stack (11.12a)");
        assert_eq!(forces(&[(3, 2), (3, 4)]), 2);
        assert_eq!(forces(&[(0, 1)]), 0);
    }

    #[test]
    fn odds_are_rounded_in_favour_of_the_defender() {
        assert_eq!(odds_of(26, 7), OddsWord(2));
        assert_eq!(odds_of(5, 11), OddsWord(-2));
        assert_eq!(odds_of(7, 7), OddsWord(0));
        assert_eq!(odds_of(6, 7), OddsWord(-1));
    }
}
