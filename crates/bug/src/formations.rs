//! 5.5, 8.2: formations, independent units, assignment.

use engine::display::Phase;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, ensure, phrases, refuse, remark};

use crate::charts::{HqValues, Tether, TransferLine};
use crate::sequence::{assignment, not_asked};
use crate::{Action, Bug, Command, Division, Event, Place, Presence, Procedure, State, UNASSIGNED};

/// What a counter that is no HQ would have; never asked for in play.
const NO_HQ: HqValues = HqValues {
    division: Division::Infantry,
    command_range: 0,
    reaction: 0,
    relocation: 1,
    max_level: 0,
    start_level: 0,
    recovery: 0,
    tether: None::<Tether>,
};

phrases! {
    /// Units are assigned and reassigned.
    pub struct Assignment { side: Side } = "assignment", "8.2a", "{side} assignment segment";
}

impl Frame<Bug> for Assignment {
    fn asked(&self, _: &Bug, _: &State) -> (Side, Remark) {
        (self.side, remark!("8.2a", "assign units, or end the segment"))
    }

    fn answers(&self, rules: &Bug, state: &State, answers: &mut Vec<Action>) {
        let presence = rules.presence(state);
        let may = |unit: UnitId| {
            let due = rules.counter(unit).independent && rules.is_due(state, unit);
            rules.side(unit) == self.side && !rules.is_hq(unit) && (state.hex(unit).is_some() || due)
        };
        for unit in rules.roster.iter().filter(|unit| may(*unit)) {
            // Most units are bound to their formation: those are passed over without asking why.
            let free =
                rules.counter(unit).independent || rules.command(state, &presence, unit) == Command::Isolated;
            let bound = |hq: UnitId| {
                let Some(formation) = rules.formation_of(hq) else { return true };
                let own = rules.own_formation(unit) == formation;
                state.unit(unit).formation == formation
                    || !(free || own || rules.transfer(unit, formation).is_some())
            };
            let hqs = rules.hqs_of_side(self.side).filter(|hq| !bound(*hq));
            let open = hqs.filter(|hq| rules.check_assign(state, &presence, self.side, unit, *hq).is_ok());
            answers.extend(open.map(|hq| Action::Assign { unit, hq }));
        }
        rules.top_answers(state, self.side, answers);
        if rules.check_end_assignment(state, self.side).is_ok() {
            answers.push(Action::End);
        }
    }

    fn check(&self, rules: &Bug, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Assign { unit, hq } => {
                rules.check_assign(state, &rules.presence(state), self.side, unit, hq)
            }
            Action::Top { unit } => rules.check_top(state, self.side, unit),
            Action::End => rules.check_end_assignment(state, self.side),
            _ => Err(not_asked(state, action)),
        }
    }

    fn apply(&self, rules: &Bug, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Assign { unit, hq } => rules.assign(state, unit, hq, play),
            Action::Top { unit } => rules.arrange(state, unit, play),
            _ => rules.next_segment(state, play),
        }
    }

    fn is_sound(&self, _: &Bug, _: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost()
    }

    fn phase(&self, _: &Bug, _: &State) -> Option<Phase> {
        Some(assignment(self.side))
    }
}

impl Bug {
    /// What is printed on an HQ.
    pub(crate) fn hq_values(&self, hq: UnitId) -> &HqValues {
        self.counter(hq).hq.as_ref().unwrap_or(&NO_HQ)
    }

    /// The place of a formation in the list, by its HQ.
    pub(crate) fn formation_of(&self, hq: UnitId) -> Option<u8> {
        self.hqs.iter().position(|other| *other == hq).map(|place| place as u8)
    }

    /// The formation that is printed on a counter.
    pub(crate) fn own_formation(&self, unit: UnitId) -> u8 {
        self.homes[unit.index()]
    }

    /// The HQs that are a unit's parents: of the formation that it is with, of the one that it is assigned to, and of the one
    /// that is printed on its counter, unless it is independent (R4).
    pub(crate) fn parents(&self, state: &State, unit: UnitId) -> impl Iterator<Item = UnitId> {
        let (now, printed) = (state.unit(unit), self.own_formation(unit));
        let own = if self.counter(unit).independent { now.regular } else { printed };
        [now.formation, now.regular, own]
            .into_iter()
            .filter_map(|place| self.hqs.get(usize::from(place)).copied())
    }

    /// The line that lets a unit go to a formation, if there is one.
    fn transfer(&self, unit: UnitId, formation: u8) -> Option<&TransferLine> {
        self.transfers.iter().find(|line| line.to >> formation & 1 == 1 && line.units.contains(unit))
    }

    /// How many units of a line are with another formation now (R23).
    fn transferred(&self, state: &State, line: &TransferLine) -> usize {
        let away = |unit| state.hex(unit).is_some() && state.unit(unit).regular != self.own_formation(unit);
        line.units.filter(away).len()
    }

    /// Attached units that can trace a path to their own HQ go back (5.5.1l); then a side may assign its units.
    pub(crate) fn begin_assignment(&self, state: &mut State, side: Side, play: &mut Play<Event>) {
        let presence = self.presence(state);
        let attached: Vec<UnitId> = self
            .roster
            .iter()
            .filter(|unit| self.side(*unit) == side && state.unit(*unit).is_attached())
            .collect();
        for unit in attached {
            let regular = state.unit(unit).regular;
            let Some(&hq) = self.hqs.get(usize::from(regular)) else { continue };
            let home =
                state.hex(unit).map(|hex| self.command_from(state, &presence, hq, hex) != Command::Isolated);
            if home == Some(true) {
                state.change(unit, |unit| unit.formation = regular);
                play.tell_only(side, Event::Returned { unit, hq }, None);
            }
        }
        self.forget_arranging(state);
        state.stack.push(Assignment { side });
    }

    /// Whether a unit may be assigned to a formation (5.5, 8.2).
    fn check_assign(
        &self,
        state: &State,
        presence: &Presence,
        side: Side,
        unit: UnitId,
        hq: UnitId,
    ) -> Result<(), Violation> {
        ensure!("8.2f", self.side(unit) == side && self.side(hq) == side, "this is the {} segment", side);
        let Some(formation) = self.formation_of(hq) else { refuse!("5.5.1a", "{} is not an HQ", hq) };
        ensure!("5.5.1a", !self.is_hq(unit), "{} is an HQ", unit);
        let counter = self.counter(unit);
        let now = state.unit(unit);
        ensure!("8.2d", now.formation != formation, "{} belongs to {} already", unit, hq);
        if now.place == Place::Track {
            ensure!(
                "8.2e",
                counter.independent && self.is_due(state, unit),
                "{} is not on the map, and no independent unit due this turn",
                unit
            );
            ensure!("5.5.2b", counter.corps == self.counter(hq).corps, "{} is not of the same Corps", hq);
            let there = state.hex(hq).is_some() || self.is_due(state, hq);
            ensure!("8.2e", there, "{} is neither on the map nor due this turn", hq);
            return Ok(());
        }
        let Some(hex) = state.hex(unit) else { refuse!("8.2a", "{} is not on the map", unit) };
        let current = self.hq_of(state, unit);
        let isolated = self.command_from(state, presence, current, hex) == Command::Isolated;
        if isolated {
            // Any isolated unit may be attached for a while (5.5.1k, R22), an independent one within its Corps (5.5.2b).
            let of_corps = !counter.independent || counter.corps == self.counter(hq).corps;
            ensure!("5.5.2b", of_corps, "{} is not of the same Corps", hq);
            ensure!(
                "5.5.1k",
                self.is_near(state, presence, unit, hq),
                "{} is not within Command Range of {}",
                unit,
                hq
            );
            return Ok(());
        }
        let own = self.own_formation(unit) == formation;
        if counter.independent {
            ensure!("5.5.2b", counter.corps == self.counter(hq).corps, "{} is not of the same Corps", hq);
        } else if !own {
            let Some(transfer) = self.transfer(unit, formation) else {
                refuse!("5.5.1j", "{} may not be reassigned to {}", unit, hq)
            };
            let away = now.regular != self.own_formation(unit);
            let others = self.transferred(state, transfer) - usize::from(away);
            ensure!(
                "5.5.1j",
                others < usize::from(transfer.most),
                "{} units of its formation have been reassigned already",
                transfer.most
            );
        }
        let fit = |near: UnitId| self.is_near(state, presence, unit, near);
        if counter.independent {
            ensure!("5.5.2d", !state.is_disrupted(unit), "{} is disrupted", unit);
            for near in [current, hq] {
                ensure!("5.5.2d", fit(near), "{} is not within Command Range of {}", unit, near);
            }
        } else {
            ensure!("5.5.1m", !state.is_disrupted(unit), "{} is disrupted", unit);
            for near in [current, hq] {
                ensure!("5.5.1m", fit(near), "{} is not within Command Range of {}", unit, near);
            }
        }
        Ok(())
    }

    /// Independent units that are due must be assigned before they enter (8.2e).
    fn check_end_assignment(&self, state: &State, side: Side) -> Result<(), Violation> {
        // A unit that no formation can take is delayed (8.4.1d).
        let taken = |unit: UnitId| {
            self.hqs_of_side(side).any(|hq| {
                self.counter(hq).corps == self.counter(unit).corps
                    && (state.hex(hq).is_some() || self.is_due(state, hq))
            })
        };
        let loose = |unit: &UnitId| {
            self.side(*unit) == side
                && state.unit(*unit).formation == UNASSIGNED
                && self.is_due(state, *unit)
                && taken(*unit)
        };
        match self.roster.iter().find(loose) {
            Some(unit) => refuse!("8.2e", "{} is due and must be assigned to a formation", unit),
            None => Ok(()),
        }
    }

    fn assign(&self, state: &mut State, unit: UnitId, hq: UnitId, play: &mut Play<Event>) {
        let Some(formation) = self.formation_of(hq) else { return };
        let presence = self.presence(state);
        let isolated = state.hex(unit).is_some() && self.command(state, &presence, unit) == Command::Isolated;
        state.change(unit, |entry| {
            entry.formation = formation;
            if !isolated {
                entry.regular = formation;
            }
        });
        // Assignments may be recorded in secret (8.2b).
        play.tell_only(self.side(unit), Event::Assigned { unit, hq }, None);
    }
}

impl crate::Unit {
    /// With another formation for a while, because it was isolated (5.5.1k).
    pub(crate) fn is_attached(&self) -> bool {
        self.formation != self.regular
    }
}
