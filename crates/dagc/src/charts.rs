//! The data files: counters, terrain chart, combat table, turn track.

use board::{Hex, Map};
use engine::{Data, Provenance, ResultTable, Side, words};
use source::{Doc, Faults, Row, Source, Table};

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

    /// What is printed: combat and movement; for a fortified locality a zero to the left, because it never attacks (11.1).
    pub(crate) fn factors(&self, combat: u8) -> String {
        match self.group {
            Group::Fortified => format!("0-{combat}"),
            _ => format!("{combat}-{}", self.movement),
        }
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
    Row::read_all(source, &COLUMNS, read_counter)
}

fn read_counter(row: &mut Row<'_>) -> Option<Counter> {
    let side = row.read("side", Side::from_word);
    let group = row.read("group", Group::from_word);
    let arm = row.read("type", Arm::from_word);
    let full = row.number("full", 0, 20);
    let reduced = row.optional_number("reduced", 0, 20);
    let movement = row.number("mf", 0, 20);
    let turn = row.optional_number("turn", 0, 20);
    let bank = row.optional("bank", Bank::from_word);
    Some(Counter {
        name: row.text("unit").to_owned(),
        side: side?,
        title: row.text("title").to_owned(),
        group: group?,
        arm: arm?,
        size: row.text("size").to_owned(),
        full: full?,
        reduced: reduced?,
        movement: movement?,
        hex: row.words("hex").pop(),
        turn: turn?,
        bank: bank?,
        star: row.text("star") == "*",
    })
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
    pub(crate) rows: Vec<(String, TerrainEffect)>,
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

    pub(crate) fn effect(&self, name: &str) -> Option<TerrainEffect> {
        self.rows.iter().find(|(row, _)| row == name).map(|(_, effect)| *effect)
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

fn read_terrain(row: &Table<'_>) -> Option<(String, TerrainEffect)> {
    row.need("letter");
    let name = row.need("name").and_then(|item| item.str());
    let cost = row.get("cost").and_then(|item| item.int(1..=9u8));
    let addition = row.get("addition").and_then(|item| item.int(0..=9u8)).unwrap_or(0);
    row.done();
    Some((name?.to_owned(), TerrainEffect { cost, addition }))
}

/// Replacement steps of both sides by turn (10.6c).
#[derive(Clone, Debug, Default)]
pub(crate) struct Track {
    steps: Vec<(u8, u8)>,
    dates: Vec<String>,
}

impl Track {
    pub(crate) fn read(source: &Source) -> Result<Track, Faults> {
        let turns = Row::read_all(source, &["turn", "dates", "soviet", "axis"], |row| {
            let turn = row.number("turn", 1, TURNS);
            let (soviet, axis) = (row.number("soviet", 0, 20), row.number("axis", 0, 20));
            Some((turn?, row.text("dates").to_owned(), (soviet?, axis?)))
        })?;
        if !turns.iter().map(|(turn, ..)| *turn).eq(1..=TURNS) {
            return Err(source
                .fault(0, "turn", format!("expected the turns 1 to {TURNS}, one a row"))
                .into());
        }
        let (dates, steps) = turns.into_iter().map(|(_, dates, steps)| (dates, steps)).unzip();
        Ok(Track { dates, steps })
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
        let combat = data.read(doc, COMBAT, read_combat);
        let terrain = data.read(doc, TERRAIN, TerrainChart::read);
        let track = data.read(doc, TRACK, Track::read);
        Some(Charts { combat: combat?, terrain: terrain?, track: track? })
    }
}

fn read_combat(source: &Source) -> Result<ResultTable<CombatResult>, Faults> {
    let table = ResultTable::read(source, CombatResult::from_word)?;
    match u8::try_from(table.width()) {
        Ok(_) => Ok(table),
        Err(_) => Err(source.fault(0, "columns", format!("at most {} columns", u8::MAX)).into()),
    }
}

/// Where a counter says it is set up.
pub(crate) fn setup_hex(counter: &Counter, map: &Map) -> Option<Hex> {
    counter.hex.as_deref().and_then(|label| map.hex(label).ok())
}
