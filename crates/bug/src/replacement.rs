//! 8.3: German replacements and Soviet reorganization.

use engine::display::Phase;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, ensure, phrases, refuse, remark};

use crate::sequence::{REORGANIZATION, REPLACEMENT, not_asked};
use crate::{Action, Arm, Bug, Class, Event, Place, Presence, Procedure, State};

/// Infantry and AFV points.
const INFANTRY: usize = 0;
const AFV: usize = 1;

phrases! {
    /// The German side spends replacement points.
    pub struct Replacement = "replacement", "8.3a", "German replacements";
}

impl Frame<Bug> for Replacement {
    fn asked(&self, _: &Bug, state: &State) -> (Side, Remark) {
        let [infantry, afv] = state.points;
        let prompt = remark!(
            "8.3d",
            "spend replacement points ({} infantry, {} AFV), or end the segment",
            infantry,
            afv
        );
        (Side::Axis, prompt)
    }

    fn answers(&self, rules: &Bug, state: &State, answers: &mut Vec<Action>) {
        if state.points != [0, 0] {
            let presence = rules.presence(state);
            let german = rules.on_map(state, Side::Axis).map(|(unit, _)| unit);
            let able = german.filter(|unit| rules.check_replace(state, &presence, *unit).is_ok());
            answers.extend(able.map(|unit| Action::Replace { unit }));
        }
        answers.push(Action::End);
    }

    fn check(&self, rules: &Bug, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Replace { unit } => rules.check_replace(state, &rules.presence(state), unit),
            Action::End => Ok(()),
            _ => Err(not_asked(state, action)),
        }
    }

    /// Unspent points are lost (8.3d).
    fn apply(&self, rules: &Bug, state: &mut State, action: Action, play: &mut Play<Event>) {
        if let Action::Replace { unit } = action {
            if let Some((sort, cost)) = rules.price(state, unit) {
                state.points[sort] -= cost;
            }
            return rules.strengthen(state, unit, play);
        }
        let [infantry, afv] = std::mem::take(&mut state.points);
        if infantry + afv > 0 {
            play.tell(Event::PointsLost { infantry, afv });
        }
        rules.next_segment(state, play);
    }

    fn is_sound(&self, _: &Bug, _: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost()
    }

    fn phase(&self, _: &Bug, _: &State) -> Option<Phase> {
        Some(REPLACEMENT)
    }
}

phrases! {
    /// The Soviet side breaks up units.
    pub struct Reorganization = "reorganization", "8.3.2a", "Soviet reorganization";
}

impl Frame<Bug> for Reorganization {
    fn asked(&self, _: &Bug, _: &State) -> (Side, Remark) {
        (Side::Soviet, remark!("8.3.2a", "cannibalize units, or end the segment"))
    }

    fn answers(&self, rules: &Bug, state: &State, answers: &mut Vec<Action>) {
        let presence = rules.presence(state);
        let soviet = rules.on_map(state, Side::Soviet).map(|(unit, _)| unit);
        let able = soviet.filter(|unit| rules.check_cannibalize(state, &presence, *unit).is_ok());
        answers.extend(able.map(|unit| Action::Cannibalize { unit }));
        answers.push(Action::End);
    }

    fn check(&self, rules: &Bug, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Cannibalize { unit } => rules.check_cannibalize(state, &rules.presence(state), unit),
            Action::End => Ok(()),
            _ => Err(not_asked(state, action)),
        }
    }

    /// The unit disappears for good, without harm to the Improved Defense of its hex (7.7g, R67).
    fn apply(&self, rules: &Bug, state: &mut State, action: Action, play: &mut Play<Event>) {
        let Action::Cannibalize { unit } = action else { return rules.next_segment(state, play) };
        let points = state.unit(unit).strength;
        let hex = rules.take_off(state, unit, Place::Merged);
        if let Some(hex) = hex.filter(|hex| rules.combat_units(state, *hex).is_empty()) {
            rules.end_improvement(state, hex, play);
        }
        state.change(unit, |unit| unit.strength = 0);
        // Current strengths are secret (5.3.4b).
        play.tell_of(Side::Soviet, false, Event::Cannibalized { unit, points: points.into() });
        state.stack.push(Reorganizing { donor: unit, points });
    }

    fn is_sound(&self, _: &Bug, _: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost()
    }

    fn phase(&self, _: &Bug, _: &State) -> Option<Phase> {
        Some(REORGANIZATION)
    }
}

phrases! {
    /// The points of a unit that was broken up are spent.
    pub struct Reorganizing { donor: UnitId, points: u8 } = "reorganizing", "8.3.2b", "{points} points of {donor}";
}

impl Frame<Bug> for Reorganizing {
    fn asked(&self, _: &Bug, _: &State) -> (Side, Remark) {
        (Side::Soviet, remark!("8.3.2b", "spend the points that are left ({}), or lose them", self.points))
    }

    fn answers(&self, rules: &Bug, state: &State, answers: &mut Vec<Action>) {
        let presence = rules.presence(state);
        let soviet = rules.on_map(state, Side::Soviet).map(|(unit, _)| unit);
        let able = soviet.filter(|unit| rules.check_reinforce(state, &presence, self.donor, *unit).is_ok());
        answers.extend(able.map(|unit| Action::Reinforce { unit }));
        answers.push(Action::End);
    }

    fn check(&self, rules: &Bug, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Reinforce { unit } => {
                rules.check_reinforce(state, &rules.presence(state), self.donor, unit)
            }
            Action::End => Ok(()),
            _ => Err(not_asked(state, action)),
        }
    }

    /// What is not spent at once is lost (8.3.2b).
    fn apply(&self, rules: &Bug, state: &mut State, action: Action, play: &mut Play<Event>) {
        let Reorganizing { donor, points } = *self;
        if let Action::Reinforce { unit } = action {
            rules.strengthen(state, unit, play);
            return state.stack.replace(Reorganizing { donor, points: points - 1 });
        }
        state.stack.pop();
        if points > 0 {
            play.tell_only(Side::Soviet, Event::RemainderLost { points }, None);
        }
    }

    fn go_on(&self, _: &Bug, state: &mut State, _: &mut Play<Event>) -> bool {
        if self.points == 0 {
            state.stack.pop();
        }
        self.points > 0
    }

    fn is_sound(&self, rules: &Bug, _: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Reorganization>().is_some()
            && around.above.is_empty()
            && (1..=MOST_POINTS).contains(&self.points)
            && rules.side(self.donor) == Side::Soviet
    }
}

/// More points than any unit is worth.
const MOST_POINTS: u8 = 12;

impl Bug {
    pub(crate) fn begin_replacement(&self, state: &mut State, play: &mut Play<Event>) {
        state.points = self.charts.track.points(state.turn);
        let [infantry, afv] = state.points;
        play.tell(Event::PointsReceived { infantry, afv });
        state.stack.push(Replacement {});
    }

    /// Which points a unit takes, and how many for a Strength Point (8.3.1b, 8.3.1c, R27). AFV points are good for nothing
    /// else, so they come first.
    fn price(&self, state: &State, unit: UnitId) -> Option<(usize, u8)> {
        let counter = self.counter(unit);
        match counter.arm {
            Arm::Hq => None,
            Arm::Afv if state.points[AFV] > 0 => Some((AFV, 1)),
            Arm::Support if counter.class == Class::Leg => None,
            arm if arm.is_engineers() || counter.class == Class::Motorized => Some((INFANTRY, 2)),
            _ => Some((INFANTRY, 1)),
        }
    }

    /// What both sorts of replacement ask of a unit: undisrupted, below its printed Strength, in command of an HQ that is
    /// in supply or in Emergency Supply (8.3b, 8.3e).
    fn check_receiver(&self, state: &State, presence: &Presence, unit: UnitId) -> Result<(), Violation> {
        ensure!("8.3f", state.unit(unit).place != Place::Dead, "{} has been eliminated", unit);
        ensure!("8.3b", state.hex(unit).is_some(), "{} is not on the map", unit);
        let full = state.unit(unit).strength >= self.counter(unit).strength;
        ensure!("8.3e", !full, "{} is at full Strength", unit);
        self.check_fed(state, presence, unit)
    }

    /// Undisrupted, in command, and the HQ has supply.
    fn check_fed(&self, state: &State, presence: &Presence, unit: UnitId) -> Result<(), Violation> {
        ensure!("8.3b", !state.is_disrupted(unit), "{} is disrupted", unit);
        self.check_in_command(state, presence, unit)?;
        let hq = self.hq_of(state, unit);
        let fed = self.can_feed(state, presence, hq);
        ensure!("8.3b", fed, "{} is neither in supply nor in Emergency Supply", hq);
        Ok(())
    }

    fn check_replace(&self, state: &State, presence: &Presence, unit: UnitId) -> Result<(), Violation> {
        ensure!("8.3a", self.side(unit) == Side::Axis, "{} is not German", unit);
        let Some((sort, cost)) = self.price(state, unit) else {
            refuse!("8.3.1b", "{} is of a type that receives no replacements", unit)
        };
        self.check_receiver(state, presence, unit)?;
        let left = state.points[sort];
        match cost {
            1 => ensure!("8.3.1b", cost <= left, "no Infantry points are left"),
            _ => {
                ensure!(
                    "8.3.1c",
                    cost <= left,
                    "{} takes {} Infantry points, and you have {}",
                    unit,
                    cost,
                    left
                )
            }
        }
        Ok(())
    }

    fn strengthen(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        state.change(unit, |unit| unit.strength += 1);
        let strength = state.unit(unit).strength;
        play.tell_only(self.side(unit), Event::Strengthened { unit, strength }, None);
    }

    // 8.3.2: Soviet reorganization.

    fn check_cannibalize(&self, state: &State, presence: &Presence, unit: UnitId) -> Result<(), Violation> {
        ensure!("8.3.2a", self.side(unit) == Side::Soviet, "{} is not Soviet", unit);
        ensure!("8.3.2a", state.hex(unit).is_some(), "{} is not on the map", unit);
        let arm = self.counter(unit).arm;
        ensure!("8.3.2f", arm != Arm::Hq && arm != Arm::Support, "{} can never be cannibalized", unit);
        ensure!("8.3.2a", arm != Arm::Afv, "{} is not of infantry type", unit);
        self.check_fed(state, presence, unit)
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

    fn check_reinforce(
        &self,
        state: &State,
        presence: &Presence,
        donor: UnitId,
        unit: UnitId,
    ) -> Result<(), Violation> {
        ensure!("8.3.2b", self.side(unit) == Side::Soviet, "{} is not Soviet", unit);
        let arm = self.counter(unit).arm;
        ensure!("8.3.2f", arm != Arm::Hq && arm != Arm::Support, "{} can never be reinforced", unit);
        let fits = Self::feeds(self.counter(donor), self.counter(unit));
        ensure!("8.3.2b", fits, "points of {} cannot go to {}", donor, unit);
        self.check_receiver(state, presence, unit)?;
        let hq = self.hq_of(state, donor);
        ensure!(
            "8.3.2g",
            self.is_near(state, presence, unit, hq),
            "{} is not within Command Range of {}, the HQ of the unit broken up",
            unit,
            hq
        );
        Ok(())
    }
}
