//! 1: the sequence of play.

use engine::display;
use engine::mark::Lasts;
use engine::{Play, Side, Violation, case, remark};

use crate::{Combat, Event, Mini, Movement, Phase, Procedure, State};

/// The phases of a turn (1.1).
pub(crate) const PHASES: [display::Phase; 4] = [
    phase(Side::Axis, Phase::Movement),
    phase(Side::Axis, Phase::Combat),
    phase(Side::Soviet, Phase::Movement),
    phase(Side::Soviet, Phase::Combat),
];

pub(crate) const fn phase(side: Side, phase: Phase) -> display::Phase {
    display::Phase { name: phase.as_str(), side: Some(side), case: case("1.1") }
}

/// The side whose phase it is.
pub(crate) fn acting_side(state: &State) -> Side {
    match state.stack.first() {
        Some(Procedure::Movement(Movement { side }) | Procedure::Combat(Combat { side })) => *side,
        _ => Side::Axis,
    }
}

pub(crate) fn not_asked(state: &State) -> Violation {
    if state.stack.is_empty() {
        remark!("8.1", "the game is over")
    } else {
        remark!("1.1", "this is not what is asked now")
    }
}

/// Flags last for a phase.
pub(crate) fn begin_phase(state: &mut State, side: Side, phase: Phase, play: &mut Play<Event>) {
    state.units.iter_mut().for_each(|unit| unit.marks.expire(Lasts::Phase));
    state.attacked.clear();
    state.stack.clear();
    match phase {
        Phase::Movement => state.stack.push(Movement { side }),
        Phase::Combat => state.stack.push(Combat { side }),
    }
    play.tell(Event::PhaseBegan { side, phase });
}

impl Mini {
    pub(crate) fn end_player_turn(&self, state: &mut State, side: Side, play: &mut Play<Event>) {
        if side == Side::Axis {
            return begin_phase(state, Side::Soviet, Phase::Movement, play);
        }
        if state.turn == self.turns {
            return self.end_game(state, play);
        }
        state.turn += 1;
        play.tell(Event::TurnBegan { turn: state.turn });
        begin_phase(state, Side::Axis, Phase::Movement, play);
    }

    pub(crate) fn end_game(&self, state: &mut State, play: &mut Play<Event>) {
        let points = self.objectives_held(state);
        state.stack.clear();
        play.tell(Event::Ended { axis: points.axis as u8, soviet: points.soviet as u8 });
    }

    /// A side without a unit has lost at once (8.2).
    pub(crate) fn end_if_annihilated(&self, state: &mut State, play: &mut Play<Event>) -> bool {
        let over = self.annihilated(state).is_some();
        if over {
            self.end_game(state, play);
        }
        over
    }
}
