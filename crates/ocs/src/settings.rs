//! What a scenario brings along besides its position: how long it lasts, who begins, which parts of the rules are off, the
//! markers in the countermix, the hexes in play, and what wins.

use board::{Hex, Map};
use engine::situation::read_hexes;
use engine::{BySide, Side};
use source::{Doc, Faults, Item, Source, Table};

use crate::{Arm, HexSet, Off, Weather};

/// The settings of a scenario.
pub(crate) struct Settings {
    pub(crate) name: String,
    pub(crate) first: u8,
    pub(crate) last: u8,
    /// Who acts first in the segments of the Overphase (R40).
    pub(crate) overphase: Side,
    /// The first turn begins with its Player Turns.
    pub(crate) begins_with_player_turn: bool,
    /// The first player of the first turn, where it is not rolled.
    pub(crate) first_player: Option<Side>,
    off: Vec<Off>,
    pub(crate) area: Option<HexSet>,
    /// The weather of turns that have no roll for it.
    pub(crate) weather: Vec<(u8, Weather)>,
    /// Reserve markers from a turn on (5.7); without any there is no limit.
    reserve: BySide<Vec<(u8, u8)>>,
    /// Hedgehogs in the countermix (17.0.b); without any there is no limit.
    pub(crate) hedgehogs: Option<u8>,
    pub(crate) rail: Rail,
    /// How the supply that a side may divide among places is divided.
    pub(crate) division: BySide<Option<Division>>,
    /// Units that arrive other than their counters say: on which turn, and where.
    pub(crate) arrivals: Vec<Arrival>,
    /// Who may make Hip Shoots, and up to which turn (14.12d.c); without it both.
    pub(crate) hip_shoot: Option<(Side, u8)>,
    /// Units that leave the game before Supply Usage of a turn.
    pub(crate) withdrawals: Vec<Withdrawal>,
    /// Units that do not move up to and with a turn; they may retreat.
    pub(crate) fixed: Vec<Withdrawal>,
    pub(crate) victory: Vec<Worth>,
    pub(crate) sudden: Vec<Sudden>,
    pub(crate) levels: Vec<Level>,
}

/// What a game says of its railroads.
pub(crate) struct Rail {
    /// The two sides have different gauges: rails that one relays are of no use to the other.
    pub(crate) gauges: bool,
    /// Multi-track lines are usual ones for this side.
    pub(crate) single: BySide<bool>,
    /// This side loses the rails of each hex that an enemy unit enters.
    pub(crate) lost_to_entry: BySide<bool>,
}

/// How arriving supply is divided among several places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Division {
    /// At most half of it, rounded up, in one.
    HalfAtMost,
    /// At least half of it in the first.
    HalfInFirst,
}

/// A unit that arrives.
pub(crate) struct Arrival {
    pub(crate) unit: String,
    pub(crate) turn: u8,
    pub(crate) hexes: Vec<Hex>,
}

/// Units that leave the game on a turn, or that stay where they are until it is over.
pub(crate) struct Withdrawal {
    pub(crate) turn: u8,
    pub(crate) units: Vec<String>,
}

/// What ends the game at the end of a turn: the winner was the last in all of these hexes (R110).
pub(crate) struct Sudden {
    pub(crate) winner: Side,
    pub(crate) hexes: Vec<Hex>,
    pub(crate) from: u8,
}

/// Something that is worth points to the Axis at the end (R110).
pub(crate) struct Worth {
    pub(crate) what: What,
    pub(crate) points: i32,
}

/// What it is.
pub(crate) enum What {
    /// The last unit in the hex was the Axis's.
    Control(Hex),
    /// An Axis unit is in the hex.
    Unit(Hex),
    /// Axis units were the last in all of these hexes, and in one of those if there are any.
    Hexes { all: Vec<Hex>, any: Vec<Hex> },
    /// A side has lost fewer steps than this.
    StepsLost { side: Side, fewer: u16 },
    /// So many dead divisions of a side, of one counter with at least so many REs and of one of these types if any are named;
    /// the points are for each such lot.
    DeadDivisions { side: Side, quarters: u8, arms: Vec<Arm>, every: u16 },
    /// Each division of a side that has so many of its counters dead.
    DeadCounters { side: Side, counters: u8 },
}

/// A level of victory, from so many points on.
pub(crate) struct Level {
    pub(crate) least: i32,
    pub(crate) winner: Option<Side>,
}

impl Settings {
    pub(crate) fn read(name: &str, source: &Source, map: &Map) -> Result<Settings, Faults> {
        let doc = Doc::parse(source)?;
        let root = doc.root();
        let settings = read(name, &root, map);
        root.done();
        doc.finish(settings)
    }

    pub(crate) fn is_off(&self, part: Off) -> bool {
        self.off.contains(&part)
    }

    /// How many stacks of a side may be in Reserve on a turn; nothing where there is no limit (5.7, R24).
    pub(crate) fn reserve_markers(&self, side: Side, turn: u8) -> Option<u8> {
        self.reserve[side].iter().rev().find(|(from, _)| *from <= turn).map(|(_, markers)| *markers)
    }

    /// The weather of a turn, where it is not rolled.
    pub(crate) fn fixed_weather(&self, turn: u8) -> Option<Weather> {
        self.weather.iter().find(|(of, _)| *of == turn).map(|(_, weather)| *weather)
    }
}

fn read(name: &str, root: &Table<'_>, map: &Map) -> Option<Settings> {
    let first = root.get("first").map_or(Some(1), |item| item.int(1..=99));
    let last = root.need("last").and_then(|item| item.int(1..=99));
    let side = |key: &str| root.get(key).and_then(|item| item.parse(Side::from_word));
    let overphase = side("overphase").unwrap_or(Side::Axis);
    let first_player = side("first_player");
    let begins = root.get("begins").and_then(|item| item.one_of(&["overphase", "player-turn"]));
    let off = root.get("off").map(|item| item.items()).unwrap_or_default();
    let area = root.get("area").and_then(|item| item.parse(|name| area(map, name)));
    let weather = root.get("weather").map(|item| item.items()).unwrap_or_default();
    let weather = weather.iter().filter_map(|item| item.parse(read_weather)).collect();
    let reserve = root.get("reserve").and_then(|item| item.table());
    let markers = |side: Side| {
        let item = reserve.as_ref().and_then(|table| table.get(side.word()));
        item.map(|item| read_markers(&item)).unwrap_or_default()
    };
    let hedgehogs = root.get("hedgehogs").and_then(|item| item.table()?.get("pool")?.int(0..=99));
    let rail = root.get("rail").and_then(|item| item.table());
    let sides = |key: &str| {
        let item = rail.as_ref().and_then(|table| table.get(key));
        let named = item.map(|item| item.words()).unwrap_or_default();
        let named: Vec<Side> = named.iter().filter_map(|word| word.parse(Side::from_word)).collect();
        BySide::new_with(|side| named.contains(&side))
    };
    let gauges = rail.as_ref().and_then(|table| table.get("gauges")?.bool()).unwrap_or(false);
    let delivery = root.get("delivery").and_then(|item| item.table());
    let division = |side: Side| {
        let item = delivery.as_ref()?.get(side.word())?;
        let words = ["half-at-most", "half-in-first"];
        Some([Division::HalfAtMost, Division::HalfInFirst][item.one_of(&words)?])
    };
    let arrivals = root.get("arrival").map(|item| item.tables()).unwrap_or_default();
    let hip_shoot = root.get("hip_shoot").and_then(|item| item.parse(read_hip_shoot));
    let withdrawals = root.get("withdrawal").map(|item| item.tables()).unwrap_or_default();
    let fixed = root.get("fixed").map(|item| item.tables()).unwrap_or_default();
    let victory = root.get("victory").and_then(|item| item.table());
    let tables = |key: &str| {
        victory.as_ref().and_then(|table| table.get(key)).map(|item| item.tables()).unwrap_or_default()
    };
    Some(Settings {
        name: name.to_owned(),
        first: first?,
        last: last?,
        overphase,
        begins_with_player_turn: begins == Some(1),
        first_player,
        off: off.iter().filter_map(|item| item.parse(Off::from_word)).collect(),
        area,
        weather,
        reserve: BySide::new_with(markers),
        hedgehogs,
        rail: Rail { gauges, single: sides("single"), lost_to_entry: sides("lost_to_entry") },
        division: BySide::new_with(division),
        arrivals: arrivals.iter().filter_map(|table| read_arrival(table, map)).collect(),
        hip_shoot,
        withdrawals: withdrawals.iter().filter_map(read_withdrawal).collect(),
        fixed: fixed.iter().filter_map(read_withdrawal).collect(),
        sudden: tables("sudden").iter().filter_map(|table| read_sudden(table, map)).collect(),
        victory: tables("points").iter().filter_map(|table| read_worth(table, map)).collect(),
        levels: tables("level").iter().filter_map(read_victory_level).collect(),
    })
}

/// The hexes of an area of the map.
fn area(map: &Map, name: &str) -> Result<HexSet, String> {
    let layer = map.area(name).ok_or_else(|| format!("the map has no area `{name}`"))?;
    Ok(HexSet::from_layer(layer))
}

/// `5 mud`.
fn read_weather(text: &str) -> Result<(u8, Weather), String> {
    let (turn, weather) = text.split_once(' ').ok_or("expected a turn and its weather, such as 5 mud")?;
    let turn = turn.parse().map_err(|_| format!("`{turn}` is not a turn"))?;
    Ok((turn, Weather::from_word(weather)?))
}

/// `axis 7`: the side, and the last turn on which it may.
fn read_hip_shoot(text: &str) -> Result<(Side, u8), String> {
    let (side, until) = text.split_once(' ').unwrap_or((text, "99"));
    let until = until.parse().map_err(|_| format!("`{until}` is not a turn"))?;
    Ok((Side::from_word(side)?, until))
}

/// `["1 2", "5 8"]`: two from turn 1 on, eight from turn 5 on.
fn read_markers(item: &Item<'_>) -> Vec<(u8, u8)> {
    let pair = |text: &str| {
        let (turn, markers) = text.split_once(' ')?;
        Some((turn.parse().ok()?, markers.parse().ok()?))
    };
    let read = |item: &Item<'_>| {
        item.parse(|text| pair(text).ok_or_else(|| format!("`{text}` is not a turn and a number of markers")))
    };
    item.items().iter().filter_map(read).collect()
}

fn read_worth(table: &Table<'_>, map: &Map) -> Option<Worth> {
    let kinds = ["control", "unit", "hexes", "steps-lost", "dead-divisions", "dead-counters"];
    let number = |key: &str, most: u8| table.get(key).map_or(Some(1), |item| item.int(1..=most));
    let kind = table.get("kind").map_or(Some(0), |item| item.one_of(&kinds));
    let hexes = |key: &str| table.get(key).map(|item| read_hexes(&item, map)).unwrap_or_default();
    let hex = || table.need("hex").and_then(|item| item.parse(|label| map.hex(label)));
    let what = match kind? {
        0 => hex().map(What::Control),
        1 => hex().map(What::Unit),
        2 => Some(What::Hexes { all: hexes("all"), any: hexes("any") }),
        4 => {
            let side = table.need("side").and_then(|item| item.parse(Side::from_word));
            let words = table.get("types").map(|item| item.words()).unwrap_or_default();
            let arms = words.iter().filter_map(|word| word.parse(Arm::from_word)).collect();
            let (re, every) = (number("re", 9), number("every", 99));
            let dead = |((side, re), every)| What::DeadDivisions { side, quarters: re * 4, arms, every };
            side.zip(re).zip(every.map(u16::from)).map(dead)
        }
        5 => {
            let side = table.need("side").and_then(|item| item.parse(Side::from_word));
            let counters = number("counters", 20);
            side.zip(counters).map(|(side, counters)| What::DeadCounters { side, counters })
        }
        _ => {
            let side = table.need("side").and_then(|item| item.parse(Side::from_word));
            let fewer = table.need("fewer").and_then(|item| item.int(1..=999));
            side.zip(fewer).map(|(side, fewer)| What::StepsLost { side, fewer })
        }
    };
    let points = table.need("points").and_then(|item| item.int(-99..=99));
    table.done();
    Some(Worth { what: what?, points: points? })
}

fn read_arrival(table: &Table<'_>, map: &Map) -> Option<Arrival> {
    let unit = table.need("unit").and_then(|item| item.str());
    let turn = table.need("turn").and_then(|item| item.int(1..=99));
    let hexes = table.need("hexes").map(|item| read_hexes(&item, map));
    table.done();
    Some(Arrival { unit: unit?.to_owned(), turn: turn?, hexes: hexes? })
}

fn read_withdrawal(table: &Table<'_>) -> Option<Withdrawal> {
    let turn = table.need("turn").and_then(|item| item.int(1..=99));
    let units = table.need("units").map(|item| item.words()).unwrap_or_default();
    let units = units.iter().filter_map(|word| word.str().map(str::to_owned)).collect();
    table.done();
    Some(Withdrawal { turn: turn?, units })
}

fn read_sudden(table: &Table<'_>, map: &Map) -> Option<Sudden> {
    let winner = table.need("winner").and_then(|item| item.parse(Side::from_word));
    let hexes = table.need("hexes").map(|item| read_hexes(&item, map));
    let from = table.get("from").map_or(Some(1), |item| item.int(1..=99));
    table.done();
    Some(Sudden { winner: winner?, hexes: hexes?, from: from? })
}

fn read_victory_level(table: &Table<'_>) -> Option<Level> {
    let least = table.need("min").and_then(|item| item.int(-999..=999));
    table.need("title").and_then(|item| item.str());
    let winner = table.need("winner").and_then(|item| item.one_of(&["axis", "soviet", "draw"]));
    table.done();
    let winner = [Some(Side::Axis), Some(Side::Soviet), None][winner?];
    Some(Level { least: least?, winner })
}
