//! What an attack is worth, by the exact chances of the table, and which one to make.

use board::Hex;
use dagc::{AirGroup, Chances, CombatResult, Dagc, Group, State};
use engine::{Lexicon, Side, UnitId, UnitSet};

use super::worth::step_value;
use crate::Mind;

/// An attack that could be made.
#[derive(Clone, Debug)]
pub(crate) struct Assault {
    pub(crate) target: Hex,
    pub(crate) attackers: Vec<UnitId>,
    pub(crate) supported: bool,
    /// What it promises, in points.
    pub(crate) promise: f64,
    /// The chances that it was chosen for.
    pub(crate) chances: Chances,
}

/// What is at stake in an attack.
pub(crate) struct Stakes {
    /// What each attacker loses with a step.
    pub(crate) attackers: Vec<f64>,
    /// What each defender loses with a step.
    pub(crate) defenders: Vec<f64>,
    /// True for defenders that die with it.
    pub(crate) last_steps: bool,
    /// Steps of the defence in all.
    pub(crate) steps: u8,
    pub(crate) can_retreat: bool,
    pub(crate) city: bool,
    /// What the hex is worth to the attacker.
    pub(crate) hex: f64,
}

impl Stakes {
    /// What one result is worth to the attacker.
    pub(crate) fn result(&self, result: CombatResult) -> f64 {
        let defenders: f64 = self.defenders.iter().sum();
        let taken = if self.last_steps { self.hex } else { 0.0 };
        match result {
            CombatResult::Stalled => 0.0,
            CombatResult::AttackerEliminated => -self.attackers.iter().sum::<f64>(),
            CombatResult::DefenderEliminated => defenders + taken,
            CombatResult::Bloodbath => defenders + taken - self.cheapest(self.defenders.len()),
            CombatResult::Retreat if self.city => {
                defenders + taken - self.cheapest(self.defenders.len())
            }
            CombatResult::Retreat if !self.can_retreat => defenders + taken,
            CombatResult::Retreat => {
                let stand = self.defenders.iter().copied().fold(f64::INFINITY, f64::min);
                if self.steps < 2 { self.hex } else { self.hex.min(stand) }
            }
        }
    }

    /// What the attacker loses when he gives up so many steps as cheaply as he can.
    fn cheapest(&self, count: usize) -> f64 {
        let mut costs = self.attackers.clone();
        costs.sort_by(f64::total_cmp);
        costs.iter().take(count).sum()
    }

    /// What an attack with these chances is worth.
    pub(crate) fn promise(&self, chances: &Chances) -> f64 {
        chances.results.iter().map(|result| self.result(*result)).sum::<f64>() / 6.0
    }
}

/// What taking a hex is worth to a side in combat.
pub(crate) fn hex_worth(mind: Mind<'_, Dagc>, hex: Hex) -> f64 {
    let index = mind.rules.map().index(hex);
    let crown = if mind.rules.koenigsberg() == Some(hex) { 30.0 } else { 0.0 };
    mind.weights.ground + mind.weights.place * (mind.picture.points[index] + crown)
}

pub(crate) fn stakes(mind: Mind<'_, Dagc>, state: &State, target: Hex, attackers: &[UnitId]) -> Stakes {
    let defenders = state.units_in(target);
    Stakes {
        attackers: attackers.iter().map(|unit| step_value(mind, state, *unit)).collect(),
        defenders: defenders.iter().map(|unit| step_value(mind, state, *unit)).collect(),
        last_steps: defenders.iter().all(|unit| state.steps_of(*unit) == 1),
        steps: defenders.iter().map(|unit| state.steps_of(*unit)).sum(),
        can_retreat: mind.rules.can_retreat(state, target),
        city: mind.rules.cities().contains(target),
        hex: hex_worth(mind, target),
    }
}

/// What an attack by these units promises.
pub(crate) fn promise(
    mind: Mind<'_, Dagc>,
    state: &State,
    target: Hex,
    attackers: &[UnitId],
    out: &UnitSet,
    supported: bool,
) -> (f64, Chances) {
    let chances = mind.rules.chances(state, target, attackers, out, supported);
    (stakes(mind, state, target, attackers).promise(&chances), chances)
}

/// Whether support could be had for an attack by these units.
pub(crate) fn support_at_hand(mind: Mind<'_, Dagc>, state: &State, attackers: &[UnitId]) -> bool {
    let Some(first) = attackers.first() else { return false };
    match (mind.rules.side_of(*first), mind.rules.group_of(*first)) {
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
    out: &UnitSet,
) -> Option<Assault> {
    let judge = |attackers: &[UnitId]| -> Option<Assault> {
        if attackers.is_empty() {
            return None;
        }
        let (plain, chances) = promise(mind, state, target, attackers, out, false);
        let mut best = Assault { target, attackers: attackers.to_vec(), supported: false, promise: plain, chances };
        if support_at_hand(mind, state, attackers) {
            let (with, chances) = promise(mind, state, target, attackers, out, true);
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
        of_front.map(|unit| u32::from(mind.rules.factor_of(state, *unit))).sum()
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
    let lines = mind.rules.lines(state);
    let out = mind.rules.out_of_supply(state);
    let mut found: Vec<Assault> = (lines.held[side.enemy()] & lines.zoc[side])
        .iter()
        .filter_map(|target| {
            let eligible = mind.rules.may_attack(state, side, target);
            best_on(mind, state, target, &eligible, &out)
        })
        .collect();
    found.sort_by(|a, b| b.promise.total_cmp(&a.promise));
    found
}
