//! `lab`: plans of games, reports, tuning.

use std::fs;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use lab::Shelf;
use lab::fit::FitPlan;
use lab::plan::Plan;
use lab::run::Standing;
use lab::tune::{Told, TunePlan};
use source::Source;

use crate::args::{LabCommand, LabGather, LabPlan, LabReport, LabRun};
use crate::library::Library;
use crate::output::{BAD, Failure, Out, STRONG, Styled, note};

pub(crate) fn lab(command: &LabCommand, library: &Library, out: &mut Out) -> Result<(), Failure> {
    match command {
        LabCommand::Run(args) => run(args, library, out),
        LabCommand::Gather(args) => gather(args, library, out),
        LabCommand::Report(args) => report(args, out),
        LabCommand::Tune(args) => tune(args, library, out),
        LabCommand::Fit(args) => fit(args, library, out),
    }
}

fn run(args: &LabRun, library: &Library, out: &mut Out) -> Result<(), Failure> {
    let LabRun { plan: args, shard } = args;
    let (source, beside) = read_plan(&args.plan)?;
    let plan = Plan::read(&source, beside, &shelf(library))?;
    for (arm, path, laid) in &plan.laid {
        out.line(format_args!("arm `{arm}`: {}", laid.line(path)));
    }
    let folder = args.folder();
    let stop = stopped_by_hand();
    let mut watch = Watch::default();
    let threads = args.threads.unwrap_or(plan.threads);
    let tell = |standing| watch.tell(standing);
    let standing = match *shard {
        None => lab::run::run(&plan, &folder, threads, &stop, tell),
        Some(shard) => lab::shards::run_shard(&plan, &folder, shard, threads, &stop, tell),
    };
    let standing = standing.map_err(Failure::Input)?;
    watch.finish();
    let next = match shard {
        None => format!("grognard lab report {} says what they mean", folder.display()),
        Some(shard) => format!(
            "part {shard} is done; grognard lab gather {} --out {} brings all parts together",
            args.plan.display(),
            folder.display()
        ),
    };
    conclude(standing, &folder, "stopped; the same command goes on", &next, out)
}

fn gather(args: &LabGather, library: &Library, out: &mut Out) -> Result<(), Failure> {
    let (source, beside) = read_plan(&args.plan)?;
    let plan = Plan::read(&source, beside, &shelf(library))?;
    let folder = args.out.clone().unwrap_or_else(|| usual_folder(&args.plan));
    let standing = lab::shards::gather(&plan, &folder).map_err(Failure::Input)?;
    let missing = "some parts are missing: play them and gather again, or play the rest with lab run";
    let next = format!("grognard lab report {} says what they mean", folder.display());
    conclude(standing, &folder, missing, &next, out)
}

/// Says how far a run is: fails when games are missing or went wrong.
fn conclude(
    standing: Standing,
    folder: &Path,
    missing: &str,
    next: &str,
    out: &mut Out,
) -> Result<(), Failure> {
    let Standing { done, total, faults } = standing;
    out.line(format_args!("{done} of {total} games are in {}", Styled(STRONG, folder.display())));
    if faults > 0 {
        out.line(Styled(BAD, format_args!("{faults} went wrong: see the column error of games.csv")));
    }
    out.line(if done < total { missing } else { next });
    if faults == 0 && done == total { Ok(()) } else { Err(Failure::No) }
}

fn report(args: &LabReport, out: &mut Out) -> Result<(), Failure> {
    let page = lab::report::page(&args.dir).map_err(Failure::Input)?;
    let file = args.out.clone().unwrap_or_else(|| args.dir.join("report.html"));
    fs::write(&file, page).map_err(|error| Failure::Input(format!("{}: {error}", file.display())))?;
    let changes = lab::report::verdict(&args.dir).map_err(Failure::Input)?;
    if args.json {
        out.line(serde_json::json!({ "report": file, "changes": changes }));
        return Ok(());
    }
    for change in &changes {
        let lab::report::Change { way, levels, beside, games, verdict, laid, .. } = change;
        out.line(format_args!("{}, {levels}, {games} games beside {beside}:", Styled(STRONG, way)));
        out.line(format_args!("  {verdict}"));
        laid.iter().for_each(|line| out.line(format_args!("  {line}")));
    }
    out.line(format_args!("the report is {}", Styled(STRONG, file.display())));
    Ok(())
}

fn tune(args: &LabPlan, library: &Library, out: &mut Out) -> Result<(), Failure> {
    let (source, _) = read_plan(&args.plan)?;
    let plan = TunePlan::read(&source, &shelf(library))?;
    let folder = args.folder();
    let stop = stopped_by_hand();
    let threads = args.threads.unwrap_or(plan.threads);
    let mut watch = Watch::default();
    let mut told = |told: Told<'_>| match told {
        Told::Playing(standing) => {
            watch.tell(standing);
            if standing.done == standing.total {
                watch.finish();
                watch = Watch::default();
            }
        }
        Told::Done(generation) => note(generation),
    };
    let tuned = lab::tune::tune(&plan, &folder, threads, &stop, &mut told).map_err(Failure::Input)?;
    out.line(format_args!(
        "{} generations, {} improvements; the weights are in {}",
        tuned.generations,
        tuned.improvements,
        Styled(STRONG, folder.join("staff.toml").display())
    ));
    if tuned.generations < plan.generations {
        out.line("stopped; the same command goes on");
        return Err(Failure::No);
    }
    Ok(())
}

fn fit(args: &LabPlan, library: &Library, out: &mut Out) -> Result<(), Failure> {
    let (source, _) = read_plan(&args.plan)?;
    let plan = FitPlan::read(&source, &shelf(library))?;
    let folder = args.folder();
    let stop = stopped_by_hand();
    let threads = args.threads.unwrap_or(plan.threads);
    let mut watch = Watch::default();
    let fitted = lab::fit::fit(&plan, &folder, threads, &stop, |standing| watch.tell(standing))
        .map_err(Failure::Input)?;
    watch.finish();
    out.line(fitted);
    out.line(format_args!("the judgement is in {}", Styled(STRONG, folder.join("judgement.toml").display())));
    Ok(())
}

impl LabPlan {
    fn folder(&self) -> PathBuf {
        self.out.clone().unwrap_or_else(|| usual_folder(&self.plan))
    }
}

fn usual_folder(plan: &Path) -> PathBuf {
    Path::new("runs").join(plan.file_stem().unwrap_or_default())
}

fn read_plan(path: &Path) -> Result<(Source, &Path), Failure> {
    let text = fs::read_to_string(path)
        .map_err(|error| Failure::Input(format!("{}: cannot be read: {error}", path.display())))?;
    let beside = path.parent().unwrap_or(Path::new(""));
    Ok((Source::new(path.display().to_string(), text), beside))
}

fn shelf(library: &Library) -> Shelf {
    library.volumes.iter().map(|volume| (volume.rulebook.book().name, volume.data.clone())).collect()
}

/// True after Ctrl-C: games that are being played are finished. A second one ends the program at once, which loses nothing
/// but those games.
fn stopped_by_hand() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let told = stop.clone();
    thread::spawn(move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_io().build() else { return };
        runtime.block_on(async {
            if tokio::signal::ctrl_c().await.is_ok() {
                told.store(true, Ordering::Relaxed);
                note("stopping after the games that are being played; Ctrl-C again does not wait for them");
            }
            if tokio::signal::ctrl_c().await.is_ok() {
                std::process::exit(130);
            }
        });
    });
    stop
}

/// How often somebody who reads a log wants to hear of it.
const NOW_AND_THEN: Duration = Duration::from_secs(10);

/// Shows how far a run is: a bar on a terminal, a line now and then elsewhere.
#[derive(Default)]
struct Watch {
    bar: Option<ProgressBar>,
    began: Option<(Instant, usize)>,
    told: Option<Instant>,
}

impl Watch {
    fn tell(&mut self, standing: Standing) {
        let Standing { done, total, faults } = standing;
        let (began, before) = *self.began.get_or_insert_with(|| (Instant::now(), done));
        if std::io::stderr().is_terminal() {
            let bar = self.bar.get_or_insert_with(|| bar(total, done));
            bar.set_position(done as u64);
            if faults > 0 {
                bar.set_message(format!("{faults} went wrong"));
            }
            return;
        }
        let now = Instant::now();
        if self.told.is_some_and(|told| now - told < NOW_AND_THEN) {
            return;
        }
        self.told = Some(now);
        let seconds = began.elapsed().as_secs_f64();
        if done == before || seconds <= 0.0 {
            return note(format_args!("{done} of {total} games"));
        }
        let rate = (done - before) as f64 / seconds;
        let left = (total - done) as f64 / rate;
        note(format_args!(
            "{done} of {total} games, {rate:.1} a second, {left:.0} s left, {faults} went wrong"
        ));
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn bar(total: usize, done: usize) -> ProgressBar {
    let bar = ProgressBar::new(total as u64).with_position(done as u64);
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {per_sec}, {eta} left {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    // The rate is that of the games still to come, not of those of an earlier run.
    bar.reset_eta();
    bar.reset_elapsed();
    bar
}
