//! 5: the sequence of play.

use board::Hex;
use engine::display;
use engine::mark::Lasts;
use engine::{Play, Rulebook, Side, Violation, case, remark};

use crate::supply::SOVIET_EXHAUSTION;
use crate::{
    Action, Combat, Dagc, Deployment, Event, Interdiction, Marks, Movement, Overload, Overstacked, Phase,
    Procedure, Reinforcement, State,
};

/// The phases of a game turn (5.2).
const ORDER: [(Side, Phase); 9] = [
    (Side::Soviet, Phase::Reinforcement),
    (Side::Soviet, Phase::PreCombat),
    (Side::Soviet, Phase::Movement),
    (Side::Soviet, Phase::PostCombat),
    (Side::Axis, Phase::Reinforcement),
    (Side::Axis, Phase::PreCombat),
    (Side::Soviet, Phase::Interdiction),
    (Side::Axis, Phase::Movement),
    (Side::Axis, Phase::PostCombat),
];

/// The same for players.
pub(crate) fn phases() -> Vec<display::Phase> {
    ORDER.into_iter().map(|(side, of)| phase(side, of)).collect()
}

pub(crate) fn phase(side: Side, phase: Phase) -> display::Phase {
    let (name, soviet, axis) = match phase {
        Phase::Reinforcement => ("replacement and reinforcement", case("5.2a"), case("5.2e")),
        Phase::PreCombat => ("pre-movement combat", case("5.2b"), case("5.2f")),
        Phase::Interdiction => ("interdiction", case("5.2g"), case("5.2g")),
        Phase::Movement => ("movement", case("5.2c"), case("5.2h")),
        Phase::PostCombat => ("post-movement combat", case("5.2d"), case("5.2i")),
    };
    display::Phase { name, side: Some(side), case: if side == Side::Soviet { soviet } else { axis } }
}

/// The side whose phase it is.
pub(crate) fn acting_side(state: &State) -> Side {
    match state.stack.first() {
        Some(
            Procedure::Deployment(Deployment { side })
            | Procedure::Reinforcement(Reinforcement { side })
            | Procedure::Combat(Combat { side, .. })
            | Procedure::Movement(Movement { side }),
        ) => *side,
        Some(Procedure::Interdiction(_)) => Side::Soviet,
        _ => Side::Axis,
    }
}

/// True in a combat phase after movement (11.1a).
pub(crate) fn is_after_movement(state: &State) -> bool {
    matches!(state.stack.first(), Some(Procedure::Combat(Combat { after: true, .. })))
}

pub(crate) fn not_asked(state: &State) -> Violation {
    if state.stack.is_empty() {
        remark!("5.3", "the game is over")
    } else {
        remark!("5.1c", "this is not what is asked now")
    }
}

impl Dagc {
    /// What is checked before a player goes on with a phase: ports whenever units have changed places (7.9i), stacking
    /// after each combat (6.6c).
    pub(crate) fn look_after_ports_and_stacks(&self, state: &mut State) -> bool {
        let [phase] = state.stack[..] else { return false };
        if matches!(phase, Procedure::Deployment(_)) {
            return false;
        }
        if !self.overloaded(state).is_empty() {
            state.stack.push(Overload {});
            return true;
        }
        let in_excess: Option<Hex> =
            if matches!(phase, Procedure::Combat(_)) { self.overstacked(state) } else { None };
        if let Some(hex) = in_excess {
            state.stack.push(Overstacked { hex });
        }
        in_excess.is_some()
    }

    /// Goes on with the next phase in which there is something to choose.
    pub(crate) fn end_phase(&self, state: &mut State, play: &mut Play<Event>) {
        let Some(now) = self.phase(state) else { return };
        for next in now + 1..ORDER.len() {
            lose_steps(state, play);
            self.begin_phase(state, next, play);
            if self.has_choice(state) {
                return;
            }
        }
        self.end_turn(state, play);
    }

    /// A phase in which nothing but its end is possible is passed over.
    fn has_choice(&self, state: &State) -> bool {
        let mut answers = Vec::new();
        self.answers(state, &mut answers);
        answers != [Action::End]
    }

    fn begin_phase(&self, state: &mut State, place: usize, play: &mut Play<Event>) {
        let (side, phase) = ORDER[place];
        let over = Marks::lasting(Lasts::Phase);
        state.units.change_all(|unit| unit.marks.clear(over));
        state.rolls.clear();
        state.steps_left = 0;
        state.stack.clear();
        play.tell(Event::PhaseBegan { side, phase });
        match phase {
            Phase::Reinforcement => {
                state.stack.push(Reinforcement { side });
                state.armor_tried = false; // once a player turn (12.6a)
                state.steps_left = self.replacement_steps(state.turn, side);
                if state.steps_left > 0 {
                    play.tell(Event::StepsReceived { side, steps: state.steps_left });
                }
            }
            Phase::PreCombat => state.stack.push(Combat { side, after: false }),
            Phase::Interdiction => state.stack.push(Interdiction {}),
            Phase::Movement => state.stack.push(Movement { side }),
            Phase::PostCombat => {
                state.stack.push(Combat { side, after: true });
                // Interdiction lasts for the movement phase it precedes (13.5).
                state.units.change_all(|unit| unit.marks.clear(Marks::INTERDICTED));
            }
        }
    }

    fn end_turn(&self, state: &mut State, play: &mut Play<Event>) {
        if state.turn == self.last_turn {
            return self.end_game(state, play); // 4.4
        }
        state.turn += 1;
        self.begin_turn(state, play);
    }

    /// The start of a game turn, before its first phase.
    fn begin_turn(&self, state: &mut State, play: &mut Play<Event>) {
        play.tell(Event::TurnBegan { turn: state.turn });
        state.units.change_all(|unit| unit.marks.expire(Lasts::Turn));
        if state.turn == 1 {
            self.activate(state); // 5.4a
        }
        if state.turn == SOVIET_EXHAUSTION {
            self.withdraw_air(state, play); // 13.4
        }
        state.air.iter_mut().for_each(|armies| armies.used = 0); // 13.5
        self.begin_phase(state, 0, play);
        if !self.has_choice(state) {
            self.end_phase(state, play);
        }
    }

    /// Units in hand are set up, the Soviet ones first (3.6b, 3.7b); then the first turn begins.
    pub(crate) fn begin(&self, state: &mut State, play: &mut Play<Event>) {
        state.stack.clear();
        match Side::BOTH.into_iter().rev().find(|side| self.in_hand(state, *side).next().is_some()) {
            Some(side) => state.stack.push(Deployment { side }),
            None => self.begin_turn(state, play),
        }
    }

    /// Puts a state that was just set up at its first decision.
    pub(crate) fn open(&self, state: &mut State) {
        let mut play = Play::new(engine::Dice::told([]));
        self.begin(state, &mut play);
        self.go_on(state, &mut play);
    }

    fn end_game(&self, state: &mut State, play: &mut Play<Event>) {
        state.stack.clear();
        self.tell_end(state, play);
    }

    /// When Koenigsberg falls the game is over at once (4.2).
    pub(crate) fn end_by_sudden_death(&self, state: &mut State, play: &mut Play<Event>) -> bool {
        let over = self.sudden_death(state);
        if over {
            self.end_game(state, play);
        }
        over
    }
}

/// What is not spent in a phase is lost (10.6b).
fn lose_steps(state: &State, play: &mut Play<Event>) {
    if state.steps_left > 0 {
        play.tell(Event::StepsLost { steps: state.steps_left });
    }
}
