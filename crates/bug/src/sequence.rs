//! 6, 7.8, 8: the sequence of play.

use engine::display::Phase;
use engine::{BySide, Case, Play, Side, Violation, case, remark};

use crate::{
    Action, Assignment, Bug, Event, InitiativeMarker, Interdiction, Opening, Ops, Procedure, Recovery,
    Reinforcement, Reorganization, State, Surprise,
};

/// The segments and phases of a game turn (8c, 6a).
pub(crate) const PHASES: [Phase; 9] = [
    RECOVERY,
    assignment(Side::Soviet),
    assignment(Side::Axis),
    REPLACEMENT,
    REORGANIZATION,
    reinforcement(Side::Soviet),
    reinforcement(Side::Axis),
    SURPRISE,
    OPS,
];

pub(crate) const RECOVERY: Phase = phase("recovery", None, case("8.1a"));
pub(crate) const REPLACEMENT: Phase = phase("replacement", Some(Side::Axis), case("8.3a"));
pub(crate) const REORGANIZATION: Phase = phase("reorganization", Some(Side::Soviet), case("8.3.2a"));
pub(crate) const SURPRISE: Phase = phase("surprise attack", Some(Side::Axis), case("10.2b"));
pub(crate) const OPS: Phase = phase("ops", None, case("6a"));

pub(crate) const fn assignment(side: Side) -> Phase {
    phase("assignment", Some(side), case("8.2a"))
}

pub(crate) const fn reinforcement(side: Side) -> Phase {
    phase("reinforcement", Some(side), case("8.4c"))
}

const fn phase(name: &'static str, side: Option<Side>, case: Case) -> Phase {
    Phase { name, side, case }
}

/// Puts a game at its beginning: the first turn has no Admin Phase (8a).
pub(crate) fn open(rules: &Bug, state: &mut State) {
    state.stack.clear();
    match rules.scenario.surprise {
        0 => state.stack.push(Opening {}),
        left => state.stack.push(Surprise { left, used: 0 }),
    }
}

/// Why an action cannot be the answer to what is asked; some are never asked but at one moment.
pub(crate) fn not_asked(state: &State, action: Action) -> Violation {
    match action {
        _ if state.stack.is_empty() => remark!("7.8b", "the game is over"),
        Action::Reroll => remark!("5.2b", "you have not just rolled a die with the marker in your hand"),
        Action::React { .. } => remark!("6.4.1f", "no Movement Action of the enemy asks for a reaction now"),
        Action::Assign { .. } => remark!("5.5.1c", "units are assigned in the Assignment Segment only"),
        _ => remark!("7.2a", "this is not what is asked now"),
    }
}

impl Bug {
    /// The segment on top of the stack is over, and the next one begins (8c): in each the Soviet side comes first (8.2f,
    /// 8.4c), but the German formations recover before the Interdiction Level is known (8.1.2).
    pub(crate) fn next_segment(&self, state: &mut State, play: &mut Play<Event>) {
        match state.stack.pop() {
            Some(Procedure::Recovery(Recovery { side: Side::Axis, .. })) => state.stack.push(Interdiction {}),
            Some(Procedure::Interdiction(_)) => state.stack.push(Recovery { side: Side::Soviet, next: 0 }),
            Some(Procedure::Recovery(_)) => {
                self.rally_led_units(state, play);
                self.begin_attrition(state);
            }
            Some(Procedure::Attrition(_)) => self.begin_assignment(state, Side::Soviet, play),
            Some(Procedure::Assignment(Assignment { side: Side::Soviet })) => {
                self.begin_assignment(state, Side::Axis, play);
            }
            Some(Procedure::Assignment(_)) => self.begin_replacement(state, play),
            Some(Procedure::Replacement(_)) => state.stack.push(Reorganization {}),
            Some(Procedure::Reorganization(_)) => {
                self.forget_arranging(state);
                state.stack.push(Reinforcement { side: Side::Soviet });
            }
            Some(Procedure::Reinforcement(Reinforcement { side: Side::Soviet })) => {
                state.stack.push(Reinforcement { side: Side::Axis });
            }
            _ => state.stack.push(Ops {}),
        }
    }

    /// The Ops Phase is over: the next turn begins with its Admin Phase (7.8a), or the game ends (7.8b).
    pub(crate) fn end_turn(&self, state: &mut State, play: &mut Play<Event>) {
        state.stack.clear();
        state.passed = BySide::default();
        if state.turn >= self.scenario.last_turn {
            return self.tell_the_end(state, play);
        }
        state.turn += 1;
        play.tell(Event::TurnBegan { turn: state.turn });
        state.initiative = InitiativeMarker { step: 0, side: Side::Axis }; // 8b
        state.stack.push(Recovery { side: Side::Axis, next: 0 });
    }
}
