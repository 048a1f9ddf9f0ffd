//! 8.4: reinforcements.

use board::Hex;
use engine::display::Phase;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, ensure, phrases, refuse, remark};

use crate::sequence::{not_asked, reinforcement};
use crate::{Action, Bug, Corps, Event, HexSet, Place, Presence, Procedure, State, UNASSIGNED, Units};

phrases! {
    /// Reinforcements arrive.
    pub struct Reinforcement { side: Side } = "reinforcement", "8.4a", "{side} reinforcement segment";
}

impl Frame<Bug> for Reinforcement {
    fn asked(&self, _: &Bug, _: &State) -> (Side, Remark) {
        (self.side, remark!("8.4.1a", "place reinforcements, or end the segment"))
    }

    fn answers(&self, rules: &Bug, state: &State, answers: &mut Vec<Action>) {
        let presence = rules.presence(state);
        for unit in rules.roster.iter().filter(|unit| rules.side(*unit) == self.side) {
            if rules.may_enter(state, unit) && state.unit(unit).formation != UNASSIGNED {
                let hexes = rules.entry_hexes(state, &presence, unit);
                answers.extend(hexes.iter().map(|hex| Action::Place { unit, hex }));
            }
        }
        let standing = Corps::ALL.iter().copied();
        let standing = standing.filter(|corps| rules.check_take_up(state, self.side, *corps).is_ok());
        answers.extend(standing.map(|corps| Action::TakeUp { corps }));
        rules.top_answers(state, self.side, answers);
        answers.push(Action::End);
    }

    fn check(&self, rules: &Bug, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Place { unit, hex } => {
                rules.check_place(state, &rules.presence(state), self.side, unit, hex)
            }
            Action::TakeUp { corps } => rules.check_take_up(state, self.side, corps),
            Action::Top { unit } => rules.check_top(state, self.side, unit),
            Action::End => Ok(()),
            _ => Err(not_asked(state, action)),
        }
    }

    fn apply(&self, rules: &Bug, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Place { unit, hex } => rules.place(state, unit, hex, play),
            Action::TakeUp { corps } => rules.take_up(state, corps, play),
            Action::Top { unit } => rules.arrange(state, unit, play),
            _ => rules.next_segment(state, play),
        }
    }

    fn is_sound(&self, _: &Bug, _: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost()
    }

    fn phase(&self, _: &Bug, _: &State) -> Option<Phase> {
        Some(reinforcement(self.side))
    }
}

impl Bug {
    /// Due now or earlier and not yet placed (8.4b); the reserve of 41. Tank Division may come forward (10.5a).
    pub(crate) fn is_due(&self, state: &State, unit: UnitId) -> bool {
        let counter = self.counter(unit);
        let called = counter.reserve && state.reserve > 0 && state.reserve <= state.turn;
        state.unit(unit).place == Place::Track
            && (called || counter.turn.is_some_and(|turn| turn <= state.turn))
    }

    /// The entry hexes of a unit that can be used: friendly, without enemies, with room (R29).
    fn open_entries(&self, state: &State, presence: &Presence, unit: UnitId) -> HexSet {
        let friendly =
            |hex: &Hex| self.ground.land.contains(*hex) && state.controller(*hex) == self.side(unit);
        let entries = self.entries[unit.index()].iter().copied().filter(friendly);
        entries.filter(|hex| self.check_entry(state, presence, unit, *hex).is_ok()).collect()
    }

    /// What holds for any hex of entry: no enemy, and room; an HQ must keep 3.3 (8.4.1d).
    fn check_entry(
        &self,
        state: &State,
        presence: &Presence,
        unit: UnitId,
        hex: Hex,
    ) -> Result<(), Violation> {
        let side = self.side(unit);
        if self.is_hq(unit) {
            self.check_hq_hex(state, presence, unit, hex)?;
            return self.check_hq_room(state, unit, hex);
        }
        ensure!("8.4.1b", !presence.held[side.enemy()].contains(hex), "an enemy unit is in {}", hex);
        let room = !presence.combat[side].contains(hex) || self.has_room(state, Units::of(unit), hex);
        ensure!("8.4.1d", room, "{} is full", hex);
        Ok(())
    }

    /// Where a unit may enter: its entry hexes; an HQ the first in its list that takes it. If none is open, the nearest
    /// hex in command that is not next to an enemy (8.4.1b, R29).
    fn entry_hexes(&self, state: &State, presence: &Presence, unit: UnitId) -> HexSet {
        if state.unit(unit).place == Place::Away {
            return self.return_hexes(state, presence, unit);
        }
        let open = self.open_entries(state, presence, unit);
        if !open.is_empty() {
            if self.is_hq(unit) {
                let mut listed = self.entries[unit.index()].iter().copied();
                return listed.find(|hex| open.contains(*hex)).into_iter().collect();
            }
            return open;
        }
        let side = self.side(unit);
        let near_enemies = presence.near_enemies(self, side);
        let entries = &self.entries[unit.index()];
        let hq = self.hq_of(state, unit);
        let led = |hex: Hex| self.is_hq(unit) || self.is_led(state, presence, hq, hex);
        let fits = |hex: &Hex| {
            !near_enemies.contains(*hex) && self.check_entry(state, presence, unit, *hex).is_ok() && led(*hex)
        };
        let grid = self.map.grid();
        let distance = |hex: Hex| entries.iter().map(|entry| grid.distance(*entry, hex)).min();
        let fallback: Vec<Hex> = self.ground.land.iter().filter(fits).collect();
        let nearest = fallback.iter().filter_map(|hex| distance(*hex)).min();
        fallback.into_iter().filter(|hex| distance(*hex) == nearest).collect()
    }

    /// An HQ that had to leave the map returns to the lawful settlement nearest to a supply area of its side (R14).
    fn return_hexes(&self, state: &State, presence: &Presence, hq: UnitId) -> HexSet {
        let side = self.side(hq);
        let hexes = self.hq_hexes(state, presence, side);
        let lawful: HexSet = hexes.iter().filter(|hex| self.check_hq_room(state, hq, *hex).is_ok()).collect();
        // Its tether holds here as well, if anything within is lawful (10.4, R14).
        let lawful = match self.tether(state, hq).map(|tether| tether & lawful) {
            Some(within) if !within.is_empty() => within,
            _ => lawful,
        };
        let nearest = lawful.iter().map(|hex| self.ground.to_source(side, hex)).min();
        lawful.iter().filter(|hex| Some(self.ground.to_source(side, *hex)) == nearest).collect()
    }

    fn may_enter(&self, state: &State, unit: UnitId) -> bool {
        self.is_due(state, unit) || state.unit(unit).place == Place::Away
    }

    fn check_place(
        &self,
        state: &State,
        presence: &Presence,
        side: Side,
        unit: UnitId,
        hex: Hex,
    ) -> Result<(), Violation> {
        ensure!("8.4c", self.side(unit) == side, "{} is not one of this side's reinforcements", unit);
        ensure!("8.4a", self.may_enter(state, unit), "{} is not due to arrive", unit);
        let loose = state.unit(unit).formation == UNASSIGNED;
        ensure!("8.2e", !loose, "{} must be assigned to a formation first", unit);
        if self.entry_hexes(state, presence, unit).contains(hex) {
            return Ok(());
        }
        self.check_entry(state, presence, unit, hex)?;
        refuse!("8.4.1a", "{} is not where {} enters", hex, unit)
    }

    /// A new formation starts at its maximum level (8.4.1c); an HQ that returns keeps what it has.
    fn place(&self, state: &mut State, unit: UnitId, hex: Hex, play: &mut Play<Event>) {
        let returns = state.unit(unit).place == Place::Away;
        self.put(state, unit, hex, play);
        if self.is_hq(unit) && !returns {
            state.change(unit, |hq| hq.level = self.hq_values(unit).max_level);
        }
        play.tell(Event::Arrived { unit, hex }); // it lands on top, for all to see
    }
}
