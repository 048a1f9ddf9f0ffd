//! 5.2: Schlachtenglück, a second roll after any die of one's own.

use engine::frame::Around;
use engine::{Case, Frame, Play, Remark, Side, case, phrases, remark};

use crate::charts::CombatResult;
use crate::initiative::Points;
use crate::reaction::Reacting;
use crate::{Action, Bug, Event, Procedure, State};

phrases! {
    /// The holder of the marker may roll again.
    pub struct Luck { side: Side, roll: u8 } = "luck", "5.2a", "{side} may roll again";
}

impl Frame<Bug> for Luck {
    fn asked(&self, rules: &Bug, state: &State) -> (Side, Remark) {
        let roll = self.roll;
        let waiting = state.stack.iter().rev().nth(1);
        let prompt = match waiting {
            Some(Procedure::Reacting(Reacting { hq })) => {
                let most = rules.hq_values(*hq).reaction;
                remark!(
                    "5.2a",
                    "you rolled {} for the reaction of {}, which takes {} or less: keep it, or roll again",
                    roll,
                    *hq,
                    most
                )
            }
            Some(Procedure::Points(Points { hq, reaction })) => {
                remark!(
                    "5.2a",
                    "you rolled {}, which gives {} {} AP: keep it, or roll again",
                    roll,
                    *hq,
                    rules.points_for(state, *hq, roll, *reaction)
                )
            }
            Some(Procedure::Checks(_)) => {
                remark!("5.2a", "you rolled {} for an effectiveness check: keep it, or roll again", roll)
            }
            Some(Procedure::Die(_)) => {
                remark!("5.2a", "you rolled {} for the combat: keep it, or roll again", roll)
            }
            _ => remark!("5.2a", "you rolled {}: keep it, or roll again", roll),
        };
        (self.side, prompt)
    }

    fn answers(&self, _: &Bug, _: &State, answers: &mut Vec<Action>) {
        answers.extend([Action::Keep, Action::Reroll]);
    }

    fn apply(&self, rules: &Bug, state: &mut State, action: Action, play: &mut Play<Event>) {
        state.stack.pop();
        let roll = if action == Action::Reroll { rules.reroll(state, self.side, play) } else { self.roll };
        rules.settle(state, roll, play);
    }

    fn is_sound(&self, _: &Bug, state: &State, around: Around<'_, Procedure>) -> bool {
        let waiting = matches!(
            around.below.last(),
            Some(
                Procedure::Interdiction(_)
                    | Procedure::Attrition(_)
                    | Procedure::Points(_)
                    | Procedure::Reacting(_)
                    | Procedure::Checks(_)
                    | Procedure::Die(_)
            )
        );
        around.above.is_empty() && self.side == state.luck && (1..=10).contains(&self.roll) && waiting
    }
}

/// All that matters of a roll.
#[derive(PartialEq)]
enum Reading {
    Result(CombatResult),
    Passed(bool),
    Number(u8),
}

impl Bug {
    /// Rolls a die for the procedure on top of the stack, which is settled at once unless the roller holds the marker
    /// and may want to roll again (5.2a). Every die is a d10 (5a).
    pub(crate) fn roll(
        &self,
        state: &mut State,
        side: Side,
        purpose: &'static str,
        case: Case,
        play: &mut Play<Event>,
    ) {
        let roll = play.roll_on(side, 10, purpose, case, |roll| self.read(state, roll as u8)) as u8;
        if state.luck != side {
            return self.settle(state, roll, play);
        }
        if let Some(Procedure::Die(_)) = state.stack.last() {
            play.tell(self.combat_result(state, roll).reads());
        }
        state.stack.push(Luck { side, roll });
    }

    /// What a roll comes to for the procedure on top of the stack.
    fn read(&self, state: &State, roll: u8) -> Reading {
        match state.stack.last() {
            Some(Procedure::Die(_)) => Reading::Result(self.combat_result(state, roll)),
            Some(Procedure::Checks(checks)) => Reading::Passed(checks.passes(self, state, roll)),
            _ => Reading::Number(roll),
        }
    }

    /// The marker goes to the enemy (5.2b) and the second roll stands (R7).
    pub(crate) fn reroll(&self, state: &mut State, side: Side, play: &mut Play<Event>) -> u8 {
        state.luck = side.enemy();
        play.tell(Event::LuckPassed { to: side.enemy() });
        play.roll_on(side, 10, "a second try", case("5.2a"), |roll| self.read(state, roll as u8)) as u8
    }

    /// Gives a roll to the procedure that waits for it.
    fn settle(&self, state: &mut State, roll: u8, play: &mut Play<Event>) {
        match state.stack.last().copied() {
            Some(Procedure::Interdiction(interdiction)) => interdiction.settle(self, state, roll, play),
            Some(Procedure::Attrition(attrition)) => attrition.settle(self, state, roll, play),
            Some(Procedure::Points(points)) => points.settle(self, state, roll, play),
            Some(Procedure::Reacting(reacting)) => reacting.settle(self, state, roll, play),
            Some(Procedure::Checks(checks)) => checks.settle(self, state, roll, play),
            Some(Procedure::Die(die)) => die.settle(self, state, roll, play),
            other => debug_assert!(false, "a roll for {other:?}"),
        }
    }
}
