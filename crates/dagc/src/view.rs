//! What a side sees (6.8), and what it can imagine behind it.

use board::Hex;
use engine::observation::{Observation, Schema, UnitRow};
use engine::{Dice, Front, HoldingBox, Marker, Piece, Rulebook, Side, Stack, Track, UnitId, View, Viewer};

use crate::{Attack, Battle, Dagc, Marks, Moving, Place, Position, State, Unit, Units};

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
        phase: rules.phase_name(state).to_owned(),
        stacks,
        boxes: vec![in_box("track", Place::Track), in_box("dead", Place::Dead), in_box("hand", Place::Hand)],
        markers: markers(rules, state),
        tracks: tracks(rules, state),
        stocks: Vec::new(),
    }
}

/// Soviet Control markers on towns, cities and the coast (3.4), and the Center of Gravity.
fn markers(rules: &Dagc, state: &State) -> Vec<Marker> {
    let places = rules.ground.towns | rules.ground.cities | rules.ground.baltic_coast;
    let marker = |hex: Hex, what: &'static str, side, sign| Marker {
        hex: rules.map.label(hex),
        what: what.into(),
        side,
        sign,
    };
    let taken = places & state.soviet_hexes;
    let control = taken.iter().map(|hex| marker(hex, "Soviet control", Some(Side::Soviet), "S"));
    let center = rules.center.filter(|_| state.turn == 1);
    control.chain(center.map(|hex| marker(hex, "Center of Gravity", Some(Side::Soviet), "✪"))).collect()
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
        factors: rules.counter(unit).factors(rules.factor(state, unit)),
        steps: now.steps,
        flags: now.marks.words().collect(),
    }
}

/// What [`observe`] writes besides units.
pub(crate) const SCHEMA: Schema = Schema {
    planes: &[
        "own units",
        "enemy units",
        "own zones of control",
        "enemy zones of control",
        "own control",
        "places worth points",
    ],
    globals: &[
        "turn",
        "turns left",
        "soviet",
        "soviet points",
        "points needed",
        "replacement steps",
        "main-front air armies unused",
        "1UF air armies unused",
        "narrows crossed",
        "armor concentration tried",
    ],
};

pub(crate) fn observe(rules: &Dagc, state: &State, side: Side, out: &mut Observation) {
    let position = Position::new(rules, state);
    for hex in (*position.held.axis | *position.held.soviet).iter() {
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
        out.plane(position.held[looking]);
    }
    for looking in [side, side.enemy()] {
        out.plane(&(*position.zoc(looking) & land));
    }
    out.plane(&if side == Side::Soviet { land & state.soviet_hexes } else { land - state.soviet_hexes });
    out.plane(&(rules.ground.towns | rules.ground.cities | rules.ground.baltic_coast));
    let unused = |place: usize| state.air[place].all - state.air[place].used;
    for number in [state.turn, rules.last_turn - state.turn, u8::from(side == Side::Soviet)] {
        out.global(number);
    }
    out.global(rules.points(state) as f32);
    out.global(rules.needed as f32);
    let flags = [u8::from(state.narrows_used), u8::from(state.armor_tried)];
    for number in [state.steps_left, unused(0), unused(1)].into_iter().chain(flags) {
        out.global(number);
    }
}

fn unit_row(rules: &Dagc, state: &State, unit: UnitId, enemy: bool, depth: i16) -> UnitRow {
    let (now, counter) = (state.unit(unit), rules.counter(unit));
    let factor = i16::from(rules.factor(state, unit));
    UnitRow {
        enemy,
        place: match now.place {
            Place::Map(_) => 0,
            Place::Track => 1,
            Place::Dead => 2,
            Place::Hand => 3,
            Place::Out => 4,
        },
        hex: state.hex(unit),
        depth,
        steps: i16::from(now.steps),
        attack: factor,
        defence: factor,
        movement: i16::from(counter.movement) * 12,
        kind: counter.arm as i16,
        marks: u32::from(now.marks.bits()),
    }
}

/// Deals the Soviet units that the German player does not see anew among the places where such units lie; fronts are
/// never mixed (6.10a), and whoever moves or fights stays.
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
        let mut places: Vec<UnitId> = unseen.clone();
        places.sort_by_key(|unit| {
            let Unit { marks, .. } = state.unit(*unit);
            (state.hex(*unit), marks.only(of_the_place()).bits(), is_named(state, *unit))
        });
        for i in (1..places.len()).rev() {
            places.swap(i, dice.roll(i as u32 + 1) as usize - 1);
        }
        for (unit, place) in unseen.into_iter().zip(places) {
            lay(&mut imagined, unit, state, place);
        }
    }
    imagined
}

/// Units that move or fight.
fn busy_units(state: &State) -> Units {
    let moving = state.stack.find::<Moving>().map(|moving| Units::of(moving.unit));
    let fighting = state.stack.find::<Battle>().map(|battle| battle.attackers);
    moving.or(fighting).unwrap_or_default()
}

/// True when a unit is named for an attack that is not declared, which is as hidden as the unit itself.
fn is_named(state: &State, unit: UnitId) -> bool {
    state.stack.find::<Attack>().is_some_and(|attack| attack.attackers.contains(unit))
}

/// What the German player knows of a place and not of a unit: that the hex was attacked, or retreated to.
fn of_the_place() -> Marks {
    Marks::DEFENDED | Marks::RETREATED | Marks::BENEATH
}

/// Lays a unit where another lies in truth: what is known of the place stays there, and whoever lies there attacks.
fn lay(imagined: &mut State, unit: UnitId, truth: &State, place: UnitId) {
    let Unit { place: hex, marks, .. } = *truth.unit(place);
    imagined.change(unit, |unit| {
        unit.place = hex;
        unit.marks.clear(of_the_place());
        unit.marks.set(marks.only(of_the_place()));
    });
    if let Some(attack) = imagined.stack.find_mut::<Attack>() {
        if is_named(truth, place) {
            attack.attackers.insert(unit);
        } else {
            attack.attackers.remove(unit);
        }
    }
}
