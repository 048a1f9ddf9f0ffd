//! `selfplay`: many games, counted.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use engine::{BySide, Seed, Side};
use serde_json::json;
use staff::{Contest, Level};

use crate::args::SelfPlay;
use crate::library::{Library, Volume};
use crate::output::{BAD, Failure, Out, STRONG, Styled};
use crate::{input, progress::Progress};

/// How one game went.
struct Finished {
    winner: Option<Side>,
    decisions: usize,
}

/// Plays the game of a seed; the error says what went wrong.
type Match = Box<dyn Fn(&Seed) -> Result<Finished, String> + Sync>;

/// How many games went how.
#[derive(Default)]
struct Count {
    games: usize,
    wins: BySide<usize>,
    draws: usize,
    decisions: usize,
    faults: Vec<String>,
}

impl Count {
    fn add(&mut self, seed: &Seed, game: Result<Finished, String>) {
        match game {
            Ok(finished) => {
                self.games += 1;
                self.decisions += finished.decisions;
                match finished.winner {
                    Some(side) => self.wins[side] += 1,
                    None => self.draws += 1,
                }
            }
            Err(what) => self.faults.push(format!("seed {seed}: {what}")),
        }
    }

    fn merge(&mut self, other: Count) {
        self.games += other.games;
        self.draws += other.draws;
        self.decisions += other.decisions;
        for side in Side::BOTH {
            self.wins[side] += other.wins[side];
        }
        self.faults.extend(other.faults);
    }
}

pub(crate) fn selfplay(args: &SelfPlay, library: &Library, out: &mut Out) -> Result<(), Failure> {
    let (volume, scenario) = library.split(&args.setup.scenario)?;
    let arena = arena(args, volume, scenario)?;
    let seed = input::seed_or_lot(args.setup.seed.as_deref());
    let began = Instant::now();
    let count = play_all(&arena, args.games, threads(args.threads), &seed);
    let seconds = began.elapsed().as_secs_f64();
    if args.json {
        out.line(json!({
            "games": count.games,
            "wins": { "axis": count.wins.axis, "soviet": count.wins.soviet },
            "draws": count.draws,
            "faults": count.faults.len(),
            "decisions": count.decisions,
            "seconds": seconds,
        }));
    } else {
        out.line(format_args!(
            "{} games of {} in {seconds:.1} s: Axis {}, Soviet {}, draws {}",
            count.games,
            Styled(STRONG, &args.setup.scenario),
            count.wins.axis,
            count.wins.soviet,
            count.draws
        ));
        let per_second = count.decisions as f64 / seconds;
        out.line(format_args!("{} decisions, {per_second:.0} a second; seed {seed}", count.decisions));
        for fault in &count.faults {
            out.line(Styled(BAD, fault));
        }
    }
    if count.faults.is_empty() { Ok(()) } else { Err(Failure::No) }
}

/// Random play needs no opponent that knows the rulebook; it is the yardstick of speed.
fn arena(args: &SelfPlay, volume: &Volume, scenario: &str) -> Result<Match, Failure> {
    let book = volume.rulebook.book();
    for level in [args.axis, args.soviet] {
        staff::check_level(book, level).map_err(Failure::Input)?;
    }
    match staff::school(book.name) {
        Some(school) if (args.axis, args.soviet) != (Level::Random, Level::Random) => {
            let arena = school.arena(&volume.data, scenario, &args.setup.options)?;
            let levels = BySide { axis: args.axis, soviet: args.soviet };
            let contest = Contest { levels, budget: args.thinking.budget(), combats: false };
            Ok(Box::new(move |seed| {
                let report = arena.play(&contest, seed)?;
                Ok(Finished { winner: report.winner, decisions: report.decisions })
            }))
        }
        _ => {
            let arena = volume.rulebook.random_play(&volume.data, scenario, &args.setup.options)?;
            Ok(Box::new(move |seed| {
                let finished = arena.play(seed)?;
                Ok(Finished { winner: finished.outcome.winner, decisions: finished.decisions })
            }))
        }
    }
}

fn threads(wanted: usize) -> usize {
    match wanted {
        0 => thread::available_parallelism().map_or(1, usize::from),
        wanted => wanted,
    }
}

/// Game i has the seed `SEED-i`, whichever thread plays it: the count does not depend on the threads.
fn play_all(arena: &Match, games: usize, threads: usize, seed: &Seed) -> Count {
    let next = AtomicUsize::new(0);
    let progress = Progress::new(games);
    let total = Mutex::new(Count::default());
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                let mut count = Count::default();
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= games {
                        break;
                    }
                    let seed = Seed(format!("{seed}-{i}"));
                    let game = catch_unwind(AssertUnwindSafe(|| arena(&seed)));
                    count.add(&seed, game.unwrap_or_else(|_| Err("the rules panicked".to_owned())));
                    progress.set(i + 1);
                }
                if let Ok(mut total) = total.lock() {
                    total.merge(count);
                }
            });
        }
    });
    progress.finish();
    let mut count = total.into_inner().unwrap_or_default();
    count.faults.sort();
    count
}
