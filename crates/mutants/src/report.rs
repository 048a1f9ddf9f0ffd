//! What became of every mutant, and which survivors are known to make no difference.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::path::Path;

use source::{Faults, Source, Tsv};

use crate::hunt::{Fate, Test};

/// A mutant, of code or of data, and its fate.
pub(crate) struct Entry {
    /// The room of the rules, or the data file.
    pub(crate) room: String,
    /// The function, or the field.
    pub(crate) function: String,
    pub(crate) line: usize,
    pub(crate) kind: &'static str,
    pub(crate) was: String,
    pub(crate) becomes: String,
    /// Where no rule stands: it is counted apart.
    pub(crate) aside: bool,
    pub(crate) fate: Fate,
}

impl Entry {
    /// What tells it from others whatever the lines are; blanks do not count.
    fn key(&self) -> [String; 4] {
        [&self.room, &self.function, &self.was, &self.becomes].map(|text| plain(text))
    }
}

/// A survivor that makes no difference, and why.
struct Explained {
    line: usize,
    key: [String; 4],
    why: String,
}

/// What the survivors of a rulebook are explained by: `crates/<rulebook>/tests/mutants.tsv`.
pub(crate) struct Explanations(Vec<Explained>);

const COLUMNS: [&str; 5] = ["room", "function", "was", "becomes", "why"];

impl Explanations {
    pub(crate) fn read(path: &Path) -> Result<Explanations, Faults> {
        let Ok(text) = std::fs::read_to_string(path) else { return Ok(Explanations(Vec::new())) };
        let source = Source::new(path.display().to_string(), text);
        let tsv = Tsv::parse(&source, &COLUMNS)?;
        let rows = tsv.rows().map(|(line, cells)| {
            let cell = |column: usize| plain(cells[column]);
            Explained { line, key: [cell(0), cell(1), cell(2), cell(3)], why: cells[4].to_owned() }
        });
        Ok(Explanations(rows.collect()))
    }

    /// Whether a mutant is known to make no difference.
    pub(crate) fn explain(&self, entry: &Entry) -> bool {
        self.of(entry).is_some()
    }

    /// Why a mutant makes no difference. `*` stands for every function, text or change.
    fn of(&self, entry: &Entry) -> Option<&Explained> {
        let key = entry.key();
        let fits = |row: &&Explained| row.key.iter().zip(&key).all(|(row, key)| row == "*" || row == key);
        self.0.iter().find(fits)
    }
}

fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How many of what.
#[derive(Clone, Copy, Default)]
struct Count {
    all: usize,
    /// Caught by rule tests, by golden games, by the battery.
    caught: [usize; 3],
    explained: usize,
    survived: usize,
}

impl Count {
    /// The part of those that matter that was caught.
    fn share(&self) -> f64 {
        let matter = self.all - self.explained;
        if matter == 0 { 100.0 } else { 100.0 * self.caught.iter().sum::<usize>() as f64 / matter as f64 }
    }
}

/// The report of a hunt.
pub(crate) struct Report<'e> {
    pub(crate) entries: &'e [Entry],
    pub(crate) tests: &'e [Test],
    pub(crate) explanations: &'e Explanations,
}

impl Report<'_> {
    fn count<'a>(&self, entries: impl Iterator<Item = &'a Entry>) -> Count {
        let mut count = Count::default();
        for entry in entries {
            match &entry.fate {
                Fate::Unviable => continue,
                Fate::Caught { test, .. } => count.caught[self.kind(*test)] += 1,
                Fate::Survived if self.explanations.of(entry).is_some() => count.explained += 1,
                Fate::Survived => count.survived += 1,
            }
            count.all += 1;
        }
        count
    }

    fn kind(&self, test: usize) -> usize {
        let kind = self.tests.get(test).map_or("rule", |test| test.kind.as_str());
        mutants::runner::KINDS.iter().position(|word| *word == kind).unwrap_or(0)
    }

    /// The part of those that matter that was caught, where the rules are.
    pub(crate) fn share(&self) -> f64 {
        self.count(self.entries.iter().filter(|entry| !entry.aside)).share()
    }

    /// Explanations of what is caught or not there any more.
    pub(crate) fn stale(&self) -> Vec<String> {
        let used = |row: &&Explained| {
            self.entries.iter().any(|entry| {
                entry.fate == Fate::Survived
                    && self.explanations.of(entry).is_some_and(|other| other.line == row.line)
            })
        };
        self.explanations
            .0
            .iter()
            .filter(|row| !used(row))
            .map(|row| format!("line {}: {}", row.line, row.why))
            .collect()
    }

    /// Everything, one mutant a line.
    pub(crate) fn tsv(&self) -> String {
        let mut text = "fate\troom\tline\tfunction\tkind\twas\tbecomes\tby\twhy\n".to_owned();
        for entry in self.entries {
            let [room, function, was, becomes] = entry.key();
            let (fate, by, why) = match &entry.fate {
                Fate::Unviable => ("unviable", "", String::new()),
                Fate::Caught { test, why } => {
                    ("caught", self.tests.get(*test).map_or("", |test| &test.name), why.clone())
                }
                Fate::Survived => match self.explanations.of(entry) {
                    Some(row) => ("explained", "", row.why.clone()),
                    None => ("survived", "", String::new()),
                },
            };
            let (line, kind) = (entry.line, entry.kind);
            text.push_str(&format!(
                "{fate}\t{room}\t{line}\t{function}\t{kind}\t{was}\t{becomes}\t{by}\t{why}\n"
            ));
        }
        text
    }
}

impl Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rooms: BTreeMap<(bool, &str), Vec<&Entry>> = BTreeMap::new();
        for entry in self.entries {
            rooms.entry((entry.aside, &entry.room)).or_default().push(entry);
        }
        let row = |f: &mut fmt::Formatter<'_>, name: &str, count: Count| {
            let [rules, golden, battery] = count.caught;
            writeln!(
                f,
                "{name:<28} {:>7} {rules:>10} {golden:>11} {battery:>8} {:>9} {:>8} {:>6.1} %",
                count.all,
                count.explained,
                count.survived,
                count.share()
            )
        };
        writeln!(
            f,
            "{:<28} {:>7} {:>10} {:>11} {:>8} {:>9} {:>8}   caught",
            "", "mutants", "rule tests", "golden only", "battery", "explained", "survived"
        )?;
        for ((aside, room), entries) in &rooms {
            let name = if *aside { format!("({room})") } else { (*room).to_owned() };
            row(f, &name, self.count(entries.iter().copied()))?;
        }
        row(f, "the rules", self.count(self.entries.iter().filter(|entry| !entry.aside)))?;
        let aside = self.count(self.entries.iter().filter(|entry| entry.aside));
        if aside.all > 0 {
            row(f, "(beside the rules)", aside)?;
        }
        let survived = |entry: &&Entry| entry.fate == Fate::Survived && self.explanations.of(entry).is_none();
        for entry in self.entries.iter().filter(survived) {
            let [room, function, was, becomes] = entry.key();
            let reached = if entry.kind == "not reached" { " (no test reaches it)" } else { "" };
            writeln!(f, "survived: {room}:{} {function}: {was} -> {becomes}{reached}", entry.line)?;
        }
        Ok(())
    }
}
