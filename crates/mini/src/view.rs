//! What a side sees (2.2), and what it can imagine behind it.

use board::Hex;
use engine::{Dice, Front, HoldingBox, Piece, Side, Stack, Track, UnitId, View, Viewer};

use crate::{Mini, Procedure, State};

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
        phase: phase(state).to_owned(),
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
    }
}

fn phase(state: &State) -> &'static str {
    match state.stack.first() {
        Some(Procedure::Movement { .. }) => "movement",
        Some(Procedure::Combat { .. }) => "combat",
        _ => "over",
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
    let flags =
        [("moved", now.moved), ("attacked", now.attacked), ("fired", now.fired), ("shown", now.shown)];
    Front {
        unit: rules.roster.name(unit).to_owned(),
        kind: counter.kind.as_str().to_owned(),
        factors: format!("{}-{}-{}", counter.attack, counter.defence, counter.allowance),
        steps: now.steps,
        flags: flags.into_iter().filter(|(_, on)| *on).map(|(flag, _)| flag).collect(),
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
    imagined
}
