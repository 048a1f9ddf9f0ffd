//! 5.4: zones of control. Where they lie stands in [`Presence`](crate::Presence); here is who projects them, and what
//! bars the way across a hexside.

use board::{Dir, Hex};
use engine::UnitId;

use crate::ground::{Between, Gait};
use crate::{Bug, State};

impl Bug {
    /// The Bug without any bridge lies between: no supply, no zone of control, no retreat (5.7.1d, 10.3h).
    pub(crate) fn is_unbridged_river(&self, state: &State, from: Hex, dir: Dir, to: Hex) -> bool {
        self.ground.between(from, dir) == Between::River && !state.has_bridge(from, to)
    }

    /// Whether anything but boats can cross: neither a lake nor the unbridged Bug (R76).
    pub(crate) fn is_passable(&self, state: &State, from: Hex, dir: Dir, to: Hex) -> bool {
        self.ground.between(from, dir) != Between::Lake && !self.is_unbridged_river(state, from, dir, to)
    }

    /// Whether a unit in one hex projects a zone of control into an adjacent one (5.4a, 5.4c).
    pub(crate) fn projects(&self, state: &State, unit: UnitId, to: Hex) -> bool {
        let Some(at) = state.hex(unit) else { return false };
        let Some(dir) = self.map.grid().dir_between(at, to) else { return false };
        let gait = Gait::of(self.counter(unit));
        !self.is_hq(unit)
            && !state.is_disrupted(unit)
            && self.ground.zoc[gait as usize].contains(to)
            && self.is_passable(state, at, dir, to)
    }
}

impl State {
    /// True when a pontoon bridge joins two hexes.
    pub(crate) fn has_bridge(&self, a: Hex, b: Hex) -> bool {
        self.bridges().any(|pair| pair == (a, b) || pair == (b, a))
    }
}
