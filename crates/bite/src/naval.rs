//! 19.0: naval forces: coastal transport. Ships that support a combat are among the shifts.

use board::Hex;
use engine::{Play, Side, UnitId, Violation, ensure, refuse};

use crate::{Action, Bite, Event, Marks, State};

impl Bite {
    /// A unit in a port may go to another port of its side in place of its move, as long as there are points (19.0a).
    pub(crate) fn check_ship(
        &self,
        state: &State,
        side: Side,
        unit: UnitId,
        to: Hex,
    ) -> Result<(), Violation> {
        let transport = self.settings.transport.as_ref().filter(|transport| transport.side == side);
        let Some(transport) = transport else { refuse!("19.0a", "this side has no coastal transport") };
        ensure!("19.0a", self.side(unit) == side, "{} is the enemy's", unit);
        let Some(from) = state.hex(unit) else { refuse!("19.0a", "{} is not on the map", unit) };
        let may_move = !state.marked(unit, Marks::MOVED) && self.counter(unit).allowance > 0;
        ensure!("19.0a", may_move, "{} has moved in this phase, or never moves", unit);
        ensure!(
            "19.0a",
            state.shipped < transport.points,
            "all {} points of this turn are spent",
            transport.points
        );
        let ports = transport.ports.contains(from) && transport.ports.contains(to) && from != to;
        ensure!("19.0a", ports, "{} and {} are not two ports", from, to);
        let position = self.known(state);
        ensure!(
            "19.0a",
            !position.zoc[side.enemy()].contains(from),
            "{} is in an enemy zone of control",
            unit
        );
        ensure!("10.1b", !position.held[side.enemy()].contains(to), "an enemy unit is in {}", to);
        Ok(())
    }

    pub(crate) fn ship_answers(&self, state: &State, side: Side, answers: &mut Vec<Action>) {
        let Some(transport) = self.settings.transport.as_ref() else { return };
        for unit in transport.ports.iter().flat_map(|hex| state.units.in_hex(hex)) {
            let open = transport.ports.iter().filter(|to| self.check_ship(state, side, unit, *to).is_ok());
            answers.extend(open.map(|to| Action::Ship { unit, to }));
        }
    }

    pub(crate) fn ship(&self, state: &mut State, unit: UnitId, to: Hex, play: &mut Play<Event>) {
        let from = state.hex(unit);
        state.shipped += 1;
        self.put(state, unit, to, play);
        state.units.change(unit, |unit| unit.left = board::Mp::ZERO);
        state.mark(unit, Marks::MOVED);
        play.tell(Event::Shipped { unit, to });
        if let Some(from) = from {
            self.lift_fort(state, from, play);
        }
    }
}
