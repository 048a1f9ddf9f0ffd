//! 18.0: fortresses and field forts; the works at the end of the Initial Movement phase.

use board::Hex;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, Violation, ensure, phrases, refuse, remark};

use crate::ground::fortress_in;
use crate::sequence::not_asked;
use crate::zoc::Position;
use crate::{Action, Bite, Event, Fort, MAX_FORTS, Marks, Movement, Overstacked, Procedure, State};

phrases! {
    /// At the end of the Initial Movement phase field forts are dug and rivers bridged.
    pub struct Works { side: Side } = "works", "18.0b2", "{side} digs in and builds bridges";
}

impl Frame<Bite> for Works {
    fn asked(&self, _: &Bite, _: &State) -> (Side, Remark) {
        (self.side, remark!("18.0b2", "place field forts, bridge rivers, or go on"))
    }

    fn answers(&self, rules: &Bite, state: &State, answers: &mut Vec<Action>) {
        self.choices(rules, state, answers);
        answers.push(Action::Halt);
    }

    fn check(&self, rules: &Bite, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Dig { hex, value } => {
                rules.check_dig(state, &rules.known(state), self.side, (hex, value))
            }
            Action::Bridge { unit, hex } => rules.check_bridge(state, self.side, unit, hex),
            Action::Halt => Ok(()),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Bite, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Dig { hex, value } => {
                if state.forts.try_push(Fort { hex, side: self.side, value }).is_ok() {
                    state.forts.sort_by_key(|fort| fort.hex);
                    play.tell(Event::Dug { hex, value });
                }
            }
            Action::Bridge { unit, hex } => rules.build_bridge(state, unit, hex, play),
            _ => self.end(state),
        }
    }

    /// Nobody is asked who has nothing to build.
    fn go_on(&self, rules: &Bite, state: &mut State, _: &mut Play<Event>) -> bool {
        let mut choices = Vec::new();
        self.choices(rules, state, &mut choices);
        if choices.is_empty() {
            self.end(state);
        }
        !choices.is_empty()
    }

    fn is_sound(&self, _: &Bite, _: &State, around: Around<'_, Procedure>) -> bool {
        around.on::<Movement>().is_some_and(|phase| phase.side == self.side && !phase.mechanized)
            && around.above.is_empty()
    }
}

impl Works {
    fn choices(&self, rules: &Bite, state: &State, answers: &mut Vec<Action>) {
        let position = rules.known(state);
        for value in 1..=2 {
            if rules.forts_left(state, self.side, value) == 0 {
                continue;
            }
            for hex in position.held[self.side].iter() {
                if rules.check_dig(state, &position, self.side, (hex, value)).is_ok() {
                    answers.push(Action::Dig { hex, value });
                }
            }
        }
        for unit in rules.bridging.iter().filter(|unit| rules.side(**unit) == self.side) {
            let Some(from) = state.hex(*unit) else { continue };
            for (_, hex) in rules.map.neighbours(from) {
                if rules.check_bridge(state, self.side, *unit, hex).is_ok() {
                    answers.push(Action::Bridge { unit: *unit, hex });
                }
            }
        }
    }

    fn end(&self, state: &mut State) {
        state.stack.replace(Overstacked {});
    }
}

impl Bite {
    /// The side that a fortress in a hex benefits, while it stands (18.0a5, 18.0a6).
    pub(crate) fn fortress(&self, state: &State, hex: Hex) -> Option<Side> {
        let (place, side) = fortress_in(&self.settings, hex)?;
        (state.ruined >> place & 1 == 0).then_some(side)
    }

    pub(crate) fn ruin_fortress(&self, state: &mut State, side: Side, hex: Hex, play: &mut Play<Event>) {
        if self.fortress(state, hex) == Some(side.enemy())
            && let Some((place, _)) = fortress_in(&self.settings, hex)
        {
            state.ruined |= 1 << place;
            play.tell(Event::FortressRuined { hex });
        }
    }

    pub(crate) fn fort_in(&self, state: &State, hex: Hex) -> Option<Fort> {
        state.forts.iter().find(|fort| fort.hex == hex).copied()
    }

    /// How many field forts of a value a side may still place in this player turn (18.0b3, 18.0b5).
    pub(crate) fn forts_left(&self, state: &State, side: Side, value: u8) -> u8 {
        let place = usize::from(value.clamp(1, 2)) - 1;
        let laid = state.forts.iter().filter(|fort| fort.side == side && fort.value == value).count() as u8;
        let lifted = state.lifted[side][place];
        self.settings.forts[side].mix[place].saturating_sub(laid + lifted)
    }

    fn check_dig(
        &self,
        state: &State,
        position: &Position,
        side: Side,
        (hex, value): (Hex, u8),
    ) -> Result<(), Violation> {
        ensure!("18.0b1", (1..=2).contains(&value), "field forts are of 1L or 2L");
        let from = self.settings.forts[side].from;
        ensure!("2.0d", state.turn >= from, "this side places field forts from turn {} on", from);
        let left = self.forts_left(state, side, value) > 0 && state.forts.len() < MAX_FORTS;
        ensure!("18.0b5", left, "no field fort of {}L is left", value);
        ensure!("18.0b2", self.fort_in(state, hex).is_none(), "there is a field fort in {}", hex);
        let terrain = self.ground.field_fort.contains(hex) && self.fortress(state, hex).is_none();
        ensure!("18.0b2", terrain, "no field fort can be dug in {}", hex);
        ensure!(
            "18.0b2",
            !position.zoc[side.enemy()].contains(hex),
            "{} is in an enemy zone of control",
            hex
        );
        let mut own = state.units.in_hex(hex).filter(|unit| self.side(*unit) == side);
        let digs = own.any(|unit| !state.marked(unit, Marks::MOVED));
        ensure!("18.0b2", digs, "no unit that has not moved is in {}", hex);
        Ok(())
    }

    /// Takes a field fort off when nobody of its owner is left in its hex (18.0b3); not in the middle of a combat (R59).
    pub(crate) fn lift_fort(&self, state: &mut State, hex: Hex, play: &mut Play<Event>) {
        let Some(fort) = self.fort_in(state, hex) else { return };
        let fighting = state.battle().is_some();
        if fighting || self.holder(state, hex) == Some(fort.side) {
            return;
        }
        state.forts.retain(|other| other.hex != hex);
        state.lifted[fort.side][usize::from(fort.value) - 1] += 1;
        play.tell(Event::FortLifted { hex });
    }

    /// The same for all of them, after a combat.
    pub(crate) fn lift_empty_forts(&self, state: &mut State, play: &mut Play<Event>) {
        let hexes: Vec<Hex> = state.forts.iter().map(|fort| fort.hex).collect();
        for hex in hexes {
            self.lift_fort(state, hex, play);
        }
    }

    /// A bridging unit may bridge a major river hexside of its own hex (20.0b).
    fn check_bridge(
        &self,
        state: &State,
        side: Side,
        unit: engine::UnitId,
        hex: Hex,
    ) -> Result<(), Violation> {
        ensure!("20.0b", self.side(unit) == side, "{} is the enemy's", unit);
        ensure!("20.0b", self.bridging.contains(&unit), "{} is not a bridging unit", unit);
        let Some(from) = state.hex(unit) else { refuse!("20.0b", "{} is not on the map", unit) };
        ensure!(
            "20.0b",
            self.ground.is_major(&self.map, from, hex),
            "no major river runs between {} and {}",
            from,
            hex
        );
        ensure!("20.0b", self.ground.land.contains(hex), "{} is out of play", hex);
        let twice = self.is_bridged(state, side, from, hex);
        ensure!("20.0b", !twice, "a bridging unit lies there already");
        Ok(())
    }
}
