//! What a side sees (2.2), and what it can imagine behind it.

use board::{Hex, HexSet};
use engine::observation::{Observation, Schema, Values};
use engine::{Dice, Front, Side, Sight, Track, UnitId, Viewer, places};

use crate::{Action, Attack, Mini, State};

places! {
    /// Where a unit is.
    pub enum Place {
        /// Eliminated.
        Dead = "dead",
    }
}

impl Sight for Mini {
    type Place = Place;

    fn place(&self, state: &State, unit: UnitId) -> Option<Place> {
        Some(state.unit(unit).hex.map_or(Place::Dead, Place::Hex))
    }

    fn owner(&self, _: &State, unit: UnitId) -> Side {
        self.side(unit)
    }

    fn stack_in(&self, state: &State, hex: Hex) -> impl Iterator<Item = UnitId> {
        state.stack_in(hex)
    }

    /// The top unit of a stack (2.2).
    fn is_seen(&self, state: &State, unit: UnitId) -> bool {
        Mini::is_seen(self, state, unit)
    }

    fn front(&self, state: &State, unit: UnitId, _: Viewer) -> Front {
        let (counter, now) = (&self.counters[unit.index()], state.unit(unit));
        Front {
            unit: self.roster.name(unit).to_owned(),
            kind: counter.kind.as_str().to_owned(),
            factors: format!("{}-{}-{}", counter.attack, counter.defence, counter.allowance),
            steps: now.steps,
            flags: now.marks.words().collect(),
        }
    }

    fn turn(&self, state: &State) -> (u8, u8) {
        (state.turn, self.turns)
    }

    fn tracks(&self, state: &State) -> Vec<Track> {
        let luck = |side: Side| if state.luck[side] { "held" } else { "spent" };
        Side::BOTH.map(|side| Track::new(format!("{side} luck"), luck(side))).into()
    }

    const SCHEMA: Schema = Schema {
        planes: &["own units", "enemy units", "own zones of control", "enemy zones of control", "objectives"],
        globals: &["turn", "turns left", "own luck", "enemy luck"],
    };

    fn observe(&self, state: &State, side: Side, out: &mut Observation) {
        for looking in [side, side.enemy()] {
            out.plane(&self.hexes_of(state, looking));
        }
        for looking in [side, side.enemy()] {
            out.plane(&self.ezoc(state, looking.enemy()));
        }
        out.plane(&self.objectives.iter().copied().collect::<HexSet>());
        out.global(state.turn);
        out.global(self.turns - state.turn);
        for looking in [side, side.enemy()] {
            out.global(u8::from(state.luck[looking]));
        }
    }

    fn values(&self, state: &State, unit: UnitId, _: Side) -> Values {
        let (counter, now) = (&self.counters[unit.index()], state.unit(unit));
        Values {
            steps: now.steps.into(),
            attack: counter.attack.into(),
            defence: counter.defence.into(),
            movement: counter.allowance.in_twelfths() as i16,
            kind: counter.kind as i16,
            marks: now.marks.bits().into(),
        }
    }

    /// Deals the enemy's unseen units anew among the places where unseen units lie. Places are taken in the order of the map, so that
    /// states that look alike to the side give the same state for the same dice.
    fn imagine(&self, state: &State, side: Side, dice: &mut Dice) -> State {
        let mut imagined = state.clone();
        let unseen: Vec<UnitId> = self
            .roster
            .iter()
            .filter(|unit| self.side(*unit) != side && !self.is_seen(state, *unit))
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
            let places =
                state.order.iter().zip(&imagined.order).filter(|(unit, _)| attackers.contains(**unit));
            *attackers = places.map(|(_, dealt)| *dealt).collect();
        }
        imagined
    }

    /// Guns that the mover does not see may interrupt a move (5.1).
    fn foreseeable(&self, state: &State, action: Action) -> bool {
        let Action::Move { unit, .. } = action else { return true };
        let enemies = self.roster.iter().filter(|enemy| self.side(*enemy) != self.side(unit));
        enemies.into_iter().all(|enemy| self.is_seen(state, enemy))
    }
}
