//! What is found in a position when it is judged.

use bug::{Activation, Bug, Choice, Command, Procedure, State};
use engine::{BySide, Side};

use super::balance::Balance;
use super::{BugWeights, acting, plan};
use crate::{Mind, Weights};

/// The names. What ends in `late` counts more, the later it is, and what ends in `last` in the last turns.
pub(crate) const FEATURES: &[&str] = &[
    "german_choice",
    "soviet_choice",
    "german_activation",
    "soviet_activation",
    "elsewhere",
    "late",
    "late_squared",
    "short",
    "short_late",
    "points_last",
    "expected_last",
    "points",
    "expected",
    "german_levels",
    "german_strength",
    "german_disrupted",
    "german_unled",
    "german_cut_off",
    "german_units",
    "soviet_levels",
    "soviet_strength",
    "soviet_disrupted",
    "soviet_unled",
    "soviet_cut_off",
    "soviet_units",
    "ground",
    "luck",
    "points_late",
    "expected_late",
    "german_levels_late",
    "german_strength_late",
    "german_disrupted_late",
    "german_unled_late",
    "german_cut_off_late",
    "german_units_late",
    "soviet_levels_late",
    "soviet_strength_late",
    "soviet_disrupted_late",
    "soviet_unled_late",
    "soviet_cut_off_late",
    "soviet_units_late",
    "ground_late",
    "luck_late",
];

/// The features of a position, in the order of their names. Strengths are parts of those at the start, so that a few battalions
/// and a whole campaign look alike.
pub(crate) fn features(mind: Mind<'_, Bug>, state: &State) -> Vec<f64> {
    let rules = mind.rules;
    let scout = rules.scout(state);
    let mut found = vec![0.0; 5];
    found[match acting(state) {
        Some(Procedure::Choice(Choice { side, .. })) => side as usize,
        Some(Procedure::Activation(Activation { hq, .. })) => 2 + rules.side_of(hq) as usize,
        _ => 4,
    }] = 1.0;
    let late = f64::from(state.turn()) / f64::from(rules.last_turn().max(1));
    // How long the game is tells the scenarios apart.
    let short = 1.0 / f64::from(rules.last_turn().max(1));
    found.extend([late, late * late, short, short * late]);
    let middle = middle(rules);
    // Everybody judges with the same eyes, whatever weights he plays with: the judgement was learned with them.
    let eyes = BugWeights::initial();
    let balance = Balance::new(rules, mind.picture, &eyes, &scout, None);
    let mut seen = vec![
        (f64::from(rules.german_points(state)) - middle) / mind.picture.points,
        (balance.points - middle) / mind.picture.points,
    ];
    let last_turns = late.powi(4);
    found.extend(seen.iter().map(|points| last_turns * points));
    let mut sums = BySide { axis: [0.0; 6], soviet: [0.0; 6] };
    for side in Side::BOTH {
        let sums = &mut sums[side];
        if !state.has_passed(side) {
            sums[0] = scout.formations(side).map(|formation| f64::from(formation.level)).sum::<f64>() / 10.0;
        }
        for soldier in scout.soldiers(side) {
            let strength = f64::from(balance.worth_of(&soldier)) / mind.picture.strength[side];
            sums[1] += strength;
            if soldier.disrupted {
                sums[2] += strength;
            }
            match scout.command(soldier.unit) {
                Command::In => {}
                Command::Out => sums[3] += strength,
                Command::Isolated => sums[4] += strength,
            }
        }
        sums[5] =
            f64::from(rules.units_lost(state, side)) / f64::from(rules.units_for_a_point(side).max(1)) / 5.0;
    }
    seen.extend(sums.axis);
    seen.extend(sums.soviet);
    seen.push(plan::front(rules, state) / 10.0);
    seen.push(if state.luck_holder() == Side::Axis { 1.0 } else { 0.0 });
    found.extend(&seen);
    found.extend(seen.iter().map(|feature| late * feature));
    found
}

/// The German points that are neither victory nor defeat.
pub(crate) fn middle(rules: &Bug) -> f64 {
    let [_, marginal, draw, _] = rules.verdicts();
    (f64::from(marginal) + f64::from(draw) - 1.0) / 2.0
}
