//! The account of a combat: strengths, odds, every shift with its case and giver (12.3, 12.4).
//!
//! There is one description of it. Play tells it, odds and threats follow from it.

use arrayvec::ArrayVec;
use engine::{Landing, Play, Rounding, Side, UnitId};

use crate::charts::Halves;
use crate::shifts::Given;
use crate::{Battle, Bite, Cause, Column, Event, Level, State};

/// Room for every sort of shift, and every HQ and leader.
const MOST_SHIFTS: usize = 40;

/// A shift that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shift {
    pub(crate) side: Side,
    pub(crate) cause: Cause,
    pub(crate) columns: u8,
    pub(crate) by: Option<UnitId>,
    /// It comes from somebody not in Attack supply, and is halved with others (R11).
    pub(crate) halved: bool,
}

/// The account of a combat, item by item.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    pub(crate) attack: Halves,
    pub(crate) defence: Halves,
    /// The column before shifts.
    pub(crate) odds: usize,
    pub(crate) shifts: ArrayVec<Shift, MOST_SHIFTS>,
    /// The column that counts.
    pub(crate) place: Landing,
}

impl Account {
    /// The shifts of a side that are halved together: before and after (8.1m).
    fn halved(&self, side: Side) -> (u8, u8) {
        let all = self.shifts.iter().filter(|shift| shift.side == side && shift.halved);
        let sum: u8 = all.map(|shift| shift.columns).sum();
        (sum, if sum > 0 { (sum / 2).max(1) } else { 0 })
    }

    fn total(&self, side: Side) -> i32 {
        let full = self.shifts.iter().filter(|shift| shift.side == side && !shift.halved);
        let full: u8 = full.map(|shift| shift.columns).sum();
        i32::from(full) + i32::from(self.halved(side).1)
    }
}

impl Bite {
    /// What all attackers bring: those in General supply half of their sum (R12), in an overrun all of them half (10.3f1).
    fn attack_total(&self, state: &State, battle: &Battle) -> Halves {
        let sum = |full: bool| -> u16 {
            let units = battle.attackers.iter().filter(|unit| (battle.level(*unit) == Level::Attack) == full);
            units.map(|unit| u16::from(self.attack(state, unit))).sum()
        };
        let full = if battle.overrun { sum(true) } else { sum(true) * 2 };
        Halves(full + sum(false))
    }

    /// What all defenders bring, each half if it is out of supply (8.2d).
    fn defence_total(&self, state: &State, battle: &Battle) -> Halves {
        let strength = |unit: UnitId| {
            let strength = u16::from(self.defence(state, unit));
            if battle.level(unit) == Level::Out { strength } else { strength * 2 }
        };
        Halves(battle.defenders.iter().map(strength).sum())
    }

    pub(crate) fn account(&self, state: &State, battle: &Battle) -> Account {
        let (attack, defence) = (self.attack_total(state, battle), self.defence_total(state, battle));
        let table = &self.charts.combat;
        // The column is found, and limited, before shifts; then it is limited again (R40).
        let odds = table.odds(u32::from(attack.0), u32::from(defence.0), Rounding::Down).column;
        let mut shifts = ArrayVec::new();
        for side in [battle.side, battle.side.enemy()] {
            for Given { cause, columns, by, level } in self.shifts(state, battle, side) {
                let halved = level.is_some_and(|level| level < Level::Attack);
                let _ = shifts.try_push(Shift { side, cause, columns, by, halved });
            }
        }
        let mut account =
            Account { attack, defence, odds, shifts, place: Landing { column: odds, beyond: 0 } };
        let net = account.total(battle.side) - account.total(battle.side.enemy());
        account.place = table.shift(account.place, net);
        account
    }

    fn heading(&self, column: usize) -> Column {
        let (attack, defence) = self.charts.combat.heading(column).split_once(':').unwrap_or(("0", "0"));
        Column { attack: attack.parse().unwrap_or(0), defence: defence.parse().unwrap_or(0) }
    }

    /// Tells the account item by item.
    pub(crate) fn tell_account(
        &self,
        state: &State,
        battle: &Battle,
        account: &Account,
        play: &mut Play<Event>,
    ) {
        for unit in battle.attackers.iter() {
            play.tell(Event::AttackStrength {
                unit,
                strength: self.attack(state, unit),
                level: battle.level(unit),
            });
        }
        for unit in battle.defenders.iter() {
            play.tell(Event::DefenceStrength {
                unit,
                strength: self.defence(state, unit),
                level: battle.level(unit),
            });
        }
        let (attack, defence) = (account.attack, account.defence);
        play.tell(Event::Odds { attack, defence, column: self.heading(account.odds) });
        for Shift { side, cause, columns, by, .. } in &account.shifts {
            play.tell(Event::Shift { side: *side, cause: *cause, columns: *columns, by: *by });
        }
        for side in [battle.side, battle.side.enemy()] {
            let (from, to) = account.halved(side);
            if from > 0 {
                play.tell(Event::ShiftsHalved { side, from, to });
            }
        }
        play.tell(Event::ColumnFound { column: self.heading(account.place.column) });
    }
}
