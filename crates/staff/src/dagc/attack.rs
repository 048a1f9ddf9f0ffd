//! What an attack is worth, by the exact chances of the table, and which one to make.

use arrayvec::ArrayVec;
use board::Hex;
use dagc::{AirGroup, Chances, CombatResult, Dagc, Group, MAX_UNITS, State, Units};
use engine::{Lexicon, Side, UnitId};

use super::worth::step_value;
use crate::Mind;

/// An attack that could be made.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Assault {
    pub(crate) target: Hex,
    pub(crate) attackers: Vec<UnitId>,
    pub(crate) supported: bool,
    /// What it promises, in points.
    pub(crate) promise: f64,
    /// The chances that it was chosen for.
    pub(crate) chances: Chances,
}

impl Assault {
    /// It is likelier to cost the attackers a step each than to do the enemy any harm.
    pub(crate) fn is_rash(&self) -> bool {
        let harm = self.chances.results.iter().map(|result| match result {
            CombatResult::AttackerEliminated => -1,
            CombatResult::Stalled => 0,
            _ => 1,
        });
        harm.sum::<i32>() < 0
    }
}

/// What is at stake in an attack.
pub(crate) struct Stakes {
    /// What each attacker loses with a step.
    attackers: ArrayVec<f64, MAX_UNITS>,
    /// What each defender loses with a step.
    defenders: ArrayVec<f64, MAX_UNITS>,
    /// True when all defenders are down to their last step.
    last_steps: bool,
    /// Steps of the defence in all.
    steps: u8,
    can_retreat: bool,
    city: bool,
    /// What the hex is worth to the attacker.
    hex: f64,
}

impl Stakes {
    /// Nobody attacks a hex yet.
    pub(crate) fn of(mind: Mind<'_, Dagc>, state: &State, target: Hex) -> Stakes {
        let defenders = state.stack_in(target);
        Stakes {
            attackers: ArrayVec::new(),
            defenders: defenders.iter().map(|unit| step_value(mind, state, *unit)).collect(),
            last_steps: defenders.iter().all(|unit| state.steps_of(*unit) == 1),
            steps: defenders.iter().map(|unit| state.steps_of(*unit)).sum(),
            can_retreat: mind.rules.can_any_retreat(state, target),
            city: mind.rules.cities().contains(target),
            hex: hex_worth(mind, target),
        }
    }

    /// These units attack it.
    pub(crate) fn by(mut self, mind: Mind<'_, Dagc>, state: &State, attackers: &[UnitId]) -> Stakes {
        self.name(attackers.iter().map(|unit| step_value(mind, state, *unit)));
        self
    }

    fn name(&mut self, losses: impl Iterator<Item = f64>) {
        self.attackers = losses.collect();
        self.attackers.sort_unstable_by(f64::total_cmp);
    }

    /// What one result is worth to the attacker.
    pub(crate) fn result(&self, result: CombatResult) -> f64 {
        let defenders: f64 = self.defenders.iter().sum();
        let taken = if self.last_steps { self.hex } else { 0.0 };
        // The attacker gives up as many steps as the defender, as cheaply as he can.
        let price = || self.attackers.iter().take(self.defenders.len()).sum::<f64>();
        match result {
            CombatResult::Stalled => 0.0,
            CombatResult::AttackerEliminated => -self.attackers.iter().sum::<f64>(),
            CombatResult::DefenderEliminated => defenders + taken,
            CombatResult::Bloodbath => defenders + taken - price(),
            CombatResult::Retreat if self.city => defenders + taken - price(),
            CombatResult::Retreat if !self.can_retreat => defenders + taken,
            CombatResult::Retreat => {
                let stand = self.defenders.iter().copied().fold(f64::INFINITY, f64::min);
                if self.steps < 2 { self.hex } else { self.hex.min(stand) }
            }
        }
    }

    /// What an attack with these chances is worth.
    pub(crate) fn promise(&self, chances: &Chances) -> f64 {
        chances.results.iter().map(|result| self.result(*result)).sum::<f64>() / 6.0
    }
}

/// What taking a hex is worth to a side in combat.
pub(crate) fn hex_worth(mind: Mind<'_, Dagc>, hex: Hex) -> f64 {
    let index = mind.rules.map().index(hex);
    mind.weights.ground + mind.weights.place * mind.picture.points[index]
}

/// What an attack by these units promises.
pub(crate) fn promise(
    mind: Mind<'_, Dagc>,
    state: &State,
    target: Hex,
    attackers: &[UnitId],
    out: &Units,
    supported: bool,
) -> (f64, Chances) {
    let chances = mind.rules.chances(state, target, attackers, out, supported);
    (Stakes::of(mind, state, target).by(mind, state, attackers).promise(&chances), chances)
}

/// Whether support could be had for an attack by these units.
pub(crate) fn support_at_hand(mind: Mind<'_, Dagc>, state: &State, attackers: &[UnitId]) -> bool {
    let Some(first) = attackers.first() else { return false };
    match (mind.rules.side(*first), mind.rules.group_of(*first)) {
        (Side::Soviet, Group::Uf) => state.unused_air(AirGroup::Uf) > 0,
        (Side::Soviet, _) => state.unused_air(AirGroup::Main) > 0,
        (Side::Axis, _) => false,
    }
}

/// A trifle for every unit that takes part: others may need it.
const ENGAGED: f64 = 0.02;

/// The best way to attack a hex with some of these units.
pub(crate) fn best_on(
    mind: Mind<'_, Dagc>,
    state: &State,
    target: Hex,
    eligible: &[UnitId],
    out: &Units,
) -> Option<Assault> {
    let mut stakes = Stakes::of(mind, state, target);
    let mut judge = |attackers: &[UnitId]| -> Option<Assault> {
        if attackers.is_empty() {
            return None;
        }
        stakes.name(attackers.iter().map(|unit| step_value(mind, state, *unit)));
        let chances = mind.rules.chances(state, target, attackers, out, false);
        let plain = stakes.promise(&chances);
        let mut best =
            Assault { target, attackers: attackers.to_vec(), supported: false, promise: plain, chances };
        if support_at_hand(mind, state, attackers) {
            let chances = mind.rules.chances(state, target, attackers, out, true);
            let with = stakes.promise(&chances);
            if with - plain > mind.weights.air {
                best = Assault { promise: with - mind.weights.air, chances, supported: true, ..best };
            }
        }
        best.promise -= ENGAGED * attackers.len() as f64;
        Some(best)
    };
    // Fronts never attack together (11.24): the stronger one does.
    let strength = |uf: bool| -> u32 {
        let of_front = eligible.iter().filter(|unit| (mind.rules.group_of(**unit) == Group::Uf) == uf);
        of_front.map(|unit| u32::from(mind.rules.factor(state, *unit))).sum()
    };
    let uf = strength(true) > strength(false);
    let mut attackers: Vec<UnitId> =
        eligible.iter().copied().filter(|unit| (mind.rules.group_of(*unit) == Group::Uf) == uf).collect();
    let mut best = judge(&attackers)?;
    // Leaves out whoever is not needed.
    loop {
        let mut better = None;
        for i in 0..attackers.len() {
            let mut fewer = attackers.clone();
            fewer.remove(i);
            if let Some(found) = judge(&fewer)
                && found.promise > best.promise + 1e-9
                && better.as_ref().is_none_or(|other: &Assault| found.promise > other.promise)
            {
                better = Some(found);
            }
        }
        let Some(found) = better else { return Some(best) };
        attackers.clone_from(&found.attackers);
        best = found;
    }
}

/// All attacks worth thinking about in a combat phase, the best first.
pub(crate) fn assaults(mind: Mind<'_, Dagc>, state: &State, side: Side) -> Vec<Assault> {
    let out = mind.rules.out_of_supply(state);
    let mut found: Vec<Assault> = mind
        .rules
        .in_contact(state, side.enemy())
        .iter()
        .filter_map(|target| {
            let eligible = mind.rules.may_attack(state, side, target);
            best_on(mind, state, target, &eligible, &out)
        })
        .collect();
    found.sort_by(|a, b| b.promise.total_cmp(&a.promise));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use CombatResult::{AttackerEliminated as AE, Bloodbath as BB, Retreat as DR, Stalled as AS};

    #[test]
    fn an_attack_that_mostly_harms_the_attacker_is_rash() {
        let rash = |results| {
            let chances = Chances { column: 0, results };
            let (target, attackers) = (Hex::new(0, 0), Vec::new());
            Assault { target, attackers, supported: false, promise: 0.0, chances }.is_rash()
        };
        assert!(rash([AE, AE, AE, AE, AS, BB]));
        assert!(rash([AE, AE, AE, AS, AS, DR]));
        assert!(!rash([AE, AE, AS, AS, BB, DR]));
        assert!(!rash([AS, AS, AS, AS, AS, AS]));
    }
}
