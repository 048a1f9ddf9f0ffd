//! What a side sees (2.2), and what it can imagine behind it.

use board::{Hex, HexSet};
use engine::observation::{Observation, Schema, UnitRow};
use engine::{Dice, Front, HoldingBox, Piece, Rulebook, Side, Stack, Track, UnitId, View, Viewer};

use crate::{Attack, Mini, State};

pub(crate) fn view(rules: &Mini, state: &State, viewer: Viewer) -> View {
    let mut stacks: Vec<Stack> = Vec::new();
    for hex in rules.map.hexes() {
        let pieces: Vec<Piece> = state.stack_in(hex).map(|unit| piece(rules, state, unit, viewer)).collect();
        if !pieces.is_empty() {
            stacks.push(Stack { hex: rules.map.label(hex), pieces });
        }
    }
    let dead = rules.roster.iter().filter(|unit| state.unit(*unit).hex.is_none());
    let eliminated = HoldingBox {
        name: "eliminated".to_owned(),
        pieces: dead.map(|unit| piece(rules, state, unit, viewer)).collect(),
    };
    View {
        turn: u32::from(state.turn),
        turns: u32::from(rules.turns),
        phase: rules.phase_name(state).to_owned(),
        stacks,
        boxes: vec![eliminated],
        markers: Vec::new(),
        tracks: Side::BOTH
            .into_iter()
            .map(|side| Track {
                name: format!("{side} luck"),
                value: if state.luck[side] { "held" } else { "spent" }.to_owned(),
            })
            .collect(),
        stocks: Vec::new(),
    }
}

fn piece(rules: &Mini, state: &State, unit: UnitId, viewer: Viewer) -> Piece {
    let side = rules.side(unit);
    let known = viewer.is_told(side) || rules.is_seen(state, unit);
    Piece { side, front: known.then(|| front(rules, state, unit)) }
}

fn front(rules: &Mini, state: &State, unit: UnitId) -> Front {
    let counter = &rules.counters[unit.index()];
    let now = state.unit(unit);
    Front {
        unit: rules.roster.name(unit).to_owned(),
        kind: counter.kind.as_str().to_owned(),
        factors: format!("{}-{}-{}", counter.attack, counter.defence, counter.allowance),
        steps: now.steps,
        flags: now.marks.words().collect(),
    }
}

/// What [`observe`] writes besides units.
pub(crate) const SCHEMA: Schema = Schema {
    planes: &["own units", "enemy units", "own zones of control", "enemy zones of control", "objectives"],
    globals: &["turn", "turns left", "own luck", "enemy luck"],
};

pub(crate) fn observe(rules: &Mini, state: &State, side: Side, out: &mut Observation) {
    for hex in rules.map.hexes() {
        for (depth, unit) in (0..).zip(state.stack_in(hex)) {
            let enemy = rules.side(unit) != side;
            if enemy && !rules.is_seen(state, unit) {
                out.unseen(true, hex, depth);
            } else {
                out.known(unit, unit_row(rules, state, unit, enemy, depth));
            }
        }
    }
    for unit in rules.roster.iter().filter(|unit| state.unit(*unit).hex.is_none()) {
        out.known(unit, unit_row(rules, state, unit, rules.side(unit) != side, 0));
    }
    for looking in [side, side.enemy()] {
        out.plane(&rules.hexes_of(state, looking));
    }
    for looking in [side, side.enemy()] {
        out.plane(&rules.ezoc(state, looking.enemy()));
    }
    out.plane(&rules.objectives.iter().copied().collect::<HexSet>());
    out.global(state.turn);
    out.global(rules.turns - state.turn);
    for looking in [side, side.enemy()] {
        out.global(u8::from(state.luck[looking]));
    }
}

fn unit_row(rules: &Mini, state: &State, unit: UnitId, enemy: bool, depth: i16) -> UnitRow {
    let counter = &rules.counters[unit.index()];
    let now = state.unit(unit);
    UnitRow {
        enemy,
        place: i16::from(now.hex.is_none()),
        hex: now.hex,
        depth,
        steps: i16::from(now.steps),
        attack: i16::from(counter.attack),
        defence: i16::from(counter.defence),
        movement: counter.allowance.in_twelfths() as i16,
        kind: counter.kind as i16,
        marks: u32::from(now.marks.bits()),
    }
}

/// Deals the enemy's unseen units anew among the places where unseen units lie. Places are taken in the order of the map, so that
/// states that look alike to the side give the same state for the same dice.
pub(crate) fn imagine(rules: &Mini, state: &State, side: Side, dice: &mut Dice) -> State {
    let mut imagined = state.clone();
    let unseen: Vec<UnitId> = rules
        .roster
        .iter()
        .filter(|unit| rules.side(*unit) != side && !rules.is_seen(state, *unit))
        .collect();
    let mut places: Vec<(Option<Hex>, usize)> = (0..)
        .zip(&state.order)
        .filter(|(_, unit)| unseen.contains(unit))
        .map(|(slot, unit)| (state.unit(*unit).hex, slot))
        .collect();
    places.sort();
    for i in (1..places.len()).rev() {
        places.swap(i, dice.roll(i as u32 + 1) as usize - 1);
    }
    for (unit, (hex, slot)) in unseen.into_iter().zip(places) {
        imagined.unit_mut(unit).hex = hex;
        imagined.order[slot] = unit;
    }
    // An attack that is not declared is as hidden as its units: whoever lies in their places makes it.
    if let Some(Attack { attackers, .. }) = imagined.stack.find_mut::<Attack>() {
        let places = state.order.iter().zip(&imagined.order).filter(|(unit, _)| attackers.contains(**unit));
        *attackers = places.map(|(_, dealt)| *dealt).collect();
    }
    imagined
}
