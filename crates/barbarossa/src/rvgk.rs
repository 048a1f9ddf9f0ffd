//! 8.8 to 8.10: the reserve of the Supreme High Command.

use board::{Hex, HexSet};
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, ensure, phrases, refuse, remark};

use crate::sequence::{Turn, not_asked};
use crate::{Action, Barbarossa, Event, Marks, Place, Procedure, State, Step};

phrases! {
    /// The Soviet RVGK phase.
    pub struct Rvgk = "rvgk", "8.9a", "RVGK phase";
}

impl Frame<Barbarossa> for Rvgk {
    fn asked(&self, _: &Barbarossa, state: &State) -> (Side, Remark) {
        (
            Side::Soviet,
            remark!(
                "8.9b",
                "move units into or out of the RVGK box ({} left), or end the phase",
                state.rvgk_left
            ),
        )
    }

    fn answers(&self, rules: &Barbarossa, state: &State, answers: &mut Vec<Action>) {
        let overland = rules.overland(state, Side::Soviet);
        if state.rvgk_left > 0 {
            let units = rules.on_map(state, Side::Soviet).map(|(unit, _)| unit);
            let units = units.filter(|unit| rules.check_recall(state, &overland, *unit).is_ok());
            answers.extend(units.map(|unit| Action::Recall { unit }));
            let exits = rules.rvgk_exits(state, &overland);
            for unit in rules.in_box(state, Side::Soviet, Place::Rvgk) {
                let open = exits.iter().filter(|hex| rules.check_commit(state, &exits, unit, *hex).is_ok());
                answers.extend(open.map(|hex| Action::Commit { unit, hex }));
            }
        }
        answers.push(Action::End);
    }

    fn check(&self, rules: &Barbarossa, state: &State, action: Action) -> Result<(), Violation> {
        let overland = rules.overland(state, Side::Soviet);
        match action {
            Action::Recall { unit } => rules.check_recall(state, &overland, unit),
            Action::Commit { unit, hex } => {
                rules.check_commit(state, &rules.rvgk_exits(state, &overland), unit, hex)
            }
            Action::End => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Barbarossa, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Recall { unit } => {
                state.rvgk_left -= 1;
                let seen = rules.is_seen(state, unit);
                rules.take_off(state, unit, Place::Rvgk);
                state.mark(unit, Marks::RECALLED);
                play.tell_of(Side::Soviet, seen, Event::Boxed { unit: unit.into() });
            }
            Action::Commit { unit, hex } => {
                state.rvgk_left -= 1;
                state.mark(unit, Marks::RECALLED);
                rules.note_arrival(state, unit, hex);
                rules.put(state, unit, hex, play);
                let seen = rules.is_seen(state, unit);
                play.tell_of(Side::Soviet, seen, Event::Arrived { unit: unit.into(), hex });
            }
            _ => {
                state.stack.pop();
            }
        }
    }

    fn go_on(&self, _: &Barbarossa, state: &mut State, _: &mut Play<Event>) -> bool {
        let asks = state.rvgk_left > 0;
        if !asks {
            state.stack.pop();
        }
        asks
    }

    fn is_sound(&self, _: &Barbarossa, _: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Turn>().is_some_and(|turn| turn.step == Step::Rvgk)
    }
}

impl Barbarossa {
    /// From the map to the box (8.9, 8.10a); never the ICA (R68).
    fn check_recall(&self, state: &State, overland: &HexSet, unit: UnitId) -> Result<(), Violation> {
        ensure!("8.10a", self.side(unit) == Side::Soviet, "{} is not Soviet", unit);
        ensure!("8.9b", state.rvgk_left > 0, "five units have gone into or out of the box");
        let Some(hex) = state.hex(unit) else { refuse!("8.10a", "{} is not on the map", unit) };
        ensure!("10.34a", !self.is_ica(unit), "{} stays in its ports", unit);
        ensure!(
            "8.9c",
            !state.marked(unit, Marks::RECALLED),
            "{} has come out of the box in this phase",
            unit
        );
        ensure!("8.10a", overland.contains(hex), "{} is not in overland supply", unit);
        Ok(())
    }

    /// Supplied Soviet cities, and edge sources in the north and middle without enemies (8.10b, R72).
    fn rvgk_exits(&self, state: &State, overland: &HexSet) -> HexSet {
        let cities = self.ground.cities & state.control.soviet & *overland;
        let exits = (cities | self.ground.rvgk_exit) - *state.held(Side::Axis);
        self.bounds_set().map_or(exits, |bounds| exits & bounds)
    }

    fn check_commit(&self, state: &State, exits: &HexSet, unit: UnitId, hex: Hex) -> Result<(), Violation> {
        let boxed = self.side(unit) == Side::Soviet && state.unit(unit).place == Place::Rvgk;
        ensure!("8.10b", boxed, "{} is not in the RVGK box", unit);
        ensure!("8.9b", state.rvgk_left > 0, "five units have gone into or out of the box");
        ensure!("8.9c", !state.marked(unit, Marks::RECALLED), "{} has gone into the box in this phase", unit);
        ensure!("8.10b", exits.contains(hex), "{} is neither a supplied Soviet city nor an edge source", hex);
        let spent = crate::forces::spent_places(state).contains(hex);
        ensure!("8.1e", !spent, "a full stack has been placed in {} in this turn", hex);
        self.check_room(state, unit, hex)
    }
}
