//! Situations of this rulebook, read and written; what must hold in every state.

use board::Hex;
use engine::situation::Fields;
use engine::store::{OnMap, UnitStore};
use engine::{BySide, Data, Options, Rulebook, Setup, Side, Types, UnitId, frame, situation};
use include_dir::{Dir, include_dir};
use source::{Item, Table, Writer};

use crate::charts::{self, Charts, Counter, INITIATIVE_TRACK, Transfer, TransferLine};
use crate::ground::Ground;
use crate::scenario::Scenario;
use crate::stacking::MOST_UNITS;
use crate::{
    Bug, Corps, HexSet, InitiativeMarker, MAX_FORMATIONS, MAX_UNITS, Marks, Place, Pontoon, State, Switches,
    UNASSIGNED, Unit, sequence,
};

static DATA: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../data/bug");

/// How many combat units are ever in a hex: a full stack that stands there, and one that comes (5.3.1c, 5.3.1e).
const MOST_IN_A_HEX: usize = 2 * MOST_UNITS;

impl Setup for Bug {
    const FILES: &'static Dir<'static> = &DATA;

    fn read(root: &Table<'_>, data: &Data, options: Options) -> Option<(Bug, State)> {
        let doc = root.doc();
        let charts = Charts::read(doc, data);
        let units = data.read(doc, charts::COUNTERS, charts::read_units);
        let hqs = data.read(doc, charts::HQS, charts::read_hqs);
        let charts = charts?;
        let (map, map_name) = situation::read_map(root, data)?;
        let scenario = Scenario::read(root, &map)?;
        let Some(ground) = Ground::new(&map, &charts.terrain, &scenario) else {
            root.fault("the map is too large for this rulebook: at most 32 rows of 64 hexes");
            return None;
        };
        let mut counters = hqs?;
        let count = counters.len();
        counters.extend(units?);
        let roster =
            situation::read_roster(root, counters.iter().map(|counter| counter.name.as_str()), MAX_UNITS)?;
        let hqs: Vec<UnitId> = (0..count as u16).map(UnitId).collect();
        check_counters(root, &counters, &scenario, count)?;
        let home = |counter: &Counter| counters[..count].iter().position(|hq| hq.name == counter.formation);
        let homes = counters.iter().map(|counter| home(counter).unwrap_or(0) as u8).collect();
        let entries =
            |counter: &Counter| counter.entry.iter().filter_map(|label| map.hex(label).ok()).collect();
        let entries = counters.iter().map(entries).collect();
        let transfers = charts.transfers.iter().map(|line| read_transfer(line, &counters, count)).collect();
        let rules = Bug {
            map,
            map_name,
            ground,
            roster,
            counters,
            hqs,
            homes,
            entries,
            transfers,
            charts,
            scenario,
            options,
            switches: Switches::new(options, &Bug::BOOK),
        };
        let state = read_state(&rules, root)?;
        Some((rules, state))
    }

    fn write(&self, state: &State, out: &mut Writer) {
        situation::write_map_name(self.map_name.as_deref(), out);
        out.field("turn", i64::from(state.turn));
        self.scenario.write_head(&self.map, out);
        details(self, &mut state.clone(), &mut Fields::Write(out));
        situation::write_stack(&state.stack, self, out);
        out.words("soviet", state.soviet_hexes.iter().map(|hex| self.map.label(hex)));
        self.scenario.write_tables(&self.map, out);
        situation::write_sketch(&self.map, self.map_name.as_deref(), out);
        out.table("units");
        for unit in self.roster.iter().filter(|unit| state.unit(*unit).place != Place::Out) {
            out.field(self.roster.name(unit), write_unit(self, state, unit));
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
        if !state.soviet_hexes.is_subset(&self.ground.land) {
            return Err("a hex that is not in play is Soviet".to_owned());
        }
        for hex in state.improved.iter() {
            let units = self.combat_units(state, hex);
            if units.is_empty() || units.iter().any(|unit| state.is_disrupted(unit)) {
                return Err(format!("{} cannot be in Improved Defense (5.6.3f)", self.map.label(hex)));
            }
        }
        for unit in self.roster.iter() {
            let entry = state.unit(unit);
            let formation = self.hqs.get(usize::from(entry.formation));
            let stray = formation.is_some_and(|hq| self.side(*hq) != self.side(unit));
            if stray || (formation.is_none() && !matches!(entry.place, Place::Track | Place::Out)) {
                return Err(format!("{} belongs to no formation (5.5.1a)", self.roster.name(unit)));
            }
        }
        frame::audit(self, state)?;
        let mut answers = Vec::new();
        self.answers(state, &mut answers);
        if answers.is_empty() && !state.stack.is_empty() {
            return Err("nobody can answer what is asked".to_owned());
        }
        Ok(())
    }

    /// Nobody is overstacked at the beginning (5.3.1e).
    fn audit_setup(&self, state: &State) -> Result<(), String> {
        let over = self.map.hexes().find(|hex| self.is_overstacked(state, *hex));
        over.map_or(Ok(()), |hex| Err(format!("{} is overstacked (5.3.1e)", self.map.label(hex))))
    }

    fn longest_game(&self) -> usize {
        60_000
    }
}

/// Formations that are not in the game are left out.
fn read_transfer(transfer: &Transfer, counters: &[Counter], hqs: usize) -> TransferLine {
    let named = |(_, hq): &(usize, &Counter)| transfer.to.contains(&hq.name);
    let concerned = |(_, unit): &(usize, &Counter)| {
        unit.arm == transfer.arm && transfer.from.contains(&unit.formation) && !unit.independent
    };
    let units = counters.iter().enumerate().filter(concerned);
    TransferLine {
        units: units.map(|(place, _)| UnitId(place as u16)).collect(),
        most: transfer.most,
        to: counters[..hqs].iter().enumerate().filter(named).fold(0, |mask, (place, _)| mask | 1 << place),
    }
}

/// Every unit must belong to a formation of its own side.
fn check_counters(root: &Table<'_>, counters: &[Counter], scenario: &Scenario, hqs: usize) -> Option<()> {
    if hqs == 0 || hqs > MAX_FORMATIONS {
        root.fault(format!("{hqs} formations, but a game has from 1 to {MAX_FORMATIONS}"));
        return None;
    }
    for counter in counters {
        let belongs =
            counters[..hqs].iter().any(|hq| hq.name == counter.formation && hq.side == counter.side);
        if !belongs {
            root.fault(format!(
                "{}: there is no formation `{}` of its side",
                counter.name, counter.formation
            ));
            return None;
        }
    }
    for name in scenario.formations.iter().flatten() {
        if !counters[..hqs].iter().any(|hq| hq.name == *name) {
            root.fault(format!("there is no formation `{name}`"));
            return None;
        }
    }
    Some(())
}

fn read_state(rules: &Bug, root: &Table<'_>) -> Option<State> {
    let out = Unit {
        place: Place::Out,
        strength: 0,
        marks: Marks::default(),
        formation: 0,
        regular: 0,
        depth: 0,
        level: 0,
        hits: 0,
    };
    let mut state = State {
        turn: root.need("turn")?.int(1..=rules.scenario.last_turn)?,
        units: UnitStore::new(out),
        soviet_hexes: HexSet::EMPTY,
        improved: HexSet::EMPTY,
        luck: Side::Axis, // 5.2c
        initiative: InitiativeMarker { step: 0, side: Side::Axis },
        interdiction: 0,
        passed: BySide::default(),
        pontoons: [Pontoon::Ready; 2],
        reserve: 0,
        points: [0, 0],
        stack: Default::default(),
    };
    for unit in rules.roster.iter() {
        state.change(unit, |entry| *entry = fresh(rules, unit, Place::Out));
    }
    match root.get("units") {
        None => set_up_as_printed(rules, &mut state, root),
        Some(units) => {
            for (name, item) in units.table()?.rest() {
                let unit = item
                    .parse(|_| rules.roster.find(name))
                    .and_then(|id| Some((id, read_unit(rules, id, &item)?)));
                if let Some((id, unit)) = unit {
                    state.change(id, |entry| *entry = unit);
                }
            }
            arrange_stacks(rules, &mut state);
        }
    }
    state.soviet_hexes = match root.get("soviet") {
        Some(item) => situation::read_hexes(&item, &rules.map).into_iter().collect(),
        None => control_at_start(rules, &state),
    };
    details(rules, &mut state, &mut Fields::Read(root));
    open(rules, &mut state, root);
    Some(state)
}

/// Every unit of the formations in play where its counter says.
fn set_up_as_printed(rules: &Bug, state: &mut State, root: &Table<'_>) {
    for (i, counter) in rules.counters.iter().enumerate() {
        let played =
            rules.scenario.formations.as_ref().is_none_or(|names| names.contains(&counter.formation));
        let place = match &counter.hex {
            _ if !played => Place::Out,
            Some(label) => match rules.map.hex(label) {
                Ok(hex) => Place::Hex(hex),
                Err(wrong) => {
                    root.fault(format!("{}: {wrong}", counter.name));
                    Place::Out
                }
            },
            None => Place::Track,
        };
        let id = UnitId(i as u16);
        let unit = fresh(rules, id, place);
        state.change(id, |entry| *entry = unit);
    }
    arrange_stacks(rules, state);
}

/// A unit as it enters play.
fn fresh(rules: &Bug, id: UnitId, place: Place) -> Unit {
    let counter = rules.counter(id);
    let own = rules.own_formation(id);
    // An independent unit that is yet to come must be assigned first (8.2e).
    let formation = if counter.independent && place == Place::Track { UNASSIGNED } else { own };
    let strength =
        if matches!(place, Place::Out | Place::Dead | Place::Merged) { 0 } else { counter.strength };
    Unit {
        place,
        strength,
        marks: Marks::default(),
        formation,
        regular: formation,
        depth: 0,
        level: counter.hq.filter(|_| place != Place::Out).map_or(0, |values| values.start_level),
        hits: 0,
    }
}

/// Numbers the units of each stack from the top, in the order they have and then that of the roster, HQs last.
fn arrange_stacks(rules: &Bug, state: &mut State) {
    let hexes: HexSet = state.units.iter().filter_map(|(_, unit)| unit.hex()).collect();
    for hex in hexes.iter() {
        let mut stack = state.stack_in(hex);
        stack.sort_by_key(|unit| (state.unit(*unit).depth, rules.is_hq(*unit)));
        for (depth, unit) in stack.into_iter().enumerate() {
            state.change(unit, |unit| unit.depth = depth as u8);
        }
    }
}

/// East of the Bug and next to the Soviet supply areas all is Soviet (R17), but for where combat units stand.
fn control_at_start(rules: &Bug, state: &State) -> HexSet {
    let hexes = |side: Side| -> HexSet {
        rules.on_map(state, side).filter(|(unit, _)| !rules.is_hq(*unit)).map(|(_, hex)| hex).collect()
    };
    let east = (rules.ground.land - rules.ground.west) | rules.ground.sources.soviet;
    (east | hexes(Side::Soviet)) - hexes(Side::Axis)
}

/// `HEX`, `track`, `dead`, `merged` or `away`, then what differs from a fresh unit: the [`KEYS`] and marks.
fn read_unit(rules: &Bug, id: UnitId, item: &Item<'_>) -> Option<Unit> {
    let (place, rest) = situation::read_place(item, &rules.map)?;
    let mut unit = fresh(rules, id, place);
    unit.marks =
        situation::read_marks(&rest, &KEYS, |key, value| read_value(rules, id, &mut unit, key, value));
    Some(unit)
}

const KEYS: [&str; 7] = ["strength", "support", "level", "depth", "hits", "formation", "attached"];

fn read_value(rules: &Bug, id: UnitId, unit: &mut Unit, key: &str, value: &str) -> Result<(), String> {
    let counter = rules.counter(id);
    let number = |most: u8| situation::number(value, 0..=most);
    let formation = || {
        let hq = rules.roster.find(value)?;
        let place = rules.formation_of(hq).filter(|_| rules.side(hq) == counter.side);
        place.ok_or_else(|| format!("`{value}` is no HQ of its side"))
    };
    match (key, &counter.hq) {
        ("strength", None) => unit.strength = number(counter.strength)?,
        ("support", Some(_)) => unit.strength = number(counter.strength)?,
        ("level", Some(values)) => unit.level = number(values.max_level)?,
        ("depth", _) => unit.depth = number(MAX_UNITS as u8 - 1)?,
        ("hits", None) => unit.hits = number(9)?,
        ("formation", None) => {
            unit.formation = if value == "none" { UNASSIGNED } else { formation()? };
            unit.regular = unit.formation;
        }
        ("attached", None) => unit.formation = formation()?,
        _ => return Err(format!("{} has no {key}", counter.name)),
    }
    Ok(())
}

/// What is read and written besides units and procedures.
fn details(rules: &Bug, state: &mut State, fields: &mut Fields<'_, '_>) {
    fields.hexes("improved", &mut state.improved, &rules.map);
    fields.word("luck", &mut state.luck, Side::from_word, |side| side.word().to_owned());
    fields.word("initiative", &mut state.initiative, read_initiative, write_initiative);
    fields.int("interdiction", &mut state.interdiction, 0..=2);
    let pass = |passed: &mut BySide<bool>, text: &str| {
        passed[Side::from_word(text)?] = true;
        Ok(())
    };
    fields.list("passed", &mut state.passed, pass, |passed| {
        Side::BOTH.into_iter().filter(|side| passed[*side]).map(|side| side.word().to_owned()).collect()
    });
    for corps in Corps::ALL {
        let key = format!("pontoon_{}", corps.as_str());
        let pontoon = &mut state.pontoons[*corps as usize];
        fields.word(&key, pontoon, |text| Pontoon::read(text, rules), |pontoon| pontoon.word(&rules.map));
    }
    fields.int("reserve", &mut state.reserve, 0..=6);
    for (key, points) in ["infantry_points", "afv_points"].into_iter().zip(&mut state.points) {
        fields.int(key, points, 0..=20);
    }
}

/// Without any procedure under way the game begins.
fn open(rules: &Bug, state: &mut State, root: &Table<'_>) {
    // Whoever is there already has called it (10.5a).
    let near = rules.on_map(state, Side::Axis).any(|(_, hex)| rules.ground.alarm.contains(hex));
    if near && rules.can_be_called(state) {
        state.reserve = state.turn + 1;
    }
    match situation::read_stack(root, rules) {
        Some(stack) => state.stack = stack,
        None => sequence::open(rules, state),
    }
}

/// `0`, or the side and the value: `soviet 2`.
fn read_initiative(text: &str) -> Result<InitiativeMarker, String> {
    let wrong = || format!("`{text}` is not 0, or a side and one of 2, 3, 4, 5, 6");
    if text == "0" {
        return Ok(InitiativeMarker { step: 0, side: Side::Axis });
    }
    let (side, value) = text.split_once(' ').ok_or_else(wrong)?;
    let side = Side::from_word(side)?;
    let value: u8 = value.parse().map_err(|_| wrong())?;
    let step = INITIATIVE_TRACK.iter().position(|other| *other == value && value > 0).ok_or_else(wrong)?;
    Ok(InitiativeMarker { step: step as u8, side })
}

fn write_initiative(marker: &InitiativeMarker) -> String {
    match INITIATIVE_TRACK[usize::from(marker.step)] {
        0 => "0".to_owned(),
        value => format!("{} {value}", marker.side),
    }
}

fn write_unit(rules: &Bug, state: &State, id: UnitId) -> String {
    let unit = state.unit(id);
    let usual = fresh(rules, id, unit.place);
    let strength = if rules.is_hq(id) { "support" } else { "strength" };
    let values = [
        (strength, unit.strength, usual.strength),
        ("level", unit.level, usual.level),
        ("depth", unit.depth, 0),
        ("hits", unit.hits, 0),
    ];
    let mut line = situation::write_unit(unit.place, &rules.map, &values, unit.marks);
    let name =
        |formation: u8| rules.hqs.get(usize::from(formation)).map_or("none", |hq| rules.roster.name(*hq));
    if unit.regular != usual.regular {
        line += &format!(" formation={}", name(unit.regular));
    }
    if unit.formation != unit.regular {
        line += &format!(" attached={}", name(unit.formation));
    }
    line
}

fn audit_unit(rules: &Bug, state: &State, unit: UnitId, hex: Hex) -> Result<(), String> {
    let (name, label) = (rules.roster.name(unit), rules.map.label(hex));
    let (side, strength) = (rules.side(unit), state.unit(unit).strength);
    if !rules.is_hq(unit) && (strength == 0 || strength > rules.counter(unit).strength) {
        return Err(format!("{name} has Strength {strength} (8.3e)"));
    }
    if !rules.ground.land.contains(hex) {
        return Err(format!("{name} is in {label}, which is not in play (7.3.2b)"));
    }
    if rules.is_hq(unit) && !rules.ground.settlements().contains(hex) {
        return Err(format!("{name} is in {label}, which is neither a town nor a village (3.3b)"));
    }
    if rules.is_hq(unit) && state.is_disrupted(unit) {
        return Err(format!("{name} is an HQ and never disrupted (5.6f)"));
    }
    if !rules.is_hq(unit) && state.controller(hex) != side {
        return Err(format!("{name} is in {label}, which its side does not control (7.4d)"));
    }
    let stack = state.stack_in(hex);
    if stack.iter().any(|other| rules.side(*other) != side) {
        return Err(format!("both sides are in {label} (7.3.2e)"));
    }
    let fighting = stack.iter().filter(|unit| !rules.is_hq(**unit)).count();
    if fighting > MOST_IN_A_HEX {
        return Err(format!("{fighting} combat units are in {label} (5.3.1e)"));
    }
    if stack.iter().enumerate().any(|(depth, unit)| usize::from(state.unit(*unit).depth) != depth) {
        return Err(format!("the stack in {label} is not in order (5.3.1a)"));
    }
    Ok(())
}
