//! Runs of the lab, for clusters: the same games as `grognard lab run` plays.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use engine::{BySide, Seed};
use lab::plan::Plan;
use lab::run::Standing;
use lab::shards::{self, Shard};
use pyo3::prelude::*;
use source::Source;
use staff::{Budget, Contest, Level};

use crate::books::{Origin, data_of};
use crate::wrong;

/// Reads a plan as `grognard lab` does: built-in data, with the files of a folder laid over them.
fn read_plan(plan: &str, data: Option<&str>) -> PyResult<Plan> {
    let text = fs::read_to_string(plan).map_err(|error| wrong::input(&format!("{plan}: {error}")))?;
    let mut shelf = lab::Shelf::new();
    for rulebook in shelf::shelf() {
        shelf.insert(rulebook.book().name, data_of(rulebook, data)?);
    }
    let beside = Path::new(plan).parent().unwrap_or(Path::new(""));
    Plan::read(&Source::new(plan, text), beside, &shelf).map_err(|faults| wrong::faults(&faults))
}

fn told(standing: Standing) -> (usize, usize, usize) {
    (standing.done, standing.total, standing.faults)
}

/// Plays what is left of part `place` of `of` of a plan into a folder: games done, games in the part, games that went wrong. The
/// same as `grognard lab run PLAN --out OUT --shard PLACE/OF`.
#[pyfunction]
#[pyo3(signature = (plan, out, place, of, *, threads=1, data=None))]
pub(crate) fn lab_run(
    py: Python<'_>,
    plan: &str,
    out: &str,
    place: usize,
    of: usize,
    threads: usize,
    data: Option<&str>,
) -> PyResult<(usize, usize, usize)> {
    let shard: Shard = format!("{place}/{of}").parse().map_err(|why: String| wrong::input(&why))?;
    let plan = read_plan(plan, data)?;
    let never = AtomicBool::new(false);
    let ran = py.detach(|| shards::run_shard(&plan, Path::new(out), shard, threads, &never, |_| ()));
    ran.map(told).map_err(|why| wrong::input(&why))
}

/// Gathers all parts and writes the tables: games done, games of the plan, games that went wrong. `grognard lab gather`.
#[pyfunction]
#[pyo3(signature = (plan, out, *, data=None))]
pub(crate) fn lab_gather(
    py: Python<'_>,
    plan: &str,
    out: &str,
    data: Option<&str>,
) -> PyResult<(usize, usize, usize)> {
    let plan = read_plan(plan, data)?;
    py.detach(|| shards::gather(&plan, Path::new(out))).map(told).map_err(|why| wrong::input(&why))
}

/// How many games a plan has.
#[pyfunction]
#[pyo3(signature = (plan, *, data=None))]
pub(crate) fn lab_games(plan: &str, data: Option<&str>) -> PyResult<usize> {
    Ok(read_plan(plan, data)?.fields.iter().map(|field| field.games).sum())
}

/// Plays one random game after the other for so many seconds in Rust alone, the yardstick of speed: decisions and seconds.
#[pyfunction]
pub(crate) fn random_play(
    py: Python<'_>,
    scenario: &str,
    seconds: f64,
    threads: usize,
) -> PyResult<(u64, f64)> {
    let origin = Origin::new(scenario, None, Vec::new(), None)?;
    let name = scenario.split_once('/').map_or("", |(_, name)| name);
    let play =
        origin.rulebook.random_play(&origin.data, name, &[]).map_err(|faults| wrong::faults(&faults))?;
    let began = std::time::Instant::now();
    let toil = |thread: usize| {
        let mut decisions = 0;
        for game in 0.. {
            if began.elapsed().as_secs_f64() > seconds {
                break;
            }
            decisions +=
                play.play(&Seed(format!("bench-{thread}-{game}"))).map_or(0, |end| end.decisions as u64);
        }
        decisions
    };
    let decisions = py.detach(|| {
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|thread| scope.spawn(move || toil(thread))).collect();
            toil(0) + others.into_iter().map(|other| other.join().unwrap_or_default()).sum::<u64>()
        })
    });
    Ok((decisions, began.elapsed().as_secs_f64()))
}

/// Plays a game between opponents as the lab does: winner, points, decisions.
#[pyfunction]
#[pyo3(signature = (scenario, seed, axis, soviet, *, options=Vec::new(), nodes=None, data=None))]
#[expect(clippy::too_many_arguments, reason = "they are named in Python")]
pub(crate) fn lab_play(
    py: Python<'_>,
    scenario: &str,
    seed: &str,
    axis: &str,
    soviet: &str,
    options: Vec<String>,
    nodes: Option<u32>,
    data: Option<String>,
) -> PyResult<(Option<&'static str>, (i32, i32), usize)> {
    let origin = Origin::new(scenario, None, options, data)?;
    let book = origin.rulebook.book().name;
    let name = scenario.split_once('/').map_or("", |(_, name)| name);
    let school = staff::school(book).ok_or_else(|| wrong::input(&format!("{book} has no opponents")))?;
    let arena = school.arena(&origin.data, name, &origin.options).map_err(|faults| wrong::faults(&faults))?;
    let level = |name: &str| Level::named(name).map_err(|why| wrong::input(&why));
    let contest = Contest {
        levels: BySide { axis: level(axis)?, soviet: level(soviet)? },
        budget: nodes.map_or_else(Budget::default, Budget::nodes),
        combats: false,
    };
    let report =
        py.detach(|| arena.play(&contest, &Seed(seed.to_owned()))).map_err(|why| wrong::fault(&why))?;
    let points = (report.points.axis, report.points.soviet);
    Ok((report.winner.map(engine::Side::word), points, report.decisions))
}
