//! Plans: what is to be played, read from a file.
//!
//! A plan is a grid. Arms are ways to play (options, other data), and each is played with every scenario and every pairing
//! of levels. Game n has the same seed everywhere, so that arms can be compared game by game.

use std::collections::BTreeMap;
use std::path::Path;

use engine::data::Laid;
use engine::{BySide, Data, Seed, Side};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use source::{Doc, Faults, Item, Source, Table};
use staff::{AnyArena, AnySchool, Budget, Contest, Level};

use crate::Shelf;

/// More games than anybody would wait for.
const MOST_GAMES: usize = 10_000_000;

/// One field of the grid: all its games differ in their seeds only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The name of the arm.
    pub arm: String,
    /// `rulebook/scenario`.
    pub scenario: String,
    /// Optional rules.
    pub options: Vec<String>,
    /// Who plays the Axis.
    pub axis: String,
    /// Who plays the Soviet side.
    pub soviet: String,
    /// What a general may spend on a phase; nothing when none plays.
    pub thinking: Option<String>,
    /// The number of the rules.
    pub rules: u32,
    /// A digest of the data that a game depends on.
    pub data: String,
}

impl Cell {
    /// The rulebook.
    pub fn book(&self) -> &str {
        self.scenario.split('/').next().unwrap_or_default()
    }

    /// The level of a side.
    pub fn level(&self, side: Side) -> &str {
        match side {
            Side::Axis => &self.axis,
            Side::Soviet => &self.soviet,
        }
    }
}

/// A cell, ready to be played.
pub struct Field {
    /// What is played.
    pub cell: Cell,
    /// How many games.
    pub games: usize,
    /// Who plays.
    pub contest: Contest,
    /// Where: an index into the plan's arenas.
    arena: usize,
}

/// What is to be played.
pub struct Plan {
    /// For the head of the report.
    pub title: String,
    /// What all seeds begin with.
    pub seed: String,
    /// How many games at a time; 0 for one a core.
    pub threads: usize,
    /// True when every combat is to be told.
    pub combats: bool,
    /// The grid.
    pub fields: Vec<Field>,
    /// What the files of each arm do: the arm, and `rulebook/path` with what it does.
    pub laid: Vec<(String, String, Laid)>,
    arenas: Vec<Box<dyn AnyArena>>,
}

impl Plan {
    /// Reads a plan; directories that it names are looked for beside it.
    pub fn read(source: &Source, beside: &Path, shelf: &Shelf) -> Result<Plan, Faults> {
        let doc = Doc::parse(source)?;
        let plan = read_root(&doc.root(), beside, shelf);
        doc.finish(plan)
    }

    /// The seed of a game.
    pub fn seed_of(&self, game: usize) -> Seed {
        Seed(format!("{}-{game}", self.seed))
    }

    /// The scenario of a field.
    pub fn arena(&self, field: &Field) -> &dyn AnyArena {
        &*self.arenas[field.arena]
    }
}

/// What arms inherit from the plan.
#[derive(Clone)]
struct Wishes<'d> {
    scenarios: Vec<Item<'d>>,
    pairings: Vec<Item<'d>>,
    options: Vec<Item<'d>>,
    swap: bool,
    games: usize,
}

fn wishes<'d>(table: &Table<'d>, inherited: &Wishes<'d>) -> Wishes<'d> {
    let list = |key: &str, inherited: &[Item<'d>]| {
        table.get(key).map_or_else(|| inherited.to_vec(), |item| item.items())
    };
    Wishes {
        scenarios: list("scenarios", &inherited.scenarios),
        pairings: list("pairings", &inherited.pairings),
        options: list("options", &inherited.options),
        swap: table.get("swap").and_then(|item| item.bool()).unwrap_or(inherited.swap),
        games: table.get("games").and_then(|item| item.int(1..=MOST_GAMES)).unwrap_or(inherited.games),
    }
}

fn read_root(root: &Table<'_>, beside: &Path, shelf: &Shelf) -> Option<Plan> {
    let title = root.get("title").and_then(|item| item.str()).unwrap_or_default().to_owned();
    let seed = root.need("seed").and_then(|item| item.str()).unwrap_or_default().to_owned();
    let threads = read_threads(root);
    let combats = root.get("combats").and_then(|item| item.bool()).unwrap_or(false);
    let budget = read_budget(root);
    let none =
        Wishes { scenarios: Vec::new(), pairings: Vec::new(), options: Vec::new(), swap: false, games: 100 };
    let all = wishes(root, &none);
    let mut grid = Grid { budget, combats, fields: Vec::new(), arenas: Vec::new() };
    let mut laid = Vec::new();
    match root.get("arm") {
        None => grid.add_arm("as it is", &all, shelf, root),
        Some(arms) => {
            let mut names: Vec<&str> = Vec::new();
            for arm in arms.tables() {
                let name = arm.need("name").and_then(|item| {
                    let name = item.str()?;
                    if names.contains(&name) {
                        item.fault(format!("there are two arms `{name}`"));
                    }
                    names.push(name);
                    Some(name)
                });
                let wishes = wishes(&arm, &all);
                let data = read_variant(arm.get("data"), &wishes.scenarios, beside, shelf);
                arm.done();
                if let (Some(name), Some(data)) = (name, data) {
                    grid.add_arm(name, &wishes, &data, &arm);
                    let of_book = |(book, data): (&&str, &Data)| {
                        let changed =
                            data.laid().map(|(path, laid)| (name.to_owned(), format!("{book}/{path}"), laid));
                        changed.collect::<Vec<_>>()
                    };
                    laid.extend(data.iter().flat_map(of_book));
                }
            }
        }
    }
    root.done();
    let Grid { fields, arenas, .. } = grid;
    Some(Plan { title, seed, threads, combats, fields, laid, arenas })
}

/// How many games at a time; 0 for one a core.
pub(crate) fn read_threads(root: &Table<'_>) -> usize {
    root.get("threads").and_then(|item| item.int(0..=1_024)).unwrap_or(0)
}

/// `seconds` or `nodes` that a general may spend on a phase.
pub(crate) fn read_budget(root: &Table<'_>) -> Option<Budget> {
    let seconds = root.get("seconds").and_then(|item| {
        let seconds = item.float()?;
        if !(0.001..=3_600.0).contains(&seconds) {
            item.fault("expected seconds from 0.001 to 3600");
        }
        Some(Budget::seconds(seconds))
    });
    let nodes = root.get("nodes").and_then(|item| {
        if seconds.is_some() {
            item.fault("a general has either `seconds` or `nodes`");
        }
        item.int(1..=1_000_000).map(Budget::nodes)
    });
    seconds.or(nodes)
}

fn thinking(budget: &Budget) -> String {
    match budget.time {
        Some(time) => format!("{} s a phase", time.as_secs_f64()),
        None => format!("{} nodes a phase", budget.nodes),
    }
}

/// The data with the files of an arm's directory, `DIR/<rulebook>/…`, laid over it.
fn read_variant(
    dir: Option<Item<'_>>,
    scenarios: &[Item<'_>],
    beside: &Path,
    shelf: &Shelf,
) -> Option<Shelf> {
    let mut laid = shelf.clone();
    let Some(item) = dir else { return Some(laid) };
    let dir = beside.join(item.str()?);
    let mut found = false;
    for (book, data) in &mut laid {
        let played =
            scenarios.iter().filter_map(Item::try_str).any(|name| name.split('/').next() == Some(book));
        let folder = dir.join(book);
        if !played || !folder.is_dir() {
            continue;
        }
        found = true;
        let before = digest(data);
        match data.overlay(&folder) {
            Err(faults) => item.doc().add(faults),
            Ok(()) if digest(data) == before => {
                item.fault(format!("{} changes nothing that a game depends on", folder.display()));
            }
            Ok(()) => {}
        }
    }
    if !found {
        item.fault(format!("{} holds no folder named after a rulebook of the scenarios", dir.display()));
    }
    found.then_some(laid)
}

/// The school, the scenario's name and the data of `rulebook/scenario`.
pub(crate) fn read_scenario<'s>(
    item: &Item<'_>,
    shelf: &'s Shelf,
) -> Option<(&'static dyn AnySchool, String, &'s Data)> {
    item.parse(|name| {
        let (book, scenario) = name
            .split_once('/')
            .ok_or_else(|| format!("`{name}` should be named rulebook/scenario, such as mini/ford"))?;
        let known: Vec<&str> = staff::SCHOOLS.iter().map(|school| school.book().name).collect();
        let school = staff::school(book);
        let (Some(school), Some(data)) = (school, shelf.get(book)) else {
            return Err(format!("there are no opponents for `{book}`; there are for {}", known.join(", ")));
        };
        data.find("scenarios", scenario)?;
        Ok((school, scenario.to_owned(), data))
    })
}

/// A level that a rulebook's opponents can play.
pub(crate) fn read_level(item: &Item<'_>, school: &dyn AnySchool) -> Option<Level> {
    item.parse(|name| {
        let level = Level::named(name)?;
        let levels: Vec<&str> = school.levels().iter().map(|level| level.name()).collect();
        match school.levels().contains(&level) {
            true => Ok(level),
            false => Err(format!("in {} there is only {}", school.book().name, levels.join(", "))),
        }
    })
}

/// A digest of what a game depends on: not the rule tests, the sources of maps, or the statements of cases.
pub fn digest(data: &Data) -> String {
    let mut hash = Sha256::new();
    let beside = ["tests/", "atlas/", "situations/", "fixtures/", "cases.tsv"];
    for (path, source) in data.files().filter(|(path, _)| !beside.iter().any(|name| path.starts_with(name))) {
        hash.update((path.len() as u64).to_le_bytes());
        hash.update(path);
        hash.update((source.text.len() as u64).to_le_bytes());
        hash.update(&source.text);
    }
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

struct Grid {
    budget: Option<Budget>,
    combats: bool,
    fields: Vec<Field>,
    arenas: Vec<Box<dyn AnyArena>>,
}

impl Grid {
    fn add_arm(&mut self, arm: &str, wishes: &Wishes<'_>, data: &Shelf, at: &Table<'_>) {
        if wishes.scenarios.is_empty() {
            at.fault("no `scenarios` to play");
        }
        if wishes.pairings.is_empty() {
            at.fault("no `pairings` of levels, such as \"officer recruit\"");
        }
        let mut digests = BTreeMap::new();
        let first = self.fields.len();
        for scenario in &wishes.scenarios {
            let Some((school, name, data)) = read_scenario(scenario, data) else { continue };
            let mut options: Vec<String> =
                wishes.options.iter().filter_map(|o| read_option(o, school)).collect();
            options.sort();
            options.dedup();
            let arena = match school.arena(data, &name, &options) {
                Ok(arena) => arena,
                Err(faults) => {
                    scenario.doc().add(faults);
                    continue;
                }
            };
            self.arenas.push(arena);
            let book = school.book();
            let cell = Cell {
                arm: arm.to_owned(),
                scenario: format!("{}/{name}", book.name),
                options,
                axis: String::new(),
                soviet: String::new(),
                thinking: None,
                rules: book.rules,
                data: digests.entry(book.name).or_insert_with(|| digest(data)).clone(),
            };
            for pairing in &wishes.pairings {
                self.add_pairing(pairing, school, &cell, wishes);
            }
        }
        // The same games once more say nothing: they have the same seeds.
        let (before, own) = self.fields.split_at(first);
        let twin = |cell: &Cell| {
            before.iter().find(|other| Cell { arm: arm.to_owned(), ..other.cell.clone() } == *cell)
        };
        let twins: Vec<Option<&Field>> = own.iter().map(|field| twin(&field.cell)).collect();
        if let Some(other) =
            twins.iter().copied().collect::<Option<Vec<_>>>().and_then(|all| all.first().copied())
        {
            at.fault(format!("`{arm}` plays the games of `{}` once more", other.cell.arm));
        }
    }

    fn add_pairing(&mut self, pairing: &Item<'_>, school: &dyn AnySchool, cell: &Cell, wishes: &Wishes<'_>) {
        let words = pairing.words();
        let [axis, soviet] = &words[..] else {
            return pairing.fault("expected two levels, the Axis player's first: \"officer recruit\"");
        };
        let (Some(first), Some(second)) = (read_level(axis, school), read_level(soviet, school)) else {
            return;
        };
        let general = [first, second].contains(&Level::General);
        if general && self.budget.is_none() {
            pairing.fault("a general needs `seconds` or `nodes` that he may spend on a phase");
        }
        let budget = self.budget.unwrap_or_default();
        let mut ways = vec![BySide { axis: first, soviet: second }];
        if wishes.swap && first != second {
            ways.push(BySide { axis: second, soviet: first });
        }
        for levels in ways {
            let cell = Cell {
                axis: levels.axis.name().to_owned(),
                soviet: levels.soviet.name().to_owned(),
                thinking: general.then(|| thinking(&budget)),
                ..cell.clone()
            };
            if self.fields.iter().any(|field| field.cell == cell) {
                pairing.fault(format!("{} against {} is played twice", levels.axis, levels.soviet));
            }
            let contest = Contest { levels, budget, combats: self.combats };
            self.fields.push(Field { cell, games: wishes.games, contest, arena: self.arenas.len() - 1 });
        }
    }
}

fn read_option(item: &Item<'_>, school: &dyn AnySchool) -> Option<String> {
    item.parse(|name| engine::Options::default().switch_on(school.book(), name).map(|()| name.to_owned()))
}
