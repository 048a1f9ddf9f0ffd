//! 16.0: untried units.

use engine::{Play, UnitId, case};

use crate::charts::UntriedRow;
use crate::{Bite, Event, Marks, State, Turnout, Units};

impl Bite {
    /// The row of the table that an untried unit is rolled on.
    pub(crate) fn untried_row(&self, unit: UnitId) -> Option<&UntriedRow> {
        let counter = self.counter(unit);
        let fits = |row: &&UntriedRow| {
            row.side == counter.side && (row.arms.is_empty() || row.arms.contains(&counter.arm))
        };
        self.charts.untried.iter().find(fits)
    }

    /// Rolls for every untried unit among these (16.0c, 16.0d).
    pub(crate) fn reveal(&self, state: &mut State, units: Units, play: &mut Play<Event>) {
        for unit in units.iter().filter(|unit| state.marked(*unit, Marks::UNTRIED)).collect::<Vec<_>>() {
            let Some(row) = self.untried_row(unit) else { continue };
            let turnout = |die: u32| row.turnouts[(die as usize).clamp(1, 6) - 1];
            let die = play.roll_on(self.side(unit), 6, "untried unit", case("16.0c"), turnout);
            let turnout = turnout(die);
            let steps = if turnout == Turnout::Two { self.counter(unit).steps() } else { 1 };
            state.units.change(unit, |unit| {
                unit.steps = steps;
                unit.marks.clear(Marks::UNTRIED);
                if turnout == Turnout::Zero {
                    unit.marks.set(Marks::ZERO);
                }
            });
            play.tell(Event::Revealed { unit, turnout });
        }
    }
}
