//! What a side sees (3.2), and what it can imagine behind it.

use board::Hex;
use engine::store::{Lot, Spot};
use engine::{Dice, Front, Side, Sight, StockSeen, Track, UnitId, Viewer, muster};

use crate::faces::factors;
use crate::sequence::acting_side;
use crate::supply::CAPACITY;
use crate::{Attack, Depot, Goods, Place, State};

impl Sight for Depot {
    type Place = Place;

    fn place(&self, state: &State, unit: UnitId) -> Option<Place> {
        Some(state.units[unit].place)
    }

    fn owner(&self, _: &State, unit: UnitId) -> Side {
        self.side(unit)
    }

    fn stack_in(&self, state: &State, hex: Hex) -> impl Iterator<Item = UnitId> {
        state.units.in_hex(hex)
    }

    fn front(&self, state: &State, unit: UnitId, _: Viewer) -> Front {
        let now = state.units[unit];
        Front {
            unit: self.roster.name(unit).to_owned(),
            kind: self.kind(unit).as_str().to_owned(),
            factors: factors(self.face(state, unit)),
            steps: now.steps,
            flags: now.marks.words().collect(),
        }
    }

    fn turn(&self, state: &State) -> (u8, u8) {
        (state.turn, self.turns)
    }

    /// How many points a side has in all is open, where they are is not (3.2).
    fn tracks(&self, state: &State) -> Vec<Track> {
        let of_side = |side: Side| {
            let ace = if state.ace[side] { "held" } else { "spent" };
            let supply = state.stocks.total(side, Goods::Supply);
            [Track::new(format!("{side} ace"), ace), Track::new(format!("{side} supply"), supply)]
        };
        Side::BOTH.into_iter().flat_map(of_side).collect()
    }

    fn stocks(&self, state: &State, viewer: Viewer) -> Vec<StockSeen> {
        state.stocks.seen(self, |lot| self.switches.open_dumps || viewer.is_told(lot.side))
    }

    /// What the side does not see dealt anew: where the enemy's points lie (3.2), and an attack that he has not declared (7.1).
    fn imagine(&self, state: &State, side: Side, dice: &mut Dice) -> State {
        let mut imagined = state.clone();
        if !self.switches.open_dumps {
            deal_points(&mut imagined, side.enemy(), dice);
        }
        if acting_side(state) != side && state.stack.top::<Attack>().is_some() {
            muster::imagine(self, &mut imagined, dice);
        }
        imagined
    }
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

fn has_room(state: &State, lot: &Lot<Goods>) -> bool {
    match lot.spot {
        Spot::With(_) => state.stocks.amount(lot.spot, lot.side, lot.kind) < CAPACITY,
        Spot::Hex(_) | Spot::Pool => true,
    }
}
