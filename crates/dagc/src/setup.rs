//! Situations of this rulebook, read and written; what must hold in every state.

use arrayvec::ArrayVec;
use board::{Hex, HexSet};
use engine::situation::Fields;
use engine::store::{OnMap, UnitStore};
use engine::{Data, Options, Setup, Side, Types, UnitId, frame, situation};
use include_dir::{Dir, include_dir};
use source::{Item, Table, Writer};

use crate::air::{MAIN_AIR, air_armies};
use crate::charts::{self, Charts};
use crate::ground::Ground;
use crate::victory::NEEDED;
use crate::{
    AirArmies, Dagc, Deployment, Front, Group, MAX_UNITS, Marks, Place, SharedRoll, State, Switches, TURNS,
    Unit, Units,
};

static DATA: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../data/dagc");

/// Where the Center of Gravity lies in Bold Stroke (3.6a).
const SOUTHERN_CENTER: &str = "4720";

/// How many units a situation may put into a hex, to be mended by 6.6c.
pub(crate) const MOST_IN_A_HEX: usize = 3;

impl Setup for Dagc {
    const FILES: &'static Dir<'static> = &DATA;

    fn read(root: &Table<'_>, data: &Data, options: Options) -> Option<(Dagc, State)> {
        let doc = root.doc();
        let charts = Charts::read(doc, data);
        let counters = data.read(doc, charts::COUNTERS, charts::read_counters);
        let read = situation::read_map(root, data);
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

    fn write(&self, state: &State, out: &mut Writer) {
        situation::write_map_name(self.map_name.as_deref(), out);
        out.field("turn", i64::from(state.turn));
        if let Some(center) = self.center {
            out.field("center", self.map.label(center));
        }
        if self.last_turn != TURNS {
            out.field("last_turn", i64::from(self.last_turn));
        }
        if self.needed != NEEDED {
            out.field("needed", i64::from(self.needed));
        }
        details(self, &mut state.clone(), &mut Fields::Write(out));
        if state.turn == 1 && !anyone_activated(state) {
            out.field("activated", false);
        }
        situation::write_stack(&state.stack, self, out);
        out.words("soviet", state.soviet_hexes.iter().map(|hex| self.map.label(hex)));
        situation::write_sketch(&self.map, self.map_name.as_deref(), out);
        out.table("units");
        for id in self.roster.iter().filter(|unit| state.unit(*unit).place != Place::Out) {
            let Unit { place, steps, marks, .. } = *state.unit(id);
            let full = if place == Place::Dead { 0 } else { self.counter(id).steps() };
            let line = situation::write_unit(place, &self.map, &[("steps", steps, full)], marks);
            out.field(self.roster.name(id), line);
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
        if !(state.soviet_hexes - self.ground.land).is_empty() {
            return Err("a hex that is not land is Soviet".to_owned());
        }
        // Each die is shared by units that have moved: so there is room for one of everybody who has not.
        let unmoved =
            state.units.iter().filter(|(_, unit)| unit.hex().is_some() && !unit.marks.has(Marks::MOVED));
        if state.rolls.len() + unmoved.count() > MAX_UNITS {
            return Err("more dice were rolled than units have moved (7.3b)".to_owned());
        }
        if self.sudden_death(state) && !state.stack.is_empty() {
            return Err("Koenigsberg has fallen, but the game goes on (4.2)".to_owned());
        }
        frame::audit(self, state)
    }

    /// Two units a hex, from the beginning (6.1).
    fn audit_setup(&self, state: &State) -> Result<(), String> {
        let over = self.overstacked(state);
        over.map_or(Ok(()), |hex| {
            Err(format!("{} units are in {} (6.1)", state.stack_in(hex).len(), self.map.label(hex)))
        })
    }
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
            read_rest(rules, &mut state, root);
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
                Some(hex) => Place::Hex(hex),
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
        let beneath = matches!(place, Place::Hex(hex) if !state.stack_in(hex).is_empty());
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
    let (place, rest) = situation::read_place(item, &rules.map)?;
    let (steps, marks) = situation::read_steps(&rest, (place != Place::Dead).then_some(counter.steps()));
    Some(Unit { place, front: Front::of(counter), steps, marks })
}

/// What is read and written besides units and procedures.
fn details(rules: &Dagc, state: &mut State, fields: &mut Fields<'_, '_>) {
    fields.int("steps", &mut state.steps_left, 0..=20);
    for (key, armies) in ["air", "air_1uf"].into_iter().zip(&mut state.air) {
        fields.word(key, armies, read_air, |armies| format!("{}/{}", armies.all, armies.used));
    }
    fields.flag("narrows_used", &mut state.narrows_used);
    fields.flag("armor_tried", &mut state.armor_tried);
    let ports = &rules.ground.ports;
    let lose = |lost: &mut u16, label: &str| {
        let hex = rules.map.hex(label)?;
        let port = ports.iter().position(|port| *port == hex).ok_or_else(|| format!("{label} is no port"))?;
        *lost |= 1 << port;
        Ok(())
    };
    fields.list("lost_ports", &mut state.lost_ports, lose, |lost| {
        let ports = ports.iter().enumerate().filter(|(place, _)| lost >> place & 1 == 1);
        ports.map(|(_, hex)| rules.map.label(*hex)).collect()
    });
    let add = |rolls: &mut ArrayVec<SharedRoll, MAX_UNITS>, text: &str| {
        rolls.try_push(read_roll(rules, text)?).map_err(|_| "too many rolls".to_owned())
    };
    fields.list("rolls", &mut state.rolls, add, |rolls| {
        rolls.iter().map(|shared| format!("{}={}", rules.map.label(shared.hex), shared.roll)).collect()
    });
}

fn read_rest(rules: &Dagc, state: &mut State, root: &Table<'_>) {
    // Where the file says nothing of them, they are what the game would have: those of 1st Ukrainian Front come with its first unit.
    let begun = if root.get("stack").is_some() { state.turn } else { state.turn - 1 };
    let is_here = rules.roster.iter().any(|unit| rules.is_1uf(unit) && state.hex(unit).is_some());
    let [main, uf] = air_armies(begun);
    state.air[0].all = main;
    state.air[1].all = if is_here { uf } else { 0 };
    details(rules, state, &mut Fields::Read(root));
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
        None if root.doc().is_sound() && rules.audit(state).is_ok() => rules.open(state),
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
    let roll = situation::number(roll, 1..=6).map_err(|_| wrong())?;
    Ok(SharedRoll { hex: rules.map.hex(hex)?, roll })
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
