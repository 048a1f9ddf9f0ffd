//! 5.7, 8.1: supply of HQs, and what recovers at the beginning of a turn.

use board::{Hex, flood};
use engine::{Play, Side, UnitId, case};

use crate::{Bug, Command, Event, HexSet, Marks, Place, Position, Procedure, State};

impl Bug {
    /// The hexes from which a side can trace a Supply Path: joined to a source by hexes without enemies and their
    /// zones of control, not across lakes or the unbridged Bug (5.7.1, R19).
    pub(crate) fn supplied_hexes(&self, state: &State, position: &Position, side: Side) -> HexSet {
        self.supplied_through(state, position.clear(side, self.ground.land), side)
    }

    /// The same through these hexes only.
    pub(crate) fn supplied_through(&self, state: &State, open: HexSet, side: Side) -> HexSet {
        let mut supplied = flood(&self.ground.sources[side], &open, &self.ground.open_sides);
        // Pontoon bridges join what the river parts; the second may hang on the first.
        for _ in 0..state.pontoons.len() {
            let mut seeds = supplied;
            for (a, b) in state.bridges() {
                if supplied.contains(a) {
                    seeds.insert(b);
                }
                if supplied.contains(b) {
                    seeds.insert(a);
                }
            }
            if seeds == supplied {
                break;
            }
            supplied = flood(&seeds, &open, &self.ground.open_sides);
        }
        supplied
    }

    /// Whether an HQ placed in a hex could trace a Supply Path from it.
    pub(crate) fn is_hex_supplied(&self, state: &State, position: &Position, side: Side, hex: Hex) -> bool {
        let mut open = position.clear(side, self.ground.land);
        if !position.held[side.enemy()].contains(hex) {
            open.insert(hex);
        }
        self.supplied_through(state, open, side).contains(hex)
    }

    pub(crate) fn is_supplied(&self, state: &State, position: &Position, hq: UnitId) -> bool {
        let side = self.side(hq);
        let make = || self.supplied_hexes(state, position, side);
        state.hex(hq).is_some_and(|hex| position.supplied.has(side, hex, make))
    }

    /// In supply, or on its back side (8.3b, R24).
    pub(crate) fn can_feed(&self, state: &State, position: &Position, hq: UnitId) -> bool {
        state.hex(hq).is_some()
            && (state.marked(hq, Marks::EMERGENCY) || self.is_supplied(state, position, hq))
    }

    // 8.1: the Recovery Segment.

    /// How many boxes a formation recovers (8.1.1a, 8.1.3a).
    fn recovery(&self, state: &State, hq: UnitId) -> u8 {
        let column = match self.side(hq) {
            Side::Axis => 0,
            Side::Soviet => usize::from(state.interdiction) + 1,
        };
        match self.hq_values(hq).recovery {
            0 => 0,
            rating => self.charts.recovery.result(column, i32::from(rating)),
        }
    }

    /// Raises the level, never above its maximum (8.1a).
    pub(crate) fn recover(&self, state: &mut State, hq: UnitId, boxes: u8, play: &mut Play<Event>) {
        let values = self.hq_values(hq);
        let before = state.unit(hq).level;
        let level = (before + boxes).min(values.max_level).max(before);
        state.unit_mut(hq).level = level;
        play.tell(Event::Recovered { hq, boxes: level - before, level });
    }

    /// Looks at one HQ after the other; true when its owner must decide whether to expend Emergency Supply.
    pub(crate) fn go_on_recovering(
        &self,
        state: &mut State,
        side: Side,
        next: u8,
        play: &mut Play<Event>,
    ) -> bool {
        let Some(&hq) = self.hqs.get(usize::from(next)) else {
            state.stack.pop();
            let next = match side {
                Side::Axis => Procedure::Interdiction,
                Side::Soviet => self.after_recovery(state, play),
            };
            state.stack.push(next);
            return false;
        };
        if self.side(hq) == side && state.hex(hq).is_some() {
            let position = Position::new(self, state);
            let supplied = self.is_supplied(state, &position, hq);
            let flipped = state.marked(hq, Marks::EMERGENCY);
            if supplied {
                if flipped {
                    state.unit_mut(hq).marks.clear(Marks::EMERGENCY); // 8.1b
                    play.tell(Event::Resupplied { hq });
                }
                self.recover(state, hq, self.recovery(state, hq), play);
            } else if !flipped {
                return true; // 8.1c
            }
        }
        self.next_recovery(state);
        false
    }

    fn next_recovery(&self, state: &mut State) {
        if let Some(Procedure::Recovery { next, .. }) = state.stack.last_mut() {
            *next += 1;
        }
    }

    /// The owner of an HQ that is out of supply has decided (8.1c, 5.7.2a): one point less, never below none (8.1f).
    pub(crate) fn decide_emergency(&self, state: &mut State, next: u8, expend: bool, play: &mut Play<Event>) {
        if expend {
            let hq = self.hqs[usize::from(next)];
            state.mark(hq, Marks::EMERGENCY);
            play.tell(Event::EmergencyUsed { hq });
            self.recover(state, hq, self.recovery(state, hq).saturating_sub(1), play);
        }
        self.next_recovery(state);
    }

    pub(crate) fn settle_interdiction(&self, state: &mut State, roll: u8, play: &mut Play<Event>) {
        state.stack.pop();
        state.interdiction = self.charts.interdiction.result(0, i32::from(roll));
        play.tell(Event::InterdictionSet { level: state.interdiction });
        state.stack.push(Procedure::Recovery { side: Side::Soviet, next: 0 });
    }

    /// Disrupted units in command are refitted, both sides at the same time (8.1.4a).
    fn after_recovery(&self, state: &mut State, play: &mut Play<Event>) -> Procedure {
        let position = Position::new(self, state);
        let rallying: Vec<UnitId> = self
            .roster
            .iter()
            .filter(|unit| state.is_disrupted(*unit) && self.is_in_command(state, &position, *unit))
            .collect();
        for unit in rallying {
            self.rally(state, unit, play);
        }
        Procedure::Attrition { next: 0 }
    }

    /// Rolls for the next unit that is disrupted and isolated (8.1.5a).
    pub(crate) fn go_on_attrition(&self, state: &mut State, next: u16, play: &mut Play<Event>) {
        let position = Position::new(self, state);
        let suffers = |unit: &UnitId| {
            unit.0 >= next
                && state.is_disrupted(*unit)
                && state.hex(*unit).is_some()
                && self.command(state, &position, *unit) == Command::Isolated
        };
        match self.roster.iter().find(suffers) {
            Some(unit) => {
                if let Some(Procedure::Attrition { next }) = state.stack.last_mut() {
                    *next = unit.0;
                }
                self.roll(state, self.side(unit), "attrition", case("5.8.4h"), play);
            }
            None => {
                state.stack.pop();
                self.begin_assignment(state, Side::Soviet, play);
            }
        }
    }

    /// Die minus rating: 1 to 3 is a point, 4 or more are two (5.8.4h).
    pub(crate) fn settle_attrition(&self, state: &mut State, next: u16, roll: u8, play: &mut Play<Event>) {
        let unit = UnitId(next);
        let losses = match roll.saturating_sub(self.printed(state, unit).rating) {
            0 => 0,
            1..=3 => 1,
            _ => 2,
        };
        for _ in 0..losses {
            if state.unit(unit).place != Place::Dead {
                self.lose_strength(state, unit, play);
            }
        }
        if let Some(Procedure::Attrition { next }) = state.stack.last_mut() {
            *next += 1;
        }
    }
}
