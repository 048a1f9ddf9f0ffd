//! 2.3.I.4: the Replacement Reorganization Segment, and what can be done in it.

use engine::display;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, Violation, phrases, remark};

use crate::sequence::{self, OVERPHASE, not_asked};
use crate::{Action, Event, Ocs, Procedure, State};

phrases! {
    /// The Replacement Reorganization Segment of a side (2.3.I.4).
    pub struct Reorganization { side: Side } = "reorganization", "2.3.I.4", "{side} reorganization";
}

impl Frame<Ocs> for Reorganization {
    fn asked(&self, _: &Ocs, _: &State) -> (Side, Remark) {
        (self.side, remark!("2.3.I.4", "build, break down and recover, or end the segment"))
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        rules.hedgehog_answers(state, self.side, answers);
        rules.break_down_answers(state, self.side, answers);
        rules.base_answers(state, self.side, answers);
        rules.rebuild_answers(state, self.side, answers);
        rules.motor_answers(state, self.side, answers);
        answers.push(Action::End);
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Dig { hex } => rules.check_dig(state, self.side, hex),
            Action::Raze { hex } => rules.check_raze(state, self.side, hex),
            Action::BreakDown { unit } => rules.check_break_down(state, self.side, unit),
            Action::Absorb { unit, into } => rules.check_absorb(state, self.side, unit, into),
            Action::BuildBase { hex } => rules.check_build_base(state, self.side, hex),
            Action::ReduceBase { hex } => rules.check_reduce_base(state, self.side, hex),
            Action::Rebuild { unit, hex } => rules.check_rebuild(state, self.side, unit, hex),
            Action::Convert { unit } => rules.check_convert(state, self.side, unit),
            Action::Motorize { unit, motor } => rules.check_motorize(state, self.side, unit, motor),
            Action::Dismount { unit } => rules.check_dismount(state, self.side, unit),
            Action::End => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Dig { hex } => rules.dig(state, self.side, hex, play),
            Action::Raze { hex } => rules.raze(state, hex, play),
            Action::BreakDown { unit } => rules.break_down(state, unit, play),
            Action::Absorb { unit, into } => rules.absorb(state, unit, into, play),
            Action::BuildBase { hex } => rules.build_base(state, self.side, hex, play),
            Action::ReduceBase { hex } => rules.reduce_base(state, self.side, hex, play),
            Action::Rebuild { unit, hex } => rules.rebuild(state, unit, hex, play),
            Action::Convert { unit } => rules.convert(state, unit, play),
            Action::Motorize { unit, motor } => rules.motorize(state, unit, motor, play),
            Action::Dismount { unit } => rules.dismount(state, unit, play),
            _ => {
                state.base_works.clear();
                state.works.clear();
                sequence::proceed(rules, state, play);
            }
        }
    }

    /// Nobody is asked who can do nothing.
    fn go_on(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        let mut answers = Vec::new();
        self.answers(rules, state, &mut answers);
        let asks = answers.len() > 1;
        if !asks {
            state.base_works.clear();
            state.works.clear();
            sequence::proceed(rules, state, play);
        }
        asks
    }

    fn is_sound(&self, _: &Ocs, _: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost()
    }

    fn phase(&self, _: &Ocs, _: &State) -> Option<display::Phase> {
        Some(OVERPHASE)
    }
}
