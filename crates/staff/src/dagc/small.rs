//! Every question for itself: all that a recruit thinks of, and what others do not plan.

use board::Hex;
use dagc::{Action, Attack, Battle, CombatResult, Dagc, Moving, Procedure, State};
use engine::{Dice, Lexicon, Side, UnitId};

use super::attack::{self, Stakes};
use super::march::{March, Style};
use super::picture::Objective;
use super::worth::{self, Reach};
use crate::{Mind, greedy};

pub(crate) fn answer(
    mind: Mind<'_, Dagc>,
    state: &State,
    side: Side,
    answers: &[Action],
    luck: &mut Dice,
) -> Action {
    let found = match state.procedures().last() {
        Some(Procedure::Combat(_)) => declare(mind, state, side, answers),
        Some(Procedure::Attack(attack)) => join(mind, state, *attack, answers),
        Some(Procedure::Supporting(_)) => support(mind, state, answers),
        Some(Procedure::Column(_)) => column(mind, state, answers),
        Some(Procedure::Movement(_)) => {
            answers.iter().find(|answer| matches!(answer, Action::Move { .. })).copied()
        }
        Some(Procedure::Moving(Moving { unit, .. })) => go(mind, state, side, *unit, answers),
        Some(Procedure::Interdiction(_)) => interdict(mind, state, answers),
        Some(Procedure::Reinforcement(_)) => reinforce(mind, state, side, answers),
        Some(Procedure::Overload(_)) => cheapest(mind, state, answers),
        _ => Some(greedy::best(mind, state, side, answers, luck)),
    };
    let last = || answers.last().copied().unwrap_or(Action::End);
    found.filter(|answer| answers.contains(answer)).unwrap_or_else(last)
}

/// The attack that promises most, with everybody who can take part.
fn declare(mind: Mind<'_, Dagc>, state: &State, side: Side, answers: &[Action]) -> Option<Action> {
    let out = mind.rules.out_of_supply(state);
    let mut targets: Vec<Hex> = answers
        .iter()
        .filter_map(|answer| match answer {
            Action::Name { hex, .. } => Some(*hex),
            _ => None,
        })
        .collect();
    targets.sort();
    targets.dedup();
    let judged = targets.into_iter().filter_map(|target| {
        let eligible = mind.rules.may_attack(state, side, target);
        let strongest = eligible.iter().copied().max_by_key(|unit| mind.rules.factor(state, *unit))?;
        let front = mind.rules.group_of(strongest);
        let together: Vec<UnitId> = eligible
            .iter()
            .copied()
            .filter(|unit| (mind.rules.group_of(*unit) == dagc::Group::Uf) == (front == dagc::Group::Uf))
            .collect();
        let (promise, _) = attack::promise(mind, state, target, &together, &out, false);
        Some((promise, Action::Name { unit: strongest, hex: target }))
    });
    let best = judged.max_by(|a, b| a.0.total_cmp(&b.0));
    let forced = !answers.contains(&Action::End);
    best.filter(|(promise, _)| forced || *promise > mind.weights.attack).map(|(_, action)| action)
}

/// Whoever makes the attack better joins it.
fn join(mind: Mind<'_, Dagc>, state: &State, attack: Attack, answers: &[Action]) -> Option<Action> {
    let Attack { target, attackers } = attack;
    let out = mind.rules.out_of_supply(state);
    let named: Vec<UnitId> = attackers.iter().collect();
    let (now, _) = attack::promise(mind, state, target, &named, &out, false);
    let judged = answers.iter().filter_map(|answer| match answer {
        Action::Join { unit } => {
            let more: Vec<UnitId> = named.iter().copied().chain([*unit]).collect();
            Some((attack::promise(mind, state, target, &more, &out, false).0, *answer))
        }
        _ => None,
    });
    let best = judged.max_by(|a, b| a.0.total_cmp(&b.0));
    let forced = !answers.contains(&Action::Declare);
    // A unit that changes no column may still do so together with the next.
    let better = best.filter(|(promise, _)| forced || *promise >= now);
    Some(better.map_or(Action::Declare, |(_, action)| action))
}

fn stakes(mind: Mind<'_, Dagc>, state: &State) -> Option<(Stakes, Vec<UnitId>, Hex)> {
    let Battle { target, attackers, .. } = state.battle()?;
    let named: Vec<UnitId> = attackers.iter().collect();
    Some((Stakes::of(mind, state, *target).by(mind, state, &named), named, *target))
}

/// Support where it changes enough.
fn support(mind: Mind<'_, Dagc>, state: &State, answers: &[Action]) -> Option<Action> {
    let (_, named, target) = stakes(mind, state)?;
    let out = mind.rules.out_of_supply(state);
    let (plain, _) = attack::promise(mind, state, target, &named, &out, false);
    let (with, _) = attack::promise(mind, state, target, &named, &out, true);
    let offered = answers.iter().find(|answer| matches!(answer, Action::Air { .. } | Action::Armor)).copied();
    let least = if offered == Some(Action::Armor) { 0.01 } else { mind.weights.air };
    offered.filter(|_| with - plain > least).or(Some(Action::Unsupported))
}

/// Rolls, rolls until something happens, or takes a lower column: whatever promises most.
fn column(mind: Mind<'_, Dagc>, state: &State, answers: &[Action]) -> Option<Action> {
    let here = usize::from(state.battle()?.column);
    let (stakes, ..) = stakes(mind, state)?;
    let roll = |column: usize| stakes.promise(&mind.rules.chances_in(column));
    let until = |column: usize| {
        let results = mind.rules.chances_in(column).results;
        let settled: Vec<f64> = results
            .iter()
            .filter(|result| **result != CombatResult::Stalled)
            .map(|result| stakes.result(*result))
            .collect();
        settled.iter().sum::<f64>() / settled.len().max(1) as f64
    };
    let now = roll(here);
    let lower = (0..here).map(roll).fold(f64::NEG_INFINITY, f64::max);
    if answers.contains(&Action::Ardor) && until(here) > now && until(here) >= lower {
        return Some(Action::Ardor);
    }
    let lowers = answers.contains(&Action::Lower) && lower > now + 1e-9;
    Some(if lowers { Action::Lower } else { Action::Roll })
}

/// Where a unit by itself does best: near what is worth having, a place to take, an enemy to attack alone. How many friends
/// and enemies are there already is not its business.
fn go(mind: Mind<'_, Dagc>, state: &State, side: Side, unit: UnitId, answers: &[Action]) -> Option<Action> {
    let here = state.hex(unit)?;
    let map = mind.rules.map();
    let reach = Reach::new(mind, state);
    let goer = mind.picture.goers[unit.index()];
    let out = mind.rules.out_of_supply(state);
    let enemies = mind.rules.lines(state).held[side.enemy()];
    let is_soviet = |hex: Hex| state.soviet_hexes().contains(hex);
    // Both sides want what is German: one to take it, the other to keep it.
    let wanted = |objective: &&Objective| !objective.hexes.iter().any(|hex| is_soviet(*hex));
    let mut imagined = state.clone();
    let mut score = |hex: Hex| {
        let index = map.index(hex);
        let objectives = mind.picture.objectives.iter().filter(wanted);
        let ground: f64 = objectives
            .map(|objective| objective.points(mind.weights) * reach.of(goer, objective.cost(goer, index)))
            .sum();
        let taken = is_soviet(hex) != (side == Side::Soviet);
        let prize = if taken { mind.weights.place * mind.picture.points[index] } else { 0.0 };
        imagined.imagine_in(unit, hex);
        let beside = map.neighbours(hex).filter(|(_, near)| enemies.contains(*near));
        let attack =
            beside.map(|(_, target)| attack::promise(mind, &imagined, target, &[unit], &out, false).0);
        ground + prize + attack.fold(0.0, f64::max)
    };
    let mut best = (score(here), Action::Stop);
    for answer in answers {
        if let Action::Go { hex } = answer {
            let found = score(*hex);
            if found > best.0 {
                best = (found, *answer);
            }
        }
    }
    Some(best.1)
}

/// The strongest German units near the front are slowed first.
fn interdict(mind: Mind<'_, Dagc>, state: &State, answers: &[Action]) -> Option<Action> {
    let soviets: Vec<Hex> = mind.rules.lines(state).held.soviet.iter().collect();
    let out = mind.rules.out_of_supply(state);
    let grid = mind.rules.map().grid();
    let score = |unit: UnitId| -> Option<f64> {
        let hex = state.hex(unit)?;
        let near = soviets.iter().map(|other| grid.distance(hex, *other)).min()?;
        let strength = f64::from(mind.rules.factor(state, unit) * mind.rules.movement_of(unit));
        // A unit that is out of supply moves with a die already.
        let slow = if out.contains(unit) { 0.4 } else { 1.0 };
        Some(slow * strength / f64::from(1 + near.abs_diff(2)))
    };
    let judged = answers.iter().filter_map(|answer| match answer {
        Action::Interdict { unit, .. } => Some((score(*unit)?, *answer)),
        _ => None,
    });
    judged.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, action)| action)
}

/// Replacements for whoever gains most, arrivals where they do most good.
fn reinforce(mind: Mind<'_, Dagc>, state: &State, side: Side, answers: &[Action]) -> Option<Action> {
    let weights = mind.weights;
    let gain = |unit: UnitId, back: bool| {
        let (full, reduced, _) = mind.rules.printed_factors(unit);
        match (back, reduced) {
            (true, Some(reduced)) => weights.factor * f64::from(reduced) + weights.step + weights.unit,
            (true, None) => weights.factor * f64::from(full) + weights.step + weights.unit,
            (false, reduced) => weights.factor * f64::from(full - reduced.unwrap_or(0)) + weights.step,
        }
    };
    let steps = answers.iter().filter_map(|answer| match answer {
        Action::Replenish { unit } => Some((gain(*unit, false), *answer)),
        // It comes back far from the front.
        Action::Reclaim { unit } => Some((0.8 * gain(*unit, true), *answer)),
        _ => None,
    });
    if let Some((_, action)) = steps.max_by(|a, b| a.0.total_cmp(&b.0)) {
        return Some(action);
    }
    let arriving = answers.iter().find_map(|answer| match answer {
        Action::Place { unit, .. } => Some(*unit),
        _ => None,
    })?;
    let hexes: Vec<Hex> = answers
        .iter()
        .filter_map(|answer| match answer {
            Action::Place { unit, hex } if *unit == arriving => Some(*hex),
            _ => None,
        })
        .collect();
    let (_, hex) = March::arrival(mind, state, side, &Style::plain(mind), arriving, &hexes)?;
    Some(Action::Place { unit: arriving, hex })
}

/// The unit that can best be spared.
fn cheapest(mind: Mind<'_, Dagc>, state: &State, answers: &[Action]) -> Option<Action> {
    let judged = answers.iter().filter_map(|answer| match answer {
        Action::CutOff { unit } => Some((worth::value(mind, state, *unit), *answer)),
        _ => None,
    });
    judged.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, action)| action)
}
