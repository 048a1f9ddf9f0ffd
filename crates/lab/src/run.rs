//! Plays a plan, on many threads.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use engine::Seed;
use staff::{AnyArena, Contest, Level, Report};

use crate::plan::{Field, Plan};
use crate::store::{self, End, Head, JOURNAL, Journal, Played, Row};
use crate::tables;

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Games finished, those of earlier runs included.
    pub done: usize,
    /// Games of the plan.
    pub total: usize,
    /// How many of those finished went wrong.
    pub faults: usize,
}

/// Plays what is left of a plan into the folder `out` and writes the tables. `stop` ends it after the games that are being
/// played; `tell` is told how far it is, first of all at the beginning.
pub fn run(
    plan: &Plan,
    out: &Path,
    threads: usize,
    stop: &AtomicBool,
    mut tell: impl FnMut(Standing),
) -> Result<Standing, String> {
    let opened = Journal::open::<Head, Row>(&out.join(JOURNAL), &Head::of(plan))?;
    let tasks = tasks(plan);
    let standing = play_left(plan, &tasks, opened, out, threads, stop, &mut tell)?;
    write_tables(plan, out)?;
    Ok(standing)
}

/// Plays what is left of the tasks into a journal.
pub(crate) fn play_left(
    plan: &Plan,
    tasks: &[(usize, usize)],
    (mut journal, rows): (Journal, Vec<Row>),
    out: &Path,
    threads: usize,
    stop: &AtomicBool,
    tell: &mut impl FnMut(Standing),
) -> Result<Standing, String> {
    plays_as_before(plan, &rows, out)?;
    let wanted: HashSet<(usize, usize)> = tasks.iter().copied().collect();
    let mut standing = Standing { total: tasks.len(), ..Standing::default() };
    let mut finished: HashSet<(usize, usize)> = HashSet::new();
    for row in rows.iter().filter(|row| wanted.contains(&(row.cell, row.game))) {
        if finished.insert((row.cell, row.game)) {
            standing.count(row);
        }
    }
    tell(standing);
    let left: Vec<(usize, usize)> = tasks.iter().copied().filter(|task| !finished.contains(task)).collect();
    let play = |place: usize| {
        let (cell, game) = left[place];
        let field = &plan.fields[cell];
        let end = end_of(plan.arena(field), &field.contest, &plan.seed_of(game));
        Row { cell, game, end }
    };
    in_parallel(left.len(), threads, stop, play, |rows| {
        for row in &rows {
            journal.write(row)?;
            standing.count(row);
        }
        journal.sync()?;
        tell(standing);
        Ok(())
    })?;
    Ok(standing)
}

/// Writes the tables of what the journal holds of a plan.
pub(crate) fn write_tables(plan: &Plan, out: &Path) -> Result<(), String> {
    let wanted: HashSet<(usize, usize)> = tasks(plan).into_iter().collect();
    let (head, mut rows) = store::read(out)?;
    rows.retain(|row| wanted.contains(&(row.cell, row.game)));
    tables::write_all(out, &head, &rows)
}

impl Standing {
    pub(crate) fn count(&mut self, row: &Row) {
        self.done += 1;
        self.faults += usize::from(matches!(row.end, End::Fault(_)));
    }
}

/// All games of a plan, cell and game; the first of every cell first, so that a run that is stopped has some of each.
pub(crate) fn tasks(plan: &Plan) -> Vec<(usize, usize)> {
    let most = plan.fields.iter().map(|field| field.games).max().unwrap_or(0);
    let cells = |game: usize| {
        let fields = plan.fields.iter().enumerate();
        fields.filter(move |(_, field)| game < field.games).map(move |(cell, _)| (cell, game))
    };
    (0..most).flat_map(cells).collect()
}

/// Plays a game; whatever goes wrong, a panic included, is how it ended.
fn end_of(arena: &dyn AnyArena, contest: &Contest, seed: &Seed) -> End {
    match played(arena, contest, seed) {
        Ok(report) => End::Played(Played::of(report)),
        Err(fault) => End::Fault(fault),
    }
}

/// Plays a game; a panic is an error like any other.
pub(crate) fn played(arena: &dyn AnyArena, contest: &Contest, seed: &Seed) -> Result<Report, String> {
    catch_unwind(AssertUnwindSafe(|| arena.play(contest, seed))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(format!("the program panicked: {}", text.unwrap_or("without a word")))
    })
}

/// The rules have a number that changes with them, opponents have none: so one game of each rulebook is played again.
fn plays_as_before(plan: &Plan, rows: &[Row], out: &Path) -> Result<(), String> {
    let mut proved: Vec<&str> = Vec::new();
    let mut known: Vec<(&Row, &Field, &Played)> = rows
        .iter()
        .filter_map(|row| match (&row.end, plan.fields.get(row.cell)) {
            (End::Played(played), Some(field)) if is_repeatable(field) => Some((row, field, played)),
            _ => None,
        })
        .collect();
    // The strongest level has most that can change; of its games the shortest.
    known.sort_by_key(|(_, field, played)| {
        let levels = field.contest.levels;
        (std::cmp::Reverse(levels.axis.max(levels.soviet)), played.decisions)
    });
    for (row, field, before) in known {
        if proved.contains(&field.cell.book()) {
            continue;
        }
        proved.push(field.cell.book());
        let now = end_of(plan.arena(field), &field.contest, &plan.seed_of(row.game));
        if !matches!(&now, End::Played(now) if now.timeless() == before.timeless()) {
            return Err(format!(
                "{}: cannot go on: the opponents of {} play game {} otherwise than when it was begun. \
                 Begin a new run in another folder with --out",
                out.join(JOURNAL).display(),
                field.cell.book(),
                row.game
            ));
        }
    }
    Ok(())
}

/// A general who thinks by the clock may answer otherwise every time.
pub(crate) fn is_repeatable(field: &Field) -> bool {
    let levels = field.contest.levels;
    field.contest.budget.time.is_none() || ![levels.axis, levels.soviet].contains(&Level::General)
}

/// Does `count` pieces of work on so many threads (0: one a core) and hands on what comes of them, in whatever order it is
/// ready. No piece depends on another, and nothing but a counter is shared.
pub(crate) fn in_parallel<T: Send>(
    count: usize,
    threads: usize,
    stop: &AtomicBool,
    work: impl Fn(usize) -> T + Sync,
    mut take: impl FnMut(Vec<T>) -> Result<(), String>,
) -> Result<(), String> {
    let threads = match threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let next = AtomicUsize::new(0);
    let broken = AtomicBool::new(false);
    thread::scope(|scope| {
        let (give, ready) = mpsc::channel();
        for _ in 0..threads.min(count) {
            let give = give.clone();
            scope.spawn({
                let (next, broken, work) = (&next, &broken, &work);
                move || {
                    while !stop.load(Ordering::Relaxed) && !broken.load(Ordering::Relaxed) {
                        let place = next.fetch_add(1, Ordering::Relaxed);
                        if place >= count || give.send(work(place)).is_err() {
                            break;
                        }
                    }
                }
            });
        }
        drop(give);
        while let Ok(first) = ready.recv() {
            let batch: Vec<T> = std::iter::once(first).chain(ready.try_iter()).collect();
            if let Err(error) = take(batch) {
                broken.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
        Ok(())
    })
}
