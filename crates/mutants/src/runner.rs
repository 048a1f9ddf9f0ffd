//! The tests that must notice a mutant: every rule test, the golden games, and a short battery. The program of the mutated
//! copy runs them as it is told over its standard input, so that one that never ends can be ended with its process.
//!
//! | it is told | it answers |
//! |---|---|
//! | `watch` | `test NUMBER KIND NAME MICROSECONDS MUTANTS` for every test: the mutants that it reaches |
//! | `code MUTANT TESTS` | `at TEST` before each of these, then `caught TEST WHY`, or `survived` |
//! | `data PATH FROM TO TEXT TESTS` | the same with other text in a file, or `unviable WHY` when nothing can be read then |
//!
//! Fields are separated by tabs, lists by commas.

use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Instant;

use engine::battery::{Battery, Thoroughness};
use engine::shelf::{AnyRulebook, Shelved};
use engine::{Cases, Data, Rulebook, golden, trial};
use source::Source;

use crate::switch;

/// How the battery looks at its game.
const THOROUGHNESS: Thoroughness = Thoroughness { every: 61, strangers: 2 };

/// The words for the kinds of tests, from the quickest to the slowest.
pub const KINDS: [&str; 3] = ["rule", "golden", "battery"];

/// Runs tests as standard input says.
pub fn main<R: Rulebook>(golden: &str) -> io::Result<()> {
    // A mutant that panics is caught: nobody wants to read it.
    std::panic::set_hook(Box::new(|_| {}));
    let Ok(bench) = Bench::<R>::new(R::embedded(), golden) else {
        return Err(io::Error::other("the rulebook's cases cannot be read"));
    };
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let fields: Vec<&str> = line.split('\t').collect();
        match fields[..] {
            ["watch"] => bench.watch(&mut out)?,
            ["code", mutant, tests] => {
                let number = mutant.parse().map_err(io::Error::other)?;
                bench.code(number, &numbers(tests), &mut out)?;
            }
            ["data", path, from, to, text, tests] => {
                let (from, to) =
                    (from.parse().map_err(io::Error::other)?, to.parse().map_err(io::Error::other)?);
                bench.data(path, from..to, text, &numbers(tests), golden, &mut out)?;
            }
            _ => return Err(io::Error::other(format!("not understood: {line}"))),
        }
    }
    Ok(())
}

fn numbers(list: &str) -> Vec<usize> {
    list.split(',').filter_map(|number| number.parse().ok()).collect()
}

/// A test that may notice a mutant.
struct Test {
    kind: &'static str,
    /// The rule test, or the scenario.
    name: String,
}

/// The tests of a rulebook with the data that they use.
struct Bench<R> {
    data: Data,
    /// The data with fixtures, for rule tests.
    fixed: Data,
    cases: Cases,
    golden: PathBuf,
    tests: Vec<Test>,
    book: Shelved<R>,
}

impl<R: Rulebook> Bench<R> {
    fn new(data: Data, golden: &str) -> Result<Self, source::Faults> {
        let fixed = data.with_fixtures();
        let names = |folder| data.under(folder).map(|(name, _)| name.to_owned()).collect::<Vec<_>>();
        let scenarios = names("scenarios");
        let lists = [names("tests"), scenarios.clone(), scenarios];
        let tests = KINDS
            .into_iter()
            .zip(lists)
            .flat_map(|(kind, names)| names.into_iter().map(move |name| Test { kind, name }))
            .collect();
        Ok(Bench {
            cases: data.cases()?,
            fixed,
            data,
            golden: PathBuf::from(golden),
            tests,
            book: Shelved::new(),
        })
    }

    fn watch(&self, out: &mut impl Write) -> io::Result<()> {
        for (number, test) in self.tests.iter().enumerate() {
            switch::set(switch::WATCH);
            let begun = Instant::now();
            let holds = self.holds(test);
            let time = begun.elapsed().as_micros();
            switch::set(switch::NONE);
            let Test { kind, name } = test;
            if let Err(why) = holds {
                let why = format!("without a mutant, {kind} {name} fails: {why}");
                return Err(io::Error::other(why));
            }
            let reached: Vec<String> = switch::reached().iter().map(u32::to_string).collect();
            writeln!(out, "test\t{number}\t{kind}\t{name}\t{time}\t{}", reached.join(","))?;
        }
        writeln!(out, "done")
    }

    fn code(&self, mutant: u32, tests: &[usize], out: &mut impl Write) -> io::Result<()> {
        switch::set(mutant);
        let caught = self.run(tests, out);
        switch::set(switch::NONE);
        caught
    }

    fn data(
        &self,
        path: &str,
        range: std::ops::Range<usize>,
        text: &str,
        tests: &[usize],
        golden: &str,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let mut data = self.data.clone();
        let changed = data.file(path).ok().and_then(|source| {
            let mut changed = source.text.clone();
            changed.get(range.clone())?;
            changed.replace_range(range, text);
            Some(Source::new(path, changed))
        });
        let Some(changed) = changed else {
            return writeln!(out, "unviable\tthere is no such text in {path}");
        };
        data.add(path, changed);
        let opened = catch_unwind(AssertUnwindSafe(|| self.book.scenarios(&data)));
        let bench = match (opened, Bench::<R>::new(data, golden)) {
            (Ok(Ok(_)), Ok(bench)) => bench,
            (Ok(Err(faults)), _) | (_, Err(faults)) => {
                return writeln!(out, "unviable\t{}", first_line(&faults.to_string()));
            }
            (Err(_), _) => return writeln!(out, "unviable\tit cannot be read"),
        };
        bench.run(tests, out)
    }

    /// Runs tests until one fails.
    fn run(&self, tests: &[usize], out: &mut impl Write) -> io::Result<()> {
        for &number in tests {
            let Some(test) = self.tests.get(number) else { continue };
            writeln!(out, "at\t{number}")?;
            out.flush()?;
            if let Err(why) = self.holds(test) {
                return writeln!(out, "caught\t{number}\t{}", first_line(&why));
            }
        }
        writeln!(out, "survived")
    }

    /// Whether a test holds; the error is for a person.
    fn holds(&self, test: &Test) -> Result<(), String> {
        let run = || match test.kind {
            "rule" => self.rule_test(&test.name),
            "golden" => self.golden_game(&test.name),
            _ => self.battery(&test.name),
        };
        catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err("it panicked".to_owned()))
    }

    fn rule_test(&self, name: &str) -> Result<(), String> {
        let source = self.fixed.find("tests", name)?;
        trial::run::<R>(name, source, &self.fixed, &self.cases)
            .map(|_| ())
            .map_err(|faults| faults.to_string())
    }

    fn golden_game(&self, scenario: &str) -> Result<(), String> {
        let path = self.golden.join(format!("{scenario}.record"));
        golden::compare_game(&self.book, &self.data, scenario, &path)
    }

    fn battery(&self, scenario: &str) -> Result<(), String> {
        let mut battery =
            Battery::<R>::new(&self.data, scenario, THOROUGHNESS).map_err(|faults| faults.to_string())?;
        battery.run(1, "mutants").map(|_| ()).map_err(|failure| failure.to_string())
    }
}

fn first_line(text: &str) -> String {
    text.trim().lines().next().unwrap_or_default().replace('\t', " ")
}
