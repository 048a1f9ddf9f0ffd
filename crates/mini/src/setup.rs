//! Situations of this rulebook, read and written; what must hold in every state.

use arrayvec::ArrayVec;
use board::{Mp, Sides};
use engine::store::Placed;
use engine::{
    BySide, Data, Options, Provenance, ResultTable, Roster, Setup, Side, Types, UnitId, frame, situation,
};
use include_dir::{Dir, include_dir};
use source::{Doc, Faults, Item, Source, Table, Writer};

use crate::movement;
use crate::stacking::LIMIT;
use crate::view::Place;
use crate::{
    Advance, Arm, Battle, CombatResult, Counter, Loss, MAX_UNITS, Marks, Mini, Movement, Moving, Procedure,
    Retreat, State, Switches, TerrainEffect, Unit,
};

static DATA: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../data/mini");

const TERRAIN: &str = "tables/terrain.toml";
const COMBAT: &str = "tables/combat.toml";
const COUNTERS: &str = "counters.toml";

impl Setup for Mini {
    const FILES: &'static Dir<'static> = &DATA;

    fn read(root: &Table<'_>, data: &Data, options: Options) -> Option<(Mini, State)> {
        let doc = root.doc();
        let chart = data.read(doc, TERRAIN, read_chart);
        let combat_table =
            data.read(doc, COMBAT, |source| ResultTable::read(source, CombatResult::from_word));
        let cast = data.read(doc, COUNTERS, read_counters);
        let turns = root.need("turns").and_then(|item| item.int(1..=99u8));
        let (chart, cast) = (chart?, cast?);
        let (map, map_name) = situation::read_map(root, data)?;
        let terrain =
            map.terrains().filter_map(|(_, name)| find_effect(root, &chart, name)).collect::<Vec<_>>();
        if terrain.len() < map.terrains().count() {
            return None;
        }
        let switches = Switches::new(options, &Mini::BOOK);
        let dry_sides = Sides::without(&map, &[map.sides_with("river")]);
        let Some((dry_sides, statute)) = dry_sides.zip(movement::statute(&map, &terrain, &switches)) else {
            root.fault("the map is too large for this rulebook: at most 64 lines of 64 hexes");
            return None;
        };
        let mut rules = Mini {
            dry_sides,
            river: map.sides_with("river").clone(),
            statute,
            objectives: map.hexes_with("objective").hexes().collect(),
            map,
            map_name,
            roster: Roster::default(),
            counters: Vec::new(),
            terrain,
            combat_table: combat_table?,
            turns: turns?,
            options,
            switches,
        };
        let state = read_state(&mut rules, root, &cast)?;
        Some((rules, state))
    }

    fn write(&self, state: &State, out: &mut Writer) {
        situation::write_map_name(self.map_name.as_deref(), out);
        out.field("turn", i64::from(state.turn));
        out.field("turns", i64::from(self.turns));
        out.words("luck", Side::BOTH.into_iter().filter(|side| state.luck[*side]).map(Side::word));
        if !state.attacked.is_empty() {
            out.words("attacked", state.attacked.iter().map(|hex| self.map.label(*hex)));
        }
        situation::write_stack(&state.stack, self, out);
        situation::write_sketch(&self.map, self.map_name.as_deref(), out);
        out.table("units");
        for id in &state.order {
            let unit = state.unit(*id);
            let full = self.counters[id.index()].steps;
            let steps = ("steps", unit.steps, if unit.hex.is_some() { full } else { 0 });
            let place = unit.hex.map_or(Place::Dead, Place::Hex);
            out.field(self.roster.name(*id), situation::write_unit(place, &self.map, &[steps], unit.marks));
        }
    }

    fn options(&self) -> Options {
        self.options
    }

    fn audit(&self, state: &State) -> Result<(), String> {
        for unit in self.roster.iter() {
            let Unit { hex, steps, .. } = *state.unit(unit);
            let name = self.roster.name(unit);
            let Some(hex) = hex else { continue };
            if steps == 0 || steps > self.counters[unit.index()].steps {
                return Err(format!("{name} has {steps} steps"));
            }
            if self.terrain[usize::from(self.map.terrain(hex).0)].cost.is_none() {
                return Err(format!("{name} is in {}, where no unit may be (4.4)", self.map.label(hex)));
            }
            if state.stack_in(hex).any(|other| self.side(other) != self.side(unit)) {
                return Err(format!("both sides are in {} (4.4)", self.map.label(hex)));
            }
            if state.stack_in(hex).count() > LIMIT {
                return Err(format!("more than {LIMIT} units in {} (2.1)", self.map.label(hex)));
            }
        }
        // Each attack is somebody's: so there is room for as many as units are left to make one.
        let attackers = state.units.iter().filter(|unit| unit.marks.has(Marks::ATTACKED)).count();
        if state.attacked.len() > attackers {
            return Err("more hexes were attacked than units have attacked (6.1)".to_owned());
        }
        if !state.stack.is_empty() && self.annihilated(state).is_some() {
            return Err("a side has no unit left, but the game goes on (8.2)".to_owned());
        }
        frame::audit(self, state)
    }

    fn longest_game(&self) -> usize {
        2_000
    }
}

/// A row of the terrain chart as the file has it.
struct ChartRow {
    name: String,
    effect: TerrainEffect,
}

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
    let shift = row.get("shift").and_then(|item| item.int(0..=5)).unwrap_or(0);
    row.done();
    Some(ChartRow { name: name?.to_owned(), effect: TerrainEffect { cost, shift } })
}

fn find_effect(root: &Table<'_>, chart: &[ChartRow], name: &str) -> Option<TerrainEffect> {
    let row = chart.iter().find(|row| row.name == name);
    if row.is_none() {
        root.fault(format!("the map has {name}, the terrain chart has not"));
    }
    row.map(|row| row.effect)
}

fn read_counters(source: &Source) -> Result<Vec<(String, Counter)>, Faults> {
    let doc = Doc::parse(source)?;
    let root = doc.root();
    let mut counters = Vec::new();
    for side in Side::BOTH {
        for (name, item) in
            root.need(side.word()).and_then(|side| side.table()).map(|t| t.rest()).unwrap_or_default()
        {
            let counter = item.table().and_then(|table| read_counter(&table, side));
            counters.extend(counter.map(|counter| (name.to_owned(), counter)));
        }
    }
    root.done();
    doc.finish(Some(counters))
}

fn read_counter(table: &Table<'_>, side: Side) -> Option<Counter> {
    let kind = table.need("kind").and_then(|item| item.parse(Arm::from_word));
    let factors = table.need("factors").and_then(|item| item.parse(read_factors));
    let steps = table.need("steps").and_then(|item| item.int(1..=9));
    table.done();
    let (attack, defence, allowance) = factors?;
    Some(Counter { side, kind: kind?, attack, defence, allowance, steps: steps? })
}

fn read_factors(text: &str) -> Result<(u8, u8, Mp), String> {
    let wrong = || format!("`{text}` is not attack-defence-movement, such as 3-4-4, each at most 9");
    let parts: Vec<u8> = text.split('-').map_while(|part| part.parse().ok().filter(|n| *n <= 9)).collect();
    match parts[..] {
        [attack, defence, movement] if text.matches('-').count() == 2 => {
            Ok((attack, defence, Mp::whole(u16::from(movement))))
        }
        _ => Err(wrong()),
    }
}

fn read_state(rules: &mut Mini, root: &Table<'_>, cast: &[(String, Counter)]) -> Option<State> {
    let turn = root.need("turn").and_then(|item| item.int(1..=rules.turns));
    let mut state = State {
        turn: turn.unwrap_or(1),
        units: ArrayVec::new(),
        order: ArrayVec::new(),
        luck: BySide { axis: true, soviet: true },
        attacked: ArrayVec::new(),
        stack: Default::default(),
    };
    read_units(rules, &mut state, root, cast);
    if let Some(item) = root.get("luck") {
        let held: Vec<Side> = item.words().iter().filter_map(|word| word.parse(Side::from_word)).collect();
        state.luck = BySide::new_with(|side| held.contains(&side));
    }
    for word in root.get("attacked").map(|item| item.words()).unwrap_or_default() {
        if let Some(hex) = word.parse(|label| rules.map.hex(label))
            && state.attacked.try_push(hex).is_err()
        {
            word.fault("more hexes than units were attacked");
        }
    }
    read_stack(rules, &mut state, root);
    Some(state)
}

/// `NAME = "HEX"`, with `steps=N` and flags where they differ from a fresh unit, top unit first; `NAME = "dead"`.
fn read_units(rules: &mut Mini, state: &mut State, root: &Table<'_>, cast: &[(String, Counter)]) {
    let listed =
        root.need("units").and_then(|units| units.table()).map(|units| units.rest()).unwrap_or_default();
    if listed.len() > MAX_UNITS {
        root.fault(format!("{} units, but a game has at most {MAX_UNITS}", listed.len()));
        return;
    }
    // The roster keeps the order of the counters file, whatever lies on top of what.
    for (name, counter) in cast.iter().filter(|(name, _)| listed.iter().any(|(listed, _)| listed == name)) {
        if let Err(wrong) = rules.roster.add(name) {
            root.fault(wrong);
            return;
        }
        rules.counters.push(counter.clone());
        state.units.push(Unit { hex: None, steps: 0, marks: Marks::default() });
    }
    for (name, item) in listed {
        let Some(id) = item.parse(|_| rules.roster.find(name)) else { continue };
        if state.order.contains(&id) {
            item.fault(format!("{} stands here twice", rules.roster.name(id)));
            continue;
        }
        state.order.push(id);
        if let Some(unit) = read_unit(rules, id, &item) {
            *state.unit_mut(id) = unit;
        }
    }
}

fn read_unit(rules: &Mini, id: UnitId, item: &Item<'_>) -> Option<Unit> {
    let (place, rest) = situation::read_place::<Place>(item, &rules.map)?;
    let full = rules.counters[id.index()].steps;
    let (steps, marks) = situation::read_steps(&rest, place.hex().map(|_| full));
    Some(Unit { hex: place.hex(), steps, marks })
}

/// The procedures under way, outermost first; `[]` when the game is over. Without any the turn begins.
fn read_stack(rules: &Mini, state: &mut State, root: &Table<'_>) {
    match situation::read_stack(root, rules) {
        Some(stack) => state.stack = stack,
        None => state.stack.push(Movement { side: Side::Axis }),
    }
    mark_by_stack(state);
}

/// Who is on its way has moved, and who takes part in an attack has attacked, whether its own line says so or not.
fn mark_by_stack(state: &mut State) {
    for place in 0..state.stack.len() {
        match state.stack[place] {
            Procedure::Moving(Moving { unit, .. }) => state.mark(unit, Marks::MOVED),
            Procedure::Battle(Battle { attackers, .. })
            | Procedure::Loss(Loss { attackers })
            | Procedure::Retreat(Retreat { attackers, .. })
            | Procedure::Advance(Advance { attackers, .. }) => {
                attackers.iter().for_each(|unit| state.mark(unit, Marks::ATTACKED));
            }
            _ => {}
        }
    }
}

const _: () = assert!(Mini::BOOK.options.len() <= 64);
