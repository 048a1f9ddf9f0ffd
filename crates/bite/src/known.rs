//! What the rules see of a state: found once, and kept for as long as nothing changes that it follows from.

use std::cell::{Cell, OnceCell};
use std::ops::Deref;
use std::rc::Rc;

use engine::store::Version;
use engine::{BySide, Side};

use crate::supply::SupplyMap;
use crate::zoc::Position;
use crate::{Bite, State, Weather};

/// Who stands where, and where supply reaches.
pub(crate) struct Known {
    position: Position,
    supply: BySide<OnceCell<Box<SupplyMap>>>,
}

impl Deref for Known {
    type Target = Position;

    fn deref(&self) -> &Position {
        &self.position
    }
}

/// All that it follows from.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Basis {
    units: Version,
    turn: u8,
    weather: Weather,
    demolished: bool,
}

thread_local! {
    static LAST: Cell<Option<(Basis, Rc<Known>)>> = const { Cell::new(None) };
}

impl Bite {
    /// What the rules see of a state, found anew only when it has changed.
    pub(crate) fn known(&self, state: &State) -> Rc<Known> {
        let State { turn, weather, demolished, .. } = *state;
        let basis = Basis { units: state.units.version(), turn, weather, demolished };
        let last = LAST.take().filter(|(kept, _)| *kept == basis);
        let known = last.map_or_else(|| Rc::new(Known::new(self, state)), |(_, known)| known);
        LAST.set(Some((basis, known.clone())));
        known
    }
}

impl Known {
    fn new(rules: &Bite, state: &State) -> Known {
        Known { position: Position::new(rules, state), supply: BySide::new_with(|_| OnceCell::new()) }
    }

    /// Where supply reaches a side's units; in the state that this is known of.
    pub(crate) fn supply(&self, rules: &Bite, state: &State, side: Side) -> &SupplyMap {
        self.supply[side].get_or_init(|| Box::new(SupplyMap::of(rules, state, &self.position, side)))
    }
}
