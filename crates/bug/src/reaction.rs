//! 6.4: Formation Reaction, an interrupt in the middle of the other side's move.

use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, case, ensure, phrases, refuse, remark};

use crate::sequence::not_asked;
use crate::{Action, Bug, Event, Moving, Points, Presence, Procedure, State, Units};

phrases! {
    /// The other side may try to react.
    pub struct Window { leaving: bool } = "window", "6.4.1a", "a reaction is possible";
}

impl Frame<Bug> for Window {
    fn asked(&self, rules: &Bug, state: &State) -> (Side, Remark) {
        let moving = state.stack.find::<Moving>().and_then(|moving| moving.units.first());
        let prompt = match (self.leaving, moving.and_then(|unit| state.hex(unit))) {
            (true, Some(hex)) => {
                remark!("6.4.1b", "an enemy in {} is about to move away from you: react, or let it go", hex)
            }
            (true, None) => remark!("6.4.1b", "an enemy is about to move away from you: react, or let it go"),
            (false, Some(hex)) => {
                remark!("6.4.1a", "an enemy has moved next to you, to {}: react, or let it go on", hex)
            }
            (false, None) => remark!("6.4.1a", "an enemy has moved next to you: react, or let it go on"),
        };
        (self.side(rules, state), prompt)
    }

    fn answers(&self, rules: &Bug, state: &State, answers: &mut Vec<Action>) {
        let presence = rules.presence(state);
        let able = rules.hqs_of_side(self.side(rules, state));
        let able = able.filter(|hq| rules.check_react(state, &presence, *hq).is_ok());
        answers.extend(able.map(|hq| Action::React { hq }));
        answers.push(Action::Decline);
    }

    fn check(&self, rules: &Bug, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::React { hq } => rules.check_react(state, &rules.presence(state), hq),
            Action::Decline => Ok(()),
            _ => Err(not_asked(state, action)),
        }
    }

    /// One attempt in a Movement Action, whatever comes of it (6.4.1d).
    fn apply(&self, rules: &Bug, state: &mut State, action: Action, play: &mut Play<Event>) {
        state.stack.pop();
        let Action::React { hq } = action else { return };
        if let Some(moving) = state.stack.top_mut::<Moving>() {
            moving.open = false;
        }
        play.tell(Event::Tries { hq });
        state.stack.push(Reacting { hq });
        rules.roll(state, rules.side(hq), "reaction check", case("6.4.2a"), play);
    }

    fn is_sound(&self, _: &Bug, _: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Moving>().is_some() && around.above.is_empty()
    }
}

impl Window {
    /// The side that does not move.
    fn side(&self, rules: &Bug, state: &State) -> Side {
        let moving = state.stack.find::<Moving>();
        moving.map_or(Side::Axis, |moving| rules.side_of_all(moving.units)).enemy()
    }
}

phrases! {
    /// The die for a reaction.
    pub struct Reacting { hq: UnitId } = "reacting", "6.4.2a", "{hq} tries to react";
}

impl Frame<Bug> for Reacting {
    fn is_sound(&self, rules: &Bug, _: &State, around: Around<'_, Procedure>) -> bool {
        rules.is_hq(self.hq) && around.on::<Moving>().is_some()
    }
}

impl Reacting {
    pub(crate) fn settle(&self, rules: &Bug, state: &mut State, roll: u8, play: &mut Play<Event>) {
        let hq = self.hq;
        state.stack.pop();
        if rules.surprised(state, rules.side(hq), roll) > rules.hq_values(hq).reaction {
            return play.tell(Event::NoReaction { hq }); // 6.4.4
        }
        play.tell(Event::Reacts { hq });
        // The move is over where it is (6.4.3a), and stacking is looked at before the reaction (6.4.3b).
        let moved = state.stack.pop_if::<Moving>().map_or(Units::EMPTY, |moving| moving.units);
        state.stack.push(Points { hq, reaction: true });
        rules.finish_move(state, moved, play);
    }
}

impl Bug {
    /// Whether the other side is asked: it is whenever the mover is next to one of its combat units and it has any
    /// formation that could react, so that the question tells nothing that the mover may not see (5.3.4a).
    pub(crate) fn opens_window(&self, state: &State, presence: &Presence, units: Units, barred: u16) -> bool {
        let Some(at) = units.first().and_then(|unit| state.hex(unit)) else { return false };
        let side = self.side_of_all(units);
        let near = self.map.neighbours(at).any(|(_, hex)| presence.combat[side.enemy()].contains(hex));
        near && self
            .hqs_of_side(side.enemy())
            .any(|hq| self.is_ready(state, hq) && !self.is_barred(hq, barred))
    }

    /// Its HQ was displaced by this move (7.3.6b).
    fn is_barred(&self, hq: UnitId, barred: u16) -> bool {
        self.formation_of(hq).is_some_and(|place| barred >> place & 1 == 1)
    }

    fn check_react(&self, state: &State, presence: &Presence, hq: UnitId) -> Result<(), Violation> {
        let Some(&Moving { units, barred, .. }) = state.stack.find::<Moving>() else {
            refuse!("6.4.1f", "nobody moves")
        };
        let side = self.side_of_all(units);
        ensure!("6.4.1c", self.is_hq(hq), "{} is not an HQ", hq);
        ensure!("6.4.1c", self.side(hq) == side.enemy(), "{} belongs to the side that moves", hq);
        ensure!("6.3.2c", self.is_ready(state, hq), "{} is at Activation Level 0 or not on the map", hq);
        ensure!("7.3.6b", !self.is_barred(hq, barred), "{} was displaced by this move", hq);
        let Some(at) = units.first().and_then(|unit| state.hex(unit)) else {
            refuse!("6.4.1f", "nobody moves")
        };
        let formation = self.formation_of(hq);
        let near = self.map.neighbours(at).flat_map(|(_, hex)| self.combat_units(state, hex).iter());
        let near = near.filter(|unit| Some(state.unit(*unit).formation) == formation);
        let near: Vec<UnitId> = near.collect();
        ensure!("6.4.1c", !near.is_empty(), "no unit of {} is adjacent to the moving units", hq);
        let fresh = near.iter().any(|unit| !state.is_disrupted(*unit));
        ensure!("5.6.3d", fresh, "all units of {} next to the moving units are disrupted", hq);
        let led =
            near.iter().any(|unit| !state.is_disrupted(*unit) && self.is_in_command(state, presence, *unit));
        ensure!("5.8.3e", led, "no undisrupted unit of {} next to the moving units is in command", hq);
        Ok(())
    }
}
