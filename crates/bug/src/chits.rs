//! 7.5.1.1: combat chits and Battle Strength.

use board::Mp;
use engine::{Play, UnitId, case};

use crate::combat::Account;
use crate::{Arm, AttackKind, Bug, Event, State};

/// The columns of a chit (7.5.1.1c, R46).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    /// Red: Hasty Attack, disrupted defenders.
    Left,
    /// Regular Attack, regular defense.
    Middle,
    /// Prepared Attack, Improved Defense.
    Right,
}

/// What a unit brings to a combat with a chit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    unit: UnitId,
    strength: u8,
    multiplier: Mp,
    /// An AT unit that attacks counts a quarter (7.5.1.1e).
    quartered: bool,
}

/// Parts of a Strength Point that are counted, so that a quarter of any multiplier is whole.
const PARTS: u32 = 48;

impl Share {
    fn parts(&self) -> u32 {
        let twelfths = u32::from(self.multiplier.times(u16::from(self.strength)).in_twelfths());
        if self.quartered { twelfths } else { twelfths * 4 }
    }

    /// What is told of it, to the twelfth above.
    fn total(&self) -> Mp {
        Mp::twelfths(self.parts().div_ceil(PARTS / 12) as u16)
    }
}

impl Account<'_> {
    /// Both sides draw a chit, the second while the first is out (7.5.1.1b): the whole points of attack and defence.
    pub(crate) fn draw_chits(&self, play: &mut Play<Event>) -> (u16, u16) {
        let side = self.rules.side_of_all(self.clash.attackers);
        let count = self.rules.charts.chits.len() as u32;
        let first = play.roll(side, count, "combat chit", case("7.5.1.1a")) as u8;
        let second = play.roll(side.enemy(), count - 1, "combat chit", case("7.5.1.1b")) as u8;
        let second = if second >= first { second + 1 } else { second };
        play.tell(Event::Chit { side, chit: first });
        play.tell(Event::Chit { side: side.enemy(), chit: second });
        for (side, attacks, chit) in [(side, true, first), (side.enemy(), false, second)] {
            for share in self.shares(attacks, chit) {
                let Share { unit, strength, multiplier, .. } = share;
                let total = share.total();
                // Current strengths are secret (5.3.4b); what they add up to is not.
                play.tell_only(side, Event::BattleStrength { unit, strength, multiplier, total }, None);
            }
        }
        (self.strength(true, first), self.strength(false, second))
    }

    /// What each unit of the attack or of the defence brings.
    fn shares(&self, attacks: bool, chit: u8) -> impl Iterator<Item = Share> + '_ {
        let (units, kind) = match attacks {
            true => (self.clash.attackers, Some(self.clash.kind)),
            false => (self.clash.defenders, None),
        };
        let there = units.iter().filter(|unit| self.state.hex(*unit).is_some());
        there.map(move |unit| Share {
            unit,
            strength: self.state.unit(unit).strength,
            quartered: attacks && self.rules.counter(unit).arm == Arm::AntiTank,
            multiplier: self.rules.multiplier(self.state, unit, chit, kind),
        })
    }

    /// The sum over all units, with a remaining fraction rounded up (5.1a, 5.1b, R5).
    pub(crate) fn strength(&self, attacks: bool, chit: u8) -> u16 {
        let parts: u32 = self.shares(attacks, chit).map(|share| share.parts()).sum();
        parts.div_ceil(PARTS) as u16
    }
}

impl Bug {
    fn multiplier(&self, state: &State, unit: UnitId, chit: u8, attack: Option<AttackKind>) -> Mp {
        let improved = state.hex(unit).is_some_and(|hex| state.improved.contains(hex));
        let column = match attack {
            Some(AttackKind::Hasty) => Column::Left,
            Some(AttackKind::Regular) => Column::Middle,
            Some(AttackKind::Prepared) => Column::Right,
            None if state.is_disrupted(unit) => Column::Left, // 5.6.3g
            None if improved => Column::Right,                // 7.1j
            None => Column::Middle,
        };
        let rating = usize::from(self.printed(state, unit).rating).clamp(1, 10);
        self.charts.chits[usize::from(chit) - 1].columns[column as usize][rating - 1]
    }
}
