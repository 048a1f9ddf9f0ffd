//! Situations of this rulebook, read and written; what must hold in every state.

use board::{Map, Mp, Sides};
use engine::store::{Lot, OnMap, Spot, UnitStore};
use engine::{
    BySide, Data, Options, Provenance, ResultTable, Roster, Setup, Side, Types, UnitId, frame, situation,
};
use include_dir::{Dir, include_dir};
use source::{Doc, Faults, Item, Source, Table, Writer};

use crate::movement::statute;
use crate::supply::CAPACITY;
use crate::{
    Arm, CombatResult, Counter, Depot, Face, Goods, Initiative, MAX_UNITS, Marks, Place, State, Switches,
    Unit,
};

static DATA: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../data/depot");

const TERRAIN: &str = "tables/terrain.toml";
const COMBAT: &str = "tables/combat.toml";
const COUNTERS: &str = "counters.toml";

impl Setup for Depot {
    const FILES: &'static Dir<'static> = &DATA;

    fn read(root: &Table<'_>, data: &Data, options: Options) -> Option<(Depot, State)> {
        let doc = root.doc();
        let chart = data.read(doc, TERRAIN, read_chart);
        let combat_table =
            data.read(doc, COMBAT, |source| ResultTable::read(source, CombatResult::from_word));
        let cast = data.read(doc, COUNTERS, read_counters);
        let turns = root.need("turns").and_then(|item| item.int(1..=99u8));
        let chart = chart?;
        let (map, map_name) = situation::read_map(root, data)?;
        let terrain = read_costs(root, &map, &chart)?;
        let sides = Sides::all(&map);
        let statute = sides.as_ref().and_then(|sides| statute(&map, sides, &terrain));
        let (Some(sides), Some(statute)) = (sides, statute) else {
            root.fault("the map is too large for this rulebook: at most 64 lines of 64 hexes");
            return None;
        };
        let mut rules = Depot {
            terrain,
            sides,
            statute,
            objectives: map.hexes_with("objective").hexes().collect(),
            map,
            map_name,
            roster: Roster::default(),
            counters: Vec::new(),
            combat_table: combat_table?,
            turns: turns?,
            made: 0,
            options,
            switches: Switches::new(options, &Depot::BOOK),
        };
        let state = read_state(&mut rules, root, &cast?)?;
        Some((rules, state))
    }

    fn write(&self, state: &State, out: &mut Writer) {
        situation::write_map_name(self.map_name.as_deref(), out);
        out.field("turn", i64::from(state.turn));
        out.field("turns", i64::from(self.turns));
        if let Some(first) = state.first {
            out.field("first", first.word());
        }
        out.field("made", i64::from(self.made));
        out.field("spent", i64::from(state.spent));
        out.field("destroyed", i64::from(state.destroyed));
        out.words("ace", Side::BOTH.into_iter().filter(|side| state.ace[*side]).map(Side::word));
        situation::write_stack(&state.stack, self, out);
        situation::write_sketch(&self.map, self.map_name.as_deref(), out);
        out.table("units");
        for unit in self.roster.iter() {
            let Unit { place, steps, marks } = state.units[unit];
            let full = if place == Place::Eliminated { 0 } else { self.counters[unit.index()].steps };
            let line = situation::write_unit(place, &self.map, &[("steps", steps, full)], marks);
            out.field(self.roster.name(unit), line);
        }
        state.stocks.write(self, out);
    }

    fn options(&self) -> Options {
        self.options
    }

    fn audit(&self, state: &State) -> Result<(), String> {
        self.roster.iter().try_for_each(|unit| audit_unit(self, state, unit))?;
        state.stocks.iter().try_for_each(|lot| audit_lot(self, state, lot))?;
        let (made, found) = (self.made, accounted(state));
        if made != found {
            return Err(format!("{made} supply points were made, but {found} are accounted for (3.1)"));
        }
        frame::audit(self, state)
    }

    fn longest_game(&self) -> usize {
        5_000
    }
}

/// A row of the terrain chart as the file has it: name and cost.
type ChartRow = (String, Option<Mp>);

fn read_chart(source: &Source) -> Result<Vec<ChartRow>, Faults> {
    let doc = Doc::parse(source)?;
    let root = doc.root();
    root.need("title");
    Provenance::read(&root);
    let rows = root.need("terrain").map(|rows| rows.tables()).unwrap_or_default();
    let rows = rows.iter().filter_map(read_chart_row).collect();
    root.done();
    doc.finish(Some(rows))
}

fn read_chart_row(row: &Table<'_>) -> Option<ChartRow> {
    row.need("letter");
    let name = row.need("name").and_then(|item| item.str());
    let cost = row.get("cost").and_then(|item| item.parse(str::parse::<Mp>));
    row.done();
    Some((name?.to_owned(), cost))
}

/// What every terrain of a map costs.
fn read_costs(root: &Table<'_>, map: &Map, chart: &[ChartRow]) -> Option<Vec<Option<Mp>>> {
    let cost = |name: &str| {
        let row = chart.iter().find(|(known, _)| known == name);
        if row.is_none() {
            root.fault(format!("the map has {name}, the terrain chart has not"));
        }
        row.map(|(_, cost)| *cost)
    };
    map.terrains().map(|(_, name)| cost(name)).collect()
}

fn read_counters(source: &Source) -> Result<Vec<(String, Counter)>, Faults> {
    let doc = Doc::parse(source)?;
    let root = doc.root();
    let mut counters = Vec::new();
    for side in Side::BOTH {
        let listed = root.need(side.word()).and_then(|side| side.table()).map(|table| table.rest());
        for (name, item) in listed.unwrap_or_default() {
            let Some((count, counter)) = item.table().and_then(|table| read_counter(&table, side)) else {
                continue;
            };
            counters.extend((1..=count).map(|i| (format!("{name}-{i}"), counter)));
        }
    }
    root.done();
    doc.finish(Some(counters))
}

fn read_counter(table: &Table<'_>, side: Side) -> Option<(u8, Counter)> {
    let kind = table.need("kind").and_then(|item| item.parse(Arm::from_word));
    let fighting = table.need("factors").and_then(|item| item.parse(read_face));
    let travel = table.get("travel").and_then(|item| item.parse(read_face));
    let steps = table.need("steps").and_then(|item| item.int(1..=9));
    let count = table.need("count").and_then(|item| item.int(1..=99));
    table.done();
    Some((count?, Counter { side, kind: kind?, fighting: fighting?, travel, steps: steps? }))
}

fn read_face(text: &str) -> Result<Face, String> {
    let parts: Vec<Option<u8>> =
        text.split('-').map(|part| part.parse().ok().filter(|factor| *factor <= 9)).collect();
    match parts[..] {
        [Some(attack), Some(defence), Some(allowance)] => Ok(Face { attack, defence, allowance }),
        _ => Err(format!("`{text}` is not attack-defence-movement, such as 3-4-4, each at most 9")),
    }
}

fn read_state(rules: &mut Depot, root: &Table<'_>, cast: &[(String, Counter)]) -> Option<State> {
    let turn = root.need("turn").and_then(|item| item.int(1..=rules.turns));
    let number = |key: &str| root.get(key).and_then(|item| item.int(0..=1_000_000u32));
    let mut state = State {
        turn: turn?,
        first: root.get("first").and_then(|item| item.parse(Side::from_word)),
        units: UnitStore::new(Unit { place: Place::Eliminated, steps: 0, marks: Marks::default() }),
        stocks: Default::default(),
        spent: number("spent").unwrap_or(0),
        destroyed: number("destroyed").unwrap_or(0),
        ace: BySide { axis: true, soviet: true },
        stack: Default::default(),
    };
    read_units(rules, &mut state, root, cast)?;
    if let Some(item) = root.get("ace") {
        let held: Vec<Side> = item.words().iter().filter_map(|word| word.parse(Side::from_word)).collect();
        state.ace = BySide::new_with(|side| held.contains(&side));
    }
    if let Some(table) = root.get("stocks").and_then(|item| item.table()) {
        state.stocks.read(&table, rules);
    }
    rules.made = number("made").unwrap_or_else(|| accounted(&state));
    match situation::read_stack(root, rules) {
        Some(stack) => state.stack = stack,
        None => state.stack.push(Initiative { side: Side::Axis }),
    }
    Some(state)
}

/// `NAME = "HEX"`, with `steps=N` and marks where they differ from a fresh unit; `"base"` for aircraft, `"eliminated"`.
fn read_units(
    rules: &mut Depot,
    state: &mut State,
    root: &Table<'_>,
    cast: &[(String, Counter)],
) -> Option<()> {
    let listed = root.need("units").and_then(|units| units.table()).map(|units| units.rest())?;
    // The roster keeps the order of the counters file.
    let cast: Vec<_> =
        cast.iter().filter(|(name, _)| listed.iter().any(|(listed, _)| listed == name)).collect();
    rules.counters = cast.iter().map(|(_, counter)| *counter).collect();
    rules.roster = situation::read_roster(root, cast.iter().map(|(name, _)| name.as_str()), MAX_UNITS)?;
    for (name, item) in listed {
        let Some(id) = item.parse(|_| rules.roster.find(name)) else { continue };
        if let Some(unit) = read_unit(rules, id, &item) {
            state.units.change(id, |slot| *slot = unit);
        }
    }
    Some(())
}

fn read_unit(rules: &Depot, id: UnitId, item: &Item<'_>) -> Option<Unit> {
    let (place, rest) = situation::read_place(item, &rules.map)?;
    let full = (place != Place::Eliminated).then_some(rules.counters[id.index()].steps);
    let (steps, marks) = situation::read_steps(&rest, full);
    Some(Unit { place, steps, marks })
}

/// Where all supply points are that were ever made: in dumps, on trucks, spent, destroyed (3.1).
fn accounted(state: &State) -> u32 {
    let left: u32 = Side::BOTH.into_iter().map(|side| state.stocks.total(side, Goods::Supply)).sum();
    left + state.spent + state.destroyed
}

fn audit_unit(rules: &Depot, state: &State, id: UnitId) -> Result<(), String> {
    let name = rules.roster.name(id);
    let (unit, counter) = (state.units[id], rules.counters[id.index()]);
    let is_aircraft = matches!(counter.kind, Arm::Bomber | Arm::Fighter);
    if is_aircraft && unit.hex().is_some() || !is_aircraft && unit.place == Place::Base {
        return Err(format!("{name} cannot be there: aircraft have their base, and nobody else has"));
    }
    if unit.marks.has(Marks::TRAVEL) && counter.travel.is_none() {
        return Err(format!("{name} has no travel face (2.2)"));
    }
    let Some(hex) = unit.hex() else { return Ok(()) };
    let label = rules.map.label(hex);
    if rules.cost(hex).is_none() {
        return Err(format!("{name} is in {label}, where no unit may be (4.4)"));
    }
    if state.units.in_hex(hex).any(|other| rules.side(other) != counter.side) {
        return Err(format!("both sides are in {label} (2.1)"));
    }
    Ok(())
}

fn audit_lot(rules: &Depot, state: &State, lot: &Lot<Goods>) -> Result<(), String> {
    let name = lot.spot.name(rules);
    match lot.spot {
        Spot::Pool => Err("supply points lie in dumps or on trucks (3.1)".to_owned()),
        Spot::With(unit) if rules.kind(unit) != Arm::Truck || rules.side(unit) != lot.side => {
            Err(format!("{name} is not a truck of the side whose supply points it carries (3.1)"))
        }
        Spot::With(unit) if state.hex(unit).is_none() || lot.amount > CAPACITY => {
            Err(format!("{name} cannot carry {} supply points (3.1)", lot.amount))
        }
        Spot::With(_) => Ok(()),
        Spot::Hex(hex) if rules.holder(state, hex) == Some(lot.side.enemy()) => {
            Err(format!("the dump in {name} was captured (3.5)"))
        }
        Spot::Hex(hex) if state.dump(hex, lot.side.enemy()) > 0 => {
            Err(format!("both sides have a dump in {name} (3.1)"))
        }
        Spot::Hex(hex) if rules.cost(hex).is_none() => {
            Err(format!("nobody can get at a dump in {name} (4.4)"))
        }
        Spot::Hex(_) => Ok(()),
    }
}
