//! 13.0: air support, and the Air phase (6.0h).

use board::Hex;
use engine::display;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, ensure, phrases, refuse, remark};

use crate::sequence::{end_player_turn, not_asked, phase};
use crate::{Action, Bite, Event, HexSet, Phase, Place, Procedure, Size, State};

phrases! {
    /// An Air phase.
    pub struct Air { side: Side } = "air", "6.0h2", "{side} air phase";
}

impl Frame<Bite> for Air {
    fn asked(&self, _: &Bite, _: &State) -> (Side, Remark) {
        (self.side, remark!("6.0h2", "interdict hexes, or end the player turn"))
    }

    fn answers(&self, rules: &Bite, state: &State, answers: &mut Vec<Action>) {
        self.choices(rules, state, answers);
        answers.push(Action::End);
    }

    fn check(&self, rules: &Bite, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Interdict { hex } => {
                self.check_marker(rules, state)?;
                ensure!("13.0e", rules.ground.interdiction.contains(hex), "{} is not a clear hex", hex);
                ensure!("13.0e", !state.interdicted[self.side].contains(hex), "{} is interdicted", hex);
                Ok(())
            }
            Action::Escape { unit } => rules.check_escape(state, self.side, unit),
            Action::End => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Bite, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Interdict { hex } => {
                let hand = &mut state.air[self.side];
                hand.markers -= 1;
                hand.interdicting += 1;
                state.interdicted[self.side].insert(hex);
                play.tell(Event::Interdicted { side: self.side, hex });
            }
            Action::Escape { unit } => {
                let hex = state.hex(unit);
                state.units.change(unit, |unit| unit.place = Place::Escaped);
                play.tell(Event::Escaped { unit });
                if let Some(hex) = hex {
                    rules.lift_fort(state, hex, play);
                }
            }
            _ => end_player_turn(rules, state, self.side, play),
        }
    }

    /// Nobody is asked who has nothing to do.
    fn go_on(&self, rules: &Bite, state: &mut State, play: &mut Play<Event>) -> bool {
        let mut choices = Vec::new();
        self.choices(rules, state, &mut choices);
        if choices.is_empty() {
            end_player_turn(rules, state, self.side, play);
        }
        !choices.is_empty()
    }

    fn is_sound(&self, _: &Bite, _: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost() && around.above.is_empty()
    }

    fn phase(&self, _: &Bite, _: &State) -> Option<display::Phase> {
        Some(phase(self.side, Phase::Air))
    }
}

impl Air {
    /// First the enemy's interdiction comes off (6.0h1, R10).
    pub(crate) fn begin(_: &Bite, state: &mut State, side: Side, play: &mut Play<Event>) {
        let enemy = side.enemy();
        if !state.interdicted[enemy].is_empty() {
            state.interdicted[enemy] = HexSet::EMPTY;
            play.tell(Event::InterdictionLifted { side: enemy });
        }
        state.stack.push(Air { side });
    }

    fn choices(&self, rules: &Bite, state: &State, answers: &mut Vec<Action>) {
        if self.check_marker(rules, state).is_ok() {
            let open = rules.ground.interdiction - state.interdicted[self.side];
            answers.extend(open.iter().map(|hex| Action::Interdict { hex }));
        }
        if rules.settings.special.escape.is_some() {
            let own = rules.on_map(state, self.side).map(|(unit, _)| unit);
            let away = own.filter(|unit| rules.check_escape(state, self.side, *unit).is_ok());
            answers.extend(away.map(|unit| Action::Escape { unit }));
        }
    }

    /// A marker in hand, and the game lets it interdict (13.0d).
    fn check_marker(&self, rules: &Bite, state: &State) -> Result<(), Violation> {
        let (most, hand) = (rules.settings.air.interdiction[self.side], state.air[self.side]);
        ensure!("13.0d", hand.interdicting < most, "at most {} air markers interdict in a turn", most);
        ensure!("13.0c", hand.markers > 0, "no air marker is in hand");
        Ok(())
    }
}

impl Bite {
    /// A division in one of its hexes of escape, in no enemy zone of control (uma.25.0h).
    fn check_escape(&self, state: &State, side: Side, unit: UnitId) -> Result<(), Violation> {
        let Some((owner, hexes)) = self.settings.special.escape else {
            refuse!("uma.25.0h", "nobody escapes")
        };
        let own = owner == side && self.side(unit) == side && self.counter(unit).size == Size::Division;
        ensure!("uma.25.0h", own, "{} is not a division that may escape", unit);
        let Some(hex) = state.hex(unit) else { refuse!("uma.25.0h", "{} is not on the map", unit) };
        ensure!("uma.25.0h", hexes.contains(hex), "{} is not at the edge", unit);
        let ezoc: HexSet = self.known(state).zoc[side.enemy()];
        ensure!("uma.25.0h", !ezoc.contains(hex), "{} is in an enemy zone of control", hex);
        Ok(())
    }

    /// Blows up bridges when a combat unit enters the hex that they were prepared for (rad.22.3a).
    pub(crate) fn demolish(&self, state: &mut State, side: Side, hex: Hex, play: &mut Play<Event>) {
        let Some(demolition) = &self.settings.special.demolition else { return };
        if demolition.side == side && demolition.hex == hex && !state.demolished {
            state.demolished = true;
            play.tell(Event::Demolished { hex });
        }
    }
}
