//! `make mutants BOOK=dagc`: changes the rules and tables of a rulebook in small ways, one at a time, and reports what no test
//! notices.
//!
//! All changes of the code are compiled into one copy of the crate, each behind a switch ([`sites`], [`rewrite`], [`copy`]);
//! changes of tables need no build ([`cells`]). The tests run once without a mutant, to see which reach which change, and
//! then against each mutant only those that do ([`hunt`]). What survives is listed ([`report`]); a survivor that makes no
//! difference is explained in `crates/<rulebook>/tests/mutants.tsv`.

mod cells;
mod copy;
mod hunt;
mod report;
mod rewrite;
mod sites;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anstream::{eprintln, println};
use clap::Parser;
use engine::{Data, Dice, Seed};

use copy::Copy;
use hunt::{Fate, Job, Test};
use report::{Entry, Explanations, Report};

/// Change a rulebook in small ways and report what no test notices
#[derive(Parser)]
struct Args {
    /// The rulebook: the name of its crate
    book: String,
    /// How many mutants of the code, drawn by lot; 0 for all
    #[arg(long, default_value_t = 600)]
    code: usize,
    /// How many mutants of the tables, drawn by lot; 0 for all
    #[arg(long, default_value_t = 150)]
    data: usize,
    /// What the lot is drawn with
    #[arg(long, default_value = "1944")]
    seed: String,
    /// Only mutants of these files, such as `combat` or `tables/combat.toml`
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Rooms beside the rules, too: texts, drawing, reading of files, what opponents ask
    #[arg(long)]
    beside: bool,
    /// How many at a time
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// The least part of the mutants that matter, in percent, that must be caught
    #[arg(long, default_value_t = 0.0)]
    least: f64,
    /// The folder of the project
    #[arg(long, default_value = ".")]
    root: PathBuf,
}

/// Files of a rulebook's crate in which no rule stands: reading of files, what clients draw, what opponents ask, what is
/// explained, and what could be behind what is hidden.
const BESIDE: [&str; 8] = ["charts", "deal", "drawing", "proof", "scout", "settings", "setup", "view"];

/// Functions that only ask whether a situation file could have come about.
const DOORS: [&str; 2] = ["audit", "is_sound"];

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(wrong) => {
            eprintln!("mutants: {wrong}");
            ExitCode::from(2)
        }
    }
}

#[allow(clippy::print_stdout, clippy::print_stderr, reason = "this is what the program is for")]
fn run(args: &Args) -> Result<bool, String> {
    let begun = Instant::now();
    let root = args.root.canonicalize().map_err(|error| format!("{}: {error}", args.root.display()))?;
    let copy = Copy::read(&root, &args.book)?;
    let explained = root.join("crates").join(&args.book).join("tests/mutants.tsv");
    let explanations = Explanations::read(&explained).map_err(|faults| faults.to_string())?;

    let mut lot = Dice::seeded(&Seed(format!("mutants {}", args.seed)));
    let wanted = copy.mutants.iter().filter(|mutant| args.wants(&mutant.room, is_aside(mutant)));
    let candidates: Vec<u32> = wanted.map(|mutant| mutant.number).collect();
    let found = candidates.len();
    let mut chosen: BTreeSet<u32> = draw(candidates, args.code, &mut lot).into_iter().collect();
    eprintln!(
        "{}: {found} changes of the code, {} drawn with the seed {}",
        args.book,
        chosen.len(),
        args.seed
    );
    let program = copy.build(&mut chosen, &|said| eprintln!("{said}"))?;
    eprintln!("{} mutants built ({:.0?})", chosen.len(), begun.elapsed());

    let tests = hunt::watch(&program)?;
    let usual: Duration = tests.iter().map(|test| test.time).sum();
    eprintln!("{} tests hold without a mutant ({usual:.1?})", tests.len());

    let everything = args.code == 0 && args.data == 0 && args.only.is_empty();
    let mut jobs = Vec::new();
    let mut entries = Vec::new();
    for mutant in copy.mutants.iter().filter(|mutant| chosen.contains(&mutant.number)) {
        let mut reaching: Vec<usize> =
            (0..tests.len()).filter(|test| tests[*test].reaches.contains(&mutant.number)).collect();
        // Rule tests before games, and those that reach few changes before those that reach all.
        reaching.sort_by_key(|test| (kind_of(&tests[*test]), tests[*test].reaches.len()));
        let change = &mutant.change;
        entries.push(Entry {
            room: mutant.room.clone(),
            function: change.function.clone(),
            line: change.line,
            kind: if reaching.is_empty() { "not reached" } else { change.kind },
            was: change.was.clone(),
            becomes: change.becomes.clone(),
            aside: is_aside(mutant),
            fate: Fate::Survived,
        });
        // What is known to make no difference is tried again only when everything is.
        let known = entries.last().is_some_and(|entry| !everything && explanations.explain(entry));
        let tests = if known { Vec::new() } else { reaching };
        let family = format!("{} {}", mutant.room, change.function);
        jobs.push(Job { order: format!("code\t{}", mutant.number), family, tests });
    }
    let data = read_data(&root, &args.book)?;
    for (path, cell) in tables(&data, args, &mut lot) {
        let cells::Cell { range, field, line, was, becomes } = cell;
        let order = format!("data\t{path}\t{}\t{}\t{becomes}", range.start, range.end);
        let readers = (0..tests.len()).filter(|test| reads(&tests[*test], &path, &data)).collect();
        jobs.push(Job { order, family: path.clone(), tests: readers });
        // What the rulebook does not print is ours to tune.
        let aside = !data.file(&path).is_ok_and(|source| source.text.contains("source = \"rulebook\""));
        let fate = Fate::Survived;
        entries.push(Entry { room: path, function: field, line, kind: "cell", was, becomes, aside, fate });
    }

    let all = jobs.len();
    let tell = |done: usize| {
        if done.is_multiple_of(100) || done == all {
            eprintln!("{done} of {all} mutants tried ({:.0?})", begun.elapsed());
        }
    };
    // As far as it is: a hunt that is broken off has not been for nothing.
    let file = root.join("target/mutants").join(&args.book).join("report.tsv");
    let write = |entries: &[Entry]| {
        let report = Report { entries, tests: &tests, explanations: &explanations };
        std::fs::write(&file, report.tsv()).map_err(|error| format!("{}: {error}", file.display()))
    };
    let of_code = chosen.len();
    let mut done = 0;
    for part in [0..of_code, of_code..all] {
        let fates = hunt::hunt(&program, &tests, &jobs[part.clone()], args.jobs, &|now| tell(done + now))?;
        for (entry, fate) in entries[part.clone()].iter_mut().zip(fates) {
            entry.fate = fate;
        }
        done = part.end;
        write(&entries[..done])?;
    }
    let report = Report { entries: &entries, tests: &tests, explanations: &explanations };
    println!("{report}");
    println!("seed {}, {:.0?}", args.seed, begun.elapsed());
    let stale = if everything { report.stale() } else { Vec::new() };
    for row in &stale {
        println!("{}, {row}: caught, or not there any more", explained.display());
    }
    Ok(report.share() >= args.least && stale.is_empty())
}

impl Args {
    fn wants(&self, room: &str, aside: bool) -> bool {
        (self.beside || !aside) && (self.only.is_empty() || self.only.iter().any(|only| only == room))
    }
}

fn is_aside(mutant: &copy::Mutant) -> bool {
    BESIDE.contains(&mutant.room.as_str()) || DOORS.contains(&mutant.change.function.as_str())
}

fn kind_of(test: &Test) -> usize {
    mutants::runner::KINDS.iter().position(|kind| *kind == test.kind).unwrap_or(0)
}

fn read_data(root: &Path, book: &str) -> Result<Data, String> {
    Data::from_folder(&root.join("data").join(book)).map_err(|faults| faults.to_string())
}

/// Whether a test reads a file at all: no rule test reads what a fixture stands for, and a scenario is read where it is named.
fn reads(test: &Test, path: &str, data: &Data) -> bool {
    let text = || data.find("tests", &test.name).map(|source| source.text.as_str()).unwrap_or_default();
    let scenario = path.rsplit_once("scenarios/").and_then(|(_, name)| name.strip_suffix(".toml"));
    match (kind_of(test), scenario) {
        (0, Some(scenario)) => text().contains(&format!("scenario = \"{scenario}\"")),
        (0, None) => data.file(&format!("fixtures/{path}")).is_err(),
        (_, Some(scenario)) => test.name == scenario,
        (_, None) => true,
    }
}

/// Cells of the tables, drawn by lot: file and change.
fn tables(data: &Data, args: &Args, lot: &mut Dice) -> Vec<(String, cells::Cell)> {
    let mut all = Vec::new();
    for (path, source) in data.files().filter(|(path, _)| cells::is_table(path) && args.wants(path, false)) {
        all.extend(cells::find(path, &source.text).into_iter().map(|cell| (path.to_owned(), cell)));
    }
    draw(all, args.data, lot)
}

/// So many of a list, by lot; all for 0.
fn draw<T>(mut list: Vec<T>, many: usize, lot: &mut Dice) -> Vec<T> {
    if many == 0 || many >= list.len() {
        return list;
    }
    for place in 0..many {
        let left = u32::try_from(list.len() - place).unwrap_or(u32::MAX);
        let other = place + lot.roll(left) as usize - 1;
        list.swap(place, other);
    }
    list.truncate(many);
    list
}
