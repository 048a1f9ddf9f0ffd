//! What the scenario rules of a game set: every place where the system says so (2.0d). One file a scenario, with a default for
//! everything that a plain game does without.

use board::{Hex, Map, Mp};
use engine::{BySide, Side, situation};
use source::{Doc, Faults, Item, Source, Table};

use crate::charts::{read_by_side, read_re};
use crate::{Arm, HexSet, Size, Weather};

/// The settings of a scenario.
pub(crate) struct Settings {
    pub(crate) name: String,
    pub(crate) first_turn: u8,
    pub(crate) last_turn: u8,
    pub(crate) first_player: Side,
    /// The hexes in play, where that is not the whole map.
    pub(crate) area: Option<HexSet>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) sources: Vec<SupplySource>,
    pub(crate) blown: Vec<(Hex, Hex)>,
    /// How many independent units draw from one HQ (8.1f).
    pub(crate) independents: u8,
    pub(crate) hq_replacement: bool,
    pub(crate) attack: BySide<AttackSupply>,
    pub(crate) air: AirRules,
    pub(crate) weather: DieTable<Weather>,
    pub(crate) fortresses: Vec<(Hex, Side)>,
    pub(crate) forts: BySide<FortMix>,
    /// What disengaging costs leg and mechanized units; nothing where it is forbidden (10.4g).
    pub(crate) disengage: BySide<[Option<Mp>; 2]>,
    pub(crate) leaders: Option<Vec<String>>,
    pub(crate) colours: Vec<(String, String)>,
    pub(crate) re: Vec<(String, u8)>,
    pub(crate) anti_tank: Option<(u8, Vec<String>)>,
    pub(crate) objectives: Vec<Objective>,
    pub(crate) worth: Vec<Worth>,
    pub(crate) trap: Option<Trap>,
    pub(crate) victory: Victory,
    pub(crate) transport: Option<Transport>,
    pub(crate) special: Special,
}

/// A place where units enter the map (7.0a).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) side: Side,
    pub(crate) hexes: HexSet,
    /// A place on the map, not a section of its edge.
    pub(crate) inside: bool,
}

/// Where supply comes from, and when (8.1x2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SupplySource {
    pub(crate) side: Side,
    pub(crate) hexes: HexSet,
    pub(crate) turns: Option<(u8, u8)>,
}

/// How many HQs may be set to Attack (8.0d).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AttackSupply {
    /// By turn; the last holds for all that follow.
    limits: Vec<u8>,
    /// One less in this weather.
    less_in: Option<Weather>,
    /// Attack supply markers, where they are used (3.3j).
    pub(crate) markers: Option<u8>,
    /// How many turns ahead a spent marker goes (6.0d4).
    pub(crate) delay: u8,
    /// Markers come back (6.0i2).
    pub(crate) recycled: bool,
}

impl AttackSupply {
    pub(crate) fn limit(&self, turn: u8, weather: Weather) -> u8 {
        let by_turn = self.limits.get(usize::from(turn).saturating_sub(1)).or(self.limits.last());
        by_turn.copied().unwrap_or(1).saturating_sub(u8::from(self.less_in == Some(weather)))
    }
}

/// A table that a die with a modifier by turn is read on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DieTable<T> {
    /// What the first row is for.
    first: i32,
    rows: Vec<T>,
    modifiers: Vec<i32>,
}

impl<T: Copy> DieTable<T> {
    /// Nothing is rolled: this is what there is.
    fn fixed(value: T) -> DieTable<T> {
        DieTable { first: 0, rows: vec![value], modifiers: Vec::new() }
    }

    /// What there is without a die.
    pub(crate) fn without_die(&self) -> Option<T> {
        if self.rows.len() == 1 { self.rows.first().copied() } else { None }
    }

    /// What a die says in a turn.
    pub(crate) fn result(&self, die: u32, turn: u8) -> Option<T> {
        let modifier = self.modifiers.get(usize::from(turn).saturating_sub(1)).copied().unwrap_or(0);
        let last = self.rows.len() as i32 - 1;
        let row = (die as i32 + modifier - self.first).clamp(0, last.max(0));
        self.rows.get(row as usize).copied()
    }
}

/// Air support (13.0).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AirRules {
    pub(crate) table: DieTable<BySide<u8>>,
    /// How many markers in one combat.
    pub(crate) most: u8,
    /// How many of a turn's markers may interdict (13.0d).
    pub(crate) interdiction: BySide<u8>,
    /// The turns on which a side has an air supply marker (13.0h).
    pub(crate) supply: BySide<Vec<u8>>,
    /// The side whose marker on an HQ in supply sets it to Attack beyond the limit (uma.22.3f).
    pub(crate) supply_attack: Option<Side>,
    /// No air supply in this weather.
    pub(crate) no_supply_in: Option<Weather>,
}

/// The field forts of a side (18.0b5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FortMix {
    /// How many of 1L and of 2L.
    pub(crate) mix: [u8; 2],
    /// The first turn on which they may be placed.
    pub(crate) from: u8,
}

/// A hex that is worth points (4.0b).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Objective {
    pub(crate) hex: Hex,
    pub(crate) side: Side,
    pub(crate) points: i16,
    /// Scored in each of these turns; at the end when there are none.
    pub(crate) turns: Option<(u8, u8)>,
    /// A combat unit must be there (R61).
    pub(crate) occupied: bool,
}

/// What the enemy scores for an eliminated counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Worth {
    pub(crate) side: Side,
    pub(crate) arms: Vec<Arm>,
    pub(crate) size: Option<Size>,
    pub(crate) points: i16,
}

/// What the enemy scores at the end for units that are out of supply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Trap {
    pub(crate) side: Side,
    pub(crate) size: Size,
    pub(crate) points: i16,
}

/// Coastal transport (19.0a).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Transport {
    pub(crate) side: Side,
    /// How many units in a player turn.
    pub(crate) points: u8,
    pub(crate) ports: HexSet,
}

/// How a game is won (4.0a).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Victory {
    /// Who has more points.
    Most,
    /// The points of a side less the enemy's, and the levels from the highest down: from so much on somebody wins, or nobody.
    Levels { side: Side, levels: Vec<(i16, Option<Side>)> },
    /// The Wołomin pocket (rad.25.0f, rad.25.0g).
    Pocket { armor: [u8; 3], towns: Vec<Hex>, prizes: Vec<Hex> },
    /// The Green Gate (uma.25.0i, uma.25.0j).
    Gate { escaped: i16, margin: i16 },
}

/// The special rules of a game, each on only where its scenario says so (2.0d).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Special {
    pub(crate) closed: Option<Closed>,
    pub(crate) barred: Option<(Side, HexSet)>,
    pub(crate) demolition: Option<Demolition>,
    /// Armored trains keep to the rails (rad.22.4a).
    pub(crate) rail_bound: bool,
    /// Units of this nation attack only with one of that nation (rad.22.6a).
    pub(crate) caution: Option<(String, String)>,
    /// Units of these two nations keep apart (uma.22.7a).
    pub(crate) apart: Option<(String, String)>,
    pub(crate) directive: Option<Directive>,
    pub(crate) local: Vec<String>,
    pub(crate) flotilla: Option<Flotilla>,
    pub(crate) escape: Option<(Side, HexSet)>,
}

/// Hexes closed to a side's supply and slow to its movement (rad.22.2b, rad.22.2c).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Closed {
    pub(crate) side: Side,
    pub(crate) turns: (u8, u8),
    pub(crate) hexes: HexSet,
    /// What they cost beyond their terrain.
    pub(crate) extra: Mp,
}

/// Bridges that are blown up when a side's combat unit enters a hex (rad.22.3a).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Demolition {
    pub(crate) side: Side,
    pub(crate) hex: Hex,
    pub(crate) bridges: Vec<(Hex, Hex)>,
}

/// Units that move half as far unless they go for the enemy (uma.22.4a).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Directive {
    pub(crate) turns: (u8, u8),
    pub(crate) colours: Vec<String>,
}

/// Ships that help once a game turn where a river is (uma.22.8a, 19.0b).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Flotilla {
    pub(crate) side: Side,
    pub(crate) river: String,
}

/// Hexes by their labels, or the hexes of an edge of the map by its name; `*` is every hex.
fn hex_set(item: &Item<'_>, map: &Map) -> HexSet {
    let hexes = match item.try_str() {
        Some("*") => map.hexes().collect(),
        Some(name) if map.edge(name).is_some() => map.edge(name).unwrap_or_default().to_vec(),
        _ => situation::read_hexes(item, map),
    };
    hexes.into_iter().filter(|hex| usize::from(hex.line()) < crate::LINES).collect()
}

fn side_of(table: &Table<'_>, key: &str) -> Option<Side> {
    table.need(key).and_then(|item| item.parse(Side::from_word))
}

/// `[3, 5]`.
fn turns(item: &Item<'_>) -> Option<(u8, u8)> {
    match item.items().iter().map(|item| item.int(1..=99)).collect::<Option<Vec<u8>>>()?[..] {
        [first, last] if first <= last => Some((first, last)),
        _ => {
            item.fault("expected the first and the last turn, such as [3, 5]");
            None
        }
    }
}

fn numbers(item: &Item<'_>) -> Vec<u8> {
    item.items().iter().filter_map(|item| item.int(0..=99)).collect()
}

fn strings(item: &Item<'_>) -> Vec<String> {
    item.words().iter().filter_map(|word| word.str()).map(str::to_owned).collect()
}

/// `"0810/0811 0710/0810"`.
fn pairs(item: &Item<'_>, map: &Map) -> Vec<(Hex, Hex)> {
    let pair = |text: &str| {
        let (a, b) =
            text.split_once('/').ok_or_else(|| format!("`{text}` is not a hexside such as 0810/0811"))?;
        Ok::<_, String>((map.hex(a)?, map.hex(b)?))
    };
    item.words().iter().filter_map(|word| word.parse(pair)).collect()
}

fn tables<'d>(root: &Table<'d>, key: &str) -> Vec<Table<'d>> {
    root.get(key).map(|item| item.tables()).unwrap_or_default()
}

fn table<'d>(root: &Table<'d>, key: &str) -> Option<Table<'d>> {
    root.get(key).and_then(|item| item.table())
}

impl Settings {
    pub(crate) fn read(name: &str, source: &Source, map: &Map) -> Result<Settings, Faults> {
        let doc = Doc::parse(source)?;
        let settings = read(name, &doc.root(), map);
        doc.finish(settings)
    }

    /// The section of the edge, or the place, that a unit enters by.
    pub(crate) fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    /// Sources of a side's supply in a turn.
    pub(crate) fn sources(&self, side: Side, turn: u8) -> HexSet {
        let now = |source: &&SupplySource| {
            source.side == side && source.turns.is_none_or(|(first, last)| (first..=last).contains(&turn))
        };
        self.sources.iter().filter(now).fold(HexSet::EMPTY, |all, source| all | source.hexes)
    }
}

fn read(name: &str, root: &Table<'_>, map: &Map) -> Option<Settings> {
    let number = |key: &str, usual: u8| root.get(key).map_or(Some(usual), |item| item.int(1..=99));
    let flag = |key: &str, usual: bool| root.get(key).map_or(Some(usual), |item| item.bool());
    let (first_turn, last_turn) = (number("first_turn", 1), number("last_turn", 10));
    let first_player =
        root.get("first_player").map_or(Some(Side::Soviet), |item| item.parse(Side::from_word));
    let independents = number("independents", 6);
    let hq_replacement = flag("hq_replacement", true);
    let entries = table(root, "entries").map(|table| read_entries(&table, map)).unwrap_or_default();
    let sources = tables(root, "source").iter().filter_map(|table| read_source(table, map)).collect();
    let by_side = |key: &str| table(root, key);
    let attack = by_side("attack");
    let attack = BySide::new_with(|side| {
        let table = attack.as_ref().and_then(|table| table.get(side.word())).and_then(|item| item.table());
        table.map(|table| read_attack(&table)).unwrap_or_default()
    });
    let forts = by_side("forts");
    let forts = BySide::new_with(|side| {
        let table = forts.as_ref().and_then(|table| table.get(side.word())).and_then(|item| item.table());
        table.map(|table| read_forts(&table)).unwrap_or_default()
    });
    let disengage = by_side("disengage");
    let disengage = BySide::new_with(|side| {
        let item = disengage.as_ref().and_then(|table| table.get(side.word()));
        item.map_or([Some(Mp::whole(2)); 2], |item| read_disengage(&item))
    });
    let anti_tank = table(root, "anti_tank").and_then(|table| {
        let turn = table.need("from").and_then(|item| item.int(1..=99));
        let units = table.need("units").map(|item| strings(&item));
        table.done();
        Some((turn?, units?))
    });
    let fortresses = table(root, "fortresses").map(|table| {
        let read = |(label, item): (&str, Item<'_>)| {
            Some((item.parse(|_| map.hex(label))?, item.parse(Side::from_word)?))
        };
        table.rest().into_iter().filter_map(read).collect()
    });
    let trap = table(root, "trap").and_then(|table| {
        let side = side_of(&table, "side");
        let size = table.need("size").and_then(|item| item.parse(Size::from_word));
        let points = table.need("points").and_then(|item| item.int(0..=99));
        table.done();
        Some(Trap { side: side?, size: size?, points: points? })
    });
    let settings = Settings {
        name: name.to_owned(),
        first_turn: first_turn?,
        last_turn: last_turn?,
        first_player: first_player?,
        area: root.get("area").map(|item| hex_set(&item, map)),
        entries,
        sources,
        blown: root.get("bridges_blown").map(|item| pairs(&item, map)).unwrap_or_default(),
        independents: independents?,
        hq_replacement: hq_replacement?,
        attack,
        air: table(root, "air").map_or_else(no_air, |table| read_air(&table)),
        weather: table(root, "weather").map_or(DieTable::fixed(Weather::Clear), |table| read_weather(&table)),
        fortresses: fortresses.unwrap_or_default(),
        forts,
        disengage,
        leaders: root.get("leaders").map(|item| strings(&item)),
        colours: named(root, "colours", |item| item.str().map(str::to_owned)),
        re: named(root, "re", |item| item.parse(read_re)),
        anti_tank,
        objectives: tables(root, "objective").iter().flat_map(|table| read_objectives(table, map)).collect(),
        worth: tables(root, "worth").iter().filter_map(read_worth).collect(),
        trap,
        victory: table(root, "victory").map_or(Some(Victory::Most), |table| read_victory(&table, map))?,
        transport: table(root, "transport").and_then(|table| {
            let side = side_of(&table, "side");
            let points = table.need("points").and_then(|item| item.int(0..=99));
            let ports = table.need("ports").map(|item| hex_set(&item, map));
            table.done();
            Some(Transport { side: side?, points: points?, ports: ports? })
        }),
        special: table(root, "special").map(|table| read_special(&table, map)).unwrap_or_default(),
    };
    root.done();
    Some(settings)
}

/// A table of names and values.
fn named<T>(root: &Table<'_>, key: &str, read: impl Fn(&Item<'_>) -> Option<T>) -> Vec<(String, T)> {
    let Some(table) = table(root, key) else { return Vec::new() };
    table.rest().iter().filter_map(|(name, item)| Some(((*name).to_owned(), read(item)?))).collect()
}

fn read_entries(table: &Table<'_>, map: &Map) -> Vec<Entry> {
    let read = |(name, item): (&str, Item<'_>)| {
        let table = item.table()?;
        let side = side_of(&table, "side");
        let hexes = table.need("hexes").map(|item| hex_set(&item, map));
        let inside = table.get("inside").and_then(|item| item.bool()).unwrap_or(false);
        table.done();
        Some(Entry { name: name.to_owned(), side: side?, hexes: hexes?, inside })
    };
    table.rest().into_iter().filter_map(read).collect()
}

fn read_source(table: &Table<'_>, map: &Map) -> Option<SupplySource> {
    let side = side_of(table, "side");
    let hexes = table.need("hexes").map(|item| hex_set(&item, map));
    let turns = table.get("turns").map(|item| turns(&item));
    table.done();
    Some(SupplySource { side: side?, hexes: hexes?, turns: turns.flatten() })
}

fn read_attack(table: &Table<'_>) -> AttackSupply {
    let attack = AttackSupply {
        limits: table.get("limit").map(|item| numbers(&item)).unwrap_or_default(),
        less_in: table.get("less_in").and_then(|item| item.parse(Weather::from_word)),
        markers: table.get("markers").and_then(|item| item.int(0..=20)),
        delay: table.get("delay").and_then(|item| item.int(1..=3)).unwrap_or(1),
        recycled: table.get("recycled").and_then(|item| item.bool()).unwrap_or(true),
    };
    table.done();
    attack
}

fn read_forts(table: &Table<'_>) -> FortMix {
    let number = |key: &str| table.get(key).and_then(|item| item.int(0..=9)).unwrap_or(0);
    let forts = FortMix { mix: [number("light"), number("heavy")], from: number("from").max(1) };
    table.done();
    forts
}

/// `"2 3"`: leg and mechanized units; `no` where it is forbidden.
fn read_disengage(item: &Item<'_>) -> [Option<Mp>; 2] {
    let words = item.words();
    let read = |word: &Item<'_>| match word.str() {
        Some("no") => None,
        _ => word.int(0..=9).map(Mp::whole),
    };
    match &words[..] {
        [leg, mechanized] => [read(leg), read(mechanized)],
        _ => {
            item.fault("expected two numbers, for leg and for mechanized units");
            [None; 2]
        }
    }
}

fn modifiers(table: &Table<'_>) -> Vec<i32> {
    let list = table.get("modifiers").map(|item| item.items()).unwrap_or_default();
    list.iter().filter_map(|item| item.int(-9..=9)).collect()
}

fn no_air() -> AirRules {
    AirRules {
        table: DieTable::fixed(BySide::default()),
        most: 9,
        interdiction: BySide::default(),
        supply: BySide::default(),
        supply_attack: None,
        no_supply_in: None,
    }
}

fn read_air(table: &Table<'_>) -> AirRules {
    let markers = |text: &str| {
        let read = || {
            let (axis, soviet) = text.split_once('/')?;
            Some(BySide { axis: axis.parse().ok()?, soviet: soviet.parse().ok()? })
        };
        read().ok_or_else(|| format!("`{text}` is not a number of markers for each side, such as 2/0"))
    };
    let rows: Vec<BySide<u8>> = table
        .need("markers")
        .map(|item| item.words().iter().filter_map(|word| word.parse(markers)).collect())
        .unwrap_or_default();
    let first = table.get("first").and_then(|item| item.int(-9..=9)).unwrap_or(1);
    let supply = self::table(table, "supply");
    let air = AirRules {
        table: DieTable { first, rows, modifiers: modifiers(table) },
        most: table.get("most").and_then(|item| item.int(1..=9)).unwrap_or(9),
        interdiction: self::table(table, "interdiction")
            .map(|table| read_by_side(&table, 9))
            .unwrap_or_default(),
        supply: BySide::new_with(|side| {
            let item = supply.as_ref().and_then(|table| table.get(side.word()));
            item.map(|item| numbers(&item)).unwrap_or_default()
        }),
        supply_attack: table.get("supply_attack").and_then(|item| item.parse(Side::from_word)),
        no_supply_in: table.get("no_supply_in").and_then(|item| item.parse(Weather::from_word)),
    };
    table.done();
    air
}

fn read_weather(table: &Table<'_>) -> DieTable<Weather> {
    let rows = table
        .need("results")
        .map(|item| item.words().iter().filter_map(|word| word.parse(Weather::from_word)).collect())
        .unwrap_or_default();
    let first = table.get("first").and_then(|item| item.int(-9..=9)).unwrap_or(1);
    let weather = DieTable { first, rows, modifiers: modifiers(table) };
    table.done();
    weather
}

/// `points = 3`, `hexes = "0810 0911"`: several of the same worth.
fn read_objectives(table: &Table<'_>, map: &Map) -> Vec<Objective> {
    let side = side_of(table, "side");
    let points = table.need("points").and_then(|item| item.int(-99..=99));
    let hexes = table.need("hexes").map(|item| situation::read_hexes(&item, map)).unwrap_or_default();
    let turns = table.get("turns").and_then(|item| turns(&item));
    let occupied = table.get("occupied").and_then(|item| item.bool()).unwrap_or(false);
    table.done();
    let (Some(side), Some(points)) = (side, points) else { return Vec::new() };
    hexes.into_iter().map(|hex| Objective { hex, side, points, turns, occupied }).collect()
}

fn read_worth(table: &Table<'_>) -> Option<Worth> {
    let side = side_of(table, "side");
    let arms = table.get("types").map(|item| item.words()).unwrap_or_default();
    let arms: Option<Vec<Arm>> = arms.iter().map(|word| word.parse(Arm::from_word)).collect();
    let size = table.get("size").map(|item| item.parse(Size::from_word));
    let points = table.need("points").and_then(|item| item.int(0..=99));
    table.done();
    Some(Worth { side: side?, arms: arms?, size: size.flatten(), points: points? })
}

fn read_victory(table: &Table<'_>, map: &Map) -> Option<Victory> {
    let victory = match table.need("kind")?.one_of(&["most", "levels", "pocket", "gate"])? {
        0 => Some(Victory::Most),
        1 => read_levels(table),
        2 => read_pocket(table, map),
        _ => {
            let escaped = table.need("escaped").and_then(|item| item.int(0..=99));
            let margin = table.need("margin").and_then(|item| item.int(0..=99));
            escaped.zip(margin).map(|(escaped, margin)| Victory::Gate { escaped, margin })
        }
    };
    table.done();
    victory
}

/// `levels = ["22 soviet", "7 draw", …]`, from the highest down.
fn read_levels(table: &Table<'_>) -> Option<Victory> {
    let side = side_of(table, "side")?;
    let level = |item: &Item<'_>| {
        item.parse(|text| {
            let (from, who) = text.split_once(' ').ok_or("expected a number and axis, soviet or draw")?;
            let from = from.parse().map_err(|_| format!("`{from}` is not a whole number"))?;
            let who = if who == "draw" { None } else { Some(Side::from_word(who)?) };
            Ok::<_, String>((from, who))
        })
    };
    let levels = table.need("levels")?.items().iter().filter_map(level).collect();
    Some(Victory::Levels { side, levels })
}

fn read_pocket(table: &Table<'_>, map: &Map) -> Option<Victory> {
    let armor = table.need("armor").map(|item| numbers(&item))?;
    let hexes = |key: &str| table.need(key).map(|item| situation::read_hexes(&item, map));
    let (towns, prizes) = (hexes("towns"), hexes("prizes"));
    let Ok(armor) = <[u8; 3]>::try_from(armor) else {
        table.fault("armor: expected three numbers");
        return None;
    };
    Some(Victory::Pocket { armor, towns: towns?, prizes: prizes? })
}

fn read_special(table: &Table<'_>, map: &Map) -> Special {
    let sub = |key: &str| self::table(table, key);
    let two = |key: &str| {
        let words = table.get(key).map(|item| strings(&item))?;
        match <[String; 2]>::try_from(words) {
            Ok([first, second]) => Some((first, second)),
            Err(_) => {
                table.fault(format!("{key}: expected two nations"));
                None
            }
        }
    };
    let side_and_hexes = |table: Table<'_>| {
        let side = side_of(&table, "side");
        let hexes = table.need("hexes").map(|item| hex_set(&item, map));
        table.done();
        side.zip(hexes)
    };
    let special = Special {
        closed: sub("closed").and_then(|table| {
            let side = side_of(&table, "side");
            let turns = table.need("turns").and_then(|item| turns(&item));
            let hexes = table.need("hexes").map(|item| hex_set(&item, map));
            let extra = table.need("extra").and_then(|item| item.int(0..=9));
            table.done();
            Some(Closed { side: side?, turns: turns?, hexes: hexes?, extra: Mp::whole(extra?) })
        }),
        barred: sub("barred").and_then(side_and_hexes),
        demolition: sub("demolition").and_then(|table| {
            let side = side_of(&table, "side");
            let hex = table.need("hex").and_then(|item| item.parse(|label| map.hex(label)));
            let bridges = table.need("bridges").map(|item| pairs(&item, map));
            table.done();
            Some(Demolition { side: side?, hex: hex?, bridges: bridges? })
        }),
        rail_bound: table.get("rail_bound").and_then(|item| item.bool()).unwrap_or(false),
        caution: two("caution"),
        apart: two("apart"),
        directive: sub("directive").and_then(|table| {
            let turns = table.need("turns").and_then(|item| turns(&item));
            let colours = table.need("colours").map(|item| strings(&item));
            table.done();
            Some(Directive { turns: turns?, colours: colours? })
        }),
        local: table.get("local").map(|item| strings(&item)).unwrap_or_default(),
        flotilla: sub("flotilla").and_then(|table| {
            let side = side_of(&table, "side");
            let river = table.need("river").and_then(|item| item.str()).map(str::to_owned);
            table.done();
            Some(Flotilla { side: side?, river: river? })
        }),
        escape: sub("escape").and_then(side_and_hexes),
    };
    table.done();
    special
}
