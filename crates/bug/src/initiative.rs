//! 6.1 to 6.3: initiative, and the activation of formations. 10.2: the surprise attack.

use engine::{Play, Side, UnitId, Violation, case, ensure, refuse};

use crate::charts::INITIATIVE_TRACK;
use crate::{Action, Bug, Division, Event, Initiative, Marks, Procedure, State};

impl Bug {
    /// A side that has not passed and has a formation to activate; one that has none counts as having passed (6.2j).
    pub(crate) fn can_act(&self, state: &State, side: Side) -> bool {
        !state.passed[side] && self.hqs_of_side(side).any(|hq| self.is_ready(state, hq))
    }

    /// On the map, with a level above 0 (6.3.2c).
    pub(crate) fn is_ready(&self, state: &State, hq: UnitId) -> bool {
        state.hex(hq).is_some() && state.unit(hq).level > 0
    }

    /// Begins an Ops Cycle, or ends the turn (6b).
    pub(crate) fn go_on_ops(&self, state: &mut State, play: &mut Play<Event>) {
        match Side::BOTH.map(|side| self.can_act(state, side)) {
            [true, true] => {
                let roll =
                    |side, play: &mut Play<Event>| play.roll(side, 10, "initiative", case("6.1a")) as u8;
                let (axis, soviet) = (roll(Side::Axis, play), roll(Side::Soviet, play));
                state.stack.push(Procedure::Initiative { axis, soviet, again: false });
            }
            [true, false] => state.stack.push(Procedure::Choice { side: Side::Axis, received: false }),
            [false, true] => state.stack.push(Procedure::Choice { side: Side::Soviet, received: false }),
            [false, false] => self.end_turn(state, play),
        }
    }

    /// The holder of the marker rolls his initiative die again; the new holder may then do the same (R7).
    pub(crate) fn reroll_initiative(&self, state: &mut State, play: &mut Play<Event>) {
        let holder = state.luck;
        let roll = self.reroll(state, holder, play);
        let mut over = false;
        if let Some(Procedure::Initiative { axis, soviet, again }) = state.stack.last_mut() {
            match holder {
                Side::Axis => *axis = roll,
                Side::Soviet => *soviet = roll,
            }
            over = *again; // both have rolled again
            *again = true;
        }
        if over {
            self.settle_initiative(state, play);
        }
    }

    /// The higher result has the initiative, the German side on a tie (6.1d); then the marker moves.
    pub(crate) fn settle_initiative(&self, state: &mut State, play: &mut Play<Event>) {
        let Some(Procedure::Initiative { axis, soviet, .. }) = state.stack.pop() else { return };
        let bonus = |side: Side| {
            let value = INITIATIVE_TRACK[usize::from(state.initiative.step)];
            if state.initiative.side == side { value } else { 0 } // 6.1b
        };
        let axis = axis + bonus(Side::Axis) + state.interdiction; // 6.1c
        let soviet = soviet + bonus(Side::Soviet);
        let side = if soviet > axis { Side::Soviet } else { Side::Axis };
        play.tell(Event::InitiativeWon { side, axis, soviet });
        self.move_marker(state, side.enemy(), play);
        state.stack.push(Procedure::Choice { side, received: false });
    }

    /// The marker goes to the side without the initiative: one box up if it shows that side already (6.1e), else on the
    /// first space (6.1f).
    pub(crate) fn move_marker(&self, state: &mut State, loser: Side, play: &mut Play<Event>) {
        let Initiative { step, side } = state.initiative;
        let last = INITIATIVE_TRACK.len() as u8 - 1;
        let step = if side == loser && step > 0 { (step + 1).min(last) } else { 1 };
        state.initiative = Initiative { step, side: loser };
        play.tell(Event::MarkerMoved { side: loser, value: INITIATIVE_TRACK[usize::from(step)] });
    }

    pub(crate) fn choice_answers(
        &self,
        state: &State,
        side: Side,
        received: bool,
        answers: &mut Vec<Action>,
    ) {
        let ready = self.hqs_of_side(side).filter(|hq| self.is_ready(state, *hq));
        answers.extend(ready.map(|hq| Action::Activate { hq }));
        if self.check_transfer(state, side, received).is_ok() {
            answers.push(Action::Transfer);
        }
        answers.push(Action::Pass);
    }

    pub(crate) fn check_transfer(&self, state: &State, side: Side, received: bool) -> Result<(), Violation> {
        ensure!("6.2d", !received, "the initiative was received and cannot be given back");
        ensure!("6.2c", !state.passed[side.enemy()], "{} has passed", side.enemy());
        ensure!("6.2j", self.can_act(state, side.enemy()), "{} has no formation to activate", side.enemy());
        Ok(())
    }

    pub(crate) fn check_activate(&self, state: &State, side: Side, hq: UnitId) -> Result<(), Violation> {
        ensure!("6.3a", self.is_hq(hq), "{} is no HQ", hq);
        ensure!("6.3a", self.side(hq) == side, "{} belongs to the enemy", hq);
        ensure!("6.2j", state.hex(hq).is_some(), "{} is not on the map", hq);
        ensure!("6.3.2c", state.unit(hq).level > 0, "{} is at Activation Level 0", hq);
        Ok(())
    }

    /// Only Infantry Divisions, each once (10.2c).
    pub(crate) fn check_surprise(&self, state: &State, used: u16, hq: UnitId) -> Result<(), Violation> {
        self.check_activate(state, Side::Axis, hq)?;
        let infantry = self.hq_values(hq).division == Division::Infantry;
        ensure!("10.2c", infantry, "only Infantry Divisions take part in the surprise attack");
        let Some(place) = self.formation_of(hq) else { refuse!("6.3a", "{} is no HQ", hq) };
        ensure!("10.2c", used >> place & 1 == 0, "{} has been activated in the surprise attack", hq);
        Ok(())
    }

    pub(crate) fn surprise_answers(&self, state: &State, used: u16, answers: &mut Vec<Action>) {
        for hq in self.hqs_of_side(Side::Axis) {
            if self.check_surprise(state, used, hq).is_ok() {
                answers.push(Action::Activate { hq });
            }
        }
        answers.push(Action::End);
    }

    /// Goes on with the surprise attack; true when the German player may choose (10.2b).
    pub(crate) fn go_on_surprise(
        &self,
        state: &mut State,
        left: u8,
        used: u16,
        play: &mut Play<Event>,
    ) -> bool {
        let more =
            left > 0 && self.hqs_of_side(Side::Axis).any(|hq| self.check_surprise(state, used, hq).is_ok());
        if !more {
            self.end_surprise(state, play);
        }
        more
    }

    /// The marker goes to +2 for the Soviet side (10.2d), and the Ops Phase begins.
    pub(crate) fn end_surprise(&self, state: &mut State, play: &mut Play<Event>) {
        state.stack.pop();
        play.tell(Event::SurpriseOver);
        state.initiative = Initiative { step: 0, side: Side::Axis };
        self.move_marker(state, Side::Soviet, play);
        state.stack.push(Procedure::Ops);
    }

    /// A formation is activated, or reacts: the die for its points comes first, then the level falls (6.3c).
    pub(crate) fn activate(&self, state: &mut State, hq: UnitId, play: &mut Play<Event>) {
        play.tell(Event::Activated { hq });
        if let Some(Procedure::Surprise { left, used }) = state.stack.last_mut() {
            *left -= 1;
            *used |= self.formation_of(hq).map_or(0, |place| 1 << place);
        }
        state.stack.push(Procedure::Points { hq, reaction: false });
        self.roll(state, self.side(hq), "action points", case("6.3.1a"), play);
    }

    pub(crate) fn settle_points(
        &self,
        state: &mut State,
        hq: UnitId,
        reaction: bool,
        roll: u8,
        play: &mut Play<Event>,
    ) {
        state.stack.pop();
        let table = &self.charts.action_points;
        let column = usize::from(state.unit(hq).level.saturating_sub(1)).min(table.width() - 1);
        let (black, red) = table.result(column, i32::from(roll));
        let ap = if reaction { red } else { black };
        let unit = state.unit_mut(hq);
        unit.level = unit.level.saturating_sub(1);
        let level = unit.level;
        play.tell(Event::PointsFound { hq, ap, level });
        self.forget_arranging(state);
        if self.side(hq) == Side::Axis {
            state.units.iter_mut().for_each(|unit| unit.marks.clear(Marks::BOATED));
        }
        state.stack.push(Procedure::Activation { hq, ap, boats: 0, reaction });
    }
}
