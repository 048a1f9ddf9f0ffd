//! 7.5.1.1: combat chits and Battle Strength.

use board::Mp;
use engine::{Force, Play, Side, UnitId, case};

use crate::{Arm, AttackKind, Battle, Bug, Event, State};

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

impl Bug {
    /// Both sides draw a chit, the second while the first is out (7.5.1.1b): the whole points of attack and defence.
    pub(crate) fn draw_chits(&self, state: &State, battle: &Battle, play: &mut Play<Event>) -> (u16, u16) {
        let Battle::Attack { kind, attackers, defenders, .. } = *battle;
        let side = self.attacking_side(battle);
        let count = self.charts.chits.len() as u32;
        let first = play.roll(side, count, "combat chit", case("7.5.1.1a")) as u8;
        let second = play.roll(side.enemy(), count - 1, "combat chit", case("7.5.1.1b")) as u8;
        let second = if second >= first { second + 1 } else { second };
        play.tell(Event::Chit { side, chit: first });
        play.tell(Event::Chit { side: side.enemy(), chit: second });
        let attack = self.battle_strength(state, attackers, first, side, Some(kind), play);
        let defence = self.battle_strength(state, defenders, second, side.enemy(), None, play);
        (attack, defence)
    }

    /// The sum over all units, with a remaining fraction rounded up (5.1a, 5.1b).
    fn battle_strength(
        &self,
        state: &State,
        units: Force,
        chit: u8,
        side: Side,
        attack: Option<AttackKind>,
        play: &mut Play<Event>,
    ) -> u16 {
        for unit in units.iter().filter(|unit| state.hex(*unit).is_some()) {
            let strength = self.strength_in_combat(state, unit, attack.is_some());
            let multiplier = self.multiplier(state, unit, chit, attack);
            let total = multiplier.times(u16::from(strength));
            // Current strengths are secret (5.3.4b); what they add up to is not.
            play.tell_only(side, Event::BattleStrength { unit, strength, multiplier, total }, None);
        }
        self.drawn_strength(state, units, chit, attack)
    }

    /// The sum without a word.
    pub(crate) fn drawn_strength(
        &self,
        state: &State,
        units: Force,
        chit: u8,
        attack: Option<AttackKind>,
    ) -> u16 {
        let there = units.iter().filter(|unit| state.hex(*unit).is_some());
        let total = |unit: UnitId| {
            let strength = self.strength_in_combat(state, unit, attack.is_some());
            self.multiplier(state, unit, chit, attack).times(u16::from(strength)).in_twelfths()
        };
        there.map(total).sum::<u16>().div_ceil(Mp::ONE.in_twelfths())
    }

    /// Current Strength; a quarter of it, rounded up, for an AT unit that attacks (7.5.1.1e, R5).
    fn strength_in_combat(&self, state: &State, unit: UnitId, attacks: bool) -> u8 {
        let strength = state.unit(unit).strength;
        if attacks && self.counter(unit).arm == Arm::AntiTank { strength.div_ceil(4) } else { strength }
    }

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
