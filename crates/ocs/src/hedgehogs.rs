//! 17: hedgehogs.

use board::Hex;
use engine::{Play, Side, UnitId, Violation, ensure};

use crate::{Action, Event, Hedgehog, HexSet, Marks, Ocs, Off, Paying, State, Units, Work};

/// The highest level (17.0a).
const HIGHEST: u8 = 4;

/// What a level costs in tokens (17.0.a).
const COST: u16 = 2;

/// The quarters of an RE that it takes to reduce one (R101).
const GARRISON: u8 = 2;

impl Ocs {
    pub(crate) fn hedgehog_answers(&self, state: &State, side: Side, answers: &mut Vec<Action>) {
        for hex in state.held(side).iter() {
            if self.check_dig(state, side, hex).is_ok() {
                answers.push(Action::Dig { hex });
            }
            if self.check_raze(state, side, hex).is_ok() {
                answers.push(Action::Raze { hex });
            }
        }
    }

    /// A unit in Combat Mode proper: no marker lies on it (R100).
    fn is_in_combat_mode(&self, state: &State, unit: UnitId) -> bool {
        let other = Marks::MOVE | Marks::RESERVE | Marks::STRATEGIC | Marks::EXPLOIT | Marks::DG;
        self.counter(unit).has_modes() && !state.marked(unit, other)
    }

    /// A unit in Combat Mode builds a level a segment, two with an engineer (17.0a, 17.0c, 12.8b.b).
    pub(crate) fn check_dig(&self, state: &State, side: Side, hex: Hex) -> Result<(), Violation> {
        let off = self.settings.is_off(Off::HedgehogBuilding);
        ensure!("17.0.a", !off, "no hedgehogs are built in this scenario");
        let units = || self.units_in(state, hex, side);
        let builds = units().any(|unit| self.is_in_combat_mode(state, unit));
        ensure!("17.0.a", builds, "no unit in Combat Mode is in {}", hex);
        let level = state.hedgehog(hex);
        ensure!("17.0a", level < HIGHEST, "the hedgehog in {} is of level {}", hex, level);
        let done = state.works.iter().find(|work| work.hex == hex).map_or(0, |work| work.levels);
        let engineer = units().any(|unit| self.counter(unit).engineer);
        let most = if engineer { 2 } else { 1 };
        ensure!("17.0c", (0..most).contains(&done), "{} levels were built or razed in {}", done, hex);
        let free =
            level > 0 || self.settings.hedgehogs.is_none_or(|pool| state.hedgehogs.len() < usize::from(pool));
        ensure!("17.0.b", free && (level > 0 || !state.hedgehogs.is_full()), "there is no hedgehog left");
        let there = self.tokens_for_works(state, side, &HexSet::of(hex));
        ensure!("17.0.a", there >= COST, "a level costs {}T and {}T can be drawn", COST, there);
        Ok(())
    }

    pub(crate) fn dig(&self, state: &mut State, side: Side, hex: Hex, play: &mut Play<Event>) {
        let units: Units = self.units_in(state, hex, side).collect();
        self.note_work(state, hex, 1);
        let level = state.hedgehog(hex) + 1;
        match state.hedgehogs.iter_mut().find(|hedgehog| hedgehog.hex == hex) {
            Some(hedgehog) => hedgehog.level = level,
            None => {
                state.hedgehogs.try_push(Hedgehog { hex, level }).ok();
                state.hedgehogs.sort_by_key(|hedgehog| hedgehog.hex);
            }
        }
        play.tell(Event::Dug { hex, level });
        state.stack.push(Paying { side, tokens: COST, units, by: None, works: true, base: None });
    }

    fn note_work(&self, state: &mut State, hex: Hex, levels: i8) {
        match state.works.iter_mut().find(|work| work.hex == hex) {
            Some(work) => work.levels += levels,
            None => {
                state.works.try_push(Work { hex, levels }).ok();
            }
        }
    }

    /// Half an RE takes a level down a segment (17.0.e, R101).
    pub(crate) fn check_raze(&self, state: &State, side: Side, hex: Hex) -> Result<(), Violation> {
        ensure!("17.0.e", state.hedgehog(hex) > 0, "there is no hedgehog in {}", hex);
        let height = self.stacked(state, hex, side);
        ensure!("17.0.e", height >= GARRISON, "less than half an RE is in {}", hex);
        let done = state.works.iter().any(|work| work.hex == hex);
        ensure!("17.0.e", !done, "the hedgehog in {} was worked on in this segment", hex);
        Ok(())
    }

    /// The whole hedgehog in a hex is gone (17.0.c).
    pub(crate) fn wreck(&self, state: &mut State, hex: Hex, play: &mut Play<Event>) {
        state.hedgehogs.retain(|hedgehog| hedgehog.hex != hex);
        play.tell(Event::Dug { hex, level: 0 });
    }

    pub(crate) fn raze(&self, state: &mut State, hex: Hex, play: &mut Play<Event>) {
        self.note_work(state, hex, -1);
        let level = state.hedgehog(hex).saturating_sub(1);
        self.set_hedgehog(state, hex, level, play);
    }

    pub(crate) fn set_hedgehog(&self, state: &mut State, hex: Hex, level: u8, play: &mut Play<Event>) {
        if let Some(hedgehog) = state.hedgehogs.iter_mut().find(|hedgehog| hedgehog.hex == hex) {
            hedgehog.level = level;
        }
        state.hedgehogs.retain(|hedgehog| hedgehog.level > 0);
        play.tell(Event::Dug { hex, level });
    }
}
