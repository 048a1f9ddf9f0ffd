//! 8.3: German replacements and Soviet reorganization.

use engine::{Play, Side, UnitId, Violation, ensure, refuse};

use crate::{Action, Arm, Bug, Class, Event, Place, Position, Procedure, State};

/// Infantry and AFV points.
const INFANTRY: usize = 0;
const AFV: usize = 1;

impl Bug {
    pub(crate) fn begin_replacement(&self, state: &mut State, play: &mut Play<Event>) {
        state.points = self.charts.track.points(state.turn);
        let [infantry, afv] = state.points;
        play.tell(Event::PointsReceived { infantry, afv });
        state.stack.push(Procedure::Replacement);
    }

    /// Which points a unit takes, and how many for a Strength Point (8.3.1b, 8.3.1c, R27).
    fn price(&self, unit: UnitId) -> Option<(usize, u8)> {
        let counter = self.counter(unit);
        match counter.arm {
            Arm::Afv => Some((AFV, 1)),
            Arm::Support | Arm::Hq => None,
            arm if arm.is_engineers() || counter.class == Class::Motorized => Some((INFANTRY, 2)),
            _ => Some((INFANTRY, 1)),
        }
    }

    /// What both sorts of replacement ask of a unit: undisrupted, below its printed Strength, in command of an HQ that is
    /// in supply or in Emergency Supply (8.3b, 8.3e).
    fn check_receiver(&self, state: &State, position: &Position, unit: UnitId) -> Result<(), Violation> {
        ensure!("8.3f", state.unit(unit).place != Place::Dead, "{} has been eliminated", unit);
        ensure!("8.3b", state.hex(unit).is_some(), "{} is not on the map", unit);
        let full = state.unit(unit).strength >= self.counter(unit).strength;
        ensure!("8.3e", !full, "{} is at full Strength", unit);
        self.check_fed(state, position, unit)
    }

    /// Undisrupted, in command, and the HQ has supply.
    fn check_fed(&self, state: &State, position: &Position, unit: UnitId) -> Result<(), Violation> {
        ensure!("8.3b", !state.is_disrupted(unit), "{} is disrupted", unit);
        self.check_in_command(state, position, unit)?;
        let hq = self.hq_of(state, unit);
        let fed = self.can_feed(state, position, hq);
        ensure!("8.3b", fed, "{} is neither in supply nor in Emergency Supply", hq);
        Ok(())
    }

    pub(crate) fn check_replace(
        &self,
        state: &State,
        position: &Position,
        unit: UnitId,
    ) -> Result<(), Violation> {
        ensure!("8.3a", self.side(unit) == Side::Axis, "{} is not German", unit);
        let Some((sort, cost)) = self.price(unit) else {
            refuse!("8.3.1b", "{} is of a type that receives no replacements", unit)
        };
        self.check_receiver(state, position, unit)?;
        let left = state.points[sort];
        match sort {
            AFV => ensure!("8.3.1b", cost <= left, "no AFV points are left"),
            _ if cost > 1 => {
                ensure!("8.3.1c", cost <= left, "{} takes {} Infantry points, {} are left", unit, cost, left);
            }
            _ => ensure!("8.3.1b", cost <= left, "no Infantry points are left"),
        }
        Ok(())
    }

    pub(crate) fn replacement_answers(&self, state: &State, answers: &mut Vec<Action>) {
        if state.points != [0, 0] {
            let position = Position::new(self, state);
            for (unit, _) in self.on_map(state, Side::Axis) {
                if self.check_replace(state, &position, unit).is_ok() {
                    answers.push(Action::Replace { unit });
                }
            }
        }
        answers.push(Action::End);
    }

    pub(crate) fn replace(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        if let Some((sort, cost)) = self.price(unit) {
            state.points[sort] -= cost;
        }
        self.strengthen(state, unit, play);
    }

    fn strengthen(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        state.unit_mut(unit).strength += 1;
        let strength = state.unit(unit).strength;
        play.tell_only(self.side(unit), Event::Strengthened { unit, strength }, None);
    }

    /// Unspent points are lost (8.3d).
    pub(crate) fn end_replacement(&self, state: &mut State, play: &mut Play<Event>) {
        let [infantry, afv] = std::mem::take(&mut state.points);
        if infantry + afv > 0 {
            play.tell(Event::PointsLost { infantry, afv });
        }
        state.stack.pop();
        state.stack.push(Procedure::Reorganization);
    }

    // 8.3.2: Soviet reorganization.

    pub(crate) fn check_cannibalize(
        &self,
        state: &State,
        position: &Position,
        unit: UnitId,
    ) -> Result<(), Violation> {
        ensure!("8.3.2a", self.side(unit) == Side::Soviet, "{} is not Soviet", unit);
        ensure!("8.3.2a", state.hex(unit).is_some(), "{} is not on the map", unit);
        let arm = self.counter(unit).arm;
        ensure!("8.3.2f", arm != Arm::Hq && arm != Arm::Support, "{} can never be cannibalized", unit);
        ensure!("8.3.2a", arm != Arm::Afv, "{} is not of infantry type", unit);
        self.check_fed(state, position, unit)
    }

    pub(crate) fn reorganization_answers(&self, state: &State, answers: &mut Vec<Action>) {
        let position = Position::new(self, state);
        for (unit, _) in self.on_map(state, Side::Soviet) {
            if self.check_cannibalize(state, &position, unit).is_ok() {
                answers.push(Action::Cannibalize { unit });
            }
        }
        answers.push(Action::End);
    }

    /// The unit disappears for good, without harm to the Improved Defense of its hex (7.7g, R67).
    pub(crate) fn cannibalize(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let points = state.unit(unit).strength;
        let hex = self.take_off(state, unit, Place::Merged);
        if let Some(hex) = hex.filter(|hex| self.combat_units(state, *hex).is_empty()) {
            self.end_improvement(state, hex, play);
        }
        state.unit_mut(unit).strength = 0;
        let told = Event::Cannibalized { unit, points };
        play.tell_only(Side::Soviet, told, Some(Event::CannibalizedUnseen { unit }));
        state.stack.push(Procedure::Reorganizing { donor: unit, points });
    }

    /// Which types a cannibalized unit can strengthen (8.3.2c, 8.3.2d, 8.3.2e, R28).
    fn feeds(donor: &crate::Counter, receiver: &crate::Counter) -> bool {
        let motorized = |counter: &crate::Counter| counter.class == Class::Motorized;
        match (donor.arm, receiver.arm) {
            (
                Arm::Infantry | Arm::MachineGun | Arm::Engineers | Arm::BorderGuard | Arm::AntiTank,
                Arm::Infantry,
            ) => !motorized(receiver),
            (Arm::Motorized | Arm::MotorizedEngineers, Arm::Motorized) => true,
            (Arm::MachineGun, Arm::MachineGun)
            | (Arm::Engineers, Arm::Engineers)
            | (Arm::MotorizedEngineers, Arm::MotorizedEngineers) => true,
            _ => false,
        }
    }

    pub(crate) fn check_reinforce(
        &self,
        state: &State,
        position: &Position,
        donor: UnitId,
        unit: UnitId,
    ) -> Result<(), Violation> {
        ensure!("8.3.2b", self.side(unit) == Side::Soviet, "{} is not Soviet", unit);
        let arm = self.counter(unit).arm;
        ensure!("8.3.2f", arm != Arm::Hq && arm != Arm::Support, "{} can never be reinforced", unit);
        let fits = Self::feeds(self.counter(donor), self.counter(unit));
        ensure!("8.3.2b", fits, "points of {} cannot go to {}", donor, unit);
        self.check_receiver(state, position, unit)?;
        let hq = self.hq_of(state, donor);
        ensure!(
            "8.3.2g",
            self.is_near(state, position, unit, hq),
            "{} is not within Command Range of {}, the HQ of the unit broken up",
            unit,
            hq
        );
        Ok(())
    }

    pub(crate) fn reorganizing_answers(&self, state: &State, donor: UnitId, answers: &mut Vec<Action>) {
        let position = Position::new(self, state);
        for (unit, _) in self.on_map(state, Side::Soviet) {
            if self.check_reinforce(state, &position, donor, unit).is_ok() {
                answers.push(Action::Reinforce { unit });
            }
        }
        answers.push(Action::End);
    }

    pub(crate) fn reinforce(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        self.strengthen(state, unit, play);
        if let Some(Procedure::Reorganizing { points, .. }) = state.stack.last_mut() {
            *points -= 1;
        }
    }

    /// What is not spent at once is lost (8.3.2b).
    pub(crate) fn end_reorganizing(&self, state: &mut State, points: u8, play: &mut Play<Event>) {
        state.stack.pop();
        if points > 0 {
            play.tell_only(Side::Soviet, Event::RemainderLost { points }, None);
        }
    }
}
