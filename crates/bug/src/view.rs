//! 5.3.4: what a side sees.

use board::Hex;
use engine::mark::{Lasts, Look, Mark};
use engine::observation::{Observation, Schema, UnitRow};
use engine::row::NONE;
use engine::{Front, HoldingBox, Marker, Piece, Rulebook, Side, Stack, Track, UnitId, View, Viewer, case};

use crate::charts::INITIATIVE_TRACK;
use crate::{Activation, Bug, Command, Corps, Marks, Place, Pontoon, Position, State};

/// What a unit carries besides its marks, because of where it stands.
const STATUSES: [Mark; 3] = [
    status(Command::Out.as_str(), "5.8.3a", Look::Bad("OC"), "is out of command"),
    status(Command::Isolated.as_str(), "5.8.4a", Look::Bad("I"), "is isolated"),
    status("attached", "5.5.1k", Look::Quiet, "is with another formation for a while"),
];

const fn status(word: &'static str, number: &'static str, look: Look, about: &'static str) -> Mark {
    Mark { word, case: case(number), lasts: Lasts::On, look, about }
}

/// All marks that a counter can show.
pub(crate) const MARKS: [Mark; Marks::ALL.len() + STATUSES.len()] = {
    let mut marks = [STATUSES[0]; Marks::ALL.len() + STATUSES.len()];
    let mut place = 0;
    while place < marks.len() {
        marks[place] = match place.checked_sub(Marks::ALL.len()) {
            Some(status) => STATUSES[status],
            None => Marks::ALL[place],
        };
        place += 1;
    }
    marks
};

pub(crate) fn view(rules: &Bug, state: &State, viewer: Viewer) -> View {
    let position = rules.position(state);
    let occupied = position.held.axis | position.held.soviet;
    let piece = |unit: UnitId| piece(rules, state, &position, unit, viewer);
    let stacks = occupied
        .iter()
        .map(|hex| Stack {
            hex: rules.map.label(hex),
            pieces: state.stack_in(hex).into_iter().map(piece).collect(),
        })
        .collect();
    let in_box = |name: &str, place: Place| HoldingBox {
        name: name.to_owned(),
        pieces: rules.roster.iter().filter(|unit| state.unit(*unit).place == place).map(piece).collect(),
    };
    View {
        turn: u32::from(state.turn),
        turns: u32::from(rules.scenario.last_turn),
        phase: rules.phase_name(state).to_owned(),
        stacks,
        boxes: vec![
            in_box("track", Place::Track),
            in_box("dead", Place::Dead),
            in_box("merged", Place::Merged),
            in_box("away", Place::Away),
        ],
        markers: markers(rules, state),
        tracks: tracks(rules, state),
        stocks: Vec::new(),
    }
}

/// Improved Defense, pontoon bridges, and who holds the victory hexes and settlements.
fn markers(rules: &Bug, state: &State) -> Vec<Marker> {
    let marker = |hex: Hex, what: &'static str, side, sign| Marker {
        hex: rules.map.label(hex),
        what: what.into(),
        side,
        sign,
    };
    let improved = state.improved.iter().map(|hex| marker(hex, "Improved Defense", None, "▲"));
    let mut markers: Vec<Marker> = improved.collect();
    for (a, b) in state.bridges() {
        markers.extend([a, b].map(|hex| marker(hex, "pontoon bridge", Some(Side::Axis), "≍")));
    }
    let worth: crate::HexSet = rules.scenario.victory.hexes.iter().map(|(hex, _)| *hex).collect();
    let held = ((rules.ground.settlements() & rules.ground.land) | worth) - rules.ground.west;
    let german = held - state.soviet_hexes;
    markers.extend(german.iter().map(|hex| marker(hex, "German control", Some(Side::Axis), "G")));
    let lost = rules.ground.west & rules.ground.settlements() & state.soviet_hexes;
    markers.extend(lost.iter().map(|hex| marker(hex, "Soviet control", Some(Side::Soviet), "S")));
    markers
}

fn tracks(rules: &Bug, state: &State) -> Vec<Track> {
    let value = INITIATIVE_TRACK[usize::from(state.initiative.step)];
    let initiative = if value == 0 { "0".to_owned() } else { format!("{} +{value}", state.initiative.side) };
    let active = state.stack.find::<Activation>();
    let points = active.map(|active| format!("{} {}", rules.roster.name(active.hq), active.ap));
    let passed = |side: Side| if state.passed[side] { "passed" } else { "-" };
    let mut tracks = vec![
        ("action points".to_owned(), points.unwrap_or_else(|| "-".to_owned())),
        ("initiative".to_owned(), initiative),
        ("interdiction".to_owned(), state.interdiction.to_string()),
        ("luck".to_owned(), state.luck.to_string()),
        ("German points".to_owned(), rules.points(state).to_string()),
        ("infantry replacements".to_owned(), state.points[0].to_string()),
        ("AFV replacements".to_owned(), state.points[1].to_string()),
        ("axis".to_owned(), passed(Side::Axis).to_owned()),
        ("soviet".to_owned(), passed(Side::Soviet).to_owned()),
    ];
    if state.reserve > 0 {
        tracks.push(("reserve".to_owned(), format!("turn {}", state.reserve)));
    }
    for corps in Corps::ALL {
        let bridge = match state.pontoons[*corps as usize] {
            Pontoon::Ready => "ready".to_owned(),
            Pontoon::Lost => "lost".to_owned(),
            Pontoon::Built(a, b) => format!("{}/{}", rules.map.label(a), rules.map.label(b)),
        };
        tracks.push((format!("pontoon {}", corps.as_str()), bridge));
    }
    for hq in rules.hqs.iter().filter(|hq| state.unit(**hq).place != Place::Out) {
        let (unit, values) = (state.unit(*hq), rules.hq_values(*hq));
        tracks.push((rules.roster.name(*hq).to_owned(), format!("{} of {}", unit.level, values.max_level)));
    }
    tracks.into_iter().map(|(name, value)| Track { name, value }).collect()
}

fn piece(rules: &Bug, state: &State, position: &Position, unit: UnitId, viewer: Viewer) -> Piece {
    let side = rules.side(unit);
    let known = viewer.is_told(side) || rules.is_seen(state, unit);
    Piece { side, front: known.then(|| front(rules, state, position, unit, viewer)) }
}

/// The counter as it lies; the current Strength is known to the owner only (5.3.4b).
fn front(rules: &Bug, state: &State, position: &Position, unit: UnitId, viewer: Viewer) -> Front {
    let (now, counter) = (state.unit(unit), rules.counter(unit));
    let own = viewer.is_told(counter.side);
    let strength = if own || rules.is_hq(unit) { now.strength } else { counter.strength };
    let factors = match &counter.hq {
        Some(values) => {
            format!("{strength}-{}-{}-{}", values.command_range, values.reaction, values.relocation)
        }
        None => format!("{strength}-{}-{}", rules.printed(state, unit).rating, counter.allowance),
    };
    let mut shown = now.marks;
    if !own {
        shown.clear(Marks::ARRANGED);
    }
    let mut flags: Vec<&'static str> = shown.words().collect();
    if state.hex(unit).is_some() && counter.hq.is_none() {
        // Where an HQ is that nobody sees would follow from who is led by it.
        let led_by_seen = own || rules.is_seen(state, rules.hq_of(state, unit));
        match rules.command(state, position, unit) {
            Command::In => {}
            status if led_by_seen => flags.push(status.as_str()),
            _ => {}
        }
        if now.is_attached() && own {
            flags.push("attached");
        }
    }
    let steps = if now.place == Place::Dead { 0 } else { strength };
    Front { unit: rules.roster.name(unit).to_owned(), kind: kind(rules, state, unit), factors, steps, flags }
}

/// What [`observe`] writes besides units.
pub(crate) const SCHEMA: Schema = Schema {
    planes: &[
        "own units",
        "enemy units",
        "own zones of control",
        "enemy zones of control",
        "own control",
        "victory hexes",
        "improved defense",
    ],
    globals: &[
        "turn",
        "turns left",
        "soviet",
        "German points",
        "own luck",
        "own initiative modifier",
        "interdiction",
        "own pass",
        "enemy pass",
        "infantry replacements",
        "AFV replacements",
        "action points",
    ],
};

/// Enemy strengths are not known (5.3.4b), nor is anything beneath the top of an enemy stack (5.3.4a).
pub(crate) fn observe(rules: &Bug, state: &State, side: Side, out: &mut Observation) {
    let position = rules.position(state);
    for hex in (position.held.axis | position.held.soviet).iter() {
        for (depth, unit) in (0..).zip(state.stack_in(hex)) {
            let enemy = rules.side(unit) != side;
            if enemy && !rules.is_seen(state, unit) {
                out.unseen(true, hex, depth);
            } else {
                out.known(unit, unit_row(rules, state, unit, enemy, depth));
            }
        }
    }
    for unit in rules.roster.iter().filter(|unit| state.hex(*unit).is_none()) {
        out.known(unit, unit_row(rules, state, unit, rules.side(unit) != side, 0));
    }
    let land = rules.ground.land;
    for looking in [side, side.enemy()] {
        out.plane(&position.held[looking]);
    }
    for looking in [side, side.enemy()] {
        out.plane(&(position.zoc[looking] & land));
    }
    out.plane(&rules.friendly(state, side));
    out.plane(&rules.scenario.victory.hexes.iter().map(|(hex, _)| *hex).collect::<crate::HexSet>());
    out.plane(&state.improved);
    for number in [state.turn, rules.scenario.last_turn - state.turn, u8::from(side == Side::Soviet)] {
        out.global(number);
    }
    out.global(rules.points(state));
    let initiative = f32::from(INITIATIVE_TRACK[usize::from(state.initiative.step)]);
    out.global(u8::from(state.luck == side));
    out.global(if state.initiative.side == side { initiative } else { -initiative });
    let points = state.stack.find::<Activation>().map_or(0, |active| active.ap);
    let passed = [side, side.enemy()].map(|looking| u8::from(state.passed[looking]));
    for number in [state.interdiction, passed[0], passed[1], state.points[0], state.points[1], points] {
        out.global(number);
    }
}

fn unit_row(rules: &Bug, state: &State, unit: UnitId, enemy: bool, depth: i16) -> UnitRow {
    let (now, counter) = (state.unit(unit), rules.counter(unit));
    let known = !enemy || rules.is_hq(unit);
    let strength = if known { i16::from(now.strength) } else { NONE };
    let mut marks = now.marks;
    if enemy {
        marks.clear(Marks::ARRANGED);
    }
    UnitRow {
        enemy,
        place: match now.place {
            Place::Map(_) => 0,
            Place::Track => 1,
            Place::Dead => 2,
            Place::Merged => 3,
            Place::Away => 4,
            Place::Out => 5,
        },
        hex: state.hex(unit),
        depth,
        steps: strength,
        attack: strength,
        defence: strength,
        movement: i16::from(counter.allowance) * 12,
        kind: counter.arm as i16,
        marks: u32::from(marks.bits()),
    }
}

/// The type of a unit, with its Tank or Anti-Tank Points.
fn kind(rules: &Bug, state: &State, unit: UnitId) -> String {
    let (arm, printed) = (rules.counter(unit).arm.as_str(), rules.printed(state, unit));
    match (printed.tank_points, printed.at_points) {
        (0, 0) => arm.to_owned(),
        (0, guns) => format!("{arm}, AT {guns}"),
        (tanks, _) => format!("{arm}, tanks {tanks}"),
    }
}

/// The enemy's strengths as they are printed: all that a side can know when it weighs an attack (5.3.4b).
pub(crate) fn supposed(rules: &Bug, state: &State, viewer: Viewer) -> State {
    let mut supposed = state.clone();
    for side in Side::BOTH.into_iter().filter(|side| !viewer.is_told(*side)) {
        for (unit, _) in rules.on_map(state, side).filter(|(unit, _)| !rules.is_hq(*unit)) {
            supposed.change(unit, |now| now.strength = rules.counter(unit).strength);
        }
    }
    supposed
}
