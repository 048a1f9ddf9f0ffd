//! What a side sees (6.8), and what it can imagine behind it.

use board::Hex;
use engine::{Dice, Front, HoldingBox, Marker, Piece, Side, Stack, Track, UnitId, UnitSet, View, Viewer};

use crate::{Battle, Dagc, Marks, Place, Procedure, State};

pub(crate) fn view(rules: &Dagc, state: &State, viewer: Viewer) -> View {
    let mut occupied: Vec<Hex> = Side::BOTH
        .into_iter()
        .flat_map(|side| rules.on_map(state, side).map(|(_, hex)| hex).collect::<Vec<_>>())
        .collect();
    occupied.sort();
    occupied.dedup();
    let stacks = occupied
        .into_iter()
        .map(|hex| Stack {
            hex: rules.map.label(hex),
            pieces: state.stack_in(hex).into_iter().map(|unit| piece(rules, state, unit, viewer)).collect(),
        })
        .collect();
    let in_box = |name: &str, place: Place| HoldingBox {
        name: name.to_owned(),
        pieces: rules
            .roster
            .iter()
            .filter(|unit| state.unit(*unit).place == place)
            .map(|unit| piece(rules, state, unit, viewer))
            .collect(),
    };
    View {
        turn: u32::from(state.turn),
        turns: u32::from(rules.last_turn),
        phase: phase(state).to_owned(),
        stacks,
        boxes: vec![in_box("track", Place::Track), in_box("dead", Place::Dead), in_box("hand", Place::Hand)],
        markers: markers(rules, state),
        tracks: tracks(rules, state),
    }
}

fn phase(state: &State) -> &'static str {
    match state.stack.first() {
        Some(Procedure::Deployment { .. }) => "set-up",
        Some(Procedure::Reinforcement { .. }) => "replacement and reinforcement",
        Some(Procedure::Combat { after: false, .. }) => "pre-movement combat",
        Some(Procedure::Combat { .. }) => "post-movement combat",
        Some(Procedure::Movement { .. }) => "movement",
        Some(Procedure::Interdiction) => "interdiction",
        _ => "over",
    }
}

/// Soviet Control markers on towns, cities and the coast (3.4), and the Center of Gravity.
fn markers(rules: &Dagc, state: &State) -> Vec<Marker> {
    let places = rules.ground.towns | rules.ground.cities | rules.ground.baltic_coast;
    let control = (places & state.soviet_hexes).iter().map(|hex| (hex, "Soviet control")).collect::<Vec<_>>();
    let center = rules.center.filter(|_| state.turn == 1).map(|hex| (hex, "Center of Gravity"));
    control
        .into_iter()
        .chain(center)
        .map(|(hex, what)| Marker { hex: rules.map.label(hex), what: what.to_owned() })
        .collect()
}

fn tracks(rules: &Dagc, state: &State) -> Vec<Track> {
    let air = |place: usize| {
        format!("{} of {} unused", state.air[place].all - state.air[place].used, state.air[place].all)
    };
    [
        ("Soviet points", rules.points(state).to_string()),
        ("main-front air armies", air(0)),
        ("1UF air armies", air(1)),
        ("replacement steps", state.steps_left.to_string()),
        ("narrows", if state.narrows_used { "crossed" } else { "not crossed" }.to_owned()),
        ("armor concentration", if state.armor_tried { "tried" } else { "not tried" }.to_owned()),
    ]
    .into_iter()
    .map(|(name, value)| Track { name: name.to_owned(), value })
    .collect()
}

fn piece(rules: &Dagc, state: &State, unit: UnitId, viewer: Viewer) -> Piece {
    let side = rules.side(unit);
    let known = viewer.is_told(side) || rules.is_seen(state, unit);
    Piece { side, front: known.then(|| front(rules, state, unit)) }
}

fn front(rules: &Dagc, state: &State, unit: UnitId) -> Front {
    let now = state.unit(unit);
    Front {
        unit: rules.roster.name(unit).to_owned(),
        kind: rules.counter(unit).arm.as_str().to_owned(),
        factors: format!("{}-{}", rules.factor(state, unit), rules.counter(unit).movement),
        steps: now.steps,
        flags: Marks::WORDS.iter().filter(|(_, mark)| now.marks.has(*mark)).map(|(word, _)| *word).collect(),
    }
}

/// Deals the Soviet units that the German player does not see anew among the places where such units lie; fronts are
/// never mixed (6.10a), and whoever is part of something under way stays.
pub(crate) fn imagine(rules: &Dagc, state: &State, side: Side, dice: &mut Dice) -> State {
    let mut imagined = state.clone();
    if side == Side::Soviet {
        return imagined;
    }
    let busy = busy_units(state);
    for uf in [false, true] {
        let unseen: Vec<UnitId> = rules
            .on_map(state, Side::Soviet)
            .map(|(unit, _)| unit)
            .filter(|unit| rules.is_1uf(*unit) == uf && !rules.is_seen(state, *unit) && !busy.contains(*unit))
            .collect();
        // Places in the order of the map: what is dealt does not depend on who truly lies where.
        let mut places: Vec<(Hex, Marks)> =
            unseen.iter().filter_map(|unit| Some((state.hex(*unit)?, state.unit(*unit).marks))).collect();
        places.sort_by_key(|(hex, marks)| (*hex, marks.0 & OF_THE_PLACE));
        for i in (1..places.len()).rev() {
            places.swap(i, dice.roll(i as u32 + 1) as usize - 1);
        }
        for (unit, (hex, marks)) in unseen.into_iter().zip(places) {
            lay(&mut imagined, unit, hex, marks);
        }
    }
    imagined
}

fn busy_units(state: &State) -> UnitSet {
    let mut busy = UnitSet::EMPTY;
    if let Some(Procedure::Moving { unit, .. }) = state.stack.last() {
        busy.insert(*unit);
    }
    if let Some(Battle::Attack { attackers, .. }) = state.battle {
        attackers.iter().for_each(|unit| {
            busy.insert(unit);
        });
    }
    busy
}

/// What the German player knows of a place and not of a unit: that the hex was attacked, or retreated to.
const OF_THE_PLACE: u16 = Marks::DEFENDED.0 | Marks::RETREATED.0 | Marks::BENEATH.0;

/// Lays a unit where another lay; what is known of the place stays there.
fn lay(state: &mut State, unit: UnitId, hex: Hex, marks: Marks) {
    let own = state.unit(unit).marks;
    state.unit_mut(unit).place = Place::Map(hex);
    state.unit_mut(unit).marks = Marks(own.0 & !OF_THE_PLACE | marks.0 & OF_THE_PLACE);
}
