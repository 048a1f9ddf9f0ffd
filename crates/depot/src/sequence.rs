//! 1: the sequence of play.

use engine::display;
use engine::frame::Around;
use engine::mark::Lasts;
use engine::{Frame, Play, Remark, Side, Violation, case, phrases, remark};

use crate::{Action, Combat, Depot, Event, Movement, Phase, Procedure, State};

const INITIATIVE: display::Phase = display::Phase { name: "initiative", side: None, case: case("1.2") };

/// The phases of a turn, as far as it is known who goes first (1.1, 1.3).
pub(crate) fn phases(state: &State) -> Vec<display::Phase> {
    let mut phases = vec![INITIATIVE];
    for side in state.first.into_iter().flat_map(|first| [first, first.enemy()]) {
        phases.extend([phase(side, Phase::Movement), phase(side, Phase::Combat)]);
    }
    phases
}

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

phrases! {
    /// A side has the initiative and says who goes first.
    pub struct Initiative { side: Side } = "initiative", "1.3", "{side} has the initiative";
}

impl Frame<Depot> for Initiative {
    fn asked(&self, _: &Depot, _: &State) -> (Side, Remark) {
        (self.side, remark!("1.3", "you have the initiative: go first or second"))
    }

    fn answers(&self, _: &Depot, _: &State, answers: &mut Vec<Action>) {
        answers.extend([Action::First, Action::Second]);
    }

    fn apply(&self, _: &Depot, state: &mut State, action: Action, play: &mut Play<Event>) {
        let first = if action == Action::First { self.side } else { self.side.enemy() };
        state.first = Some(first);
        play.tell(Event::First { side: first });
        begin_phase(state, first, Phase::Movement, play);
    }

    fn is_sound(&self, _: &Depot, state: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost() && around.above.is_empty() && state.first.is_none()
    }

    fn phase(&self, _: &Depot, _: &State) -> Option<display::Phase> {
        Some(INITIATIVE)
    }
}

/// Marks that last for a phase come off.
pub(crate) fn begin_phase(state: &mut State, side: Side, phase: Phase, play: &mut Play<Event>) {
    state.units.change_all(|unit| unit.marks.expire(Lasts::Phase));
    state.stack.clear();
    match phase {
        Phase::Movement => state.stack.push(Movement { side }),
        Phase::Combat => state.stack.push(Combat { side }),
    }
    play.tell(Event::PhaseBegan { side, phase });
}

impl Depot {
    pub(crate) fn end_player_turn(&self, state: &mut State, side: Side, play: &mut Play<Event>) {
        if state.first == Some(side) {
            begin_phase(state, side.enemy(), Phase::Movement, play);
        } else if state.turn < self.turns {
            begin_turn(state, play);
        } else {
            self.end_game(state, play);
        }
    }
}

/// Both sides roll for the initiative; on equal dice it is the Axis's (1.2).
fn begin_turn(state: &mut State, play: &mut Play<Event>) {
    state.turn += 1;
    state.first = None;
    state.units.change_all(|unit| {
        unit.marks.expire(Lasts::Phase);
        unit.marks.expire(Lasts::Turn);
    });
    play.tell(Event::TurnBegan { turn: state.turn });
    let mut roll = |side| play.roll(side, 6, "initiative", case("1.2"));
    let (axis, soviet) = (roll(Side::Axis), roll(Side::Soviet));
    let side = if soviet > axis { Side::Soviet } else { Side::Axis };
    play.tell(Event::Initiative { side });
    state.stack.clear();
    state.stack.push(Initiative { side });
}
