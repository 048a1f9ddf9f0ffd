//! 5: modes.

use engine::display;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, Violation, ensure, phrases, refuse, remark};

use crate::sequence::{self, not_asked, phase};
use crate::{Action, Event, Marks, Mode, Ocs, Phase, Procedure, State};

phrases! {
    /// The Mode Determination Phase (2.3.II.C).
    pub struct Modes { side: Side } = "modes", "2.3.II.C", "{side} mode determination";
}

impl Frame<Ocs> for Modes {
    fn asked(&self, _: &Ocs, _: &State) -> (Side, Remark) {
        (self.side, remark!("2.3.II.C", "choose modes, or end the phase"))
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        rules.mode_answers(state, self.side, answers);
        if self.check_end(rules, state).is_ok() {
            answers.push(Action::End);
        }
    }

    fn check(&self, rules: &Ocs, state: &State, action: Action) -> Result<(), Violation> {
        match action {
            Action::Mode { unit, mode } => rules.check_mode(state, self.side, unit, mode),
            Action::End => self.check_end(rules, state),
            _ => Err(not_asked(state)),
        }
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        match action {
            Action::Mode { unit, mode } => rules.set_mode(state, unit, mode, play),
            _ => sequence::proceed(rules, state, play),
        }
    }

    fn is_sound(&self, rules: &Ocs, _: &State, around: Around<'_, Procedure>) -> bool {
        around.is_outermost() && around.above.is_empty() && !rules.switches.merged_modes
    }

    fn phase(&self, _: &Ocs, _: &State) -> Option<display::Phase> {
        Some(phase(self.side, Phase::Modes))
    }
}

impl Modes {
    /// A Strategic Move unit that an enemy has come next to must be given another mode (R113).
    fn check_end(&self, rules: &Ocs, state: &State) -> Result<(), Violation> {
        let near = |unit: &UnitId| {
            rules.side(*unit) == self.side
                && state.marked(*unit, Marks::STRATEGIC)
                && state.hex(*unit).is_some_and(|hex| rules.adjacent_to(state, hex, self.side.enemy()))
        };
        match rules.roster.iter().find(near) {
            Some(unit) => refuse!("5.8b.a", "{} is next to an enemy and must take another mode", unit),
            None => Ok(()),
        }
    }
}

impl Ocs {
    /// The mode that a unit's owner has chosen for it, as far as markers and the side that lies up show it.
    pub(crate) fn mode(&self, state: &State, unit: UnitId) -> Mode {
        let marks = state.units[unit].marks;
        match (marks.has(Marks::RESERVE), marks.has(Marks::STRATEGIC), marks.has(Marks::MOVE)) {
            (true, _, false) => Mode::Reserve,
            (true, _, true) => Mode::ReserveMove,
            (_, true, _) => Mode::Strategic,
            (_, _, true) => Mode::Move,
            _ => Mode::Combat,
        }
    }

    pub(crate) fn mode_answers(&self, state: &State, side: Side, answers: &mut Vec<Action>) {
        for unit in self.roster.iter().filter(|unit| self.side(*unit) == side && state.hex(*unit).is_some()) {
            let modes = Mode::ALL.iter().filter(|mode| self.check_mode(state, side, unit, **mode).is_ok());
            answers.extend(modes.map(|mode| Action::Mode { unit, mode: *mode }));
        }
    }

    /// Whether a unit may be given a mode now; where that is part of movement, once and before it moves (5.11).
    pub(crate) fn check_mode(
        &self,
        state: &State,
        side: Side,
        unit: UnitId,
        mode: Mode,
    ) -> Result<(), Violation> {
        let counter = self.counter(unit);
        ensure!("2.3.II.C", counter.side == side, "{} is the enemy's", unit);
        ensure!("5.1", counter.has_modes(), "{} has no modes", unit);
        let Some(hex) = state.hex(unit) else { refuse!("5.1", "{} is not on the map", unit) };
        ensure!("5.3a", self.mode(state, unit) != mode, "{} is in that mode already", unit);
        if self.switches.merged_modes {
            ensure!("5.11.b", !state.marked(unit, Marks::CHOSEN), "{} was given its mode", unit);
            ensure!("5.11.b", !state.marked(unit, Marks::MOVED), "{} has moved", unit);
            let far = state.overrun.iter().all(|other| self.map.grid().distance(hex, other) > HINDSIGHT);
            ensure!("5.11.c", far, "an overrun was made within 10 hexes of {}", unit);
        }
        let repl = counter.is_repl() && !matches!(mode, Mode::Move | Mode::Strategic);
        ensure!("12.5.b", !repl, "{} may be in Move or Strategic Move Mode only", unit);
        let dg = state.marked(unit, Marks::DG) && !matches!(mode, Mode::Combat | Mode::Move);
        ensure!("5.10e.b", !dg, "{} is disorganized", unit);
        match mode {
            Mode::Strategic => {
                let near = self.adjacent_to(state, hex, side.enemy());
                ensure!("5.8b.a", !near, "{} is next to an enemy unit", unit);
            }
            Mode::Reserve | Mode::ReserveMove => self.check_reserve(state, unit, hex)?,
            Mode::Combat | Mode::Move => {}
        }
        Ok(())
    }

    /// Every stack in Reserve needs a marker (5.7, R24).
    pub(crate) fn check_reserve(
        &self,
        state: &State,
        unit: UnitId,
        hex: board::Hex,
    ) -> Result<(), Violation> {
        let side = self.side(unit);
        let Some(markers) = self.settings.reserve_markers(side, state.turn) else { return Ok(()) };
        let mut stacks = crate::HexSet::EMPTY;
        for other in self.roster.iter().filter(|other| self.side(*other) == side) {
            if let Some(hex) = state.hex(other).filter(|_| state.marked(other, Marks::RESERVE)) {
                stacks.insert(hex);
            }
        }
        let free = stacks.contains(hex) || stacks.len() < usize::from(markers);
        ensure!("5.7", free, "all {} Reserve markers are in use", markers);
        Ok(())
    }

    pub(crate) fn set_mode(&self, state: &mut State, unit: UnitId, mode: Mode, play: &mut Play<Event>) {
        let merged = self.switches.merged_modes;
        state.units.change(unit, |unit| {
            unit.marks.clear(Marks::MOVE | Marks::RESERVE | Marks::STRATEGIC);
            unit.marks.set(match mode {
                Mode::Combat => Marks::default(),
                Mode::Move => Marks::MOVE,
                Mode::Strategic => Marks::MOVE | Marks::STRATEGIC,
                Mode::Reserve => Marks::RESERVE,
                Mode::ReserveMove => Marks::MOVE | Marks::RESERVE,
            });
            if merged {
                unit.marks.set(Marks::CHOSEN);
            }
        });
        play.tell(Event::ModeSet { unit, mode });
    }
}

/// Within so many hexes of an overrun no mode is chosen any more (5.11.c, R103).
const HINDSIGHT: u32 = 10;
