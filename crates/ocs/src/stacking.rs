//! 4.2, 4.7: stacking in regimental equivalents.

use board::Hex;
use engine::frame::Around;
use engine::{Frame, Play, Remark, Side, UnitId, phrases, remark};

use crate::{Action, Event, HexSet, Marks, Ocs, Phase, Procedure, Size, State, sequence};

/// The most quarters of an RE in a hex (4.2a).
pub(crate) const LIMIT: u8 = 40;

impl Ocs {
    /// The present size of a unit in quarters of an RE: a division has as many REs as it has steps left (9.12e).
    pub(crate) fn size(&self, state: &State, unit: UnitId) -> u8 {
        let counter = self.counter(unit);
        match counter.size {
            Size::Division => state.units[unit].steps * 4,
            _ => counter.re,
        }
    }

    /// How much units count for stacking, in quarters of an RE: HQs, transports and aircraft nothing (4.2b).
    pub(crate) fn height(&self, state: &State, units: impl Iterator<Item = UnitId>) -> u8 {
        units.map(|unit| self.size(state, unit)).fold(0, u8::saturating_add)
    }

    /// How high the units of a side are stacked in a hex.
    pub(crate) fn stacked(&self, state: &State, hex: Hex, side: Side) -> u8 {
        self.height(state, self.units_in(state, hex, side))
    }

    /// The hexes in which a side is stacked too high.
    pub(crate) fn overstacked(&self, state: &State, side: Side) -> HexSet {
        let shared = state.units.shared().intersection(*state.held(side));
        shared.iter().filter(|hex| self.stacked(state, *hex, side) > LIMIT).collect()
    }
}

phrases! {
    /// A side is stacked too high at the end of its movement and cannot mend it (4.2f, R62).
    pub struct Overstacked { side: Side, phase: Phase } = "overstacked", "4.2f", "{side} is overstacked";
}

impl Frame<Ocs> for Overstacked {
    fn asked(&self, _: &Ocs, _: &State) -> (Side, Remark) {
        (self.side, remark!("4.2f", "more than 10 REs are in a hex: eliminate whole units"))
    }

    fn answers(&self, rules: &Ocs, state: &State, answers: &mut Vec<Action>) {
        for hex in rules.overstacked(state, self.side).iter() {
            let units = rules.units_in(state, hex, self.side).filter(|unit| rules.size(state, *unit) > 0);
            answers.extend(units.map(|unit| Action::Disband { unit }));
        }
    }

    fn apply(&self, rules: &Ocs, state: &mut State, action: Action, play: &mut Play<Event>) {
        if let Action::Disband { unit } = action {
            rules.eliminate(state, unit, play);
        }
    }

    fn go_on(&self, rules: &Ocs, state: &mut State, play: &mut Play<Event>) -> bool {
        let asks = !rules.overstacked(state, self.side).is_empty();
        if !asks {
            state.stack.pop();
            sequence::proceed(rules, state, play);
        }
        asks
    }

    fn is_sound(&self, rules: &Ocs, state: &State, around: Around<'_, Procedure>) -> bool {
        around.above.is_empty()
            && around.on::<crate::Movement>().is_some_and(|below| below.side == self.side)
            && !rules.overstacked(state, self.side).is_empty()
    }
}

impl Ocs {
    /// Makes a unit disorganized, unless it is an HQ, a transport or so already (5.10a.c, 5.10b.f). It loses Reserve, Strategic Move
    /// and Exploitation (5.10d, R27).
    pub(crate) fn disorganize(&self, state: &mut State, unit: UnitId, play: &mut Play<Event>) {
        let counter = self.counter(unit);
        if !counter.has_modes() || self.is_hq(unit) || state.marked(unit, Marks::DG) {
            return;
        }
        state.units.change(unit, |unit| {
            unit.marks.clear(Marks::RESERVE | Marks::STRATEGIC | Marks::EXPLOIT);
            unit.marks.set(Marks::DG);
        });
        play.tell(Event::Disorganized { unit });
    }
}
