//! What a side sees: everything, since only dice that nobody has rolled are hidden (16.0c).

use board::Hex;
use engine::observation::{Observation, Schema, UnitRow};
use engine::{Front, HoldingBox, Marker, Piece, Rulebook, Side, Stack, Track, UnitId, View, Viewer};

use crate::zoc::Position;
use crate::{Bite, HexSet, Marks, Place, State};

const BOXES: [(&str, Place); 6] = [
    ("track", Place::Track),
    ("waiting", Place::Waiting),
    ("delayed", Place::Delayed),
    ("lost", Place::Lost),
    ("dead", Place::Dead),
    ("escaped", Place::Escaped),
];

pub(crate) fn view(rules: &Bite, state: &State, _: Viewer) -> View {
    let pieces = |units: &mut dyn Iterator<Item = UnitId>| -> Vec<Piece> {
        units.map(|unit| piece(rules, state, unit)).collect()
    };
    let position = Position::new(rules, state);
    let held = position.held.axis | position.held.soviet;
    let stacks = held
        .iter()
        .map(|hex| Stack { hex: rules.map.label(hex), pieces: pieces(&mut state.units.in_hex(hex)) });
    let boxes = BOXES.map(|(name, place)| HoldingBox {
        name: name.to_owned(),
        pieces: pieces(&mut rules.roster.iter().filter(|unit| state.units[*unit].place == place)),
    });
    let bridges = HoldingBox {
        name: "bridges".to_owned(),
        pieces: pieces(
            &mut rules.roster.iter().filter(|unit| matches!(state.units[*unit].place, Place::Bridge(..))),
        ),
    };
    View {
        turn: u32::from(state.turn),
        turns: u32::from(rules.settings.last_turn),
        phase: rules.phase_name(state).to_owned(),
        stacks: stacks.collect(),
        boxes: boxes.into_iter().chain([bridges]).collect(),
        markers: markers(rules, state),
        tracks: tracks(rules, state),
        stocks: Vec::new(),
    }
}

fn markers(rules: &Bite, state: &State) -> Vec<Marker> {
    let marker = |hex: Hex, what: &str, side: Side, sign| Marker {
        hex: rules.map.label(hex),
        what: format!("{} {what}", Bite::BOOK.sides[side]).into(),
        side: Some(side),
        sign,
    };
    let mut markers = Vec::new();
    for fort in &state.forts {
        let sign = if fort.value > 1 { "2" } else { "1" };
        markers.push(marker(fort.hex, &format!("field fort {}L", fort.value), fort.side, sign));
    }
    for (hex, _) in &rules.settings.fortresses {
        if let Some(side) = rules.fortress(state, *hex) {
            markers.push(marker(*hex, "fortress", side, "▣"));
        }
    }
    for side in Side::BOTH {
        for hex in state.interdicted[side].iter() {
            markers.push(marker(hex, "interdiction", side, "✈"));
        }
        for (_, from, to) in rules.bridges(state, side) {
            let what = format!("bridge to {}", rules.map.label(to));
            markers.push(marker(from, &what, side, "≍"));
        }
    }
    for objective in &rules.settings.objectives {
        markers.push(marker(objective.hex, "control", state.controller(objective.hex), "●"));
    }
    markers.sort_by(|a, b| (&a.hex, &a.what).cmp(&(&b.hex, &b.what)));
    markers
}

fn tracks(rules: &Bite, state: &State) -> Vec<Track> {
    let mut tracks = vec![Track { name: "weather".to_owned(), value: state.weather.as_str().to_owned() }];
    for side in Side::BOTH {
        let name = |what: &str| format!("{side} {what}");
        tracks.push(Track { name: name("points"), value: state.points[side].to_string() });
        tracks.push(Track { name: name("air markers"), value: state.air[side].markers.to_string() });
        if rules.settings.attack[side].markers.is_some() {
            let hand = state.attack_markers[side].hand.to_string();
            tracks.push(Track { name: name("attack supply markers"), value: hand });
        }
        let forts: Vec<String> =
            (1..=2).map(|value| rules.forts_left(state, side, value).to_string()).collect();
        tracks.push(Track { name: name("field forts"), value: forts.join("/") });
    }
    let charged: Vec<&str> = rules
        .colours
        .iter()
        .enumerate()
        .filter(|(place, _)| state.charged >> place & 1 == 1)
        .map(|(_, colour)| colour.as_str())
        .collect();
    tracks.push(Track { name: "general combats made".to_owned(), value: charged.join(" ") });
    tracks
}

fn piece(rules: &Bite, state: &State, unit: UnitId) -> Piece {
    let now = &state.units[unit];
    let front = Front {
        unit: rules.roster.name(unit).to_owned(),
        kind: rules.counter(unit).arm.as_str().to_owned(),
        factors: factors(rules, state, unit),
        steps: now.steps,
        flags: now.marks.words().collect(),
    };
    Piece { side: rules.side(unit), front: Some(front) }
}

/// What the face that lies up shows: an untried one no strength (16.0b).
fn factors(rules: &Bite, state: &State, unit: UnitId) -> String {
    let counter = rules.counter(unit);
    if state.marked(unit, Marks::UNTRIED) {
        return format!("?-?-{}", counter.allowance);
    }
    let attack = rules.attack(state, unit);
    let attack = if counter.parenthesized { format!("({attack})") } else { attack.to_string() };
    format!("{attack}-{}-{}", rules.defence(state, unit), counter.allowance)
}

/// What [`observe`] writes besides units.
pub(crate) const SCHEMA: Schema = Schema {
    planes: &[
        "own units",
        "enemy units",
        "own zones of control",
        "enemy zones of control",
        "own control",
        "objectives",
        "own field forts",
        "enemy field forts",
        "own interdiction",
        "enemy interdiction",
    ],
    globals: &[
        "turn",
        "turns left",
        "soviet",
        "weather",
        "own points",
        "enemy points",
        "own air markers",
        "enemy air markers",
        "own attack supply markers",
    ],
};

pub(crate) fn observe(rules: &Bite, state: &State, side: Side, out: &mut Observation) {
    let position = Position::new(rules, state);
    for unit in rules.roster.iter() {
        out.known(unit, unit_row(rules, state, unit, rules.side(unit) != side));
    }
    let enemy = side.enemy();
    for looking in [side, enemy] {
        out.plane(&position.held[looking]);
    }
    for looking in [side, enemy] {
        out.plane(&position.zoc[looking]);
    }
    let land = rules.ground.land;
    out.plane(&if side == Side::Soviet { land & state.soviet_hexes } else { land - state.soviet_hexes });
    let objectives: HexSet = rules.settings.objectives.iter().map(|objective| objective.hex).collect();
    out.plane(&objectives);
    for looking in [side, enemy] {
        let forts = state.forts.iter().filter(|fort| fort.side == looking);
        out.plane(&forts.map(|fort| fort.hex).collect::<HexSet>());
    }
    for looking in [side, enemy] {
        out.plane(&state.interdicted[looking]);
    }
    let left = rules.settings.last_turn - state.turn;
    for number in [state.turn, left, u8::from(side == Side::Soviet), state.weather as u8] {
        out.global(number);
    }
    for number in [state.points[side], state.points[enemy]] {
        out.global(number);
    }
    for number in [state.air[side].markers, state.air[enemy].markers, state.attack_markers[side].hand] {
        out.global(number);
    }
}

fn unit_row(rules: &Bite, state: &State, unit: UnitId, enemy: bool) -> UnitRow {
    let (now, counter) = (&state.units[unit], rules.counter(unit));
    let untried = state.marked(unit, Marks::UNTRIED);
    let known = |strength: u8| if untried { -1 } else { i16::from(strength) };
    UnitRow {
        enemy,
        place: match now.place {
            Place::Hex(_) => 0,
            Place::Track => 1,
            Place::Waiting => 2,
            Place::Delayed => 3,
            Place::Bridge(..) => 4,
            Place::Lost => 5,
            Place::Dead => 6,
            Place::Escaped => 7,
        },
        hex: state.hex(unit),
        depth: 0,
        steps: if untried { -1 } else { i16::from(now.steps) },
        attack: known(rules.attack(state, unit)),
        defence: known(rules.defence(state, unit)),
        movement: i16::from(counter.allowance) * 12,
        kind: counter.arm as i16,
        marks: u32::from(now.marks.bits()),
    }
}
