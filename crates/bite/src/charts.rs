//! The data files: counters, HQs, leaders, the terrain chart, the combat table, weather, integrity, untried units.

use std::fmt;

use board::Mp;
use engine::row::Cells;
use engine::{BySide, Data, Lexicon, Provenance, ResultTable, Row as Numbers, Side, UnitId, Word};
use source::{Doc, Faults, Row, Source, Table};

use crate::{Arm, Colour, Size, Turnout, Weather};

pub(crate) const COUNTERS: &str = "counters.tsv";
pub(crate) const HQS: &str = "hqs.tsv";
pub(crate) const LEADERS: &str = "leaders.tsv";
const TERRAIN: &str = "tables/terrain.toml";
const COMBAT: &str = "tables/combat.toml";
const WEATHER: &str = "tables/weather.toml";
const INTEGRITY: &str = "tables/integrity.tsv";
const UNTRIED: &str = "tables/untried.tsv";

/// One face of a counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Face {
    pub(crate) attack: u8,
    pub(crate) defence: u8,
}

/// A counter as it is printed (3.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Counter {
    pub(crate) name: String,
    pub(crate) side: Side,
    pub(crate) nation: String,
    pub(crate) title: String,
    pub(crate) colour_name: String,
    pub(crate) colour: Option<Colour>,
    pub(crate) formation_name: String,
    /// Its place among the formations that have integrity or anti-tank regiments.
    pub(crate) formation: Option<u8>,
    pub(crate) arm: Arm,
    pub(crate) size: Size,
    /// Regimental equivalents in halves (11.1).
    pub(crate) re: u8,
    pub(crate) full: Face,
    pub(crate) reduced: Option<Face>,
    /// Its strength stands in parentheses (3.2q).
    pub(crate) parenthesized: bool,
    pub(crate) allowance: u8,
    pub(crate) boxed: bool,
    pub(crate) blue: bool,
    pub(crate) red: bool,
    /// It is red from this turn on by a rule of the game (12.3.4e).
    pub(crate) red_from: Option<u8>,
    /// It needs neither HQ nor line of supply (uma.22.6a).
    pub(crate) local: bool,
    /// The directive holds for it (uma.22.4a).
    pub(crate) directed: bool,
    pub(crate) untried: bool,
    pub(crate) optional: bool,
    pub(crate) setup: String,
    pub(crate) turn: Option<u8>,
    pub(crate) entry: String,
}

impl Counter {
    /// How many steps it has at full strength.
    pub(crate) fn steps(&self) -> u8 {
        if self.reduced.is_some() { 2 } else { 1 }
    }

    /// The face that lies up with so many steps left.
    pub(crate) fn face(&self, steps: u8) -> Face {
        match self.reduced {
            Some(reduced) if steps < 2 => reduced,
            _ => self.full,
        }
    }

    /// Armor, heavy armor among it (3.3c).
    pub(crate) fn is_armor(&self) -> bool {
        matches!(self.arm, Arm::Armor | Arm::HeavyArmor)
    }

    /// What advances two hexes after an elimination (12.7h2).
    pub(crate) fn is_mobile(&self) -> bool {
        self.is_armor() || matches!(self.arm, Arm::Mechanized | Arm::Motorized | Arm::Cavalry)
    }

    /// What pays the mechanized column of the chart (10.2c, R33).
    pub(crate) fn is_mechanized(&self) -> bool {
        self.boxed || self.arm == Arm::Hq
    }
}

/// An HQ and its leader (14.0, 15.0).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hq {
    pub(crate) unit: UnitId,
    pub(crate) range: u8,
    pub(crate) right: u8,
    pub(crate) left: u8,
    pub(crate) leader: Option<Leader>,
}

/// A leader (15.0).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Leader {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) hq: String,
    pub(crate) right: u8,
    pub(crate) left: u8,
}

/// An HQ as its file has it.
pub(crate) struct PrintedHq {
    pub(crate) counter: Counter,
    pub(crate) range: u8,
    pub(crate) right: u8,
    pub(crate) left: u8,
}

/// A division or corps with a name of its own (11.2).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Formation {
    pub(crate) name: String,
    /// Shifts in attack and defence with two units, and with three or more.
    pub(crate) shifts: [[u8; 2]; 2],
}

const UNIT_COLUMNS: [&str; 22] = [
    "unit",
    "side",
    "nation",
    "colour",
    "formation",
    "title",
    "type",
    "size",
    "re",
    "attack",
    "defence",
    "attack_reduced",
    "defence_reduced",
    "ma",
    "boxed",
    "blue",
    "red",
    "untried",
    "optional",
    "setup",
    "turn",
    "entry",
];

pub(crate) fn read_counters(source: &Source) -> Result<Vec<Counter>, Faults> {
    Row::read_all(source, &UNIT_COLUMNS, read_counter)
}

/// A strength, and whether it stands in parentheses.
fn read_strength(text: &str) -> Result<(u8, bool), String> {
    let plain = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let number = plain.unwrap_or(text).parse().ok().filter(|number| *number <= 20);
    number
        .map(|number| (number, plain.is_some()))
        .ok_or_else(|| format!("`{text}` is not a strength, such as 3 or (0)"))
}

/// Regimental equivalents in halves.
pub(crate) fn read_re(text: &str) -> Result<u8, String> {
    let (whole, half) = text.strip_suffix(".5").map_or((text, 0), |whole| (whole, 1));
    let whole: Option<u8> = whole.parse().ok().filter(|whole| *whole <= 4);
    whole.map(|whole| whole * 2 + half).ok_or_else(|| format!("`{text}` is not a number such as 1 or 1.5"))
}

/// The text of a cell, empty for `-`.
fn cell(row: &Row<'_>, column: &str) -> String {
    row.words(column).join(" ")
}

fn read_counter(row: &mut Row<'_>) -> Option<Counter> {
    let side = row.read("side", Side::from_word);
    let arm = row.read("type", |word| match Arm::from_word(word)? {
        Arm::Hq => Err(format!("an HQ stands in {HQS}")),
        arm => Ok(arm),
    });
    let size = row.read("size", Size::from_word);
    let re = row.read("re", read_re);
    let attack = row.read("attack", read_strength);
    let defence = row.number("defence", 0, 20);
    let attack_reduced = row.optional("attack_reduced", read_strength);
    let defence_reduced = row.optional_number("defence_reduced", 0, 20);
    let allowance = row.number("ma", 0, 20);
    let flags = ["boxed", "blue", "red", "untried", "optional"].map(|column| row.yes_no(column));
    let [boxed, blue, red, untried, optional] = flags;
    let turn = row.optional_number("turn", 1, 20);
    let ((attack, parenthesized), defence) = (attack?, defence?);
    let reduced = match (attack_reduced?, defence_reduced?) {
        (Some((attack, _)), Some(defence)) => Some(Face { attack, defence }),
        _ => None,
    };
    Some(Counter {
        name: row.text("unit").to_owned(),
        side: side?,
        nation: row.text("nation").to_owned(),
        title: row.text("title").to_owned(),
        colour_name: cell(row, "colour"),
        colour: None,
        formation_name: cell(row, "formation"),
        formation: None,
        arm: arm?,
        size: size?,
        re: re?,
        full: Face { attack, defence },
        reduced,
        parenthesized,
        allowance: allowance?,
        boxed: boxed?,
        blue: blue?,
        red: red?,
        red_from: None,
        local: false,
        untried: untried?,
        directed: false,
        optional: optional?,
        setup: cell(row, "setup"),
        turn: turn?,
        entry: cell(row, "entry"),
    })
}

const HQ_COLUMNS: [&str; 13] = [
    "hq", "side", "title", "colour", "size", "range", "right", "left", "defence", "ma", "setup", "turn",
    "entry",
];

pub(crate) fn read_hqs(source: &Source) -> Result<Vec<PrintedHq>, Faults> {
    Row::read_all(source, &HQ_COLUMNS, read_hq)
}

fn read_hq(row: &mut Row<'_>) -> Option<PrintedHq> {
    let side = row.read("side", Side::from_word);
    let size = row.read("size", Size::from_word);
    let [range, right, left, defence, allowance] =
        ["range", "right", "left", "defence", "ma"].map(|column| row.number(column, 0, 20));
    let turn = row.optional_number("turn", 1, 20);
    let side = side?;
    let counter = Counter {
        name: row.text("hq").to_owned(),
        side,
        nation: match side {
            Side::Axis => "germany",
            Side::Soviet => "soviet_union",
        }
        .to_owned(),
        title: row.text("title").to_owned(),
        colour_name: row.text("colour").to_owned(),
        colour: None,
        formation_name: String::new(),
        formation: None,
        arm: Arm::Hq,
        size: size?,
        re: 1,
        full: Face { attack: 0, defence: defence? },
        reduced: None,
        parenthesized: true,
        allowance: allowance?,
        boxed: true,
        blue: false,
        red: false,
        red_from: None,
        local: false,
        untried: false,
        directed: false,
        optional: false,
        setup: cell(row, "setup"),
        turn: turn?,
        entry: cell(row, "entry"),
    };
    Some(PrintedHq { counter, range: range?, right: right?, left: left? })
}

pub(crate) fn read_leaders(source: &Source) -> Result<Vec<Leader>, Faults> {
    Row::read_all(source, &["leader", "side", "title", "hq", "right", "left", "turn"], |row| {
        let [right, left] = ["right", "left"].map(|column| row.number(column, 0, 9));
        Some(Leader {
            name: row.text("leader").to_owned(),
            title: row.text("title").to_owned(),
            hq: row.text("hq").to_owned(),
            right: right?,
            left: left?,
        })
    })
}

/// What the terrain of a hex does (12.3.1a).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TerrainRow {
    pub(crate) name: String,
    /// What leg and mechanized units pay; nothing where nobody goes.
    pub(crate) costs: Option<[Mp; 2]>,
    /// The shift in defence.
    pub(crate) shift: u8,
    pub(crate) zoc: bool,
    pub(crate) overrun: bool,
    /// A line of supply may be traced through it: always, only by road or railroad, or never.
    pub(crate) supply: Passage,
    pub(crate) field_fort: bool,
    pub(crate) interdiction: bool,
    pub(crate) stops_advance: bool,
    /// The specialist shift counts against defenders here (12.3.4b1).
    pub(crate) specialist: bool,
    /// Heavy armor may enter off the road (R33, the chart's note).
    pub(crate) heavy: bool,
}

/// Whether a line of supply may be traced through a hex (8.1b).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passage {
    Open,
    ByRoad,
    Closed,
}

/// What a river hexside does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RiverRow {
    pub(crate) costs: [Mp; 2],
    pub(crate) shift: u8,
}

/// What the weather does (17.0b).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WeatherRow {
    pub(crate) weather: Weather,
    /// How many of the air markers are left of two.
    pub(crate) air: u8,
    /// Leg and mechanized units have half of their allowance.
    pub(crate) half: [bool; 2],
    pub(crate) road: Mp,
    pub(crate) off_road: Mp,
    /// More columns for the defender.
    pub(crate) shift: u8,
    /// There are zones of control (9.0k).
    pub(crate) zoc: bool,
}

/// The charts of a game.
pub(crate) struct Charts {
    pub(crate) terrain: Vec<TerrainRow>,
    pub(crate) minor: RiverRow,
    pub(crate) major: RiverRow,
    pub(crate) rail: Mp,
    pub(crate) combat: ResultTable<CombatResult>,
    pub(crate) weather: Vec<WeatherRow>,
    pub(crate) untried: Vec<UntriedRow>,
    pub(crate) integrity: Vec<Formation>,
}

/// How untried units of a side and type turn out by the die (16.0c).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UntriedRow {
    pub(crate) side: Side,
    /// The types; all when there are none.
    pub(crate) arms: Vec<Arm>,
    pub(crate) turnouts: [Turnout; 6],
}

impl Charts {
    pub(crate) fn read(doc: &Doc<'_>, data: &Data) -> Option<Charts> {
        let terrain = data.read(doc, TERRAIN, read_terrain);
        let combat = data.read(doc, COMBAT, |source| ResultTable::read(source, CombatResult::from_word));
        let weather = data.read(doc, WEATHER, read_weather);
        let integrity = data.read(doc, INTEGRITY, read_integrity);
        let untried = data.read(doc, UNTRIED, read_untried);
        let (terrain, minor, major, rail) = terrain?;
        Some(Charts {
            terrain,
            minor,
            major,
            rail,
            combat: combat?,
            weather: weather?,
            untried: untried?,
            integrity: integrity?,
        })
    }

    pub(crate) fn weather(&self, weather: Weather) -> WeatherRow {
        let row = self.weather.iter().find(|row| row.weather == weather).or(self.weather.first());
        row.copied().unwrap_or(FINE)
    }
}

/// Weather that does nothing (17.0a).
const FINE: WeatherRow = WeatherRow {
    weather: Weather::Clear,
    air: 2,
    half: [false; 2],
    road: Mp::twelfths(6),
    off_road: Mp::ZERO,
    shift: 0,
    zoc: true,
};

type TerrainChart = (Vec<TerrainRow>, RiverRow, RiverRow, Mp);

fn read_terrain(source: &Source) -> Result<TerrainChart, Faults> {
    let doc = Doc::parse(source)?;
    let root = doc.root();
    root.need("title");
    Provenance::read(&root);
    let rows = root.need("terrain").map(|rows| rows.tables()).unwrap_or_default();
    let rows: Vec<TerrainRow> = rows.iter().filter_map(read_terrain_row).collect();
    let river =
        |name: &str| root.need(name).and_then(|item| item.table()).and_then(|table| read_river(&table));
    let (minor, major) = (river("minor_river"), river("major_river"));
    let rail = root.need("railroad").and_then(|item| item.parse(str::parse::<Mp>));
    root.done();
    let chart = (|| Some((rows, minor?, major?, rail?)))();
    doc.finish(chart)
}

fn read_costs(table: &Table<'_>) -> Option<[Mp; 2]> {
    let cost = |name: &str| table.need(name).and_then(|item| item.parse(str::parse::<Mp>));
    let (leg, mechanized) = (cost("leg"), cost("mech"));
    Some([leg?, mechanized?])
}

fn read_terrain_row(table: &Table<'_>) -> Option<TerrainRow> {
    let text = |name: &str| table.need(name).and_then(|item| item.str()).map(str::to_owned);
    let flag = |name: &str, usual: bool| table.get(name).and_then(|item| item.bool()).unwrap_or(usual);
    let (_, name) = (text("letter"), text("name"));
    let closed = flag("closed", false);
    let costs = if closed { Some(None) } else { read_costs(table).map(Some) };
    let shift = table.get("shift").map_or(Some(0), |item| item.int(0..=9));
    let supply = match table.get("supply").map(|item| item.one_of(&["open", "by-road", "closed"])) {
        None | Some(Some(0)) => Passage::Open,
        Some(Some(1)) => Passage::ByRoad,
        _ => Passage::Closed,
    };
    let row = TerrainRow {
        name: name?,
        costs: costs?,
        shift: shift?,
        zoc: flag("zoc", true),
        overrun: flag("overrun", true),
        supply,
        field_fort: flag("field_fort", false),
        interdiction: flag("interdiction", false),
        stops_advance: flag("stops_advance", false),
        specialist: flag("specialist", true),
        heavy: flag("heavy", true),
    };
    table.done();
    Some(row)
}

fn read_river(table: &Table<'_>) -> Option<RiverRow> {
    let costs = read_costs(table);
    let shift = table.need("shift").and_then(|item| item.int(0..=9));
    table.done();
    Some(RiverRow { costs: costs?, shift: shift? })
}

fn read_weather(source: &Source) -> Result<Vec<WeatherRow>, Faults> {
    let doc = Doc::parse(source)?;
    let root = doc.root();
    root.need("title");
    Provenance::read(&root);
    let rows = root.need("weather").map(|rows| rows.tables()).unwrap_or_default();
    let rows: Vec<WeatherRow> = rows.iter().filter_map(read_weather_row).collect();
    root.done();
    doc.finish(Some(rows))
}

fn read_weather_row(table: &Table<'_>) -> Option<WeatherRow> {
    let weather = table.need("name").and_then(|item| item.parse(Weather::from_word));
    let mp = |name: &str, usual: Mp| table.get(name).map_or(Some(usual), |item| item.parse(str::parse::<Mp>));
    let flag = |name: &str, usual: bool| table.get(name).and_then(|item| item.bool()).unwrap_or(usual);
    let air = table.get("air").map_or(Some(2), |item| Some(item.one_of(&["none", "half", "all"])? as u8));
    let (road, off_road) = (mp("road", FINE.road), mp("off_road", Mp::ZERO));
    let shift = table.get("shift").map_or(Some(0), |item| item.int(0..=9));
    let half = [flag("half_leg", false), flag("half_mech", false)];
    let zoc = flag("zoc", true);
    table.done();
    Some(WeatherRow {
        weather: weather?,
        air: air?,
        half,
        road: road?,
        off_road: off_road?,
        shift: shift?,
        zoc,
    })
}

fn read_integrity(source: &Source) -> Result<Vec<Formation>, Faults> {
    let columns = ["formation", "attack_two", "defence_two", "attack_three", "defence_three"];
    Row::read_all(source, &columns, |row| {
        let [a, b, c, d] = ["attack_two", "defence_two", "attack_three", "defence_three"]
            .map(|column| row.number(column, 0, 9));
        Some(Formation { name: row.text("formation").to_owned(), shifts: [[a?, b?], [c?, d?]] })
    })
}

fn read_untried(source: &Source) -> Result<Vec<UntriedRow>, Faults> {
    Row::read_all(source, &["side", "types", "turnouts"], |row| {
        let side = row.read("side", Side::from_word);
        let arms = row.read("types", |text| match text {
            "-" => Ok(Vec::new()),
            _ => text.split_whitespace().map(Arm::from_word).collect(),
        });
        let turnouts = row.read("turnouts", |text| {
            let words: Result<Vec<Turnout>, String> =
                text.split_whitespace().map(Turnout::from_word).collect();
            <[Turnout; 6]>::try_from(words?)
                .map_err(|_| "expected six words, one for each face of the die".to_owned())
        });
        Some(UntriedRow { side: side?, arms: arms?, turnouts: turnouts? })
    })
}

/// One side's part of a combat result (12.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Part {
    /// Steps or hexes.
    pub number: u8,
    /// At least one of them must be a step (12.5b3).
    pub star: bool,
    /// All steps (12.5a).
    pub all: bool,
}

impl Part {
    fn read(text: &str) -> Option<Part> {
        if text == "E" {
            return Some(Part { number: 0, star: false, all: true });
        }
        let (number, star) = text.strip_suffix('*').map_or((text, false), |number| (number, true));
        Some(Part { number: number.parse().ok().filter(|number| *number <= 9)?, star, all: false })
    }

    /// True when nothing is to be done.
    pub fn is_nothing(self) -> bool {
        self == Part::default()
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.all {
            return f.write_str("E");
        }
        write!(f, "{}{}", self.number, if self.star { "*" } else { "" })
    }
}

/// What the combat table says: attacker/defender, or ENG (12.4e2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CombatResult {
    /// For each side: the attacker's part first.
    pub parts: [Part; 2],
    /// Both lose a step and stay (12.5c2).
    pub engaged: bool,
}

impl CombatResult {
    /// Reads `1*/2`, `0/E` or `ENG`.
    pub fn from_word(text: &str) -> Result<CombatResult, String> {
        if text == "ENG" {
            let one = Part { number: 1, star: true, all: false };
            return Ok(CombatResult { parts: [one, one], engaged: true });
        }
        let read = || {
            let (attacker, defender) = text.split_once('/')?;
            Some(CombatResult { parts: [Part::read(attacker)?, Part::read(defender)?], engaged: false })
        };
        read().ok_or_else(|| format!("`{text}` is not a result such as 1*/2, 0/E or ENG"))
    }
}

impl fmt::Display for CombatResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.engaged {
            return f.write_str("ENG");
        }
        write!(f, "{}/{}", self.parts[0], self.parts[1])
    }
}

impl Word for CombatResult {
    const KIND: &'static str = "result";
    fn word(&self, _: &dyn Lexicon) -> String {
        self.to_string()
    }
    fn read(word: &str, _: &dyn Lexicon) -> Result<Self, String> {
        CombatResult::from_word(word)
    }
    fn write_cells(&self, _: &dyn Lexicon, row: &mut Numbers) -> bool {
        let part = |part: Part| i16::from(part.number) + 10 * i16::from(part.star) + 20 * i16::from(part.all);
        let engaged = 2_000 * i16::from(self.engaged);
        row.value(part(self.parts[0]) * 40 + part(self.parts[1]) + engaged)
    }
    fn read_cells(cells: &mut Cells<'_>) -> Option<Self> {
        let value = cells.value()?;
        let part =
            |cell: i16| Part { number: (cell % 10) as u8, star: cell / 10 % 2 == 1, all: cell / 20 == 1 };
        let (engaged, value) = (value >= 2_000, value % 2_000);
        Some(CombatResult { parts: [part(value / 40), part(value % 40)], engaged })
    }
}

/// A column of the combat table by its odds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Column {
    /// The attacker's number.
    pub attack: u8,
    /// The defender's.
    pub defence: u8,
}

impl Word for Column {
    const KIND: &'static str = "column";
    fn word(&self, _: &dyn Lexicon) -> String {
        format!("{}:{}", self.attack, self.defence)
    }
    fn read(word: &str, _: &dyn Lexicon) -> Result<Self, String> {
        let read = || {
            let (attack, defence) = word.split_once(':')?;
            Some(Column { attack: attack.parse().ok()?, defence: defence.parse().ok()? })
        };
        read().ok_or_else(|| format!("`{word}` is not a column such as 3:1"))
    }
    fn write_cells(&self, _: &dyn Lexicon, row: &mut Numbers) -> bool {
        row.value(i16::from(self.attack) * 32 + i16::from(self.defence))
    }
    fn read_cells(cells: &mut Cells<'_>) -> Option<Self> {
        let value = cells.value()?;
        Some(Column { attack: (value / 32) as u8, defence: (value % 32) as u8 })
    }
}

/// A strength in halves: 9 stands for 4½ (R14).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Halves(pub u16);

impl fmt::Display for Halves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0 / 2, if self.0 % 2 == 1 { ".5" } else { "" })
    }
}

impl Word for Halves {
    const KIND: &'static str = "strength";
    fn word(&self, _: &dyn Lexicon) -> String {
        self.to_string()
    }
    fn read(word: &str, _: &dyn Lexicon) -> Result<Self, String> {
        let (whole, half) = word.strip_suffix(".5").map_or((word, 0), |whole| (whole, 1));
        let whole: Result<u16, _> = whole.parse();
        whole
            .map(|whole| Halves(whole * 2 + half))
            .map_err(|_| format!("`{word}` is not a strength such as 4.5"))
    }
    fn write_cells(&self, _: &dyn Lexicon, row: &mut Numbers) -> bool {
        row.value(self.0)
    }
    fn read_cells(cells: &mut Cells<'_>) -> Option<Self> {
        u16::try_from(cells.value()?).ok().map(Halves)
    }
}

/// Something for leg and for mechanized units.
pub(crate) fn by_class(mechanized: bool) -> usize {
    usize::from(mechanized)
}

/// A number for each side, `axis` and `soviet` in a table.
pub(crate) fn read_by_side(table: &Table<'_>, most: u8) -> BySide<u8> {
    BySide::new_with(|side| table.get(side.word()).and_then(|item| item.int(0..=most)).unwrap_or(0))
}
