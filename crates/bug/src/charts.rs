//! The data files: counters, HQs, terrain chart, combat table, chits, tracks.

use std::str::FromStr;

use board::Mp;
use engine::{Data, OddsLine, Provenance, ResultTable, Side, words};
use source::{Doc, Faults, Row, Source, Table};

use crate::{Arm, Class, Corps, Division, Units};

pub(crate) const TERRAIN: &str = "tables/terrain.toml";
pub(crate) const COMBAT: &str = "tables/combat.toml";
pub(crate) const CHITS: &str = "tables/chits.toml";
pub(crate) const ACTION_POINTS: &str = "tables/action-points.toml";
pub(crate) const INTERDICTION: &str = "tables/interdiction.toml";
pub(crate) const RECOVERY: &str = "tables/recovery.toml";
pub(crate) const TRACK: &str = "tables/track.tsv";
pub(crate) const TRANSFERS: &str = "tables/transfers.tsv";
pub(crate) const COUNTERS: &str = "counters.tsv";
pub(crate) const HQS: &str = "hqs.tsv";

/// The boxes of the Initiative track: 0 and 2 are given, the others are ours (6.1i, R30).
pub(crate) const INITIATIVE_TRACK: [u8; 6] = [0, 2, 3, 4, 5, 6];

words! {
    /// What an HQ may not stray from (10.4).
    pub enum Tether: "tether" {
        /// Volodymyr-Volynskyi.
        Town = "town",
        /// The Southern Soviet Supply Area.
        South = "south",
        /// The Northern Soviet Supply Area.
        North = "north",
    }
}

/// What is printed on one side of a counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Printed {
    /// The Effectiveness Rating.
    pub(crate) rating: u8,
    pub(crate) tank_points: u8,
    pub(crate) at_points: u8,
}

/// What only an HQ has (3.3d).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HqValues {
    pub(crate) division: Division,
    pub(crate) command_range: u8,
    pub(crate) reaction: u8,
    pub(crate) relocation: u8,
    pub(crate) max_level: u8,
    pub(crate) start_level: u8,
    pub(crate) recovery: u8,
    pub(crate) tether: Option<Tether>,
}

/// A counter: a combat unit (3.3e) or an HQ (3.3d).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Counter {
    pub(crate) name: String,
    pub(crate) side: Side,
    pub(crate) title: String,
    /// The name of the formation's HQ; its own for an HQ.
    pub(crate) formation: String,
    pub(crate) corps: Option<Corps>,
    pub(crate) arm: Arm,
    pub(crate) class: Class,
    /// Strength of a combat unit, Support Points of an HQ.
    pub(crate) strength: u8,
    pub(crate) allowance: u8,
    pub(crate) fresh: Printed,
    pub(crate) disrupted: Printed,
    pub(crate) independent: bool,
    /// The label of the set-up hex.
    pub(crate) hex: Option<String>,
    /// The turn of arrival.
    pub(crate) turn: Option<u8>,
    /// The labels of the entry hexes; for an HQ in order of preference.
    pub(crate) entry: Vec<String>,
    /// One of the reserve of 41. Tank Division (10.5a).
    pub(crate) reserve: bool,
    pub(crate) hq: Option<HqValues>,
}

const UNIT_COLUMNS: [&str; 20] = [
    "unit",
    "side",
    "title",
    "formation",
    "corps",
    "type",
    "class",
    "strength",
    "ma",
    "er",
    "er_disrupted",
    "tp",
    "tp_disrupted",
    "at",
    "at_disrupted",
    "independent",
    "hex",
    "turn",
    "entry",
    "reserve",
];

const HQ_COLUMNS: [&str; 16] = [
    "unit",
    "side",
    "title",
    "corps",
    "kind",
    "command",
    "reaction",
    "relocation",
    "support",
    "max",
    "level",
    "recovery",
    "hex",
    "turn",
    "entry",
    "tether",
];

pub(crate) fn read_units(source: &Source) -> Result<Vec<Counter>, Faults> {
    Row::read_all(source, &UNIT_COLUMNS, read_unit)
}

pub(crate) fn read_hqs(source: &Source) -> Result<Vec<Counter>, Faults> {
    Row::read_all(source, &HQ_COLUMNS, read_hq)
}

fn read_unit(row: &mut Row<'_>) -> Option<Counter> {
    let side = row.read("side", Side::from_word);
    let corps = row.optional("corps", Corps::from_word);
    let arm = row.read("type", |word| match Arm::from_word(word)? {
        Arm::Hq => Err(format!("an HQ stands in {HQS}")),
        arm => Ok(arm),
    });
    let class = row.read("class", Class::from_word);
    let strength = row.number("strength", 1, 12);
    let allowance = row.number("ma", 1, 20);
    let mut printed = |rating: &str, tanks: &str, guns: &str| {
        let rating = row.number(rating, 1, 10);
        let tanks = row.number(tanks, 0, 9);
        let guns = row.number(guns, 0, 9);
        Some(Printed { rating: rating?, tank_points: tanks?, at_points: guns? })
    };
    let fresh = printed("er", "tp", "at");
    let disrupted = printed("er_disrupted", "tp_disrupted", "at_disrupted");
    let independent = row.yes_no("independent");
    let reserve = row.yes_no("reserve");
    let turn = row.optional_number("turn", 2, 20);
    Some(Counter {
        name: row.text("unit").to_owned(),
        side: side?,
        title: row.text("title").to_owned(),
        formation: row.text("formation").to_owned(),
        corps: corps?,
        arm: arm?,
        class: class?,
        strength: strength?,
        allowance: allowance?,
        fresh: fresh?,
        disrupted: disrupted?,
        independent: independent?,
        hex: row.words("hex").pop(),
        turn: turn?,
        entry: row.words("entry"),
        reserve: reserve?,
        hq: None,
    })
}

fn read_hq(row: &mut Row<'_>) -> Option<Counter> {
    let side = row.read("side", Side::from_word);
    let corps = row.optional("corps", Corps::from_word);
    let division = row.read("kind", Division::from_word);
    let command_range = row.number("command", 1, 30);
    let reaction = row.number("reaction", 0, 10);
    let relocation = row.number("relocation", 1, 3);
    let strength = row.number("support", 0, 12);
    let max_level = row.number("max", 1, 9);
    let start_level = row.number("level", 0, 9);
    let recovery = row.number("recovery", 0, 9);
    let turn = row.optional_number("turn", 2, 20);
    let tether = row.optional("tether", Tether::from_word);
    let name = row.text("unit").to_owned();
    Some(Counter {
        side: side?,
        title: row.text("title").to_owned(),
        formation: name.clone(),
        name,
        corps: corps?,
        arm: Arm::Hq,
        class: Class::Motorized,
        strength: strength?,
        allowance: 0,
        fresh: Printed::default(),
        disrupted: Printed::default(),
        independent: false,
        hex: row.words("hex").pop(),
        turn: turn?,
        entry: row.words("entry"),
        reserve: false,
        hq: Some(HqValues {
            division: division?,
            command_range: command_range?,
            reaction: reaction?,
            relocation: relocation?,
            max_level: max_level?,
            start_level: start_level?,
            recovery: recovery?,
            tether: tether?,
        }),
    })
}

fn read_transfer(row: &mut Row<'_>) -> Option<Transfer> {
    let arm = row.read("type", Arm::from_word);
    let most = row.number("most", 1, 9);
    Some(Transfer { from: row.words("from"), arm: arm?, most: most?, to: row.words("to") })
}

fn read_turn(row: &mut Row<'_>) -> Option<TrackTurn> {
    let turn = row.number("turn", 1, 20);
    let infantry = row.number("infantry", 0, 20);
    let afv = row.number("afv", 0, 20);
    Some(TrackTurn { turn: turn?, hours: row.text("hours").to_owned(), points: [infantry?, afv?] })
}

/// Units that may change their formation (5.5.1d to 5.5.1i); formations by their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Transfer {
    pub(crate) from: Vec<String>,
    pub(crate) arm: Arm,
    pub(crate) most: u8,
    pub(crate) to: Vec<String>,
}

/// The same for the units and formations of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TransferLine {
    pub(crate) units: Units,
    pub(crate) most: u8,
    /// Formations, a bit each.
    pub(crate) to: u16,
}

/// A part of the whole, such as a half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) over: u8,
    pub(crate) under: u8,
}

impl Part {
    pub(crate) const WHOLE: Part = Part { over: 1, under: 1 };

    fn read(text: &str) -> Result<Part, String> {
        let wrong = || format!("`{text}` is not a part of the whole such as 0, 1/4 or 1");
        let (over, under) = text.split_once('/').unwrap_or((text, "1"));
        match (over.parse(), under.parse()) {
            (Ok(over), Ok(under)) if under >= 1 && over <= under => Ok(Part { over, under }),
            _ => Err(wrong()),
        }
    }
}

/// What attacking across a hexside does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HexsideEffect {
    pub(crate) drm: i8,
    /// The part of the attacker's Tank Points that counts.
    pub(crate) tanks: Part,
}

/// A row of the terrain chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TerrainEffect {
    pub(crate) name: String,
    /// By [`Gait`](crate::ground::Gait).
    pub(crate) costs: [Mp; 3],
    /// Who projects a zone of control into it.
    pub(crate) zoc: [bool; 3],
    pub(crate) tanks: Part,
    pub(crate) at_bonus: u8,
    pub(crate) odds: OddsLine,
}

/// The terrain chart (7.3b).
#[derive(Clone, Debug)]
pub(crate) struct TerrainChart {
    pub(crate) rows: Vec<TerrainEffect>,
    pub(crate) pillbox_at: u8,
    pub(crate) pillbox_odds: OddsLine,
    pub(crate) stream: HexsideEffect,
    pub(crate) bridged_stream: HexsideEffect,
    pub(crate) river: HexsideEffect,
    pub(crate) bridged_river: HexsideEffect,
    /// What a hex costs along each sort of road: leg, motorized.
    pub(crate) roads: Vec<(String, [Mp; 2])>,
}

impl TerrainChart {
    pub(crate) fn read(source: &Source) -> Result<TerrainChart, Faults> {
        let doc = Doc::parse(source)?;
        let chart = read_chart(&doc.root());
        doc.finish(chart)
    }
}

fn read_chart(root: &Table<'_>) -> Option<TerrainChart> {
    root.need("title");
    Provenance::read(root);
    let pillbox = root.need("pillbox").and_then(|item| item.table());
    let pillbox_at = pillbox.as_ref().and_then(|table| table.need("at_bonus")?.int(0..=9u8));
    let pillbox_odds =
        pillbox.as_ref().and_then(|table| table.need("odds")).map(|item| OddsLine::read(&item));
    let attack = root.need("attack").and_then(|item| item.table());
    let hexside = |key: &str| {
        let table = attack.as_ref()?.need(key)?.table()?;
        let drm = table.need("drm").and_then(|item| item.int(-9..=0i8));
        let tanks = table.need("tanks").and_then(|item| item.parse(Part::read));
        table.done();
        Some(HexsideEffect { drm: drm?, tanks: tanks? })
    };
    let (stream, bridged_stream) = (hexside("stream"), hexside("bridged_stream"));
    let (river, bridged_river) = (hexside("river"), hexside("bridged_river"));
    let roads = root.need("road").and_then(|item| item.table());
    let roads = roads.map(|table| table.rest()).unwrap_or_default();
    let roads = roads.into_iter().filter_map(|(name, item)| {
        let table = item.table()?;
        let costs = [read_mp(&table, "leg"), read_mp(&table, "mot")];
        table.done();
        Some((name.to_owned(), [costs[0]?, costs[1]?]))
    });
    let roads = roads.collect();
    let rows = root.need("terrain").map(|rows| rows.tables()).unwrap_or_default();
    let rows = rows.iter().filter_map(read_terrain).collect();
    root.done();
    Some(TerrainChart {
        rows,
        pillbox_at: pillbox_at?,
        pillbox_odds: pillbox_odds?,
        stream: stream?,
        bridged_stream: bridged_stream?,
        river: river?,
        bridged_river: bridged_river?,
        roads,
    })
}

fn read_mp(table: &Table<'_>, key: &str) -> Option<Mp> {
    table.need(key)?.parse(Mp::from_str)
}

fn read_terrain(row: &Table<'_>) -> Option<TerrainEffect> {
    row.need("letter");
    let name = row.need("name").and_then(|item| item.str());
    let costs = ["leg", "mot", "afv"].map(|key| read_mp(row, key));
    let mut zoc = [false; 3];
    for word in row.get("zoc").map(|item| item.words()).unwrap_or_default() {
        if let Some(gait) = word.one_of(&["leg", "mot", "afv"]) {
            zoc[gait] = true;
        }
    }
    let tanks = row.need("tanks").and_then(|item| item.parse(Part::read));
    let at_bonus = row.need("at_bonus").and_then(|item| item.int(0..=9u8));
    let odds = row.need("odds").map(|item| OddsLine::read(&item));
    row.done();
    Some(TerrainEffect {
        name: name?.to_owned(),
        costs: [costs[0]?, costs[1]?, costs[2]?],
        zoc,
        tanks: tanks?,
        at_bonus: at_bonus?,
        odds: odds?,
    })
}

/// A combat result: the hits on each side, and whether they are printed in red (7.5.1.2e).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CombatResult {
    pub(crate) attacker: u8,
    pub(crate) attacker_red: bool,
    pub(crate) defender: u8,
    pub(crate) defender_red: bool,
}

impl CombatResult {
    /// `2r/1`.
    fn read(text: &str) -> Result<CombatResult, String> {
        let hits = |text: &str| {
            let digits = text.strip_suffix('r');
            let hits = digits.unwrap_or(text).parse::<u8>().ok().filter(|hits| *hits <= 9)?;
            Some((hits, digits.is_some()))
        };
        let sides = text.split_once('/').and_then(|(a, d)| Some((hits(a)?, hits(d)?)));
        let ((attacker, attacker_red), (defender, defender_red)) =
            sides.ok_or_else(|| format!("`{text}` is no result such as 2r/1"))?;
        Ok(CombatResult { attacker, attacker_red, defender, defender_red })
    }
}

/// A combat chit: multipliers by column and Effectiveness Rating (7.5.1.1g).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chit {
    /// Left, middle and right, each for ratings 1 to 10.
    pub(crate) columns: [[Mp; 10]; 3],
}

fn read_chits(source: &Source) -> Result<Vec<Chit>, Faults> {
    let doc = Doc::parse(source)?;
    let root = doc.root();
    root.need("title");
    Provenance::read(&root);
    let tables = root.need("chit").map(|chits| chits.tables()).unwrap_or_default();
    let chits: Vec<Chit> = tables.iter().filter_map(read_chit).collect();
    if tables.len() < 2 {
        root.fault("two chits are drawn for a combat, so there must be at least two");
    }
    root.done();
    doc.finish(Some(chits))
}

fn read_chit(table: &Table<'_>) -> Option<Chit> {
    let columns = ["left", "middle", "right"].map(|key| {
        let item = table.need(key)?;
        let cells: Vec<Mp> = item.words().iter().filter_map(|word| word.parse(read_multiplier)).collect();
        let column: Option<[Mp; 10]> = cells.try_into().ok();
        if column.is_none() {
            item.fault("expected ten multipliers, one for each Effectiveness Rating");
        }
        column
    });
    table.done();
    Some(Chit { columns: [columns[0]?, columns[1]?, columns[2]?] })
}

/// A multiplier from 1 to 3, in halves or any other part that twelfths can hold (5.1a).
fn read_multiplier(text: &str) -> Result<Mp, String> {
    Mp::from_str(text)
        .ok()
        .filter(|mp| (Mp::ONE..=Mp::whole(3)).contains(mp))
        .ok_or_else(|| format!("`{text}` is no multiplier from 1 to 3"))
}

/// Points of an activation and of a reaction.
type Points = (u8, u8);

fn read_points(text: &str) -> Result<Points, String> {
    let wrong = || format!("`{text}` is not ACTIVATION/REACTION, such as 4/2");
    let (black, red) = text.split_once('/').ok_or_else(wrong)?;
    match (black.parse(), red.parse()) {
        (Ok(black), Ok(red)) if black <= 7 && red <= 7 => Ok((black, red)),
        _ => Err(wrong()),
    }
}

fn up_to(most: u8) -> impl Fn(&str) -> Result<u8, String> {
    move |text| {
        text.parse()
            .ok()
            .filter(|n| *n <= most)
            .ok_or_else(|| format!("`{text}` is not a whole number from 0 to {most}"))
    }
}

/// A box of the turn track (7.8d).
#[derive(Clone, Debug, PartialEq, Eq)]
struct TrackTurn {
    turn: u8,
    hours: String,
    /// German replacement points: infantry and AFV (8.3.1d).
    points: [u8; 2],
}

/// The turn track.
#[derive(Clone, Debug, Default)]
pub(crate) struct Track(Vec<TrackTurn>);

impl Track {
    fn read(source: &Source) -> Result<Track, Faults> {
        Row::read_all(source, &["turn", "hours", "infantry", "afv"], read_turn).map(Track)
    }

    fn find(&self, turn: u8) -> Option<&TrackTurn> {
        self.0.iter().find(|of| of.turn == turn)
    }

    pub(crate) fn points(&self, turn: u8) -> [u8; 2] {
        self.find(turn).map(|of| of.points).unwrap_or_default()
    }

    pub(crate) fn hours(&self, turn: u8) -> &str {
        self.find(turn).map_or("", |of| &of.hours)
    }
}

/// All tables of a game.
#[derive(Clone, Debug)]
pub(crate) struct Charts {
    pub(crate) terrain: TerrainChart,
    pub(crate) combat: ResultTable<CombatResult>,
    pub(crate) chits: Vec<Chit>,
    pub(crate) action_points: ResultTable<Points>,
    pub(crate) interdiction: ResultTable<u8>,
    pub(crate) recovery: ResultTable<u8>,
    pub(crate) track: Track,
    pub(crate) transfers: Vec<Transfer>,
}

impl Charts {
    pub(crate) fn read(doc: &Doc<'_>, data: &Data) -> Option<Charts> {
        let terrain = data.read(doc, TERRAIN, TerrainChart::read);
        let combat = data.read(doc, COMBAT, |source| ResultTable::read(source, CombatResult::read));
        let chits = data.read(doc, CHITS, read_chits);
        let action_points = data.read(doc, ACTION_POINTS, |source| ResultTable::read(source, read_points));
        let interdiction = data.read(doc, INTERDICTION, |source| ResultTable::read(source, up_to(2)));
        let recovery = data.read(doc, RECOVERY, |source| ResultTable::read(source, up_to(9)));
        let track = data.read(doc, TRACK, Track::read);
        let transfers = data.read(doc, TRANSFERS, |source| {
            Row::read_all(source, &["from", "type", "most", "to", "case"], read_transfer)
        });
        let charts = Charts {
            terrain: terrain?,
            combat: combat?,
            chits: chits?,
            action_points: action_points?,
            interdiction: interdiction?,
            recovery: recovery?,
            track: track?,
            transfers: transfers?,
        };
        charts.fit(doc).then_some(charts)
    }

    /// Whether the tables fit each other.
    fn fit(&self, doc: &Doc<'_>) -> bool {
        let width = self.combat.width();
        let fits = |odds: &OddsLine| !odds.is_empty() && odds.len() <= width;
        let mut lines = self.terrain.rows.iter().map(|row| &row.odds).chain([&self.terrain.pillbox_odds]);
        let (lines, recovery) = (lines.all(fits), self.recovery.width() == 4);
        if !lines {
            doc.root()
                .fault(format!("{TERRAIN}: an odds line has between 1 and {width} columns, as {COMBAT} has"));
        }
        if !recovery {
            doc.root()
                .fault(format!("{RECOVERY}: expected 4 columns: German, and Soviet at levels 0, 1 and 2"));
        }
        lines && recovery
    }
}
