//! 21: Break-Down Regiments.

use engine::{Play, Side, UnitId, Violation, ensure, refuse};

use crate::{Action, Arm, Event, Marks, Ocs, Off, Place, Size, State};

impl Ocs {
    pub(crate) fn break_down_answers(&self, state: &State, side: Side, answers: &mut Vec<Action>) {
        let own: Vec<UnitId> = self
            .roster
            .iter()
            .filter(|unit| self.side(*unit) == side && self.is_unit(*unit) && state.hex(*unit).is_some())
            .collect();
        for unit in &own {
            if self.check_break_down(state, side, *unit).is_ok() {
                answers.push(Action::BreakDown { unit: *unit });
            }
            let takers = own.iter().filter(|into| self.check_absorb(state, side, *unit, **into).is_ok());
            answers.extend(takers.map(|into| Action::Absorb { unit: *unit, into: *into }));
        }
    }

    /// A Break-Down Regiment of a side in the countermix (21.0a.b).
    fn free_regiment(&self, state: &State, side: Side) -> Option<UnitId> {
        self.roster.iter().find(|unit| {
            self.side(*unit) == side
                && self.counter(*unit).arm == Arm::BreakDown
                && state.units[*unit].place == Place::Pool
        })
    }

    /// A division turns any step but its last into a regiment, if its rating is 1 or more (21.0a.a, 21.0e.a).
    pub(crate) fn check_break_down(&self, state: &State, side: Side, unit: UnitId) -> Result<(), Violation> {
        let off = self.settings.is_off(Off::BreakDown);
        ensure!("21.0a.a", !off, "there are no Break-Down Regiments in this scenario");
        let counter = self.counter(unit);
        ensure!("21.0a.a", counter.side == side, "{} is the enemy's", unit);
        ensure!("21.0a.a", counter.size == Size::Division, "{} is no division", unit);
        ensure!("21.0a.a", state.hex(unit).is_some(), "{} is not on the map", unit);
        ensure!("21.0a.a", state.units[unit].steps > 1, "{} has only one step", unit);
        ensure!("21.0e.a", counter.rating >= 1, "the action rating of {} is 0", unit);
        ensure!("21.0a.b", self.free_regiment(state, side).is_some(), "there is no regiment left");
        Ok(())
    }

    /// The regiment appears in the division's hex, in its supply and on the same side of the counter (21.0c, R97).
    pub(crate) fn break_down(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let Some(regiment) = self.free_regiment(state, self.side(unit)) else { return };
        let parent = state.units[unit];
        state.units.change(unit, |unit| {
            unit.steps = unit.steps.saturating_sub(1);
            unit.out += 1;
        });
        state.units.change(regiment, |regiment| {
            regiment.place = parent.place;
            regiment.steps = 1;
            regiment.marks = parent.marks.only(Marks::MOVE | Marks::DG | Marks::LOW | Marks::UNSUPPLIED);
        });
        play.tell(Event::BrokenDown { unit, regiment });
    }

    /// Any division of its side in the hex that is short of a step takes it in (21.0b).
    pub(crate) fn check_absorb(
        &self,
        state: &State,
        side: Side,
        unit: UnitId,
        into: UnitId,
    ) -> Result<(), Violation> {
        let off = self.settings.is_off(Off::BreakDown);
        ensure!("21.0a.a", !off, "there are no Break-Down Regiments in this scenario");
        let own = self.side(unit) == side && self.side(into) == side;
        ensure!("21.0b", own, "they are not both of your side");
        ensure!("21.0b", self.counter(unit).arm == Arm::BreakDown, "{} is no Break-Down Regiment", unit);
        let Some(hex) = state.hex(unit) else { refuse!("21.0b", "{} is not on the map", unit) };
        ensure!("21.0c", state.hex(into) == Some(hex), "{} and {} are not in one hex", unit, into);
        let counter = self.counter(into);
        let short = counter.size == Size::Division && state.units[into].steps < counter.steps;
        ensure!("21.0b", short, "{} is no division that is short of a step", into);
        Ok(())
    }

    pub(crate) fn absorb(&self, state: &mut State, unit: UnitId, into: UnitId, play: &mut Play<Event>) {
        state.units.change(unit, |unit| {
            unit.place = Place::Pool;
            unit.marks = Marks::default();
        });
        state.units.change(into, |into| into.steps += 1);
        self.settle(state, into);
        play.tell(Event::Absorbed { unit, into });
    }

    /// A regiment was taken in: its division has one less out, or another that has (R109).
    fn settle(&self, state: &mut State, division: UnitId) {
        let side = self.side(division);
        let has_out = |unit: &UnitId| self.side(*unit) == side && state.units[*unit].out > 0;
        let debtor = Some(division).filter(has_out).or_else(|| self.roster.iter().find(has_out));
        if let Some(debtor) = debtor {
            state.units.change(debtor, |unit| unit.out -= 1);
        }
    }
}
