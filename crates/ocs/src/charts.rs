//! The data files: counters, HQs, aircraft, ships, transports, and the charts.

use std::fmt;

use board::Mp;
use engine::row::Cells;
use engine::{BySide, Data, Lexicon, OddsLine, Provenance, Row as Numbers, Side, Word};
use source::{Doc, Faults, Item, Row, Source, Table};

use crate::{AirResult, AirType, Arm, Class, FlakResult, Ground, Mobility, Motor, Size, Weather};

pub(crate) const COUNTERS: &str = "counters.tsv";
pub(crate) const HQS: &str = "hqs.tsv";
pub(crate) const AIR: &str = "air.tsv";
pub(crate) const SHIPS: &str = "ships.tsv";
pub(crate) const TRANSPORTS: &str = "transports.tsv";
const TERRAIN: &str = "tables/terrain.toml";
const COMBAT: &str = "tables/combat.toml";
const BARRAGE: &str = "tables/barrage.toml";
const SUPPLY: &str = "tables/supply.toml";
const SUPPLIES: &str = "tables/supplies.toml";
const FACILITY: &str = "tables/facility.toml";
const FLAK: &str = "tables/flak.toml";
const AIR_COMBAT: &str = "tables/air.toml";
const CAPTURE: &str = "tables/capture.toml";
const WEATHER: &str = "tables/weather.toml";
const WEATHER_ROLLS: &str = "weather.tsv";

/// What a value is multiplied by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Factor(pub(crate) u8, pub(crate) u8);

impl Factor {
    pub(crate) const ONE: Factor = Factor(1, 1);
    pub(crate) const HALF: Factor = Factor(1, 2);
    pub(crate) const TWICE: Factor = Factor(2, 1);

    /// Reads `1`, `1/2` or `2`.
    fn read(text: &str) -> Result<Factor, String> {
        let (over, under) = text.split_once('/').unwrap_or((text, "1"));
        match (over.parse(), under.parse()) {
            (Ok(over @ 0..=9), Ok(under @ 1..=4)) => Ok(Factor(over, under)),
            _ => Err(format!("`{text}` is not a factor such as 1, 1/2 or 2")),
        }
    }

    /// So many movement points times this; parts of a twelfth are of no use to anybody.
    pub(crate) fn of(self, points: Mp) -> Mp {
        Mp::twelfths(points.in_twelfths() * u16::from(self.0) / u16::from(self.1))
    }
}

/// A strength with all its fractions (4.3b, 4.4), in 384ths: halves of halves and thirds of them come out even.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Strength(pub u32);

impl Strength {
    const WHOLE: u32 = 384;

    /// So many points.
    pub const fn whole(points: u32) -> Strength {
        Strength(points * Strength::WHOLE)
    }

    pub(crate) fn times(self, factor: Factor) -> Strength {
        Strength(self.0 * u32::from(factor.0) / u32::from(factor.1))
    }

    /// The nearest whole number, halves up (4.3a).
    pub fn rounded(self) -> u32 {
        (self.0 + Strength::WHOLE / 2) / Strength::WHOLE
    }
}

impl std::iter::Sum for Strength {
    fn sum<I: Iterator<Item = Strength>>(parts: I) -> Strength {
        Strength(parts.map(|part| part.0).sum())
    }
}

impl fmt::Display for Strength {
    /// `4`, `3/8` or `4+3/8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, mut over, mut under) = (self.0 / Self::WHOLE, self.0 % Self::WHOLE, Self::WHOLE);
        for prime in [2, 3] {
            while over > 0 && over.is_multiple_of(prime) && under.is_multiple_of(prime) {
                (over, under) = (over / prime, under / prime);
            }
        }
        match (whole, over) {
            (whole, 0) => write!(f, "{whole}"),
            (0, over) => write!(f, "{over}/{under}"),
            (whole, over) => write!(f, "{whole}+{over}/{under}"),
        }
    }
}

impl Word for Strength {
    const KIND: &'static str = "strength";
    fn word(&self, _: &dyn Lexicon) -> String {
        self.to_string()
    }
    fn read(word: &str, _: &dyn Lexicon) -> Result<Self, String> {
        let part = |text: &str| {
            let (over, under) = text.split_once('/').unwrap_or((text, "1"));
            let (over, under): (u32, u32) = (over.parse().ok()?, under.parse().ok()?);
            let all = over.checked_mul(Strength::WHOLE)?;
            (under > 0 && all % under == 0).then(|| Strength(all / under))
        };
        let sum: Option<Vec<Strength>> = word.split('+').map(part).collect();
        sum.map(|parts| parts.into_iter().sum())
            .ok_or_else(|| format!("`{word}` is not a strength such as 4 or 4+3/8"))
    }
    fn write_cells(&self, _: &dyn Lexicon, row: &mut Numbers) -> bool {
        row.value((self.0 >> 15) as i16) && row.value((self.0 & 0x7fff) as i16)
    }
    fn read_cells(cells: &mut Cells<'_>) -> Option<Self> {
        let (high, low) = (u32::try_from(cells.value()?).ok()?, u32::try_from(cells.value()?).ok()?);
        Some(Strength(high << 15 | low))
    }
}

/// One side of a counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Face {
    pub(crate) strength: u8,
    pub(crate) allowance: u8,
    pub(crate) mobility: Mobility,
    /// How far an HQ throws, in truck MPs (3.4).
    pub(crate) throw: u8,
}

/// What a piece is, and what only such pieces have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A ground combat unit (4.8).
    Unit,
    Hq,
    Air(Aircraft),
    Ship(Ship),
    /// Trucks or wagons: what counts is how many points there are (3.6).
    Transport {
        wagon: bool,
    },
}

/// What an air unit has in each of its two steps (3.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Aircraft {
    pub(crate) kind: AirType,
    /// A second type of a combination (14.4e).
    pub(crate) other: Option<AirType>,
    pub(crate) offensive: bool,
    pub(crate) range: u8,
    /// Reduced, then full.
    pub(crate) rating: [u8; 2],
    pub(crate) support: [u8; 2],
    pub(crate) capacity: [u8; 2],
}

/// A ship (19).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ship {
    pub(crate) capacity: u8,
    pub(crate) craft: bool,
}

/// A counter as it is printed (3.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Counter {
    pub(crate) name: String,
    pub(crate) side: Side,
    pub(crate) nation: String,
    pub(crate) title: String,
    pub(crate) division: String,
    pub(crate) kind: Kind,
    pub(crate) arm: Arm,
    pub(crate) class: Class,
    pub(crate) size: Size,
    /// Regimental equivalents in quarters (4.7).
    pub(crate) re: u8,
    pub(crate) steps: u8,
    pub(crate) combat: Face,
    pub(crate) travel: Face,
    /// Its strength is for defence only (3.1c).
    pub(crate) parenthesized: bool,
    pub(crate) rating: u8,
    pub(crate) barrage: u8,
    pub(crate) range: u8,
    pub(crate) motor: Motor,
    pub(crate) engineer: bool,
    pub(crate) setup: String,
    pub(crate) turn: Option<u8>,
    pub(crate) entry: String,
}

impl Counter {
    /// A ground combat unit or an HQ: what the rules call a unit (4.8, R14).
    pub(crate) fn is_unit(&self) -> bool {
        matches!(self.kind, Kind::Unit | Kind::Hq)
    }

    pub(crate) fn is_artillery(&self) -> bool {
        self.kind == Kind::Unit && self.barrage > 0
    }

    pub(crate) fn is_repl(&self) -> bool {
        matches!(self.arm, Arm::Pax | Arm::Eq)
    }

    pub(crate) fn is_transport(&self) -> bool {
        matches!(self.kind, Kind::Transport { .. })
    }

    /// A unit with modes (5.1).
    pub(crate) fn has_modes(&self) -> bool {
        self.is_unit() && self.arm != Arm::RailRepair
    }
}

const UNIT_COLUMNS: [&str; 24] = [
    "unit",
    "side",
    "nation",
    "division",
    "title",
    "type",
    "class",
    "size",
    "re",
    "steps",
    "combat",
    "move",
    "rating",
    "ma_combat",
    "mp_combat",
    "ma_move",
    "mp_move",
    "barrage",
    "range",
    "motor",
    "engineer",
    "setup",
    "turn",
    "entry",
];

pub(crate) fn read_counters(source: &Source) -> Result<Vec<Counter>, Faults> {
    Row::read_all(source, &UNIT_COLUMNS, read_counter)
}

/// A strength, and whether it stands in parentheses; nothing for `-`.
fn read_strength(text: &str) -> Result<(u8, bool), String> {
    if text == "-" {
        return Ok((0, false));
    }
    let plain = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let number = plain.unwrap_or(text).parse().ok().filter(|number| *number <= 60);
    number
        .map(|number| (number, plain.is_some()))
        .ok_or_else(|| format!("`{text}` is not a strength, such as 3 or (0)"))
}

/// Regimental equivalents in quarters.
fn read_re(text: &str) -> Result<u8, String> {
    let quarters = match text.split_once('/') {
        Some(("1", "4")) => Some(1),
        Some(("1", "2")) => Some(2),
        Some(_) => None,
        None => text.parse::<u8>().ok().filter(|whole| (1..=9).contains(whole)).map(|whole| whole * 4),
    };
    quarters.ok_or_else(|| format!("`{text}` is not a number of REs such as 1/4, 1/2 or 3"))
}

/// The text of a cell, empty for `-`.
fn cell(row: &Row<'_>, column: &str) -> String {
    row.words(column).join(" ")
}

fn read_counter(row: &mut Row<'_>) -> Option<Counter> {
    let side = row.read("side", Side::from_word);
    let arm = row.read("type", Arm::from_word);
    let class = row.read("class", Class::from_word);
    let size = row.read("size", Size::from_word);
    let re = row.read("re", read_re);
    let steps = row.number("steps", 1, 9);
    let combat = row.read("combat", read_strength);
    let travel = row.read("move", read_strength);
    let rating = row.number("rating", 0, 5);
    let [ma_combat, ma_move] = ["ma_combat", "ma_move"].map(|column| row.number(column, 0, 99));
    let [mp_combat, mp_move] = ["mp_combat", "mp_move"].map(|column| row.read(column, Mobility::from_word));
    let [barrage, range] = ["barrage", "range"].map(|column| row.optional_number(column, 1, 99));
    let motor = row.read("motor", Motor::from_word);
    let engineer = row.yes_no("engineer");
    let turn = row.optional_number("turn", 1, 99);
    let (combat, travel) = (combat?, travel?);
    let face = |strength: u8, allowance: u8, mobility| Face { strength, allowance, mobility, throw: 0 };
    Some(Counter {
        name: row.text("unit").to_owned(),
        side: side?,
        nation: row.text("nation").to_owned(),
        title: row.text("title").to_owned(),
        division: cell(row, "division"),
        kind: Kind::Unit,
        arm: arm?,
        class: class?,
        size: size?,
        re: re?,
        steps: steps?,
        combat: face(combat.0, ma_combat?, mp_combat?),
        travel: face(travel.0, ma_move?, mp_move?),
        parenthesized: combat.1,
        rating: rating?,
        barrage: barrage?.unwrap_or(0),
        range: range?.unwrap_or(0),
        motor: motor?,
        engineer: engineer?,
        setup: cell(row, "setup"),
        turn: turn?,
        entry: cell(row, "entry"),
    })
}

/// A piece that is no ground combat unit, to be filled in.
fn piece(name: &str, side: Side, kind: Kind, arm: Arm) -> Counter {
    Counter {
        name: name.to_owned(),
        side,
        nation: side.nation().to_owned(),
        title: name.to_owned(),
        division: String::new(),
        kind,
        arm,
        class: Class::Other,
        size: Size::None,
        re: 0,
        steps: 1,
        combat: Face::default(),
        travel: Face::default(),
        parenthesized: true,
        rating: 0,
        barrage: 0,
        range: 0,
        motor: Motor::None,
        engineer: false,
        setup: String::new(),
        turn: None,
        entry: String::new(),
    }
}

/// An HQ: defence 5, rating 0, one step, and 1 RE where it does not stack (9.16e, 12.1.a); on its Combat side it does not move
/// (12.1a.b).
pub(crate) fn read_hqs(source: &Source) -> Result<Vec<Counter>, Faults> {
    let columns =
        ["hq", "side", "nation", "title", "throw_combat", "throw_move", "ma_move", "setup", "turn", "entry"];
    Row::read_all(source, &columns, |row| {
        let side = row.read("side", Side::from_word);
        let [combat, travel, allowance] =
            ["throw_combat", "throw_move", "ma_move"].map(|column| row.number(column, 0, 99));
        let turn = row.optional_number("turn", 1, 99);
        let face = |throw, allowance| Face { strength: 5, allowance, mobility: Mobility::Truck, throw };
        Some(Counter {
            nation: row.text("nation").to_owned(),
            title: row.text("title").to_owned(),
            size: Size::Corps,
            combat: face(combat?, 0),
            travel: face(travel?, allowance?),
            engineer: true,
            setup: cell(row, "setup"),
            turn: turn?,
            entry: cell(row, "entry"),
            ..piece(row.text("hq"), side?, Kind::Hq, Arm::Hq)
        })
    })
}

pub(crate) fn read_air(source: &Source) -> Result<Vec<Counter>, Faults> {
    let columns = [
        "air",
        "side",
        "nation",
        "aircraft",
        "type",
        "rating",
        "offensive",
        "gs",
        "range",
        "capacity",
        "rating_reduced",
        "gs_reduced",
        "capacity_reduced",
        "setup",
        "turn",
    ];
    Row::read_all(source, &columns, |row| {
        let side = row.read("side", Side::from_word);
        let types = row.read("type", |text| {
            let (first, other) = text.split_once('/').map_or((text, None), |(a, b)| (a, Some(b)));
            Ok((AirType::from_word(first)?, other.map(AirType::from_word).transpose()?))
        });
        let offensive = row.yes_no("offensive");
        let range = row.number("range", 1, 99);
        let mut pair = |full: &str, reduced: &str| {
            let (reduced, full) = (row.number(reduced, 0, 40), row.number(full, 0, 40));
            Some([reduced?, full?])
        };
        let rating = pair("rating", "rating_reduced");
        let support = pair("gs", "gs_reduced");
        let capacity = pair("capacity", "capacity_reduced");
        let turn = row.optional_number("turn", 1, 99);
        let (kind, other) = types?;
        let aircraft = Aircraft {
            kind,
            other,
            offensive: offensive?,
            range: range?,
            rating: rating?,
            support: support?,
            capacity: capacity?,
        };
        Some(Counter {
            nation: row.text("nation").to_owned(),
            title: row.text("aircraft").to_owned(),
            steps: 2,
            setup: cell(row, "setup"),
            turn: turn?,
            ..piece(row.text("air"), side?, Kind::Air(aircraft), Arm::Air)
        })
    })
}

pub(crate) fn read_ships(source: &Source) -> Result<Vec<Counter>, Faults> {
    let columns = ["ship", "side", "title", "ma", "barrage", "range", "capacity", "craft", "setup", "turn"];
    Row::read_all(source, &columns, |row| {
        let side = row.read("side", Side::from_word);
        let allowance = row.number("ma", 0, 99);
        let [barrage, range] = ["barrage", "range"].map(|column| row.optional_number(column, 1, 99));
        let capacity = row.number("capacity", 0, 20);
        let craft = row.yes_no("craft");
        let turn = row.optional_number("turn", 1, 99);
        let ship = Ship { capacity: capacity?, craft: craft? };
        let face = Face { allowance: allowance?, ..Face::default() };
        Some(Counter {
            title: row.text("title").to_owned(),
            combat: face,
            travel: face,
            barrage: barrage?.unwrap_or(0),
            range: range?.unwrap_or(0),
            setup: cell(row, "setup"),
            turn: turn?,
            ..piece(row.text("ship"), side?, Kind::Ship(ship), Arm::Ship)
        })
    })
}

/// The most points that a truck or wagon counter can stand for.
pub(crate) const MOST_POINTS: u8 = 12;

pub(crate) fn read_transports(source: &Source) -> Result<Vec<Counter>, Faults> {
    Row::read_all(source, &["transport", "side", "kind", "ma"], |row| {
        let side = row.read("side", Side::from_word);
        let wagon = row.read("kind", |word| match word {
            "truck" => Ok(false),
            "wagon" => Ok(true),
            _ => Err(format!("`{word}` is not truck or wagon")),
        });
        let allowance = row.number("ma", 1, 99);
        let wagon = wagon?;
        // Wagons are drawn by horses (R112).
        let mobility = if wagon { Mobility::Leg } else { Mobility::Truck };
        let face = Face { allowance: allowance?, mobility, ..Face::default() };
        let arm = if wagon { Arm::Wagon } else { Arm::Truck };
        Some(Counter {
            steps: MOST_POINTS,
            combat: face,
            travel: face,
            ..piece(row.text("transport"), side?, Kind::Transport { wagon }, arm)
        })
    })
}

/// What a step costs by MP type; nothing where it is prohibited (6.2c).
pub(crate) type Costs = [Option<Mp>; 3];

/// The terrain of a hex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TerrainRow {
    pub(crate) name: String,
    pub(crate) costs: Costs,
    pub(crate) class: Ground,
}

/// What a unit's strength is multiplied by, for Armor, Mech and others (9.3b).
pub(crate) type ByClass = [Factor; 3];

/// A river, or a hexside that nobody crosses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HexsideRow {
    pub(crate) costs: Costs,
    pub(crate) attack: ByClass,
}

/// The terrain charts.
pub(crate) struct TerrainChart {
    pub(crate) rows: Vec<TerrainRow>,
    /// Primary roads, secondary roads, railroads.
    pub(crate) paths: [[Mp; 3]; 3],
    /// Minor rivers, major rivers, prohibited hexsides.
    pub(crate) hexsides: [HexsideRow; 3],
    pub(crate) fortification: [Mp; 3],
    /// By the class of terrain.
    pub(crate) attack: [ByClass; 3],
    pub(crate) defence: [ByClass; 3],
    pub(crate) fortified: ByClass,
}

fn read_terrain(source: &Source) -> Result<TerrainChart, Faults> {
    let doc = Doc::parse(source)?;
    let root = doc.root();
    root.need("title");
    Provenance::read(&root);
    let rows = root.need("terrain").map(|rows| rows.tables()).unwrap_or_default();
    let rows: Vec<TerrainRow> = rows.iter().filter_map(read_terrain_row).collect();
    let path = group(&root, "path", ["primary_road", "secondary_road", "railroad"], read_prices);
    let costs = group(&root, "hexside", ["minor_river", "major_river", "prohibited"], read_costs);
    let fortification = root.need("fortification").and_then(|item| read_prices(&item.table()?));
    let places = ["open", "close", "very_close"];
    let attack = root.need("attack").and_then(|item| item.table());
    let defence = root.need("defense").and_then(|item| item.table());
    let factors = |table: &Option<Table<'_>>, name: &str| {
        table.as_ref().and_then(|table| read_factors(&table.need(name)?.table()?))
    };
    let hexes = |table: &Option<Table<'_>>| {
        let [open, close, very_close] = places.map(|name| factors(table, name));
        Some([open?, close?, very_close?])
    };
    let (by_attack, by_defence) = (hexes(&attack), hexes(&defence));
    let sides = ["minor_river", "major_river", "prohibited"].map(|name| factors(&attack, name));
    let fortified = factors(&defence, "fortification");
    root.done();
    let chart = (|| {
        let (costs, [minor, major, prohibited]) = (costs?, sides);
        let side =
            |place: usize, attack: Option<ByClass>| Some(HexsideRow { costs: costs[place], attack: attack? });
        Some(TerrainChart {
            rows,
            paths: path?,
            hexsides: [side(0, minor)?, side(1, major)?, side(2, prohibited)?],
            fortification: fortification?,
            attack: by_attack?,
            defence: by_defence?,
            fortified: fortified?,
        })
    })();
    doc.finish(chart)
}

/// Three tables of one group.
fn group<T>(
    root: &Table<'_>,
    name: &str,
    names: [&str; 3],
    read: impl Fn(&Table<'_>) -> Option<T>,
) -> Option<[T; 3]> {
    let table = root.need(name)?.table()?;
    let [a, b, c] = names.map(|name| table.need(name).and_then(|item| read(&item.table()?)));
    table.done();
    Some([a?, b?, c?])
}

/// A cost, or P where nobody goes.
fn read_cost(text: &str) -> Result<Option<Mp>, String> {
    if text == "P" { Ok(None) } else { text.parse().map(Some).map_err(|_| format!("`{text}` is not a cost")) }
}

fn read_costs(table: &Table<'_>) -> Option<Costs> {
    let [leg, track, truck] =
        ["leg", "track", "truck"].map(|name| table.need(name).and_then(|item| item.parse(read_cost)));
    Some([leg?, track?, truck?])
}

fn read_prices(table: &Table<'_>) -> Option<[Mp; 3]> {
    let [leg, track, truck] = ["leg", "track", "truck"]
        .map(|name| table.need(name).and_then(|item| item.parse(|text| text.parse::<Mp>())));
    Some([leg?, track?, truck?])
}

fn read_factors(table: &Table<'_>) -> Option<ByClass> {
    let [armor, mech, other] =
        ["armor", "mech", "other"].map(|name| table.need(name).and_then(|item| item.parse(Factor::read)));
    table.done();
    Some([armor?, mech?, other?])
}

fn read_terrain_row(table: &Table<'_>) -> Option<TerrainRow> {
    table.need("letter");
    let name = table.need("name").and_then(|item| item.str());
    let costs = read_costs(table);
    let class = table.need("class").and_then(|item| item.parse(Ground::from_word));
    table.done();
    Some(TerrainRow { name: name?.to_owned(), costs: costs?, class: class? })
}

/// What one side of a combat result says (9.11 to 9.15).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Part {
    /// Steps that must be lost.
    pub loss: u8,
    /// Steps or hexes of retreat, as the owner likes.
    pub option: u8,
    /// Attackers with this action rating exploit; 0 for none.
    pub exploit: u8,
    /// The defenders are disorganized.
    pub dg: bool,
}

impl Part {
    fn read(text: &str, side: char) -> Option<Part> {
        let mut part = Part::default();
        if text == "-" {
            return Some(part);
        }
        let mut rest = text.strip_prefix(side)?;
        for (sign, number) in [('L', &mut part.loss), ('o', &mut part.option), ('e', &mut part.exploit)] {
            if let Some(after) = rest.strip_prefix(sign) {
                let digits = after.chars().take_while(char::is_ascii_digit).count();
                *number = after[..digits].parse().ok()?;
                rest = &after[digits..];
            }
        }
        if let Some(after) = rest.strip_prefix("DG") {
            part.dg = true;
            rest = after;
        }
        (rest.is_empty() && part != Part::default()).then_some(part)
    }

    fn write(self, side: char) -> String {
        if self == Part::default() {
            return "-".to_owned();
        }
        let number =
            |sign: char, number: u8| if number > 0 { format!("{sign}{number}") } else { String::new() };
        let dg = if self.dg { "DG" } else { "" };
        format!(
            "{side}{}{}{}{dg}",
            number('L', self.loss),
            number('o', self.option),
            number('e', self.exploit)
        )
    }

    /// Two results together (9.8d, R34): numbers add up, and of two ratings to exploit the lower counts.
    fn and(self, other: Part) -> Part {
        let exploit = match (self.exploit, other.exploit) {
            (0, rating) | (rating, 0) => rating,
            (one, two) => one.min(two),
        };
        Part {
            loss: self.loss.saturating_add(other.loss).min(9),
            option: self.option.saturating_add(other.option).min(9),
            exploit,
            dg: self.dg || other.dg,
        }
    }
}

/// A result of the Combat Table: `AL1o1/Do1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CombatResult {
    /// What the attacker suffers.
    pub attacker: Part,
    /// What the defender suffers.
    pub defender: Part,
}

impl CombatResult {
    /// Reads `AL1o1/Do1`.
    pub fn from_word(text: &str) -> Result<CombatResult, String> {
        let read = || {
            let (attacker, defender) = text.split_once('/')?;
            Some(CombatResult { attacker: Part::read(attacker, 'A')?, defender: Part::read(defender, 'D')? })
        };
        read().ok_or_else(|| format!("`{text}` is not a result such as AL1o1/Do1 or Ae4/DL1o2DG"))
    }

    pub(crate) fn and(self, other: CombatResult) -> CombatResult {
        CombatResult {
            attacker: self.attacker.and(other.attacker),
            defender: self.defender.and(other.defender),
        }
    }
}

impl fmt::Display for CombatResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.attacker.write('A'), self.defender.write('D'))
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
        let cell = |part: Part| {
            i16::from(part.loss)
                + 10 * i16::from(part.option)
                + 100 * i16::from(part.exploit)
                + 1_000 * i16::from(part.dg)
        };
        row.value(cell(self.attacker)) && row.value(cell(self.defender))
    }
    fn read_cells(cells: &mut Cells<'_>) -> Option<Self> {
        let part = |cell: i16| Part {
            loss: (cell % 10) as u8,
            option: (cell / 10 % 10) as u8,
            exploit: (cell / 100 % 10) as u8,
            dg: cell >= 1_000,
        };
        Some(CombatResult { attacker: part(cells.value()?), defender: part(cells.value()?) })
    }
}

/// The Combat Table: one line of odds for each class of terrain over the same columns (9.3).
pub(crate) struct CombatTable {
    lines: [OddsLine; 3],
    first_row: i32,
    rows: Vec<Vec<CombatResult>>,
}

impl CombatTable {
    /// The column of a strength against another in such ground: the quotient of the larger rounded to the nearest (9.7, R51,
    /// R52); against nothing the last one (9.16a.a).
    pub(crate) fn column(&self, ground: Ground, attack: Strength, defence: Strength) -> usize {
        let line = &self.lines[ground as usize];
        let last = line.len().saturating_sub(1);
        match (attack.0, defence.0) {
            (_, 0) => last,
            (0, _) => 0,
            (attack, defence) => {
                let whole = |large: u32, small: u32| {
                    (2 * u64::from(large) + u64::from(small)) / (2 * u64::from(small))
                };
                let odds = if attack >= defence {
                    (whole(attack, defence) as u32, 1)
                } else {
                    (1, whole(defence, attack) as u32)
                };
                line.column(odds.0, odds.1).unwrap_or(0)
            }
        }
    }

    /// A column so many to the right, within the table (9.1f).
    pub(crate) fn shifted(&self, column: usize, by: i8) -> usize {
        let last = self.lines[0].len().saturating_sub(1);
        column.saturating_add_signed(isize::from(by)).min(last)
    }

    pub(crate) fn heading(&self, ground: Ground, column: usize) -> Column {
        let (attack, defence) = self.lines[ground as usize].odds(column).unwrap_or((1, 1));
        Column { attack: attack as u8, defence: defence as u8 }
    }

    pub(crate) fn result(&self, column: usize, roll: i32) -> CombatResult {
        let last = self.first_row + self.rows.len() as i32 - 1;
        let row = roll.clamp(self.first_row, last) - self.first_row;
        self.rows.get(row as usize).and_then(|row| row.get(column)).copied().unwrap_or_default()
    }
}

fn read_combat(source: &Source) -> Result<CombatTable, Faults> {
    let doc = Doc::parse(source)?;
    let root = doc.root();
    root.need("title");
    Provenance::read(&root);
    let lines = ["open", "close", "very_close"].map(|name| root.need(name).map(|item| OddsLine::read(&item)));
    let width = lines[0].as_ref().map_or(0, OddsLine::len);
    let rows = root.need("rows").and_then(|rows| rows.table());
    let rows = rows.and_then(|rows| read_rows(&rows, width, CombatResult::from_word));
    root.done();
    let table = (|| {
        let [open, close, very_close] = lines;
        let (first_row, rows) = rows?;
        Some(CombatTable { lines: [open?, close?, very_close?], first_row, rows })
    })();
    doc.finish(table)
}

/// The rows of a chart by their dice, each one more than the last, with so many cells.
fn read_rows<T>(
    table: &Table<'_>,
    width: usize,
    read: impl Fn(&str) -> Result<T, String>,
) -> Option<(i32, Vec<Vec<T>>)> {
    let mut rows = Vec::new();
    let mut first = None;
    for (name, item) in table.rest() {
        let number: Option<i32> = item.parse(|_| name.parse().map_err(|_| "a row is named by its dice"));
        let words = item.words();
        let due = first.map_or(number, |first: i32| Some(first + rows.len() as i32));
        if words.len() != width || number != due {
            item.fault(format!("expected the next row of dice, with {width} results"));
            return None;
        }
        first = first.or(number);
        rows.push(words.iter().filter_map(|word| word.parse(&read)).collect());
    }
    Some((first?, rows))
}

/// A chart whose columns are ranges of numbers: `1`, `3-4`, `117+`, `<=2`.
pub(crate) struct Chart<T> {
    /// The least number of each column.
    least: Vec<u32>,
    first_row: i32,
    rows: Vec<Vec<T>>,
}

impl<T: Copy + Default> Chart<T> {
    /// Reads `columns` and `rows` of a table.
    fn read(root: &Table<'_>, read: impl Fn(&str) -> Result<T, String>) -> Option<Chart<T>> {
        let headings: Vec<String> = root
            .need("columns")
            .map(|item| item.words())
            .unwrap_or_default()
            .iter()
            .filter_map(|word| word.str().map(str::to_owned))
            .collect();
        let least = headings.iter().map(|heading| {
            let digits: String =
                heading.trim_start_matches("<=").chars().take_while(char::is_ascii_digit).collect();
            let number = digits.parse().unwrap_or(0);
            if heading.starts_with("<=") { 0 } else { number }
        });
        let least = least.collect();
        let rows = root.need("rows").and_then(|rows| rows.table())?;
        let (first_row, rows) = read_rows(&rows, headings.len(), read)?;
        Some(Chart { least, first_row, rows })
    }

    /// The column of a number; nothing when it is below the first.
    pub(crate) fn column(&self, number: u32) -> Option<usize> {
        self.least.partition_point(|least| *least <= number).checked_sub(1)
    }

    /// A column so many to the right, within the chart (R87).
    pub(crate) fn shifted(&self, column: usize, by: i32) -> usize {
        let last = self.least.len().saturating_sub(1) as i32;
        (column as i32 + by).clamp(0, last) as usize
    }

    /// The least number of a column, for accounts.
    pub(crate) fn least(&self, column: usize) -> u16 {
        self.least.get(column).map_or(0, |least| *least as u16)
    }

    pub(crate) fn result(&self, column: usize, roll: i32) -> T {
        let last = self.first_row + self.rows.len() as i32 - 1;
        let row = roll.clamp(self.first_row, last) - self.first_row;
        self.rows.get(row as usize).and_then(|row| row.get(column)).copied().unwrap_or_default()
    }
}

/// What a barrage does to units (12.4c.f): half steps lost, and whether all are disorganized.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BarrageResult {
    /// Steps in halves.
    pub halves: u8,
    /// All units are disorganized; steps always bring it (R7).
    pub dg: bool,
}

impl BarrageResult {
    /// Reads `-`, `DG`, `1/2`, `1` or `1+1/2`.
    pub fn from_word(text: &str) -> Result<BarrageResult, String> {
        let halves = match text {
            "-" => return Ok(BarrageResult::default()),
            "DG" => Some(0),
            "1/2" => Some(1),
            _ => {
                let (whole, half) = text.strip_suffix("+1/2").map_or((text, 0), |whole| (whole, 1));
                whole.parse::<u8>().ok().filter(|whole| *whole <= 9).map(|whole| whole * 2 + half)
            }
        };
        halves
            .map(|halves| BarrageResult { halves, dg: true })
            .ok_or_else(|| format!("`{text}` is not a result such as -, DG, 1/2, 1 or 1+1/2"))
    }
}

impl fmt::Display for BarrageResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.dg, self.halves) {
            (false, _) => f.write_str("-"),
            (true, 0) => f.write_str("DG"),
            (true, 1) => f.write_str("1/2"),
            (true, halves) => write!(f, "{}{}", halves / 2, if halves % 2 == 1 { "+1/2" } else { "" }),
        }
    }
}

impl Word for BarrageResult {
    const KIND: &'static str = "result";
    fn word(&self, _: &dyn Lexicon) -> String {
        self.to_string()
    }
    fn read(word: &str, _: &dyn Lexicon) -> Result<Self, String> {
        BarrageResult::from_word(word)
    }
    fn write_cells(&self, _: &dyn Lexicon, row: &mut Numbers) -> bool {
        row.value(i16::from(self.halves) * 2 + i16::from(self.dg))
    }
    fn read_cells(cells: &mut Cells<'_>) -> Option<Self> {
        let value = cells.value()?;
        Some(BarrageResult { halves: (value / 2) as u8, dg: value % 2 == 1 })
    }
}

/// The Barrage Table and its column shifts (12.4c.h, 12.4c.i).
pub(crate) struct BarrageChart {
    pub(crate) table: Chart<BarrageResult>,
    /// From so many quarters of an RE on.
    density: Vec<(i32, i32)>,
    pub(crate) nobody_adjacent: i32,
    pub(crate) close: i32,
    pub(crate) very_close: i32,
    pub(crate) hedgehog: i32,
    pub(crate) fortification: i32,
    pub(crate) all_strategic: i32,
}

impl BarrageChart {
    /// The shift for so many quarters of an RE.
    pub(crate) fn density(&self, quarters: u32) -> i32 {
        from_on(&self.density, quarters as i32)
    }
}

/// The value of the last step that a number has reached.
fn from_on(steps: &[(i32, i32)], number: i32) -> i32 {
    steps.iter().rev().find(|(least, _)| *least <= number).map_or(0, |(_, value)| *value)
}

/// `["0 -2", "4 -1"]`: from so much on, so much.
fn read_steps(item: &Item<'_>) -> Vec<(i32, i32)> {
    let pair = |text: &str| {
        let (least, value) = text.split_once(' ')?;
        Some((least.parse().ok()?, value.parse().ok()?))
    };
    let read = |item: &Item<'_>| {
        item.parse(|text| pair(text).ok_or_else(|| format!("`{text}` is not two numbers such as 4 -1")))
    };
    item.items().iter().filter_map(read).collect()
}

fn read_barrage(source: &Source) -> Result<BarrageChart, Faults> {
    let doc = Doc::parse(source)?;
    let root = doc.root();
    root.need("title");
    Provenance::read(&root);
    let density = root.need("density").map(|item| read_steps(&item)).unwrap_or_default();
    let shift = |name: &str| root.need(name).and_then(|item| item.int(-9..=9)).unwrap_or(0);
    let shifts =
        ["nobody_adjacent", "close", "very_close", "hedgehog", "fortification", "all_strategic"].map(shift);
    let table = Chart::read(&root, BarrageResult::from_word);
    root.done();
    let chart = table.map(|table| {
        let [nobody_adjacent, close, very_close, hedgehog, fortification, all_strategic] = shifts;
        BarrageChart {
            table,
            density,
            nobody_adjacent,
            close,
            very_close,
            hedgehog,
            fortification,
            all_strategic,
        }
    });
    doc.finish(chart)
}

/// What a supply level does (11.4a.a).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LevelRow {
    pub(crate) attack: Factor,
    pub(crate) barrage: Factor,
    pub(crate) defence: Factor,
    /// On the movement allowance, by MP type.
    pub(crate) allowance: [Factor; 3],
}

/// The Supply Level Effects Chart, the Combat and Barrage Supply Tables, the Attrition Table.
pub(crate) struct SupplyChart {
    /// Full, Low, No Supply.
    pub(crate) levels: [LevelRow; 3],
    /// Tokens for an attack of up to 1 RE, and of more.
    pub(crate) attack: [u8; 2],
    pub(crate) defence: [u8; 2],
    attrition: Vec<(i32, i32)>,
}

impl SupplyChart {
    /// Steps lost to attrition by the modified dice (11.4e.a).
    pub(crate) fn attrition(&self, roll: i32) -> u8 {
        from_on(&self.attrition, roll) as u8
    }
}

fn read_supply(source: &Source) -> Result<SupplyChart, Faults> {
    let doc = Doc::parse(source)?;
    let root = doc.root();
    root.need("title");
    Provenance::read(&root);
    let levels =
        ["full", "low", "none"].map(|name| root.need(name).and_then(|item| read_level(&item.table()?)));
    let combat = root.need("combat").and_then(|item| item.table());
    let tokens = |name: &str| {
        let numbers: Vec<u8> =
            combat.as_ref()?.need(name)?.items().iter().filter_map(|item| item.int(0..=9)).collect();
        <[u8; 2]>::try_from(numbers).ok()
    };
    let (attack, defence) = (tokens("attack"), tokens("defence"));
    let attrition = root.need("attrition").and_then(|item| Some(read_steps(&item.table()?.need("steps")?)));
    root.done();
    let chart = (|| {
        let [full, low, none] = levels;
        Some(SupplyChart {
            levels: [full?, low?, none?],
            attack: attack?,
            defence: defence?,
            attrition: attrition?,
        })
    })();
    doc.finish(chart)
}

fn read_level(table: &Table<'_>) -> Option<LevelRow> {
    let [attack, barrage, defence, leg, track, truck] =
        ["attack", "barrage", "defence", "leg", "track", "truck"]
            .map(|name| table.need(name).and_then(|item| item.parse(Factor::read)));
    table.done();
    Some(LevelRow {
        attack: attack?,
        barrage: barrage?,
        defence: defence?,
        allowance: [leg?, track?, truck?],
    })
}

/// The Capture Table and the Dump Blowing Table: percent by the die, and how far the rest goes (9.16b.f, 11.8a.a).
pub(crate) struct CaptureChart {
    pub(crate) dump: [u8; 6],
    pub(crate) truck: [u8; 6],
    pub(crate) blowing: [u8; 6],
    pub(crate) dump_hexes: u8,
    pub(crate) truck_hexes: u8,
    pub(crate) wagon_hexes: u8,
}

fn read_capture(source: &Source) -> Result<CaptureChart, Faults> {
    let doc = Doc::parse(source)?;
    let root = doc.root();
    root.need("title");
    Provenance::read(&root);
    let percents = |name: &str| {
        let item = root.need(name)?;
        let numbers: Vec<u8> = item.items().iter().filter_map(|item| item.int(0..=100)).collect();
        let six = <[u8; 6]>::try_from(numbers).ok();
        if six.is_none() {
            item.fault("expected six numbers, one for each face of the die");
        }
        six
    };
    let [dump, truck, blowing] = ["dump", "truck", "blowing"].map(percents);
    let hexes = |name: &str| root.need(name).and_then(|item| item.int(1..=20));
    let [dump_hexes, truck_hexes, wagon_hexes] = ["dump_hexes", "truck_hexes", "wagon_hexes"].map(hexes);
    root.done();
    let chart = (|| {
        Some(CaptureChart {
            dump: dump?,
            truck: truck?,
            blowing: blowing?,
            dump_hexes: dump_hexes?,
            truck_hexes: truck_hexes?,
            wagon_hexes: wagon_hexes?,
        })
    })();
    doc.finish(chart)
}

/// What the weather does (18.0a).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WeatherRow {
    pub(crate) weather: Weather,
    pub(crate) flight: bool,
    /// On movement allowances of a side, by MP type (18.0b).
    pub(crate) allowance: BySide<[Factor; 3]>,
    pub(crate) ground: Season,
}

/// What the weather makes of roads, rivers and swamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Season {
    /// Secondary roads can be used.
    pub(crate) secondary_roads: bool,
    /// What minor and major rivers are now: their places among the hexsides, or nothing.
    pub(crate) rivers: [Option<usize>; 2],
    /// Swamps are frozen hard.
    pub(crate) hard: bool,
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
    let flight = table.need("flight").and_then(|item| item.bool());
    let [leg, track, truck] =
        ["leg", "track", "truck"].map(|name| table.need(name).and_then(|item| item.parse(Factor::read)));
    let roads = table.need("secondary_roads").and_then(|item| item.bool());
    let river = |name: &str| {
        let place = table.need(name)?.one_of(&["minor", "major", "clear"])?;
        Some(if place == 2 { None } else { Some(place) })
    };
    let both = [leg, track, truck];
    let exception = |side: Side| {
        let own = table.get(side.word()).and_then(|item| item.table());
        let factor = |name: &str| own.as_ref().and_then(|own| own.get(name)?.parse(Factor::read));
        let told = ["leg", "track", "truck"].map(factor);
        own.iter().for_each(Table::done);
        [told[0].or(both[0]), told[1].or(both[1]), told[2].or(both[2])]
    };
    let allowance = BySide::new_with(exception);
    let (minor, major) = (river("minor_river"), river("major_river"));
    let swamp = table.need("swamp").and_then(|item| item.one_of(&["swamp", "open"]));
    table.done();
    Some(WeatherRow {
        weather: weather?,
        flight: flight?,
        allowance: BySide { axis: all(allowance.axis)?, soviet: all(allowance.soviet)? },
        ground: Season { secondary_roads: roads?, rivers: [minor?, major?], hard: swamp? == 1 },
    })
}

/// All three, or nothing.
fn all([leg, track, truck]: [Option<Factor>; 3]) -> Option<[Factor; 3]> {
    Some([leg?, track?, truck?])
}

/// A row of the Weather Table (18.0.a): on these turns these sums of two dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WeatherRoll {
    pub(crate) turns: std::ops::RangeInclusive<u8>,
    pub(crate) rolls: std::ops::RangeInclusive<u8>,
    pub(crate) weather: Weather,
}

const WEATHER_COLUMNS: [&str; 19] = [
    "record",
    "first_turn",
    "last_turn",
    "dates",
    "dice",
    "roll_min",
    "roll_max",
    "weather",
    "flight",
    "ma_leg",
    "ma_track",
    "ma_truck",
    "secondary_road_as",
    "minor_river_as",
    "major_river_as",
    "swamp_as",
    "amphibious",
    "shipping_factor",
    "strait",
];

/// The rolls; the effects of each weather stand in its own chart.
fn read_weather_rolls(source: &Source) -> Result<Vec<WeatherRoll>, Faults> {
    let rows = Row::read_all(source, &WEATHER_COLUMNS, |row| {
        if row.text("record") != "roll" {
            return Some(None);
        }
        let [first, last] = ["first_turn", "last_turn"].map(|column| row.number(column, 1, 99));
        let [least, most] = ["roll_min", "roll_max"].map(|column| row.number(column, 2, 12));
        let weather = row.read("weather", Weather::from_word);
        Some(Some(WeatherRoll { turns: first?..=last?, rolls: least?..=most?, weather: weather? }))
    })?;
    Ok(rows.into_iter().flatten().collect())
}

/// The GS and Barrage versus Dump and Truck Table: percent lost (14.13b).
pub(crate) struct SuppliesChart {
    pub(crate) table: Chart<u8>,
    points: Vec<(i32, i32)>,
}

impl SuppliesChart {
    /// The shift for so many supply, truck and wagon points.
    pub(crate) fn shift(&self, points: u32) -> i32 {
        from_on(&self.points, points as i32)
    }
}

fn read_supplies(source: &Source) -> Result<SuppliesChart, Faults> {
    let doc = Doc::parse(source)?;
    let root = doc.root();
    root.need("title");
    Provenance::read(&root);
    let points = root.need("points").map(|item| read_steps(&item)).unwrap_or_default();
    let percent = |text: &str| {
        let number = text.parse().ok().filter(|number| *number <= 100);
        number.ok_or_else(|| format!("`{text}` is not a number of percent"))
    };
    let table = Chart::read(&root, percent);
    root.done();
    doc.finish(table.map(|table| SuppliesChart { table, points }))
}

/// The GS and Barrage versus Facility Table: levels or hits (14.13c).
fn read_facility(source: &Source) -> Result<Chart<u8>, Faults> {
    let doc = Doc::parse(source)?;
    let root = doc.root();
    root.need("title");
    Provenance::read(&root);
    root.need("port");
    let damage = |text: &str| match (text, text.strip_prefix("AB")) {
        ("-", _) => Ok(0),
        (_, Some("")) => Ok(1),
        (_, Some(levels)) => levels.parse().map_err(|_| format!("`{text}` is not a result such as AB2")),
        _ => Err(format!("`{text}` is not a result such as -, AB or AB2")),
    };
    let table = Chart::read(&root, damage);
    root.done();
    doc.finish(table)
}

/// The Flak Table (14.18b).
fn read_flak(source: &Source) -> Result<Chart<FlakResult>, Faults> {
    let doc = Doc::parse(source)?;
    let root = doc.root();
    root.need("title");
    Provenance::read(&root);
    let result = |text: &str| match text {
        "N" => Ok(FlakResult::None),
        "A" => Ok(FlakResult::Abort),
        "L" => Ok(FlakResult::Loss),
        _ => Err(format!("`{text}` is not N, A or L")),
    };
    let table = Chart::read(&root, result);
    root.done();
    doc.finish(table)
}

/// The Air to Air Combat Table: from a modified roll on (14.9d.b).
pub(crate) struct AirChart(Vec<(i32, AirResult)>);

impl AirChart {
    pub(crate) fn result(&self, roll: i8) -> AirResult {
        let row = self.0.iter().rev().find(|(least, _)| *least <= i32::from(roll));
        row.map(|(_, result)| *result).unwrap_or_default()
    }
}

fn read_air_combat(source: &Source) -> Result<AirChart, Faults> {
    let doc = Doc::parse(source)?;
    let root = doc.root();
    root.need("title");
    Provenance::read(&root);
    let row = |text: &str| {
        let (least, result) = text.split_once(' ')?;
        let result = AirResult::from_word(&result.replace(' ', "-")).ok()?;
        Some((least.parse().ok()?, result))
    };
    let read = |item: &Item<'_>| {
        item.parse(|text| row(text).ok_or_else(|| format!("`{text}` is not a row such as 7 defender abort")))
    };
    let rows = root.need("results").map(|item| item.items()).unwrap_or_default();
    let rows = rows.iter().filter_map(read).collect();
    root.done();
    doc.finish(Some(AirChart(rows)))
}

/// The charts of a game.
pub(crate) struct Charts {
    pub(crate) terrain: TerrainChart,
    pub(crate) combat: CombatTable,
    pub(crate) barrage: BarrageChart,
    pub(crate) supply: SupplyChart,
    pub(crate) capture: CaptureChart,
    pub(crate) supplies: SuppliesChart,
    pub(crate) facility: Chart<u8>,
    pub(crate) flak: Chart<FlakResult>,
    pub(crate) air: AirChart,
    pub(crate) weather: Vec<WeatherRow>,
    pub(crate) weather_rolls: Vec<WeatherRoll>,
}

impl Charts {
    pub(crate) fn read(doc: &Doc<'_>, data: &Data) -> Option<Charts> {
        let terrain = data.read(doc, TERRAIN, read_terrain);
        let combat = data.read(doc, COMBAT, read_combat);
        let barrage = data.read(doc, BARRAGE, read_barrage);
        let supply = data.read(doc, SUPPLY, read_supply);
        let capture = data.read(doc, CAPTURE, read_capture);
        let supplies = data.read(doc, SUPPLIES, read_supplies);
        let facility = data.read(doc, FACILITY, read_facility);
        let flak = data.read(doc, FLAK, read_flak);
        let air = data.read(doc, AIR_COMBAT, read_air_combat);
        let weather = data.read(doc, WEATHER, read_weather);
        let rolls = match data.file(WEATHER_ROLLS) {
            Ok(_) => data.read(doc, WEATHER_ROLLS, read_weather_rolls),
            Err(_) => Some(Vec::new()),
        };
        Some(Charts {
            terrain: terrain?,
            combat: combat?,
            barrage: barrage?,
            supply: supply?,
            capture: capture?,
            supplies: supplies?,
            facility: facility?,
            flak: flak?,
            air: air?,
            weather: weather?,
            weather_rolls: rolls?,
        })
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
