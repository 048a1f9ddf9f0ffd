//! `check`, `conformance` and `extract`: is the data sound, which cases are proved, and by what.

use std::collections::BTreeMap;
use std::path::Path;

use engine::shelf::TestRun;
use engine::{Cases, trial};
use serde_json::json;

use crate::args::{Check, Conformance, Extract};
use crate::input;
use crate::library::{Library, Volume};
use crate::output::{BAD, Failure, GOOD, Out, QUIET, STRONG, Styled, note};
use crate::progress::while_working;

pub(crate) fn check(args: &Check, library: &Library, out: &mut Out) -> Result<(), Failure> {
    let mut overlaid;
    let library = match &args.dir {
        None => library,
        Some(dir) => {
            overlaid = Library::open(None, false)?;
            overlaid.overlay(dir)?;
            &overlaid
        }
    };
    let mut sound = true;
    if !args.json {
        library.laid().iter().for_each(|line| out.line(line));
    }
    for volume in &library.volumes {
        let name = volume.rulebook.book().name;
        let opponents = staff::school(name).map(|school| school.check(&volume.data)).unwrap_or_default();
        let files = volume.rulebook.check(&volume.data).and_then(|files| match opponents.is_empty() {
            true => Ok(files),
            false => Err(opponents),
        });
        match files {
            Ok(_) if args.json => {}
            Ok(files) => out.line(format_args!("{name}: {files} files, {}", Styled(GOOD, "no fault"))),
            Err(faults) => {
                sound = false;
                for fault in faults.0 {
                    if args.json {
                        out.line(json!({
                            "file": fault.file,
                            "line": fault.line,
                            "field": fault.field,
                            "message": fault.message,
                        }));
                    } else {
                        out.line(fault);
                    }
                }
            }
        }
    }
    if sound { Ok(()) } else { Err(Failure::No) }
}

pub(crate) fn conformance(args: &Conformance, library: &Library, out: &mut Out) -> Result<(), Failure> {
    let one;
    let volumes = match &args.rulebook {
        Some(name) => {
            one = library.volume(name)?;
            std::slice::from_ref(one)
        }
        None => library.volumes.as_slice(),
    };
    let mut complete = true;
    for volume in volumes {
        let report = while_working("running the rule tests", || Report::of(volume, args.own))?;
        complete &= if args.own { report.failed().next().is_none() } else { report.is_complete() };
        match (args.each || args.own, args.json) {
            (true, true) => report.each_json(out),
            (true, false) => report.each(out),
            (false, true) => report.json(out),
            (false, false) => report.text(out),
        }
    }
    if complete { Ok(()) } else { Err(Failure::No) }
}

pub(crate) fn extract(args: &Extract, library: &Library, out: &mut Out) -> Result<(), Failure> {
    let file = Path::new(&args.test);
    let (volume, source) = if file.is_file() {
        let source = input::read(file)?;
        let book = trial::rulebook_of(&source)?.or_else(|| folder_of(file, library));
        let book = book.ok_or_else(|| Failure::Input(format!("{}: names no rulebook", source.name)))?;
        (library.volume(&book)?, source)
    } else {
        let (volume, name) = library.split(&args.test)?;
        let source = volume.data.find("tests", name).map_err(Failure::Input)?;
        (volume, source.clone())
    };
    let text = volume.rulebook.situation_of_test(&volume.data, &source, args.steps)?;
    if text.contains("\ndata = ") {
        note(
            "made with fixtures, or with files of the test's own: show, try, odds and actions want --fixtures or --data",
        );
    }
    input::write(args.output.as_deref().unwrap_or(Path::new("-")), &text, out)
}

/// The rulebook in whose folder a rule test lies: `…/dagc/tests/6.1.toml`.
fn folder_of(file: &Path, library: &Library) -> Option<String> {
    let folder = file.parent()?.parent()?.file_name()?.to_str()?;
    library.volume(folder).ok().map(|volume| volume.rulebook.book().name.to_owned())
}

/// What the rule tests of a rulebook prove.
struct Report {
    rulebook: &'static str,
    cases: Cases,
    /// The tests of each case.
    tests: BTreeMap<String, Vec<String>>,
    runs: Vec<TestRun>,
}

impl Report {
    /// Runs the tests: all, or only those that were laid over the built-in ones.
    fn of(volume: &Volume, own: bool) -> Result<Report, Failure> {
        let laid: Vec<&str> = volume.data.laid().filter_map(|(path, _)| name_of_test(path)).collect();
        let runs = volume.rulebook.trials_of(&volume.data, &|name| !own || laid.contains(&name));
        let mut tests: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for summary in runs.iter().filter_map(|(summary, _)| summary.as_ref().ok()) {
            for case in &summary.cases {
                tests.entry(case.clone()).or_default().push(summary.name.clone());
            }
        }
        Ok(Report { rulebook: volume.rulebook.book().name, cases: volume.data.cases()?, tests, runs })
    }

    /// What was wrong with those that failed.
    fn failed(&self) -> impl Iterator<Item = String> {
        self.runs.iter().filter_map(|(_, result)| result.as_ref().err()).map(|faults| faults.to_string())
    }

    /// A line for each test, and what is wrong with it.
    fn each(&self, out: &mut Out) {
        for (summary, result) in &self.runs {
            let name = summary.as_ref().map_or_else(String::as_str, |summary| &summary.name);
            let verdict = if result.is_ok() { Styled(GOOD, "holds") } else { Styled(BAD, "fails") };
            out.line(format_args!("{}/{name}: {verdict}", self.rulebook));
            if let Err(faults) = result {
                out.line(faults);
            }
        }
        let (all, failed) = (self.runs.len(), self.failed().count());
        out.line(format_args!("{}: {all} rule tests, {failed} failed", Styled(STRONG, self.rulebook)));
    }

    fn each_json(&self, out: &mut Out) {
        for (summary, result) in &self.runs {
            let of = |fault: &source::Fault| json!({ "line": fault.line, "field": fault.field, "message": fault.message });
            let faults: Vec<_> = result.as_ref().err().iter().flat_map(|faults| &faults.0).map(of).collect();
            let summary = summary.as_ref();
            out.line(json!({
                "rulebook": self.rulebook,
                "test": summary.map_or_else(String::as_str, |summary| &summary.name),
                "given": summary.map(|summary| &summary.given).ok(),
                "cases": summary.map(|summary| &summary.cases).ok(),
                "ok": result.is_ok(),
                "faults": faults,
            }));
        }
    }

    /// Cases that want a test and have none.
    fn missing(&self) -> Vec<&str> {
        let untested = |number: &str| !self.tests.contains_key(number);
        self.cases
            .iter()
            .filter(|case| case.kind.wants_test() && untested(&case.number))
            .map(|case| case.number.as_str())
            .collect()
    }

    fn is_complete(&self) -> bool {
        self.missing().is_empty() && self.failed().next().is_none()
    }

    fn tests_of(&self, number: &str) -> &[String] {
        self.tests.get(number).map(Vec::as_slice).unwrap_or_default()
    }

    fn text(&self, out: &mut Out) {
        for case in self.cases.iter() {
            let tests = self.tests_of(&case.number);
            let told = match (tests.is_empty(), case.kind.wants_test()) {
                (true, true) => Styled(BAD, "no test".to_owned()),
                (true, false) => Styled(QUIET, "-".to_owned()),
                (false, _) => Styled(GOOD, tests.join(", ")),
            };
            out.line(format_args!("{:<8} {:<10} {:<32} {told}", case.number, case.kind.word(), case.title));
        }
        for failed in self.failed() {
            out.line(Styled(BAD, failed));
        }
        let wanted = self.cases.iter().filter(|case| case.kind.wants_test()).count();
        let missing = self.missing();
        out.line(format_args!(
            "{}: {} cases, {wanted} want a test, {} have one; {} rule tests failed",
            Styled(STRONG, self.rulebook),
            self.cases.len(),
            wanted - missing.len(),
            self.failed().count()
        ));
        if !missing.is_empty() {
            out.line(format_args!("without a test: {}", missing.join(", ")));
        }
    }

    fn json(&self, out: &mut Out) {
        let cases: Vec<_> = self
            .cases
            .iter()
            .map(|case| {
                json!({
                    "case": case.number,
                    "title": case.title,
                    "kind": case.kind.word(),
                    "tests": self.tests_of(&case.number),
                })
            })
            .collect();
        out.line(json!({
            "rulebook": self.rulebook,
            "cases": cases,
            "missing": self.missing(),
            "failed": self.failed().collect::<Vec<_>>(),
            "complete": self.is_complete(),
        }));
    }
}

/// The name of a rule test by the path of its file.
fn name_of_test(path: &str) -> Option<&str> {
    path.rsplit_once("tests/").map(|(_, name)| name)?.strip_suffix(".toml")
}
