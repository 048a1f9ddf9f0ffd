//! Situations of this rulebook, read and written; what must hold in every state.

use arrayvec::ArrayVec;
use board::{Hex, HexSet, Map};
use engine::situation::Fields;
use engine::store::{Placed, UnitStore};
use engine::{BySide, Data, Options, Setup, Side, Types, UnitId, frame, situation};
use include_dir::{Dir, include_dir};
use source::{Item, Table, Writer};

use crate::charts::{self, Charts, Counter};
use crate::ground::Ground;
use crate::movement::MOST_POINTS;
use crate::{
    Barbarossa, Camp, Cast, Entry, Fact, Facts, MAX_UNITS, Marks, Nation, Offensive, Order, Place, Southern,
    State, Switches, TURNS, Unit, Units, Venture, Verdict,
};

static DATA: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../data/barbarossa");

/// How many units a situation may put into a hex, to be mended by 6.2c.
const MOST_IN_A_HEX: usize = 10;

/// The German points that the campaign begins with (3.2b).
const START: i16 = 14;

impl Setup for Barbarossa {
    const FILES: &'static Dir<'static> = &DATA;

    fn read(root: &Table<'_>, data: &Data, options: Options) -> Option<(Barbarossa, State)> {
        let doc = root.doc();
        let charts = Charts::read(doc, data);
        let counters = data.read(doc, charts::COUNTERS, charts::read_counters);
        let read = situation::read_map(root, data);
        let (charts, (map, map_name)) = (charts?, read?);
        let Some(mut ground) = Ground::new(&map, &charts.terrain) else {
            root.fault("the map is too large for this rulebook: at most 64 lines of 64 hexes, and 64 cities");
            return None;
        };
        let switches = Switches::new(options, &Barbarossa::BOOK);
        if switches.lithuania {
            ground.exchange_lithuania();
        }
        let counters = counters?;
        let roster =
            situation::read_roster(root, counters.iter().map(|counter| counter.name.as_str()), MAX_UNITS)?;
        let turn = |key: &str| root.get(key).and_then(|item| item.int(1..=TURNS));
        let corners = root.get("bounds").map(|item| situation::read_hexes(&item, &map)).unwrap_or_default();
        let bounds = corners.first().copied().zip(corners.last().copied());
        let rules = Barbarossa {
            first_turn: turn("first_turn").unwrap_or(1),
            last_turn: turn("last_turn").unwrap_or(TURNS),
            german_wins: root.get("german_wins").and_then(|item| item.int(-99..=199)),
            bounds,
            played_on: bounds.map(|corners| between(&map, corners)),
            cast: cast(&counters),
            map,
            map_name,
            ground,
            roster,
            counters,
            charts,
            options,
            switches,
        };
        let state = read_state(&rules, root)?;
        Some((rules, state))
    }

    fn write(&self, state: &State, out: &mut Writer) {
        situation::write_map_name(self.map_name.as_deref(), out);
        out.field("turn", i64::from(state.turn));
        if self.first_turn != 1 {
            out.field("first_turn", i64::from(self.first_turn));
        }
        if self.last_turn != TURNS {
            out.field("last_turn", i64::from(self.last_turn));
        }
        if let Some(needed) = self.german_wins {
            out.field("german_wins", i64::from(needed));
        }
        if let Some((a, b)) = self.bounds {
            out.words("bounds", [self.map.label(a), self.map.label(b)]);
        }
        details(self, &mut state.clone(), &mut Fields::Write(out));
        situation::write_stack(&state.stack, self, out);
        situation::write_sketch(&self.map, self.map_name.as_deref(), out);
        out.table("units");
        for id in self.roster.iter().filter(|unit| state.unit(*unit).place != Place::Out) {
            out.field(self.roster.name(id), write_unit(self, state.unit(id)));
        }
    }

    fn options(&self) -> Options {
        self.options
    }

    fn audit(&self, state: &State) -> Result<(), String> {
        for side in Side::BOTH {
            for (unit, hex) in self.on_map(state, side) {
                audit_unit(self, state, unit, hex)?;
            }
        }
        audit_map(self, state)?;
        if state.verdict.is_some() && !state.stack.is_empty() {
            return Err("the game is decided, but goes on".to_owned());
        }
        frame::audit(self, state)
    }

    /// Five units a hex and one satellite army, from the beginning (3.1b).
    fn audit_setup(&self, state: &State) -> Result<(), String> {
        let over = self.overstacked(state, false);
        over.map_or(Ok(()), |hex| Err(format!("too many units are in {} (3.1b)", self.map.label(hex))))
    }

    /// Thirty-two turns of a hundred units, each with a few decisions, and some battles a unit.
    fn longest_game(&self) -> usize {
        400_000
    }
}

/// The hexes in the rectangle of rows and columns between two corners.
fn between(map: &Map, (a, b): (Hex, Hex)) -> HexSet {
    let grid = map.grid();
    let ((row_a, column_a), (row_b, column_b)) = (grid.row_and_column(a), grid.row_and_column(b));
    let rows = row_a.min(row_b)..=row_a.max(row_b);
    let columns = column_a.min(column_b)..=column_a.max(column_b);
    let within = |hex: &Hex| {
        let (row, column) = grid.row_and_column(*hex);
        rows.contains(&row) && columns.contains(&column)
    };
    map.hexes().filter(within).collect()
}

/// Finds the counters that rules name.
fn cast(counters: &[Counter]) -> Cast {
    let all = || counters.iter().enumerate().map(|(place, counter)| (UnitId(place as u16), counter));
    let named = |name: &str| all().find(|(_, counter)| counter.name == name).map(|(unit, _)| unit);
    let units = |holds: &dyn Fn(&Counter) -> bool| -> Units {
        all().filter(|(_, counter)| holds(counter)).map(|(unit, _)| unit).collect()
    };
    let romanians =
        |side: Side| move |counter: &Counter| counter.side == side && counter.nation == Nation::Romania;
    let communists: Vec<UnitId> = units(&romanians(Side::Soviet)).iter().collect();
    let army = |counter: &Counter| counter.arm == crate::Arm::Naval;
    Cast {
        second_ss: named("ger-2SS"),
        third_ss: named("ger-3SS"),
        paratroops: named("ger-2Para"),
        sixth_ss: named("ger-6SS"),
        kerch_command: named("ger-KSC"),
        italians: units(&|counter| counter.nation == Nation::Italy).first(),
        coastal_army: units(&army).first(),
        poles: units(&|counter| counter.nation == Nation::Poland).first(),
        axis_romanians: units(&romanians(Side::Axis)),
        communist_romanians: [communists.first().copied(), communists.get(1).copied()],
        bulgarians: units(&|counter| counter.nation == Nation::Bulgaria),
        emergency: units(&Counter::is_emergency),
    }
}

fn read_state(rules: &Barbarossa, root: &Table<'_>) -> Option<State> {
    let out =
        Unit { place: Place::Out, camp: Camp::default(), due: 0, left: 0, toll: 0, marks: Marks::default() };
    let mut state = State {
        turn: root.need("turn").and_then(|item| item.int(1..=rules.last_turn)).unwrap_or(1),
        units: UnitStore::new(out),
        control: BySide { axis: HexSet::EMPTY, soviet: HexSet::EMPTY },
        lines: rules.ground.german_lines,
        vp: START,
        facts: Facts::default(),
        order: Order::FightMove,
        venture: Venture::None,
        southern: Southern::Open,
        heroes: ArrayVec::new(),
        fortresses: ArrayVec::new(),
        heroes_left: 0,
        fortress_left: 0,
        late_fortresses_left: 0,
        walls_left: 0,
        area_left: false,
        area: None,
        airlift: None,
        airlift_due: 0,
        offensive: [None; 3],
        luftwaffe_used: 0,
        steps: [0, 0],
        strategic_left: 0,
        rvgk_left: 0,
        cities_at_turn: 0,
        cities_at_player_turn: 0,
        kills: 0,
        forgiveness: 0,
        origin: None,
        verdict: None,
        stack: Default::default(),
    };
    for (id, counter) in rules.roster.iter().zip(&rules.counters) {
        state.change(id, |unit| unit.camp = Camp::of(counter));
    }
    read_units(rules, &mut state, root)?;
    for id in rules.roster.iter().filter(|id| state.unit(*id).place != Place::Track).collect::<Vec<_>>() {
        state.change(id, |unit| unit.due = 0);
    }
    hide_stacks(rules, &mut state);
    let soviet = rules.ground.soviet_at_start;
    state.control = BySide { axis: rules.ground.land - soviet - rules.ground.bulgaria, soviet };
    details(rules, &mut state, &mut Fields::Read(root));
    // Where only one side's hexes are listed: all that are Soviet, or what is German beside the hexes of the start.
    match (root.get("soviet_control").is_some(), root.get("german_control").is_some()) {
        (true, false) => {
            state.control.axis = rules.ground.land - state.control.soviet - rules.ground.bulgaria;
        }
        (false, true) => {
            state.control.soviet = soviet - state.control.axis;
            state.control.axis |= rules.ground.land - soviet - rules.ground.bulgaria;
        }
        _ => {}
    }
    for side in Side::BOTH {
        let held = *state.held(side);
        state.control[side] |= held;
        state.control[side.enemy()] -= held;
    }
    if root.get("cities_at_turn").is_none() {
        state.cities_at_turn = rules.german_cities(&state);
    }
    if root.get("cities_at_player_turn").is_none() {
        state.cities_at_player_turn = rules.german_cities(&state);
    }
    // Without any procedure under way the turn begins.
    match situation::read_stack(root, rules) {
        Some(stack) => state.stack = stack,
        None if root.doc().is_sound() && engine::Setup::audit(rules, &state).is_ok() => {
            rules.open(&mut state)
        }
        None => {}
    }
    Some(state)
}

/// The units that are listed; without a list everybody as the campaign has them (3.3, 3.4).
fn read_units(rules: &Barbarossa, state: &mut State, root: &Table<'_>) -> Option<()> {
    let reinforcements = root.get("reinforcements").and_then(|item| item.bool()).unwrap_or(false);
    let Some(units) = root.get("units") else {
        for id in rules.roster.iter() {
            put_aside(rules, state, id, printed_place(rules, id));
        }
        return Some(());
    };
    if reinforcements {
        let turn = state.turn;
        for (id, counter) in rules.roster.iter().zip(&rules.counters) {
            let place = match (counter.entry, counter.turn) {
                (Entry::Gambit | Entry::Special, _) => Place::Aside,
                (_, Some(due)) if due > turn => Place::Track,
                _ => Place::Out,
            };
            put_aside(rules, state, id, place);
        }
    }
    for (name, item) in units.table()?.rest() {
        let Some(id) = item.parse(|_| rules.roster.find(name)) else { continue };
        if let Some(unit) = read_unit(rules, id, *state.unit(id), &item) {
            state.change(id, |listed| *listed = unit);
        }
    }
    Some(())
}

/// Puts a unit where it begins; on the track it lies in the box of its turn.
fn put_aside(rules: &Barbarossa, state: &mut State, id: UnitId, place: Place) {
    let due = rules.counter(id).turn.unwrap_or(0);
    state.change(id, |unit| {
        unit.place = place;
        unit.due = due;
    });
}

/// Where a counter begins the campaign.
fn printed_place(rules: &Barbarossa, id: UnitId) -> Place {
    let displaced = |hex: Hex| rules.switches.lithuania && rules.ground.lithuania.contains(hex); // 3.7b
    match rules.counter(id).entry {
        Entry::North | Entry::Centre | Entry::South | Entry::Romania => Place::Hand,
        Entry::Hex => match rules.printed_hex(id) {
            Some(hex) if displaced(hex) => Place::Hand,
            Some(hex) => Place::Hex(hex),
            None => Place::Out,
        },
        Entry::Gambit | Entry::Counterpart | Entry::Special => Place::Aside,
        _ => Place::Track,
    }
}

/// `HEX` or a box, `track=N` for the box of a turn, then `left=N`, `toll=N` and marks.
fn read_unit(rules: &Barbarossa, id: UnitId, usual: Unit, item: &Item<'_>) -> Option<Unit> {
    let words = item.words();
    let (first, rest) = words.split_first()?;
    let text = first.str()?;
    let mut unit = Unit { left: 0, toll: 0, marks: Marks::default(), ..usual };
    match text.strip_prefix("track=") {
        Some(turn) => {
            unit.place = Place::Track;
            unit.due = first.parse(|_| situation::number(turn, 0..=MOST_DUE))?;
        }
        None => {
            unit.place = first.parse(|word| Place::read(word, &rules.map))?;
            unit.due = rules.counter(id).turn.unwrap_or(0);
        }
    }
    let (mut left, mut toll) = (0, 0);
    unit.marks = situation::read_marks(rest, &["left", "toll"], |key, value| {
        let number = situation::number(value, 0..=MOST_POINTS)?;
        if key == "left" {
            left = number
        } else {
            toll = number
        }
        Ok(())
    });
    (unit.left, unit.toll) = (left, toll);
    Some(unit)
}

/// The latest turn for which a unit can lie on the track: a die after the last (8.15b).
const MOST_DUE: u8 = TURNS + 6;

fn write_unit(rules: &Barbarossa, unit: &Unit) -> String {
    let values = [("left", unit.left, 0), ("toll", unit.toll, 0)];
    let line = situation::write_unit(unit.place, &rules.map, &values, unit.marks);
    match unit.place {
        Place::Track => line.replacen("track", &format!("track={}", unit.due), 1),
        _ => line,
    }
}

/// In Soviet stacks of which nothing is said the first unit lies on top (11.7a).
fn hide_stacks(rules: &Barbarossa, state: &mut State) {
    let stacks: HexSet = *state.held(Side::Soviet) & *state.units.shared();
    for hex in stacks.iter() {
        let units: Vec<UnitId> = state.units.in_hex(hex).collect();
        let soviet = units.iter().all(|unit| rules.side(*unit) == Side::Soviet);
        if soviet && !units.iter().any(|unit| state.marked(*unit, Marks::BENEATH)) {
            units.iter().skip(1).for_each(|unit| state.mark(*unit, Marks::BENEATH));
        }
    }
}

/// What is read and written besides units and procedures.
fn details(rules: &Barbarossa, state: &mut State, fields: &mut Fields<'_, '_>) {
    let map = &rules.map;
    match fields {
        Fields::Write(out) => out.field("vp", i64::from(state.vp)),
        Fields::Read(_) => fields.int("vp", &mut state.vp, -999..=999),
    }
    fields.word("order", &mut state.order, Order::from_word, |order| order.as_str().to_owned());
    fields.word("venture", &mut state.venture, Venture::from_word, |venture| venture.as_str().to_owned());
    fields
        .word("southern", &mut state.southern, Southern::from_word, |southern| southern.as_str().to_owned());
    let note = |facts: &mut Facts, word: &str| {
        facts.set(Fact::from_word(word)?, true);
        Ok(())
    };
    fields.list("facts", &mut state.facts, note, |facts| {
        facts.iter().map(|fact| fact.as_str().to_owned()).collect()
    });
    hexes(fields, "soviet_control", &mut state.control.soviet, rules);
    hexes(fields, "german_control", &mut state.control.axis, rules);
    hexes(fields, "lines", &mut state.lines, rules);
    for (key, list) in [("heroes", &mut state.heroes), ("fortresses", &mut state.fortresses)] {
        let add = |list: &mut ArrayVec<Hex, 5>, label: &str| {
            list.try_push(map.hex(label)?).map_err(|_| "at most five".to_owned())
        };
        fields.list(key, list, add, |list| list.iter().map(|hex| map.label(*hex)).collect());
    }
    for (key, number, most) in [
        ("heroes_left", &mut state.heroes_left, 5),
        ("fortress_left", &mut state.fortress_left, 1),
        ("late_fortresses_left", &mut state.late_fortresses_left, 4),
        ("walls_left", &mut state.walls_left, 10),
        ("airlift_due", &mut state.airlift_due, MOST_DUE),
        ("luftwaffe_used", &mut state.luftwaffe_used, 9),
        ("strategic_left", &mut state.strategic_left, 8),
        ("rvgk_left", &mut state.rvgk_left, 5),
        ("kills", &mut state.kills, 255),
    ] {
        fields.int(key, number, 0..=most);
    }
    let [mech, foot] = &mut state.steps;
    fields.int("mech_steps", mech, 0..=20);
    fields.int("foot_steps", foot, 0..=20);
    fields.flag("area_left", &mut state.area_left);
    fields.int("forgiveness", &mut state.forgiveness, -999..=999);
    area(fields, state, rules);
    hex(fields, "airlift", &mut state.airlift, rules);
    hex(fields, "origin", &mut state.origin, rules);
    let place = |markers: &mut [Option<Hex>; 3], text: &str| {
        let (marker, label) =
            text.split_once('=').ok_or_else(|| format!("`{text}` is not MARKER=HEX, such as A=1606"))?;
        markers[Offensive::from_word(marker)? as usize] = Some(map.hex(label)?);
        Ok(())
    };
    fields.list("offensive", &mut state.offensive, place, |markers| {
        let placed = Offensive::ALL.iter().zip(markers).filter_map(|(marker, hex)| Some((marker, (*hex)?)));
        placed.map(|(marker, hex)| format!("{}={}", marker.as_str(), map.label(hex))).collect()
    });
    for (key, cities) in [
        ("cities_at_turn", &mut state.cities_at_turn),
        ("cities_at_player_turn", &mut state.cities_at_player_turn),
    ] {
        read_cities(fields, key, cities, rules);
    }
    let decide = |verdict: &mut Option<(Side, Verdict)>, text: &str| {
        let (side, by) = text.split_once(':').ok_or_else(|| format!("`{text}` is not SIDE:VERDICT"))?;
        *verdict = Some((Side::from_word(side)?, Verdict::from_word(by)?));
        Ok(())
    };
    fields.list("verdict", &mut state.verdict, decide, |verdict| {
        verdict.iter().map(|(side, by)| format!("{}:{}", side.word(), by.as_str())).collect()
    });
}

/// A set of hexes that is written also when it is empty.
fn hexes(fields: &mut Fields<'_, '_>, key: &str, value: &mut HexSet, rules: &Barbarossa) {
    match fields {
        Fields::Write(out) => out.words(key, value.iter().map(|hex| rules.map.label(hex))),
        Fields::Read(_) => fields.hexes(key, value, &rules.map),
    }
}

/// A hex, if there is one.
fn hex(fields: &mut Fields<'_, '_>, key: &str, value: &mut Option<Hex>, rules: &Barbarossa) {
    let read = |value: &mut Option<Hex>, label: &str| {
        *value = Some(rules.map.hex(label)?);
        Ok(())
    };
    fields.list(key, value, read, |value| value.iter().map(|hex| rules.map.label(*hex)).collect());
}

fn area(fields: &mut Fields<'_, '_>, state: &mut State, rules: &Barbarossa) {
    let mut place = state.area.map(|(hex, _)| hex);
    let mut turn = state.area.map_or(0, |(_, turn)| turn);
    hex(fields, "area", &mut place, rules);
    fields.int("area_turn", &mut turn, 0..=TURNS);
    state.area = place.map(|hex| (hex, turn));
}

/// Cities, always written: without a word they are those of now.
fn read_cities(fields: &mut Fields<'_, '_>, key: &str, cities: &mut u64, rules: &Barbarossa) {
    let list = &rules.ground.city_list;
    let mut set: HexSet =
        list.iter().enumerate().filter(|(place, _)| *cities >> place & 1 == 1).map(|(_, hex)| *hex).collect();
    hexes(fields, key, &mut set, rules);
    let held = list.iter().enumerate().filter(|(_, hex)| set.contains(**hex));
    *cities = held.fold(0, |all, (place, _)| all | 1 << place);
}

fn audit_map(rules: &Barbarossa, state: &State) -> Result<(), String> {
    let ground = &rules.ground;
    let beyond = (state.control.axis | state.control.soviet | state.lines) - ground.land;
    if !beyond.is_empty() {
        return Err("a hex that is not land is controlled or fortified (R122)".to_owned());
    }
    if state.control.axis.intersects(&state.control.soviet) {
        return Err("both sides control a hex (3.6c)".to_owned());
    }
    for (side, markers) in [(Side::Soviet, &state.heroes), (Side::Axis, &state.fortresses)] {
        let sound = |hex: &Hex| ground.cities.contains(*hex) && state.controls(side, *hex);
        let twice = markers.iter().enumerate().any(|(place, hex)| markers[..place].contains(hex));
        if twice || !markers.iter().all(sound) {
            return Err("a hero or fortress city is no city of its side (9.1b, 9.2b)".to_owned());
        }
    }
    let placed: Vec<Hex> = state.offensive.iter().flatten().copied().collect();
    if placed.iter().enumerate().any(|(place, hex)| placed[..place].contains(hex)) {
        return Err("two offensive supply markers lie in one hex (7.12a)".to_owned());
    }
    Ok(())
}

fn audit_unit(rules: &Barbarossa, state: &State, unit: UnitId, hex: Hex) -> Result<(), String> {
    let (name, label) = (rules.roster.name(unit), rules.map.label(hex));
    let side = rules.side(unit);
    if !rules.ground.land.contains(hex) {
        return Err(format!("{name} is in {label}, where no unit may be (10.13)"));
    }
    if !state.controls(side, hex) {
        return Err(format!("{name} is in {label}, which its side does not control (3.6c)"));
    }
    if state.held(side.enemy()).contains(hex) {
        return Err(format!("both sides are in {label} (10.4)"));
    }
    let ports = [rules.ground.odessa, rules.ground.sevastopol];
    if rules.is_ica(unit) && ports.iter().flatten().next().is_some() && !ports.contains(&Some(hex)) {
        return Err(format!("{name} is in {label}, not in Odessa or Sevastopol (10.34a)"));
    }
    let count = state.units.in_hex(hex).count();
    if count > MOST_IN_A_HEX {
        return Err(format!("{count} units are in {label} (6.3)"));
    }
    let beneath = state.units.in_hex(hex).filter(|unit| state.marked(*unit, Marks::BENEATH)).count();
    match side {
        Side::Soviet if beneath + 1 != count => {
            Err(format!("all units but one in {label} must be marked beneath (11.7a)"))
        }
        Side::Axis if beneath > 0 => Err(format!("German stacks in {label} hide nothing (11.7b)")),
        _ => Ok(()),
    }
}

const _: () = assert!(MAX_UNITS <= Units::CAPACITY);
const _: () = assert!(Fact::ALL.len() <= 64);
