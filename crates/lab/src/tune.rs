//! Better weights for the opponents, by self-play.
//!
//! Each generation varies the best weights so far a few times. Every variant plays the best on the same seeds from both
//! sides. The one that did best, if it did clearly better, must do so once more on seeds that nobody has seen; only then it
//! is the best. Wins count first; where they are even, victory points do.

use std::fmt;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use engine::{BySide, Data, Dice, Seed, Side};
use serde::{Deserialize, Serialize};
use source::{Doc, Faults, Item, Source, Table};
use staff::{AnyArena, AnySchool, Budget, Contest, Level};

use crate::Shelf;
use crate::plan::{digest, read_budget, read_level, read_scenario, read_threads};
use crate::run::{Standing, in_parallel, played};
use crate::stats::mean;
use crate::store::{Begins, Journal};
use crate::tables::put;

/// The journal's name in the folder of a tuning run.
const JOURNAL: &str = "tune.jsonl";

/// What is to be tuned, and how.
pub struct TunePlan {
    school: &'static dyn AnySchool,
    data: Data,
    scenarios: Vec<String>,
    options: Vec<String>,
    level: Level,
    budget: Budget,
    seed: String,
    games: usize,
    confirm: usize,
    trials: usize,
    /// How many generations.
    pub generations: usize,
    /// Which of the weights vary.
    varied: Vec<bool>,
    step: f64,
    /// How many games at a time; 0 for one a core.
    pub threads: usize,
    source: String,
}

impl TunePlan {
    /// Reads a plan.
    pub fn read(source: &Source, shelf: &Shelf) -> Result<TunePlan, Faults> {
        let doc = Doc::parse(source)?;
        let plan = read_root(&doc.root(), shelf);
        doc.finish(plan)
    }

    fn head(&self) -> Head {
        let book = self.school.book();
        let fields = [
            ("the program", env!("CARGO_PKG_VERSION").to_owned()),
            ("the rules", format!("{} {}", book.name, book.rules)),
            ("the data", digest(&self.data)),
            ("scenarios", self.scenarios.join(" ")),
            ("options", self.options.join(" ")),
            ("level", self.level.to_string()),
            ("budget", format!("{:?} {}", self.budget.time, self.budget.nodes)),
            ("seed", self.seed.clone()),
            ("games", self.games.to_string()),
            ("confirm", self.confirm.to_string()),
            ("trials", self.trials.to_string()),
            ("weights", self.varied_names().join(" ")),
            ("step", self.step.to_string()),
        ];
        Head(fields.map(|(name, value)| (name.to_owned(), value)).to_vec())
    }

    fn varied_names(&self) -> Vec<&'static str> {
        let names = self.school.weight_names().iter().zip(&self.varied);
        names.filter(|(_, varied)| **varied).map(|(name, _)| *name).collect()
    }
}

fn read_root(root: &Table<'_>, shelf: &Shelf) -> Option<TunePlan> {
    let count =
        |key: &str, usual: usize| root.get(key).and_then(|item| item.int(1..=1_000_000)).unwrap_or(usual);
    let seed = root.need("seed").and_then(|item| item.str()).unwrap_or_default().to_owned();
    let threads = read_threads(root);
    let budget = read_budget(root);
    let games = count("games", 20);
    let confirm = count("confirm", 2 * games);
    let (trials, generations) = (count("trials", 4), count("generations", 10));
    let step = root.get("step").and_then(|item| {
        let step = item.float()?;
        if !(0.001..=2.0).contains(&step) {
            item.fault("expected a part of a weight from 0.001 to 2");
        }
        Some(step)
    });
    let scenarios = root.need("scenarios");
    let options = root.get("options").map(|item| item.items()).unwrap_or_default();
    let level = root.need("level");
    let weights = root.get("weights");
    root.done();
    let options: Vec<String> = options.iter().filter_map(|item| item.str()).map(str::to_owned).collect();
    let (school, data, scenarios) = read_one_book(&scenarios?, &options, shelf)?;
    let varied = read_varied(weights, school);
    let level = read_level(&level?, school)?;
    Some(TunePlan {
        school,
        data,
        scenarios,
        options,
        level,
        budget: budget.unwrap_or_else(|| Budget::nodes(100)),
        seed,
        games,
        confirm,
        trials,
        generations,
        varied,
        step: step.unwrap_or(0.3),
        threads,
        source: root.doc().source().name.clone(),
    })
}

/// Scenarios of one rulebook, whose opponents learn from them.
pub(crate) fn read_one_book(
    list: &Item<'_>,
    options: &[String],
    shelf: &Shelf,
) -> Option<(&'static dyn AnySchool, Data, Vec<String>)> {
    let items = list.items();
    let found: Vec<_> = items.iter().filter_map(|item| Some((item, read_scenario(item, shelf)?))).collect();
    let Some((_, (school, _, data))) = found.first() else {
        list.fault("no scenario to play");
        return None;
    };
    for (item, (other, name, _)) in &found {
        if other.book().name == school.book().name {
            school.arena(data, name, options).map_or_else(|faults| item.doc().add(faults), drop);
        } else {
            item.fault(format!("the opponents of {} learn from its own scenarios", school.book().name));
        }
    }
    let scenarios = found.iter().map(|(_, (_, name, _))| name.clone()).collect();
    Some((*school, (*data).clone(), scenarios))
}

fn read_varied(weights: Option<Item<'_>>, school: &dyn AnySchool) -> Vec<bool> {
    let names = school.weight_names();
    let Some(weights) = weights else { return vec![true; names.len()] };
    let mut varied = vec![false; names.len()];
    for item in weights.items() {
        if let Some(place) = item.one_of(names) {
            varied[place] = true;
        }
    }
    varied
}

/// What a tuning run was begun with, by name.
#[derive(Serialize, Deserialize)]
struct Head(Vec<(String, String)>);

impl Begins for Head {
    fn differs(&self, before: &Self) -> Option<String> {
        let (now, then) = self.0.iter().zip(&before.0).find(|(now, then)| now != then)?;
        Some(format!("{} was `{}` and is `{}` now", then.0, then.1, now.1))
    }
}

/// How well weights did against the best so far.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Merit {
    /// Their share of wins.
    pub share: f64,
    /// By how many victory points they were ahead on average.
    pub lead: f64,
    /// True when that is more than luck.
    pub clear: bool,
    /// Games.
    pub games: usize,
}

/// One generation: a line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// Its number, from 1.
    pub number: usize,
    /// How far weights were varied.
    pub step: f64,
    /// The best variant in its trial.
    pub trial: Merit,
    /// How it did on fresh seeds, if it came to that.
    pub confirmed: Option<Merit>,
    /// Games that went wrong.
    pub faults: usize,
    /// The best weights after it.
    pub best: Vec<f64>,
    /// True when they are new.
    pub improved: bool,
}

impl fmt::Display for Generation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let say = |merit: &Merit| {
            format!("{:.1} % of {} games, {:+.2} points", 100.0 * merit.share, merit.games, merit.lead)
        };
        write!(f, "generation {}: the best variant had {}", self.number, say(&self.trial))?;
        if let Some(confirmed) = &self.confirmed {
            write!(f, "; on fresh seeds {}", say(confirmed))?;
        }
        write!(f, "; {}", if self.improved { "better: written" } else { "not clearly better" })?;
        if self.faults > 0 {
            write!(f, "; {} games went wrong", self.faults)?;
        }
        Ok(())
    }
}

/// What is told while weights are tuned.
pub enum Told<'a> {
    /// How far the match is that is being played.
    Playing(Standing),
    /// A generation is done.
    Done(&'a Generation),
}

/// Whoever listens.
type Listener<'a> = &'a mut dyn FnMut(Told<'_>);

/// What came of a tuning run.
pub struct Tuned {
    /// Generations done.
    pub generations: usize,
    /// How often something better was found.
    pub improvements: usize,
}

/// Tunes: goes on where the folder's journal ends, tells each generation, writes `staff.toml` after each improvement.
pub fn tune(
    plan: &TunePlan,
    out: &Path,
    threads: usize,
    stop: &AtomicBool,
    tell: Listener<'_>,
) -> Result<Tuned, String> {
    let (mut journal, mut done) = Journal::open::<Head, Generation>(&out.join(JOURNAL), &plan.head())?;
    let mut best = match done.last() {
        Some(generation) => generation.best.clone(),
        None => plan.school.weights(&plan.data).map_err(|faults| faults.to_string())?,
    };
    let mut step = done.iter().fold(plan.step, |step, generation| next_step(plan, step, generation.improved));
    if done.is_empty() {
        let note = format!("The weights that tuning by {} began with.\n", plan.source);
        put(&out.join(staff::weights::FILE), plan.school.write_weights(&best, &note).as_bytes())?;
    }
    let hall = Hall { plan, threads, stop };
    while done.len() < plan.generations {
        let number = done.len() + 1;
        let Some(generation) = hall.generation(number, &best, step, tell)? else { break };
        if generation.improved {
            best.clone_from(&generation.best);
            let note = note(plan, &generation);
            put(&out.join(staff::weights::FILE), plan.school.write_weights(&best, &note).as_bytes())?;
        }
        step = next_step(plan, step, generation.improved);
        journal.write(&generation)?;
        journal.sync()?;
        tell(Told::Done(&generation));
        done.push(generation);
    }
    let improvements = done.iter().filter(|generation| generation.improved).count();
    Ok(Tuned { generations: done.len(), improvements })
}

/// Success makes bolder, failure more careful.
fn next_step(plan: &TunePlan, step: f64, improved: bool) -> f64 {
    (step * if improved { 1.3 } else { 0.85 }).clamp(plan.step / 4.0, plan.step * 2.0)
}

fn note(plan: &TunePlan, generation: &Generation) -> String {
    let Merit { share, lead, games, .. } = generation.confirmed.unwrap_or(generation.trial);
    format!(
        "Tuned by `grognard lab tune {}`: {} on {}, generation {}.\n\
         Against the best weights before these, on fresh seeds and from both sides: {:.1} % of {games} games, {lead:+.2} points.\n",
        plan.source,
        plan.level,
        plan.scenarios.join(", "),
        generation.number,
        100.0 * share,
    )
}

/// Where matches are played.
struct Hall<'a> {
    plan: &'a TunePlan,
    threads: usize,
    stop: &'a AtomicBool,
}

impl Hall<'_> {
    /// Varies, plays, confirms; nothing when it was stopped.
    fn generation(
        &self,
        number: usize,
        best: &[f64],
        step: f64,
        tell: Listener<'_>,
    ) -> Result<Option<Generation>, String> {
        let plan = self.plan;
        let mut luck = Dice::seeded(&Seed(format!("{} vary {number}", plan.seed)));
        let variants: Vec<Vec<f64>> = (0..plan.trials).map(|_| vary(plan, best, step, &mut luck)).collect();
        let seeds = format!("{} {number}", plan.seed);
        let Some((merits, mut faults)) = self.matches(&variants, best, &seeds, plan.games, tell)? else {
            return Ok(None);
        };
        let order = |a: &&(usize, Merit), b: &&(usize, Merit)| {
            (a.1.share, a.1.lead).partial_cmp(&(b.1.share, b.1.lead)).unwrap_or(std::cmp::Ordering::Equal)
        };
        let merits: Vec<(usize, Merit)> = merits.into_iter().enumerate().collect();
        let Some((place, trial)) = merits.iter().max_by(order).copied() else { return Ok(None) };
        let variant = &variants[place];
        let mut confirmed = None;
        if trial.clear {
            let seeds = format!("{} {number} fresh", plan.seed);
            let one = std::slice::from_ref(variant);
            let Some((merits, more)) = self.matches(one, best, &seeds, plan.confirm, tell)? else {
                return Ok(None);
            };
            faults += more;
            confirmed = merits.first().copied();
        }
        let improved = confirmed.is_some_and(|merit| merit.clear);
        let best = if improved { variant.clone() } else { best.to_vec() };
        Ok(Some(Generation { number, step, trial, confirmed, faults, best, improved }))
    }

    /// Lets every variant play the best on the same seeds, from both sides. Nothing when it was stopped; else the merits, and how
    /// many games went wrong.
    fn matches(
        &self,
        variants: &[Vec<f64>],
        best: &[f64],
        seeds: &str,
        games: usize,
        tell: Listener<'_>,
    ) -> Result<Option<(Vec<Merit>, usize)>, String> {
        let plan = self.plan;
        let mut arenas: Vec<(usize, Side, Box<dyn AnyArena>)> = Vec::new();
        for (place, variant) in variants.iter().enumerate() {
            for scenario in &plan.scenarios {
                for side in Side::BOTH {
                    let mut weights = BySide { axis: best.to_vec(), soviet: best.to_vec() };
                    weights[side].clone_from(variant);
                    let arena = plan.school.arena_with(&plan.data, scenario, &plan.options, &weights);
                    arenas.push((place, side, arena.map_err(|faults| faults.to_string())?));
                }
            }
        }
        let levels = BySide { axis: plan.level, soviet: plan.level };
        let contest = Contest { levels, budget: plan.budget, combats: false };
        let play = |task: usize| {
            let (game, at) = (task / arenas.len(), task % arenas.len());
            let (place, side, arena) = &arenas[at];
            let report = played(&**arena, &contest, &Seed(format!("{seeds}-{game}")));
            let result = report.map(|report| {
                let share = report.winner.map_or(0.5, |winner| f64::from(u8::from(winner == *side)));
                let lead = f64::from(report.points[*side]) - f64::from(report.points[side.enemy()]);
                (share, lead)
            });
            // Both sides of a seed are one observation: what the seed favours cancels out.
            let pair = (at % (2 * plan.scenarios.len())) / 2 + game * plan.scenarios.len();
            (*place, pair, result)
        };
        let total = arenas.len() * games;
        let pairs = games * plan.scenarios.len();
        let mut sums = vec![vec![(0.0, 0.0, 0usize); pairs]; variants.len()];
        let (mut faults, mut done) = (0, 0);
        in_parallel(total, self.threads, self.stop, play, |batch| {
            for (place, pair, result) in batch {
                done += 1;
                match result {
                    Ok((share, lead)) => {
                        let sum = &mut sums[place][pair];
                        *sum = (sum.0 + share / 2.0, sum.1 + lead / 2.0, sum.2 + 1);
                    }
                    Err(_) => faults += 1,
                }
            }
            tell(Told::Playing(Standing { done, total, faults }));
            Ok(())
        })?;
        if done < total {
            return Ok(None);
        }
        Ok(Some((sums.iter().map(|pairs| merit(pairs)).collect(), faults)))
    }
}

/// How many weights are moved at a time: what many changes do together says nothing about any of them.
const FEW: usize = 4;

/// Moves a few of the weights that vary by a part of themselves; those near zero by a part of a tenth.
fn vary(plan: &TunePlan, best: &[f64], step: f64, luck: &mut Dice) -> Vec<f64> {
    let mut places: Vec<usize> = (0..best.len()).filter(|i| plan.varied[*i]).collect();
    let mut moved = best.to_vec();
    for _ in 0..FEW.min(places.len()) {
        let place = places.swap_remove(luck.roll(places.len() as u32) as usize - 1);
        moved[place] += step * best[place].abs().max(0.1) * normal(luck);
    }
    // As many digits as the file keeps, so that what was played is what is written.
    moved.iter().map(|weight| (weight * 1e4).round() / 1e4).collect()
}

/// A normal deviate, near enough: the sum of twelve even ones.
fn normal(luck: &mut Dice) -> f64 {
    const FINE: u32 = 1_000_000;
    (0..12).map(|_| f64::from(luck.roll(FINE)) / f64::from(FINE)).sum::<f64>() - 6.0
}

/// Judges pairs of games: the share of wins, the lead, how many of the two were played.
fn merit(pairs: &[(f64, f64, usize)]) -> Merit {
    let whole = pairs.iter().filter(|(_, _, games)| *games == 2);
    let (shares, leads): (Vec<f64>, Vec<f64>) = whole.map(|(share, lead, _)| (*share, *lead)).unzip();
    let average = |values: &[f64]| values.iter().sum::<f64>() / (values.len().max(1)) as f64;
    let (share, lead) = (average(&shares), average(&leads));
    // Half of a 95 % interval is about two standard errors; one and a quarter (one chance in ten) is asked for, twice.
    let above = |values: &[f64], line: f64| {
        mean(values)
            .is_some_and(|found| found.value - line > 0.64 * (found.high - found.value) && found.value > line)
    };
    let clear = above(&shares, 0.5) || (share >= 0.5 && above(&leads, 0.0));
    Merit { share, lead, clear, games: 2 * shares.len() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_count_first_then_points() {
        let even: Vec<_> = (0..20).map(|i| (0.5, 1.0 + f64::from(i % 3), 2)).collect();
        assert!(merit(&even).clear, "even wins, but always ahead in points");
        let worse: Vec<_> = (0..20).map(|i| (if i < 6 { 0.0 } else { 0.5 }, 5.0, 2)).collect();
        assert!(!merit(&worse).clear, "points do not make up for lost games");
        let noise: Vec<_> = (0..20).map(|i| (if i % 2 == 0 { 0.0 } else { 1.0 }, 0.0, 2)).collect();
        assert!(!merit(&noise).clear);
        assert_eq!(merit(&[(1.0, 3.0, 1)]).games, 0, "half a pair says nothing");
    }

    #[test]
    fn deviates_are_normal() {
        let mut luck = Dice::seeded(&Seed("normal".into()));
        let values: Vec<f64> = (0..4_000).map(|_| normal(&mut luck)).collect();
        let found = mean(&values).unwrap();
        let spread = values.iter().map(|v| v * v).sum::<f64>() / 4_000.0;
        assert!(found.value.abs() < 0.05 && (spread - 1.0).abs() < 0.08, "{found:?} {spread}");
    }
}
