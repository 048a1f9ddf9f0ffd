//! What a game sends its sides turn by turn (2.3.I.3, 12.5): supply points, capacities, replacements; and what rebuilds a step.

use std::ops::RangeInclusive;

use engine::{Data, Provenance, Side};
use source::{Doc, Faults, Row, Source, Table};

use crate::Arm;

const SUPPLY: &str = "supply.tsv";
const VARIABLE: &str = "variable.tsv";
const REBUILD: &str = "tables/rebuild.toml";

/// What is brought on together, in one of several places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Draft {
    pub(crate) pax: u8,
    pub(crate) eq: u8,
    pub(crate) trucks: u8,
    pub(crate) wagons: u8,
}

/// A line of the supply schedule: what a side has from the start (turn 0) or receives on a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shipment {
    pub(crate) side: Side,
    pub(crate) turn: u8,
    /// Supply points.
    pub(crate) points: u8,
    pub(crate) draft: Draft,
    /// Rail capacity from this turn on (12.3.a).
    pub(crate) rail: Option<u8>,
    /// The labels of the hexes or boxes where it arrives.
    pub(crate) places: Vec<String>,
}

/// A row of a Variable Reinforcement Table (12.5.a).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    pub(crate) side: Side,
    pub(crate) turns: RangeInclusive<u8>,
    pub(crate) dice: u8,
    pub(crate) modifier: i32,
    pub(crate) rolls: RangeInclusive<i32>,
    pub(crate) draft: Draft,
    pub(crate) places: Vec<String>,
}

/// What a step of some types of units takes (12.5a.a).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rebuild {
    arms: Vec<Arm>,
    pub(crate) pax: u8,
    pub(crate) eq: u8,
    pub(crate) trucks: u8,
    pub(crate) tokens: u8,
}

/// The schedule of a game.
#[derive(Default)]
pub(crate) struct Schedule {
    pub(crate) shipments: Vec<Shipment>,
    pub(crate) variable: Vec<Variable>,
    rebuild: Vec<Rebuild>,
    /// Truck points that one Eq Repl becomes (R115).
    pub(crate) points_for_eq: u8,
}

impl Schedule {
    /// A game without a file has none of it.
    pub(crate) fn read(doc: &Doc<'_>, data: &Data) -> Option<Schedule> {
        let has = |path: &str| data.file(path).is_ok();
        let shipments = if has(SUPPLY) { data.read(doc, SUPPLY, read_shipments)? } else { Vec::new() };
        let variable = if has(VARIABLE) { data.read(doc, VARIABLE, read_variable)? } else { Vec::new() };
        let (rebuild, points_for_eq) = data.read(doc, REBUILD, read_rebuild)?;
        Some(Schedule { shipments, variable, rebuild, points_for_eq })
    }

    /// What arrives for a side on a turn, with the places of the lines.
    pub(crate) fn due(&self, side: Side, turn: u8) -> impl Iterator<Item = (usize, &Shipment)> {
        let lines = self.shipments.iter().enumerate();
        lines.filter(move |(_, line)| line.side == side && line.turn == turn)
    }

    /// The rail capacity of a side in SPs (12.3.a).
    pub(crate) fn rail(&self, side: Side, turn: u8) -> u8 {
        let told = self.shipments.iter().filter(|line| line.side == side && line.turn <= turn);
        let latest = told.filter_map(|line| Some((line.turn, line.rail?))).max_by_key(|(turn, _)| *turn);
        latest.map_or(0, |(_, capacity)| capacity)
    }

    /// What a step of such units takes; nothing where none can be had (R115).
    pub(crate) fn rebuild(&self, arm: Arm) -> Option<&Rebuild> {
        self.rebuild.iter().find(|row| row.arms.contains(&arm))
    }
}

/// `41.37|46.45`.
fn places(row: &Row<'_>) -> Vec<String> {
    match row.text("where") {
        "-" => Vec::new(),
        text => text.split('|').map(str::to_owned).collect(),
    }
}

fn read_shipments(source: &Source) -> Result<Vec<Shipment>, Faults> {
    let columns =
        ["side", "turn", "sp", "eq", "pax", "rail_capacity", "shipping", "trucks", "wagons", "where", "note"];
    Row::read_all(source, &columns, |row| {
        let side = row.read("side", Side::from_word);
        let turn = row.number("turn", 0, 99);
        let mut number = |column: &str| row.optional_number(column, 0, 200);
        let [points, eq, pax] = ["sp", "eq", "pax"].map(&mut number);
        let [rail, trucks, wagons] = ["rail_capacity", "trucks", "wagons"].map(&mut number);
        let some = |number: Option<Option<u8>>| number.map(Option::unwrap_or_default);
        Some(Shipment {
            side: side?,
            turn: turn?,
            points: some(points)?,
            draft: Draft { pax: some(pax)?, eq: some(eq)?, trucks: some(trucks)?, wagons: some(wagons)? },
            rail: rail?,
            places: places(row),
        })
    })
}

fn read_variable(source: &Source) -> Result<Vec<Variable>, Faults> {
    let columns = [
        "side",
        "first_turn",
        "last_turn",
        "dice",
        "drm",
        "roll_min",
        "roll_max",
        "pax",
        "eq",
        "truck_points",
        "air_steps",
        "where",
    ];
    Row::read_all(source, &columns, |row| {
        let side = row.read("side", Side::from_word);
        let [first, last] = ["first_turn", "last_turn"].map(|column| row.number(column, 1, 99));
        let dice = row.read("dice", |text| match text {
            "1d6" => Ok(1),
            "2d6" => Ok(2),
            _ => Err(format!("`{text}` is not 1d6 or 2d6")),
        });
        let mut whole = |column: &str| {
            row.read(column, |text| text.parse::<i32>().map_err(|_| format!("`{text}` is not a number")))
        };
        let [modifier, least, most] = ["drm", "roll_min", "roll_max"].map(&mut whole);
        let [pax, eq, trucks] = ["pax", "eq", "truck_points"].map(|column| row.number(column, 0, 20));
        Some(Variable {
            side: side?,
            turns: first?..=last?,
            dice: dice?,
            modifier: modifier?,
            rolls: least?..=most?,
            draft: Draft { pax: pax?, eq: eq?, trucks: trucks?, wagons: 0 },
            places: places(row),
        })
    })
}

fn read_rebuild(source: &Source) -> Result<(Vec<Rebuild>, u8), Faults> {
    let doc = Doc::parse(source)?;
    let root = doc.root();
    root.need("title");
    Provenance::read(&root);
    let rows = root.need("rebuild").map(|rows| rows.tables()).unwrap_or_default();
    let rows = rows.iter().map(read_rebuild_row).collect();
    let trucks = root.get("trucks").and_then(|item| item.table());
    let points = trucks.and_then(|table| {
        table.need("eq").and_then(|item| item.int(1..=1u8))?;
        table.need("points")?.int(1..=9)
    });
    root.done();
    doc.finish(Some((rows, points.unwrap_or(0))))
}

fn read_rebuild_row(table: &Table<'_>) -> Rebuild {
    let words = table.need("types").map(|item| item.words()).unwrap_or_default();
    let number = |name: &str| table.get(name).and_then(|item| item.int(0..=9)).unwrap_or(0);
    let row = Rebuild {
        arms: words.iter().filter_map(|word| word.parse(Arm::from_word)).collect(),
        pax: number("pax"),
        eq: number("eq"),
        trucks: number("trucks"),
        tokens: number("tokens"),
    };
    table.done();
    row
}
