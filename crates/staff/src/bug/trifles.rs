//! Small matters, answered the same way at every level: re-rolls, losses, retreats, reactions, displaced HQs, segments.

use board::Hex;
use bug::{
    Action, Arm, Blow, Bug, Checks, Command, Displaced, Hits, Initiative, Luck, Points, Procedure, Recovery,
    Retreat, Scout, Soldier, State, Units,
};
use engine::{Lexicon, Side, UnitId};

use super::act::Hand;
use super::balance::Balance;
use super::strike::{Ends, Strike};

/// More units than retreat together.
const MOST_TOGETHER: f32 = 6.0;

/// What small matters are judged with.
pub(crate) struct Clerk<'a, 's> {
    pub(crate) rules: &'a Bug,
    pub(crate) scout: &'a Scout<'s>,
    pub(crate) balance: &'a Balance<'a>,
    pub(crate) side: Side,
}

impl Clerk<'_, '_> {
    fn state(&self) -> &State {
        self.scout.state()
    }

    fn distance(&self, a: Hex, b: Hex) -> u32 {
        self.rules.map().grid().distance(a, b)
    }

    /// The best answer by a score.
    fn best(answers: &[Action], score: impl Fn(&Action) -> f32) -> Action {
        let mut best = (f32::NEG_INFINITY, answers[0]);
        for answer in answers {
            let value = score(answer);
            if value > best.0 {
                best = (value, *answer);
            }
        }
        best.1
    }

    /// The answer to a small matter; nothing when the question is a great one.
    pub(crate) fn answer(&self, answers: &[Action]) -> Option<Action> {
        let top = *self.state().procedures().last()?;
        Some(match top {
            Procedure::Luck(Luck { roll, .. }) => self.reroll(roll),
            Procedure::Initiative(Initiative { axis, soviet, .. }) => self.initiative(axis, soviet),
            Procedure::Recovery(Recovery { next, .. }) => self.emergency(next),
            Procedure::Assignment(_) => self.assign(answers),
            Procedure::Replacement(_) | Procedure::Reorganizing(_) => {
                Self::best(answers, |answer| match answer {
                    Action::Replace { unit } | Action::Reinforce { unit } => self.need(*unit),
                    _ => 0.0,
                })
            }
            Procedure::Reorganization(_) => Action::End,
            Procedure::Reinforcement(_) => self.arrive(answers),
            Procedure::Trying(_) => {
                Self::best(answers, |answer| f32::from(u8::from(*answer == Action::GoOn)))
            }
            Procedure::Window(_) => self.react(answers),
            Procedure::Hits(Hits { blow: Blow::Voluntary, .. }) => self.stand(answers),
            Procedure::Hits(_) => Self::best(answers, |answer| match answer {
                Action::Lose { unit } => self.spare(*unit),
                _ => 0.0,
            }),
            Procedure::Retreat(Retreat { units, .. }) => self.retreat(units, answers),
            Procedure::Overstacked(_) => self.displace(answers),
            Procedure::Crushed(_) => Self::best(answers, |answer| match answer {
                Action::Remove { unit } => -self.unit_worth(*unit),
                _ => 0.0,
            }),
            Procedure::Crowded(_) => Self::best(answers, |answer| match answer {
                Action::Evict { hq } => -f32::from(self.state().strength_of(*hq)),
                _ => 0.0,
            }),
            Procedure::Displaced(Displaced { hq }) => self.settle(hq, answers),
            Procedure::Armor(_) | Procedure::Fight(_) | Procedure::Opening(_) => answers[0],
            _ => return None,
        })
    }

    fn unit_worth(&self, unit: UnitId) -> f32 {
        let Some(soldier) = self.scout.soldier(unit) else { return 0.0 };
        self.balance.worth_of(&soldier)
            * self.balance.point(self.rules.side_of(unit), soldier.motorized, soldier.hex)
    }

    // Dice.

    fn reroll(&self, roll: u8) -> Action {
        let state = self.state();
        let procedures = state.procedures();
        let waiting = procedures.len().checked_sub(2).and_then(|i| procedures.get(i));
        let gain = match waiting {
            Some(Procedure::Die(_)) => self.combat_gain(roll),
            Some(Procedure::Points(Points { hq, reaction })) => {
                let mean = self.scout.mean_points(*hq, *reaction);
                (mean as f32 - f32::from(self.scout.points_for(*hq, roll, *reaction))) * 0.12
            }
            Some(Procedure::Checks(Checks { units, .. })) => units.first().map_or(0.0, |unit| {
                let Some(soldier) = self.scout.soldier(unit) else { return 0.0 };
                let fails = roll > soldier.rating;
                let passes = f32::from(soldier.rating) / 10.0;
                if fails { passes * 0.5 * self.unit_worth(unit) } else { 0.0 }
            }),
            Some(Procedure::Interdiction(_)) => (5.5 - f32::from(roll)) * 0.04,
            Some(Procedure::Reacting(_)) if roll > 5 => 0.12,
            _ => 0.0,
        };
        let last = state.turn() == self.rules.last_turn();
        let marker = self.balance.weights.marker as f32 * if last { 0.7 } else { 1.0 };
        if gain > marker { Action::Reroll } else { Action::Keep }
    }

    /// What another combat die would be worth on average.
    fn combat_gain(&self, roll: u8) -> f32 {
        let Some(battle) = self.state().battle() else { return 0.0 };
        let strike = Strike { units: battle.attackers, from: battle.from, target: battle.target };
        let ends = Ends::new(self.balance, self.scout, self.side, &strike);
        let of = |roll: u8| ends.of(&self.scout.combat_die(roll));
        (1..=10).map(of).sum::<f32>() / 10.0 - of(roll)
    }

    /// The initiative is worth a second roll only where it decides: when it is lost and likely to be won back.
    fn initiative(&self, axis: u8, soviet: u8) -> Action {
        let bonus = |side| self.scout.initiative_bonus(side);
        let (axis, soviet) = (axis + bonus(Side::Axis), soviet + bonus(Side::Soviet));
        let wins = |own: u8| match self.side {
            Side::Axis => own + bonus(Side::Axis) >= soviet,
            Side::Soviet => own + bonus(Side::Soviet) > axis,
        };
        let has = if soviet > axis { Side::Soviet } else { Side::Axis };
        let chance = (1..=10).filter(|roll| wins(*roll)).count();
        let last = self.state().turn() == self.rules.last_turn();
        if has != self.side && last && chance >= 7 { Action::Reroll } else { Action::Keep }
    }

    // The Admin Phase.

    fn emergency(&self, next: u8) -> Action {
        let formation = self.scout.formations(self.side).find(|formation| formation.formation == next);
        let late = self.state().turn() + 1 >= self.rules.last_turn();
        match formation {
            Some(formation) if formation.level >= 2 && !late => Action::Spare,
            _ => Action::Emergency,
        }
    }

    /// Who is cut off goes with the nearest HQ that reaches him (5.5.1k); who arrives, with the HQ where he is worth most (8.2e).
    fn assign(&self, answers: &[Action]) -> Action {
        Self::best(answers, |answer| match answer {
            Action::Assign { unit, hq } => {
                let place = self.scout.formation(*hq).map(|formation| formation.hex);
                match (self.scout.soldier(*unit), self.rules.values_of(*unit), place) {
                    (Some(soldier), _, Some(place)) if self.scout.command(*unit) == Command::Isolated => {
                        2.0 - 0.01 * self.distance(soldier.hex, place) as f32
                    }
                    (None, Some(soldier), Some(place)) => {
                        0.1 + self.balance.field(self.side, soldier.motorized, place).min(0.8)
                    }
                    _ => 0.05,
                }
            }
            Action::End => 1.0,
            _ => 0.0,
        })
    }

    /// How much a unit needs a Strength Point.
    fn need(&self, unit: UnitId) -> f32 {
        let Some(soldier) = self.scout.soldier(unit) else { return 0.0 };
        let low = 1.0 - f32::from(soldier.strength) / f32::from(soldier.full.max(1));
        0.01 + self.balance.point(self.side, soldier.motorized, soldier.hex) * (1.0 + low)
    }

    /// HQs first, then units where they are worth most.
    fn arrive(&self, answers: &[Action]) -> Action {
        Self::best(answers, |answer| match answer {
            Action::Place { unit, hex } => match self.rules.values_of(*unit) {
                Some(soldier) => {
                    let threat = if self.scout.zoc(self.side.enemy()).contains(*hex) { 0.5 } else { 1.0 };
                    1.0 + self.balance.field(self.side, soldier.motorized, *hex) * threat
                }
                None => 3.0,
            },
            Action::End => 0.5,
            _ => 0.0,
        })
    }

    // Reactions.

    /// A reaction costs a level, which is worth twice as much in an activation of its own: only for something good.
    fn react(&self, answers: &[Action]) -> Action {
        let weights = self.balance.weights;
        Self::best(answers, |answer| match answer {
            Action::React { hq } => {
                let Some(formation) = self.scout.formation(*hq) else { return -1.0 };
                let ap = self.scout.mean_points(*hq, true).round() as u8;
                let mut hand = Hand::suppose(self.rules, self.scout, self.balance, *hq, ap.max(1));
                let value = hand.best_attack();
                let passes = f32::from(formation.reaction) / 10.0;
                passes * (value + weights.interrupt as f32 - weights.level as f32)
            }
            _ => 0.0,
        })
    }

    // Losses and retreats.

    /// How readily a unit is given up a point of.
    fn spare(&self, unit: UnitId) -> f32 {
        let Some(soldier) = self.scout.soldier(unit) else { return 0.0 };
        let dies = soldier.strength == 1 && soldier.arm != Arm::BorderGuard;
        let precious = match soldier.arm {
            Arm::Afv => 0.3,
            Arm::Engineers | Arm::MotorizedEngineers => 0.1,
            Arm::BorderGuard => -0.3,
            _ => 0.0,
        };
        f32::from(soldier.strength) * 0.1 - if dies { 2.0 } else { 0.0 } - precious
    }

    /// The second hit: who stays loses a point, who goes loses the hex.
    fn stand(&self, answers: &[Action]) -> Action {
        Self::best(answers, |answer| match answer {
            Action::Stand => {
                let staying: Vec<Soldier> = answers
                    .iter()
                    .filter_map(|other| match other {
                        Action::Withdraw { units } => Some(*units),
                        _ => None,
                    })
                    .flat_map(|units| units.iter())
                    .filter_map(|unit| self.scout.soldier(unit))
                    .collect();
                let strongest = staying.iter().map(|soldier| soldier.strength).max().unwrap_or(0);
                let Some(first) = staying.first() else { return 0.0 };
                let point = self.balance.point(self.side, first.motorized, first.hex);
                let stake = if self.state().holder(first.hex) == self.side {
                    self.balance.stake(first.hex)
                } else {
                    0.0
                };
                let weak = if strongest <= 1 {
                    0.3
                } else if strongest == 2 {
                    0.1
                } else {
                    0.0
                };
                0.6 * stake + self.balance.weights.ground as f32 - point - weak
            }
            Action::Withdraw { units } => -0.001 * (MOST_TOGETHER - units.len() as f32),
            _ => -1.0,
        })
    }

    fn retreat(&self, units: Units, answers: &[Action]) -> Action {
        let Some(at) = units.iter().find_map(|unit| self.state().place_of(unit)) else { return answers[0] };
        let enemies = self.scout.combat(self.side.enemy());
        let score = |hex: Hex| {
            let pull: f32 = units
                .iter()
                .filter_map(|unit| self.scout.soldier(unit))
                .map(|soldier| {
                    self.balance.worth_of(&soldier) * self.balance.field(self.side, soldier.motorized, hex)
                })
                .sum();
            let near = self.rules.map().neighbours(hex).filter(|(_, next)| enemies.contains(*next)).count();
            pull - 0.06 * near as f32
        };
        Self::best(answers, |answer| match answer {
            Action::Retreat { hex } => score(*hex),
            _ => score(at),
        })
    }

    /// An enemy's strongest unit goes where it is worth least, an own one where it is worth most.
    fn displace(&self, answers: &[Action]) -> Action {
        Self::best(answers, |answer| match answer {
            Action::Displace { unit, hex } => {
                let owner = self.rules.side_of(*unit);
                let Some(soldier) = self.scout.soldier(*unit) else { return 0.0 };
                let there = f32::from(soldier.strength) * self.balance.field(owner, soldier.motorized, *hex);
                if owner == self.side { there } else { 0.01 - there }
            }
            _ => -1.0,
        })
    }

    fn settle(&self, hq: UnitId, answers: &[Action]) -> Action {
        let Some(formation) = self.scout.formation(hq) else { return answers[0] };
        let hand = Hand::suppose(self.rules, self.scout, self.balance, hq, 0);
        let range = u32::from(formation.range);
        Self::best(answers, |answer| match answer {
            Action::Settle { hex } => {
                let near = self.distance(formation.hex, *hex) <= range;
                let joined = self.scout.is_led(hq, *hex);
                let tier = if near && joined {
                    1.0
                } else if near {
                    0.3
                } else {
                    0.0
                };
                tier + hand.leading(range as f32, *hex)
            }
            _ => 0.0,
        })
    }
}
