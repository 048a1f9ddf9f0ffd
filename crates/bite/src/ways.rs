//! Where units can go, kept from decision to decision: most moves change nothing for most of the others.

use std::cell::Cell;
use std::sync::Arc;

use board::{Hex, Mp};
use engine::store::Version;
use engine::{BySide, Side};

use crate::ground::Mover;
use crate::movement::{Moving, Obstacles, movement_phase};
use crate::{Bite, HexSet, Reach, State, Units, Weather};

/// Where the units of a side can go.
pub(crate) struct Ways {
    /// The game that all this is about.
    game: Arc<()>,
    time: Time,
    units: Option<Version>,
    pub(crate) obstacles: Obstacles,
    /// By the first unit of those that move together.
    found: Vec<Found>,
    pub(crate) reach: Reach,
}

/// Nothing is kept from one of these to another.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Time {
    turn: u8,
    mechanized: Option<bool>,
    weather: Weather,
    demolished: bool,
}

/// Where some units can go.
#[derive(Clone, Copy)]
struct Found {
    who: Option<Who>,
    open: HexSet,
    /// The hexes on which it depends: those on their ways, and all around them.
    near: HexSet,
}

/// Who goes, from where, with what.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Who {
    units: Units,
    from: Hex,
    mover: Mover,
    left: Mp,
    fresh: bool,
    paid: Option<Hex>,
    /// Their whole allowance, where the directive asks how much of it they spend.
    whole: Option<Mp>,
}

impl Found {
    const NOTHING: Found = Found { who: None, open: HexSet::EMPTY, near: HexSet::EMPTY };
}

thread_local! {
    static KEPT: Cell<BySide<Option<Box<Ways>>>> = const { Cell::new(BySide { axis: None, soviet: None }) };
}

/// Lends what is kept of a side's ways in this state.
pub(crate) fn with_ways<T>(rules: &Bite, state: &State, side: Side, ask: impl FnOnce(&mut Ways) -> T) -> T {
    let mut kept = KEPT.take();
    let mut ways = match kept[side].take().filter(|ways| Arc::ptr_eq(&ways.game, &rules.token)) {
        Some(ways) => ways,
        None => Box::new(Ways::new(rules, state, side)),
    };
    ways.renew(rules, state, side);
    let answer = ask(&mut ways);
    kept[side] = Some(ways);
    KEPT.set(kept);
    answer
}

impl Ways {
    fn new(rules: &Bite, state: &State, side: Side) -> Ways {
        Ways {
            game: rules.token.clone(),
            time: Time::of(state),
            units: None,
            obstacles: Obstacles::of_side(rules, state, &rules.known(state), side, None),
            found: vec![Found::NOTHING; rules.counters.len()],
            reach: Reach::new(),
        }
    }

    /// Forgets what does not hold any more.
    fn renew(&mut self, rules: &Bite, state: &State, side: Side) {
        let (time, units) = (Time::of(state), Some(state.units.version()));
        let same = time == self.time && self.obstacles.interdicted == state.interdicted[side.enemy()];
        if same && units == self.units {
            return;
        }
        let known = rules.known(state);
        if same && self.obstacles.hold(rules, state, &known, side) {
            self.units = units;
            return;
        }
        let obstacles = Obstacles::of_side(rules, state, &known, side, None);
        let changed = self.obstacles.changed(&obstacles).filter(|_| time == self.time);
        if changed.is_none_or(|hexes| !hexes.is_empty()) {
            for found in self.found.iter_mut().filter(|found| found.who.is_some()) {
                if changed.is_none_or(|hexes| found.near.intersects(&hexes)) {
                    found.who = None;
                }
            }
        }
        (self.time, self.units, self.obstacles) = (time, units, obstacles);
    }

    /// Where units that move alike can go in one leg.
    pub(crate) fn open(&mut self, rules: &Bite, state: &State, moving: &Moving) -> HexSet {
        let Some(from) = moving.hex(state) else { return HexSet::EMPTY };
        let several = moving.units.len() > 1 && moving.is_directed(rules, state);
        let Some(mover) = moving.mover(rules).filter(|_| !several) else {
            return moving.reach(rules, state, self);
        };
        let (Some(first), left) = (moving.units.first(), moving.left(state)) else { return HexSet::EMPTY };
        let whole = moving.is_directed(rules, state).then(|| rules.allowance(state, first, None));
        let who = Who {
            units: moving.units,
            from,
            mover,
            left,
            fresh: moving.fresh,
            paid: moving.paid(state),
            whole,
        };
        let place = first.index();
        if self.found[place].who != Some(who) {
            let open = moving.reach(rules, state, self);
            let near = rules.ground.all_sides.grow(self.reach.hexes());
            self.found[place] = Found { who: Some(who), open, near };
        }
        self.found[place].open
    }
}

impl Time {
    fn of(state: &State) -> Time {
        let State { turn, weather, demolished, .. } = *state;
        Time { turn, mechanized: movement_phase(state).map(|phase| phase.mechanized), weather, demolished }
    }
}
