//! A better judgement of positions, learned from the results of games.
//!
//! Officers play against each other, with other plans than their own every other time. Each period's features, and who won in
//! the end, go into a logistic regression. Where a doctrine has features that tell the time, what the others count is found by
//! comparing positions of the same turn of the same scenario: else a side that grows from turn to turn, or is stronger in a
//! scenario that is hard for it, would seem to lose by its strength. One game in five is kept apart, to see how well the judgement
//! foretells games that it was not made from.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use engine::{Data, Seed};
use source::{Doc, Faults, Source, Table};
use staff::{AnyArena, AnySchool, Judgement, Study};

use crate::Shelf;
use crate::plan::read_threads;
use crate::run::{Standing, in_parallel};
use crate::tables::put;
use crate::tune::read_one_book;

/// What is to be learned from.
pub struct FitPlan {
    school: &'static dyn AnySchool,
    data: Data,
    scenarios: Vec<String>,
    options: Vec<String>,
    seed: String,
    games: usize,
    /// How many games at a time; 0 for one a core.
    pub threads: usize,
    source: String,
}

impl FitPlan {
    /// Reads a plan.
    pub fn read(source: &Source, shelf: &Shelf) -> Result<FitPlan, Faults> {
        let doc = Doc::parse(source)?;
        let plan = read_root(&doc.root(), shelf);
        doc.finish(plan)
    }
}

fn read_root(root: &Table<'_>, shelf: &Shelf) -> Option<FitPlan> {
    let seed = root.need("seed").and_then(|item| item.str()).unwrap_or_default().to_owned();
    let games = root.need("games").and_then(|item| item.int(5..=1_000_000));
    let threads = read_threads(root);
    let scenarios = root.need("scenarios");
    let options = root.get("options").map(|item| item.items()).unwrap_or_default();
    root.done();
    let options: Vec<String> = options.iter().filter_map(|item| item.str()).map(str::to_owned).collect();
    let list = scenarios?;
    let (school, data, scenarios) = read_one_book(&list, &options, shelf)?;
    if school.feature_names().is_empty() {
        list.fault(format!("the opponents of {} judge nothing by features", school.book().name));
    }
    let source = root.doc().source().name.clone();
    Some(FitPlan { school, data, scenarios, options, seed, games: games?, threads, source })
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// Games that were learned from or checked with.
    pub games: usize,
    /// Their positions.
    pub positions: usize,
    /// How far off the judgement is in games that it was not made from (the mean logarithm of what it gave the winner).
    pub loss: f64,
    /// The same of the judgement before.
    pub before: f64,
    /// The same of somebody who knows only how often each side wins.
    pub blind: f64,
}

impl fmt::Display for Fitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fitted { games, positions, loss, before, blind } = self;
        write!(
            f,
            "{positions} positions of {games} games; in games kept apart its loss is {loss:.4}, before it was {before:.4}, \
             blind {blind:.4}"
        )
    }
}

/// A position: its features, and then, if wanted, a mark for the turn of its scenario; how its game ended, and how much it counts.
struct Sample {
    features: Vec<f64>,
    result: f64,
    weight: f64,
}

/// Plays, learns, and writes `judgement.toml` into the folder `out`. `stop` ends it without a result.
pub fn fit(
    plan: &FitPlan,
    out: &Path,
    threads: usize,
    stop: &AtomicBool,
    mut tell: impl FnMut(Standing),
) -> Result<Fitted, String> {
    std::fs::create_dir_all(out).map_err(|error| format!("{}: {error}", out.display()))?;
    let mut arenas: Vec<Box<dyn AnyArena>> = Vec::new();
    for scenario in &plan.scenarios {
        let arena = plan.school.arena(&plan.data, scenario, &plan.options);
        arenas.push(arena.map_err(|faults| faults.to_string())?);
    }
    let total = plan.games * arenas.len();
    let play = |task: usize| {
        let (game, place) = (task / arenas.len(), task % arenas.len());
        (place, game, arenas[place].study(&Seed(format!("{}-{game}", plan.seed))))
    };
    let mut studies: Vec<(usize, usize, Study)> = Vec::new();
    in_parallel(total, threads, stop, play, |batch| {
        for (place, game, study) in batch {
            let scenario = &plan.scenarios[place];
            studies.push((place, game, study.map_err(|why| format!("game {game} of {scenario}: {why}"))?));
        }
        tell(Standing { done: studies.len(), total, faults: 0 });
        Ok(())
    })?;
    if stop.load(Ordering::Relaxed) {
        return Err("stopped: nothing is learned from half of the games".to_owned());
    }
    // Whoever was ready first must not matter to the last digit.
    studies.sort_by_key(|(place, game, _)| (*place, *game));
    let times = plan.school.time_features();
    let (learned, apart) = samples(&studies, arenas.len(), times > 0);
    let features = plan.school.feature_names().len();
    let ridge = RIDGE * learned.len() as f64 / total.max(1) as f64;
    let columns = learned.first().map_or(features, |sample| sample.features.len());
    let mut numbers = regression(&learned, vec![0.0; columns], 0..columns, ridge);
    if times > 0 {
        // The marks are not known when plans are compared: what tells the time stands for them.
        numbers.truncate(features);
        numbers = regression(&learned, numbers, 0..times, ridge);
    }
    let found = Judgement(numbers.iter().map(|number| (number * 1e5).round() / 1e5).collect());
    let before = plan.school.judgement(&plan.data).map_err(|faults| faults.to_string())?;
    let weight: f64 = learned.iter().map(|sample| sample.weight).sum();
    let rate = learned.iter().map(|sample| sample.weight * sample.result).sum::<f64>() / weight;
    let fitted = Fitted {
        games: total,
        positions: learned.len() + apart.len(),
        loss: loss(&apart, |sample| found.chance(&sample.features)),
        before: loss(&apart, |sample| before.chance(&sample.features)),
        blind: loss(&apart, |_| rate),
    };
    let note = format!(
        "Learned by `grognard lab fit {}` from {} games each of {}.\n{fitted}.\n",
        plan.source,
        plan.games,
        plan.scenarios.join(", ")
    );
    let file = plan.school.write_judgement(&found, &note);
    put(&out.join(staff::judgement::FILE), file.as_bytes())?;
    Ok(fitted)
}

/// Positions to learn from, and those kept apart, with marks if they are wanted. Every scenario counts the same, however long its
/// games are.
fn samples(studies: &[(usize, usize, Study)], scenarios: usize, marked: bool) -> (Vec<Sample>, Vec<Sample>) {
    let mut positions = vec![0usize; scenarios];
    let mut turns = BTreeSet::new();
    for (place, _, study) in studies {
        positions[*place] += study.positions.len();
        let marks = study.positions.iter().map(|(turn, _)| (*place, *turn));
        turns.extend(marks.filter(|_| marked));
    }
    let turns: Vec<(usize, u32)> = turns.into_iter().collect();
    let mean = positions.iter().sum::<usize>() as f64 / scenarios.max(1) as f64;
    let (mut learned, mut apart) = (Vec::new(), Vec::new());
    for (place, game, study) in studies {
        let weight = mean / positions[*place].max(1) as f64;
        let set = if game % 5 == 4 { &mut apart } else { &mut learned };
        for (turn, features) in &study.positions {
            let mark = |other: &(usize, u32)| f64::from(u8::from(*other == (*place, *turn)));
            let features = features.iter().copied().chain(turns.iter().map(mark)).collect();
            set.push(Sample { features, result: study.result, weight });
        }
    }
    (learned, apart)
}

fn loss(samples: &[Sample], chance: impl Fn(&Sample) -> f64) -> f64 {
    let mut sum = 0.0;
    for sample in samples {
        let chance = chance(sample).clamp(1e-4, 1.0 - 1e-4);
        sum -= sample.weight * (sample.result * chance.ln() + (1.0 - sample.result) * (1.0 - chance).ln());
    }
    sum / samples.iter().map(|sample| sample.weight).sum::<f64>().max(1e-9)
}

/// What keeps numbers small that nothing speaks for, in games.
const RIDGE: f64 = 1.0;

/// Newton's method finds the place in a few steps.
const STEPS: usize = 10;

/// Logistic regression with a ridge for the `free` ones of some numbers; the others stay as they are given. Features are scaled by
/// how much they vary, so that the ridge treats all alike.
fn regression(samples: &[Sample], given: Vec<f64>, free: Range<usize>, ridge: f64) -> Vec<f64> {
    let count = samples.len().max(1) as f64;
    let scale: Vec<f64> = free
        .clone()
        .map(|place| {
            let values = || samples.iter().map(|sample| sample.features[place]);
            let mean = values().sum::<f64>() / count;
            (values().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt().max(1e-6)
        })
        .collect();
    let mut fixed = given;
    fixed[free.clone()].fill(0.0);
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut numbers = vec![0.0; free.len()];
    for _ in 0..STEPS {
        let mut slope: Vec<f64> = numbers.iter().map(|number| -ridge * number).collect();
        let mut curve = vec![vec![0.0; free.len()]; free.len()];
        for (place, row) in curve.iter_mut().enumerate() {
            row[place] = ridge;
        }
        for sample in samples {
            let own = &sample.features[free.clone()];
            let scaled: Vec<f64> = own.iter().zip(&scale).map(|(value, scale)| value / scale).collect();
            let sum = dot(&fixed, &sample.features) + dot(&scaled, &numbers);
            let chance = 1.0 / (1.0 + (-sum).exp());
            let (pull, bend) =
                (sample.weight * (sample.result - chance), sample.weight * chance * (1.0 - chance));
            for (place, value) in scaled.iter().enumerate().filter(|(_, value)| **value != 0.0) {
                slope[place] += pull * value;
                for (entry, other) in curve[place][..=place].iter_mut().zip(&scaled) {
                    *entry += bend * value * other;
                }
            }
        }
        let step = solved(curve, slope);
        numbers.iter_mut().zip(step).for_each(|(number, step)| *number += step);
    }
    let found = numbers.iter().zip(scale).map(|(number, scale)| number / scale);
    fixed[free].iter_mut().zip(found).for_each(|(number, found)| *number = found);
    fixed
}

/// Solves a symmetric positive system by Cholesky's method; only the lower half of the matrix is read.
fn solved(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for row in 0..size {
        for column in 0..=row {
            let sum: f64 = (0..column).map(|k| matrix[row][k] * matrix[column][k]).sum();
            let rest = matrix[row][column] - sum;
            matrix[row][column] =
                if row == column { rest.max(1e-12).sqrt() } else { rest / matrix[column][column] };
        }
    }
    for row in 0..size {
        let sum: f64 = (0..row).map(|k| matrix[row][k] * right[k]).sum();
        right[row] = (right[row] - sum) / matrix[row][row];
    }
    for row in (0..size).rev() {
        let sum: f64 = (row + 1..size).map(|k| matrix[k][row] * right[k]).sum();
        right[row] = (right[row] - sum) / matrix[row][row];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_solved() {
        let matrix = vec![vec![4.0, 0.0], vec![2.0, 3.0]];
        let found = solved(matrix, vec![2.0, 5.0]);
        assert!((found[0] + 0.5).abs() < 1e-12 && (found[1] - 2.0).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn a_judgement_is_found_again() {
        // Results drawn by chances that a known judgement gives.
        let truth = Judgement(vec![0.5, -2.0, 1.0]);
        let mut luck = engine::Dice::seeded(&Seed("fit".to_owned()));
        let mut part = || f64::from(luck.roll(1_000)) / 1_000.0;
        let samples: Vec<Sample> = (0..20_000)
            .map(|_| {
                let features = vec![1.0, part(), 2.0 * part()];
                let result = f64::from(u8::from(part() < truth.chance(&features)));
                Sample { features, result, weight: 1.0 }
            })
            .collect();
        let found = regression(&samples, vec![0.0; 3], 0..3, 1.0);
        let again = regression(&samples, vec![9.0, truth.0[1], truth.0[2]], 0..1, 1.0);
        assert!((again[0] - 0.5).abs() < 0.1 && again[1..] == truth.0[1..], "only what is free is found");
        for (found, truth) in found.iter().zip(&truth.0) {
            assert!((found - truth).abs() < 0.15, "{found} and not {truth}");
        }
        let fitted = loss(&samples, |sample| Judgement(found.clone()).chance(&sample.features));
        assert!(fitted < loss(&samples, |_| 0.5));
    }
}
