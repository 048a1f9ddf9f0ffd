//! Better weights for the opponents, by self-play.
//!
//! Each generation plays games in which both sides have all their weights drawn by lot around the best so far. Who did well with
//! more of a weight and badly with less of it says which way to move it: hundreds of games judge all weights at once. Steps of
//! several lengths that way play the best from both sides, on the same seeds; the one that did best, if it did clearly better,
//! must do so once more on seeds that nobody has seen. Only then it is the best. What was learned around weights that stay the
//! best is kept for the next generation.

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
    let games = count("games", 400);
    let confirm = count("confirm", games);
    let (trials, generations) = (count("trials", 3), count("generations", 10));
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
        step: step.unwrap_or(0.4),
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

/// Which way weights are to be moved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Survey {
    /// How much better a side does with more of each weight: standard deviations of the result for one of the weight.
    pub slopes: Vec<f64>,
    /// Games that say so.
    pub games: usize,
}

impl Survey {
    /// Both together.
    fn with(self, other: &Survey) -> Survey {
        let games = self.games + other.games;
        let part = self.games as f64 / games.max(1) as f64;
        let pairs = self.slopes.iter().zip(&other.slopes);
        let slopes = pairs.map(|(own, others)| own * part + others * (1.0 - part)).collect();
        Survey { slopes, games }
    }

    /// How far each weight is to be moved, in standard deviations of the lot: not at all where the slope may well be luck, and
    /// never out of sight.
    fn direction(&self) -> impl Iterator<Item = f64> {
        let luck = 1.0 / self.games.max(1) as f64;
        self.slopes.iter().map(move |slope| {
            let sure = (1.0 - luck / (slope * slope).max(f64::MIN_POSITIVE)).max(0.0);
            (RATE * slope * sure).clamp(-FARTHEST, FARTHEST)
        })
    }
}

/// How far a weight is moved for its slope.
const RATE: f64 = 8.0;

/// The farthest that a weight is moved in a step of length one, in standard deviations of the lot.
const FARTHEST: f64 = 1.2;

/// One generation: a line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// Its number, from 1.
    pub number: usize,
    /// What is known of the weights around the best.
    pub survey: Survey,
    /// The best step in its trial.
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
        write!(f, "generation {}: the best step had {}", self.number, say(&self.trial))?;
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
    if done.is_empty() {
        let note = format!("The weights that tuning by {} began with.\n", plan.source);
        put(&out.join(staff::weights::FILE), plan.school.write_weights(&best, &note).as_bytes())?;
    }
    let arena = |scenario: &String| plan.school.arena(&plan.data, scenario, &plan.options);
    let arenas: Result<Vec<_>, Faults> = plan.scenarios.iter().map(arena).collect();
    let arenas = arenas.map_err(|faults| faults.to_string())?;
    let hall = Hall { plan, arenas, threads, stop };
    while done.len() < plan.generations {
        let number = done.len() + 1;
        let known =
            done.last().filter(|generation| !generation.improved).map(|generation| &generation.survey);
        let Some(generation) = hall.generation(number, &best, known, tell)? else { break };
        if generation.improved {
            best.clone_from(&generation.best);
            let note = note(plan, &generation);
            put(&out.join(staff::weights::FILE), plan.school.write_weights(&best, &note).as_bytes())?;
        }
        journal.write(&generation)?;
        journal.sync()?;
        tell(Told::Done(&generation));
        done.push(generation);
    }
    let improvements = done.iter().filter(|generation| generation.improved).count();
    Ok(Tuned { generations: done.len(), improvements })
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
    /// One for each scenario.
    arenas: Vec<Box<dyn AnyArena>>,
    threads: usize,
    stop: &'a AtomicBool,
}

impl Hall<'_> {
    /// Surveys, steps, confirms; nothing when it was stopped.
    fn generation(
        &self,
        number: usize,
        best: &[f64],
        known: Option<&Survey>,
        tell: Listener<'_>,
    ) -> Result<Option<Generation>, String> {
        let plan = self.plan;
        let Some((mut survey, lost)) = self.survey(number, best, tell)? else { return Ok(None) };
        if let Some(known) = known {
            survey = survey.with(known);
        }
        let moves: Vec<f64> = survey.direction().collect();
        let step = |length: f64| moved(best, moves.iter().map(|far| far * length * plan.step));
        let lengths = (0..plan.trials).map(|place| 0.5 * f64::from(1 << place.min(8)));
        let variants: Vec<Vec<f64>> = lengths.map(step).collect();
        let seeds = format!("{} {number}", plan.seed);
        let Some((merits, mut faults)) = self.matches(&variants, best, &seeds, plan.confirm, tell)? else {
            return Ok(None);
        };
        faults += lost;
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
        Ok(Some(Generation { number, survey, trial, confirmed, faults, best, improved }))
    }

    /// Games with weights drawn by lot around the best: which of them does a side do better with? Nothing when it was stopped;
    /// else the answer, and how many games went wrong.
    fn survey(
        &self,
        number: usize,
        best: &[f64],
        tell: Listener<'_>,
    ) -> Result<Option<(Survey, usize)>, String> {
        let plan = self.plan;
        let levels = BySide { axis: plan.level, soviet: plan.level };
        let contest = Contest { levels, budget: plan.budget, combats: false };
        let total = plan.games * plan.scenarios.len();
        let play = |task: usize| {
            let scenario = task % plan.scenarios.len();
            let seed = format!("{} survey {number}-{task}", plan.seed);
            let mut luck = Dice::seeded(&Seed(seed.clone()));
            let lots: Vec<f64> =
                plan.varied.iter().map(|varied| if *varied { normal(&mut luck) } else { 0.0 }).collect();
            let weights = moved(best, lots.iter().map(|lot| lot * plan.step));
            let weights = BySide { axis: weights.clone(), soviet: weights };
            let report = played(&*self.arenas[scenario].reweighed(&weights), &contest, &Seed(seed));
            let result = report.map(|report| {
                let share = report.winner.map_or(0.5, |winner| f64::from(u8::from(winner == Side::Axis)));
                (share, f64::from(report.points.axis) - f64::from(report.points.soviet))
            });
            (task, lots, result)
        };
        let mut ends: Vec<Option<End>> = vec![None; total];
        let (mut faults, mut done) = (0, 0);
        in_parallel(total, self.threads, self.stop, play, |batch| {
            for (task, lots, result) in batch {
                done += 1;
                match result {
                    Ok((share, lead)) => ends[task] = Some((lots, share, lead)),
                    Err(_) => faults += 1,
                }
            }
            tell(Told::Playing(Standing { done, total, faults }));
            Ok(())
        })?;
        // In the order of the games, so that whoever was ready first does not matter to the last digit.
        let mut found: Vec<Vec<End>> = vec![Vec::new(); plan.scenarios.len()];
        for (task, end) in ends.into_iter().enumerate() {
            found[task % plan.scenarios.len()].extend(end);
        }
        Ok((done == total).then(|| (slopes(&found, best.len()), faults)))
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
            for arena in &self.arenas {
                for side in Side::BOTH {
                    let mut weights = BySide { axis: best.to_vec(), soviet: best.to_vec() };
                    weights[side].clone_from(variant);
                    arenas.push((place, side, arena.reweighed(&weights)));
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

/// Weights times a factor of which the logarithm is given; those that are zero are moved by a tenth of that.
fn moved(weights: &[f64], by: impl Iterator<Item = f64>) -> Vec<f64> {
    let moved = weights.iter().zip(by).map(|(weight, far)| match *weight == 0.0 {
        true => far / 10.0,
        false => weight * far.exp(),
    });
    // As many digits as the file keeps, so that what was played is what is written.
    moved.map(|weight| (weight * 1e4).round() / 1e4).collect()
}

/// How a game of a survey ended: what was drawn, the Axis side's share and its lead.
type End = (Vec<f64>, f64, f64);

/// What games say of weights, scenario by scenario. Wins and points count the same.
fn slopes(found: &[Vec<End>], weights: usize) -> Survey {
    let mut survey = Survey { slopes: vec![0.0; weights], games: 0 };
    for games in found.iter().filter(|games| games.len() > 1) {
        let shares = standardized(games.iter().map(|(_, share, _)| *share).collect());
        let leads = standardized(games.iter().map(|(_, _, lead)| *lead).collect());
        let results = standardized(shares.iter().zip(&leads).map(|(share, lead)| share + lead).collect());
        let mut slopes = vec![0.0; weights];
        for ((lots, ..), result) in games.iter().zip(results) {
            for (place, (slope, lot)) in slopes.iter_mut().zip(lots).enumerate() {
                // The second half of the weights is the Soviet side's, for which the result is the opposite.
                let own = if place < weights / 2 { result } else { -result };
                *slope += lot * own / games.len() as f64;
            }
        }
        survey = survey.with(&Survey { slopes, games: games.len() });
    }
    survey
}

/// Values as standard deviations from their mean.
fn standardized(values: Vec<f64>) -> Vec<f64> {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let spread = (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n).sqrt();
    values.into_iter().map(|value| if spread > 0.0 { (value - mean) / spread } else { 0.0 }).collect()
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
    fn a_survey_finds_the_weights_that_matter() {
        let mut luck = Dice::seeded(&Seed("survey".into()));
        let mut game = |lead: fn(&[f64]) -> f64| {
            let lots: Vec<f64> = (0..4).map(|_| normal(&mut luck)).collect();
            let lead = lead(&lots) + 3.0 * normal(&mut luck);
            (lots, f64::from(u8::from(lead > 0.0)), lead)
        };
        // The first weight helps the Axis side, the last one the Soviet side; the others are idle.
        let games: Vec<_> = (0..2_000).map(|_| game(|lots| lots[0] - lots[3])).collect();
        let survey = slopes(&[games], 4);
        let moves: Vec<f64> = survey.direction().collect();
        assert!(moves[0] > 0.5 && moves[3] > 0.5, "{moves:?}");
        assert!(moves[1].abs() < 0.5 && moves[2].abs() < 0.5, "{moves:?}");
        assert_eq!(moved(&[2.0, 0.0], [0.0, 1.0].into_iter()), [2.0, 0.1], "zero can be moved, too");
        let nothing = slopes(&[vec![(vec![1.0; 4], 1.0, 5.0); 3]], 4);
        assert!(nothing.slopes.iter().all(|slope| *slope == 0.0), "games that all end alike say nothing");
        let both = Survey { slopes: vec![0.3], games: 100 }.with(&Survey { slopes: vec![0.0], games: 200 });
        assert!((both.slopes[0] - 0.1).abs() < 1e-9 && both.games == 300);
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
