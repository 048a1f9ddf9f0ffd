//! A plan played in parts, on many machines: each part is a journal of its own, and all are gathered into one.
//!
//! Whatever is killed at whatever time, the same command goes on; two processes that play the same part take turns, and the second
//! finds the games played. A game is the same wherever it is played, so parts may overlap: gathering proves that they agree.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

use crate::plan::Plan;
use crate::run::{Standing, is_repeatable, play_left, tasks, write_tables};
use crate::store::{Begins, End, Head, JOURNAL, Journal, Row, read_file};

/// The folder of the parts in the folder of a run.
pub const SHARDS: &str = "shards";

/// One part of so many: every n-th game, from the i-th on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which one, from 0.
    pub place: usize,
    /// How many there are.
    pub of: usize,
}

/// `3/50`: the fourth of fifty.
impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let wrong = || format!("`{text}` should be i/n with i from 0 to n-1, such as 0/50");
        let (place, of) = text.split_once('/').ok_or_else(wrong)?;
        let (place, of) = (place.parse().map_err(|_| wrong())?, of.parse().map_err(|_| wrong())?);
        if place < of { Ok(Shard { place, of }) } else { Err(wrong()) }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.place, self.of)
    }
}

impl Shard {
    /// Its journal in the folder of a run.
    pub fn journal(self, out: &Path) -> PathBuf {
        out.join(SHARDS).join(format!("{}-of-{}.jsonl", self.place, self.of))
    }

    fn tasks(self, plan: &Plan) -> Vec<(usize, usize)> {
        tasks(plan).into_iter().skip(self.place).step_by(self.of).collect()
    }
}

/// Plays what is left of one part of a plan.
pub fn run_shard(
    plan: &Plan,
    out: &Path,
    shard: Shard,
    threads: usize,
    stop: &AtomicBool,
    mut tell: impl FnMut(Standing),
) -> Result<Standing, String> {
    if let Some(field) = plan.fields.iter().find(|field| !is_repeatable(field)) {
        return Err(format!(
            "{}: a general who thinks by the clock plays another game on every machine: give him `nodes`",
            field.cell.scenario
        ));
    }
    let path = shard.journal(out);
    let opened = Journal::open_in_turn::<Head, Row>(&path, &Head::of(plan))?;
    let tasks = shard.tasks(plan);
    let played: HashSet<(usize, usize)> = opened.1.iter().map(|row| (row.cell, row.game)).collect();
    if tasks.iter().all(|task| played.contains(task)) {
        let mut standing = Standing { total: tasks.len(), ..Standing::default() };
        let own = opened.1.iter().filter(|row| tasks.contains(&(row.cell, row.game)));
        own.for_each(|row| standing.count(row));
        tell(standing);
        return Ok(standing);
    }
    play_left(plan, &tasks, opened, out, threads, stop, &mut tell)
}

/// Gathers all parts in the folder of a run into its journal and writes the tables: how far the plan is.
pub fn gather(plan: &Plan, out: &Path) -> Result<Standing, String> {
    let head = Head::of(plan);
    let (mut journal, before) = Journal::open_in_turn::<Head, Row>(&out.join(JOURNAL), &head)?;
    let mut rows: BTreeMap<(usize, usize), Row> = BTreeMap::new();
    let known: HashSet<(usize, usize)> = before.iter().map(|row| (row.cell, row.game)).collect();
    for row in before {
        rows.insert((row.cell, row.game), row);
    }
    for path in parts(out)? {
        let (other, part) = read_file(&path)?;
        if let Some(change) = head.differs(&other) {
            return Err(format!("{}: belongs to another run: {change}", path.display()));
        }
        for row in part {
            add(&mut rows, row, &path)?;
        }
    }
    for row in rows.iter().filter(|(task, _)| !known.contains(task)).map(|(_, row)| row) {
        journal.write(row)?;
    }
    journal.sync()?;
    let tasks = tasks(plan);
    let mut standing = Standing { total: tasks.len(), ..Standing::default() };
    tasks.iter().filter_map(|task| rows.get(task)).for_each(|row| standing.count(row));
    write_tables(plan, out)?;
    Ok(standing)
}

/// The journals of the parts, in the order of their names.
fn parts(out: &Path) -> Result<Vec<PathBuf>, String> {
    let folder = out.join(SHARDS);
    let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "jsonl"));
    // A part that was only just begun has no whole line yet.
    paths.retain(|path| fs::read(path).is_ok_and(|bytes| bytes.contains(&b'\n')));
    paths.sort();
    Ok(paths)
}

/// Adds a game; the same game must not have ended in two ways.
fn add(rows: &mut BTreeMap<(usize, usize), Row>, row: Row, path: &Path) -> Result<(), String> {
    let Some(known) = rows.get(&(row.cell, row.game)) else {
        rows.insert((row.cell, row.game), row);
        return Ok(());
    };
    match (&known.end, &row.end) {
        (End::Played(one), End::Played(other)) if one.timeless() == other.timeless() => Ok(()),
        (End::Fault(_), End::Fault(_)) => Ok(()),
        _ => Err(format!(
            "{}: game {} of row {} was played otherwise by another build: remove the parts of one of them",
            path.display(),
            row.game,
            row.cell
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_read_as_it_is_written() {
        assert_eq!("3/50".parse(), Ok(Shard { place: 3, of: 50 }));
        assert_eq!(Shard { place: 3, of: 50 }.to_string(), "3/50");
        for wrong in ["50/50", "1", "a/b", "1/0", "-1/2"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
