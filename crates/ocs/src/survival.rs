//! 21.0f, optional: a division that has regiments out survives the loss of its last step.

use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, phrases, remark};

use crate::{Action, Arm, Event, Marks, Ocs, Place, Procedure, State};

phrases! {
    /// The owner says which regiment the division goes on as (21.0f, R109).
    pub struct Survival { unit: UnitId } = "survival", "21.0f", "{unit} survives";
}

impl Frame<Ocs> for Survival {
    fn asked(&self, rules: &Ocs, _: &State) -> (Side, Remark) {
        (rules.side(self.unit), remark!("21.0f", "say which regiment becomes {} again", self.unit))
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        let regiments = rules.regiments_out(state, rules.side(self.unit));
        answers.extend(regiments.map(|unit| Action::Survive { unit }));
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        if let Action::Survive { unit } = action {
            rules.survive(state, self.unit, unit, play);
        }
    }

    /// With one regiment there is nothing to choose, and without any the division is gone.
    fn go_on(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        let side = rules.side(self.unit);
        let mut regiments = rules.regiments_out(state, side);
        match (regiments.next(), regiments.next()) {
            (Some(_), Some(_)) => return true,
            (Some(only), None) => {
                drop(regiments);
                rules.survive(state, self.unit, only, play);
            }
            _ => {
                drop(regiments);
                state.stack.pop();
            }
        }
        false
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        let now = &state.units[self.unit];
        around.below.len() == 1
            && around.above.is_empty()
            && now.place == Place::Dead
            && now.out > 0
            && rules.regiments_out(state, rules.side(self.unit)).count() > 1
    }
}

/// Begins when nothing but a phase or segment is under way (R109). True when a division has to be seen to.
pub(crate) fn begin(_: &Ocs, state: &mut State) -> bool {
    let Some(unit) = state.survivors.first().filter(|_| state.stack.len() == 1) else { return false };
    state.survivors.remove(unit);
    state.stack.push(Survival { unit });
    true
}

impl Ocs {
    fn regiments_out<'a>(&'a self, state: &'a State, side: Side) -> impl Iterator<Item = UnitId> + 'a {
        self.roster.iter().filter(move |unit| {
            self.side(*unit) == side
                && self.counter(*unit).arm == Arm::BreakDown
                && state.hex(*unit).is_some()
        })
    }

    /// A division is about to be gone that may come back in the place of a regiment.
    pub(crate) fn note_survivor(&self, state: &mut State, unit: UnitId) {
        if self.switches.division_survival && state.units[unit].out > 0 {
            state.survivors.insert(unit);
        }
    }

    /// The division stands where the regiment stood, with one step.
    fn survive(&self, state: &mut State, unit: UnitId, regiment: UnitId, play: &mut Play<Event>) {
        state.stack.pop();
        let now = state.units[regiment];
        state.units.change(regiment, |regiment| {
            regiment.place = Place::Pool;
            regiment.marks = Marks::default();
        });
        state.units.change(unit, |unit| {
            unit.place = now.place;
            unit.steps = 1;
            unit.out -= 1;
            unit.marks = now.marks;
        });
        play.tell(Event::Survived { unit, regiment });
    }
}
