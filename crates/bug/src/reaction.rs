//! 6.4: Formation Reaction, an interrupt in the middle of the other side's move.

use engine::{Force, Play, Side, UnitId, Violation, case, ensure, refuse};

use crate::{Action, Bug, Event, Position, Procedure, State};

impl Bug {
    /// Whether the other side is asked: it is whenever the mover is next to one of its combat units and it has any
    /// formation that could react, so that the question tells nothing that the mover may not see (5.3.4a).
    pub(crate) fn opens_window(&self, state: &State, position: &Position, units: Force, barred: u16) -> bool {
        let Some(at) = units.first().and_then(|unit| state.hex(unit)) else { return false };
        let side = units.first().map_or(Side::Axis, |unit| self.side(unit));
        let near = self.map.neighbours(at).any(|(_, hex)| position.combat[side.enemy()].contains(hex));
        near && self
            .hqs_of_side(side.enemy())
            .any(|hq| self.is_ready(state, hq) && !self.is_barred(hq, barred))
    }

    /// Its HQ was displaced by this move (7.3.6b).
    fn is_barred(&self, hq: UnitId, barred: u16) -> bool {
        self.formation_of(hq).is_some_and(|place| barred >> place & 1 == 1)
    }

    /// The units that move, and the formations whose HQs their move has displaced.
    fn mover(state: &State) -> Option<(Force, u16)> {
        state.stack.iter().rev().find_map(|procedure| match procedure {
            Procedure::Moving { units, barred, .. } => Some((*units, *barred)),
            _ => None,
        })
    }

    pub(crate) fn check_react(
        &self,
        state: &State,
        position: &Position,
        hq: UnitId,
    ) -> Result<(), Violation> {
        let Some((units, barred)) = Self::mover(state) else { refuse!("6.4.1f", "nobody moves") };
        let side = units.first().map_or(Side::Axis, |unit| self.side(unit));
        ensure!("6.4.1c", self.is_hq(hq), "{} is no HQ", hq);
        ensure!("6.4.1c", self.side(hq) == side.enemy(), "{} belongs to the side that moves", hq);
        ensure!("6.3.2c", self.is_ready(state, hq), "{} is at Activation Level 0 or not on the map", hq);
        ensure!("7.3.6b", !self.is_barred(hq, barred), "{} was displaced by this move", hq);
        let Some(at) = units.first().and_then(|unit| state.hex(unit)) else {
            refuse!("6.4.1f", "nobody moves")
        };
        let formation = self.formation_of(hq);
        let near = self.map.neighbours(at).flat_map(|(_, hex)| self.combat_units(state, hex).iter());
        let near = near.filter(|unit| {
            self.side(*unit) == side.enemy() && Some(state.unit(*unit).formation) == formation
        });
        let near: Vec<UnitId> = near.collect();
        ensure!("6.4.1c", !near.is_empty(), "no unit of {} is adjacent to the moving units", hq);
        let fresh = near.iter().any(|unit| !state.is_disrupted(*unit));
        ensure!("5.6.3d", fresh, "all units of {} next to the moving units are disrupted", hq);
        let led =
            near.iter().any(|unit| !state.is_disrupted(*unit) && self.is_in_command(state, position, *unit));
        ensure!("5.8.3e", led, "no undisrupted unit of {} next to the moving units is in command", hq);
        Ok(())
    }

    pub(crate) fn reaction_answers(&self, state: &State, side: Side, answers: &mut Vec<Action>) {
        let position = Position::new(self, state);
        for hq in self.hqs_of_side(side) {
            if self.check_react(state, &position, hq).is_ok() {
                answers.push(Action::React { hq });
            }
        }
        answers.push(Action::Decline);
    }

    /// One attempt in a Movement Action, whatever comes of it (6.4.1d).
    pub(crate) fn react(&self, state: &mut State, hq: UnitId, play: &mut Play<Event>) {
        state.stack.pop();
        if let Some(Procedure::Moving { open, .. }) = state.stack.last_mut() {
            *open = false;
        }
        play.tell(Event::Tries { hq });
        state.stack.push(Procedure::Reacting { hq });
        self.roll(state, self.side(hq), "reaction check", case("6.4.2a"), play);
    }

    pub(crate) fn settle_reaction(&self, state: &mut State, hq: UnitId, roll: u8, play: &mut Play<Event>) {
        state.stack.pop();
        if self.surprised(state, self.side(hq), roll) > self.hq_values(hq).reaction {
            return play.tell(Event::NoReaction { hq }); // 6.4.4
        }
        play.tell(Event::Reacts { hq });
        // The move is over where it is (6.4.3a), and stacking is looked at before the reaction (6.4.3b).
        let moved = match state.stack.pop() {
            Some(Procedure::Moving { units, .. }) => units,
            _ => Force::EMPTY,
        };
        state.stack.push(Procedure::Points { hq, reaction: true });
        self.finish_move(state, moved, play);
    }
}
