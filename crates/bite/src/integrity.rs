//! 11.2: division and corps integrity.

use board::Hex;
use engine::UnitId;

use crate::{Battle, Bite, Level, State};

/// The most that integrity gives one side in one combat (11.2d2).
const MOST: u8 = 2;

/// Integrity shifts of one side: those of formations in Attack supply, and the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Integrity {
    pub(crate) full: u8,
    pub(crate) halved: u8,
}

impl Integrity {
    fn add(&mut self, columns: u8, level: Level) {
        // The limit holds before anything is halved (R11).
        let columns = columns.min(MOST - self.full - self.halved);
        match level {
            Level::Attack => self.full += columns,
            _ => self.halved += columns,
        }
    }
}

impl Bite {
    /// Integrity in attack: two or more units of a formation that attack from one hex without others in it (11.2a, 11.2c).
    pub(crate) fn attack_integrity(&self, state: &State, battle: &Battle) -> Integrity {
        let mut integrity = Integrity::default();
        for hex in battle.origins.iter() {
            let part = || battle.attackers.iter().filter(move |unit| state.hex(*unit) == Some(hex));
            let Some(formation) = part().find_map(|unit| self.counter(unit).formation) else { continue };
            if self.is_spoiled(state, hex, formation) {
                continue;
            }
            let of = || part().filter(|unit| self.counter(*unit).formation == Some(formation));
            let level = of().map(|unit| battle.level(unit)).min().unwrap_or(Level::Out);
            integrity.add(self.integrity_of(formation, of().count(), 0), level);
        }
        integrity
    }

    /// Integrity in defence: a unit in an attacked hex without other formations in it, and another of its formation there or
    /// next to it (11.2b, R39). Each formation counts once.
    pub(crate) fn defence_integrity(&self, state: &State, battle: &Battle) -> Integrity {
        let mut integrity = Integrity::default();
        let mut counted: u64 = 0;
        for hex in battle.targets.iter() {
            let found = state.units.in_hex(hex).find_map(|unit| self.counter(unit).formation);
            let Some(formation) = found.filter(|formation| counted >> formation & 1 == 0) else { continue };
            if self.is_spoiled(state, hex, formation) {
                continue;
            }
            counted |= 1 << formation;
            let near = self.map.neighbours(hex).map(|(_, near)| near).chain([hex]);
            let of = |unit: &UnitId| self.counter(*unit).formation == Some(formation);
            let count = near.flat_map(|hex| state.units.in_hex(hex)).filter(of).count();
            let level = battle.defenders.iter().filter(of).map(|unit| battle.level(unit)).min();
            integrity.add(self.integrity_of(formation, count, 1), level.unwrap_or(Level::Out));
        }
        integrity
    }

    /// A unit of another formation is in the hex (11.2c).
    fn is_spoiled(&self, state: &State, hex: Hex, formation: u8) -> bool {
        state
            .units
            .in_hex(hex)
            .any(|unit| self.counter(unit).formation.is_some_and(|other| other != formation))
    }

    /// What the table gives a formation with so many units, in attack (0) or defence (1) (11.2d1).
    fn integrity_of(&self, formation: u8, count: usize, what: usize) -> u8 {
        let shifts = self.formations[usize::from(formation)].shifts;
        match count {
            0 | 1 => 0,
            2 => shifts[0][what],
            _ => shifts[1][what],
        }
    }
}
