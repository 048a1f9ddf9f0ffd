//! 7.5.3: Battle Victory and its bonus Action Point.

use std::cmp::Ordering;

use board::Hex;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, Violation, phrases, remark};

use crate::actions::{Desk, Mandate};
use crate::{Action, Battle, Bug, Ending, Event, Place, Procedure, State, Units};

phrases! {
    /// The winner of a battle may act.
    pub struct Bonus {
        side: Side,
        /// Those who fought.
        units: Units,
        attacker: bool,
        /// The hex that the enemy has left (7.5.3g).
        ahead: Option<Hex>,
        /// The hex that the winner himself has left (7.5.3h).
        back: Option<Hex>,
    } = "bonus", "7.5.3b", "{side} has won the battle";
}

impl Frame<Bug> for Bonus {
    fn asked(&self, _: &Bug, _: &State) -> (Side, Remark) {
        (self.side, remark!("7.5.3d", "use the bonus Action Point at once, or let it go"))
    }

    fn answers(&self, rules: &Bug, state: &State, answers: &mut Vec<Action>) {
        Desk::new(rules, state, self.mandate(rules, state)).answers(answers);
        answers.push(Action::Forgo);
    }

    fn check(&self, rules: &Bug, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Forgo => Ok(()),
            _ => Desk::new(rules, state, self.mandate(rules, state)).check(action),
        }
    }

    fn apply(&self, rules: &Bug, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Forgo => {
                state.stack.pop();
            }
            _ => rules.act(state, action, play),
        }
    }

    /// A point that nothing can be done with is lost.
    fn go_on(&self, rules: &Bug, state: &mut State, _: &mut Play<Event>) -> bool {
        let mut answers = Vec::new();
        Desk::new(rules, state, self.mandate(rules, state)).answers(&mut answers);
        if answers.is_empty() {
            state.stack.pop();
        }
        !answers.is_empty()
    }

    fn is_sound(&self, rules: &Bug, _: &State, around: Around<'_, Procedure>) -> bool {
        !around.is_outermost()
            && self.units.iter().all(|unit| rules.side(unit) == self.side && !rules.is_hq(unit))
    }
}

impl Bonus {
    /// A winning attacker of the active formation adds the points that he has left on his track (7.5.3e). In a reaction of
    /// the enemy that is the track of the activation that was interrupted (R89).
    pub(crate) fn mandate(&self, rules: &Bug, state: &State) -> Mandate {
        let Bonus { side, units, attacker, ahead, back } = *self;
        let (more, boats) = rules.activation_of(state, side).map_or((0, 0), |activation| {
            let formation = rules.formation_of(activation.hq);
            let active = units.iter().all(|unit| Some(state.unit(unit).formation) == formation);
            (if attacker && active { activation.ap } else { 0 }, activation.boats)
        });
        Mandate { side, formation: None, only: Some(units), ap: 1 + more, boats, ahead, back }
    }
}

impl Battle {
    /// The side with fewer hits wins, unless all its units are gone (7.5.3a). Stacking is looked at, then the winner may
    /// act (7.5.3b).
    pub(crate) fn decide(&self, rules: &Bug, state: &mut State, play: &mut Play<Event>) {
        let side = self.attacker(rules);
        let winner = match self.attacker_hits.cmp(&self.defender_hits) {
            Ordering::Less => Some(side),
            Ordering::Greater => Some(side.enemy()),
            Ordering::Equal => None,
        };
        self.end(rules, state);
        if let Some(winner) = winner {
            let attacker = winner == side;
            let (own, other) = if attacker { (self.from, self.target) } else { (self.target, self.from) };
            let units = self.camp(rules, winner).units;
            let units = units.filter(|unit| state.unit(unit).place != Place::Dead);
            if !units.is_empty() {
                play.tell(Event::BattleWon { side: winner });
                let holder = |hex| rules.combat_units(state, hex).first().map(|unit| rules.side(unit));
                let free = |hex: &Hex| holder(*hex) != Some(winner.enemy());
                // Into the hex that the enemy has left (7.5.3g), or back into one's own (7.5.3h, R64).
                let (ahead, back) = (Some(other).filter(free), Some(own).filter(free));
                state.stack.push(Bonus { side: winner, units, attacker, ahead, back });
            }
        }
        state.stack.push(Ending {});
    }
}
