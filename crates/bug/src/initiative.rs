//! 6.1 to 6.3: initiative, and the activation of formations. 10.2: the surprise attack.

use engine::display::Phase;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, refuse, remark};

use crate::charts::INITIATIVE_TRACK;
use crate::sequence::{OPS, SURPRISE, not_asked};
use crate::{Action, Activation, Bug, Division, Event, InitiativeMarker, Marks, Procedure, State};

/// The most activations that a surprise attack has (10.2b).
const MOST_SURPRISES: u8 = 3;

phrases! {
    /// The surprise attack, with the activations left and the formations used.
    pub struct Surprise { left: u8, used: u16 } = "surprise", "10.2b", "the surprise attack";
}

impl Frame<Bug> for Surprise {
    fn asked(&self, _: &Bug, _: &State) -> (Side, Remark) {
        let prompt = remark!(
            "10.2b",
            "surprise attack: activate an Infantry Division ({} left), or end it",
            self.left
        );
        (Side::Axis, prompt)
    }

    fn answers(&self, rules: &Bug, state: &State, answers: &mut Vec<Action>) {
        answers.extend(self.ready(rules, state).map(|hq| Action::Activate { hq }));
        answers.push(Action::End);
    }

    fn check(&self, rules: &Bug, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Activate { hq } => self.check_activate(rules, state, hq),
            Action::End => Ok(()),
            _ => Err(not_asked(state, action)),
        }
    }

    fn apply(&self, rules: &Bug, state: &mut State, action: Action, play: &mut Play<Event>) {
        let Action::Activate { hq } = action else { return self.end(rules, state, play) };
        let place = rules.formation_of(hq).map_or(0, |place| 1 << place);
        state.stack.replace(Surprise { left: self.left - 1, used: self.used | place });
        rules.activate(state, hq, play);
    }

    fn go_on(&self, rules: &Bug, state: &mut State, play: &mut Play<Event>) -> bool {
        let more = self.left > 0 && self.ready(rules, state).next().is_some();
        if !more {
            self.end(rules, state, play);
        }
        more
    }

    fn is_sound(&self, _: &Bug, _: &State, around: Around<'_, Procedure>) -> bool {
        let most = self.left <= MOST_SURPRISES;
        around.is_outermost() && most && (!around.above.is_empty() || self.left > 0)
    }

    fn phase(&self, _: &Bug, _: &State) -> Option<Phase> {
        Some(SURPRISE)
    }
}

impl Surprise {
    fn ready<'a>(&self, rules: &'a Bug, state: &'a State) -> impl Iterator<Item = UnitId> + 'a {
        let surprise = *self;
        let german = rules.hqs_of_side(Side::Axis);
        german.filter(move |hq| surprise.check_activate(rules, state, *hq).is_ok())
    }

    /// Only Infantry Divisions, each once (10.2c).
    fn check_activate(&self, rules: &Bug, state: &State, hq: UnitId) -> Result<(), Violation> {
        rules.check_activate(state, Side::Axis, hq)?;
        let infantry = rules.hq_values(hq).division == Division::Infantry;
        ensure!("10.2c", infantry, "only Infantry Divisions take part in the surprise attack");
        let Some(place) = rules.formation_of(hq) else { refuse!("6.3a", "{} is not an HQ", hq) };
        ensure!("10.2c", self.used >> place & 1 == 0, "{} has been activated in the surprise attack", hq);
        Ok(())
    }

    /// The marker goes to +2 for the Soviet side (10.2d), and the Ops Phase begins.
    fn end(&self, rules: &Bug, state: &mut State, play: &mut Play<Event>) {
        play.tell(Event::SurpriseOver);
        state.initiative = InitiativeMarker { step: 0, side: Side::Axis };
        rules.move_marker(state, Side::Soviet, play);
        rules.next_segment(state, play);
    }
}

phrases! {
    /// A first Ops Phase without a surprise attack.
    pub struct Opening = "opening", "6a", "the first Ops Phase begins";
}

impl Frame<Bug> for Opening {
    fn asked(&self, _: &Bug, _: &State) -> (Side, Remark) {
        (Side::Axis, remark!("6a", "the first Ops Phase begins with initiative dice"))
    }

    fn answers(&self, _: &Bug, _: &State, answers: &mut Vec<Action>) {
        answers.push(Action::Begin);
    }

    fn apply(&self, rules: &Bug, state: &mut State, _: Action, play: &mut Play<Event>) {
        rules.next_segment(state, play);
    }

    fn is_sound(&self, _: &Bug, _: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost()
    }

    fn phase(&self, _: &Bug, _: &State) -> Option<Phase> {
        Some(OPS)
    }
}

phrases! {
    /// The Ops Phase.
    pub struct Ops = "ops", "6a", "the Ops Phase";
}

impl Frame<Bug> for Ops {
    /// Begins an Ops Cycle, or ends the turn (6b).
    fn go_on(&self, rules: &Bug, state: &mut State, play: &mut Play<Event>) -> bool {
        match Side::BOTH.map(|side| rules.can_act(state, side)) {
            [true, true] => {
                let [axis, soviet] =
                    Side::BOTH.map(|side| play.roll(side, 10, "initiative", case("6.1a")) as u8);
                state.stack.push(Initiative { axis, soviet, again: false });
            }
            [true, false] => state.stack.push(Choice { side: Side::Axis, received: false }),
            [false, true] => state.stack.push(Choice { side: Side::Soviet, received: false }),
            [false, false] => rules.end_turn(state, play),
        }
        false
    }

    fn is_sound(&self, _: &Bug, _: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost() && !around.above.is_empty()
    }

    fn phase(&self, _: &Bug, _: &State) -> Option<Phase> {
        Some(OPS)
    }
}

phrases! {
    /// Both initiative dice lie on the table.
    pub struct Initiative { axis: u8, soviet: u8, again: bool } = "initiative", "6.1a", "initiative";
}

impl Frame<Bug> for Initiative {
    fn asked(&self, _: &Bug, state: &State) -> (Side, Remark) {
        (state.luck, remark!("5.2a", "let your initiative die stand, or roll it again"))
    }

    fn answers(&self, _: &Bug, _: &State, answers: &mut Vec<Action>) {
        answers.extend([Action::Keep, Action::Reroll]);
    }

    /// The holder of the marker rolls his initiative die again; the new holder may then do the same (R7).
    fn apply(&self, rules: &Bug, state: &mut State, action: Action, play: &mut Play<Event>) {
        if action == Action::Keep {
            return self.settle(rules, state, play);
        }
        let holder = state.luck;
        let roll = rules.reroll(state, holder, play);
        let rolled = match holder {
            Side::Axis => Initiative { axis: roll, again: true, ..*self },
            Side::Soviet => Initiative { soviet: roll, again: true, ..*self },
        };
        if self.again {
            rolled.settle(rules, state, play); // both have rolled again
        } else {
            state.stack.replace(rolled);
        }
    }

    fn is_sound(&self, _: &Bug, _: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Ops>().is_some() && around.above.is_empty() && self.axis <= 10 && self.soviet <= 10
    }
}

impl Initiative {
    /// The higher result has the initiative, the German side on a tie (6.1d); then the marker moves.
    fn settle(&self, rules: &Bug, state: &mut State, play: &mut Play<Event>) {
        let bonus = |side: Side| {
            let value = INITIATIVE_TRACK[usize::from(state.initiative.step)];
            if state.initiative.side == side { value } else { 0 } // 6.1b
        };
        let axis = self.axis + bonus(Side::Axis) + state.interdiction; // 6.1c
        let soviet = self.soviet + bonus(Side::Soviet);
        let side = if soviet > axis { Side::Soviet } else { Side::Axis };
        play.tell(Event::InitiativeWon { side, axis, soviet });
        rules.move_marker(state, side.enemy(), play);
        state.stack.replace(Choice { side, received: false });
    }
}

phrases! {
    /// A side has the initiative.
    pub struct Choice { side: Side, received: bool } = "choice", "6.2a", "{side} has the initiative";
}

impl Frame<Bug> for Choice {
    fn asked(&self, rules: &Bug, state: &State) -> (Side, Remark) {
        let prompt = match (self.received, self.check_transfer(rules, state)) {
            (true, _) => remark!("6.2d", "activate a formation, or pass"),
            (false, Err(_)) => remark!("6.2h", "activate a formation, or pass"),
            (false, Ok(())) => remark!("6.2a", "activate a formation, transfer the initiative, or pass"),
        };
        (self.side, prompt)
    }

    fn answers(&self, rules: &Bug, state: &State, answers: &mut Vec<Action>) {
        let ready = rules.hqs_of_side(self.side).filter(|hq| rules.is_ready(state, *hq));
        answers.extend(ready.map(|hq| Action::Activate { hq }));
        if self.check_transfer(rules, state).is_ok() {
            answers.push(Action::Transfer);
        }
        answers.push(Action::Pass);
    }

    fn check(&self, rules: &Bug, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Activate { hq } => rules.check_activate(state, self.side, hq),
            Action::Transfer => self.check_transfer(rules, state),
            Action::Pass => Ok(()),
            _ => Err(not_asked(state, action)),
        }
    }

    fn apply(&self, rules: &Bug, state: &mut State, action: Action, play: &mut Play<Event>) {
        let side = self.side;
        state.stack.pop();
        match action {
            Action::Activate { hq } => rules.activate(state, hq, play),
            Action::Transfer => {
                play.tell(Event::Transferred { to: side.enemy() });
                state.stack.push(Choice { side: side.enemy(), received: true });
            }
            _ => {
                state.passed[side] = true;
                play.tell(Event::Passed { side });
            }
        }
    }

    fn is_sound(&self, _: &Bug, _: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Ops>().is_some() && around.above.is_empty()
    }
}

impl Choice {
    fn check_transfer(&self, rules: &Bug, state: &State) -> Result<(), Violation> {
        let enemy = self.side.enemy();
        ensure!("6.2d", !self.received, "the initiative was received and cannot be given back");
        ensure!("6.2c", !state.passed[enemy], "the {} side has passed", enemy);
        ensure!("6.2j", rules.can_act(state, enemy), "the {} side has no formation to activate", enemy);
        Ok(())
    }
}

phrases! {
    /// The die for the Action Points of a formation.
    pub struct Points { hq: UnitId, reaction: bool } = "points", "6.3.1a", "Action Points of {hq}";
}

impl Frame<Bug> for Points {
    fn go_on(&self, rules: &Bug, state: &mut State, play: &mut Play<Event>) -> bool {
        rules.roll(state, rules.side(self.hq), "action points", case("6.3.1a"), play);
        false
    }

    fn is_sound(&self, rules: &Bug, _: &State, around: Around<'_, Procedure>) -> bool {
        rules.is_hq(self.hq) && !around.is_outermost()
    }
}

impl Points {
    /// The table gives the points, then the level falls (6.3c).
    pub(crate) fn settle(&self, rules: &Bug, state: &mut State, roll: u8, play: &mut Play<Event>) {
        let Points { hq, reaction } = *self;
        let ap = rules.points_for(state, hq, roll, reaction);
        let level = state.unit(hq).level.saturating_sub(1);
        state.change(hq, |hq| hq.level = level);
        play.tell(Event::PointsFound { hq, ap, level });
        rules.forget_arranging(state);
        if rules.side(hq) == Side::Axis {
            state.units.change_all(|unit| unit.marks.clear(Marks::BOATED));
        }
        state.stack.replace(Activation { hq, ap, boats: 0, reaction });
    }
}

impl Bug {
    /// A side that has not passed and has a formation to activate; one that has none counts as having passed (6.2j).
    fn can_act(&self, state: &State, side: Side) -> bool {
        !state.passed[side] && self.hqs_of_side(side).any(|hq| self.is_ready(state, hq))
    }

    /// On the map, with a level above 0 (6.3.2c).
    pub(crate) fn is_ready(&self, state: &State, hq: UnitId) -> bool {
        state.hex(hq).is_some() && state.unit(hq).level > 0
    }

    /// The marker goes to the side without the initiative: one box up if it shows that side already (6.1e), else on the
    /// first space (6.1f).
    fn move_marker(&self, state: &mut State, loser: Side, play: &mut Play<Event>) {
        let InitiativeMarker { step, side } = state.initiative;
        let last = INITIATIVE_TRACK.len() as u8 - 1;
        let step = if side == loser && step > 0 { (step + 1).min(last) } else { 1 };
        state.initiative = InitiativeMarker { step, side: loser };
        play.tell(Event::MarkerMoved { side: loser, value: INITIATIVE_TRACK[usize::from(step)] });
    }

    fn check_activate(&self, state: &State, side: Side, hq: UnitId) -> Result<(), Violation> {
        ensure!("6.3a", self.is_hq(hq), "{} is not an HQ", hq);
        ensure!("6.3a", self.side(hq) == side, "{} belongs to the enemy", hq);
        ensure!("6.2j", state.hex(hq).is_some(), "{} is not on the map", hq);
        ensure!("6.3.2c", state.unit(hq).level > 0, "{} is at Activation Level 0", hq);
        Ok(())
    }

    /// A formation is activated: the die for its points comes first (6.3c).
    fn activate(&self, state: &mut State, hq: UnitId, play: &mut Play<Event>) {
        play.tell(Event::Activated { hq });
        state.stack.push(Points { hq, reaction: false });
    }

    /// The Action Points of a formation for a die, red in a reaction (6.3.1a).
    pub(crate) fn points_for(&self, state: &State, hq: UnitId, roll: u8, reaction: bool) -> u8 {
        let table = &self.charts.action_points;
        let column = usize::from(state.unit(hq).level.saturating_sub(1)).min(table.width() - 1);
        let (black, red) = table.result(column, i32::from(roll));
        if reaction { red } else { black }
    }
}
