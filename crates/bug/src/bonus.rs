//! 7.5.3: Battle Victory and its bonus Action Point.

use engine::{Play, Side};

use crate::actions::Desk;
use crate::{Battle, Bug, Event, Place, Procedure, State};

impl Bug {
    /// The side with fewer hits wins, unless all its units are gone (7.5.3a). Stacking is looked at, then the winner may
    /// act (7.5.3b).
    pub(crate) fn decide_battle(&self, state: &mut State, play: &mut Play<Event>) {
        let Some(
            battle @ Battle::Attack {
                from, target, attackers, defenders, attacker_hits, defender_hits, ..
            },
        ) = state.battle
        else {
            return;
        };
        let side = self.attacking_side(&battle);
        let winner = match attacker_hits.cmp(&defender_hits) {
            std::cmp::Ordering::Less => Some(side),
            std::cmp::Ordering::Greater => Some(side.enemy()),
            std::cmp::Ordering::Equal => None,
        };
        self.forget_battle(state);
        if let Some(winner) = winner {
            let attacker = winner == side;
            let (units, own, other) =
                if attacker { (attackers, from, target) } else { (defenders, target, from) };
            let units = units.filter(|unit| state.unit(unit).place != Place::Dead);
            if !units.is_empty() {
                play.tell(Event::BattleWon { side: winner });
                let free = |hex| !self.is_held(state, winner.enemy(), hex);
                // Into the hex that the enemy has left (7.5.3g), or back into one's own (7.5.3h, R64).
                let ahead = Some(other).filter(|hex| free(*hex));
                let back = Some(own).filter(|hex| free(*hex));
                state.stack.push(Procedure::Bonus { side: winner, units, attacker, ahead, back });
            }
        }
        state.stack.push(Procedure::Ending);
    }

    fn is_held(&self, state: &State, side: Side, hex: board::Hex) -> bool {
        self.combat_units(state, hex).first().is_some_and(|unit| self.side(unit) == side)
    }

    /// Whether the winner can do anything with his point; otherwise it is lost.
    pub(crate) fn go_on_bonus(&self, state: &mut State) -> bool {
        let useful = self.turn(state).is_some_and(|turn| {
            let mut answers = Vec::new();
            Desk::new(self, state, turn).answers(&mut answers);
            !answers.is_empty()
        });
        if !useful {
            state.stack.pop();
        }
        useful
    }
}
