//! Situations of this rulebook, read and written; what must hold in every state.

use board::Hex;
use engine::store::{OnMap, UnitStore};
use engine::{BySide, Data, Options, Rulebook, Side, UnitId, frame, situation};
use source::{Item, Table, Writer};

use crate::charts::{self, Charts, Counter, INITIATIVE_TRACK, Transfer, TransferLine};
use crate::ground::{Between, Ground};
use crate::scenario::Scenario;
use crate::stacking::MOST_UNITS;
use crate::{
    Bug, Corps, HexSet, InitiativeMarker, MAX_FORMATIONS, MAX_UNITS, Marks, Place, Pontoon, State, Switches,
    UNASSIGNED, Unit, sequence,
};

/// How many combat units are ever in a hex: a full stack that stands there, and one that comes (5.3.1c, 5.3.1e).
const MOST_IN_A_HEX: usize = 2 * MOST_UNITS;

pub(crate) fn read(root: &Table<'_>, data: &Data, options: Options) -> Option<(Bug, State)> {
    let doc = root.doc();
    let charts = Charts::read(doc, data);
    let units = data.read(doc, charts::COUNTERS, charts::read_units);
    let hqs = data.read(doc, charts::HQS, charts::read_hqs);
    let charts = charts?;
    let (map, map_name) = situation::read_map(root, data, &charts.terrain.legend())?;
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
    let entries = |counter: &Counter| counter.entry.iter().filter_map(|label| map.hex(label).ok()).collect();
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
    read_details(rules, &mut state, root);
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
                Ok(hex) => Place::Map(hex),
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

/// `HEX`, `track`, `dead`, `merged` or `away`, then what differs from a fresh unit: `strength=N`, `support=N`, `level=N`,
/// `depth=N`, `hits=N`, `formation=HQ`, `attached=HQ`, and marks.
fn read_unit(rules: &Bug, id: UnitId, item: &Item<'_>) -> Option<Unit> {
    let words = item.words();
    let Some((first, rest)) = words.split_first() else {
        item.fault("expected a hex, track, dead, merged or away");
        return None;
    };
    let place = match first.str()? {
        "track" => Place::Track,
        "dead" => Place::Dead,
        "merged" => Place::Merged,
        "away" => Place::Away,
        _ => Place::Map(first.parse(|label| rules.map.hex(label))?),
    };
    let mut unit = fresh(rules, id, place);
    for word in rest {
        let text = word.str()?;
        if let Some(mark) = Marks::from_word(text) {
            unit.marks.set(mark);
        } else if let Err(wrong) = read_word(rules, id, &mut unit, text) {
            word.fault(wrong);
        }
    }
    Some(unit)
}

fn read_word(rules: &Bug, id: UnitId, unit: &mut Unit, text: &str) -> Result<(), String> {
    let counter = rules.counter(id);
    let names: Vec<&str> = Marks::ALL.iter().map(|mark| mark.word).collect();
    let wrong = || {
        format!(
            "`{text}` is not one of strength=, support=, level=, depth=, hits=, formation=, attached=, {}",
            names.join(", ")
        )
    };
    let (key, value) = text.split_once('=').ok_or_else(wrong)?;
    let number = |most: u8| {
        value
            .parse::<u8>()
            .ok()
            .filter(|n| *n <= most)
            .ok_or_else(|| format!("`{value}` is not a whole number from 0 to {most}"))
    };
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
        _ => return Err(wrong()),
    }
    Ok(())
}

fn read_details(rules: &Bug, state: &mut State, root: &Table<'_>) {
    if let Some(item) = root.get("improved") {
        state.improved = situation::read_hexes(&item, &rules.map).into_iter().collect();
    }
    if let Some(side) = root.get("luck").and_then(|item| item.parse(Side::from_word)) {
        state.luck = side;
    }
    if let Some(marker) = root.get("initiative").and_then(|item| item.parse(read_initiative)) {
        state.initiative = marker;
    }
    if let Some(level) = root.get("interdiction").and_then(|item| item.int(0..=2u8)) {
        state.interdiction = level;
    }
    for word in root.get("passed").map(|item| item.words()).unwrap_or_default() {
        if let Some(side) = word.parse(Side::from_word) {
            state.passed[side] = true;
        }
    }
    for corps in Corps::ALL {
        let key = format!("pontoon_{}", corps.as_str());
        if let Some(pontoon) = root.get(&key).and_then(|item| item.parse(|text| read_pontoon(rules, text))) {
            state.pontoons[*corps as usize] = pontoon;
        }
    }
    if let Some(turn) = root.get("reserve").and_then(|item| item.int(0..=6u8)) {
        state.reserve = turn;
    }
    for (i, key) in ["infantry_points", "afv_points"].into_iter().enumerate() {
        if let Some(points) = root.get(key).and_then(|item| item.int(0..=20u8)) {
            state.points[i] = points;
        }
    }
    // Whoever is there already has called it (10.5a).
    let near = rules.on_map(state, Side::Axis).any(|(_, hex)| rules.ground.alarm.contains(hex));
    if near && rules.can_be_called(state) {
        state.reserve = state.turn + 1;
    }
    // Without any procedure under way the game begins.
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

/// `ready`, `lost`, or the two hexes: `0410/0511`.
fn read_pontoon(rules: &Bug, text: &str) -> Result<Pontoon, String> {
    match text {
        "ready" => Ok(Pontoon::Ready),
        "lost" => Ok(Pontoon::Lost),
        _ => {
            let wrong = || format!("`{text}` is not ready, lost, or two hexes such as 0410/0511");
            let (a, b) = text.split_once('/').ok_or_else(wrong)?;
            let (a, b) = (rules.map.hex(a)?, rules.map.hex(b)?);
            let dir = rules.map.grid().dir_between(a, b).ok_or_else(wrong)?;
            let river = rules.ground.between(a, dir) == Between::River;
            river
                .then_some(Pontoon::Built(a, b))
                .ok_or_else(|| format!("the unbridged Bug does not lie at {text}"))
        }
    }
}

pub(crate) fn write(rules: &Bug, state: &State, out: &mut Writer) {
    let label = |hex: Hex| rules.map.label(hex);
    if let Some(name) = &rules.map_name {
        out.field("map", name.as_str());
    }
    out.field("turn", i64::from(state.turn));
    rules.scenario.write_head(&rules.map, out);
    out.field("luck", state.luck.word());
    let value = INITIATIVE_TRACK[usize::from(state.initiative.step)];
    if value > 0 {
        out.field("initiative", format!("{} {value}", state.initiative.side));
    }
    if state.interdiction > 0 {
        out.field("interdiction", i64::from(state.interdiction));
    }
    let passed: Vec<&str> =
        Side::BOTH.into_iter().filter(|side| state.passed[*side]).map(Side::word).collect();
    if !passed.is_empty() {
        out.words("passed", passed);
    }
    for corps in Corps::ALL {
        let key = format!("pontoon_{}", corps.as_str());
        match state.pontoons[*corps as usize] {
            Pontoon::Ready => {}
            Pontoon::Lost => out.field(&key, "lost"),
            Pontoon::Built(a, b) => out.field(&key, format!("{}/{}", label(a), label(b))),
        }
    }
    if state.reserve > 0 {
        out.field("reserve", i64::from(state.reserve));
    }
    for (key, points) in ["infantry_points", "afv_points"].into_iter().zip(state.points) {
        if points > 0 {
            out.field(key, i64::from(points));
        }
    }
    situation::write_stack(&state.stack, rules, out);
    out.words("soviet", state.soviet_hexes.iter().map(label));
    if !state.improved.is_empty() {
        out.words("improved", state.improved.iter().map(label));
    }
    rules.scenario.write_tables(&rules.map, out);
    if rules.map_name.is_none() {
        out.table("map");
        rules.map.write_under(out, "map");
    }
    out.table("units");
    for unit in rules.roster.iter().filter(|unit| state.unit(*unit).place != Place::Out) {
        out.field(rules.roster.name(unit), write_unit(rules, state, unit));
    }
}

fn write_unit(rules: &Bug, state: &State, id: UnitId) -> String {
    let unit = state.unit(id);
    let place = match unit.place {
        Place::Map(hex) => rules.map.label(hex),
        Place::Track => "track".to_owned(),
        Place::Dead => "dead".to_owned(),
        Place::Merged => "merged".to_owned(),
        Place::Away => "away".to_owned(),
        Place::Out => "out".to_owned(),
    };
    let usual = fresh(rules, id, unit.place);
    let mut words = vec![place];
    let hq = rules.is_hq(id);
    let mut number = |key: &str, value: u8, usual: u8| {
        if value != usual {
            words.push(format!("{key}={value}"));
        }
    };
    number(if hq { "support" } else { "strength" }, unit.strength, usual.strength);
    number("level", unit.level, usual.level);
    number("depth", unit.depth, 0);
    number("hits", unit.hits, 0);
    let name =
        |formation: u8| rules.hqs.get(usize::from(formation)).map_or("none", |hq| rules.roster.name(*hq));
    if unit.regular != usual.regular {
        words.push(format!("formation={}", name(unit.regular)));
    }
    if unit.formation != unit.regular {
        words.push(format!("attached={}", name(unit.formation)));
    }
    words.extend(unit.marks.words().map(str::to_owned));
    words.join(" ")
}

/// What must hold in every state; a situation that breaks it is refused.
pub(crate) fn audit(rules: &Bug, state: &State) -> Result<(), String> {
    for side in Side::BOTH {
        for (unit, hex) in rules.on_map(state, side) {
            audit_unit(rules, state, unit, hex)?;
        }
    }
    if !state.soviet_hexes.is_subset(&rules.ground.land) {
        return Err("a hex that is not in play is Soviet".to_owned());
    }
    for hex in state.improved.iter() {
        let units = rules.combat_units(state, hex);
        if units.is_empty() || units.iter().any(|unit| state.is_disrupted(unit)) {
            return Err(format!("{} cannot be in Improved Defense (5.6.3f)", rules.map.label(hex)));
        }
    }
    for unit in rules.roster.iter() {
        let entry = state.unit(unit);
        let formation = rules.hqs.get(usize::from(entry.formation));
        let stray = formation.is_some_and(|hq| rules.side(*hq) != rules.side(unit));
        if stray || (formation.is_none() && !matches!(entry.place, Place::Track | Place::Out)) {
            return Err(format!("{} belongs to no formation (5.5.1a)", rules.roster.name(unit)));
        }
    }
    frame::audit(rules, state)?;
    let mut answers = Vec::new();
    rules.answers(state, &mut answers);
    if answers.is_empty() && !state.stack.is_empty() {
        return Err("nobody can answer what is asked".to_owned());
    }
    Ok(())
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
