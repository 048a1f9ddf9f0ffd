//! `check` and `conformance`: is the data sound, and which cases are proved.

use std::collections::BTreeMap;

use engine::Cases;
use serde_json::json;

use crate::args::{Check, Conformance};
use crate::library::{Library, Volume};
use crate::output::{BAD, Failure, GOOD, Out, QUIET, STRONG, Styled};
use crate::progress::while_working;

pub(crate) fn check(args: &Check, library: &Library, out: &mut Out) -> Result<(), Failure> {
    let mut overlaid;
    let library = match &args.dir {
        None => library,
        Some(dir) => {
            overlaid = Library::open(None)?;
            overlaid.overlay(dir)?;
            &overlaid
        }
    };
    let mut sound = true;
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
        let report = while_working("running the rule tests", || Report::of(volume))?;
        complete &= report.is_complete();
        if args.json { report.json(out) } else { report.text(out) }
    }
    if complete { Ok(()) } else { Err(Failure::No) }
}

/// What the rule tests of a rulebook prove.
struct Report {
    rulebook: &'static str,
    cases: Cases,
    tests: BTreeMap<String, Vec<String>>,
    failed: Vec<String>,
}

impl Report {
    fn of(volume: &Volume) -> Result<Report, Failure> {
        let mut report = Report {
            rulebook: volume.rulebook.book().name,
            cases: volume.data.cases()?,
            tests: BTreeMap::new(),
            failed: Vec::new(),
        };
        for (summary, result) in volume.rulebook.trials(&volume.data) {
            for case in summary.iter().flat_map(|summary| &summary.cases) {
                let name = summary.as_ref().map_or_else(String::clone, |summary| summary.name.clone());
                report.tests.entry(case.clone()).or_default().push(name);
            }
            report.failed.extend(result.err().map(|faults| faults.to_string()));
        }
        Ok(report)
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
        self.missing().is_empty() && self.failed.is_empty()
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
        for failed in &self.failed {
            out.line(Styled(BAD, failed));
        }
        let wanted = self.cases.iter().filter(|case| case.kind.wants_test()).count();
        let missing = self.missing();
        out.line(format_args!(
            "{}: {} cases, {wanted} want a test, {} have one; {} rule tests failed",
            Styled(STRONG, self.rulebook),
            self.cases.len(),
            wanted - missing.len(),
            self.failed.len()
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
            "failed": self.failed,
            "complete": self.is_complete(),
        }));
    }
}
