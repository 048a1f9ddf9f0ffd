//! Situations of this rulebook, read and written; what must hold in every state.

use arrayvec::ArrayVec;
use board::{Hex, HexSet};
use engine::store::{OnMap, UnitStore};
use engine::{Data, Options, Rulebook, Side, UnitId, frame, situation};
use source::{Item, Table, Writer};

use crate::air::{MAIN_AIR, air_armies};
use crate::charts::{self, Charts, TerrainChart};
use crate::ground::Ground;
use crate::victory::NEEDED;
use crate::{
    AirArmies, Dagc, Deployment, Front, Group, MAX_UNITS, Marks, Place, SharedRoll, State, Switches, TURNS,
    Unit, Units,
};

/// Where the Center of Gravity lies in Bold Stroke (3.6a).
const SOUTHERN_CENTER: &str = "4720";

/// How many units a situation may put into a hex, to be mended by 6.6c.
pub(crate) const MOST_IN_A_HEX: usize = 3;

pub(crate) fn read(root: &Table<'_>, data: &Data, options: Options) -> Option<(Dagc, State)> {
    let doc = root.doc();
    let charts = Charts::read(doc, data);
    let counters = data.read(doc, charts::COUNTERS, charts::read_counters);
    // A fault in one table does not hide those of the map.
    let legend = data.file(charts::TERRAIN).ok().and_then(|source| TerrainChart::read(source).ok());
    let read = situation::read_map(root, data, &legend?.legend());
    let (charts, (map, map_name)) = (charts?, read?);
    let Some(ground) = Ground::new(&map, &charts.terrain) else {
        root.fault("the map is too large for this rulebook: at most 64 lines of 64 hexes, and 16 ports");
        return None;
    };
    let center = root.get("center").and_then(|item| item.parse(|label| map.hex(label)));
    let counters = counters?;
    let roster =
        situation::read_roster(root, counters.iter().map(|counter| counter.name.as_str()), MAX_UNITS)?;
    let switches = Switches::new(options, &Dagc::BOOK);
    let southern = map.hex(SOUTHERN_CENTER).ok().filter(|_| switches.southern_center); // 3.6a
    let center = southern.or(center);
    // What cannot be read is a fault already: the rest is read as if it said nothing, to find all that is wrong at once.
    let last_turn = root.get("last_turn").and_then(|item| item.int(1..=TURNS)).unwrap_or(TURNS);
    let needed = root.get("needed").and_then(|item| item.int(1..=99)).unwrap_or(NEEDED);
    let rules = Dagc {
        last_turn,
        needed,
        map,
        map_name,
        ground,
        roster,
        counters,
        charts,
        center,
        options,
        switches,
    };
    let state = read_state(&rules, root)?;
    Some((rules, state))
}

fn read_state(rules: &Dagc, root: &Table<'_>) -> Option<State> {
    let out = Unit { place: Place::Out, front: Front::default(), steps: 0, marks: Marks::default() };
    let mut state = State {
        turn: root.need("turn").and_then(|item| item.int(1..=rules.last_turn)).unwrap_or(1),
        units: UnitStore::new(out),
        soviet_hexes: HexSet::EMPTY,
        steps_left: 0,
        rolls: ArrayVec::new(),
        air: ArrayVec::from([AirArmies { all: MAIN_AIR, used: 0 }, AirArmies::default()]),
        narrows_used: false,
        armor_tried: false,
        lost_ports: 0,
        stack: Default::default(),
    };
    for (id, counter) in rules.roster.iter().zip(&rules.counters) {
        state.change(id, |unit| unit.front = Front::of(counter));
    }
    match root.get("units") {
        None => {
            set_up_as_printed(rules, &mut state, root);
            state.soviet_hexes = control_at_start(rules, &state);
            if root.doc().is_sound() {
                rules.open(&mut state);
            }
        }
        Some(units) => {
            for (name, item) in units.table()?.rest() {
                let unit = item
                    .parse(|_| rules.roster.find(name))
                    .and_then(|id| Some((id, read_unit(rules, id, &item)?)));
                if let Some((id, unit)) = unit {
                    state.change(id, |listed| *listed = unit);
                }
            }
            state.soviet_hexes = match root.get("soviet") {
                Some(item) => situation::read_hexes(&item, &rules.map).into_iter().collect(),
                None => control_at_start(rules, &state),
            };
            read_details(rules, &mut state, root);
        }
    }
    Some(state)
}

/// Every unit where its counter says (3.1), with what the options change (3.6 to 3.9).
fn set_up_as_printed(rules: &Dagc, state: &mut State, root: &Table<'_>) {
    for (id, counter) in rules.roster.iter().zip(&rules.counters) {
        let place = match counter.group {
            Group::Nu if !rules.switches.north_ukraine => Place::Out,
            Group::FifthPanzer if !rules.switches.fifth_panzer => Place::Out,
            Group::FifthPanzer => Place::Hand,
            _ if counter.star && rules.switches.bold_deployment => Place::Hand,
            _ => match charts::setup_hex(counter, &rules.map) {
                Some(hex) => Place::Map(hex),
                None if counter.hex.is_some() => {
                    root.fault(format!(
                        "{} is set up in {:?}, which is not on this map",
                        counter.name, counter.hex
                    ));
                    Place::Out
                }
                None => Place::Track,
            },
        };
        let steps = if place == Place::Out { 0 } else { counter.steps() };
        let mut unit = Unit { place, front: Front::of(counter), steps, marks: Marks::default() };
        let beneath = matches!(place, Place::Map(hex) if !state.stack_in(hex).is_empty());
        if beneath && counter.side == Side::Soviet {
            unit.marks.set(Marks::BENEATH);
        }
        state.change(id, |printed| *printed = unit);
    }
}

/// The front of 22 June, and wherever units stand (3.3b, R46).
fn control_at_start(rules: &Dagc, state: &State) -> HexSet {
    let hexes = |side: Side| rules.on_map(state, side).map(|(_, hex)| hex).collect::<HexSet>();
    (rules.ground.soviet_at_start | hexes(Side::Soviet)) - hexes(Side::Axis)
}

/// `HEX`, `track`, `dead` or `hand`, then `steps=N` and marks where they differ from a fresh unit.
fn read_unit(rules: &Dagc, id: UnitId, item: &Item<'_>) -> Option<Unit> {
    let counter = rules.counter(id);
    let words = item.words();
    let Some((first, rest)) = words.split_first() else {
        item.fault("expected a hex, track, dead or hand");
        return None;
    };
    let place = match first.str()? {
        "track" => Place::Track,
        "dead" => Place::Dead,
        "hand" => Place::Hand,
        _ => Place::Map(first.parse(|label| rules.map.hex(label))?),
    };
    let (steps, marks) = situation::read_marks(
        rest,
        (place != Place::Dead).then_some(counter.steps()),
        Marks::ALL,
        Marks::from_word,
    );
    let marks = marks.into_iter().fold(Marks::default(), |all, mark| all | mark);
    Some(Unit { place, front: Front::of(counter), steps, marks })
}

fn read_details(rules: &Dagc, state: &mut State, root: &Table<'_>) {
    if let Some(steps) = root.get("steps").and_then(|item| item.int(0..=20u8)) {
        state.steps_left = steps;
    }
    // Without a word about them they are what the game would have: those of 1st Ukrainian Front come with its first unit.
    let begun = if root.get("stack").is_some() { state.turn } else { state.turn - 1 };
    let [main, uf] = air_armies(begun);
    let is_here = rules.roster.iter().any(|unit| rules.is_1uf(unit) && state.hex(unit).is_some());
    for (i, (key, all)) in [("air", main), ("air_1uf", if is_here { uf } else { 0 })].into_iter().enumerate()
    {
        let told = root.get(key).and_then(|item| item.parse(read_air));
        state.air[i] = told.unwrap_or(AirArmies { all, used: 0 });
    }
    state.narrows_used = root.get("narrows_used").and_then(|item| item.bool()).unwrap_or(false);
    state.armor_tried = root.get("armor_tried").and_then(|item| item.bool()).unwrap_or(false);
    for word in root.get("lost_ports").map(|item| item.words()).unwrap_or_default() {
        let port = word.parse(|label| {
            let hex = rules.map.hex(label)?;
            rules
                .ground
                .ports
                .iter()
                .position(|port| *port == hex)
                .ok_or_else(|| format!("{label} is no port"))
        });
        state.lost_ports |= port.map_or(0, |port| 1 << port);
    }
    for word in root.get("rolls").map(|item| item.words()).unwrap_or_default() {
        if let Some(roll) = word.parse(|text| read_roll(rules, text))
            && state.rolls.try_push(roll).is_err()
        {
            word.fault("too many rolls");
        }
    }
    // Without any procedure under way the turn begins.
    match situation::read_stack(root, rules) {
        Some(stack) => {
            state.stack = stack;
            // What turn 1 begins with, unless the file says who was activated (5.4a).
            let told = root.get("activated").and_then(|item| item.bool());
            let set_up = state.stack.find::<Deployment>().is_none();
            if state.turn == 1 && set_up && told.unwrap_or_else(|| !anyone_activated(state)) {
                rules.activate(state);
            }
        }
        None if root.doc().is_sound() && audit(rules, state).is_ok() => rules.open(state),
        None => {}
    }
}

fn anyone_activated(state: &State) -> bool {
    state.units.iter().any(|(_, unit)| unit.marks.has(Marks::ACTIVATED))
}

/// `8/3`: eight air armies, of which three have acted.
fn read_air(text: &str) -> Result<AirArmies, String> {
    let wrong = || format!("`{text}` is not ALL/USED, such as 8/3");
    let (all, used) = text.split_once('/').ok_or_else(wrong)?;
    match (all.parse(), used.parse()) {
        (Ok(all), Ok(used)) if all <= MAIN_AIR && used <= all => Ok(AirArmies { all, used }),
        _ => Err(wrong()),
    }
}

/// `3500=4`: units out of supply that began in 3500 have rolled 4.
fn read_roll(rules: &Dagc, text: &str) -> Result<SharedRoll, String> {
    let wrong = || format!("`{text}` is not HEX=ROLL, such as 3500=4");
    let (hex, roll) = text.split_once('=').ok_or_else(wrong)?;
    let roll = roll.parse().ok().filter(|roll| (1..=6).contains(roll)).ok_or_else(wrong)?;
    Ok(SharedRoll { hex: rules.map.hex(hex)?, roll })
}

pub(crate) fn write(rules: &Dagc, state: &State, out: &mut Writer) {
    let label = |hex: Hex| rules.map.label(hex);
    if let Some(name) = &rules.map_name {
        out.field("map", name.as_str());
    }
    out.field("turn", i64::from(state.turn));
    if let Some(center) = rules.center {
        out.field("center", label(center));
    }
    if rules.last_turn != TURNS {
        out.field("last_turn", i64::from(rules.last_turn));
    }
    if rules.needed != NEEDED {
        out.field("needed", i64::from(rules.needed));
    }
    out.field("steps", i64::from(state.steps_left));
    out.field("air", format!("{}/{}", state.air[0].all, state.air[0].used));
    out.field("air_1uf", format!("{}/{}", state.air[1].all, state.air[1].used));
    if state.narrows_used {
        out.field("narrows_used", true);
    }
    if state.armor_tried {
        out.field("armor_tried", true);
    }
    if state.turn == 1 && !anyone_activated(state) {
        out.field("activated", false);
    }
    let lost = rules.ground.ports.iter().enumerate().filter(|(i, _)| state.lost_ports >> i & 1 == 1);
    let lost: Vec<String> = lost.map(|(_, hex)| label(*hex)).collect();
    if !lost.is_empty() {
        out.words("lost_ports", lost);
    }
    if !state.rolls.is_empty() {
        out.words("rolls", state.rolls.iter().map(|shared| format!("{}={}", label(shared.hex), shared.roll)));
    }
    situation::write_stack(&state.stack, rules, out);
    out.words("soviet", state.soviet_hexes.iter().map(label));
    if rules.map_name.is_none() {
        out.table("map");
        rules.map.write_under(out, "map");
    }
    out.table("units");
    for unit in rules.roster.iter().filter(|unit| state.unit(*unit).place != Place::Out) {
        out.field(rules.roster.name(unit), write_unit(rules, state, unit));
    }
}

fn write_unit(rules: &Dagc, state: &State, id: UnitId) -> String {
    let unit = state.unit(id);
    let place = match unit.place {
        Place::Map(hex) => rules.map.label(hex),
        Place::Track => "track".to_owned(),
        Place::Dead => "dead".to_owned(),
        Place::Hand => "hand".to_owned(),
        Place::Out => "out".to_owned(),
    };
    let mut words = vec![place];
    if unit.place != Place::Dead && unit.steps != rules.counter(id).steps() {
        words.push(format!("steps={}", unit.steps));
    }
    words.extend(unit.marks.words().map(str::to_owned));
    words.join(" ")
}

/// What must hold in every state; a situation that breaks it is refused.
pub(crate) fn audit(rules: &Dagc, state: &State) -> Result<(), String> {
    for side in Side::BOTH {
        for (unit, hex) in rules.on_map(state, side) {
            audit_unit(rules, state, unit, hex)?;
        }
    }
    if !(state.soviet_hexes - rules.ground.land).is_empty() {
        return Err("a hex that is not land is Soviet".to_owned());
    }
    // Each die is shared by units that have moved: so there is room for one of everybody who has not.
    let unmoved =
        state.units.iter().filter(|(_, unit)| unit.hex().is_some() && !unit.marks.has(Marks::MOVED));
    if state.rolls.len() + unmoved.count() > MAX_UNITS {
        return Err("more dice were rolled than units have moved (7.3b)".to_owned());
    }
    if rules.sudden_death(state) && !state.stack.is_empty() {
        return Err("Koenigsberg has fallen, but the game goes on (4.2)".to_owned());
    }
    frame::audit(rules, state)
}

fn audit_unit(rules: &Dagc, state: &State, unit: UnitId, hex: Hex) -> Result<(), String> {
    let (name, label) = (rules.roster.name(unit), rules.map.label(hex));
    let side = rules.side(unit);
    let steps = state.unit(unit).steps;
    if steps == 0 || steps > rules.counter(unit).steps() {
        return Err(format!("{name} has {steps} steps (2.11a)"));
    }
    if !rules.ground.land.contains(hex) {
        return Err(format!("{name} is in {label}, where no unit may be (9.7)"));
    }
    if state.controller(hex) != side {
        return Err(format!("{name} is in {label}, which its side does not control (3.3c)"));
    }
    let stack = state.stack_in(hex);
    if stack.iter().any(|other| rules.side(*other) != side) {
        return Err(format!("both sides are in {label} (6.9)"));
    }
    if side == Side::Soviet && stack.iter().any(|other| rules.is_1uf(*other) != rules.is_1uf(unit)) {
        return Err(format!("both Soviet fronts are in {label} (6.10a)"));
    }
    if side == Side::Axis && rules.ground.soviet_entrenchments.contains(hex) {
        return Err(format!("{name} is in the Soviet entrenchment in {label} (9.12)"));
    }
    if stack.len() > MOST_IN_A_HEX {
        return Err(format!("{} units are in {label} (6.1)", stack.len()));
    }
    let beneath = stack.iter().filter(|unit| state.marked(**unit, Marks::BENEATH)).count();
    if side == Side::Soviet && beneath + 1 != stack.len() {
        return Err(format!("all units but one in {label} must be marked beneath (6.8b)"));
    }
    if side == Side::Axis && beneath > 0 {
        return Err(format!("German stacks in {label} hide nothing (6.8a)"));
    }
    Ok(())
}

const _: () = assert!(MAX_UNITS <= Units::CAPACITY);
const _: () = assert!(Dagc::BOOK.options.len() <= 64);
