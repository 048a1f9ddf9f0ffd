//! 5.7b, 8, 10: the release of Reserves in the Reaction and Exploitation Phases.

use engine::display;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, ensure, phrases, remark};

use crate::sequence::{self, not_asked, phase};
use crate::{Action, Event, Marks, Ocs, Phase, Procedure, State};

phrases! {
    /// The beginning of a Reaction or Exploitation Phase (5.7b.a).
    pub struct Release { side: Side, phase: Phase } = "release", "5.7b.a", "{side} may release Reserves: {phase}";
}

impl Frame<Ocs> for Release {
    fn asked(&self, _: &Ocs, _: &State) -> (Side, Remark) {
        (self.side, remark!("5.7b.a", "release Reserves, or go on"))
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        answers.extend(rules.reserves(state, self.side).map(|unit| Action::Release { unit }));
        answers.push(Action::End);
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Release { unit } => {
                ensure!("5.7b.a", rules.side(unit) == self.side, "{} is the enemy's", unit);
                let in_reserve = state.marked(unit, Marks::RESERVE) && state.hex(unit).is_some();
                ensure!("5.7b.a", in_reserve, "{} is not in Reserve Mode", unit);
                Ok(())
            }
            Action::End => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        let Action::Release { unit } = action else {
            sequence::proceed(rules, state, play);
            return;
        };
        state.units.change(unit, |unit| {
            unit.marks.clear(Marks::RESERVE);
            unit.marks.set(Marks::RELEASED);
        });
        play.tell(Event::Released { unit });
    }

    /// Nobody is asked who has no Reserves.
    fn go_on(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        let asks = rules.reserves(state, self.side).next().is_some();
        if !asks {
            sequence::proceed(rules, state, play);
        }
        asks
    }

    fn is_sound(&self, _: &Ocs, _: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost()
            && around.above.is_empty()
            && matches!(self.phase, Phase::Reaction | Phase::Exploitation)
    }

    fn phase(&self, _: &Ocs, _: &State) -> Option<display::Phase> {
        Some(phase(self.side, self.phase))
    }
}

impl Ocs {
    /// The units of a side in Reserve.
    fn reserves<'a>(&'a self, state: &'a State, side: Side) -> impl Iterator<Item = UnitId> + 'a {
        self.roster.iter().filter(move |unit| {
            state.marked(*unit, Marks::RESERVE) && self.side(*unit) == side && state.hex(*unit).is_some()
        })
    }

    /// Whether a unit may act in a phase: in Reaction those released in it, in Exploitation those and the marked ones (8.1a.a,
    /// 10.0.a).
    pub(crate) fn check_acts(&self, state: &State, unit: UnitId, phase: Phase) -> Result<(), Violation> {
        match phase {
            Phase::Reaction => {
                ensure!("8.1a.a", state.marked(unit, Marks::RELEASED), "{} was not released", unit);
            }
            Phase::Exploitation => {
                let acts = state.marked(unit, Marks::RELEASED | Marks::EXPLOIT);
                ensure!("10.0.a", acts, "{} was not released and is not marked for exploitation", unit);
            }
            _ => {}
        }
        Ok(())
    }
}
