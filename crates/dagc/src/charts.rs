//! The data files: counters, terrain chart, combat table, turn track.

use board::{Hex, Map};
use engine::{Data, Provenance, ResultTable, Side, words};
use source::{Doc, Faults, Source, Table, Tsv};

use crate::{Arm, CombatResult, Group, TURNS};

pub(crate) const TERRAIN: &str = "tables/terrain.toml";
pub(crate) const COMBAT: &str = "tables/combat.toml";
pub(crate) const TRACK: &str = "tables/track.tsv";
pub(crate) const COUNTERS: &str = "counters.tsv";

words! {
    /// The bank of the Dvina that a Korps Gruppe enters on (10.4f).
    pub enum Bank: "bank" {
        /// North of the river.
        North = "N",
        /// South of it.
        South = "S",
    }
}

/// A counter as it is printed (2.3b).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Counter {
    pub(crate) name: String,
    pub(crate) side: Side,
    pub(crate) title: String,
    pub(crate) group: Group,
    pub(crate) arm: Arm,
    pub(crate) size: String,
    pub(crate) full: u8,
    /// The factor of the reverse, for a unit of two steps (2.11a).
    pub(crate) reduced: Option<u8>,
    pub(crate) movement: u8,
    /// The label of the set-up hex.
    pub(crate) hex: Option<String>,
    /// The turn of arrival.
    pub(crate) turn: Option<u8>,
    pub(crate) bank: Option<Bank>,
    /// One of the nine that Bold Stroke moves (3.6b).
    pub(crate) star: bool,
}

impl Counter {
    /// How many steps it has at full strength (2.11a).
    pub(crate) fn steps(&self) -> u8 {
        if self.reduced.is_some() { 2 } else { 1 }
    }

    /// Fortified localities and Korps Gruppen never come back (10.7a).
    pub(crate) fn is_replaceable(&self) -> bool {
        !matches!(self.group, Group::Fortified | Group::Kg)
    }
}

const COLUMNS: [&str; 13] = [
    "unit", "side", "title", "group", "type", "size", "full", "reduced", "mf", "hex", "turn", "bank", "star",
];

pub(crate) fn read_counters(source: &Source) -> Result<Vec<Counter>, Faults> {
    let tsv = Tsv::parse(source, &COLUMNS)?;
    let mut faults = Faults::default();
    let mut counters = Vec::new();
    for (line, cells) in tsv.rows() {
        let mut row = Row { tsv: &tsv, line, cells, faults: &mut faults };
        counters.extend(row.counter());
    }
    faults.or(Some(counters))
}

struct Row<'a, 's> {
    tsv: &'a Tsv<'s>,
    line: usize,
    cells: &'a [&'s str],
    faults: &'a mut Faults,
}

impl Row<'_, '_> {
    fn counter(&mut self) -> Option<Counter> {
        let side = self.read(1, Side::from_word);
        let group = self.read(3, Group::from_word);
        let arm = self.read(4, Arm::from_word);
        let full = self.read(6, number);
        let reduced = self.optional(7, number);
        let movement = self.read(8, number);
        let turn = self.optional(10, number);
        let bank = self.optional(11, Bank::from_word);
        Some(Counter {
            name: self.cells[0].to_owned(),
            side: side?,
            title: self.cells[2].to_owned(),
            group: group?,
            arm: arm?,
            size: self.cells[5].to_owned(),
            full: full?,
            reduced: reduced?,
            movement: movement?,
            hex: Some(self.cells[9].to_owned()).filter(|hex| hex != "-"),
            turn: turn?,
            bank: bank?,
            star: self.cells[12] == "*",
        })
    }

    fn read<T>(&mut self, column: usize, read: impl Fn(&str) -> Result<T, String>) -> Option<T> {
        match read(self.cells[column]) {
            Ok(value) => Some(value),
            Err(wrong) => {
                self.faults.push(self.tsv.fault(self.line, column, wrong));
                None
            }
        }
    }

    /// `-` is nothing.
    fn optional<T>(&mut self, column: usize, read: impl Fn(&str) -> Result<T, String>) -> Option<Option<T>> {
        if self.cells[column] == "-" { Some(None) } else { self.read(column, read).map(Some) }
    }
}

fn number(text: &str) -> Result<u8, String> {
    text.parse()
        .ok()
        .filter(|n| *n <= 20)
        .ok_or_else(|| format!("`{text}` is not a whole number from 0 to 20"))
}

/// A row of the terrain chart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TerrainEffect {
    /// What it costs to enter; nothing when no unit may.
    pub(crate) cost: Option<u8>,
    /// What it adds to the defence (11.9a).
    pub(crate) addition: u8,
}

/// The terrain chart.
#[derive(Clone, Debug)]
pub(crate) struct TerrainChart {
    pub(crate) rows: Vec<(String, String, TerrainEffect)>,
    pub(crate) river: u8,
    pub(crate) town: u8,
    pub(crate) city: u8,
    pub(crate) german_entrenchment: u8,
}

impl TerrainChart {
    pub(crate) fn read(source: &Source) -> Result<TerrainChart, Faults> {
        let doc = Doc::parse(source)?;
        let chart = read_chart(&doc.root());
        doc.finish(chart)
    }

    pub(crate) fn legend(&self) -> Vec<(&str, &str)> {
        self.rows.iter().map(|(letter, name, _)| (letter.as_str(), name.as_str())).collect()
    }

    pub(crate) fn effect(&self, name: &str) -> Option<TerrainEffect> {
        self.rows.iter().find(|(_, row, _)| row == name).map(|(_, _, effect)| *effect)
    }
}

fn read_chart(root: &Table<'_>) -> Option<TerrainChart> {
    root.need("title");
    Provenance::read(root);
    let addition = |key: &str| root.need(key).and_then(|item| item.int(0..=9u8));
    let (river, town, city) = (addition("river"), addition("town"), addition("city"));
    let german_entrenchment = addition("german_entrenchment");
    let rows = root.need("terrain").map(|rows| rows.tables()).unwrap_or_default();
    let rows = rows.iter().filter_map(read_terrain).collect();
    root.done();
    Some(TerrainChart {
        rows,
        river: river?,
        town: town?,
        city: city?,
        german_entrenchment: german_entrenchment?,
    })
}

fn read_terrain(row: &Table<'_>) -> Option<(String, String, TerrainEffect)> {
    let letter = row.need("letter").and_then(|item| item.str());
    let name = row.need("name").and_then(|item| item.str());
    let cost = row.get("cost").and_then(|item| item.int(1..=9u8));
    let addition = row.get("addition").and_then(|item| item.int(0..=9u8)).unwrap_or(0);
    row.done();
    Some((letter?.to_owned(), name?.to_owned(), TerrainEffect { cost, addition }))
}

pub(crate) fn read_map(source: &Source, data: &Data) -> Result<Map, Faults> {
    let chart = match data.file(TERRAIN) {
        Ok(chart) => TerrainChart::read(chart)?,
        Err(missing) => return Err(source.fault(0, "", missing).into()),
    };
    Map::parse(source, &chart.legend())
}

/// Replacement steps of both sides by turn (10.6c).
#[derive(Clone, Debug, Default)]
pub(crate) struct Track {
    steps: Vec<(u8, u8)>,
    dates: Vec<String>,
}

impl Track {
    pub(crate) fn read(source: &Source) -> Result<Track, Faults> {
        let tsv = Tsv::parse(source, &["turn", "dates", "soviet", "axis"])?;
        let mut faults = Faults::default();
        let mut track = Track::default();
        for (line, cells) in tsv.rows() {
            if number(cells[0]) != Ok(track.steps.len() as u8 + 1) {
                faults.push(tsv.fault(line, 0, format!("expected turn {}", track.steps.len() + 1)));
            }
            track.dates.push(cells[1].to_owned());
            match (number(cells[2]), number(cells[3])) {
                (Ok(soviet), Ok(axis)) => track.steps.push((soviet, axis)),
                (Err(wrong), _) => faults.push(tsv.fault(line, 2, wrong)),
                (_, Err(wrong)) => faults.push(tsv.fault(line, 3, wrong)),
            }
        }
        if faults.is_empty() && track.steps.len() != usize::from(TURNS) {
            faults.push(source.fault(0, "", format!("expected {TURNS} turns, found {}", track.steps.len())));
        }
        faults.or(Some(track))
    }

    pub(crate) fn dates(&self, turn: u8) -> &str {
        self.dates.get(usize::from(turn) - 1).map_or("", String::as_str)
    }

    pub(crate) fn steps(&self, turn: u8, side: Side) -> u8 {
        let (soviet, axis) = self.steps.get(usize::from(turn) - 1).copied().unwrap_or_default();
        match side {
            Side::Soviet => soviet,
            Side::Axis => axis,
        }
    }
}

/// All tables of a game.
#[derive(Clone, Debug)]
pub(crate) struct Charts {
    pub(crate) combat: ResultTable<CombatResult>,
    pub(crate) terrain: TerrainChart,
    pub(crate) track: Track,
}

impl Charts {
    pub(crate) fn read(doc: &Doc<'_>, data: &Data) -> Option<Charts> {
        let combat = data.read(doc, COMBAT, |source| ResultTable::read(source, CombatResult::from_word));
        let terrain = data.read(doc, TERRAIN, TerrainChart::read);
        let track = data.read(doc, TRACK, Track::read);
        Some(Charts { combat: combat?, terrain: terrain?, track: track? })
    }
}

/// Where a counter says it is set up.
pub(crate) fn setup_hex(counter: &Counter, map: &Map) -> Option<Hex> {
    counter.hex.as_deref().and_then(|label| map.hex(label).ok())
}
