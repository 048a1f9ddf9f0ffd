//! The data files: counters, terrain chart, combat table, the Moscow table, turn track.

use engine::{Data, Provenance, ResultTable, Side, words};
use source::{Doc, Faults, Row, Source, Table};

use crate::{Arm, CombatResult, Entry, Nation, Offensive, TURNS};

pub(crate) const TERRAIN: &str = "tables/terrain.toml";
pub(crate) const COMBAT: &str = "tables/combat.toml";
pub(crate) const MOSCOW: &str = "tables/moscow.toml";
pub(crate) const TRACK: &str = "tables/track.tsv";
pub(crate) const COUNTERS: &str = "counters.tsv";

words! {
    /// How a unit moves (2.9a).
    enum Class: "class" {
        Foot = "foot",
        Mech = "mech",
    }
}

/// A counter as it is printed (2.5a).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Counter {
    pub(crate) name: String,
    pub(crate) side: Side,
    pub(crate) nation: Nation,
    pub(crate) title: String,
    pub(crate) arm: Arm,
    pub(crate) size: String,
    pub(crate) mech: bool,
    /// Nothing where a die decides (8.4c).
    pub(crate) attack: Option<u8>,
    pub(crate) defence: Option<u8>,
    /// Never comes back (2.5c).
    pub(crate) dot: bool,
    pub(crate) entry: Entry,
    /// The turn of entry.
    pub(crate) turn: Option<u8>,
    /// The label of the printed hex, or of the one where the unit historically stood.
    pub(crate) hex: Option<String>,
    /// The army that it takes the place of (8.19a, 8.22a).
    pub(crate) from: Option<String>,
}

impl Counter {
    /// XXXX, in brackets or not (2.8).
    pub(crate) fn is_army(&self) -> bool {
        self.size.contains("XXXX")
    }

    /// An emergency unit, whose strength a die decides (8.4a).
    pub(crate) fn is_emergency(&self) -> bool {
        self.attack.is_none()
    }

    /// A satellite army of 6.4a: not the Poles (R81).
    pub(crate) fn stacks_alone(&self) -> bool {
        !matches!(self.nation, Nation::Germany | Nation::Soviet | Nation::Poland)
    }

    /// What is printed: one factor, or attack and defence (2.10).
    pub(crate) fn factors(&self) -> String {
        match (self.attack, self.defence) {
            (Some(attack), Some(defence)) if attack == defence => format!("{attack}"),
            (Some(attack), Some(defence)) => format!("{attack}-{defence}"),
            _ => "?".to_owned(),
        }
    }

    /// A panzer corps for 4.11 and 11.20c (R91).
    pub(crate) fn is_panzer(&self) -> bool {
        matches!(self.arm, Arm::Panzer | Arm::ParaPanzer)
    }

    /// A Korps Gruppe (8.2).
    pub(crate) fn is_kg(&self) -> bool {
        matches!(self.entry, Entry::KgAny | Entry::KgNorth | Entry::KgSouth | Entry::KgHex)
    }
}

const COLUMNS: [&str; 14] = [
    "unit", "side", "nation", "title", "type", "size", "class", "attack", "defense", "dot", "entry", "turn",
    "hex", "from",
];

pub(crate) fn read_counters(source: &Source) -> Result<Vec<Counter>, Faults> {
    Row::read_all(source, &COLUMNS, read_counter)
}

fn read_counter(row: &mut Row<'_>) -> Option<Counter> {
    let side = row.read("side", Side::from_word);
    let nation = row.read("nation", Nation::from_word);
    let arm = row.read("type", Arm::from_word);
    let class = row.read("class", Class::from_word);
    let (attack, defence) = (row.optional_number("attack", 0, 20), row.optional_number("defense", 1, 20));
    let entry = row.read("entry", Entry::from_word);
    let turn = row.optional_number("turn", 1, TURNS);
    Some(Counter {
        name: row.text("unit").to_owned(),
        side: side?,
        nation: nation?,
        title: row.text("title").to_owned(),
        arm: arm?,
        size: row.text("size").to_owned(),
        mech: class? == Class::Mech,
        attack: attack?,
        defence: defence?,
        dot: row.text("dot") == "*",
        entry: entry?,
        turn: turn?,
        hex: row.words("hex").pop(),
        from: row.words("from").pop(),
    })
}

/// A row of the terrain chart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TerrainEffect {
    /// What it costs to enter; nothing when no unit may.
    pub(crate) foot: Option<u8>,
    pub(crate) mech: Option<u8>,
    /// The shift of an attack into it.
    pub(crate) shift: i8,
    /// Open to mobile assaults (10.25a).
    pub(crate) mobile_assault: bool,
}

/// The terrain chart (10.9 to 10.24, 11.13 to 11.21).
#[derive(Clone, Debug)]
pub(crate) struct TerrainChart {
    rows: Vec<(String, TerrainEffect)>,
    pub(crate) river_foot: u8,
    pub(crate) river_mech: u8,
    pub(crate) river_shift: i8,
    pub(crate) city: i8,
    pub(crate) hero_or_fortress: i8,
    pub(crate) fortified_line: i8,
    /// In the turn in which it is placed, and later (8.18c, 8.18d).
    pub(crate) fortified_area: [i8; 2],
    pub(crate) assault_open: u8,
    pub(crate) assault_city_or_line: u8,
    pub(crate) assault_shift: i8,
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
    let river = root.need("river").and_then(|item| item.table());
    let manmade = root.need("manmade").and_then(|item| item.table());
    let assault = root.need("mobile_assault").and_then(|item| item.table());
    let rows = root.need("terrain").map(|rows| rows.tables()).unwrap_or_default();
    let rows = rows.iter().filter_map(read_terrain).collect();
    root.done();
    let (river, manmade, assault) = (river?, manmade?, assault?);
    let cost = |table: &Table<'_>, key: &str| table.need(key).and_then(|item| item.int(0..=9u8));
    let shift = |table: &Table<'_>, key: &str| table.need(key).and_then(|item| item.int(-9..=9i8));
    let area: Vec<i8> = manmade
        .need("fortified_area")
        .map(|item| item.items())
        .unwrap_or_default()
        .iter()
        .filter_map(|item| item.int(-9..=9))
        .collect();
    let chart = (|| {
        Some(TerrainChart {
            rows,
            river_foot: cost(&river, "foot")?,
            river_mech: cost(&river, "mech")?,
            river_shift: shift(&river, "shift")?,
            city: shift(&manmade, "city")?,
            hero_or_fortress: shift(&manmade, "hero_or_fortress")?,
            fortified_line: shift(&manmade, "fortified_line")?,
            fortified_area: [*area.first()?, *area.get(1)?],
            assault_open: cost(&assault, "open")?,
            assault_city_or_line: cost(&assault, "city_or_line")?,
            assault_shift: shift(&assault, "shift")?,
        })
    })();
    [&river, &manmade, &assault].into_iter().for_each(Table::done);
    if chart.is_none() {
        root.fault("the chart is not complete; `fortified_area` needs two shifts");
    }
    chart
}

fn read_terrain(row: &Table<'_>) -> Option<(String, TerrainEffect)> {
    row.need("letter");
    let name = row.need("name").and_then(|item| item.str());
    let cost = |key: &str| row.get(key).and_then(|item| item.int(1..=9u8));
    let effect = TerrainEffect {
        foot: cost("foot"),
        mech: cost("mech"),
        shift: row.get("shift").and_then(|item| item.int(-9..=9)).unwrap_or(0),
        mobile_assault: row.get("mobile_assault").and_then(|item| item.bool()).unwrap_or(false),
    };
    row.done();
    Some((name?.to_owned(), effect))
}

/// The Moscow table (4.15).
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoscowTable {
    pub(crate) surrender: u8,
    pub(crate) kiev: u8,
    pub(crate) leningrad: u8,
}

impl MoscowTable {
    fn read(source: &Source) -> Result<MoscowTable, Faults> {
        let doc = Doc::parse(source)?;
        let root = doc.root();
        root.need("title");
        Provenance::read(&root);
        let number = |key: &str| root.need(key).and_then(|item| item.int(0..=9u8));
        let (surrender, kiev, leningrad) = (number("surrender"), number("kiev"), number("leningrad"));
        root.done();
        let table = (|| Some(MoscowTable { surrender: surrender?, kiev: kiev?, leningrad: leningrad? }))();
        doc.finish(table)
    }
}

/// A box of the turn track (2.11, 4.14a, 8.12c).
#[derive(Clone, Debug)]
pub(crate) struct TurnBox {
    pub(crate) dates: String,
    pub(crate) single: bool,
    pub(crate) year: u16,
    /// Mechanized, and other units; German, then Soviet.
    german_factors: [u8; 2],
    soviet_factors: [u8; 2],
    german_steps: [u8; 2],
    soviet_steps: [u8; 2],
    pub(crate) luftwaffe: u8,
    /// Soviet offensive supply markers by their place in [`Offensive::ALL`].
    pub(crate) offensive: [bool; 3],
    /// At or above it the German side wins, at or below it the Soviet side.
    pub(crate) german_wins: Option<i16>,
    pub(crate) soviet_wins: Option<i16>,
}

/// The turn record track.
#[derive(Clone, Debug)]
pub(crate) struct Track(Vec<TurnBox>);

const TRACK_COLUMNS: [&str; 14] = [
    "turn",
    "dates",
    "months",
    "year",
    "ger_mech",
    "ger_foot",
    "sov_mech",
    "sov_foot",
    "ger_steps",
    "sov_steps",
    "luftwaffe",
    "offensive",
    "german_wins",
    "soviet_wins",
];

impl Track {
    pub(crate) fn read(source: &Source) -> Result<Track, Faults> {
        let boxes = Row::read_all(source, &TRACK_COLUMNS, read_box)?;
        if !boxes.iter().map(|(turn, _)| *turn).eq(1..=TURNS) {
            let fault = source.fault(0, "turn", format!("expected the turns 1 to {TURNS}, one a row"));
            return Err(fault.into());
        }
        Ok(Track(boxes.into_iter().map(|(_, turn)| turn).collect()))
    }

    /// The box of a turn; turns beyond the last are like it.
    pub(crate) fn turn(&self, turn: u8) -> &TurnBox {
        &self.0[usize::from(turn.clamp(1, TURNS)) - 1]
    }

    pub(crate) fn is_single(&self, turn: u8) -> bool {
        self.turn(turn).single
    }

    pub(crate) fn movement(&self, turn: u8, side: Side, mech: bool) -> u8 {
        let turn = self.turn(turn);
        let factors = if side == Side::Axis { turn.german_factors } else { turn.soviet_factors };
        factors[usize::from(!mech)]
    }

    pub(crate) fn steps(&self, turn: u8, side: Side) -> [u8; 2] {
        let turn = self.turn(turn);
        if side == Side::Axis { turn.german_steps } else { turn.soviet_steps }
    }
}

fn read_box(row: &mut Row<'_>) -> Option<(u8, TurnBox)> {
    let turn = row.number("turn", 1, TURNS);
    let single = row.read("months", |word| match word {
        "single" => Ok(true),
        "double" => Ok(false),
        _ => Err(format!("`{word}` is not single or double")),
    });
    let year = row.read("year", |word| word.parse::<u16>().map_err(|_| format!("`{word}` is no year")));
    let mut factors = |mech: &str, foot: &str| Some([row.number(mech, 0, 20)?, row.number(foot, 0, 20)?]);
    let german_factors = factors("ger_mech", "ger_foot");
    let soviet_factors = factors("sov_mech", "sov_foot");
    let german_steps = row.read("ger_steps", read_steps);
    let soviet_steps = row.read("sov_steps", read_steps);
    let luftwaffe = row.number("luftwaffe", 0, 4);
    let offensive = row.optional("offensive", read_offensive);
    let number = |word: &str| word.parse::<i16>().map_err(|_| format!("`{word}` is no whole number"));
    let german_wins = row.optional("german_wins", number);
    let soviet_wins = row.optional("soviet_wins", number);
    let turn_box = TurnBox {
        dates: row.text("dates").to_owned(),
        single: single?,
        year: year?,
        german_factors: german_factors?,
        soviet_factors: soviet_factors?,
        german_steps: german_steps?,
        soviet_steps: soviet_steps?,
        luftwaffe: luftwaffe?,
        offensive: offensive?.unwrap_or_default(),
        german_wins: german_wins?,
        soviet_wins: soviet_wins?,
    };
    Some((turn?, turn_box))
}

/// `1/2`: one mechanized unit and two others.
fn read_steps(word: &str) -> Result<[u8; 2], String> {
    let wrong = || format!("`{word}` is not MECH/FOOT, such as 1/2");
    let (mech, foot) = word.split_once('/').ok_or_else(wrong)?;
    match (mech.parse::<u8>(), foot.parse::<u8>()) {
        (Ok(mech @ 0..=20), Ok(foot @ 0..=20)) => Ok([mech, foot]),
        _ => Err(wrong()),
    }
}

/// `AB`: these markers.
fn read_offensive(word: &str) -> Result<[bool; 3], String> {
    let mut markers = [false; 3];
    for letter in word.chars() {
        markers[Offensive::from_word(letter.encode_utf8(&mut [0; 4]))? as usize] = true;
    }
    Ok(markers)
}

/// All tables of a game.
#[derive(Clone, Debug)]
pub(crate) struct Charts {
    pub(crate) combat: ResultTable<CombatResult>,
    pub(crate) terrain: TerrainChart,
    pub(crate) moscow: MoscowTable,
    pub(crate) track: Track,
}

impl Charts {
    pub(crate) fn read(doc: &Doc<'_>, data: &Data) -> Option<Charts> {
        let combat = data.read(doc, COMBAT, read_combat);
        let terrain = data.read(doc, TERRAIN, TerrainChart::read);
        let moscow = data.read(doc, MOSCOW, MoscowTable::read);
        let track = data.read(doc, TRACK, Track::read);
        Some(Charts { combat: combat?, terrain: terrain?, moscow: moscow?, track: track? })
    }

    /// The columns of the combat table on the ladder of odds: from 1:6 to 7:1 (11.10a).
    pub(crate) fn first_column(&self) -> i16 {
        FIRST_COLUMN
    }
}

/// 1:6 on the ladder of odds, on which 1:1 is 0.
const FIRST_COLUMN: i16 = -5;

/// The columns run from 1:6 to 7:1 (11.10a).
const WIDTH: usize = 12;

fn read_combat(source: &Source) -> Result<ResultTable<CombatResult>, Faults> {
    let table = ResultTable::read(source, CombatResult::from_word)?;
    let expected = (0..WIDTH as i16).map(|place| heading(FIRST_COLUMN + place));
    if expected.eq((0..table.width()).map(|column| table.heading(column).to_owned())) {
        Ok(table)
    } else {
        Err(source.fault(0, "columns", "expected the columns 1:6 to 7:1 (11.10a)").into())
    }
}

/// How a place on the ladder of odds is written.
fn heading(place: i16) -> String {
    if place >= 0 { format!("{}:1", place + 1) } else { format!("1:{}", 1 - place) }
}
