//! 7.0: reinforcements.

use board::{Hex, flood};
use engine::display;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, ensure, phrases, remark};

use crate::sequence::{begin_phase, not_asked, phase};
use crate::settings::Entry;
use crate::zoc::Position;
use crate::{Action, Bite, Event, HexSet, Marks, Phase, Place, Procedure, State};

phrases! {
    /// A reinforcement phase.
    pub struct Reinforcement { side: Side } = "reinforcement", "6.0c1", "{side} reinforcement phase";
}

impl Frame<Bite> for Reinforcement {
    fn asked(&self, _: &Bite, _: &State) -> (Side, Remark) {
        (self.side, remark!("6.0c1", "place reinforcements, or end the phase: the others are delayed"))
    }

    fn answers(&self, rules: &Bite, state: &State, answers: &mut Vec<Action>) {
        rules.placements(state, self.side, answers);
        answers.push(Action::End);
    }

    fn check(&self, rules: &Bite, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Place { unit, hex } => {
                ensure!("7.0a", rules.side(unit) == self.side, "{} is the enemy's", unit);
                ensure!("7.0a", rules.is_placed(state, unit), "{} is not due on the map now", unit);
                let open = rules.entry_hexes(state, unit).contains(hex);
                ensure!("7.0d", open, "{} cannot be placed in {}", unit, hex);
                Ok(())
            }
            Action::End => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Bite, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Place { unit, hex } => {
                state.unmark(unit, Marks::BLOCKED);
                play.tell(Event::Arrived { unit });
                rules.put(state, unit, hex, play);
            }
            _ => self.end(rules, state, play),
        }
    }

    /// Nobody is asked who has nothing to place inside the map: arrivals at its edge enter when they move.
    fn go_on(&self, rules: &Bite, state: &mut State, play: &mut Play<Event>) -> bool {
        let mut placements = Vec::new();
        rules.placements(state, self.side, &mut placements);
        if placements.is_empty() {
            self.end(rules, state, play);
        }
        !placements.is_empty()
    }

    fn is_sound(&self, _: &Bite, _: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost() && around.above.is_empty()
    }

    fn phase(&self, _: &Bite, _: &State) -> Option<display::Phase> {
        Some(phase(self.side, Phase::Reinforcement))
    }
}

impl Reinforcement {
    /// Collects what is due, what was delayed, and HQs that were destroyed in combat (14.0j).
    pub(crate) fn begin(rules: &Bite, state: &mut State, side: Side, play: &mut Play<Event>) {
        state.stack.push(Reinforcement { side });
        let own: Vec<UnitId> = rules.roster.iter().filter(|unit| rules.side(*unit) == side).collect();
        for unit in own {
            match state.units[unit].place {
                Place::Lost => rules.replace_hq(state, unit, play),
                Place::Track if rules.is_due(state, unit) => rules.bring(state, unit, play),
                Place::Delayed => rules.bring(state, unit, play),
                _ => {}
            }
        }
    }

    fn end(&self, rules: &Bite, state: &mut State, play: &mut Play<Event>) {
        let own: Vec<UnitId> = rules.roster.iter().filter(|unit| rules.side(*unit) == self.side).collect();
        let late: Vec<UnitId> = own.into_iter().filter(|unit| rules.is_placed(state, *unit)).collect();
        for unit in late {
            state.units.change(unit, |unit| unit.place = Place::Delayed);
            play.tell(Event::NotEntered { unit });
        }
        begin_phase(rules, state, self.side, Phase::Supply, play);
    }
}

impl Bite {
    /// The turn of a unit on the track has come; optional units come only if they are played with (3.2l).
    fn is_due(&self, state: &State, unit: UnitId) -> bool {
        let counter = self.counter(unit);
        counter.turn.is_some_and(|turn| turn <= state.turn)
            && (!counter.optional || self.switches.optional_units)
    }

    /// A unit that enters at a place inside the map, and is to be placed now.
    fn is_placed(&self, state: &State, unit: UnitId) -> bool {
        let inside = self.settings.entry(&self.counter(unit).entry).is_some_and(|entry| entry.inside);
        state.units[unit].place == Place::Waiting && inside && !state.marked(unit, Marks::REPLACED)
    }

    fn placements(&self, state: &State, side: Side, answers: &mut Vec<Action>) {
        for unit in self.roster.iter().filter(|unit| self.side(*unit) == side && self.is_placed(state, *unit))
        {
            answers.extend(self.entry_hexes(state, unit).iter().map(|hex| Action::Place { unit, hex }));
        }
    }

    /// A unit that is due waits behind its edge, or is delayed because its entry is blocked (7.0d).
    fn bring(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let counter = self.counter(unit);
        state.units.change(unit, |unit| {
            unit.place = Place::Waiting;
            unit.steps = counter.steps();
        });
        if counter.untried && !state.marked(unit, Marks::BLOCKED) {
            state.mark(unit, Marks::UNTRIED);
        }
        state.mark(unit, Marks::ARRIVED);
        if self.entry_hexes(state, unit).is_empty() {
            state.units.change(unit, |unit| unit.place = Place::Delayed);
            state.mark(unit, Marks::BLOCKED);
            play.tell(Event::Delayed { unit });
        } else if !self.is_placed(state, unit) {
            play.tell(Event::Arrived { unit });
        }
    }

    /// A destroyed HQ comes back with its General face up, and without its leader (14.0j, R76).
    fn replace_hq(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let possible = self.settings.hq_replacement && self.friendly_edges(self.side(unit)) != HexSet::EMPTY;
        if !possible {
            return;
        }
        let steps = self.counter(unit).steps();
        state.units.change(unit, |unit| {
            unit.place = Place::Waiting;
            unit.steps = steps;
            unit.marks.set(Marks::ARRIVED | Marks::REPLACED);
        });
        play.tell(Event::Returned { hq: unit });
    }

    /// Every hex by which units of a side come in (rad.21.4c, uma.21.4c).
    pub(crate) fn friendly_edges(&self, side: Side) -> HexSet {
        let own = self.settings.entries.iter().filter(|entry| entry.side == side);
        own.fold(HexSet::EMPTY, |all, entry| all | entry.hexes)
    }

    /// The hexes by which a unit that waits may come in now: those of its entry that no enemy is in; if it found them all
    /// blocked on an earlier turn, the nearest that is open instead (7.0d to 7.0f).
    pub(crate) fn entry_hexes(&self, state: &State, unit: UnitId) -> HexSet {
        let side = self.side(unit);
        let position = self.known(state);
        let open = self.ground.land - position.held[side.enemy()];
        // A replaced HQ may come in by any of them (14.0o).
        let replaced = state.marked(unit, Marks::REPLACED);
        let entry = self.settings.entry(&self.counter(unit).entry).filter(|_| !replaced);
        let Some(entry) = entry else { return self.friendly_edges(side) & open };
        let own = entry.hexes & open;
        if !own.is_empty() || !state.marked(unit, Marks::BLOCKED) {
            return own;
        }
        let instead =
            if entry.inside { self.by_rail(&position, side, open) } else { self.friendly_edges(side) & open };
        self.nearest(entry, instead)
    }

    /// Those of some hexes that are nearest to an entry; the owner chooses between equals (7.0f2).
    fn nearest(&self, entry: &Entry, hexes: HexSet) -> HexSet {
        let grid = self.map.grid();
        let far = |hex: Hex| entry.hexes.iter().map(|own| grid.distance(own, hex)).min().unwrap_or(u32::MAX);
        let least = hexes.iter().map(far).min();
        hexes.iter().filter(|hex| Some(far(*hex)) == least).collect()
    }

    /// Railroad hexes that are joined by railroad to a friendly edge, past no enemy (7.0e, R35).
    fn by_rail(&self, position: &Position, side: Side, open: HexSet) -> HexSet {
        let clear = (self.ground.rails & open) - position.unnegated(side);
        flood(&(self.friendly_edges(side) & clear), &clear, &self.ground.rail_sides)
    }
}
