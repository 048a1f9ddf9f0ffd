//! 5.7, 8.1: supply of HQs, and what recovers at the beginning of a turn.

use board::flood;
use engine::display::Phase;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, case, phrases, remark};

use crate::sequence::RECOVERY;
use crate::{Action, Bug, Command, Event, HexSet, Marks, Presence, Procedure, State, Units};

impl Bug {
    /// The hexes from which a side can trace a Supply Path: joined to a source by hexes without enemies and their
    /// zones of control, not across lakes or the unbridged Bug (5.7.1, R19).
    pub(crate) fn supplied_hexes(&self, state: &State, presence: &Presence, side: Side) -> HexSet {
        self.supplied_through(state, presence, presence.clear(side, self.ground.land), side)
    }

    /// The friendly map-edge hexes next to a supply area of a side (5.7.1a).
    pub(crate) fn sources(&self, state: &State, side: Side) -> HexSet {
        self.ground.sources[side] & self.friendly(state, side)
    }

    /// The same through these hexes only.
    pub(crate) fn supplied_through(
        &self,
        state: &State,
        presence: &Presence,
        open: HexSet,
        side: Side,
    ) -> HexSet {
        flood(&self.sources(state, side), &open, presence.open_sides(self))
    }

    pub(crate) fn is_supplied(&self, state: &State, presence: &Presence, hq: UnitId) -> bool {
        let side = self.side(hq);
        let make = || self.supplied_hexes(state, presence, side);
        state.hex(hq).is_some_and(|hex| presence.supplied.has(side as usize, hex, make))
    }

    /// In supply, or on its back side (8.3b, R24).
    pub(crate) fn can_feed(&self, state: &State, presence: &Presence, hq: UnitId) -> bool {
        state.hex(hq).is_some()
            && (state.marked(hq, Marks::EMERGENCY) || self.is_supplied(state, presence, hq))
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
        state.change(hq, |unit| unit.level = level);
        play.tell(Event::Recovered { hq, boxes: level - before, level });
    }

    /// Disrupted units near an HQ of theirs, lent or not, are refitted, both sides at the same time (8.1.4a, R4).
    pub(crate) fn rally_led_units(&self, state: &mut State, play: &mut Play<Event>) {
        let presence = self.presence(state);
        let led = |unit: &UnitId| {
            let mut parents = self.parents(state, *unit);
            state.is_disrupted(*unit) && parents.any(|hq| self.is_near(state, &presence, *unit, hq))
        };
        let rallying: Vec<UnitId> = self.roster.iter().filter(led).collect();
        for unit in rallying {
            self.rally(state, unit, play);
        }
    }

    /// The units that are still disrupted and isolated suffer attrition: who they are is found before any die falls (8.1.5a,
    /// R93).
    pub(crate) fn begin_attrition(&self, state: &mut State) {
        let presence = self.presence(state);
        let suffers = |unit: &UnitId| {
            state.is_disrupted(*unit)
                && state.hex(*unit).is_some()
                && self.command(state, &presence, *unit) == Command::Isolated
        };
        state.stack.push(Attrition { units: self.roster.iter().filter(suffers).collect() });
    }
}

phrases! {
    /// A side's formations recover, one after the other.
    pub struct Recovery { side: Side, next: u8 } = "recovery", "8.1a", "{side} recovery";
}

impl Frame<Bug> for Recovery {
    fn asked(&self, rules: &Bug, _: &State) -> (Side, Remark) {
        let hq = rules.hqs.get(usize::from(self.next)).copied().unwrap_or(UnitId(0));
        let prompt = remark!("8.1c", "{} is out of supply: expend Emergency Supply, or do not recover", hq);
        (self.side, prompt)
    }

    fn answers(&self, _: &Bug, _: &State, answers: &mut Vec<Action>) {
        answers.extend([Action::Emergency, Action::Spare]);
    }

    /// Emergency Supply recovers one point less, never below none (5.7.2a, 8.1c, 8.1f).
    fn apply(&self, rules: &Bug, state: &mut State, action: Action, play: &mut Play<Event>) {
        if action == Action::Emergency {
            let hq = rules.hqs[usize::from(self.next)];
            state.mark(hq, Marks::EMERGENCY);
            play.tell(Event::EmergencyUsed { hq });
            rules.recover(state, hq, rules.recovery(state, hq).saturating_sub(1), play);
        }
        self.pass_on(state);
    }

    /// Looks at one HQ after the other; its owner decides whether one out of supply expends its Emergency Supply (8.1c).
    fn go_on(&self, rules: &Bug, state: &mut State, play: &mut Play<Event>) -> bool {
        let Some(&hq) = rules.hqs.get(usize::from(self.next)) else {
            rules.next_segment(state, play);
            return false;
        };
        if rules.side(hq) == self.side && state.hex(hq).is_some() {
            let supplied = rules.is_supplied(state, &rules.presence(state), hq);
            let flipped = state.marked(hq, Marks::EMERGENCY);
            if !supplied && !flipped {
                return true;
            }
            if supplied && flipped {
                state.change(hq, |unit| unit.marks.clear(Marks::EMERGENCY)); // 8.1b
                play.tell(Event::Resupplied { hq });
            }
            if supplied {
                rules.recover(state, hq, rules.recovery(state, hq), play);
            }
        }
        self.pass_on(state);
        false
    }

    fn is_sound(&self, rules: &Bug, state: &State, around: Around<'_, Procedure>) -> bool {
        let hq = rules.hqs.get(usize::from(self.next));
        around.is_outermost() && hq.is_some_and(|hq| rules.side(*hq) == self.side && state.hex(*hq).is_some())
    }

    fn phase(&self, _: &Bug, _: &State) -> Option<Phase> {
        Some(RECOVERY)
    }
}

impl Recovery {
    fn pass_on(&self, state: &mut State) {
        if let Some(recovery) = state.stack.top_mut::<Recovery>() {
            recovery.next += 1;
        }
    }
}

phrases! {
    /// The die for the Interdiction Level.
    pub struct Interdiction = "interdiction", "8.1.2a", "interdiction";
}

impl Frame<Bug> for Interdiction {
    fn go_on(&self, rules: &Bug, state: &mut State, play: &mut Play<Event>) -> bool {
        rules.roll(state, Side::Axis, "interdiction", case("8.1.2a"), play);
        false
    }

    fn is_sound(&self, _: &Bug, _: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost() && !around.above.is_empty()
    }

    fn phase(&self, _: &Bug, _: &State) -> Option<Phase> {
        Some(RECOVERY)
    }
}

impl Interdiction {
    pub(crate) fn settle(&self, rules: &Bug, state: &mut State, roll: u8, play: &mut Play<Event>) {
        state.interdiction = rules.charts.interdiction.result(0, i32::from(roll));
        play.tell(Event::InterdictionSet { level: state.interdiction });
        rules.next_segment(state, play);
    }
}

phrases! {
    /// Isolated and disrupted units suffer attrition, one after the other.
    pub struct Attrition { units: Units } = "attrition", "8.1.5a", "attrition";
}

impl Frame<Bug> for Attrition {
    /// Rolls for the next unit (8.1.5a).
    fn go_on(&self, rules: &Bug, state: &mut State, play: &mut Play<Event>) -> bool {
        match self.units.first() {
            Some(unit) => rules.roll(state, rules.side(unit), "attrition", case("5.8.4h"), play),
            None => rules.next_segment(state, play),
        }
        false
    }

    fn is_sound(&self, rules: &Bug, state: &State, around: Around<'_, Procedure>) -> bool {
        let suffers =
            |unit: UnitId| state.is_disrupted(unit) && !rules.is_hq(unit) && state.hex(unit).is_some();
        around.is_outermost()
            && !around.above.is_empty()
            && !self.units.is_empty()
            && self.units.iter().all(suffers)
    }

    fn phase(&self, _: &Bug, _: &State) -> Option<Phase> {
        Some(RECOVERY)
    }
}

impl Attrition {
    /// Die minus rating: 1 to 3 is a point, 4 or more are two (5.8.4h).
    pub(crate) fn settle(&self, rules: &Bug, state: &mut State, roll: u8, play: &mut Play<Event>) {
        let mut units = self.units;
        let Some(unit) = units.first() else { return };
        units.remove(unit);
        state.stack.replace(Attrition { units });
        let losses = match roll.saturating_sub(rules.printed(state, unit).rating) {
            0 => 0,
            1..=3 => 1,
            _ => 2,
        };
        for _ in 0..losses {
            rules.lose_strength(state, unit, play);
        }
    }
}
