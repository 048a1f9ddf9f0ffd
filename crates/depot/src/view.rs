//! What a side sees (3.2), and what it can imagine behind it.

use engine::store::{Lot, Spot};
use engine::{Dice, Frame, Front, HoldingBox, Piece, Rulebook, Side, Stack, Track, UnitId, View, Viewer};

use crate::faces::factors;
use crate::sequence::acting_side;
use crate::supply::CAPACITY;
use crate::{Action, Attack, Combat, Depot, Goods, Place, State, Units};

pub(crate) fn view(rules: &Depot, state: &State, viewer: Viewer) -> View {
    let pieces = |units: &mut dyn Iterator<Item = UnitId>| -> Vec<Piece> {
        units.map(|unit| piece(rules, state, unit)).collect()
    };
    let stacks = rules
        .map
        .hexes()
        .map(|hex| Stack { hex: rules.map.label(hex), pieces: pieces(&mut state.units.in_hex(hex)) });
    let boxes = [("base", Place::Base), ("eliminated", Place::Eliminated)];
    let boxes = boxes.map(|(name, place)| HoldingBox {
        name: name.to_owned(),
        pieces: pieces(&mut rules.roster.iter().filter(|unit| state.units[*unit].place == place)),
    });
    View {
        turn: u32::from(state.turn),
        turns: u32::from(rules.turns),
        phase: rules.phase_name(state).to_owned(),
        stacks: stacks.filter(|stack| !stack.pieces.is_empty()).collect(),
        boxes: boxes.into(),
        markers: Vec::new(),
        tracks: Side::BOTH.into_iter().flat_map(|side| tracks(state, side)).collect(),
        stocks: state.stocks.seen(rules, |lot| rules.switches.open_dumps || viewer.is_told(lot.side)),
    }
}

/// How many points a side has in all is open, where they are is not (3.2).
fn tracks(state: &State, side: Side) -> [Track; 2] {
    let ace = if state.ace[side] { "held" } else { "spent" };
    [
        Track { name: format!("{side} ace"), value: ace.to_owned() },
        Track { name: format!("{side} supply"), value: state.stocks.total(side, Goods::Supply).to_string() },
    ]
}

fn piece(rules: &Depot, state: &State, unit: UnitId) -> Piece {
    let now = state.units[unit];
    let front = Front {
        unit: rules.roster.name(unit).to_owned(),
        kind: rules.kind(unit).as_str().to_owned(),
        factors: factors(rules.face(state, unit)),
        steps: now.steps,
        flags: now.marks.words().collect(),
    };
    Piece { side: rules.side(unit), front: Some(front) }
}

/// What the side does not see dealt anew: where the enemy's points lie (3.2), and an attack that he has not declared (7.1).
pub(crate) fn imagine(rules: &Depot, state: &State, side: Side, dice: &mut Dice) -> State {
    let mut imagined = state.clone();
    if !rules.switches.open_dumps {
        deal_points(&mut imagined, side.enemy(), dice);
    }
    if acting_side(state) != side && state.stack.top::<Attack>().is_some() {
        deal_attack(rules, &mut imagined, side.enemy(), dice);
    }
    imagined
}

/// Deals a side's supply points anew among the places where it has some: one to each, since an empty dump is none, and the
/// rest by lot where there is room.
fn deal_points(state: &mut State, side: Side, dice: &mut Dice) {
    let lots: Vec<Lot<Goods>> = state.stocks.iter().filter(|lot| lot.side == side).copied().collect();
    let mut rest = 0;
    for lot in &lots {
        rest += state.stocks.take(lot.spot, lot.side, lot.kind, lot.amount - 1);
    }
    for _ in 0..rest {
        let open: Vec<&Lot<Goods>> = lots.iter().filter(|lot| has_room(state, lot)).collect();
        // What lay there before fits there again, so there is always room for one more.
        let lot = open[dice.roll(open.len() as u32) as usize - 1];
        state.stocks.add(lot.spot, lot.side, lot.kind, 1);
    }
}

/// Any attack that a side could have begun to put together.
fn deal_attack(rules: &Depot, state: &mut State, side: Side, dice: &mut Dice) {
    let mut begun = Vec::new();
    Combat { side }.answers(rules, state, &mut begun);
    begun.retain(|action| matches!(action, Action::Name { .. }));
    if let Action::Name { unit, hex } = begun[dice.roll(begun.len() as u32) as usize - 1] {
        state.stack.replace(Attack { hex, attackers: Units::of(unit) });
    }
}

fn has_room(state: &State, lot: &Lot<Goods>) -> bool {
    match lot.spot {
        Spot::With(_) => state.stocks.amount(lot.spot, lot.side, lot.kind) < CAPACITY,
        Spot::Hex(_) | Spot::Pool => true,
    }
}
