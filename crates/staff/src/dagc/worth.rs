//! How a position stands: points that may be expected, and what is left to fight with.

use board::Hex;
use dagc::{Combat, Dagc, Movement, Procedure, Reinforcement, State};
use engine::{Asked, BySide, Lexicon, Rulebook, Side, UnitId};

use super::picture::Goer;
use super::weights::DagcWeights;
use crate::{Mind, judgement};

/// From this turn on Soviet units move with a die.
const EXHAUSTION: u8 = 6;

/// How much a unit counts at a distance, by movement points.
pub(crate) struct Reach {
    german: [f64; 128],
    soviet: [f64; 128],
}

impl Reach {
    /// As things are in a state: what cannot be reached before the end hardly counts.
    pub(crate) fn new(mind: Mind<'_, Dagc>, state: &State) -> Reach {
        let (turn, last) = (state.turn(), mind.rules.final_turn());
        let fade = mind.weights.distance;
        let mut reach = Reach { german: [0.0; 128], soviet: [0.0; 128] };
        for cost in 0..128 {
            reach.german[cost] = (-fade * cost as f64 / 7.0).exp();
            let (mut left, mut turns, mut at) = (cost as f64, 0.0, turn);
            while left > 0.0 && at <= last {
                let points = if at < EXHAUSTION { 7.0 } else { 3.5 };
                turns += f64::min(1.0, left / points);
                left -= points;
                at += 1;
            }
            let late = if left > 0.0 { 0.15 } else { 1.0 };
            reach.soviet[cost] = late * (-fade * (turns + left.max(0.0) / 7.0)).exp();
        }
        reach
    }

    pub(crate) fn of(&self, goer: Goer, cost: u8) -> f64 {
        let table = if goer == Goer::German { &self.german } else { &self.soviet };
        table[usize::from(cost.min(127))]
    }
}

/// The strengths that bear upon each objective.
#[derive(Clone)]
pub(crate) struct Influence {
    german: Vec<f64>,
    soviet: Vec<f64>,
    held: Vec<bool>,
    /// The chances as they are, once [`Influence::settle`] has found them.
    chances: Vec<f64>,
}

impl Influence {
    pub(crate) fn new(mind: Mind<'_, Dagc>, state: &State, reach: &Reach) -> Influence {
        let objectives = &mind.picture.objectives;
        let held = |hexes: &[Hex]| hexes.iter().any(|hex| state.soviet_hexes().contains(*hex));
        let mut influence = Influence {
            german: vec![0.0; objectives.len()],
            soviet: vec![0.0; objectives.len()],
            held: objectives.iter().map(|objective| held(&objective.hexes)).collect(),
            chances: Vec::new(),
        };
        for unit in units(mind.rules) {
            if let Some(hex) = state.hex(unit) {
                influence.add(mind, reach, unit, hex, f64::from(mind.rules.factor(state, unit)));
            }
        }
        influence
    }

    /// Adds a unit that stands in a hex; takes it away when its factor is negative.
    pub(crate) fn add(&mut self, mind: Mind<'_, Dagc>, reach: &Reach, unit: UnitId, hex: Hex, factor: f64) {
        let index = mind.rules.map().index(hex);
        let goer = mind.picture.goers[unit.index()];
        let fixed = mind.rules.movement_of(unit) == 0;
        let side = if goer == Goer::German { &mut self.german } else { &mut self.soviet };
        for (sum, objective) in side.iter_mut().zip(&mind.picture.objectives) {
            let cost = objective.cost(goer, index);
            // A fortified locality guards its own hex only.
            if !fixed || cost == 0 {
                *sum += factor * reach.of(goer, cost);
            }
        }
    }

    /// The chance that an objective is Soviet in the end, when so much more strength bears upon it.
    fn chance_with(&self, weights: &DagcWeights, i: usize, soviet: f64, german: f64) -> f64 {
        let (mut soviet, mut german) =
            (self.soviet[i] + soviet, weights.ratio * (self.german[i] + german) + 0.3);
        if self.held[i] {
            german *= weights.hold;
        } else {
            soviet *= weights.hold;
        }
        let (soviet, german) = (soviet * soviet, german * german);
        soviet / (soviet + german)
    }

    /// The points that the Soviet side may expect.
    pub(crate) fn points(&self, mind: Mind<'_, Dagc>) -> f64 {
        let objectives = mind.picture.objectives.iter().enumerate();
        objectives
            .map(|(i, objective)| {
                objective.points(mind.weights) * self.chance_with(mind.weights, i, 0.0, 0.0)
            })
            .sum()
    }

    /// Finds the chances as they are now, before changes are weighed.
    pub(crate) fn settle(&mut self, weights: &DagcWeights) {
        self.chances.clear();
        for i in 0..self.held.len() {
            let chance = self.chance_with(weights, i, 0.0, 0.0);
            self.chances.push(chance);
        }
    }

    /// What a unit of some factor in a hex would do to the expected Soviet points; `focus` weighs the objectives.
    pub(crate) fn change(
        &self,
        mind: Mind<'_, Dagc>,
        reach: &Reach,
        goer: Goer,
        factor: f64,
        to: usize,
        focus: &[f64],
    ) -> f64 {
        let mut sum = 0.0;
        for (i, objective) in mind.picture.objectives.iter().enumerate() {
            let shift = factor * reach.of(goer, objective.cost(goer, to));
            // What is far away makes no difference.
            if shift < 0.02 {
                continue;
            }
            let (soviet, german) = if goer == Goer::German { (0.0, shift) } else { (shift, 0.0) };
            let chance = self.chance_with(mind.weights, i, soviet, german);
            sum += focus[i] * objective.points(mind.weights) * (chance - self.chances[i]);
        }
        sum
    }
}

/// All units.
pub(crate) fn units(rules: &Dagc) -> impl Iterator<Item = UnitId> + use<> {
    (0..rules.unit_count()).map(|i| UnitId(i as u16))
}

/// What a unit is worth as it is.
pub(crate) fn value(mind: Mind<'_, Dagc>, state: &State, unit: UnitId) -> f64 {
    let (weights, steps) = (mind.weights, state.steps_of(unit));
    if steps == 0 || state.hex(unit).is_none() {
        return 0.0;
    }
    let factor = f64::from(mind.rules.factor(state, unit));
    weights.factor * factor + weights.step * f64::from(steps) + weights.unit
}

/// What its owner loses when a unit loses a step.
pub(crate) fn step_value(mind: Mind<'_, Dagc>, state: &State, unit: UnitId) -> f64 {
    let weights = mind.weights;
    let (_, reduced, _) = mind.rules.printed_factors(unit);
    let now = f64::from(mind.rules.factor(state, unit));
    match (state.steps_of(unit), reduced) {
        (2.., Some(reduced)) => weights.factor * (now - f64::from(reduced)) + weights.step,
        _ => weights.factor * now + weights.step + weights.unit,
    }
}

/// What is found in a position. What ends in `late` counts more, the later it is.
pub(crate) const FEATURES: &[&str] = &[
    "reinforcement_german",
    "reinforcement_soviet",
    "combat_german",
    "combat_soviet",
    "after_german",
    "after_soviet",
    "movement_german",
    "movement_soviet",
    "elsewhere",
    "late",
    "koenigsberg_near",
    "koenigsberg_far",
    "points",
    "near",
    "far",
    "german_factors",
    "german_steps",
    "german_units",
    "german_out",
    "soviet_factors",
    "soviet_steps",
    "soviet_units",
    "soviet_out",
    "ground",
    "points_late",
    "near_late",
    "far_late",
    "german_factors_late",
    "german_steps_late",
    "german_units_late",
    "german_out_late",
    "soviet_factors_late",
    "soviet_steps_late",
    "soviet_units_late",
    "soviet_out_late",
    "ground_late",
];

/// The features of a position, in the order of their names.
pub(crate) fn features(mind: Mind<'_, Dagc>, state: &State) -> Vec<f64> {
    let rules = mind.rules;
    let mut found = vec![0.0; 9];
    found[match state.procedures().first() {
        Some(Procedure::Reinforcement(Reinforcement { side })) => *side as usize,
        Some(Procedure::Combat(Combat { side, after: false })) => 2 + *side as usize,
        Some(Procedure::Combat(Combat { side, after: true })) => 4 + *side as usize,
        Some(Procedure::Movement(Movement { side })) => 6 + *side as usize,
        _ => 8,
    }] = 1.0;
    let last = rules.final_turn();
    let late = f64::from(state.turn().min(last)) / f64::from(last);
    found.push(late);
    let (points, needed) = rules.soviet_points(state);
    let needed = f64::from(needed);
    let mut seen = vec![(f64::from(points) - needed) / 10.0];
    for (distance, ratio, hold) in [NEAR, FAR] {
        let weights = DagcWeights { distance, ratio, hold, prussia: 0.0, ..mind.weights.clone() };
        let mind = Mind { weights: &weights, ..mind };
        let reach = Reach::new(mind, state);
        let influence = Influence::new(mind, state, &reach);
        seen.push((influence.points(mind) - needed) / 10.0);
        let koenigsberg = mind.picture.objectives.iter().position(|objective| objective.ends_the_game());
        found.push(koenigsberg.map_or(0.0, |place| influence.chance_with(&weights, place, 0.0, 0.0)));
    }
    let out = rules.out_of_supply(state);
    let mut material = BySide { axis: [0.0; 4], soviet: [0.0; 4] };
    for unit in units(rules).filter(|unit| state.hex(*unit).is_some()) {
        let factor = f64::from(rules.factor(state, unit));
        let cut_off = if out.contains(unit) { factor } else { 0.0 };
        let counted = [factor / 50.0, f64::from(state.steps_of(unit)) / 20.0, 0.1, cut_off / 10.0];
        for (sum, more) in material[rules.side(unit)].iter_mut().zip(counted) {
            *sum += more;
        }
    }
    seen.extend(material.axis);
    seen.extend(material.soviet);
    seen.push((state.soviet_hexes().len() as f64 - rules.soviet_at_start().len() as f64) / 100.0);
    found.extend(&seen);
    found.extend(seen.iter().map(|feature| late * feature));
    found
}

/// How strength is felt when a position is judged: how fast it fades with a turn's march, what a German factor counts, and how
/// much of the strength of the side that does not hold a place.
const NEAR: (f64, f64, f64) = (1.6, 0.6, 0.75);

/// The same, with what is farther away.
const FAR: (f64, f64, f64) = (0.65, 0.4, 0.37);

/// So many points more than needed are a clear victory.
const CLEAR: f64 = 5.0;

/// From 0 (lost) to 1 (won).
pub(crate) fn worth(mind: Mind<'_, Dagc>, state: &State, side: Side) -> f64 {
    let german = if let Asked::Over(outcome) = mind.rules.asked(state) {
        let short = f64::from(mind.rules.soviet_points(state).1 - outcome.points.soviet) - 0.5;
        match outcome.winner {
            Some(Side::Axis) => judgement::result(1.0, short.max(0.0) / CLEAR),
            // Koenigsberg is worth any number of points.
            _ => judgement::result(0.0, short.min(0.0) / CLEAR),
        }
    } else {
        mind.judgement.chance(&features(mind, state))
    };
    if side == Side::Axis { german } else { 1.0 - german }
}

/// The picture's title of the objective that a hex is nearest to, by what it is worth.
pub(crate) fn nearest<'a>(mind: Mind<'a, Dagc>, goer: Goer, index: usize) -> Option<&'a str> {
    let score = |objective: &super::picture::Objective| {
        objective.points(mind.weights) / (3.0 + f64::from(objective.cost(goer, index)))
    };
    let best = mind.picture.objectives.iter().max_by(|a, b| score(a).total_cmp(&score(b)))?;
    Some(&best.name)
}
